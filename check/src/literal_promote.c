#include "literal_promote.h"

#include "luna-c/build_scalar.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===- Types --------------------------------------------------------------===//

static MlirType promoted(MlirType type);

static MlirType promoted_shape(MlirType type) {
  MlirType element = promoted(mlirShapedTypeGetElementType(type));
  int64_t dims[LUNA_RANK_MAX];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; ++i)
    dims[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirTypeIsAMemRef(type)
             ? mlirMemRefTypeGet(element, rank, dims,
                                 mlirMemRefTypeGetLayout(type),
                                 mlirMemRefTypeGetMemorySpace(type))
             : mlirRankedTensorTypeGet(rank, dims, element,
                                       mlirRankedTensorTypeGetEncoding(type));
}

static MlirType promoted(MlirType type) {
  if (mlirTypeIsAF32(type))
    return mlirF64TypeGet(mlirTypeGetContext(type));
  if (mlirTypeIsAFunction(type))
    return luna_function_type_map(type, promoted);
  return mlirTypeIsARankedTensor(type) || mlirTypeIsAMemRef(type)
             ? promoted_shape(type)
             : type;
}

//===- Attributes ---------------------------------------------------------===//

static MlirAttribute promoted_elements(MlirAttribute elements, MlirType type) {
  LunaArena arena = {0};
  bool is_splat = mlirDenseElementsAttrIsSplat(elements);
  int64_t count = is_splat ? 1 : mlirElementsAttrGetNumElements(elements);
  double *values = LUNA_ARENA_ARRAY(&arena, double, count);
  for (int64_t i = 0; i < count; ++i)
    values[i] =
        (double)(is_splat ? mlirDenseElementsAttrGetFloatSplatValue(elements)
                          : mlirDenseElementsAttrGetFloatValue(elements, i));
  MlirAttribute result =
      is_splat ? mlirDenseElementsAttrDoubleSplatGet(type, values[0])
               : mlirDenseElementsAttrDoubleGet(type, count, values);
  luna_arena_destroy(&arena);
  return result;
}

static MlirAttribute promoted_attribute(MlirAttribute attribute) {
  MlirContext context = mlirAttributeGetContext(attribute);
  if (mlirAttributeIsAType(attribute))
    return mlirTypeAttrGet(promoted(mlirTypeAttrGetValue(attribute)));
  MlirType type = mlirAttributeGetType(attribute);
  if (mlirAttributeIsAFloat(attribute) && mlirTypeIsAF32(type))
    return mlirFloatAttrDoubleGet(context, mlirF64TypeGet(context),
                                  mlirFloatAttrGetValueDouble(attribute));
  if (mlirAttributeIsADenseElements(attribute) &&
      mlirTypeIsAF32(mlirShapedTypeGetElementType(type)))
    return promoted_elements(attribute, promoted(type));
  return attribute;
}

//===- Operators ----------------------------------------------------------===//

static void promote_blocks(MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
        MlirValue argument = mlirBlockGetArgument(block, i);
        mlirValueSetType(argument, promoted(mlirValueGetType(argument)));
      }
}

// A bitcast is of 32 bits.
static void keep_bitcast(MlirOperation op) {
  MlirValue operand = mlirOperationGetOperand(op, 0);
  MlirValue result = mlirOperationGetResult(op, 0);
  LunaBuilder b = luna_builder_before(op, op);
  if (mlirTypeIsAF64(mlirValueGetType(operand)))
    mlirOperationSetOperand(op, 0,
                            luna_scalar_to(&b, "arith.truncf", operand, b.f32));
  if (!mlirTypeIsAF32(mlirValueGetType(result)))
    return;
  b = luna_builder_before(mlirOperationGetNextInBlock(op), op);
  MlirValue wide =
      luna_scalar_to(&b, "arith.extf", result, mlirF64TypeGet(b.context));
  MlirOperation extension = luna_defining_op(wide);
  mlirValueReplaceAllUsesExcept(result, wide, 1, &extension);
}

static bool is_bitcast(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return mlirStringRefEqual(name, luna_str("arith.bitcast"));
}

static MlirWalkResult promote(MlirOperation op, void *data) {
  (void)data;
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirNamedAttribute named = mlirOperationGetAttribute(op, i);
    mlirOperationSetAttributeByName(op, mlirIdentifierStr(named.name),
                                    promoted_attribute(named.attribute));
  }
  promote_blocks(op);
  if (is_bitcast(op)) {
    keep_bitcast(op);
    return MlirWalkResultAdvance;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    mlirValueSetType(result, promoted(mlirValueGetType(result)));
  }
  return MlirWalkResultAdvance;
}

void luna_literal_promote(MlirModule module) {
  mlirOperationWalk(mlirModuleGetOperation(module), promote, NULL,
                    MlirWalkPreOrder);
}
