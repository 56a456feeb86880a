#include "luna/model.h"

LunaModelId luna_model_only_source(const LunaModel *model, LunaModelId slice) {
  const LunaModelValue *value =
      &model->values.items[model->slices.items[slice].value];
  return value->source_count == 1 && !value->has_other
             ? model->sources.items[value->first_source]
             : LUNA_MODEL_NONE;
}
