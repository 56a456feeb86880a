#ifndef LUNA_TEXT_RECORD_H
#define LUNA_TEXT_RECORD_H

// Structs in vectors, printed and read as text by tables: a line for each
// record, its name and then its fields, but for those that are zero, false or
// none.

#include <stddef.h>

#include "luna/arena.h"
#include "luna/error.h"
#include "luna/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum LunaFieldKind {
  LUNA_FIELD_WORD,   ///< an enum, by its words
  LUNA_FIELD_FLAG,   ///< a bool, by its name alone
  LUNA_FIELD_NUMBER, ///< uint32_t
  LUNA_FIELD_BYTES,  ///< int64_t
  LUNA_FIELD_ID,     ///< an index of a record, or UINT32_MAX for none
  LUNA_FIELD_RANGE,  ///< two uint32_t: the first record, and how many
  LUNA_FIELD_TEXT,   ///< a string or NULL
} LunaFieldKind;

typedef struct LunaTextField {
  const char *name;
  LunaFieldKind kind;
  size_t offset;
  uint32_t target;          ///< of an index or a range: the kind of record
  bool is_needed;           ///< of an index
  const char *const *words; ///< of an enum, up to NULL
} LunaTextField;

typedef struct LunaTextRecord {
  const char *name;
  size_t vector_offset, bytes;
  const LunaTextField *fields; ///< up to one without a name
} LunaTextRecord;

/// The kinds of records of a struct that has a vector of each.
typedef struct LunaTextFormat {
  const LunaTextRecord *records;
  uint32_t record_count;
  const char *activity; ///< as of luna_arena_guard: "a model was read"
  const char *expected; ///< the message where a line begins with none of them
  /// Returns false, with a message about record `*index` of a kind, if what was
  /// read does not hold together. May be NULL. Scratch comes from `arena`.
  bool (*check)(void *whole, LunaArena *arena, uint32_t *kind, uint64_t *index,
                const char **message);
} LunaTextFormat;

/// Fields of a struct: an enum by its words, one of another kind, an index, a
/// range whose second number follows `member`; an index that is the whole
/// record.
#define LUNA_TEXT_WORD(type, member, list)                                     \
  {.name = #member,                                                            \
   .kind = LUNA_FIELD_WORD,                                                    \
   .offset = offsetof(type, member),                                           \
   .words = list}
#define LUNA_TEXT_FIELD(type, member, of)                                      \
  {.name = #member, .kind = LUNA_FIELD_##of, .offset = offsetof(type, member)}
#define LUNA_TEXT_ID(type, member, record, needed)                             \
  {.name = #member,                                                            \
   .kind = LUNA_FIELD_ID,                                                      \
   .offset = offsetof(type, member),                                           \
   .target = record,                                                           \
   .is_needed = needed}
#define LUNA_TEXT_INDEX(label, record)                                         \
  {.name = label, .kind = LUNA_FIELD_ID, .target = record, .is_needed = true}
#define LUNA_TEXT_RANGE(type, label, member, record)                           \
  {.name = label,                                                              \
   .kind = LUNA_FIELD_RANGE,                                                   \
   .offset = offsetof(type, member),                                           \
   .target = record}

/// Any vector.
typedef struct LunaAnyVector {
  void *items;
  uint64_t count, capacity;
} LunaAnyVector;

/// Returns the vector of a kind of record in the struct `whole`.
LunaAnyVector luna_record_vector(const LunaTextRecord *record,
                                 const void *whole);

/// Appends all records of `whole` as text.
void luna_records_print(const LunaTextFormat *format, const void *whole,
                        LunaText *text);

/// Reads records into `whole`, which is zero, in `arena`. What was printed
/// gives equal ones. Fails with LUNA_ERROR_INPUT and `file:line:column:
/// message`.
bool luna_records_parse(const LunaTextFormat *format, const char *bytes,
                        size_t length, const char *file_name, LunaArena *arena,
                        void *whole, LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_TEXT_RECORD_H
