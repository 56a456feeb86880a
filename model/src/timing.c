#include "luna/timing.h"

#include <string.h>

#include "luna/checked.h"
#include "timing_flights.h"

//===- Limits -------------------------------------------------------------===//

static bool add_within(const LunaModel *model, int64_t *cycles,
                       LunaModelId outer, LunaModelId *loop);

static bool add_trips(int64_t *cycles, int64_t trip, int64_t trips) {
  int64_t all = 0;
  return luna_checked_mul(trip, trips, &all) &&
         luna_checked_add(*cycles, all, cycles) &&
         *cycles <= LUNA_TIMING_CYCLES_MAX;
}

// The first of two bodies of a loop runs once more, at the end.
static bool add_loop(const LunaModel *model, int64_t *cycles, LunaModelId id,
                     LunaModelId *loop) {
  const LunaModelStep *steps = model->steps.items;
  int64_t trips = luna_model_trips(&steps[id], 1);
  for (LunaModelId body = id + 1; body < steps[id].end;
       body = steps[body].end) {
    int64_t trip = 0;
    bool is_test = body == id + 1 && steps[body].end < steps[id].end;
    if (!add_within(model, &trip, body, loop))
      return false;
    if (!add_trips(cycles, trip, trips + (is_test && trips < INT64_MAX))) {
      *loop = id;
      return false;
    }
  }
  return true;
}

static bool add_within(const LunaModel *model, int64_t *cycles,
                       LunaModelId outer, LunaModelId *loop) {
  const LunaModelStep *steps = model->steps.items;
  for (LunaModelId id = outer + 1; id < steps[outer].end; id = steps[id].end) {
    const LunaModelStep *step = &steps[id];
    bool fits = step->kind == LUNA_MODEL_LOOP
                    ? add_loop(model, cycles, id, loop)
                    : add_within(model, cycles, id, loop) &&
                          add_trips(cycles, step->unit_cycles, 1) &&
                          add_trips(cycles, step->core_cycles, 1) &&
                          add_trips(cycles, step->dma_cycles, 1);
    if (!fits)
      return false;
  }
  return true;
}

bool luna_timing_fits(const LunaModel *model, LunaModelId *loop) {
  int64_t cycles = 0;
  *loop = LUNA_MODEL_NONE;
  return add_trips(&cycles, model->steps.items[0].core_cycles, 1) &&
         add_within(model, &cycles, 0, loop);
}

//===- Names --------------------------------------------------------------===//

static bool is_text(const char *text, size_t length, const char *whole) {
  return whole && strlen(whole) == length && memcmp(text, whole, length) == 0;
}

static void read_decision(const LunaModel *model, const char *text,
                          size_t length, LunaTimingWay *ways) {
  const LunaModelStep *steps = model->steps.items;
  const char *equals = memchr(text, '=', length);
  if (!equals)
    return;
  size_t name_length = (size_t)(equals - text);
  for (LunaModelId id = 0; id < model->steps.count; ++id) {
    if (steps[id].kind != LUNA_MODEL_BRANCHES ||
        !is_text(text, name_length, steps[id].name))
      continue;
    LunaTimingWay way = 0;
    for (LunaModelId body = id + 1; body < steps[id].end;
         body = steps[body].end, ++way)
      if (is_text(equals + 1, length - name_length - 1, steps[body].name))
        ways[id] = way;
  }
}

const LunaTimingWay *luna_timing_read_path(const LunaModel *model,
                                           const char *path, LunaArena *arena) {
  uint64_t count = model->steps.count;
  LunaTimingWay *ways = LUNA_ARENA_ARRAY(arena, LunaTimingWay, count);
  for (uint64_t i = 0; i < count; ++i)
    ways[i] = LUNA_TIMING_NO_WAY;
  while (*path) {
    size_t length = strcspn(path, "/");
    read_decision(model, path, length, ways);
    path += length + (path[length] == '/');
  }
  return ways;
}

static const char *name_of(const LunaModelStep *step) {
  return step->name ? step->name : "";
}

const char *luna_timing_path_name(const LunaModel *model,
                                  const LunaTimingWay *ways, LunaArena *arena) {
  const LunaModelStep *steps = model->steps.items;
  const char *name = NULL;
  for (LunaModelId id = 0; id < model->steps.count; ++id)
    if (ways[id] != LUNA_TIMING_NO_WAY)
      name = luna_arena_printf(
          arena, "%s%s%s=%s", name ? name : "", name ? "/" : "",
          name_of(&steps[id]),
          name_of(&steps[luna_model_body(model, id, (uint32_t)ways[id])]));
  return name ? name : "straight";
}

