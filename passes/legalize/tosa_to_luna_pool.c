#include <string.h>

#include "luna-c/build_scalar.h"
#include "luna-c/ops.h"
#include "luna/finish.h"
#include "mlir-c/Dialect/Linalg.h"
#include "tosa_to_luna.h"

typedef struct Pool {
  MlirValue input;
  int64_t kernel[2], stride[2], pad[4];
  int64_t input_zp, output_zp;
} Pool;

static bool read_pool(MlirOperation op, bool average, Pool *pool) {
  MlirValue result = mlirOperationGetResult(op, 0);
  *pool = (Pool){.input = mlirOperationGetOperand(op, 0)};
  unsigned width = luna_tosa_width(pool->input);
  if ((width != 8 && width != 16) || luna_tosa_width(result) != width ||
      !luna_tosa_has_images(pool->input) ||
      !luna_attr_ints(op, "kernel", pool->kernel, 2) ||
      !luna_attr_ints(op, "stride", pool->stride, 2) ||
      !luna_attr_ints(op, "pad", pool->pad, 4))
    return false;
  return !average ||
         (luna_tosa_scalar(mlirOperationGetOperand(op, 1), &pool->input_zp) &&
          luna_tosa_scalar(mlirOperationGetOperand(op, 2), &pool->output_zp));
}

// Takes a pad with the lowest value into the padding of a max pooling, which
// alone reads it: that is no larger than any element, and each window has one.
static void absorb_pad(Pool *pool) {
  MlirOperation pad = luna_defining_op(pool->input);
  int64_t pads[8], value = 0, sums[4];
  int64_t lowest = -(INT64_C(1) << (luna_tosa_width(pool->input) - 1));
  if (mlirOperationIsNull(pad) || !luna_op_is(pad, LUNA_OP_TOSA_PAD) ||
      !luna_is_used_once(pool->input) ||
      !luna_tosa_list(mlirOperationGetOperand(pad, 1), pads, 8) ||
      !luna_tosa_scalar(mlirOperationGetOperand(pad, 2), &value) ||
      value != lowest || pads[0] || pads[1] || pads[6] || pads[7])
    return;
  for (int i = 0; i < 4; ++i) {
    sums[i] = pool->pad[i] + pads[2 + i];
    if (pads[2 + i] < 0 || sums[i] >= pool->kernel[i / 2])
      return;
  }
  memcpy(pool->pad, sums, sizeof sums);
  pool->input = mlirOperationGetOperand(pad, 0);
}

//===----------------------------------------------------------------------===//
// The average of a whole image as a product with ones: [1, H*W] * [H*W, C]
//===----------------------------------------------------------------------===//

static bool is_whole(const Pool *pool) {
  static const int64_t no_pad[4] = {0};
  return luna_tosa_width(pool->input) == 8 &&
         pool->kernel[0] == luna_tosa_dim(pool->input, 1) &&
         pool->kernel[1] == luna_tosa_dim(pool->input, 2) &&
         !memcmp(pool->pad, no_pad, sizeof no_pad);
}

// The multiplier and shift of the mean of `count` elements: TOSA 1.0's
// reciprocal_scale.
static void set_mean(LunaRequantDesc *requant, int64_t count) {
  int32_t k = 0;
  while (INT64_C(1) << k < count)
    ++k;
  requant->multiplier = (int32_t)((((INT64_C(1) << 30) + 1) << k) / count);
  requant->shift = 30 + k;
}

static LunaTensorDesc matrix_of(int64_t rows, int64_t columns) {
  return (LunaTensorDesc){.type = LUNA_TYPE_I8,
                          .dims = {1, 1, (int32_t)rows, (int32_t)columns},
                          .strides = {0, 0, (int32_t)columns, 1}};
}

static LunaMatmulDesc product_of(const Pool *pool) {
  int64_t places = pool->kernel[0] * pool->kernel[1];
  int64_t channels = luna_tosa_dim(pool->input, 3);
  LunaMatmulDesc desc = {
      .lhs = matrix_of(1, places),
      .rhs = matrix_of(places, channels),
      .output = matrix_of(1, channels),
      .rhs_zero_point = (int32_t)pool->input_zp,
      .requant = {.mode = LUNA_REQUANT_MULTIPLIER,
                  .rounding = LUNA_ROUND_SINGLE,
                  .output_zero_point = (int32_t)pool->output_zp,
                  .clamp_min = INT8_MIN,
                  .clamp_max = INT8_MAX},
  };
  set_mean(&desc.requant, places);
  return desc;
}

// Compares with the pooling. The ones count as a transfer of as many bytes.
static bool product_is_cheaper(const LunaMachine *machine, const Pool *pool,
                               const LunaMatmulDesc *product) {
  int32_t rows = (int32_t)pool->kernel[0], columns = (int32_t)pool->kernel[1];
  int32_t channels = product->output.dims[3];
  const LunaPoolDesc average = {
      .kind = LUNA_POOL_AVERAGE,
      .input = {.type = LUNA_TYPE_I8,
                .dims = {1, rows, columns, channels},
                .strides = {0, columns * channels, channels, 1}},
      .output = product->output,
      .kernel = {rows, columns},
      .stride = {1, 1},
      .input_zero_point = (int32_t)pool->input_zp,
      .output_zero_point = (int32_t)pool->output_zp,
  };
  LunaUnitDesc unit = {.unit_class = LUNA_UNIT_MATMUL, .as.matmul = *product};
  LunaError error = {0};
  if (!luna_finish_tile(machine, &unit, LUNA_PLACE_AUTO, true,
                        (int64_t)machine->shared.bytes, &unit.as.matmul.tiling,
                        &error))
    return false;
  uint64_t ones =
      luna_cost_dma(machine, LUNA_DMA_LOAD, (uint64_t)product->lhs.dims[3]);
  return luna_cost_cycles(luna_cost_matmul(machine, &unit.as.matmul)) + ones <
         luna_cost_cycles(luna_cost_pool(machine, &average));
}

