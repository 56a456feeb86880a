// luna-prepare-bufferization: keeps what upstream's bufferisation gets wrong
// from it.
//
// In: a module of functions on tensors, right before bufferisation.
// Out: the same module, in which
// - each use of a constant is of its own memref.get_global: upstream looks
//   through all globals for each constant, and its analysis is quadratic in the
//   uses of one tensor (constants_to_globals.h);
// - a slice has the stride one in each dimension of which it takes one element,
//   where a stride has no meaning: which dimensions a slice drops is found by
//   strides later, and wrongly (memref.subview);
// - branches and loops yield copies of slices: a slice becomes a view with
//   strides, the value of another branch does not, and what they have in common
//   would be dynamic strides;
// - an scf.while passes on a copy of a value from outside, or of a part of one:
//   the next iteration writes to what it receives;
// - each loop whose depth is a multiple of `levels` begins with copies. The
//   layout of what a loop carries is found from its init and from what it
//   yields, each of which may come from the loop around or in it: the time
//   doubles with each level up to a copy, whose layout is known. Later passes
//   coalesce the copies.
// lit_tests/upstream has each fault as a program. Options: levels. Example:
// lit_tests/passes/luna-prepare-bufferization/doc.mlir

#include "constants_to_globals.h"
#include "luna-c/builder.h"
#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structure.h"

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

static void drop_unit_strides(MlirOperation op) {
  int64_t sizes[LUNA_RANK_MAX], strides[LUNA_RANK_MAX];
  MlirAttribute list = luna_attr(op, "static_sizes");
  intptr_t rank = mlirDenseArrayGetNumElements(list);
  if (!luna_attr_ints(op, "static_sizes", sizes, rank) ||
      !luna_attr_ints(op, "static_strides", strides, rank))
    return;
  for (intptr_t i = 0; i < rank; ++i)
    if (sizes[i] == 1 && strides[i] != mlirShapedTypeGetDynamicStrideOrOffset())
      strides[i] = 1;
  luna_set_attr(op, "static_strides",
                luna_i64s_attr(mlirOperationGetContext(op), rank, strides));
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static int64_t depth_of(MlirOperation op) {
  int64_t depth = 0;
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op))
    depth += luna_is_loop(op);
  return depth;
}

static MlirValue copy_before(MlirOperation user, MlirValue init) {
  MlirContext context = mlirOperationGetContext(user);
  MlirType type = mlirValueGetType(init);
  static const int32_t segments[] = {0, 1, 0}; // sizes, copy, size hint
  const MlirNamedAttribute attributes[] = {
      luna_named(context, "operandSegmentSizes",
                 mlirDenseI32ArrayGet(context, 3, segments)),
      // Without it that of the init would be looked for.
      luna_named(context, "memory_space", luna_i64_attr(context, 0)),
  };
  return luna_build_value_with(user, "bufferization.alloc_tensor", type, 1,
                               &init, 2, attributes);
}

// Copies operands of `op` from `first` on for which `test` holds.
static void copy_operands(MlirOperation op, intptr_t first,
                          bool (*test)(MlirValue value, MlirOperation loop),
                          MlirOperation loop) {
  for (intptr_t i = first; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (mlirTypeIsARankedTensor(mlirValueGetType(value)) &&
        mlirShapedTypeHasStaticShape(mlirValueGetType(value)) &&
        test(value, loop))
      mlirOperationSetOperand(op, i, copy_before(op, value));
  }
}

static bool always(MlirValue value, MlirOperation loop) {
  (void)value;
  (void)loop;
  return true;
}

static bool is_from_outside(MlirValue value, MlirOperation loop);

// Returns true if a region of `op`, a branch or loop in `loop`, yields a value
// from outside of that as its result `index`.
static bool yields_from_outside(MlirOperation op, intptr_t index,
                                MlirOperation loop) {
  bool is_while = luna_op_is(op, LUNA_OP_SCF_WHILE);
  intptr_t count = is_while ? 1 : mlirOperationGetNumRegions(op);
  for (intptr_t r = 0; r < count; ++r) {
    MlirOperation end = mlirBlockGetTerminator(luna_body(op, r));
    if (is_from_outside(mlirOperationGetOperand(end, index + is_while), loop))
      return true;
  }
  return luna_is_loop(op) && !is_while &&
         is_from_outside(mlirOperationGetOperand(op, 3 + index), loop);
}

