#include "luna/model_cost.h"

#include <string.h>

#include "luna/timing.h"

static bool is_open_loop(const LunaModelStep *step) {
  return step->kind == LUNA_MODEL_LOOP &&
         step->trips == LUNA_MODEL_TRIPS_UNKNOWN;
}

// Sets trip counts that data decides to 0; those of `loop` and of the loops
// around it, all of them, to 1. Returns false if the path does not reach it.
static bool choose_trips(const LunaModel *model, const LunaTimingWay *ways,
                         LunaModelId loop, int64_t *trips) {
  const LunaModelStep *steps = model->steps.items;
  for (uint64_t i = 0; i < model->steps.count; ++i)
    trips[i] = luna_model_trips(&steps[i], 0);
  for (LunaModelId id = loop; id != LUNA_MODEL_NONE; id = steps[id].parent) {
    LunaModelId outer = steps[id].parent;
    if (steps[id].kind == LUNA_MODEL_LOOP)
      trips[id] = 1;
    if (steps[id].kind == LUNA_MODEL_BODY && outer != LUNA_MODEL_NONE &&
        steps[outer].kind == LUNA_MODEL_BRANCHES &&
        (ways[outer] == LUNA_TIMING_NO_WAY ||
         luna_model_body(model, outer, (uint32_t)ways[outer]) != id))
      return false;
  }
  return true;
}

// Returns what an iteration of `loop` adds after its first.
static uint64_t cycles_of_iteration(const LunaModel *model,
                                    const LunaTimingWay *ways, LunaModelId loop,
                                    int64_t *trips) {
  uint64_t one = luna_timing_path(model, ways, trips).cycles;
  trips[loop] = 2;
  return luna_timing_path(model, ways, trips).cycles - one;
}

static void add_loops(const LunaModel *model, const LunaTimingWay *ways,
                      int64_t *trips, LunaArena *arena, LunaPathCost *cost) {
  LUNA_VECTOR(LunaLoopCost) loops = {0};
  for (LunaModelId id = 0; id < model->steps.count; ++id)
    if (is_open_loop(&model->steps.items[id]) &&
        choose_trips(model, ways, id, trips))
      *LUNA_VECTOR_ADD(arena, &loops) =
          (LunaLoopCost){model->steps.items[id].name,
                         cycles_of_iteration(model, ways, id, trips)};
  cost->loops = loops.items;
  cost->loop_count = (uint32_t)loops.count;
}

static LunaPathCost cost_of(const LunaModel *model, const char *path,
                            LunaArena *arena) {
  LunaArena scratch = {0};
  const LunaTimingWay *ways = luna_timing_read_path(model, path, &scratch);
  int64_t *trips = LUNA_ARENA_ARRAY(&scratch, int64_t, model->steps.count);
  choose_trips(model, ways, LUNA_MODEL_NONE, trips);
  LunaPathTimes times = luna_timing_path(model, ways, trips);
  uint64_t busy = times.compute + times.host;
  LunaPathCost cost = {
      .path = path,
      .cycles = times.cycles,
      .compute = times.compute,
      .host = times.host,
      .stall = times.stall,
      .dma = times.dma,
      .bound = busy > times.dma ? busy : times.dma,
      .transfers = times.transfers,
      .dma_bytes = times.bytes,
  };
  add_loops(model, ways, trips, arena, &cost);
  luna_arena_destroy(&scratch);
  return cost;
}

static bool has_path(const LunaCostRecord *record, const char *path) {
  for (uint32_t i = 0; i < record->path_count; ++i)
    if (strcmp(record->paths[i].path, path) == 0)
      return true;
  return false;
}

LunaCostRecord luna_model_cost(const LunaModel *model, const char *const *paths,
                               uint32_t count, LunaArena *arena) {
  LunaSlowestPath slowest = luna_timing_slowest(model, arena);
  const char *name = luna_timing_path_name(model, slowest.ways, arena);
  LunaPathCost *costs =
      LUNA_ARENA_ARRAY(arena, LunaPathCost, (uint64_t)count + 1);
  LunaCostRecord record = {.paths = costs, .path_count = count};
  for (uint32_t i = 0; i < count; ++i)
    costs[i] = cost_of(model, paths[i], arena);
  if (!has_path(&record, name))
    costs[record.path_count++] = cost_of(model, name, arena);
  bool is_closed = true;
  for (uint64_t i = 0; i < model->steps.count; ++i)
    is_closed = is_closed && !is_open_loop(&model->steps.items[i]);
  record.at_most_cycles = is_closed ? slowest.at_most_cycles : 0;
  return record;
}
