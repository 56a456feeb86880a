#ifndef LUNA_CHANNELS_H
#define LUNA_CHANNELS_H

// The channels of a tiled operator: tiles of output channels, blocks of input
// channels whose partial sums add up.

#include <stdint.h>

#include "luna/tiles.h"

/// The channels of an operator with its tiling.
typedef struct LunaChannels {
  int32_t kind; ///< LunaLaunchKind
  /// Launches each pair input channel c with output channel c * group_count +
  /// group (depthwise with a multiplier); else 1.
  int32_t group_count;
  int32_t out_extent, out_tile; ///< output channels of one group
  int32_t in_extent, in_block;
} LunaChannels;

/// Returns the channels of a convolution. A depthwise one of a single input
/// channel is an ordinary one.
LunaChannels luna_channels_of_conv2d(const LunaConv2dDesc *desc);

/// Returns the depth of a matrix product.
LunaChannels luna_channels_of_matmul(const LunaMatmulDesc *desc);

/// Returns the number of tiles of output channels.
int32_t luna_channels_out_tiles(const LunaChannels *channels);

/// Returns the number of blocks of input channels in each tile.
int32_t luna_channels_in_blocks(const LunaChannels *channels);

/// Sets out_c and in_c of a launch.
void luna_channels_launch(const LunaChannels *channels, int32_t group,
                          int32_t out_index, int32_t in_index,
                          LunaLaunch *launch);

#endif // LUNA_CHANNELS_H
