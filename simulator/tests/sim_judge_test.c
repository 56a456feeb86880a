#include "check.h"
#include "kernels.h"
#include "luna/border.h"
#include "luna/weight_layout.h"
#include "tile_random.h"

// Each way in which a descriptor can contradict itself, one change at a time.

static void expect(const char *found, const char *expected) {
  CHECK(found != NULL);
  CHECK_STR(found, expected);
}

//===- Convolution --------------------------------------------------------===//

static LunaConv2dDesc sound_conv(int32_t kind) {
  const int32_t shape[6] = {4, 4, 3, 2, 3, 3}, pad[4] = {1, 1, 1, 1};
  LunaConv2dDesc desc = conv_desc(kind, shape, 1, 1, 1, 1, pad);
  int32_t channels = desc.output.dims[3];
  desc.output.type = LUNA_TYPE_I8;
  desc.bias = tensor_desc(LUNA_TYPE_I32, 1, 1, 1, channels);
  desc.table = tensor_desc(LUNA_TYPE_I32, 1, 1, 2, channels);
  desc.requant = (LunaRequantDesc){.mode = LUNA_REQUANT_MULTIPLIER,
                                   .per_channel = 1,
                                   .clamp_min = -128,
                                   .clamp_max = 127};
  return desc;
}

static const int32_t bias[6] = {0};
static const int32_t table[12] = {1, 2, 3, 4, 5, 6, 0, 31, 62, 31, 31, 31};

static const LunaKernelOperands none = {0};

static const char *judge_conv(const LunaConv2dDesc *desc, const void *biases,
                              const void *words) {
  LunaKernelOperands operands = {.bias = biases, .table = words};
  return luna_sim_judge_conv2d(desc, &operands);
}

// Two output channels: the shifts are words 2 and 3.
static void refused_conv(const LunaConv2dDesc *desc, const char *expected) {
  static const int32_t words[4] = {1, 2, 30, 31};
  expect(judge_conv(desc, bias, words), expected);
}

static void sound_convolutions_pass(void) {
  for (int kind = LUNA_CONV_NORMAL; kind <= LUNA_CONV_TRANSPOSED; ++kind) {
    LunaConv2dDesc desc = sound_conv(kind);
    CHECK(judge_conv(&desc, bias, table) == NULL);
    CHECK(judge_conv(&desc, NULL, table) == NULL);
  }
}

static void operands_of_a_convolution_fit(void) {
  LunaConv2dDesc desc = sound_conv(LUNA_CONV_NORMAL);
  desc.input.type = LUNA_TYPE_I32;
  refused_conv(&desc, "multiplies types that are not int8 or int16");
  desc = sound_conv(LUNA_CONV_NORMAL);
  desc.weight.type = LUNA_TYPE_I16;
  refused_conv(&desc, "multiplies int8 by int16");
  desc = sound_conv(LUNA_CONV_NORMAL);
  desc.input.dims[1] = 0;
  refused_conv(&desc, "operand with an empty or huge extent");
  desc = sound_conv(LUNA_CONV_NORMAL);
  desc.input.dims[1] = desc.input.dims[2] = 1 << 13;
  refused_conv(&desc, "operand with an empty or huge extent");
  desc = sound_conv(LUNA_CONV_NORMAL);
  desc.pad[0] = 1 << 21;
  refused_conv(&desc, "stride, dilation or padding out of range");
  desc = sound_conv(LUNA_CONV_NORMAL);
  desc.output.dims[0] = 2;
  refused_conv(&desc, "batches of input and output differ");
  desc = sound_conv(LUNA_CONV_DEPTHWISE);
  desc.output.dims[3] = 5;
  refused_conv(&desc, "channels of a depthwise convolution do not match");
  desc = sound_conv(LUNA_CONV_TRANSPOSED);
  desc.weight.dims[3] = 2;
  refused_conv(&desc, "channels of a convolution do not match");
  desc = sound_conv(LUNA_CONV_NORMAL);
  CHECK(luna_weight_layout_read("OhwI2o8i", desc.weight_layout));
  refused_conv(&desc, "kernel out of range");
  desc.weight_kernel[0] = desc.weight_kernel[1] = 1;
  refused_conv(&desc, "packed weights do not have the size of their layout");
  desc = sound_conv(LUNA_CONV_NORMAL);
  desc.bias.dims[3] = 3;
  refused_conv(&desc, "bias is not int32 or int64, one for each channel");
}

