#include "kernel_numbers.h"
#include "kernels.h"
#include "luna/tiles.h"

// A matrix product, launch by launch: rows of the left matrix times columns of
// the right one, both unpacked to 16 bits less their zero points.

typedef struct Matmul {
  const LunaMatmulDesc *desc;
  const LunaKernelOperands *operands;
  LunaRequant requant;
  bool is_wide;
  int16_t *columns;  // of a launch: [column][depth]
  LunaLaunch packed; // the launch whose columns they are
  int16_t *row;
  int64_t *biases; // by column
  int64_t *sums;   // of one row of the launch, by column
} Matmul;

static bool same(LunaRange a, LunaRange b) {
  return a.start == b.start && a.count == b.count && a.step == b.step;
}

static void pack_columns(Matmul *matmul, const LunaLaunch *launch) {
  const LunaMatmulDesc *desc = matmul->desc;
  const LunaTensorDesc *rhs = &desc->rhs;
  const LunaLaunch *packed = &matmul->packed;
  if (packed->batch == launch->batch && same(packed->x.out, launch->x.out) &&
      same(packed->in_c, launch->in_c))
    return;
  int32_t depth = launch->in_c.count, first = launch->in_c.start;
  for (int32_t i = 0; i < launch->x.out.count; ++i) {
    int32_t column = launch->x.out.start + i;
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

static void sum_row(Matmul *matmul, const LunaLaunch *launch, int32_t row) {
  const LunaMatmulDesc *desc = matmul->desc;
  int64_t depth = launch->in_c.count;
  luna_load_shorts(matmul->row,
                   luna_element(matmul->operands->input, &desc->lhs, 0,
                                launch->batch, row, launch->in_c.start),
                   desc->lhs.type, desc->lhs.strides[3], launch->in_c.count,
                   desc->lhs_zero_point);
  for (int32_t i = 0; i < launch->x.out.count; ++i) {
    const int16_t *column = matmul->columns + i * depth;
    matmul->sums[i] = matmul->is_wide
                          ? luna_dot_wide(matmul->row, column, depth)
                          : luna_dot(matmul->row, column, depth);
  }
}

static void store_row(Matmul *matmul, const LunaLaunch *launch, int32_t row) {
  const LunaTensorDesc *output = &matmul->desc->output;
  LunaRange columns = launch->x.tile;
  luna_requant_sums(&matmul->requant, matmul->sums, columns.start, 1,
                    columns.count);
  void *to = (uint8_t *)matmul->operands->output +
             luna_element_offset(output, 0, launch->batch, row, columns.start);
  luna_store_longs(to, matmul->sums, output->type, output->strides[3],
                   columns.count);
}

static void run_direct(Matmul *matmul, const LunaLaunch *launch) {
  for (int32_t i = 0; i < launch->y.out.count; ++i) {
    int32_t row = launch->y.out.start + i;
    sum_row(matmul, launch, row);
    for (int32_t k = 0; k < launch->x.out.count; ++k) {
      int64_t sum = luna_wrap_add(matmul->sums[k],
                                  matmul->biases[launch->x.out.start + k]);
      matmul->sums[k] = matmul->is_wide ? sum : luna_wrap_i32(sum);
    }
    store_row(matmul, launch, row);
  }
}

// Partial sums: the tile lies in the scratch, [row][column].
static void run_partial(Matmul *matmul, const LunaLaunch *launch) {
  int32_t columns = launch->x.tile.count;
  for (int32_t i = 0; i < launch->y.tile.count; ++i) {
    int32_t *sums = (int32_t *)matmul->operands->scratch + (int64_t)i * columns;
    sum_row(matmul, launch, launch->y.tile.start + i);
    for (int32_t k = 0; k < columns; ++k) {
      int64_t before =
          launch->is_first ? matmul->biases[launch->x.tile.start + k] : sums[k];
      sums[k] = luna_wrap_i32(luna_wrap_add(before, matmul->sums[k]));
      matmul->sums[k] = sums[k];
    }
    if (launch->is_last)
      store_row(matmul, launch, launch->y.tile.start + i);
  }
}

static void run_launch(Matmul *matmul, const LunaLaunch *launch) {
  pack_columns(matmul, launch);
  bool is_whole = launch->is_first && launch->is_last;
  if (is_whole && !matmul->desc->tiling.host_requant)
    run_direct(matmul, launch);
  else
    run_partial(matmul, launch);
}

static int64_t *load_biases(LunaArena *arena, const LunaMatmulDesc *desc,
                            const void *bias) {
  int32_t columns = desc->output.dims[3];
  int64_t *biases = LUNA_ARENA_ARRAY(arena, int64_t, columns);
  if (bias)
    luna_load_longs(biases, bias, desc->bias.type,
                    desc->bias.dims[3] == 1 ? 0 : desc->bias.strides[3],
                    columns, 0);
  return biases;
}

void luna_kernel_matmul(const LunaMatmulDesc *desc,
                        const LunaKernelOperands *operands) {
  LunaArena arena = {0};
  int32_t columns = desc->output.dims[3], depth = desc->lhs.dims[3];
  Matmul matmul = {
      .desc = desc,
      .operands = operands,
      .requant = luna_requant_prepare(&arena, &desc->requant, &desc->table,
                                      operands->table, columns),
      .is_wide = desc->lhs.type == LUNA_TYPE_I16,
      .columns = LUNA_ARENA_ARRAY(&arena, int16_t, (int64_t)columns *depth),
      .row = LUNA_ARENA_ARRAY(&arena, int16_t, depth),
      .biases = load_biases(&arena, desc, operands->bias),
      .sums = LUNA_ARENA_ARRAY(&arena, int64_t, columns),
  };
  LunaTiles tiles;
  LunaLaunch launch;
  luna_tiles_matmul_begin(&tiles, desc);
  while (luna_tiles_next(&tiles, &launch))
    run_launch(&matmul, &launch);
  luna_arena_destroy(&arena);
}
