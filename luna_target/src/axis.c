#include "axis.h"

#include "luna/checked.h"
#include "luna/weight_layout.h"

LunaAxis luna_axis_of_conv2d(const LunaConv2dDesc *desc, int axis) {
  const LunaTiling *tiling = &desc->tiling;
  int32_t out = desc->output.dims[1 + axis];
  int32_t kernel = luna_conv2d_taps(desc, axis);
  int32_t tile = axis == 0 ? tiling->out_h : tiling->out_w;
  int32_t block = axis == 0 ? tiling->kernel_h : tiling->kernel_w;
  LunaBorderAxis border = {.class_count = 0};
  if (luna_has_borders(&desc->bias))
    luna_border_axis(desc, axis, &border);
  return (LunaAxis){
      .out_extent = out,
      .in_extent = desc->input.dims[1 + axis],
      .kernel = kernel,
      .stride = desc->stride[axis],
      .dilation = desc->dilation[axis],
      .pad = desc->pad[2 * axis],
      .tile_extent = luna_tile_extent(tile, out),
      .block_extent = luna_tile_extent(block, kernel),
      .strips = axis == 0 ? tiling->row_strips : tiling->row_strips > 0,
      .border = border,
      .is_transposed = desc->kind == LUNA_CONV_TRANSPOSED,
  };
}

LunaAxis luna_axis_of_matmul(const LunaMatmulDesc *desc, int axis) {
  int32_t extent = desc->output.dims[2 + axis];
  int32_t tile = axis == 0 ? desc->tiling.out_h : desc->tiling.out_w;
  return (LunaAxis){
      .out_extent = extent,
      .in_extent = extent,
      .kernel = 1,
      .stride = 1,
      .dilation = 1,
      .tile_extent = luna_tile_extent(tile, extent),
      .block_extent = 1,
      .is_plain = true,
  };
}

// Outputs and their taps: all of them, or those of one phase of a transposed
// axis.
typedef struct Phase {
  LunaRange out, taps;
} Phase;

static Phase phase_at(const LunaAxis *axis, int32_t index) {
  if (!axis->is_transposed)
    return (Phase){.out = {0, axis->out_extent, 1},
                   .taps = {0, axis->kernel, 1}};
  // Output o = input * stride + pad + tap: tap and o - pad are congruent.
  int32_t step = axis->stride;
  int32_t first =
      (int32_t)((((int64_t)axis->pad + index) % step + step) % step);
  int32_t out_count = 0, tap_count = 0;
  if (first < axis->out_extent)
    out_count = (int32_t)luna_ceil_div(axis->out_extent - first, step);
  if (index < axis->kernel)
    tap_count = (int32_t)luna_ceil_div(axis->kernel - index, step);
  return (Phase){.out = {first, out_count, step},
                 .taps = {index, tap_count, step}};
}

static int32_t phase_count(const LunaAxis *axis) {
  return axis->is_transposed ? axis->stride : 1;
}

static int32_t tiles_of(const LunaAxis *axis, const Phase *phase) {
  return (int32_t)luna_ceil_div(phase->out.count, axis->tile_extent);
}

int32_t luna_axis_tile_count(const LunaAxis *axis) {
  int32_t count = 0;
  for (int32_t i = 0; i < phase_count(axis); ++i) {
    Phase phase = phase_at(axis, i);
    count += tiles_of(axis, &phase);
  }
  return count;
}

// Returns piece `index` of a range, of at most `extent` numbers.
static LunaRange cut(LunaRange range, int32_t extent, int32_t index) {
  int32_t first = index * extent, left = range.count - first;
  return (LunaRange){range.start + first * range.step,
                     left < extent ? left : extent, range.step};
}

// Returns the tile and all taps of its phase.
static Phase tile_at(const LunaAxis *axis, int32_t tile_index) {
  Phase phase = {0};
  for (int32_t i = 0; i < phase_count(axis); ++i) {
    phase = phase_at(axis, i);
    int32_t tiles = tiles_of(axis, &phase);
    if (tile_index < tiles)
      break;
    tile_index -= tiles;
  }
  phase.out = cut(phase.out, axis->tile_extent, tile_index);
  return phase;
}

int32_t luna_axis_block_count(const LunaAxis *axis, int32_t tile_index) {
  int32_t taps = tile_at(axis, tile_index).taps.count;
  return taps == 0 ? 1 : (int32_t)luna_ceil_div(taps, axis->block_extent);
}

// The input of output u and tap v of a launch: base + u * per_out + v *
// per_tap, which may be outside the tensor.
typedef struct Meeting {
  int64_t base, per_out, per_tap;
  int32_t taps, extent;
} Meeting;

static Meeting meeting_of(const LunaAxis *axis, LunaRange out, LunaRange taps) {
  Meeting meeting = {.taps = taps.count, .extent = axis->in_extent};
  if (axis->is_transposed) {
    meeting.base = ((int64_t)out.start - axis->pad - taps.start) / axis->stride;
    meeting.per_out = 1;
    meeting.per_tap = -1;
  } else {
    meeting.base = (int64_t)out.start * axis->stride - axis->pad +
                   (int64_t)taps.start * axis->dilation;
    meeting.per_out = axis->stride;
    meeting.per_tap = axis->dilation;
  }
  return meeting;
}

