#include "box.h"

#include <string.h>

#include "luna/checked.h"

bool luna_box_next(int32_t loop_count, const int64_t *bounds, int64_t *index,
                   LunaBox *boxes, int32_t box_count) {
  for (int32_t d = loop_count - 1; d >= 0; --d) {
    bool is_last = ++index[d] == bounds[d];
    for (int32_t b = 0; b < box_count; ++b)
      boxes[b].offset +=
          is_last ? boxes[b].strides[d] * (1 - bounds[d]) : boxes[b].strides[d];
    if (!is_last)
      return true;
    index[d] = 0;
  }
  return false;
}

static void mark_defined(LunaConstant *tensor, int64_t offset, int64_t stride,
                         int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint8_t *mark = &tensor->is_defined[offset + i * stride];
    tensor->undefined_count -= !*mark;
    *mark = 1;
  }
}

// The innermost loop: `count` elements.
static void copy_row(LunaConstant *to, const LunaBox *into,
                     const LunaConstant *from, const LunaBox *out_of,
                     int64_t to_stride, int64_t from_stride, int64_t count) {
  size_t bytes = (size_t)to->element.bytes;
  uint8_t *target = to->data + (size_t)into->offset * bytes;
  const uint8_t *source = from->data;
  if (from->is_splat)
    from_stride = 0;
  else
    source += (size_t)out_of->offset * bytes;
  if (to_stride == 1 && from_stride == 1)
    memcpy(target, source, (size_t)count * bytes);
  else
    for (int64_t i = 0; i < count; ++i)
      memcpy(target + i * to_stride * (int64_t)bytes,
             source + i * from_stride * (int64_t)bytes, bytes);
  if (to->is_defined)
    mark_defined(to, into->offset, to_stride, count);
}

bool luna_box_copy(LunaInterpreter *interpreter, int32_t loop_count,
                   const int64_t *bounds, LunaConstant *to, const LunaBox *into,
                   const LunaConstant *from, const LunaBox *out_of) {
  int64_t total = 1, index[LUNA_CONSTANT_MAX_RANK] = {0};
  for (int32_t d = 0; d < loop_count; ++d)
    if (!luna_checked_mul(total, bounds[d], &total))
      return false;
  if (total == 0)
    return true;
  if (from->undefined_count > 0 || !luna_interpreter_spend(interpreter, total))
    return false;
  LunaBox boxes[2] = {*into, *out_of};
  int32_t outer = loop_count > 0 ? loop_count - 1 : 0;
  int64_t row = loop_count > 0 ? bounds[outer] : 1;
  do
    copy_row(to, &boxes[0], from, &boxes[1], into->strides[outer],
             out_of->strides[outer], row);
  while (luna_box_next(outer, bounds, index, boxes, 2));
  return true;
}
