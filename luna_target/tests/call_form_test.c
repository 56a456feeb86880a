#include "luna/call_form.h"

#include <stdlib.h>

#include "check.h"
#include "luna/checked.h"
#include "luna/weight_layout.h"
#include "test_machine.h"
#include "tile_random.h"

// Every form computes what the convolution does: both by their definition, the
// input of the form put together by what its kind says.

enum { Y = 1, X = 2, CHANNEL = 3 };

typedef struct Image {
  int32_t dims[4];
  int32_t *values;
} Image;

static Image image_of(const int32_t dims[4]) {
  Image image = {.values =
                     calloc((size_t)dims[1] * (size_t)dims[2] * (size_t)dims[3],
                            sizeof *image.values)};
  for (int i = 0; i < 4; ++i)
    image.dims[i] = dims[i];
  return image;
}

static int32_t *at(const Image *image, int32_t y, int32_t x, int32_t c) {
  return &image->values[(y * image->dims[X] + x) * image->dims[CHANNEL] + c];
}

// What lies outside is the zero point, 0.
static int32_t value_at(const Image *image, int32_t y, int32_t x, int32_t c) {
  bool is_inside = y >= 0 && y < image->dims[Y] && x >= 0 && x < image->dims[X];
  return is_inside ? *at(image, y, x, c) : 0;
}

typedef struct Weights {
  const int32_t *values;
  const LunaCallForm *form; // none: they are the old ones
  int64_t first;
} Weights;

static int32_t weight_at(const Weights *weights, const LunaConv2dDesc *desc,
                         const int64_t at[4]) {
  const int32_t *dims = desc->weight.dims;
  int64_t index =
      ((at[0] * dims[1] + at[1]) * dims[2] + at[2]) * dims[3] + at[3];
  if (weights->form)
    index = luna_call_form_weight(weights->form, weights->first, at);
  return index < 0 ? 0 : weights->values[index];
}

// Returns the row (axis 0) or column of the input that a tap meets for an
// output; -1 for none.
static int32_t place_of(const LunaConv2dDesc *desc, int axis, int32_t out,
                        int32_t tap) {
  int32_t stride = desc->stride[axis], pad = desc->pad[2 * axis];
  int32_t spread = out - pad - tap;
  if (desc->kind == LUNA_CONV_TRANSPOSED)
    return spread >= 0 && spread % stride == 0 ? spread / stride : -1;
  return out * stride + tap * desc->dilation[axis] - pad;
}

static int32_t sum_at(const LunaConv2dDesc *desc, const Image *input,
                      const Weights *weights, int32_t y, int32_t x, int32_t o) {
  bool is_depthwise = desc->kind == LUNA_CONV_DEPTHWISE;
  int32_t multiplier = is_depthwise ? luna_conv2d_multiplier(desc) : 1;
  int32_t channels = is_depthwise ? 1 : desc->input.dims[CHANNEL], sum = 0;
  for (int32_t ky = 0; ky < luna_conv2d_taps(desc, 0); ++ky)
    for (int32_t kx = 0; kx < luna_conv2d_taps(desc, 1); ++kx)
      for (int32_t i = 0; i < channels; ++i) {
        int32_t c = is_depthwise ? o / multiplier : i;
        const int64_t normal[] = {o, ky, kx, c};
        const int64_t depthwise[] = {ky, kx, c, o % multiplier};
        sum += weight_at(weights, desc, is_depthwise ? depthwise : normal) *
               value_at(input, place_of(desc, 0, y, ky),
                        place_of(desc, 1, x, kx), c);
      }
  return sum;
}

// Returns the old element that an element of a form's input is.
static int32_t element(const LunaCallForm *form, const Image *old, int32_t y,
                       int32_t x, int32_t c, int64_t first) {
  const int32_t *pad = form->from.pad, *stride = form->from.stride;
  int32_t channels = old->dims[CHANNEL], phase = c / channels;
  bool is_y = form->rows_are_flat || form->row_axis == 1;
  int32_t row = is_y ? y : x, place = row * form->row_length + (is_y ? x : y);
  switch (form->kind) {
  case LUNA_FORM_ITSELF:
    return form->pads_input ? value_at(old, y - pad[0], x - pad[2], c)
                            : value_at(old, y, x, c);
  case LUNA_FORM_CHANNELS:
    return value_at(old, y, x, (int32_t)first + c);
  case LUNA_FORM_ROWS:
    return form->row_axis == 0 ? value_at(old, place - pad[0], 0, c)
                               : value_at(old, 0, place - pad[2], c);
  case LUNA_FORM_PHASES:
    return value_at(old, y * stride[0] + phase / stride[1] - pad[0],
                    x * stride[1] + phase % stride[1] - pad[2], c % channels);
  case LUNA_FORM_SPREAD:
    y -= form->spread[0];
    x -= form->spread[1];
    return y >= 0 && x >= 0 && y % stride[0] == 0 && x % stride[1] == 0
               ? value_at(old, y / stride[0], x / stride[1], c)
               : 0;
  }
  return 0;
}

static Image input_of(const LunaCallForm *form, const Image *old,
                      int64_t first) {
  Image input = image_of(form->conv.input.dims);
  for (int32_t y = 0; y < input.dims[Y]; ++y)
    for (int32_t x = 0; x < input.dims[X]; ++x)
      for (int32_t c = 0; c < input.dims[CHANNEL]; ++c)
        if (first + c < old->dims[CHANNEL] || form->kind != LUNA_FORM_CHANNELS)
          *at(&input, y, x, c) = element(form, old, y, x, c, first);
  return input;
}

