// Rules for the operators of the unit: what the machine allows of a launch, and
// that tiles cover the result and fit the scratch.

#include "luna-c/ops.h"
#include "luna/chain_cost.h"
#include "luna/finish.h"
#include "luna/launch_record.h"
#include "luna/slots.h"
#include "luna/tiles.h"
#include "luna/weight_layout.h"
#include "op_desc.h"
#include "verify_plan.h"

// A class of operators that is cut into launches.
typedef struct Product {
  MlirOperation op;
  const LunaTensorDesc *input, *weight, *bias, *scratch, *output;
  const LunaRequantDesc *requant;
  const LunaTiling *tiling;
  int32_t extents[6];    ///< of the tiling's fields, in their order
  LunaVectorChain chain; ///< that finishes the sums
} Product;

static Product product_of(MlirOperation op, const LunaUnitDesc *desc,
                          LunaTiles *tiles) {
  if (desc->unit_class == LUNA_UNIT_MATMUL) {
    const LunaMatmulDesc *matmul = &desc->as.matmul;
    luna_tiles_matmul_begin(tiles, matmul);
    return (Product){
        .op = op,
        .input = &matmul->lhs,
        .weight = &matmul->rhs,
        .bias = &matmul->bias,
        .scratch = &matmul->scratch,
        .output = &matmul->output,
        .requant = &matmul->requant,
        .tiling = &matmul->tiling,
        .extents = {matmul->output.dims[2], matmul->output.dims[3], 1,
                    matmul->lhs.dims[3], 1, 1},
    };
  }
  const LunaConv2dDesc *conv = &desc->as.conv2d;
  luna_tiles_conv2d_begin(tiles, conv);
  return (Product){
      .op = op,
      .input = &conv->input,
      .weight = &conv->weight,
      .bias = &conv->bias,
      .scratch = &conv->scratch,
      .output = &conv->output,
      .requant = &conv->requant,
      .tiling = &conv->tiling,
      .extents = {conv->output.dims[1], conv->output.dims[2],
                  conv->output.dims[3], conv->input.dims[3],
                  luna_conv2d_taps(conv, 0), luna_conv2d_taps(conv, 1)},
  };
}

static bool check_extents(const Product *product) {
  static const char *const names[] = {"rows",        "columns",
                                      "channels",    "input channels",
                                      "kernel rows", "kernel columns"};
  const LunaTiling *tiling = product->tiling;
  const int32_t fields[] = {tiling->out_h, tiling->out_w,    tiling->out_c,
                            tiling->in_c,  tiling->kernel_h, tiling->kernel_w};
  for (int i = 0; i < 6; ++i)
    if (fields[i] < 1 || fields[i] > product->extents[i])
      return luna_verify_error(
          product->op, "tiles of %d %s, the operator has %d", (int)fields[i],
          names[i], (int)product->extents[i]);
  if (tiling->finish < LUNA_FINISH_FUSED || tiling->finish > LUNA_FINISH_STRIPS)
    return luna_verify_error(product->op,
                             "the tiling's seventh field is %d, not 0 to 4",
                             (int)tiling->finish);
  return true;
}

// A call of the vendor's library computes whole planes.
static bool check_row_strips(const Product *product) {
  const LunaTiling *tiling = product->tiling;
  if (tiling->row_strips < 0 || tiling->row_strips > product->extents[0])
    return luna_verify_error(product->op, "%d strips of rows, it has %d",
                             (int)tiling->row_strips, (int)product->extents[0]);
  if (tiling->row_strips == 0 || (tiling->out_h == product->extents[0] &&
                                  tiling->out_w == product->extents[1] &&
                                  luna_tensor_has_planes(product->input) &&
                                  luna_tensor_has_planes(product->output)))
    return true;
  return luna_verify_error(product->op,
                           "its calls cut rows of what is not whole planes");
}

// Packed weights are read by calls, from blocks of output channels on.
static bool check_packing(const Product *product, const LunaMachine *machine,
                          const LunaConv2dDesc *desc) {
  const LunaTiling *tiling = product->tiling;
  MlirStringRef text = luna_attr_string(product->op, "weight_layout");
  int32_t step = luna_weight_layout_step(desc->weight_layout);
  bool is_cut = tiling->out_c < product->extents[2];
  if (!text.data)
    return true;
  char order[LUNA_WEIGHT_LAYOUT_MAX + 1];
  int32_t rows = luna_conv2d_packed_layout(machine, desc, order);
  if (!mlirStringRefEqual(text, luna_str(order)))
    return luna_verify_error(product->op,
                             "machine '%s' reads weights in the order %s",
                             machine->name, luna_conv2d_layout(machine, desc));
  if (tiling->row_strips > 0 && tiling->kernel_w == product->extents[5] &&
      tiling->kernel_h == (rows > 0 ? rows : product->extents[4]) &&
      (desc->kind == LUNA_CONV_DEPTHWISE ||
       tiling->in_c == product->extents[3]) &&
      (!is_cut || (step > 0 && tiling->out_c % step == 0)))
    return true;
  return luna_verify_error(product->op,
                           "its tiles cut packed weights within a block");
}

