#include "luna/tiles.h"

#include "axis.h"
#include "channels.h"
#include "luna/checked.h"

// The digits of LunaTiles.position, outermost first.
enum { BATCH, GROUP, OUT_C, TILE_Y, TILE_X, BLOCK_Y, BLOCK_X, IN_C, DIGITS };

typedef struct Shape {
  LunaAxis y, x;
  LunaChannels channels;
  int32_t batches;
} Shape;

static Shape shape_of(const LunaTiles *tiles) {
  if (tiles->matmul)
    return (Shape){
        .y = luna_axis_of_matmul(tiles->matmul, 0),
        .x = luna_axis_of_matmul(tiles->matmul, 1),
        .channels = luna_channels_of_matmul(tiles->matmul),
        .batches = tiles->matmul->output.dims[1],
    };
  return (Shape){
      .y = luna_axis_of_conv2d(tiles->conv, 0),
      .x = luna_axis_of_conv2d(tiles->conv, 1),
      .channels = luna_channels_of_conv2d(tiles->conv),
      .batches = tiles->conv->output.dims[0],
  };
}

// Increments `digit` with carry to the outer digits; inner digits restart.
static void advance(LunaTiles *tiles, const Shape *shape, int digit) {
  int32_t *at = tiles->position;
  for (int i = digit + 1; i < DIGITS; ++i)
    at[i] = 0;
  for (; digit >= 0; --digit) {
    int32_t count = 0;
    switch (digit) {
    case BATCH:
      count = shape->batches;
      break;
    case GROUP:
      count = shape->channels.group_count;
      break;
    case OUT_C:
      count = luna_channels_out_tiles(&shape->channels);
      break;
    case TILE_Y:
      count = luna_axis_tile_count(&shape->y);
      break;
    case TILE_X:
      count = luna_axis_tile_count(&shape->x);
      break;
    case BLOCK_Y:
      count = luna_axis_block_count(&shape->y, at[TILE_Y]);
      break;
    case BLOCK_X:
      count = luna_axis_block_count(&shape->x, at[TILE_X]);
      break;
    default:
      count = luna_channels_in_blocks(&shape->channels);
    }
    if (++at[digit] < count)
      return;
    at[digit] = 0;
  }
  tiles->is_done = true;
}

void luna_tiles_conv2d_begin(LunaTiles *tiles, const LunaConv2dDesc *desc) {
  *tiles = (LunaTiles){.conv = desc};
}

void luna_tiles_matmul_begin(LunaTiles *tiles, const LunaMatmulDesc *desc) {
  *tiles = (LunaTiles){.matmul = desc};
}

// Sets the position of the launch among those of its tile.
static void set_order(LunaLaunch *launch, const Shape *shape,
                      const int32_t *at) {
  int32_t first_y, last_y, first_x, last_x;
  launch->is_empty =
      !luna_axis_blocks(&shape->y, at[TILE_Y], &first_y, &last_y) ||
      !luna_axis_blocks(&shape->x, at[TILE_X], &first_x, &last_x);
  if (launch->is_empty) {
    launch->is_first = launch->is_last = true;
    launch->y.in.count = launch->y.out.count = 0;
    launch->x.in.count = launch->x.out.count = 0;
    return;
  }
  launch->is_first =
      at[BLOCK_Y] == first_y && at[BLOCK_X] == first_x && at[IN_C] == 0;
  launch->is_last = at[BLOCK_Y] == last_y && at[BLOCK_X] == last_x &&
                    at[IN_C] == luna_channels_in_blocks(&shape->channels) - 1;
  launch->covers_tile = luna_range_equal(launch->y.out, launch->y.tile) &&
                        luna_range_equal(launch->x.out, launch->x.tile);
}

bool luna_tiles_next(LunaTiles *tiles, LunaLaunch *launch) {
  Shape shape = shape_of(tiles);
  const int32_t *at = tiles->position;
  while (!tiles->is_done) {
    *launch = (LunaLaunch){.kind = shape.channels.kind, .batch = at[BATCH]};
    bool has_y =
        luna_axis_launch(&shape.y, at[TILE_Y], at[BLOCK_Y], &launch->y);
    bool has_x =
        luna_axis_launch(&shape.x, at[TILE_X], at[BLOCK_X], &launch->x);
    luna_channels_launch(&shape.channels, at[GROUP], at[OUT_C], at[IN_C],
                         launch);
    set_order(launch, &shape, at);
    bool is_launch = launch->is_empty || (has_y && has_x);
    advance(tiles, &shape, launch->is_empty ? TILE_X : IN_C);
    if (is_launch)
      return true;
  }
  return false;
}

// Returns true if some tile of the axis has several launches or uncovered
// outputs.
static bool axis_needs_sums(const LunaAxis *axis) {
  for (int32_t i = 0; i < luna_axis_tile_count(axis); ++i) {
    int32_t first, last;
    LunaLaunchAxis launch;
    if (!luna_axis_blocks(axis, i, &first, &last) || first != last)
      return true;
    luna_axis_launch(axis, i, first, &launch);
    if (!luna_range_equal(launch.out, launch.tile))
      return true;
  }
  return false;
}

bool luna_tiles_conv2d_need_sums(const LunaConv2dDesc *desc) {
  LunaAxis y = luna_axis_of_conv2d(desc, 0), x = luna_axis_of_conv2d(desc, 1);
  LunaChannels channels = luna_channels_of_conv2d(desc);
  return luna_channels_in_blocks(&channels) > 1 || axis_needs_sums(&y) ||
         axis_needs_sums(&x);
}

bool luna_tiles_matmul_need_sums(const LunaMatmulDesc *desc) {
  LunaChannels channels = luna_channels_of_matmul(desc);
  return luna_channels_in_blocks(&channels) > 1;
}
