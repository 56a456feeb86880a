// What the checker of plans and the passes both ask: each table is held against
// its meaning, written out here. docs/verification.md lists them.

#include "check.h"
#include "luna-c/dialect.h"
#include "luna-c/linalg_operands.h"
#include "luna-c/ops.h"
#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/Linalg.h"
#include "mlir-c/Dialect/MemRef.h"
#include "op_desc.h"

static MlirContext context;
static MlirModule module;

typedef struct Search {
  LunaOpName name;
  MlirOperation found;
} Search;

static bool is_other(MlirOperation op, void *data) {
  Search *search = data;
  if (luna_op_is(op, search->name))
    search->found = op;
  return mlirOperationIsNull(search->found);
}

// Parses the text of a module; the first operator of that name.
static MlirOperation parse(const char *text, LunaOpName name) {
  module = mlirModuleCreateParse(context, luna_str(text));
  CHECK(!mlirModuleIsNull(module));
  Search search = {.name = name};
  luna_walk(mlirModuleGetOperation(module), is_other, &search);
  CHECK(!mlirOperationIsNull(search.found));
  return search.found;
}

static void close_module(void) { mlirModuleDestroy(module); }

//===----------------------------------------------------------------------===//
// Which operands the body of a linalg operator uses
//===----------------------------------------------------------------------===//

static void check_uses(MlirOperation op, const char *uses) {
  CHECK_EQ(mlirOperationGetNumOperands(op), strlen(uses));
  for (intptr_t i = 0; uses[i]; ++i)
    CHECK_EQ(luna_linalg_body_uses(op, i, false), uses[i] == 'y');
}

static void a_body_uses_what_its_result_depends_on(void) {
  check_uses(parse("#m = affine_map<(d) -> (d)>\n"
                   "func.func @f(%x: memref<4xi8>, %y: memref<4xi8>) {\n"
                   "  linalg.generic {indexing_maps = [#m, #m, #m, #m], "
                   "iterator_types = [\"parallel\"]} "
                   "ins(%x, %x : memref<4xi8>, memref<4xi8>) "
                   "outs(%y, %y : memref<4xi8>, memref<4xi8>) {\n"
                   "  ^bb0(%a: i8, %b: i8, %c: i8, %d: i8):\n"
                   "    %s = arith.addi %b, %d : i8\n"
                   "    linalg.yield %s, %s : i8, i8\n"
                   "  }\n"
                   "  return\n"
                   "}",
                   LUNA_OP_LINALG_GENERIC),
             "nyny");
  close_module();
  check_uses(parse("func.func @f(%v: i8, %y: memref<4xi8>) {\n"
                   "  linalg.fill ins(%v : i8) outs(%y : memref<4xi8>)\n"
                   "  return\n"
                   "}",
                   LUNA_OP_LINALG_FILL),
             "yn");
  close_module();
}

// An operator without a body.
static void what_a_body_does_not_know_is_as_told(void) {
  MlirOperation op =
      parse("func.func @f(%x: memref<4xi8>, %y: memref<4xi8>) {\n"
            "  memref.copy %x, %y : memref<4xi8> to memref<4xi8>\n"
            "  return\n"
            "}",
            LUNA_OP_MEMREF_COPY);
  CHECK(luna_linalg_body_uses(op, 1, true));
  CHECK(!luna_linalg_body_uses(op, 1, false));
  close_module();
}

//===----------------------------------------------------------------------===//
// Operands and descriptors of the unit
//===----------------------------------------------------------------------===//

#define CONV2D                                                                 \
  "func.func @f(%x: memref<1x8x9x4xi8, strided<[400, 44, 4, 1]>>, %w: "        \
  "memref<6x3x2x4xi8>, %b: memref<6xi32>, %t: memref<2x6xi32>, %s: "           \
  "memref<640xi8>, %y: memref<1x5x4x6xi8>) {\n"                                \
  "  luna.conv2d ins(%x, %w : memref<1x8x9x4xi8, strided<[400, 44, 4, 1]>>, "  \
  "memref<6x3x2x4xi8>) bias(%b : memref<6xi32>) table(%t : memref<2x6xi32>) "  \
  "scratch(%s : memref<640xi8>) outs(%y : memref<1x5x4x6xi8>) "                \
  "{stride = array<i64: 2, 3>, dilation = array<i64: 1, 2>, "                  \
  "pad = array<i64: 1, 2, 3, 0>, input_zp = 3 : i32, weight_zp = 4 : i32, "    \
  "requant = #luna.requant<mode = multiplier, rounding = double, "             \
  "per_channel = true, multiplier = 11, shift = 12, zero_point = 13, "         \
  "clamp_min = -14, clamp_max = 15>, "                                         \
  "tiling = array<i32: 21, 22, 23, 24, 25, 26, 1, 640, 0>}\n"                  \
  "  return\n"                                                                 \
  "}"
