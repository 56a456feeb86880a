#include "kernel_reference.h"
#include "luna/chain_cost.h"
#include "luna/core.h"
#include "luna/finish.h"
#include "sim_fixture.h"

// Sums, differences and products of two tensors by vector calls, as the core
// walks them piece by piece, against TOSA's text.

typedef struct SumCase {
  LunaEltwiseDesc desc;
  int8_t *lhs, *rhs, *output;
  int32_t *scratch;
} SumCase;

static LunaTensorDesc packed(int32_t rows, int32_t columns, int32_t channels) {
  LunaTensorDesc desc = tensor_desc(LUNA_TYPE_I8, 1, rows, columns, channels);
  return desc;
}

// The same elements, plane by plane.
static void set_planes(LunaTensorDesc *desc) {
  desc->strides[1] = desc->dims[2];
  desc->strides[2] = 1;
  desc->strides[3] = desc->dims[1] * desc->dims[2];
}

static int8_t *bytes_of(Random *random, const LunaTensorDesc *desc) {
  int32_t count = desc->dims[1] * desc->dims[2] * desc->dims[3];
  int8_t *bytes = malloc((size_t)count);
  for (int32_t i = 0; i < count; ++i)
    bytes[i] = (int8_t)random_in(random, -128, 127);
  return bytes;
}

static void set_input(Random *random, int32_t *zero_point, int32_t *multiplier,
                      int32_t *shift) {
  *zero_point = random_in(random, 0, 3) ? random_in(random, -128, 127) : -128;
  *multiplier =
      random_in(random, 0, 4) ? random_in(random, 1 << 30, INT32_MAX) : 0;
  *shift = random_in(random, 0, 3) ? random_in(random, 11, 31)
                                   : random_in(random, 32, 45);
}

static void set_output(Random *random, LunaRequantDesc *requant) {
  *requant = (LunaRequantDesc){
      .mode = LUNA_REQUANT_MULTIPLIER,
      .rounding = random_in(random, 0, 3) > 0,
      .multiplier = random_in(random, 1 << 30, INT32_MAX),
      .shift = random_in(random, 31, 51),
      .output_zero_point = random_in(random, -128, 127),
      .clamp_min = -128,
      .clamp_max = 127,
  };
  if (random_in(random, 0, 2) == 0)
    requant->output_zero_point = -128;
}

static SumCase sum_case(Random *random) {
  SumCase test = {0};
  LunaEltwiseDesc *desc = &test.desc;
  int32_t rows = random_in(random, 1, 5), columns = random_in(random, 1, 6);
  int32_t channels = random_in(random, 2, 9);
  desc->kind = random_in(random, LUNA_ELTWISE_ADD, LUNA_ELTWISE_MUL);
  desc->lhs = desc->rhs = desc->output = packed(rows, columns, channels);
  if (channels > 2 && random_in(random, 0, 2) == 0) {
    LunaTensorDesc narrow =
        packed(rows, columns, random_in(random, 2, channels - 1));
    *(random_in(random, 0, 1) ? &desc->lhs : &desc->rhs) = narrow;
  }
  if (random_in(random, 0, 1)) {
    set_planes(&desc->lhs);
    set_planes(&desc->rhs);
    set_planes(&desc->output);
  }
  set_input(random, &desc->lhs_zero_point, &desc->lhs_multiplier,
            &desc->lhs_shift);
  set_input(random, &desc->rhs_zero_point, &desc->rhs_multiplier,
            &desc->rhs_shift);
  desc->input_rounding = random_in(random, 0, 1);
  set_output(random, &desc->requant);
  test.lhs = bytes_of(random, &desc->lhs);
  test.rhs = bytes_of(random, &desc->rhs);
  test.output = bytes_of(random, &desc->output);
  return test;
}

static void free_case(SumCase *test) {
  free(test->lhs);
  free(test->rhs);
  free(test->output);
  free(test->scratch);
}

static int64_t input_at(const int8_t *bytes, const LunaTensorDesc *desc,
                        int32_t place, int32_t channel, int32_t zero_point,
                        int32_t multiplier, int32_t shift, int32_t rounding) {
  int64_t value = 0;
  if (channel < desc->dims[3])
    value = bytes[place / desc->dims[2] * desc->strides[1] +
                  place % desc->dims[2] * desc->strides[2] +
                  channel * desc->strides[3]] -
            zero_point;
  return multiplier == 0 ? value
                         : tosa_apply_scale(value, multiplier, shift, rounding);
}

static int64_t expected_at(const SumCase *test, int32_t place,
                           int32_t channel) {
  const LunaEltwiseDesc *desc = &test->desc;
  int64_t a =
      input_at(test->lhs, &desc->lhs, place, channel, desc->lhs_zero_point,
               desc->lhs_multiplier, desc->lhs_shift, desc->input_rounding);
  int64_t b =
      input_at(test->rhs, &desc->rhs, place, channel, desc->rhs_zero_point,
               desc->rhs_multiplier, desc->rhs_shift, desc->input_rounding);
  int64_t sum = desc->kind == LUNA_ELTWISE_ADD   ? a + b
                : desc->kind == LUNA_ELTWISE_SUB ? a - b
                                                 : a * b;
  return reference_requant(&desc->requant, NULL, sum, 0);
}

