#include "luna/report_fill.h"

#include <stdlib.h>
#include <string.h>

//===- Buffers ------------------------------------------------------------===//

static int by_first(const void *a, const void *b) {
  const LunaSteps *left = a, *right = b;
  if (left->first != right->first)
    return left->first < right->first ? -1 : 1;
  return (left->end > right->end) - (left->end < right->end);
}

// Merges the ranges of two aliases.
static void join_live(LunaArena *arena, LunaReportBuffer *buffer,
                      const LunaLifetime *more) {
  uint32_t count = buffer->live_count + more->range_count, kept = 0;
  LunaSteps *all = luna_arena_grow(arena, buffer->live, buffer->live_count,
                                   count, sizeof(LunaSteps));
  if (more->range_count > 0)
    memcpy(&all[buffer->live_count], more->ranges,
           more->range_count * sizeof *all);
  if (count > 0)
    qsort(all, count, sizeof *all, by_first);
  for (uint32_t i = 0; i < count; i++) {
    if (kept > 0 && all[i].first <= all[kept - 1].end) {
      if (all[i].end > all[kept - 1].end)
        all[kept - 1].end = all[i].end;
    } else {
      all[kept++] = all[i];
    }
  }
  buffer->live = all;
  buffer->live_count = kept;
}

// Returns the index of the entry of this buffer among the first `count`, else
// `count`.
static uint32_t find_place(const LunaPlanRecord *plan, const uint32_t *first,
                           uint32_t count, uint32_t id) {
  uint32_t at = 0;
  while (at < count && plan->buffers[first[at]].id != id)
    at++;
  return at;
}

static void fill_buffers(LunaReportBuilder *builder) {
  const LunaPlanRecord *plan = &builder->data.plan;
  uint32_t kept = 0;
  LunaReportBuffer *buffers =
      LUNA_ARENA_ARRAY(builder->arena, LunaReportBuffer, plan->buffer_count);
  uint32_t *first =
      LUNA_ARENA_ARRAY(builder->arena, uint32_t, plan->buffer_count);
  for (uint32_t i = 0; i < plan->buffer_count; i++) {
    const LunaRecordBuffer *entry = &plan->buffers[i];
    uint32_t at = find_place(plan, first, kept, entry->id);
    if (at == kept) {
      first[kept++] = i;
      buffers[at] = (LunaReportBuffer){
          .name = entry->name,
          .kind = entry->kind,
          .offset_bytes = entry->offset_bytes,
      };
    }
    if (entry->size_bytes > buffers[at].size_bytes)
      buffers[at].size_bytes = entry->size_bytes;
    join_live(builder->arena, &buffers[at], &entry->live);
  }
  builder->data.buffers = buffers;
  builder->data.buffer_count = kept;
}

//===- Paths --------------------------------------------------------------===//

static LunaReportPath *add_path(LunaReportBuilder *builder, const char *name) {
  LunaReportPath *path = LUNA_VECTOR_ADD(builder->arena, &builder->paths);
  path->name = luna_arena_strndup(builder->arena, name, strlen(name));
  builder->data.paths = builder->paths.items;
  builder->data.path_count = (uint32_t)builder->paths.count;
  return path;
}

// Returns the path of this name; adds one without steps if there is none.
static LunaReportPath *path_of(LunaReportBuilder *builder, const char *name) {
  for (uint64_t i = 0; i < builder->paths.count; i++)
    if (strcmp(builder->paths.items[i].name, name) == 0)
      return &builder->paths.items[i];
  return add_path(builder, name);
}

static void fill_paths(LunaReportBuilder *builder) {
  const LunaPlanRecord *plan = &builder->data.plan;
  for (uint32_t i = 0; i < plan->path_count; i++) {
    LunaReportPath *path = add_path(builder, plan->paths[i].path);
    path->steps = plan->paths[i].ranges;
    path->step_range_count = plan->paths[i].range_count;
  }
}

static void fill_cost(LunaReportBuilder *builder) {
  const LunaCostRecord *cost = &builder->data.cost;
  for (uint32_t i = 0; i < cost->path_count; i++) {
    const LunaPathCost *entry = &cost->paths[i];
    LunaReportPath *path = path_of(builder, entry->path);
    path->cost = entry;
    path->predicted = (LunaReportCycles){
        .total = entry->cycles,
        .compute = entry->compute,
        .host = entry->host,
        .stall = entry->stall,
        .dma = entry->dma,
        .bound = entry->bound,
    };
  }
}

void luna_report_begin(LunaReportBuilder *builder, LunaArena *arena,
                       const LunaPlanRecord *plan, const LunaCostRecord *cost) {
  *builder = (LunaReportBuilder){
      .arena = arena,
      .data = {.plan = *plan, .cost = *cost},
  };
  fill_buffers(builder);
  fill_paths(builder);
  fill_cost(builder);
}

void luna_report_add_synchronous(LunaReportBuilder *builder,
                                 const LunaCostRecord *cost) {
  for (uint32_t i = 0; i < cost->path_count; i++) {
    LunaReportPath *path = path_of(builder, cost->paths[i].path);
    path->predicted.synchronous = path->simulated.synchronous =
        cost->paths[i].cycles;
  }
}

//===- Runs ---------------------------------------------------------------===//

static const char *copy(LunaArena *arena, const char *text) {
  return text == NULL ? NULL : luna_arena_strndup(arena, text, strlen(text));
}