// Rows of a bias are those of the classes of borders, without a zero point.
static void borders_have_rows(void) {
  static const char *const text =
      "bias has not a row for each class of borders";
  LunaConv2dDesc desc = sound_conv(LUNA_CONV_NORMAL);
  desc.input_zero_point = 0;
  for (int i = 0; i < 4; ++i)
    desc.pad[i] = 1;
  for (int i = 1; i < 3; ++i) {
    desc.output.dims[i] = desc.input.dims[i] + 2 - desc.weight.dims[i] + 1;
    desc.stride[i - 1] = desc.dilation[i - 1] = 1;
  }
  desc.bias.dims[2] = luna_border_classes(&desc);
  CHECK(desc.bias.dims[2] > 1);
  CHECK(judge_conv(&desc, bias, table) == NULL);
  desc.input_zero_point = 1;
  refused_conv(&desc, text);
  desc.input_zero_point = 0;
  desc.bias.dims[2] -= 1;
  refused_conv(&desc, text);
}

static void requantisation_is_known(void) {
  LunaConv2dDesc desc = sound_conv(LUNA_CONV_NORMAL);
  desc.output.type = LUNA_TYPE_I64;
  refused_conv(&desc, "requantises to a type that is not int8, int16 or int32");
  desc = sound_conv(LUNA_CONV_NORMAL);
  desc.requant.clamp_min = 128;
  refused_conv(&desc, "clamps to an empty range");
  desc = sound_conv(LUNA_CONV_NORMAL);
  desc.requant.mode = LUNA_REQUANT_SHIFT;
  refused_conv(&desc, "shifts per channel");
  desc = sound_conv(LUNA_CONV_NORMAL);
  desc.requant.rounding = 2;
  refused_conv(&desc, "unknown rounding");
  desc = sound_conv(LUNA_CONV_NORMAL);
  desc.requant.per_channel = 0;
  desc.requant.shift = -1;
  refused_conv(&desc, "shift is not between 0 and 62");
}

static void tables_have_a_row_of_shifts(void) {
  static const int32_t words[4] = {1, 2, 30, 63};
  LunaConv2dDesc desc = sound_conv(LUNA_CONV_NORMAL);
  expect(judge_conv(&desc, bias, words),
         "requantisation table has a shift that is not between 0 and 62");
  desc.table.dims[2] = 1;
  expect(judge_conv(&desc, bias, words),
         "requantisation table is not int32 of 2 rows, one for each channel");
}

//===- The others ---------------------------------------------------------===//

static void matrices_fit(void) {
  LunaMatmulDesc desc = {.lhs = tensor_desc(LUNA_TYPE_I8, 1, 2, 3, 4),
                         .rhs = tensor_desc(LUNA_TYPE_I8, 1, 2, 4, 5),
                         .output = tensor_desc(LUNA_TYPE_I32, 1, 2, 3, 5)};
  CHECK(luna_sim_judge_matmul(&desc, &none) == NULL);
  desc.rhs_transposed = 1;
  expect(luna_sim_judge_matmul(&desc, &none), "matrices do not fit each other");
  desc.rhs = tensor_desc(LUNA_TYPE_I8, 1, 2, 5, 4);
  CHECK(luna_sim_judge_matmul(&desc, &none) == NULL);
  desc.rhs_zero_point = -129;
  expect(luna_sim_judge_matmul(&desc, &none),
         "zero point does not fit its type");
}

static void elementwise_operands_broadcast(void) {
  const LunaEltwiseDesc sound = {.lhs = tensor_desc(LUNA_TYPE_I8, 1, 2, 3, 4),
                                 .rhs = tensor_desc(LUNA_TYPE_I8, 1, 1, 1, 4),
                                 .output =
                                     tensor_desc(LUNA_TYPE_I32, 1, 2, 3, 4)};
  LunaEltwiseDesc desc = sound;
  CHECK(luna_sim_judge_eltwise(&desc, &none) == NULL);
  desc.kind = 3;
  expect(luna_sim_judge_eltwise(&desc, &none), "unknown elementwise operator");
  desc = sound;
  desc.output.dims[0] = 1 << 25;
  expect(luna_sim_judge_eltwise(&desc, &none), "operand with a huge extent");
  desc = sound;
  desc.lhs.type = LUNA_TYPE_I64;
  expect(luna_sim_judge_eltwise(&desc, &none),
         "operand is not int8, int16 or int32");
  desc = sound;
  desc.rhs.dims[3] = 2; // padded
  CHECK(luna_sim_judge_eltwise(&desc, &none) == NULL);
  desc.rhs.dims[3] = 5;
  expect(luna_sim_judge_eltwise(&desc, &none),
         "operand does not broadcast to the output");
  desc.rhs.dims[3] = 0;
  expect(luna_sim_judge_eltwise(&desc, &none),
         "operand does not broadcast to the output");
  desc = sound;
  desc.rhs.dims[2] = 2;
  expect(luna_sim_judge_eltwise(&desc, &none),
         "operand does not broadcast to the output");
  desc = sound;
  desc.rhs_shift = 63;
  expect(luna_sim_judge_eltwise(&desc, &none),
         "input scale has an unknown rounding or a shift not between 0 and 62");
  desc = sound;
  desc.requant =
      (LunaRequantDesc){.mode = LUNA_REQUANT_MULTIPLIER, .per_channel = 1};
  expect(luna_sim_judge_eltwise(&desc, &none),
         "elementwise operator requantises per channel");
  desc = sound;
  desc.scratch = tensor_desc(LUNA_TYPE_I8, 1, 1, 1, 8);
  CHECK(luna_sim_judge_eltwise(&desc, &none) == NULL);
  desc.lhs_multiplier = 1 << 30; // shifted there
  desc.lhs_shift = 31;
  expect(luna_sim_judge_eltwise(&desc, &none),
         "the scratch of its descriptor is missing");
}

