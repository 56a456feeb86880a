#include "operator_graph.h"

#include "luna-c/ops.h"
#include "mlir-c/BuiltinTypes.h"
#include "sink_outputs.h"
#include "structure.h"
#include "touches.h"

//===----------------------------------------------------------------------===//
// Kinds of ops
//===----------------------------------------------------------------------===//

static bool is_number(MlirOperation op) {
  return luna_op_in_dialect(op, LUNA_DIALECT_ARITH) ||
         luna_op_in_dialect(op, LUNA_DIALECT_MATH) ||
         luna_op_in_dialect(op, LUNA_DIALECT_INDEX) ||
         luna_op_is(op, LUNA_OP_AFFINE_APPLY);
}

// Returns true if an op passes buffers on, which reads them: whoever merges
// them may have to copy.
static bool passes_on(MlirOperation op) {
  static const LunaOpName names[] = {LUNA_OP_ARITH_SELECT, LUNA_OP_SCF_YIELD,
                                     LUNA_OP_SCF_CONDITION};
  return luna_is_control_flow(op) ||
         luna_op_is_any(op, names, sizeof names / sizeof names[0]);
}

static bool has_memref(MlirOperation op) {
  return mlirOperationGetNumResults(op) == 1 &&
         luna_is_memref(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

bool luna_is_floating(MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_ARITH_SELECT))
    return !has_memref(op);
  return is_number(op) || luna_op_is(op, LUNA_OP_MEMREF_GET_GLOBAL) ||
         (luna_only_renames(op) && !luna_op_is(op, LUNA_OP_MEMREF_DEALLOC) &&
          !passes_on(op));
}

// Returns true if an op does nothing but what its touches say.
static bool is_known(MlirOperation op, void *data) {
  (void)data;
  static const LunaOpName names[] = {
      LUNA_OP_MEMREF_COPY,    LUNA_OP_MEMREF_LOAD, LUNA_OP_MEMREF_STORE,
      LUNA_OP_MEMREF_DEALLOC, LUNA_OP_LUNA_LABEL,
  };
  return luna_is_floating(op) || luna_op_is_unit(op) || passes_on(op) ||
         luna_op_in_dialect(op, LUNA_DIALECT_LINALG) ||
         luna_op_is_any(op, names, sizeof names / sizeof names[0]);
}

//===----------------------------------------------------------------------===//
// Touches
//===----------------------------------------------------------------------===//

typedef struct Visitor {
  void (*visit)(MlirOperation op, MlirValue value, LunaTouch touch, void *data);
  void *data;
} Visitor;

static bool visit_touches(MlirOperation op, void *data) {
  const Visitor *visitor = data;
  intptr_t count = luna_is_floating(op) ? 0 : mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (luna_is_memref(mlirValueGetType(value)))
      visitor->visit(op, value,
                     passes_on(op) ? LUNA_TOUCH_READ : luna_touch_of(op, i),
                     visitor->data);
  }
  return true;
}

// Calls `visit` for each memref that `op`, or an op in it, accesses.
static void for_each_touch(MlirOperation op, Visitor *visitor) {
  visit_touches(op, visitor);
  luna_walk(op, visit_touches, visitor);
}

//===----------------------------------------------------------------------===//
// Homes
//===----------------------------------------------------------------------===//

typedef struct Finder {
  const LunaRoots *roots;
  MlirBlock *blocks;
  // The first op of the home that touches a root, and if another one does.
  MlirOperation *users;
  bool *is_shared;
} Finder;

static void widen_home(MlirOperation op, MlirValue value, LunaTouch touch,
                       void *data) {
  (void)touch;
  const Finder *finder = data;
  LunaRootSet set = luna_roots_of(finder->roots, value);
  for (uint32_t i = 0; i < set.count; ++i) {
    MlirBlock *home = &finder->blocks[set.ids[i]];
    while (mlirOperationIsNull(luna_ancestor_in_block(op, *home)))
      *home = mlirOperationGetBlock(mlirBlockGetParentOperation(*home));
  }
}

static void note_user(MlirOperation op, MlirValue value, LunaTouch touch,
                      void *data) {
  (void)touch;
  const Finder *finder = data;
  LunaRootSet set = luna_roots_of(finder->roots, value);
  for (uint32_t i = 0; i < set.count; ++i) {
    uint32_t root = set.ids[i];
    MlirOperation user = luna_ancestor_in_block(op, finder->blocks[root]);
    if (mlirOperationIsNull(finder->users[root]))
      finder->users[root] = user;
    finder->is_shared[root] |= !mlirOperationEqual(finder->users[root], user);
  }
}

