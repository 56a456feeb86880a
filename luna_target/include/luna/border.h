#ifndef LUNA_BORDER_H
#define LUNA_BORDER_H

// The outputs of a convolution whose windows reach padding.
//
// Outputs of an axis are of one class if the same taps of the kernel meet the
// input there; padding is what the others fall on. A class is a run of adjacent
// outputs. Row 0 is the class of most outputs, the first of equal ones, the
// others follow in their order. An output of the convolution is of class
// y.row * x.class_count + x.row, and class 0 is most of the image.

#include <stdbool.h>
#include <stdint.h>

#include "luna/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The most classes of an axis: kernels of more have no constants for borders.
enum { LUNA_BORDER_CLASSES_MAX = 16 };

/// The outputs of one class of an axis.
typedef struct LunaBorderRun {
  int32_t first, count;         ///< outputs
  int32_t first_tap, tap_count; ///< those that meet the input
  int32_t row;
} LunaBorderRun;

typedef struct LunaBorderAxis {
  LunaBorderRun runs[LUNA_BORDER_CLASSES_MAX]; ///< in the order of outputs
  int32_t class_count;
} LunaBorderAxis;

/// Finds the classes of axis 0 (y) or 1 (x) of a convolution that is not
/// transposed. Returns false if there are more than LUNA_BORDER_CLASSES_MAX.
/// O(outputs * taps).
bool luna_border_axis(const LunaConv2dDesc *desc, int axis,
                      LunaBorderAxis *border);

/// Returns the number of classes of a convolution's outputs; 0 if there are too
/// many, or it is transposed.
int32_t luna_border_classes(const LunaConv2dDesc *desc);

/// Returns true if the core adds constants to the sums of borders: the bias has
/// a row for each class, of which the launches take the first.
static inline bool luna_has_borders(const LunaTensorDesc *bias) {
  return bias->dims[2] > 1;
}

#ifdef __cplusplus
}
#endif

#endif // LUNA_BORDER_H
