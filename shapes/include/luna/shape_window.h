#ifndef LUNA_SHAPE_WINDOW_H
#define LUNA_SHAPE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Windows of convolutions and pools, of known sizes: what the rules of
/// rules_window.c say of open ones, and how frameworks choose their padding.

/// Returns how many indices a kernel reaches over.
int64_t luna_window_reach(int64_t kernel, int64_t dilation);

/// Returns how many windows lie in `extent` indices, padding included; 0 where
/// none does.
int64_t luna_window_count(int64_t extent, int64_t reach, int64_t stride);

/// Returns how many indices `count` windows cover: the extent that a transposed
/// convolution makes of `count`.
int64_t luna_window_cover(int64_t count, int64_t reach, int64_t stride);

/// Where padding comes from: it is given; it makes of n indices
/// ceil(n / stride) windows, the odd one behind or ahead; there is none.
typedef enum LunaPadding {
  LUNA_PADDING_GIVEN,
  LUNA_PADDING_SAME_UPPER,
  LUNA_PADDING_SAME_LOWER,
  LUNA_PADDING_VALID,
} LunaPadding;

/// A window over `rank` dimensions of space: extents in and out, padding ahead
/// and behind.
typedef struct LunaWindow {
  int rank;
  int64_t kernel[3], stride[3], dilation[3], low[3], high[3];
  int64_t in[3], out[3];
} LunaWindow;

/// Finds `out`, and the padding where it is not given. Returns the first
/// dimension that the kernel does not fit into, or the rank. With `rounds_up`
/// a window may end beyond the padding behind, but not start in it.
int luna_window_fit(LunaWindow *window, LunaPadding padding, bool rounds_up);

/// Finds `out` of a transposed convolution, unless it is above 0, and what is
/// left out of all that its windows cover: `low` ahead, `high` behind, below 0
/// what is added there. `more` is to be added behind.
void luna_window_fit_transposed(LunaWindow *window, LunaPadding padding,
                                const int64_t *more);

/// Returns the padding behind that the windows of dimension `i` reach exactly;
/// below 0, minus what they miss.
int64_t luna_window_behind(const LunaWindow *window, int i);

#ifdef __cplusplus
}
#endif

#endif // LUNA_SHAPE_WINDOW_H
