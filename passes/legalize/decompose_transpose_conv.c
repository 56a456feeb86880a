// luna-decompose-transpose-conv: transposed convolutions become convolutions.
//
// In: func.func on tensors of static shape. Out: each tosa.transpose_conv2d is
// a tosa.conv2d of stride 1, with the kernel turned around, over the input
// spread by the strides, padded and filled with its zero point: one
// linalg.generic. Upstream lowers no others; its own decomposition also takes
// 1x1 depthwise convolutions apart, wrongly where they are padded. Comes behind
// tosa-to-luna, which takes what the unit computes. Refused: nothing; zero
// points that are not constant stay. No options. Example:
// lit_tests/passes/luna-decompose-transpose-conv/doc.mlir.

#include "fuse_quantization.h"
#include "luna-c/build_generic.h"
#include "luna-c/build_scalar.h"
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

// Says whether `at` is the place of an element; `*row` is which, in range.
static MlirValue find_row(const LunaBuilder *b, const Transposed *t, int i,
                          MlirValue at, MlirValue *row) {
  MlirValue zero = luna_scalar_index(b, 0);
  MlirValue stride = luna_scalar_index(b, t->stride[i]);
  int64_t extent = luna_extent(t->input, i + 1);
  MlirValue from = luna_scalar_sub(b, at, luna_scalar_index(b, t->low[i]));
  MlirValue quotient = luna_scalar_div(b, from, stride);
  MlirValue inside = luna_scalar_compare(
      b, LUNA_EQ, luna_scalar_mul(b, quotient, stride), from);
  inside = luna_scalar(b, "arith.andi", inside,
                       luna_scalar_compare(b, LUNA_GE, from, zero));
  inside = luna_scalar(
      b, "arith.andi", inside,
      luna_scalar_compare(b, LUNA_LT, quotient, luna_scalar_index(b, extent)));
  *row = luna_scalar_max(b, quotient, zero);
  *row = luna_scalar_min(b, *row, luna_scalar_index(b, extent - 1));
  return inside;
}

static MlirValue spread_input(LunaBuilder *b, const Transposed *t) {
  LunaGeneric loops = luna_generic(b, &t->spread);
  luna_generic_result(&loops, luna_element_of(t->input));
  MlirValue at[4], inside[2];
  for (int i = 0; i < 4; ++i)
    at[i] = luna_generic_index(&loops, i);
  for (int i = 0; i < 2; ++i)
    inside[i] = find_row(b, t, i, at[i + 1], &at[i + 1]);
  MlirValue value = luna_scalar_extract(b, t->input, at);
  MlirValue fill = luna_build_op(b, "arith.constant", luna_element_of(t->input),
                                 0, NULL, 1, &(LunaAttr){"value", t->fill});
  MlirValue is_element = luna_scalar(b, "arith.andi", inside[0], inside[1]);
  return luna_generic_end(&loops,
                          luna_scalar_select(b, is_element, value, fill));
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

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  (void)options;
  luna_walk(func, visit, NULL);
  return mlirLogicalResultSuccess();
}

static const char *const dialects[] = {"arith", "linalg", "tensor", "tosa",
                                       NULL};

const LunaPassDesc luna_pass_decompose_transpose_conv = {
    .argument = "luna-decompose-transpose-conv",
    .summary = "Turn transposed convolutions into convolutions",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .run = run,
};
