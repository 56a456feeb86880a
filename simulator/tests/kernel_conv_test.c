#include "kernel_reference.h"
#include "kernels.h"
#include "luna/finish.h"
#include "luna/slots.h"

// Convolutions and matrix products of random shape and tiling against loops
// written from the definition.

typedef struct ConvCase {
  LunaConv2dDesc desc;
  Tensor input, weight, bias, table, output, expected;
  bool has_bias;
  void *scratch;
} ConvCase;

static int64_t conv_product(const ConvCase *test, int32_t n, int32_t iy,
                            int32_t ix, int32_t ic, int32_t oc, int32_t ky,
                            int32_t kx) {
  const LunaConv2dDesc *desc = &test->desc;
  int32_t multiplier = desc->weight.dims[3];
  int64_t weight = desc->kind == LUNA_CONV_DEPTHWISE
                       ? tensor_get(&test->weight, ky, kx, ic, oc % multiplier)
                       : tensor_get(&test->weight, oc, ky, kx, ic);
  int64_t input = tensor_get(&test->input, n, iy, ix, ic);
  return (input - desc->input_zero_point) * (weight - desc->weight_zero_point);
}

// The input row (or column) that an output and a tap meet at; false if none.
static bool conv_meet(const ConvCase *test, int axis, int32_t out, int32_t tap,
                      int32_t *in) {
  const LunaConv2dDesc *desc = &test->desc;
  int32_t stride = desc->stride[axis], pad = desc->pad[2 * axis];
  if (desc->kind == LUNA_CONV_TRANSPOSED) {
    // in * stride + pad + tap == out
    for (*in = 0; *in < desc->input.dims[1 + axis]; ++*in)
      if (*in * stride + pad + tap == out)
        return true;
    return false;
  }
  *in = out * stride - pad + tap * desc->dilation[axis];
  return *in >= 0 && *in < desc->input.dims[1 + axis];
}

static int64_t conv_sum(const ConvCase *test, int32_t n, int32_t oy, int32_t ox,
                        int32_t oc) {
  const LunaConv2dDesc *desc = &test->desc;
  bool is_depthwise = desc->kind == LUNA_CONV_DEPTHWISE;
  const int32_t *kernel = desc->weight.dims + (is_depthwise ? 0 : 1);
  int32_t channels = desc->input.dims[3], iy, ix;
  int64_t sum = test->has_bias
                    ? tensor_get(&test->bias, 0, 0, 0,
                                 test->bias.desc.dims[3] == 1 ? 0 : oc)
                    : 0;
  for (int32_t ky = 0; ky < kernel[0]; ++ky)
    for (int32_t kx = 0; kx < kernel[1]; ++kx) {
      if (!conv_meet(test, 0, oy, ky, &iy) || !conv_meet(test, 1, ox, kx, &ix))
        continue;
      if (is_depthwise)
        sum += conv_product(test, n, iy, ix, oc / desc->weight.dims[3], oc, ky,
                            kx);
      else
        for (int32_t ic = 0; ic < channels; ++ic)
          sum += conv_product(test, n, iy, ix, ic, oc, ky, kx);
    }
  return sum;
}

static void conv_reference(const ConvCase *test) {
  const int32_t *dims = test->desc.output.dims;
  for (int32_t n = 0; n < dims[0]; ++n)
    for (int32_t oy = 0; oy < dims[1]; ++oy)
      for (int32_t ox = 0; ox < dims[2]; ++ox)
        for (int32_t oc = 0; oc < dims[3]; ++oc)
          tensor_set(&test->expected, n, oy, ox, oc,
                     reference_requant(&test->desc.requant, &test->table,
                                       conv_sum(test, n, oy, ox, oc), oc));
}

