#include "luna/plan_source.h"

#include <string.h>

#include "luna/plan_check.h"
#include "luna/plan_saved.h"
#include "plan_bytes.h"

// True if there is a plan: it may exceed the capacity.
static bool is_planned(bool ok, const LunaError *error) {
  return ok || error->code == LUNA_ERROR_CAPACITY;
}

//===- Plans of these options ---------------------------------------------===//

// Checks the plan of a part: buffers of other kinds take no room in it.
static bool check_part(const LunaProblem *problem, unsigned kinds,
                       const int64_t *offset_bytes) {
  LunaArena arena = {0};
  LunaProblem part = *problem;
  int64_t *offsets = LUNA_ARENA_ARRAY(&arena, int64_t, problem->buffers.count);
  part.buffers.items =
      LUNA_ARENA_ARRAY(&arena, LunaBuffer, problem->buffers.count);
  for (uint32_t i = 0; i < problem->buffers.count; ++i) {
    LunaBuffer buffer = problem->buffers.items[i];
    uint32_t place = luna_plan_place_of(problem, i);
    bool is_inside = kinds >> problem->buffers.items[place].kind & 1;
    offsets[i] = is_inside         ? offset_bytes[i]
                 : buffer.is_fixed ? buffer.fixed_offset_bytes
                                   : 0;
    buffer.size_bytes = is_inside ? buffer.size_bytes : 0;
    part.buffers.items[i] = buffer;
  }
  bool is_valid = luna_plan_check(&part, offsets, 0, &arena, NULL);
  luna_arena_destroy(&arena);
  return is_valid;
}

static bool check_parts(const LunaProblem *problem,
                        const LunaRestoredPlan *restored) {
  for (int i = 0; i < LUNA_RESTORED_PARTS; ++i)
    if (restored->parts[i].offset_bytes &&
        !check_part(problem, restored->parts[i].kinds,
                    restored->parts[i].offset_bytes))
      return false;
  return true;
}

// Looks the plan up. Returns false if there is none that holds.
static bool look_up(const LunaPlanSource *source, LunaPlanBytes key,
                    LunaProblem *problem, const LunaPlanOptions *options,
                    LunaRestoredPlan *restored) {
  LunaArena arena = {0};
  LunaPlanBytes saved;
  bool is_trusted = false;
  bool is_found = source->find(source->data, LUNA_PLAN_EXACT, key, &arena,
                               &saved, &is_trusted);
  bool holds =
      is_found &&
      luna_plan_restore(problem, options, saved, is_trusted, restored) &&
      check_parts(problem, restored);
  if (is_found && !holds)
    source->reject(source->data, LUNA_PLAN_EXACT, key);
  luna_arena_destroy(&arena);
  return holds;
}

static bool solve_exact(const LunaPlanSource *source, LunaProblem *problem,
                        const LunaPlanOptions *options, LunaSolution *solution,
                        LunaError *error) {
  LunaPlanBytes key = {0}, saved = {0};
  LunaRestoredPlan restored;
  LunaError failure = {0};
  if (!source->find || (options && options->progress))
    return luna_plan_solve(problem, options, solution, error);
  if (!luna_plan_key(problem, options, &key, error))
    return false;
  if (look_up(source, key, problem, options, &restored)) {
    *solution = restored.solution;
    if (error)
      *error = restored.error;
    return restored.fits;
  }
  bool ok = luna_plan_solve_saved(problem, options, solution, &saved, &failure);
  if (is_planned(ok, &failure) && saved.count > 0)
    source->keep(source->data, LUNA_PLAN_EXACT, key, saved);
  if (!ok && error)
    *error = failure;
  return ok;
}

//===- The best plan of any options ---------------------------------------===//

enum { BEST_FORMAT = 2 };

static LunaPlanBytes best_key(const LunaProblem *problem, LunaMerge merge,
                              LunaArena *arena) {
  LunaText record = {.arena = arena};
  luna_record_number(&record, BEST_FORMAT);
  luna_record_number(&record, (uint64_t)merge);
  luna_plan_write_problem(&record, problem);
  return luna_plan_bytes_of(&record);
}

static int64_t peak_of(const LunaProblem *problem, const int64_t *offsets) {
  int64_t peak = 0;
  for (uint32_t i = 0; i < problem->buffers.count; ++i) {
    int64_t end = offsets[i] + problem->buffers.items[i].size_bytes;
    if (problem->buffers.items[i].size_bytes > 0 && end > peak)
      peak = end;
  }
  return peak;
}

// Returns the offsets of the best plan, or NULL if none is known that holds.
static const int64_t *best_offsets(const LunaPlanSource *source,
                                   LunaPlanBytes key,
                                   const LunaProblem *problem,
                                   LunaArena *arena) {
  bool is_trusted = false;
  LunaPlanBytes saved;
  if (!source->find(source->data, LUNA_PLAN_BEST, key, arena, &saved,
                    &is_trusted))
    return NULL;
  LunaRecordReader reader = {saved.items, saved.count, false};
  int64_t *offsets = LUNA_ARENA_ARRAY(arena, int64_t, problem->buffers.count);
  for (uint32_t i = 0; i < problem->buffers.count; ++i)
    offsets[i] = (int64_t)luna_record_read_number(&reader);
  if (!reader.is_damaged && reader.length == 0 &&
      luna_plan_check(problem, offsets, 0, arena, NULL))
    return offsets;
  source->reject(source->data, LUNA_PLAN_BEST, key);
  return NULL;
}

static void keep_best(const LunaPlanSource *source, LunaPlanBytes key,
                      const LunaSolution *solution, LunaArena *arena) {
  LunaText record = {.arena = arena};
  for (uint32_t i = 0; i < solution->buffer_count; ++i)
    luna_record_number(&record, (uint64_t)solution->offset_bytes[i]);
  source->keep(source->data, LUNA_PLAN_BEST, key, luna_plan_bytes_of(&record));
}

// True for the strategies that start from a plan.
static bool takes_hint(const LunaPlanOptions *options) {
  const char *strategy = options->strategy ? options->strategy : "best";
  return !options->hint_offset_bytes &&
         (strcmp(strategy, "best") == 0 || strcmp(strategy, "optimal") == 0);
}

static bool solve_from_best(const LunaPlanSource *source, LunaProblem *problem,
                            LunaPlanOptions *options, LunaArena *arena,
                            LunaSolution *solution, LunaError *error) {
  LunaPlanBytes key = best_key(problem, options->merge, arena);
  LunaError failure = {0};
  options->hint_offset_bytes = best_offsets(source, key, problem, arena);
  bool ok = solve_exact(source, problem, options, solution, &failure);
  if (is_planned(ok, &failure) &&
      (!options->hint_offset_bytes ||
       solution->total.bytes < peak_of(problem, options->hint_offset_bytes)))
    keep_best(source, key, solution, arena);
  if (!ok && error)
    *error = failure;
  return ok;
}

bool luna_plan_solve_from(const LunaPlanSource *source, LunaProblem *problem,
                          const LunaPlanOptions *options,
                          LunaSolution *solution, LunaError *error) {
  LunaPlanOptions own;
  LunaArena arena = {0};
  if (!source->find || !source->takes_best)
    return solve_exact(source, problem, options, solution, error);
  if (!luna_plan_read_options(options, &own, error))
    return false;
  if (!takes_hint(&own))
    return solve_exact(source, problem, options, solution, error);
  bool ok = luna_plan_problem_validate(problem, error) &&
            solve_from_best(source, problem, &own, &arena, solution, error);
  luna_arena_destroy(&arena);
  return ok;
}
