// luna-fix-layouts: memrefs of layouts that the runtime's descriptors hold.
//
// In: a bufferised function. Bufferisation gives a value merged from memrefs of
// different layouts, such as the slices that two branches yield, dynamic
// strides, which no descriptor of the runtime can hold. Out: the same function;
// where all merged memrefs have the same strides, the value has them too, and
// at most its offset is dynamic; otherwise, and where a loop carries the value,
// those that are not contiguous are copied on their edge. So are they where a
// constant is merged, which is to be copied on chip. Upstream's
// canonicalisation drops the casts that are left. A descriptor has four
// strides: an operator of the unit reads and writes slices of more dimensions
// through contiguous copies. Refuses: nothing. No options. Example:
// lit_tests/passes/luna-fix-layouts/doc.mlir

#include <string.h>

#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structure.h"

// An operand that becomes a merged value.
typedef struct Edge {
  MlirOperation op;
  intptr_t operand;
} Edge;

// A value that control flow merges: its edges, and the block argument and the
// result that it is known as; either may be null.
typedef struct Join {
  MlirOperation op;
  const Edge *edges;
  intptr_t edge_count;
  MlirValue argument, result;
  bool is_carried;
} Join;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static bool has_static_strides(MlirType type) {
  int64_t offset = 0, strides[LUNA_RANK_MAX];
  if (!luna_memref_strides(type, &offset, strides))
    return false;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    if (mlirShapedTypeIsDynamicStrideOrOffset(strides[i]))
      return false;
  return true;
}

// Returns `like` with the strides of `type` and a dynamic offset.
static MlirType at_any_offset(MlirType like) {
  int64_t offset = 0, shape[LUNA_RANK_MAX], strides[LUNA_RANK_MAX];
  intptr_t rank = mlirShapedTypeGetRank(like);
  luna_memref_strides(like, &offset, strides);
  for (intptr_t i = 0; i < rank; ++i)
    shape[i] = mlirShapedTypeGetDimSize(like, i);
  MlirAttribute layout = mlirStridedLayoutAttrGet(
      mlirTypeGetContext(like), mlirShapedTypeGetDynamicStrideOrOffset(), rank,
      strides);
  return mlirMemRefTypeGet(mlirShapedTypeGetElementType(like), rank, shape,
                           layout, mlirMemRefTypeGetMemorySpace(like));
}

static bool is_contiguous_from_start(MlirType type) {
  return mlirTypeEqual(type, luna_memref_contiguous(type));
}

static bool same_strides(MlirType a, MlirType b) {
  int64_t offset = 0, p[LUNA_RANK_MAX] = {0}, q[LUNA_RANK_MAX] = {0};
  return luna_memref_strides(a, &offset, p) &&
         luna_memref_strides(b, &offset, q) && memcmp(p, q, sizeof p) == 0;
}

static MlirValue without_casts(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  while (luna_op_is(op, LUNA_OP_MEMREF_CAST)) {
    value = mlirOperationGetOperand(op, 0);
    op = luna_defining_op(value);
  }
  return value;
}

static MlirType edge_type(const Edge *edge) {
  return mlirValueGetType(
      without_casts(mlirOperationGetOperand(edge->op, edge->operand)));
}

// Returns true if `value` may be a constant or a part of one.
static bool is_of_constant(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  if (mlirOperationIsNull(op))
    return false;
  if (luna_op_is(op, LUNA_OP_ARITH_SELECT))
    return is_of_constant(mlirOperationGetOperand(op, 1)) ||
           is_of_constant(mlirOperationGetOperand(op, 2));
  if (LUNA_OP_IS_ANY(op, LUNA_OP_MEMREF_CAST, LUNA_OP_MEMREF_SUBVIEW,
                     LUNA_OP_MEMREF_EXPAND_SHAPE,
                     LUNA_OP_MEMREF_COLLAPSE_SHAPE))
    return is_of_constant(mlirOperationGetOperand(op, 0));
  return luna_op_is(op, LUNA_OP_MEMREF_GET_GLOBAL);
}

static bool merges_constant(const Join *join) {
  for (intptr_t i = 0; i < join->edge_count; ++i)
    if (is_of_constant(
            mlirOperationGetOperand(join->edges[i].op, join->edges[i].operand)))
      return true;
  return false;
}

