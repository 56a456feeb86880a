#include "dimensions.h"

#include <math.h>
#include <stdlib.h>

static bool fail_versions(const LunacDimensions *dimensions, int64_t most,
                          LunaError *error) {
  LunaText product = {0};
  for (uint64_t i = 0; i < dimensions->sets.count; ++i) {
    const LunaSizeSet *set = &dimensions->sets.items[i];
    if (set->count > 1)
      luna_text_printf(&product, "%s%llu of '%.40s'",
                       product.length ? ", " : "",
                       (unsigned long long)set->count, set->name);
  }
  luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                 "--dim asks for %llu versions (%s), --max-versions is %lld",
                 (unsigned long long)dimensions->version_count, product.data,
                 (long long)most);
  luna_text_deinit(&product);
  return false;
}

bool luna_dimensions_read(const LunacOptions *options, LunaArena *arena,
                          LunacDimensions *dimensions, LunaError *error) {
  const LunaStrings *given = &options->dimensions;
  *dimensions = (LunacDimensions){0};
  for (uint64_t i = 0; i < given->count; ++i)
    if (!luna_size_sets_add(&dimensions->sets, given->items[i], arena, error))
      return false;
  dimensions->version_count = luna_size_sets_product(&dimensions->sets);
  return dimensions->version_count <= (uint64_t)options->max_versions ||
         fail_versions(dimensions, options->max_versions, error);
}

void luna_dimensions_choose(const LunacDimensions *dimensions, uint64_t version,
                            LunaArena *arena, LunaImportOptions *import) {
  uint64_t count = dimensions->sets.count;
  LunaImportDimension *chosen =
      LUNA_ARENA_ARRAY(arena, LunaImportDimension, count);
  int64_t sizes[LUNA_SIZE_SETS_MAX];
  luna_size_sets_choose(&dimensions->sets, version, sizes);
  for (uint64_t i = 0; i < count; ++i)
    chosen[i] = (LunaImportDimension){dimensions->sets.items[i].name, sizes[i]};
  import->dimensions = chosen;
  import->dimension_count = count;
}

const char *luna_version_name(const LunacDimensions *dimensions,
                              const LunaImportOptions *import, bool names,
                              LunaArena *arena) {
  const char *name = "";
  for (uint64_t i = 0; i < dimensions->sets.count; ++i) {
    const LunaSizeSet *set = &dimensions->sets.items[i];
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
  const LunaStrings *given = &options->constants;
  LunaImportConstant *constants =
      LUNA_ARENA_ARRAY(arena, LunaImportConstant, given->count);
  for (uint64_t i = 0; i < given->count; ++i) {
    const char *text =
        luna_split_setting(given->items[i], arena, &constants[i].name);
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

//===- Bounds -------------------------------------------------------------===//

bool luna_bounds_read(const LunacOptions *options, LunaArena *arena,
                      LunaImportOptions *import, LunaError *error) {
  const LunaStrings *given = &options->bounds;
  LunaImportDimension *bounds =
      LUNA_ARENA_ARRAY(arena, LunaImportDimension, given->count);
  for (uint64_t i = 0; i < given->count; ++i) {
    const char *text =
        luna_split_setting(given->items[i], arena, &bounds[i].name);
    char *end = NULL;
    if (text)
      bounds[i].size = strtoll(text, &end, 10);
    if (!text || !*text || *end || bounds[i].size < 1)
      return luna_error_set(error, LUNA_ERROR_INPUT, i,
                            "--bound=%s: not of the form NAME=N with an N of 1 "
                            "or more",
                            given->items[i]);
  }
  import->bounds = bounds;
  import->bound_count = given->count;
  return true;
}
