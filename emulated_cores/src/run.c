// A compiled model on a chip's core: reads a job from standard input, runs it
// on the simulator and writes the result to standard output (luna/core_job.h).
//
// The linker gives the model's symbols these names.

#include <stdlib.h>
#include <string.h>

#include "luna/branch.h"
#include "luna/core_job.h"
#include "luna/simulator.h"
#include "system.h"

void luna_run_model(void **pointers);
void luna_run_init(void **pointers);
void luna_run_reset(void **pointers);
extern const int32_t luna_run_program[];
extern const LunaCoreMemories luna_core_memories;

typedef struct Run {
  LunaArena arena;
  LunaMachine machine;
  LunaProgramInfo program;
  LunaProgramPointers pointers;
  void **arguments; // of the entry function
  LunaSimulatorOptions options;
  LunaSimulator *simulator;
} Run;

static void stop(const char *message) {
  luna_system_write(2, "error: ", 7);
  luna_system_write(2, message, strlen(message));
  luna_system_write(2, "\n", 1);
  luna_system_exit(4);
}

//===- Reading ------------------------------------------------------------===//

static void take(void *to, uint64_t bytes) {
  uint8_t *next = to;
  while (bytes > 0) {
    int32_t count = luna_system_read(0, next, (size_t)bytes);
    if (count <= 0)
      stop("the job ends early");
    next += count;
    bytes -= (uint64_t)count;
  }
}

static void take_head(Run *run) {
  LunaCoreJob job;
  take(&job, sizeof job);
  if (job.magic != LUNA_CORE_JOB_MAGIC ||
      job.machine_bytes != sizeof run->machine)
    stop("the job is one of another version");
  take(&run->machine, sizeof run->machine);
  run->options = (LunaSimulatorOptions){.no_events = !job.wants_events,
                                        .cycle_limit = job.cycle_limit};
}

static void take_decisions(Run *run) {
  LunaError error = {0};
  for (uint32_t i = 0; i < run->program.branch_count; ++i) {
    const LunaProgramBranch *branch = &run->program.branches[i];
    LunaCoreDecision decision;
    LunaText way = {0};
    take(&decision, sizeof decision);
    if (decision.is_forced)
      luna_branch_print_way(&way, branch, decision.value);
    if (!luna_simulator_force_branch(run->simulator, branch->name, way.data,
                                     &error))
      stop(error.message);
    luna_text_deinit(&way);
  }
}

static void take_values(Run *run) {
  const LunaProgramInfo *program = &run->program;
  for (uint32_t i = 0; i < program->input_count; ++i)
    take(run->pointers.inputs[i], (uint64_t)program->inputs[i].bytes);
  take(run->pointers.state, (uint64_t)program->state_bytes);
}

//===- Writing ------------------------------------------------------------===//

static void give(const void *from, uint64_t bytes) {
  if (luna_system_write(1, from, (size_t)bytes) != (int32_t)bytes)
    stop("the result cannot be written");
}

static void give_text(const char *text) {
  give(text ? text : "", strlen(text ? text : "") + 1);
}

static void give_head(const LunaRunResult *from, uint32_t kept,
                      uint64_t event_count) {
  const LunaCoreResult result = {
      .magic = LUNA_CORE_JOB_MAGIC,
      .is_broken_off = from->is_broken_off,
      .op_count = from->op_count,
      .hazards_kept = kept,
      .cycles = from->cycles,
      .compute_cycles = from->compute_cycles,
      .host_cycles = from->host_cycles,
      .stall_cycles = from->stall_cycles,
      .dma_cycles = from->dma_cycles,
      .bound_cycles = from->bound_cycles,
      .transfers = from->transfers,
      .dma_bytes = from->dma_bytes,
      .launches = from->launches,
      .arena_high_water_bytes = from->arena_high_water_bytes,
      .hazard_count = from->hazard_count,
      .event_count = event_count,
  };
  give(&result, sizeof result);
}

