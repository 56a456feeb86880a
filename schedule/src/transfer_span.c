#include "luna/transfer_schedule.h"

static const LunaModelValue *value_of(const LunaModel *model,
                                      LunaModelId slice) {
  return &model->values.items[model->slices.items[slice].value];
}

static bool shares_source(const LunaModel *model, const LunaModelValue *a,
                          const LunaModelValue *b) {
  for (uint32_t i = 0; i < a->source_count; ++i)
    for (uint32_t k = 0; k < b->source_count; ++k)
      if (model->sources.items[a->first_source + i] ==
          model->sources.items[b->first_source + k])
        return true;
  return false;
}

// Returns true if a value may be a part of memory that is no allocation and
// that is not known.
static bool is_unknown(const LunaModelValue *value) {
  return value->has_other && value->kind != LUNA_MODEL_ARGUMENT &&
         value->kind != LUNA_MODEL_CONSTANT;
}

static bool may_meet(const LunaModel *model, LunaModelId a, LunaModelId b) {
  const LunaModelValue *one = value_of(model, a), *other = value_of(model, b);
  return one == other || shares_source(model, one, other) ||
         (is_unknown(one) && other->has_other) ||
         (is_unknown(other) && one->has_other);
}

// Returns true if two steps may not change places.
static bool conflicts(const LunaModel *model, LunaModelId a, LunaModelId b) {
  const LunaModelStep *one = &model->steps.items[a];
  const LunaModelStep *other = &model->steps.items[b];
  if (one->is_opaque || other->is_opaque)
    return true;
  for (uint32_t i = 0; i < one->access_count; ++i)
    for (uint32_t k = 0; k < other->access_count; ++k) {
      const LunaModelAccess *x = &luna_model_accesses(model, one)[i];
      const LunaModelAccess *y = &luna_model_accesses(model, other)[k];
      if ((x->kind != LUNA_MODEL_READ || y->kind != LUNA_MODEL_READ) &&
          may_meet(model, x->slice, y->slice))
        return true;
    }
  return false;
}

void luna_transfer_span(const LunaModel *model, const LunaModelId *steps,
                        uint32_t count, uint32_t index, const bool *is_transfer,
                        uint32_t *earliest, uint32_t *latest) {
  uint32_t first = index, last = index + 1;
  while (first > 0 && !conflicts(model, steps[first - 1], steps[index]))
    --first;
  while (last < count && !conflicts(model, steps[last], steps[index]))
    ++last;
  *earliest = first > 0 && is_transfer[first - 1] ? index : first;
  *latest = last;
}
