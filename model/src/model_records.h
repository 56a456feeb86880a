#ifndef LUNA_MODEL_RECORDS_H
#define LUNA_MODEL_RECORDS_H

// The records of a model, for printing and reading.

#include "luna/model.h"
#include "luna/text_record.h"

typedef enum LunaModelRecordKind {
  LUNA_RECORD_STEP,
  LUNA_RECORD_ACCESS,
  LUNA_RECORD_EDGE,
  LUNA_RECORD_NEED,
  LUNA_RECORD_VALUE,
  LUNA_RECORD_SOURCE,
  LUNA_RECORD_SLICE,
  LUNA_RECORD_DIM,
  LUNA_RECORD_COUNT,
} LunaModelRecordKind;

extern const LunaTextFormat luna_model_format;

/// The check of the format. Derives what is not in the text.
bool luna_model_check(void *whole, LunaArena *arena, uint32_t *kind,
                      uint64_t *index, const char **message);

#endif // LUNA_MODEL_RECORDS_H
