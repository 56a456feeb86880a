#include "luna/core.h"

#include "core_numbers.h"
#include "luna/eltwise_rows.h"

// Activations by table, where the unit has no call for them.

#define UNROLL _Pragma("GCC unroll 4")

enum { ENTRIES = 256, NEGATIVES = 128 };

// A dense table as the loads of the core find its entries: on one that extends
// no sign, a copy that begins with the entry of 0 saves two instructions an
// element.
#if defined __xtensa__
typedef uint8_t Index;

// Both loops are memcpy to the compiler.
static const int8_t *entry_of_zero(const int8_t *restrict table,
                                   int8_t *restrict copy) {
  for (int32_t i = 0; i < ENTRIES - NEGATIVES; ++i)
    copy[i] = table[NEGATIVES + i];
  for (int32_t i = 0; i < NEGATIVES; ++i)
    copy[ENTRIES - NEGATIVES + i] = table[i];
  return copy;
}
#else
typedef int8_t Index;

static const int8_t *entry_of_zero(const int8_t *table, int8_t *copy) {
  (void)copy;
  return table + NEGATIVES;
}
#endif

static void look_up(const int8_t *zero, const void *from, int8_t *to,
                    int32_t count) {
  const Index *at = from;
  UNROLL
  for (const Index *end = at + count; at != end; ++at, ++to)
    *to = zero[*at];
}

static void look_up_strided(const LunaTensorDesc *input,
                            const LunaTensorDesc *output, const int8_t *table,
                            int32_t entry_stride, const int8_t *from,
                            int8_t *to) {
  const int8_t *zero = table + NEGATIVES * entry_stride;
  for (int32_t i = output->dims[3]; i > 0; --i) {
    *to = zero[*from * entry_stride];
    from += input->strides[3];
    to += output->strides[3];
  }
}

void luna_core_table_loop(const LunaTableDesc *desc, const void *input,
                          const void *table, void *output) {
  _Alignas(4) int8_t copy[ENTRIES];
  LunaTensorDesc in = desc->input, out = desc->output;
  luna_join_rows(&in, &out);
  int32_t entry_stride = desc->table.strides[3];
  int is_dense = in.strides[3] == 1 && out.strides[3] == 1 && entry_stride == 1;
  const int8_t *zero = is_dense ? entry_of_zero(table, copy) : table;
  int32_t at[4] = {0};
  for (at[0] = 0; at[0] < out.dims[0]; ++at[0])
    for (at[1] = 0; at[1] < out.dims[1]; ++at[1])
      for (at[2] = 0; at[2] < out.dims[2]; ++at[2]) {
        const int8_t *from = (const int8_t *)input + luna_core_element(&in, at);
        int8_t *to = (int8_t *)output + luna_core_element(&out, at);
        if (is_dense)
          look_up(zero, from, to, out.dims[3]);
        else
          look_up_strided(&in, &out, table, entry_stride, from, to);
      }
}
