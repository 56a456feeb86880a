// Lifetimes of places: aliases are live where one of them is.

#include <string.h>

#include "plan_problem.h"
#include "plan_sort.h"

// The aliases of each place as a list, by ascending id.
typedef struct Members {
  uint32_t *first, *next;
} Members;

static Members list_members(const LunaProblem *problem, LunaArena *arena) {
  uint32_t count = problem->buffers.count;
  Members members = {.first = LUNA_ARENA_ARRAY(arena, uint32_t, count),
                     .next = LUNA_ARENA_ARRAY(arena, uint32_t, count)};
  memset(members.first, 0xff, sizeof(uint32_t) * count);
  for (uint32_t id = count; id-- > 0;) {
    uint32_t place = luna_plan_place_of(problem, id);
    members.next[id] = members.first[place];
    members.first[place] = id;
  }
  return members;
}

static bool range_before(const void *context, uint32_t a, uint32_t b) {
  const LunaSteps *ranges = context;
  return ranges[a].first < ranges[b].first;
}

LunaLifetime luna_plan_unite_ranges(const LunaSteps *ranges, uint32_t count,
                                    LunaArena *scratch, LunaArena *arena) {
  uint32_t *order = LUNA_ARENA_ARRAY(scratch, uint32_t, count);
  for (uint32_t i = 0; i < count; ++i)
    order[i] = i;
  luna_plan_sort(order, count, range_before, ranges, scratch);
  LunaSteps *result = LUNA_ARENA_ARRAY(arena, LunaSteps, count);
  uint32_t out = 0;
  for (uint32_t i = 0; i < count; ++i) {
    LunaSteps next = ranges[order[i]];
    if (next.first == next.end)
      continue;
    if (out == 0 || result[out - 1].end < next.first)
      result[out++] = next;
    else if (result[out - 1].end < next.end)
      result[out - 1].end = next.end;
  }
  return (LunaLifetime){.ranges = result, .range_count = out};
}

const LunaLifetime *luna_plan_place_lifetimes(const LunaProblem *problem,
                                              const LunaLifetime *lifetimes,
                                              LunaArena *arena) {
  LunaArena scratch = {0};
  uint32_t count = problem->buffers.count;
  Members members = list_members(problem, &scratch);
  LunaLifetime *places = LUNA_ARENA_ARRAY(arena, LunaLifetime, count);
  LUNA_VECTOR(LunaSteps) ranges = {0};
  for (uint32_t place = 0; place < count; ++place) {
    uint32_t first = members.first[place];
    if (first == PLAN_NONE)
      continue;
    places[place] = lifetimes[first];
    if (members.next[first] == PLAN_NONE)
      continue;
    ranges.count = 0;
    for (uint32_t id = first; id != PLAN_NONE; id = members.next[id])
      for (uint32_t k = 0; k < lifetimes[id].range_count; ++k)
        *LUNA_VECTOR_ADD(&scratch, &ranges) = lifetimes[id].ranges[k];
    places[place] = luna_plan_unite_ranges(ranges.items, (uint32_t)ranges.count,
                                           &scratch, arena);
  }
  luna_arena_destroy(&scratch);
  return places;
}
