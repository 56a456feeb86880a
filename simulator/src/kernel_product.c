#include "kernel_product.h"

#include "luna/core.h"

static int64_t *load_biases(LunaArena *arena, const LunaTensorDesc *desc,
                            const void *bias, int32_t channels) {
  int64_t *biases = LUNA_ARENA_ARRAY(arena, int64_t, channels);
  if (bias)
    luna_load_longs(biases, bias, desc->type,
                    desc->dims[3] == 1 ? 0 : desc->strides[3], channels, 0);
  return biases;
}

LunaProduct luna_product_begin(LunaArena *arena, const LunaProductDesc *desc,
                               const LunaKernelOperands *operands) {
  int32_t channels = desc->output->dims[3];
  return (LunaProduct){
      .is_wide = desc->input->type == LUNA_TYPE_I16,
      .sums = LUNA_ARENA_ARRAY(arena, int64_t, channels),
      .requant = luna_requant_prepare(arena, desc->requant, desc->table,
                                      operands->table, channels),
      .tiling = desc->tiling,
      .biases = load_biases(arena, desc->bias, operands->bias, channels),
      .scratch = operands->scratch,
      .output = *desc->output,
      .output_data = operands->output,
  };
}

// Stores the sums of the output at (y, x).
static void store_sums(LunaProduct *product, const LunaLaunch *launch,
                       int32_t y, int32_t x) {
  const LunaTensorDesc *output = &product->output;
  LunaRange channels = launch->out_c;
  luna_requant_sums(&product->requant, product->sums, channels.start,
                    channels.step, channels.count);
  void *to = (uint8_t *)product->output_data +
             luna_element_offset(output, launch->batch, y, x, channels.start);
  luna_store_longs(to, product->sums, output->type,
                   (int64_t)output->strides[3] * channels.step, channels.count);
}

static void run_direct(LunaProduct *product, const LunaLaunch *launch) {
  for (int32_t i = 0; i < launch->y.out.count; ++i)
    for (int32_t k = 0; k < launch->x.out.count; ++k) {
      product->sum(product, launch, i, k);
      for (int32_t c = 0; c < launch->out_c.count; ++c) {
        int64_t bias = product->biases[luna_range_at(launch->out_c, c)];
        int64_t sum = luna_wrap_add(product->sums[c], bias);
        product->sums[c] = product->is_wide ? sum : luna_wrap_i32(sum);
      }
      store_sums(product, launch, luna_range_at(launch->y.out, i),
                 luna_range_at(launch->x.out, k));
    }
}

// Partial sums: the tile lies in the scratch, [y][x][c].
static int32_t *scratch_at(const LunaProduct *product, const LunaLaunch *launch,
                           int32_t row, int32_t column) {
  int64_t element = (int64_t)row * launch->x.tile.count + column;
  return product->scratch + element * launch->out_c.count;
}

static void start_tile(LunaProduct *product, const LunaLaunch *launch) {
  for (int32_t i = 0; i < launch->y.tile.count; ++i)
    for (int32_t k = 0; k < launch->x.tile.count; ++k) {
      int32_t *sums = scratch_at(product, launch, i, k);
      for (int32_t c = 0; c < launch->out_c.count; ++c)
        sums[c] =
            luna_wrap_i32(product->biases[luna_range_at(launch->out_c, c)]);
    }
}

static void add_to_tile(LunaProduct *product, const LunaLaunch *launch) {
  const LunaLaunchAxis *y = &launch->y, *x = &launch->x;
  int32_t first_row = (y->out.start - y->tile.start) / y->tile.step;
  int32_t first_column = (x->out.start - x->tile.start) / x->tile.step;
  for (int32_t i = 0; i < y->out.count; ++i)
    for (int32_t k = 0; k < x->out.count; ++k) {
      product->sum(product, launch, i, k);
      int32_t *sums =
          scratch_at(product, launch, first_row + i, first_column + k);
      for (int32_t c = 0; c < launch->out_c.count; ++c)
        sums[c] = luna_wrap_i32(luna_wrap_add(sums[c], product->sums[c]));
    }
}

// The core requantises a tile as it lies in the scratch.
static void finish_on_core(LunaProduct *product, const LunaLaunch *launch) {
  const LunaRequant *from = &product->requant;
  const LunaTensorDesc *output = &product->output;
  const LunaCoreRequant requant = luna_core_requant_of(from->desc);
  LunaRange range = launch->out_c;
  const LunaCoreChannels channels = {
      .multipliers = from->multipliers + range.start,
      .shifts = from->shifts + range.start,
      .step = range.step,
  };
  for (int32_t i = 0; i < launch->y.tile.count; ++i)
    for (int32_t k = 0; k < launch->x.tile.count; ++k) {
      int64_t at = luna_element_offset(
          output, launch->batch, luna_range_at(launch->y.tile, i),
          luna_range_at(launch->x.tile, k), range.start);
      luna_core_requant_row(&requant, &channels,
                            scratch_at(product, launch, i, k), range.count,
                            (uint8_t *)product->output_data + at, output->type,
                            output->strides[3] * range.step);
    }
}

static void finish_tile(LunaProduct *product, const LunaLaunch *launch) {
  if (product->tiling->host_requant) {
    finish_on_core(product, launch);
    return;
  }
  for (int32_t i = 0; i < launch->y.tile.count; ++i)
    for (int32_t k = 0; k < launch->x.tile.count; ++k) {
      const int32_t *sums = scratch_at(product, launch, i, k);
      for (int32_t c = 0; c < launch->out_c.count; ++c)
        product->sums[c] = sums[c];
      store_sums(product, launch, luna_range_at(launch->y.tile, i),
                 luna_range_at(launch->x.tile, k));
    }
}

bool luna_product_in_scratch(const LunaTiling *tiling,
                             const LunaLaunch *launch) {
  return tiling->host_requant || !launch->is_first || !launch->is_last ||
         !launch->covers_tile || launch->is_empty;
}

void luna_product_launch(LunaProduct *product, const LunaLaunch *launch) {
  if (!launch->is_empty)
    product->pack(product, launch);
  if (!luna_product_in_scratch(product->tiling, launch)) {
    run_direct(product, launch);
    return;
  }
  if (launch->is_first)
    start_tile(product, launch);
  if (!launch->is_empty)
    add_to_tile(product, launch);
  if (launch->is_last)
    finish_tile(product, launch);
}
