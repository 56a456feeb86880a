#include "launch_cost.h"

#include "launch.h"
#include "luna/chain_cost.h"
#include "luna/checked.h"
#include "overlap.h"

uint64_t luna_macs_per_cycle(const LunaMachine *machine, int32_t kind,
                             int32_t input_type, int32_t weight_type) {
  int32_t input = luna_element_bytes(input_type);
  int32_t weight = luna_element_bytes(weight_type);
  int32_t widest = input > weight ? input : weight;
  uint64_t rate = widest <= 1   ? machine->macs_per_cycle_i8
                  : widest == 2 ? machine->macs_per_cycle_i16
                                : machine->macs_per_cycle_i32;
  uint64_t divisor = luna_launch_limits(machine, kind)->mac_rate_divisor;
  rate = divisor > 1 ? rate / divisor : rate;
  return rate > 0 ? rate : 1;
}

// Returns the products of a launch, each extent rounded up to the unit's
// granule.
static uint64_t product_count(const LunaMachine *machine,
                              const LunaLaunch *launch) {
  const LunaOperatorLimits *limits = luna_launch_limits(machine, launch->kind);
  int64_t rows = launch->y.out.count, columns = launch->x.out.count;
  int64_t width_align = limits->width_align_per_stride;
  int64_t depth = luna_align_up(launch->in_c.count, limits->in_channel_align);
  if (launch->kind == LUNA_LAUNCH_MATMUL)
    return (uint64_t)(luna_align_up(rows, width_align) * depth *
                      luna_align_up(columns, limits->out_channel_align));
  // The array computes pairs of output channels, in depthwise launches too.
  int64_t channels =
      luna_align_up(launch->out_c.count, machine->conv.out_channel_align);
  int64_t taps = (int64_t)launch->y.taps.count * launch->x.taps.count;
  if (launch->kind == LUNA_LAUNCH_DEPTHWISE)
    depth = 1;
  return (uint64_t)(rows * luna_align_up(columns, width_align) * channels *
                    depth * taps);
}

// Returns the hold cycles of the array in addition to its products.
static uint64_t hold_cycles(const LunaMachine *machine,
                            const LunaLaunch *launch) {
  const LunaOperatorLimits *limits = luna_launch_limits(machine, launch->kind);
  int64_t width_align = limits->width_align_per_stride;
  if (launch->kind == LUNA_LAUNCH_MATMUL)
    return (uint64_t)luna_ceil_div(launch->y.out.count, width_align) *
           limits->hold_cycles_per_granule;
  uint64_t steps = (uint64_t)luna_ceil_div(launch->out_c.count,
                                           machine->conv.out_channel_align);
  uint64_t granules = (uint64_t)launch->y.out.count *
                      (uint64_t)luna_ceil_div(launch->x.out.count, width_align);
  uint64_t hold =
      limits->hold_cycles_per_granule +
      (uint64_t)launch->x.taps.count * limits->hold_cycles_per_kernel_column;
  return steps * (granules * hold + limits->hold_cycles_per_channel_step);
}

static uint64_t elements(const LunaLaunch *launch, bool of_tile) {
  uint64_t y = (uint64_t)(of_tile ? launch->y.tile : launch->y.out).count;
  uint64_t x = (uint64_t)(of_tile ? launch->x.tile : launch->x.out).count;
  return y * x * (uint64_t)launch->out_c.count;
}

// Returns the bytes that a launch reads of its input: pieces share rows.
static int64_t read_bytes(const LunaLaunchContext *context,
                          const LunaLaunch *launch) {
  int64_t bytes =
      luna_launch_input_bytes(context->machine, launch, context->input_type);
  if (launch->y.strips <= 1)
    return bytes;
  int64_t reach = (int64_t)(launch->y.taps.count - 1) * launch->y.dilation + 1;
  int64_t shared = reach > launch->y.stride ? reach - launch->y.stride : 0;
  int64_t rows = launch->y.in.count + (launch->y.strips - 1) * shared;
  return bytes / luna_launch_strip_rows(&launch->y) * rows;
}

