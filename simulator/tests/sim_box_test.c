#include "check.h"
#include "sim_box.h"
#include "tile_random.h"

// Boxes of runs against byte maps painted element by element.

enum { FIELD_BYTES = 4096, MIDDLE = 2048 };

typedef struct Painted {
  LunaSimBox box;
  uint8_t field[FIELD_BYTES];
} Painted;

static Painted random_box(Random *random, uint8_t *memory) {
  int32_t rank = random_in(random, 0, 4), dims[4] = {0}, strides[4] = {0};
  int32_t element_bytes = 1 << random_in(random, 0, 2);
  for (int i = 0; i < rank; ++i) {
    dims[i] = random_in(random, random_in(random, 0, 9) == 0 ? 0 : 1, 4);
    strides[i] = random_in(random, -20, 20);
    if (random_in(random, 0, 1))
      strides[i] = 1 << random_in(random, 0, 5);
  }
  int32_t start = MIDDLE + random_in(random, -100, 100);
  Painted painted = {0};
  CHECK(luna_sim_box(&painted.box, memory + start, rank, dims, strides,
                     element_bytes));
  int32_t count = 1;
  for (int i = 0; i < rank; ++i)
    count *= dims[i];
  for (int32_t k = 0; k < count; ++k) {
    int32_t at = 0, rest = k;
    for (int i = rank - 1; i >= 0; --i) {
      at += rest % dims[i] * strides[i];
      rest /= dims[i];
    }
    memset(painted.field + start + at * element_bytes, 1,
           (size_t)element_bytes);
  }
  return painted;
}

static void runs_cover_just_the_bytes_of_the_elements(void) {
  static uint8_t memory[FIELD_BYTES];
  Random random = {.state = 21};
  for (int round = 0; round < 3000; ++round) {
    Painted painted = random_box(&random, memory);
    uint8_t field[FIELD_BYTES] = {0};
    int64_t at = 0, low = painted.box.low - memory, end = low;
    for (LunaSimRuns runs = luna_sim_runs(&painted.box);
         luna_sim_next_run(&runs, &at);) {
      memset(field + low + at, 1, (size_t)painted.box.run_bytes);
      if (low + at + painted.box.run_bytes > end)
        end = low + at + painted.box.run_bytes;
    }
    CHECK(memcmp(field, painted.field, FIELD_BYTES) == 0);
    CHECK_EQ(painted.box.extent_bytes, end - low);
  }
}

static void boxes_meet_when_they_share_a_byte(void) {
  static uint8_t memory[FIELD_BYTES];
  Random random = {.state = 22};
  int met = 0;
  for (int round = 0; round < 3000; ++round) {
    Painted a = random_box(&random, memory), b = random_box(&random, memory);
    bool is_shared = false;
    for (int i = 0; i < FIELD_BYTES; ++i)
      is_shared |= a.field[i] && b.field[i];
    CHECK_EQ(luna_sim_boxes_meet(&a.box, &b.box), is_shared);
    met += is_shared;
  }
  CHECK(met > 500 && met < 2500);
}

static void neighbours_merge_into_one_run(void) {
  static uint8_t memory[64];
  LunaSimBox box;
  const int32_t dims[3] = {2, 3, 4}, strides[3] = {12, 4, 1};
  CHECK(luna_sim_box(&box, memory, 3, dims, strides, 2));
  CHECK_EQ(box.rank, 0);
  CHECK_EQ(box.run_bytes, 48);
}

static void extents_beyond_63_bits_are_refused(void) {
  static uint8_t memory[64];
  LunaSimBox box;
  const int32_t dims[3] = {INT32_MAX, INT32_MAX, 2};
  const int32_t strides[3] = {INT32_MAX, INT32_MIN, 1};
  CHECK(!luna_sim_box(&box, memory, 3, dims, strides, 8));
  const int32_t negative[1] = {-1};
  CHECK(!luna_sim_box(&box, memory, 1, negative, strides, 1));
}

int main(void) {
  RUN_TEST(runs_cover_just_the_bytes_of_the_elements);
  RUN_TEST(boxes_meet_when_they_share_a_byte);
  RUN_TEST(neighbours_merge_into_one_run);
  RUN_TEST(extents_beyond_63_bits_are_refused);
  return 0;
}
