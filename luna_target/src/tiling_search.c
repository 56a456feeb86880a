#include "tiling_search.h"

#include "launch.h"
#include "luna/chain_cost.h"
#include "luna/checked.h"
#include "tiling_choice.h"

// A division of an axis, built on first use.
typedef struct AxisOption {
  LunaAxis axis;
  uint64_t tile_count;
  bool is_built, is_legal;
  LunaAxisClasses classes;
  // Totals over all launches, from which a lower bound of the cost follows.
  uint64_t launch_count, input_sum, out_sum, tap_sum, work_sum, hold_sum;
  int64_t input_max; // largest launch, in buffer columns (x) or rows (y)
  int64_t tile_max;
} AxisOption;

typedef struct AxisOptions {
  AxisOption *items;
  uint32_t count;
} AxisOptions;

typedef struct Search {
  const LunaTilingProblem *problem;
  const LunaOperatorLimits *limits;
  LunaArena arena;
  AxisOptions y, x;
  uint64_t least_work; // pairs of outputs and taps, whatever the cut
  int32_t out_sizes[LUNA_TILING_SIZES_MAX];
  int32_t in_sizes[LUNA_TILING_SIZES_MAX];
  uint32_t out_count, in_count;
  LunaTilingChoice choice;
} Search;

// Returns the alignment of the outputs of an axis; that of inputs is this *
// stride.
static int64_t align_of(const Search *search, bool is_x) {
  int64_t align = search->limits->width_align_per_stride;
  if (search->problem->channels.kind == LUNA_LAUNCH_MATMUL)
    return is_x ? search->limits->out_channel_align : align;
  return is_x ? align : 1;
}

static void add_to_totals(const Search *search, AxisOption *option, bool is_x,
                          const LunaAxisClass *item) {
  const LunaLaunchAxis *axis = &item->axis;
  if (axis->tile.count > option->tile_max)
    option->tile_max = axis->tile.count;
  if (item->is_empty)
    return;
  // Rows of a convolution align to 1, whatever the stride.
  int64_t align = align_of(search, is_x);
  int64_t input =
      luna_align_up(axis->in.count, align > 1 ? align * axis->stride : 1);
  if (input > option->input_max)
    option->input_max = input;
  option->launch_count += item->count;
  option->input_sum += (uint64_t)input * item->count;
  option->out_sum += (uint64_t)axis->out.count * item->count;
  option->tap_sum += (uint64_t)axis->taps.count * item->count;
  option->work_sum += (uint64_t)axis->taps.count *
                      (uint64_t)luna_align_up(axis->out.count, align) *
                      item->count;
  uint64_t hold = 1;
  if (is_x)
    hold = search->limits->hold_cycles_per_granule +
           (uint64_t)axis->taps.count *
               search->limits->hold_cycles_per_kernel_column;
  option->hold_sum +=
      (uint64_t)luna_ceil_div(axis->out.count, align) * hold * item->count;
}

static void build(Search *search, AxisOption *option, bool is_x) {
  if (option->is_built)
    return;
  option->is_built = option->is_legal = true;
  option->classes = luna_axis_classes(&option->axis, &search->arena);
  for (uint64_t i = 0; i < option->classes.count; ++i) {
    const LunaAxisClass *item = &option->classes.items[i];
    add_to_totals(search, option, is_x, item);
    if (!item->is_empty && !option->axis.is_plain &&
        !luna_launch_check_axis(search->problem->context.machine,
                                search->limits, &item->axis, NULL))
      option->is_legal = false;
  }
}

static AxisOptions options_of(Search *search, LunaAxis axis, int32_t align) {
  axis.strips = 0;
  int32_t phases = axis.is_transposed ? axis.stride : 1;
  int32_t tiles[LUNA_TILING_SIZES_MAX], blocks[LUNA_TILING_SIZES_MAX];
  uint32_t tile_count = luna_tiling_sizes(
      (int32_t)luna_ceil_div(axis.out_extent, phases), align, false, tiles);
  uint32_t block_count = luna_tiling_blocks(
      (int32_t)luna_ceil_div(axis.kernel, phases),
      axis.is_plain ? 0 : search->limits->kernel_max, blocks);
  AxisOptions options = {.items = LUNA_ARENA_ARRAY(&search->arena, AxisOption,
                                                   tile_count * block_count)};
  for (uint32_t b = 0; b < block_count; ++b)
    for (uint32_t t = 0; t < tile_count; ++t) {
      axis.block_extent = blocks[b];
      axis.tile_extent = tiles[t];
      options.items[options.count++] = (AxisOption){
          .axis = axis, .tile_count = (uint64_t)luna_axis_tile_count(&axis)};
    }
  return options;
}

