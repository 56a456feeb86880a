#ifndef LUNA_MODEL_TREE_H
#define LUNA_MODEL_TREE_H

// The control flow of a model as that of a problem.

#include "luna/model.h"
#include "luna/plan.h"

/// A problem under construction, and what a view of the model adds to its
/// nodes. `before_loop` and `end_loop` may be NULL.
typedef struct LunaModelTree {
  const LunaModel *model;
  LunaProblem *problem;
  /// For the program's bound: selects are branches, nothing has a name, and a
  /// loop that is known to run leaves after its body.
  bool is_for_bound;
  void *data;
  /// A step without bodies that is no name or number alone.
  void (*leaf)(void *data, LunaModelId step);
  /// Within the alternatives of a step: may set their condition.
  void (*begin_branches)(void *data, LunaModelId step);
  void (*before_loop)(void *data, LunaModelId step);
  void (*end_loop)(void *data, LunaModelId step, LunaStepId header);
} LunaModelTree;

/// Builds the nodes of what lies in a body.
void luna_model_tree_build(const LunaModelTree *tree, LunaModelId body);

#endif // LUNA_MODEL_TREE_H
