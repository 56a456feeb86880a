#include "luna/units.h"

#include "luna/tiles.h"

#include <assert.h>
#include <stddef.h>

#include "luna/slots.h"
#include "luna/tiling.h"

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

// The functions of one class take its descriptor, those of a row take any.

#define LUNA_UNIT_CLASS(CLASS, name, Type)                                     \
  static LunaCost cost_##name(const LunaMachine *machine, const void *desc) {  \
    return luna_cost_##name(machine, desc);                                    \
  }
#define LUNA_UNIT_TILED(CLASS, name, Type)                                     \
  static bool tile_##name(const LunaMachine *machine, const void *desc,        \
                          int64_t scratch_limit_bytes, LunaTiling *tiling,     \
                          LunaError *error) {                                  \
    return luna_tiling_##name(machine, desc, scratch_limit_bytes, tiling,      \
                              error);                                          \
  }                                                                            \
  static const LunaProductRecord *launch_##name(                               \
      const void *desc, LunaArena *arena, int32_t *word_count,                 \
      LunaError *error) {                                                      \
    return luna_launches_##name(desc, arena, word_count, error);               \
  }                                                                            \
  static bool check_slots_##name(const void *desc, LunaError *error) {         \
    return luna_slots_check_##name(desc, error);                               \
  }
#include "luna/units.def"

const LunaUnitClassInfo *luna_unit_class(LunaUnitClass unit_class) {
  static const LunaUnitClassInfo classes[] = {
#define LUNA_UNIT_CLASS(CLASS, name, Type)                                     \
  [LUNA_UNIT_##CLASS].runtime_call = "luna_rt_" #name,                         \
  [LUNA_UNIT_##CLASS].desc_words = sizeof(Luna##Type##Desc) / sizeof(int32_t), \
  [LUNA_UNIT_##CLASS].cost = cost_##name,
#define LUNA_UNIT_TILED(CLASS, name, Type)                                     \
  [LUNA_UNIT_##CLASS].tiling = tile_##name,                                    \
  [LUNA_UNIT_##CLASS].launches = launch_##name,                                \
  [LUNA_UNIT_##CLASS].check_slots = check_slots_##name,
#include "luna/units.def"
  };
  return &classes[unit_class];
}

//===----------------------------------------------------------------------===//
// Operators, operands, attributes
//===----------------------------------------------------------------------===//

const LunaUnitOp *luna_unit_ops(int *count) {
  static const LunaUnitOp ops[] = {
#define LUNA_UNIT_OP(CLASS, NAME, name, kind) {LUNA_UNIT_##CLASS, name, kind},
#include "luna/units.def"
  };
  *count = sizeof ops / sizeof ops[0];
  return ops;
}

const LunaUnitOperand *luna_unit_class_operands(LunaUnitClass unit_class,
                                                int *count) {
  static const LunaUnitOperand operands[] = {
#define LUNA_UNIT_OPERAND(CLASS, Type, name, ROLE, FLAG, text)                 \
  {LUNA_UNIT_##CLASS,   #name, LUNA_ROLE_##ROLE,                               \
   LUNA_OPERAND_##FLAG, text,  offsetof(Luna##Type##Desc, name)},
#include "luna/units.def"
      {.unit_class = LUNA_UNIT_CLASS_COUNT},
  };
  const LunaUnitOperand *first = operands;
  while (first->unit_class != unit_class)
    ++first;
  for (*count = 0; first[*count].unit_class == unit_class;)
    ++*count;
  return first;
}

const LunaUnitAttribute *luna_unit_class_attributes(LunaUnitClass unit_class,
                                                    int *count) {
  static const LunaUnitAttribute attributes[] = {
#define LUNA_UNIT_ATTRIBUTE(CLASS, Type, field, extent, KIND, name, absent)    \
  {LUNA_UNIT_##CLASS,                                                          \
   LUNA_ATTRIBUTE_##KIND,                                                      \
   name,                                                                       \
   absent,                                                                     \
   offsetof(Luna##Type##Desc, field),                                          \
   sizeof((const Luna##Type##Desc *)0)->field / sizeof(int32_t)},
#include "luna/units.def"
      {.unit_class = LUNA_UNIT_CLASS_COUNT},
  };
  const LunaUnitAttribute *first = attributes;
  while (first->unit_class != unit_class &&
         first->unit_class != LUNA_UNIT_CLASS_COUNT)
    ++first;
  for (*count = 0; first[*count].unit_class == unit_class;)
    ++*count;
  return first;
}

bool luna_unit_class_is_elementwise(LunaUnitClass unit_class) {
  static const bool is_elementwise[LUNA_UNIT_CLASS_COUNT] = {
#define LUNA_UNIT_IN_PLACE(CLASS, name, flag) [LUNA_UNIT_##CLASS] = true,
#include "luna/units.def"
  };
  return is_elementwise[unit_class];
}

bool luna_unit_class_in_place(LunaUnitClass unit_class,
                              const LunaMachine *machine) {
  const bool in_place[LUNA_UNIT_CLASS_COUNT] = {
#define LUNA_UNIT_IN_PLACE(CLASS, name, flag)                                  \
  [LUNA_UNIT_##CLASS] = machine->flag,
#include "luna/units.def"
  };
  return in_place[unit_class];
}

bool luna_unit_works_in_place(const LunaMachine *machine,
                              const LunaUnitDesc *desc) {
  return luna_unit_class_in_place(desc->unit_class, machine) ||
         (desc->unit_class == LUNA_UNIT_ELTWISE &&
          !luna_eltwise_is_native(machine, &desc->as.eltwise));
}
