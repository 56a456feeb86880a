#include "sim_judge.h"

#include <string.h>

enum { EXTENT_MAX = 1 << 24, ELEMENTS_MAX = 1 << 24 };

bool luna_judge_has_extents(const LunaTensorDesc *desc, int32_t least) {
  int64_t count = 1;
  for (int i = 0; i < 4; ++i) {
    if (desc->dims[i] < least || desc->dims[i] > EXTENT_MAX)
      return false;
    count *= desc->dims[i];
    if (count > ELEMENTS_MAX)
      return false;
  }
  return true;
}

bool luna_judge_is_same_shape(const LunaTensorDesc *a,
                              const LunaTensorDesc *b) {
  return memcmp(a->dims, b->dims, sizeof a->dims) == 0;
}

bool luna_judge_is_integer(const LunaTensorDesc *desc) {
  return luna_judge_is_between(desc->type, LUNA_TYPE_I8, LUNA_TYPE_I32);
}

bool luna_judge_are_between(const int32_t *values, int count, int32_t low,
                            int32_t high) {
  for (int i = 0; i < count; ++i)
    if (!luna_judge_is_between(values[i], low, high))
      return false;
  return true;
}

const char *luna_judge_requant(const LunaRequantDesc *requant,
                               const LunaTensorDesc *output) {
  if (!luna_judge_is_between(requant->mode, LUNA_REQUANT_NONE,
                             LUNA_REQUANT_FLOAT))
    return "unknown requantisation mode";
  if (requant->mode == LUNA_REQUANT_NONE)
    return NULL;
  if (!luna_judge_is_integer(output))
    return "requantises to a type that is not int8, int16 or int32";
  if (requant->clamp_min > requant->clamp_max)
    return "clamps to an empty range";
  if (requant->mode == LUNA_REQUANT_SHIFT)
    return requant->per_channel ? "shifts per channel"
           : luna_judge_is_between(requant->shift, -31, 62)
               ? NULL
               : "shift is not between -31 and 62";
  if (requant->mode == LUNA_REQUANT_FLOAT)
    return output->type == LUNA_TYPE_I32
               ? "requantises to int32 in floating point"
               : NULL;
  if (!luna_judge_is_between(requant->rounding, LUNA_ROUND_SINGLE,
                             LUNA_ROUND_DOUBLE))
    return "unknown rounding";
  if (!requant->per_channel && !luna_judge_is_between(requant->shift, 0, 62))
    return "shift is not between 0 and 62";
  return NULL;
}
