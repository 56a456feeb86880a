#ifndef LUNA_KERNEL_PRODUCT_H
#define LUNA_KERNEL_PRODUCT_H

// What a convolution and a matrix product share: each launch adds sums of
// products to a tile of the output, which starts from the bias and is
// requantised when complete.

#include "kernel_numbers.h"
#include "kernels.h"
#include "luna/tiles.h"

/// The fields that both descriptors have.
typedef struct LunaProductDesc {
  const LunaTensorDesc *input, *weight, *bias, *table, *scratch, *output;
  int32_t input_zero_point, weight_zero_point;
  const LunaRequantDesc *requant;
  const LunaTiling *tiling;
} LunaProductDesc;

/// An operator in execution; the head of a kernel's own state.
///
/// Its output is [batch][y][x][channel]. A matrix product has its rows on y,
/// its columns as channels and 1 on x.
typedef struct LunaProduct LunaProduct;
struct LunaProduct {
  /// Unpacks the weights of a launch.
  void (*pack)(LunaProduct *product, const LunaLaunch *launch);
  /// Computes `sums`, without the bias, for the launch's output in `row` of
  /// launch->y.out and `column` of launch->x.out.
  void (*sum)(LunaProduct *product, const LunaLaunch *launch, int32_t row,
              int32_t column);
  bool is_wide;  ///< int16: sums of 64 bits
  int64_t *sums; ///< by channel of the launch

  LunaRequant requant;
  const LunaTiling *tiling;
  int64_t *biases; ///< by channel of the output
  int32_t *scratch;
  LunaTensorDesc output;
  void *output_data;
};

/// Prepares all but `pack` and `sum`. Arrays come from `arena`.
LunaProduct luna_product_begin(LunaArena *arena, const LunaProductDesc *desc,
                               const LunaKernelOperands *operands);

/// Returns true if the launch writes its sums to the scratch instead of the
/// output.
bool luna_product_in_scratch(const LunaTiling *tiling,
                             const LunaLaunch *launch);

/// Computes one launch; the launches of a tile are computed in sequence.
void luna_product_launch(LunaProduct *product, const LunaLaunch *launch);

/// Returns the number at `index` of a range.
static inline int32_t luna_range_at(LunaRange range, int32_t index) {
  return range.start + index * range.step;
}

#endif // LUNA_KERNEL_PRODUCT_H
