#ifndef LUNA_OPERATOR_GRAPH_H
#define LUNA_OPERATOR_GRAPH_H

// The operators of a block, what must come before what, and what they hold.

#include "buffer_roots.h"
#include "luna/map.h"
#include "luna/order.h"
#include "mlir-c/IR.h"

/// The allocations of a function and where they are used.
typedef struct LunaHomes {
  MlirOperation func;
  const LunaRoots *roots;
  /// By root: the innermost block with all ops that touch it; true if several
  /// ops of that block do; its bytes.
  const MlirBlock *blocks;
  const bool *is_shared;
  const int64_t *bytes;
} LunaHomes;

/// Finds the homes of all allocations of `func`, in `arena`. They hold while
/// ops move within their blocks. O(touches * depth).
LunaHomes luna_homes_find(MlirOperation func, LunaArena *arena);

/// The ops of a block but for its terminator, in program order; operator i of
/// `graph` is op i.
typedef struct LunaOperatorGraph {
  LUNA_VECTOR(MlirOperation) ops;
  LunaMap index; ///< by address
  LunaOrderGraph *graph;
} LunaOperatorGraph;

/// Returns the bytes that an op takes while it runs beyond what it shares with
/// others of its block: those of its regions.
typedef int64_t (*LunaOpScratch)(MlirOperation op, void *data);

/// Makes the graph of a block, in `arena`.
///
/// Two ops keep their order if one needs the other's result, if both access a
/// buffer or an argument and one writes it, if both are control flow, which is
/// numbered in order, and if one is an scf.while. The values are the
/// allocations whose home is the block: live from the first op that touches
/// them to the last. Returns false if the block has an op whose effects are not
/// known: its order must stay.
bool luna_operator_graph_make(const LunaHomes *homes, MlirBlock block,
                              LunaOpScratch scratch, void *data,
                              LunaArena *arena, LunaOperatorGraph *graph);

/// Returns the index of the op of the block that `op` is or lies in, or
/// LUNA_MAP_ABSENT: it lies elsewhere or is the terminator.
uint32_t luna_operator_graph_find(const LunaOperatorGraph *graph,
                                  MlirOperation op, MlirBlock block);

/// Returns true if an op computes nothing at run time but names and numbers: it
/// may stand anywhere between what it needs and what needs it.
bool luna_is_floating(MlirOperation op);

#endif // LUNA_OPERATOR_GRAPH_H