//===- One path -----------------------------------------------------------===//

typedef struct Clock {
  const LunaModel *model;
  const LunaTimingWay *ways;
  const int64_t *trips;
  LunaArena arena;
  LunaPathTimes times; // `cycles` is now
  uint64_t engine_free;
  const LunaTimingFlight *flights;
} Clock;

static uint64_t backlog_of(const Clock *clock) {
  uint64_t now = clock->times.cycles;
  return clock->engine_free > now ? clock->engine_free - now : 0;
}

static void start_transfer(Clock *clock, const LunaModelStep *step) {
  uint64_t dma = (uint64_t)step->dma_cycles;
  clock->engine_free = clock->times.cycles + backlog_of(clock) + dma;
  clock->flights = luna_timing_start(clock->model, step, clock->flights,
                                     clock->engine_free, &clock->arena);
  clock->times.dma += dma;
  clock->times.bytes += (uint64_t)luna_model_transfer_bytes(clock->model, step);
  ++clock->times.transfers;
}

static void add_times(LunaPathTimes *times, const LunaPathTimes *before,
                      uint64_t count) {
  times->cycles += (times->cycles - before->cycles) * count;
  times->compute += (times->compute - before->compute) * count;
  times->host += (times->host - before->host) * count;
  times->stall += (times->stall - before->stall) * count;
  times->dma += (times->dma - before->dma) * count;
  times->transfers += (times->transfers - before->transfers) * count;
  times->bytes += (times->bytes - before->bytes) * count;
}

static void run_within(Clock *clock, LunaModelId outer);

// What an iteration takes depends only on what the engine still has to do.
static void run_loop(Clock *clock, LunaModelId id) {
  const LunaModelStep *steps = clock->model->steps.items;
  int64_t trips =
      clock->trips ? clock->trips[id] : luna_model_trips(&steps[id], 1);
  for (int64_t i = 0; i < trips; ++i) {
    LunaPathTimes before = clock->times;
    uint64_t backlog = backlog_of(clock), now = clock->times.cycles;
    const LunaTimingFlight *flights = clock->flights;
    run_within(clock, id);
    uint64_t trip = clock->times.cycles - now;
    if (backlog_of(clock) != backlog ||
        !luna_timing_repeats(flights, clock->flights, trip))
      continue;
    uint64_t left = (uint64_t)(trips - i - 1);
    add_times(&clock->times, &before, left);
    clock->engine_free = clock->times.cycles + backlog;
    clock->flights =
        luna_timing_advance(clock->flights, trip * left, &clock->arena);
    break;
  }
  if (steps[id + 1].end < steps[id].end)
    run_within(clock, id + 1);
}

// What the core does for a transfer lies before its start.
static void run_step(Clock *clock, const LunaModelStep *step) {
  clock->times.compute += (uint64_t)step->unit_cycles;
  clock->times.host += (uint64_t)step->core_cycles;
  clock->times.cycles += (uint64_t)(step->unit_cycles + step->core_cycles);
  if (step->kind == LUNA_MODEL_TRANSFER)
    start_transfer(clock, step);
  uint64_t end =
      luna_timing_await(clock->model, step, &clock->flights, &clock->arena);
  if (end > clock->times.cycles) {
    clock->times.stall += end - clock->times.cycles;
    clock->times.cycles = end;
  }
}

static void run_within(Clock *clock, LunaModelId outer) {
  const LunaModelStep *steps = clock->model->steps.items;
  for (LunaModelId id = outer + 1; id < steps[outer].end; id = steps[id].end)
    if (steps[id].kind == LUNA_MODEL_LOOP)
      run_loop(clock, id);
    else if (steps[id].kind != LUNA_MODEL_BRANCHES)
      steps[id].end > id + 1 ? run_within(clock, id)
                             : run_step(clock, &steps[id]);
    else if (clock->ways[id] != LUNA_TIMING_NO_WAY)
      run_within(clock,
                 luna_model_body(clock->model, id, (uint32_t)clock->ways[id]));
}

LunaPathTimes luna_timing_path(const LunaModel *model,
                               const LunaTimingWay *ways,
                               const int64_t *trips) {
  Clock clock = {.model = model, .ways = ways, .trips = trips};
  run_step(&clock, &model->steps.items[0]);
  run_within(&clock, 0);
  luna_arena_destroy(&clock.arena);
  return clock.times;
}