// Returns the cycles of the unit: set-up of each piece, reading operands, then
// the slower of products and results.
static uint64_t unit_cycles(const LunaLaunchContext *context,
                            const LunaLaunch *launch) {
  const LunaMachine *machine = context->machine;
  int64_t in_bytes = read_bytes(context, launch);
  uint64_t pieces = launch->y.strips > 1 ? (uint64_t)launch->y.strips : 1;
  int64_t weight_bytes =
      luna_launch_weight_bytes(machine, launch, context->weight_type);
  bool is_wide = context->has_sums || context->finish != LUNA_FINISH_FUSED;
  uint64_t out_bytes =
      elements(launch, false) *
      (is_wide ? 4 : (uint64_t)luna_element_bytes(context->output_type));
  uint64_t compute = luna_cycles_for(product_count(machine, launch),
                                     luna_macs_per_cycle(machine, launch->kind,
                                                         context->input_type,
                                                         context->weight_type));
  compute += hold_cycles(machine, launch);
  uint64_t write = luna_cycles_for(out_bytes, machine->write_bytes_per_cycle);
  return pieces *
             luna_launch_limits(machine, launch->kind)->repeat_launch_cycles +
         luna_cycles_for((uint64_t)in_bytes, machine->read_bytes_per_cycle) +
         luna_cycles_for((uint64_t)weight_bytes,
                         machine->read_bytes_per_cycle) +
         (compute > write ? compute : write);
}

static void add_unit(LunaCost *cost, uint64_t cycles, uint64_t count) {
  cost->unit_cycles += cycles * count;
  cost->launches += count;
}

static void add_cost(LunaCost *cost, LunaCost once, uint64_t count) {
  cost->unit_cycles += count * once.unit_cycles;
  cost->host_cycles += count * once.host_cycles;
  cost->launches += count * once.launches;
}

// Adds the vector launches that accumulate a tile in 32 bits, which the unit
// does by itself: a fill if the first launch does not cover it, an addition for
// each launch that does not write the whole tile, and the conversion to the
// output type at the end.
static void add_sums(const LunaLaunchContext *context, const LunaLaunch *launch,
                     uint64_t count, LunaCost *cost) {
  const LunaMachine *machine = context->machine;
  uint64_t tile_bytes = 4 * elements(launch, true);
  uint64_t out_bytes = 4 * elements(launch, false);
  bool writes_tile = launch->is_first && launch->covers_tile;
  if (launch->is_first && !launch->covers_tile)
    add_unit(cost,
             machine->fill_launch_cycles +
                 luna_cycles_for(tile_bytes, machine->fill_bytes_per_cycle),
             count);
  if (!writes_tile && !launch->is_empty)
    add_unit(cost,
             machine->vector_launch_cycles +
                 luna_cycles_for(out_bytes, machine->vector_bytes_per_cycle),
             count);
  if (launch->is_last && context->finish == LUNA_FINISH_FUSED)
    add_unit(cost,
             machine->vector_launch_cycles +
                 luna_cycles_for(tile_bytes, machine->vector_bytes_per_cycle),
             count);
}

// Counts what is added in a tile. Its borders are told apart by any constants.
static LunaCoreBorders borders_of(const LunaLaunch *launch, bool has_planes) {
  enum { MOST = LUNA_BORDER_CLASSES_MAX * LUNA_BORDER_CLASSES_MAX };
  const LunaTileBorder *y = &launch->y.border, *x = &launch->x.border;
  const LunaLaunchRecord tile = {
      .tile = {(uint16_t)launch->y.tile.count, (uint16_t)launch->x.tile.count}};
  const LunaOriginRecord origin = {{0, 0}};
  LunaBorderRecord borders[MOST];
  int32_t count = 0, row = 0;
  for (int32_t i = 0; i < y->classes; row += y->outputs[i++]) {
    int32_t column = 0;
    for (int32_t k = 0; k < x->classes; column += x->outputs[k++])
      if (i != y->inner || k != x->inner) {
        borders[count] = (LunaBorderRecord){
            .first = {(uint16_t)row, (uint16_t)column},
            .count = {(uint16_t)y->outputs[i], (uint16_t)x->outputs[k]},
            .bias = count};
        ++count;
      }
  }
  return luna_core_borders(borders, count, &origin, &tile, has_planes);
}

