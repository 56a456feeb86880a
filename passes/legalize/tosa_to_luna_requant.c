#include "luna-c/ops.h"
#include "luna/arena.h"
#include "luna/checked.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "tosa_to_luna.h"

static int64_t clamp(int64_t value, int64_t min, int64_t max) {
  return value < min ? min : value > max ? max : value;
}

// Composes a clamp to `min`, `max` with the following clamp of `requant`:
// clamps are monotone, so the composition clamps to the images of the bounds.
static void clamp_before(LunaRequant *requant, int64_t min, int64_t max) {
  int64_t low = clamp(min, requant->clamp_min, requant->clamp_max);
  int64_t high = clamp(max, requant->clamp_min, requant->clamp_max);
  requant->clamp_min = (int32_t)low;
  requant->clamp_max = (int32_t)high;
}

static int log2_of(int64_t power) {
  int log = 0;
  while (power >> log != 1)
    ++log;
  return log;
}

// The arithmetic of the unit if the multiplier is 2^k and the shift s >= k:
//   (acc * 2^k + 2^(s-1)) >> s = floor(acc * 2^-(s-k) + 0.5)
// exactly, since both sides are the floor of the same rational number. That
// holds for single rounding, which `rounding` says wherever no shift is above
// 31. Above 31 double rounding adds 2^30 to, or takes it from, the sum, and the
// floors differ: acc = 1, k = 30, s = 32 gives (2^30 + 2^31 + 2^30) >> 32 = 1,
// but floor(1/4 + 1/2) = 0. A shift of 32 or more would leave no bit of acc.
static void use_shift(LunaRequant *requant) {
  if (requant->rounding != LUNA_ROUND_SINGLE ||
      !luna_is_power_of_two(requant->multiplier))
    return;
  int shift = requant->shift - log2_of(requant->multiplier);
  if (shift < 0 || shift > 31)
    return;
  requant->mode = LUNA_REQUANT_SHIFT;
  requant->multiplier = 0;
  requant->shift = shift;
}

// The table operand: multipliers, then shifts.
static MlirAttribute make_table(MlirContext context,
                                const LunaTosaRescale *rescale) {
  int64_t channels = rescale->multiplier.count;
  int64_t shape[2] = {2, channels};
  MlirType i32 = mlirIntegerTypeGet(context, 32);
  MlirType type =
      mlirRankedTensorTypeGet(2, shape, i32, mlirAttributeGetNull());
  LunaArena arena = {0};
  int32_t *values = LUNA_ARENA_ARRAY(&arena, int32_t, 2 * channels);
  for (int64_t c = 0; c < channels; ++c) {
    values[c] = (int32_t)luna_tosa_const_at(&rescale->multiplier, c);
    values[channels + c] = (int32_t)luna_tosa_const_at(&rescale->shift, c);
  }
  MlirAttribute table =
      mlirDenseElementsAttrInt32Get(type, (intptr_t)(2 * channels), values);
  luna_arena_destroy(&arena);
  return table;
}

static void set_requant(LunaTosaChain *chain, const LunaTosaRescale *rescale) {
  LunaRequant *requant = &chain->requant;
  requant->mode = LUNA_REQUANT_MULTIPLIER;
  requant->rounding = rescale->rounding;
  requant->zero_point = (int32_t)rescale->output_zp;
  requant->per_channel = rescale->per_channel;
  if (rescale->per_channel) {
    chain->table = make_table(mlirOperationGetContext(chain->root), rescale);
    return;
  }
  requant->multiplier = (int32_t)luna_tosa_const_at(&rescale->multiplier, 0);
  requant->shift = (int32_t)luna_tosa_const_at(&rescale->shift, 0);
  use_shift(requant);
}

// Returns the producer of `op` if only `op` uses its result and both are in one
// block: an operator must not sink into a loop.
static MlirOperation sole_producer(MlirOperation op) {
  MlirOperation null = {NULL};
  MlirValue input = mlirOperationGetOperand(op, 0);
  MlirOperation producer = luna_defining_op(input);
  if (mlirOperationIsNull(producer) || !luna_is_used_once(input) ||
      !mlirBlockEqual(mlirOperationGetBlock(op),
                      mlirOperationGetBlock(producer)))
    return null;
  return producer;
}

bool luna_tosa_chain(MlirOperation root, LunaTosaChain *chain) {
  unsigned width = luna_tosa_width(mlirOperationGetResult(root, 0));
  if (width != 8 && width != 16 && width != 32)
    return false;
  *chain = (LunaTosaChain){.root = root, .producer = root};
  if (luna_tosa_float_requant(root, &chain->requant, &chain->table)) {
    chain->producer = sole_producer(root);
    return !mlirOperationIsNull(chain->producer);
  }
  chain->requant.clamp_min = (int32_t)-(INT64_C(1) << (width - 1));
  chain->requant.clamp_max = (int32_t)((INT64_C(1) << (width - 1)) - 1);
  int64_t min = 0, max = 0;
  MlirOperation op = root;
  while (luna_tosa_clamp(op, &min, &max)) {
    clamp_before(&chain->requant, min, max);
    op = sole_producer(op);
    if (mlirOperationIsNull(op))
      return false;
  }
  LunaTosaRescale rescale;
  if (luna_tosa_rescale(op, &rescale)) {
    if (rescale.input_width < 32 || rescale.input_zp != 0)
      return false;
    set_requant(chain, &rescale);
    chain->producer = sole_producer(op);
    return !mlirOperationIsNull(chain->producer);
  }
  // No rescale: 32-bit results, which mode none cannot clamp.
  chain->requant.clamp_min = -128;
  chain->requant.clamp_max = 127;
  return mlirOperationEqual(op, root) && width == 32;
}
