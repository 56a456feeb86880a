#ifndef LUNA_FOLD_BOX_H
#define LUNA_FOLD_BOX_H

// Loops over the indices of a tensor or of a linalg operator.

#include "interpreter.h"

/// Elements of a tensor that a loop nest touches: where it starts, and how far
/// a step of each loop goes, in elements.
typedef struct LunaBox {
  int64_t offset;
  int64_t strides[LUNA_CONSTANT_MAX_RANK];
} LunaBox;

/// Advances `index` to the next of a row-major loop nest, and the box's offset
/// with it; false after the last.
bool luna_box_next(int32_t loop_count, const int64_t *bounds, int64_t *index,
                   LunaBox *boxes, int32_t box_count);

/// Copies the elements of one box to those of another. Both must lie inside
/// of their tensors; `to` is no splat and becomes defined where it is written.
/// False where a source element is undefined, or steps run out.
bool luna_box_copy(LunaInterpreter *interpreter, int32_t loop_count,
                   const int64_t *bounds, LunaConstant *to, const LunaBox *into,
                   const LunaConstant *from, const LunaBox *out_of);

#endif // LUNA_FOLD_BOX_H
