// Every scalar operator of the evaluator against upstream's compiler, on
// numbers at the edges of the types.

#include <math.h>
#include <string.h>

#include "check.h"
#include "luna-c/fold.h"
#include "luna-c/ir.h"
#include "luna/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "reference_fixture.h"
#include "scalar.h"

static MlirContext context;

typedef struct Row {
  const char *name;
  int operands;
  /// Types of the operands, and for each those of the result; "=" is the same.
  const char *from[6], *to[4];
  /// How many predicates there are.
  int predicates;
} Row;

#define INTS {"i1", "i8", "i32", "i64"}
#define FLOATS {"f32", "f64"}

static const Row rows[] = {
    {"arith.addi", 2, INTS, {"="}, 0},
    {"arith.subi", 2, INTS, {"="}, 0},
    {"arith.muli", 2, INTS, {"="}, 0},
    {"arith.andi", 2, INTS, {"="}, 0},
    {"arith.ori", 2, INTS, {"="}, 0},
    {"arith.xori", 2, INTS, {"="}, 0},
    {"arith.shli", 2, INTS, {"="}, 0},
    {"arith.shrsi", 2, INTS, {"="}, 0},
    {"arith.shrui", 2, INTS, {"="}, 0},
    {"arith.minsi", 2, INTS, {"="}, 0},
    {"arith.maxsi", 2, INTS, {"="}, 0},
    {"arith.minui", 2, INTS, {"="}, 0},
    {"arith.maxui", 2, INTS, {"="}, 0},
    {"arith.cmpi", 2, INTS, {"i1"}, 10},
    {"arith.extsi", 1, {"i1", "i8", "i32"}, {"i64"}, 0},
    {"arith.extui", 1, {"i1", "i8", "i32"}, {"i64"}, 0},
    {"arith.trunci", 1, {"i32", "i64"}, {"i1", "i8"}, 0},
    {"arith.index_cast", 1, {"i8", "i32"}, {"index"}, 0},
    {"arith.index_castui", 1, {"i8", "i32"}, {"index"}, 0},
    {"arith.sitofp", 1, INTS, {"f32", "f64"}, 0},
    {"arith.uitofp", 1, INTS, {"f32", "f64"}, 0},
    {"math.ctlz", 1, {"i8", "i32", "i64"}, {"="}, 0},
    {"arith.addf", 2, FLOATS, {"="}, 0},
    {"arith.subf", 2, FLOATS, {"="}, 0},
    {"arith.mulf", 2, FLOATS, {"="}, 0},
    {"arith.divf", 2, FLOATS, {"="}, 0},
    {"arith.remf", 2, FLOATS, {"="}, 0},
    {"arith.minimumf", 2, FLOATS, {"="}, 0},
    {"arith.maximumf", 2, FLOATS, {"="}, 0},
    {"arith.minnumf", 2, FLOATS, {"="}, 0},
    {"arith.maxnumf", 2, FLOATS, {"="}, 0},
    {"arith.cmpf", 2, FLOATS, {"i1"}, 16},
    {"arith.negf", 1, FLOATS, {"="}, 0},
    {"arith.extf", 1, {"f32"}, {"f64"}, 0},
    {"arith.truncf", 1, {"f64"}, {"f32"}, 0},
    {"arith.fptosi", 1, FLOATS, {"i8", "i32", "i64"}, 0},
    {"arith.fptoui", 1, FLOATS, {"i8", "i32", "i64"}, 0},
    {"math.absf", 1, FLOATS, {"="}, 0},
    {"math.floor", 1, FLOATS, {"="}, 0},
    {"math.ceil", 1, FLOATS, {"="}, 0},
    {"math.trunc", 1, FLOATS, {"="}, 0},
    {"math.round", 1, FLOATS, {"="}, 0},
    {"math.roundeven", 1, FLOATS, {"="}, 0},
    {"math.sqrt", 1, FLOATS, {"="}, 0},
    {"math.rsqrt", 1, FLOATS, {"="}, 0},
};
// Compiled programs trap where these have no result.
static const Row divisions[] = {
    {"arith.divsi", 2, {"i8", "i32", "i64"}, {"="}, 0},
    {"arith.divui", 2, {"i8", "i32", "i64"}, {"="}, 0},
    {"arith.remsi", 2, {"i8", "i32", "i64"}, {"="}, 0},
    {"arith.remui", 2, {"i8", "i32", "i64"}, {"="}, 0},
};
enum {
  ROWS = sizeof rows / sizeof *rows,
  DIVISIONS = sizeof divisions / sizeof *divisions,
};

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static const int64_t ints[] = {
    7, 0, 1, -1, -3, 31, 127, -128, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
static const double floats[] = {1.0,   0.0,   -0.0,     2.5,       -3.7, 0.1,
                                1e-40, -1e30, INFINITY, -INFINITY, 127.6};
enum {
  INTS_COUNT = sizeof ints / sizeof *ints,
  FLOATS_COUNT = sizeof floats / sizeof *floats,
  MAX_PAIRS = INTS_COUNT * INTS_COUNT,
};

typedef struct Operands {
  MlirType type;
  LunaScalarType scalar;
  LunaConstant a, b; // a list of pairs
  uint8_t data[2][8 * MAX_PAIRS];
} Operands;

static LunaCell number(LunaScalarType type, int64_t i) {
  LunaCell cell = {.integer = 0};
  if (type.kind == LUNA_SCALAR_INT)
    cell.integer = luna_sign_extend((uint64_t)ints[i], type.bits);
  else if (type.kind == LUNA_SCALAR_F64)
    cell.f64 = floats[i];
  else
    cell.f32 = (float)floats[i];
  return cell;
}

static bool may_divide(LunaScalarType type, LunaCell a, LunaCell b) {
  return luna_zero_extend(b.integer, type.bits) != 0 &&
         (b.integer != -1 || a.integer != -(INT64_C(1) << (type.bits - 2)) * 2);
}

static void make_operands(Operands *operands, const char *type,
                          bool for_division) {
  operands->type = mlirTypeParseGet(context, luna_str(type));
  operands->scalar = luna_scalar_type(operands->type);
  int64_t count =
      operands->scalar.kind == LUNA_SCALAR_INT ? INTS_COUNT : FLOATS_COUNT;
  operands->a = (LunaConstant){.element = operands->scalar,
                               .count = count * count,
                               .data = operands->data[0]};
  operands->b = operands->a;
  operands->b.data = operands->data[1];
  for (int64_t i = 0; i < count * count; ++i) {
    LunaCell a = number(operands->scalar, i / count);
    LunaCell b = number(operands->scalar, i % count);
    if (for_division && !may_divide(operands->scalar, a, b))
      b = number(operands->scalar, 0);
    luna_constant_store(&operands->a, i, a);
    luna_constant_store(&operands->b, i, b);
  }
}

//===----------------------------------------------------------------------===//
// One operator on one type
//===----------------------------------------------------------------------===//

typedef struct Case {
  const Row *row;
  const char *from, *to;
  int predicate;
} Case;

static void print_op(LunaText *text, const Case *test) {
  luna_text_printf(text, "%%r = \"%s\"(%%a%s) ", test->row->name,
                   test->row->operands == 2 ? ", %b" : "");
  if (test->row->predicates > 0)
    luna_text_printf(text, "<{predicate = %d : i64}> ", test->predicate);
  luna_text_printf(text, ": (%s%s%s) -> %s\n", test->from,
                   test->row->operands == 2 ? ", " : "",
                   test->row->operands == 2 ? test->from : "", test->to);
}

static MlirModule parse(LunaText *text) {
  MlirModule module = mlirModuleCreateParse(context, luna_str(text->data));
  CHECK(!mlirModuleIsNull(module));
  luna_text_deinit(text);
  return module;
}

// One function that gives the results of all cases for each pair.
enum { CASES_MAX = 62 };

typedef struct Cases {
  Case items[CASES_MAX];
  int count;
} Cases;

static void print_result_types(LunaText *text, const Cases *cases, int size) {
  for (int i = 0; i < cases->count; ++i)
    luna_text_printf(text, "%s tensor<%dx%s>", i ? "," : "", size,
                     cases->items[i].to);
}

static void print_case(LunaText *text, const Case *test, int number, int size) {
  luna_text_printf(text,
                   "%%e%d = tensor.empty() : tensor<%dx%s>\n"
                   "%%z%d = linalg.generic {indexing_maps = [affine_map<(i) -> "
                   "(i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], "
                   "iterator_types = [\"parallel\"]} ins(%%x, %%y : "
                   "tensor<%dx%s>, tensor<%dx%s>) outs(%%e%d : tensor<%dx%s>) "
                   "{\n^bb0(%%a: %s, %%b: %s, %%o: %s):\n",
                   number, size, test->to, number, size, test->from, size,
                   test->from, number, size, test->to, test->from, test->from,
                   test->to);
  print_op(text, test);
  luna_text_printf(text, "linalg.yield %%r : %s\n} -> tensor<%dx%s>\n",
                   test->to, size, test->to);
}

// The results by a program that upstream compiles.
static void compile(const Cases *cases, const Operands *operands,
                    LunaReference *reference) {
  LunaText text = {0};
  int size = (int)operands->a.count;
  const char *from = cases->items[0].from;
  luna_text_printf(&text,
                   "func.func @main(%%x: tensor<%dx%s>, %%y: tensor<%dx%s>) -> "
                   "(",
                   size, from, size, from);
  print_result_types(&text, cases, size);
  luna_text_printf(&text, ") {\n");
  for (int i = 0; i < cases->count; ++i)
    print_case(&text, &cases->items[i], i, size);
  luna_text_printf(&text, "return ");
  for (int i = 0; i < cases->count; ++i)
    luna_text_printf(&text, "%s%%z%d", i ? ", " : "", i);
  luna_text_printf(&text, " :");
  print_result_types(&text, cases, size);
  luna_text_printf(&text, "\n}\n");
  MlirModule module = parse(&text);
  CHECK(open_reference(reference, module));
  mlirModuleDestroy(module);
  memcpy(reference->values[0].data, operands->a.data,
         reference->values[0].bytes);
  memcpy(reference->values[1].data, operands->b.data,
         reference->values[1].bytes);
  run_reference(reference);
}

static MlirAttribute element_attr(const Operands *operands,
                                  const LunaConstant *list, int64_t i) {
  LunaConstant one = {.element = operands->scalar,
                      .count = 1,
                      .data = list->data + i * operands->scalar.bytes};
  return luna_constant_attr(&one, operands->type);
}

static bool same(LunaScalarType type, LunaCell a, LunaCell b) {
  if (type.kind == LUNA_SCALAR_INT)
    return a.integer == b.integer;
  if (type.kind == LUNA_SCALAR_F64)
    return (isnan(a.f64) && isnan(b.f64)) ||
           memcmp(&a.f64, &b.f64, sizeof a.f64) == 0;
  return (isnan(a.f32) && isnan(b.f32)) ||
         memcmp(&a.f32, &b.f32, sizeof a.f32) == 0;
}

// Evaluates the operator for every `step`th pair; returns how many have a
// value.
static int compare(const Case *test, const Operands *operands,
                   const LunaConstant *expected, int64_t step) {
  LunaText text = {0};
  luna_text_printf(&text,
                   "func.func @f() -> %s {\n%%a = arith.constant %s : %s\n"
                   "%%b = arith.constant %s : %s\n",
                   test->to, test->from[0] == 'f' ? "0.0" : "0", test->from,
                   test->from[0] == 'f' ? "0.0" : "0", test->from);
  print_op(&text, test);
  luna_text_printf(&text, "return %%r : %s\n}\n", test->to);
  MlirModule module = parse(&text);
  MlirBlock body =
      luna_body(mlirBlockGetFirstOperation(mlirModuleGetBody(module)), 0);
  MlirOperation a = mlirBlockGetFirstOperation(body);
  MlirOperation b = mlirOperationGetNextInBlock(a);
  MlirOperation op = mlirOperationGetNextInBlock(b);
  int count = 0;
  for (int64_t i = 0; i < operands->a.count; i += step) {
    luna_set_attr(a, "value", element_attr(operands, &operands->a, i));
    luna_set_attr(b, "value", element_attr(operands, &operands->b, i));
    LunaFold *fold = luna_fold_create(
        context, &(LunaFoldLimits){.max_steps = 10, .max_bytes = 100});
    const LunaConstant *found =
        luna_fold_value(fold, mlirOperationGetResult(op, 0));
    if (found && !same(expected->element, luna_constant_load(found, 0),
                       luna_constant_load(expected, i))) {
      fprintf(stderr, "%s %d on %s to %s, pair %d\n", test->row->name,
              test->predicate, test->from, test->to, (int)i);
      CHECK(!"the compiled program gives something else");
    }
    count += found != NULL;
    luna_fold_destroy(fold);
  }
  mlirModuleDestroy(module);
  return count;
}

static void check_case(const Case *test, const Operands *operands,
                       uint8_t *results) {
  LunaConstant expected = {
      .element =
          luna_scalar_type(mlirTypeParseGet(context, luna_str(test->to))),
      .count = operands->a.count,
      .data = results,
  };
  // Of an operator of one operand, pairs that differ in it.
  int64_t step = 1;
  while (test->row->operands == 1 && step * step < operands->a.count)
    ++step;
  int64_t tried = operands->a.count / step;
  // Most have a value; shifts of i1 and conversions to i8 the fewest.
  CHECK(compare(test, operands, &expected, step) * 4 > tried);
}

static void add_cases(Cases *cases, const Row *row, const char *type) {
  for (int f = 0; f < 6 && row->from[f]; ++f)
    for (int t = 0; t < 4 && row->to[t] && !strcmp(row->from[f], type); ++t)
      for (int p = 0; p < (row->predicates ? row->predicates : 1); ++p)
        cases->items[cases->count++] =
            (Case){row, type, row->to[t][0] == '=' ? type : row->to[t], p};
}

static void check_type(const char *type, const Row *list, int row_count,
                       bool is_division) {
  static Operands operands;
  Cases cases = {.count = 0};
  LunaReference reference;
  for (int i = 0; i < row_count; ++i)
    add_cases(&cases, &list[i], type);
  make_operands(&operands, type, is_division);
  compile(&cases, &operands, &reference);
  for (int i = 0; i < cases.count; ++i)
    check_case(&cases.items[i], &operands, reference.values[2 + i].data);
  luna_reference_destroy(&reference);
}

static void operators_give_what_is_compiled(void) {
  static const char *const types[] = {"i1", "i8", "i32", "i64", "f32", "f64"};
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    check_type(types[i], rows, ROWS, false);
}

static void divisions_give_what_is_compiled(void) {
  static const char *const types[] = {"i8", "i32", "i64"};
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    check_type(types[i], divisions, DIVISIONS, true);
}

static bool is_tested(const char *name) {
  for (int i = 0; i < ROWS; ++i)
    if (strcmp(rows[i].name, name) == 0)
      return true;
  for (int i = 0; i < DIVISIONS; ++i)
    if (strcmp(divisions[i].name, name) == 0)
      return true;
  return false;
}

static void every_operator_is_tested(void) {
  for (int i = 0; i < luna_scalar_int_op_count; ++i)
    CHECK(is_tested(luna_op_name(luna_scalar_int_ops[i].name)));
  for (int i = 0; i < luna_scalar_float_op_count; ++i)
    CHECK(is_tested(luna_op_name(luna_scalar_float_ops[i].name)));
}

int main(void) {
  context = reference_context();
  RUN_TEST(every_operator_is_tested);
  RUN_TEST(operators_give_what_is_compiled);
  RUN_TEST(divisions_give_what_is_compiled);
  mlirContextDestroy(context);
  return 0;
}
