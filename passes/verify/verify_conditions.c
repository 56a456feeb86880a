#include "verify_conditions.h"

#include <string.h>

#include "luna-c/ops.h"
#include "mlir-c/BuiltinTypes.h"

LunaTerm luna_condition_not(LunaTerms *terms, LunaTerm condition) {
  return luna_term_either(terms, condition, LUNA_TERM_FALSE, LUNA_TERM_TRUE);
}

LunaTerm luna_condition_and(LunaTerms *terms, LunaTerm a, LunaTerm b) {
  return luna_term_either(terms, a, b, LUNA_TERM_FALSE);
}

LunaTerm luna_condition_or(LunaTerms *terms, LunaTerm a, LunaTerm b) {
  return luna_term_either(terms, a, LUNA_TERM_TRUE, b);
}

bool luna_condition_excludes(LunaTerms *terms, LunaTerm a, LunaTerm b) {
  return luna_condition_not(terms, a) == b ||
         luna_condition_and(terms, a, b) == LUNA_TERM_FALSE;
}

LunaTerm luna_condition_where(LunaTerms *terms, LunaTerm path,
                              LunaTerm condition) {
  return luna_term_where(terms, path, (LunaByte){condition, 0}).term;
}

static bool has_equal_bytes(const LunaTerms *terms, LunaByte a, LunaByte b,
                            int64_t byte_count) {
  int64_t length = 0;
  const uint8_t *x = luna_term_content(terms, a.term, &length);
  const uint8_t *y = luna_term_content(terms, b.term, &length);
  return x && y && memcmp(x + a.offset, y + b.offset, (size_t)byte_count) == 0;
}

// What a loop carries is equal or not: two that begin and go on alike may be
// other values yet.
LunaTerm luna_condition_differs(LunaTerms *terms, LunaByte program,
                                LunaByte plan, int64_t byte_count) {
  if (luna_byte_equal(program, plan) || program.term == LUNA_TERM_UNDEFINED)
    return LUNA_TERM_FALSE;
  LunaTerm test = luna_term_first_test(terms, program);
  LunaTerm other = luna_term_first_test(terms, plan);
  if (test < other)
    test = other;
  if (test == LUNA_TERM_UNDEFINED)
    return has_equal_bytes(terms, program, plan, byte_count) ? LUNA_TERM_FALSE
                                                             : LUNA_TERM_TRUE;
  LunaTerm sides[2];
  for (int i = 0; i < 2; ++i)
    sides[i] = luna_condition_differs(
        terms, luna_term_cofactor(terms, test, i == 0, program),
        luna_term_cofactor(terms, test, i == 0, plan), byte_count);
  return luna_term_either(terms, test, sides[0], sides[1]);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

// Comparisons by three of their predicates: a < b is b > a, and no a >= b. Of a
// value with itself the result is known.
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
  LunaTerm a = luna_side_term(side, op, 0), b = luna_side_term(side, op, 1);
  bool is_one_value =
      a == b && !(luna_term_loops(side->terms, a) & LUNA_TERM_VARIES);
  if (is_one_value)
    return (rows[row].base == EQUAL) != rows[row].is_negated ? LUNA_TERM_TRUE
                                                             : LUNA_TERM_FALSE;
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
  LunaTerm holds = luna_term_test(side->terms, atom);
  return rows[row].is_negated ? luna_condition_not(side->terms, holds) : holds;
}

static bool is_condition(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
}

LunaTerm luna_condition_compute(LunaSide *side, MlirOperation op) {
  LunaTerms *terms = side->terms;
  LunaTerm values[3] = {LUNA_TERM_UNDEFINED};
  for (intptr_t i = 0; i < 3 && i < mlirOperationGetNumOperands(op); ++i)
    values[i] = luna_side_term(side, op, i);
  LunaTerm a = values[0], b = values[1];
  if (luna_op_is(op, LUNA_OP_ARITH_SELECT))
    return luna_term_either(terms, a, b, values[2]);
  if (mlirOperationGetNumResults(op) != 1 ||
      !is_condition(mlirOperationGetResult(op, 0)))
    return LUNA_TERM_UNDEFINED;
  if (luna_op_is(op, LUNA_OP_ARITH_CONSTANT))
    return luna_attr_int(op, "value", 0) != 0 ? LUNA_TERM_TRUE
                                              : LUNA_TERM_FALSE;
  if (luna_op_is(op, LUNA_OP_ARITH_CMPI))
    return compare(side, op);
  if (luna_op_is(op, LUNA_OP_ARITH_ANDI))
    return luna_condition_and(terms, a, b);
  if (luna_op_is(op, LUNA_OP_ARITH_ORI))
    return luna_condition_or(terms, a, b);
  if (luna_op_is(op, LUNA_OP_ARITH_XORI))
    return luna_term_either(terms, a, luna_condition_not(terms, b), b);
  return LUNA_TERM_UNDEFINED;
}
