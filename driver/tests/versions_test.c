// A program for several sizes as a caller runs it: each call asks for another
// size, what is kept from call to call is kept, and nothing but the bytes of
// the size is written. Is linked with lit_tests/driver/Inputs/open-count.mlir.

#include "check.h"
#include "luna/simulator.h"

void luna_model_open_count(const void *shape, const void *x, void *sum,
                           void *same, void *arena, void *psram, void *state);
void luna_model_open_count_init(void *psram, void *state);
void luna_model_open_count_reset(void *state);
int32_t luna_model_open_count_bind(const int32_t *dims, int32_t *output_dims);
extern const int32_t luna_model_open_count_program[];

// Before a run, the simulator fills outputs with a pattern.
enum { MOST = 40, UNTOUCHED = (int8_t)0xA5 };

static _Alignas(16) int32_t shape[4];
static _Alignas(16) int8_t x[48], sum[48], same[48], arena[256], psram[64];
static _Alignas(16) int8_t state[16];

static void call(void *unused) {
  (void)unused;
  luna_model_open_count(shape, x, sum, same, arena, psram, state);
}

static LunaSimulator *set_up(LunaArena *memory, LunaProgramInfo *program) {
  LunaMachine machine;
  LunaError error = {0};
  const int32_t *words = luna_model_open_count_program;
  LunaProgramPointers pointers = {
      .inputs = (void *[]){shape, x},
      .outputs = (void *[]){sum, same},
      .arena = arena,
      .psram = psram,
      .state = state,
  };
  CHECK(luna_program_read(words, luna_program_word_count(words), memory,
                          program, &error));
  CHECK(program->arena_bytes <= (int64_t)sizeof arena);
  CHECK(luna_machine_load("venus", LUNA_TEST_MACHINES, &machine, &error));
  LunaSimulator *simulator = luna_simulator_create(&machine, NULL);
  CHECK(luna_simulator_bind(simulator, program, &pointers, &error));
  luna_model_open_count_init(psram, state);
  return simulator;
}

// Calls the program with `size` elements, all of them `value`, where the count
// becomes `count`.
static void run(LunaSimulator *simulator, int32_t size, int8_t value,
                int8_t count) {
  int32_t output_dims[2] = {0};
  shape[0] = luna_model_open_count_bind(&size, output_dims);
  CHECK(shape[0] >= 0);
  CHECK_EQ(output_dims[0], size);
  CHECK_EQ(output_dims[1], size);
  for (int i = 0; i < MOST; ++i)
    x[i] = i < size ? value : 99;
  const LunaRunResult *result = luna_simulator_run(simulator, call, NULL);
  CHECK_EQ(result->hazard_count, 0);
  for (int i = 0; i < MOST; ++i) {
    CHECK_EQ(sum[i], i < size ? value + count : UNTOUCHED);
    CHECK_EQ(same[i], i < size ? value : UNTOUCHED);
  }
}

static void sizes_alternate_and_state_stays(void) {
  LunaArena memory = {0};
  LunaProgramInfo program;
  LunaSimulator *simulator = set_up(&memory, &program);
  run(simulator, 40, 1, 6);
  run(simulator, 2, 3, 9);
  run(simulator, 40, 2, 11);
  run(simulator, 3, 4, 15);
  run(simulator, 2, 5, 20);
  luna_model_open_count_reset(state);
  run(simulator, 3, 1, 6);
  run(simulator, 40, 1, 7);
  luna_simulator_destroy(simulator);
  luna_arena_destroy(&memory);
}

static void other_sizes_are_refused(void) {
  static const int32_t sizes[] = {-1, 0, 1, 4, 39, 41, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    int32_t output_dims[2] = {7, 7};
    CHECK_EQ(luna_model_open_count_bind(&sizes[i], output_dims), -1);
    CHECK_EQ(output_dims[0], 0);
    CHECK_EQ(output_dims[1], 0);
  }
}

static void smaller_sizes_use_less_of_the_arena(void) {
  LunaArena memory = {0};
  LunaProgramInfo program;
  luna_simulator_destroy(set_up(&memory, &program));
  CHECK_EQ(program.version_count, 3);
  CHECK(program.versions[0].arena_bytes <= program.versions[1].arena_bytes);
  CHECK(program.versions[1].arena_bytes < program.versions[2].arena_bytes);
  CHECK_EQ(program.versions[2].arena_bytes, program.arena_bytes);
  luna_arena_destroy(&memory);
}

int main(void) {
  RUN_TEST(sizes_alternate_and_state_stays);
  RUN_TEST(other_sizes_are_refused);
  RUN_TEST(smaller_sizes_use_less_of_the_arena);
  return 0;
}
