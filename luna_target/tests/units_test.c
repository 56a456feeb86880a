#include <stddef.h>

#include "luna/tiles.h"
#include "luna/units.h"

#include "check.h"
#include "test_machine.h"

// What every row of luna/units.def has to keep to.

enum { WORDS_MAX = 256 };

static const LunaUnitOperand *operands_of(int unit_class, int *count) {
  return luna_unit_class_operands((LunaUnitClass)unit_class, count);
}

static void an_output_is_the_last_operand_and_the_only_one(void) {
  for (int c = 0; c < LUNA_UNIT_CLASS_COUNT; ++c) {
    int count = 0;
    const LunaUnitOperand *operands = operands_of(c, &count);
    CHECK(count > 0 && count <= LUNA_UNIT_OPERANDS_MAX);
    for (int i = 0; i < count; ++i)
      CHECK_EQ(operands[i].role == LUNA_ROLE_OUTPUT, i == count - 1);
  }
}

static void operands_of_tiled_classes_stand_in_the_order_of_roles(void) {
  int tiled_count = 0;
  for (int c = 0; c < LUNA_UNIT_CLASS_COUNT; ++c) {
    if (!luna_unit_class((LunaUnitClass)c)->tiling)
      continue;
    int count = 0;
    const LunaUnitOperand *operands = operands_of(c, &count);
    CHECK_EQ(count, LUNA_ROLE_OUTPUT + 1);
    for (int i = 0; i < count; ++i)
      CHECK_EQ(operands[i].role, i);
    ++tiled_count;
  }
  CHECK(tiled_count > 0);
}

static void take_words(bool *is_taken, uint32_t offset_bytes, size_t bytes) {
  for (size_t i = 0; i < bytes / sizeof(int32_t); ++i) {
    CHECK(offset_bytes / sizeof(int32_t) + i < WORDS_MAX);
    CHECK(!is_taken[offset_bytes / sizeof(int32_t) + i]);
    is_taken[offset_bytes / sizeof(int32_t) + i] = true;
  }
}

static void every_word_of_a_descriptor_has_one_row(void) {
  for (int c = 0; c < LUNA_UNIT_CLASS_COUNT; ++c) {
    bool is_taken[WORDS_MAX] = {false};
    int count = 0;
    const LunaUnitOperand *operands = operands_of(c, &count);
    for (int i = 0; i < count; ++i)
      take_words(is_taken, operands[i].offset_bytes, sizeof(LunaTensorDesc));
    const LunaUnitAttribute *attributes =
        luna_unit_class_attributes((LunaUnitClass)c, &count);
    for (int i = 0; i < count; ++i)
      take_words(is_taken, attributes[i].offset_bytes,
                 attributes[i].word_count * sizeof(int32_t));
    // What the lowering finds by the machine.
    if (c == LUNA_UNIT_TABLE)
      take_words(is_taken, offsetof(LunaTableDesc, on_core), sizeof(int32_t));
    if (c == LUNA_UNIT_POOL)
      take_words(is_taken, offsetof(LunaPoolDesc, tiling), sizeof(LunaTiling));
    int32_t words = luna_unit_class((LunaUnitClass)c)->desc_words;
    for (int32_t w = 0; w < WORDS_MAX; ++w)
      CHECK_EQ(is_taken[w], w < words);
  }
}

static void every_class_has_an_operator_and_no_name_is_twice(void) {
  int count = 0;
  bool is_met[LUNA_UNIT_CLASS_COUNT] = {false};
  const LunaUnitOp *ops = luna_unit_ops(&count);
  for (int i = 0; i < count; ++i) {
    is_met[ops[i].unit_class] = true;
    for (int k = 0; k < i; ++k)
      CHECK(strcmp(ops[i].name, ops[k].name) != 0);
  }
  for (int c = 0; c < LUNA_UNIT_CLASS_COUNT; ++c)
    CHECK(is_met[c]);
}

// An operator that reads an element after it wrote another of its result may
// not overwrite its operands: so all with windows or sums. The machine says
// whether the unit's vector and table operators read ahead of what they write;
// the core does not.
static void only_elementwise_operators_work_in_place(void) {
  for (int flags = 0; flags < 4; ++flags) {
    LunaMachine machine = test_machine();
    machine.vector_in_place = flags & 1;
    machine.table_in_place = flags & 2;
    LunaUnitDesc desc = {.unit_class = LUNA_UNIT_ELTWISE};
    desc.as.eltwise.output.type = LUNA_TYPE_I32;
    CHECK(luna_eltwise_is_native(&machine, &desc.as.eltwise));
    CHECK_EQ(luna_unit_works_in_place(&machine, &desc),
             machine.vector_in_place);
    desc.as.eltwise.requant.mode = LUNA_REQUANT_FLOAT;
    CHECK(!luna_eltwise_is_native(&machine, &desc.as.eltwise));
    CHECK(luna_unit_works_in_place(&machine, &desc));
    desc.as.eltwise.requant.mode = LUNA_REQUANT_NONE;
    desc.as.eltwise.on_core = 1;
    CHECK(!luna_eltwise_is_native(&machine, &desc.as.eltwise));
    desc = (LunaUnitDesc){.unit_class = LUNA_UNIT_TABLE};
    CHECK_EQ(luna_unit_works_in_place(&machine, &desc), machine.table_in_place);
    static const LunaUnitClass windows[] = {LUNA_UNIT_CONV2D, LUNA_UNIT_MATMUL,
                                            LUNA_UNIT_POOL};
    for (int i = 0; i < 3; ++i) {
      desc = (LunaUnitDesc){.unit_class = windows[i]};
      CHECK(!luna_unit_works_in_place(&machine, &desc));
    }
  }
}

// A class that is one call of the unit's library is the core's where the
// machine file lacks that call.
static void a_machine_computes_a_class_by_its_call_or_its_core(void) {
  LunaMachine machine = test_machine();
  const LunaUnitCall *call = luna_unit_class_call(LUNA_UNIT_TABLE, &machine);
  CHECK(call && call->name == LUNA_CALL_LUT);
  CHECK(!luna_unit_class_call(LUNA_UNIT_CONV2D, &machine));
  machine.call_count = 0;
  CHECK(!luna_unit_class_call(LUNA_UNIT_TABLE, &machine));
}

int main(void) {
  RUN_TEST(an_output_is_the_last_operand_and_the_only_one);
  RUN_TEST(operands_of_tiled_classes_stand_in_the_order_of_roles);
  RUN_TEST(every_word_of_a_descriptor_has_one_row);
  RUN_TEST(every_class_has_an_operator_and_no_name_is_twice);
  RUN_TEST(only_elementwise_operators_work_in_place);
  RUN_TEST(a_machine_computes_a_class_by_its_call_or_its_core);
  return 0;
}
