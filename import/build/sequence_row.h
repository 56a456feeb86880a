#ifndef LUNA_SEQUENCE_ROW_H
#define LUNA_SEQUENCE_ROW_H

#include "mlir-c/IR.h"

// Rows of tensors that grow or are read row by row, for the readers of all
// kinds of models.

/// A row: extent 1 at index `at` of dimension `axis`. Ops are appended to
/// `block`.
typedef struct LunaSequenceRow {
  MlirBlock block;
  MlirLocation location;
  int axis;
  MlirValue at; ///< of type index
} LunaSequenceRow;

/// Gives that row of `sequence`, of rank at most 8, as a tensor of extent 1 in
/// the axis.
MlirValue luna_row_take(const LunaSequenceRow *row, MlirValue sequence);

/// Gives `sequence` with `value`, of extent 1 in the axis, in the place of the
/// row.
MlirValue luna_row_put(const LunaSequenceRow *row, MlirValue value,
                       MlirValue sequence);

#endif // LUNA_SEQUENCE_ROW_H
