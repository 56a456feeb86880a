#include "luna/simulator.h"

#include <assert.h>
#include <string.h>

#include "luna/checked.h"
#include "sim_internal.h"

enum { BASE_ALIGN = 16, UNBOUND_OPS = 32 };
static const uint64_t default_event_limit = 1000000;
static const uint64_t default_cycle_limit = 10000000000;

// The simulator that luna_rt_* calls of this thread reach. The runtime API has
// no handle, as on the chip there is but one unit: this is the only mutable
// state of the library outside its objects.
static _Thread_local LunaSimulator *active;

void luna_simulator_activate(LunaSimulator *simulator) { active = simulator; }

LunaSimulator *luna_sim_any_active(void) {
  assert(active && "runtime call without an active simulator");
  return active;
}

LunaSimulator *luna_sim_active(int32_t op) {
  LunaSimulator *sim = luna_sim_any_active();
  if (sim->is_in_host_op)
    luna_sim_hazard(sim, LUNA_HAZARD_BAD_CALL,
                    (LunaSimPlace){.op = op, .buffer = LUNA_NO_ID},
                    "runtime call inside host operator '%s'",
                    luna_simulator_op_name(sim, sim->host_op.op));
  return sim;
}

//===- Life ---------------------------------------------------------------===//

// Forgets the run before, so that queries without one find empty tables.
static void reset_run(LunaSimulator *sim) {
  luna_arena_destroy(&sim->run_arena);
  sim->transfers = sim->events = sim->hazards = (LunaSimList){0};
  sim->steps = sim->host_operands = (LunaSimList){0};
  sim->now_cycles = sim->engine_free_cycles = 0;
  sim->last_token = 0;
  sim->iterations = 0;
  sim->stop = NULL;
  sim->is_in_host_op = sim->is_ended = false;
  sim->result = (LunaRunResult){.path = ""};
  uint64_t count = sim->program ? sim->program->operator_count : UNBOUND_OPS;
  sim->ops = (LunaSimList){
      .items = LUNA_ARENA_ARRAY(&sim->run_arena, LunaOpStatistics, count + 1),
      .count = count + 1,
  };
  LunaOpStatistics *ops = sim->ops.items;
  for (uint64_t i = 0; i < count; ++i)
    ops[i].name = sim->program ? sim->program->operators[i]
                               : luna_arena_printf(&sim->run_arena, "op%llu",
                                                   (unsigned long long)i);
  ops[count].name = "(unknown)";
}

static void reset_setup(LunaSimulator *sim) {
  luna_arena_destroy(&sim->setup_arena);
  sim->program = NULL;
  sim->ranges = sim->buffers = (LunaSimList){0};
  sim->values = sim->results = sim->writers = (LunaSimList){0};
  sim->writer_table = NULL;
  sim->writer_table_size = 0;
  sim->forced = NULL;
  reset_run(sim);
}

LunaSimulator *luna_simulator_create(const LunaMachine *machine,
                                     const LunaSimulatorOptions *options) {
  LunaArena arena = {0};
  LunaSimulator *sim = LUNA_ARENA_ARRAY(&arena, LunaSimulator, 1);
  sim->own_arena = arena;
  sim->machine = *machine;
  if (options)
    sim->options = *options;
  if (sim->options.event_limit == 0)
    sim->options.event_limit = default_event_limit;
  if (sim->options.cycle_limit == 0)
    sim->options.cycle_limit = default_cycle_limit;
  reset_setup(sim);
  return sim;
}

void luna_simulator_destroy(LunaSimulator *sim) {
  if (!sim)
    return;
  if (active == sim)
    active = NULL;
  luna_arena_destroy(&sim->run_arena);
  luna_arena_destroy(&sim->setup_arena);
  LunaArena arena = sim->own_arena; // It holds the simulator itself.
  luna_arena_destroy(&arena);
}

//===- Registering --------------------------------------------------------===//