static void conv_fill_operands(Random *random, ConvCase *test) {
  LunaConv2dDesc *desc = &test->desc;
  bool is_wide = desc->input.type == LUNA_TYPE_I16;
  int32_t channels = desc->output.dims[3];
  test->input = tensor_make(random, desc->input);
  // Small enough for sums of 32 bits, which partial sums have.
  tensor_fill(random, &test->input, is_wide ? -1000 : -128,
              is_wide ? 1000 : 127);
  test->weight = tensor_make(random, desc->weight);
  tensor_fill(random, &test->weight, -128, 127);
  test->bias = tensor_random(random, LUNA_TYPE_I32, 1, 1, 1,
                             random_in(random, 0, 3) ? channels : 1);
  test->has_bias = random_in(random, 0, 3) > 0;
  test->table = random_table(random, channels, 22);
  set_scales(random, &desc->requant, &test->table, 22);
  test->output = tensor_make(random, desc->output);
  test->expected = tensor_twin(&test->output);
  desc->input = test->input.desc;
  desc->weight = test->weight.desc;
  desc->bias = test->bias.desc;
  desc->table = test->table.desc;
  desc->output = test->output.desc;
}

static LunaMachine venus;

// Parameters as converters write them: normalised multipliers.
static void set_table(Random *random, const Tensor *table) {
  for (int32_t c = 0; c < table->desc.dims[3]; ++c) {
    tensor_set(table, 0, 0, 0, c, random_in(random, 1 << 30, INT32_MAX));
    tensor_set(table, 0, 0, 1, c, random_in(random, 32, 45));
  }
}

// Returns a form by which vector calls of venus finish the sums, the core if
// there is none.
static LunaFinish finish_of(Random *random, LunaUnitClass unit_class,
                            const void *desc, const LunaRequantDesc *requant,
                            const Tensor *table) {
  int32_t first = random_in(random, 0, 2), step = random_in(random, 1, 2);
  for (int32_t i = 0; i < 3; ++i) {
    LunaFinish finish = (LunaFinish)(LUNA_FINISH_UNIT + (first + i * step) % 3);
    if (!luna_finish_is_legal(&venus, unit_class, desc, finish))
      continue;
    if (requant->per_channel)
      set_table(random, table);
    return finish;
  }
  return LUNA_FINISH_CORE;
}

static ConvCase conv_case(Random *random) {
  ConvCase test = {.desc = random_conv(random, 9)};
  LunaConv2dDesc *desc = &test.desc;
  int32_t batches = random_in(random, 0, 3) == 0 ? 2 : 1;
  bool is_wide = random_in(random, 0, 4) == 0;
  desc->input.dims[0] = desc->output.dims[0] = batches;
  desc->input.type = is_wide ? LUNA_TYPE_I16 : LUNA_TYPE_I8;
  if (!is_wide) {
    desc->input_zero_point = random_in(random, -128, 127);
    desc->weight_zero_point =
        random_in(random, 0, 1) ? random_in(random, -128, 127) : 0;
  }
  if (random_in(random, 0, 4) > 0) {
    desc->output.type = is_wide ? LUNA_TYPE_I16 : LUNA_TYPE_I8;
    desc->requant = random_requant(random, desc->output.type, 22);
    if (random_in(random, 0, 1)) { // as converters quantise channels
      desc->requant.mode = LUNA_REQUANT_MULTIPLIER;
      desc->requant.rounding = LUNA_ROUND_DOUBLE;
      desc->requant.per_channel = 1;
    }
  }
  if (random_in(random, 0, 3) > 0)
    desc->tiling = random_tiling(random, desc);
  desc->tiling.finish = random_in(random, 0, 1);
  conv_fill_operands(random, &test);
  if (random_in(random, 0, 3)) {
    LunaFinish finish =
        finish_of(random, LUNA_UNIT_CONV2D, desc, &desc->requant, &test.table);
    if (finish != LUNA_FINISH_CORE)
      desc->tiling.finish = finish;
  }
  size_t sums = (size_t)desc->output.dims[1] * (size_t)desc->output.dims[2] *
                (size_t)desc->output.dims[3];
  test.scratch = malloc(sums * 16);
  memset(test.scratch, 0xee, sums * 16);
  desc->tiling.scratch_bytes = (int32_t)sums * 16;
  if (!luna_slots_check_conv2d(desc, NULL))
    desc->tiling.slots = 1;
  return test;
}

