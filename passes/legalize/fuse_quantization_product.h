#ifndef LUNA_FUSE_QUANTIZATION_PRODUCT_H
#define LUNA_FUSE_QUANTIZATION_PRODUCT_H

#include "fuse_quantization.h"

/// A product that ends in a luna.quantize, or in floats.
typedef struct LunaProduct {
  LunaArena *arena;
  /// Builds before the root.
  LunaBuilder *b;
  /// The op whose result is replaced: the luna.quantize, or the last one.
  MlirOperation root;
  /// The last op of the product in floats.
  MlirOperation last;
  bool has_target;
  LunaQuantTarget target;
} LunaProduct;

/// Rounds sums of int32 as the target asks for, in the shape of the last op,
/// and replaces the root. One scale, or one for each channel. Returns true.
bool luna_product_finish(const LunaProduct *p, MlirValue sums,
                         const float *scales, int64_t scale_count);
/// Builds a bias of zeros.
MlirValue luna_product_no_bias(const LunaProduct *p, int64_t channels);
/// Builds the int32 product of [B, M, K] and [B, K, N].
MlirValue luna_product_matmul(const LunaProduct *p, MlirValue a, MlirValue b,
                              int64_t a_zero, int64_t b_zero);

/// Makes the average of whole windows of a pool a depthwise convolution with
/// ones. Returns false where the last op is not such a pool.
bool luna_product_fuse_pool(const LunaProduct *p);
/// Makes a sum times one over the number of its elements a product with ones.
/// Returns false where the last op is not such a sum.
bool luna_product_fuse_mean(const LunaProduct *p);

#endif // LUNA_FUSE_QUANTIZATION_PRODUCT_H
