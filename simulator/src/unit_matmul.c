#include "sim_clock.h"
#include "sim_judge.h"
#include "sim_launch_time.h"
#include "sim_product.h"

// A matrix product, launch by launch: rows of the left matrix times columns of
// the right one, both unpacked to 16 bits minus their zero points.

static LunaProductDesc product_of(const LunaMatmulDesc *desc) {
  return (LunaProductDesc){
      .input = &desc->lhs,
      .weight = &desc->rhs,
      .bias = &desc->bias,
      .table = &desc->table,
      .scratch = &desc->scratch,
      .output = &desc->output,
      .input_zero_point = desc->lhs_zero_point,
      .weight_zero_point = desc->rhs_zero_point,
      .requant = &desc->requant,
      .tiling = &desc->tiling,
  };
}

static const char *judge_shape(const LunaMatmulDesc *desc) {
  const int32_t *lhs = desc->lhs.dims, *rhs = desc->rhs.dims;
  const int32_t *out = desc->output.dims;
  int32_t depth = rhs[desc->rhs_transposed ? 3 : 2];
  int32_t columns = rhs[desc->rhs_transposed ? 2 : 3];
  bool fits = lhs[0] == 1 && rhs[0] == 1 && out[0] == 1 && lhs[1] == out[1] &&
              rhs[1] == out[1] && lhs[2] == out[2] && columns == out[3] &&
              depth == lhs[3];
  return fits ? NULL : "matrices do not fit each other";
}

const char *luna_sim_judge_matmul(const LunaMatmulDesc *desc,
                                  const LunaKernelOperands *operands) {
  LunaProductDesc product = product_of(desc);
  const char *fault = luna_judge_product(&product);
  if (!fault)
    fault = judge_shape(desc);
  return fault ? fault : luna_judge_sums(&product, operands);
}

typedef struct Matmul {
  LunaProduct product;
  const LunaMatmulDesc *desc;
  const LunaKernelOperands *operands;
  int16_t *columns;  // of a launch: [column][depth]
  LunaLaunch packed; // the launch whose columns they are
  int16_t *row;
} Matmul;

static void pack_columns(LunaProduct *product, const LunaLaunch *launch) {
  Matmul *matmul = (Matmul *)product;
  const LunaMatmulDesc *desc = matmul->desc;
  const LunaTensorDesc *rhs = &desc->rhs;
  const LunaLaunch *packed = &matmul->packed;
  if (packed->batch == launch->batch &&
      luna_range_equal(packed->out_c, launch->out_c) &&
      luna_range_equal(packed->in_c, launch->in_c))
    return;
  int32_t depth = launch->in_c.count, first = launch->in_c.start;
  for (int32_t i = 0; i < launch->out_c.count; ++i) {
    int32_t column = launch->out_c.start + i;
    const void *from = desc->rhs_transposed
                           ? luna_element(matmul->operands->weight, rhs, 0,
                                          launch->batch, column, first)
                           : luna_element(matmul->operands->weight, rhs, 0,
                                          launch->batch, first, column);
    luna_load_shorts(matmul->columns + (int64_t)i * depth, from, rhs->type,
                     rhs->strides[desc->rhs_transposed ? 3 : 2], depth,
                     desc->rhs_zero_point);
  }
  matmul->packed = *launch;
}

static void sum_row(LunaProduct *product, const LunaLaunch *launch, int32_t row,
                    int32_t column) {
  (void)column; // All columns at once, as channels.
  Matmul *matmul = (Matmul *)product;
  const LunaMatmulDesc *desc = matmul->desc;
  int64_t depth = launch->in_c.count;
  luna_load_shorts(
      matmul->row,
      luna_element(matmul->operands->input, &desc->lhs, 0, launch->batch,
                   luna_range_at(launch->y.out, row), launch->in_c.start),
      desc->lhs.type, desc->lhs.strides[3], launch->in_c.count,
      desc->lhs_zero_point);
  for (int32_t i = 0; i < launch->out_c.count; ++i) {
    const int16_t *other = matmul->columns + i * depth;
    product->sums[i] = product->is_wide
                           ? luna_dot_wide(matmul->row, other, depth)
                           : luna_dot(matmul->row, other, depth);
  }
}

// The launch as the product sees it, its columns as channels.
static LunaLaunch with_channels(const LunaLaunch *launch) {
  const LunaRange one = {.start = 0, .count = 1, .step = 1};
  LunaLaunch turned = *launch;
  turned.out_c = launch->x.tile;
  turned.x.tile = turned.x.out = one;
  return turned;
}

static LunaTensorDesc output_with_channels(const LunaTensorDesc *output) {
  LunaTensorDesc turned = *output;
  turned.dims[0] = output->dims[1];
  turned.dims[1] = output->dims[2];
  turned.dims[2] = 1;
  turned.strides[0] = output->strides[1];
  turned.strides[1] = output->strides[2];
  turned.strides[2] = 0;
  return turned;
}

void luna_kernel_matmul(const LunaMatmulDesc *desc,
                        const LunaKernelOperands *operands) {
  LunaArena arena = {0};
  int32_t columns = desc->output.dims[3], depth = desc->lhs.dims[3];
  LunaProductDesc product = product_of(desc);
  Matmul matmul = {
      .product = luna_product_begin(&arena, &product, operands),
      .desc = desc,
      .operands = operands,
      .columns = LUNA_ARENA_ARRAY(&arena, int16_t, (int64_t)columns *depth),
      .row = LUNA_ARENA_ARRAY(&arena, int16_t, depth),
  };
  matmul.product.pack = pack_columns;
  matmul.product.sum = sum_row;
  matmul.product.output = output_with_channels(&desc->output);
  LunaTiles tiles;
  LunaLaunch launch;
  luna_tiles_matmul_begin(&tiles, desc);
  while (luna_tiles_next(&tiles, &launch)) {
    launch = with_channels(&launch);
    luna_product_launch(&matmul.product, &launch);
  }
  luna_arena_destroy(&arena);
}

static void pass_time(LunaSimulator *sim, const LunaMatmulDesc *desc) {
  luna_sim_clock_core(sim, sim->machine.host_cycles_per_operator);
  luna_sim_matmul_launches(sim, desc);
}

void luna_rt_matmul(const LunaMatmulDesc *desc, const void *lhs,
                    const void *rhs, const void *bias, const void *table,
                    void *scratch, void *output) {
  LunaKernelOperands operands = {lhs, rhs, bias, table, scratch, output};
  LunaProductDesc product = product_of(desc);
  LunaTiles tiles;
  luna_tiles_matmul_begin(&tiles, desc);
  LunaSimCall call = {0};
  if (luna_sim_product_begin(&call, LUNA_UNIT_MATMUL, &desc->op, &product,
                             &operands) &&
      luna_sim_call_accept(&call, luna_sim_judge_matmul(desc, &operands)) &&
      luna_sim_product_fits(&call, &product, &operands, &tiles)) {
    luna_kernel_matmul(desc, &operands);
    pass_time(call.sim, desc);
  }
  luna_sim_call_finish(&call);
}