static void conv_check(ConvCase *test) {
  LunaKernelOperands operands = {
      .input = test->input.bytes,
      .weight = test->weight.bytes,
      .bias = test->has_bias ? test->bias.bytes : NULL,
      .table = test->table.bytes,
      .scratch = test->scratch,
      .output = test->output.bytes,
  };
  luna_kernel_conv2d(&test->desc, &operands);
  conv_reference(test);
  tensors_are_equal(&test->output, &test->expected);
  Tensor *tensors[] = {&test->input, &test->weight, &test->bias,
                       &test->table, &test->output, &test->expected};
  for (int i = 0; i < 6; ++i)
    free(tensors[i]->bytes);
  free(test->scratch);
}

static void convolutions_of_any_tiling_equal_their_definition(void) {
  Random random = {.state = 7};
  int finishes[LUNA_FINISH_STRIPS + 1] = {0}, by_channel = 0;
  for (int i = 0; i < 4000; ++i) {
    ConvCase test = conv_case(&random);
    ++finishes[test.desc.tiling.finish];
    by_channel += test.desc.tiling.finish == LUNA_FINISH_UNIT &&
                  test.desc.requant.per_channel;
    conv_check(&test);
  }
  CHECK(finishes[LUNA_FINISH_FUSED] > 100);
  CHECK(finishes[LUNA_FINISH_CORE] > 100);
  CHECK(finishes[LUNA_FINISH_UNIT] > 100);
  CHECK(by_channel > 20);
  CHECK(finishes[LUNA_FINISH_PLANES] > 20);
  CHECK(finishes[LUNA_FINISH_STRIPS] > 20);
}

static void sums_of_int16_have_more_than_32_bits(void) {
  Random random = {.state = 3};
  int32_t shape[6] = {3, 3, 40, 5, 3, 3}, pad[4] = {0, 0, 0, 0};
  for (int kind = LUNA_CONV_NORMAL; kind <= LUNA_CONV_TRANSPOSED; ++kind) {
    ConvCase test = {.desc = conv_desc(kind, shape, 1, 1, 1, 1, pad)};
    test.desc.input.type = test.desc.weight.type = LUNA_TYPE_I16;
    test.desc.output.type = LUNA_TYPE_I64;
    conv_fill_operands(&random, &test);
    tensor_fill(&random, &test.input, 30000, 32767);
    tensor_fill(&random, &test.weight, 30000, 32767);
    test.scratch = malloc(1);
    int32_t middle = test.desc.output.dims[1] / 2;
    CHECK(conv_sum(&test, 0, middle, middle, 0) > INT32_MAX);
    conv_check(&test);
  }
}

static void long_dots_do_not_overflow(void) {
  // 40,000 products of 255 * 255: more than 31 bits, as the unit wraps.
  enum { DEPTH = 40000 };
  static int8_t lhs[DEPTH], rhs[DEPTH];
  memset(lhs, 127, DEPTH);
  memset(rhs, 127, DEPTH);
  LunaMatmulDesc desc = {
      .lhs = tensor_desc(LUNA_TYPE_I8, 1, 1, 1, DEPTH),
      .rhs = tensor_desc(LUNA_TYPE_I8, 1, 1, 1, DEPTH),
      .rhs_transposed = 1,
      .output = tensor_desc(LUNA_TYPE_I32, 1, 1, 1, 1),
      .lhs_zero_point = -128,
      .rhs_zero_point = -128,
  };
  int32_t output = 0;
  LunaKernelOperands operands = {
      .input = lhs, .weight = rhs, .output = &output};
  luna_kernel_matmul(&desc, &operands);
  CHECK_EQ(output, 255ll * 255 * DEPTH - (1ll << 32));
}

//===- Matrix products ----------------------------------------------------===//

typedef struct MatmulCase {
  LunaMatmulDesc desc;
  Tensor lhs, rhs, bias, table, output, expected;
} MatmulCase;

