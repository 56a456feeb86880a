#include "kernel_numbers.h"
#include "kernels.h"
#include "luna/tiles.h"
#include "sim_active.h"
#include "sim_hazard.h"
#include "sim_judge.h"
#include "sim_operands.h"

// The operators of the runtime API.

static bool is_sound(LunaSimCall *call, const char *fault) {
  return !fault || luna_sim_call_refuse(call, fault);
}

static void report_launch(LunaSimCall *call, const char *fault) {
  luna_sim_hazard(call->sim, LUNA_HAZARD_BAD_LAUNCH,
                  luna_sim_place_of_op(call->op), "%s", fault);
}

//===- Convolution and matrix product -------------------------------------===//

// What the launches of a tiled operator must keep to.
typedef struct LaunchRules {
  int32_t input_type, weight_type, output_type;
  const LunaRequantDesc *requant;
  const LunaTiling *tiling;
  int64_t scratch_bytes; // given
} LaunchRules;

static int64_t tile_bytes(const LunaLaunch *launch) {
  return (int64_t)launch->y.tile.count * launch->x.tile.count *
         launch->out_c.count * LUNA_KERNEL_SUM_BYTES;
}

// Whether the launch leaves sums in the scratch, as the kernels do.
static bool uses_scratch(const LaunchRules *rules, const LunaLaunch *launch) {
  bool covers = launch->covers_tile || launch->kind == LUNA_LAUNCH_MATMUL;
  return rules->tiling->host_requant || !launch->is_first || !launch->is_last ||
         !covers || launch->is_empty;
}

// Checks every launch; false if one would leave the scratch.
static bool check_launches(LunaSimCall *call, LunaTiles *tiles,
                           const LaunchRules *rules) {
  LunaLaunch launch;
  LunaError error = {0};
  bool is_legal = true;
  if (!rules->tiling->host_requant &&
      !luna_requant_is_native(&call->sim->machine, rules->requant,
                              rules->output_type)) {
    is_legal = false;
    report_launch(call, "the unit cannot requantise so, and the tiling does "
                        "not leave it to the core");
  }
  while (luna_tiles_next(tiles, &launch)) {
    if (uses_scratch(rules, &launch) &&
        tile_bytes(&launch) > rules->scratch_bytes) {
      luna_error_set(&error, LUNA_ERROR_CAPACITY, LUNA_ERROR_NO_ITEM,
                     "a tile needs %lld bytes of scratch, the operator has "
                     "%lld",
                     (long long)tile_bytes(&launch),
                     (long long)rules->scratch_bytes);
      report_launch(call, error.message);
      return false;
    }
    if (is_legal && !launch.is_empty &&
        !luna_launch_check(&call->sim->machine, &launch, rules->input_type,
                           rules->weight_type, &error)) {
      is_legal = false;
      report_launch(call, error.message);
    }
  }
  return true;
}

static LunaTensorDesc scratch_desc(const LunaTensorDesc *scratch,
                                   int32_t bytes) {
  int32_t sums = bytes / LUNA_KERNEL_SUM_BYTES;
  return (LunaTensorDesc){.type = LUNA_TYPE_I32,
                          .dims = {1, 1, 1, sums > 0 ? sums : 0},
                          .strides = {sums, sums, sums, 1},
                          .buffer = scratch->buffer,
                          .content = LUNA_NO_ID};
}

