#include "host_cost.h"

#include "luna-c/ir.h"
#include "luna-c/ops.h"
#include "luna/checked.h"
#include "luna/runtime.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"

//===- Operands -----------------------------------------------------------===//

// Returns the index of the first output operand of a linalg operator.
static intptr_t first_output(MlirOperation op) {
  int64_t segments[2];
  if (luna_attr_ints(op, "operandSegmentSizes", segments, 2))
    return (intptr_t)segments[0];
  intptr_t count = mlirOperationGetNumOperands(op);
  return luna_op_is(op, LUNA_OP_LINALG_REDUCE) ? count / 2 : count - 1;
}

static bool is_linalg(MlirOperation op) {
  return luna_op_in_dialect(op, LUNA_DIALECT_LINALG) &&
         mlirOperationGetNumRegions(op) > 0;
}

int32_t luna_host_access(MlirOperation op, intptr_t index) {
  if (!luna_is_memref(mlirValueGetType(mlirOperationGetOperand(op, index))))
    return 0;
  if (is_linalg(op)) {
    MlirBlock body = luna_body(op, 0);
    bool is_read = index >= mlirBlockGetNumArguments(body) ||
                   !mlirOpOperandIsNull(
                       mlirValueGetFirstUse(mlirBlockGetArgument(body, index)));
    return (is_read ? LUNA_ACCESS_READ : 0) |
           (index >= first_output(op) ? LUNA_ACCESS_WRITE : 0);
  }
  if (luna_op_is(op, LUNA_OP_MEMREF_LOAD))
    return LUNA_ACCESS_READ;
  if (luna_op_is(op, LUNA_OP_MEMREF_COPY) ||
      luna_op_is(op, LUNA_OP_MEMREF_STORE))
    return index == 1 ? LUNA_ACCESS_WRITE : LUNA_ACCESS_READ;
  return LUNA_ACCESS_READ_WRITE;
}

//===- Loops --------------------------------------------------------------===//

// Loops that no operand indexes alone are not counted, nor is any beyond what
// operands of the greatest rank could index.
enum { LOOPS_MAX = 4 * LUNA_RANK_MAX };

// Inner loops of at most this many turns are unrolled by LLVM.
enum { UNROLLED_MAX = 8 };

// The turns of a nest: of the innermost loop, and of those around it.
typedef struct Nest {
  int64_t inner, outer;
  bool is_unrolled; // the innermost
} Nest;

static int64_t times(int64_t a, int64_t b) {
  return luna_checked_mul(a, b, &a) ? a : INT64_MAX;
}

static int64_t plus(int64_t a, int64_t b) {
  return luna_checked_add(a, b, &a) ? a : INT64_MAX;
}

static Nest nest_of(const int64_t *extents, intptr_t count) {
  Nest nest = {1, 0, true};
  for (intptr_t i = 0; i < count; ++i) {
    if (extents[i] == 1)
      continue;
    if (nest.inner > 1)
      nest.outer = plus(nest.outer, nest.inner);
    nest.inner = times(nest.inner, extents[i]);
    nest.is_unrolled = extents[i] <= UNROLLED_MAX;
  }
  return nest;
}

// Returns the extents of a linalg operator's loops, each from an operand
// dimension that the loop indexes alone; 1 for others.
static Nest linalg_nest(MlirOperation op, MlirAttribute maps) {
  int64_t extents[LOOPS_MAX];
  for (int i = 0; i < LOOPS_MAX; ++i)
    extents[i] = 1;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(maps); ++i) {
    MlirAffineMap map =
        mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
      MlirAffineExpr expr = mlirAffineMapGetResult(map, r);
      intptr_t loop = mlirAffineExprIsADim(expr)
                          ? mlirAffineDimExprGetPosition(expr)
                          : LOOPS_MAX;
      if (loop < LOOPS_MAX)
        extents[loop] = mlirShapedTypeGetDimSize(type, r);
    }
  }
  return nest_of(extents, LOOPS_MAX);
}

static Nest memref_nest(MlirType type) {
  int64_t extents[LUNA_RANK_MAX];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank && i < LUNA_RANK_MAX; ++i)
    extents[i] = mlirShapedTypeGetDimSize(type, i);
  return nest_of(extents, rank < LUNA_RANK_MAX ? rank : LUNA_RANK_MAX);
}

// Others go over the elements of their last operand.
static Nest turns_of(MlirOperation op) {
  if (is_linalg(op)) {
    MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
    if (!mlirAttributeIsNull(maps))
      return linalg_nest(op, maps);
  }
  Nest most = {1, 0, true};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    Nest nest = luna_is_memref(type) ? memref_nest(type) : most;
    if (nest.inner > most.inner)
      most = nest;
  }
  return most;
}

//===- Bodies -------------------------------------------------------------===//

