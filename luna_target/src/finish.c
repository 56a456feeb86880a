#include "luna/finish.h"

#include "launch_cost.h"
#include "luna/chain_cost.h"
#include "luna/eltwise_launches.h"
#include "luna/tiling.h"
#include "luna/weight_layout.h"

//===- Products -----------------------------------------------------------===//

// The fields of a product that decide.
typedef struct Product {
  const LunaTiling *tiling;
  const LunaRequantDesc *requant;
  const LunaTensorDesc *bias, *table, *output;
  LunaCoreTile tile;
  bool is_grouped; ///< the channels of a launch have others between them
} Product;

static Product product_of(LunaUnitClass unit_class, const void *desc) {
  if (unit_class == LUNA_UNIT_MATMUL) {
    const LunaMatmulDesc *matmul = desc;
    return (Product){
        .tiling = &matmul->tiling,
        .requant = &matmul->requant,
        .bias = &matmul->bias,
        .table = &matmul->table,
        .output = &matmul->output,
        .tile = luna_matmul_tile(matmul),
    };
  }
  const LunaConv2dDesc *conv = desc;
  return (Product){
      .tiling = &conv->tiling,
      .requant = &conv->requant,
      .bias = &conv->bias,
      .table = &conv->table,
      .output = &conv->output,
      .tile = luna_conv2d_tile(conv),
      .is_grouped = conv->kind == LUNA_CONV_DEPTHWISE &&
                    conv->input.dims[3] != 1 &&
                    luna_conv2d_multiplier(conv) != 1,
  };
}

// Returns true if elements that lie side by side among the sums do so in the
// output, and the form of the chain is one for how they lie.
static bool lies_as(const Product *product, LunaFinish finish) {
  const LunaCoreTile *tile = &product->tile;
  bool takes_layout = finish == LUNA_FINISH_UNIT
                          ? !tile->has_planes || !product->requant->per_channel
                          : tile->has_planes;
  return takes_layout && tile->strides[tile->has_planes ? 1 : 2] == 1;
}

bool luna_finish_is_legal(const LunaMachine *machine, LunaUnitClass unit_class,
                          const void *desc, LunaFinish finish) {
  LunaVectorChain chain;
  Product product = product_of(unit_class, desc);
  return !product.is_grouped && lies_as(&product, finish) &&
         luna_chain_of_product(&chain, finish, product.requant,
                               product.output->type) &&
         (chain.shift_scope == LUNA_VECTOR_TILE ||
          product.table->strides[3] == 1) &&
         luna_machine_has_chain(machine, &chain);
}

bool luna_finish_takes_channels(const LunaRequantDesc *requant,
                                const int32_t *multipliers,
                                const int32_t *shifts, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    if (!luna_chain_takes_channel(requant, multipliers[i], shifts[i]))
      return false;
  return true;
}

// Tiles a product whose sums are finished at one place.
static bool tile_at(const LunaMachine *machine, LunaUnitDesc *desc,
                    LunaFinish finish, int64_t limit_bytes, LunaCost *cost,
                    LunaError *error) {
  const LunaUnitClassInfo *info = luna_unit_class(desc->unit_class);
  LunaTiling *tiling = desc->unit_class == LUNA_UNIT_MATMUL
                           ? &desc->as.matmul.tiling
                           : &desc->as.conv2d.tiling;
  LunaTiling found = {0};
  *tiling =
      (LunaTiling){.finish = finish, .row_strips = tiling->row_strips > 0};
  bool is_found = info->tiling(machine, &desc->as, limit_bytes, &found, error);
  *tiling = found;
  if (is_found)
    *cost = info->cost(machine, &desc->as);
  return is_found;
}

// Returns true if a tiling is better than another: its launches are calls, or
// it takes fewer cycles.
static bool is_better(const LunaUnitDesc *a, LunaCost a_cost,
                      const LunaUnitDesc *b, LunaCost b_cost) {
  bool a_calls = product_of(a->unit_class, &a->as).tiling->row_strips > 0;
  bool b_calls = product_of(b->unit_class, &b->as).tiling->row_strips > 0;
  if (a_calls != b_calls)
    return a_calls;
  return luna_cost_cycles(a_cost) < luna_cost_cycles(b_cost);
}

// Tiles a product whose sums are finished by the cheapest chain. Returns false
// if none does.
static bool tile_by_calls(const LunaMachine *machine, LunaUnitDesc *desc,
                          int64_t limit_bytes, LunaCost *cost) {
  static const LunaFinish forms[] = {LUNA_FINISH_UNIT, LUNA_FINISH_PLANES,
                                     LUNA_FINISH_STRIPS};
  bool is_found = false;
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; ++i) {
    LunaUnitDesc tiled = *desc;
    LunaCost found = {0};
    if (!luna_finish_is_legal(machine, desc->unit_class, &desc->as, forms[i]) ||
        !tile_at(machine, &tiled, forms[i], limit_bytes, &found, NULL) ||
        (is_found && !is_better(&tiled, found, desc, *cost)))
      continue;
    is_found = true;
    *cost = found;
    *desc = tiled;
  }
  return is_found;
}