// Returns the decisions of a run as in plans: without trip counts, or
// "straight" if there are none.
static const char *plan_path(LunaArena *arena, const char *run_path) {
  char *name =
      luna_arena_alloc(arena, (uint64_t)strlen(run_path) + 16, sizeof(char));
  size_t length = 0;
  while (*run_path != '\0') {
    size_t part = strcspn(run_path, "/");
    if (strncmp(run_path, "loop", 4) != 0) {
      if (length > 0)
        name[length++] = '/';
      memcpy(&name[length], run_path, part);
      length += part;
    }
    run_path += part;
    run_path += *run_path == '/';
  }
  if (length == 0)
    memcpy(name, "straight", sizeof "straight");
  return name;
}

static void copy_events(LunaReportBuilder *builder, LunaReportPath *path,
                        LunaSimulator *simulator,
                        const LunaProgramInfo *program) {
  uint64_t count = 0;
  const LunaTimelineEvent *events = luna_simulator_events(simulator, &count);
  LunaReportEvent *copies =
      LUNA_ARENA_ARRAY(builder->arena, LunaReportEvent, count);
  for (uint64_t i = 0; i < count; i++) {
    const LunaTimelineEvent *event = &events[i];
    const LunaProgramBuffer *buffer =
        luna_program_buffer(program, event->buffer);
    bool is_transfer =
        event->row == LUNA_ROW_DMA || event->row == LUNA_ROW_STALL;
    copies[i] = (LunaReportEvent){
        .row = (LunaReportRow)event->row,
        .op =
            copy(builder->arena, luna_simulator_op_name(simulator, event->op)),
        .begin_cycles = event->begin_cycles,
        .end_cycles = event->end_cycles,
        .token = event->token,
        .transfer_op =
            is_transfer
                ? copy(builder->arena,
                       luna_simulator_op_name(simulator, event->transfer_op))
                : NULL,
        .bytes = event->bytes,
        .is_store = is_transfer && event->direction == LUNA_DMA_STORE,
        .buffer = buffer == NULL ? NULL : copy(builder->arena, buffer->name),
    };
  }
  path->events = copies;
  path->event_count = count;
}

// Returns the row of this name among the first `count`, or NULL.
static LunaReportOp *find_op(LunaReportOp *ops, uint32_t count,
                             const char *name) {
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(ops[i].name, name) == 0)
      return &ops[i];
  return NULL;
}

// What waits for a transfer has the name of the operator that needs it.
static void add_stalls(LunaReportBuilder *builder, LunaReportOp *ops,
                       uint32_t *count, const LunaRunResult *result) {
  for (uint32_t i = 0; i < result->op_count; i++) {
    const LunaOpStatistics *waiting = &result->ops[i];
    if (waiting->calls > 0 || waiting->stall_cycles == 0)
      continue;
    LunaReportOp *op = find_op(ops, *count, waiting->name);
    if (op == NULL) {
      op = &ops[(*count)++];
      op->name = copy(builder->arena, waiting->name);
    }
    op->stall_cycles += waiting->stall_cycles;
  }
}

static void copy_ops(LunaReportBuilder *builder, LunaReportPath *path,
                     const LunaRunResult *result) {
  LunaReportOp *ops =
      LUNA_ARENA_ARRAY(builder->arena, LunaReportOp, result->op_count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < result->op_count; i++)
    if (result->ops[i].calls > 0)
      ops[count++] = (LunaReportOp){
          .name = copy(builder->arena, result->ops[i].name),
          .calls = result->ops[i].calls,
          .launches = result->ops[i].launches,
          .compute_cycles = result->ops[i].compute_cycles,
          .host_cycles = result->ops[i].host_cycles,
          .stall_cycles = result->ops[i].stall_cycles,
      };
  add_stalls(builder, ops, &count, result);
  path->ops = ops;
  path->op_count = count;
}

static void copy_hazards(LunaReportBuilder *builder, LunaReportPath *path,
                         const LunaRunResult *result) {
  uint32_t count = result->hazard_count < LUNA_HAZARDS_KEPT
                       ? (uint32_t)result->hazard_count
                       : LUNA_HAZARDS_KEPT;
  const char **messages = LUNA_ARENA_ARRAY(builder->arena, const char *, count);
  for (uint32_t i = 0; i < count; i++)
    messages[i] =
        luna_arena_printf(builder->arena, "%s, at %s: %s",
                          luna_hazard_kind_name(result->hazards[i].kind),
                          result->hazards[i].op, result->hazards[i].message);
  path->hazard_count = result->hazard_count;
  path->hazards = messages;
  path->hazard_message_count = count;
}

void luna_report_add_run(LunaReportBuilder *builder, LunaSimulator *simulator,
                         const LunaProgramInfo *program,
                         const LunaRunResult *result, const bool *is_equal) {
  LunaReportPath *path =
      path_of(builder, plan_path(builder->arena, result->path));
  path->simulated = (LunaReportCycles){
      .total = result->cycles,
      .compute = result->compute_cycles,
      .host = result->host_cycles,
      .stall = result->stall_cycles,
      .dma = result->dma_cycles,
      .bound = result->bound_cycles,
      .synchronous = path->simulated.synchronous,
  };
  copy_events(builder, path, simulator, program);
  copy_ops(builder, path, result);
  copy_hazards(builder, path, result);
  path->is_checked = is_equal != NULL;
  path->is_equal = is_equal != NULL && *is_equal;
}
