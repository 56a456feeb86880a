#include "op_desc.h"

#include <string.h>

#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

int32_t luna_element_type_id(MlirType element) {
  if (mlirTypeIsAInteger(element))
    switch (mlirIntegerTypeGetWidth(element)) {
    case 1:
      return LUNA_TYPE_I1;
    case 8:
      return LUNA_TYPE_I8;
    case 16:
      return LUNA_TYPE_I16;
    case 32:
      return LUNA_TYPE_I32;
    case 64:
      return LUNA_TYPE_I64;
    default:
      return -1;
    }
  if (mlirTypeIsAF32(element))
    return LUNA_TYPE_F32;
  if (mlirTypeIsAF64(element))
    return LUNA_TYPE_F64;
  return mlirTypeIsAIndex(element) ? LUNA_TYPE_I64 : -1;
}

// A contiguous memref of more than four dimensions as one row.
static bool flatten(MlirType type, LunaTensorDesc *desc) {
  int64_t elements = 1;
  if (!luna_memref_is_contiguous(type))
    return false;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    elements *= mlirShapedTypeGetDimSize(type, i);
  if (elements > INT32_MAX)
    return false;
  for (int i = 0; i < 3; ++i) {
    desc->dims[i] = 1;
    desc->strides[i] = (int32_t)elements;
  }
  desc->dims[3] = (int32_t)elements;
  desc->strides[3] = 1;
  return true;
}

// The offset may be dynamic: the pointer carries it.
static bool static_strides(MlirType type, int64_t *strides) {
  int64_t offset = 0;
  if (mlirLogicalResultIsFailure(
          mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)))
    return false;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    if (mlirShapedTypeIsDynamicStrideOrOffset(strides[i]) ||
        strides[i] > INT32_MAX || strides[i] < 0)
      return false;
  return true;
}

