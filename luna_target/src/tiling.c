#include "luna/tiling.h"

#include "luna/chain_cost.h"
#include "luna/checked.h"
#include "luna/launch_record.h"
#include "luna/weight_layout.h"
#include "tiling_search.h"

static bool refuse(LunaError *error, const char *what) {
  return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM, "%s",
                        what);
}

// Returns true if the tensor has elements, of an integer type of the unit, and
// few enough of them for 32-bit strides.
static bool check_tensor(const LunaTensorDesc *tensor, const char *name,
                         LunaError *error) {
  int64_t count = 1;
  for (int i = 0; i < 4; ++i)
    if (tensor->dims[i] < 1 ||
        !luna_checked_mul(count, tensor->dims[i], &count) || count > INT32_MAX)
      return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                            "the %s has %d x %d x %d x %d elements, allowed "
                            "are 1 to %d in all",
                            name, tensor->dims[0], tensor->dims[1],
                            tensor->dims[2], tensor->dims[3], INT32_MAX);
  if (tensor->type != LUNA_TYPE_I8 && tensor->type != LUNA_TYPE_I16 &&
      tensor->type != LUNA_TYPE_I32)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "the %s has element type %d, the unit computes with "
                          "8, 16 and 32-bit integers",
                          name, tensor->type);
  return true;
}

static bool check_packed(const LunaConv2dDesc *desc, LunaError *error) {
  int32_t extents[LUNA_WEIGHT_AXES];
  luna_conv2d_weights(desc, extents);
  int64_t count = luna_weight_layout_count(desc->weight_layout, extents);
  if (desc->weight.dims[3] == count && desc->weight.type == LUNA_TYPE_I8)
    return true;
  return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "packed weights have %d elements, needed are %lld of "
                        "int8",
                        desc->weight.dims[3], (long long)count);
}

static bool check_channels(const LunaConv2dDesc *desc, LunaError *error) {
  const int32_t *weight = desc->weight.dims;
  int32_t in = desc->input.dims[3], out = desc->output.dims[3];
  if (luna_weights_are_packed(desc->weight_layout))
    return check_packed(desc, error);
  bool fits = desc->kind == LUNA_CONV_DEPTHWISE
                  ? weight[2] == in && (int64_t)in * weight[3] == out
                  : weight[0] == out && weight[3] == in;
  if (!fits)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "weights of %d x %d x %d x %d do not connect %d "
                          "input with %d output channels",
                          weight[0], weight[1], weight[2], weight[3], in, out);
  if (desc->input.dims[0] != desc->output.dims[0])
    return refuse(error, "input and output differ in their batches");
  return true;
}

static bool check_conv2d(const LunaConv2dDesc *desc, LunaError *error) {
  if (!check_tensor(&desc->input, "input", error) ||
      !check_tensor(&desc->weight, "weight", error) ||
      !check_tensor(&desc->output, "output", error) ||
      !check_channels(desc, error))
    return false;
  for (int i = 0; i < 2; ++i)
    if (desc->stride[i] < 1 || desc->dilation[i] < 1)
      return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                            "stride %d and dilation %d, both must be positive",
                            desc->stride[i], desc->dilation[i]);
  if (desc->kind == LUNA_CONV_TRANSPOSED &&
      (desc->dilation[0] != 1 || desc->dilation[1] != 1))
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "a transposed convolution has dilation %d x %d, "
                          "allowed is 1 x 1",
                          desc->dilation[0], desc->dilation[1]);
  return true;
}

// What the launches do not requantise, the unit's calls do where `wanted` says
// so and they can.
static LunaFinish finish_of(const LunaMachine *machine,
                            const LunaTiling *wanted,
                            const LunaRequantDesc *requant,
                            const LunaTensorDesc *bias, int32_t type,
                            LunaVectorChain *chain) {
  return luna_is_fused(machine, requant, bias, type)
             ? LUNA_FINISH_FUSED
             : luna_finish_of(luna_finish_has_calls(wanted->finish)
                                  ? wanted->finish
                                  : LUNA_FINISH_CORE,
                              requant, type, chain);
}

