#ifndef ATTR_RECORD_H
#define ATTR_RECORD_H

// C structs as attributes: a table describes each record, a dictionary; a list
// of records is an array.

#include <stddef.h>

#include "luna-c/ir.h"
#include "luna/arena.h"
#include "luna/error.h"

typedef enum LunaFieldKind {
  LUNA_FIELD_STRING,
  LUNA_FIELD_INTEGER, // of 4 or 8 bytes, not negative
  LUNA_FIELD_FLAG,
  LUNA_FIELD_NAME,    // an enumerator, as its name
  LUNA_FIELD_STRINGS, // an array, and its count elsewhere
  LUNA_FIELD_STEPS, // LunaSteps, as first, end, first, end, …, and their count
  LUNA_FIELD_RECORD,
  LUNA_FIELD_RECORDS, // an array, and its count elsewhere
} LunaFieldKind;

typedef struct LunaAttrLayout LunaAttrLayout;

typedef struct LunaAttrField {
  LunaFieldKind kind;
  const char *key;
  size_t at, size; // of the value, or of the pointer to an array
  size_t count_at;
  const LunaAttrLayout *layout;            // of a record
  const char *(*name_of)(uint32_t number); // NULL behind the last enumerator
  bool is_optional;                        // left out where there are none
} LunaAttrField;

// A record of `size` bytes.
struct LunaAttrLayout {
  const LunaAttrField *fields;
  size_t field_count, size;
};

#define LUNA_FIELD(kind_, key_, type, member)                                  \
  {                                                                            \
      .kind = LUNA_FIELD_##kind_,                                              \
      .key = key_,                                                             \
      .at = offsetof(type, member),                                            \
      .size = sizeof(((type *)NULL)->member),                                  \
  }
#define LUNA_FIELD_NAMED(key_, type, member, function)                         \
  {                                                                            \
      .kind = LUNA_FIELD_NAME,                                                 \
      .key = key_,                                                             \
      .at = offsetof(type, member),                                            \
      .name_of = function,                                                     \
  }
#define LUNA_FIELD_ARRAY(kind_, key_, type, member, count, layout_)            \
  {                                                                            \
      .kind = LUNA_FIELD_##kind_,                                              \
      .key = key_,                                                             \
      .at = offsetof(type, member),                                            \
      .count_at = offsetof(type, count),                                       \
      .layout = layout_,                                                       \
  }
#define LUNA_ATTR_LAYOUT(type, table)                                          \
  {table, sizeof(table) / sizeof(table)[0], sizeof(type)}

/// Returns the attribute of a record; `arena` holds what is needed on the way.
MlirAttribute luna_attr_of_record(MlirContext context,
                                  const LunaAttrLayout *layout,
                                  const void *record, LunaArena *arena);

/// Reads a record, whose strings and arrays are in `arena`. Fails with
/// LUNA_ERROR_INPUT; the error names the innermost key at fault, `key` if it is
/// the attribute itself.
bool luna_attr_to_record(MlirAttribute attribute, const char *key,
                         const LunaAttrLayout *layout, LunaArena *arena,
                         void *record, LunaError *error);

/// Fails for a key, unless the error was set before.
bool luna_attr_record_fail(LunaError *error, const char *key);

#endif // ATTR_RECORD_H