static void pooling_keeps_channels(void) {
  const LunaPoolDesc sound = {.input = tensor_desc(LUNA_TYPE_I8, 1, 4, 4, 3),
                              .output = tensor_desc(LUNA_TYPE_I8, 1, 2, 2, 3),
                              .kernel = {2, 2},
                              .stride = {2, 2}};
  LunaPoolDesc desc = sound;
  CHECK(luna_sim_judge_pool(&desc, &none) == NULL);
  desc.kind = 2;
  expect(luna_sim_judge_pool(&desc, &none), "unknown kind of pooling");
  desc = sound;
  desc.output.type = LUNA_TYPE_I16;
  expect(luna_sim_judge_pool(&desc, &none),
         "operand is not int8, int16 or int32, or types differ");
  desc = sound;
  desc.output.dims[1] = 0;
  expect(luna_sim_judge_pool(&desc, &none),
         "operand with an empty or huge extent");
  desc = sound;
  desc.stride[1] = 0;
  expect(luna_sim_judge_pool(&desc, &none),
         "kernel, stride or padding out of range");
  desc = sound;
  desc.output.dims[1] = 1 << 21;
  desc.stride[0] = 1 << 10;
  expect(luna_sim_judge_pool(&desc, &none),
         "window beyond 2^30 rows or columns");
  desc = sound;
  desc.output.dims[3] = 2;
  expect(luna_sim_judge_pool(&desc, &none),
         "batches or channels of input and output differ");
}

static void tables_and_copies_keep_shapes(void) {
  LunaTableDesc look_up = {.input = tensor_desc(LUNA_TYPE_I8, 1, 1, 2, 3),
                           .table = tensor_desc(LUNA_TYPE_I8, 1, 1, 1, 256),
                           .output = tensor_desc(LUNA_TYPE_I8, 1, 1, 2, 3)};
  CHECK(luna_sim_judge_table(&look_up, &none) == NULL);
  look_up.output.dims[3] = 2;
  expect(luna_sim_judge_table(&look_up, &none),
         "shapes of input and output differ");
  look_up.table.dims[3] = 255;
  expect(luna_sim_judge_table(&look_up, &none),
         "activation table does not have 256 entries");
  look_up.table.type = LUNA_TYPE_I16;
  expect(luna_sim_judge_table(&look_up, &none),
         "activation by table is not int8 to int8");
  LunaCopyDesc copy = {.source = tensor_desc(LUNA_TYPE_F32, 1, 1, 2, 3),
                       .target = tensor_desc(LUNA_TYPE_I32, 1, 1, 2, 3)};
  CHECK(luna_sim_judge_copy(&copy) == NULL);
  copy.target.dims[3] = 2;
  expect(luna_sim_judge_copy(&copy), "shapes of source and target differ");
  copy.target.type = LUNA_TYPE_I8;
  expect(luna_sim_judge_copy(&copy), "types of source and target differ");
  LunaFillDesc fill = {.target = tensor_desc(LUNA_TYPE_I8, 1, 1, 1, 1 << 25)};
  expect(luna_sim_judge_fill(&fill), "operand with a huge extent");
}

int main(void) {
  RUN_TEST(sound_convolutions_pass);
  RUN_TEST(operands_of_a_convolution_fit);
  RUN_TEST(borders_have_rows);
  RUN_TEST(requantisation_is_known);
  RUN_TEST(tables_have_a_row_of_shifts);
  RUN_TEST(matrices_fit);
  RUN_TEST(elementwise_operands_broadcast);
  RUN_TEST(pooling_keeps_channels);
  RUN_TEST(tables_and_copies_keep_shapes);
  return 0;
}
