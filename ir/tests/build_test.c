// Building ops: where they go, what is not added, loops that reduce.

#include "check.h"
#include "luna-c/build_generic.h"
#include "luna-c/build_scalar.h"
#include "luna-c/build_tosa.h"
#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/Linalg.h"
#include "mlir-c/Dialect/Tensor.h"
#include "mlir-c/Dialect/Tosa.h"

static MlirContext context;
static MlirModule module;
static LunaBuilder b;

// A block with one argument, f32 [2, 3], at the end of the module.
static MlirValue open_block(void) {
  module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  b = luna_builder(context);
  b.block = mlirModuleGetBody(module);
  return luna_build_splat(&b, luna_tensor_type(b.f32, &(LunaShape){2, {2, 3}}),
                          1.0);
}

static void close_block(void) {
  CHECK(mlirOperationVerify(mlirModuleGetOperation(module)));
  mlirModuleDestroy(module);
}

static int op_count(LunaOpName name) {
  int count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(b.block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    count += luna_op_is(op, name);
  return count;
}

static void what_changes_nothing_is_not_added(void) {
  MlirValue x = open_block();
  LunaShape shape = luna_shape_of(x);
  int64_t zeros[4] = {0}, ones[2] = {1, 1};
  CHECK(luna_same_value(luna_build_reshape(&b, x, &shape), x));
  CHECK(luna_same_value(luna_build_slice(&b, x, zeros, shape.dims), x));
  CHECK(luna_same_value(
      luna_build_strided_slice(&b, x, zeros, shape.dims, ones), x));
  CHECK(luna_same_value(luna_build_pad(&b, x, zeros, x), x));
  CHECK(luna_same_value(luna_build_concat(&b, 1, &x, 0), x));
  CHECK(luna_same_value(luna_build_cast(&b, x, b.f32), x));
  CHECK(luna_same_value(luna_build_transpose(&b, x, (int32_t[]){0, 1}), x));
  CHECK_EQ(op_count(LUNA_OP_TOSA_CONST), 1);
  close_block();
}

static void transpose_of_extents_of_one_is_a_reshape(void) {
  MlirValue x = open_block();
  x = luna_build_raise_rank(&b, x, 3);
  x = luna_build_transpose(&b, x, (int32_t[]){1, 0, 2});
  CHECK_EQ(op_count(LUNA_OP_TOSA_RESHAPE), 2);
  x = luna_build_transpose(&b, x, (int32_t[]){2, 1, 0});
  CHECK_EQ(op_count(LUNA_OP_TOSA_TRANSPOSE), 1);
  CHECK_EQ(luna_extent(x, 0), 3);
  close_block();
}

static void slices_with_steps_leave_tosa(void) {
  MlirValue x = open_block();
  x = luna_build_strided_slice(&b, x, (int64_t[]){0, 0}, (int64_t[]){2, 2},
                               (int64_t[]){1, 2});
  CHECK_EQ(op_count(LUNA_OP_TENSOR_EXTRACT_SLICE), 1);
  CHECK_EQ(luna_extent(x, 1), 2);
  close_block();
}

static void operands_broadcast(void) {
  LunaShape wide = {2, {2, 3}}, narrow = {1, {3}}, other = {1, {2}}, out;
  CHECK(luna_broadcast(&narrow, &wide, &out));
  CHECK_EQ(out.rank, 2);
  CHECK_EQ(out.dims[0], 2);
  CHECK(!luna_broadcast(&other, &wide, &out));
  MlirValue x = open_block();
  MlirValue row = luna_build_splat(&b, luna_list_type(b.f32, 3), 2.0);
  MlirValue sum = luna_build_binary(&b, "tosa.mul", row, x);
  CHECK(mlirTypeEqual(mlirValueGetType(sum), mlirValueGetType(x)));
  close_block();
}

// Sums of rows, started at 0: the loop that the result leaves out reduces.
static void loops_without_result_reduce(void) {
  MlirValue x = open_block();
  MlirValue zero = luna_build_splat(&b, luna_list_type(b.f32, 2), 0.0);
  LunaGeneric sums = luna_generic_over(&b, x);
  MlirValue element = luna_generic_input(&sums, x);
  MlirValue sum = luna_generic_update_at(&sums, zero, (int[]){0});
  MlirValue is_large =
      luna_scalar_compare(&b, LUNA_GT, sum, luna_scalar_f32(&b, 8.0));
  MlirValue result = luna_generic_end(
      &sums,
      luna_scalar_select(&b, is_large, sum, luna_scalar_add(&b, sum, element)));
  CHECK_EQ(luna_rank_of(result), 1);
  MlirAttribute kinds = luna_attr(luna_defining_op(result), "iterator_types");
  MlirAttribute wanted[2] = {
      luna_parse_attr(context, "#linalg.iterator_type<parallel>"),
      luna_parse_attr(context, "#linalg.iterator_type<reduction>")};
  CHECK(mlirAttributeEqual(kinds, mlirArrayAttrGet(context, 2, wanted)));
  close_block();
}

static void ops_go_before_a_given_one(void) {
  MlirValue x = open_block();
  MlirOperation last = luna_defining_op(luna_build_unary(&b, "tosa.exp", x));
  b.before = last;
  LunaGeneric generic = luna_generic_over(&b, x);
  MlirValue element = luna_generic_input(&generic, x);
  luna_generic_result(&generic, b.f32);
  MlirValue made = luna_generic_end(
      &generic, luna_scalar_mul(&b, element, luna_scalar_f32(&b, 3.0)));
  CHECK(mlirOperationEqual(mlirOperationGetNextInBlock(luna_defining_op(made)),
                           last));
  close_block();
}

int main(void) {
  context = mlirContextCreate();
  MlirDialectHandle handles[] = {
      mlirGetDialectHandle__arith__(), mlirGetDialectHandle__func__(),
      mlirGetDialectHandle__linalg__(), mlirGetDialectHandle__tensor__(),
      mlirGetDialectHandle__tosa__()};
  for (size_t i = 0; i < sizeof handles / sizeof *handles; ++i)
    mlirDialectHandleLoadDialect(handles[i], context);
  RUN_TEST(what_changes_nothing_is_not_added);
  RUN_TEST(transpose_of_extents_of_one_is_a_reshape);
  RUN_TEST(slices_with_steps_leave_tosa);
  RUN_TEST(operands_broadcast);
  RUN_TEST(loops_without_result_reduce);
  RUN_TEST(ops_go_before_a_given_one);
  mlirContextDestroy(context);
  return 0;
}
