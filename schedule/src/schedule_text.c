#include <string.h>

#include "luna/checked.h"
#include "luna/schedule.h"

static const char *const kinds[] = {
    [LUNA_DECIDE_ALLOCATE] = "allocate", [LUNA_DECIDE_COPY] = "copy",
    [LUNA_DECIDE_VIEW] = "view",         [LUNA_DECIDE_ERASE] = "erase",
    [LUNA_DECIDE_MOVE] = "move",         [LUNA_DECIDE_TENSOR] = "tensor",
    [LUNA_DECIDE_REPLACE] = "replace",   [LUNA_DECIDE_OPERAND] = "operand",
    [LUNA_DECIDE_RESULT] = "result",     [LUNA_DECIDE_CARRY] = "carry",
    [LUNA_DECIDE_PASS] = "pass",
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

typedef struct Field {
  const char *name;
  size_t offset;
} Field;

#define FIELD(name) {#name, offsetof(LunaDecision, name)}
static const Field fields[] = {FIELD(step),   FIELD(value), FIELD(by),
                               FIELD(before), FIELD(body),  FIELD(number),
                               FIELD(type)};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

static uint32_t *field_of(LunaDecision *decision, const Field *field) {
  return (uint32_t *)(void *)((char *)decision + field->offset);
}

void luna_schedule_print(const LunaSchedule *schedule, LunaText *text) {
  for (uint64_t i = 0; i < schedule->decisions.count; ++i) {
    LunaDecision decision = schedule->decisions.items[i];
    luna_text_printf(text, "%s", kinds[decision.kind]);
    for (int k = 0; k < FIELD_COUNT; ++k) {
      uint32_t number = *field_of(&decision, &fields[k]);
      if (number != LUNA_MODEL_NONE)
        luna_text_printf(text, " %s=%u", fields[k].name, number);
    }
    luna_text_append(text, "\n", 1);
  }
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

typedef struct Reader {
  const char *at, *end, *file_name;
  uint32_t line;
  LunaError *error;
} Reader;

static bool fail(const Reader *reader, const char *message) {
  return luna_error_set(reader->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "%s:%u: %s", reader->file_name, reader->line, message);
}

static bool take(Reader *reader, const char *word) {
  size_t length = strlen(word);
  bool is_there = (size_t)(reader->end - reader->at) >= length &&
                  memcmp(reader->at, word, length) == 0;
  reader->at += is_there ? length : 0;
  return is_there;
}

static bool read_number(Reader *reader, uint32_t *number) {
  const char *first = reader->at;
  uint64_t sum = 0;
  for (; reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9' &&
         sum < LUNA_MODEL_NONE;
       ++reader->at)
    sum = sum * 10 + (uint64_t)(*reader->at - '0');
  *number = (uint32_t)sum;
  return (reader->at > first && sum < LUNA_MODEL_NONE) ||
         fail(reader, "expected a number below 4294967295");
}

static bool read_field(Reader *reader, LunaDecision *decision) {
  for (int k = 0; k < FIELD_COUNT; ++k)
    if (take(reader, fields[k].name) && take(reader, "="))
      return read_number(reader, field_of(decision, &fields[k]));
  return fail(reader, "expected step, value, by, before, body, number or type");
}

static bool read_decision(Reader *reader, LunaDecision *decision) {
  int kind = 0;
  for (int k = 0; k < FIELD_COUNT; ++k)
    *field_of(decision, &fields[k]) = LUNA_MODEL_NONE;
  while (kind < KIND_COUNT && !take(reader, kinds[kind]))
    ++kind;
  if (kind == KIND_COUNT)
    return fail(reader, "expected a decision: allocate, copy, view, erase, "
                        "move, tensor, replace, operand, result, carry or "
                        "pass");
  decision->kind = (LunaDecisionKind)kind;
  while (take(reader, " "))
    if (!read_field(reader, decision))
      return false;
  return take(reader, "\n") || fail(reader, "expected the end of a line");
}

bool luna_schedule_parse(const char *bytes, size_t length,
                         const char *file_name, LunaArena *arena,
                         LunaSchedule *schedule, LunaError *error) {
  Reader reader = {.at = bytes,
                   .end = bytes + length,
                   .file_name = file_name,
                   .line = 1,
                   .error = error};
  *schedule = (LunaSchedule){0};
  for (; reader.at < reader.end; ++reader.line) {
    LunaDecision decision;
    if (!read_decision(&reader, &decision))
      return false;
    *LUNA_VECTOR_ADD(arena, &schedule->decisions) = decision;
  }
  return true;
}