// Returns the number of output and tap pairs of an axis that lie inside the
// input.
static uint64_t least_work_of(Search *search, LunaAxis axis) {
  axis.tile_extent = axis.out_extent;
  axis.block_extent = 1;
  LunaAxisClasses classes = luna_axis_classes(&axis, &search->arena);
  uint64_t work = 0;
  for (uint64_t i = 0; i < classes.count; ++i)
    if (!classes.items[i].is_empty)
      work +=
          (uint64_t)classes.items[i].axis.out.count * classes.items[i].count;
  return work;
}

static uint64_t result_count(const LunaTilingProblem *problem) {
  return problem->batches * (uint64_t)problem->channels.group_count *
         (uint64_t)problem->channels.out_extent *
         (uint64_t)problem->y.out_extent * (uint64_t)problem->x.out_extent;
}

// Returns a lower bound of the cycles of so many tiles or more, of which
// `other` are not the core's requantisation: that may take place meanwhile.
static uint64_t with_core(const Search *search, uint64_t tiles,
                          uint64_t other) {
  const LunaLaunchContext *context = &search->problem->context;
  uint64_t core = 0;
  if (context->finish == LUNA_FINISH_CORE)
    core = result_count(search->problem) *
           context->machine->host[context->tile.element] / 100;
  if (tiles > LUNA_SLOTS_TILES_MAX)
    return core + other;
  return core > other ? core : other;
}

// Returns the cycles of any tiling but for the core's requantisation: `work`
// (pairs of outputs and taps) for every channel.
static uint64_t least_cycles(const Search *search, uint64_t work) {
  const LunaTilingProblem *problem = search->problem;
  const LunaLaunchContext *context = &problem->context;
  const LunaMachine *machine = context->machine;
  const LunaChannels *channels = &problem->channels;
  uint64_t outputs = problem->batches * (uint64_t)channels->group_count *
                     (uint64_t)channels->out_extent;
  uint64_t products = work * outputs;
  if (channels->kind != LUNA_LAUNCH_DEPTHWISE)
    products *= (uint64_t)luna_align_up(channels->in_extent,
                                        search->limits->in_channel_align);
  uint64_t rate = luna_macs_per_cycle(
      machine, channels->kind, context->input_type, context->weight_type);
  uint64_t cycles =
      products / rate + luna_core_product_cycles(machine, context->finish);
  if (luna_finish_has_calls(context->finish))
    cycles += luna_cost_cycles(
        luna_chain_calls_cost(machine, context->chain, result_count(problem)));
  return cycles;
}

// Returns a lower bound of the cycles of partial sums: at best the first launch
// of each tile covers it, all others are added, and the unit converts the
// result.
static uint64_t sum_cycles(const Search *search, const AxisOption *y,
                           const AxisOption *x, uint64_t launches,
                           uint64_t tiles, uint64_t in_blocks) {
  const LunaTilingProblem *problem = search->problem;
  const LunaMachine *machine = problem->context.machine;
  if (!y->classes.needs_sums && !x->classes.needs_sums && in_blocks == 1)
    return 0;
  uint64_t channels = problem->batches *
                      (uint64_t)problem->channels.group_count *
                      (uint64_t)problem->channels.out_extent;
  uint64_t results = result_count(problem);
  uint64_t partial = channels * y->out_sum * x->out_sum * in_blocks;
  uint64_t additions = launches > tiles ? launches - tiles : 0;
  uint64_t added = partial > results ? partial - results : 0;
  if (problem->context.finish == LUNA_FINISH_FUSED) {
    additions += tiles;
    added += results;
  }
  return additions * machine->vector_launch_cycles +
         4 * added / machine->vector_bytes_per_cycle;
}