LunaHomes luna_homes_find(MlirOperation func, LunaArena *arena) {
  LunaRoots *roots = luna_roots_compute(func, arena);
  uint32_t count = luna_roots_count(roots);
  Finder finder = {.roots = roots,
                   .blocks = LUNA_ARENA_ARRAY(arena, MlirBlock, count),
                   .users = LUNA_ARENA_ARRAY(arena, MlirOperation, count),
                   .is_shared = LUNA_ARENA_ARRAY(arena, bool, count)};
  int64_t *bytes = LUNA_ARENA_ARRAY(arena, int64_t, count);
  for (uint32_t i = 0; i < count; ++i) {
    MlirOperation alloc = luna_roots_alloc(roots, i);
    int64_t size =
        luna_shaped_bytes(mlirValueGetType(mlirOperationGetResult(alloc, 0)));
    finder.blocks[i] = mlirOperationGetBlock(alloc);
    bytes[i] = size > 0 ? size : 0;
  }
  luna_walk(func, visit_touches, &(Visitor){widen_home, &finder});
  luna_walk(func, visit_touches, &(Visitor){note_user, &finder});
  return (LunaHomes){.func = func,
                     .roots = roots,
                     .blocks = finder.blocks,
                     .is_shared = finder.is_shared,
                     .bytes = bytes};
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

// What has accessed a buffer or an argument so far. Ops are numbers plus one;
// 0 is none.
typedef struct Place {
  uint32_t writer;
  LUNA_VECTOR(uint32_t) readers;
  // Of a buffer whose home is the block: its value, plus one, and the op that
  // it begins with.
  uint32_t value, maker;
} Place;

typedef struct Maker {
  const LunaHomes *homes;
  MlirBlock block;
  LunaOperatorGraph *graph;
  LunaArena *arena;
  // The allocations, then the arguments of the function.
  Place *places;
  uint32_t root_count;
  uint32_t op;
  // The last fence and the last control flow, or LUNA_MAP_ABSENT.
  uint32_t fence, control_flow;
  int64_t own_bytes;
  bool is_known;
} Maker;

uint32_t luna_operator_graph_find(const LunaOperatorGraph *graph,
                                  MlirOperation op, MlirBlock block) {
  MlirOperation inside =
      mlirOperationIsNull(op) ? op : luna_ancestor_in_block(op, block);
  return mlirOperationIsNull(inside)
             ? LUNA_MAP_ABSENT
             : luna_map_find(&graph->index, luna_map_pointer(inside.ptr));
}

static void add_edge(Maker *maker, uint32_t earlier) {
  if (earlier != maker->op)
    luna_order_add_edge(maker->graph->graph, earlier, maker->op);
}

static void touch_place(Maker *maker, Place *place, bool is_write) {
  if (place->writer > 0)
    add_edge(maker, place->writer - 1);
  if (!is_write) {
    *LUNA_VECTOR_ADD(maker->arena, &place->readers) = maker->op;
    return;
  }
  for (uint64_t i = 0; i < place->readers.count; ++i)
    add_edge(maker, place->readers.items[i]);
  place->readers.count = 0;
  place->writer = maker->op + 1;
}

static bool is_home(const Maker *maker, uint32_t root) {
  return mlirBlockEqual(maker->homes->blocks[root], maker->block);
}

// Adds the buffers that the op alone touches to its own bytes.
static void add_own(MlirOperation op, MlirValue value, LunaTouch touch,
                    void *data) {
  (void)op;
  (void)touch;
  Maker *maker = data;
  LunaRootSet set = luna_roots_of(maker->homes->roots, value);
  for (uint32_t i = 0; i < set.count; ++i) {
    uint32_t root = set.ids[i];
    Place *place = &maker->places[root];
    if (!is_home(maker, root) || maker->homes->is_shared[root] || place->value)
      continue;
    maker->own_bytes += maker->homes->bytes[root];
    place->value = 1;
  }
}

// The value begins with the first op that touches it.
static void touch_root(Maker *maker, uint32_t root, bool is_write) {
  LunaOrderGraph *graph = maker->graph->graph;
  Place *place = &maker->places[root];
  if (is_home(maker, root) && maker->homes->is_shared[root]) {
    if (place->value == 0) {
      place->maker = maker->op;
      place->value =
          1 + luna_order_add_value(graph, maker->homes->bytes[root], maker->op);
    } else if (place->maker != maker->op) {
      luna_order_read(graph, maker->op, place->value - 1);
    }
  }
  touch_place(maker, place, is_write);
}

// Returns the value that a view of an argument or a global names.
static MlirValue base_of(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  while (!mlirOperationIsNull(op) && luna_only_renames(op) &&
         !luna_op_is(op, LUNA_OP_ARITH_SELECT)) {
    value = mlirOperationGetOperand(op, 0);
    op = luna_defining_op(value);
  }
  return value;
}

// Both arguments of a state variable are one place.
static void touch_argument(Maker *maker, MlirValue value, bool is_write) {
  MlirValue base = base_of(value);
  MlirOperation op = luna_defining_op(base);
  if (!mlirOperationIsNull(op) && luna_op_is(op, LUNA_OP_MEMREF_GET_GLOBAL) &&
      !is_write)
    return;
  if (!mlirValueIsABlockArgument(base) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(base),
                      luna_entry_block(maker->homes->func))) {
    maker->is_known = false;
    return;
  }
  intptr_t number = mlirBlockArgumentGetArgNumber(base);
  MlirValue other = luna_other_state_argument(maker->homes->func, base);
  if (!mlirValueIsNull(other) && mlirBlockArgumentGetArgNumber(other) < number)
    number = mlirBlockArgumentGetArgNumber(other);
  touch_place(maker, &maker->places[maker->root_count + number], is_write);
}

