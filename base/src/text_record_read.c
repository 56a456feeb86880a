#include <string.h>

#include "luna/checked.h"
#include "luna/text_record.h"
#include "luna/vector.h"

// The line of each record.
typedef LUNA_VECTOR(uint32_t) Lines;

typedef struct Reader {
  const char *at, *end, *line_start, *file_name;
  uint32_t line;
  LunaArena *arena;
  const LunaTextFormat *format;
  void *whole;
  Lines *lines; // by kind
  LunaError *error;
} Reader;

static bool fail(const Reader *reader, const char *message) {
  return luna_error_set(reader->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "%s:%u:%u: %s", reader->file_name, reader->line,
                        (unsigned)(reader->at - reader->line_start) + 1,
                        message);
}

//===----------------------------------------------------------------------===//
// Values of fields
//===----------------------------------------------------------------------===//

static bool is_at(const Reader *reader, char c) {
  return reader->at < reader->end && *reader->at == c;
}

static bool take(Reader *reader, char c) {
  bool is_there = is_at(reader, c);
  reader->at += is_there;
  return is_there;
}

// Takes letters and underscores.
static size_t take_word(Reader *reader, const char **word) {
  *word = reader->at;
  while (reader->at < reader->end &&
         ((*reader->at >= 'a' && *reader->at <= 'z') || *reader->at == '_'))
    ++reader->at;
  return (size_t)(reader->at - *word);
}

static bool is_word(const char *word, size_t length, const char *name) {
  return strlen(name) == length && memcmp(word, name, length) == 0;
}

static bool read_bytes(Reader *reader, int64_t *bytes) {
  bool is_negative = take(reader, '-');
  const char *first = reader->at;
  for (*bytes = 0;
       reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9';
       ++reader->at)
    if (!luna_checked_mul(*bytes, 10, bytes) ||
        !luna_checked_add(*bytes, *reader->at - '0', bytes))
      return fail(reader, "found a number of 2^63 or more");
  *bytes = is_negative ? -*bytes : *bytes;
  return reader->at > first || fail(reader, "expected a number");
}

static bool read_number(Reader *reader, uint32_t *number) {
  int64_t bytes = 0;
  if (!read_bytes(reader, &bytes))
    return false;
  *number = (uint32_t)bytes;
  return (bytes >= 0 && bytes < UINT32_MAX) ||
         fail(reader, "found a number that is not an index");
}

static bool read_choice(Reader *reader, const LunaTextField *field,
                        uint32_t *number) {
  const char *word = NULL;
  size_t length = take_word(reader, &word);
  for (*number = 0; field->words[*number]; ++*number)
    if (is_word(word, length, field->words[*number]))
      return true;
  reader->at = word;
  return fail(reader, "found a word that this field does not have");
}

static int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                : -1;
}

// Takes a byte of a string, of which a backslash and two digits are one.
static bool read_character(Reader *reader, char *byte) {
  *byte = *reader->at;
  if (!take(reader, '\\')) {
    ++reader->at;
    return true;
  }
  int high = reader->end - reader->at < 2 ? -1 : hex_digit(reader->at[0]);
  int low = high < 0 ? -1 : hex_digit(reader->at[1]);
  if (low < 0 || high + low == 0)
    return fail(reader, "expected two digits of a byte that is not zero");
  *byte = (char)(high * 16 + low);
  reader->at += 2;
  return true;
}

static bool read_text(Reader *reader, const char **string) {
  if (!take(reader, '"'))
    return fail(reader, "expected a string");
  const char *last =
      memchr(reader->at, '"', (size_t)(reader->end - reader->at));
  if (!last)
    return fail(reader, "found a string without an end");
  char *room =
      luna_arena_alloc(reader->arena, (uint64_t)(last - reader->at) + 1, 1);
  *string = room;
  while (reader->at < last)
    if (is_at(reader, '\n') || !read_character(reader, room++))
      return is_at(reader, '\n') ? fail(reader, "found a string without an end")
                                 : false;
  return take(reader, '"');
}

