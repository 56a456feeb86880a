#include "fold_zero_points.h"

#include <string.h>

#include "luna-c/ops.h"
#include "luna/fold.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_desc.h"
#include "tile_operators.h"

typedef struct Folder {
  LunaArena *arena;
  LunaGlobals *globals;
  int next_symbol;
} Folder;

// Returns the elements of a constant operand, NULL if it is not constant.
static const void *elements_of(Folder *folder, MlirValue operand) {
  MlirAttribute value = luna_globals_value(folder->globals, operand);
  if (mlirAttributeIsNull(value))
    return NULL;
  const char *data = mlirDenseElementsAttrGetRawData(value);
  if (!mlirDenseElementsAttrIsSplat(value))
    return data;
  int64_t count = mlirElementsAttrGetNumElements(value);
  int64_t bytes = luna_shaped_bytes(mlirValueGetType(operand));
  size_t each = (size_t)(bytes / count);
  char *all = luna_arena_alloc(folder->arena, (uint64_t)bytes, 1);
  for (int64_t i = 0; i < count; ++i)
    memcpy(all + (size_t)i * each, data, each);
  return all;
}

static bool has_bits(MlirValue operand, unsigned bits) {
  MlirType type = mlirShapedTypeGetElementType(mlirValueGetType(operand));
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == bits;
}

// Writes the folded bias to `folded`. Returns false if weights or bias are not
// constants, or a sum might leave 32 bits.
static bool fold_constants(Folder *folder, MlirOperation op,
                           const LunaUnitDesc *desc, int32_t *folded) {
  MlirValue bias = luna_unit_operand(op, LUNA_ROLE_BIAS);
  const int8_t *weights =
      elements_of(folder, luna_unit_operand(op, LUNA_ROLE_WEIGHT));
  const int32_t *constants = NULL;
  if (!mlirValueIsNull(bias)) {
    constants = has_bits(bias, 32) ? elements_of(folder, bias) : NULL;
    if (!constants)
      return false;
  }
  return weights &&
         luna_fold_bias(desc, weights, constants, folder->arena, folded);
}

// One row has one dimension.
static MlirType bias_type(MlirOperation op, int64_t rows, int64_t channels) {
  const int64_t shape[] = {rows, channels};
  return mlirMemRefTypeContiguousGet(
      mlirIntegerTypeGet(mlirOperationGetContext(op), 32), rows > 1 ? 2 : 1,
      rows > 1 ? shape : &shape[1], mlirAttributeGetNull());
}

static void set_zero_point(MlirOperation op, int32_t zero_point) {
  MlirContext context = mlirOperationGetContext(op);
  const char *name =
      luna_op_is(op, LUNA_OP_LUNA_MATMUL) ? "lhs_zp" : "input_zp";
  luna_set_attr(op, name, luna_i32_attr(context, 0));
  luna_set_attr(op, "folded_zp", luna_i32_attr(context, zero_point));
}

static int32_t zero_point_of(const LunaUnitDesc *desc) {
  return desc->unit_class == LUNA_UNIT_MATMUL
             ? desc->as.matmul.lhs_zero_point
             : desc->as.conv2d.input_zero_point;
}

static bool fold(MlirOperation op, void *data) {
  Folder *folder = data;
  LunaUnitDesc desc;
  if (!luna_op_is_tiled(op))
    return true;
  if (!luna_unit_desc_read(op, &desc))
    return false;
  MlirType output = mlirValueGetType(luna_unit_output(op));
  int64_t channels =
      mlirShapedTypeGetDimSize(output, mlirShapedTypeGetRank(output) - 1);
  int64_t rows = luna_fold_rows(&desc);
  int32_t *folded = LUNA_ARENA_ARRAY(folder->arena, int32_t, rows *channels);
  if (rows == 0 || !fold_constants(folder, op, &desc, folded))
    return true;
  MlirValue bias =
      luna_globals_build(folder->globals, op, "folded", &folder->next_symbol,
                         bias_type(op, rows, channels), folded);
  set_zero_point(luna_unit_set_operand(op, LUNA_ROLE_BIAS, bias),
                 zero_point_of(&desc));
  return true;
}

bool luna_fold_zero_points(MlirOperation module, LunaGlobals *globals,
                           LunaArena *arena) {
  Folder folder = {.arena = arena, .globals = globals};
  return luna_walk(module, fold, &folder);
}
