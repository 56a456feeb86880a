#include "luna/launch_rules.h"

#include <string.h>

#include "launch.h"
#include "luna/checked.h"
#include "luna/weight_layout.h"

static const char *const names[LUNA_RULE_COUNT][2] = {
#define LUNA_LAUNCH_RULE(NAME, name, text) {#name, text},
#include "luna/launch_rules.def"
};

const char *luna_launch_rule_name(LunaLaunchRule rule) {
  return names[rule][0];
}

const char *luna_launch_rule_text(LunaLaunchRule rule) {
  return names[rule][1];
}

static bool has_steps(const LunaLaunchRecord *launch) {
  return (launch->in[0] > 1 && launch->in_step[0] != 1) ||
         (launch->in[1] > 1 && launch->in_step[1] != 1);
}

// What matrices lie as is a rule of its own.
static bool is_matmul(const LunaProductRecord *record) {
  return record->kind == LUNA_LAUNCH_MATMUL;
}

// Sums lie in the scratch as planes if the output has these, else as rows of
// channels.
static bool writes_planes(const LunaProductRecord *record,
                          const LunaLaunchRecord *launch) {
  if (!(launch->flags & LUNA_LAUNCH_SUMS))
    return luna_are_planes(record->output_strides, launch->tile[0],
                           launch->tile[1], launch->out_channels);
  return luna_strides_have_planes(record->output_strides) ||
         launch->out_channels == 1 || launch->tile[0] * launch->tile[1] == 1;
}

static bool is_within(const LunaMachine *machine,
                      const LunaOperatorLimits *limits,
                      const LunaLaunchRecord *launch, int axis) {
  const LunaLaunchAxis as_axis = {
      .taps.count = launch->taps[axis],
      .pad_before = launch->pad_before[axis],
      .pad_after = launch->pad_after[axis],
      .stride = launch->stride[axis],
      .dilation = launch->dilation[axis],
  };
  return luna_launch_check_axis(machine, limits, &as_axis, NULL);
}

// The library computes every output that the inputs give, and no other.
static bool gives_outputs(const LunaLaunchRecord *launch, int axis) {
  int32_t padded =
      launch->in[axis] + launch->pad_before[axis] + launch->pad_after[axis];
  int32_t reach = (launch->taps[axis] - 1) * launch->dilation[axis] + 1;
  return padded >= reach &&
         (padded - reach) / launch->stride[axis] + 1 == launch->out[axis];
}

static bool has_limits(const LunaMachine *machine,
                       const LunaProductRecord *record,
                       const LunaLaunchRecord *launch) {
  const LunaOperatorLimits *limits = luna_launch_limits(machine, record->kind);
  return record->kind == LUNA_LAUNCH_MATMUL ||
         (is_within(machine, limits, launch, 0) &&
          is_within(machine, limits, launch, 1) &&
          (record->is_transposed ||
           (gives_outputs(launch, 0) && gives_outputs(launch, 1))));
}

static bool begins_block(const LunaMachine *machine,
                         const LunaProductRecord *record,
                         const LunaLaunchRecord *launch) {
  const LunaOperatorLimits *limits = luna_launch_limits(machine, record->kind);
  return launch->channel % (int32_t)limits->out_channel_align == 0;
}

// A block of rows is packed as a kernel of its own, and a launch has all of it.
static bool has_layout(const LunaMachine *machine,
                       const LunaProductRecord *record,
                       const LunaLaunchRecord *launch) {
  int32_t layout[LUNA_WEIGHT_LAYOUT_WORDS];
  const char *text =
      luna_launch_limits(machine, record->kind)->calls.weight_layout;
  int32_t rows = luna_weight_layout_rows(text, record->weight_layout);
  if (rows > 0)
    return launch->taps[0] == rows;
  luna_weight_layout_read(text, layout);
  return memcmp(layout, record->weight_layout, sizeof layout) == 0;
}

LunaLaunchRules luna_launch_rules(const LunaMachine *machine,
                                  const LunaProductRecord *record,
                                  const LunaLaunchRecord *launch) {
  bool has_sums = launch->flags & LUNA_LAUNCH_SUMS;
  LunaLaunchRules broken = 0;
  if (launch->flags & LUNA_LAUNCH_EMPTY)
    return 0;
#define RULE(NAME, is_kept)                                                    \
  if (!(is_kept))                                                              \
  broken |= 1U << LUNA_RULE_##NAME
  RULE(TYPES, record->input_type == LUNA_TYPE_I8 &&
                  record->weight_type == LUNA_TYPE_I8);
  RULE(ZERO_POINT,
       record->input_zero_point == 0 && record->weight_zero_point == 0);
  RULE(PHASE, !record->is_transposed);
  RULE(STEPS, !has_steps(launch));
  RULE(INPUT, is_matmul(record) ||
                  luna_are_planes(record->input_strides, launch->in[0],
                                  launch->in[1], launch->in_channels));
  RULE(OUTPUT, is_matmul(record) || writes_planes(record, launch));
  bool has_own_sums = launch->flags & LUNA_LAUNCH_OTHER;
  RULE(PART, !has_sums || has_own_sums || launch->flags & LUNA_LAUNCH_COVERS);
  RULE(ADDS, has_own_sums || launch->flags & LUNA_LAUNCH_FIRST);
  RULE(CHANNEL, begins_block(machine, record, launch));
  RULE(WEIGHTS, has_layout(machine, record, launch));
  RULE(MATRIX, !is_matmul(record) || luna_is_matrix_call(record, launch));
  RULE(LIMITS, has_limits(machine, record, launch));
#undef RULE
  return broken;
}

bool luna_launch_check_call(const LunaMachine *machine,
                            const LunaProductRecord *record,
                            const LunaLaunchRecord *launch, LunaError *error) {
  LunaLaunchRules broken = luna_launch_rules(machine, record, launch);
  for (int rule = 0; rule < LUNA_RULE_COUNT; ++rule)
    if (broken >> rule & 1)
      return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                            "machine '%s' has no call for %s", machine->name,
                            luna_launch_rule_text((LunaLaunchRule)rule));
  return true;
}