// Returns true if `value` may be, or be a part of, one from outside of `loop`.
static bool is_from_outside(MlirValue value, MlirOperation loop) {
  if (mlirValueIsABlockArgument(value))
    return !luna_is_within(
        mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)), loop);
  MlirOperation op = luna_defining_op(value);
  if (!luna_is_within(mlirOperationGetParentOperation(op), loop))
    return true;
  if (luna_op_is(op, LUNA_OP_ARITH_CONSTANT))
    return true;
  if (luna_is_control_flow(op))
    return yields_from_outside(op, mlirOpResultGetResultNumber(value), loop);
  if (luna_op_is(op, LUNA_OP_ARITH_SELECT))
    return is_from_outside(mlirOperationGetOperand(op, 1), loop) ||
           is_from_outside(mlirOperationGetOperand(op, 2), loop);
  return LUNA_OP_IS_ANY(op, LUNA_OP_TENSOR_EXTRACT_SLICE,
                        LUNA_OP_TENSOR_EXPAND_SHAPE,
                        LUNA_OP_TENSOR_COLLAPSE_SHAPE, LUNA_OP_TENSOR_CAST) &&
         is_from_outside(mlirOperationGetOperand(op, 0), loop);
}

// Returns true if `value` is a slice, maybe reshaped, which becomes a view.
static bool is_slice(MlirValue value, MlirOperation loop) {
  MlirOperation op = luna_defining_op(value);
  (void)loop;
  while (LUNA_OP_IS_ANY(op, LUNA_OP_TENSOR_EXPAND_SHAPE,
                        LUNA_OP_TENSOR_COLLAPSE_SHAPE))
    op = luna_defining_op(mlirOperationGetOperand(op, 0));
  return luna_op_is(op, LUNA_OP_TENSOR_EXTRACT_SLICE);
}

static void copy_slices(MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    if (!mlirBlockIsNull(luna_body(op, r)))
      copy_operands(mlirBlockGetTerminator(luna_body(op, r)), 0, is_slice, op);
}

static bool visit_op(MlirOperation op, void *data) {
  const int64_t *levels = data;
  if (LUNA_OP_IS_ANY(op, LUNA_OP_TENSOR_EXTRACT_SLICE,
                     LUNA_OP_TENSOR_INSERT_SLICE))
    drop_unit_strides(op);
  if (luna_is_control_flow(op))
    copy_slices(op);
  if (!luna_is_loop(op))
    return true;
  if (depth_of(op) % *levels == 0)
    copy_operands(op, 0, always, op);
  if (luna_op_is(op, LUNA_OP_SCF_WHILE))
    copy_operands(mlirBlockGetTerminator(luna_body(op, 1)), 0, is_from_outside,
                  op);
  return true;
}

static MlirLogicalResult run(MlirOperation module,
                             const LunaOptionValue *options) {
  int64_t levels = options[0].integer;
  if (levels < 1)
    return luna_emit_error(module, "levels must be at least 1");
  luna_walk(module, visit_op, &levels);
  luna_constants_to_globals(module);
  return mlirLogicalResultSuccess();
}

static const char *const dialects[] = {"bufferization", "memref", NULL};

static const LunaOptionDesc options[] = {
    {.name = "levels",
     .help = "loops from one that begins with copies to the next in it",
     .kind = LUNA_OPTION_INT64,
     .int_default = 8},
};

const LunaPassDesc luna_pass_prepare_bufferization = {
    .argument = "luna-prepare-bufferization",
    .summary = "Keep what upstream's bufferisation gets wrong from it",
    .anchor = "builtin.module",
    .options = options,
    .option_count = 1,
    .dependent_dialects = dialects,
    .run = run,
};
