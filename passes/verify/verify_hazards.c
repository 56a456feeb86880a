#include "luna-c/ops.h"
#include "luna/checked.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "verify_conditions.h"
#include "verify_machine.h"
#include "verify_rules.h"

typedef struct LunaHazard Hazard;

//===----------------------------------------------------------------------===//
// Needs
//===----------------------------------------------------------------------===//

// The second word of a record of a need; an operator's head has a pointer.
typedef enum Need { NEED_DIVISOR = 1, NEED_PLACE, NEED_VIEW, NEED_BODY } Need;

static LunaRecord begin_need(LunaSide *side, Need need) {
  LunaRecord record = {.side = side};
  luna_record_word(&record, LUNA_TERM_HEAD);
  luna_record_word(&record, need);
  return record;
}

static void note(LunaRecord *record, MlirOperation op) {
  LunaSide *side = record->side;
  *LUNA_VECTOR_ADD(side->arena, &side->hazards) =
      (Hazard){luna_record_finish(record), side->path, op};
}

//===----------------------------------------------------------------------===//
// Divisions
//===----------------------------------------------------------------------===//

static bool is_division(MlirOperation op, bool *is_signed) {
  *is_signed = LUNA_OP_IS_ANY(op, LUNA_OP_ARITH_DIVSI, LUNA_OP_ARITH_REMSI,
                              LUNA_OP_ARITH_CEILDIVSI, LUNA_OP_ARITH_FLOORDIVSI,
                              LUNA_OP_INDEX_DIVS, LUNA_OP_INDEX_REMS,
                              LUNA_OP_INDEX_CEILDIVS, LUNA_OP_INDEX_FLOORDIVS);
  return *is_signed ||
         LUNA_OP_IS_ANY(op, LUNA_OP_ARITH_DIVUI, LUNA_OP_ARITH_REMUI,
                        LUNA_OP_ARITH_CEILDIVUI, LUNA_OP_INDEX_DIVU,
                        LUNA_OP_INDEX_REMU, LUNA_OP_INDEX_CEILDIVU);
}

// A divisor of -1 overflows for the least dividend.
static bool may_trap(MlirOperation division, bool is_signed) {
  int64_t divisor = 0;
  return !luna_constant_number(mlirOperationGetOperand(division, 1),
                               &divisor) ||
         divisor == 0 || (is_signed && divisor == -1);
}

static void note_division(LunaSide *side, MlirOperation op, bool is_signed) {
  if (!may_trap(op, is_signed))
    return;
  LunaRecord record = begin_need(side, NEED_DIVISOR);
  luna_record_word(&record, is_signed);
  luna_record_pointer(&record,
                      mlirValueGetType(mlirOperationGetOperand(op, 1)).ptr);
  luna_record_term(&record, luna_side_term(side, op, 1));
  if (is_signed)
    luna_record_term(&record, luna_side_term(side, op, 0));
  note(&record, op);
}

//===----------------------------------------------------------------------===//
// Accesses at computed places
//===----------------------------------------------------------------------===//

typedef struct Range {
  int64_t low, high;
} Range;

// The values that an index may have, if it is a constant or the induction
// variable of a loop of constant bounds.
static bool find_range(MlirValue value, Range *range) {
  if (luna_constant_number(value, &range->low)) {
    range->high = range->low;
    return true;
  }
  if (!mlirValueIsABlockArgument(value) ||
      mlirBlockArgumentGetArgNumber(value) != 0)
    return false;
  MlirOperation loop =
      mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  int64_t step = 0;
  uint64_t trips = 0;
  if (!luna_op_is(loop, LUNA_OP_SCF_FOR) || !luna_flow_trips(loop, &trips) ||
      trips == 0)
    return false;
  luna_constant_number(mlirOperationGetOperand(loop, 0), &range->low);
  luna_constant_number(mlirOperationGetOperand(loop, 2), &step);
  range->high = range->low + (int64_t)((trips - 1) * (uint64_t)step);
  return true;
}

// `count` elements from a computed one on, `step` apart, of a dimension.
typedef struct Stretch {
  MlirValue first;
  int64_t count, step, extent;
} Stretch;

static bool is_within(const Stretch *stretch) {
  Range range;
  int64_t length = 0, last = 0;
  return find_range(stretch->first, &range) && range.low >= 0 &&
         luna_checked_mul(stretch->count - 1, stretch->step, &length) &&
         luna_checked_add(range.high, length, &last) && last < stretch->extent;
}

static void note_stretch(LunaSide *side, MlirOperation op,
                         const Stretch *stretch) {
  if (is_within(stretch))
    return;
  LunaRecord record = begin_need(side, NEED_PLACE);
  luna_record_word(&record, (uint64_t)stretch->count);
  luna_record_word(&record, (uint64_t)stretch->step);
  luna_record_word(&record, (uint64_t)stretch->extent);
  luna_record_term(&record, luna_side_get(side, stretch->first).term);
  note(&record, op);
}

// A load or store; the indices follow the memref.
static void note_access(LunaSide *side, MlirOperation op, intptr_t memref) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, memref));
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i) {
    Stretch stretch = {
        .first = mlirOperationGetOperand(op, memref + 1 + i),
        .count = 1,
        .step = 1,
        .extent = mlirShapedTypeGetDimSize(type, i),
    };
    note_stretch(side, op, &stretch);
  }
}

static bool is_all_static(MlirOperation op, const char *name) {
  MlirAttribute numbers = luna_attr(op, name);
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(numbers); ++i)
    if (mlirShapedTypeIsDynamicStrideOrOffset(
            mlirDenseI64ArrayGetElement(numbers, i)))
      return false;
  return true;
}

