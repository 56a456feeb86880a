#include "kernel_reference.h"
#include "luna/core.h"

// Rows of random sums, requantised, against TOSA's text, at the ends of 32 bits
// and of every range, too.

enum { COUNT = 37, ROWS = 20000 / LUNA_TEST_SHARE };

typedef struct RowCase {
  LunaRequantDesc desc;
  Tensor table, output, expected;
  int32_t sums[COUNT];
} RowCase;

// Numbers of any size, the ends of 32 bits among them.
static int32_t any_sum(Random *random) {
  static const int32_t ends[] = {INT32_MIN, INT32_MIN + 1, -1,       0,
                                 1,         INT32_MAX - 1, INT32_MAX};
  if (random_in(random, 0, 7) == 0)
    return ends[random_in(random, 0, 6)];
  uint32_t bits = (uint32_t)random_in(random, 0, INT32_MAX - 1) << 1 |
                  (uint32_t)random_in(random, 0, 1);
  int32_t sum;
  memcpy(&sum, &bits, sizeof sum);
  return sum >> random_in(random, 0, 31);
}

static int32_t any_multiplier(Random *random) {
  int32_t multiplier = any_sum(random);
  return random_in(random, 0, 3) == 0 ? multiplier
         : multiplier == INT32_MIN    ? INT32_MAX
                                      : abs(multiplier);
}

// Of at least `least`.
static int32_t any_shift(Random *random, int32_t least) {
  return random_in(random, 0, 3) == 0
             ? random_in(random, least, 62)
             : random_in(random, least > 28 ? least : 28, 40);
}

// A range of the output's type; now and then one of 32 bits, with a zero point
// that leaves no value in it.
static void set_range(Random *random, LunaRequantDesc *desc, int32_t type) {
  int32_t bits = 8 * luna_element_bytes(type);
  int32_t high = (int32_t)((INT64_C(1) << (bits - 1)) - 1), low = -high - 1;
  desc->clamp_min = low;
  desc->clamp_max = high;
  desc->output_zero_point = type == LUNA_TYPE_I8 ? random_in(random, low, high)
                            : random_in(random, 0, 2) ? 0
                                                      : any_sum(random);
  if (random_in(random, 0, 1))
    return;
  int32_t a = low + (int32_t)((uint32_t)any_sum(random) & (uint32_t)high);
  int32_t b = low + (int32_t)((uint32_t)any_sum(random) & (uint32_t)high);
  desc->clamp_min = a < b ? a : b;
  desc->clamp_max = a < b ? b : a;
}

static RowCase row_case(Random *random, LunaRequantMode mode) {
  int32_t type = random_in(random, LUNA_TYPE_I8, LUNA_TYPE_I32);
  if (mode == LUNA_REQUANT_FLOAT)
    type = random_in(random, LUNA_TYPE_I8, LUNA_TYPE_I16);
  RowCase test = {.desc = {.mode = mode,
                           .rounding = random_in(random, 0, 1),
                           .per_channel = mode != LUNA_REQUANT_SHIFT &&
                                          random_in(random, 0, 1),
                           .multiplier = any_multiplier(random),
                           .shift = any_shift(random, 0)}};
  if (mode == LUNA_REQUANT_SHIFT)
    test.desc.shift = random_in(random, -20, 60);
  if (mode == LUNA_REQUANT_FLOAT)
    test.desc.multiplier = random_scale(random, 40);
  set_range(random, &test.desc, type);
  if (mode == LUNA_REQUANT_FLOAT)
    test.desc.output_zero_point = random_in(random, -128, 127);
  for (int i = 0; i < COUNT; ++i)
    test.sums[i] = any_sum(random);
  test.table = tensor_make(random, tensor_desc(LUNA_TYPE_I32, 1, 1, 2, COUNT));
  int32_t least = random_in(random, 0, 1) ? 33 : 0;
  for (int c = 0; c < COUNT; ++c) {
    tensor_set(&test.table, 0, 0, 0, c, any_multiplier(random));
    tensor_set(&test.table, 0, 0, 1, c, any_shift(random, least));
  }
  set_scales(random, &test.desc, &test.table, 40);
  test.output = tensor_make(random, tensor_desc(type, 1, 1, 1, COUNT));
  test.expected = tensor_twin(&test.output);
  return test;
}

// As reference_requant, for any shift and beyond 64 bits in between: a quotient
// rounded towards minus infinity, wrapped to 32 bits.
static int64_t expected_of(const RowCase *test, int32_t i) {
  LunaRequantDesc desc = test->desc;
  if (desc.mode != LUNA_REQUANT_MULTIPLIER)
    return reference_requant(&desc, &test->table, test->sums[i], i);
  if (desc.per_channel) {
    desc.multiplier = (int32_t)tensor_get(&test->table, 0, 0, 0, i);
    desc.shift = (int32_t)tensor_get(&test->table, 0, 0, 1, i);
  }
  int64_t scaled = desc.shift == 0
                       ? (int64_t)test->sums[i] * desc.multiplier
                       : tosa_apply_scale(test->sums[i], desc.multiplier,
                                          desc.shift, desc.rounding);
  int64_t value = (int32_t)(uint32_t)(uint64_t)scaled;
  value += desc.output_zero_point;
  return value < desc.clamp_min   ? desc.clamp_min
         : value > desc.clamp_max ? desc.clamp_max
                                  : value;
}