// The classes of operations; other arithmetic is on integers, other functions
// are LUNA_HOST_FUNCTION.
static const struct {
  LunaOpName name;
  LunaHostCost narrow, wide; // LUNA_HOST_COST_COUNT: free
} classes[] = {
#define FREE LUNA_HOST_COST_COUNT, LUNA_HOST_COST_COUNT
#define SAME(COST) LUNA_HOST_##COST, LUNA_HOST_##COST
    {LUNA_OP_ARITH_CONSTANT, FREE},
    {LUNA_OP_LINALG_YIELD, FREE},
    {LUNA_OP_LINALG_INDEX, FREE},
    {LUNA_OP_ARITH_INDEX_CAST, FREE},
    {LUNA_OP_ARITH_INDEX_CASTUI, FREE},
    {LUNA_OP_ARITH_TRUNCI, FREE},
    {LUNA_OP_ARITH_EXTUI, FREE},
    {LUNA_OP_ARITH_EXTSI, LUNA_HOST_COST_COUNT, LUNA_HOST_INTEGER},
    {LUNA_OP_ARITH_MULI, LUNA_HOST_INTEGER, LUNA_HOST_WIDE_PRODUCT},
    {LUNA_OP_ARITH_DIVSI, SAME(QUOTIENT)},
    {LUNA_OP_ARITH_DIVUI, SAME(QUOTIENT)},
    {LUNA_OP_ARITH_CEILDIVSI, SAME(QUOTIENT)},
    {LUNA_OP_ARITH_CEILDIVUI, SAME(QUOTIENT)},
    {LUNA_OP_ARITH_FLOORDIVSI, SAME(QUOTIENT)},
    {LUNA_OP_ARITH_REMSI, SAME(QUOTIENT)},
    {LUNA_OP_ARITH_REMUI, SAME(QUOTIENT)},
    {LUNA_OP_ARITH_CMPI, LUNA_HOST_CHOICE, LUNA_HOST_WIDE},
    {LUNA_OP_ARITH_SELECT, LUNA_HOST_CHOICE, LUNA_HOST_WIDE},
    {LUNA_OP_ARITH_MAXSI, LUNA_HOST_CHOICE, LUNA_HOST_WIDE},
    {LUNA_OP_ARITH_MAXUI, LUNA_HOST_CHOICE, LUNA_HOST_WIDE},
    {LUNA_OP_ARITH_MINSI, LUNA_HOST_CHOICE, LUNA_HOST_WIDE},
    {LUNA_OP_ARITH_MINUI, LUNA_HOST_CHOICE, LUNA_HOST_WIDE},
    {LUNA_OP_ARITH_NEGF, SAME(INTEGER)},
    {LUNA_OP_MATH_ABSF, SAME(INTEGER)},
    {LUNA_OP_MATH_ABSI, SAME(CHOICE)},
    {LUNA_OP_MATH_COPYSIGN, SAME(INTEGER)},
    {LUNA_OP_ARITH_ADDF, SAME(FLOAT_SUM)},
    {LUNA_OP_ARITH_SUBF, SAME(FLOAT_SUM)},
    {LUNA_OP_ARITH_MULF, SAME(FLOAT_PRODUCT)},
    {LUNA_OP_ARITH_DIVF, SAME(FLOAT_QUOTIENT)},
    {LUNA_OP_ARITH_REMF, SAME(FUNCTION)},
    {LUNA_OP_MATH_SQRT, SAME(FLOAT_QUOTIENT)},
    {LUNA_OP_MATH_RSQRT, SAME(FLOAT_QUOTIENT)},
    {LUNA_OP_ARITH_CMPF, SAME(FLOAT_CHOICE)},
    {LUNA_OP_ARITH_MAXIMUMF, SAME(FLOAT_CHOICE)},
    {LUNA_OP_ARITH_MAXNUMF, SAME(FLOAT_CHOICE)},
    {LUNA_OP_ARITH_MINIMUMF, SAME(FLOAT_CHOICE)},
    {LUNA_OP_ARITH_MINNUMF, SAME(FLOAT_CHOICE)},
    {LUNA_OP_MATH_CEIL, SAME(FLOAT_CHOICE)},
    {LUNA_OP_MATH_FLOOR, SAME(FLOAT_CHOICE)},
    {LUNA_OP_MATH_ROUND, SAME(FLOAT_CHOICE)},
    {LUNA_OP_MATH_ROUNDEVEN, SAME(FLOAT_CHOICE)},
    {LUNA_OP_MATH_TRUNC, SAME(FLOAT_CHOICE)},
    {LUNA_OP_MATH_ISFINITE, SAME(FLOAT_CHOICE)},
    {LUNA_OP_MATH_ISINF, SAME(FLOAT_CHOICE)},
    {LUNA_OP_MATH_ISNAN, SAME(FLOAT_CHOICE)},
    {LUNA_OP_MATH_CTLZ, SAME(INTEGER)},
    {LUNA_OP_MATH_CTPOP, SAME(INTEGER)},
    {LUNA_OP_MATH_CTTZ, SAME(INTEGER)},
    {LUNA_OP_ARITH_SITOFP, SAME(FLOAT_CONVERSION)},
    {LUNA_OP_ARITH_UITOFP, SAME(FLOAT_CONVERSION)},
    {LUNA_OP_ARITH_FPTOSI, SAME(FLOAT_CONVERSION)},
    {LUNA_OP_ARITH_FPTOUI, SAME(FLOAT_CONVERSION)},
    {LUNA_OP_ARITH_EXTF, SAME(FLOAT_CONVERSION)},
    {LUNA_OP_ARITH_TRUNCF, SAME(FLOAT_CONVERSION)},
    {LUNA_OP_MEMREF_LOAD, SAME(ACCESS)},
    {LUNA_OP_MEMREF_STORE, SAME(ACCESS)},
#undef FREE
#undef SAME
};

