#include "luna/report_fill.h"

#include <stdlib.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"

//===- Reading attributes -------------------------------------------------===//

static MlirAttribute get(MlirAttribute dictionary, const char *key) {
  return mlirDictionaryAttrGetElementByName(
      dictionary, mlirStringRefCreateFromCString(key));
}

// 0 where there is no integer of that name.
static int64_t get_int(MlirAttribute dictionary, const char *key) {
  MlirAttribute value = get(dictionary, key);
  return !mlirAttributeIsNull(value) && mlirAttributeIsAInteger(value)
             ? mlirIntegerAttrGetValueInt(value)
             : 0;
}

static uint64_t get_cycles(MlirAttribute dictionary, const char *key) {
  int64_t value = get_int(dictionary, key);
  return value < 0 ? 0 : (uint64_t)value;
}

static const char *string_of(LunaArena *arena, MlirAttribute value) {
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAString(value))
    return "";
  MlirStringRef text = mlirStringAttrGetValue(value);
  return luna_arena_strndup(arena, text.data, text.length);
}

static const char *get_string(LunaArena *arena, MlirAttribute dictionary,
                              const char *key) {
  return string_of(arena, get(dictionary, key));
}

// A null attribute where there is no array of that name.
static MlirAttribute get_array(MlirAttribute dictionary, const char *key,
                               uint32_t *count) {
  MlirAttribute value = get(dictionary, key);
  bool is_array = !mlirAttributeIsNull(value) && mlirAttributeIsAArray(value);
  *count = is_array ? (uint32_t)mlirArrayAttrGetNumElements(value) : 0;
  return value;
}

// The ranges that `array<i64: first, end, …>` lists.
static const LunaReportSteps *get_steps(LunaArena *arena,
                                        MlirAttribute dictionary,
                                        const char *key, uint32_t *count) {
  MlirAttribute value = get(dictionary, key);
  bool is_array =
      !mlirAttributeIsNull(value) && mlirAttributeIsADenseI64Array(value);
  *count = is_array ? (uint32_t)mlirDenseArrayGetNumElements(value) / 2 : 0;
  LunaReportSteps *steps = LUNA_ARENA_ARRAY(arena, LunaReportSteps, *count);
  for (uint32_t i = 0; i < *count; i++)
    steps[i] = (LunaReportSteps){
        .first = (uint32_t)mlirDenseI64ArrayGetElement(value, 2 * (intptr_t)i),
        .end =
            (uint32_t)mlirDenseI64ArrayGetElement(value, 2 * (intptr_t)i + 1),
    };
  return steps;
}

//===- The plan -----------------------------------------------------------===//

static void fill_rows(LunaReportBuilder *builder, MlirAttribute plan) {
  LunaReportData *data = &builder->data;
  MlirAttribute list = get_array(plan, "per_strategy", &data->row_count);
  LunaReportPlanRow *rows =
      LUNA_ARENA_ARRAY(builder->arena, LunaReportPlanRow, data->row_count);
  for (uint32_t i = 0; i < data->row_count; i++) {
    MlirAttribute row = mlirArrayAttrGetElement(list, i);
    rows[i] = (LunaReportPlanRow){
        .strategy = get_string(builder->arena, row, "strategy"),
        .merge = get_string(builder->arena, row, "merge"),
        .tensor_bytes = get_int(row, "tensor_bytes"),
        .total_bytes = get_int(row, "total_bytes"),
    };
  }
  data->rows = rows;
}

static void fill_steps(LunaReportBuilder *builder, MlirAttribute plan) {
  LunaReportData *data = &builder->data;
  uint32_t path_count = 0;
  MlirAttribute names = get_array(plan, "steps", &data->step_count);
  MlirAttribute paths = get_array(plan, "step_paths", &path_count);
  LunaReportStep *steps =
      LUNA_ARENA_ARRAY(builder->arena, LunaReportStep, data->step_count);
  for (uint32_t i = 0; i < data->step_count; i++) {
    steps[i].name =
        string_of(builder->arena, mlirArrayAttrGetElement(names, i));
    if (i < path_count)
      steps[i].path =
          string_of(builder->arena, mlirArrayAttrGetElement(paths, i));
  }
  data->steps = steps;
}

