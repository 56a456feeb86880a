#ifndef LUNA_CALL_FORM_H
#define LUNA_CALL_FORM_H

// Forms in which the vendor's library computes convolutions that it has no call
// for: others with the same result, on the same elements in another order.

#include <stdbool.h>
#include <stdint.h>

#include "luna/machine.h"
#include "luna/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum LunaCallFormKind {
  /// The convolution itself, in calls of a part of its output channels each.
  LUNA_FORM_ITSELF,
  /// A depthwise convolution whose planes are too large for a call, or with
  /// several outputs of a channel, as normal convolutions of blocks of its
  /// channels, in which most weights are 0. The unit takes no longer for them.
  LUNA_FORM_CHANNELS,
  /// A long kernel along the only extent of the image, as one of several rows:
  /// row i of the new image is the old one from i * row_length on.
  LUNA_FORM_ROWS,
  /// A large kernel with a stride, as one of stride 1 on every stride-th row
  /// and column, whose phases are channels, y before x before the old channel.
  LUNA_FORM_PHASES,
  /// A transposed convolution as one of stride 1, its kernel turned around, on
  /// the input spread by the strides: the first element is at `spread`, the
  /// input's zero point before, between and after.
  LUNA_FORM_SPREAD,
} LunaCallFormKind;

/// A form of a convolution.
typedef struct LunaCallForm {
  LunaCallFormKind kind;
  /// Of the convolution itself: its padding is written to the input of `conv`,
  /// with the input's zero point.
  bool pads_input;
  /// The convolution with taps that weigh nothing where the machine asks for
  /// kernels no smaller than the stride.
  LunaConv2dDesc from;
  int32_t taps[2]; ///< of the kernel before that, y and x
  /// The convolution of the form; of blocks of channels, the first.
  LunaConv2dDesc conv;
  int row_axis;       ///< of rows: 0 if the image is along y, 1 if along x
  int32_t row_count;  ///< of rows
  int32_t row_length; ///< taps of a row
  /// There is one output: the rows do not overlap, and are rows of the new
  /// image however the old one lies. Else they are columns if it is along y.
  bool rows_are_flat;
  int32_t spread[2]; ///< of a transposed convolution, y and x
} LunaCallForm;

/// Finds the form of a convolution with constant int8 weights in which all its
/// launches are calls of the machine's library: activations are planes, zero
/// points of inputs in the bias, weights packed (luna_tiling_pack), whatever
/// `desc` says of that. Returns false if there is none. O(the search for a
/// tiling).
bool luna_call_form(const LunaMachine *machine, const LunaConv2dDesc *desc,
                    LunaCallForm *form);

/// Returns the index, in the weights of the old convolution, of the weight `at`
/// of the new ones (OHWI; HWCM of a depthwise convolution); below 0 if it
/// weighs nothing. `first` is the first input channel of a block.
int64_t luna_call_form_weight(const LunaCallForm *form, int64_t first,
                              const int64_t at[4]);

/// Returns how many channels of a max pooling a call takes at most, as planes:
/// all of them, or a multiple of 8; 0 if the machine's library has no such call.
int32_t luna_pool_call_channels(const LunaMachine *machine,
                                const LunaPoolDesc *desc);

#ifdef __cplusplus
}
#endif

#endif // LUNA_CALL_FORM_H