bool luna_finish_tile(const LunaMachine *machine, const LunaUnitDesc *desc,
                      LunaPlace place, bool fits_unit,
                      int64_t scratch_limit_bytes, LunaTiling *tiling,
                      LunaError *error) {
  LunaUnitDesc on_core = *desc, on_unit = *desc;
  LunaCost core_cost = {0}, unit_cost = {0};
  Product product = product_of(desc->unit_class, &desc->as);
  bool may_be_unit =
      fits_unit && place != LUNA_PLACE_CORE &&
      !luna_is_fused(machine, product.requant, product.bias,
                     product.output->type) &&
      tile_by_calls(machine, &on_unit, scratch_limit_bytes, &unit_cost);
  bool may_be_core =
      (!may_be_unit || place == LUNA_PLACE_AUTO) &&
      tile_at(machine, &on_core, LUNA_FINISH_CORE, scratch_limit_bytes,
              &core_cost, may_be_unit ? NULL : error);
  bool is_unit =
      may_be_unit &&
      (!may_be_core || is_better(&on_unit, unit_cost, &on_core, core_cost));
  const LunaUnitDesc *chosen = is_unit ? &on_unit : &on_core;
  *tiling = *product_of(chosen->unit_class, &chosen->as).tiling;
  return may_be_unit || may_be_core;
}

//===- Elementwise operators ----------------------------------------------===//

static int64_t element_count(const LunaTensorDesc *desc) {
  int64_t count = 1;
  for (int i = 0; i < 4; ++i)
    count *= desc->dims[i];
  return count;
}

// How the unit computes an operator that is not native, and the scratch with
// which it does so in one piece.
typedef struct Calls {
  bool are_shifts; // luna/eltwise_launches.h; else a chain
  int64_t bytes;
} Calls;

static bool find_calls(const LunaMachine *machine, const LunaEltwiseDesc *desc,
                       LunaPlace place, Calls *calls) {
  LunaEltwiseChain chain;
  int64_t elements = element_count(&desc->output);
  calls->are_shifts = luna_eltwise_shifts(desc);
  if (calls->are_shifts) {
    calls->bytes = luna_eltwise_scratch_step(desc) * elements +
                   luna_eltwise_scratch_loss(desc);
    return machine->vector_in_place;
  }
  if (place == LUNA_PLACE_CORE || !luna_eltwise_chain(desc, &chain))
    return false;
  calls->bytes = luna_eltwise_chain_step(desc, &chain) * elements;
  return true;
}

static LunaEltwiseDesc with_scratch(const LunaEltwiseDesc *desc,
                                    int64_t bytes) {
  LunaEltwiseDesc result = *desc;
  result.scratch = (LunaTensorDesc){.type = LUNA_TYPE_I8,
                                    .dims = {1, 1, 1, (int32_t)bytes},
                                    .strides = {1, 1, 1, 1}};
  return result;
}

// Returns the cycles of the calls with a scratch; UINT64_MAX if it is too small
// or the machine lacks one of them.
static uint64_t cycles_with(const LunaMachine *machine,
                            const LunaEltwiseDesc *desc, bool are_shifts,
                            int64_t bytes) {
  LunaEltwiseChain chain;
  const LunaEltwiseDesc on_unit = with_scratch(desc, bytes);
  bool fits = are_shifts ? luna_eltwise_has_launches(&on_unit) &&
                               luna_eltwise_is_native(machine, &on_unit)
                         : luna_eltwise_is_chain(machine, &on_unit, &chain);
  return fits ? luna_cost_cycles(luna_cost_eltwise(machine, &on_unit))
              : UINT64_MAX;
}

int64_t luna_finish_eltwise_bytes(const LunaMachine *machine,
                                  const LunaEltwiseDesc *desc, LunaPlace place,
                                  int64_t limit_bytes) {
  Calls calls;
  if (desc->on_core || luna_eltwise_is_native(machine, desc) ||
      !find_calls(machine, desc, place, &calls))
    return 0;
  int64_t bytes = calls.bytes < limit_bytes ? calls.bytes : limit_bytes;
  bytes = bytes < INT32_MAX ? bytes : INT32_MAX;
  uint64_t cycles = cycles_with(machine, desc, calls.are_shifts, bytes);
  bool is_wanted = place == LUNA_PLACE_UNIT && !calls.are_shifts;
  if (cycles == UINT64_MAX ||
      (!is_wanted &&
       cycles >= luna_cost_cycles(luna_cost_eltwise(machine, desc))))
    return 0;
  uint64_t most_cycles = cycles + cycles / LUNA_TILING_WORTH;
  while (cycles_with(machine, desc, calls.are_shifts, bytes / 2) <= most_cycles)
    bytes /= 2;
  return bytes;
}

uint64_t luna_finish_eltwise_cycles(const LunaMachine *machine,
                                    const LunaEltwiseDesc *desc,
                                    LunaPlace place, int64_t limit_bytes) {
  int64_t bytes = luna_finish_eltwise_bytes(machine, desc, place, limit_bytes);
  const LunaEltwiseDesc on_unit = with_scratch(desc, bytes);
  return luna_cost_cycles(
      luna_cost_eltwise(machine, bytes > 0 ? &on_unit : desc));
}
