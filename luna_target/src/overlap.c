#include "overlap.h"

// The tiles of an operator follow each other along x, then y, then the output
// channels. Tiles of an axis are of few classes, and of the channels only the
// last may be smaller.

enum { FULL, LAST, CHANNEL_KINDS };

// What the overlap of two tiles depends on.
typedef struct Tile {
  uint64_t core_cycles; // of its sums
  uint64_t unit_cycles; // of its first launch
} Tile;

typedef struct Tiles {
  const LunaAxisClasses *y, *x;
  Tile *of_class[CHANNEL_KINDS]; // [y class][x class]
} Tiles;

static Tile tile_of(const LunaLaunchContext *context, const LunaAxisClass *y,
                    const LunaAxisClass *x, const LunaChannels *channels,
                    int32_t out_tile) {
  LunaLaunch launch = {
      .kind = channels->kind,
      .y = y->axis,
      .x = x->axis,
      .is_first = true,
      .is_empty = y->is_empty || x->is_empty,
      .covers_tile = y->axis.out.count == y->axis.tile.count &&
                     x->axis.out.count == x->axis.tile.count,
  };
  luna_channels_launch(channels, 0, out_tile, 0, &launch);
  return (Tile){.core_cycles = luna_launch_core_cycles(context, &launch),
                .unit_cycles = luna_launch_unit_cycles(context, &launch)};
}

static void fill_classes(const LunaLaunchContext *context,
                         const LunaChannels *channels, LunaArena *arena,
                         Tiles *tiles) {
  const LunaAxisClasses *y = tiles->y, *x = tiles->x;
  const int32_t out_tile[] = {[FULL] = 0,
                              [LAST] = luna_channels_out_tiles(channels) - 1};
  for (int kind = 0; kind < CHANNEL_KINDS; ++kind) {
    Tile *to = LUNA_ARENA_ARRAY(arena, Tile, y->count * x->count);
    tiles->of_class[kind] = to;
    for (uint64_t i = 0; i < y->count; ++i)
      for (uint64_t k = 0; k < x->count; ++k)
        *to++ = tile_of(context, &y->items[i], &x->items[k], channels,
                        out_tile[kind]);
  }
}

static Tile tile_at(const Tiles *tiles, int kind, uint64_t y, uint64_t x) {
  return tiles->of_class[kind][tiles->y->of_tile.items[y] * tiles->x->count +
                               tiles->x->of_tile.items[x]];
}

static uint64_t overlap_of(Tile tile, Tile next) {
  return tile.core_cycles < next.unit_cycles ? tile.core_cycles
                                             : next.unit_cycles;
}

// Returns the overlap of the last tile of some channels with the first of those
// that follow.
static uint64_t between(const Tiles *tiles, int kind, int next) {
  uint64_t y = tiles->y->of_tile.count - 1, x = tiles->x->of_tile.count - 1;
  return overlap_of(tile_at(tiles, kind, y, x), tile_at(tiles, next, 0, 0));
}

// Returns the overlap of the tiles of some channels.
static uint64_t within(const Tiles *tiles, int kind) {
  uint64_t rows = tiles->y->of_tile.count, columns = tiles->x->of_tile.count;
  uint64_t cycles = 0;
  for (uint64_t y = 0; y < rows; ++y) {
    for (uint64_t x = 0; x + 1 < columns; ++x)
      cycles += overlap_of(tile_at(tiles, kind, y, x),
                           tile_at(tiles, kind, y, x + 1));
    if (y + 1 < rows)
      cycles += overlap_of(tile_at(tiles, kind, y, columns - 1),
                           tile_at(tiles, kind, y + 1, 0));
  }
  return cycles;
}

uint64_t luna_overlap_cycles(const LunaLaunchContext *context,
                             const LunaAxisClasses *y, const LunaAxisClasses *x,
                             const LunaChannels *channels, uint64_t batches) {
  LunaArena arena = {0};
  Tiles tiles = {.y = y, .x = x};
  fill_classes(context, channels, &arena, &tiles);
  uint64_t rounds = batches * (uint64_t)channels->group_count;
  uint64_t full = (uint64_t)luna_channels_out_tiles(channels) - 1;
  // Where calls finish the slots, the tile before them is finished, too.
  bool are_joined = luna_finish_has_calls(context->finish);
  uint64_t slots = are_joined ? (uint64_t)context->slots : full + 1;
  uint64_t to_last = full % slots != 0;
  uint64_t cycles = within(&tiles, LAST);
  if (full > 0)
    cycles += full * within(&tiles, FULL) +
              (full - full / slots - to_last) * between(&tiles, FULL, FULL) +
              to_last * between(&tiles, FULL, LAST);
  cycles = rounds * cycles +
           (rounds - 1) * between(&tiles, LAST, full > 0 ? FULL : LAST);
  luna_arena_destroy(&arena);
  return cycles;
}
