#include "launch.h"
#include "luna/checked.h"
#include "luna/weight_layout.h"
#include "tiling_choice.h"

// Calls of the vendor's library compute whole planes: what is cut are output
// channels, which needs no sums, then input channels, and kernels above the
// limit, whose blocks of taps are calls as long as each reads whole planes, or
// rows of the only one.

bool luna_tiling_is_packed(const LunaTilingProblem *problem) {
  return problem->weight_layout &&
         luna_weights_are_packed(problem->weight_layout);
}

// An axis that is one tile, with its launches.
typedef struct Whole {
  LunaAxis axis;
  LunaAxisClasses classes;
} Whole;

// Returns true if the launches of an axis obey the limits of the machine, read
// planes, and begin with one that computes every output.
static bool are_calls(const LunaTilingProblem *problem, const Whole *whole,
                      bool may_crop) {
  const LunaMachine *machine = problem->context.machine;
  const LunaOperatorLimits *limits =
      luna_launch_limits(machine, problem->channels.kind);
  for (uint64_t i = 0; i < whole->classes.count; ++i) {
    const LunaAxisClass *item = &whole->classes.items[i];
    const LunaLaunchAxis *axis = &item->axis;
    if (item->is_empty ||
        (item->is_first && axis->out.count != axis->tile.count) ||
        (!may_crop && whole->classes.count > 1 &&
         axis->in.count != whole->axis.in_extent) ||
        !luna_launch_check_axis(machine, limits, axis, NULL))
      return false;
  }
  return true;
}

// Cuts the kernel of an axis into as few blocks as there can be, those of
// packed weights if these have `rows` in a block. Returns false if none are
// calls.
static bool find_whole(const LunaTilingProblem *problem, LunaAxis axis,
                       int32_t rows, bool may_crop, LunaArena *arena,
                       Whole *whole) {
  uint32_t most =
      luna_launch_limits(problem->context.machine, problem->channels.kind)
          ->kernel_max;
  bool is_cut = !luna_tiling_is_packed(problem) && most > 0 &&
                axis.kernel > (int64_t)most;
  int32_t block = rows > 0 ? rows : is_cut ? (int32_t)most : axis.kernel;
  axis.tile_extent = axis.out_extent;
  axis.strips = 1;
  for (; block > 0; --block) {
    axis.block_extent = block;
    *whole = (Whole){axis, luna_axis_classes(&axis, arena)};
    if (are_calls(problem, whole, may_crop))
      return true;
    if (!is_cut)
      return false;
  }
  return false;
}

// Writes the least strips in which the machine computes every launch of these
// channels. Returns false if there are none.
static bool cut_rows(const LunaTilingProblem *problem, Whole *y, const Whole *x,
                     const LunaChannels *channels) {
  const LunaLaunchContext *context = &problem->context;
  LunaLaunch launch = {.kind = channels->kind};
  luna_channels_launch(channels, 0, 0, 0, &launch);
  y->axis.strips = 1;
  for (uint64_t i = 0; i < y->classes.count * x->classes.count; ++i) {
    launch.y = y->classes.items[i / x->classes.count].axis;
    launch.x = x->classes.items[i % x->classes.count].axis;
    int32_t strips =
        luna_launch_strips(context->machine, &launch, context->input_type);
    if (strips == 0)
      return false;
    if (strips > y->axis.strips)
      y->axis.strips = strips;
  }
  for (uint64_t i = 0; i < y->classes.count; ++i)
    y->classes.items[i].axis.strips = y->axis.strips;
  for (uint64_t i = 0; i < y->classes.count * x->classes.count; ++i) {
    launch.y = y->classes.items[i / x->classes.count].axis;
    launch.x = x->classes.items[i % x->classes.count].axis;
    if (!luna_launch_check(context->machine, &launch, context->input_type,
                           context->weight_type, NULL))
      return false;
  }
  return true;
}

// Considers calls of these channels. Where one alone would finish its sums,
// several leave that to others.
static void consider(const LunaTilingProblem *problem, Whole y, const Whole *x,
                     const LunaChannels *channels, LunaTilingChoice *choice) {
  LunaLaunchContext context = problem->context;
  bool has_sums = y.classes.needs_sums || x->classes.needs_sums ||
                  luna_channels_in_blocks(channels) > 1;
  if (!cut_rows(problem, &y, x, channels))
    return;
  if (has_sums && context.finish == LUNA_FINISH_FUSED) {
    if (!problem->sums_chain)
      return;
    context.finish = LUNA_FINISH_UNIT;
    context.chain = problem->sums_chain;
  }
  const LunaTilingCut cut = {
      .y = &y.axis,
      .x = &x->axis,
      .y_classes = &y.classes,
      .x_classes = &x->classes,
      .channels = channels,
      .places = (int64_t)y.axis.tile_extent * x->axis.tile_extent,
      .columns = x->axis.tile_extent,
  };
  luna_tiling_consider(choice, problem, &context, &cut);
}

// Packed weights have all input channels, and are cut between blocks of output
// channels if at all.
static uint32_t keep_packed(const LunaTilingProblem *problem, uint32_t count,
                            int32_t sizes[LUNA_TILING_SIZES_MAX]) {
  int32_t step = luna_weight_layout_step(problem->weight_layout);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; ++i)
    if (i == 0 || (step > 0 && sizes[i] % step == 0))
      sizes[kept++] = sizes[i];
  return kept;
}

static void search_channels(const LunaTilingProblem *problem, const Whole *y,
                            const Whole *x, LunaTilingChoice *choice) {
  const LunaOperatorLimits *limits =
      luna_launch_limits(problem->context.machine, problem->channels.kind);
  LunaChannels channels = problem->channels;
  int32_t out[LUNA_TILING_SIZES_MAX], in[LUNA_TILING_SIZES_MAX];
  uint32_t out_count = luna_tiling_sizes(
      channels.out_extent, (int32_t)limits->out_channel_align, true, out);
  uint32_t in_count = luna_tiling_sizes(
      channels.in_extent, (int32_t)limits->in_channel_align, true, in);
  if (channels.kind == LUNA_LAUNCH_DEPTHWISE || luna_tiling_is_packed(problem))
    in_count = 1;
  if (luna_tiling_is_packed(problem))
    out_count = keep_packed(problem, out_count, out);
  for (uint32_t i = 0; i < in_count && !choice->is_found; ++i)
    for (uint32_t o = 0; o < out_count; ++o) {
      channels.in_block = in[i];
      channels.out_tile = out[o];
      consider(problem, *y, x, &channels, choice);
    }
}

void luna_tiling_search_calls(const LunaTilingProblem *problem,
                              LunaTilingChoice *choice) {
  LunaArena arena = {0};
  Whole y, x;
  const LunaOperatorLimits *limits =
      luna_launch_limits(problem->context.machine, problem->channels.kind);
  bool has_one_plane = problem->channels.in_extent == 1;
  int32_t rows = luna_tiling_is_packed(problem)
                     ? luna_weight_layout_rows(limits->calls.weight_layout,
                                               problem->weight_layout)
                     : 0;
  if (find_whole(problem, problem->y, rows, has_one_plane, &arena, &y) &&
      find_whole(problem, problem->x, 0, false, &arena, &x))
    search_channels(problem, &y, &x, choice);
  luna_arena_destroy(&arena);
}
