#ifndef LUNA_PORT_CALLS_H
#define LUNA_PORT_CALLS_H

// What a port over a vendor's library gives to port_calls.c, which implements
// the unit (luna/unit_port.h) by it: functions on vectors as a table, and what
// is called in a way of its own. A firmware takes port_calls.c and one port.

#include <stdint.h>

#include "luna/port.h"
#include "luna/unit_port.h"

/// Functions of the library, on dense operands. They return 0, or what they
/// refuse.
typedef int32_t LunaPortVectors(const void *a, const void *b, void *output,
                                uint32_t count, uint32_t shift);
typedef int32_t LunaPortScalar(const void *a, int32_t scalar, void *output,
                               uint32_t count, uint32_t shift);
typedef int32_t LunaPortVector(const void *a, void *output, uint32_t count,
                               uint32_t shift);
/// [rows][depth] by [depth][columns].
typedef int32_t LunaPortMatrices(const void *left, const void *right,
                                 void *output, uint32_t rows, uint32_t depth,
                                 uint32_t columns, uint32_t shift);
/// Each row by one.
typedef int32_t LunaPortRows(const void *a, const void *row, void *output,
                             uint32_t columns, uint32_t rows, uint32_t shift);

/// A convolution of packed weights: where it reads and writes, and how its sums
/// become results.
typedef struct LunaPortConv {
  const LunaLaunchRecord *launch;
  const uint8_t *input, *weight, *bias; ///< no bias: 0
  uint8_t *output;
  int32_t output_bits;
  uint32_t shift;
  int is_depthwise, has_relu, has_bias;
  const void *block; ///< that the library's packer made of all this; or 0
} LunaPortConv;

/// The functions for elements of 8, 16 and 32 bits of the operands, and these
/// of the result; 0 where the library has none. The names are those of
/// luna/unit_calls.def.
typedef struct LunaPortLibrary {
  LunaPortVectors *add[3][3], *sub[3][3], *mul[3][3];
  LunaPortScalar *scale[3][3], *offset[3][3];
  LunaPortScalar *cmp_vs[3][3]; ///< what is the shift elsewhere is the mode
  LunaPortVector *relu[3][3];
  LunaPortMatrices *mat_mul[3][3];
  LunaPortRows *multi_vec_mul[3][3];
  /// Has the packer make the block of a convolution, of which no operands are
  /// known yet. 0 if calls take none.
  void (*pack)(const LunaPortConv *conv, void *block);
  uint32_t block_bytes;
} LunaPortLibrary;

extern const LunaPortLibrary luna_port_library;

/// Computes a convolution. Faults if the library has none, or refuses it.
void luna_port_convolve(const LunaPortConv *conv);

/// Computes the largest of each window, of int8 planes of one image.
void luna_port_max_pool(const LunaPoolDesc *desc, const void *input,
                        void *output);

/// Fills a vector. Returns 0 if the library has no call for the width.
int luna_port_fill(void *output, int32_t bits, int32_t value, uint32_t count);

/// Copies bytes.
void luna_port_copy(void *output, const void *input, uint32_t bytes);

/// Faults if the library refused a call.
static inline void luna_port_check(int32_t status, const char *call) {
  if (status != 0)
    luna_port_fault(call);
}

#endif // LUNA_PORT_CALLS_H
