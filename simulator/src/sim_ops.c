#include "kernel_product.h"
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

// Either of them: its descriptor, its operands and the launches that it makes.
typedef struct ProductCall {
  LunaSimCall call;
  LunaProductDesc desc;
  LunaKernelOperands operands;
  LunaTensorDesc scratch;
  LunaTiles tiles;
} ProductCall;

static LunaTensorDesc scratch_desc(const LunaTensorDesc *scratch,
                                   int32_t bytes) {
  int32_t sums = bytes / LUNA_KERNEL_SUM_BYTES;
  return (LunaTensorDesc){.type = LUNA_TYPE_I32,
                          .dims = {1, 1, 1, sums > 0 ? sums : 0},
                          .strides = {sums, sums, sums, 1},
                          .buffer = scratch->buffer,
                          .content = LUNA_NO_ID};
}

static bool admit_product(ProductCall *product, const char *input,
                          const char *weight, const LunaTensorDesc *scratch) {
  LunaSimCall *call = &product->call;
  const LunaProductDesc *desc = &product->desc;
  const LunaKernelOperands *operands = &product->operands;
  product->scratch = scratch_desc(scratch, desc->tiling->scratch_bytes);
  bool has_table = luna_requant_has_table(desc->requant);
  luna_sim_call_add(call, input, desc->input, operands->input, false);
  luna_sim_call_add(call, weight, desc->weight, operands->weight, false);
  luna_sim_call_add_optional(call, "bias", desc->bias, operands->bias, false);
  luna_sim_call_add_optional(call, "table", desc->table,
                             has_table ? operands->table : NULL, false);
  luna_sim_call_add_optional(call, "scratch", &product->scratch,
                             operands->scratch, true);
  luna_sim_call_add(call, "output", desc->output, operands->output, true);
  return luna_sim_call_admit(call);
}

static int64_t tile_bytes(const LunaLaunch *launch) {
  return (int64_t)launch->y.tile.count * launch->x.tile.count *
         launch->out_c.count * LUNA_KERNEL_SUM_BYTES;
}

// Whether the scratch holds the tile of a launch that needs it.
static bool check_scratch(ProductCall *product, const LunaLaunch *launch) {
  int64_t bytes = product->operands.scratch ? product->scratch.dims[3] *
                                                  (int64_t)LUNA_KERNEL_SUM_BYTES
                                            : 0;
  if (!luna_product_in_scratch(product->desc.tiling, launch) ||
      tile_bytes(launch) <= bytes)
    return true;
  LunaError error = {0};
  luna_error_set(&error, LUNA_ERROR_CAPACITY, LUNA_ERROR_NO_ITEM,
                 "a tile needs %lld bytes of scratch, the operator has %lld",
                 (long long)tile_bytes(launch), (long long)bytes);
  report_launch(&product->call, error.message);
  return false;
}

// Checks every launch; false if one would leave the scratch.
static bool check_launches(ProductCall *product) {
  const LunaProductDesc *desc = &product->desc;
  const LunaMachine *machine = &product->call.sim->machine;
  LunaLaunch launch;
  LunaError error = {0};
  bool is_legal =
      desc->tiling->host_requant ||
      luna_requant_is_native(machine, desc->requant, desc->output->type);
  if (!is_legal)
    report_launch(&product->call, "the unit cannot requantise so, and the "
                                  "tiling does not leave it to the core");
  while (luna_tiles_next(&product->tiles, &launch)) {
    if (!check_scratch(product, &launch))
      return false;
    if (is_legal && !launch.is_empty &&
        !luna_launch_check(machine, &launch, desc->input->type,
                           desc->weight->type, &error)) {
      is_legal = false;
      report_launch(&product->call, error.message);
    }
  }
  return true;
}

void luna_rt_conv2d(const LunaConv2dDesc *desc, const void *input,
                    const void *weight, const void *bias, const void *table,
                    void *scratch, void *output) {
  ProductCall product = {
      .call = {.sim = luna_sim_active(desc->op), .op = desc->op},
      .desc = luna_product_of_conv2d(desc),
      .operands = {input, weight, bias, table, scratch, output},
  };
  luna_tiles_conv2d_begin(&product.tiles, desc);
  LunaCost cost = {0};
  if (admit_product(&product, "input", "weight", &desc->scratch) &&
      is_sound(&product.call, luna_sim_judge_conv2d(desc, bias, table))) {
    if (check_launches(&product))
      luna_kernel_conv2d(desc, &product.operands);
    cost = luna_cost_conv2d(&product.call.sim->machine, desc);
  }
  luna_sim_call_finish(&product.call, cost);
}

void luna_rt_matmul(const LunaMatmulDesc *desc, const void *lhs,
                    const void *rhs, const void *bias, const void *table,
                    void *scratch, void *output) {
  ProductCall product = {
      .call = {.sim = luna_sim_active(desc->op), .op = desc->op},
      .desc = luna_product_of_matmul(desc),
      .operands = {lhs, rhs, bias, table, scratch, output},
  };
  luna_tiles_matmul_begin(&product.tiles, desc);
  LunaCost cost = {0};
  if (admit_product(&product, "left matrix", "right matrix", &desc->scratch) &&
      is_sound(&product.call, luna_sim_judge_matmul(desc, bias, table))) {
    if (check_launches(&product))
      luna_kernel_matmul(desc, &product.operands);
    cost = luna_cost_matmul(&product.call.sim->machine, desc);
  }
  luna_sim_call_finish(&product.call, cost);
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