#define MATMUL                                                                 \
  "func.func @f(%x: memref<2x3x4xi8>, %w: memref<2x5x4xi8>, %s: "              \
  "memref<60xi8>, %y: memref<2x3x5xi8>) {\n"                                   \
  "  luna.matmul ins(%x, %w : memref<2x3x4xi8>, memref<2x5x4xi8>) "            \
  "scratch(%s : memref<60xi8>) outs(%y : memref<2x3x5xi8>) {rhs_transposed, "  \
  "lhs_zp = 5 : i32, rhs_zp = 6 : i32, requant = #luna.requant<mode = shift, " \
  "shift = 7, zero_point = 8>, tiling = array<i32: 3, 5, 1, 4, 1, 1, 1, 60, "  \
  "0>}"                                                                        \
  "\n  return\n"                                                               \
  "}"
#define ELTWISE                                                                \
  "func.func @f(%x: memref<3x4xi8>, %w: memref<1x4xi8>, %y: memref<3x4xi8>) "  \
  "{\n"                                                                        \
  "  luna.sub ins(%x, %w : memref<3x4xi8>, memref<1x4xi8>) "                   \
  "outs(%y : memref<3x4xi8>) {lhs_zp = 1 : i32, lhs_multiplier = 2 : i32, "    \
  "lhs_shift = 3 : i32, rhs_zp = 4 : i32, rhs_multiplier = 5 : i32, "          \
  "rhs_shift = 6 : i32, input_rounding = 1 : i32, "                            \
  "requant = #luna.requant<mode = shift, shift = 9>}\n"                        \
  "  return\n"                                                                 \
  "}"
#define POOL                                                                   \
  "func.func @f(%x: memref<1x4x8x2xi8>, %y: memref<1x4x3x2xi8>) {\n"           \
  "  luna.avg_pool2d ins(%x : memref<1x4x8x2xi8>) "                            \
  "outs(%y : memref<1x4x3x2xi8>) {kernel = array<i64: 2, 3>, "                 \
  "stride = array<i64: 1, 4>, pad = array<i64: 1, 0, 2, 1>, "                  \
  "input_zp = 7 : i32, output_zp = 9 : i32}\n"                                 \
  "  return\n"                                                                 \
  "}"
#define TABLE                                                                  \
  "func.func @f(%x: memref<16xi8>, %t: memref<256xi8>, %y: memref<16xi8>) {\n" \
  "  luna.table ins(%x, %t : memref<16xi8>, memref<256xi8>) "                  \
  "outs(%y : memref<16xi8>)\n"                                                 \
  "  return\n"                                                                 \
  "}"

// The expected index by role: input, weight, bias, table, scratch, output.
static void check_roles(const char *text, LunaOpName name,
                        const intptr_t expected[6]) {
  MlirOperation op = parse(text, name);
  for (int role = LUNA_ROLE_INPUT; role <= LUNA_ROLE_OUTPUT; ++role)
    CHECK_EQ(luna_unit_operand_index(op, (LunaOperandRole)role),
             expected[role]);
  close_module();
}

static void operands_are_found_by_their_role(void) {
  check_roles(CONV2D, LUNA_OP_LUNA_CONV2D, (intptr_t[]){0, 1, 2, 3, 4, 5});
  check_roles(MATMUL, LUNA_OP_LUNA_MATMUL, (intptr_t[]){0, 1, -1, -1, 2, 3});
  check_roles(ELTWISE, LUNA_OP_LUNA_SUB, (intptr_t[]){0, -1, -1, -1, -1, 2});
  check_roles(POOL, LUNA_OP_LUNA_AVG_POOL2D,
              (intptr_t[]){0, -1, -1, -1, -1, 1});
  check_roles(TABLE, LUNA_OP_LUNA_TABLE, (intptr_t[]){0, -1, -1, 1, -1, 2});
}

