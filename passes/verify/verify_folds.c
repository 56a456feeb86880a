// What an operator was before its zero point was folded into its bias: the
// constants are computed here from the weights again, by code of its own.

#include <string.h>

#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "verify_operators.h"
#include "verify_weights.h"

const uint8_t *luna_verify_constant(LunaSide *side, MlirValue value) {
  LunaRuns runs = luna_side_read(side, luna_side_get(side, value).pointer);
  return luna_side_constant(side, &runs);
}

bool luna_verify_is_folded(MlirOperation op) {
  return luna_op_is_unit(op) &&
         !mlirAttributeIsNull(luna_attr(op, "folded_zp"));
}

// One, and one for each class of borders.
static int64_t rows_of(MlirValue bias) {
  MlirType type = mlirValueGetType(bias);
  return mlirShapedTypeGetRank(type) == 2 ? mlirShapedTypeGetDimSize(type, 0)
                                          : 1;
}

//===----------------------------------------------------------------------===//
// Which taps meet the input
//===----------------------------------------------------------------------===//

// Taps first to end - 1.
typedef struct Window {
  int64_t first, end;
} Window;

// The windows of an axis that differ from the one before, row 0 that of most
// outputs.
typedef struct Axis {
  Window *windows;
  int64_t count;
} Axis;

static int64_t ceil_div(int64_t a, int64_t b) {
  return a >= 0 ? (a + b - 1) / b : -(-a / b);
}

// Output `out` reads the inputs out * stride - pad + tap * dilation.
static Window window_at(const int64_t shape[5], int64_t out) {
  int64_t extent = shape[0], kernel = shape[1], dilation = shape[3];
  int64_t start = out * shape[2] - shape[4];
  int64_t first = ceil_div(-start, dilation);
  int64_t end = ceil_div(extent - start, dilation);
  first = first > 0 ? first : 0;
  end = end < kernel ? end : kernel;
  return first < end ? (Window){first, end} : (Window){0, 0};
}

static void move_to_front(Axis *axis, int64_t index) {
  Window window = axis->windows[index];
  memmove(axis->windows + 1, axis->windows, (size_t)index * sizeof window);
  axis->windows[0] = window;
}

