#include "luna-c/ir.h"

#include <assert.h>
#include <string.h>

#include "luna/checked.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static MlirStringRef name_of(MlirOperation op) {
  return mlirOperationIsNull(op) ? mlirStringRefCreate("", 0)
                                 : mlirIdentifierStr(mlirOperationGetName(op));
}

static const MlirStringRef op_names[] = {
#define LUNA_OP_NAME(NAME, name) {name, sizeof(name) - 1},
#include "luna-c/op_names.def"
};

const char *luna_op_name(LunaOpName name) { return op_names[name].data; }

// Asked so often that the lengths are compared here.
static bool is_named(MlirStringRef found, LunaOpName name) {
  return found.length == op_names[name].length &&
         memcmp(found.data, op_names[name].data, found.length) == 0;
}

bool luna_op_is(MlirOperation op, LunaOpName name) {
  return is_named(name_of(op), name);
}

bool luna_op_is_any(MlirOperation op, const LunaOpName *names, size_t count) {
  MlirStringRef found = name_of(op);
  for (size_t i = 0; i < count; ++i)
    if (is_named(found, names[i]))
      return true;
  return false;
}

bool luna_op_is_variable(MlirOperation op) {
  return LUNA_OP_IS_ANY(op, LUNA_OP_TOSA_VARIABLE, LUNA_OP_TOSA_VARIABLE_READ,
                        LUNA_OP_TOSA_VARIABLE_WRITE);
}

bool luna_op_in_dialect(MlirOperation op, LunaDialectName dialect) {
  static const char *const prefixes[] = {
#define LUNA_DIALECT_NAME(NAME, name) name ".",
#include "luna-c/op_names.def"
  };
  MlirStringRef name = name_of(op);
  size_t length = strlen(prefixes[dialect]);
  return name.length > length &&
         memcmp(name.data, prefixes[dialect], length) == 0;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

MlirAttribute luna_attr(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op, luna_str(name));
}

int64_t luna_attr_int(MlirOperation op, const char *name, int64_t absent) {
  MlirAttribute attribute = luna_attr(op, name);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute))
    return absent;
  return mlirIntegerAttrGetValueInt(attribute);
}

bool luna_attr_ints(MlirOperation op, const char *name, int64_t *values,
                    intptr_t count) {
  MlirAttribute attribute = luna_attr(op, name);
  if (mlirAttributeIsNull(attribute))
    return false;
  bool wide = mlirAttributeIsADenseI64Array(attribute);
  if (!wide && !mlirAttributeIsADenseI32Array(attribute))
    return false;
  if (mlirDenseArrayGetNumElements(attribute) != count)
    return false;
  for (intptr_t i = 0; i < count; ++i)
    values[i] = wide ? mlirDenseI64ArrayGetElement(attribute, i)
                     : mlirDenseI32ArrayGetElement(attribute, i);
  return true;
}

MlirStringRef luna_attr_string(MlirOperation op, const char *name) {
  MlirAttribute attribute = luna_attr(op, name);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAString(attribute))
    return mlirStringRefCreate(NULL, 0);
  return mlirStringAttrGetValue(attribute);
}

MlirStringRef luna_attr_symbol(MlirOperation op, const char *name) {
  MlirAttribute attribute = luna_attr(op, name);
  if (mlirAttributeIsNull(attribute) ||
      !mlirAttributeIsAFlatSymbolRef(attribute))
    return mlirStringRefCreate(NULL, 0);
  return mlirFlatSymbolRefAttrGetValue(attribute);
}

void luna_set_attr(MlirOperation op, const char *name, MlirAttribute value) {
  mlirOperationSetAttributeByName(op, luna_str(name), value);
}

void luna_set_int(MlirOperation op, const char *name, int64_t value) {
  luna_set_attr(op, name, luna_i64_attr(mlirOperationGetContext(op), value));
}

void luna_set_string(MlirOperation op, const char *name, const char *value) {
  luna_set_attr(op, name, luna_string_attr(mlirOperationGetContext(op), value));
}

//===----------------------------------------------------------------------===//
// Values and types
//===----------------------------------------------------------------------===//

MlirType luna_memref_contiguous(MlirType like) {
  int64_t shape[LUNA_RANK_MAX];
  intptr_t rank = mlirShapedTypeGetRank(like);
  for (intptr_t i = 0; i < rank; ++i)
    shape[i] = mlirShapedTypeGetDimSize(like, i);
  return mlirMemRefTypeContiguousGet(
      mlirShapedTypeGetElementType(like), rank, shape,
      luna_is_memref(like) ? mlirMemRefTypeGetMemorySpace(like)
                           : mlirAttributeGetNull());
}