static void note_subview(LunaSide *side, MlirOperation op) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirAttribute offsets = luna_attr(op, "static_offsets");
  MlirAttribute sizes = luna_attr(op, "static_sizes");
  MlirAttribute strides = luna_attr(op, "static_strides");
  intptr_t operand = 1;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(offsets); ++i) {
    if (!mlirShapedTypeIsDynamicStrideOrOffset(
            mlirDenseI64ArrayGetElement(offsets, i)))
      continue;
    Stretch stretch = {
        .first = mlirOperationGetOperand(op, operand++),
        .count = mlirDenseI64ArrayGetElement(sizes, i),
        .step = mlirDenseI64ArrayGetElement(strides, i),
        .extent = mlirShapedTypeGetDimSize(type, i),
    };
    note_stretch(side, op, &stretch);
  }
}

// Any other view at a computed place needs what equal views need.
static void note_view(LunaSide *side, MlirOperation op) {
  LunaRecord record = begin_need(side, NEED_VIEW);
  bool is_constant = true;
  int64_t number = 0;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); ++i)
    is_constant &=
        luna_constant_number(mlirOperationGetOperand(op, i), &number);
  luna_record_view(&record, op);
  if (!is_constant)
    note(&record, op);
}

static void note_part(LunaSide *side, MlirOperation op) {
  bool is_plain = luna_op_is(op, LUNA_OP_MEMREF_SUBVIEW) &&
                  is_all_static(op, "static_sizes") &&
                  is_all_static(op, "static_strides");
  if (is_plain)
    note_subview(side, op);
  else
    note_view(side, op);
}

//===----------------------------------------------------------------------===//
// Bodies of linalg
//===----------------------------------------------------------------------===//

// Visits what cannot trap.
static bool is_safe(MlirOperation op, void *data) {
  bool is_signed = false;
  (void)data;
  if (is_division(op, &is_signed))
    return !may_trap(op, is_signed);
  return !LUNA_OP_IS_ANY(op, LUNA_OP_MEMREF_LOAD, LUNA_OP_MEMREF_STORE);
}

// An operator with such a body needs what one of the same result needs.
static void note_body(LunaSide *side, MlirOperation op) {
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  if (last < 0 || luna_walk(op, is_safe, NULL))
    return;
  const LunaPointer *output = luna_side_pointer(side, op, last);
  if (!output)
    return;
  LunaRecord record = begin_need(side, NEED_BODY);
  luna_record_term(&record, luna_side_contents(side, output));
  note(&record, op);
}

//===----------------------------------------------------------------------===//
// Notes
//===----------------------------------------------------------------------===//

void luna_hazards_note(LunaSide *side, MlirOperation op) {
  bool is_signed = false;
  if (luna_op_is(op, LUNA_OP_MEMREF_LOAD))
    note_access(side, op, 0);
  else if (luna_op_is(op, LUNA_OP_MEMREF_STORE))
    note_access(side, op, 1);
  else if (luna_side_is_view(op))
    note_part(side, op);
  else if (luna_op_in_dialect(op, LUNA_DIALECT_LINALG))
    note_body(side, op);
  else if (is_division(op, &is_signed))
    note_division(side, op, is_signed);
}

static LunaMapKey key_of(const Hazard *hazard) {
  return luna_map_number((uint64_t)hazard->need << 32 | hazard->path);
}

// Returns the condition that the program has this need.
static LunaTerm needed_where(LunaPair *pair, uint64_t program, LunaTerm need) {
  LunaTerm path = LUNA_TERM_FALSE;
  for (uint64_t i = program; i < pair->program.hazards.count; ++i)
    if (pair->program.hazards.items[i].need == need)
      path = luna_condition_or(pair->terms, path,
                               pair->program.hazards.items[i].path);
  return path;
}

// What the plan needs on a path that the program has to the letter, as nearly
// always, takes no conditions of many branches.
void luna_hazards_compare(LunaPair *pair, uint64_t program, uint64_t plan) {
  LunaSide *a = &pair->program, *b = &pair->plan;
  uint64_t left = plan;
  LunaMap equal = {0}, needs = {0};
  LUNA_VECTOR(LunaTerm) paths = {0}; // where the program has a need
  for (uint64_t i = program; i < a->hazards.count; ++i)
    luna_map_add(&equal, pair->arena, key_of(&a->hazards.items[i]));
  for (uint64_t i = plan; i < b->hazards.count; ++i) {
    Hazard hazard = b->hazards.items[i];
    if (luna_map_find(&equal, key_of(&hazard)) != LUNA_MAP_ABSENT)
      continue;
    uint32_t index =
        luna_map_add(&needs, pair->arena, luna_map_number(hazard.need));
    if (index == paths.count)
      *LUNA_VECTOR_ADD(pair->arena, &paths) =
          needed_where(pair, program, hazard.need);
    LunaTerm other = luna_condition_not(pair->terms, paths.items[index]);
    if (luna_condition_and(pair->terms, hazard.path, other) != LUNA_TERM_FALSE)
      b->hazards.items[left++] = hazard;
  }
  a->hazards.count = program;
  b->hazards.count = left;
}

bool luna_hazards_check(LunaPair *pair) {
  luna_hazards_compare(pair, 0, 0);
  if (pair->plan.hazards.count == 0)
    return true;
  return luna_side_fail(
      &pair->plan, pair->plan.hazards.items[0].op,
      "may trap or leave its bounds where the program does not");
}