static void matmul_reference(const MatmulCase *test, bool has_bias) {
  const LunaMatmulDesc *desc = &test->desc;
  const int32_t *dims = desc->output.dims;
  for (int32_t n = 0; n < dims[1]; ++n)
    for (int32_t h = 0; h < dims[2]; ++h)
      for (int32_t w = 0; w < dims[3]; ++w) {
        int64_t sum = has_bias ? tensor_get(&test->bias, 0, 0, 0, w) : 0;
        for (int32_t c = 0; c < desc->lhs.dims[3]; ++c) {
          int64_t right = desc->rhs_transposed
                              ? tensor_get(&test->rhs, 0, n, w, c)
                              : tensor_get(&test->rhs, 0, n, c, w);
          sum += (tensor_get(&test->lhs, 0, n, h, c) - desc->lhs_zero_point) *
                 (right - desc->rhs_zero_point);
        }
        tensor_set(&test->expected, 0, n, h, w,
                   reference_requant(&desc->requant, &test->table, sum, w));
      }
}

static MatmulCase matmul_case(Random *random) {
  int32_t n = random_in(random, 1, 3), h = random_in(random, 1, 9);
  int32_t c = random_in(random, 1, 40), w = random_in(random, 1, 9);
  bool is_wide = random_in(random, 0, 4) == 0;
  bool is_transposed = random_in(random, 0, 1);
  int32_t type = is_wide ? LUNA_TYPE_I16 : LUNA_TYPE_I8;
  MatmulCase test = {
      .lhs = tensor_random(random, type, 1, n, h, c),
      .rhs = tensor_random(random, LUNA_TYPE_I8, 1, n, is_transposed ? w : c,
                           is_transposed ? c : w),
      .bias = tensor_random(random, LUNA_TYPE_I32, 1, 1, 1, w),
      .table = random_table(random, w, 22),
      .output = tensor_make(random, tensor_desc(type, 1, n, h, w)),
  };
  if (is_wide)
    tensor_fill(random, &test.lhs, -1000, 1000);
  test.expected = tensor_twin(&test.output);
  test.desc = (LunaMatmulDesc){
      .lhs = test.lhs.desc,
      .rhs = test.rhs.desc,
      .rhs_transposed = is_transposed,
      .bias = test.bias.desc,
      .table = test.table.desc,
      .output = test.output.desc,
      .lhs_zero_point = is_wide ? 0 : random_in(random, -128, 127),
      .rhs_zero_point = is_wide ? 0 : random_in(random, -128, 127),
      .requant = random_requant(random, type, 22),
      .tiling = {.out_h = random_in(random, 1, h),
                 .out_w = random_in(random, 1, w),
                 .in_c = random_in(random, 1, c),
                 .finish = random_in(random, 0, 1)},
  };
  set_scales(random, &test.desc.requant, &test.table, 22);
  return test;
}

static void products_of_any_tiling_equal_their_definition(void) {
  Random random = {.state = 11};
  int on_unit = 0;
  for (int i = 0; i < 600; ++i) {
    MatmulCase test = matmul_case(&random);
    bool has_bias = random_in(&random, 0, 1);
    int32_t scratch[3 * 81];
    LunaFinish finish = finish_of(&random, LUNA_UNIT_MATMUL, &test.desc,
                                  &test.desc.requant, &test.table);
    if (finish != LUNA_FINISH_CORE) {
      test.desc.tiling.finish = finish;
      ++on_unit;
    }
    LunaKernelOperands operands = {
        .input = test.lhs.bytes,
        .weight = test.rhs.bytes,
        .bias = has_bias ? test.bias.bytes : NULL,
        .table = test.table.bytes,
        .scratch = scratch,
        .output = test.output.bytes,
    };
    luna_kernel_matmul(&test.desc, &operands);
    matmul_reference(&test, has_bias);
    tensors_are_equal(&test.output, &test.expected);
    Tensor *tensors[] = {&test.lhs,   &test.rhs,    &test.bias,
                         &test.table, &test.output, &test.expected};
    for (int k = 0; k < 6; ++k)
      free(tensors[k]->bytes);
  }
  CHECK(on_unit > 50);
}

int main(void) {
  CHECK(luna_machine_load("venus", NULL, &venus, NULL));
  RUN_TEST(convolutions_of_any_tiling_equal_their_definition);
  RUN_TEST(sums_of_int16_have_more_than_32_bits);
  RUN_TEST(long_dots_do_not_overflow);
  RUN_TEST(products_of_any_tiling_equal_their_definition);
  return 0;
}