// Searches and converts the answer to a tiling.
static bool solve(const LunaTilingProblem *problem, LunaTiling *tiling,
                  LunaError *error) {
  LunaTilingAnswer answer;
  if (!luna_tiling_search(problem, &answer)) {
    tiling->scratch_bytes = answer.scratch_bytes < INT32_MAX
                                ? (int32_t)answer.scratch_bytes
                                : INT32_MAX;
    return luna_error_set(error, LUNA_ERROR_CAPACITY, LUNA_ERROR_NO_ITEM,
                          "needs %lld bytes of scratch, allowed are %lld",
                          (long long)answer.scratch_bytes,
                          (long long)problem->scratch_limit_bytes);
  }
  if (answer.scratch_bytes > INT32_MAX)
    return refuse(error, "needs more than 2 GiB of scratch");
  *tiling = (LunaTiling){
      .out_h = answer.tile_y,
      .out_w = answer.tile_x,
      .out_c = answer.out_c,
      .in_c = answer.in_c,
      .kernel_h = answer.block_y,
      .kernel_w = answer.block_x,
      .finish = answer.finish,
      .scratch_bytes = (int32_t)answer.scratch_bytes,
      .row_strips = answer.row_strips,
      .slots = answer.slots,
  };
  return true;
}

// Returns true if calls of the machine's library are asked for and may compute
// a convolution; its channels may be cut.
static bool has_planes(const LunaMachine *machine, const LunaConv2dDesc *desc) {
  bool is_grouped =
      desc->kind == LUNA_CONV_DEPTHWISE && luna_conv2d_multiplier(desc) != 1;
  bool wants_calls = desc->tiling.row_strips > 0 ||
                     luna_weights_are_packed(desc->weight_layout);
  return wants_calls && *machine->conv.calls.row_strips && !is_grouped &&
         desc->kind != LUNA_CONV_TRANSPOSED &&
         desc->input.type == LUNA_TYPE_I8 &&
         luna_tensor_has_planes(&desc->input) &&
         luna_tensor_has_planes(&desc->output);
}

// Returns the calls that finish the sums of several launches whose output is
// planes; NULL if there are none.
static const LunaVectorChain *sums_chain(const LunaMachine *machine,
                                         const LunaConv2dDesc *desc,
                                         LunaVectorChain *chain) {
  return luna_tensor_has_planes(&desc->output) &&
                 luna_chain_of_product(chain, LUNA_FINISH_UNIT, &desc->requant,
                                       desc->output.type) &&
                 luna_machine_has_chain(machine, chain)
             ? chain
             : NULL;
}

bool luna_tiling_conv2d(const LunaMachine *machine, const LunaConv2dDesc *desc,
                        int64_t scratch_limit_bytes, LunaTiling *tiling,
                        LunaError *error) {
  LunaVectorChain chain = luna_chain_empty(), of_sums;
  if (!check_conv2d(desc, error))
    return false;
  LunaTilingProblem problem = {
      .context = {.machine = machine,
                  .input_type = desc->input.type,
                  .weight_type = desc->weight.type,
                  .output_type = desc->output.type,
                  .finish = finish_of(machine, &desc->tiling, &desc->requant,
                                      &desc->bias, desc->output.type, &chain),
                  .chain = &chain,
                  .tile = luna_conv2d_tile(desc)},
      .y = luna_axis_of_conv2d(desc, 0),
      .x = luna_axis_of_conv2d(desc, 1),
      .channels = luna_channels_of_conv2d(desc),
      .batches = (uint64_t)desc->output.dims[0],
      .scratch_limit_bytes = scratch_limit_bytes,
      .has_planes = has_planes(machine, desc),
      .weight_layout = desc->weight_layout,
      .sums_chain = sums_chain(machine, desc, &of_sums),
  };
  return solve(&problem, tiling, error);
}

// Packs weights in an order. Returns false if there are no calls so with a
// scratch of half the memory, since nothing else is legal with packed weights.
static bool pack_as(const LunaMachine *machine, const char *order,
                    LunaConv2dDesc *desc) {
  LunaConv2dDesc packed = *desc;
  LunaTiling tiling;
  int32_t extents[LUNA_WEIGHT_AXES];
  if (!luna_weight_layout_read(order, packed.weight_layout))
    return false;
  luna_conv2d_weights(desc, extents);
  int64_t count = luna_weight_layout_count(packed.weight_layout, extents);
  if (count > INT32_MAX)
    return false;
  packed.weight = (LunaTensorDesc){
      .type = LUNA_TYPE_I8,
      .dims = {1, 1, 1, (int32_t)count},
      .strides = {(int32_t)count, (int32_t)count, (int32_t)count, 1}};
  packed.weight_kernel[0] = extents[LUNA_WEIGHT_ROW];
  packed.weight_kernel[1] = extents[LUNA_WEIGHT_COLUMN];
  if (!luna_tiling_conv2d(machine, &packed,
                          (int64_t)(machine->shared.bytes / 2), &tiling, NULL))
    return false;
  *desc = packed;
  return true;
}

