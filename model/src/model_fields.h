#ifndef LUNA_MODEL_FIELDS_H
#define LUNA_MODEL_FIELDS_H

// The records of a model and their fields, for printing and reading.

#include <stddef.h>

#include "luna/model.h"

typedef enum LunaModelFieldKind {
  LUNA_FIELD_WORD,   ///< an enum, by its words
  LUNA_FIELD_FLAG,   ///< a bool, by its name alone
  LUNA_FIELD_NUMBER, ///< uint32_t
  LUNA_FIELD_BYTES,  ///< int64_t
  LUNA_FIELD_ID,     ///< an index of a record, or LUNA_MODEL_NONE
  LUNA_FIELD_RANGE,  ///< two uint32_t: the first record, and how many
  LUNA_FIELD_TEXT,   ///< a string or NULL
} LunaModelFieldKind;

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

typedef struct LunaModelField {
  const char *name;
  LunaModelFieldKind kind;
  size_t offset;
  LunaModelRecordKind target; ///< of an index or a range
  bool is_needed;             ///< of an index
  const char *const *words;   ///< of an enum, up to NULL
} LunaModelField;

typedef struct LunaModelRecord {
  const char *name;
  size_t vector_offset, bytes;
  const LunaModelField *fields; ///< up to one without a name
} LunaModelRecord;

extern const LunaModelRecord luna_model_records[LUNA_RECORD_COUNT];

/// Any vector of a model.
typedef struct LunaModelVector {
  void *items;
  uint64_t count, capacity;
} LunaModelVector;

/// Reads and writes the vector of a kind of record.
LunaModelVector luna_model_vector(const LunaModel *model,
                                  LunaModelRecordKind kind);
void luna_model_set_vector(LunaModel *model, LunaModelRecordKind kind,
                           LunaModelVector vector);

/// Returns false, with a message about `*kind` and `*index`, if a model that
/// was read does not hold together. Derives what is not in the text. Scratch
/// comes from `arena`.
bool luna_model_check(LunaModel *model, LunaArena *arena,
                      LunaModelRecordKind *kind, uint64_t *index,
                      const char **message);

#endif // LUNA_MODEL_FIELDS_H