static int64_t desc_bytes(const LunaTensorDesc *desc) {
  int64_t bytes = luna_element_bytes(desc->type);
  for (int i = 0; i < 4; ++i)
    bytes *= desc->dims[i];
  return bytes;
}

// Sums of several launches, and what the core or vector calls requantise, lie
// in the scratch.
static bool check_scratch(const Product *product, const LunaLaunch *launch) {
  bool needs = product->tiling->finish != LUNA_FINISH_FUSED ||
               !launch->is_first || !launch->is_last || !launch->covers_tile;
  int64_t tile_bytes = luna_chain_launch_bytes(&product->chain, launch);
  int64_t has_bytes = desc_bytes(product->scratch);
  int64_t slot_bytes = luna_slots_are_joined(product->tiling)
                           ? product->tiling->scratch_bytes
                           : luna_slot_bytes(product->tiling);
  if (slot_bytes < has_bytes)
    has_bytes = slot_bytes;
  if (!needs || tile_bytes <= has_bytes)
    return true;
  return luna_verify_error(product->op,
                           "a tile needs %lld bytes of scratch, the operator "
                           "has %lld",
                           (long long)tile_bytes, (long long)has_bytes);
}

static bool check_launches(const Product *product, const LunaMachine *machine,
                           LunaTiles *tiles) {
  LunaLaunch launch;
  LunaError error = {0};
  while (luna_tiles_next(tiles, &launch)) {
    if (!check_scratch(product, &launch))
      return false;
    if (!luna_chain_fits(machine, &product->chain,
                         (int64_t)launch.y.tile.count * launch.x.tile.count,
                         &error) ||
        (!launch.is_empty &&
         !luna_launch_check(machine, &launch, product->input->type,
                            product->weight->type, &error)))
      return luna_verify_error(product->op, "%s", error.message);
  }
  return true;
}

static bool check_product(MlirOperation op, const LunaMachine *machine) {
  LunaUnitDesc desc;
  LunaTiles tiles;
  if (mlirAttributeIsNull(luna_attr(op, "tiling")))
    return luna_verify_error(op, "has no tiling");
  if (!luna_unit_desc_read(op, &desc))
    return false;
  Product product = product_of(op, &desc, &tiles);
  if (!check_extents(&product) || !check_row_strips(&product) ||
      (desc.unit_class == LUNA_UNIT_CONV2D &&
       !check_packing(&product, machine, &desc.as.conv2d)))
    return false;
  if (desc_bytes(product.scratch) < product.tiling->scratch_bytes)
    return luna_verify_error(op, "has %lld bytes of scratch, the tiling %d",
                             (long long)desc_bytes(product.scratch),
                             (int)product.tiling->scratch_bytes);
  if (luna_finish_has_calls(product.tiling->finish) &&
      !luna_finish_is_legal(machine, desc.unit_class, &desc.as,
                            (LunaFinish)product.tiling->finish))
    return luna_verify_error(op, "no vector calls of the unit requantise so, "
                                 "and the tiling leaves it to them");
  if (product.tiling->finish == LUNA_FINISH_FUSED &&
      !luna_is_fused(machine, product.requant, product.bias,
                     product.output->type))
    return luna_verify_error(op, "the unit cannot requantise so, and the "
                                 "tiling does not leave it to the core");
  LunaError error = {0};
  if (!luna_unit_class(desc.unit_class)->check_slots(&desc.as, &error))
    return luna_verify_error(op, "%s", error.message);
  luna_finish_of(product.tiling->finish, product.requant, product.output->type,
                 &product.chain);
  return check_launches(&product, machine, &tiles);
}

static bool visit(MlirOperation op, void *data) {
  return !luna_op_is_tiled(op) || check_product(op, data);
}

bool luna_verify_tilings(MlirOperation func, const LunaMachine *machine) {
  return luna_walk(func, visit, (void *)machine);
}
