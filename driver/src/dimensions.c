#include "dimensions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES_MAX = 1024, SETS_MAX = 8 };

// Splits NAME=VALUE at its last '='. Returns NULL if one of both is missing.
static const char *split(const char *text, LunaArena *arena,
                         const char **name) {
  const char *equals = strrchr(text, '=');
  if (!equals || equals == text || !equals[1])
    return NULL;
  *name = luna_arena_strndup(arena, text, (size_t)(equals - text));
  return equals + 1;
}

//===- Sizes --------------------------------------------------------------===//

static bool read_size(const char **text, int64_t *size) {
  char *end = NULL;
  *size = strtoll(*text, &end, 10);
  bool is_read = end > *text && **text >= '0' && **text <= '9' && *size > 0;
  *text = end;
  return is_read;
}

static void add_size(LunacSizes *set, int64_t size, LunaArena *arena) {
  for (uint64_t i = 0; i < set->count; ++i)
    if (set->items[i] == size)
      return;
  *LUNA_VECTOR_ADD(arena, set) = size;
}

// Reads SIZE, or FIRST:LAST:STEP, both ends included.
static bool read_sizes(const char **text, LunacSizes *set, LunaArena *arena) {
  int64_t first = 0, last = 0, step = 1;
  if (!read_size(text, &first))
    return false;
  last = first;
  if (**text == ':') {
    ++*text;
    if (!read_size(text, &last) || *(*text)++ != ':' || !read_size(text, &step))
      return false;
  }
  if (last < first || (last - first) / step >= SIZES_MAX)
    return false;
  for (int64_t i = 0; i <= (last - first) / step; ++i)
    add_size(set, first + i * step, arena);
  return true;
}

static bool read_set(const char *given, LunacSizes *set, LunaArena *arena) {
  const char *text = split(given, arena, &set->name);
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

static bool fail_versions(const LunacDimensions *dimensions, int64_t most,
                          LunaError *error) {
  LunaText product = {0};
  uint64_t count = 1;
  for (uint64_t i = 0; i < dimensions->sets.count; ++i) {
    const LunacSizes *set = &dimensions->sets.items[i];
    if (set->count > 1)
      luna_text_printf(&product, "%s%llu of '%.40s'",
                       product.length ? ", " : "",
                       (unsigned long long)set->count, set->name);
    count *= set->count;
  }
  luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                 "--dim asks for %llu versions (%s), --max-versions is %lld",
                 (unsigned long long)count, product.data, (long long)most);
  luna_text_deinit(&product);
  return false;
}

bool luna_dimensions_read(const LunacOptions *options, LunaArena *arena,
                          LunacDimensions *dimensions, LunaError *error) {
  const LunacStrings *given = &options->dimensions;
  *dimensions = (LunacDimensions){.version_count = 1};
  for (uint64_t i = 0; i < given->count; ++i) {
    LunacSizes *set = LUNA_VECTOR_ADD(arena, &dimensions->sets);
    if (!read_set(given->items[i], set, arena))
      return luna_error_set(error, LUNA_ERROR_INPUT, i,
                            "--dim=%s: not of the form NAME=SIZE, "
                            "NAME=SIZE,SIZE,… or NAME=FIRST:LAST:STEP with "
                            "positive sizes, at most %d",
                            given->items[i], SIZES_MAX);
    for (uint64_t k = 0; k < i; ++k)
      if (strcmp(dimensions->sets.items[k].name, set->name) == 0)
        return luna_error_set(error, LUNA_ERROR_INPUT, i,
                              "--dim gives sizes for '%s' twice", set->name);
    dimensions->version_count *= set->count;
    if (i >= SETS_MAX)
      return luna_error_set(error, LUNA_ERROR_INPUT, i,
                            "more than %d dimensions are given", SETS_MAX);
  }
  return dimensions->version_count <= (uint64_t)options->max_versions ||
         fail_versions(dimensions, options->max_versions, error);
}

void luna_dimensions_choose(const LunacDimensions *dimensions, uint64_t version,
                            LunaArena *arena, LunaImportOptions *import) {
  uint64_t count = dimensions->sets.count;
  LunaImportDimension *chosen =
      LUNA_ARENA_ARRAY(arena, LunaImportDimension, count);
  for (uint64_t i = count; i-- > 0;) {
    const LunacSizes *set = &dimensions->sets.items[i];
    chosen[i] =
        (LunaImportDimension){set->name, set->items[version % set->count]};
    version /= set->count;
  }
  import->dimensions = chosen;
  import->dimension_count = count;
}

const char *luna_version_name(const LunacDimensions *dimensions,
                              const LunaImportOptions *import, bool names,
                              LunaArena *arena) {
  const char *name = "";
  for (uint64_t i = 0; i < dimensions->sets.count; ++i) {
    const LunacSizes *set = &dimensions->sets.items[i];
    long long size = (long long)import->dimensions[i].size;
    if (names)
      name = luna_arena_printf(arena, "%s%s%s=%lld", name, *name ? ", " : "",
                               set->name, size);
    else if (set->count > 1)
      name = luna_arena_printf(arena, "%s%s%lld", name, *name ? "x" : "", size);
  }
  return name;
}

//===- Constants ----------------------------------------------------------===//

bool luna_constants_read(const LunacOptions *options, LunaArena *arena,
                         LunaImportOptions *import, LunaError *error) {
  const LunacStrings *given = &options->constants;
  LunaImportConstant *constants =
      LUNA_ARENA_ARRAY(arena, LunaImportConstant, given->count);
  for (uint64_t i = 0; i < given->count; ++i) {
    const char *text = split(given->items[i], arena, &constants[i].name);
    char *end = NULL;
    if (text)
      constants[i].number = strtod(text, &end);
    if (!text || *end || !isfinite(constants[i].number))
      return luna_error_set(error, LUNA_ERROR_INPUT, i,
                            "--constant=%s: not of the form INPUT=NUMBER",
                            given->items[i]);
  }
  import->constants = constants;
  import->constant_count = given->count;
  return true;
}