MlirType luna_memref_with_space(MlirType type, MlirAttribute space) {
  int64_t shape[LUNA_RANK_MAX];
  int64_t rank = mlirShapedTypeGetRank(type);
  for (int64_t i = 0; i < rank; ++i)
    shape[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), rank, shape,
                           mlirMemRefTypeGetLayout(type), space);
}

// LLVM stores an integer in the next power of two of bytes.
static int64_t integer_bytes(unsigned width) {
  int64_t bytes = 1;
  while (8 * bytes < width)
    bytes *= 2;
  return bytes;
}

int64_t luna_element_type_bytes(MlirType type) {
  if (mlirTypeIsAInteger(type))
    return integer_bytes(mlirIntegerTypeGetWidth(type));
  if (mlirTypeIsAFloat(type))
    return luna_ceil_div(mlirFloatTypeGetWidth(type), 8);
  return mlirTypeIsAIndex(type) ? 8 : 0;
}

int64_t luna_shaped_bytes(MlirType type) {
  if (!mlirTypeIsAShaped(type) || !mlirShapedTypeHasStaticShape(type))
    return -1;
  int64_t bytes = luna_element_type_bytes(mlirShapedTypeGetElementType(type));
  if (bytes == 0)
    return -1;
  int64_t rank = mlirShapedTypeGetRank(type);
  for (int64_t i = 0; i < rank; ++i)
    if (!luna_checked_mul(bytes, mlirShapedTypeGetDimSize(type, i), &bytes))
      return -1;
  return bytes;
}

static bool has_identity_layout(MlirType type) {
  MlirAttribute layout = mlirMemRefTypeGetLayout(type);
  return mlirShapedTypeHasStaticShape(type) &&
         mlirAttributeIsAAffineMap(layout) &&
         mlirAffineMapIsIdentity(mlirAffineMapAttrGetValue(layout));
}

bool luna_memref_strides(MlirType type, int64_t *offset, int64_t *strides) {
  // By far the most have none: upstream's way builds and folds expressions.
  if (!has_identity_layout(type))
    return mlirLogicalResultIsSuccess(
        mlirMemRefTypeGetStridesAndOffset(type, strides, offset));
  int64_t stride = 1;
  for (intptr_t i = mlirShapedTypeGetRank(type) - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= mlirShapedTypeGetDimSize(type, i);
  }
  *offset = 0;
  return true;
}

bool luna_memref_layout(MlirType type, int64_t *offset, int64_t *strides) {
  if (!luna_memref_strides(type, offset, strides))
    return false;
  if (mlirShapedTypeIsDynamicStrideOrOffset(*offset))
    return false;
  int64_t rank = mlirShapedTypeGetRank(type);
  for (int64_t i = 0; i < rank; ++i)
    if (mlirShapedTypeIsDynamicStrideOrOffset(strides[i]))
      return false;
  return true;
}

bool luna_memref_is_contiguous(MlirType type) {
  int64_t offset = 0, strides[LUNA_RANK_MAX];
  int64_t rank = mlirShapedTypeGetRank(type);
  if (!mlirShapedTypeHasStaticShape(type) ||
      !luna_memref_layout(type, &offset, strides))
    return false;
  int64_t expected = 1;
  for (int64_t i = rank - 1; i >= 0; --i) {
    int64_t extent = mlirShapedTypeGetDimSize(type, i);
    if (extent != 1 && strides[i] != expected)
      return false;
    expected *= extent;
  }
  return true;
}

bool luna_memref_is_dense(MlirType type) {
  int64_t offset = 0, strides[LUNA_RANK_MAX];
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (!mlirShapedTypeHasStaticShape(type) ||
      !luna_memref_layout(type, &offset, strides) || offset != 0)
    return false;
  // Each dimension in turn is the one whose stride is what lies within it.
  uint64_t left = 0;
  for (intptr_t i = 0; i < rank; ++i)
    if (mlirShapedTypeGetDimSize(type, i) != 1)
      left |= UINT64_C(1) << i;
  for (int64_t expected = 1; left != 0;) {
    intptr_t next = 0;
    while (next < rank && (!(left >> next & 1) || strides[next] != expected))
      ++next;
    if (next == rank)
      return false;
    left &= ~(UINT64_C(1) << next);
    expected *= mlirShapedTypeGetDimSize(type, next);
  }
  return true;
}

MlirOperation luna_defining_op(MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return (MlirOperation){NULL};
  return mlirOpResultGetOwner(value);
}

bool luna_is_used(MlirValue value) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(value));
}

bool luna_is_used_once(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) &&
         mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

bool luna_has_uses(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (luna_is_used(mlirOperationGetResult(op, i)))
      return true;
  return false;
}