// Writes the outputs of a tile. A matrix product's columns are its channels.
static void set_extents(const LunaLaunch *launch, int32_t extents[3]) {
  bool is_matmul = launch->kind == LUNA_LAUNCH_MATMUL;
  extents[0] = launch->y.tile.count;
  extents[1] = is_matmul ? 1 : launch->x.tile.count;
  extents[2] = is_matmul ? launch->x.tile.count : launch->out_c.count;
}

uint64_t luna_launch_core_cycles(const LunaLaunchContext *context,
                                 const LunaLaunch *launch) {
  const LunaMachine *machine = context->machine;
  uint64_t cycles = 0;
  if (launch->y.border.classes > 0) {
    const LunaCoreBorders borders =
        borders_of(launch, context->tile.has_planes);
    cycles += luna_core_border_cycles(machine, &context->tile, &borders,
                                      (uint64_t)launch->out_c.count);
  }
  if (context->finish == LUNA_FINISH_CORE) {
    int32_t extents[3];
    set_extents(launch, extents);
    cycles +=
        luna_core_tile_cycles(machine, &context->tile, (uint64_t)extents[0],
                              (uint64_t)extents[1], (uint64_t)extents[2]);
  }
  return cycles;
}

// Adds the vector calls that finish so many tiles, or slots of tiles.
static void add_chain(const LunaLaunchContext *context,
                      const int32_t extents[3], uint64_t count,
                      LunaCost *cost) {
  add_cost(cost,
           luna_chain_tile_cost(context->machine, context->chain,
                                context->tile.strides, extents),
           count);
}

// Adds the vector calls that finish slots of planes, as many as there are but
// for the last time.
static void add_chains_of_slots(const LunaLaunchContext *context,
                                const LunaAxisClasses *y,
                                const LunaAxisClasses *x,
                                const LunaChannels *channels, LunaCost *cost) {
  int32_t tiles = luna_channels_out_tiles(channels);
  int32_t whole = (tiles - 1) / context->slots;
  int32_t step = context->slots * channels->out_tile;
  int32_t extents[3] = {y->items[0].axis.tile.count,
                        x->items[0].axis.tile.count, step};
  add_chain(context, extents, (uint64_t)whole, cost);
  extents[2] = channels->out_extent - whole * step;
  add_chain(context, extents, 1, cost);
}

// Adds what the unit does from the start of a launch to its end.
static void add_launch(const LunaLaunchContext *context,
                       const LunaLaunch *launch, uint64_t count,
                       LunaCost *cost) {
  if (!launch->is_empty)
    add_unit(cost, unit_cycles(context, launch), count);
  if (context->has_sums && launch->y.strips == 0)
    add_sums(context, launch, count, cost);
}

uint64_t luna_launch_unit_cycles(const LunaLaunchContext *context,
                                 const LunaLaunch *launch) {
  LunaCost cost = {0};
  add_launch(context, launch, 1, &cost);
  return cost.unit_cycles;
}

void luna_launch_cost_add(const LunaLaunchContext *context,
                          const LunaLaunch *launch, uint64_t count,
                          LunaCost *cost) {
  const LunaMachine *machine = context->machine;
  cost->host_cycles += luna_core_launch_cycles(machine) * count;
  add_launch(context, launch, count, cost);
  if (launch->y.strips > 0 && !launch->is_first)
    add_cost(cost, luna_partial_sums_cost(machine, launch), count);
  if (!launch->is_last)
    return;
  cost->host_cycles += luna_launch_core_cycles(context, launch) * count;
  int32_t extents[3];
  set_extents(launch, extents);
  if (luna_finish_has_calls(context->finish) && context->slots <= 1)
    add_chain(context, extents, count, cost);
}