static void give_op(const LunaOpStatistics *from) {
  const LunaCoreOp op = {
      .calls = from->calls,
      .launches = from->launches,
      .compute_cycles = from->compute_cycles,
      .host_cycles = from->host_cycles,
      .stall_cycles = from->stall_cycles,
      .dma_cycles = from->dma_cycles,
      .dma_bytes = from->dma_bytes,
  };
  give(&op, sizeof op);
}

static void give_hazard(const LunaHazard *from) {
  const LunaCoreHazard hazard = {
      .kind = (int32_t)from->kind,
      .buffer = from->buffer,
      .offset_bytes = from->offset_bytes,
      .has_range = from->range != NULL,
  };
  give(&hazard, sizeof hazard);
  give_text(from->op);
  give_text(from->range);
  give_text(from->path);
  give_text(from->message);
}

static void give_result(const Run *run, const LunaRunResult *result) {
  const LunaProgramInfo *program = &run->program;
  uint64_t kept = result->hazard_count < LUNA_HAZARDS_KEPT
                      ? result->hazard_count
                      : LUNA_HAZARDS_KEPT;
  uint64_t event_count = 0;
  const LunaTimelineEvent *events =
      luna_simulator_events(run->simulator, &event_count);
  give_head(result, (uint32_t)kept, event_count);
  for (uint32_t i = 0; i <= result->op_count; ++i)
    give_op(&result->ops[i]);
  for (uint64_t i = 0; i < kept; ++i)
    give_hazard(&result->hazards[i]);
  give_text(result->path);
  give(events, event_count * sizeof *events);
  for (uint32_t i = 0; i < program->output_count; ++i)
    give(run->pointers.outputs[i], (uint64_t)program->outputs[i].bytes);
  give(run->pointers.state, (uint64_t)program->state_bytes);
}

//===- Memories -----------------------------------------------------------===//

// Takes the next bytes of PSRAM, padded to the alignment.
static void *take_memory(uint8_t **next, int64_t bytes, uint64_t alignment) {
  uint8_t *taken = *next;
  *next += ((uint64_t)bytes + alignment - 1) / alignment * alignment;
  return taken;
}

static void **place_tensors(Run *run, const LunaProgramTensor *tensors,
                            uint32_t count, uint8_t **next) {
  void **pointers = LUNA_ARENA_ARRAY(&run->arena, void *, count);
  for (uint32_t i = 0; i < count; ++i) {
    pointers[i] = luna_program_argument(&run->program, &tensors[i],
                                        luna_core_memories.arena);
    if (!pointers[i])
      pointers[i] =
          take_memory(next, tensors[i].bytes, run->machine.alignment_bytes);
  }
  return pointers;
}

static void place(Run *run) {
  const LunaProgramInfo *program = &run->program;
  uint8_t *next = luna_core_memories.rest;
  run->pointers.arena = luna_core_memories.arena;
  run->pointers.psram = luna_core_memories.psram;
  run->pointers.state =
      take_memory(&next, program->state_bytes, run->machine.alignment_bytes);
  run->pointers.inputs =
      place_tensors(run, program->inputs, program->input_count, &next);
  run->pointers.outputs =
      place_tensors(run, program->outputs, program->output_count, &next);
}

//===- Running ------------------------------------------------------------===//

static void call(void *arguments) { luna_run_model(arguments); }

static void set_up(Run *run) {
  LunaError error = {0};
  if (!luna_program_read(luna_run_program,
                         luna_program_word_count(luna_run_program), &run->arena,
                         &run->program, &error))
    stop(error.message);
  place(run);
  run->arguments =
      luna_program_arguments(&run->program, &run->pointers, &run->arena);
  luna_run_init((void *[]){run->pointers.psram, run->pointers.state});
  run->simulator = luna_simulator_create(&run->machine, &run->options);
  if (!luna_simulator_bind(run->simulator, &run->program, &run->pointers,
                           &error))
    stop(error.message);
}

int main(void) {
  static Run run;
  take_head(&run);
  set_up(&run);
  take_decisions(&run);
  take_values(&run);
  give_result(&run, luna_simulator_run(run.simulator, call, run.arguments));
  return 0;
}
