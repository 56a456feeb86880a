#include "validate_conditions.h"

#include "luna-c/ops.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static LunaTerm operand(LunaSide *side, MlirOperation op, intptr_t i) {
  return luna_side_get(side, mlirOperationGetOperand(op, i)).term;
}

static LunaTerm negate(LunaTerms *terms, LunaTerm condition) {
  return luna_term_either(terms, condition, LUNA_TERM_FALSE, LUNA_TERM_TRUE);
}

// Comparisons by three of their predicates: a < b is b > a, and no a >= b.
static LunaTerm compare(LunaSide *side, MlirOperation op) {
  enum { EQUAL, SIGNED_LESS, UNSIGNED_LESS };
  static const struct {
    uint64_t base;
    bool is_swapped, is_negated;
  } rows[] = {
      {EQUAL, false, false},         {EQUAL, false, true},
      {SIGNED_LESS, false, false},   {SIGNED_LESS, true, true},
      {SIGNED_LESS, true, false},    {SIGNED_LESS, false, true},
      {UNSIGNED_LESS, false, false}, {UNSIGNED_LESS, true, true},
      {UNSIGNED_LESS, true, false},  {UNSIGNED_LESS, false, true},
  };
  int64_t row = luna_attr_int(op, "predicate", -1);
  if (row < 0 || row >= (int64_t)(sizeof rows / sizeof rows[0]))
    return LUNA_TERM_UNDEFINED;
  LunaTerm a = operand(side, op, 0), b = operand(side, op, 1);
  if (rows[row].is_swapped || (rows[row].base == EQUAL && b < a)) {
    LunaTerm first = a;
    a = b;
    b = first;
  }
  const uint64_t words[] = {
      LUNA_TERM_SCALAR,
      (uint64_t)(uintptr_t)mlirOperationGetName(op).ptr,
      rows[row].base,
      (uint64_t)(uintptr_t)mlirValueGetType(mlirOperationGetOperand(op, 0)).ptr,
      a,
      b};
  LunaTerm atom = luna_term(side->terms, words, 6,
                            luna_term_loops(side->terms, a) |
                                luna_term_loops(side->terms, b));
  LunaTerm holds =
      luna_term_either(side->terms, atom, LUNA_TERM_TRUE, LUNA_TERM_FALSE);
  return rows[row].is_negated ? negate(side->terms, holds) : holds;
}

static bool is_condition(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
}

LunaTerm luna_condition_compute(LunaSide *side, MlirOperation op) {
  LunaTerms *terms = side->terms;
  if (luna_op_is(op, LUNA_OP_ARITH_SELECT))
    return luna_term_either(terms, operand(side, op, 0), operand(side, op, 1),
                            operand(side, op, 2));
  if (mlirOperationGetNumResults(op) != 1 ||
      !is_condition(mlirOperationGetResult(op, 0)))
    return LUNA_TERM_UNDEFINED;
  if (luna_op_is(op, LUNA_OP_ARITH_CONSTANT))
    return luna_attr_int(op, "value", 0) != 0 ? LUNA_TERM_TRUE
                                              : LUNA_TERM_FALSE;
  if (luna_op_is(op, LUNA_OP_ARITH_CMPI))
    return compare(side, op);
  if (luna_op_is(op, LUNA_OP_ARITH_ANDI))
    return luna_term_either(terms, operand(side, op, 0), operand(side, op, 1),
                            LUNA_TERM_FALSE);
  if (luna_op_is(op, LUNA_OP_ARITH_ORI))
    return luna_term_either(terms, operand(side, op, 0), LUNA_TERM_TRUE,
                            operand(side, op, 1));
  if (luna_op_is(op, LUNA_OP_ARITH_XORI))
    return luna_term_either(terms, operand(side, op, 0),
                            negate(terms, operand(side, op, 1)),
                            operand(side, op, 1));
  return LUNA_TERM_UNDEFINED;
}

//===----------------------------------------------------------------------===//
// What is known
//===----------------------------------------------------------------------===//

// What a decision diagram tests first, and its sides.
static bool test_of(const LunaTerms *terms, LunaTerm condition, LunaTerm *atom,
                    LunaTerm sides[2]) {
  LunaByte a, b;
  if (luna_term_kind(terms, condition) != LUNA_TERM_GAMMA ||
      !luna_term_sides(terms, (LunaByte){condition, 0}, &a, &b))
    return false;
  *atom = (LunaTerm)luna_term_words(terms, condition, NULL)[1];
  sides[0] = a.term;
  sides[1] = b.term;
  return true;
}

// Where one side of a test contradicts what is assumed the other was taken.
uint64_t luna_condition_assume(LunaTerms *terms, LunaTerm condition,
                               bool holds) {
  uint64_t mark = terms->facts.count;
  LunaTerm atom, sides[2];
  LunaTerm excluded = holds ? LUNA_TERM_FALSE : LUNA_TERM_TRUE;
  while (test_of(terms, condition, &atom, sides)) {
    int taken = sides[1] == excluded ? 0 : sides[0] == excluded ? 1 : -1;
    if (taken < 0)
      break;
    *LUNA_VECTOR_ADD(terms->arena, &terms->facts) =
        (LunaFact){atom, taken == 0};
    condition = sides[taken];
  }
  return mark;
}

void luna_condition_forget(LunaTerms *terms, uint64_t mark) {
  terms->facts.count = mark;
}

static bool is_known(const LunaTerms *terms, LunaTerm atom, bool *holds) {
  for (uint64_t i = terms->facts.count; i-- > 0;)
    if (terms->facts.items[i].condition == atom) {
      *holds = terms->facts.items[i].holds;
      return true;
    }
  return false;
}

LunaTerm luna_condition_restrict(LunaTerms *terms, LunaTerm condition) {
  LunaTerm atom, sides[2];
  bool holds = false;
  if (!test_of(terms, condition, &atom, sides))
    return condition;
  if (is_known(terms, atom, &holds))
    return luna_condition_restrict(terms, sides[holds ? 0 : 1]);
  return luna_term_either(terms, atom, luna_condition_restrict(terms, sides[0]),
                          luna_condition_restrict(terms, sides[1]));
}