// Filled on chip, so that no transfer stands between those of other weights.
static MlirValue build_ones(const LunaBuilder *b, MlirType element,
                            int64_t count) {
  const LunaShape shape = {3, {1, 1, count}};
  const int32_t segments[] = {1, 1};
  MlirType type = luna_tensor_type(element, &shape);
  MlirValue operands[] = {
      luna_scalar_int(b, element, 1),
      luna_build_empty(b, type),
  };
  LunaTosaAttrs attributes = {0};
  luna_tosa_add_segments(&attributes, mlirTypeGetContext(element), segments, 2);
  MlirRegion body = mlirRegionCreate();
  MlirOperation op =
      luna_build_spec(b, &(LunaOpSpec){
                             .name = luna_op_name(LUNA_OP_LINALG_FILL),
                             .operands = operands,
                             .operand_count = 2,
                             .results = &type,
                             .result_count = 1,
                             .attributes = attributes.items,
                             .attribute_count = attributes.count,
                             .owned_regions = &body,
                             .region_count = 1,
                         });
  mlirLinalgFillBuiltinNamedOpRegion(op);
  return mlirOperationGetResult(op, 0);
}

static void build_product(const LunaTosaChain *chain, const Pool *pool,
                          const LunaMatmulDesc *desc) {
  MlirOperation root = chain->root;
  MlirContext context = mlirOperationGetContext(root);
  MlirValue result = mlirOperationGetResult(root, 0);
  MlirType element = luna_element_of(result);
  int64_t places = desc->rhs.dims[2], channels = desc->rhs.dims[3];
  const LunaShape rhs = {3, {1, places, channels}};
  const LunaShape product = {3, {1, 1, channels}};
  const LunaShape image = luna_shape_of(result);
  const int32_t segments[LUNA_UNIT_OPERANDS_MAX] = {
      [LUNA_ROLE_INPUT] = 1, [LUNA_ROLE_WEIGHT] = 1, [LUNA_ROLE_OUTPUT] = 1};
  LunaTosaUnit spec = {.name = "luna.matmul",
                       .builder = luna_builder_before(root, root),
                       .input_count = 2};
  spec.inputs[0] = build_ones(&spec.builder, element, places);
  spec.inputs[1] = luna_build_reshape(&spec.builder, pool->input, &rhs);
  luna_tosa_add_segments(&spec.attributes, context, segments,
                         LUNA_UNIT_OPERANDS_MAX);
  luna_tosa_add_attr(
      &spec.attributes, context, "requant",
      lunaRequantAttrGet(context,
                         (LunaRequant){
                             .mode = desc->requant.mode,
                             .rounding = desc->requant.rounding,
                             .multiplier = desc->requant.multiplier,
                             .shift = desc->requant.shift,
                             .zero_point = desc->requant.output_zero_point,
                             .clamp_min = desc->requant.clamp_min,
                             .clamp_max = desc->requant.clamp_max,
                         }));
  luna_tosa_add_int(&spec.attributes, context, "rhs_zp", pool->input_zp, 0);
  MlirValue unit =
      luna_tosa_make_unit(&spec, luna_tensor_type(element, &product));
  mlirValueReplaceAllUsesOfWith(
      result, luna_build_reshape(&spec.builder, unit, &image));
}

static bool rewrite_average(const LunaTosaChain *chain, const Pool *pool) {
  if (luna_tosa_dim(pool->input, 0) != 1 || !is_whole(pool))
    return false;
  LunaMatmulDesc product = product_of(pool);
  if (!product_is_cheaper(chain->machine, pool, &product))
    return false;
  build_product(chain, pool, &product);
  return true;
}

bool luna_tosa_rewrite_pool(const LunaTosaChain *chain) {
  MlirOperation op = chain->root;
  bool average = luna_op_is(op, LUNA_OP_TOSA_AVG_POOL2D);
  Pool pool;
  if ((!average && !luna_op_is(op, LUNA_OP_TOSA_MAX_POOL2D)) ||
      !read_pool(op, average, &pool))
    return false;
  if (average && rewrite_average(chain, &pool))
    return true;
  if (!average)
    absorb_pad(&pool);
  MlirContext context = mlirOperationGetContext(op);
  LunaTosaUnit spec = {
      .name = average ? "luna.avg_pool2d" : "luna.max_pool2d",
      .builder = luna_builder_before(chain->root, op),
      .inputs = {pool.input},
      .input_count = 1,
  };
  LunaTosaAttrs *attributes = &spec.attributes;
  luna_tosa_add_ints(attributes, context, "kernel", pool.kernel, 2, 0);
  luna_tosa_add_ints(attributes, context, "stride", pool.stride, 2, 0);
  luna_tosa_add_ints(attributes, context, "pad", pool.pad, 4, 0);
  luna_tosa_add_int(attributes, context, "input_zp", pool.input_zp, 0);
  luna_tosa_add_int(attributes, context, "output_zp", pool.output_zp, 0);
  luna_tosa_replace_images(op, &spec);
  return true;
}
