#include "luna/call_form.h"

#include <string.h>

#include "launch.h"
#include "luna/checked.h"
#include "luna/finish.h"
#include "luna/tiling.h"
#include "luna/weight_layout.h"

enum { Y = 1, X = 2, CHANNEL = 3 }; // dimensions of an activation

static const LunaOperatorLimits *limits_of(const LunaMachine *machine,
                                           const LunaConv2dDesc *desc) {
  return desc->kind == LUNA_CONV_DEPTHWISE ? &machine->depthwise
                                           : &machine->conv;
}

// The zero point of the input will be in the bias.
static bool pack_call(const LunaMachine *machine, LunaConv2dDesc *desc) {
  desc->input_zero_point = 0;
  desc->tiling.row_strips = 1;
  return luna_tiling_pack(machine, desc);
}

static bool is_call(const LunaMachine *machine, const LunaConv2dDesc *desc) {
  LunaConv2dDesc packed = *desc;
  return pack_call(machine, &packed);
}

// No call takes what has more elements than can be counted.
static int32_t saturate(int64_t count) {
  return count < INT32_MAX ? (int32_t)count : INT32_MAX;
}

static void set_planes(LunaTensorDesc *desc, int32_t rows, int32_t columns,
                       int32_t channels) {
  const int32_t plane = saturate((int64_t)rows * columns);
  const int32_t dims[] = {desc->dims[0], rows, columns, channels};
  const int32_t strides[] = {saturate((int64_t)plane * channels), columns, 1,
                             plane};
  memcpy(desc->dims, dims, sizeof dims);
  memcpy(desc->strides, strides, sizeof strides);
}

// Sets the kernel of a convolution whose channels are those of its operands.
static void set_kernel(LunaConv2dDesc *desc, int32_t rows, int32_t columns) {
  bool is_depthwise = desc->kind == LUNA_CONV_DEPTHWISE;
  int32_t in = desc->input.dims[CHANNEL], out = desc->output.dims[CHANNEL];
  const int32_t normal[] = {out, rows, columns, in};
  const int32_t depthwise[] = {rows, columns, in, out / in};
  int32_t *dims = desc->weight.dims, *strides = desc->weight.strides;
  memcpy(dims, is_depthwise ? depthwise : normal, sizeof normal);
  strides[3] = 1;
  for (int i = 2; i >= 0; --i)
    strides[i] = saturate((int64_t)strides[i + 1] * dims[i + 1]);
}

static void set_output_channels(LunaConv2dDesc *desc, int32_t channels) {
  const int32_t *out = desc->output.dims;
  set_planes(&desc->output, out[Y], out[X], channels);
  if (desc->bias.dims[CHANNEL] > 1)
    desc->bias.dims[CHANNEL] = channels;
  if (desc->table.dims[CHANNEL] > 1)
    desc->table.dims[CHANNEL] = channels;
}

static void drop_padding(LunaConv2dDesc *desc) {
  memset(desc->pad, 0, sizeof desc->pad);
}

//===- The convolution itself ---------------------------------------------===//

// A kernel of one input channel above the limit is cut into blocks of rows.
// Padding with a zero point, or beyond what a block takes, would leave outputs
// to which a block adds nothing.
static bool needs_padding(const LunaMachine *machine,
                          const LunaConv2dDesc *desc) {
  int64_t most = (int64_t)machine->conv.kernel_max;
  int64_t pad_max = (int64_t)machine->conv.pad_max;
  bool is_simple = desc->input_zero_point == 0 && desc->pad[0] <= pad_max &&
                   desc->pad[1] <= pad_max;
  return desc->input.dims[CHANNEL] == 1 && luna_conv2d_taps(desc, 0) > most &&
         !is_simple;
}

static void write_padding(LunaConv2dDesc *desc) {
  const int32_t *in = desc->input.dims, *pad = desc->pad;
  set_planes(&desc->input, in[Y] + pad[0] + pad[1], in[X] + pad[2] + pad[3],
             in[CHANNEL]);
  drop_padding(desc);
}

// Returns the padding after the input with which `taps` taps give as many
// outputs.
static int32_t pad_after(const LunaConv2dDesc *desc, int axis, int32_t taps) {
  int32_t missing = (desc->output.dims[Y + axis] - 1) * desc->stride[axis] +
                    taps - desc->input.dims[Y + axis] - desc->pad[2 * axis];
  return missing > 0 ? missing : 0;
}

