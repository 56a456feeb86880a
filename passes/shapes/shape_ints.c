#include "shape_ints.h"

#include <string.h>

#include "luna-c/ir.h"
#include "luna/vector.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"

typedef struct Ints {
  LUNA_VECTOR(int64_t);
  LunaArena *arena;
} Ints;

static void add(Ints *ints, int64_t value) {
  *LUNA_VECTOR_ADD(ints->arena, ints) = value;
}

//===----------------------------------------------------------------------===//
// Lists of integers
//===----------------------------------------------------------------------===//

static int64_t element_at(MlirAttribute value, MlirType type, intptr_t i) {
  if (mlirTypeIsAIndex(type))
    return (int64_t)mlirDenseElementsAttrGetIndexValue(value, i);
  return mlirIntegerTypeGetWidth(type) == 64
             ? mlirDenseElementsAttrGetInt64Value(value, i)
             : mlirDenseElementsAttrGetInt32Value(value, i);
}

static void add_elements(Ints *ints, MlirAttribute value) {
  MlirType type = mlirShapedTypeGetElementType(mlirAttributeGetType(value));
  intptr_t count = mlirElementsAttrGetNumElements(value);
  bool is_size =
      mlirTypeIsAIndex(type) ||
      (mlirTypeIsAInteger(type) && (mlirIntegerTypeGetWidth(type) == 32 ||
                                    mlirIntegerTypeGetWidth(type) == 64));
  for (intptr_t i = 0; is_size && count <= LUNA_SHAPE_ELEMENTS_MAX && i < count;
       ++i)
    add(ints, element_at(value, type, i));
}

static bool is_number(MlirAttribute value) {
  if (!mlirAttributeIsAInteger(value))
    return false;
  MlirType type = mlirAttributeGetType(value);
  return mlirTypeIsAIndex(type) || mlirIntegerTypeGetWidth(type) <= 64;
}

static void add_list(Ints *ints, MlirAttribute value) {
  if (is_number(value))
    add(ints, mlirIntegerAttrGetValueInt(value));
  else if (mlirAttributeIsADenseElements(value))
    add_elements(ints, value);
  else if (mlirAttributeIsADenseI64Array(value))
    for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(value); ++i)
      add(ints, mlirDenseI64ArrayGetElement(value, i));
  else if (mlirAttributeIsADenseI32Array(value))
    for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(value); ++i)
      add(ints, mlirDenseI32ArrayGetElement(value, i));
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

// For each map the number of results, and which loop each is, or -1.
static bool add_maps(Ints *ints, MlirOperation op) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  if (mlirAttributeIsNull(maps) ||
      mlirArrayAttrGetNumElements(maps) != mlirOperationGetNumOperands(op))
    return false;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(maps); ++i) {
    MlirAffineMap map =
        mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
    intptr_t count = mlirAffineMapGetNumResults(map);
    add(ints, count);
    for (intptr_t k = 0; k < count; ++k) {
      MlirAffineExpr expr = mlirAffineMapGetResult(map, k);
      add(ints,
          mlirAffineExprIsADim(expr) ? mlirAffineDimExprGetPosition(expr) : -1);
    }
  }
  return true;
}

static bool add_reassociation(Ints *ints, MlirOperation op) {
  MlirAttribute groups = luna_attr(op, "reassociation");
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(groups); ++i)
    add(ints, mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, i)));
  return true;
}

static int64_t code_of(MlirAffineExpr expr) {
  return mlirAffineExprIsAAdd(expr)        ? LUNA_AFFINE_ADD
         : mlirAffineExprIsAMul(expr)      ? LUNA_AFFINE_MUL
         : mlirAffineExprIsAMod(expr)      ? LUNA_AFFINE_MOD
         : mlirAffineExprIsAFloorDiv(expr) ? LUNA_AFFINE_FLOORDIV
                                           : LUNA_AFFINE_CEILDIV;
}

static void add_leaf(Ints *ints, int64_t code, int64_t number) {
  add(ints, code);
  add(ints, number);
}

static void add_expr(Ints *ints, MlirAffineExpr expr, intptr_t dims) {
  if (mlirAffineExprIsADim(expr)) {
    add_leaf(ints, LUNA_AFFINE_OPERAND, mlirAffineDimExprGetPosition(expr));
  } else if (mlirAffineExprIsASymbol(expr)) {
    add_leaf(ints, LUNA_AFFINE_OPERAND,
             dims + mlirAffineSymbolExprGetPosition(expr));
  } else if (mlirAffineExprIsAConstant(expr)) {
    add_leaf(ints, LUNA_AFFINE_CONST, mlirAffineConstantExprGetValue(expr));
  } else {
    add_expr(ints, mlirAffineBinaryOpExprGetLHS(expr), dims);
    add_expr(ints, mlirAffineBinaryOpExprGetRHS(expr), dims);
    add(ints, code_of(expr));
  }
}

static bool add_map(Ints *ints, MlirOperation op) {
  MlirAffineMap map = mlirAffineMapAttrGetValue(luna_attr(op, "map"));
  add_expr(ints, mlirAffineMapGetResult(map, 0), mlirAffineMapGetNumDims(map));
  return true;
}

bool luna_read_shape_ints(LunaArena *arena, MlirOperation op,
                          LunaShapeOp *out) {
  for (int a = 0; a < LUNA_SHAPE_ATTRIBUTES_MAX; ++a) {
    const char *name = out->rule->attributes[a];
    Ints ints = {.arena = arena};
    bool is_read = true;
    if (!name)
      continue;
    if (name[0] != '@') {
      MlirAttribute value = luna_attr(op, name);
      if (!mlirAttributeIsNull(value))
        add_list(&ints, value);
    } else {
      is_read = strcmp(name, "@maps") == 0 ? add_maps(&ints, op)
                : strcmp(name, "@reassociation") == 0
                    ? add_reassociation(&ints, op)
                    : add_map(&ints, op);
    }
    if (!is_read)
      return false;
    out->ints[a] = (LunaShapeInts){ints.items, (uint32_t)ints.count};
  }
  return true;
}
