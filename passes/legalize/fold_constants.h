#ifndef LUNA_FOLD_CONSTANTS_H
#define LUNA_FOLD_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "luna/map.h"
#include "mlir-c/IR.h"

/// A constant, or an operator whose results are known.
typedef struct LunaFoldNode {
  MlirOperation op;
  bool is_literal;
  /// Bytes of a constant, or of the results that count once they are constants.
  int64_t bytes;
  /// Too short to tie the operators that share it together.
  bool is_short;
  /// Its results become constants where they are still used.
  bool is_folded;
  /// Of the group of nodes that it belongs to, the first.
  int32_t group;
} LunaFoldNode;

typedef struct LunaFoldNodes {
  LunaArena arena;
  LUNA_VECTOR(LunaFoldNode);
  LunaMap ops; ///< whose index is that of their node
} LunaFoldNodes;

/// Adds a node; operators come in program order.
void luna_fold_nodes_add(LunaFoldNodes *nodes, const LunaFoldNode *node);

/// Returns the node of `op` or of an operator around it, or NULL.
LunaFoldNode *luna_fold_nodes_around(LunaFoldNodes *nodes, MlirOperation op);

/// Returns true if an operator that is not folded uses a result of the node.
bool luna_fold_node_is_demanded(LunaFoldNodes *nodes, LunaFoldNode *node);

/// Takes back `is_folded` where constants would grow: operators that share
/// constants make no more bytes of new ones than old ones go. The largest
/// result of such a group is given up first.
void luna_fold_nodes_limit(LunaFoldNodes *nodes);

#endif // LUNA_FOLD_CONSTANTS_H
