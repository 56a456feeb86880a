#include "tflite_ops.h"
#include "tflite_scalar.h"

// RESIZE_BILINEAR on int8, the reference kernel step by step: positions have 10
// fraction bits, the four products are summed in 20 and rounded once, ties away
// from zero.

enum { HEIGHT = 0, WIDTH = 1, BITS = 10, ONE = 1 << BITS };

// Where each output row or column reads: two of the input's, and how much of
// the second.
typedef struct Taps {
  MlirValue first, second, weight;
} Taps;

static int64_t scale_of(int64_t in, int64_t out, bool align_corners) {
  if (align_corners && out > 1)
    return (ONE * (in - 1) + (out - 1) / 2) / (out - 1);
  return (ONE * in + out / 2) / out;
}

static MlirValue list(LunaBuilder *b, int64_t count, const int32_t *values) {
  return luna_build_data(b, luna_list_type(b->i32, count), values);
}

static Taps make_taps(LunaTfliteNode *node, int64_t in, int64_t out,
                      bool align_corners, bool half_pixel) {
  LunaBuilder *b = node->builder;
  int64_t scale = scale_of(in, out, align_corners);
  int32_t *first = LUNA_ARENA_ARRAY(node->arena, int32_t, out);
  int32_t *second = LUNA_ARENA_ARRAY(node->arena, int32_t, out);
  int32_t *weight = LUNA_ARENA_ARRAY(node->arena, int32_t, out);
  for (int64_t o = 0; o < out; ++o) {
    int64_t at = o * scale + (half_pixel ? scale / 2 - ONE / 2 : 0);
    int64_t low = at / ONE, high = (at + ONE - 1) / ONE;
    low = low < 0 ? 0 : low;
    // Rounded scales may lead past the end by a fraction.
    low = low > in - 1 ? in - 1 : low;
    first[o] = (int32_t)low;
    second[o] = (int32_t)(high > in - 1 ? in - 1 : high);
    weight[o] = (int32_t)(at - low * ONE);
  }
  return (Taps){.first = list(b, out, first),
                .second = list(b, out, second),
                .weight = list(b, out, weight)};
}

// One tap's elements in the body: where it reads and the weights of both.
typedef struct Tap {
  MlirValue at[2], weight[2];
} Tap;

static Tap open_tap(LunaGeneric *generic, const Taps *taps, int loop) {
  Tap tap = {.at = {luna_generic_input_at(generic, taps->first, &loop),
                    luna_generic_input_at(generic, taps->second, &loop)},
             .weight[1] = luna_generic_input_at(generic, taps->weight, &loop)};
  return tap;
}

static void finish_tap(LunaBuilder *b, Tap *tap) {
  tap->weight[0] = luna_scalar_sub(b, luna_scalar_i32(b, ONE), tap->weight[1]);
  for (int i = 0; i < 2; ++i)
    tap->at[i] = luna_scalar_to(b, "arith.index_cast", tap->at[i], b->index);
}

static MlirValue round_sum(LunaBuilder *b, MlirValue sum, MlirType element) {
  MlirValue is_positive =
      luna_scalar_compare(b, LUNA_GT, sum, luna_scalar_i32(b, 0));
  int64_t half = INT64_C(1) << (2 * BITS - 1);
  sum = luna_scalar_add(b, sum,
                        luna_scalar_select(b, is_positive,
                                           luna_scalar_i32(b, half),
                                           luna_scalar_i32(b, -half)));
  sum = luna_scalar_with(b, "arith.divsi", sum, INT64_C(1) << (2 * BITS));
  return luna_scalar_resize(b, sum, element);
}

MlirValue luna_tflite_bilinear_int8(LunaTfliteNode *node, MlirValue value,
                                    bool align_corners, bool half_pixel) {
  LunaBuilder *b = node->builder;
  LunaShape out = luna_tflite_shape_of(luna_tflite_output(node, 0));
  MlirType element = luna_element_of(value);
  Taps taps[2];
  Tap tap[2];
  for (int axis = HEIGHT; axis <= WIDTH; ++axis)
    taps[axis] = make_taps(node, luna_extent(value, 1 + axis),
                           out.dims[1 + axis], align_corners, half_pixel);
  LunaGeneric generic = luna_generic(b, &out);
  for (int axis = HEIGHT; axis <= WIDTH; ++axis)
    tap[axis] = open_tap(&generic, &taps[axis], 1 + axis);
  luna_generic_result(&generic, element);
  for (int axis = HEIGHT; axis <= WIDTH; ++axis)
    finish_tap(b, &tap[axis]);
  MlirValue batch = luna_generic_index(&generic, 0);
  MlirValue depth = luna_generic_index(&generic, 3);
  MlirValue sum = luna_scalar_i32(b, 0);
  for (int corner = 0; corner < 4; ++corner) {
    int y = corner & 1, x = corner >> 1;
    MlirValue pixel = luna_scalar_extract(
        b, value,
        (MlirValue[]){batch, tap[HEIGHT].at[y], tap[WIDTH].at[x], depth});
    MlirValue weight =
        luna_scalar_mul(b, tap[HEIGHT].weight[y], tap[WIDTH].weight[x]);
    pixel = luna_scalar_resize(b, pixel, b->i32);
    sum = luna_scalar_add(b, sum, luna_scalar_mul(b, pixel, weight));
  }
  return luna_generic_end(&generic, round_sum(b, sum, element));
}
