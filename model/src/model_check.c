#include <string.h>

#include "luna/checked.h"
#include "model_records.h"

// Deeper programs are not read.
enum { DEPTH_MAX = 256 };

// Where a fault is.
typedef struct Place {
  uint32_t kind;
  uint64_t index;
  const char *message;
} Place;

static bool fault(Place *place, uint32_t kind, uint64_t index,
                  const char *message) {
  *place = (Place){kind, index, message};
  return false;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

// Returns true if an index or a range names records that there are.
static bool is_there(const LunaModel *model, const LunaTextField *field,
                     const char *record) {
  uint32_t number[2] = {0, 0};
  if (field->kind != LUNA_FIELD_ID && field->kind != LUNA_FIELD_RANGE)
    return true;
  uint64_t count =
      luna_record_vector(&luna_model_format.records[field->target], model)
          .count;
  memcpy(number, record + field->offset,
         field->kind == LUNA_FIELD_RANGE ? sizeof number : sizeof *number);
  if (field->kind == LUNA_FIELD_RANGE)
    return (uint64_t)number[0] + number[1] <= count;
  return number[0] < count ||
         (number[0] == LUNA_MODEL_NONE && !field->is_needed);
}

static bool check_indices(const LunaModel *model, Place *place) {
  for (uint32_t kind = 0; kind < LUNA_RECORD_COUNT; ++kind) {
    const LunaTextRecord *record = &luna_model_format.records[kind];
    LunaAnyVector vector = luna_record_vector(record, model);
    for (uint64_t i = 0; i < vector.count; ++i)
      for (const LunaTextField *field = record->fields; field->name; ++field)
        if (!is_there(model, field,
                      (const char *)vector.items + i * record->bytes))
          return fault(place, kind, i, "names a record that is not there");
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

// How many bodies a kind of step may have, none: it is a leaf.
static const uint32_t bodies_max[] = {
    [LUNA_MODEL_REGION] = 1,
    [LUNA_MODEL_BRANCHES] = UINT32_MAX,
    [LUNA_MODEL_SELECT] = UINT32_MAX,
    [LUNA_MODEL_LOOP] = 2,
    [LUNA_MODEL_BODY] = 0,
};

// Returns what is wrong with a step that stands at `depth`, or NULL.
static const char *fault_of_place(const LunaModel *model, LunaModelId id,
                                  uint32_t depth) {
  const LunaModelStep *steps = model->steps.items, *step = &steps[id];
  bool is_body = step->kind == LUNA_MODEL_BODY;
  LunaModelId limit = step->parent == LUNA_MODEL_NONE
                          ? (LunaModelId)model->steps.count
                          : steps[step->parent].end;
  if (depth > DEPTH_MAX)
    return "stands too deep";
  if (step->end <= id || step->end > limit ||
      (id == 0 && step->end != model->steps.count))
    return "does not end within the step around it";
  if (is_body != (id == 0 || steps[step->parent].kind != LUNA_MODEL_BODY))
    return "stands where this kind of step may not";
  return step->end > id + 1 || is_body || bodies_max[step->kind] == 0
             ? NULL
             : "has no body";
}

// Returns what is wrong with what a step says of itself, or NULL.
static const char *fault_of_step(const LunaModel *model, LunaModelId id) {
  const LunaModelStep *step = &model->steps.items[id];
  const LunaModelAccess *accesses = luna_model_accesses(model, step);
  bool is_copy =
      step->kind == LUNA_MODEL_COPY || step->kind == LUNA_MODEL_TRANSFER;
  if (step->end > id + 1 && step->kind < LUNA_MODEL_REGION)
    return "holds steps, and is no control flow";
  if (is_copy && (step->access_count < 2 ||
                  model->slices.items[accesses[0].slice].bytes !=
                      model->slices.items[accesses[1].slice].bytes))
    return "copies between slices that differ in size";
  if (step->kind == LUNA_MODEL_BODY &&
      step->access_count + (uint64_t)step->edge_count > 0)
    return "accesses something, and is a body";
  if (step->kind == LUNA_MODEL_ALLOCATE && step->access_count != 1)
    return "accesses more or less than what it allocates";
  for (uint32_t i = 0; i < step->need_count; ++i)
    if (model->needs.items[step->first_need + i] >= id)
      return "needs a later step";
  if (!step->op && step->kind != LUNA_MODEL_BODY)
    return "has no op";
  if (step->condition >= model->steps.count)
    return "has a condition with too large a number";
  if (step->scratch_bytes < 0)
    return "needs less than no memory";
  if (step->core_cycles < 0 || step->unit_cycles < 0 || step->dma_cycles < 0 ||
      step->trips < LUNA_MODEL_TRIPS_UNKNOWN)
    return "takes less than no time";
  return NULL;
}

static uint32_t count_bodies(const LunaModelStep *steps, LunaModelId id) {
  uint32_t count = 0;
  for (LunaModelId body = id + 1; body < steps[id].end; body = steps[body].end)
    ++count;
  return count;
}

// Returns what is wrong with the bodies of a step, or NULL. Branches of one
// condition have as many, noted in `ways`.
static const char *fault_of_bodies(const LunaModelStep *steps, LunaModelId id,
                                   uint32_t *ways) {
  const LunaModelStep *step = &steps[id];
  if (step->kind == LUNA_MODEL_BODY || bodies_max[step->kind] == 0)
    return NULL;
  uint32_t count = count_bodies(steps, id);
  if (count > bodies_max[step->kind])
    return "has too many bodies";
  if (step->kind != LUNA_MODEL_BRANCHES && step->kind != LUNA_MODEL_SELECT)
    return NULL;
  if ((step->is_negated && count != 2) ||
      (ways[step->condition] > 0 && ways[step->condition] != count))
    return "has other bodies than its condition has ways";
  ways[step->condition] = count;
  return NULL;
}

static bool check_bodies(const LunaModel *model, LunaArena *arena,
                         Place *place) {
  uint32_t *ways = LUNA_ARENA_ARRAY(arena, uint32_t, model->steps.count);
  for (LunaModelId id = 0; id < model->steps.count; ++id) {
    const char *message = fault_of_bodies(model->steps.items, id, ways);
    if (message)
      return fault(place, LUNA_RECORD_STEP, id, message);
  }
  return true;
}

// Finds the parents, too.
static bool check_steps(LunaModel *model, LunaArena *arena, Place *place) {
  LunaModelStep *steps = model->steps.items;
  LunaModelId open = LUNA_MODEL_NONE;
  uint32_t depth = 0;
  if (model->steps.count == 0)
    return fault(place, LUNA_RECORD_STEP, 0, "expected a step");
  for (LunaModelId id = 0; id < model->steps.count; ++id) {
    for (; id > 0 && steps[open].end == id; --depth)
      open = steps[open].parent;
    steps[id].parent = open;
    const char *message = fault_of_place(model, id, depth);
    message = message ? message : fault_of_step(model, id);
    if (message)
      return fault(place, LUNA_RECORD_STEP, id, message);
    if (id > 0 && steps[id].end == id + 1)
      continue;
    open = id;
    ++depth;
  }
  return check_bodies(model, arena, place);
}

//===----------------------------------------------------------------------===//
// Values and slices
//===----------------------------------------------------------------------===//

static bool check_values(LunaModel *model, Place *place) {
  const LunaModelValue *values = model->values.items;
  while (model->buffer_count < model->values.count &&
         values[model->buffer_count].kind == LUNA_MODEL_BUFFER)
    ++model->buffer_count;
  for (uint64_t i = 0; i < model->values.count; ++i) {
    if (values[i].kind == LUNA_MODEL_BUFFER && i >= model->buffer_count)
      return fault(place, LUNA_RECORD_VALUE, i,
                   "is a buffer behind other values");
    if (values[i].bytes < -1)
      return fault(place, LUNA_RECORD_VALUE, i, "has less than no bytes");
    if (i < model->buffer_count && values[i].step > 0 &&
        model->steps.items[values[i].step].kind != LUNA_MODEL_ALLOCATE)
      return fault(place, LUNA_RECORD_VALUE, i, "is not made by an allocation");
  }
  for (uint64_t i = 0; i < model->sources.count; ++i)
    if (model->sources.items[i] >= model->buffer_count)
      return fault(place, LUNA_RECORD_SOURCE, i, "is no buffer");
  return true;
}

// Returns true if the layout of a slice lies within its value.
static bool lies_within(const LunaModel *model, const LunaModelSlice *slice) {
  int64_t end = 0, last = 0, bytes = slice->element_bytes;
  bool is_ok =
      slice->dim_count <= LUNA_MODEL_RANK_MAX && slice->offset_bytes >= 0 &&
      slice->element_bytes > 0 &&
      luna_checked_add(slice->offset_bytes, slice->element_bytes, &end);
  for (uint32_t i = 0; is_ok && i < slice->dim_count; ++i) {
    const LunaModelDim *dim = &model->dims.items[slice->first_dim + i];
    is_ok = dim->extent > 0 && dim->stride_bytes >= 0 &&
            luna_checked_mul(dim->extent - 1, dim->stride_bytes, &last) &&
            luna_checked_add(end, last, &end) &&
            luna_checked_mul(bytes, dim->extent, &bytes);
  }
  return is_ok && bytes == slice->bytes &&
         end <= model->values.items[slice->value].bytes;
}

static bool check_slices(const LunaModel *model, Place *place) {
  for (uint64_t i = 0; i < model->slices.count; ++i)
    if (model->slices.items[i].is_exact &&
        !lies_within(model, &model->slices.items[i]))
      return fault(place, LUNA_RECORD_SLICE, i, "does not lie in its value");
  return true;
}

bool luna_model_check(void *whole, LunaArena *arena, uint32_t *kind,
                      uint64_t *index, const char **message) {
  LunaModel *model = whole;
  Place place = {0};
  bool is_ok = check_indices(model, &place) &&
               check_steps(model, arena, &place) &&
               check_values(model, &place) && check_slices(model, &place);
  *kind = place.kind;
  *index = place.index;
  *message = place.message;
  return is_ok;
}
