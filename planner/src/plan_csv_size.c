#include "plan_csv_size.h"

#include <string.h>

#include "luna/checked.h"

typedef struct Text {
  const char *at, *end;
} Text;

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void skip_blanks(Text *text) {
  while (text->at < text->end && *text->at == ' ')
    ++text->at;
}

// Consumes `c`, with the blanks around it.
static bool take(Text *text, char c) {
  skip_blanks(text);
  if (text->at == text->end || *text->at != c)
    return false;
  ++text->at;
  skip_blanks(text);
  return true;
}

static uint32_t find_symbol(LunaPlanCsvSizes *sizes, const char *name,
                            size_t length, LunaArena *arena) {
  for (uint32_t i = 0; i < sizes->symbols.count; ++i) {
    const char *known = sizes->symbols.items[i].name;
    if (strlen(known) == length && memcmp(known, name, length) == 0)
      return i;
  }
  LunaPlanSymbol *symbol = LUNA_VECTOR_ADD(arena, &sizes->symbols);
  *symbol = (LunaPlanSymbol){.name = luna_arena_strndup(arena, name, length)};
  return (uint32_t)sizes->symbols.count - 1;
}

static bool read_name(Text *text, LunaSizeTerm *term, LunaPlanCsvSizes *sizes,
                      LunaArena *arena) {
  const char *name = text->at;
  if (term->degree == LUNA_SIZE_DEGREE)
    return false;
  while (text->at < text->end &&
         (is_letter(*text->at) || is_digit(*text->at) || *text->at == '.'))
    ++text->at;
  term->symbols[term->degree++] =
      find_symbol(sizes, name, (size_t)(text->at - name), arena);
  return true;
}

static bool read_number(Text *text, LunaSizeTerm *term) {
  int64_t value = 0;
  for (; text->at < text->end && is_digit(*text->at); ++text->at)
    if (!luna_checked_mul(value, 10, &value) ||
        !luna_checked_add(value, *text->at - '0', &value))
      return false;
  return luna_checked_mul(term->coefficient, value, &term->coefficient);
}

static bool read_term(Text *text, LunaSizeTerm *term, LunaPlanCsvSizes *sizes,
                      LunaArena *arena) {
  *term = (LunaSizeTerm){.coefficient = 1};
  do {
    bool ok = text->at < text->end &&
              (is_digit(*text->at)    ? read_number(text, term)
               : is_letter(*text->at) ? read_name(text, term, sizes, arena)
                                      : false);
    if (!ok)
      return false;
  } while (take(text, '*'));
  return true;
}

bool luna_plan_csv_read_size(const char *text, uint32_t length,
                             LunaPlanCsvSizes *sizes, LunaArena *arena) {
  Text rest = {text, text + length};
  LUNA_VECTOR(LunaSizeTerm) terms = {0};
  for (bool is_negative = false, is_more = true; is_more;) {
    LunaSizeTerm *term = LUNA_VECTOR_ADD(arena, &terms);
    if (!read_term(&rest, term, sizes, arena))
      return false;
    if (is_negative)
      term->coefficient = -term->coefficient;
    is_negative = take(&rest, '-');
    is_more = is_negative || take(&rest, '+');
  }
  if (rest.at < rest.end)
    return false;
  *LUNA_VECTOR_ADD(arena, &sizes->sizes) =
      (LunaSize){terms.items, (uint32_t)terms.count};
  return true;
}