static bool read_value(Reader *reader, const LunaTextField *field,
                       char *record) {
  uint32_t number[2] = {0};
  int64_t bytes = 0;
  const char *string = NULL;
  bool is_range = field->kind == LUNA_FIELD_RANGE;
  switch (field->kind) {
  case LUNA_FIELD_FLAG:
    *(bool *)(record + field->offset) = true;
    return true;
  case LUNA_FIELD_BYTES:
    if (!read_bytes(reader, &bytes))
      return false;
    memcpy(record + field->offset, &bytes, sizeof bytes);
    return true;
  case LUNA_FIELD_TEXT:
    if (!read_text(reader, &string))
      return false;
    memcpy(record + field->offset, &string, sizeof string);
    return true;
  case LUNA_FIELD_WORD:
    if (!read_choice(reader, field, number))
      return false;
    break;
  case LUNA_FIELD_NUMBER:
  case LUNA_FIELD_ID:
  case LUNA_FIELD_RANGE:
    if (!read_number(reader, &number[0]))
      return false;
    if (is_range && !take(reader, '+'))
      return fail(reader, "expected '+'");
    if (is_range && !read_number(reader, &number[1]))
      return false;
    break;
  }
  memcpy(record + field->offset, number,
         is_range ? sizeof number : sizeof *number);
  return true;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

static void *add_record(Reader *reader, uint32_t kind) {
  const LunaTextRecord *record = &reader->format->records[kind];
  LunaAnyVector vector = luna_record_vector(record, reader->whole);
  vector.items = luna_vector_room(reader->arena, vector.items, vector.count,
                                  &vector.capacity, record->bytes);
  char *item = (char *)vector.items + vector.count++ * record->bytes;
  const uint32_t none = UINT32_MAX;
  memset(item, 0, record->bytes);
  for (const LunaTextField *field = record->fields; field->name; ++field)
    if (field->kind == LUNA_FIELD_ID)
      memcpy(item + field->offset, &none, sizeof none);
  memcpy((char *)reader->whole + record->vector_offset, &vector, sizeof vector);
  *LUNA_VECTOR_ADD(reader->arena, &reader->lines[kind]) = reader->line;
  return item;
}

static bool read_field(Reader *reader, const LunaTextField *fields,
                       char *record) {
  const char *word = NULL;
  size_t length = take_word(reader, &word);
  while (fields->name && !is_word(word, length, fields->name))
    ++fields;
  if (!fields->name) {
    reader->at = word;
    return fail(reader, "found a field that this record does not have");
  }
  if (fields->kind != LUNA_FIELD_FLAG && !take(reader, '='))
    return fail(reader, "expected '='");
  return read_value(reader, fields, record);
}

static bool read_record(Reader *reader) {
  const LunaTextFormat *format = reader->format;
  const char *word = NULL;
  size_t length = take_word(reader, &word);
  uint32_t kind = 0;
  while (kind < format->record_count &&
         !is_word(word, length, format->records[kind].name))
    ++kind;
  if (kind == format->record_count) {
    reader->at = word;
    return fail(reader, format->expected);
  }
  char *record = add_record(reader, kind);
  while (take(reader, ' '))
    if (!read_field(reader, format->records[kind].fields, record))
      return false;
  return take(reader, '\n') || fail(reader, "expected a space or a new line");
}

static bool check(Reader *reader) {
  uint32_t kind = 0;
  uint64_t index = 0;
  const char *message = NULL;
  if (!reader->format->check ||
      reader->format->check(reader->whole, reader->arena, &kind, &index,
                            &message))
    return true;
  if (index < reader->lines[kind].count)
    reader->line = reader->lines[kind].items[index];
  reader->at = reader->line_start;
  return fail(reader, message);
}

static bool call(void *context, LunaError *error) {
  Reader *reader = context;
  reader->error = error;
  reader->lines =
      LUNA_ARENA_ARRAY(reader->arena, Lines, reader->format->record_count);
  for (; reader->at < reader->end; ++reader->line) {
    reader->line_start = reader->at;
    if (!read_record(reader))
      return false;
  }
  return check(reader);
}

bool luna_records_parse(const LunaTextFormat *format, const char *bytes,
                        size_t length, const char *file_name, LunaArena *arena,
                        void *whole, LunaError *error) {
  Reader self = {.at = bytes,
                 .end = bytes + length,
                 .line_start = bytes,
                 .file_name = file_name,
                 .line = 1,
                 .arena = arena,
                 .format = format,
                 .whole = whole};
  return luna_arena_guard(arena, NULL, format->activity, call, &self, error);
}