// Compares the outputs of the block of channels that begins at `first`.
static void check_block(const LunaConv2dDesc *desc, const LunaCallForm *form,
                        const Image *input, const int32_t *values,
                        int64_t first) {
  const int32_t *out = form->conv.output.dims;
  const Weights old = {values, NULL, 0}, new = {values, form, first};
  int32_t multiplier = desc->output.dims[CHANNEL] / desc->input.dims[CHANNEL];
  int32_t channel = first > 0 ? (int32_t)first * multiplier : 0;
  Image formed = input_of(form, input, first);
  for (int32_t y = 0; y < out[Y]; ++y)
    for (int32_t x = 0; x < out[X]; ++x)
      for (int32_t o = 0;
           o < out[CHANNEL] && channel + o < desc->output.dims[CHANNEL]; ++o)
        CHECK_EQ(sum_at(&form->conv, &formed, &new, y, x, o),
                 sum_at(desc, input, &old, y, x, channel + o));
  free(formed.values);
}

static void fill(Random *random, int32_t *values, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    values[i] = random_in(random, -128, 127);
}

static void check_form(Random *random, const LunaConv2dDesc *desc,
                       const LunaCallForm *form) {
  const int32_t *in = desc->input.dims, *weight = desc->weight.dims;
  int64_t count = (int64_t)weight[0] * weight[1] * weight[2] * weight[3];
  Image input = image_of(in);
  int32_t *values = calloc((size_t)count, sizeof *values);
  fill(random, input.values, (int64_t)in[Y] * in[X] * in[CHANNEL]);
  fill(random, values, count);
  int32_t step = form->kind == LUNA_FORM_CHANNELS
                     ? form->conv.input.dims[CHANNEL]
                     : in[CHANNEL];
  for (int64_t first = 0; first < in[CHANNEL]; first += step)
    check_block(desc, form, &input, values, first);
  free(values);
  free(input.values);
}

// Draws kernels up to three times as large as the limit, of images and of
// lines.
static LunaConv2dDesc draw(Random *random) {
  const int32_t kind = random_in(random, 0, 2), line = random_in(random, 0, 3);
  int32_t shape[6], stride[2], pad[4] = {0};
  for (int i = 0; i < 2; ++i) {
    stride[i] = random_in(random, 1, 4);
    shape[4 + i] = random_in(random, 1, random_in(random, 1, 2) == 1 ? 5 : 15);
    shape[i] = shape[4 + i] + random_in(random, 0, 12);
    pad[2 * i] = random_in(random, 0, 1);
    if (line == i)
      shape[4 + i] = shape[i] = stride[i] = 1, pad[2 * i] = 0;
  }
  shape[2] = random_in(random, 1, 2) == 1 ? 1 : random_in(random, 1, 12);
  shape[3] = random_in(random, 1, 3);
  return conv_desc(kind, shape, stride[0], stride[1], 1, 1, pad);
}

static void forms_compute_the_same(void) {
  Random random = {.state = 11};
  const char *const names[] = {"venus", "arcs", "venusa"};
  int found[LUNA_FORM_SPREAD + 1] = {0}, padded = 0;
  for (int m = 0; m < 3; ++m) {
    LunaMachine machine;
    LunaError error = {0};
    CHECK(luna_machine_load(names[m], NULL, &machine, &error));
    for (int i = 0; i < 600; ++i) {
      LunaConv2dDesc desc = draw(&random);
      LunaCallForm form;
      desc.input_zero_point = random_in(&random, 0, 1);
      if (!luna_call_form(&machine, &desc, &form))
        continue;
      ++found[form.kind];
      padded += form.pads_input;
      check_form(&random, &desc, &form);
    }
  }
  for (int i = 0; i <= LUNA_FORM_SPREAD; ++i)
    CHECK(found[i] > 10);
  CHECK(padded > 3);
}

static bool has_form(LunaConv2dDesc desc) {
  LunaMachine machine;
  LunaCallForm form;
  LunaError error = {0};
  CHECK(luna_machine_load("venus", NULL, &machine, &error));
  return luna_call_form(&machine, &desc, &form);
}

static void some_have_none(void) {
  const int32_t small[] = {16, 16, 4, 4, 3, 3}, large[] = {16, 16, 4, 4, 9, 3};
  const int32_t pad[4] = {0};
  CHECK(has_form(conv_desc(LUNA_CONV_NORMAL, small, 1, 1, 1, 1, pad)));
  CHECK(!has_form(conv_desc(LUNA_CONV_TRANSPOSED, large, 2, 2, 1, 1, pad)));
  CHECK(!has_form(conv_desc(LUNA_CONV_NORMAL, small, 1, 1, 2, 1, pad)));
  CHECK(!has_form(conv_desc(LUNA_CONV_NORMAL, large, 1, 1, 1, 1, pad)));
  LunaConv2dDesc shifted = conv_desc(LUNA_CONV_NORMAL, small, 1, 1, 1, 1, pad);
  shifted.weight_zero_point = 1;
  CHECK(!has_form(shifted));
}

int main(void) {
  RUN_TEST(forms_compute_the_same);
  RUN_TEST(some_have_none);
  return 0;
}
