#include "kernel_tiles.h"

#include "luna/chain_cost.h"

// The strides of y, x and channel.
static void set_strides(const LunaBenchTiles *tiles, int32_t strides[3]) {
  int32_t row = COLUMNS + tiles->gap;
  strides[0] = tiles->has_planes ? row : COLUMNS * CHANNELS;
  strides[1] = tiles->has_planes ? 1 : tiles->channels + tiles->gap;
  strides[2] = tiles->has_planes ? 2 * ROWS * row : 1;
}

static int32_t finish_of_tiles(const LunaBenchTiles *tiles) {
  return tiles->by_calls   ? tiles->by_calls
         : tiles->rows > 0 ? LUNA_FINISH_CORE
                           : LUNA_FINISH_FUSED;
}

// Writes the vector calls behind the launches.
static void finish_by_calls(LunaProductRecord *record) {
  LunaVectorChain chain;
  luna_chain_of_product(&chain, record->finish, &record->requant,
                        record->output_type);
  record->call_count = chain.count;
  LunaVectorCall *to = (LunaVectorCall *)(uintptr_t)luna_record_calls(record);
  for (int32_t i = 0; i < chain.count; ++i)
    to[i] = chain.calls[i];
}

static uint64_t finish_cost(const LunaBenchTiles *tiles,
                            const int32_t strides[3]) {
  const int32_t extents[] = {tiles->rows, COLUMNS, tiles->channels};
  LunaVectorChain chain;
  luna_chain_of_product(&chain, finish_of_tiles(tiles), &tiles->requant,
                        LUNA_TYPE_I8);
  return luna_chain_tile_cost(&luna_bench_machine, &chain, strides, extents)
      .host_cycles;
}

void luna_bench_run_tiles(const LunaBenchTiles *tiles) {
  static struct {
    LunaProductRecord record;
    LunaLaunchRecord launches[2 * LAUNCHES + 8]; // calls behind them
  } product;
  product.record = (LunaProductRecord){.finish = finish_of_tiles(tiles),
                                       .output_type = LUNA_TYPE_I8,
                                       .table_strides = {CHANNELS, 1},
                                       .channel_step = 1,
                                       .requant = tiles->requant,
                                       .launch_count = tiles->count};
  set_strides(tiles, product.record.output_strides);
  for (int32_t i = 0; i < tiles->count; ++i)
    product.launches[i] =
        (LunaLaunchRecord){.tile = {(uint16_t)tiles->rows, COLUMNS},
                           .out_channels = (uint16_t)tiles->channels,
                           .flags = LUNA_LAUNCH_LAST | LUNA_LAUNCH_SUMS};
  if (tiles->by_calls)
    finish_by_calls(&product.record);
  const LunaProductOperands operands = {.table = luna_bench_data.table,
                                        .scratch = luna_bench_data.sums,
                                        .output = luna_bench_data.bytes[2]};
  if (!luna_bench_marks_await)
    luna_bench_mark();
  luna_core_product(&product.record, &operands);
  if (!luna_bench_marks_await)
    luna_bench_mark();
}

uint64_t luna_bench_tiles_cost(const LunaBenchTiles *tiles) {
  int32_t strides[3];
  set_strides(tiles, strides);
  const LunaCoreTile tile = luna_core_tile(&tiles->requant, strides);
  uint64_t cycles = luna_core_launch_cycles(&luna_bench_machine);
  if (tiles->by_calls)
    cycles += finish_cost(tiles, strides);
  else if (tiles->rows > 0)
    cycles +=
        luna_core_tile_cycles(&luna_bench_machine, &tile, (uint64_t)tiles->rows,
                              COLUMNS, (uint64_t)tiles->channels);
  return cycles * (uint64_t)tiles->count;
}

void luna_bench_count_tiles(const char *name, LunaBenchTiles once,
                            LunaBenchTiles twice) {
  luna_bench_run_tiles(&once);
  luna_bench_run_tiles(&twice);
  LUNA_BENCH_PRINT(name, luna_bench_tiles_cost(&twice) -
                             luna_bench_tiles_cost(&once));
}
