#ifndef LUNA_FOLD_BOX_H
#define LUNA_FOLD_BOX_H

// Loops over the indices of a tensor or of a linalg operator.

#include "interpreter.h"

/// The elements of a tensor that a loop nest accesses: the first one, and the
/// stride of each loop, in elements.
typedef struct LunaBox {
  int64_t offset;
  int64_t strides[LUNA_CONSTANT_MAX_RANK];
} LunaBox;

/// Advances `index` to the next iteration of a row-major loop nest, and the
/// offset of the box with it. Returns false after the last.
bool luna_box_next(int32_t loop_count, const int64_t *bounds, int64_t *index,
                   LunaBox *boxes, int32_t box_count);

/// Copies the elements of one box to those of another. Both lie within their
/// tensors; `to` is not a splat, and the elements written become defined.
/// Returns false if a source element is undefined, or the steps run out.
bool luna_box_copy(LunaInterpreter *interpreter, int32_t loop_count,
                   const int64_t *bounds, LunaConstant *to, const LunaBox *into,
                   const LunaConstant *from, const LunaBox *out_of);

#endif // LUNA_FOLD_BOX_H
