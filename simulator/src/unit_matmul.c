#include "sim_judge.h"
#include "sim_product.h"
#include "sim_unit.h"

// Matrix products: their descriptors, and the calls that run them.

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

void luna_kernel_matmul(const LunaMatmulDesc *desc,
                        const LunaKernelOperands *operands) {
  LunaArena arena = {0};
  int32_t word_count = 0;
  const LunaProductRecord *record =
      luna_launches_matmul(desc, &arena, &word_count, NULL);
  if (record)
    luna_sim_unit_run(NULL, record, operands);
  luna_arena_destroy(&arena);
}

static void run(LunaSimCall *call, const LunaMatmulDesc *desc,
                const LunaProductRecord *launches,
                const LunaKernelOperands *operands) {
  LunaArena arena = {0};
  LunaError error = {0};
  int32_t word_count = 0;
  const LunaProductRecord *expected =
      luna_launches_matmul(desc, &arena, &word_count, &error);
  luna_sim_product_run(call, expected, launches, &error, operands);
  luna_arena_destroy(&arena);
}

void luna_rt_matmul(const LunaMatmulDesc *desc,
                    const LunaProductRecord *launches, const int32_t *ids,
                    const void *lhs, const void *rhs, const void *bias,
                    const void *table, void *scratch, void *output) {
  LunaKernelOperands operands = {lhs, rhs, bias, table, scratch, output};
  LunaProductDesc product = product_of(desc);
  LunaTiles tiles;
  luna_tiles_matmul_begin(&tiles, desc);
  LunaSimCall call = {0};
  if (luna_sim_product_begin(&call, LUNA_UNIT_MATMUL, desc, ids, &product,
                             &operands) &&
      luna_sim_call_accept(&call, luna_sim_judge_matmul(desc, &operands)) &&
      luna_sim_product_fits(&call, &product, &operands, &tiles))
    run(&call, desc, launches, &operands);
  luna_sim_call_finish(&call);
}
