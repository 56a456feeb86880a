#include "open_dimensions.h"

#include <math.h>
#include <string.h>

#include "luna/vector.h"

// Returns the names for a message, or "none".
static const char *list_names(const char *const *names, size_t count,
                              LunaText *list) {
  for (size_t i = 0; i < count; ++i)
    luna_text_printf(list, "%s'%.80s'", i > 0 ? ", " : "", names[i]);
  return count > 0 ? list->data : "none";
}

static bool is_among(const char *const *names, size_t count, const char *name) {
  size_t i = 0;
  while (i < count && strcmp(names[i], name) != 0)
    ++i;
  return i < count;
}

static bool is_listed(const LunaOpenDimensions *list, const char *name) {
  for (uint64_t i = 0; i < list->count; ++i)
    if (strcmp(list->items[i].name, name) == 0)
      return true;
  return false;
}

void luna_open_dimension_add(LunaOpenDimensions *list, const char *name,
                             int64_t stored_size) {
  if (!is_listed(list, name))
    *LUNA_VECTOR_ADD(list->arena, list) =
        (LunaOpenDimension){.name = luna_arena_printf(list->arena, "%s", name),
                            .stored_size = stored_size};
}

int64_t luna_import_size(const LunaImportOptions *options, const char *name) {
  int64_t size = 0;
  for (size_t i = 0; i < options->dimension_count; ++i) {
    const LunaImportDimension *given = &options->dimensions[i];
    if (strcmp(given->name, name) == 0)
      return given->size;
    if (strcmp(given->name, "*") == 0)
      size = given->size;
  }
  return size;
}

bool luna_open_dimensions_check(const LunaOpenDimensions *list,
                                const LunaImportOptions *options,
                                LunaError *error) {
  LunaText names = {0};
  bool is_right = true;
  for (uint64_t i = 0; i < list->count; ++i)
    luna_text_printf(&names, "%s'%.80s'", i > 0 ? ", " : "",
                     list->items[i].name);
  for (size_t i = 0; is_right && i < options->dimension_count; ++i) {
    const LunaImportDimension *given = &options->dimensions[i];
    if (given->size <= 0)
      is_right = luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                                "dimension '%.80s' has size %lld, sizes are "
                                "positive",
                                given->name, (long long)given->size);
    else if (strcmp(given->name, "*") != 0 && !is_listed(list, given->name))
      is_right = luna_error_set(
          error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
          list->count > 0 ? "no dimension is named '%.80s'; the model leaves "
                            "open %s"
                          : "no dimension is named '%.80s': the model leaves "
                            "none open",
          given->name, names.data);
  }
  luna_text_deinit(&names);
  return is_right;
}

bool luna_constants_check(const char *const *inputs, size_t count,
                          const LunaImportOptions *options, LunaError *error) {
  bool is_right = true;
  for (size_t i = 0; is_right && i < options->constant_count; ++i) {
    const char *name = options->constants[i].name;
    LunaText list = {0};
    if (!is_among(inputs, count, name))
      is_right = luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                                "no input is named '%.80s'; the model has %s",
                                name, list_names(inputs, count, &list));
    luna_text_deinit(&list);
  }
  return is_right;
}

const LunaImportConstant *
luna_constant_of_input(const LunaImportOptions *options, const char *name) {
  for (size_t i = 0; i < options->constant_count; ++i)
    if (strcmp(options->constants[i].name, name) == 0)
      return &options->constants[i];
  return NULL;
}

bool luna_constant_check(const LunaImportConstant *constant,
                         LunaConstantType type, LunaError *error) {
  double number = constant->number;
  if (type.is_float)
    return type.bits > 32 || !isinf((float)number) ||
           luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "input '%.80s' is float32, which cannot be %g",
                          constant->name, number);
  double low = type.is_unsigned ? 0 : -ldexp(1, type.bits - 1);
  double above = low + ldexp(1, type.bits);
  return (number >= low && number < above && number == floor(number)) ||
         luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "input '%.80s' takes whole numbers from %.0f to below "
                        "%.0f, not %.17g",
                        constant->name, low, above, number);
}

bool luna_bounds_check(const char *const *names, size_t count,
                       const LunaImportOptions *options, LunaError *error) {
  bool is_right = true;
  for (size_t i = 0; is_right && i < options->bound_count; ++i) {
    const char *name = options->bounds[i].name;
    LunaText list = {0};
    if (!is_among(names, count, name))
      is_right = luna_error_set(
          error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
          "no bound is needed for '%.80s'; sizes that only the running program "
          "knows: %s",
          name, list_names(names, count, &list));
    luna_text_deinit(&list);
  }
  return is_right;
}