static bool check_range(const LunaSimulator *sim, const LunaMemoryRange *range,
                        LunaError *error) {
  const LunaMemory *memory = range->space == LUNA_SPACE_SHARED
                                 ? &sim->machine.shared
                                 : &sim->machine.psram;
  uintptr_t base = (uintptr_t)range->base;
  if (base % BASE_ALIGN != 0)
    return luna_error_set(
        error, LUNA_ERROR_INPUT, sim->ranges.count,
        "memory '%s' does not start at a multiple of %d bytes", range->name,
        BASE_ALIGN);
  if (range->bytes > memory->bytes)
    return luna_error_set(error, LUNA_ERROR_CAPACITY, sim->ranges.count,
                          "memory '%s' needs %llu bytes, machine '%s' has %llu",
                          range->name, (unsigned long long)range->bytes,
                          sim->machine.name, (unsigned long long)memory->bytes);
  const LunaSimRange *ranges = sim->ranges.items;
  for (uint64_t i = 0; i < sim->ranges.count; ++i) {
    uintptr_t other = (uintptr_t)ranges[i].base;
    if (base < other + ranges[i].bytes && other < base + range->bytes)
      return luna_error_set(error, LUNA_ERROR_INPUT, sim->ranges.count,
                            "memory '%s' overlaps memory '%s'", range->name,
                            ranges[i].name);
  }
  return true;
}

bool luna_simulator_add_range(LunaSimulator *sim, const LunaMemoryRange *range,
                              LunaError *error) {
  if (!check_range(sim, range, error))
    return false;
  LunaArena *arena = &sim->setup_arena;
  LunaSimRange *added = luna_sim_append(arena, &sim->ranges, sizeof *added);
  *added = (LunaSimRange){
      .name = luna_arena_strndup(arena, range->name, strlen(range->name)),
      .space = range->space,
      .base = range->base,
      .bytes = range->bytes,
      .is_initialised = range->is_initialised,
      .is_read_only = range->is_read_only,
      .tags = LUNA_ARENA_ARRAY(arena, LunaSimTag, range->bytes),
  };
  return true;
}

bool luna_simulator_add_buffer(LunaSimulator *sim, int32_t id, const void *base,
                               uint64_t bytes, const char *name,
                               LunaError *error) {
  if (id < 0 || luna_sim_find_buffer(sim, id))
    return luna_error_set(error, LUNA_ERROR_INPUT, sim->buffers.count,
                          "buffer '%s' has id %d, must be new and at least 0",
                          name, id);
  LunaArena *arena = &sim->setup_arena;
  luna_sim_append(arena, &sim->buffers, sizeof(LunaSimBuffer));
  LunaSimBuffer *buffers = sim->buffers.items;
  uint64_t at = sim->buffers.count - 1;
  for (; at > 0 && buffers[at - 1].id > id; --at)
    buffers[at] = buffers[at - 1];
  buffers[at] = (LunaSimBuffer){
      .id = id,
      .base = base,
      .bytes = bytes,
      .name = luna_arena_strndup(arena, name, strlen(name)),
  };
  return true;
}

static bool add_value(LunaSimulator *sim, LunaSimList *list,
                      const LunaSimValue *value, LunaError *error) {
  if (!luna_sim_find_range(sim, value->base, (int64_t)value->bytes))
    return luna_error_set(error, LUNA_ERROR_INPUT, list->count,
                          "value of %llu bytes lies in no registered memory",
                          (unsigned long long)value->bytes);
  *(LunaSimValue *)luna_sim_append(&sim->setup_arena, list, sizeof *value) =
      *value;
  return true;
}

bool luna_simulator_add_value(LunaSimulator *sim, void *base, uint64_t bytes,
                              int32_t buffer, int32_t content,
                              LunaError *error) {
  const LunaSimValue value = {
      .base = base, .bytes = bytes, .buffer = buffer, .content = content};
  return add_value(sim, &sim->values, &value, error);
}

bool luna_simulator_add_result(LunaSimulator *sim, void *base, uint64_t bytes,
                               int32_t buffer, LunaError *error) {
  const LunaSimValue value = {
      .base = base, .bytes = bytes, .buffer = buffer, .content = LUNA_NO_ID};
  return add_value(sim, &sim->results, &value, error);
}

//===- Binding a program --------------------------------------------------===//

