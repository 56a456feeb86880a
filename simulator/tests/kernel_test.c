#include "kernel_reference.h"
#include "kernels.h"
#include "luna/core.h"
#include "luna/eltwise_rows.h"

// Pooling, elementwise operators, tables, copies and fills of random shape
// against loops written from the definition.

//===- Pooling ------------------------------------------------------------===//

// TOSA 1.0 reciprocal_scale.
static void reciprocal_scale(uint32_t value, int32_t *multiplier,
                             int32_t *shift) {
  int32_t k = 0;
  for (uint32_t v = value - 1; v != 0; v >>= 1)
    ++k; // 32 - count_leading_zeros(value - 1)
  int64_t numerator = (int64_t)((1 << 30) + 1) << k;
  *multiplier = (int32_t)(numerator / value);
  *shift = 30 + k;
}

static int64_t pooled(const LunaPoolDesc *desc, const Tensor *input, int32_t n,
                      int32_t oy, int32_t ox, int32_t c) {
  bool is_max = desc->kind == LUNA_POOL_MAX;
  int64_t low = desc->input.type == LUNA_TYPE_I8 ? -128 : -32768, high = ~low;
  int64_t best = low, sum = 0;
  uint32_t count = 0;
  for (int32_t ky = 0; ky < desc->kernel[0]; ++ky)
    for (int32_t kx = 0; kx < desc->kernel[1]; ++kx) {
      int32_t y = oy * desc->stride[0] - desc->pad[0] + ky;
      int32_t x = ox * desc->stride[1] - desc->pad[2] + kx;
      if (y < 0 || x < 0 || y >= desc->input.dims[1] ||
          x >= desc->input.dims[2])
        continue;
      int64_t value = tensor_get(input, n, y, x, c);
      best = value > best ? value : best;
      sum += value - desc->input_zero_point;
      ++count;
    }
  if (is_max)
    return best;
  int32_t multiplier, shift;
  reciprocal_scale(count, &multiplier, &shift);
  int64_t value =
      tosa_apply_scale(sum, multiplier, shift, false) + desc->output_zero_point;
  return value < low ? low : value > high ? high : value;
}

static LunaPoolDesc random_pool(Random *random) {
  int32_t type = random_in(random, 0, 3) ? LUNA_TYPE_I8 : LUNA_TYPE_I16;
  LunaPoolDesc desc = {.kind = random_in(random, 0, 1)};
  int32_t in[2], out[2];
  for (int i = 0; i < 2; ++i) {
    desc.kernel[i] = random_in(random, 1, 5);
    desc.stride[i] = random_in(random, 1, 3);
    // TOSA: padding is smaller than the kernel.
    desc.pad[2 * i] = random_in(random, 0, desc.kernel[i] - 1);
    desc.pad[2 * i + 1] = random_in(random, 0, desc.kernel[i] - 1);
    int32_t padding = desc.pad[2 * i] + desc.pad[2 * i + 1];
    out[i] = random_in(random, 1, 6);
    in[i] = (out[i] - 1) * desc.stride[i] + desc.kernel[i] - padding;
    if (in[i] < 1) {
      in[i] = desc.kernel[i];
      out[i] = (in[i] + padding - desc.kernel[i]) / desc.stride[i] + 1;
    }
  }
  int32_t n = random_in(random, 1, 2);
  int32_t c = random_in(random, 1, random_in(random, 0, 7) ? 20 : 200);
  desc.input = tensor_desc(type, n, in[0], in[1], c);
  desc.output = tensor_desc(type, n, out[0], out[1], c);
  if (type == LUNA_TYPE_I8 && desc.kind == LUNA_POOL_AVERAGE) {
    desc.input_zero_point = random_in(random, -128, 127);
    desc.output_zero_point = random_in(random, -128, 127);
  }
  return desc;
}

static void pooling_equals_its_definition(void) {
  Random random = {.state = 5};
  for (int i = 0; i < 600; ++i) {
    LunaPoolDesc desc = random_pool(&random);
    const int32_t *in = desc.input.dims, *out = desc.output.dims;
    Tensor input =
        tensor_random(&random, desc.input.type, in[0], in[1], in[2], in[3]);
    Tensor output = tensor_make(&random, desc.output);
    Tensor expected = tensor_twin(&output);
    desc.input = input.desc;
    desc.output = output.desc;
    LunaKernelOperands operands = {.input = input.bytes,
                                   .output = output.bytes};
    luna_kernel_pool(&desc, &operands);
    for (int32_t n = 0; n < out[0]; ++n)
      for (int32_t y = 0; y < out[1]; ++y)
        for (int32_t x = 0; x < out[2]; ++x)
          for (int32_t c = 0; c < out[3]; ++c)
            tensor_set(&expected, n, y, x, c,
                       pooled(&desc, &input, n, y, x, c));
    tensors_are_equal(&output, &expected);
    if (desc.kind == LUNA_POOL_AVERAGE) {
      memset(output.bytes, 0x5a, output.byte_count);
      desc.tiling.finish = 1;
      luna_core_pool(&desc, input.bytes, output.bytes);
      tensors_are_equal(&output, &expected);
    }
    free(input.bytes);
    free(output.bytes);
    free(expected.bytes);
  }
}

