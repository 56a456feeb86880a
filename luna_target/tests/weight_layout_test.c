#include "luna/weight_layout.h"

#include <string.h>

#include "check.h"

// Where the vendor's library has a weight, written out for each layout.

typedef int64_t (*Place)(const int32_t extents[4], const int32_t at[4]);

static int64_t blocks(int32_t extent, int32_t block) {
  return (extent + block - 1) / block;
}

static int64_t groups_of_channels(const int32_t extents[4], const int32_t at[4],
                                  int32_t group) {
  int64_t place = at[0] / group;
  place = place * extents[1] + at[1];
  place = place * extents[2] + at[2];
  place = place * blocks(extents[3], 8) + at[3] / 8;
  return (place * group + at[0] % group) * 8 + at[3] % 8;
}

static int64_t pairs(const int32_t extents[4], const int32_t at[4]) {
  return groups_of_channels(extents, at, 2);
}

static int64_t quads(const int32_t extents[4], const int32_t at[4]) {
  return groups_of_channels(extents, at, 4);
}

static int64_t lanes_of_16(const int32_t extents[4], const int32_t at[4]) {
  int64_t place = (int64_t)(at[0] / 16) * extents[1] + at[1];
  return (place * extents[2] + at[2]) * 16 + at[0] % 16;
}

// Pairs of rows, in them columns, quads of channels, the rows, the channels.
static int64_t pairs_of_rows(const int32_t extents[4], const int32_t at[4]) {
  int64_t place = (int64_t)(at[1] / 2) * extents[2] + at[2];
  place = place * blocks(extents[0], 4) + at[0] / 4;
  return (place * 2 + at[1] % 2) * 4 + at[0] % 4;
}

static void expect_places(const char *text, const int32_t extents[4],
                          int64_t count, Place place) {
  int32_t layout[LUNA_WEIGHT_LAYOUT_WORDS], at[4];
  CHECK(luna_weight_layout_read(text, layout));
  CHECK(luna_weights_are_packed(layout));
  CHECK_EQ(luna_weight_layout_count(layout, extents), count);
  for (at[0] = 0; at[0] < extents[0]; ++at[0])
    for (at[1] = 0; at[1] < extents[1]; ++at[1])
      for (at[2] = 0; at[2] < extents[2]; ++at[2])
        for (at[3] = 0; at[3] < extents[3]; ++at[3])
          CHECK_EQ(luna_weight_layout_index(layout, extents, at),
                   place(extents, at));
}

// Blocks of rows are packed as kernels of their own, one after the other.
static void kernels_are_cut_into_blocks_of_rows(void) {
  const int32_t whole[4] = {5, 6, 2, 11}, block[4] = {5, 3, 2, 11};
  int32_t layout[LUNA_WEIGHT_LAYOUT_WORDS], plain[LUNA_WEIGHT_LAYOUT_WORDS];
  char cut[LUNA_WEIGHT_LAYOUT_MAX + 1];
  CHECK(luna_weight_layout_read("OhwI2o8i", plain));
  CHECK(luna_weight_layout_cut("OhwI2o8i", 3, cut));
  CHECK_STR(cut, "HO3hwI2o8i");
  CHECK(luna_weight_layout_read(cut, layout));
  CHECK_EQ(luna_weight_layout_rows("OhwI2o8i", layout), 3);
  CHECK_EQ(luna_weight_layout_rows("OhwI2o8i", plain), 0);
  CHECK_EQ(luna_weight_layout_step(layout), 0);
  for (int32_t row = 0; row < 6; ++row) {
    const int32_t at[4] = {4, row, 1, 9}, inside[4] = {4, row % 3, 1, 9};
    CHECK_EQ(luna_weight_layout_index(layout, whole, at),
             row / 3 * luna_weight_layout_count(plain, block) +
                 pairs(block, inside));
  }
  CHECK(!luna_weight_layout_cut("HwC2h4c", 3, cut));
  CHECK(luna_weight_layout_read("HwC2h4c", layout));
  CHECK_EQ(luna_weight_layout_rows("HwC2h4c", layout), 0);
}

static void layouts_of_the_machines(void) {
  const int32_t odd[4] = {5, 3, 2, 11}, even[4] = {8, 1, 1, 16};
  const int32_t depthwise[4] = {19, 3, 5, 1};
  expect_places("OhwI2o8i", odd, 6 * 3 * 2 * 16, pairs);
  expect_places("OhwI2o8i", even, 8 * 16, pairs);
  expect_places("OhwI4o8i", odd, 8 * 3 * 2 * 16, quads);
  expect_places("Chw16c", depthwise, 32 * 3 * 5, lanes_of_16);
  expect_places("HwC2h4c", depthwise, 20 * 4 * 5, pairs_of_rows);
}

