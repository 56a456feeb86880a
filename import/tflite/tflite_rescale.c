#include "luna-c/ir.h"
#include "luna/arena.h"
#include "tflite_build.h"

enum { MIN_SHIFT = 2, MAX_SHIFT = 62 };

static const LunaMultiplier identity = {INT32_C(1) << 30, 1};

bool luna_tosa_can_rescale(LunaMultiplier multiplier) {
  return multiplier.multiplier == 0 || (31 - multiplier.shift >= MIN_SHIFT &&
                                        31 - multiplier.shift <= MAX_SHIFT);
}

// 48-bit values are scaled by 16 bits: TensorFlow Lite halves the multiplier's
// bits the same way.
static LunaMultiplier narrow(LunaMultiplier wide) {
  if (wide.multiplier == 0)
    return wide;
  int32_t half = wide.multiplier < 0x7FFF0000
                     ? (wide.multiplier + (1 << 15)) >> 16
                     : 0x7FFF;
  return (LunaMultiplier){half, wide.shift};
}

typedef struct Scales {
  MlirValue multipliers, shifts;
} Scales;

static Scales make_scales(LunaTosaBuilder *builder, const LunaRescale *rescale,
                          bool is_wide) {
  LunaArena arena = {0};
  int32_t *wide = LUNA_ARENA_ARRAY(&arena, int32_t, rescale->count);
  int16_t *half = LUNA_ARENA_ARRAY(&arena, int16_t, rescale->count);
  int8_t *shifts = LUNA_ARENA_ARRAY(&arena, int8_t, rescale->count);
  for (int64_t i = 0; i < rescale->count; ++i) {
    LunaMultiplier by = rescale->multipliers[i];
    by = is_wide ? narrow(by) : by;
    wide[i] = by.multiplier;
    half[i] = (int16_t)by.multiplier;
    // A multiplier of 0 gives 0 whatever the shift.
    shifts[i] =
        (int8_t)(by.multiplier == 0 ? 31 : (is_wide ? 15 : 31) - by.shift);
  }
  intptr_t count = (intptr_t)rescale->count;
  int64_t shape[1] = {count};
  MlirAttribute values =
      is_wide ? mlirDenseElementsAttrInt16Get(
                    luna_tosa_type(builder->i16, 1, shape), count, half)
              : mlirDenseElementsAttrInt32Get(
                    luna_tosa_type(builder->i32, 1, shape), count, wide);
  Scales scales = {
      .multipliers = luna_tosa_const(builder, values),
      .shifts = luna_tosa_const(
          builder, mlirDenseElementsAttrInt8Get(
                       luna_tosa_type(builder->i8, 1, shape), count, shifts)),
  };
  luna_arena_destroy(&arena);
  return scales;
}

MlirValue luna_tosa_rescale_by(LunaTosaBuilder *builder, MlirValue value,
                               const LunaRescale *rescale) {
  MlirContext context = builder->context;
  MlirType input = luna_tosa_element(value);
  bool is_wide = mlirIntegerTypeGetWidth(input) == 48;
  Scales scales = make_scales(builder, rescale, is_wide);
  MlirValue operands[5] = {
      value, scales.multipliers, scales.shifts,
      luna_tosa_const_int(builder, input, rescale->input_zp),
      luna_tosa_const_int(builder, rescale->element, rescale->output_zp)};
  // TensorFlow Lite rounds the product with a 16-bit multiplier once.
  const char *rounding = is_wide ? "#tosa.rounding_mode<SINGLE_ROUND>"
                                 : "#tosa.rounding_mode<DOUBLE_ROUND>";
  MlirNamedAttribute attributes[5] = {
      luna_tosa_named(builder, "scale32", mlirBoolAttrGet(context, !is_wide)),
      luna_tosa_named(builder, "rounding_mode",
                      luna_tosa_parse(builder, rounding)),
      luna_tosa_named(builder, "per_channel",
                      mlirBoolAttrGet(context, rescale->count > 1)),
      luna_tosa_named(builder, "input_unsigned",
                      mlirBoolAttrGet(context, rescale->input_unsigned)),
      luna_tosa_named(builder, "output_unsigned",
                      mlirBoolAttrGet(context, rescale->output_unsigned)),
  };
  MlirType type =
      luna_tosa_with_element(mlirValueGetType(value), rescale->element);
  return luna_tosa_op(builder, "tosa.rescale", type, 5, operands, 5,
                      attributes);
}

MlirValue luna_tosa_widen(LunaTosaBuilder *builder, MlirValue value,
                          int64_t zero_point) {
  if (zero_point == 0)
    return luna_tosa_cast(builder, value, builder->i32);
  LunaRescale rescale = {.multipliers = &identity,
                         .count = 1,
                         .input_zp = zero_point,
                         .element = builder->i32};
  return luna_tosa_rescale_by(builder, value, &rescale);
}
