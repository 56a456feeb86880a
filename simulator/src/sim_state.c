#include "sim_state.h"

// The number of operators with separate statistics if no program is bound.
enum { UNBOUND_OPS = 32 };

void luna_sim_reset_run(LunaSimulator *sim) {
  luna_arena_destroy(&sim->run_arena);
  LUNA_VECTOR_RESET(&sim->transfers);
  LUNA_VECTOR_RESET(&sim->events);
  LUNA_VECTOR_RESET(&sim->hazards);
  LUNA_VECTOR_RESET(&sim->steps);
  LUNA_VECTOR_RESET(&sim->host_operands);
  sim->clocks = (LunaSimClocks){0};
  sim->last_token = 0;
  sim->announced = NULL;
  sim->work = (LunaSimWork){0};
  sim->iterations = 0;
  sim->stop = NULL;
  sim->is_in_host_op = sim->is_ended = sim->has_version = false;
  sim->result = (LunaRunResult){.path = ""};
  uint32_t count = sim->program ? sim->program->operator_count : UNBOUND_OPS;
  sim->op_count = count;
  sim->ops = LUNA_ARENA_ARRAY(&sim->run_arena, LunaOpStatistics, count + 1);
  for (uint32_t i = 0; i < count; ++i)
    sim->ops[i].name = sim->program
                           ? sim->program->operators[i]
                           : luna_arena_printf(&sim->run_arena, "op%u", i);
  sim->ops[count].name = "program";
}

void luna_sim_reset_setup(LunaSimulator *sim) {
  luna_arena_destroy(&sim->setup_arena);
  sim->program = NULL;
  LUNA_VECTOR_RESET(&sim->ranges);
  LUNA_VECTOR_RESET(&sim->buffers);
  LUNA_VECTOR_RESET(&sim->values);
  LUNA_VECTOR_RESET(&sim->results);
  sim->writers = (LunaMap){0};
  sim->forced = NULL;
  luna_sim_reset_run(sim);
}

LunaSimRange *luna_sim_find_range(const LunaSimulator *sim, const void *data,
                                  int64_t bytes) {
  LunaSimRange *ranges = sim->ranges.items;
  uintptr_t at = (uintptr_t)data;
  for (uint64_t i = 0; i < sim->ranges.count; ++i) {
    uintptr_t base = (uintptr_t)ranges[i].base;
    if (at >= base && at - base <= ranges[i].bytes &&
        (uint64_t)bytes <= ranges[i].bytes - (at - base))
      return &ranges[i];
  }
  return NULL;
}

const LunaSimBuffer *luna_sim_find_buffer(const LunaSimulator *sim,
                                          int32_t id) {
  const LunaSimBuffer *buffers = sim->buffers.items;
  uint64_t low = 0, high = sim->buffers.count;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (buffers[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  bool is_found = low < sim->buffers.count && buffers[low].id == id;
  return is_found ? &buffers[low] : NULL;
}

LunaOpStatistics *luna_sim_op(const LunaSimulator *sim, int32_t op) {
  bool is_known = op >= 0 && (uint32_t)op < sim->op_count;
  return &sim->ops[is_known ? (uint32_t)op : sim->op_count];
}

const char *luna_simulator_op_name(const LunaSimulator *sim, int32_t op) {
  return luna_sim_op(sim, op)->name;
}