static void cuts_are_between_blocks_of_the_outermost_channels(void) {
  int32_t layout[LUNA_WEIGHT_LAYOUT_WORDS];
  CHECK(luna_weight_layout_read("OhwI2o8i", layout));
  CHECK_EQ(luna_weight_layout_step(layout), 2);
  CHECK(luna_weight_layout_read("Chw16c", layout));
  CHECK_EQ(luna_weight_layout_step(layout), 16);
  CHECK(luna_weight_layout_read("ohwi", layout));
  CHECK_EQ(luna_weight_layout_step(layout), 1);
  CHECK(luna_weight_layout_read("HwC2h4c", layout));
  CHECK_EQ(luna_weight_layout_step(layout), 0);
}

static void what_is_no_layout_is_refused(void) {
  static const char *const texts[] = {
      "",          "hw",         "ohx",    "oohw",
      "Ohwi",      "OhwI2o",     "ohw2o",  "OhwI2o2o8i",
      "OhwI32o8i", "OhwI0o8i",   "Ohwi2O", "OhwI999999999999o8i",
      "oChw2c",    "ohwiI8iohwi"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
    int32_t layout[LUNA_WEIGHT_LAYOUT_WORDS] = {1, 1};
    CHECK(!luna_weight_layout_read(texts[i], layout));
    CHECK(!luna_weights_are_packed(layout));
    CHECK_EQ(layout[1], 0);
  }
}

static void packed_weights_have_the_extents_of_plain_ones(void) {
  LunaConv2dDesc plain = {
      .input.dims = {1, 9, 9, 11},
      .weight.dims = {5, 3, 2, 11},
      .output.dims = {1, 7, 8, 5},
  };
  LunaConv2dDesc packed = plain;
  const int32_t bytes[4] = {1, 1, 1, 6 * 3 * 2 * 16};
  int32_t a[LUNA_WEIGHT_AXES], b[LUNA_WEIGHT_AXES];
  memcpy(packed.weight.dims, bytes, sizeof bytes);
  packed.weight_kernel[0] = 3;
  packed.weight_kernel[1] = 2;
  CHECK(luna_weight_layout_read("OhwI2o8i", packed.weight_layout));
  luna_conv2d_weights(&plain, a);
  luna_conv2d_weights(&packed, b);
  CHECK(memcmp(a, b, sizeof a) == 0);
  CHECK_EQ(a[LUNA_WEIGHT_OUT], 5);
  CHECK_EQ(a[LUNA_WEIGHT_COLUMN], 2);
}

static int64_t index_by_axes(const int32_t layout[2], const int32_t *extents,
                             const int32_t *at) {
  int64_t index = 0;
  for (int axis = 0; axis < LUNA_WEIGHT_AXES; ++axis) {
    LunaWeightAxis lies = luna_weight_layout_axis(layout, extents, axis);
    index += at[axis] / lies.block * lies.block_stride +
             at[axis] % lies.block * lies.stride;
  }
  return index;
}

static void every_axis_lies_in_blocks(void) {
  static const char *const texts[] = {"OhwI2o8i", "OhwI4o8i", "Chw16c",
                                      "HwC2h4c", "ohwi"};
  static const int32_t extents[LUNA_WEIGHT_AXES] = {21, 5, 3, 11};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
    int32_t layout[LUNA_WEIGHT_LAYOUT_WORDS];
    CHECK(luna_weight_layout_read(texts[i], layout));
    for (int32_t n = 0; n < 21 * 5 * 3 * 11; ++n) {
      const int32_t at[] = {n % 21, n / 21 % 5, n / 105 % 3, n / 315};
      CHECK_EQ(index_by_axes(layout, extents, at),
               luna_weight_layout_index(layout, extents, at));
    }
  }
}

int main(void) {
  RUN_TEST(layouts_of_the_machines);
  RUN_TEST(kernels_are_cut_into_blocks_of_rows);
  RUN_TEST(cuts_are_between_blocks_of_the_outermost_channels);
  RUN_TEST(what_is_no_layout_is_refused);
  RUN_TEST(packed_weights_have_the_extents_of_plain_ones);
  RUN_TEST(every_axis_lies_in_blocks);
  return 0;
}