// Returns the type of the merged value: that of all edges, one that differs
// from them in its offset, or the contiguous one.
static MlirType merged_type(const Join *join) {
  MlirType first = edge_type(&join->edges[0]);
  bool same_type = true, fits = has_static_strides(first) &&
                                !join->is_carried && !merges_constant(join);
  for (intptr_t i = 1; i < join->edge_count; ++i) {
    MlirType type = edge_type(&join->edges[i]);
    same_type &= mlirTypeEqual(type, first);
    fits &= same_strides(type, first);
  }
  if (!fits)
    return luna_memref_contiguous(first);
  return same_type ? first : at_any_offset(first);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static MlirOperation build_cast(MlirLocation location, MlirValue value,
                                MlirType type) {
  return luna_build(&(LunaOpSpec){.name = "memref.cast",
                                  .location = location,
                                  .operands = &value,
                                  .operand_count = 1,
                                  .results = &type,
                                  .result_count = 1});
}

// Has the edge forward a value of this type.
static void set_edge(const Edge *edge, MlirType type) {
  MlirValue value =
      without_casts(mlirOperationGetOperand(edge->op, edge->operand));
  if (!mlirTypeEqual(mlirValueGetType(value), type)) {
    if (same_strides(mlirValueGetType(value), type) &&
        !is_contiguous_from_start(type)) {
      MlirOperation cast =
          build_cast(mlirOperationGetLocation(edge->op), value, type);
      luna_insert_before(edge->op, cast);
      value = mlirOperationGetResult(cast, 0);
    } else {
      MlirValue copy = luna_build_alloc(edge->op, type, NULL);
      luna_build_copy(edge->op, value, copy);
      value = copy;
    }
  }
  mlirOperationSetOperand(edge->op, edge->operand, value);
}

// Operators of the unit and of linalg take memrefs of any strides. Upstream's
// canonicalisation does not drop the casts before all of linalg's.
static bool takes_any_strides(MlirOperation op) {
  return luna_op_is_unit(op) || luna_op_in_dialect(op, LUNA_DIALECT_LINALG);
}

// Gives `value` another type. Operators of the unit and of linalg take it as it
// is, other users through a cast, which is inserted before `before`.
static void set_type(MlirValue value, MlirType type, MlirOperation before) {
  MlirType former = mlirValueGetType(value);
  mlirValueSetType(value, type);
  MlirOperation cast =
      build_cast(mlirOperationGetLocation(before), value, former);
  luna_insert_before(before, cast);
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use);) {
    MlirOpOperand next = mlirOpOperandGetNextUse(use);
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!takes_any_strides(user) && !mlirOperationEqual(user, cast))
      mlirOperationSetOperand(user, mlirOpOperandGetOperandNumber(use),
                              mlirOperationGetResult(cast, 0));
    use = next;
  }
}

static void fix_value(MlirValue value, LunaArena *arena);

static void fix_join(const Join *join, LunaArena *arena) {
  MlirValue any = mlirValueIsNull(join->result) ? join->argument : join->result;
  MlirType type = mlirValueGetType(any);
  if (!luna_is_memref(type) || !mlirShapedTypeHasStaticShape(type) ||
      (has_static_strides(type) &&
       (is_contiguous_from_start(type) || !merges_constant(join))))
    return;
  for (intptr_t i = 0; i < join->edge_count && !join->is_carried; ++i)
    fix_value(without_casts(mlirOperationGetOperand(join->edges[i].op,
                                                    join->edges[i].operand)),
              arena);
  type = merged_type(join);
  if (!mlirValueIsNull(join->argument))
    set_type(
        join->argument, type,
        mlirBlockGetFirstOperation(mlirBlockArgumentGetOwner(join->argument)));
  if (!mlirValueIsNull(join->result))
    set_type(join->result, type, mlirOperationGetNextInBlock(join->op));
  for (intptr_t i = 0; i < join->edge_count; ++i)
    set_edge(&join->edges[i], type);
}

//===----------------------------------------------------------------------===//
// The merged values of an op
//===----------------------------------------------------------------------===//

