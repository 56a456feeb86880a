// Averages as sums that vector calls finish, where that takes fewer cycles than
// the pooling, whose sums the core divides: a product with ones where windows
// have places, [windows, H*W] * [H*W, C], or a depthwise convolution by ones.

#include <string.h>

#include "luna-c/build_scalar.h"
#include "luna-c/ops.h"
#include "luna/arena.h"
#include "luna/call_form.h"
#include "luna/cost.h"
#include "luna/finish.h"
#include "tosa_to_luna.h"

static int32_t places_of(const LunaTosaPool *pool) {
  return (int32_t)(pool->kernel[0] * pool->kernel[1]);
}

// The elements of windows with padding differ in number.
static bool has_sums(const LunaTosaPool *pool) {
  static const int64_t no_pad[4] = {0};
  return luna_tosa_width(pool->input) == 8 &&
         pool->kernel[0] * pool->kernel[1] <= UINT16_MAX &&
         !memcmp(pool->pad, no_pad, sizeof no_pad);
}

static bool is_whole(const LunaTosaPool *pool) {
  return luna_tosa_dim(pool->input, 0) == 1 &&
         pool->kernel[0] == luna_tosa_dim(pool->input, 1) &&
         pool->kernel[1] == luna_tosa_dim(pool->input, 2);
}

// The mean of the elements of a window by TOSA 1.0's reciprocal_scale.
static LunaRequantDesc mean_of(const LunaTosaPool *pool) {
  int32_t k = 0;
  while (INT64_C(1) << k < places_of(pool))
    ++k;
  return (LunaRequantDesc){
      .mode = LUNA_REQUANT_MULTIPLIER,
      .rounding = LUNA_ROUND_SINGLE,
      .multiplier =
          (int32_t)((((INT64_C(1) << 30) + 1) << k) / places_of(pool)),
      .shift = 30 + k,
      .output_zero_point = (int32_t)pool->output_zp,
      .clamp_min = INT8_MIN,
      .clamp_max = INT8_MAX};
}

static LunaTensorDesc tensor_of(int32_t a, int32_t b, int32_t c, int32_t d) {
  return (LunaTensorDesc){.type = LUNA_TYPE_I8,
                          .dims = {a, b, c, d},
                          .strides = {b * c * d, c * d, d, 1}};
}

// One image of a value [N, H, W, C].
static LunaTensorDesc image_of(MlirValue value) {
  return tensor_of(1, (int32_t)luna_tosa_dim(value, 1),
                   (int32_t)luna_tosa_dim(value, 2),
                   (int32_t)luna_tosa_dim(value, 3));
}

static LunaPoolDesc pooling_of(const LunaTosaPool *pool, MlirValue result) {
  return (LunaPoolDesc){
      .kind = LUNA_POOL_AVERAGE,
      .input = image_of(pool->input),
      .output = image_of(result),
      .kernel = {(int32_t)pool->kernel[0], (int32_t)pool->kernel[1]},
      .stride = {(int32_t)pool->stride[0], (int32_t)pool->stride[1]},
      .input_zero_point = (int32_t)pool->input_zp,
      .output_zero_point = (int32_t)pool->output_zp,
  };
}

static LunaUnitDesc product_of(const LunaTosaPool *pool, MlirValue result) {
  const LunaTensorDesc image = image_of(pool->input), means = image_of(result);
  int32_t places = image.dims[1] * image.dims[2], channels = image.dims[3];
  int32_t windows = means.dims[1] * means.dims[2];
  return (LunaUnitDesc){
      .unit_class = LUNA_UNIT_MATMUL,
      .as.matmul = {.lhs = tensor_of(1, 1, windows, places),
                    .rhs = tensor_of(1, 1, places, channels),
                    .output = tensor_of(1, 1, windows, channels),
                    .rhs_zero_point = (int32_t)pool->input_zp,
                    .requant = mean_of(pool)}};
}

static LunaUnitDesc convolution_of(const LunaTosaPool *pool, MlirValue result) {
  return (LunaUnitDesc){
      .unit_class = LUNA_UNIT_CONV2D,
      .as.conv2d = {
          .kind = LUNA_CONV_DEPTHWISE,
          .input = image_of(pool->input),
          .weight =
              tensor_of((int32_t)pool->kernel[0], (int32_t)pool->kernel[1],
                        (int32_t)luna_tosa_dim(pool->input, 3), 1),
          .output = image_of(result),
          .stride = {(int32_t)pool->stride[0], (int32_t)pool->stride[1]},
          .dilation = {1, 1},
          .input_zero_point = (int32_t)pool->input_zp,
          .requant = mean_of(pool),
      }};
}

