#ifndef LUNA_AXIS_H
#define LUNA_AXIS_H

// One axis of a tiled operator: its tiles, and in each the blocks of kernel
// taps. The axes are independent, so launches are the product of both; tiles.c
// iterates over it, axis_classes.c counts it.

#include <stdbool.h>
#include <stdint.h>

#include "luna/border.h"
#include "luna/tiles.h"

/// One axis of an operator with its tiling. Extents are at least 1; tile_extent
/// and block_extent lie in [1, extent].
typedef struct LunaAxis {
  int32_t out_extent, in_extent;
  int32_t kernel, stride, dilation, pad;
  int32_t tile_extent;   ///< outputs of a tile
  int32_t block_extent;  ///< taps of a launch
  int32_t strips;        ///< of a call (LunaTiling.row_strips), else 0
  LunaBorderAxis border; ///< without classes if nothing is added at borders
  bool is_transposed;
  /// Of a matrix product: tiles only, every tap contributes.
  bool is_plain;
} LunaAxis;

/// Returns the y (axis 0) or x (axis 1) axis of a convolution with its tiling.
LunaAxis luna_axis_of_conv2d(const LunaConv2dDesc *desc, int axis);

/// Returns the rows (axis 0) or columns (axis 1) of a matrix product.
LunaAxis luna_axis_of_matmul(const LunaMatmulDesc *desc, int axis);

/// Returns the number of tiles. A transposed axis has separate tiles for each
/// phase: the outputs that the same taps reach.
int32_t luna_axis_tile_count(const LunaAxis *axis);

/// Returns the number of tap blocks of a tile, at least 1.
int32_t luna_axis_block_count(const LunaAxis *axis, int32_t tile_index);

/// Computes the launch of one block of a tile. Returns false if no tap of the
/// block contributes to the tile: then only launch->tile and ->taps are set,
/// and the other ranges are empty.
bool luna_axis_launch(const LunaAxis *axis, int32_t tile_index,
                      int32_t block_index, LunaLaunchAxis *launch);

/// Writes the first and last block of a tile that contribute. Returns false if
/// there is none.
bool luna_axis_blocks(const LunaAxis *axis, int32_t tile_index, int32_t *first,
                      int32_t *last);

/// Returns `tile` if it lies in [1, extent], else `extent`: a tiling that
/// leaves an extent out (0) does not cut it.
static inline int32_t luna_tile_extent(int32_t tile, int32_t extent) {
  return tile >= 1 && tile <= extent ? tile : extent;
}

#endif // LUNA_AXIS_H
