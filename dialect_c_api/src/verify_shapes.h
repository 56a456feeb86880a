#ifndef LUNA_C_VERIFY_SHAPES_H
#define LUNA_C_VERIFY_SHAPES_H

// What verifiers of operators ask of shaped types, and the operands that
// several classes have.

#include <stdbool.h>

#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Support.h"

static inline int64_t dim(MlirType type, intptr_t i) {
  return mlirShapedTypeGetDimSize(type, i);
}

static inline bool has_rank(MlirType type, int64_t rank) {
  return mlirShapedTypeGetRank(type) == rank;
}

static inline bool is_integer_of(MlirType shaped, unsigned width) {
  MlirType element = mlirShapedTypeGetElementType(shaped);
  return mlirTypeIsAInteger(element) &&
         mlirIntegerTypeGetWidth(element) == width;
}

/// Verifies bias and table against the number of output channels, and of
/// classes of borders (luna/border.h).
MlirLogicalResult luna_verify_channel_operands(MlirOperation op,
                                               int64_t channels,
                                               int64_t classes);

/// Verifies `folded_zp` beside the attributes of these names.
MlirLogicalResult luna_verify_fold(MlirOperation op, const char *input_zp,
                                   const char *weight_zp);

#endif // LUNA_C_VERIFY_SHAPES_H
