#ifndef LUNA_SHAPE_READER_H
#define LUNA_SHAPE_READER_H

#include "luna/map.h"
#include "luna/shape_graph.h"
#include "mlir-c/IR.h"

/// A function as a graph: value i of the graph is values.items[i], operator i
/// is ops.items[i], a null one where it stands for control flow.
typedef struct LunaShapeReader {
  LunaArena *arena;
  LunaShapeGraph graph;
  LunaMap ids; ///< from the address of a value
  LUNA_VECTOR(MlirValue) values;
  LUNA_VECTOR(MlirOperation) ops;
} LunaShapeReader;

/// Reads a function. Everything lengths in `arena`.
void luna_shape_read(LunaShapeReader *reader, MlirOperation func,
                     LunaArena *arena);

/// Returns the index of a value of the function.
uint32_t luna_shape_id(const LunaShapeReader *reader, MlirValue value);

/// Returns the rule of an operator by its name.
const LunaShapeRule *luna_shape_rule_of(MlirOperation op);

/// Returns true if the type is a shape of TOSA, and its rank.
bool luna_is_tosa_shape(MlirType type, uint32_t *rank);

#endif // LUNA_SHAPE_READER_H
