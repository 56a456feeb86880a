#include <stddef.h>

#include "luna/units.h"

#include "check.h"

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
    if (c == LUNA_UNIT_ELTWISE)
      take_words(is_taken, offsetof(LunaEltwiseDesc, on_core), sizeof(int32_t));
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

int main(void) {
  RUN_TEST(an_output_is_the_last_operand_and_the_only_one);
  RUN_TEST(operands_of_tiled_classes_stand_in_the_order_of_roles);
  RUN_TEST(every_word_of_a_descriptor_has_one_row);
  RUN_TEST(every_class_has_an_operator_and_no_name_is_twice);
  return 0;
}
