#include "sim_clock.h"

#include "luna/core_cost.h"
#include "luna/unit_port.h"
#include "sim_active.h"
#include "sim_hazard.h"

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

void luna_sim_add_event(LunaSimulator *sim, const LunaTimelineEvent *event) {
  if (sim->options.no_events || event->begin_cycles == event->end_cycles ||
      sim->events.count >= sim->options.event_limit)
    return;
  *LUNA_VECTOR_ADD(&sim->run_arena, &sim->events) = *event;
}

void luna_sim_clock_begin(LunaSimulator *sim, int32_t op) {
  sim->work = (LunaSimWork){
      .op = op, .is_open = true, .begin_cycles = sim->clocks.core};
}

bool luna_sim_clock_join(LunaSimulator *sim) {
  luna_sim_clock_check(sim);
  bool is_alone = !sim->work.is_open;
  if (is_alone)
    luna_sim_clock_begin(sim, LUNA_NO_ID);
  return is_alone;
}

void luna_sim_clock_leave(LunaSimulator *sim, bool is_alone) {
  if (is_alone)
    luna_sim_clock_end(sim);
}

void luna_sim_clock_core(LunaSimulator *sim, uint64_t cycles) {
  sim->clocks.core += cycles;
  sim->work.core_cycles += cycles;
}

void luna_sim_clock_call(LunaSimulator *sim, LunaHostCost cost) {
  luna_sim_clock_core(sim, luna_core_call_cycles(&sim->machine, cost));
}

void luna_sim_clock_launch(LunaSimulator *sim, uint64_t cycles) {
  LunaSimClocks *clocks = &sim->clocks;
  clocks->unit = later(clocks->core, clocks->unit) + cycles;
  sim->work.unit_cycles += cycles;
  sim->work.launches += 1;
  sim->is_launched = true;
}

void luna_sim_clock_await(LunaSimulator *sim) {
  LunaSimClocks *clocks = &sim->clocks;
  clocks->core = later(clocks->core, clocks->unit);
  sim->is_launched = false;
}

// What the launch in flight does when it has been awaited; NULL: nothing.
static _Thread_local void (*arrival)(void);

void luna_sim_at_await(void (*arrive)(void)) { arrival = arrive; }

void luna_unit_await(void) {
  LunaSimulator *sim = luna_sim_timed();
  void (*arrive)(void) = arrival;
  if (sim)
    luna_sim_clock_await(sim);
  arrival = NULL;
  if (arrive)
    arrive();
}

void luna_sim_clock_check(LunaSimulator *sim) {
  if (sim->is_launched)
    luna_sim_hazard(sim, LUNA_HAZARD_BAD_LAUNCH,
                    luna_sim_place_of_op(sim->work.op),
                    "a launch is started before the one in flight is awaited");
}

static void add_bar(LunaSimulator *sim, LunaTimelineRow row, uint64_t begin,
                    uint64_t cycles) {
  const LunaTimelineEvent event = {
      .row = row,
      .op = sim->work.op,
      .begin_cycles = begin,
      .end_cycles = begin + cycles,
      .buffer = LUNA_NO_ID,
      .content = LUNA_NO_ID,
      .transfer_op = LUNA_NO_ID,
  };
  luna_sim_add_event(sim, &event);
}

void luna_sim_clock_end(LunaSimulator *sim) {
  const LunaSimWork *work = &sim->work;
  uint64_t end_cycles = later(sim->clocks.core, sim->clocks.unit);
  uint64_t host_cycles = end_cycles - work->begin_cycles - work->unit_cycles;
  sim->work.is_open = false;
  add_bar(sim, LUNA_ROW_HOST, work->begin_cycles, work->core_cycles);
  add_bar(sim, LUNA_ROW_COMPUTE, end_cycles - work->unit_cycles,
          work->unit_cycles);
  sim->result.host_cycles += host_cycles;
  sim->result.compute_cycles += work->unit_cycles;
  sim->result.launches += work->launches;
  LunaOpStatistics *statistics = luna_sim_op(sim, work->op);
  statistics->calls += 1;
  statistics->launches += work->launches;
  statistics->host_cycles += host_cycles;
  statistics->compute_cycles += work->unit_cycles;
}

// Core work that belongs to no launch.
static void pass_core_time(LunaSimulator *sim, int32_t op, uint64_t cycles) {
  const LunaTimelineEvent event = {
      .row = LUNA_ROW_HOST,
      .op = op,
      .begin_cycles = sim->clocks.core,
      .end_cycles = sim->clocks.core + cycles,
      .buffer = LUNA_NO_ID,
      .content = LUNA_NO_ID,
      .transfer_op = LUNA_NO_ID,
  };
  luna_sim_add_event(sim, &event);
  sim->clocks.core += cycles;
  sim->result.host_cycles += cycles;
  luna_sim_op(sim, op)->host_cycles += cycles;
}

void luna_sim_clock_enter(LunaSimulator *sim) {
  const LunaProgramInfo *program = sim->program;
  if (program)
    pass_core_time(
        sim, LUNA_NO_ID,
        luna_core_entry_cycles(&sim->machine, (uint64_t)program->input_count +
                                                  program->output_count));
}

uint64_t luna_sim_clock_transfer(LunaSimulator *sim, int32_t op,
                                 uint64_t cycles) {
  pass_core_time(sim, op,
                 luna_core_cycles(&sim->machine, LUNA_HOST_TRANSFER, 1));
  sim->clocks.dma = later(sim->clocks.core, sim->clocks.dma) + cycles;
  return sim->clocks.dma;
}

uint64_t luna_sim_clock_wait(LunaSimulator *sim, uint64_t end) {
  uint64_t begin = sim->clocks.core;
  sim->clocks.core = later(begin, end);
  return sim->clocks.core - begin;
}