// Returns true if a tiled operator has calls, or need not. Products have none
// that add to sums, nor for a zero point.
static bool fits_calls(const LunaTosaChain *chain, const LunaUnitDesc *unit) {
  const LunaMatmulDesc *product = &unit->as.matmul;
  LunaCallForm form;
  if (!chain->wants_calls)
    return true;
  return unit->unit_class == LUNA_UNIT_CONV2D
             ? luna_call_form(chain->machine, &unit->as.conv2d, &form)
             : product->tiling.in_c == product->rhs.dims[2] &&
                   product->rhs_zero_point == 0;
}

// Returns the cycles of sums by an operator, UINT64_MAX if it cannot be. The
// ones count as a transfer of as many bytes.
static uint64_t cycles_of(const LunaTosaChain *chain, LunaUnitDesc unit) {
  const LunaMachine *machine = chain->machine;
  bool is_product = unit.unit_class == LUNA_UNIT_MATMUL;
  LunaTiling *tiling =
      is_product ? &unit.as.matmul.tiling : &unit.as.conv2d.tiling;
  const LunaTensorDesc *ones =
      is_product ? &unit.as.matmul.lhs : &unit.as.conv2d.weight;
  LunaError error = {0};
  if (!luna_finish_tile(machine, &unit, LUNA_PLACE_AUTO, true,
                        (int64_t)machine->shared.bytes, tiling, &error) ||
      !fits_calls(chain, &unit))
    return UINT64_MAX;
  LunaCost cost = is_product ? luna_cost_matmul(machine, &unit.as.matmul)
                             : luna_cost_conv2d(machine, &unit.as.conv2d);
  uint64_t bytes = (uint64_t)ones->strides[0] * (uint64_t)ones->dims[0];
  return luna_cost_cycles(cost) + luna_cost_dma(machine, LUNA_DMA_LOAD, bytes);
}

// Filled on chip, so that no transfer stands between those of other weights.
static MlirValue fill_with_ones(const LunaBuilder *b, MlirType element,
                                int64_t count) {
  const LunaShape shape = {3, {1, 1, count}};
  return luna_tosa_fill(b, luna_tensor_type(element, &shape), 1);
}

static void add_mean(LunaTosaUnit *spec, MlirContext context,
                     const LunaTosaPool *pool) {
  const int32_t segments[LUNA_UNIT_OPERANDS_MAX] = {
      [LUNA_ROLE_INPUT] = 1,
      [LUNA_ROLE_WEIGHT] = 1,
      [LUNA_ROLE_BIAS] = (int32_t)spec->input_count - 2,
      [LUNA_ROLE_OUTPUT] = 1};
  const LunaRequantDesc mean = mean_of(pool);
  luna_tosa_add_segments(&spec->attributes, context, segments,
                         LUNA_UNIT_OPERANDS_MAX);
  luna_tosa_add_attr(
      &spec->attributes, context, "requant",
      lunaRequantAttrGet(context,
                         (LunaRequant){.mode = mean.mode,
                                       .rounding = mean.rounding,
                                       .multiplier = mean.multiplier,
                                       .shift = mean.shift,
                                       .zero_point = mean.output_zero_point,
                                       .clamp_min = mean.clamp_min,
                                       .clamp_max = mean.clamp_max}));
}

// Returns ones where a window, a row of the matrix, has a place of the image.
static MlirValue build_windows(const LunaBuilder *b, MlirOperation root,
                               const LunaTosaPool *pool) {
  MlirValue result = mlirOperationGetResult(root, 0);
  int64_t width = luna_tosa_dim(pool->input, 2);
  int64_t places = luna_tosa_dim(pool->input, 1) * width;
  int64_t columns = luna_tosa_dim(result, 2);
  const LunaShape shape = {3, {1, luna_tosa_dim(result, 1) * columns, places}};
  LunaArena arena = {0};
  int8_t *ones = LUNA_ARENA_ARRAY(&arena, int8_t, shape.dims[1] * places);
  for (int64_t i = 0; i < shape.dims[1] * places; ++i) {
    int64_t window = i / places, place = i % places;
    int64_t y = place / width - window / columns * pool->stride[0];
    int64_t x = place % width - window % columns * pool->stride[1];
    ones[i] =
        y >= 0 && y < pool->kernel[0] && x >= 0 && x < pool->kernel[1] ? 1 : 0;
  }
  MlirValue value = luna_build_data(
      b, luna_tensor_type(luna_element_of(result), &shape), ones);
  luna_arena_destroy(&arena);
  return value;
}

