#include "chain_faults.h"

#include <string.h>

const char *luna_chain_fault_name(LunaChainFault kind) {
  static const char *const names[LUNA_CHAIN_FAULT_COUNT] = {
      [LUNA_CHAIN_CALL_DROPPED] = "call-dropped",
      [LUNA_CHAIN_CALLS_EXCHANGED] = "calls-exchanged",
      [LUNA_CHAIN_SHIFT_CHANGED] = "shift-changed",
      [LUNA_CHAIN_SCALAR_CHANGED] = "scalar-changed",
      [LUNA_CHAIN_SIGNS_DROPPED] = "signs-dropped",
  };
  return names[kind];
}

static bool has_scalar(const LunaVectorCall *call) {
  bool is_of_channel =
      call->name == LUNA_CALL_SCALE && call->scope == LUNA_VECTOR_PLANE;
  return (call->name == LUNA_CALL_SCALE && !is_of_channel) ||
         call->name == LUNA_CALL_OFFSET || call->name == LUNA_CALL_CMP_VS ||
         call->name == LUNA_CALL_MEMSET;
}

static bool has_shift(const LunaVectorCall *call) {
  return call->name != LUNA_CALL_CMP_VS && call->name != LUNA_CALL_MEMSET &&
         call->scope != LUNA_VECTOR_DEEPEST &&
         (call->scope != LUNA_VECTOR_PLANE || call->name != LUNA_CALL_OFFSET);
}

// One more, and with odd numbers one less.
static int32_t step_of(int32_t index) { return index % 2 == 0 ? 1 : -1; }

static void drop(LunaVectorCall *calls, int32_t *count, int32_t first,
                 int32_t dropped) {
  *count -= dropped;
  memmove(calls + first, calls + first + dropped,
          (size_t)(*count - first) * sizeof *calls);
}

static bool change_shift(LunaVectorCall *call, int32_t by) {
  int32_t shift = call->shift + by;
  if (!has_shift(call) || shift < 0 || shift > 62)
    return false;
  call->shift = (uint8_t)shift;
  return true;
}

static bool change_scalar(LunaVectorCall *call, int32_t by) {
  if (!has_scalar(call) || call->scalar == (by > 0 ? INT32_MAX : INT32_MIN))
    return false;
  call->scalar += by;
  return true;
}

// Faults of one call that is there, or one with its neighbour.
static bool put_at(LunaChainFault kind, int32_t at, int32_t by,
                   LunaVectorCall *calls, int32_t *count) {
  bool is_last = at + 1 == *count;
  const LunaVectorCall own = calls[at];
  switch (kind) {
  case LUNA_CHAIN_CALL_DROPPED:
    drop(calls, count, at, 1);
    return true;
  case LUNA_CHAIN_CALLS_EXCHANGED:
    if (is_last || memcmp(&own, &calls[at + 1], sizeof own) == 0)
      return false;
    calls[at] = calls[at + 1];
    calls[at + 1] = own;
    return true;
  case LUNA_CHAIN_SHIFT_CHANGED:
    return change_shift(&calls[at], by);
  case LUNA_CHAIN_SCALAR_CHANGED:
    return change_scalar(&calls[at], by);
  case LUNA_CHAIN_SIGNS_DROPPED:
    if (own.name != LUNA_CALL_CMP_VS || is_last)
      return false;
    drop(calls, count, at, 2);
    return true;
  case LUNA_CHAIN_FAULT_COUNT:
    break;
  }
  return false;
}

bool luna_chain_fault_put(LunaChainFault kind, int32_t index,
                          LunaVectorCall *calls, int32_t *count) {
  bool has_ways =
      kind == LUNA_CHAIN_SHIFT_CHANGED || kind == LUNA_CHAIN_SCALAR_CHANGED;
  int32_t ways = has_ways ? 2 : 1, old_count = *count;
  for (int32_t i = 0; i < old_count * ways; ++i) {
    LunaVectorCall trial[LUNA_CHAIN_CALLS_MAX];
    int32_t trial_count = old_count;
    memcpy(trial, calls, (size_t)old_count * sizeof *calls);
    if (!put_at(kind, i / ways, step_of(i), trial, &trial_count) || index-- > 0)
      continue;
    memcpy(calls, trial, (size_t)old_count * sizeof *calls);
    *count = trial_count;
    return true;
  }
  return false;
}
