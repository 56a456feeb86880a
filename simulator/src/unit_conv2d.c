#include "luna/border.h"
#include "luna/core.h"
#include "luna/weight_layout.h"
#include "sim_judge.h"
#include "sim_product.h"

// Convolutions: their descriptors, and the calls that run them.

static const char *judge_packed(const LunaConv2dDesc *desc) {
  int32_t extents[LUNA_WEIGHT_AXES];
  if (!luna_judge_are_between(desc->weight_kernel, 2, 1, 1 << 10))
    return "kernel out of range";
  luna_conv2d_weights(desc, extents);
  return desc->weight.dims[3] ==
                 luna_weight_layout_count(desc->weight_layout, extents)
             ? NULL
             : "packed weights do not have the size of their layout";
}

static const char *judge_channels(const LunaConv2dDesc *desc) {
  const int32_t *in = desc->input.dims, *out = desc->output.dims;
  const int32_t *weight = desc->weight.dims;
  if (luna_weights_are_packed(desc->weight_layout))
    return judge_packed(desc);
  if (desc->kind == LUNA_CONV_DEPTHWISE)
    return weight[2] != in[3] || (int64_t)weight[3] * in[3] != out[3]
               ? "channels of a depthwise convolution do not match"
               : NULL;
  return weight[3] != in[3] || weight[0] != out[3]
             ? "channels of a convolution do not match"
             : NULL;
}

static const char *judge_shape(const LunaConv2dDesc *desc) {
  if (!luna_judge_is_between(desc->kind, LUNA_CONV_NORMAL,
                             LUNA_CONV_TRANSPOSED))
    return "unknown kind of convolution";
  if (!luna_judge_are_between(desc->stride, 2, 1, 1 << 10) ||
      !luna_judge_are_between(desc->dilation, 2, 1, 1 << 10) ||
      !luna_judge_are_between(desc->pad, 4, -(1 << 20), 1 << 20))
    return "stride, dilation or padding out of range";
  return desc->input.dims[0] == desc->output.dims[0]
             ? judge_channels(desc)
             : "batches of input and output differ";
}

static const LunaProductRecord *launches_of(const void *desc, LunaArena *arena,
                                            int32_t *word_count,
                                            LunaError *error) {
  return luna_launches_conv2d(desc, arena, word_count, error);
}

static LunaSimProduct product_of(const LunaConv2dDesc *desc) {
  LunaSimProduct product = {
      .unit_class = LUNA_UNIT_CONV2D,
      .desc = desc,
      .input = &desc->input,
      .weight = &desc->weight,
      .bias = &desc->bias,
      .table = &desc->table,
      .scratch = &desc->scratch,
      .output = &desc->output,
      .input_zero_point = desc->input_zero_point,
      .weight_zero_point = desc->weight_zero_point,
      .classes = luna_border_classes(desc),
      .requant = &desc->requant,
      .tiling = &desc->tiling,
      .shape_fault = judge_shape(desc),
      .launches = launches_of,
  };
  luna_tiles_conv2d_begin(&product.tiles, desc);
  return product;
}

const char *luna_sim_judge_conv2d(const LunaConv2dDesc *desc,
                                  const LunaKernelOperands *operands) {
  LunaSimProduct product = product_of(desc);
  return luna_sim_product_judge(&product, operands);
}

void luna_kernel_conv2d(const LunaConv2dDesc *desc,
                        const LunaKernelOperands *operands) {
  LunaSimProduct product = product_of(desc);
  luna_sim_product_compute(&product, operands);
}

void luna_rt_conv2d(const LunaConv2dDesc *desc,
                    const LunaProductRecord *launches, const int32_t *ids,
                    const void *input, const void *weight, const void *bias,
                    const void *table, void *scratch, void *output) {
  LunaKernelOperands operands = {input, weight, bias, table, scratch, output};
  if (!desc) { // a program without checks
    luna_core_product(launches, &operands);
    return;
  }
  LunaSimProduct product = product_of(desc);
  luna_sim_product_call(&product, launches, ids, &operands);
}
