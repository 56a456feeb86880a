#include "kernel_reference.h"
#include "luna/vector_chain.h"
#include "unit_vector.h"

// The chains that finish the sums of products, call by call, against TOSA's
// text: sums of any size, half of them ties, through every form of a chain. One
// call of a chain left out is seen.

enum { ROWS = 4, CHANNELS = 8, COUNT = ROWS * CHANNELS };

typedef struct ChainCase {
  LunaRequantDesc requant;
  int32_t type; // of the output
  LunaFinish finish;
  LunaVectorChain chain;
  Tensor table;
  int32_t deepest; // of the shifts of channels, beyond 31
  int32_t sums[COUNT];
  int64_t found[COUNT];
} ChainCase;

//===- Cases --------------------------------------------------------------===//

static int32_t any_sum(Random *random) {
  uint32_t bits = (uint32_t)random_in(random, 0, INT32_MAX - 1) << 1 |
                  (uint32_t)random_in(random, 0, 1);
  int32_t sum;
  memcpy(&sum, &bits, sizeof sum);
  return sum >> random_in(random, 0, 31);
}

// A sum that the multiplier and shift bring as near to a half as they can.
static int32_t tie(Random *random, int32_t multiplier, int32_t shift) {
  int64_t halves = 2 * random_in(random, -200, 199) + 1;
  double sum = ldexp((double)halves, shift - 1) / (multiplier + 1.0);
  int64_t near = (int64_t)floor(sum) + random_in(random, 0, 1);
  return near > INT32_MAX   ? INT32_MAX
         : near < INT32_MIN ? INT32_MIN
                            : (int32_t)near;
}

// Sums lie in rows of channels or in planes.
static int32_t channel_of(const ChainCase *test, int32_t i) {
  return test->finish == LUNA_FINISH_UNIT ? i % CHANNELS : i / ROWS;
}

static void set_range(Random *random, ChainCase *test) {
  int32_t high = test->type == LUNA_TYPE_I8 ? 127 : 32767;
  LunaRequantDesc *requant = &test->requant;
  requant->clamp_min = -high - 1;
  requant->clamp_max = high;
  requant->output_zero_point =
      test->type == LUNA_TYPE_I8 ? random_in(random, -128, 127) : 0;
  switch (random_in(random, 0, 4)) {
  case 0: // as after ReLU
    requant->output_zero_point = requant->clamp_min;
    return;
  case 1:
    requant->clamp_min = requant->output_zero_point;
    return;
  case 2:
    requant->clamp_min = random_in(random, -high - 1, 0);
    return;
  case 3:
    requant->clamp_min = random_in(random, -high - 1, 0);
    requant->clamp_max = random_in(random, 0, high);
    return;
  default:
    return;
  }
}

static void set_scale(Random *random, int32_t least, int32_t *multiplier,
                      int32_t *shift) {
  *multiplier = random_in(random, 0, 3) ? random_in(random, 1 << 30, INT32_MAX)
                                        : 1 << random_in(random, 20, 30);
  *shift = random_in(random, least, LUNA_CHAIN_SHIFT_MAX);
}

static ChainCase chain_case(Random *random) {
  ChainCase test = {.type =
                        random_in(random, 0, 4) ? LUNA_TYPE_I8 : LUNA_TYPE_I16};
  LunaRequantDesc *requant = &test.requant;
  requant->mode =
      random_in(random, 0, 5) ? LUNA_REQUANT_MULTIPLIER : LUNA_REQUANT_SHIFT;
  requant->rounding = random_in(random, 0, 3) > 0;
  requant->per_channel = random_in(random, 0, 2) > 0;
  test.finish =
      (LunaFinish)(LUNA_FINISH_UNIT +
                   (requant->per_channel ? random_in(random, 0, 2) : 0));
  set_range(random, &test);
  set_scale(random, 31, &requant->multiplier, &requant->shift);
  if (requant->mode == LUNA_REQUANT_SHIFT) {
    requant->per_channel = 0;
    test.finish = LUNA_FINISH_UNIT;
    requant->shift = random_in(random, 1, 22);
  }
  bool has_signs = requant->clamp_min < requant->output_zero_point;
  test.table = random_table(random, CHANNELS, 22);
  for (int32_t c = 0; c < CHANNELS; ++c) {
    int32_t multiplier, shift;
    set_scale(random, has_signs ? 32 : 31, &multiplier, &shift);
    tensor_set(&test.table, 0, 0, 0, c, multiplier);
    tensor_set(&test.table, 0, 0, 1, c, shift);
    test.deepest = shift - 31 > test.deepest ? shift - 31 : test.deepest;
  }
  for (int32_t i = 0; i < COUNT; ++i) {
    int32_t c = channel_of(&test, i);
    int32_t multiplier = requant->per_channel
                             ? (int32_t)tensor_get(&test.table, 0, 0, 0, c)
                             : requant->multiplier;
    int32_t shift = requant->per_channel
                        ? (int32_t)tensor_get(&test.table, 0, 0, 1, c)
                        : requant->shift;
    if (requant->mode == LUNA_REQUANT_SHIFT)
      multiplier = 1;
    test.sums[i] = i % 2 ? any_sum(random) : tie(random, multiplier, shift);
  }
  return test;
}

