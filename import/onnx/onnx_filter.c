// Constants of audio front ends: windows and the weights of mel filters.

#include "onnx.h"

#include <math.h>
#include <string.h>

static bool output_type(LunaOnnxImport *c, const LunaOnnxNode *n,
                        LunaOnnxType *type) {
  *type = (LunaOnnxType)luna_onnx_attr_int(n, "output_datatype", LUNA_ONNX_F32);
  return luna_onnx_type_bytes(*type) > 0 ||
         luna_onnx_fail(c, "output_datatype %d is not supported", (int)*type);
}

// Reads one constant number, a whole one of at least `low`.
static bool read_count(LunaOnnxImport *c, const LunaOnnxNode *n, int index,
                       int64_t low, int64_t *count) {
  double value;
  if (!luna_onnx_input_float(c, n, index, 0, &value))
    return false;
  if (!(value >= (double)low && value <= (double)LUNA_ONNX_MAX_LIST))
    return luna_onnx_fail(c, "input %d is %g, %lld to %d are possible", index,
                          value, (long long)low, (int)LUNA_ONNX_MAX_LIST);
  *count = (int64_t)value;
  return true;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

// Point i of n is a[0] - a[1] cos(2 pi i / n) + a[2] cos(4 pi i / n).
static const double *coefficients(const char *name) {
  static const double hann[] = {0.5, 0.5, 0.0};
  static const double hamming[] = {25.0 / 46.0, 21.0 / 46.0, 0.0};
  static const double blackman[] = {0.42, 0.5, 0.08};
  if (strcmp(name, "HannWindow") == 0)
    return hann;
  return strcmp(name, "HammingWindow") == 0 ? hamming : blackman;
}

bool luna_onnx_op_window_function(LunaOnnxImport *c, LunaOnnxNode *n) {
  const double *a = coefficients(n->proto->op_type);
  LunaOnnxType type;
  int64_t size;
  if (!output_type(c, n, &type) || !read_count(c, n, 0, 1, &size))
    return false;
  bool is_periodic = luna_onnx_attr_int(n, "periodic", 1) != 0;
  double period = (double)(is_periodic ? size : size - 1);
  uint8_t *data = luna_onnx_new_data(c, size, luna_onnx_type_bytes(type));
  for (int64_t i = 0; i < size; ++i) {
    double turn = period > 0 ? 6.283185307179586476925 * (double)i / period : 0;
    luna_onnx_set_float(type, data, i,
                        a[0] - a[1] * cos(turn) + a[2] * cos(2 * turn));
  }
  LunaShape shape = luna_onnx_shape(1, &size);
  n->outputs[0] = luna_onnx_new_const(c, type, &shape, data);
  return true;
}

//===----------------------------------------------------------------------===//
// Mel filters
//===----------------------------------------------------------------------===//

typedef struct Mel {
  int64_t filters, bins, points; // Of the spectrum: bins up to half of points.
  int64_t rate;
  double low, high; // Hertz.
} Mel;

// The bin of edge i of filters + 2, which lie at equal distances in mel.
static int64_t edge_bin(const Mel *mel, int64_t i) {
  double low = 2595.0 * log10(1.0 + mel->low / 700.0);
  double high = 2595.0 * log10(1.0 + mel->high / 700.0);
  double at = low + (double)i * (high - low) / (double)(mel->filters + 2);
  double hertz = 700.0 * (pow(10.0, at / 2595.0) - 1.0);
  return (int64_t)floor((double)(mel->points + 1) * hertz / (double)mel->rate);
}

// The triangle of filter i: rises to its middle edge, falls to the next.
static void set_filter(const Mel *mel, LunaOnnxType type, uint8_t *data,
                       int64_t i) {
  int64_t low = edge_bin(mel, i), middle = edge_bin(mel, i + 1),
          high = edge_bin(mel, i + 2);
  for (int64_t bin = low; bin <= high && bin < mel->bins; ++bin) {
    double weight = bin < middle ? (double)(bin - low) / (double)(middle - low)
                    : bin == middle
                        ? 1.0
                        : (double)(high - bin) / (double)(high - middle);
    luna_onnx_set_float(type, data, bin * mel->filters + i, weight);
  }
}

static bool read_mel(LunaOnnxImport *c, const LunaOnnxNode *n, Mel *mel) {
  if (!read_count(c, n, 0, 1, &mel->filters) ||
      !read_count(c, n, 1, 1, &mel->points) ||
      !luna_onnx_input_float(c, n, 3, 0, &mel->low) ||
      !luna_onnx_input_float(c, n, 4, 0, &mel->high))
    return false;
  double rate;
  if (!luna_onnx_input_float(c, n, 2, 0, &rate))
    return false;
  if (!(rate >= 1 && rate <= INT32_MAX))
    return luna_onnx_fail(c, "sample_rate is %g, needs at least 1", rate);
  mel->rate = (int64_t)rate;
  mel->bins = mel->points / 2 + 1;
  if (!(mel->low >= 0 && mel->low < mel->high && mel->high <= rate / 2))
    return luna_onnx_fail(
        c,
        "edges are %g and %g Hz, must rise and lie below half "
        "the sample_rate",
        mel->low, mel->high);
  return true;
}

bool luna_onnx_op_mel_weights(LunaOnnxImport *c, LunaOnnxNode *n) {
  Mel mel;
  LunaOnnxType type;
  if (!output_type(c, n, &type) || !read_mel(c, n, &mel))
    return false;
  LunaShape shape = {2, {mel.bins, mel.filters}};
  if (!luna_onnx_check_made(c, luna_onnx_elems(&shape)))
    return false;
  uint8_t *data = luna_onnx_new_data(c, luna_onnx_elems(&shape),
                                     luna_onnx_type_bytes(type));
  for (int64_t i = 0; i < mel.filters; ++i)
    set_filter(&mel, type, data, i);
  n->outputs[0] = luna_onnx_new_const(c, type, &shape, data);
  return true;
}