//===- Elementwise --------------------------------------------------------===//

typedef struct EltwiseCase {
  LunaEltwiseDesc desc;
  Tensor lhs, rhs, output, expected;
} EltwiseCase;

static Tensor random_operand(Random *random, const int32_t dims[4],
                             int32_t type) {
  int32_t d[4];
  for (int i = 0; i < 4; ++i)
    d[i] = random_in(random, 0, 4) == 0 ? 1 : dims[i];
  if (random_in(random, 0, 3) == 0) // padded
    d[3] = random_in(random, 1, d[3]);
  Tensor tensor = tensor_random(random, type, d[0], d[1], d[2], d[3]);
  if (type == LUNA_TYPE_I32)
    tensor_fill(random, &tensor, -1000, 1000);
  return tensor;
}

static void random_input_scale(Random *random, int32_t *multiplier,
                               int32_t *shift) {
  *multiplier = 0;
  *shift = 0;
  if (random_in(random, 0, 1)) {
    *multiplier = random_in(random, 1 << 30, INT32_MAX);
    *shift = random_in(random, 8, 50);
    if (random_in(random, 0, 1)) // a product of 16 bits
      *multiplier &= INT32_MIN >> 15;
  }
}

static EltwiseCase eltwise_case(Random *random) {
  int32_t dims[4], type = random_in(random, LUNA_TYPE_I8, LUNA_TYPE_I32);
  for (int i = 0; i < 4; ++i)
    dims[i] = random_in(random, 1, 5);
  if (random_in(random, 0, 7) == 0)
    dims[3] = random_in(random, 60, 200); // several pieces of the core's
  EltwiseCase test = {
      .lhs = random_operand(random, dims, type),
      .rhs = random_operand(random, dims, type),
  };
  LunaEltwiseDesc *desc = &test.desc;
  desc->kind = random_in(random, 0, 2);
  desc->lhs = test.lhs.desc;
  desc->rhs = test.rhs.desc;
  if (type == LUNA_TYPE_I8) {
    desc->lhs_zero_point = random_in(random, -128, 127);
    desc->rhs_zero_point = random_in(random, -128, 127);
  }
  if (random_in(random, 0, 7) == 0)
    desc->lhs_zero_point = random_in(random, -INT32_MAX / 2, INT32_MAX / 2);
  random_input_scale(random, &desc->lhs_multiplier, &desc->lhs_shift);
  random_input_scale(random, &desc->rhs_multiplier, &desc->rhs_shift);
  if (random_in(random, 0, 3) == 0) { // one scale, and perhaps a table
    desc->rhs_multiplier = desc->lhs_multiplier;
    desc->rhs_shift = desc->lhs_shift;
  }
  desc->input_rounding = random_in(random, 0, 1);
  int32_t out_type = LUNA_TYPE_I32;
  if (random_in(random, 0, 2)) {
    out_type = LUNA_TYPE_I8;
    desc->requant = random_requant(random, out_type, 20);
    desc->requant.per_channel = 0;
  }
  test.output = tensor_make(
      random, tensor_desc(out_type, dims[0], dims[1], dims[2], dims[3]));
  test.expected = tensor_twin(&test.output);
  desc->output = test.output.desc;
  return test;
}

static int64_t eltwise_input(const Tensor *tensor, const int32_t at[4],
                             int32_t zero_point, int32_t multiplier,
                             int32_t shift, int32_t rounding) {
  int32_t i[4];
  for (int k = 0; k < 4; ++k)
    i[k] = tensor->desc.dims[k] == 1 ? 0 : at[k];
  int64_t value = i[3] < tensor->desc.dims[3]
                      ? tensor_get(tensor, i[0], i[1], i[2], i[3]) - zero_point
                      : 0;
  return multiplier == 0
             ? value
             : (int32_t)tosa_apply_scale(value, multiplier, shift, rounding);
}

static int64_t eltwise_value(const EltwiseCase *test, const int32_t at[4]) {
  const LunaEltwiseDesc *desc = &test->desc;
  int64_t a =
      eltwise_input(&test->lhs, at, desc->lhs_zero_point, desc->lhs_multiplier,
                    desc->lhs_shift, desc->input_rounding);
  int64_t b =
      eltwise_input(&test->rhs, at, desc->rhs_zero_point, desc->rhs_multiplier,
                    desc->rhs_shift, desc->input_rounding);
  uint64_t bits = desc->kind == LUNA_ELTWISE_ADD   ? (uint64_t)a + (uint64_t)b
                  : desc->kind == LUNA_ELTWISE_SUB ? (uint64_t)a - (uint64_t)b
                                                   : (uint64_t)a * (uint64_t)b;
  return reference_requant(&desc->requant, NULL, (int32_t)(uint32_t)bits, 0);
}