//===- Running ------------------------------------------------------------===//

// What the calls read and write.
typedef struct Memory {
  int32_t sums[COUNT], other[COUNT], output[COUNT], ones[ROWS];
  int32_t multipliers[CHANNELS], powers[CHANNELS];
} Memory;

static void call_once(const ChainCase *test, const LunaVectorCall *call,
                      Memory *memory, int32_t first, int32_t count) {
  uint8_t *output = (uint8_t *)memory->output;
  void *const at[LUNA_VECTOR_PLACE_COUNT] = {
      [LUNA_VECTOR_SUMS] = memory->sums + first,
      [LUNA_VECTOR_OTHER] = memory->other + first,
      [LUNA_VECTOR_OUTPUT] = output + first * luna_element_bytes(test->type),
      [LUNA_VECTOR_MULTIPLIERS] = memory->multipliers,
      [LUNA_VECTOR_POWERS] = memory->powers,
      [LUNA_VECTOR_ONES] = memory->ones,
  };
  const LunaVectorOperands operands = {
      .input = at[call->input],
      .other = at[call->other],
      .output = at[call->output],
      .count = count,
      .columns = test->finish == LUNA_FINISH_STRIPS ? ROWS : CHANNELS};
  luna_kernel_vector(call, &operands);
}

static void shift_by(LunaVectorCall *call, int32_t shift) {
  call->shift = (uint8_t)shift;
  call->scalar *= 1 << shift;
}

static void call_all(const ChainCase *test, LunaVectorCall call,
                     Memory *memory) {
  const LunaVectorCall given = call;
  if (call.scope == LUNA_VECTOR_DEEPEST)
    shift_by(&call, test->deepest);
  if (call.scope != LUNA_VECTOR_PLANE)
    call_once(test, &call, memory, 0,
              call.output == LUNA_VECTOR_ONES ? ROWS : COUNT);
  for (int32_t c = 0; call.scope == LUNA_VECTOR_PLANE && c < CHANNELS; ++c) {
    LunaVectorCall own = given;
    if (own.name == LUNA_CALL_SCALE)
      own.scalar = memory->multipliers[c];
    else
      shift_by(&own, (int32_t)tensor_get(&test->table, 0, 0, 1, c) - 31);
    call_once(test, &own, memory, c * ROWS, ROWS);
  }
}

// Runs the chain without call `left_out`, and reads what it wrote.
static void run(ChainCase *test, int32_t left_out) {
  Memory memory = {{0}, {0}, {0}, {0}, {0}, {0}};
  memcpy(memory.sums, test->sums, sizeof memory.sums);
  for (int32_t c = 0; c < CHANNELS; ++c) {
    memory.multipliers[c] = (int32_t)tensor_get(&test->table, 0, 0, 0, c);
    memory.powers[c] = 1 << (31 + test->deepest -
                             (int32_t)tensor_get(&test->table, 0, 0, 1, c));
  }
  for (int32_t i = 0; i < test->chain.count; ++i)
    if (i != left_out)
      call_all(test, test->chain.calls[i], &memory);
  for (int32_t i = 0; i < COUNT; ++i)
    luna_load_longs(&test->found[i],
                    (uint8_t *)memory.output +
                        i * luna_element_bytes(test->type),
                    test->type, 0, 1, 0);
}

static int32_t differences(const ChainCase *test) {
  int32_t count = 0;
  for (int32_t i = 0; i < COUNT; ++i)
    count +=
        test->found[i] != reference_requant(&test->requant, &test->table,
                                            test->sums[i], channel_of(test, i));
  return count;
}

static bool has_call(const LunaVectorChain *chain, LunaCallName name) {
  for (int32_t i = 0; i < chain->count; ++i)
    if (chain->calls[i].name == name)
      return true;
  return false;
}

//===- Tests --------------------------------------------------------------===//

enum {
  BY_TENSOR,
  BY_SHIFT,
  BY_CHANNEL,
  BY_PLANE,
  BY_STRIP,
  WITH_SIGNS,
  WITHOUT,
  CLAMPED,
  FORMS
};

static void count_forms(const ChainCase *test, int32_t forms[FORMS]) {
  const LunaVectorChain *chain = &test->chain;
  ++forms[test->requant.per_channel
              ? BY_CHANNEL + (int)(test->finish - LUNA_FINISH_UNIT)
          : has_call(chain, LUNA_CALL_SCALE) ? BY_TENSOR
                                             : BY_SHIFT];
  ++forms[has_call(chain, LUNA_CALL_SUB) ? WITH_SIGNS : WITHOUT];
  forms[CLAMPED] += chain->calls[chain->count - 1].input == LUNA_VECTOR_OUTPUT;
}