static void extend_kernel(const LunaMachine *machine, LunaConv2dDesc *desc) {
  int32_t taps[2];
  for (int i = 0; i < 2; ++i) {
    taps[i] = luna_conv2d_taps(desc, i);
    if (limits_of(machine, desc)->stride_above_kernel ||
        desc->stride[i] <= taps[i] || desc->dilation[i] != 1)
      continue;
    taps[i] = desc->stride[i];
    desc->pad[2 * i + 1] = pad_after(desc, i, taps[i]);
  }
  set_kernel(desc, taps[0], taps[1]);
}

// Padding is written, too, if no call takes it.
static bool find_itself(const LunaMachine *machine, LunaCallForm *form) {
  if (form->from.kind == LUNA_CONV_TRANSPOSED)
    return false;
  form->conv = form->from;
  form->pads_input =
      needs_padding(machine, &form->from) || !is_call(machine, &form->from);
  if (form->pads_input)
    write_padding(&form->conv);
  return true;
}

//===- Blocks of channels -------------------------------------------------===//

static bool find_channels(const LunaMachine *machine, LunaCallForm *form) {
  const LunaConv2dDesc *from = &form->from;
  const int32_t *in = from->input.dims;
  int32_t most = (int32_t)machine->conv.in_channel_align;
  int32_t count = in[CHANNEL] < most ? in[CHANNEL] : most;
  if (from->kind != LUNA_CONV_DEPTHWISE)
    return false;
  form->conv = *from;
  form->conv.kind = LUNA_CONV_NORMAL;
  set_planes(&form->conv.input, in[Y], in[X], count);
  set_output_channels(&form->conv, count * luna_conv2d_multiplier(from));
  set_kernel(&form->conv, luna_conv2d_taps(from, 0), luna_conv2d_taps(from, 1));
  return true;
}

//===- Rows and phases ----------------------------------------------------===//

// Returns true if some window reads nothing but padding before the input.
static bool is_far_out(const LunaConv2dDesc *desc) {
  return desc->pad[0] >= luna_conv2d_taps(desc, 0) ||
         desc->pad[2] >= luna_conv2d_taps(desc, 1);
}

// Returns true if the new kernel's rows are rows of the image.
static bool rows_are_y(const LunaCallForm *form) {
  return form->rows_are_flat || form->row_axis == 1;
}

static bool find_rows(const LunaMachine *machine, LunaCallForm *form) {
  const LunaConv2dDesc *from = &form->from;
  int axis = form->row_axis = luna_conv2d_taps(from, 1) == 1 ? 0 : 1;
  int other = 1 - axis;
  int32_t most = (int32_t)limits_of(machine, from)->kernel_max;
  int32_t taps = luna_conv2d_taps(from, axis);
  int32_t outputs = from->output.dims[Y + axis];
  if (from->kind == LUNA_CONV_TRANSPOSED ||
      luna_conv2d_taps(from, other) != 1 || from->input.dims[Y + other] != 1 ||
      from->output.dims[Y + other] != 1 || from->dilation[axis] != 1 ||
      most == 0 || taps <= most || is_far_out(from))
    return false;
  form->row_count = (int32_t)luna_ceil_div(taps, most);
  form->row_length = (int32_t)luna_ceil_div(taps, form->row_count);
  form->rows_are_flat = outputs == 1;
  int32_t stride = form->rows_are_flat ? 1 : from->stride[axis];
  int32_t length = (outputs - 1) * stride + form->row_length;
  bool is_y = rows_are_y(form);
  form->conv = *from;
  set_planes(&form->conv.input, is_y ? form->row_count : length,
             is_y ? length : form->row_count, from->input.dims[CHANNEL]);
  set_kernel(&form->conv, is_y ? form->row_count : form->row_length,
             is_y ? form->row_length : form->row_count);
  form->conv.stride[0] = is_y ? 1 : stride;
  form->conv.stride[1] = is_y ? stride : 1;
  drop_padding(&form->conv);
  return true;
}

static bool find_phases(const LunaMachine *machine, LunaCallForm *form) {
  (void)machine;
  const LunaConv2dDesc *from = &form->from;
  const int32_t *stride = from->stride, *out = from->output.dims;
  if (from->kind != LUNA_CONV_NORMAL || is_far_out(from) ||
      from->dilation[0] != 1 || from->dilation[1] != 1 ||
      (stride[0] == 1 && stride[1] == 1))
    return false;
  int32_t taps[2];
  for (int i = 0; i < 2; ++i)
    taps[i] = (int32_t)luna_ceil_div(luna_conv2d_taps(from, i), stride[i]);
  form->conv = *from;
  set_planes(&form->conv.input, out[Y] + taps[0] - 1, out[X] + taps[1] - 1,
             from->input.dims[CHANNEL] * stride[0] * stride[1]);
  set_kernel(&form->conv, taps[0], taps[1]);
  form->conv.stride[0] = form->conv.stride[1] = 1;
  drop_padding(&form->conv);
  return true;
}

