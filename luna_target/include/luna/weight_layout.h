#ifndef LUNA_WEIGHT_LAYOUT_H
#define LUNA_WEIGHT_LAYOUT_H

// Packed weights: the order in which the vendor's library reads them, as a
// machine file writes it ("OhwI2o8i", LunaProductCalls.weight_layout), and as
// two words of descriptors and records.

#include <stdbool.h>
#include <stdint.h>

#include "luna/machine.h"
#include "luna/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What weights connect: output channels, rows and columns of the kernel, input
/// channels (of a depthwise convolution, 1), in this order.
enum {
  LUNA_WEIGHT_OUT,
  LUNA_WEIGHT_ROW,
  LUNA_WEIGHT_COLUMN,
  LUNA_WEIGHT_IN,
  LUNA_WEIGHT_AXES
};

/// The dimensions of packed weights, outermost first: eight bits each, from the
/// lowest of the first word. The low three are 1 + the axis, 0 where there are
/// no more; the others are the extent within a block, 0 outside of blocks. Both
/// words are 0 where weights are not packed. A text has LUNA_WEIGHT_LAYOUT_MAX
/// characters at most.
enum { LUNA_WEIGHT_LAYOUT_WORDS = 2, LUNA_WEIGHT_LAYOUT_MAX = 15 };

/// Returns true if weights are packed.
static inline bool luna_weights_are_packed(const int32_t layout[2]) {
  return layout[0] != 0;
}

/// Reads a layout: `o` or `c` is the output channel, `h`, `w` and `i` are rows,
/// columns and input channels. An upper-case letter counts blocks, whose extent
/// a number with the lower-case letter gives further in. Returns false, with
/// both words 0, if an axis is missing (input channels may be), comes twice, or
/// has blocks of no extent or of more than 31.
bool luna_weight_layout_read(const char *text, int32_t layout[2]);

/// Returns the elements of packed weights of these extents, blocks filled up.
int64_t luna_weight_layout_count(const int32_t layout[2],
                                 const int32_t extents[LUNA_WEIGHT_AXES]);

/// Returns the element at which the weight `at` lies.
int64_t luna_weight_layout_index(const int32_t layout[2],
                                 const int32_t extents[LUNA_WEIGHT_AXES],
                                 const int32_t at[LUNA_WEIGHT_AXES]);

/// How an axis of packed weights lies: the element of `at` is
/// at / block * block_stride + at % block * stride further on.
typedef struct LunaWeightAxis {
  int32_t block;
  int64_t block_stride, stride;
} LunaWeightAxis;

/// Returns how an axis of packed weights of these extents lies.
LunaWeightAxis luna_weight_layout_axis(const int32_t layout[2],
                                       const int32_t extents[LUNA_WEIGHT_AXES],
                                       int axis);

/// Returns the number of output channels at whose multiples packed weights can
/// be cut; 0 if these do not lie outermost.
int32_t luna_weight_layout_step(const int32_t layout[2]);

/// Writes the layout `text` with blocks of so many rows of kernels, outermost:
/// each is packed as a kernel of its own. Returns false if a layout has blocks
/// of rows, or more dimensions than there is room for.
bool luna_weight_layout_cut(const char *text, int32_t rows,
                            char cut[LUNA_WEIGHT_LAYOUT_MAX + 1]);

/// Returns the rows of a block if `layout` is `text` with such blocks, else 0.
int32_t luna_weight_layout_rows(const char *text, const int32_t layout[2]);

/// Returns the taps of a convolution's kernel along y (axis 0) or x.
int32_t luna_conv2d_taps(const LunaConv2dDesc *desc, int axis);

/// Returns the output channels for each input channel of a depthwise
/// convolution.
int32_t luna_conv2d_multiplier(const LunaConv2dDesc *desc);

/// Returns the order in which the machine's library reads the weights of a
/// convolution; one with a single input channel is no depthwise one for it.
const char *luna_conv2d_layout(const LunaMachine *machine,
                               const LunaConv2dDesc *desc);

/// Writes the order in which the weights of a convolution are packed: that, or
/// blocks of rows of it if its `weight_layout` is. Returns the rows of a block,
/// else 0.
int32_t luna_conv2d_packed_layout(const LunaMachine *machine,
                                  const LunaConv2dDesc *desc,
                                  char text[LUNA_WEIGHT_LAYOUT_MAX + 1]);

/// Writes the extents of a convolution's weights, packed or not.
void luna_conv2d_weights(const LunaConv2dDesc *desc,
                         int32_t extents[LUNA_WEIGHT_AXES]);

#ifdef __cplusplus
}
#endif

#endif // LUNA_WEIGHT_LAYOUT_H
