// A board that is not there: the port of the unit is the simulator's, whose
// library implements luna/unit_port.h. A board has the vendor's driver instead.

#include "board.h"

#include <stdio.h>
#include <string.h>

#include "luna/simulator.h"
#include "wake_word.h"

static LunaSimulator *simulator;

void board_start(void) {
  const LunaSimulatorOptions options = {.no_events = true};
  LunaMachine machine;
  memcpy(&machine, luna_model_wake_word_machine, sizeof machine);
  simulator = luna_simulator_create(&machine, &options);
  luna_simulator_begin_run(simulator);
}

void board_stop(void) {
  const LunaRunResult *result = luna_simulator_end_run(simulator);
  printf("%lu launches, %lu transfers\n", (unsigned long)result->launches,
         (unsigned long)result->transfers);
  luna_simulator_destroy(simulator);
}