static bool find_spread(const LunaMachine *machine, LunaCallForm *form) {
  const LunaConv2dDesc *from = &form->from;
  const int32_t *out = from->output.dims;
  (void)machine;
  if (from->kind != LUNA_CONV_TRANSPOSED)
    return false;
  form->conv = *from;
  form->conv.kind = LUNA_CONV_NORMAL;
  for (int i = 0; i < 2; ++i) {
    form->spread[i] = form->taps[i] - 1 + from->pad[2 * i];
    form->conv.stride[i] = 1;
  }
  set_planes(&form->conv.input, out[Y] + form->taps[0] - 1,
             out[X] + form->taps[1] - 1, from->input.dims[CHANNEL]);
  drop_padding(&form->conv);
  return true;
}

//===- Prices -------------------------------------------------------------===//

// Returns the cycles of a convolution by calls, with half of the memory that
// its input and output leave as scratch; UINT64_MAX if that is too little.
static uint64_t cycles_of(const LunaMachine *machine,
                          const LunaConv2dDesc *desc) {
  LunaUnitDesc unit = {.unit_class = LUNA_UNIT_CONV2D, .as.conv2d = *desc};
  LunaConv2dDesc *conv = &unit.as.conv2d;
  const int32_t *in = desc->input.dims, *out = desc->output.dims;
  int64_t free_bytes = (int64_t)machine->shared.bytes -
                       (int64_t)in[Y] * in[X] * in[CHANNEL] -
                       (int64_t)out[Y] * out[X] * out[CHANNEL];
  return pack_call(machine, conv) &&
                 luna_finish_tile(machine, &unit, LUNA_PLACE_AUTO, true,
                                  free_bytes / 2, &conv->tiling, NULL)
             ? luna_cost_cycles(luna_cost_conv2d(machine, conv))
             : UINT64_MAX;
}

// Returns true if blocks of channels take fewer cycles than a depthwise
// convolution that is calls itself: fewer of their channels are finished at
// once, where the memory is small.
static bool are_blocks_cheaper(const LunaMachine *machine,
                               const LunaCallForm *itself,
                               LunaCallForm *blocks) {
  *blocks = *itself;
  blocks->kind = LUNA_FORM_CHANNELS;
  if (!find_channels(machine, blocks) || !is_call(machine, &blocks->conv))
    return false;
  int64_t count = luna_ceil_div(itself->from.input.dims[CHANNEL],
                                blocks->conv.input.dims[CHANNEL]);
  uint64_t block_cycles = cycles_of(machine, &blocks->conv);
  return block_cycles < UINT64_MAX &&
         (uint64_t)count * block_cycles < cycles_of(machine, &itself->conv);
}

//===- The search ---------------------------------------------------------===//

bool luna_call_form(const LunaMachine *machine, const LunaConv2dDesc *desc,
                    LunaCallForm *form) {
  static bool (*const finders[])(const LunaMachine *, LunaCallForm *) = {
      [LUNA_FORM_ITSELF] = find_itself, [LUNA_FORM_CHANNELS] = find_channels,
      [LUNA_FORM_ROWS] = find_rows,     [LUNA_FORM_PHASES] = find_phases,
      [LUNA_FORM_SPREAD] = find_spread,
  };
  const int32_t *in = desc->input.dims;
  *form = (LunaCallForm){.from = *desc};
  set_planes(&form->from.input, in[Y], in[X], in[CHANNEL]);
  set_output_channels(&form->from, desc->output.dims[CHANNEL]);
  for (int i = 0; i < 2; ++i)
    form->taps[i] = luna_conv2d_taps(desc, i);
  if (desc->kind != LUNA_CONV_TRANSPOSED)
    extend_kernel(machine, &form->from);
  LunaCallForm blocks;
  for (size_t i = 0; i < sizeof finders / sizeof finders[0]; ++i) {
    form->kind = (LunaCallFormKind)i;
    form->pads_input = false;
    if (!finders[i](machine, form) || !is_call(machine, &form->conv))
      continue;
    if (i == LUNA_FORM_ITSELF && are_blocks_cheaper(machine, form, &blocks))
      *form = blocks;
    return true;
  }
  return false;
}

//===- Weights ------------------------------------------------------------===//

// A weight of the old convolution: of a depthwise one, `out` is that of the
// channel.
typedef struct Weight {
  int64_t out, y, x, in;
} Weight;

