#include "kernel_numbers.h"
#include "kernels.h"

// Operators that go element by element: row after row of the innermost
// dimension.

typedef struct RowVisitor {
  int64_t i, j, k;
} RowVisitor;

static bool next_row(RowVisitor *at, const int32_t dims[4]) {
  if (++at->k < dims[2])
    return true;
  at->k = 0;
  if (++at->j < dims[1])
    return true;
  at->j = 0;
  return ++at->i < dims[0];
}

static bool has_rows(const int32_t dims[4]) {
  return dims[0] > 0 && dims[1] > 0 && dims[2] > 0 && dims[3] > 0;
}

//===- Elementwise --------------------------------------------------------===//

// An operand whose extents of 1 are repeated along the output.
static LunaTensorDesc broadcast(const LunaTensorDesc *desc) {
  LunaTensorDesc wide = *desc;
  for (int i = 0; i < 4; ++i)
    if (desc->dims[i] == 1)
      wide.strides[i] = 0;
  return wide;
}

static void scale_row(int64_t *row, int32_t count, int32_t multiplier,
                      int32_t shift, int32_t rounding) {
  if (multiplier == 0)
    return;
  for (int32_t i = 0; i < count; ++i)
    row[i] = luna_apply_scale(row[i], multiplier, shift, rounding);
}

static void combine_rows(int32_t kind, int64_t *restrict lhs,
                         const int64_t *restrict rhs, int32_t count) {
  switch ((LunaEltwiseKind)kind) {
  case LUNA_ELTWISE_ADD:
    for (int32_t i = 0; i < count; ++i)
      lhs[i] = luna_wrap_i32(luna_wrap_add(lhs[i], rhs[i]));
    return;
  case LUNA_ELTWISE_SUB:
    for (int32_t i = 0; i < count; ++i)
      lhs[i] = luna_wrap_i32(luna_wrap_add(lhs[i], -rhs[i]));
    return;
  case LUNA_ELTWISE_MUL:
    for (int32_t i = 0; i < count; ++i)
      lhs[i] = luna_wrap_i32((int64_t)((uint64_t)lhs[i] * (uint64_t)rhs[i]));
    return;
  }
}

static void load_row(int64_t *row, const void *data, const LunaTensorDesc *desc,
                     const RowVisitor *at, int32_t count, int32_t zero_point) {
  luna_load_longs(row, luna_element(data, desc, at->i, at->j, at->k, 0),
                  desc->type, desc->strides[3], count, zero_point);
}

void luna_kernel_eltwise(const LunaEltwiseDesc *desc, const void *lhs,
                         const void *rhs, void *output) {
  const LunaTensorDesc *out = &desc->output;
  if (!has_rows(out->dims))
    return;
  LunaArena arena = {0};
  LunaTensorDesc left = broadcast(&desc->lhs), right = broadcast(&desc->rhs);
  int32_t count = out->dims[3];
  int64_t *a = LUNA_ARENA_ARRAY(&arena, int64_t, count);
  int64_t *b = LUNA_ARENA_ARRAY(&arena, int64_t, count);
  // Per tensor only: one multiplier serves every channel (step 0).
  LunaRequant requant =
      luna_requant_prepare(&arena, &desc->requant, NULL, NULL, 1);
  RowVisitor at = {0};
  do {
    load_row(a, lhs, &left, &at, count, desc->lhs_zero_point);
    load_row(b, rhs, &right, &at, count, desc->rhs_zero_point);
    scale_row(a, count, desc->lhs_multiplier, desc->lhs_shift,
              desc->input_rounding);
    scale_row(b, count, desc->rhs_multiplier, desc->rhs_shift,
              desc->input_rounding);
    combine_rows(desc->kind, a, b, count);
    luna_requant_sums(&requant, a, 0, 0, count);
    luna_store_longs((uint8_t *)output +
                         luna_element_offset(out, at.i, at.j, at.k, 0),
                     a, out->type, out->strides[3], count);
  } while (next_row(&at, out->dims));
  luna_arena_destroy(&arena);
}

//===- Table, copy, fill --------------------------------------------------===//

void luna_kernel_table(const LunaTableDesc *desc, const void *input,
                       const void *table, void *output) {
  const LunaTensorDesc *in = &desc->input, *out = &desc->output;
  if (!has_rows(out->dims))
    return;
  int64_t entry_stride = desc->table.strides[3];
  RowVisitor at = {0};
  do {
    const int8_t *from = luna_element(input, in, at.i, at.j, at.k, 0);
    int8_t *to =
        (int8_t *)output + luna_element_offset(out, at.i, at.j, at.k, 0);
    for (int64_t i = 0; i < out->dims[3]; ++i) {
      int64_t entry = from[i * in->strides[3]] + 128;
      to[i * out->strides[3]] = ((const int8_t *)table)[entry * entry_stride];
    }
  } while (next_row(&at, out->dims));
}

static void copy_row(uint8_t *to, const uint8_t *from, int64_t to_stride,
                     int64_t from_stride, int32_t count, int32_t bytes) {
  if (to_stride == bytes && from_stride == bytes)
    memmove(to, from, (size_t)count * (size_t)bytes);
  else
    for (int32_t i = 0; i < count; ++i)
      memmove(to + i * to_stride, from + i * from_stride, (size_t)bytes);
}

void luna_kernel_copy(const LunaCopyDesc *desc, const void *source,
                      void *target) {
  const LunaTensorDesc *in = &desc->source, *out = &desc->target;
  int32_t bytes = luna_element_bytes(out->type);
  if (!has_rows(out->dims))
    return;
  RowVisitor at = {0};
  do {
    copy_row((uint8_t *)target + luna_element_offset(out, at.i, at.j, at.k, 0),
             luna_element(source, in, at.i, at.j, at.k, 0),
             (int64_t)out->strides[3] * bytes, (int64_t)in->strides[3] * bytes,
             out->dims[3], bytes);
  } while (next_row(&at, out->dims));
}

void luna_kernel_fill(const LunaFillDesc *desc, void *target) {
  const LunaTensorDesc *out = &desc->target;
  if (!has_rows(out->dims))
    return;
  LunaArena arena = {0};
  uint64_t bits =
      (uint64_t)(uint32_t)desc->value_high << 32 | (uint32_t)desc->value_low;
  int64_t *row = LUNA_ARENA_ARRAY(&arena, int64_t, out->dims[3]);
  for (int32_t i = 0; i < out->dims[3]; ++i)
    memcpy(&row[i], &bits, sizeof bits);
  RowVisitor at = {0};
  do {
    luna_store_longs((uint8_t *)target +
                         luna_element_offset(out, at.i, at.j, at.k, 0),
                     row, out->type, out->strides[3], out->dims[3]);
  } while (next_row(&at, out->dims));
  luna_arena_destroy(&arena);
}
