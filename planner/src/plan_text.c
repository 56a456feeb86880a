#include <string.h>

#include "plan_problem.h"

static size_t length_of(const char *text) {
  size_t length = 0;
  while (text[length] != '\0')
    ++length;
  return length;
}

void luna_plan_text_add(LunaArena *arena, const char **string,
                        const char *text) {
  size_t old = *string ? length_of(*string) : 0, added = length_of(text);
  char *joined = LUNA_ARENA_ARRAY(arena, char, old + added + 1);
  if (old > 0)
    memcpy(joined, *string, old);
  memcpy(joined + old, text, added);
  *string = joined;
}

void luna_plan_text_add_number(LunaArena *arena, const char **string,
                               uint64_t number) {
  char digits[21];
  size_t at = sizeof digits - 1;
  digits[at] = '\0';
  do {
    digits[--at] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  luna_plan_text_add(arena, string, digits + at);
}
