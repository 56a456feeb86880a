#include "tflite_rescale.h"
#include "luna/arena.h"

enum { MIN_SHIFT = 2, MAX_SHIFT = 62 };

static const LunaMultiplier identity = {INT32_C(1) << 30, 1};

bool luna_tflite_can_rescale(LunaMultiplier multiplier) {
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

static Scales make_scales(const LunaBuilder *b,
                          const LunaTfliteRescale *rescale, bool is_wide) {
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
  int64_t count = rescale->count;
  Scales scales = {
      .multipliers =
          is_wide ? luna_build_data(b, luna_list_type(b->i16, count), half)
                  : luna_build_data(b, luna_list_type(b->i32, count), wide),
      .shifts = luna_build_data(b, luna_list_type(b->i8, count), shifts),
  };
  luna_arena_destroy(&arena);
  return scales;
}

MlirValue luna_tflite_rescale(const LunaBuilder *b, MlirValue value,
                              const LunaTfliteRescale *rescale) {
  MlirContext context = b->context;
  MlirType input = luna_element_of(value);
  bool is_wide = mlirIntegerTypeGetWidth(input) == 48;
  Scales scales = make_scales(b, rescale, is_wide);
  MlirValue operands[5] = {
      value, scales.multipliers, scales.shifts,
      luna_build_const_one(b, input, rescale->input_zp),
      luna_build_const_one(b, rescale->element, rescale->output_zp)};
  // TensorFlow Lite rounds the product with a 16-bit multiplier once.
  const char *rounding = is_wide ? "#tosa.rounding_mode<SINGLE_ROUND>"
                                 : "#tosa.rounding_mode<DOUBLE_ROUND>";
  LunaAttr attributes[5] = {
      {"scale32", mlirBoolAttrGet(context, !is_wide)},
      {"rounding_mode", luna_parse_attr(b->context, rounding)},
      {"per_channel", mlirBoolAttrGet(context, rescale->count > 1)},
      {"input_unsigned", mlirBoolAttrGet(context, rescale->input_unsigned)},
      {"output_unsigned", mlirBoolAttrGet(context, rescale->output_unsigned)},
  };
  MlirType type = luna_with_element(mlirValueGetType(value), rescale->element);
  return luna_build_op(b, "tosa.rescale", type, 5, operands, 5, attributes);
}

MlirValue luna_tflite_rescale_by(const LunaBuilder *b, MlirValue value,
                                 LunaMultiplier by, int64_t input_zp,
                                 int64_t output_zp, MlirType element) {
  return luna_tflite_rescale(b, value,
                             &(LunaTfliteRescale){.multipliers = &by,
                                                  .count = 1,
                                                  .input_zp = input_zp,
                                                  .output_zp = output_zp,
                                                  .element = element});
}

MlirValue luna_tflite_widen(const LunaBuilder *b, MlirValue value,
                            int64_t zero_point) {
  bool is_wide = mlirIntegerTypeGetWidth(luna_element_of(value)) > 32;
  if (zero_point == 0 && !is_wide)
    return luna_build_cast(b, value, b->i32);
  return luna_tflite_rescale_by(b, value, identity, zero_point, 0, b->i32);
}
