#include "op_desc.h"

#include <assert.h>
#include <string.h>

#include "luna-c/ops.h"
#include "luna/weight_layout.h"
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
  if (mlirTypeIsAF16(element))
    return LUNA_TYPE_F16;
  if (mlirTypeIsABF16(element))
    return LUNA_TYPE_BF16;
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

bool luna_static_strides(MlirType type, int64_t *strides) {
  int64_t offset = 0;
  if (!luna_memref_strides(type, &offset, strides))
    return false;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    if (mlirShapedTypeIsDynamicStrideOrOffset(strides[i]) ||
        strides[i] > INT32_MAX || strides[i] < 0)
      return false;
  return true;
}

bool luna_tensor_desc_from_type(MlirType type, LunaTensorDesc *desc) {
  *desc = (LunaTensorDesc){0};
  desc->type = luna_element_type_id(mlirShapedTypeGetElementType(type));
  if (desc->type < 0 || luna_shaped_bytes(type) < 0)
    return false;
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (rank > 4)
    return flatten(type, desc);
  int64_t strides[4] = {0};
  if (!luna_static_strides(type, strides))
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
// The order of dimensions
//===----------------------------------------------------------------------===//
// Operators of one element each, copies and fills go through their operands in
// any order: in that of the bytes they write, rows are as long as can be.

// Returns true if dimension `a` is to be outside of `b`, which lies outside of
// it.
static bool is_outside(const LunaTensorDesc *desc, int a, int b) {
  bool is_one = desc->dims[b] == 1;
  return desc->dims[a] == 1 ? !is_one
                            : !is_one && desc->strides[a] > desc->strides[b];
}

static bool is_in_order(const LunaTensorDesc *desc) {
  int last = -1;
  for (int i = 0; i < 4; ++i) {
    if (desc->dims[i] == 1)
      continue;
    if (last >= 0 && desc->strides[last] < desc->strides[i])
      return false;
    last = i;
  }
  return true;
}

// What follows the elements of a shorter operand is told by its last dimension.
static bool is_padded(const LunaTensorDesc *desc,
                      const LunaTensorDesc *target) {
  for (int i = 0; i < 4; ++i)
    if (desc->dims[i] != target->dims[i] && desc->dims[i] != 1)
      return true;
  return false;
}

static void swap_dims(LunaTensorDesc *desc, int a, int b) {
  int32_t extent = desc->dims[a], stride = desc->strides[a];
  desc->dims[a] = desc->dims[b];
  desc->strides[a] = desc->strides[b];
  desc->dims[b] = extent;
  desc->strides[b] = stride;
}

void luna_tensor_descs_sort(LunaTensorDesc *const *descs, int count) {
  const LunaTensorDesc *target = descs[count - 1];
  if (is_in_order(target))
    return;
  for (int i = 0; i < count; ++i)
    if (is_padded(descs[i], target))
      return;
  for (int end = 1; end < 4; ++end)
    for (int i = end; i > 0 && is_outside(target, i, i - 1); --i)
      for (int k = 0; k < count; ++k)
        swap_dims(descs[k], i, i - 1);
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

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

static void read_ints(MlirOperation op, const LunaUnitAttribute *row,
                      int32_t *words) {
  enum { WORDS_MAX = 10 };
  int64_t values[WORDS_MAX];
  assert(row->word_count <= WORDS_MAX);
  for (uint32_t i = 0; i < row->word_count; ++i)
    values[i] = row->absent;
  // A tiling of one slot does without the last number.
  if (!luna_attr_ints(op, row->name, values, row->word_count) &&
      row->kind == LUNA_ATTRIBUTE_TILING)
    luna_attr_ints(op, row->name, values, row->word_count - 1);
  for (uint32_t i = 0; i < row->word_count; ++i)
    words[i] = (int32_t)values[i];
}

// The verifier of the operator has seen that it is a layout.
static void read_layout(MlirOperation op, const LunaUnitAttribute *row,
                        int32_t words[LUNA_WEIGHT_LAYOUT_WORDS]) {
  char text[LUNA_WEIGHT_LAYOUT_MAX + 1] = {0};
  MlirStringRef layout = luna_attr_string(op, row->name);
  if (layout.length <= LUNA_WEIGHT_LAYOUT_MAX && layout.data)
    memcpy(text, layout.data, layout.length);
  luna_weight_layout_read(text, words);
}

static void read_field(MlirOperation op, const LunaUnitAttribute *row,
                       void *field) {
  int32_t *words = field;
  switch (row->kind) {
  case LUNA_ATTRIBUTE_INT:
    *words = (int32_t)luna_attr_int(op, row->name, row->absent);
    return;
  case LUNA_ATTRIBUTE_INTS:
  case LUNA_ATTRIBUTE_TILING:
    read_ints(op, row, words);
    return;
  case LUNA_ATTRIBUTE_LAYOUT:
    read_layout(op, row, words);
    return;
  case LUNA_ATTRIBUTE_FLAG:
    *words = !mlirAttributeIsNull(luna_attr(op, row->name));
    return;
  case LUNA_ATTRIBUTE_REQUANT:
    *(LunaRequantDesc *)field = read_requant(op);
    return;
  case LUNA_ATTRIBUTE_OP_KIND:
    *words = luna_unit_of(op)->kind;
    return;
  }
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

LunaTensorDesc *luna_unit_desc_operand(LunaUnitDesc *desc,
                                       const LunaUnitOperand *row) {
  return (LunaTensorDesc *)(void *)((char *)&desc->as + row->offset_bytes);
}

static void broadcast(LunaTensorDesc *input, const LunaTensorDesc *output) {
  for (int i = 0; i < 4; ++i)
    if (input->dims[i] == 1 && output->dims[i] != 1) {
      input->dims[i] = output->dims[i];
      input->strides[i] = 0;
    }
}

// Returns the memref that a tensor will be.
static MlirType buffer_type(MlirType tensor) {
  int64_t dims[LUNA_RANK_MAX];
  intptr_t rank = mlirShapedTypeGetRank(tensor);
  for (intptr_t i = 0; i < rank; ++i)
    dims[i] = mlirShapedTypeGetDimSize(tensor, i);
  return mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(tensor), rank,
                                     dims, mlirAttributeGetNull());
}

// Reads the operands, of which tensors are the memrefs that they will be.
// Returns the number of one that the runtime does not describe, or -1.
static int read_operands(MlirOperation op, LunaUnitDesc *desc, bool is_tensor) {
  int count = 0;
  MlirValue operands[LUNA_UNIT_OPERANDS_MAX];
  const LunaUnitOperand *rows =
      luna_unit_class_operands(desc->unit_class, &count);
  luna_unit_operands(op, operands);
  for (int i = 0; i < count; ++i) {
    if (mlirValueIsNull(operands[i]))
      continue;
    MlirType type = mlirValueGetType(operands[i]);
    if (!luna_tensor_desc_from_type(is_tensor ? buffer_type(type) : type,
                                    luna_unit_desc_operand(desc, &rows[i])))
      return i;
  }
  return -1;
}

static void broadcast_operands(LunaUnitDesc *desc) {
  int count = 0;
  const LunaUnitOperand *rows =
      luna_unit_class_operands(desc->unit_class, &count);
  for (int i = 0; i < count; ++i)
    if (rows[i].flag == LUNA_OPERAND_BROADCAST)
      broadcast(luna_unit_desc_operand(desc, &rows[i]),
                luna_unit_desc_operand(desc, &rows[count - 1]));
}

// Sorts what an operator of one element each reads and writes.
static void sort_operands(LunaUnitDesc *desc) {
  int count = 0, sorted_count = 0;
  LunaTensorDesc *sorted[LUNA_UNIT_OPERANDS_MAX];
  const LunaUnitOperand *rows =
      luna_unit_class_operands(desc->unit_class, &count);
  if (!luna_unit_class_is_elementwise(desc->unit_class))
    return;
  for (int i = 0; i < count; ++i)
    if (rows[i].role == LUNA_ROLE_INPUT || rows[i].role == LUNA_ROLE_OUTPUT)
      sorted[sorted_count++] = luna_unit_desc_operand(desc, &rows[i]);
  luna_tensor_descs_sort(sorted, sorted_count);
}

bool luna_unit_desc_read(MlirOperation op, LunaUnitDesc *desc) {
  luna_unit_desc_read_attributes(op, desc);
  int refused = read_operands(op, desc, false);
  if (refused >= 0) {
    luna_emit_error(op,
                    "operand %d needs static strides, extents below 2^31 and "
                    "an element type of the runtime",
                    refused);
    return false;
  }
  broadcast_operands(desc);
  sort_operands(desc);
  return true;
}

bool luna_unit_desc_read_tensors(MlirOperation op, LunaUnitDesc *desc) {
  luna_unit_desc_read_attributes(op, desc);
  return read_operands(op, desc, true) < 0;
}

//===----------------------------------------------------------------------===//
// Copies and fills
//===----------------------------------------------------------------------===//

bool luna_copy_desc_read(MlirOperation op, LunaCopyDesc *desc) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirValue target = mlirOperationGetOperand(op, 1);
  if (!luna_tensor_desc_from_type(mlirValueGetType(source), &desc->source) ||
      !luna_tensor_desc_from_type(mlirValueGetType(target), &desc->target) ||
      memcmp(desc->source.dims, desc->target.dims, sizeof desc->source.dims) !=
          0)
    return false;
  LunaTensorDesc *const sides[] = {&desc->source, &desc->target};
  luna_tensor_descs_sort(sides, 2);
  return true;
}

bool luna_fill_desc_read(MlirOperation op, LunaFillDesc *desc) {
  MlirValue target = mlirOperationGetOperand(op, 1);
  if (!luna_tensor_desc_from_type(mlirValueGetType(target), &desc->target))
    return false;
  LunaTensorDesc *const sides[] = {&desc->target};
  luna_tensor_descs_sort(sides, 1);
  return true;
}

void luna_unit_desc_read_attributes(MlirOperation op, LunaUnitDesc *desc) {
  memset(desc, 0, sizeof *desc);
  desc->unit_class = luna_unit_of(op)->unit_class;
  int count = 0;
  const LunaUnitAttribute *rows =
      luna_unit_class_attributes(desc->unit_class, &count);
  for (int i = 0; i < count; ++i)
    read_field(op, &rows[i], (char *)&desc->as + rows[i].offset_bytes);
}