static uint64_t padded(int64_t bytes) {
  return (uint64_t)luna_align_up(bytes, BASE_ALIGN);
}

static bool bind_memories(LunaSimulator *sim, const LunaProgramInfo *program,
                          const LunaProgramPointers *pointers,
                          LunaError *error) {
  uint8_t *scratch = pointers->psram
                         ? (uint8_t *)pointers->psram + program->weight_bytes
                         : NULL;
  const LunaMemoryRange ranges[] = {
      {.name = "arena",
       .space = LUNA_SPACE_SHARED,
       .base = pointers->arena,
       .bytes = (uint64_t)program->arena_bytes},
      {.name = "weights",
       .space = LUNA_SPACE_PSRAM,
       .base = pointers->psram,
       .bytes = (uint64_t)program->weight_bytes,
       .is_initialised = true,
       .is_read_only = true},
      {.name = "psram scratch",
       .space = LUNA_SPACE_PSRAM,
       .base = scratch,
       .bytes = (uint64_t)program->psram_scratch_bytes},
      {.name = "state",
       .space = LUNA_SPACE_PSRAM,
       .base = pointers->state,
       .bytes = (uint64_t)program->state_bytes,
       .is_initialised = true},
  };
  for (int i = 0; i < 4; ++i)
    if (ranges[i].bytes > 0 &&
        !luna_simulator_add_range(sim, &ranges[i], error))
      return false;
  return true;
}

// Registers one input or output: in the arena as part of it, else as a memory
// of its own.
static bool bind_tensor(LunaSimulator *sim, const LunaProgramTensor *tensor,
                        void *data, bool is_input, LunaError *error) {
  const LunaMemoryRange range = {
      .name = tensor->name,
      .space = LUNA_SPACE_PSRAM,
      .base = data,
      .bytes = padded(tensor->bytes),
      .is_read_only = is_input,
  };
  const LunaProgramBuffer *buffer =
      luna_program_buffer(sim->program, tensor->buffer);
  bool is_on_chip = buffer && buffer->memory == LUNA_MEMORY_ARENA;
  if (tensor->bytes == 0)
    return true;
  if (!is_on_chip && !luna_simulator_add_range(sim, &range, error))
    return false;
  return is_input
             ? luna_simulator_add_value(sim, data, (uint64_t)tensor->bytes,
                                        tensor->buffer, LUNA_NO_ID, error)
             : luna_simulator_add_result(sim, data, (uint64_t)tensor->bytes,
                                         tensor->buffer, error);
}

static bool bind_tensors(LunaSimulator *sim, const LunaProgramInfo *program,
                         const LunaProgramPointers *pointers,
                         LunaError *error) {
  for (uint32_t i = 0; i < program->input_count; ++i)
    if (!bind_tensor(sim, &program->inputs[i], pointers->inputs[i], true,
                     error))
      return false;
  for (uint32_t i = 0; i < program->output_count; ++i)
    if (!bind_tensor(sim, &program->outputs[i], pointers->outputs[i], false,
                     error))
      return false;
  return true;
}

static const uint8_t *memory_base(const LunaProgramPointers *pointers,
                                  const LunaProgramBuffer *buffer) {
  switch ((LunaProgramMemory)buffer->memory) {
  case LUNA_MEMORY_ARENA:
    return pointers->arena;
  case LUNA_MEMORY_PSRAM:
    return pointers->psram;
  case LUNA_MEMORY_STATE:
    return pointers->state;
  case LUNA_MEMORY_INPUT:
    return pointers->inputs[buffer->argument];
  case LUNA_MEMORY_OUTPUT:
    return pointers->outputs[buffer->argument];
  }
  return NULL;
}

static bool bind_buffers(LunaSimulator *sim, const LunaProgramInfo *program,
                         const LunaProgramPointers *pointers,
                         LunaError *error) {
  for (uint32_t i = 0; i < program->buffer_count; ++i) {
    const LunaProgramBuffer *buffer = &program->buffers[i];
    if (buffer->bytes > 0 &&
        !luna_simulator_add_buffer(
            sim, buffer->id,
            memory_base(pointers, buffer) + buffer->offset_bytes,
            (uint64_t)buffer->bytes, buffer->name, error))
      return false;
  }
  return true;
}

