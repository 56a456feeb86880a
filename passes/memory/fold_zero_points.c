// luna-fold-zero-points: moves the zero points of inputs into the biases.
//
// In: a module of functions on buffers, recorded, before weights are packed.
// Out: a luna.conv2d or luna.matmul with constant int8 weights, whose bias is
// constant or absent, multiplies its inputs as they are: the bias has taken up
// what their zero point gives, b - zp * (the sum of the weights that meet the
// input), and `folded_zp` says which zero point that was. The result is the
// same bit for bit. Not where outputs differ in the taps that meet the input,
// padding being 0 now, nor where a sum might leave 32 bits on the way, the
// weights have a zero point, or the convolution is transposed. Refuses: memrefs
// of dynamic shape or strides. Options: layout=calls; without that, nothing is folded. Example:
// lit_tests/passes/luna-fold-zero-points/doc.mlir

#include <stdlib.h>
#include <string.h>

#include "globals.h"
#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/border.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_desc.h"
#include "tile_operators.h"

enum { OPT_LAYOUT, OPT_COUNT };

typedef struct Folder {
  LunaArena arena;
  LunaGlobals globals;
  int next_symbol;
} Folder;

// A product, and for each tap of each output channel the sum of its weights
// over the input channels, and that of their magnitudes.
typedef struct Product {
  MlirOperation op;
  int32_t zero_point;
  int64_t channels, taps[2]; // rows and columns of the kernel
  int64_t *sums, *magnitudes;
  const char *bias; // NULL if absent
  bool is_bias_splat;
  LunaBorderAxis border[2];
} Product;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static bool has_bits(MlirType type, unsigned bits) {
  MlirType element = mlirShapedTypeGetElementType(type);
  return mlirTypeIsAInteger(element) &&
         mlirIntegerTypeGetWidth(element) == bits;
}

// Where the weights of a product lie: those of an output channel and tap, one
// for each input channel.
typedef struct Strides {
  int64_t channel, tap, input, depth;
} Strides;

static Strides strides_of(const Product *product, const LunaUnitDesc *desc) {
  const int32_t *dims = desc->unit_class == LUNA_UNIT_MATMUL
                            ? desc->as.matmul.rhs.dims
                            : desc->as.conv2d.weight.dims;
  int64_t taps = product->taps[0] * product->taps[1];
  if (desc->unit_class == LUNA_UNIT_MATMUL)
    return desc->as.matmul.rhs_transposed ? (Strides){dims[3], 0, 1, dims[3]}
                                          : (Strides){1, 0, dims[3], dims[2]};
  if (desc->as.conv2d.kind == LUNA_CONV_DEPTHWISE)
    return (Strides){1, product->channels, 0, 1};
  return (Strides){taps * dims[3], dims[3], 1, dims[3]};
}

// Adds up the weights. Returns false if they are not constant.
static bool read_weights(Folder *folder, Product *product,
                         const LunaUnitDesc *desc) {
  MlirValue operand = luna_unit_operand(product->op, LUNA_ROLE_WEIGHT);
  MlirAttribute value = luna_globals_value(&folder->globals, operand);
  if (mlirAttributeIsNull(value) || !has_bits(mlirValueGetType(operand), 8))
    return false;
  const int8_t *weights = mlirDenseElementsAttrGetRawData(value);
  bool is_splat = mlirDenseElementsAttrIsSplat(value);
  const Strides strides = strides_of(product, desc);
  int64_t taps = product->taps[0] * product->taps[1];
  int64_t count = product->channels * taps;
  product->sums = LUNA_ARENA_ARRAY(&folder->arena, int64_t, count);
  product->magnitudes = LUNA_ARENA_ARRAY(&folder->arena, int64_t, count);
  for (int64_t i = 0; i < count; ++i)
    for (int64_t k = 0; k < strides.depth; ++k) {
      int64_t at = i / taps * strides.channel + i % taps * strides.tap +
                   k * strides.input;
      int8_t weight = weights[is_splat ? 0 : at];
      product->sums[i] += weight;
      product->magnitudes[i] += abs(weight);
    }
  return true;
}

