#include <ctype.h>
#include <string.h>

#include "luna/text_record.h"

static void print_text(const char *string, LunaText *text) {
  luna_text_append(text, "\"", 1);
  for (; *string; ++string) {
    if (isprint((unsigned char)*string) && *string != '"' && *string != '\\')
      luna_text_append(text, string, 1);
    else
      luna_text_printf(text, "\\%02x", (unsigned)(unsigned char)*string);
  }
  luna_text_append(text, "\"", 1);
}

static void print_number(const LunaTextField *field, const uint32_t *number,
                         LunaText *text) {
  bool is_id = field->kind == LUNA_FIELD_ID;
  if (field->kind == LUNA_FIELD_WORD)
    luna_text_printf(text, " %s=%s", field->name, field->words[*number]);
  else if (field->kind == LUNA_FIELD_RANGE && number[1] > 0)
    luna_text_printf(text, " %s=%u+%u", field->name, number[0], number[1]);
  else if (field->kind != LUNA_FIELD_RANGE &&
           *number != (is_id ? UINT32_MAX : 0))
    luna_text_printf(text, " %s=%u", field->name, *number);
}

static void print_field(const LunaTextField *field, const char *record,
                        LunaText *text) {
  const char *string = NULL;
  uint32_t number[2] = {0};
  int64_t bytes = 0;
  switch (field->kind) {
  case LUNA_FIELD_FLAG:
    if (*(const bool *)(record + field->offset))
      luna_text_printf(text, " %s", field->name);
    return;
  case LUNA_FIELD_BYTES:
    memcpy(&bytes, record + field->offset, sizeof bytes);
    if (bytes != 0)
      luna_text_printf(text, " %s=%lld", field->name, (long long)bytes);
    return;
  case LUNA_FIELD_TEXT:
    memcpy(&string, record + field->offset, sizeof string);
    if (string)
      luna_text_printf(text, " %s=", field->name);
    if (string)
      print_text(string, text);
    return;
  case LUNA_FIELD_WORD:
  case LUNA_FIELD_NUMBER:
  case LUNA_FIELD_ID:
  case LUNA_FIELD_RANGE:
    memcpy(number, record + field->offset,
           field->kind == LUNA_FIELD_RANGE ? sizeof number : sizeof *number);
    print_number(field, number, text);
    return;
  }
}

LunaAnyVector luna_record_vector(const LunaTextRecord *record,
                                 const void *whole) {
  LunaAnyVector vector;
  memcpy(&vector, (const char *)whole + record->vector_offset, sizeof vector);
  return vector;
}

void luna_records_print(const LunaTextFormat *format, const void *whole,
                        LunaText *text) {
  for (uint32_t kind = 0; kind < format->record_count; ++kind) {
    const LunaTextRecord *record = &format->records[kind];
    LunaAnyVector vector = luna_record_vector(record, whole);
    for (uint64_t i = 0; i < vector.count; ++i) {
      luna_text_printf(text, "%s", record->name);
      for (const LunaTextField *field = record->fields; field->name; ++field)
        print_field(field, (const char *)vector.items + i * record->bytes,
                    text);
      luna_text_append(text, "\n", 1);
    }
  }
}
