#include "luna/model.h"

LunaModelId luna_model_only_source(const LunaModel *model, LunaModelId slice) {
  const LunaModelValue *value =
      &model->values.items[model->slices.items[slice].value];
  return value->source_count == 1 && !value->has_other
             ? model->sources.items[value->first_source]
             : LUNA_MODEL_NONE;
}

int64_t luna_model_transfer_bytes(const LunaModel *model,
                                  const LunaModelStep *step) {
  int64_t bytes =
      model->slices.items[luna_model_accesses(model, step)->slice].bytes;
  return bytes > 0 ? bytes : 0;
}

bool luna_model_awaits(const LunaModel *model, const LunaModelStep *step) {
  const LunaModelAccess *accesses = luna_model_accesses(model, step);
  return step->kind == LUNA_MODEL_AWAIT &&
         (!accesses ||
          model->values.items[model->slices.items[accesses->slice].value]
                  .kind != LUNA_MODEL_NO_TOKEN);
}