void luna_rt_conv2d(const LunaConv2dDesc *desc, const void *input,
                    const void *weight, const void *bias, const void *table,
                    void *scratch, void *output) {
  LunaSimCall call = {.sim = luna_sim_active(desc->op), .op = desc->op};
  LunaTensorDesc sums =
      scratch_desc(&desc->scratch, desc->tiling.scratch_bytes);
  bool has_table = luna_requant_has_table(&desc->requant);
  luna_sim_call_add(&call, "input", &desc->input, input, false);
  luna_sim_call_add(&call, "weight", &desc->weight, weight, false);
  luna_sim_call_add_optional(&call, "bias", &desc->bias, bias, false);
  luna_sim_call_add_optional(&call, "table", &desc->table,
                             has_table ? table : NULL, false);
  luna_sim_call_add_optional(&call, "scratch", &sums, scratch, true);
  luna_sim_call_add(&call, "output", &desc->output, output, true);
  LunaCost cost = {0};
  if (luna_sim_call_admit(&call) &&
      is_sound(&call, luna_sim_judge_conv2d(desc, bias, table))) {
    LunaTiles tiles;
    LaunchRules rules = {.input_type = desc->input.type,
                         .weight_type = desc->weight.type,
                         .output_type = desc->output.type,
                         .requant = &desc->requant,
                         .tiling = &desc->tiling,
                         .scratch_bytes = scratch ? 4ll * sums.dims[3] : 0};
    LunaKernelOperands operands = {input, weight, bias, table, scratch, output};
    luna_tiles_conv2d_begin(&tiles, desc);
    if (check_launches(&call, &tiles, &rules))
      luna_kernel_conv2d(desc, &operands);
    cost = luna_cost_conv2d(&call.sim->machine, desc);
  }
  luna_sim_call_finish(&call, cost);
}

void luna_rt_matmul(const LunaMatmulDesc *desc, const void *lhs,
                    const void *rhs, const void *bias, const void *table,
                    void *scratch, void *output) {
  LunaSimCall call = {.sim = luna_sim_active(desc->op), .op = desc->op};
  LunaTensorDesc sums =
      scratch_desc(&desc->scratch, desc->tiling.scratch_bytes);
  bool has_table = luna_requant_has_table(&desc->requant);
  luna_sim_call_add(&call, "left matrix", &desc->lhs, lhs, false);
  luna_sim_call_add(&call, "right matrix", &desc->rhs, rhs, false);
  luna_sim_call_add_optional(&call, "bias", &desc->bias, bias, false);
  luna_sim_call_add_optional(&call, "table", &desc->table,
                             has_table ? table : NULL, false);
  luna_sim_call_add_optional(&call, "scratch", &sums, scratch, true);
  luna_sim_call_add(&call, "output", &desc->output, output, true);
  LunaCost cost = {0};
  if (luna_sim_call_admit(&call) &&
      is_sound(&call, luna_sim_judge_matmul(desc, bias, table))) {
    LunaTiles tiles;
    LaunchRules rules = {.input_type = desc->lhs.type,
                         .weight_type = desc->rhs.type,
                         .output_type = desc->output.type,
                         .requant = &desc->requant,
                         .tiling = &desc->tiling,
                         .scratch_bytes = scratch ? 4ll * sums.dims[3] : 0};
    LunaKernelOperands operands = {lhs, rhs, bias, table, scratch, output};
    luna_tiles_matmul_begin(&tiles, desc);
    if (check_launches(&call, &tiles, &rules))
      luna_kernel_matmul(desc, &operands);
    cost = luna_cost_matmul(&call.sim->machine, desc);
  }
  luna_sim_call_finish(&call, cost);
}

//===- The others ---------------------------------------------------------===//

void luna_rt_eltwise(const LunaEltwiseDesc *desc, const void *lhs,
                     const void *rhs, void *output) {
  LunaSimCall call = {
      .sim = luna_sim_active(desc->op), .op = desc->op, .is_elementwise = true};
  luna_sim_call_add(&call, "left operand", &desc->lhs, lhs, false);
  luna_sim_call_add(&call, "right operand", &desc->rhs, rhs, false);
  luna_sim_call_add(&call, "output", &desc->output, output, true);
  LunaCost cost = {0};
  if (luna_sim_call_admit(&call) &&
      is_sound(&call, luna_sim_judge_eltwise(desc))) {
    luna_kernel_eltwise(desc, lhs, rhs, output);
    cost = luna_cost_eltwise(&call.sim->machine, desc);
  }
  luna_sim_call_finish(&call, cost);
}

