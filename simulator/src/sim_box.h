#ifndef LUNA_SIM_BOX_H
#define LUNA_SIM_BOX_H

#include <stdbool.h>
#include <stdint.h>

enum { LUNA_SIM_RANK = 6 };

/// The bytes of a strided box, as contiguous runs.
typedef struct LunaSimBox {
  const uint8_t *low;   ///< first byte of the lowest run
  int64_t extent_bytes; ///< from there to the end of the highest; 0 if empty
  int64_t run_bytes;
  int32_t rank;                                        ///< of the runs
  int64_t dims[LUNA_SIM_RANK], strides[LUNA_SIM_RANK]; ///< bytes, outer first
} LunaSimBox;

/// Builds the box of `rank` dimensions with element [0,…] at `data`. Returns
/// false if a dimension is negative or the extent does not fit 63 bits.
bool luna_sim_box(LunaSimBox *box, const void *data, int32_t rank,
                  const int32_t *dims, const int32_t *strides,
                  int64_t element_bytes);

/// An iteration over the runs of a box.
typedef struct LunaSimRuns {
  const LunaSimBox *box;
  int64_t index[LUNA_SIM_RANK];
  int64_t offset;
  bool is_done;
} LunaSimRuns;

/// Starts an iteration over the runs of a box, which must outlive it.
LunaSimRuns luna_sim_runs(const LunaSimBox *box);
/// Sets `offset` to the offset of the next run from box->low. Returns false
/// after the last.
bool luna_sim_next_run(LunaSimRuns *runs, int64_t *offset);

/// Returns true if two boxes share a byte.
bool luna_sim_boxes_meet(const LunaSimBox *a, const LunaSimBox *b);

#endif // LUNA_SIM_BOX_H