static bool read_bias(Folder *folder, Product *product) {
  MlirValue operand = luna_unit_operand(product->op, LUNA_ROLE_BIAS);
  if (mlirValueIsNull(operand))
    return true;
  MlirAttribute value = luna_globals_value(&folder->globals, operand);
  if (mlirAttributeIsNull(value) || !has_bits(mlirValueGetType(operand), 32))
    return false;
  product->bias = mlirDenseElementsAttrGetRawData(value);
  product->is_bias_splat = mlirDenseElementsAttrIsSplat(value);
  return true;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static const LunaBorderAxis whole_axis = {.runs = {{.tap_count = 1}},
                                          .class_count = 1};

// Every row and column of a matrix meets all of the other.
static bool read_matmul(const LunaMatmulDesc *desc, Product *product) {
  product->zero_point = desc->lhs_zero_point;
  product->channels = desc->output.dims[3];
  product->taps[0] = product->taps[1] = 1;
  product->border[0] = product->border[1] = whole_axis;
  return desc->rhs_zero_point == 0 && desc->rhs.dims[1] == 1;
}

static bool read_conv2d(const LunaConv2dDesc *desc, Product *product) {
  const int32_t *taps =
      &desc->weight.dims[desc->kind == LUNA_CONV_DEPTHWISE ? 0 : 1];
  product->zero_point = desc->input_zero_point;
  product->channels = desc->output.dims[3];
  product->taps[0] = taps[0];
  product->taps[1] = taps[1];
  return desc->weight_zero_point == 0 && luna_border_classes(desc) == 1 &&
         luna_border_axis(desc, 0, &product->border[0]) &&
         luna_border_axis(desc, 1, &product->border[1]);
}

// Returns false if there is nothing to fold, or it cannot be.
static bool read_product(Folder *folder, const LunaUnitDesc *desc,
                         Product *product) {
  bool is_read = desc->unit_class == LUNA_UNIT_MATMUL
                     ? read_matmul(&desc->as.matmul, product)
                     : read_conv2d(&desc->as.conv2d, product);
  return is_read && product->zero_point != 0 && read_bias(folder, product) &&
         read_weights(folder, product, desc);
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

static int64_t bias_at(const Product *product, int64_t channel) {
  int32_t bias = 0;
  if (product->bias)
    memcpy(&bias, product->bias + (product->is_bias_splat ? 0 : 4 * channel),
           sizeof bias);
  return bias;
}

// Returns the sum of `numbers`, one for each tap of a channel, over the taps of
// two classes.
static int64_t sum_over(const Product *product, const int64_t *numbers,
                        int64_t channel, const LunaBorderRun *y,
                        const LunaBorderRun *x) {
  int64_t sum = 0;
  numbers += channel * product->taps[0] * product->taps[1];
  for (int32_t v = y->first_tap; v < y->first_tap + y->tap_count; ++v)
    for (int32_t w = x->first_tap; w < x->first_tap + x->tap_count; ++w)
      sum += numbers[v * product->taps[1] + w];
  return sum;
}

// Writes the folded bias. Returns false if a sum might leave 32 bits before all
// of it is added.
static bool fold_bias(const Product *product, int32_t *folded) {
  const LunaBorderRun all[2] = {{.tap_count = (int32_t)product->taps[0]},
                                {.tap_count = (int32_t)product->taps[1]}};
  for (int64_t c = 0; c < product->channels; ++c) {
    int64_t bias = bias_at(product, c) -
                   product->zero_point * sum_over(product, product->sums, c,
                                                  &product->border[0].runs[0],
                                                  &product->border[1].runs[0]);
    int64_t products =
        -(int64_t)INT8_MIN *
        sum_over(product, product->magnitudes, c, &all[0], &all[1]);
    if (llabs(bias) + products > INT32_MAX)
      return false;
    folded[c] = (int32_t)bias;
  }
  return true;
}

static void set_zero_point(MlirOperation op, int32_t zero_point) {
  MlirContext context = mlirOperationGetContext(op);
  const char *name =
      luna_op_is(op, LUNA_OP_LUNA_MATMUL) ? "lhs_zp" : "input_zp";
  luna_set_attr(op, name, luna_i32_attr(context, 0));
  luna_set_attr(op, "folded_zp", luna_i32_attr(context, zero_point));
}

static bool fold(MlirOperation op, void *data) {
  Folder *folder = data;
  LunaUnitDesc desc;
  Product product = {.op = op};
  if (!luna_op_is_tiled(op))
    return true;
  if (!luna_unit_desc_read(op, &desc))
    return false;
  if (!read_product(folder, &desc, &product))
    return true;
  int32_t *folded = LUNA_ARENA_ARRAY(&folder->arena, int32_t, product.channels);
  if (!fold_bias(&product, folded))
    return true;
  MlirType type = mlirMemRefTypeContiguousGet(
      mlirIntegerTypeGet(mlirOperationGetContext(op), 32), 1, &product.channels,
      mlirAttributeGetNull());
  MlirValue bias = luna_globals_build(&folder->globals, op, "folded",
                                      &folder->next_symbol, type, folded);
  set_zero_point(luna_unit_set_operand(op, LUNA_ROLE_BIAS, bias),
                 product.zero_point);
  return true;
}

static MlirLogicalResult run(MlirOperation module,
                             const LunaOptionValue *options) {
  Folder folder = {.next_symbol = 0};
  if (strcmp(options[OPT_LAYOUT].string, "calls") != 0)
    return mlirLogicalResultSuccess();
  folder.globals = luna_globals_of(module, &folder.arena);
  bool is_ok = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(luna_body(module, 0));
       is_ok && !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    is_ok = !luna_op_is(op, LUNA_OP_FUNC_FUNC) || luna_walk(op, fold, &folder);
  luna_arena_destroy(&folder.arena);
  return is_ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

static const LunaOptionDesc options[OPT_COUNT] = {LUNA_CALLS_OPTION};
static const char *const dialects[] = {"luna", "memref", NULL};

const LunaPassDesc luna_pass_fold_zero_points = {
    .argument = "luna-fold-zero-points",
    .summary = "Move the zero points of inputs into biases",
    .anchor = "builtin.module",
    .options = options,
    .option_count = OPT_COUNT,
    .dependent_dialects = dialects,
    .run = run,
};