static Weight weight_at(const LunaConv2dDesc *conv, const int64_t at[4]) {
  return conv->kind == LUNA_CONV_DEPTHWISE
             ? (Weight){at[3], at[0], at[1], at[2]}
             : (Weight){at[0], at[1], at[2], at[3]};
}

static int64_t index_of(const LunaCallForm *form, Weight weight) {
  const LunaConv2dDesc *from = &form->from;
  int64_t rows = form->taps[0], columns = form->taps[1];
  int64_t channels = from->input.dims[CHANNEL];
  if (weight.y >= rows || weight.x >= columns)
    return -1;
  if (from->kind != LUNA_CONV_DEPTHWISE)
    return ((weight.out * rows + weight.y) * columns + weight.x) * channels +
           weight.in;
  return ((weight.y * columns + weight.x) * channels + weight.in) *
             luna_conv2d_multiplier(from) +
         weight.out;
}

// Turns a weight of rows into that of the long kernel.
static void join_rows(const LunaCallForm *form, Weight *weight) {
  bool is_y = rows_are_y(form);
  int64_t row = is_y ? weight->y : weight->x;
  int64_t tap = row * form->row_length + (is_y ? weight->x : weight->y);
  weight->y = form->row_axis == 0 ? tap : 0;
  weight->x = form->row_axis == 0 ? 0 : tap;
}

static void join_phases(const LunaCallForm *form, Weight *weight) {
  const int32_t *stride = form->from.stride;
  int64_t channels = form->from.input.dims[CHANNEL];
  int64_t phase = weight->in / channels;
  weight->y = weight->y * stride[0] + phase / stride[1];
  weight->x = weight->x * stride[1] + phase % stride[1];
  weight->in %= channels;
}

int64_t luna_call_form_weight(const LunaCallForm *form, int64_t first,
                              const int64_t at[4]) {
  Weight weight = weight_at(&form->conv, at);
  int64_t multiplier = 0;
  switch (form->kind) {
  case LUNA_FORM_ITSELF:
    break;
  case LUNA_FORM_CHANNELS:
    multiplier = luna_conv2d_multiplier(&form->from);
    if (weight.out / multiplier != weight.in)
      return -1;
    weight.out %= multiplier;
    weight.in += first;
    break;
  case LUNA_FORM_ROWS:
    join_rows(form, &weight);
    break;
  case LUNA_FORM_PHASES:
    join_phases(form, &weight);
    break;
  case LUNA_FORM_SPREAD:
    weight.y = form->taps[0] - 1 - weight.y;
    weight.x = form->taps[1] - 1 - weight.x;
    break;
  }
  return index_of(form, weight);
}

//===- Poolings -----------------------------------------------------------===//

// Returns true if a call takes so many channels: within the bytes of a machine
// that states them, else in strips of rows as a convolution.
static bool takes_channels(const LunaMachine *machine, const LunaPoolDesc *desc,
                           int32_t channels) {
  const int32_t *in = desc->input.dims;
  int64_t bytes = (int64_t)in[Y] * in[X] * channels;
  if (machine->pool.max_input_bytes > 0)
    return bytes <= (int64_t)machine->pool.max_input_bytes;
  LunaLaunch launch = {.kind = LUNA_LAUNCH_DEPTHWISE,
                       .in_c.count = channels,
                       .out_c.count = channels};
  LunaLaunchAxis *axes[] = {&launch.y, &launch.x};
  for (int i = 0; i < 2; ++i)
    *axes[i] = (LunaLaunchAxis){.out.count = desc->output.dims[Y + i],
                                .in.count = in[Y + i],
                                .taps.count = desc->kernel[i],
                                .pad_before = desc->pad[2 * i],
                                .pad_after = desc->pad[2 * i + 1],
                                .stride = desc->stride[i],
                                .dilation = 1};
  return luna_launch_strips(machine, &launch, LUNA_TYPE_I8) > 0;
}

int32_t luna_pool_call_channels(const LunaMachine *machine,
                                const LunaPoolDesc *desc) {
  int32_t channels = desc->input.dims[CHANNEL];
  int32_t align = (int32_t)machine->conv.in_channel_align;
  if (desc->input.type != LUNA_TYPE_I8)
    return 0;
  for (int i = 0; i < 2; ++i)
    if (desc->kernel[i] > (int64_t)machine->pool.kernel_max ||
        desc->stride[i] > (int64_t)machine->pool.stride_max ||
        desc->pad[2 * i] > (int64_t)machine->pool.pad_max ||
        desc->pad[2 * i + 1] > (int64_t)machine->pool.pad_max)
      return 0;
  while (channels > 0 && !takes_channels(machine, desc, channels))
    channels = (channels - 1) / align * align;
  return channels;
}
