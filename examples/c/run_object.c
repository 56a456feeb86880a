// Runs a compiled model on the simulator, down both branches. Is linked with
// what `lunac compile ../small/if_yield.mlir --emit=obj -o if_yield.o` writes;
// takes the folder of the machine files.

#include <stdio.h>

#include "luna/simulator.h"

// The interface of a model named if_yield, as luna/program.h describes it.
void luna_model_if_yield(const void *x, const void *flag, void *y, void *arena,
                         void *psram, void *state);
void luna_model_if_yield_init(void *psram, void *state);
extern const int32_t luna_model_if_yield_program[];

static _Alignas(16) int8_t x[512], flag[16], y[512], arena[4096], psram[4096];

static void call(void *unused) {
  (void)unused;
  luna_model_if_yield(x, flag, y, arena, psram, NULL);
}

int main(int argc, char **argv) {
  LunaArena memory = {0};
  LunaError error;
  LunaProgramInfo program;
  LunaMachine machine;
  LunaProgramPointers pointers = {
      .inputs = (void *[]){x, flag},
      .outputs = (void *[]){y},
      .arena = arena,
      .psram = psram,
  };
  uint64_t words = luna_program_word_count(luna_model_if_yield_program);
  LunaSimulator *simulator = NULL;
  if (!luna_program_read(luna_model_if_yield_program, words, &memory, &program,
                         &error) ||
      !luna_machine_load(program.machine, argc > 1 ? argv[1] : NULL, &machine,
                         &error) ||
      !(simulator = luna_simulator_create(&machine, NULL)) ||
      !luna_simulator_bind(simulator, &program, &pointers, &error)) {
    fprintf(stderr, "%s\n", error.message);
    return luna_error_exit_code(error.code);
  }
  luna_model_if_yield_init(psram, NULL);
  for (flag[0] = 0; flag[0] < 2; ++flag[0]) {
    const LunaRunResult *run = luna_simulator_run(simulator, call, NULL);
    printf("%s: %llu cycles, %llu hazards, y[0] = %d\n", run->path,
           (unsigned long long)run->cycles,
           (unsigned long long)run->hazard_count, y[0]);
  }
  luna_simulator_destroy(simulator);
  luna_arena_destroy(&memory);
  return 0;
}
