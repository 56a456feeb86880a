#include "luna/border.h"

#include "check.h"
#include "luna/core_cost.h"
#include "luna/fold.h"
#include "tile_random.h"

// Classes of borders against the taps of each output, and folded biases against
// sums of products.

static bool meets(const LunaConv2dDesc *desc, int axis, int32_t out,
                  int32_t tap) {
  int32_t at = out * desc->stride[axis] - desc->pad[2 * axis] +
               tap * desc->dilation[axis];
  return at >= 0 && at < desc->input.dims[1 + axis];
}

static int32_t taps_along(const LunaConv2dDesc *desc, int axis) {
  return desc->weight.dims[desc->kind == LUNA_CONV_DEPTHWISE ? axis : 1 + axis];
}

static const LunaBorderRun *run_of(const LunaBorderAxis *border, int32_t out) {
  const LunaBorderRun *run = border->runs;
  while (out >= run->first + run->count)
    ++run;
  return run;
}

static void check_axis(const LunaConv2dDesc *desc, int axis) {
  LunaBorderAxis border;
  int32_t largest = 0, rows = 0;
  CHECK(luna_border_axis(desc, axis, &border));
  for (int32_t out = 0; out < desc->output.dims[1 + axis]; ++out) {
    const LunaBorderRun *run = run_of(&border, out);
    CHECK(run->first <= out);
    for (int32_t tap = 0; tap < taps_along(desc, axis); ++tap)
      CHECK_EQ(meets(desc, axis, out, tap),
               tap >= run->first_tap && tap < run->first_tap + run->tap_count);
  }
  for (int32_t i = 0; i < border.class_count; ++i) {
    const LunaBorderRun *run = &border.runs[i];
    largest = run->row == 0 ? run->count : largest;
    rows |= 1 << run->row;
  }
  for (int32_t i = 0; i < border.class_count; ++i)
    CHECK(border.runs[i].count <= largest);
  CHECK_EQ(rows, (1 << border.class_count) - 1); // each once
}

static void classes_are_those_of_the_taps(void) {
  Random random = {.state = 31};
  for (int i = 0; i < 2000; ++i) {
    LunaConv2dDesc desc = random_conv(&random, 12);
    if (desc.kind == LUNA_CONV_TRANSPOSED) {
      CHECK_EQ(luna_border_classes(&desc), 0);
      continue;
    }
    check_axis(&desc, 0);
    check_axis(&desc, 1);
  }
}

static LunaConv2dDesc conv_of(int32_t in, int32_t kernel, int32_t pad) {
  int32_t out = in + 2 * pad - kernel + 1;
  return (LunaConv2dDesc){
      .input = {LUNA_TYPE_I8, {1, in, in, 1}, {0}},
      .weight = {LUNA_TYPE_I8, {1, kernel, kernel, 1}, {0}},
      .output = {LUNA_TYPE_I32, {1, out, out, 1}, {0}},
      .stride = {1, 1},
      .dilation = {1, 1},
      .pad = {pad, pad, pad, pad},
  };
}

static void known_classes(void) {
  LunaConv2dDesc desc = conv_of(8, 3, 1);
  CHECK_EQ(luna_border_classes(&desc), 9);
  desc = conv_of(8, 1, 0);
  CHECK_EQ(luna_border_classes(&desc), 1);
  desc = conv_of(1, 3, 1); // one output, which meets one tap
  CHECK_EQ(luna_border_classes(&desc), 1);
  desc = conv_of(15, 15, 7);
  CHECK_EQ(luna_border_classes(&desc), 15 * 15);
  desc = conv_of(17, 17, 8); // one more than there may be on an axis
  CHECK_EQ(luna_border_classes(&desc), 0);
}

static LunaCoreBorders lines_of(const LunaBorderRecord *borders, int32_t count,
                                const LunaOriginRecord *origin) {
  const LunaLaunchRecord tile = {.tile = {25, 5}};
  return luna_core_borders(borders, count, origin, &tile, true);
}

