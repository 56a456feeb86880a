#include "fuse_quantization.h"

#include "luna-c/build_generic.h"
#include "luna-c/build_scalar.h"
#include "luna-c/build_tosa.h"
#include "mlir-c/BuiltinTypes.h"

MlirValue luna_quant_make_table(const LunaBuilder *b, MlirValue ints,
                                const int8_t table[256]) {
  MlirValue operands[2] = {
      ints, luna_build_data(b, luna_list_type(b->i8, 256), table)};
  return luna_build_op(b, "tosa.table", mlirValueGetType(ints), 2, operands, 0,
                       NULL);
}

MlirValue luna_quant_make_floats(const LunaBuilder *b, MlirValue ints,
                                 const LunaQuant *quant, MlirAttribute scales) {
  MlirValue operands[3] = {ints};
  operands[1] =
      quant->is_uniform
          ? luna_build_const_one(b, b->f32, (double)quant->scale)
          : luna_build_const(b, mlirAttributeIsNull(scales) ? quant->scales
                                                            : scales);
  // The bits of an unsigned one, as a signless type has them.
  int64_t zero = quant->zero,
          limit = INT64_C(1) << (mlirIntegerTypeGetWidth(quant->element) - 1);
  if (zero >= limit)
    zero -= 2 * limit;
  if (zero != 0)
    operands[2] = luna_build_const_one(b, quant->element, (double)zero);
  LunaAttr is_unsigned = {"is_unsigned", mlirUnitAttrGet(b->context)};
  return luna_build_op(b, "luna.dequantize",
                       luna_with_element(mlirValueGetType(ints), b->f32),
                       quant->zero == 0 ? 2 : 3, operands,
                       quant->is_unsigned ? 1 : 0, &is_unsigned);
}

void luna_quant_dequantize_result(MlirValue ints, const LunaQuant *quant,
                                  MlirAttribute scales) {
  MlirOperation op = luna_defining_op(ints);
  LunaBuilder b = luna_builder_before(mlirOperationGetNextInBlock(op), op);
  MlirValue floats = luna_quant_make_floats(&b, ints, quant, scales);
  MlirOperation made = luna_defining_op(floats);
  mlirValueReplaceAllUsesExcept(ints, floats, 1, &made);
}

//===----------------------------------------------------------------------===//
// From sums to results
//===----------------------------------------------------------------------===//

static MlirValue round_to(const LunaBuilder *b, MlirValue x,
                          const LunaQuantTarget *target) {
  x = luna_scalar_unary(b, "math.roundeven", x);
  if (target->zero != 0)
    x = luna_scalar_add(b, x, luna_scalar_f32(b, (double)target->zero));
  x = luna_scalar_max(b, x, luna_scalar_f32(b, (double)target->low));
  x = luna_scalar_min(b, x, luna_scalar_f32(b, (double)target->high));
  return luna_scalar_to(b, "arith.fptosi", x, b->i8);
}

// The pass tosa-to-luna knows this form.
MlirValue luna_quant_finish(LunaBuilder *b, MlirValue sums, const float *scales,
                            int64_t scale_count,
                            const LunaQuantTarget *target) {
  int last = luna_rank_of(sums) - 1;
  MlirValue list = {NULL}, scale = {NULL};
  if (scale_count > 1)
    list = luna_build_data(b, luna_list_type(b->f32, scale_count), scales);
  LunaGeneric loops = luna_generic_over(b, sums);
  MlirValue sum = luna_generic_input(&loops, sums);
  if (scale_count > 1)
    scale = luna_generic_input_at(&loops, list, &last);
  luna_generic_result(&loops, target ? b->i8 : b->f32);
  if (scale_count == 1)
    scale = luna_scalar_f32(b, (double)scales[0]);
  MlirValue x =
      luna_scalar_mul(b, luna_scalar_to(b, "arith.sitofp", sum, b->f32), scale);
  return luna_generic_end(&loops, target ? round_to(b, x, target) : x);
}

//===----------------------------------------------------------------------===//
// Replacing
//===----------------------------------------------------------------------===//

// Operators without side effects that the patterns leave behind. What has no
// results, such as the end of a region, stays.
static bool can_go(MlirOperation op) {
  static const LunaDialectName dialects[] = {
      LUNA_DIALECT_ARITH, LUNA_DIALECT_MATH, LUNA_DIALECT_TENSOR,
      LUNA_DIALECT_TOSA};
  if (mlirOperationGetNumResults(op) == 0)
    return false;
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; ++i)
    if (luna_op_in_dialect(op, dialects[i]))
      return mlirOperationGetNumRegions(op) == 0 &&
             !luna_op_is(op, LUNA_OP_TOSA_CUSTOM);
  return LUNA_OP_IS_ANY(op, LUNA_OP_LINALG_GENERIC, LUNA_OP_LUNA_QUANTIZE,
                        LUNA_OP_LUNA_DEQUANTIZE);
}

void luna_quant_erase_if_dead(MlirOperation op) {
  if (can_go(op) && !luna_has_uses(op))
    mlirOperationDestroy(op);
}

// Returns true if nothing but `user` uses the results of `op`.
static bool is_only_for(MlirOperation op, MlirOperation user) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    for (MlirOpOperand use =
             mlirValueGetFirstUse(mlirOperationGetResult(op, i));
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      if (!mlirOperationEqual(mlirOpOperandGetOwner(use), user))
        return false;
  return true;
}

static bool is_listed(MlirOperation op, const MlirOperation *list,
                      intptr_t count) {
  for (intptr_t i = 0; i < count; ++i)
    if (mlirOperationEqual(op, list[i]))
      return true;
  return false;
}

// An operator that only `op` used cannot use another such one, so that erasing
// one leaves the others of the list.
void luna_quant_erase_dead(MlirOperation op) {
  enum { MAX_OPERANDS = 8 }; // The last sweep looks at all.
  MlirOperation alone[MAX_OPERANDS];
  intptr_t count = 0;
  if (mlirOperationIsNull(op) || !can_go(op) || luna_has_uses(op))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirOperation maker = luna_defining_op(mlirOperationGetOperand(op, i));
    if (count < MAX_OPERANDS && !mlirOperationIsNull(maker) &&
        is_only_for(maker, op) && !is_listed(maker, alone, count))
      alone[count++] = maker;
  }
  mlirOperationDestroy(op);
  for (intptr_t i = 0; i < count; ++i)
    luna_quant_erase_dead(alone[i]);
}

void luna_quant_replace(MlirOperation op, MlirValue with) {
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), with);
  luna_quant_erase_dead(op);
}
