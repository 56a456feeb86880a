// luna-decompose-transpose-conv: transposed convolutions become convolutions.
//
// In: func.func on tensors of static shape. Out: each tosa.transpose_conv2d is
// a tosa.conv2d of stride 1, with the kernel turned around, over the input
// spread by the strides, padded and filled with its zero point: a
// tensor.insert_slice. Upstream lowers no others; its own decomposition also
// takes 1x1 depthwise convolutions apart, wrongly where they are padded. Comes
// after tosa-to-luna, which takes what the unit computes. Refuses: nothing;
// zero points that are not constant stay. No options. Example:
// lit_tests/passes/luna-decompose-transpose-conv/doc.mlir.

#include "fuse_quantization.h"
#include "luna-c/build_generic.h"
#include "luna-c/build_tosa.h"
#include "luna/passes.h"

enum { INPUT, WEIGHT, BIAS, INPUT_ZP, WEIGHT_ZP };

typedef struct Transposed {
  MlirOperation op;
  MlirValue input, weight;
  int64_t stride[2], low[2];
  LunaShape spread;
  /// What lies between the elements.
  MlirAttribute fill;
} Transposed;

static bool read_transposed(MlirOperation op, Transposed *t) {
  int64_t pad[4];
  *t = (Transposed){.op = op,
                    .input = mlirOperationGetOperand(op, INPUT),
                    .weight = mlirOperationGetOperand(op, WEIGHT)};
  MlirAttribute zero = luna_literal_attr(mlirOperationGetOperand(op, INPUT_ZP));
  LunaShape out = luna_shape_of(mlirOperationGetResult(op, 0));
  if (mlirAttributeIsNull(zero) || !luna_attr_ints(op, "out_pad", pad, 4) ||
      !luna_attr_ints(op, "stride", t->stride, 2))
    return false;
  t->fill = mlirDenseElementsAttrGetSplatValue(zero);
  t->spread = luna_shape_of(t->input);
  for (int i = 0; i < 2; ++i) {
    int64_t kernel = luna_extent(t->weight, i + 1);
    t->low[i] = kernel - 1 + pad[2 * i];
    t->spread.dims[i + 1] = out.dims[i + 1] + kernel - 1;
  }
  return true;
}

static MlirValue spread_input(LunaBuilder *b, const Transposed *t) {
  LunaGeneric loops = luna_generic(b, &t->spread);
  luna_generic_result(&loops, luna_element_of(t->input));
  MlirValue fill = luna_build_op(b, "arith.constant", luna_element_of(t->input),
                                 0, NULL, 1, &(LunaAttr){"value", t->fill});
  MlirValue spread = luna_generic_end(&loops, fill);
  // The verifier keeps out_pad above minus the kernel: all elements have room.
  int64_t start[4] = {0, t->low[0], t->low[1], 0};
  int64_t step[4] = {1, t->stride[0], t->stride[1], 1};
  return luna_build_strided_insert(b, t->input, spread, start, step);
}

// The kernel turned around, at compile time where it is constant.
static MlirValue turn_weight(const LunaBuilder *b, const Transposed *t) {
  LunaArena arena = {0};
  LunaLiteral literal;
  MlirValue turned =
      luna_build_reverse(b, luna_build_reverse(b, t->weight, 1), 2);
  if (luna_literal_read_moved(&arena, turned, &literal)) {
    MlirOperation dead = luna_defining_op(turned);
    turned = luna_literal_make(&literal, b);
    luna_quant_erase_dead(dead);
  }
  luna_arena_destroy(&arena);
  return turned;
}

static void decompose(const Transposed *t) {
  static const int64_t none[4] = {0}, ones[2] = {1, 1};
  LunaBuilder b = luna_builder_before(t->op, t->op);
  MlirValue result = mlirOperationGetResult(t->op, 0);
  MlirValue operands[5] = {spread_input(&b, t)};
  operands[WEIGHT] = turn_weight(&b, t);
  for (int i = BIAS; i <= WEIGHT_ZP; ++i)
    operands[i] = mlirOperationGetOperand(t->op, i);
  LunaAttr attributes[4] = {
      {"pad", luna_i64s_attr(b.context, 4, none)},
      {"stride", luna_i64s_attr(b.context, 2, ones)},
      {"dilation", luna_i64s_attr(b.context, 2, ones)},
      {"acc_type", luna_attr(t->op, "acc_type")},
  };
  MlirValue made = luna_build_op(&b, "tosa.conv2d", mlirValueGetType(result), 5,
                                 operands, 4, attributes);
  mlirValueReplaceAllUsesOfWith(result, made);
  mlirOperationDestroy(t->op);
}

static bool visit(MlirOperation op, void *data) {
  (void)data;
  Transposed transposed;
  if (luna_op_is(op, LUNA_OP_TOSA_TRANSPOSE_CONV2D) &&
      mlirShapedTypeHasStaticShape(
          mlirValueGetType(mlirOperationGetResult(op, 0))) &&
      read_transposed(op, &transposed))
    decompose(&transposed);
  return true;
}

static const char *const dialects[] = {"arith", "linalg", "tensor", "tosa",
                                       NULL};

const LunaPassDesc luna_pass_decompose_transpose_conv = {
    .argument = "luna-decompose-transpose-conv",
    .summary = "Turn transposed convolutions into convolutions",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .visit = visit,
};
