#include "model_tree.h"

static const char *name_of(const LunaModelTree *tree, LunaModelId id) {
  return tree->is_for_bound ? NULL : tree->model->steps.items[id].name;
}

static void build_branches(const LunaModelTree *tree, LunaModelId id) {
  const LunaModelStep *steps = tree->model->steps.items;
  luna_problem_begin(tree->problem, LUNA_NODE_ALTERNATIVES, name_of(tree, id));
  tree->begin_branches(tree->data, id);
  for (LunaModelId body = id + 1; body < steps[id].end;
       body = steps[body].end) {
    luna_problem_begin(tree->problem, LUNA_NODE_BRANCH, name_of(tree, body));
    luna_model_tree_build(tree, body);
    luna_problem_end(tree->problem);
  }
  luna_problem_end(tree->problem);
}

static void build_loop(const LunaModelTree *tree, LunaModelId id) {
  const LunaModelStep *steps = tree->model->steps.items;
  LunaModelId after = steps[id + 1].end;
  bool has_two = after < steps[id].end;
  if (tree->before_loop)
    tree->before_loop(tree->data, id);
  LunaStepId header =
      luna_problem_begin(tree->problem, LUNA_NODE_LOOP, name_of(tree, id));
  luna_model_tree_build(tree, id + 1);
  if (has_two || (tree->is_for_bound && steps[id].trips > 0))
    luna_problem_loop_exit(tree->problem);
  if (has_two)
    luna_model_tree_build(tree, after);
  if (tree->end_loop)
    tree->end_loop(tree->data, id, header);
  luna_problem_end(tree->problem);
}

void luna_model_tree_build(const LunaModelTree *tree, LunaModelId body) {
  const LunaModelStep *steps = tree->model->steps.items;
  for (LunaModelId id = body + 1; id < steps[body].end; id = steps[id].end) {
    if (steps[id].kind == LUNA_MODEL_BRANCHES ||
        (steps[id].kind == LUNA_MODEL_SELECT && tree->is_for_bound))
      build_branches(tree, id);
    else if (steps[id].kind == LUNA_MODEL_LOOP)
      build_loop(tree, id);
    else if (steps[id].kind == LUNA_MODEL_REGION)
      luna_model_tree_build(tree, id + 1);
    else if (steps[id].kind != LUNA_MODEL_SELECT &&
             steps[id].kind != LUNA_MODEL_SCALAR)
      tree->leaf(tree->data, id);
  }
}