static LunaReportKind kind_of(const char *kind) {
  if (strcmp(kind, "staging") == 0)
    return LUNA_REPORT_STAGING;
  if (strcmp(kind, "scratch") == 0)
    return LUNA_REPORT_SCRATCH;
  return strcmp(kind, "io") == 0 ? LUNA_REPORT_IO : LUNA_REPORT_TENSOR;
}

static int by_first(const void *a, const void *b) {
  const LunaReportSteps *left = a, *right = b;
  if (left->first != right->first)
    return left->first < right->first ? -1 : 1;
  return (left->end > right->end) - (left->end < right->end);
}

// Joins the ranges of two entries that share a place.
static void join_live(LunaArena *arena, LunaReportBuffer *buffer,
                      const LunaReportSteps *more, uint32_t more_count) {
  uint32_t count = buffer->live_count + more_count, kept = 0;
  LunaReportSteps *all = luna_arena_grow(
      arena, buffer->live, buffer->live_count, count, sizeof(LunaReportSteps));
  memcpy(&all[buffer->live_count], more, more_count * sizeof *more);
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

static void fill_buffers(LunaReportBuilder *builder, MlirAttribute plan) {
  uint32_t count = 0, kept = 0;
  MlirAttribute list = get_array(plan, "buffers", &count);
  LunaReportBuffer *buffers =
      LUNA_ARENA_ARRAY(builder->arena, LunaReportBuffer, count);
  int64_t *ids = LUNA_ARENA_ARRAY(builder->arena, int64_t, count);
  for (uint32_t i = 0; i < count; i++) {
    MlirAttribute entry = mlirArrayAttrGetElement(list, i);
    uint32_t live_count = 0, at = 0;
    const LunaReportSteps *live =
        get_steps(builder->arena, entry, "live", &live_count);
    int64_t id = get_int(entry, "id"), bytes = get_int(entry, "bytes");
    while (at < kept && ids[at] != id)
      at++;
    if (at == kept) {
      ids[kept++] = id;
      buffers[at] = (LunaReportBuffer){
          .name = get_string(builder->arena, entry, "name"),
          .kind = kind_of(get_string(builder->arena, entry, "kind")),
          .offset_bytes = get_int(entry, "offset"),
      };
    }
    if (bytes > buffers[at].size_bytes)
      buffers[at].size_bytes = bytes;
    join_live(builder->arena, &buffers[at], live, live_count);
  }
  builder->data.buffers = buffers;
  builder->data.buffer_count = kept;
}

//===- Paths --------------------------------------------------------------===//

static LunaReportPath *add_path(LunaReportBuilder *builder, const char *name) {
  LunaReportData *data = &builder->data;
  if (data->path_count == builder->path_capacity) {
    uint32_t capacity =
        builder->path_capacity > 0 ? 2 * builder->path_capacity : 16;
    builder->paths =
        luna_arena_grow(builder->arena, builder->paths, data->path_count,
                        capacity, sizeof(LunaReportPath));
    builder->path_capacity = capacity;
    data->paths = builder->paths;
  }
  LunaReportPath *path = &builder->paths[data->path_count++];
  *path = (LunaReportPath){
      .name = luna_arena_strndup(builder->arena, name, strlen(name))};
  return path;
}

// The path by name; a path of that name without steps where there is none.
static LunaReportPath *path_of(LunaReportBuilder *builder, const char *name) {
  for (uint32_t i = 0; i < builder->data.path_count; i++)
    if (strcmp(builder->paths[i].name, name) == 0)
      return &builder->paths[i];
  return add_path(builder, name);
}

static void fill_paths(LunaReportBuilder *builder, MlirAttribute plan) {
  uint32_t count = 0;
  MlirAttribute list = get_array(plan, "paths", &count);
  for (uint32_t i = 0; i < count; i++) {
    MlirAttribute entry = mlirArrayAttrGetElement(list, i);
    LunaReportPath *path =
        add_path(builder, get_string(builder->arena, entry, "path"));
    path->steps =
        get_steps(builder->arena, entry, "steps", &path->step_range_count);
  }
}

// The path that entry `i` of a luna.cost is about, or NULL.
static LunaReportPath *cost_path(LunaReportBuilder *builder, MlirAttribute cost,
                                 intptr_t i, MlirAttribute *entry) {
  *entry = mlirArrayAttrGetElement(cost, i);
  return mlirAttributeIsADictionary(*entry)
             ? path_of(builder, get_string(builder->arena, *entry, "path"))
             : NULL;
}

static intptr_t cost_count(MlirAttribute cost) {
  bool is_list = !mlirAttributeIsNull(cost) && mlirAttributeIsAArray(cost);
  return is_list ? mlirArrayAttrGetNumElements(cost) : 0;
}

static void fill_cost(LunaReportBuilder *builder, MlirAttribute cost) {
  for (intptr_t i = 0; i < cost_count(cost); i++) {
    MlirAttribute entry;
    LunaReportPath *path = cost_path(builder, cost, i, &entry);
    if (path)
      path->predicted = (LunaReportCycles){
          .total = get_cycles(entry, "cycles"),
          .compute = get_cycles(entry, "compute"),
          .host = get_cycles(entry, "host"),
          .stall = get_cycles(entry, "stall"),
          .dma = get_cycles(entry, "dma"),
          .bound = get_cycles(entry, "bound"),
      };
  }
}

void luna_report_add_synchronous(LunaReportBuilder *builder,
                                 MlirAttribute cost) {
  for (intptr_t i = 0; i < cost_count(cost); i++) {
    MlirAttribute entry;
    LunaReportPath *path = cost_path(builder, cost, i, &entry);
    if (path)
      path->predicted.synchronous = path->simulated.synchronous =
          get_cycles(entry, "cycles");
  }
}

bool luna_report_begin(LunaReportBuilder *builder, LunaArena *arena,
                       MlirAttribute plan, MlirAttribute cost,
                       LunaError *error) {
  *builder = (LunaReportBuilder){.arena = arena};
  if (mlirAttributeIsNull(plan) || !mlirAttributeIsADictionary(plan))
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "the function has no luna.plan to report");
  LunaReportData *data = &builder->data;
  data->machine = get_string(arena, plan, "machine");
  data->strategy = get_string(arena, plan, "strategy");
  data->merge = get_string(arena, plan, "merge");
  data->capacity_bytes = get_int(plan, "capacity_bytes");
  data->total = (LunaReportSize){get_int(plan, "total_bytes"),
                                 get_int(plan, "lower_bound_bytes")};
  data->tensor = (LunaReportSize){get_int(plan, "tensor_bytes"),
                                  get_int(plan, "tensor_lower_bound_bytes")};
  data->staging.bytes = get_int(plan, "staging_bytes");
  data->scratch.bytes = get_int(plan, "scratch_bytes");
  data->state_bytes = get_int(plan, "state_bytes");
  MlirAttribute optimal = get(plan, "optimal");
  data->is_optimal = !mlirAttributeIsNull(optimal) &&
                     mlirAttributeIsABool(optimal) &&
                     mlirBoolAttrGetValue(optimal);
  fill_rows(builder, plan);
  fill_steps(builder, plan);
  fill_buffers(builder, plan);
  fill_paths(builder, plan);
  fill_cost(builder, cost);
  return true;
}

//===- Runs ---------------------------------------------------------------===//

static const char *copy(LunaArena *arena, const char *text) {
  return text == NULL ? NULL : luna_arena_strndup(arena, text, strlen(text));
}

// The decisions of a run as plans name them: without trip counts; "straight"
// where none are left.
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
    strcpy(name, "straight");
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