// Row-major strides, unless others are told.
static LunaTensorDesc tensor(int32_t type, const int32_t dims[4]) {
  LunaTensorDesc desc = {.type = type};
  for (int i = 3, stride = 1; i >= 0; --i) {
    desc.dims[i] = dims[i];
    desc.strides[i] = stride;
    stride *= dims[i];
  }
  return desc;
}

#define TENSOR(TYPE, ...) tensor(LUNA_TYPE_##TYPE, (int32_t[]){__VA_ARGS__})

static void check_words(const LunaUnitDesc *found, LunaUnitClass unit_class,
                        const void *expected, size_t bytes) {
  CHECK_EQ(found->unit_class, unit_class);
  const int32_t *a = (const void *)&found->as, *b = expected;
  for (size_t i = 0; i < bytes / sizeof *a; ++i)
    CHECK_EQ(a[i], b[i]);
}

static LunaUnitDesc read(const char *text, LunaOpName name) {
  LunaUnitDesc desc;
  CHECK(luna_unit_desc_read(parse(text, name), &desc));
  close_module();
  return desc;
}

static void a_convolution_reads_all_of_its_fields(void) {
  LunaUnitDesc found = read(CONV2D, LUNA_OP_LUNA_CONV2D);
  LunaConv2dDesc expected = {
      .kind = LUNA_CONV_NORMAL,
      .input = {LUNA_TYPE_I8, {1, 8, 9, 4}, {400, 44, 4, 1}},
      .weight = TENSOR(I8, 6, 3, 2, 4),
      .bias = TENSOR(I32, 1, 1, 1, 6),
      .table = TENSOR(I32, 1, 1, 2, 6),
      .scratch = TENSOR(I8, 1, 1, 1, 640),
      .output = TENSOR(I8, 1, 5, 4, 6),
      .stride = {2, 3},
      .dilation = {1, 2},
      .pad = {1, 2, 3, 0},
      .input_zero_point = 3,
      .weight_zero_point = 4,
      .requant = {LUNA_REQUANT_MULTIPLIER, LUNA_ROUND_DOUBLE, 1, 11, 12, 13,
                  -14, 15},
      .tiling = {21, 22, 23, 24, 25, 26, 1, 640},
  };
  check_words(&found, LUNA_UNIT_CONV2D, &expected, sizeof expected);
}

static void a_product_reads_all_of_its_fields(void) {
  LunaUnitDesc found = read(MATMUL, LUNA_OP_LUNA_MATMUL);
  LunaMatmulDesc expected = {
      .rhs_transposed = 1,
      .lhs = TENSOR(I8, 1, 2, 3, 4),
      .rhs = TENSOR(I8, 1, 2, 5, 4),
      .scratch = TENSOR(I8, 1, 1, 1, 60),
      .output = TENSOR(I8, 1, 2, 3, 5),
      .lhs_zero_point = 5,
      .rhs_zero_point = 6,
      .requant = {.mode = LUNA_REQUANT_SHIFT,
                  .shift = 7,
                  .output_zero_point = 8,
                  .clamp_min = -128,
                  .clamp_max = 127},
      .tiling = {3, 5, 1, 4, 1, 1, 1, 60},
  };
  check_words(&found, LUNA_UNIT_MATMUL, &expected, sizeof expected);
}

static void a_difference_reads_all_of_its_fields(void) {
  LunaUnitDesc found = read(ELTWISE, LUNA_OP_LUNA_SUB);
  LunaEltwiseDesc expected = {
      .kind = LUNA_ELTWISE_SUB,
      .lhs = TENSOR(I8, 1, 1, 3, 4),
      .rhs = {LUNA_TYPE_I8, {1, 1, 3, 4}, {4, 4, 0, 1}}, // repeats its row
      .output = TENSOR(I8, 1, 1, 3, 4),
      .lhs_zero_point = 1,
      .lhs_multiplier = 2,
      .lhs_shift = 3,
      .rhs_zero_point = 4,
      .rhs_multiplier = 5,
      .rhs_shift = 6,
      .input_rounding = 1,
      .requant = {.mode = LUNA_REQUANT_SHIFT,
                  .shift = 9,
                  .clamp_min = -128,
                  .clamp_max = 127},
  };
  check_words(&found, LUNA_UNIT_ELTWISE, &expected, sizeof expected);
}

