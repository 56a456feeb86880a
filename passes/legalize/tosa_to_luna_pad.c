#include "luna-c/ops.h"
#include "luna/shape_window.h"
#include "mlir-c/BuiltinTypes.h"
#include "tosa_to_luna.h"

enum { HEIGHT = 0, WIDTH = 1, AXES = 2 };

//===----------------------------------------------------------------------===//
// Folding pads and slices Going back from the convolution, `source` is the
// tensor it would read; `low` and `high` are the numbers of zero points before
// and after that tensor on each axis or, if negative, of elements sliced off.
//===----------------------------------------------------------------------===//

typedef struct Window {
  MlirValue source;
  int64_t low[AXES], high[AXES];
} Window;

// A pad with the zero point extends the window in height and width.
static bool step_over_pad(MlirOperation op, const LunaTosaConv *conv,
                          Window *window) {
  int64_t pads[8], value = 0;
  if (!luna_tosa_list(mlirOperationGetOperand(op, 1), pads, 8) ||
      !luna_tosa_scalar(mlirOperationGetOperand(op, 2), &value) ||
      value != conv->input_zp || pads[0] || pads[1] || pads[6] || pads[7])
    return false;
  for (int axis = HEIGHT; axis < AXES; ++axis) {
    if (pads[2 + 2 * axis] < 0 || pads[3 + 2 * axis] < 0)
      return false;
    window->low[axis] += pads[2 + 2 * axis];
    window->high[axis] += pads[3 + 2 * axis];
  }
  return true;
}

// A slice removes elements; it must not do so where zero points already follow,
// since those would become the removed elements.
static bool step_over_slice(MlirOperation op, Window *window) {
  int64_t start[4], size[4];
  MlirValue whole = mlirOperationGetOperand(op, 0);
  if (!luna_tosa_list(mlirOperationGetOperand(op, 1), start, 4) ||
      !luna_tosa_list(mlirOperationGetOperand(op, 2), size, 4) ||
      size[0] != luna_tosa_dim(whole, 0) || size[3] != luna_tosa_dim(whole, 3))
    return false;
  for (int axis = HEIGHT; axis < AXES; ++axis) {
    int64_t before = start[1 + axis];
    int64_t after = luna_tosa_dim(whole, 1 + axis) - before - size[1 + axis];
    if ((before > 0 && window->low[axis] > 0) ||
        (after > 0 && window->high[axis] > 0))
      return false;
    window->low[axis] -= before;
    window->high[axis] -= after;
  }
  return true;
}

static bool step(const LunaTosaConv *conv, Window *window) {
  MlirOperation op = luna_defining_op(window->source);
  if (mlirOperationIsNull(op))
    return false;
  bool is_pad = luna_op_is(op, LUNA_OP_TOSA_PAD);
  if (!is_pad && !luna_op_is(op, LUNA_OP_TOSA_SLICE))
    return false;
  MlirValue input = mlirOperationGetOperand(op, 0);
  if (luna_tosa_width(input) != luna_tosa_width(conv->input))
    return false;
  if (!(is_pad ? step_over_pad(op, conv, window) : step_over_slice(op, window)))
    return false;
  window->source = input;
  return true;
}

// Computes the padding with which the convolution reads the window's source.
// The end needs no more than the last kernel position reaches; elements sliced
// off there must lie after it, or the output would have one more row or column.
static bool to_padding(const LunaTosaConv *conv, const Window *window,
                       int64_t *pad) {
  LunaTosaConv folded = *conv;
  for (int axis = HEIGHT; axis < AXES; ++axis) {
    int64_t extent = luna_tosa_dim(window->source, 1 + axis);
    int64_t reach = luna_window_reach(conv->kernel[axis], conv->dilation[axis]);
    int64_t end =
        luna_window_cover(conv->output[axis], reach, conv->stride[axis]) -
        window->low[axis] - extent;
    folded.pad[2 * axis] = window->low[axis];
    folded.pad[2 * axis + 1] = end > 0 ? end : 0;
    // The unit does not support a window of padding alone.
    if (window->low[axis] < 0 || window->low[axis] >= reach || end >= reach ||
        luna_tosa_conv_extent(&folded, extent, axis) != conv->output[axis])
      return false;
  }
  for (int i = 0; i < 4; ++i)
    pad[i] = folded.pad[i];
  return true;
}

static Window start_window(const LunaTosaConv *conv) {
  Window window = {.source = conv->input};
  for (int axis = HEIGHT; axis < AXES; ++axis) {
    window.low[axis] = conv->pad[2 * axis];
    window.high[axis] = conv->pad[2 * axis + 1];
  }
  return window;
}

// Returns true if the convolution `user` could read past `value`.
static bool conv_passes(MlirOperation user, MlirValue value) {
  LunaTosaConv conv;
  int64_t pad[4];
  if (!luna_tosa_conv(user, &conv) || conv.kind == LUNA_CONV_TRANSPOSED)
    return false;
  Window window = start_window(&conv);
  bool passed = false;
  while (true) {
    passed = passed || luna_same_value(window.source, value);
    if (!step(&conv, &window))
      return false;
    if (passed && to_padding(&conv, &window, pad))
      return true;
  }
}

// Returns true if every use of `value` ends in a convolution that could read
// past `through`; looks through pads and slices.
static bool all_uses_pass(MlirValue value, MlirValue through) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOpOperandGetOperandNumber(use) != 0)
      return false;
    bool passes = LUNA_OP_IS_ANY(user, LUNA_OP_TOSA_PAD, LUNA_OP_TOSA_SLICE)
                      ? all_uses_pass(mlirOperationGetResult(user, 0), through)
                      : conv_passes(user, through);
    if (!passes)
      return false;
  }
  return true;
}

void luna_tosa_fold_pads(LunaTosaConv *conv) {
  if (conv->kind == LUNA_CONV_TRANSPOSED)
    return;
  Window window = start_window(conv);
  LunaTosaConv folded = *conv;
  while (luna_is_used_once(window.source) ||
         all_uses_pass(window.source, window.source)) {
    if (!step(conv, &window))
      break;
    if (to_padding(conv, &window, folded.pad))
      folded.input = window.source;
  }
  *conv = folded;
}
