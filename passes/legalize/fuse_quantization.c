// luna-fuse-quantization: what lies between luna.dequantize and luna.quantize
// is computed in integers.
//
// In: func.func on tensors of static shape, operators in TOSA and
// linalg.generic on f32, control flow in scf. Out: the same function, with
// operators on int8 wherever these give what the floats do. Walking forward,
// a luna.dequantize moves after operators that only move elements (and after
// branches that agree); a luna.quantize moves ahead of them, to what makes the
// numbers, and the two fuse:
//
//   - functions of one value: tosa.table;
//   - convolutions, products with a constant or with each other, averages, of
//     windows too: sums of int32, one multiplication in f32, rounded half to
//     even;
//   - sums, differences and products of two values: tosa.rescale of both and of
//     the result, if that is right for all 65,536 pairs.
//
// A product whose result stays float is made of integer sums too. Unsigned
// bytes become signed ones with the highest bit flipped; the flips move until
// they meet. Only convolutions, products and averages may differ from the
// floats, by rounding: their sums are exact. What no pattern takes stays as it
// is; each element-wise operator gets a luna.dequantize of its own, to fuse
// with. Refuses: nothing. No options. Example:
// lit_tests/passes/luna-fuse-quantization/doc.mlir.

#include "fuse_quantization.h"

#include "luna/passes.h"

//===----------------------------------------------------------------------===//
// luna.quantize
//===----------------------------------------------------------------------===//

// Those that are still to be looked at.
typedef struct Pending {
  LunaArena arena;
  MlirOperation *ops;
  uint64_t count, capacity;
} Pending;

static void push(Pending *pending, MlirOperation op) {
  if (pending->count == pending->capacity) {
    uint64_t capacity = pending->capacity ? 2 * pending->capacity : 64;
    pending->ops =
        luna_arena_grow(&pending->arena, pending->ops, pending->count, capacity,
                        sizeof *pending->ops);
    pending->capacity = capacity;
  }
  pending->ops[pending->count++] = op;
}

// Fuses `quantize` with what makes its input, ahead of moves and branches.
static void fuse_quantize(MlirOperation quantize, int64_t *search_work) {
  Pending pending = {.count = 0};
  push(&pending, quantize);
  while (pending.count > 0) {
    MlirOperation op = pending.ops[--pending.count];
    MlirOperation made[LUNA_FUSE_MAX_OPERANDS];
    luna_fuse_absorb_clamps(op);
    if (luna_fuse_table(op))
      continue;
    int count = luna_fuse_hoist(op, made);
    for (int i = count; i-- > 0;)
      push(&pending, made[i]);
    if (count == 0 && !luna_fuse_product(op))
      luna_fuse_pair(op, search_work);
  }
  luna_arena_destroy(&pending.arena);
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

typedef void (*Visit)(MlirOperation op, void *data);

// Visits all ops under `root`, what is nested in one before it. The op visited
// and those before it may go; new ones are not visited.
static void walk(MlirOperation root, Visit visit, void *data) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(root); ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(root, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (MlirOperation op = mlirBlockGetFirstOperation(block);
           !mlirOperationIsNull(op);) {
        MlirOperation next = mlirOperationGetNextInBlock(op);
        if (!luna_op_is(op, LUNA_OP_LINALG_GENERIC))
          walk(op, visit, data);
        visit(op, data);
        op = next;
      }
}

static void fuse_op(MlirOperation op, void *data) {
  bool is_quantize = luna_op_is(op, LUNA_OP_LUNA_QUANTIZE);
  if (is_quantize || luna_op_is(op, LUNA_OP_LUNA_DEQUANTIZE))
    luna_fuse_make_signed(op);
  if (is_quantize)
    fuse_quantize(op, data);
  else if (!luna_fuse_sink_flip(op))
    luna_fuse_sink(op);
}

static void fuse_float_product(MlirOperation op, void *data) {
  (void)data;
  if (luna_op_in_dialect(op, LUNA_DIALECT_TOSA))
    luna_fuse_product(op);
}

static bool are_users_elementwise(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!luna_fuse_is_elementwise(mlirOpOperandGetOwner(use)))
      return false;
  return true;
}

// Gives each element-wise operator its own luna.dequantize, as upstream fuses
// only what has one user. Where some user needs the floats all share them.
static void split_users(MlirOperation op, void *data) {
  (void)data;
  if (!luna_fuse_is_elementwise(op))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    MlirOperation maker = luna_defining_op(value);
    if (!luna_op_is(maker, LUNA_OP_LUNA_DEQUANTIZE) ||
        luna_is_used_once(value) || !are_users_elementwise(value))
      continue;
    MlirOperation own = mlirOperationClone(maker);
    luna_insert_before(op, own);
    mlirOperationSetOperand(op, i, mlirOperationGetResult(own, 0));
  }
}

//===----------------------------------------------------------------------===//
// What is left
//===----------------------------------------------------------------------===//

// A constant that was moved, under a luna.dequantize that stays, is one again.
static void settle_constant(MlirOperation op, void *data) {
  LunaArena arena = {0};
  LunaLiteral literal;
  LunaBuilder b = luna_builder_before(op, op);
  (void)data;
  if (luna_op_is(op, LUNA_OP_LUNA_DEQUANTIZE)) {
    MlirValue ints = mlirOperationGetOperand(op, 0);
    if (mlirAttributeIsNull(luna_literal_attr(ints)) &&
        luna_literal_read_moved(&arena, ints, &literal))
      mlirOperationSetOperand(op, 0, luna_literal_make(&literal, &b));
  }
  luna_arena_destroy(&arena);
}

static void collect(MlirOperation op, void *data) { push(data, op); }

// Users stand behind what they use.
static void erase_dead(MlirOperation func) {
  Pending all = {.count = 0};
  walk(func, collect, &all);
  while (all.count > 0)
    luna_quant_erase_if_dead(all.ops[--all.count]);
  luna_arena_destroy(&all.arena);
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  (void)options;
  int64_t search_work = 0;
  walk(func, fuse_op, &search_work);
  walk(func, fuse_float_product, NULL);
  walk(func, settle_constant, NULL);
  erase_dead(func);
  walk(func, split_users, NULL);
  return mlirLogicalResultSuccess();
}

static const char *const dialects[] = {"arith",  "linalg", "luna", "math",
                                       "tensor", "tosa",   NULL};

const LunaPassDesc luna_pass_fuse_quantization = {
    .argument = "luna-fuse-quantization",
    .summary = "Compute in integers between dequantising and quantising",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .run = run,
};