// Returns a lower bound of the cycles with these axes and numbers of channel
// tiles.
static uint64_t bound_cycles(const Search *search, const AxisOption *y,
                             const AxisOption *x, uint64_t out_tiles,
                             uint64_t in_blocks) {
  const LunaTilingProblem *problem = search->problem;
  const LunaMachine *machine = problem->context.machine;
  const LunaChannels *channels = &problem->channels;
  uint64_t groups = problem->batches * (uint64_t)channels->group_count;
  uint64_t launches =
      y->launch_count * x->launch_count * out_tiles * in_blocks * groups;
  uint64_t tiles = y->tile_count * x->tile_count * out_tiles * groups;
  uint64_t cycles = launches * (search->limits->repeat_launch_cycles +
                                luna_core_launch_cycles(machine));
  cycles += sum_cycles(search, y, x, launches, tiles, in_blocks);
  uint64_t in_bytes = (uint64_t)luna_element_bytes(problem->context.input_type);
  uint64_t weight_bytes =
      (uint64_t)luna_element_bytes(problem->context.weight_type);
  uint64_t depth = (uint64_t)channels->in_extent;
  if (channels->kind == LUNA_LAUNCH_MATMUL) {
    in_bytes *= y->input_sum * x->launch_count * depth;
    weight_bytes *= x->input_sum * y->launch_count * depth;
  } else {
    int64_t channel_steps =
        luna_ceil_div(channels->out_extent, machine->conv.out_channel_align);
    cycles += y->hold_sum * x->hold_sum * (uint64_t)channel_steps * in_blocks *
              groups;
    // A depthwise tile reads only its own channels.
    bool is_depthwise = channels->kind == LUNA_LAUNCH_DEPTHWISE;
    in_bytes *=
        y->input_sum * x->input_sum * depth * (is_depthwise ? 1 : out_tiles);
    weight_bytes *= y->tap_sum * x->tap_sum * (uint64_t)channels->out_extent *
                    (is_depthwise ? 1 : depth);
  }
  cycles += least_cycles(search, y->work_sum * x->work_sum) +
            (in_bytes + weight_bytes) * groups / machine->read_bytes_per_cycle;
  return with_core(search, tiles, cycles);
}

// Returns true if the largest launch fits the unit's private buffers.
static bool fits_buffers(const Search *search, const AxisOption *y,
                         const AxisOption *x, const LunaChannels *channels) {
  const LunaLaunchContext *context = &search->problem->context;
  LunaLaunch launch = {.kind = channels->kind};
  luna_channels_launch(channels, 0, 0, 0, &launch);
  launch.y.in.count = (int32_t)y->input_max;
  launch.x.in.count = (int32_t)x->input_max;
  launch.x.stride = 1;
  launch.x.out.count = (int32_t)x->tile_max;
  launch.y.taps.count = y->axis.block_extent;
  launch.x.taps.count = x->axis.block_extent;
  uint64_t input_limit = search->limits->input_buffer_bytes;
  uint64_t weight_limit = search->limits->weight_buffer_bytes;
  return (input_limit == 0 ||
          (uint64_t)luna_launch_input_bytes(
              context->machine, &launch, context->input_type) <= input_limit) &&
         (weight_limit == 0 ||
          (uint64_t)luna_launch_weight_bytes(
              context->machine, &launch, context->weight_type) <= weight_limit);
}

static void consider(Search *search, const AxisOption *y, const AxisOption *x,
                     const LunaChannels *channels) {
  const LunaTilingCut cut = {
      .y = &y->axis,
      .x = &x->axis,
      .y_classes = &y->classes,
      .x_classes = &x->classes,
      .channels = channels,
      .places = y->tile_max * x->tile_max,
      .columns = x->tile_max,
  };
  luna_tiling_consider(&search->choice, search->problem,
                       &search->problem->context, &cut);
}

static bool is_hopeless(const Search *search, const AxisOption *y,
                        const AxisOption *x, uint64_t out_tiles,
                        uint64_t in_blocks) {
  return search->choice.is_found &&
         bound_cycles(search, y, x, out_tiles, in_blocks) >
             search->choice.most_cycles;
}