static void check_row(RowCase *test) {
  const LunaTensorDesc *out = &test->output.desc, *table = &test->table.desc;
  const int32_t *entries = (const int32_t *)test->table.bytes;
  LunaCoreRequant requant = luna_core_requant_of(&test->desc);
  LunaCoreChannels channels = luna_core_channels(
      entries, entries + table->strides[2], table->strides[3], COUNT);
  luna_core_requant_row(&requant, &channels, test->sums, COUNT,
                        test->output.bytes, out->type, out->strides[3]);
  for (int32_t i = 0; i < COUNT; ++i)
    tensor_set(&test->expected, 0, 0, 0, i, expected_of(test, i));
  tensors_are_equal(&test->output, &test->expected);
  free(test->table.bytes);
  free(test->output.bytes);
  free(test->expected.bytes);
}

static void check_rows(LunaRequantMode mode) {
  Random random = {.state = 17};
  for (int i = 0; i < ROWS; ++i) {
    RowCase test = row_case(&random, mode);
    check_row(&test);
  }
}

static void shifts_round_half_up(void) { check_rows(LUNA_REQUANT_SHIFT); }

static void multipliers_scale_as_tosa_does(void) {
  check_rows(LUNA_REQUANT_MULTIPLIER);
}

static void scales_round_half_to_even(void) { check_rows(LUNA_REQUANT_FLOAT); }

static void scales_of_any_size_end_in_the_range(void) {
  static const float scales[] = {0.0f,   -1.0f,    1e30f,     -1e30f,
                                 1e-30f, INFINITY, -INFINITY, NAN};
  static const int32_t sums[] = {INT32_MIN, -1, 0, 1, INT32_MAX};
  for (size_t k = 0; k < sizeof scales / sizeof scales[0]; ++k) {
    LunaRequantDesc desc = {
        .mode = LUNA_REQUANT_FLOAT, .clamp_min = -100, .clamp_max = 100};
    memcpy(&desc.multiplier, &scales[k], sizeof scales[k]);
    LunaCoreRequant requant = luna_core_requant_of(&desc);
    int8_t found[5];
    luna_core_requant_row(&requant, NULL, sums, 5, found, LUNA_TYPE_I8, 1);
    for (int i = 0; i < 5; ++i) {
      float value = (float)sums[i] * scales[k];
      int expected = value > 100.0f    ? 100
                     : value > -100.0f ? (int)rintf(value)
                                       : -100;
      CHECK_EQ(found[i], expected);
    }
  }
}

static void sums_are_stored_in_any_type(void) {
  static const int32_t sums[] = {INT32_MIN, -129, -1, 127, 40000, INT32_MAX};
  const LunaRequantDesc desc = {.mode = LUNA_REQUANT_NONE};
  LunaCoreRequant requant = luna_core_requant_of(&desc);
  int64_t wide[12];
  int16_t shorts[6];
  luna_core_requant_row(&requant, NULL, sums, 6, wide, LUNA_TYPE_I64, 2);
  luna_core_requant_row(&requant, NULL, sums, 6, shorts, LUNA_TYPE_I16, 1);
  for (int i = 0; i < 6; ++i) {
    CHECK_EQ(wide[2 * i], sums[i]);
    CHECK_EQ(shorts[i], (int16_t)(uint16_t)(sums[i] & 0xffff));
  }
}

static void rows_scale_in_place(void) {
  Random random = {.state = 23};
  for (int i = 0; i < ROWS; ++i) {
    int32_t values[COUNT], before[COUNT];
    int32_t multiplier = any_multiplier(&random), shift = any_shift(&random, 0);
    int32_t rounding = random_in(&random, 0, 1);
    for (int k = 0; k < COUNT; ++k)
      values[k] = before[k] = any_sum(&random);
    luna_core_scale_row(values, COUNT, multiplier, shift, rounding);
    for (int k = 0; k < COUNT; ++k) {
      int64_t scaled =
          shift == 0 ? (int64_t)before[k] * multiplier
                     : tosa_apply_scale(before[k], multiplier, shift, rounding);
      CHECK_EQ(values[k], (int32_t)(uint32_t)(uint64_t)scaled);
    }
  }
}

int main(void) {
  RUN_TEST(shifts_round_half_up);
  RUN_TEST(multipliers_scale_as_tosa_does);
  RUN_TEST(scales_round_half_to_even);
  RUN_TEST(scales_of_any_size_end_in_the_range);
  RUN_TEST(sums_are_stored_in_any_type);
  RUN_TEST(rows_scale_in_place);
  return 0;
}