static void build_product(MlirOperation root, const LunaTosaPool *pool) {
  MlirContext context = mlirOperationGetContext(root);
  MlirValue result = mlirOperationGetResult(root, 0);
  MlirType element = luna_element_of(result);
  int64_t channels = luna_tosa_dim(result, 3);
  int64_t places =
      luna_tosa_dim(pool->input, 1) * luna_tosa_dim(pool->input, 2);
  const LunaShape rhs = {3, {1, places, channels}};
  const LunaShape product = {
      3, {1, luna_tosa_dim(result, 1) * luna_tosa_dim(result, 2), channels}};
  const LunaShape image = luna_shape_of(result);
  LunaTosaUnit spec = {.name = "luna.matmul",
                       .builder = luna_builder_before(root, root),
                       .input_count = 2};
  spec.inputs[0] = is_whole(pool)
                       ? fill_with_ones(&spec.builder, element, places)
                       : build_windows(&spec.builder, root, pool);
  spec.inputs[1] = luna_build_reshape(&spec.builder, pool->input, &rhs);
  add_mean(&spec, context, pool);
  luna_tosa_add_int(&spec.attributes, context, "rhs_zp", pool->input_zp, 0);
  MlirValue unit =
      luna_tosa_make_unit(&spec, luna_tensor_type(element, &product));
  mlirValueReplaceAllUsesOfWith(
      result, luna_build_reshape(&spec.builder, unit, &image));
}

static void build_convolution(MlirOperation root, const LunaTosaPool *pool) {
  MlirContext context = mlirOperationGetContext(root);
  MlirValue result = mlirOperationGetResult(root, 0);
  const LunaShape weight = {
      4, {pool->kernel[0], pool->kernel[1], luna_tosa_dim(result, 3), 1}};
  const LunaShape bias = {1, {luna_tosa_dim(result, 3)}};
  LunaTosaUnit spec = {.name = "luna.conv2d",
                       .builder = luna_builder_before(root, root),
                       .inputs = {pool->input},
                       .input_count = 2};
  spec.inputs[1] = luna_build_splat(
      &spec.builder, luna_tensor_type(luna_element_of(result), &weight), 1);
  if (pool->input_zp != 0) // which a call has in its bias
    spec.inputs[spec.input_count++] = luna_build_splat(
        &spec.builder, luna_tensor_type(spec.builder.i32, &bias), 0);
  add_mean(&spec, context, pool);
  luna_tosa_add_int(&spec.attributes, context, "kind", LUNA_CONV_DEPTHWISE, 0);
  luna_tosa_add_ints(&spec.attributes, context, "stride", pool->stride, 2, 1);
  luna_tosa_add_int(&spec.attributes, context, "input_zp", pool->input_zp, 0);
  luna_tosa_replace_images(root, &spec);
}

// Returns true if an image is one matrix, and its windows fit on chip as one.
static bool may_be_product(const LunaTosaChain *chain, const LunaTosaPool *pool,
                           MlirValue result) {
  int64_t ones = 1;
  for (int i = 1; i < 3; ++i)
    ones *= luna_tosa_dim(pool->input, i) * luna_tosa_dim(result, i);
  return luna_tosa_dim(pool->input, 0) == 1 &&
         ones <= (int64_t)chain->machine->shared.bytes;
}

bool luna_tosa_rewrite_average(const LunaTosaChain *chain,
                               const LunaTosaPool *pool) {
  MlirValue result = mlirOperationGetResult(chain->root, 0);
  if (!has_sums(pool))
    return false;
  const LunaPoolDesc average = pooling_of(pool, result);
  uint64_t pooling = luna_cost_cycles(luna_cost_pool(chain->machine, &average));
  uint64_t product = may_be_product(chain, pool, result)
                         ? cycles_of(chain, product_of(pool, result))
                         : UINT64_MAX;
  uint64_t convolution = cycles_of(chain, convolution_of(pool, result));
  if (pooling <= product && pooling <= convolution)
    return false;
  if (product <= convolution)
    build_product(chain->root, pool);
  else
    build_convolution(chain->root, pool);
  return true;
}
