#include "luna/core.h"
#include "sim_product.h"

// Matrix products: their descriptors, and the calls that run them.

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

static const LunaProductRecord *launches_of(const void *desc, LunaArena *arena,
                                            int32_t *word_count,
                                            LunaError *error) {
  return luna_launches_matmul(desc, arena, word_count, error);
}

static LunaSimProduct product_of(const LunaMatmulDesc *desc) {
  LunaSimProduct product = {
      .unit_class = LUNA_UNIT_MATMUL,
      .desc = desc,
      .input = &desc->lhs,
      .weight = &desc->rhs,
      .bias = &desc->bias,
      .table = &desc->table,
      .scratch = &desc->scratch,
      .output = &desc->output,
      .input_zero_point = desc->lhs_zero_point,
      .weight_zero_point = desc->rhs_zero_point,
      .classes = 1,
      .requant = &desc->requant,
      .tiling = &desc->tiling,
      .shape_fault = judge_shape(desc),
      .launches = launches_of,
  };
  luna_tiles_matmul_begin(&product.tiles, desc);
  return product;
}

const char *luna_sim_judge_matmul(const LunaMatmulDesc *desc,
                                  const LunaKernelOperands *operands) {
  LunaSimProduct product = product_of(desc);
  return luna_sim_product_judge(&product, operands);
}

void luna_kernel_matmul(const LunaMatmulDesc *desc,
                        const LunaKernelOperands *operands) {
  LunaSimProduct product = product_of(desc);
  luna_sim_product_compute(&product, operands);
}

void luna_rt_matmul(const LunaMatmulDesc *desc,
                    const LunaProductRecord *launches, const int32_t *ids,
                    const void *lhs, const void *rhs, const void *bias,
                    const void *table, void *scratch, void *output) {
  LunaKernelOperands operands = {lhs, rhs, bias, table, scratch, output};
  if (!desc) { // a program without checks
    luna_core_product(launches, &operands);
    return;
  }
  LunaSimProduct product = product_of(desc);
  luna_sim_product_call(&product, launches, ids, &operands);
}
