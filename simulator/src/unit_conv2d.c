#include "sim_judge.h"
#include "sim_product.h"
#include "sim_unit.h"

// Convolutions: their descriptors, and the calls that run them.

static LunaProductDesc product_of(const LunaConv2dDesc *desc) {
  return (LunaProductDesc){
      .input = &desc->input,
      .weight = &desc->weight,
      .bias = &desc->bias,
      .table = &desc->table,
      .scratch = &desc->scratch,
      .output = &desc->output,
      .input_zero_point = desc->input_zero_point,
      .weight_zero_point = desc->weight_zero_point,
      .requant = &desc->requant,
      .tiling = &desc->tiling,
  };
}

static const char *judge_shape(const LunaConv2dDesc *desc) {
  const int32_t *in = desc->input.dims, *out = desc->output.dims;
  const int32_t *weight = desc->weight.dims;
  if (!luna_judge_is_between(desc->kind, LUNA_CONV_NORMAL,
                             LUNA_CONV_TRANSPOSED))
    return "unknown kind of convolution";
  if (!luna_judge_are_between(desc->stride, 2, 1, 1 << 10) ||
      !luna_judge_are_between(desc->dilation, 2, 1, 1 << 10) ||
      !luna_judge_are_between(desc->pad, 4, -(1 << 20), 1 << 20))
    return "stride, dilation or padding out of range";
  if (in[0] != out[0])
    return "batches of input and output differ";
  if (desc->kind == LUNA_CONV_DEPTHWISE)
    return weight[2] != in[3] || (int64_t)weight[3] * in[3] != out[3]
               ? "channels of a depthwise convolution do not match"
               : NULL;
  return weight[3] != in[3] || weight[0] != out[3]
             ? "channels of a convolution do not match"
             : NULL;
}

const char *luna_sim_judge_conv2d(const LunaConv2dDesc *desc,
                                  const LunaKernelOperands *operands) {
  LunaProductDesc product = product_of(desc);
  const char *fault = luna_judge_product(&product);
  if (!fault)
    fault = judge_shape(desc);
  return fault ? fault : luna_judge_sums(&product, operands);
}

void luna_kernel_conv2d(const LunaConv2dDesc *desc,
                        const LunaKernelOperands *operands) {
  LunaArena arena = {0};
  int32_t word_count = 0;
  const LunaProductRecord *record =
      luna_launches_conv2d(desc, &arena, &word_count, NULL);
  if (record)
    luna_sim_unit_run(NULL, record, operands);
  luna_arena_destroy(&arena);
}

static void run(LunaSimCall *call, const LunaConv2dDesc *desc,
                const LunaProductRecord *launches,
                const LunaKernelOperands *operands) {
  LunaArena arena = {0};
  LunaError error = {0};
  int32_t word_count = 0;
  const LunaProductRecord *expected =
      luna_launches_conv2d(desc, &arena, &word_count, &error);
  luna_sim_product_run(call, expected, launches, &error, operands);
  luna_arena_destroy(&arena);
}

void luna_rt_conv2d(const LunaConv2dDesc *desc,
                    const LunaProductRecord *launches, const int32_t *ids,
                    const void *input, const void *weight, const void *bias,
                    const void *table, void *scratch, void *output) {
  LunaKernelOperands operands = {input, weight, bias, table, scratch, output};
  LunaProductDesc product = product_of(desc);
  LunaTiles tiles;
  luna_tiles_conv2d_begin(&tiles, desc);
  LunaSimCall call = {0};
  if (luna_sim_product_begin(&call, LUNA_UNIT_CONV2D, desc, ids, &product,
                             &operands) &&
      luna_sim_call_accept(&call, luna_sim_judge_conv2d(desc, &operands)) &&
      luna_sim_product_fits(&call, &product, &operands, &tiles))
    run(&call, desc, launches, &operands);
  luna_sim_call_finish(&call);
}
