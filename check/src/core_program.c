// rmdir
#define _POSIX_C_SOURCE 200809L

#include "luna/core_program.h"

#include <string.h>
#include <unistd.h>

#include "core_tools.h"
#include "luna/core_job.h"

//===- The program's file -------------------------------------------------===//

const char *luna_core_path(LunaArena *arena, LunaError *error) {
  LunaFolder folder;
  const char *path = NULL;
  if (luna_folder_open(&folder, error))
    path = luna_arena_printf(arena, "%s/program", folder.path);
  luna_arena_destroy(&folder.arena);
  return path;
}

void luna_core_remove(const char *path) {
  LunaArena arena = {0};
  char *folder = luna_arena_printf(&arena, "%s", path);
  unlink(path);
  *strrchr(folder, '/') = 0;
  rmdir(folder);
  luna_arena_destroy(&arena);
}

//===- Jobs ---------------------------------------------------------------===//

static void put(LunaText *text, const void *bytes, uint64_t count) {
  if (count > 0)
    luna_text_append(text, bytes, (size_t)count);
}

static bool write_job(const LunaCoreProgram *program,
                      const LunaDecision *decisions, const char *path,
                      LunaError *error) {
  const LunaProgramInfo *info = &program->compiled->program;
  const LunaProgramPointers *memory = &program->compiled->memory;
  const LunaCoreJob job = {.magic = LUNA_CORE_JOB_MAGIC,
                           .machine_bytes = sizeof *program->machine,
                           .cycle_limit = program->cycle_limit,
                           .wants_events = program->simulator != NULL};
  LunaText text = {0};
  put(&text, &job, sizeof job);
  put(&text, program->machine, sizeof *program->machine);
  for (uint32_t i = 0; i < info->branch_count; ++i) {
    const LunaCoreDecision decision = {decisions[i].is_forced,
                                       decisions[i].value};
    put(&text, &decision, sizeof decision);
  }
  for (uint32_t i = 0; i < info->input_count; ++i)
    put(&text, memory->inputs[i], (uint64_t)info->inputs[i].bytes);
  put(&text, memory->state, (uint64_t)info->state_bytes);
  bool is_written = luna_text_write_file(path, text.data, text.length, error);
  luna_text_deinit(&text);
  return is_written;
}

//===- Results ------------------------------------------------------------===//

#define RESULT_LIMIT_BYTES ((size_t)1 << 31)

typedef struct Reader {
  const uint8_t *next, *end;
  bool is_short; // something was missing
  LunaArena *arena;
} Reader;

static void get(Reader *reader, void *to, uint64_t bytes) {
  if ((uint64_t)(reader->end - reader->next) < bytes) {
    reader->is_short = true;
    return;
  }
  if (bytes > 0)
    memcpy(to, reader->next, (size_t)bytes);
  reader->next += bytes;
}

static const char *get_text(Reader *reader) {
  uint64_t left = (uint64_t)(reader->end - reader->next);
  const uint8_t *stop = left > 0 ? memchr(reader->next, 0, left) : NULL;
  if (!stop) {
    reader->is_short = true;
    return "";
  }
  const char *text = luna_arena_strndup(
      reader->arena, (const char *)reader->next, (size_t)(stop - reader->next));
  reader->next = stop + 1;
  return text;
}

static void get_ops(Reader *reader, const LunaProgramInfo *info,
                    LunaOpStatistics *ops, uint32_t count) {
  for (uint32_t i = 0; i <= count; ++i) {
    LunaCoreOp op = {0};
    get(reader, &op, sizeof op);
    ops[i] = (LunaOpStatistics){
        .name = i < count ? info->operators[i] : "program",
        .calls = op.calls,
        .launches = op.launches,
        .compute_cycles = op.compute_cycles,
        .host_cycles = op.host_cycles,
        .stall_cycles = op.stall_cycles,
        .dma_cycles = op.dma_cycles,
        .dma_bytes = op.dma_bytes,
    };
  }
}

