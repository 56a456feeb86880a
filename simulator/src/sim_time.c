#include "sim_time.h"

void luna_sim_add_event(LunaSimulator *sim, const LunaTimelineEvent *event) {
  if (sim->options.no_events || event->begin_cycles == event->end_cycles ||
      sim->events.count >= sim->options.event_limit)
    return;
  *LUNA_VECTOR_ADD(&sim->run_arena, &sim->events) = *event;
}

static void pass_time(LunaSimulator *sim, LunaTimelineRow row, int32_t op,
                      uint64_t cycles) {
  const LunaTimelineEvent event = {
      .row = row,
      .op = op,
      .begin_cycles = sim->now_cycles,
      .end_cycles = sim->now_cycles + cycles,
      .buffer = LUNA_NO_ID,
      .content = LUNA_NO_ID,
      .transfer_op = LUNA_NO_ID,
  };
  sim->now_cycles += cycles;
  luna_sim_add_event(sim, &event);
}

void luna_sim_charge(LunaSimulator *sim, int32_t op, LunaCost cost) {
  pass_time(sim, LUNA_ROW_HOST, op, cost.host_cycles);
  pass_time(sim, LUNA_ROW_COMPUTE, op, cost.unit_cycles);
  sim->result.host_cycles += cost.host_cycles;
  sim->result.compute_cycles += cost.unit_cycles;
  sim->result.launches += cost.launches;
  LunaOpStatistics *statistics = luna_sim_op(sim, op);
  statistics->calls += 1;
  statistics->launches += cost.launches;
  statistics->host_cycles += cost.host_cycles;
  statistics->compute_cycles += cost.unit_cycles;
}
