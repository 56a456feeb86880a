#include "launch.h"

#include <stdio.h>
#include <string.h>

#include "luna/border.h"
#include "luna/chain_cost.h"
#include "luna/checked.h"
#include "luna/eltwise_launches.h"

const LunaOperatorLimits *luna_launch_limits(const LunaMachine *machine,
                                             int32_t kind) {
  switch ((LunaLaunchKind)kind) {
  case LUNA_LAUNCH_CONV:
    return &machine->conv;
  case LUNA_LAUNCH_DEPTHWISE:
    return &machine->depthwise;
  case LUNA_LAUNCH_MATMUL:
    return &machine->matmul;
  }
  return &machine->conv;
}

int64_t luna_launch_strip_rows(const LunaLaunchAxis *axis) {
  if (axis->strips <= 1)
    return axis->in.count;
  int64_t outs = luna_ceil_div(axis->out.count, axis->strips);
  int64_t rows = (outs - 1) * axis->stride +
                 (int64_t)(axis->taps.count - 1) * axis->dilation + 1;
  return rows < axis->in.count ? rows : axis->in.count;
}

int64_t luna_launch_input_bytes(const LunaMachine *machine,
                                const LunaLaunch *launch,
                                int32_t element_type) {
  const LunaOperatorLimits *limits = luna_launch_limits(machine, launch->kind);
  int64_t bytes = luna_element_bytes(element_type);
  int64_t channels =
      luna_align_up(launch->in_c.count, limits->in_channel_align);
  int64_t align = limits->width_align_per_stride;
  if (launch->kind == LUNA_LAUNCH_MATMUL)
    return luna_align_up(launch->y.in.count, align) * channels * bytes;
  return luna_align_up(launch->x.in.count, align * launch->x.stride) *
         luna_launch_strip_rows(&launch->y) * channels * bytes;
}

int64_t luna_launch_weight_bytes(const LunaMachine *machine,
                                 const LunaLaunch *launch,
                                 int32_t element_type) {
  const LunaOperatorLimits *limits = luna_launch_limits(machine, launch->kind);
  int64_t bytes = luna_element_bytes(element_type);
  int64_t depth = luna_align_up(launch->in_c.count, limits->in_channel_align);
  int64_t align = limits->out_channel_align;
  if (launch->kind == LUNA_LAUNCH_MATMUL)
    return depth * luna_align_up(launch->x.out.count, align) * bytes;
  int64_t taps = (int64_t)launch->y.taps.count * launch->x.taps.count;
  int64_t channels = luna_align_up(launch->out_c.count, align);
  if (launch->kind == LUNA_LAUNCH_DEPTHWISE)
    return channels * taps * bytes;
  return channels * taps * depth * bytes;
}

static bool is_allowed(const uint32_t allowed[4], int32_t value) {
  for (int i = 0; i < 4 && allowed[i] != 0; ++i)
    if (allowed[i] == (uint32_t)value)
      return true;
  return false;
}

// Writes a list such as "1, 2, 4" to `text`, which holds four numbers.
static const char *list_text(const uint32_t allowed[4], char text[64]) {
  int length = 0;
  text[0] = 0;
  for (int i = 0; i < 4 && allowed[i] != 0; ++i)
    length += snprintf(text + length, 64 - (size_t)length, "%s%u",
                       i == 0 ? "" : ", ", allowed[i]);
  return text;
}