MlirAttribute luna_constant_value(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  if (mlirOperationIsNull(op))
    return mlirAttributeGetNull();
  if (luna_op_is(op, LUNA_OP_TOSA_CONST))
    return luna_attr(op, "values");
  return luna_op_is(op, LUNA_OP_ARITH_CONSTANT) ? luna_attr(op, "value")
                                                : mlirAttributeGetNull();
}

bool luna_constant_number(MlirValue value, int64_t *number) {
  MlirOperation op = luna_defining_op(value);
  if (!luna_op_is(op, LUNA_OP_ARITH_CONSTANT) ||
      !mlirAttributeIsAInteger(luna_attr(op, "value")))
    return false;
  *number = luna_attr_int(op, "value", 0);
  return true;
}

// The operand that an operator accesses an element of; -1 if it does not. The
// indices follow it.
static intptr_t accessed_operand(MlirOperation op) {
  if (LUNA_OP_IS_ANY(op, LUNA_OP_TENSOR_EXTRACT, LUNA_OP_MEMREF_LOAD))
    return 0;
  return LUNA_OP_IS_ANY(op, LUNA_OP_TENSOR_INSERT, LUNA_OP_MEMREF_STORE) ? 1
                                                                         : -1;
}

intptr_t luna_index_outside(MlirOperation op, int64_t *index, int64_t *extent) {
  intptr_t accessed = accessed_operand(op);
  if (accessed < 0)
    return -1;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, accessed));
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i) {
    *extent = mlirShapedTypeGetDimSize(type, i);
    bool is_known = !mlirShapedTypeIsDynamicDim(type, i) &&
                    luna_constant_number(
                        mlirOperationGetOperand(op, accessed + 1 + i), index);
    if (is_known && (*index < 0 || *index >= *extent))
      return i;
  }
  return -1;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

MlirOperation luna_build(const LunaOpSpec *spec) {
  MlirOperationState state =
      mlirOperationStateGet(luna_str(spec->name), spec->location);
  mlirOperationStateAddOperands(&state, spec->operand_count, spec->operands);
  mlirOperationStateAddResults(&state, spec->result_count, spec->results);
  mlirOperationStateAddAttributes(&state, spec->attribute_count,
                                  spec->attributes);
  mlirOperationStateAddOwnedRegions(&state, spec->region_count,
                                    spec->owned_regions);
  return mlirOperationCreate(&state);
}

void luna_insert_before(MlirOperation before, MlirOperation op) {
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(before), before,
                                      op);
}

void luna_insert_after(MlirOperation after, MlirOperation op) {
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(after), after, op);
}

MlirOperation luna_build_before(MlirOperation before, const LunaOpSpec *spec) {
  LunaOpSpec placed = *spec;
  if (mlirLocationIsNull(spec->location))
    placed.location = mlirOperationGetLocation(before);
  MlirOperation op = luna_build(&placed);
  luna_insert_before(before, op);
  return op;
}

MlirValue luna_build_value_with(MlirOperation before, const char *name,
                                MlirType type, intptr_t operand_count,
                                const MlirValue *operands,
                                intptr_t attribute_count,
                                const MlirNamedAttribute *attributes) {
  LunaOpSpec spec = {.name = name,
                     .operands = operands,
                     .operand_count = operand_count,
                     .results = &type,
                     .result_count = 1,
                     .attributes = attributes,
                     .attribute_count = attribute_count};
  return mlirOperationGetResult(luna_build_before(before, &spec), 0);
}

MlirValue luna_build_value(MlirOperation before, const char *name,
                           MlirType type, intptr_t operand_count,
                           const MlirValue *operands) {
  return luna_build_value_with(before, name, type, operand_count, operands, 0,
                               NULL);
}

MlirNamedAttribute luna_named(MlirContext context, const char *name,
                              MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, luna_str(name)),
                               value);
}

MlirAttribute luna_i64_attr(MlirContext context, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), value);
}

MlirAttribute luna_i32_attr(MlirContext context, int32_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32), value);
}

MlirAttribute luna_string_attr(MlirContext context, const char *text) {
  return mlirStringAttrGet(context, luna_str(text));
}

MlirBlock luna_body(MlirOperation op, intptr_t region) {
  assert(region >= 0 && region < mlirOperationGetNumRegions(op));
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}

MlirOperation luna_first_function(MlirModule module) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  while (!mlirOperationIsNull(op) && (!luna_op_is(op, LUNA_OP_FUNC_FUNC) ||
                                      mlirBlockIsNull(luna_body(op, 0))))
    op = mlirOperationGetNextInBlock(op);
  return op;
}
