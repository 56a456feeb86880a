#include "launch_cost.h"

#include "luna/chain_cost.h"
#include "luna/weight_layout.h"

// Phases of a transposed convolution and groups of channels leave gaps.
LunaCoreTile luna_conv2d_tile(const LunaConv2dDesc *desc) {
  bool is_transposed = desc->kind == LUNA_CONV_TRANSPOSED;
  bool is_grouped =
      desc->kind == LUNA_CONV_DEPTHWISE && desc->input.dims[3] != 1;
  const int32_t strides[3] = {
      desc->output.strides[1] * (is_transposed ? desc->stride[0] : 1),
      desc->output.strides[2] * (is_transposed ? desc->stride[1] : 1),
      desc->output.strides[3] *
          (is_grouped ? luna_conv2d_multiplier(desc) : 1)};
  return luna_core_tile(&desc->requant, strides);
}

LunaCoreTile luna_matmul_tile(const LunaMatmulDesc *desc) {
  const int32_t strides[3] = {desc->output.strides[2], 0,
                              desc->output.strides[3]};
  return luna_core_tile(&desc->requant, strides);
}

// A launch costs its launch cycles, the reading of both operands (with the
// unit's alignment) and the slower of computing and writing; the launches are
// those of luna/tiles.h. Vector launches for partial sums and the core's
// requantisation are added if the tiling needs them.
LunaCost luna_cost_conv2d(const LunaMachine *machine,
                          const LunaConv2dDesc *desc) {
  LunaArena arena = {0};
  LunaAxis y = luna_axis_of_conv2d(desc, 0), x = luna_axis_of_conv2d(desc, 1);
  LunaAxisClasses y_classes = luna_axis_classes(&y, &arena);
  LunaAxisClasses x_classes = luna_axis_classes(&x, &arena);
  LunaChannels channels = luna_channels_of_conv2d(desc);
  LunaVectorChain chain = luna_chain_empty();
  LunaLaunchContext context = {
      .machine = machine,
      .input_type = desc->input.type,
      .weight_type = desc->weight.type,
      .output_type = desc->output.type,
      .has_sums = y_classes.needs_sums || x_classes.needs_sums ||
                  luna_channels_in_blocks(&channels) > 1,
      .slots = desc->tiling.slots,
      .finish = luna_finish_of(desc->tiling.finish, &desc->requant,
                               desc->output.type, &chain),
      .chain = &chain,
      .tile = luna_conv2d_tile(desc),
  };
  LunaCost cost = luna_classes_cost(&context, &y_classes, &x_classes, &channels,
                                    (uint64_t)desc->output.dims[0]);
  luna_arena_destroy(&arena);
  return cost;
}

// As of a convolution.
LunaCost luna_cost_matmul(const LunaMachine *machine,
                          const LunaMatmulDesc *desc) {
  LunaArena arena = {0};
  LunaAxis y = luna_axis_of_matmul(desc, 0), x = luna_axis_of_matmul(desc, 1);
  LunaAxisClasses y_classes = luna_axis_classes(&y, &arena);
  LunaAxisClasses x_classes = luna_axis_classes(&x, &arena);
  LunaChannels channels = luna_channels_of_matmul(desc);
  LunaVectorChain chain = luna_chain_empty();
  LunaLaunchContext context = {
      .machine = machine,
      .input_type = desc->lhs.type,
      .weight_type = desc->rhs.type,
      .output_type = desc->output.type,
      .has_sums = luna_channels_in_blocks(&channels) > 1,
      .slots = desc->tiling.slots,
      .finish = luna_finish_of(desc->tiling.finish, &desc->requant,
                               desc->output.type, &chain),
      .chain = &chain,
      .tile = luna_matmul_tile(desc),
  };
  LunaCost cost = luna_classes_cost(&context, &y_classes, &x_classes, &channels,
                                    (uint64_t)desc->output.dims[1]);
  luna_arena_destroy(&arena);
  return cost;
}
