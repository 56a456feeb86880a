#include <stddef.h>

#include "mock.h"

//===- Convolutions -------------------------------------------------------===//

static int64_t weight_count(const MockConv *conv) {
  int64_t taps = conv->taps[0] * conv->taps[1];
  return conv->lanes > 0
             ? mock_up(conv->out_c, conv->lanes) * taps
             : mock_up(conv->in_c, 8) * taps * mock_up(conv->out_c, 2);
}

static int64_t weight_place(const MockConv *conv, int64_t out, int64_t tap,
                            int64_t in) {
  int64_t taps = conv->taps[0] * conv->taps[1];
  if (conv->lanes > 0)
    return (out / conv->lanes * taps + tap) * conv->lanes + out % conv->lanes;
  return ((out / 2 * taps + tap) * (mock_up(conv->in_c, 8) / 8) + in / 8) * 16 +
         out % 2 * 8 + in % 8;
}

// A chip multiplies what is in a lane, whatever the host model does.
static void check_lanes(const MockConv *conv) {
  int64_t channels = mock_up(conv->out_c, conv->lanes > 0 ? conv->lanes : 2);
  int64_t depth = conv->lanes > 0 ? 1 : mock_up(conv->in_c, 8);
  int64_t last = conv->lanes > 0 ? 1 : conv->in_c;
  for (int64_t out = 0; out < channels; ++out)
    for (int64_t tap = 0; tap < conv->taps[0] * conv->taps[1]; ++tap)
      for (int64_t in = 0; in < depth; ++in)
        if ((out >= conv->out_c || in >= last) &&
            conv->weight[weight_place(conv, out, tap, in)] != 0)
          mock_refuse(conv->name, "a lane of the weights is not 0");
}

// Returns the input of an output and a tap in a channel, or NULL for padding.
static const int8_t *input_at(const MockConv *conv, int64_t channel, int64_t y,
                              int64_t x, int64_t tap) {
  int64_t row = y * conv->stride[0] + tap / conv->taps[1] * conv->dilation[0] -
                conv->pad[0];
  int64_t column = x * conv->stride[1] +
                   tap % conv->taps[1] * conv->dilation[1] - conv->pad[1];
  if (row < 0 || row >= conv->in[0] || column < 0 || column >= conv->in[1])
    return NULL;
  return &conv->input[(channel * conv->in[0] + row) * conv->in[1] + column];
}

static int64_t sum_at(const MockConv *conv, int64_t out, int64_t y, int64_t x) {
  int64_t first = conv->lanes > 0 ? out : 0;
  int64_t end = conv->lanes > 0 ? out + 1 : conv->in_c;
  int64_t sum = 0;
  for (int64_t tap = 0; tap < conv->taps[0] * conv->taps[1]; ++tap)
    for (int64_t in = first; in < end; ++in) {
      const int8_t *value = input_at(conv, in, y, x, tap);
      if (value)
        sum += *value * conv->weight[weight_place(conv, out, tap, in)];
    }
  return sum;
}

void mock_convolve(const MockConv *conv) {
  int64_t place = 0;
  mock_reads(conv->name, conv->input, conv->in_c * conv->in[0] * conv->in[1],
             1);
  mock_reads(conv->name, conv->weight, weight_count(conv), 1);
  if (conv->bias)
    mock_reads(conv->name, conv->bias, conv->out_c, 4);
  mock_writes(conv->name, conv->output,
              conv->out_c * conv->out[0] * conv->out[1], conv->output_bits / 8);
  check_lanes(conv);
  for (int64_t out = 0; out < conv->out_c; ++out)
    for (int64_t y = 0; y < conv->out[0]; ++y)
      for (int64_t x = 0; x < conv->out[1]; ++x, ++place) {
        int64_t sum = sum_at(conv, out, y, x);
        sum = mock_saturate(sum + (conv->bias ? conv->bias[out] : 0), 32);
        if (conv->has_relu && sum < 0)
          sum = 0;
        mock_store(
            conv->output, conv->output_bits, place,
            mock_saturate(mock_shift(sum, conv->shift), conv->output_bits));
      }
}