// All sides of 25 x 5 outputs: two rows, and the columns between them; without
// the first column, a column. A tile that begins one row below has no first
// row.
static void known_lines(void) {
  static const LunaBorderRecord borders[] = {
      {{0, 0}, {1, 1}, 1},  {{0, 1}, {1, 3}, 2},  {{0, 4}, {1, 1}, 3},
      {{1, 0}, {23, 1}, 4}, {{1, 4}, {23, 1}, 5}, {{24, 0}, {1, 1}, 6},
      {{24, 1}, {1, 3}, 7}, {{24, 4}, {1, 1}, 8},
  };
  static const LunaOriginRecord whole = {{0, 0}}, below = {{1, 0}};
  LunaCoreBorders lines = lines_of(borders, 8, &whole);
  CHECK_EQ(lines.borders, 8);
  CHECK_EQ(lines.loops, 3);
  CHECK_EQ(lines.row, 10);
  CHECK_EQ(lines.sides, 46);
  CHECK_EQ(lines.column + lines.places, 0);
  lines = lines_of(borders + 4, 1, &whole);
  CHECK_EQ(lines.loops, 1);
  CHECK_EQ(lines.column, 23);
  lines = lines_of(borders, 8, &below);
  CHECK_EQ(lines.borders, 5);
  CHECK_EQ(lines.row, 5);
  CHECK_EQ(lines.sides, 46);
}

static LunaUnitDesc unit_of(LunaConv2dDesc conv) {
  return (LunaUnitDesc){.unit_class = LUNA_UNIT_CONV2D, .as.conv2d = conv};
}

// 3x3 taps of 1 to 9 on a 3x3 image: the middle meets 45, the corner at the top
// left 5 + 6 + 8 + 9.
static void constants_of_borders(void) {
  static const int8_t weights[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  static const int32_t bias[1] = {100};
  LunaArena arena = {0};
  int32_t folded[9];
  LunaConv2dDesc conv = conv_of(3, 3, 1);
  conv.input_zero_point = 2;
  LunaUnitDesc desc = unit_of(conv);
  CHECK_EQ(luna_fold_rows(&desc), 9);
  CHECK(luna_fold_bias(&desc, weights, bias, &arena, folded));
  // Each class has one output: the first is class 0, top left.
  CHECK_EQ(folded[0], 100 - 2 * 28);
  CHECK_EQ(folded[4], 2 * (28 - 45)); // y 1, x 1
  CHECK_EQ(folded[8], 2 * (28 - 12)); // bottom right: 1 + 2 + 4 + 5
  luna_arena_destroy(&arena);
}

static void what_is_not_folded(void) {
  static const int8_t weights[1] = {127};
  int32_t folded[1], bias[1] = {INT32_MAX - 128 * 127 - 127};
  LunaArena arena = {0};
  LunaConv2dDesc conv = conv_of(3, 1, 0);
  conv.input_zero_point = -1;
  LunaUnitDesc desc = unit_of(conv);
  CHECK(luna_fold_bias(&desc, weights, bias, &arena, folded));
  ++*bias; // a sum may leave 32 bits
  CHECK(!luna_fold_bias(&desc, weights, bias, &arena, folded));
  desc.as.conv2d.weight_zero_point = 1;
  CHECK_EQ(luna_fold_rows(&desc), 0);
  desc = unit_of(conv_of(3, 1, 0)); // no zero point
  CHECK_EQ(luna_fold_rows(&desc), 0);
  desc.unit_class = LUNA_UNIT_TABLE;
  CHECK_EQ(luna_fold_rows(&desc), 0);
  luna_arena_destroy(&arena);
}

int main(void) {
  RUN_TEST(classes_are_those_of_the_taps);
  RUN_TEST(known_classes);
  RUN_TEST(known_lines);
  RUN_TEST(constants_of_borders);
  RUN_TEST(what_is_not_folded);
  return 0;
}
