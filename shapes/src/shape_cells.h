#ifndef LUNA_SHAPE_CELLS_H
#define LUNA_SHAPE_CELLS_H

// Cells of a graph, its extents and elements, shared by its sources.

#include "shape_step.h"

/// Returns the symbol of a value's own for extent or element `cell`, which is
/// counted from the extents on.
LunaExpr luna_cell_symbol(LunaShapeGraph *graph, uint32_t value, uint32_t cell);

/// Sets the rank of a value: extents that its type leaves open get symbols of
/// their own. Queues its users.
void luna_cell_define(LunaShapeGraph *graph, uint32_t value, uint32_t rank);

/// Returns an extent that a type states, or LUNA_EXPR_NONE.
LunaExpr luna_cell_declared(LunaShapeGraph *graph, LunaShapeDecl decl,
                            uint32_t d);

/// Sets all cells of a value: to what its type states, else to what its
/// operator says (either list may be NULL), else to symbols of its own.
void luna_cell_set(LunaShapeGraph *graph, uint32_t value, const LunaExpr *dims,
                   const LunaExpr *elements);

/// Queues an operator, unless it waits already.
void luna_queue_op(LunaShapeGraph *graph, uint32_t op);

/// Binds the symbols of merges whose ways are equal, and bounds the others.
/// Returns true if it learned anything.
bool luna_shape_solve_merges(LunaShapeGraph *graph);

#endif // LUNA_SHAPE_CELLS_H