static void an_average_reads_all_of_its_fields(void) {
  LunaUnitDesc found = read(POOL, LUNA_OP_LUNA_AVG_POOL2D);
  LunaPoolDesc expected = {
      .kind = LUNA_POOL_AVERAGE,
      .input = TENSOR(I8, 1, 4, 8, 2),
      .output = TENSOR(I8, 1, 4, 3, 2),
      .kernel = {2, 3},
      .stride = {1, 4},
      .pad = {1, 0, 2, 1},
      .input_zero_point = 7,
      .output_zero_point = 9,
  };
  check_words(&found, LUNA_UNIT_POOL, &expected, sizeof expected);
}

static void a_table_reads_its_operands(void) {
  LunaUnitDesc found = read(TABLE, LUNA_OP_LUNA_TABLE);
  LunaTableDesc expected = {
      .input = TENSOR(I8, 1, 1, 1, 16),
      .table = TENSOR(I8, 1, 1, 1, 256),
      .output = TENSOR(I8, 1, 1, 1, 16),
  };
  check_words(&found, LUNA_UNIT_TABLE, &expected, sizeof expected);
}

static void each_operator_has_its_kind(void) {
#define ON_INPUTS(name)                                                        \
  "func.func @f(%x: memref<4xi8>, %y: memref<4xi8>) {\n"                       \
  "  " name " ins(%x, %x : memref<4xi8>, memref<4xi8>) "                       \
  "outs(%y : memref<4xi8>) {requant = #luna.requant<mode = shift>}\n"          \
  "  return\n"                                                                 \
  "}"
  CHECK_EQ(read(ON_INPUTS("luna.add"), LUNA_OP_LUNA_ADD).as.eltwise.kind,
           LUNA_ELTWISE_ADD);
  CHECK_EQ(read(ON_INPUTS("luna.mul"), LUNA_OP_LUNA_MUL).as.eltwise.kind,
           LUNA_ELTWISE_MUL);
  LunaUnitDesc found =
      read("func.func @f(%x: memref<1x2x2x1xi8>, %y: memref<1x1x1x1xi8>) {\n"
           "  luna.max_pool2d ins(%x : memref<1x2x2x1xi8>) "
           "outs(%y : memref<1x1x1x1xi8>) {kernel = array<i64: 2, 2>, "
           "stride = array<i64: 1, 1>}\n"
           "  return\n"
           "}",
           LUNA_OP_LUNA_MAX_POOL2D);
  CHECK_EQ(found.as.pool.kind, LUNA_POOL_MAX);
  found =
      read("func.func @f(%x: memref<1x2x2x3xi8>, %w: memref<1x1x3x1xi8>, %y: "
           "memref<1x2x2x3xi32>) {\n"
           "  luna.conv2d ins(%x, %w : memref<1x2x2x3xi8>, "
           "memref<1x1x3x1xi8>) outs(%y : memref<1x2x2x3xi32>) "
           "{kind = 1 : i32, requant = #luna.requant<>}\n"
           "  return\n"
           "}",
           LUNA_OP_LUNA_CONV2D);
  CHECK_EQ(found.as.conv2d.kind, LUNA_CONV_DEPTHWISE);
}