static bool bind_contents(LunaSimulator *sim, const LunaProgramInfo *program,
                          const LunaProgramPointers *pointers,
                          LunaError *error) {
  for (uint32_t i = 0; i < program->content_count; ++i) {
    const LunaProgramContent *content = &program->contents[i];
    if (content->bytes > 0 &&
        !luna_simulator_add_value(
            sim, (uint8_t *)pointers->psram + content->offset_bytes,
            (uint64_t)content->bytes, LUNA_NO_ID, content->id, error))
      return false;
  }
  return true;
}

bool luna_simulator_bind(LunaSimulator *sim, const LunaProgramInfo *program,
                         const LunaProgramPointers *pointers,
                         LunaError *error) {
  reset_setup(sim);
  sim->program = program;
  sim->forced =
      LUNA_ARENA_ARRAY(&sim->setup_arena, LunaSimForced, program->branch_count);
  return bind_memories(sim, program, pointers, error) &&
         bind_tensors(sim, program, pointers, error) &&
         bind_buffers(sim, program, pointers, error) &&
         bind_contents(sim, program, pointers, error);
}

//===- Running ------------------------------------------------------------===//

void luna_simulator_begin_run(LunaSimulator *sim) {
  reset_run(sim);
  luna_sim_reset_memory(sim);
  luna_simulator_activate(sim);
}

static void check_results(LunaSimulator *sim) {
  const LunaSimValue *results = sim->results.items;
  for (uint64_t i = 0; i < sim->results.count; ++i) {
    const LunaSimValue *value = &results[i];
    LunaSimAccess access = {
        .op = LUNA_NO_ID,
        .role = "a result of the program",
        .box = {.low = value->base,
                .extent_bytes = (int64_t)value->bytes,
                .run_bytes = (int64_t)value->bytes},
        .range = luna_sim_find_range(sim, value->base, (int64_t)value->bytes),
        .buffer = value->buffer,
        .content = LUNA_NO_ID,
        .granule_bytes = 1,
    };
    luna_sim_check_read(sim, &access);
  }
}

static const LunaRunResult *sum_up(LunaSimulator *sim) {
  LunaRunResult *result = &sim->result;
  result->cycles = sim->now_cycles;
  uint64_t busy = result->compute_cycles + result->host_cycles;
  result->bound_cycles = busy > result->dma_cycles ? busy : result->dma_cycles;
  result->path = luna_sim_path(sim);
  result->hazards = sim->hazards.items;
  result->ops = sim->ops.items;
  result->op_count = (uint32_t)(sim->ops.count - 1);
  return result;
}

const LunaRunResult *luna_simulator_end_run(LunaSimulator *sim) {
  if (sim->is_ended)
    return &sim->result;
  sim->is_ended = true;
  if (sim->is_in_host_op)
    luna_sim_hazard(sim, LUNA_HAZARD_BAD_CALL,
                    (LunaSimPlace){.op = sim->host_op.op, .buffer = LUNA_NO_ID},
                    "host operator never ends");
  luna_sim_end_transfers(sim);
  check_results(sim);
  return sum_up(sim);
}

const LunaRunResult *luna_simulator_run(LunaSimulator *sim, LunaModelCall model,
                                        void *argument) {
  jmp_buf stop;
  luna_simulator_begin_run(sim);
  if (setjmp(stop) == 0) {
    sim->stop = &stop;
    model(argument);
    sim->stop = NULL;
    return luna_simulator_end_run(sim);
  }
  sim->stop = NULL;
  sim->is_ended = sim->result.is_broken_off = true;
  return sum_up(sim);
}

//===- Looking ------------------------------------------------------------===//

const LunaTimelineEvent *luna_simulator_events(const LunaSimulator *sim,
                                               uint64_t *count) {
  *count = sim->events.count;
  return sim->events.items;
}

const char *luna_simulator_op_name(const LunaSimulator *sim, int32_t op) {
  return luna_sim_op(sim, op)->name;
}