static void touch(MlirOperation op, MlirValue value, LunaTouch touch,
                  void *data) {
  (void)op;
  Maker *maker = data;
  LunaRootSet set = luna_roots_of(maker->homes->roots, value);
  for (uint32_t i = 0; i < set.count; ++i)
    touch_root(maker, set.ids[i], touch != LUNA_TOUCH_READ);
  if (set.has_other || set.count == 0)
    touch_argument(maker, value, touch != LUNA_TOUCH_READ);
}

static bool need_operands(MlirOperation op, void *data) {
  Maker *maker = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirOperation definition = luna_defining_op(mlirOperationGetOperand(op, i));
    uint32_t index =
        luna_operator_graph_find(maker->graph, definition, maker->block);
    if (index != LUNA_MAP_ABSENT)
      add_edge(maker, index);
  }
  return true;
}

static bool is_not_while(MlirOperation op, void *data) {
  (void)data;
  return !luna_op_is(op, LUNA_OP_SCF_WHILE);
}

// Nothing passes a label, which heads its block, or an scf.while, also one
// within op: behind it, the condition that it left by is known, and validation
// makes use of that.
static bool is_fence(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_LUNA_LABEL) || !is_not_while(op, NULL) ||
         !luna_walk(op, is_not_while, NULL);
}

// Orders the op behind the last fence and behind control flow, if it is some.
static void keep_order(Maker *maker, MlirOperation op) {
  if (maker->fence != LUNA_MAP_ABSENT)
    add_edge(maker, maker->fence);
  if (is_fence(op)) {
    uint32_t first = maker->fence == LUNA_MAP_ABSENT ? 0 : maker->fence;
    for (uint32_t i = first; i < maker->op; ++i)
      add_edge(maker, i);
    maker->fence = maker->op;
  }
  if (!luna_is_control_flow(op))
    return;
  if (maker->control_flow != LUNA_MAP_ABSENT)
    add_edge(maker, maker->control_flow);
  maker->control_flow = maker->op;
}

static void add_ops(Maker *maker, LunaOpScratch scratch, void *data) {
  LunaOperatorGraph *graph = maker->graph;
  MlirOperation end = mlirBlockGetTerminator(maker->block);
  for (MlirOperation op = mlirBlockGetFirstOperation(maker->block);
       !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op)) {
    maker->is_known &= is_known(op, NULL) && luna_walk(op, is_known, NULL);
    maker->op =
        luna_map_add(&graph->index, maker->arena, luna_map_pointer(op.ptr));
    *LUNA_VECTOR_ADD(maker->arena, &graph->ops) = op;
    maker->own_bytes = scratch(op, data);
    for_each_touch(op, &(Visitor){add_own, maker});
    luna_order_add_operator(graph->graph, maker->own_bytes);
    need_operands(op, maker);
    luna_walk(op, need_operands, maker);
    keep_order(maker, op);
    for_each_touch(op, &(Visitor){touch, maker});
  }
}

bool luna_operator_graph_make(const LunaHomes *homes, MlirBlock block,
                              LunaOpScratch scratch, void *data,
                              LunaArena *arena, LunaOperatorGraph *graph) {
  *graph = (LunaOperatorGraph){.graph = luna_order_create(arena)};
  uint32_t roots = luna_roots_count(homes->roots);
  intptr_t arguments = mlirBlockGetNumArguments(luna_entry_block(homes->func));
  Maker maker = {.homes = homes,
                 .block = block,
                 .graph = graph,
                 .arena = arena,
                 .root_count = roots,
                 .fence = LUNA_MAP_ABSENT,
                 .control_flow = LUNA_MAP_ABSENT,
                 .is_known = true};
  maker.places = LUNA_ARENA_ARRAY(arena, Place, roots + (uint64_t)arguments);
  add_ops(&maker, scratch, data);
  return maker.is_known;
}