static void what_is_not_written_has_its_default(void) {
  LunaUnitDesc found =
      read("func.func @f(%x: memref<1x8x8x4xi8>, %w: memref<6x3x3x4xi8>, %y: "
           "memref<1x6x6x6xi32>) {\n"
           "  luna.conv2d ins(%x, %w : memref<1x8x8x4xi8>, "
           "memref<6x3x3x4xi8>) outs(%y : memref<1x6x6x6xi32>) "
           "{requant = #luna.requant<>}\n"
           "  return\n"
           "}",
           LUNA_OP_LUNA_CONV2D);
  const LunaConv2dDesc *conv = &found.as.conv2d;
  CHECK_EQ(conv->requant.mode, LUNA_REQUANT_NONE);
  CHECK(conv->stride[0] == 1 && conv->stride[1] == 1);
  CHECK(conv->dilation[0] == 1 && conv->dilation[1] == 1);
  const int32_t nothing[sizeof(LunaTiling) / sizeof(int32_t)] = {0};
  CHECK(memcmp(conv->pad, nothing, sizeof conv->pad) == 0);
  CHECK(memcmp(&conv->tiling, nothing, sizeof conv->tiling) == 0);
  CHECK(conv->input_zero_point == 0 && conv->weight_zero_point == 0);
  CHECK(conv->bias.type == 0 && conv->bias.dims[3] == 0);
  found = read("func.func @f(%x: memref<2x3x4xi8>, %w: memref<2x4x5xi8>, %y: "
               "memref<2x3x5xi32>) {\n"
               "  luna.matmul ins(%x, %w : memref<2x3x4xi8>, "
               "memref<2x4x5xi8>) outs(%y : memref<2x3x5xi32>) "
               "{requant = #luna.requant<>}\n"
               "  return\n"
               "}",
               LUNA_OP_LUNA_MATMUL);
  CHECK_EQ(found.as.matmul.rhs_transposed, 0);
  CHECK(memcmp(&found.as.matmul.tiling, nothing, sizeof nothing) == 0);
}

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

static void check_strides(const char *text, int64_t offset, intptr_t rank,
                          const int64_t *expected) {
  MlirType type = mlirTypeParseGet(context, luna_str(text));
  int64_t found_offset = -1, found[LUNA_RANK_MAX];
  CHECK(luna_memref_strides(type, &found_offset, found));
  CHECK_EQ(mlirShapedTypeGetRank(type), rank);
  CHECK_EQ(found_offset, offset);
  for (intptr_t i = 0; i < rank; ++i)
    CHECK_EQ(found[i], expected[i]);
}

static void strides_are_those_of_the_layout(void) {
  const int64_t dynamic = mlirShapedTypeGetDynamicStrideOrOffset();
  check_strides("memref<i8>", 0, 0, NULL);
  check_strides("memref<2x3x5xi8>", 0, 3, (int64_t[]){15, 5, 1});
  check_strides("memref<7x1x4xf32>", 0, 3, (int64_t[]){4, 4, 1});
  check_strides("memref<2x3xi8, strided<[7, 2], offset: 9>>", 9, 2,
                (int64_t[]){7, 2});
  check_strides("memref<2x3xi8, strided<[?, 1], offset: ?>>", dynamic, 2,
                (int64_t[]){dynamic, 1});
  check_strides("memref<2x3xi8, affine_map<(i, j) -> (j * 2 + i)>>", 0, 2,
                (int64_t[]){1, 2});
  check_strides("memref<?x2x?xi8>", 0, 3, (int64_t[]){dynamic, dynamic, 1});
  int64_t offset, strides[2];
  CHECK(!luna_memref_strides(
      mlirTypeParseGet(
          context,
          luna_str("memref<8x8xi8, affine_map<(i, j) -> (i mod 2, j)>>")),
      &offset, strides));
}

int main(void) {
  const MlirDialectHandle handles[] = {
      mlirGetDialectHandle__arith__(),  mlirGetDialectHandle__func__(),
      mlirGetDialectHandle__linalg__(), mlirGetDialectHandle__memref__(),
      mlirGetDialectHandle__luna__(),
  };
  context = mlirContextCreate();
  for (size_t i = 0; i < sizeof handles / sizeof handles[0]; ++i)
    mlirDialectHandleLoadDialect(handles[i], context);
  RUN_TEST(a_body_uses_what_its_result_depends_on);
  RUN_TEST(what_a_body_does_not_know_is_as_told);
  RUN_TEST(operands_are_found_by_their_role);
  RUN_TEST(a_convolution_reads_all_of_its_fields);
  RUN_TEST(a_product_reads_all_of_its_fields);
  RUN_TEST(a_difference_reads_all_of_its_fields);
  RUN_TEST(an_average_reads_all_of_its_fields);
  RUN_TEST(a_table_reads_its_operands);
  RUN_TEST(each_operator_has_its_kind);
  RUN_TEST(what_is_not_written_has_its_default);
  RUN_TEST(strides_are_those_of_the_layout);
  mlirContextDestroy(context);
  return 0;
}
