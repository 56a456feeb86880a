// Which constants to fold so that what is stored does not grow.

#include "fold_constants.h"

void luna_fold_nodes_add(LunaFoldNodes *nodes, const LunaFoldNode *node) {
  luna_map_add(&nodes->ops, &nodes->arena, luna_map_pointer(node->op.ptr));
  *LUNA_VECTOR_ADD(&nodes->arena, nodes) = *node;
}

LunaFoldNode *luna_fold_nodes_around(LunaFoldNodes *nodes, MlirOperation op) {
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op)) {
    uint32_t index = luna_map_find(&nodes->ops, luna_map_pointer(op.ptr));
    if (index != LUNA_MAP_ABSENT)
      return &nodes->items[index];
  }
  return NULL;
}

static bool is_gone(const LunaFoldNode *node) {
  return node && node->is_folded;
}

// Walks the uses of a node's results: all of them, until `visit` is false.
static bool for_users(LunaFoldNodes *nodes, LunaFoldNode *node,
                      bool (*visit)(LunaFoldNodes *nodes, LunaFoldNode *node,
                                    LunaFoldNode *user)) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(node->op); ++i)
    for (MlirOpOperand use =
             mlirValueGetFirstUse(mlirOperationGetResult(node->op, i));
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      if (!visit(nodes, node,
                 luna_fold_nodes_around(nodes, mlirOpOperandGetOwner(use))))
        return false;
  return true;
}

static bool user_is_gone(LunaFoldNodes *nodes, LunaFoldNode *node,
                         LunaFoldNode *user) {
  (void)nodes;
  (void)node;
  return is_gone(user);
}

bool luna_fold_node_is_demanded(LunaFoldNodes *nodes, LunaFoldNode *node) {
  return !for_users(nodes, node, user_is_gone);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

static int32_t find_group(LunaFoldNodes *nodes, int32_t node) {
  while (nodes->items[node].group != node) {
    int32_t *group = &nodes->items[node].group;
    *group = nodes->items[*group].group;
    node = *group;
  }
  return node;
}

// A user that goes belongs to the group of what it uses.
static bool join_user(LunaFoldNodes *nodes, LunaFoldNode *node,
                      LunaFoldNode *user) {
  if (!is_gone(user))
    return true;
  int32_t a = find_group(nodes, (int32_t)(node - nodes->items));
  int32_t b = find_group(nodes, (int32_t)(user - nodes->items));
  nodes->items[a > b ? a : b].group = a < b ? a : b;
  return true;
}

// Short constants tie nothing together: they cost next to nothing.
static void form_groups(LunaFoldNodes *nodes) {
  for (uint32_t i = 0; i < nodes->count; ++i)
    nodes->items[i].group = (int32_t)i;
  for (uint32_t i = 0; i < nodes->count; ++i) {
    LunaFoldNode *node = &nodes->items[i];
    if (!node->is_short && (node->is_literal || node->is_folded))
      for_users(nodes, node, join_user);
  }
}

typedef struct Group {
  int64_t growth;
  // The node with the largest of the results that become constants.
  LunaFoldNode *largest;
} Group;

static bool keep_user(LunaFoldNodes *nodes, LunaFoldNode *node,
                      LunaFoldNode *user) {
  (void)nodes;
  node->group = user->group;
  return false;
}

// Old bytes go from the group; a short constant's from that of its first user.
static void count_literal(LunaFoldNodes *nodes, LunaFoldNode *node,
                          Group *groups) {
  if (luna_fold_node_is_demanded(nodes, node))
    return;
  if (node->is_short)
    for_users(nodes, node, keep_user);
  groups[find_group(nodes, (int32_t)(node - nodes->items))].growth -=
      node->bytes;
}

static void count_result(LunaFoldNodes *nodes, LunaFoldNode *node,
                         Group *groups) {
  Group *group = &groups[find_group(nodes, (int32_t)(node - nodes->items))];
  if (!node->is_folded || !luna_fold_node_is_demanded(nodes, node))
    return;
  group->growth += node->bytes;
  if (!group->largest || node->bytes > group->largest->bytes)
    group->largest = node;
}

void luna_fold_nodes_limit(LunaFoldNodes *nodes) {
  for (bool is_done = false; !is_done;) {
    LunaArena arena = {0};
    Group *groups = LUNA_ARENA_ARRAY(&arena, Group, nodes->count);
    form_groups(nodes);
    for (uint32_t i = 0; i < nodes->count; ++i)
      (nodes->items[i].is_literal ? count_literal : count_result)(
          nodes, &nodes->items[i], groups);
    is_done = true;
    for (uint32_t i = 0; i < nodes->count; ++i) {
      if (groups[i].growth <= 0 || !groups[i].largest)
        continue;
      groups[i].largest->is_folded = false;
      is_done = false;
    }
    luna_arena_destroy(&arena);
  }
}
