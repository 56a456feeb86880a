#ifndef LUNA_OPERATOR_CLASS_H
#define LUNA_OPERATOR_CLASS_H

#include <stddef.h>

/// What the shape of a result follows from (docs/shapes.md) for an operator of
/// ONNX or TensorFlow Lite. ISDOS has no rows: all others are of it.
typedef struct LunaOperatorClass {
  const char *name;        ///< of the operator
  const char *shape_class; ///< "ISDO", "ISVDOS" or "EDO"
} LunaOperatorClass;

/// Returns the class of an operator: "ISDO", "ISDOS", "ISVDOS" or "EDO".
const char *luna_operator_class(const char *name);

/// Returns the rows, of both formats.
const LunaOperatorClass *luna_operator_classes(size_t *count);

#endif // LUNA_OPERATOR_CLASS_H
