#include "sim_box.h"

#include <string.h>

#include "luna/arena.h"
#include "luna/checked.h"

// Sorts the dimensions by descending stride, so that adjacent ones merge in any
// order of the operand.
static void sort_dims(LunaSimBox *box) {
  for (int32_t i = 1; i < box->rank; ++i)
    for (int32_t k = i; k > 0 && box->strides[k] > box->strides[k - 1]; --k) {
      int64_t stride = box->strides[k], dim = box->dims[k];
      box->strides[k] = box->strides[k - 1];
      box->dims[k] = box->dims[k - 1];
      box->strides[k - 1] = stride;
      box->dims[k - 1] = dim;
    }
}

// Merges contiguous inner dimensions into one run.
static void merge_dims(LunaSimBox *box) {
  while (box->rank > 0 && box->strides[box->rank - 1] == box->run_bytes)
    box->run_bytes *= box->dims[--box->rank];
}

bool luna_sim_box(LunaSimBox *box, const void *data, int32_t rank,
                  const int32_t *dims, const int32_t *strides,
                  int64_t element_bytes) {
  *box = (LunaSimBox){.low = data, .run_bytes = element_bytes};
  int64_t extent = element_bytes, below = 0;
  bool is_empty = false;
  for (int32_t i = 0; i < rank; ++i) {
    if (dims[i] < 0)
      return false;
    is_empty |= dims[i] == 0;
    if (dims[i] <= 1 || strides[i] == 0)
      continue;
    int64_t stride = (int64_t)strides[i] * element_bytes, reach = 0;
    int64_t length = stride < 0 ? -stride : stride;
    if (!luna_checked_mul(dims[i] - 1, length, &reach) ||
        !luna_checked_add(extent, reach, &extent))
      return false;
    below += stride < 0 ? reach : 0;
    box->dims[box->rank] = dims[i];
    box->strides[box->rank++] = length;
  }
  // Uses integers, since pointer arithmetic outside an object is undefined.
  box->low = (const uint8_t *)((uintptr_t)data - (uintptr_t)below);
  box->extent_bytes = is_empty ? 0 : extent;
  sort_dims(box);
  merge_dims(box);
  return true;
}

LunaSimRuns luna_sim_runs(const LunaSimBox *box) {
  return (LunaSimRuns){.box = box, .is_done = box->extent_bytes == 0};
}

bool luna_sim_next_run(LunaSimRuns *runs, int64_t *offset) {
  if (runs->is_done)
    return false;
  *offset = runs->offset;
  const LunaSimBox *box = runs->box;
  int32_t digit = box->rank - 1;
  for (; digit >= 0; --digit) {
    runs->offset += box->strides[digit];
    if (++runs->index[digit] < box->dims[digit])
      break;
    runs->offset -= box->dims[digit] * box->strides[digit];
    runs->index[digit] = 0;
  }
  runs->is_done = digit < 0;
  return true;
}

// Returns the part of a run [at, at + bytes) that lies in [0, limit).
static int64_t clip(int64_t *at, int64_t bytes, int64_t limit) {
  int64_t end = *at + bytes < limit ? *at + bytes : limit;
  *at = *at > 0 ? *at : 0;
  return end - *at;
}

bool luna_sim_boxes_meet(const LunaSimBox *a, const LunaSimBox *b) {
  uintptr_t low_a = (uintptr_t)a->low, low_b = (uintptr_t)b->low;
  uintptr_t end_a = low_a + (uintptr_t)a->extent_bytes;
  uintptr_t end_b = low_b + (uintptr_t)b->extent_bytes;
  uintptr_t low = low_a > low_b ? low_a : low_b;
  uintptr_t end = end_a < end_b ? end_a : end_b;
  if (low >= end)
    return false;
  if (a->rank == 0 && b->rank == 0)
    return true;
  // Mark the runs of one in the common range, then test those of the other.
  LunaArena arena = {0};
  int64_t limit = (int64_t)(end - low), at = 0, bytes = 0;
  uint8_t *painted = LUNA_ARENA_ARRAY(&arena, uint8_t, limit);
  for (LunaSimRuns runs = luna_sim_runs(a); luna_sim_next_run(&runs, &at);) {
    at -= (int64_t)(low - low_a);
    if ((bytes = clip(&at, a->run_bytes, limit)) > 0)
      memset(painted + at, 1, (size_t)bytes);
  }
  bool is_met = false;
  for (LunaSimRuns runs = luna_sim_runs(b);
       !is_met && luna_sim_next_run(&runs, &at);) {
    at -= (int64_t)(low - low_b);
    if ((bytes = clip(&at, b->run_bytes, limit)) > 0)
      is_met = memchr(painted + at, 1, (size_t)bytes) != NULL;
  }
  luna_arena_destroy(&arena);
  return is_met;
}