void mock_max_pool(const MockConv *pool) {
  int8_t *output = pool->output;
  mock_reads(pool->name, pool->input, pool->in_c * pool->in[0] * pool->in[1],
             1);
  mock_writes(pool->name, output, pool->out_c * pool->out[0] * pool->out[1], 1);
  for (int64_t c = 0; c < pool->out_c; ++c)
    for (int64_t y = 0; y < pool->out[0]; ++y)
      for (int64_t x = 0; x < pool->out[1]; ++x) {
        int8_t most = INT8_MIN;
        for (int64_t tap = 0; tap < pool->taps[0] * pool->taps[1]; ++tap) {
          const int8_t *value = input_at(pool, c, y, x, tap);
          if (value && *value > most)
            most = *value;
        }
        *output++ = most;
      }
}

//===- Vectors ------------------------------------------------------------===//

static MockWide value_of(const MockVectors *call, int64_t a, int64_t b) {
  switch (call->operation) {
  case MOCK_ADD:
    return (MockWide)a + b;
  case MOCK_SUB:
    return (MockWide)a - b;
  case MOCK_MUL:
    return (MockWide)a * b;
  case MOCK_SCALE:
    return (MockWide)a * call->scalar;
  case MOCK_OFFSET:
    return (MockWide)a + call->scalar;
  case MOCK_BELOW:
    return a < call->scalar;
  case MOCK_POSITIVE:
    return a > 0 ? a : 0;
  }
  return 0;
}

int32_t mock_compute(const MockVectors *call, uint32_t count, uint32_t shift) {
  mock_reads(call->name, call->a, count, call->in_bits / 8);
  if (call->b)
    mock_reads(call->name, call->b, count, call->in_bits / 8);
  mock_writes(call->name, call->output, count, call->out_bits / 8);
  if (call->out_bits > call->in_bits &&
      (call->output == call->a || call->output == call->b))
    mock_refuse(call->name, "a wider result in place");
  for (uint32_t i = 0; i < count; ++i) {
    int64_t a = mock_load(call->a, call->in_bits, i);
    int64_t b = call->b ? mock_load(call->b, call->in_bits, i) : 0;
    mock_store(
        call->output, call->out_bits, i,
        mock_saturate(mock_shift(value_of(call, a, b), shift), call->out_bits));
  }
  return 0;
}

int32_t mock_multiply(const char *name, const int32_t *a, int is_outer,
                      const int32_t *b, int32_t *output, uint32_t rows,
                      uint32_t columns, uint32_t shift) {
  int64_t count = (int64_t)rows * columns;
  mock_reads(name, a, is_outer ? rows : count, 4);
  mock_reads(name, b, columns, 4);
  mock_writes(name, output, count, 4);
  for (int64_t i = 0; i < count; ++i)
    output[i] = (int32_t)mock_saturate(
        mock_shift((MockWide)a[is_outer ? i / columns : i] * b[i % columns],
                   shift),
        32);
  return 0;
}

int32_t mock_matrix(const char *name, const int8_t *left, const int8_t *right,
                    void *output, int32_t output_bits, uint32_t rows,
                    uint32_t depth, uint32_t columns, uint32_t shift) {
  mock_reads(name, left, (int64_t)rows * depth, 1);
  mock_reads(name, right, (int64_t)depth * columns, 1);
  mock_writes(name, output, (int64_t)rows * columns, output_bits / 8);
  for (int64_t i = 0; i < (int64_t)rows * columns; ++i) {
    int64_t sum = 0;
    for (int64_t k = 0; k < depth; ++k)
      sum += left[i / columns * depth + k] * right[k * columns + i % columns];
    mock_store(output, output_bits, i,
               mock_saturate(mock_shift(sum, shift), output_bits));
  }
  return 0;
}