static void fix_branch_result(MlirOperation op, intptr_t result,
                              LunaArena *arena) {
  intptr_t count = mlirOperationGetNumRegions(op);
  Edge *edges = LUNA_ARENA_ARRAY(arena, Edge, count);
  for (intptr_t r = 0; r < count; ++r)
    edges[r] = (Edge){mlirBlockGetTerminator(luna_body(op, r)), result};
  fix_join(&(Join){.op = op,
                   .edges = edges,
                   .edge_count = count,
                   .result = mlirOperationGetResult(op, result)},
           arena);
}

static void fix_select(MlirOperation op, LunaArena *arena) {
  const Edge edges[] = {{op, 1}, {op, 2}};
  fix_join(&(Join){.op = op,
                   .edges = edges,
                   .edge_count = 2,
                   .result = mlirOperationGetResult(op, 0)},
           arena);
}

static void fix_for(MlirOperation op, LunaArena *arena) {
  MlirBlock body = luna_body(op, 0);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    const Edge edges[] = {{op, 3 + i}, {mlirBlockGetTerminator(body), i}};
    fix_join(&(Join){.op = op,
                     .edges = edges,
                     .edge_count = 2,
                     .argument = mlirBlockGetArgument(body, 1 + i),
                     .result = mlirOperationGetResult(op, i),
                     .is_carried = true},
             arena);
  }
}

static void fix_while(MlirOperation op, LunaArena *arena) {
  MlirBlock before = luna_body(op, 0), after = luna_body(op, 1);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(before); ++i) {
    const Edge edges[] = {{op, i}, {mlirBlockGetTerminator(after), i}};
    fix_join(&(Join){.op = op,
                     .edges = edges,
                     .edge_count = 2,
                     .argument = mlirBlockGetArgument(before, i),
                     .is_carried = true},
             arena);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    const Edge edge = {mlirBlockGetTerminator(before), 1 + i};
    fix_join(&(Join){.op = op,
                     .edges = &edge,
                     .edge_count = 1,
                     .argument = mlirBlockGetArgument(after, i),
                     .result = mlirOperationGetResult(op, i)},
             arena);
  }
}

// Fixes the layout of a branch's result or a select before another value that
// is merged from it.
static void fix_value(MlirValue value, LunaArena *arena) {
  MlirOperation op = luna_defining_op(value);
  if (mlirOperationIsNull(op))
    return;
  if (luna_op_is(op, LUNA_OP_ARITH_SELECT))
    fix_select(op, arena);
  else if (luna_is_branch(op))
    fix_branch_result(op, mlirOpResultGetResultNumber(value), arena);
}

//===----------------------------------------------------------------------===//
// Slices of more than four dimensions
//===----------------------------------------------------------------------===//

static bool fits_descriptor(MlirType type) {
  enum { DIMENSIONS_MAX = 4 };
  return !luna_is_memref(type) ||
         mlirShapedTypeGetRank(type) <= DIMENSIONS_MAX ||
         luna_memref_is_contiguous(type);
}

// The last operand is the output, which the operator overwrites.
static void fix_unit(MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    MlirType type = mlirValueGetType(value);
    if (fits_descriptor(type))
      continue;
    MlirValue copy = luna_build_alloc(op, luna_memref_contiguous(type), NULL);
    mlirOperationSetOperand(op, i, copy);
    if (i + 1 < count)
      luna_build_copy(op, value, copy);
    else
      luna_build_copy(mlirOperationGetNextInBlock(op), copy, value);
  }
}

static bool fix_op(MlirOperation op, void *data) {
  LunaArena *arena = data;
  if (luna_op_is_unit(op))
    fix_unit(op);
  if (luna_op_is(op, LUNA_OP_SCF_WHILE))
    fix_while(op, arena);
  else if (luna_is_loop(op))
    fix_for(op, arena);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    fix_value(mlirOperationGetResult(op, i), arena);
  return true;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  (void)options;
  LunaArena arena = {0};
  luna_walk(func, fix_op, &arena);
  luna_arena_destroy(&arena);
  return mlirLogicalResultSuccess();
}

static const char *const dialects[] = {"memref", NULL};

const LunaPassDesc luna_pass_fix_layouts = {
    .argument = "luna-fix-layouts",
    .summary = "Give memrefs layouts that the runtime's descriptors hold",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .run = run,
};
