#ifndef LUNA_TFLITE_VALID_H
#define LUNA_TFLITE_VALID_H

// Sizes that only the running program knows (luna-c/bounded_sizes.h): what
// branches merge, loops make larger, and slices between computed places.

#include "luna-c/bounded_sizes.h"
#include "tflite_node.h"

/// Converts an operator, and gives its outputs valid lengths where an input has
/// one.
bool luna_tflite_run(LunaTfliteNode *node);

/// Returns what is valid of a value, or NULL.
const LunaValidLength *luna_tflite_valid(const LunaTfliteNode *node,
                                         MlirValue value);

/// Reads the bound of the size of tensor `name`: what the options say, else
/// `known`, which is -1 where the model tells of none.
bool luna_tflite_bound(const LunaTfliteNode *node, const char *name,
                       int64_t known, int64_t *bound);
/// Sets the valid length of `value`, of the size of tensor `name`, and has the
/// program say it where the bound may not hold it, as `known` is larger or -1.
bool luna_tflite_set_valid(const LunaTfliteNode *node, MlirValue value,
                           LunaValidLength valid, const char *name,
                           int64_t known);

/// Makes a tensor one of this type; false where it is of another one and the
/// file does not leave that open.
bool luna_tflite_fit(const LunaTfliteNode *node, LunaTfliteTensor *tensor,
                     MlirType type);

/// Returns a list of results and their attributes with the sizes of those that
/// are valid behind them, and zeros behind what is valid of these. `*count` is
/// how many there are.
void luna_tflite_add_sizes(LunaTfliteImport *import, const char *const *names,
                           MlirValue *results, MlirAttribute *attributes,
                           int64_t *count);

#endif // LUNA_TFLITE_VALID_H
