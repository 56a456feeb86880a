#include "channels.h"

#include "axis.h"
#include "luna/checked.h"

LunaChannels luna_channels_of_conv2d(const LunaConv2dDesc *desc) {
  int32_t in = desc->input.dims[3], out = desc->output.dims[3];
  if (desc->kind == LUNA_CONV_DEPTHWISE && in > 1)
    return (LunaChannels){
        .kind = LUNA_LAUNCH_DEPTHWISE,
        .group_count = out / in,
        .out_extent = in,
        .out_tile = luna_tile_extent(desc->tiling.out_c, in),
        .in_extent = in,
        .in_block = in,
    };
  return (LunaChannels){
      .kind = LUNA_LAUNCH_CONV,
      .group_count = 1,
      .out_extent = out,
      .out_tile = luna_tile_extent(desc->tiling.out_c, out),
      .in_extent = in,
      .in_block = luna_tile_extent(desc->tiling.in_c, in),
  };
}

LunaChannels luna_channels_of_matmul(const LunaMatmulDesc *desc) {
  int32_t depth = desc->lhs.dims[3];
  return (LunaChannels){
      .kind = LUNA_LAUNCH_MATMUL,
      .group_count = 1,
      .out_extent = 1,
      .out_tile = 1,
      .in_extent = depth,
      .in_block = luna_tile_extent(desc->tiling.in_c, depth),
  };
}

int32_t luna_channels_out_tiles(const LunaChannels *channels) {
  return (int32_t)luna_ceil_div(channels->out_extent, channels->out_tile);
}

int32_t luna_channels_in_blocks(const LunaChannels *channels) {
  return (int32_t)luna_ceil_div(channels->in_extent, channels->in_block);
}

void luna_channels_launch(const LunaChannels *channels, int32_t group,
                          int32_t out_index, int32_t in_index,
                          LunaLaunch *launch) {
  int32_t first = out_index * channels->out_tile;
  int32_t left = channels->out_extent - first;
  int32_t count = left < channels->out_tile ? left : channels->out_tile;
  launch->out_c = (LunaRange){first * channels->group_count + group, count,
                              channels->group_count};
  if (channels->kind == LUNA_LAUNCH_DEPTHWISE) {
    launch->in_c = (LunaRange){first, count, 1};
    return;
  }
  int32_t in_first = in_index * channels->in_block;
  int32_t in_left = channels->in_extent - in_first;
  launch->in_c = (LunaRange){
      in_first, in_left < channels->in_block ? in_left : channels->in_block, 1};
}
