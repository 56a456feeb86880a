#ifndef MOCK_H
#define MOCK_H

// What the mocks of vendors' libraries share: their memory, their one transfer,
// and how a value is shifted and saturated. A mock ends the program where the
// library would refuse a call, with the name of the rule.

#include <stdint.h>

/// More than any sum of products takes.
__extension__ typedef __int128 MockWide;

/// Says where the shared memory is, as the vendor's host models want to know
/// it.
void luna_set_sharedmem(void *base, uint32_t bytes);
/// Has calls check their operands; the mock always does.
void luna_set_check_enable(int is_enabled);

/// Ends the program: `call` breaks the rule `rule`.
_Noreturn void mock_refuse(const char *call, const char *rule);

/// Refuses an operand that is not in shared memory, or not aligned to its
/// elements.
void mock_reads(const char *call, const void *data, int64_t count,
                int32_t element_bytes);
/// The same of one that is written: nor may it meet an end of the transfer in
/// flight.
void mock_writes(const char *call, const void *data, int64_t count,
                 int32_t element_bytes);

/// The vendor's transfers: the bytes arrive at the end; one is in flight at a
/// time, on channel 0.
void dma_cpy_async(int channel, void *target, void *source, int32_t bytes);
void dma_wait_complete(int channel);
/// Has each transfer end when it starts, and says so.
void mock_end_with(void (*callback)(void));
/// Returns how many transfers have started.
int mock_transfers(void);

/// Returns v / 2^shift, rounded half up; 0 beyond the bits of v.
int64_t mock_shift(MockWide value, uint32_t shift);
/// Returns the value within so many bits.
int64_t mock_saturate(MockWide value, int32_t bits);

/// Loads and stores element `i` of so many bits.
int64_t mock_load(const void *data, int32_t bits, int64_t i);
void mock_store(void *data, int32_t bits, int64_t i, int64_t value);

/// A convolution of int8 planes with packed weights: pairs of output channels,
/// rows, columns, blocks of 8 inputs; or depthwise, blocks of `lanes` channels.
typedef struct MockConv {
  const char *name;
  const int8_t *input, *weight;
  const int32_t *bias; ///< or NULL
  void *output;
  int32_t output_bits;
  int32_t lanes; ///< 0 if it is not depthwise
  int64_t in_c, in[2], out_c, out[2], taps[2], stride[2], dilation[2], pad[2];
  int has_relu;
  uint32_t shift;
} MockConv;

/// Computes it, after looking at its operands: lanes that no channel has are 0.
void mock_convolve(const MockConv *conv);

/// Computes the largest of each window; padding is left out.
void mock_max_pool(const MockConv *pool);

typedef enum MockOperation {
  MOCK_ADD,
  MOCK_SUB,
  MOCK_MUL,
  MOCK_SCALE,
  MOCK_OFFSET,
  MOCK_BELOW,
  MOCK_POSITIVE,
} MockOperation;

/// A call on vectors: of two, or of one and a scalar.
typedef struct MockVectors {
  const char *name;
  MockOperation operation;
  int32_t in_bits, out_bits;
  const void *a, *b; ///< b: or NULL
  int32_t scalar;
  void *output;
} MockVectors;

/// Computes it, exact, shifted and saturated. Returns 0, as the library does.
int32_t mock_compute(const MockVectors *call, uint32_t count, uint32_t shift);

/// Computes rows by columns of a column times a row (`is_outer`), or of a
/// matrix times a row, all of 32 bits. Returns 0.
int32_t mock_multiply(const char *name, const int32_t *a, int is_outer,
                      const int32_t *b, int32_t *output, uint32_t rows,
                      uint32_t columns, uint32_t shift);

/// Computes the product of matrices of int8. Returns 0.
int32_t mock_matrix(const char *name, const int8_t *left, const int8_t *right,
                    void *output, int32_t output_bits, uint32_t rows,
                    uint32_t depth, uint32_t columns, uint32_t shift);

/// Defines a function that fills a vector.
#define MOCK_FILL(function, bits, Value)                                       \
  int32_t function(void *output, Value value, uint32_t count);                 \
  int32_t function(void *output, Value value, uint32_t count) {                \
    mock_writes(#function, output, count, bits / 8);                           \
    for (uint32_t i = 0; i < count; ++i)                                       \
      mock_store(output, bits, i, value);                                      \
    return 0;                                                                  \
  }

/// Returns the next multiple.
static inline int64_t mock_up(int64_t value, int64_t align) {
  return (value + align - 1) / align * align;
}

#endif // MOCK_H
