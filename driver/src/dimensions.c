#include "dimensions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Splits NAME=VALUE at its last '='. Returns NULL if one of both is missing.
static const char *split(const char *text, LunaArena *arena,
                         const char **name) {
  const char *equals = strrchr(text, '=');
  if (!equals || equals == text || !equals[1])
    return NULL;
  *name = luna_arena_strndup(arena, text, (size_t)(equals - text));
  return equals + 1;
}

bool luna_dimensions_read(const LunacOptions *options, LunaArena *arena,
                          LunaImportOptions *import, LunaError *error) {
  const LunacStrings *given = &options->dimensions;
  LunaImportDimension *dimensions =
      LUNA_ARENA_ARRAY(arena, LunaImportDimension, given->count);
  for (uint64_t i = 0; i < given->count; ++i) {
    const char *text = split(given->items[i], arena, &dimensions[i].name);
    char *end = NULL;
    if (text)
      dimensions[i].size = strtoll(text, &end, 10);
    if (!text || *end || dimensions[i].size <= 0)
      return luna_error_set(error, LUNA_ERROR_INPUT, i,
                            "--dim=%s: not of the form NAME=SIZE with a "
                            "positive size",
                            given->items[i]);
  }
  import->dimensions = dimensions;
  import->dimension_count = given->count;
  return true;
}

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