static Axis axis_of(LunaSide *side, const int64_t shape[5], int64_t outputs) {
  Axis axis = {LUNA_ARENA_ARRAY(side->arena, Window, outputs), 0};
  int64_t length = 0, longest = 0, base = 0;
  for (int64_t out = 0; out < outputs; ++out) {
    Window window = window_at(shape, out);
    const Window *last = &axis.windows[axis.count - (axis.count > 0)];
    bool is_new = axis.count == 0 || last->first != window.first ||
                  last->end != window.end;
    if (is_new)
      axis.windows[axis.count++] = window;
    length = is_new ? 1 : length + 1;
    if (length > longest) {
      longest = length;
      base = axis.count - 1;
    }
  }
  move_to_front(&axis, base);
  return axis;
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

typedef struct Fold {
  LunaSide *side;
  MlirOperation op;
  LunaPlainWeights weights;
  const uint8_t *bias;
  int64_t zero_point, channels;
  int64_t taps[2], depth;
  int64_t strides[3]; // of weights: channel, tap, input channel
  Axis axes[2];
} Fold;

static int64_t dim(MlirOperation op, LunaOperandRole role, intptr_t i) {
  return mlirShapedTypeGetDimSize(mlirValueGetType(luna_unit_operand(op, role)),
                                  i);
}

static int64_t weight_dim(const Fold *fold, intptr_t i) {
  return mlirShapedTypeGetDimSize(fold->weights.type, i);
}

static void read_matmul(Fold *fold) {
  static const int64_t one[5] = {1, 1, 1, 1, 0};
  bool is_transposed =
      !mlirAttributeIsNull(luna_attr(fold->op, "rhs_transposed"));
  fold->depth = weight_dim(fold, is_transposed ? 2 : 1);
  fold->taps[0] = fold->taps[1] = 1;
  fold->strides[0] = is_transposed ? fold->depth : 1;
  fold->strides[2] = is_transposed ? 1 : fold->channels;
  for (int i = 0; i < 2; ++i)
    fold->axes[i] = axis_of(fold->side, one, 1);
}

static void read_conv2d(Fold *fold) {
  MlirOperation op = fold->op;
  bool is_depthwise = luna_attr_int(op, "kind", 0) == LUNA_CONV_DEPTHWISE;
  int64_t stride[2] = {1, 1}, dilation[2] = {1, 1}, pad[4] = {0};
  luna_attr_ints(op, "stride", stride, 2);
  luna_attr_ints(op, "dilation", dilation, 2);
  luna_attr_ints(op, "pad", pad, 4);
  fold->depth = is_depthwise ? 1 : weight_dim(fold, 3);
  for (int i = 0; i < 2; ++i) {
    fold->taps[i] = weight_dim(fold, is_depthwise ? i : 1 + i);
    const int64_t shape[5] = {dim(op, LUNA_ROLE_INPUT, 1 + i), fold->taps[i],
                              stride[i], dilation[i], pad[2 * i]};
    fold->axes[i] =
        axis_of(fold->side, shape, dim(op, LUNA_ROLE_OUTPUT, 1 + i));
  }
  fold->strides[0] =
      is_depthwise ? 1 : fold->taps[0] * fold->taps[1] * fold->depth;
  fold->strides[1] = is_depthwise ? fold->channels : fold->depth;
  fold->strides[2] = 1;
}

// Returns the sum of the weights of a channel in two windows.
static int64_t sum_of(const Fold *fold, int64_t channel, Window rows,
                      Window columns) {
  int64_t sum = 0;
  for (int64_t v = rows.first; v < rows.end; ++v)
    for (int64_t w = columns.first; w < columns.end; ++w) {
      const int8_t *at = (const int8_t *)fold->weights.bytes +
                         channel * fold->strides[0] +
                         (v * fold->taps[1] + w) * fold->strides[1];
      for (int64_t k = 0; k < fold->depth; ++k)
        sum += at[k * fold->strides[2]];
    }
  return sum;
}

static int32_t bias_at(const Fold *fold, int64_t row, int64_t channel) {
  int32_t bias;
  memcpy(&bias, fold->bias + 4 * (row * fold->channels + channel), sizeof bias);
  return bias;
}

static int32_t wrap(int64_t value) { return (int32_t)(uint32_t)value; }

//===----------------------------------------------------------------------===//
// Unfolding
//===----------------------------------------------------------------------===//

// Products of int8 are added in 32 bits.
static bool has_bytes(MlirOperation op, LunaOperandRole role) {
  MlirType type = mlirValueGetType(luna_unit_operand(op, role));
  return luna_element_type_bytes(mlirShapedTypeGetElementType(type)) == 1;
}

static bool read_fold(Fold *fold) {
  MlirOperation op = fold->op;
  MlirValue bias = luna_unit_operand(op, LUNA_ROLE_BIAS);
  MlirType output = mlirValueGetType(luna_unit_output(op));
  fold->channels =
      mlirShapedTypeGetDimSize(output, mlirShapedTypeGetRank(output) - 1);
  fold->zero_point = luna_attr_int(op, "folded_zp", 0);
  fold->weights = luna_verify_weights(fold->side, op);
  fold->bias = luna_verify_constant(fold->side, bias);
  if (luna_op_is(op, LUNA_OP_LUNA_MATMUL))
    read_matmul(fold);
  else
    read_conv2d(fold);
  return fold->weights.bytes && fold->bias && has_bytes(op, LUNA_ROLE_INPUT) &&
         has_bytes(op, LUNA_ROLE_WEIGHT) &&
         luna_shaped_bytes(fold->weights.type) ==
             fold->channels * fold->taps[0] * fold->taps[1] * fold->depth &&
         luna_shaped_bytes(mlirValueGetType(bias)) ==
             4 * fold->channels * fold->axes[0].count * fold->axes[1].count;
}

// Outputs of other classes than 0 lack what the zero point gives for the taps
// that class 0 meets and they do not.
static bool check_borders(const Fold *fold, int64_t channel, int64_t inner) {
  const Axis *y = &fold->axes[0], *x = &fold->axes[1];
  for (int64_t row = 1; row < y->count * x->count; ++row) {
    int64_t met = sum_of(fold, channel, y->windows[row / x->count],
                         x->windows[row % x->count]);
    int32_t expected = wrap(fold->zero_point * (inner - met));
    int32_t found = bias_at(fold, row, channel);
    if (found != expected)
      return luna_side_fail(fold->side, fold->op,
                            "row %lld of its bias has %d for channel %lld, "
                            "folding zero point %lld gives %d",
                            (long long)row, (int)found, (long long)channel,
                            (long long)fold->zero_point, (int)expected);
  }
  return true;
}

const int32_t *luna_verify_unfold(LunaSide *side, MlirOperation op) {
  Fold fold = {.side = side, .op = op};
  if (!read_fold(&fold)) {
    luna_side_fail(side, op,
                   "a zero point is folded into constants that are "
                   "not known or too few");
    return NULL;
  }
  int32_t *bias = LUNA_ARENA_ARRAY(side->arena, int32_t, fold.channels);
  for (int64_t c = 0; c < fold.channels; ++c) {
    int64_t inner =
        sum_of(&fold, c, fold.axes[0].windows[0], fold.axes[1].windows[0]);
    if (!check_borders(&fold, c, inner))
      return NULL;
    bias[c] = wrap(bias_at(&fold, 0, c) + fold.zero_point * inner);
  }
  return bias;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

// A bias of constant zeros is none.
static bool is_zero(LunaSide *side, MlirValue bias, const int32_t *unfolded) {
  const uint8_t *bytes = (const uint8_t *)unfolded;
  int64_t count = luna_shaped_bytes(mlirValueGetType(bias)) /
                  (unfolded ? rows_of(bias) : 1);
  if (!unfolded)
    bytes = luna_verify_constant(side, bias);
  for (int64_t i = 0; bytes && i < count; ++i)
    if (bytes[i] != 0)
      return false;
  return bytes != NULL;
}

// Records a bias as an operand of one number for each channel.
static void record_unfolded(LunaRecord *record, MlirValue bias,
                            const int32_t *unfolded) {
  MlirType type = mlirValueGetType(bias);
  int64_t channels =
      luna_shaped_bytes(type) / rows_of(bias) / (int64_t)sizeof *unfolded;
  luna_record_constant(
      record,
      mlirRankedTensorTypeGet(1, &channels, mlirShapedTypeGetElementType(type),
                              mlirAttributeGetNull()),
      (const uint8_t *)unfolded);
}

// Returns true if an operator has a bias that is not zero.
static bool has_bias(LunaSide *side, MlirOperation op,
                     const int32_t *unfolded) {
  MlirValue bias = luna_unit_operand(op, LUNA_ROLE_BIAS);
  return !mlirValueIsNull(bias) && !is_zero(side, bias, unfolded);
}

void luna_record_segments(LunaRecord *record, MlirOperation op,
                          const int32_t *unfolded) {
  uint64_t present = 0;
  if (!luna_op_is_unit(op))
    return;
  for (intptr_t i = 0; i <= LUNA_ROLE_OUTPUT; ++i)
    if (i == LUNA_ROLE_BIAS
            ? has_bias(record->side, op, unfolded)
            : i != LUNA_ROLE_SCRATCH &&
                  luna_unit_operand_index(op, (LunaOperandRole)i) >= 0)
      present |= UINT64_C(1) << i;
  luna_record_word(record, present);
}

bool luna_record_bias(LunaRecord *record, MlirOperation op, intptr_t i,
                      const int32_t *unfolded) {
  if (!luna_op_is_unit(op) || i != luna_unit_operand_index(op, LUNA_ROLE_BIAS))
    return false;
  if (!has_bias(record->side, op, unfolded))
    return true;
  if (unfolded)
    record_unfolded(record, mlirOperationGetOperand(op, i), unfolded);
  return unfolded != NULL;
}