bool luna_launch_check_axis(const LunaMachine *machine,
                            const LunaOperatorLimits *limits,
                            const LunaLaunchAxis *axis, LunaError *error) {
  char allowed[64];
  int32_t taps = axis->taps.count;
  if (limits->kernel_max > 0 && taps > (int64_t)limits->kernel_max)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "a launch has %d kernel taps on an axis, machine "
                          "'%s' allows %u",
                          taps, machine->name, limits->kernel_max);
  if (!is_allowed(limits->strides, axis->stride) ||
      (axis->stride > taps && !limits->stride_above_kernel))
    return luna_error_set(
        error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
        "a launch has stride %d with %d kernel taps, machine '%s' allows %s%s",
        axis->stride, taps, machine->name, list_text(limits->strides, allowed),
        limits->stride_above_kernel ? "" : " up to the kernel");
  if (!is_allowed(limits->dilations, axis->dilation))
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "a launch has dilation %d, machine '%s' allows %s",
                          axis->dilation, machine->name,
                          list_text(limits->dilations, allowed));
  int32_t pad =
      axis->pad_before > axis->pad_after ? axis->pad_before : axis->pad_after;
  int64_t reach = (int64_t)(taps - 1) * axis->dilation + 1;
  int64_t pad_max = limits->pad_max < (uint64_t)reach ? limits->pad_max : reach;
  if (pad > pad_max)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "a launch has padding %d, machine '%s' allows %lld "
                          "for its kernel",
                          pad, machine->name, (long long)pad_max);
  return true;
}

int32_t luna_launch_strips(const LunaMachine *machine, const LunaLaunch *launch,
                           int32_t input_type) {
  const LunaOperatorLimits *limits = luna_launch_limits(machine, launch->kind);
  uint64_t limit = limits->input_buffer_bytes;
  bool is_cut = strcmp(limits->calls.row_strips, "caller") != 0;
  LunaLaunch cut = *launch;
  for (cut.y.strips = 1; cut.y.strips <= (is_cut ? launch->y.out.count : 1);
       ++cut.y.strips)
    if ((limit == 0 || (uint64_t)luna_launch_input_bytes(
                           machine, &cut, input_type) <= limit) &&
        luna_launch_check_strips(machine, &cut, NULL))
      return cut.y.strips;
  return 0;
}

// Returns true if the machine's library cuts the rows of a call into strips of
// equal outputs, by its rules: it reads no row that no window reaches, but for
// padding, and the strips at both ends have outputs for all their padding.
static bool takes_strips(const LunaLaunch *launch,
                         const LunaProductCalls *calls) {
  const LunaLaunchAxis *y = &launch->y;
  bool is_told = strcmp(calls->row_strips, "call") == 0;
  int64_t unread = (y->in.count + y->pad_before + y->pad_after - 1 -
                    (int64_t)(y->taps.count - 1) * y->dilation) %
                   y->stride;
  int64_t outs = y->out.count / y->strips - (is_told ? 1 : 0);
  int64_t plane_bytes = (int64_t)y->in.count * launch->x.in.count;
  return y->out.count % y->strips == 0 && outs * y->stride >= y->pad_before &&
         outs * y->stride >= y->pad_after &&
         unread <= (is_told ? 0 : y->pad_after) &&
         (calls->row_strips_plane_bytes == 0 ||
          plane_bytes <= (int64_t)calls->row_strips_plane_bytes);
}

bool luna_launch_check_strips(const LunaMachine *machine,
                              const LunaLaunch *launch, LunaError *error) {
  const LunaProductCalls *calls =
      &luna_launch_limits(machine, launch->kind)->calls;
  const LunaLaunchAxis *y = &launch->y;
  bool is_cut = strcmp(calls->row_strips, "call") == 0 ||
                strcmp(calls->row_strips, "library") == 0;
  if (y->strips <= 1 || (is_cut && takes_strips(launch, calls)))
    return true;
  return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "a launch of %d rows is one call in %d strips, which "
                        "machine '%s' does not take",
                        y->out.count, y->strips, machine->name);
}

static bool check_buffer(const LunaMachine *machine, const char *name,
                         int64_t needed_bytes, uint64_t buffer_bytes,
                         LunaError *error) {
  if (buffer_bytes == 0 || (uint64_t)needed_bytes <= buffer_bytes)
    return true;
  return luna_error_set(error, LUNA_ERROR_CAPACITY, LUNA_ERROR_NO_ITEM,
                        "a launch needs %lld bytes of the %s buffer, machine "
                        "'%s' has %llu",
                        (long long)needed_bytes, name, machine->name,
                        (unsigned long long)buffer_bytes);
}

