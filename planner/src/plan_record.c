#include "luna/plan_record.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

const char *luna_join_choice_name(LunaJoinChoice choice) {
  static const char *const names[LUNA_JOIN_CHOICE_COUNT] = {
      [LUNA_JOIN_COALESCED] = "coalesced",
      [LUNA_JOIN_COPIED] = "copied",
      [LUNA_JOIN_POINTER] = "pointer",
  };
  return names[choice];
}

//===- The memory of a path -----------------------------------------------===//

static bool has_decision(const char *path, const char *decision,
                         size_t length) {
  while (*path) {
    size_t other = strcspn(path, "/");
    if (other == length && memcmp(path, decision, length) == 0)
      return true;
    path += other + (path[other] == '/');
  }
  return false;
}

// Returns true if `path` takes every decision that leads to a step.
static bool reaches(const char *path, const char *step_path) {
  while (strcmp(step_path, "straight") != 0 && *step_path) {
    size_t length = strcspn(step_path, "/");
    if (!has_decision(path, step_path, length))
      return false;
    step_path += length + (step_path[length] == '/');
  }
  return true;
}

static void list_steps(const LunaPlanRecord *plan, LunaPathPeak *path,
                       LunaArena *arena) {
  LunaSteps *ranges = LUNA_ARENA_ARRAY(arena, LunaSteps, plan->step_count);
  for (uint32_t step = 0; step < plan->step_count; ++step) {
    if (!reaches(path->path, plan->step_paths[step]))
      continue;
    if (path->range_count > 0 && ranges[path->range_count - 1].end == step)
      ranges[path->range_count - 1].end = step + 1;
    else
      ranges[path->range_count++] = (LunaSteps){step, step + 1};
  }
  path->ranges = ranges;
}

static bool is_live_at(const LunaRecordBuffer *buffer, LunaStepId step) {
  for (uint32_t i = 0; i < buffer->live.range_count; ++i)
    if (buffer->live.ranges[i].first <= step &&
        step < buffer->live.ranges[i].end)
      return true;
  return false;
}

// Returns the largest size of the buffers that share a place with `buffer`.
static int64_t bytes_of_place(const LunaPlanRecord *plan,
                              const LunaRecordBuffer *buffer) {
  int64_t bytes = 0;
  for (uint32_t i = 0; i < plan->buffer_count; ++i)
    if (plan->buffers[i].id == buffer->id &&
        plan->buffers[i].size_bytes > bytes)
      bytes = plan->buffers[i].size_bytes;
  return bytes;
}

// Measures one step; of buffers that share a place the first live one counts.
static void measure_step(const LunaPlanRecord *plan, LunaStepId step,
                         LunaPathPeak *path) {
  int64_t live_bytes = 0;
  for (uint32_t i = 0; i < plan->buffer_count; ++i) {
    const LunaRecordBuffer *buffer = &plan->buffers[i];
    if (!is_live_at(buffer, step))
      continue;
    int64_t end = buffer->offset_bytes + buffer->size_bytes;
    if (buffer->size_bytes > 0 && end > path->peak_bytes)
      path->peak_bytes = end;
    bool is_counted = false;
    for (uint32_t k = 0; k < i && !is_counted; ++k)
      is_counted = plan->buffers[k].id == buffer->id &&
                   is_live_at(&plan->buffers[k], step);
    live_bytes += is_counted ? 0 : bytes_of_place(plan, buffer);
  }
  if (live_bytes > path->live_bytes) {
    path->live_bytes = live_bytes;
    path->heaviest_step = step;
  }
}

LunaPathPeak luna_record_path(const LunaPlanRecord *plan, const char *path,
                              LunaArena *arena) {
  LunaPathPeak peak = {.path = path};
  list_steps(plan, &peak, arena);
  for (uint32_t i = 0; i < peak.range_count; ++i)
    for (LunaStepId step = peak.ranges[i].first; step < peak.ranges[i].end;
         ++step)
      measure_step(plan, step, &peak);
  return peak;
}

//===- Costs --------------------------------------------------------------===//

static uint64_t cycles_of_one_turn_each(const LunaPathCost *cost) {
  uint64_t cycles = cost->cycles;
  for (uint32_t i = 0; i < cost->loop_count; ++i)
    cycles += cost->loops[i].cycles;
  return cycles;
}

const LunaPathCost *luna_cost_slowest(const LunaCostRecord *cost) {
  return luna_cost_slowest_of_case(cost, "");
}

// "shape=8/if0=then" begins with "shape=8", "shape=88" does not.
static bool begins_with(const char *path, const char *decision) {
  size_t length = strlen(decision);
  return length == 0 || (strncmp(path, decision, length) == 0 &&
                         (path[length] == 0 || path[length] == '/'));
}

const LunaPathCost *luna_cost_slowest_of_case(const LunaCostRecord *cost,
                                              const char *name) {
  const LunaPathCost *slowest = NULL;
  for (uint32_t i = 0; i < cost->path_count; ++i)
    if (begins_with(cost->paths[i].path, name) &&
        (!slowest || cycles_of_one_turn_each(&cost->paths[i]) >
                         cycles_of_one_turn_each(slowest)))
      slowest = &cost->paths[i];
  return slowest;
}

void luna_cost_print_cycles(LunaText *text, const LunaPathCost *cost) {
  luna_text_printf(text, "%" PRIu64 " cycles", cost->cycles);
  for (uint32_t i = 0; i < cost->loop_count; ++i)
    luna_text_printf(text, " + %" PRIu64 " per iteration of %s",
                     cost->loops[i].cycles, cost->loops[i].loop);
}

void luna_record_print_path_count(LunaText *text, const LunaPlanRecord *plan) {
  bool is_more = plan->possible_path_count >= LUNA_PATH_COUNT_MAX;
  luna_text_printf(text, "%s%" PRIu64,
                   is_more                   ? "more than "
                   : plan->is_possible_bound ? "at most "
                                             : "",
                   plan->possible_path_count);
}