static void get_hazards(Reader *reader, LunaHazard *hazards, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    LunaCoreHazard hazard = {0};
    get(reader, &hazard, sizeof hazard);
    const char *op = get_text(reader), *range = get_text(reader);
    const char *path = get_text(reader), *message = get_text(reader);
    hazards[i] = (LunaHazard){
        .kind = (LunaHazardKind)hazard.kind,
        .op = op,
        .range = hazard.has_range ? range : NULL,
        .offset_bytes = hazard.offset_bytes,
        .buffer = hazard.buffer,
        .path = path,
        .message = message,
    };
  }
}

static LunaRunResult *result_of(const LunaCoreResult *from, LunaArena *arena) {
  LunaRunResult *result = LUNA_ARENA_ARRAY(arena, LunaRunResult, 1);
  *result = (LunaRunResult){
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
      .is_broken_off = from->is_broken_off != 0,
      .hazard_count = from->hazard_count,
      .op_count = from->op_count,
  };
  return result;
}

static void get_events(Reader *reader, LunaSimulator *simulator,
                       uint64_t count) {
  uint64_t left = (uint64_t)(reader->end - reader->next);
  if (count > left / sizeof(LunaTimelineEvent)) {
    reader->is_short = true;
    return;
  }
  LunaTimelineEvent *events =
      LUNA_ARENA_ARRAY(reader->arena, LunaTimelineEvent, count);
  get(reader, events, count * sizeof *events);
  if (simulator)
    luna_simulator_set_events(simulator, events, count);
}

static void get_memories(Reader *reader, const LunaCompiled *compiled) {
  const LunaProgramInfo *info = &compiled->program;
  for (uint32_t i = 0; i < info->output_count; ++i)
    get(reader, compiled->memory.outputs[i], (uint64_t)info->outputs[i].bytes);
  get(reader, compiled->memory.state, (uint64_t)info->state_bytes);
}

static const LunaRunResult *read_result(const LunaCoreProgram *program,
                                        const char *bytes, size_t length,
                                        LunaError *error) {
  const LunaProgramInfo *info = &program->compiled->program;
  Reader reader = {.next = (const uint8_t *)bytes,
                   .end = (const uint8_t *)bytes + length,
                   .arena = program->arena};
  LunaCoreResult head = {0};
  get(&reader, &head, sizeof head);
  LunaRunResult *result = result_of(&head, program->arena);
  if (head.magic == LUNA_CORE_JOB_MAGIC &&
      head.op_count == info->operator_count &&
      head.hazards_kept <= LUNA_HAZARDS_KEPT) {
    LunaOpStatistics *ops = LUNA_ARENA_ARRAY(program->arena, LunaOpStatistics,
                                             head.op_count + UINT64_C(1));
    LunaHazard *hazards =
        LUNA_ARENA_ARRAY(program->arena, LunaHazard, head.hazards_kept);
    get_ops(&reader, info, ops, head.op_count);
    get_hazards(&reader, hazards, head.hazards_kept);
    result->ops = ops;
    result->hazards = hazards;
    result->path = get_text(&reader);
    get_events(&reader, program->simulator, head.event_count);
    get_memories(&reader, program->compiled);
    if (!reader.is_short && reader.next == reader.end)
      return result;
  }
  luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                 "the program on '%s' wrote no result of this version",
                 program->target->name);
  return NULL;
}

const LunaRunResult *luna_core_run(const LunaCoreProgram *program,
                                   const LunaDecision *decisions,
                                   LunaError *error) {
  const LunaRunResult *result = NULL;
  LunaFolder folder;
  LunaText text = {0};
  LunaCommand command = {0};
  if (luna_folder_open(&folder, error)) {
    const char *job = luna_folder_file(&folder, "job");
    const char *answer = luna_folder_file(&folder, "result");
    luna_command_add_emulator(&command, program->target);
    luna_command_add(&command, program->path);
    if (write_job(program, decisions, job, error) &&
        luna_command_run(&command, job, answer, error) &&
        luna_text_read_file(&text, answer, RESULT_LIMIT_BYTES, error))
      result = read_result(program, text.data, text.length, error);
  }
  luna_text_deinit(&text);
  luna_folder_close(&folder);
  return result;
}
