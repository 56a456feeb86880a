#ifndef LUNA_SHAPE_CELLS_H
#define LUNA_SHAPE_CELLS_H

// Cells of a graph, its extents and elements, shared by its sources.

#include "shape_step.h"

/// Returns the symbol of a value's own for extent or element `cell`, which is
/// counted from the extents on.
LunaExpr luna_cell_symbol(LunaShapeGraph *graph, uint32_t value, uint32_t cell);

/// Gives a value its rank: extents that its type leaves open get symbols of
/// their own. Queues its users.
void luna_cell_define(LunaShapeGraph *graph, uint32_t value, uint32_t rank);

/// Binds the symbols of merges whose ways are equal, and bounds the others.
/// Returns true if it learned anything.
bool luna_shape_solve_merges(LunaShapeGraph *graph);

#endif // LUNA_SHAPE_CELLS_H
