#ifndef LUNA_OPEN_DIMENSIONS_H
#define LUNA_OPEN_DIMENSIONS_H

#include "luna/import.h"

// What the caller of a reader says about dimensions and inputs that a model
// leaves to him.

/// Adds a dimension to `list`, which copies the name, unless one of its name is
/// there. A `stored_size` of 0 means none.
void luna_open_dimension_add(LunaOpenDimensions *list, const char *name,
                             int64_t stored_size);

/// Fails with LUNA_ERROR_INPUT if the options name a dimension that is not in
/// `list`, which the message prints, or one whose size is not positive.
bool luna_open_dimensions_check(const LunaOpenDimensions *list,
                                const LunaImportOptions *options,
                                LunaError *error);

/// Fails with LUNA_ERROR_INPUT if the options fix an input that is not in
/// `inputs`, which the message prints.
bool luna_constants_check(const char *const *inputs, size_t count,
                          const LunaImportOptions *options, LunaError *error);

/// Returns the value that the caller fixes input `name` to, or NULL.
const LunaImportConstant *
luna_constant_of_input(const LunaImportOptions *options, const char *name);

/// What the elements of an input are.
typedef struct LunaConstantType {
  int bits;
  bool is_float, is_unsigned;
} LunaConstantType;

/// Fails with LUNA_ERROR_INPUT if the number of `constant` is none that an
/// element can be.
bool luna_constant_check(const LunaImportConstant *constant,
                         LunaConstantType type, LunaError *error);

/// Checks that the options bound only sizes that are known while running only,
/// those of the tensors `names`.
bool luna_bounds_check(const char *const *names, size_t count,
                       const LunaImportOptions *options, LunaError *error);

#endif // LUNA_OPEN_DIMENSIONS_H