void luna_rt_pool(const LunaPoolDesc *desc, const void *input, void *output) {
  LunaSimCall call = {.sim = luna_sim_active(desc->op), .op = desc->op};
  luna_sim_call_add(&call, "input", &desc->input, input, false);
  luna_sim_call_add(&call, "output", &desc->output, output, true);
  LunaCost cost = {0};
  if (luna_sim_call_admit(&call) &&
      is_sound(&call, luna_sim_judge_pool(desc))) {
    luna_kernel_pool(desc, input, output);
    cost = luna_cost_pool(&call.sim->machine, desc);
  }
  luna_sim_call_finish(&call, cost);
}

void luna_rt_table(const LunaTableDesc *desc, const void *input,
                   const void *table, void *output) {
  LunaSimCall call = {
      .sim = luna_sim_active(desc->op), .op = desc->op, .is_elementwise = true};
  luna_sim_call_add(&call, "input", &desc->input, input, false);
  luna_sim_call_add(&call, "table", &desc->table, table, false);
  luna_sim_call_add(&call, "output", &desc->output, output, true);
  LunaCost cost = {0};
  if (luna_sim_call_admit(&call) &&
      is_sound(&call, luna_sim_judge_table(desc))) {
    luna_kernel_table(desc, input, table, output);
    cost = luna_cost_table(&call.sim->machine, desc);
  }
  luna_sim_call_finish(&call, cost);
}

void luna_rt_copy(const LunaCopyDesc *desc, const void *source, void *target) {
  LunaSimCall call = {.sim = luna_sim_active(desc->op),
                      .op = desc->op,
                      .is_elementwise = true,
                      .is_copy = true};
  luna_sim_call_add(&call, "source", &desc->source, source, false);
  luna_sim_call_add(&call, "target", &desc->target, target, true);
  LunaCost cost = {0};
  if (luna_sim_call_admit(&call) &&
      is_sound(&call, luna_sim_judge_copy(desc))) {
    luna_kernel_copy(desc, source, target);
    cost = luna_cost_copy(&call.sim->machine, desc);
  }
  luna_sim_call_finish(&call, cost);
}

void luna_rt_fill(const LunaFillDesc *desc, void *target) {
  LunaSimCall call = {.sim = luna_sim_active(desc->op), .op = desc->op};
  luna_sim_call_add(&call, "target", &desc->target, target, true);
  LunaCost cost = {0};
  if (luna_sim_call_admit(&call) &&
      is_sound(&call, luna_sim_judge_fill(desc))) {
    luna_kernel_fill(desc, target);
    cost = luna_cost_fill(&call.sim->machine, desc);
  }
  luna_sim_call_finish(&call, cost);
}

//===- Symbols ------------------------------------------------------------===//

#define SYMBOL(function) {#function, (void (*)(void))(function)}

const LunaRuntimeSymbol *luna_simulator_symbols(uint64_t *count) {
  static const LunaRuntimeSymbol symbols[] = {
      SYMBOL(luna_rt_dma_start),    SYMBOL(luna_rt_dma_wait),
      SYMBOL(luna_rt_conv2d),       SYMBOL(luna_rt_matmul),
      SYMBOL(luna_rt_eltwise),      SYMBOL(luna_rt_pool),
      SYMBOL(luna_rt_table),        SYMBOL(luna_rt_copy),
      SYMBOL(luna_rt_fill),         SYMBOL(luna_rt_host_begin),
      SYMBOL(luna_rt_host_operand), SYMBOL(luna_rt_host_end),
      SYMBOL(luna_rt_branch),       SYMBOL(luna_rt_loop_iteration),
  };
  *count = sizeof symbols / sizeof symbols[0];
  return symbols;
}