// Gives the operator a scratch for some of its elements.
static void set_scratch(Random *random, SumCase *test) {
  const int32_t *dims = test->desc.output.dims;
  int32_t rows = dims[1] * dims[2];
  int32_t bytes = 9 * dims[3] * random_in(random, 1, rows);
  test->scratch = malloc((size_t)bytes + 4);
  test->desc.scratch = tensor_desc(LUNA_TYPE_I8, 1, 1, 1, bytes);
}

enum {
  PADDED,
  PADDED_PLANES,
  PLANES,
  PIECES,
  TWICE,
  SUMS,
  DIFFERENCES,
  PRODUCTS,
  FORMS
};

static void count_forms(const LunaEltwiseDesc *desc,
                        const LunaEltwiseChain *chain, int32_t forms[FORMS]) {
  forms[PADDED] += chain->padded != LUNA_VECTOR_NOWHERE;
  forms[PADDED_PLANES] += chain->covered < chain->elements;
  forms[PLANES] += desc->output.strides[3] > 1;
  forms[PIECES] += chain->piece < chain->elements;
  forms[TWICE] += desc->input_rounding == LUNA_ROUND_DOUBLE &&
                  ((desc->lhs_multiplier != 0 && desc->lhs_shift > 31) ||
                   (desc->rhs_multiplier != 0 && desc->rhs_shift > 31));
  forms[SUMS] += desc->kind == LUNA_ELTWISE_ADD;
  forms[DIFFERENCES] += desc->kind == LUNA_ELTWISE_SUB;
  forms[PRODUCTS] += desc->kind == LUNA_ELTWISE_MUL;
}

static void check_case(LunaSimulator *sim, const LunaMachine *machine,
                       SumCase *test) {
  const LunaEltwiseDesc *desc = &test->desc;
  luna_simulator_begin_run(sim);
  luna_core_eltwise(desc, test->lhs, test->rhs, test->scratch, test->output);
  const LunaRunResult *result = luna_simulator_end_run(sim);
  LunaCost cost = luna_cost_eltwise(machine, desc);
  CHECK_EQ(result->compute_cycles, cost.unit_cycles);
  CHECK_EQ(result->launches, cost.launches);
  const int32_t *dims = desc->output.dims;
  for (int32_t i = 0; i < dims[1] * dims[2]; ++i)
    for (int32_t c = 0; c < dims[3]; ++c)
      CHECK_EQ(input_at(test->output, &desc->output, i, c, 0, 0, 0, 0),
               expected_at(test, i, c));
}

static void chains_equal_their_definition(void) {
  Random random = {.state = 31};
  int32_t forms[FORMS] = {0};
  LunaMachine machine;
  CHECK(luna_machine_load("arcs", NULL, &machine, NULL));
  LunaSimulator *sim = luna_simulator_create(&machine, NULL);
  for (int32_t i = 0; i < 6000; ++i) {
    LunaEltwiseChain chain;
    SumCase test = sum_case(&random);
    set_scratch(&random, &test);
    if (luna_eltwise_is_chain(&machine, &test.desc, &chain)) {
      count_forms(&test.desc, &chain, forms);
      check_case(sim, &machine, &test);
    }
    free_case(&test);
  }
  luna_simulator_destroy(sim);
  for (int form = 0; form < FORMS; ++form)
    CHECK(forms[form] > 200);
}

// A sum as TensorFlow Lite has it, of 16,384 elements: seven calls a piece.
static void the_cheaper_place_is_chosen(void) {
  LunaMachine machine;
  CHECK(luna_machine_load("venus", NULL, &machine, NULL));
  LunaEltwiseDesc desc = {.lhs = packed(32, 32, 16),
                          .rhs = packed(32, 32, 16),
                          .output = packed(32, 32, 16),
                          .lhs_zero_point = 5,
                          .lhs_multiplier = 1 << 30,
                          .lhs_shift = 11,
                          .rhs_zero_point = -7,
                          .rhs_multiplier = 1886099825,
                          .rhs_shift = 14,
                          .requant = {.mode = LUNA_REQUANT_MULTIPLIER,
                                      .rounding = LUNA_ROUND_DOUBLE,
                                      .multiplier = 1690146859,
                                      .shift = 48,
                                      .output_zero_point = -128,
                                      .clamp_min = -128,
                                      .clamp_max = 127}};
  LunaEltwiseChain chain;
  CHECK_EQ(luna_finish_eltwise_bytes(&machine, &desc, LUNA_PLACE_CORE, 16384),
           0);
  CHECK_EQ(luna_finish_eltwise_bytes(&machine, &desc, LUNA_PLACE_AUTO, 16384),
           16384);
  CHECK(luna_eltwise_chain(&desc, &chain));
  CHECK_EQ(chain.chain.count, 7);
  // Too small to be worth the calls.
  desc.lhs = desc.rhs = desc.output = packed(1, 1, 16);
  CHECK_EQ(luna_finish_eltwise_bytes(&machine, &desc, LUNA_PLACE_AUTO, 16384),
           0);
  CHECK_EQ(luna_finish_eltwise_bytes(&machine, &desc, LUNA_PLACE_UNIT, 16384),
           128);
}

int main(void) {
  RUN_TEST(chains_equal_their_definition);
  RUN_TEST(the_cheaper_place_is_chosen);
  return 0;
}
