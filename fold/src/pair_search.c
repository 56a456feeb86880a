#include "luna/pair_search.h"

#include <math.h>

enum { SEARCH_STEPS = 1024, STEPS_PER_RADIUS = 4 };

//===----------------------------------------------------------------------===//
// What a form computes
//===----------------------------------------------------------------------===//

// Every operand, scaled.
typedef struct Scaled {
  int64_t values[2][LUNA_PAIR_VALUES];
} Scaled;

static bool scale_all(const LunaPairForm *form, Scaled *scaled) {
  for (int input = 0; input < 2; ++input)
    for (int i = 0; i < LUNA_PAIR_VALUES; ++i)
      if (!luna_rescale(form->inputs[input], form->rounds_twice,
                        i + LUNA_PAIR_LOWEST - form->input_zp[input],
                        &scaled->values[input][i]))
        return false;
  return true;
}

// In the order of linalg.generic's steps, each rounded to binary32.
static int64_t finish_float(const LunaPairForm *form, int64_t total) {
  float value = (float)total * form->output_scale;
  value = rintf(value) + (float)form->output_zp;
  float low = (float)form->low, high = (float)form->high;
  return (int64_t)(value > high ? high : value > low ? value : low);
}

static bool is_right(const LunaPairForm *form, const Scaled *scaled,
                     const LunaPairResults *wanted, int i, int k) {
  int64_t lhs = scaled->values[0][i], rhs = scaled->values[1][k];
  int64_t value = form->kind == LUNA_PAIR_ADD   ? lhs + rhs
                  : form->kind == LUNA_PAIR_SUB ? lhs - rhs
                                                : lhs * rhs;
  if (form->output_scale > 0)
    return finish_float(form, value) == wanted->of[i][k];
  if (!luna_rescale(form->output, form->rounds_twice, value, &value))
    return false;
  value += form->output_zp;
  value = value < form->low ? form->low : value;
  return (value > form->high ? form->high : value) == wanted->of[i][k];
}

// Finds the first pair that is wrong; false for none.
static bool find_wrong(const LunaPairForm *form, const Scaled *scaled,
                       const LunaPairResults *wanted, int64_t *work,
                       uint8_t pair[2]) {
  for (int i = 0; i < LUNA_PAIR_VALUES; ++i, *work += LUNA_PAIR_VALUES)
    for (int k = 0; k < LUNA_PAIR_VALUES; ++k)
      if (!is_right(form, scaled, wanted, i, k)) {
        pair[0] = (uint8_t)i;
        pair[1] = (uint8_t)k;
        return true;
      }
  return false;
}

bool luna_pair_suits(const LunaPairForm *form, const LunaPairResults *wanted,
                     int64_t *work) {
  Scaled scaled;
  uint8_t pair[2];
  *work += 2 * LUNA_PAIR_VALUES;
  return scale_all(form, &scaled) &&
         !find_wrong(form, &scaled, wanted, work, pair);
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

// Pairs that some attempt got wrong: the next ones are tried on these first.
typedef struct Hard {
  uint8_t pairs[SEARCH_STEPS][2];
  int count;
} Hard;

static bool attempt(const LunaPairForm *form, const LunaPairResults *wanted,
                    Hard *hard, int64_t *work) {
  Scaled scaled;
  *work += 2 * LUNA_PAIR_VALUES + hard->count;
  if (!scale_all(form, &scaled))
    return false;
  for (int h = 0; h < hard->count; ++h)
    if (!is_right(form, &scaled, wanted, hard->pairs[h][0], hard->pairs[h][1]))
      return false;
  if (!find_wrong(form, &scaled, wanted, work, hard->pairs[hard->count]))
    return true;
  ++hard->count;
  return false;
}

// A step of a linear congruential generator: -radius to radius.
static int32_t draw(uint32_t *seed, int radius) {
  *seed = *seed * UINT32_C(1103515245) + 12345;
  return (int32_t)((*seed >> 16) % (uint32_t)(2 * radius + 1)) - radius;
}

static bool move_multiplier(LunaMultiplier *by, int32_t distance) {
  int64_t moved = (int64_t)by->multiplier + distance;
  if (moved < 1 || moved > INT32_MAX)
    return false;
  by->multiplier = (int32_t)moved;
  return true;
}

bool luna_pair_seek(LunaPairForm *form, const LunaPairResults *wanted,
                    int64_t *work) {
  const LunaPairForm given = *form;
  Hard hard = {.count = 0};
  uint32_t seed = 1;
  for (int step = 0; step < SEARCH_STEPS && *work < LUNA_PAIR_MAX_WORK;
       ++step) {
    int radius = 1 + step / STEPS_PER_RADIUS;
    bool moves = move_multiplier(&form->output, draw(&seed, radius));
    for (int i = 0; i < 2 && !form->is_unscaled; ++i)
      moves &= move_multiplier(&form->inputs[i], draw(&seed, radius));
    if (moves && attempt(form, wanted, &hard, work))
      return true;
    *form = given;
  }
  return false;
}