// A kernel above the limit is cut into blocks of rows, all of one size.
bool luna_tiling_pack(const LunaMachine *machine, LunaConv2dDesc *desc) {
  const char *order = luna_conv2d_layout(machine, desc);
  char cut[LUNA_WEIGHT_LAYOUT_MAX + 1];
  if (desc->weight.type != LUNA_TYPE_I8 || desc->weight_zero_point != 0)
    return false;
  if (pack_as(machine, order, desc))
    return true;
  int32_t taps = luna_conv2d_taps(desc, 0);
  for (int32_t rows = (int32_t)machine->conv.kernel_max; rows > 0; --rows)
    if (taps > rows && taps % rows == 0 &&
        luna_weight_layout_cut(order, rows, cut) && pack_as(machine, cut, desc))
      return true;
  return false;
}

static bool check_matmul(const LunaMatmulDesc *desc, LunaError *error) {
  if (!check_tensor(&desc->lhs, "left matrix", error) ||
      !check_tensor(&desc->rhs, "right matrix", error) ||
      !check_tensor(&desc->output, "output", error))
    return false;
  const int32_t *lhs = desc->lhs.dims, *rhs = desc->rhs.dims;
  const int32_t *out = desc->output.dims;
  int32_t depth = rhs[desc->rhs_transposed ? 3 : 2];
  int32_t columns = rhs[desc->rhs_transposed ? 2 : 3];
  if (lhs[0] != 1 || rhs[0] != 1 || out[0] != 1 || lhs[1] != out[1] ||
      rhs[1] != out[1] || lhs[2] != out[2] || columns != out[3] ||
      lhs[3] != depth)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "matrices of %d x %d x %d and %d x %d x %d do not "
                          "give %d x %d x %d",
                          lhs[1], lhs[2], lhs[3], rhs[1], depth, columns,
                          out[1], out[2], out[3]);
  return true;
}

bool luna_tiling_matmul(const LunaMachine *machine, const LunaMatmulDesc *desc,
                        int64_t scratch_limit_bytes, LunaTiling *tiling,
                        LunaError *error) {
  LunaVectorChain chain = luna_chain_empty();
  if (!check_matmul(desc, error))
    return false;
  LunaTilingProblem problem = {
      .context = {.machine = machine,
                  .input_type = desc->lhs.type,
                  .weight_type = desc->rhs.type,
                  .output_type = desc->output.type,
                  .finish = finish_of(machine, &desc->tiling, &desc->requant,
                                      &desc->bias, desc->output.type, &chain),
                  .chain = &chain,
                  .tile = luna_matmul_tile(desc)},
      .y = luna_axis_of_matmul(desc, 0),
      .x = luna_axis_of_matmul(desc, 1),
      .channels = luna_channels_of_matmul(desc),
      .batches = (uint64_t)desc->output.dims[1],
      .scratch_limit_bytes = scratch_limit_bytes,
  };
  if (!solve(&problem, tiling, error))
    return false;
  tiling->out_c = 1;
  return true;
}

LunaConv2dDesc luna_pool_conv2d(const LunaPoolDesc *desc) {
  LunaConv2dDesc conv = {
      .kind = LUNA_CONV_DEPTHWISE,
      .input = desc->input,
      .weight = {.type = desc->input.type,
                 .dims = {desc->kernel[0], desc->kernel[1], desc->input.dims[3],
                          1}},
      .output = desc->output,
      .stride = {desc->stride[0], desc->stride[1]},
      .dilation = {1, 1},
      .requant = {.mode = LUNA_REQUANT_NONE},
      .tiling = desc->tiling,
  };
  for (int i = 0; i < 4; ++i)
    conv.pad[i] = desc->pad[i];
  return conv;
}

bool luna_tiling_pool(const LunaMachine *machine, const LunaPoolDesc *desc,
                      LunaConv2dDesc *conv, LunaError *error) {
  *conv = luna_pool_conv2d(desc);
  if (desc->kind == LUNA_POOL_AVERAGE && !machine->requant_multiplier)
    conv->requant.mode = LUNA_REQUANT_MULTIPLIER;
  return luna_tiling_conv2d(machine, conv, INT32_MAX, &conv->tiling, error);
}
