#ifndef LUNA_SIM_FIXTURE_H
#define LUNA_SIM_FIXTURE_H

// A small machine with round numbers and three memories, for the tests of the
// simulator. A transfer takes 100 cycles and one for each byte.

#include <stdalign.h>

#include "check.h"
#include "luna/simulator.h"

enum { FIXTURE_BYTES = 4096 };

typedef struct Fixture {
  LunaSimulator *sim;
  alignas(16) uint8_t arena[FIXTURE_BYTES];
  alignas(16) uint8_t psram[FIXTURE_BYTES];
  alignas(16) uint8_t weights[FIXTURE_BYTES];
} Fixture;

static inline LunaMachine fixture_machine(void) {
  LunaMachine machine = {
      .name = "toy",
      .shared = {.bytes = FIXTURE_BYTES},
      .psram = {.bytes = 1 << 20},
      .alignment_bytes = 16,
      .clock_hz = 250000000,
      .dma_channels = 1,
      .dma_outstanding = 1,
      .dma_granule_bytes = 4,
      .read_bytes_per_cycle = 8,
      .write_bytes_per_cycle = 16,
      .macs_per_cycle_i8 = 64,
      .macs_per_cycle_i16 = 16,
      .macs_per_cycle_i32 = 4,
      .vector_launch_cycles = 500,
      .vector_in_place = true,
      .table_in_place = true,
      .vector_bytes_per_cycle = 8,
      .calls = {{.name = LUNA_CALL_LUT,
                 .input_bits = 8,
                 .output_bits = 8,
                 .fixed_cycles = 500,
                 .cycles = 1,
                 .elements = 8,
                 .in_place = true}},
      .call_count = 1,
      .copy_launch_cycles = 500,
      .copy_bytes_per_cycle = 8,
      .fill_launch_cycles = 300,
      .fill_bytes_per_cycle = 16,
      .requant_shift = true,
      .requant_multiplier = true,
      .host = {[LUNA_HOST_START] = 1000,
               [LUNA_HOST_COPY] = 1000,
               [LUNA_HOST_POOL] = 1000,
               [LUNA_HOST_VECTOR] = 1000},
  };
  for (int i = 0; i < LUNA_DMA_DIRECTION_COUNT; ++i)
    machine.dma[i] = (LunaDmaCost){
        .startup_cycles = 100, .cycles_numerator = 1, .cycles_denominator = 1};
  machine.conv = machine.depthwise = machine.matmul = (LunaOperatorLimits){
      .kernel_max = 5,
      .strides = {1, 2, 4},
      .pad_max = 4,
      .dilations = {1},
      .in_channel_align = 1,
      .out_channel_align = 1,
      .width_align_per_stride = 1,
      .input_buffer_bytes = 1 << 16,
      .weight_buffer_bytes = 1 << 15,
      .launch_cycles = 1000,
      .repeat_launch_cycles = 500,
      .mac_rate_divisor = 1,
  };
  return machine;
}

static inline void fixture_open_with(Fixture *fixture,
                                     const LunaMachine *machine,
                                     const LunaSimulatorOptions *options) {
  fixture->sim = luna_simulator_create(machine, options);
  const LunaMemoryRange ranges[] = {
      {"arena", LUNA_SPACE_SHARED, fixture->arena, FIXTURE_BYTES, false, false},
      {"psram", LUNA_SPACE_PSRAM, fixture->psram, FIXTURE_BYTES, true, false},
      {"weights", LUNA_SPACE_PSRAM, fixture->weights, FIXTURE_BYTES, true,
       true},
  };
  for (int i = 0; i < 3; ++i)
    CHECK(luna_simulator_add_range(fixture->sim, &ranges[i], NULL));
  for (int i = 0; i < FIXTURE_BYTES; ++i) {
    fixture->psram[i] = (uint8_t)i;
    fixture->weights[i] = (uint8_t)(i * 3);
  }
  luna_simulator_begin_run(fixture->sim);
}

static inline void fixture_open_on(Fixture *fixture,
                                   const LunaMachine *machine) {
  fixture_open_with(fixture, machine, NULL);
}

static inline void fixture_open(Fixture *fixture) {
  LunaMachine machine = fixture_machine();
  fixture_open_on(fixture, &machine);
}

static inline void fixture_close(Fixture *fixture) {
  luna_simulator_destroy(fixture->sim);
}

/// The ids of a call: operator, and buffer and content of each operand.
#define IDS(...) ((const int32_t[]){__VA_ARGS__})

/// A host operator of `cycles` cycles that reads or writes `count` bytes.
static inline void host_op(int32_t op, int32_t cycles, LunaAccess access,
                           const void *data, int32_t count, int32_t buffer,
                           int32_t content) {
  LunaHostDesc desc = {.cycles_low = cycles};
  const int32_t ids[] = {op, buffer, content};
  LunaHostOperandDesc operand = {.access = access,
                                 .element_bytes = 1,
                                 .rank = 1,
                                 .dims = {count},
                                 .strides = {1}};
  luna_rt_host_begin(&desc, ids);
  if (count > 0)
    luna_rt_host_operand(&operand, data);
  luna_rt_host_end();
}

typedef struct Transfer {
  LunaDmaDesc desc;
  int32_t ids[5]; // operator; target and source: buffer, content
} Transfer;

static inline Transfer load(int32_t op, int32_t bytes, int32_t buffer,
                            int32_t content) {
  return (Transfer){.desc = {.bytes = bytes, .direction = LUNA_DMA_LOAD},
                    .ids = {op, buffer, content, LUNA_NO_ID, content}};
}

static inline int32_t start(const Transfer *transfer, void *target,
                            const void *source) {
  return luna_rt_dma_start(&transfer->desc, transfer->ids, target, source);
}

/// The one hazard of the run is of this kind and says this: "op: message".
static inline void check_hazard(Fixture *fixture, LunaHazardKind kind,
                                const char *expected) {
  const LunaRunResult *result = luna_simulator_end_run(fixture->sim);
  if (result->hazard_count != 1 || result->hazards[0].kind != kind)
    for (uint64_t i = 0; i < result->hazard_count; ++i)
      fprintf(stderr, "hazard: %s\n", result->hazards[i].message);
  CHECK_EQ(result->hazard_count, 1);
  CHECK_EQ(result->hazards[0].kind, kind);
  char found[512];
  snprintf(found, sizeof found, "%s: %s", result->hazards[0].op,
           result->hazards[0].message);
  CHECK_STR(found, expected);
  fixture_close(fixture);
}

/// The run had no hazard.
static inline void check_clean(Fixture *fixture) {
  const LunaRunResult *result = luna_simulator_end_run(fixture->sim);
  for (uint64_t i = 0; i < result->hazard_count && i < LUNA_HAZARDS_KEPT; ++i)
    fprintf(stderr, "hazard: %s\n", result->hazards[i].message);
  CHECK_EQ(result->hazard_count, 0);
}

#endif // LUNA_SIM_FIXTURE_H
