#include "luna/simulator.h"

#include "sim_access.h"
#include "sim_active.h"
#include "sim_clock.h"
#include "sim_dma.h"
#include "sim_hazard.h"
#include "sim_memory.h"
#include "sim_path.h"
#include "sim_version.h"

static const uint64_t default_event_limit = 1000000;
static const uint64_t default_cycle_limit = 10000000000;

LunaSimulator *luna_simulator_create(const LunaMachine *machine,
                                     const LunaSimulatorOptions *options) {
  LunaArena arena = {0};
  LunaSimulator *sim = LUNA_ARENA_ARRAY(&arena, LunaSimulator, 1);
  sim->own_arena = arena;
  sim->machine = *machine;
  if (options)
    sim->options = *options;
  if (sim->options.event_limit == 0)
    sim->options.event_limit = default_event_limit;
  if (sim->options.cycle_limit == 0)
    sim->options.cycle_limit = default_cycle_limit;
  luna_sim_reset_setup(sim);
  return sim;
}

void luna_simulator_destroy(LunaSimulator *sim) {
  if (!sim)
    return;
  luna_sim_deactivate(sim);
  luna_arena_destroy(&sim->run_arena);
  luna_arena_destroy(&sim->setup_arena);
  LunaArena arena = sim->own_arena; // It contains the simulator itself.
  luna_arena_destroy(&arena);
}

//===- Running ------------------------------------------------------------===//

void luna_simulator_begin_run(LunaSimulator *sim) {
  luna_sim_reset_run(sim);
  luna_sim_reset_memory(sim);
  luna_sim_clock_enter(sim);
  luna_simulator_activate(sim);
}

static void check_results(LunaSimulator *sim) {
  const LunaSimValue *results = sim->results.items;
  for (uint64_t i = 0; i < sim->results.count; ++i) {
    const LunaSimValue *value = &results[i];
    int64_t bytes = (int64_t)luna_sim_result_bytes(sim, value);
    LunaSimAccess access = {
        .op = LUNA_NO_ID,
        .role = "a result",
        .box = {.low = value->base, .extent_bytes = bytes, .run_bytes = bytes},
        .range = luna_sim_find_range(sim, value->base, bytes),
        .buffer = value->buffer,
        .content = LUNA_NO_ID,
        .granule_bytes = 1,
    };
    luna_sim_check_read(sim, &access);
  }
}

static const LunaRunResult *sum_up(LunaSimulator *sim) {
  LunaRunResult *result = &sim->result;
  result->cycles = sim->clocks.core;
  uint64_t busy = result->compute_cycles + result->host_cycles;
  result->bound_cycles = busy > result->dma_cycles ? busy : result->dma_cycles;
  result->path = luna_sim_path(sim);
  result->hazards = sim->hazards.items;
  result->ops = sim->ops;
  result->op_count = sim->op_count;
  return result;
}

const LunaRunResult *luna_simulator_end_run(LunaSimulator *sim) {
  if (sim->is_ended)
    return &sim->result;
  sim->is_ended = true;
  if (sim->is_in_host_op)
    luna_sim_hazard(sim, LUNA_HAZARD_BAD_CALL,
                    luna_sim_place_of_op(sim->host_op),
                    "host operator never ends");
  luna_sim_end_transfers(sim);
  check_results(sim);
  return sum_up(sim);
}

const LunaRunResult *luna_simulator_run(LunaSimulator *sim, LunaModelCall model,
                                        void *argument) {
  jmp_buf stop;
  luna_simulator_begin_run(sim);
  if (setjmp(stop) == 0) {
    sim->stop = &stop;
    model(argument);
    sim->stop = NULL;
    return luna_simulator_end_run(sim);
  }
  sim->stop = NULL;
  sim->is_ended = sim->result.is_broken_off = true;
  return sum_up(sim);
}

//===- Looking ------------------------------------------------------------===//

const LunaTimelineEvent *luna_simulator_events(const LunaSimulator *sim,
                                               uint64_t *count) {
  *count = sim->events.count;
  return sim->events.items;
}

void luna_simulator_set_events(LunaSimulator *sim,
                               const LunaTimelineEvent *events,
                               uint64_t count) {
  luna_sim_reset_run(sim);
  for (uint64_t i = 0; i < count; ++i)
    *LUNA_VECTOR_ADD(&sim->run_arena, &sim->events) = events[i];
}

const char *luna_simulator_host_op_name(const LunaSimulator *sim) {
  return sim->is_in_host_op ? luna_simulator_op_name(sim, sim->host_op) : NULL;
}