// Tries all divisions of the channels for given axes.
static void search_channels(Search *search, const AxisOption *y,
                            const AxisOption *x) {
  LunaChannels channels = search->problem->channels;
  for (uint32_t i = 0; i < search->in_count; ++i) {
    channels.in_block = search->in_sizes[i];
    uint64_t in_blocks = (uint64_t)luna_channels_in_blocks(&channels);
    if (is_hopeless(search, y, x, 1, in_blocks))
      return;
    for (uint32_t o = 0; o < search->out_count; ++o) {
      channels.out_tile = search->out_sizes[o];
      uint64_t out_tiles = (uint64_t)luna_channels_out_tiles(&channels);
      if (is_hopeless(search, y, x, out_tiles, in_blocks))
        break;
      if (fits_buffers(search, y, x, &channels))
        consider(search, y, x, &channels);
    }
  }
}

// Returns true if a pair of divisions cannot beat the best even with one launch
// per tile; needs neither of them built.
static bool has_too_many_tiles(const Search *search, const AxisOption *y,
                               const AxisOption *x) {
  const LunaTilingProblem *problem = search->problem;
  uint64_t tiles = y->tile_count * x->tile_count * problem->batches *
                   (uint64_t)problem->channels.group_count;
  // A tile of only padding costs a fill instead of a launch.
  uint64_t launch = search->limits->repeat_launch_cycles;
  if (problem->context.machine->fill_launch_cycles < launch)
    launch = problem->context.machine->fill_launch_cycles;
  uint64_t cycles = tiles * launch + least_cycles(search, search->least_work);
  return search->choice.is_found &&
         with_core(search, tiles, cycles) > search->choice.most_cycles;
}

// Returns true if even the fewest channels exceed the scratch limit.
static bool has_too_large_tiles(Search *search, const AxisOption *y,
                                const AxisOption *x) {
  LunaLaunchContext context = search->problem->context;
  context.has_sums = y->classes.needs_sums || x->classes.needs_sums;
  int64_t channels = search->out_sizes[search->out_count - 1];
  int64_t scratch = luna_tiling_scratch_bytes(
      &context, y->tile_max * x->tile_max * channels,
      search->problem->channels.kind == LUNA_LAUNCH_MATMUL ? x->tile_max
                                                           : channels);
  bool is_too_large = scratch > search->problem->scratch_limit_bytes;
  if (is_too_large)
    luna_tiling_note_scratch(&search->choice, scratch);
  return is_too_large;
}

static void search_axes(Search *search) {
  for (uint32_t i = 0; i < search->y.count; ++i) {
    AxisOption *y = &search->y.items[i];
    for (uint32_t k = 0; k < search->x.count; ++k) {
      AxisOption *x = &search->x.items[k];
      if (has_too_many_tiles(search, y, x))
        continue;
      build(search, y, false);
      if (!y->is_legal)
        break;
      build(search, x, true);
      if (x->is_legal && !has_too_large_tiles(search, y, x) &&
          !is_hopeless(search, y, x, 1, 1))
        search_channels(search, y, x);
    }
  }
}

bool luna_tiling_search(const LunaTilingProblem *problem,
                        LunaTilingAnswer *answer) {
  const LunaChannels *channels = &problem->channels;
  Search search = {
      .problem = problem,
      .limits = luna_launch_limits(problem->context.machine, channels->kind),
      .choice = luna_tiling_choice(),
  };
  bool is_matmul = channels->kind == LUNA_LAUNCH_MATMUL;
  int32_t width_align = (int32_t)search.limits->width_align_per_stride;
  int32_t column_align = (int32_t)search.limits->out_channel_align;
  search.y = options_of(&search, problem->y, is_matmul ? width_align : 1);
  search.x =
      options_of(&search, problem->x, is_matmul ? column_align : width_align);
  search.least_work =
      least_work_of(&search, problem->y) * least_work_of(&search, problem->x);
  search.out_count =
      luna_tiling_sizes(channels->out_extent, is_matmul ? 1 : column_align,
                        true, search.out_sizes);
  search.in_count = luna_tiling_sizes(channels->in_extent,
                                      (int32_t)search.limits->in_channel_align,
                                      true, search.in_sizes);
  if (channels->kind == LUNA_LAUNCH_DEPTHWISE)
    search.in_count = 1;
  if (problem->has_planes)
    luna_tiling_search_calls(problem, &search.choice);
  if (!search.choice.is_found && !luna_tiling_is_packed(problem))
    search_axes(&search);
  *answer = luna_tiling_taken(&search.choice);
  bool is_found = search.choice.is_found;
  luna_tiling_choice_destroy(&search.choice);
  luna_arena_destroy(&search.arena);
  return is_found;
}