bool luna_launch_check(const LunaMachine *machine, const LunaLaunch *launch,
                       int32_t input_type, int32_t weight_type,
                       LunaError *error) {
  if (launch->is_empty)
    return true;
  const LunaOperatorLimits *limits = luna_launch_limits(machine, launch->kind);
  if (!luna_launch_check_strips(machine, launch, error))
    return false;
  if (launch->kind != LUNA_LAUNCH_MATMUL &&
      (!luna_launch_check_axis(machine, limits, &launch->y, error) ||
       !luna_launch_check_axis(machine, limits, &launch->x, error)))
    return false;
  return check_buffer(machine, "input",
                      luna_launch_input_bytes(machine, launch, input_type),
                      limits->input_buffer_bytes, error) &&
         check_buffer(machine, "weight",
                      luna_launch_weight_bytes(machine, launch, weight_type),
                      limits->weight_buffer_bytes, error);
}

// Returns the smallest or largest value of an integer type.
static int64_t type_limit(int32_t type, bool is_max) {
  int bits = 8 * luna_element_bytes(type);
  int64_t high = ((int64_t)1 << (bits - 1)) - 1;
  return is_max ? high : -high - 1;
}

bool luna_requant_is_native(const LunaMachine *machine,
                            const LunaRequantDesc *requant,
                            int32_t output_type) {
  switch ((LunaRequantMode)requant->mode) {
  case LUNA_REQUANT_NONE:
    return true;
  case LUNA_REQUANT_SHIFT:
    if (machine->requant_multiplier)
      return true;
    return machine->requant_shift && requant->output_zero_point == 0 &&
           (requant->clamp_min == type_limit(output_type, false) ||
            requant->clamp_min == 0) &&
           requant->clamp_max == type_limit(output_type, true);
  case LUNA_REQUANT_MULTIPLIER:
    return machine->requant_multiplier;
  case LUNA_REQUANT_FLOAT:
    return false;
  }
  return false;
}

bool luna_is_fused(const LunaMachine *machine, const LunaRequantDesc *requant,
                   const LunaTensorDesc *bias, int32_t output_type) {
  return !luna_has_borders(bias) &&
         luna_requant_is_native(machine, requant, output_type);
}

static bool is_padded(const LunaTensorDesc *input,
                      const LunaTensorDesc *output) {
  return input->dims[3] != 1 && input->dims[3] < output->dims[3];
}

int32_t luna_eltwise_launches(const LunaEltwiseDesc *desc) {
  if (luna_eltwise_has_launches(desc)) {
    LunaEltwiseLaunches launches;
    int32_t count = 0;
    luna_eltwise_launches_begin(&launches, desc);
    while (luna_eltwise_launches_next(&launches))
      ++count;
    return count;
  }
  return 1 + is_padded(&desc->lhs, &desc->output) +
         is_padded(&desc->rhs, &desc->output);
}

static bool lies_alike(const LunaTensorDesc *input,
                       const LunaTensorDesc *output) {
  LunaTensorDesc beside = *output;
  if (is_padded(input, output))
    beside.dims[3] = input->dims[3];
  return luna_tensors_lie_alike(&beside, input);
}

bool luna_eltwise_is_call(const LunaEltwiseDesc *desc) {
  return lies_alike(&desc->lhs, &desc->output) &&
         (desc->kind == LUNA_ELTWISE_SCALE ||
          lies_alike(&desc->rhs, &desc->output));
}

bool luna_eltwise_is_native(const LunaMachine *machine,
                            const LunaEltwiseDesc *desc) {
  LunaEltwiseChain chain;
  bool is_scaled = desc->lhs_multiplier != 0 || desc->rhs_multiplier != 0;
  bool is_shifted = desc->lhs_zero_point != 0 || desc->rhs_zero_point != 0;
  bool has_launches = luna_eltwise_has_launches(desc);
  if (desc->on_core)
    return false;
  if (!has_launches && luna_eltwise_has_chain(desc, &chain))
    return luna_machine_has_chain(machine, &chain.chain);
  return (machine->requant_multiplier || (!is_scaled && !is_shifted) ||
          has_launches) &&
         luna_requant_is_native(machine, &desc->requant, desc->output.type);
}
