#include "luna/size_sets.h"

#include <stdlib.h>
#include <string.h>

const char *luna_split_setting(const char *text, LunaArena *arena,
                               const char **name) {
  const char *equals = strrchr(text, '=');
  if (!equals || equals == text || !equals[1])
    return NULL;
  *name = luna_arena_strndup(arena, text, (size_t)(equals - text));
  return equals + 1;
}

static bool read_size(const char **text, int64_t *size) {
  char *end = NULL;
  *size = strtoll(*text, &end, 10);
  bool is_read = end > *text && **text >= '0' && **text <= '9' && *size > 0;
  *text = end;
  return is_read;
}

static void add_size(LunaSizeSet *set, int64_t size, LunaArena *arena) {
  for (uint64_t i = 0; i < set->count; ++i)
    if (set->items[i] == size)
      return;
  *LUNA_VECTOR_ADD(arena, set) = size;
}

// Reads SIZE, or FIRST:LAST:STEP, both ends included.
static bool read_sizes(const char **text, LunaSizeSet *set, LunaArena *arena) {
  int64_t first = 0, last = 0, step = 1;
  if (!read_size(text, &first))
    return false;
  last = first;
  if (**text == ':') {
    ++*text;
    if (!read_size(text, &last) || *(*text)++ != ':' || !read_size(text, &step))
      return false;
  }
  if (last < first || (last - first) / step >= LUNA_SIZES_MAX)
    return false;
  for (int64_t i = 0; i <= (last - first) / step; ++i)
    add_size(set, first + i * step, arena);
  return true;
}

static bool read_set(const char *given, LunaSizeSet *set, LunaArena *arena) {
  const char *text = luna_split_setting(given, arena, &set->name);
  if (!text)
    return false;
  while (read_sizes(&text, set, arena)) {
    if (*text == 0)
      return true;
    if (*text++ != ',')
      return false;
  }
  return false;
}

bool luna_size_sets_add(LunaSizeSets *sets, const char *text, LunaArena *arena,
                        LunaError *error) {
  LunaSizeSet set = {0};
  if (!read_set(text, &set, arena))
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "--dim=%s: not of the form NAME=SIZE, "
                          "NAME=SIZE,SIZE,… or NAME=FIRST:LAST:STEP with "
                          "positive sizes, at most %d",
                          text, LUNA_SIZES_MAX);
  for (uint64_t i = 0; i < sets->count; ++i)
    if (strcmp(sets->items[i].name, set.name) == 0)
      return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                            "--dim gives sizes for '%s' twice", set.name);
  if (sets->count == LUNA_SIZE_SETS_MAX)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "more than %d dimensions are given",
                          LUNA_SIZE_SETS_MAX);
  *LUNA_VECTOR_ADD(arena, sets) = set;
  return true;
}

uint64_t luna_size_sets_product(const LunaSizeSets *sets) {
  uint64_t product = 1;
  for (uint64_t i = 0; i < sets->count; ++i) {
    uint64_t count = sets->items[i].count;
    product = product > UINT64_MAX / count ? UINT64_MAX : product * count;
  }
  return product;
}

void luna_size_sets_choose(const LunaSizeSets *sets, uint64_t index,
                           int64_t *sizes) {
  for (uint64_t i = sets->count; i-- > 0;) {
    const LunaSizeSet *set = &sets->items[i];
    sizes[i] = set->items[index % set->count];
    index /= set->count;
  }
}
