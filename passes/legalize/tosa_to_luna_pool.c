#include <string.h>

#include "luna-c/ops.h"
#include "tosa_to_luna.h"

static bool read_pool(MlirOperation op, bool average, LunaTosaPool *pool) {
  MlirValue result = mlirOperationGetResult(op, 0);
  *pool = (LunaTosaPool){.input = mlirOperationGetOperand(op, 0)};
  unsigned width = luna_tosa_width(pool->input);
  if ((width != 8 && width != 16) || luna_tosa_width(result) != width ||
      !luna_tosa_has_images(pool->input) ||
      !luna_attr_ints(op, "kernel", pool->kernel, 2) ||
      !luna_attr_ints(op, "stride", pool->stride, 2) ||
      !luna_attr_ints(op, "pad", pool->pad, 4))
    return false;
  return !average ||
         (luna_tosa_scalar(mlirOperationGetOperand(op, 1), &pool->input_zp) &&
          luna_tosa_scalar(mlirOperationGetOperand(op, 2), &pool->output_zp));
}

// Takes a pad with the lowest value into the padding of a max pooling, which
// alone reads it: that is no larger than any element, and each window has one.
static void absorb_pad(LunaTosaPool *pool) {
  MlirOperation pad = luna_defining_op(pool->input);
  int64_t pads[8], value = 0, sums[4];
  int64_t lowest = -(INT64_C(1) << (luna_tosa_width(pool->input) - 1));
  if (!luna_op_is(pad, LUNA_OP_TOSA_PAD) || !luna_is_used_once(pool->input) ||
      !luna_tosa_list(mlirOperationGetOperand(pad, 1), pads, 8) ||
      !luna_tosa_scalar(mlirOperationGetOperand(pad, 2), &value) ||
      value != lowest || pads[0] || pads[1] || pads[6] || pads[7])
    return;
  for (int i = 0; i < 4; ++i) {
    sums[i] = pool->pad[i] + pads[2 + i];
    if (pads[2 + i] < 0 || sums[i] >= pool->kernel[i / 2])
      return;
  }
  memcpy(pool->pad, sums, sizeof sums);
  pool->input = mlirOperationGetOperand(pad, 0);
}

bool luna_tosa_rewrite_pool(const LunaTosaChain *chain) {
  MlirOperation op = chain->root;
  bool average = luna_op_is(op, LUNA_OP_TOSA_AVG_POOL2D);
  LunaTosaPool pool;
  if ((!average && !luna_op_is(op, LUNA_OP_TOSA_MAX_POOL2D)) ||
      !read_pool(op, average, &pool))
    return false;
  if (average && luna_tosa_rewrite_average(chain, &pool))
    return true;
  if (!average)
    absorb_pad(&pool);
  MlirContext context = mlirOperationGetContext(op);
  LunaTosaUnit spec = {
      .name = average ? "luna.avg_pool2d" : "luna.max_pool2d",
      .builder = luna_builder_before(chain->root, op),
      .inputs = {pool.input},
      .input_count = 1,
  };
  LunaTosaAttrs *attributes = &spec.attributes;
  luna_tosa_add_ints(attributes, context, "kernel", pool.kernel, 2, 0);
  luna_tosa_add_ints(attributes, context, "stride", pool.stride, 2, 0);
  luna_tosa_add_ints(attributes, context, "pad", pool.pad, 4, 0);
  luna_tosa_add_int(attributes, context, "input_zp", pool.input_zp, 0);
  luna_tosa_add_int(attributes, context, "output_zp", pool.output_zp, 0);
  if (!average && chain->wants_calls)
    return luna_tosa_replace_pool(chain, &spec);
  luna_tosa_replace_images(op, &spec);
  return true;
}