void luna_operator_cost_add(const LunaLaunchContext *context, int32_t kind,
                            bool has_products, LunaCost *cost) {
  const LunaMachine *machine = context->machine;
  const LunaOperatorLimits *limits = luna_launch_limits(machine, kind);
  if (has_products && limits->launch_cycles > limits->repeat_launch_cycles)
    cost->unit_cycles += limits->launch_cycles - limits->repeat_launch_cycles;
  cost->host_cycles += luna_core_product_cycles(machine, context->finish);
}

// Adds the launches of one tile of channels: its first block, those between as
// one class, and its last.
static void add_blocks(const LunaLaunchContext *context, const LunaAxisClass *y,
                       const LunaAxisClass *x, const LunaChannels *channels,
                       int32_t out_tile, uint64_t count, LunaCost *cost) {
  int32_t blocks = luna_channels_in_blocks(channels);
  LunaLaunch launch = {.kind = channels->kind, .y = y->axis, .x = x->axis};
  launch.covers_tile = y->axis.out.count == y->axis.tile.count &&
                       x->axis.out.count == x->axis.tile.count;
  for (int32_t block = 0; block < blocks;) {
    bool is_between = block > 0 && block < blocks - 1;
    luna_channels_launch(channels, 0, out_tile, block, &launch);
    launch.is_first = y->is_first && x->is_first && block == 0;
    launch.is_last = y->is_last && x->is_last && block == blocks - 1;
    luna_launch_cost_add(context, &launch,
                         is_between ? count * ((uint64_t)blocks - 2) : count,
                         cost);
    block = is_between ? blocks - 1 : block + 1;
  }
}

// Adds the one empty launch of a tile that is all padding.
static void add_empty(const LunaLaunchContext *context, const LunaAxisClass *y,
                      const LunaAxisClass *x, const LunaChannels *channels,
                      int32_t out_tile, uint64_t count, LunaCost *cost) {
  LunaLaunch launch = {.kind = channels->kind,
                       .y = y->axis,
                       .x = x->axis,
                       .is_empty = true,
                       .is_first = true,
                       .is_last = true};
  luna_channels_launch(channels, 0, out_tile, 0, &launch);
  if (y->is_first && x->is_first)
    luna_launch_cost_add(context, &launch, count, cost);
}

// Adds the launches of `count` tiles of channels like `out_tile`.
static void add_tiles(const LunaLaunchContext *context, const LunaAxisClass *y,
                      const LunaAxisClass *x, const LunaChannels *channels,
                      int32_t out_tile, uint64_t count, LunaCost *cost) {
  if (y->is_empty || x->is_empty)
    add_empty(context, y, x, channels, out_tile, count, cost);
  else
    add_blocks(context, y, x, channels, out_tile, count, cost);
}

static bool has_products(const LunaAxisClasses *classes) {
  for (uint64_t i = 0; i < classes->count; ++i)
    if (!classes->items[i].is_empty)
      return true;
  return false;
}

LunaCost luna_classes_cost(const LunaLaunchContext *context,
                           const LunaAxisClasses *y, const LunaAxisClasses *x,
                           const LunaChannels *channels, uint64_t batches) {
  LunaCost cost = {0};
  // Only the last tile of channels may be smaller than the others.
  int32_t last = luna_channels_out_tiles(channels) - 1;
  for (uint64_t i = 0; i < y->count; ++i)
    for (uint64_t k = 0; k < x->count; ++k) {
      const LunaAxisClass *y_class = &y->items[i], *x_class = &x->items[k];
      uint64_t count = y_class->count * x_class->count * batches *
                       (uint64_t)channels->group_count;
      if (last > 0)
        add_tiles(context, y_class, x_class, channels, 0,
                  count * (uint64_t)last, &cost);
      add_tiles(context, y_class, x_class, channels, last, count, &cost);
    }
  luna_operator_cost_add(context, channels->kind,
                         has_products(y) && has_products(x), &cost);
  if (context->slots > 1 && luna_finish_has_calls(context->finish))
    add_chains_of_slots(context, y, x, channels, &cost);
  if (context->slots > 1)
    cost.host_cycles -= luna_overlap_cycles(context, y, x, channels, batches);
  return cost;
}