static void chains_equal_their_definition(void) {
  Random random = {.state = 23};
  int32_t forms[FORMS] = {0}, without_signs = 0, legal = 0;
  for (int32_t i = 0; i < 45000; ++i) {
    ChainCase test = chain_case(&random);
    if (luna_chain_of_product(&test.chain, test.finish, &test.requant,
                              test.type)) {
      ++legal;
      count_forms(&test, forms);
      run(&test, -1);
      CHECK_EQ(differences(&test), 0);
      for (int32_t k = 0; k < test.chain.count; ++k)
        if (test.chain.calls[k].name == LUNA_CALL_SUB) {
          run(&test, k);
          without_signs += differences(&test) > 0;
        }
    }
    free(test.table.bytes);
  }
  for (int form = 0; form < FORMS; ++form)
    CHECK(forms[form] > 1000);
  CHECK(legal > 20000);
  CHECK(without_signs > 5000);
}

// What no calls compute, or none exactly.
static void other_requantisations_have_no_chain(void) {
  const LunaRequantDesc good = {.mode = LUNA_REQUANT_MULTIPLIER,
                                .rounding = LUNA_ROUND_DOUBLE,
                                .multiplier = 1 << 30,
                                .shift = 40,
                                .clamp_min = -128,
                                .clamp_max = 127};
  LunaVectorChain chain;
  CHECK(luna_chain_of_product(&chain, LUNA_FINISH_UNIT, &good, LUNA_TYPE_I8));
  CHECK_EQ(chain.count, 4);
  CHECK(!luna_chain_of_product(&chain, LUNA_FINISH_UNIT, &good, LUNA_TYPE_I64));
  LunaRequantDesc bad = good;
  bad.mode = LUNA_REQUANT_FLOAT;
  CHECK(!luna_chain_of_product(&chain, LUNA_FINISH_UNIT, &bad, LUNA_TYPE_I8));
  bad = good;
  bad.shift = 30; // may have more than 32 bits
  CHECK(!luna_chain_of_product(&chain, LUNA_FINISH_UNIT, &bad, LUNA_TYPE_I8));
  bad = good;
  bad.multiplier = -1;
  CHECK(!luna_chain_of_product(&chain, LUNA_FINISH_UNIT, &bad, LUNA_TYPE_I8));
  bad = good;
  bad.shift = 61; // the zero point shifted left has more than 32 bits
  bad.output_zero_point = 3;
  CHECK(!luna_chain_of_product(&chain, LUNA_FINISH_UNIT, &bad, LUNA_TYPE_I8));
  bad = good;
  bad.per_channel = 1;
  bad.rounding = LUNA_ROUND_SINGLE;
  CHECK(!luna_chain_of_product(&chain, LUNA_FINISH_UNIT, &bad, LUNA_TYPE_I8));
}

static void relu_needs_two_calls(void) {
  const LunaRequantDesc relu = {.mode = LUNA_REQUANT_MULTIPLIER,
                                .rounding = LUNA_ROUND_DOUBLE,
                                .multiplier = 1 << 30,
                                .shift = 40,
                                .output_zero_point = -128,
                                .clamp_min = -128,
                                .clamp_max = 127};
  LunaVectorChain chain;
  CHECK(luna_chain_of_product(&chain, LUNA_FINISH_UNIT, &relu, LUNA_TYPE_I8));
  CHECK_EQ(chain.count, 2);
  CHECK(!chain.has_other);
  CHECK_EQ(luna_chain_scratch_bytes(&chain, 10, 5), 40);
}

// Planes take a pair of calls each; strips the sums twice, a number for each
// channel and a plane of ones.
static void planes_have_two_forms(void) {
  const LunaRequantDesc requant = {.mode = LUNA_REQUANT_MULTIPLIER,
                                   .rounding = LUNA_ROUND_DOUBLE,
                                   .per_channel = 1,
                                   .output_zero_point = -128,
                                   .clamp_min = -128,
                                   .clamp_max = 127};
  LunaVectorChain chain;
  CHECK(luna_chain_of_product(&chain, LUNA_FINISH_PLANES, &requant,
                              LUNA_TYPE_I8));
  CHECK_EQ(chain.count, 2);
  CHECK_EQ(luna_chain_scratch_bytes(&chain, 10, 5), 40);
  CHECK(luna_chain_of_product(&chain, LUNA_FINISH_STRIPS, &requant,
                              LUNA_TYPE_I8));
  CHECK_EQ(chain.count, 6);
  CHECK_EQ(luna_chain_scratch_bytes(&chain, 10, 5), 4 * (2 * 10 + 5 + 2));
  LunaRequantDesc tensor = requant;
  tensor.per_channel = 0;
  tensor.shift = 40;
  CHECK(!luna_chain_of_product(&chain, LUNA_FINISH_PLANES, &tensor,
                               LUNA_TYPE_I8));
  CHECK(!luna_chain_of_product(&chain, LUNA_FINISH_STRIPS, &tensor,
                               LUNA_TYPE_I8));
}

int main(void) {
  RUN_TEST(chains_equal_their_definition);
  RUN_TEST(other_requantisations_have_no_chain);
  RUN_TEST(relu_needs_two_calls);
  RUN_TEST(planes_have_two_forms);
  return 0;
}
