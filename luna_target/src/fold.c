#include "luna/fold.h"

#include <stdlib.h>

#include "luna/border.h"
#include "luna/weight_layout.h"

// A product, and for each tap of each output channel the sum of its weights
// over the input channels, and that of their magnitudes.
typedef struct Product {
  int32_t zero_point;
  int64_t channels, taps[2]; // rows and columns of the kernel
  int64_t *sums, *magnitudes;
  LunaBorderAxis border[2];
} Product;

// Where the weights lie: those of an output channel and tap, one for each input
// channel.
typedef struct Strides {
  int64_t channel, tap, input, depth;
} Strides;

//===- Reading ------------------------------------------------------------===//

int32_t luna_fold_rows(const LunaUnitDesc *desc) {
  const LunaConv2dDesc *conv = &desc->as.conv2d;
  const LunaMatmulDesc *matmul = &desc->as.matmul;
  if (desc->unit_class == LUNA_UNIT_MATMUL)
    return matmul->lhs_zero_point != 0 && matmul->rhs_zero_point == 0 &&
           matmul->rhs.type == LUNA_TYPE_I8 && matmul->rhs.dims[1] == 1;
  if (desc->unit_class != LUNA_UNIT_CONV2D || conv->input_zero_point == 0 ||
      conv->weight_zero_point != 0 || conv->weight.type != LUNA_TYPE_I8 ||
      luna_weights_are_packed(conv->weight_layout))
    return 0;
  return luna_border_classes(conv);
}

// Every row of a matrix meets all of a column.
static void read_matmul(const LunaMatmulDesc *desc, Product *product,
                        Strides *strides) {
  static const LunaBorderAxis whole = {.runs = {{.tap_count = 1}},
                                       .class_count = 1};
  const int32_t *dims = desc->rhs.dims;
  product->zero_point = desc->lhs_zero_point;
  product->channels = desc->output.dims[3];
  product->taps[0] = product->taps[1] = 1;
  product->border[0] = product->border[1] = whole;
  *strides = desc->rhs_transposed ? (Strides){dims[3], 0, 1, dims[3]}
                                  : (Strides){1, 0, dims[3], dims[2]};
}

static void read_conv2d(const LunaConv2dDesc *desc, Product *product,
                        Strides *strides) {
  bool is_depthwise = desc->kind == LUNA_CONV_DEPTHWISE;
  const int32_t *dims = desc->weight.dims;
  product->zero_point = desc->input_zero_point;
  product->channels = desc->output.dims[3];
  for (int i = 0; i < 2; ++i) {
    product->taps[i] = luna_conv2d_taps(desc, i);
    luna_border_axis(desc, i, &product->border[i]);
  }
  *strides = is_depthwise
                 ? (Strides){1, product->channels, 0, 1}
                 : (Strides){product->taps[0] * product->taps[1] * dims[3],
                             dims[3], 1, dims[3]};
}

static void add_weights(Product *product, const Strides *strides,
                        const int8_t *weights, LunaArena *arena) {
  int64_t taps = product->taps[0] * product->taps[1];
  int64_t count = product->channels * taps;
  product->sums = LUNA_ARENA_ARRAY(arena, int64_t, count);
  product->magnitudes = LUNA_ARENA_ARRAY(arena, int64_t, count);
  for (int64_t i = 0; i < count; ++i) {
    const int8_t *at =
        weights + i / taps * strides->channel + i % taps * strides->tap;
    for (int64_t k = 0; k < strides->depth; ++k, at += strides->input) {
      product->sums[i] += *at;
      product->magnitudes[i] += abs(*at);
    }
  }
}

//===- Folding ------------------------------------------------------------===//

// Returns the sum of `numbers`, one for each tap of a channel, over the taps
// that outputs of two classes meet.
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

static const LunaBorderRun *base_of(const LunaBorderAxis *border) {
  const LunaBorderRun *run = border->runs;
  while (run->row != 0)
    ++run;
  return run;
}

static bool fits(const Product *product, int64_t channel, int64_t bias) {
  const LunaBorderRun rows = {.tap_count = (int32_t)product->taps[0]};
  const LunaBorderRun columns = {.tap_count = (int32_t)product->taps[1]};
  int64_t products = -(int64_t)INT8_MIN * sum_over(product, product->magnitudes,
                                                   channel, &rows, &columns);
  return llabs(bias) + products <= INT32_MAX;
}

// Writes what the sums of a channel lack in each class but 0, whose outputs
// meet weights of the sum `inner`.
static void fold_borders(const Product *product, int64_t channel, int64_t inner,
                         int32_t *folded) {
  const LunaBorderAxis *y = &product->border[0], *x = &product->border[1];
  for (int32_t i = 0; i < y->class_count; ++i)
    for (int32_t k = 0; k < x->class_count; ++k) {
      int64_t row = y->runs[i].row * x->class_count + x->runs[k].row;
      int64_t met =
          sum_over(product, product->sums, channel, &y->runs[i], &x->runs[k]);
      if (row > 0)
        folded[row * product->channels + channel] =
            (int32_t)(product->zero_point * (inner - met));
    }
}

bool luna_fold_bias(const LunaUnitDesc *desc, const int8_t *weights,
                    const int32_t *bias, LunaArena *arena, int32_t *folded) {
  Product product = {0};
  Strides strides;
  if (desc->unit_class == LUNA_UNIT_MATMUL)
    read_matmul(&desc->as.matmul, &product, &strides);
  else
    read_conv2d(&desc->as.conv2d, &product, &strides);
  add_weights(&product, &strides, weights, arena);
  const LunaBorderRun *y = base_of(&product.border[0]);
  const LunaBorderRun *x = base_of(&product.border[1]);
  for (int64_t c = 0; c < product.channels; ++c) {
    int64_t inner = sum_over(&product, product.sums, c, y, x);
    int64_t sum = (bias ? bias[c] : 0) - product.zero_point * inner;
    if (!fits(&product, c, sum))
      return false;
    folded[c] = (int32_t)sum;
    fold_borders(&product, c, inner, folded);
  }
  return true;
}
