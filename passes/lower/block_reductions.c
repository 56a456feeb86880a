// luna-block-reductions: computes outputs next to each other together.
//
// In: linalg on memrefs of known extents, as luna-to-llvm leaves it. Out: the
// same; of a product, a convolution and what else sums up inputs, one of which
// is the same for outputs next to each other, an iteration of the loops
// computes four of them, or those that are left, and reads that input once.
// Each output is summed up in the order it was, so that results are the same.
// Refuses: nothing. No options. Example:
// lit_tests/passes/luna-block-reductions/doc.mlir

#include "host_block.h"
#include "luna-c/build_generic.h"
#include "luna-c/linalg_operands.h"
#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "luna/vector.h"
#include "mlir-c/AffineExpr.h"

// The operator that is replaced, and which outputs: `width` from `first` on,
// and as many in each of `turns` turns.
typedef struct Part {
  MlirOperation op;
  intptr_t dim;
  int64_t first, turns;
  int width;
} Part;

// What the dimension is of output `number` of a turn, as a map of all.
static MlirAffineMap indices_of(const Part *part, intptr_t dims, int number) {
  MlirContext context = mlirOperationGetContext(part->op);
  MlirAffineExpr exprs[LUNA_RANK_MAX];
  for (intptr_t d = 0; d < dims; ++d)
    exprs[d] = mlirAffineDimExprGet(context, d);
  exprs[part->dim] = mlirAffineAddExprGet(
      mlirAffineMulExprGet(exprs[part->dim],
                           mlirAffineConstantExprGet(context, part->width)),
      mlirAffineConstantExprGet(context, part->first + number));
  return mlirAffineMapGet(context, dims, 0, dims, exprs);
}

// Of an operand, what output `number` of each turn uses. Where the dimension
// alone is an index, a slice has it as its own; elsewhere the map computes it.
static MlirValue slice_of(const Part *part, intptr_t operand, int number,
                          MlirAffineMap *map) {
  *map = luna_linalg_map(part->op, operand);
  MlirValue value = mlirOperationGetOperand(part->op, operand);
  intptr_t dims = mlirAffineMapGetNumDims(*map);
  intptr_t rank = mlirAffineMapGetNumResults(*map);
  MlirAffineMap indices = indices_of(part, dims, number);
  MlirAffineExpr exprs[LUNA_RANK_MAX];
  for (intptr_t r = 0; r < rank; ++r) {
    exprs[r] = mlirAffineMapGetResult(*map, r);
    if (!mlirAffineExprIsFunctionOfDim(exprs[r], part->dim))
      continue;
    if (mlirAffineExprIsADim(exprs[r]))
      value = luna_build_subview(part->op, value, r,
                                 (LunaStrided){.first = part->first + number,
                                               .count = part->turns,
                                               .step = part->width});
    else
      exprs[r] = mlirAffineExprCompose(exprs[r], indices);
  }
  *map =
      mlirAffineMapGet(mlirOperationGetContext(part->op), dims, 0, rank, exprs);
  return value;
}

static MlirValue add_input(const Part *part, LunaGeneric *generic,
                           intptr_t operand, int number) {
  MlirAffineMap map;
  MlirValue slice = slice_of(part, operand, number, &map);
  return luna_generic_input_map(generic, slice, map);
}

static MlirValue add_output(const Part *part, LunaGeneric *generic,
                            intptr_t operand, int number) {
  MlirAffineMap map;
  MlirValue slice = slice_of(part, operand, number, &map);
  int loops[LUNA_RANK_MAX];
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    loops[r] =
        (int)mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, r));
  return luna_generic_update_at(generic, slice, loops);
}

typedef MlirValue Elements[LUNA_GENERIC_MAX + 1][LUNA_HOST_BLOCK_MAX];

// Adds the elements that the outputs of a turn take of each operand.
static void add_operands(const Part *part, LunaGeneric *generic,
                         Elements elements) {
  intptr_t inputs = luna_linalg_input_count(part->op);
  for (intptr_t i = 0; i < inputs; ++i) {
    bool moves = luna_map_moves(luna_linalg_map(part->op, i), part->dim);
    for (int k = 0; k < part->width; ++k)
      elements[i][k] =
          moves || k == 0 ? add_input(part, generic, i, k) : elements[i][0];
  }
  for (int k = 0; k < part->width; ++k)
    elements[inputs][k] = add_output(part, generic, inputs, k);
}

// Adds the operator's body once more, for output `number` of a turn.
static MlirValue add_body(const Part *part, LunaGeneric *generic,
                          Elements elements, int number) {
  MlirOperation copy = mlirOperationClone(part->op);
  MlirBlock body = luna_body(copy, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, i),
                                  elements[i][number]);
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationEqual(op, yield); op = mlirBlockGetFirstOperation(body)) {
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(generic->body, op);
  }
  MlirValue value = mlirOperationGetOperand(yield, 0);
  mlirOperationDestroy(copy);
  return value;
}

static void add_part(const Part *part) {
  LunaBuilder b = luna_builder_before(part->op, part->op);
  LunaShape loops = {
      .rank = (int)mlirAffineMapGetNumDims(luna_linalg_map(part->op, 0))};
  LunaGeneric generic = luna_generic(&b, &loops);
  Elements elements;
  add_operands(part, &generic, elements);
  MlirValue values[LUNA_HOST_BLOCK_MAX];
  for (int k = 0; k < part->width; ++k)
    values[k] = add_body(part, &generic, elements, k);
  luna_generic_close(&generic, values);
}

static void block_op(MlirOperation op, LunaHostBlock block) {
  int rest = (int)(block.extent % block.width);
  Part part = {.op = op,
               .dim = block.dim,
               .turns = block.extent / block.width,
               .width = block.width};
  add_part(&part);
  part.first = block.extent - rest;
  part.turns = 1;
  part.width = rest;
  if (rest > 0)
    add_part(&part);
  mlirOperationDestroy(op);
}

// The operators of a function: a walk visits the bodies of those that it has
// visited, which must not be destroyed before.
typedef struct List {
  LunaArena arena;
  LUNA_VECTOR(MlirOperation) ops;
} List;

static bool collect(MlirOperation op, void *data) {
  List *list = data;
  if (luna_host_block(op).width > 1)
    *LUNA_VECTOR_ADD(&list->arena, &list->ops) = op;
  return true;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  (void)options;
  List list = {0};
  luna_walk(func, collect, &list);
  for (uint64_t i = 0; i < list.ops.count; ++i)
    block_op(list.ops.items[i], luna_host_block(list.ops.items[i]));
  luna_arena_destroy(&list.arena);
  return mlirLogicalResultSuccess();
}

const LunaPassDesc luna_pass_block_reductions = {
    .argument = "luna-block-reductions",
    .summary = "Compute outputs that share an input together",
    .anchor = "func.func",
    .run = run,
};