static void elementwise_operators_equal_their_definition(void) {
  Random random = {.state = 9};
  int form_counts[LUNA_SCALE_SUM + 1] = {0};
  for (int i = 0; i < 1600; ++i) {
    EltwiseCase test = eltwise_case(&random);
    LunaKernelOperands operands = {.input = test.lhs.bytes,
                                   .weight = test.rhs.bytes,
                                   .output = test.output.bytes};
    luna_kernel_eltwise(&test.desc, &operands);
    const int32_t *dims = test.desc.output.dims;
    for (int32_t k = 0; k < dims[0] * dims[1] * dims[2] * dims[3]; ++k) {
      int32_t at[4] = {k / (dims[1] * dims[2] * dims[3]),
                       k / (dims[2] * dims[3]) % dims[1], k / dims[3] % dims[2],
                       k % dims[3]};
      tensor_set(&test.expected, at[0], at[1], at[2], at[3],
                 eltwise_value(&test, at));
    }
    tensors_are_equal(&test.output, &test.expected);
    memset(test.output.bytes, 0x5a, test.output.byte_count);
    test.desc.on_core = 1;
    ++form_counts[luna_eltwise_form(&test.desc)];
    luna_core_eltwise(&test.desc, test.lhs.bytes, test.rhs.bytes, NULL,
                      test.output.bytes);
    tensors_are_equal(&test.output, &test.expected);
    free(test.lhs.bytes);
    free(test.rhs.bytes);
    free(test.output.bytes);
    free(test.expected.bytes);
  }
  for (int form = 0; form <= LUNA_SCALE_SUM; ++form)
    CHECK(form_counts[form] > 0);
}

//===- Table, copy, fill --------------------------------------------------===//

static void tables_copies_and_fills_go_by_element(void) {
  Random random = {.state = 13};
  for (int round = 0; round < 200; ++round) {
    int32_t d[4];
    for (int i = 0; i < 4; ++i)
      d[i] = random_in(&random, 1, 6);
    int32_t type = random_in(&random, LUNA_TYPE_I8, LUNA_TYPE_I64);
    Tensor bytes = tensor_random(&random, LUNA_TYPE_I8, d[0], d[1], d[2], d[3]);
    Tensor table = tensor_random(&random, LUNA_TYPE_I8, 1, 1, 1, 256);
    Tensor source = tensor_random(&random, type, d[0], d[1], d[2], d[3]);
    Tensor looked_up = tensor_make(&random, bytes.desc);
    Tensor copied = tensor_make(&random, source.desc);
    Tensor filled = tensor_make(&random, source.desc);
    LunaTableDesc by_table = {
        .input = bytes.desc, .table = table.desc, .output = looked_up.desc};
    LunaCopyDesc copy = {.source = source.desc, .target = copied.desc};
    LunaFillDesc fill = {.target = filled.desc, .value_low = -3};
    fill.value_high = type == LUNA_TYPE_I64 ? -1 : 0;
    LunaKernelOperands operands = {
        .input = bytes.bytes, .table = table.bytes, .output = looked_up.bytes};
    Tensor on_core = tensor_twin(&looked_up);
    luna_kernel_table(&by_table, &operands);
    by_table.on_core = 1;
    luna_core_table(&by_table, bytes.bytes, table.bytes, on_core.bytes);
    tensors_are_equal(&on_core, &looked_up);
    free(on_core.bytes);
    luna_kernel_copy(&copy, source.bytes, copied.bytes);
    luna_kernel_fill(&fill, filled.bytes);
    for (int32_t i = 0; i < d[0]; ++i)
      for (int32_t j = 0; j < d[1]; ++j)
        for (int32_t k = 0; k < d[2]; ++k)
          for (int32_t l = 0; l < d[3]; ++l) {
            int32_t entry = (int32_t)tensor_get(&bytes, i, j, k, l) + 128;
            CHECK_EQ(tensor_get(&looked_up, i, j, k, l),
                     tensor_get(&table, 0, 0, 0, entry));
            CHECK_EQ(tensor_get(&copied, i, j, k, l),
                     tensor_get(&source, i, j, k, l));
            CHECK_EQ(tensor_get(&filled, i, j, k, l), -3);
          }
    Tensor *tensors[] = {&bytes, &table, &source, &looked_up, &copied, &filled};
    for (int i = 0; i < 6; ++i)
      free(tensors[i]->bytes);
  }
}

int main(void) {
  RUN_TEST(pooling_equals_its_definition);
  RUN_TEST(elementwise_operators_equal_their_definition);
  RUN_TEST(tables_copies_and_fills_go_by_element);
  return 0;
}