bool luna_tensor_desc_from_type(MlirType type, LunaTensorDesc *desc) {
  *desc = (LunaTensorDesc){.buffer = LUNA_NO_ID, .content = LUNA_NO_ID};
  desc->type = luna_element_type_id(mlirShapedTypeGetElementType(type));
  if (desc->type < 0 || luna_shaped_bytes(type) < 0)
    return false;
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (rank > 4)
    return flatten(type, desc);
  int64_t strides[4] = {0};
  if (!static_strides(type, strides))
    return false;
  intptr_t lead = 4 - rank;
  int64_t outer_stride =
      rank > 0 ? strides[0] * mlirShapedTypeGetDimSize(type, 0) : 1;
  for (intptr_t i = 0; i < 4; ++i) {
    int64_t extent = i < lead ? 1 : mlirShapedTypeGetDimSize(type, i - lead);
    int64_t stride = i < lead ? outer_stride : strides[i - lead];
    if (extent > INT32_MAX || stride > INT32_MAX)
      return false;
    desc->dims[i] = (int32_t)extent;
    desc->strides[i] = (int32_t)stride;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// One reader per class
//===----------------------------------------------------------------------===//

static void read_pair(MlirOperation op, const char *name, int32_t values[2],
                      int32_t absent) {
  int64_t read[2] = {absent, absent};
  luna_attr_ints(op, name, read, 2);
  values[0] = (int32_t)read[0];
  values[1] = (int32_t)read[1];
}

static void read_pad(MlirOperation op, int32_t pad[4]) {
  int64_t read[4] = {0};
  luna_attr_ints(op, "pad", read, 4);
  for (int i = 0; i < 4; ++i)
    pad[i] = (int32_t)read[i];
}

static int32_t read_i32(MlirOperation op, const char *name) {
  return (int32_t)luna_attr_int(op, name, 0);
}

static LunaRequantDesc read_requant(MlirOperation op) {
  LunaRequant requant = lunaRequantAttrGetValue(luna_attr(op, "requant"));
  if (requant.mode == LUNA_REQUANT_FLOAT)
    memcpy(&requant.multiplier, &requant.scale, sizeof requant.multiplier);
  return (LunaRequantDesc){
      .mode = requant.mode,
      .rounding = requant.rounding,
      .per_channel = requant.per_channel,
      .multiplier = requant.multiplier,
      .shift = requant.shift,
      .output_zero_point = requant.zero_point,
      .clamp_min = requant.clamp_min,
      .clamp_max = requant.clamp_max,
  };
}

static LunaTiling read_tiling(MlirOperation op) {
  int64_t fields[8] = {0};
  luna_attr_ints(op, "tiling", fields, 8);
  return (LunaTiling){
      .out_h = (int32_t)fields[0],
      .out_w = (int32_t)fields[1],
      .out_c = (int32_t)fields[2],
      .in_c = (int32_t)fields[3],
      .kernel_h = (int32_t)fields[4],
      .kernel_w = (int32_t)fields[5],
      .host_requant = (int32_t)fields[6],
      .scratch_bytes = (int32_t)fields[7],
  };
}

static void read_conv2d(MlirOperation op, LunaConv2dDesc *desc) {
  desc->kind = read_i32(op, "kind");
  read_pair(op, "stride", desc->stride, 1);
  read_pair(op, "dilation", desc->dilation, 1);
  read_pad(op, desc->pad);
  desc->input_zero_point = read_i32(op, "input_zp");
  desc->weight_zero_point = read_i32(op, "weight_zp");
  desc->requant = read_requant(op);
  desc->tiling = read_tiling(op);
}

static void read_matmul(MlirOperation op, LunaMatmulDesc *desc) {
  desc->rhs_transposed = !mlirAttributeIsNull(luna_attr(op, "rhs_transposed"));
  desc->lhs_zero_point = read_i32(op, "lhs_zp");
  desc->rhs_zero_point = read_i32(op, "rhs_zp");
  desc->requant = read_requant(op);
  desc->tiling = read_tiling(op);
}

static void read_eltwise(MlirOperation op, LunaEltwiseDesc *desc) {
  desc->kind = luna_op_is(op, "luna.add")   ? LUNA_ELTWISE_ADD
               : luna_op_is(op, "luna.sub") ? LUNA_ELTWISE_SUB
                                            : LUNA_ELTWISE_MUL;
  desc->lhs_zero_point = read_i32(op, "lhs_zp");
  desc->lhs_multiplier = read_i32(op, "lhs_multiplier");
  desc->lhs_shift = read_i32(op, "lhs_shift");
  desc->rhs_zero_point = read_i32(op, "rhs_zp");
  desc->rhs_multiplier = read_i32(op, "rhs_multiplier");
  desc->rhs_shift = read_i32(op, "rhs_shift");
  desc->input_rounding = read_i32(op, "input_rounding");
  desc->requant = read_requant(op);
}

static void read_pool(MlirOperation op, LunaPoolDesc *desc) {
  desc->kind =
      luna_op_is(op, "luna.max_pool2d") ? LUNA_POOL_MAX : LUNA_POOL_AVERAGE;
  read_pair(op, "kernel", desc->kernel, 1);
  read_pair(op, "stride", desc->stride, 1);
  read_pad(op, desc->pad);
  desc->input_zero_point = read_i32(op, "input_zp");
  desc->output_zero_point = read_i32(op, "output_zp");
}

static void broadcast(LunaTensorDesc *input, const LunaTensorDesc *output) {
  for (int i = 0; i < 4; ++i)
    if (input->dims[i] != output->dims[i]) {
      input->dims[i] = output->dims[i];
      input->strides[i] = 0;
    }
}

static void read_class(MlirOperation op, LunaUnitDesc *desc) {
  switch (desc->unit_class) {
  case LUNA_UNIT_CONV2D:
    read_conv2d(op, &desc->as.conv2d);
    break;
  case LUNA_UNIT_MATMUL:
    read_matmul(op, &desc->as.matmul);
    break;
  case LUNA_UNIT_ELTWISE:
    read_eltwise(op, &desc->as.eltwise);
    broadcast(&desc->as.eltwise.lhs, &desc->as.eltwise.output);
    broadcast(&desc->as.eltwise.rhs, &desc->as.eltwise.output);
    break;
  case LUNA_UNIT_POOL:
    read_pool(op, &desc->as.pool);
    break;
  case LUNA_UNIT_TABLE:
    break;
  }
}

static LunaUnitClass class_of(MlirOperation op) {
  if (luna_op_is(op, "luna.conv2d"))
    return LUNA_UNIT_CONV2D;
  if (luna_op_is(op, "luna.matmul"))
    return LUNA_UNIT_MATMUL;
  if (luna_op_is(op, "luna.max_pool2d") || luna_op_is(op, "luna.avg_pool2d"))
    return LUNA_UNIT_POOL;
  return luna_op_is(op, "luna.table") ? LUNA_UNIT_TABLE : LUNA_UNIT_ELTWISE;
}

bool luna_unit_desc_read(MlirOperation op, LunaUnitDesc *desc) {
  memset(desc, 0, sizeof *desc);
  desc->unit_class = class_of(op);
  LunaTensorDesc *descs[6];
  MlirValue operands[6];
  int count = luna_unit_desc_operands(desc, descs);
  luna_unit_operands(op, operands);
  for (int i = 0; i < count; ++i) {
    if (mlirValueIsNull(operands[i])) {
      *descs[i] = (LunaTensorDesc){.buffer = LUNA_NO_ID, .content = LUNA_NO_ID};
      continue;
    }
    if (!luna_tensor_desc_from_type(mlirValueGetType(operands[i]), descs[i])) {
      luna_emit_error(op,
                      "operand %d needs static strides, extents below 2^31 "
                      "and an element type of the runtime",
                      i);
      return false;
    }
  }
  read_class(op, desc);
  return true;
}

//===----------------------------------------------------------------------===//
// Access by class
//===----------------------------------------------------------------------===//

int luna_unit_desc_operands(LunaUnitDesc *desc, LunaTensorDesc *operands[6]) {
  switch (desc->unit_class) {
  case LUNA_UNIT_CONV2D: {
    LunaConv2dDesc *conv = &desc->as.conv2d;
    LunaTensorDesc *all[6] = {&conv->input, &conv->weight,  &conv->bias,
                              &conv->table, &conv->scratch, &conv->output};
    memcpy(operands, all, sizeof all);
    return 6;
  }
  case LUNA_UNIT_MATMUL: {
    LunaMatmulDesc *matmul = &desc->as.matmul;
    LunaTensorDesc *all[6] = {&matmul->lhs,     &matmul->rhs,
                              &matmul->bias,    &matmul->table,
                              &matmul->scratch, &matmul->output};
    memcpy(operands, all, sizeof all);
    return 6;
  }
  case LUNA_UNIT_ELTWISE:
    operands[0] = &desc->as.eltwise.lhs;
    operands[1] = &desc->as.eltwise.rhs;
    operands[2] = &desc->as.eltwise.output;
    return 3;
  case LUNA_UNIT_POOL:
    operands[0] = &desc->as.pool.input;
    operands[1] = &desc->as.pool.output;
    return 2;
  case LUNA_UNIT_TABLE:
    operands[0] = &desc->as.table.input;
    operands[1] = &desc->as.table.table;
    operands[2] = &desc->as.table.output;
    return 3;
  }
  return 0;
}

int luna_unit_operands(MlirOperation op, MlirValue operands[6]) {
  LunaUnitClass unit_class = class_of(op);
  if (unit_class == LUNA_UNIT_CONV2D || unit_class == LUNA_UNIT_MATMUL) {
    for (int i = 0; i < 6; ++i)
      operands[i] = luna_segment_operand(op, i);
    return 6;
  }
  int count = (int)mlirOperationGetNumOperands(op);
  for (int i = 0; i < count; ++i)
    operands[i] = mlirOperationGetOperand(op, i);
  return count;
}

int luna_unit_desc_words(const LunaUnitDesc *desc, const int32_t **words) {
  switch (desc->unit_class) {
  case LUNA_UNIT_CONV2D:
    *words = &desc->as.conv2d.op;
    return sizeof desc->as.conv2d / sizeof(int32_t);
  case LUNA_UNIT_MATMUL:
    *words = &desc->as.matmul.op;
    return sizeof desc->as.matmul / sizeof(int32_t);
  case LUNA_UNIT_ELTWISE:
    *words = &desc->as.eltwise.op;
    return sizeof desc->as.eltwise / sizeof(int32_t);
  case LUNA_UNIT_POOL:
    *words = &desc->as.pool.op;
    return sizeof desc->as.pool / sizeof(int32_t);
  case LUNA_UNIT_TABLE:
    *words = &desc->as.table.op;
    return sizeof desc->as.table / sizeof(int32_t);
  }
  return 0;
}

const char *luna_unit_function(LunaUnitClass unit_class) {
  switch (unit_class) {
  case LUNA_UNIT_CONV2D:
    return "luna_rt_conv2d";
  case LUNA_UNIT_MATMUL:
    return "luna_rt_matmul";
  case LUNA_UNIT_ELTWISE:
    return "luna_rt_eltwise";
  case LUNA_UNIT_POOL:
    return "luna_rt_pool";
  case LUNA_UNIT_TABLE:
    return "luna_rt_table";
  }
  return "";
}

LunaCost luna_unit_cost(const LunaMachine *machine, const LunaUnitDesc *desc) {
  switch (desc->unit_class) {
  case LUNA_UNIT_CONV2D:
    return luna_cost_conv2d(machine, &desc->as.conv2d);
  case LUNA_UNIT_MATMUL:
    return luna_cost_matmul(machine, &desc->as.matmul);
  case LUNA_UNIT_ELTWISE:
    return luna_cost_eltwise(machine, &desc->as.eltwise);
  case LUNA_UNIT_POOL:
    return luna_cost_pool(machine, &desc->as.pool);
  case LUNA_UNIT_TABLE:
    return luna_cost_table(machine, &desc->as.table);
  }
  return (LunaCost){0};
}