static bool output_meets_input(const Meeting *meeting, int32_t out_index) {
  int64_t at = meeting->base + out_index * meeting->per_out;
  for (int32_t tap = 0; tap < meeting->taps; ++tap, at += meeting->per_tap)
    if (at >= 0 && at < meeting->extent)
      return true;
  return false;
}

// Clips count numbers low, low + step, … to [0, extent): the rest becomes
// launch->in, the clipped ones become padding.
static void clip_input(LunaLaunchAxis *launch, int64_t low, int64_t count,
                       int64_t step, int64_t extent) {
  int64_t before = low < 0 ? luna_ceil_div(-low, step) : 0;
  int64_t inside = luna_ceil_div(extent - low, step);
  int64_t end = inside < count ? inside : count;
  launch->pad_before = (int32_t)before;
  launch->pad_after = (int32_t)(count - end);
  launch->in = (LunaRange){(int32_t)(low + before * step),
                           (int32_t)(end - before), (int32_t)step};
}

// Chooses the view of the input: with one tap, only the inputs of the outputs
// (the stride becomes 1); with one output, only those of the taps (the dilation
// becomes 1); else every input between the first and the last.
static void choose_view(LunaLaunchAxis *launch, const Meeting *meeting,
                        int32_t first_out) {
  int64_t outs = launch->out.count, taps = meeting->taps;
  int64_t spread = meeting->per_tap < 0 ? -meeting->per_tap : meeting->per_tap;
  int64_t low = meeting->base + first_out * meeting->per_out;
  if (meeting->per_tap < 0)
    low += (taps - 1) * meeting->per_tap;
  launch->stride = launch->dilation = 1;
  if (taps == 1) {
    clip_input(launch, low, outs, outs == 1 ? 1 : meeting->per_out,
               meeting->extent);
  } else if (outs == 1) {
    clip_input(launch, low, taps, spread, meeting->extent);
  } else {
    launch->stride = (int32_t)meeting->per_out;
    launch->dilation = (int32_t)spread;
    clip_input(launch, low,
               (outs - 1) * meeting->per_out + (taps - 1) * spread + 1, 1,
               meeting->extent);
  }
}

// The view of a call: every input between the first and the last, and those
// after the last that it reads, which give no further output.
static void choose_call_view(LunaLaunchAxis *launch, const Meeting *meeting,
                             int32_t first_out) {
  int64_t outs = launch->out.count, taps = meeting->taps;
  int64_t low = meeting->base + first_out * meeting->per_out;
  launch->stride = outs > 1 ? (int32_t)meeting->per_out : 1;
  launch->dilation = taps > 1 ? (int32_t)meeting->per_tap : 1;
  clip_input(launch, low,
             (outs - 1) * meeting->per_out + (taps - 1) * meeting->per_tap + 1,
             1, meeting->extent);
  int64_t unread = meeting->extent - launch->in.count;
  if (launch->in.start != 0 || launch->pad_after != 0 || unread == 0 ||
      unread >= meeting->per_out)
    return;
  launch->in.count = meeting->extent;
  launch->stride = (int32_t)meeting->per_out;
}

static LunaTileBorder border_of(const LunaAxis *axis, LunaRange tile) {
  LunaTileBorder border = {.inner = -1};
  for (int32_t i = 0; i < axis->border.class_count; ++i) {
    const LunaBorderRun *run = &axis->border.runs[i];
    int32_t first = run->first > tile.start ? run->first : tile.start;
    int32_t end = run->first + run->count;
    if (end > tile.start + tile.count)
      end = tile.start + tile.count;
    if (end <= first)
      continue;
    if (run->row == 0)
      border.inner = border.classes;
    border.outputs[border.classes++] = end - first;
  }
  return border;
}

bool luna_axis_launch(const LunaAxis *axis, int32_t tile_index,
                      int32_t block_index, LunaLaunchAxis *launch) {
  Phase tile = tile_at(axis, tile_index);
  *launch = (LunaLaunchAxis){
      .tile = tile.out,
      .out = {tile.out.start, 0, tile.out.step},
      .in = {0, 0, 1},
      .taps = cut(tile.taps, axis->block_extent, block_index),
      .stride = 1,
      .dilation = 1,
      .strips = axis->strips,
      .border = border_of(axis, tile.out),
  };
  if (axis->is_plain) {
    launch->out = launch->in = tile.out;
    return true;
  }
  Meeting meeting = meeting_of(axis, tile.out, launch->taps);
  int32_t first = 0, last = tile.out.count - 1;
  while (first <= last && !output_meets_input(&meeting, first))
    ++first;
  while (last > first && !output_meets_input(&meeting, last))
    --last;
  if (first > last)
    return false;
  launch->out.start += first * tile.out.step;
  launch->out.count = last - first + 1;
  if (axis->strips > 0)
    choose_call_view(launch, &meeting, first);
  else
    choose_view(launch, &meeting, first);
  return true;
}

bool luna_axis_blocks(const LunaAxis *axis, int32_t tile_index, int32_t *first,
                      int32_t *last) {
  LunaLaunchAxis launch;
  int32_t count = luna_axis_block_count(axis, tile_index);
  *first = 0;
  *last = count - 1;
  while (*first < count && !luna_axis_launch(axis, tile_index, *first, &launch))
    ++*first;
  while (*last > *first && !luna_axis_launch(axis, tile_index, *last, &launch))
    --*last;
  return *first < count;
}