static bool is_wide_type(MlirType type) {
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 32;
}

static bool is_wide(MlirOperation op) {
  return (mlirOperationGetNumOperands(op) > 0 &&
          is_wide_type(mlirValueGetType(mlirOperationGetOperand(op, 0)))) ||
         (mlirOperationGetNumResults(op) > 0 &&
          is_wide_type(mlirValueGetType(mlirOperationGetResult(op, 0))));
}

static LunaHostCost class_of(MlirOperation op) {
  bool wide = is_wide(op);
  for (size_t i = 0; i < sizeof classes / sizeof classes[0]; ++i)
    if (luna_op_is(op, classes[i].name))
      return wide ? classes[i].wide : classes[i].narrow;
  if (luna_op_in_dialect(op, LUNA_DIALECT_MATH))
    return LUNA_HOST_FUNCTION;
  return wide ? LUNA_HOST_WIDE : LUNA_HOST_INTEGER;
}

// What one turn of the innermost loop does beside turning, in hundredths of
// cycles.
typedef struct Turn {
  const LunaMachine *machine;
  MlirOperation op;
  int64_t hundredths;
} Turn;

static bool add_body_op(MlirOperation op, void *data) {
  Turn *turn = data;
  LunaHostCost cost =
      mlirOperationEqual(op, turn->op) ? LUNA_HOST_COST_COUNT : class_of(op);
  if (cost < LUNA_HOST_COST_COUNT)
    turn->hundredths += (int64_t)turn->machine->host[cost];
  return true;
}

static int64_t turn_cost(const LunaMachine *machine, MlirOperation op) {
  Turn turn = {machine, op, 0};
  luna_walk(op, add_body_op, &turn);
  int64_t accesses = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    int32_t access = luna_host_access(op, i);
    accesses += (access & LUNA_ACCESS_READ) != 0;
    accesses += (access & LUNA_ACCESS_WRITE) != 0;
  }
  return turn.hundredths + accesses * (int64_t)machine->host[LUNA_HOST_ACCESS];
}

//===- All of it ----------------------------------------------------------===//

static bool is_dense(MlirType type) {
  return mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type));
}

// Returns the bytes that `op` fills with one byte or copies as they lie; 0 for
// other operators.
static int64_t block_bytes(MlirOperation op) {
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  if (last < 0)
    return 0;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, last));
  if (!luna_is_memref(type))
    return 0;
  int64_t element = luna_element_type_bytes(mlirShapedTypeGetElementType(type));
  int64_t bytes = times(memref_nest(type).inner, element);
  bool is_fill = luna_op_is(op, LUNA_OP_LINALG_FILL) ||
                 (luna_op_is(op, LUNA_OP_LINALG_MAP) && last == 0 &&
                  luna_op_is(mlirBlockGetFirstOperation(luna_body(op, 0)),
                             LUNA_OP_LINALG_YIELD));
  if (luna_op_is(op, LUNA_OP_MEMREF_COPY))
    return is_dense(type) &&
                   is_dense(mlirValueGetType(mlirOperationGetOperand(op, 0)))
               ? bytes
               : 0;
  return is_fill && element == 1 && is_dense(type) ? bytes : 0;
}

uint64_t luna_host_cycles(const LunaMachine *machine, MlirOperation op) {
  const uint64_t *host = machine->host;
  int64_t bytes = block_bytes(op), hundredths = (int64_t)host[LUNA_HOST_CALL];
  if (bytes > 0) {
    hundredths = plus(hundredths, times((bytes - 1) / 16 + 1,
                                        (int64_t)host[LUNA_HOST_BLOCK]));
  } else {
    Nest nest = turns_of(op);
    int64_t each = turn_cost(machine, op);
    each += nest.is_unrolled ? 0 : (int64_t)host[LUNA_HOST_TURN];
    hundredths =
        plus(hundredths, plus(times(nest.outer, (int64_t)host[LUNA_HOST_LOOP]),
                              times(nest.inner, each)));
  }
  return hundredths == INT64_MAX ? INT64_MAX
                                 : ((uint64_t)hundredths + 50) / 100;
}
