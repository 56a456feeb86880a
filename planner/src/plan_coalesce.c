// Which moves copy: the planner as oracle, and the moves that are kept apart as
// the choice. For a set of moves kept apart, the others are coalesced greedily,
// dearest first, where contents allow it; every decision is that of some set.
// Sets are tried in the order of their size.

#include "luna/plan_coalesce.h"

#include <string.h>

#include "plan_copy_price.h"
#include "plan_items.h"
#include "plan_merge.h"
#include "plan_move_places.h"

enum { DEFAULT_STEPS = 1 << 20, TRIAL_STEPS = 20000 };

// What a decision costs; less is better, member by member.
typedef struct Price {
  int64_t excess_bytes; // over the capacity
  LunaProgramCycles copies;
  int64_t bytes;
} Price;

// Places by class, and for each class those it may not be joined with.
typedef struct Classes {
  uint32_t *class_of;
  LunaPlanApart apart;
} Classes;

typedef struct Run {
  LunaProblem *problem;
  const LunaCoalesceOptions *options;
  const LunaLifetime *lifetimes;
  LunaPlanMovePlaces places;
  Classes classes;
  bool *is_apart, *best_apart, *is_copy;
  LunaPlanCopies copies;
  Price best, least;
  bool has_best, all_proven;
  uint64_t steps, budget;
  LunaPlanWithout without;
  LunaArena arena;
} Run;

//===- Prices -------------------------------------------------------------===//

static bool is_less(Price a, Price b) {
  if (a.excess_bytes != b.excess_bytes)
    return a.excess_bytes < b.excess_bytes;
  if (luna_plan_cycles_are_less(a.copies, b.copies))
    return true;
  return !luna_plan_cycles_are_less(b.copies, a.copies) && a.bytes < b.bytes;
}

//===- Classes of places --------------------------------------------------===//

// Returns true if no decision joins a pair.
static bool is_impossible(const Run *run, uint32_t pair) {
  return luna_plan_are_apart(&run->places.apart, run->places.pairs[pair].a,
                             run->places.pairs[pair].b);
}

// Makes class `b` part of class `a`.
static void join(const Run *run, Classes *classes, uint32_t a, uint32_t b) {
  for (uint32_t place = 0; place < run->places.count; ++place) {
    if (classes->class_of[place] == b)
      classes->class_of[place] = a;
    if (luna_plan_are_apart(&classes->apart, b, place))
      luna_plan_keep_apart(&classes->apart, a, place);
  }
}

// Makes each place a class of its own, the pairs `is_apart` kept apart.
static void part_classes(Run *run) {
  const LunaPlanMovePlaces *places = &run->places;
  Classes *classes = &run->classes;
  for (uint32_t place = 0; place < places->count; ++place)
    classes->class_of[place] = place;
  memcpy(classes->apart.bits, places->apart.bits,
         sizeof(uint64_t) * places->count * places->apart.words);
  for (uint32_t i = 0; i < places->pair_count; ++i)
    if (run->is_apart[i])
      luna_plan_keep_apart(&classes->apart, places->pairs[i].a,
                           places->pairs[i].b);
}

// Joins all that may be joined, dearest first, and writes the pairs that do it,
// unless `joined` is NULL, and which moves copy. Returns the number of pairs.
static uint32_t join_others(Run *run, LunaBufferPair *joined) {
  Classes *classes = &run->classes;
  const LunaPlanMove *moves = run->problem->moves.items;
  uint32_t count = 0;
  part_classes(run);
  for (uint32_t i = 0; i < run->places.pair_count; ++i) {
    uint32_t a = classes->class_of[run->places.pairs[i].a];
    uint32_t b = classes->class_of[run->places.pairs[i].b];
    if (a == b || luna_plan_are_apart(&classes->apart, a, b))
      continue;
    join(run, classes, a < b ? a : b, a < b ? b : a);
    const LunaPlanMove *move = &moves[run->places.pairs[i].first_move];
    if (joined)
      joined[count] = (LunaBufferPair){move->from, move->to};
    ++count;
  }
  for (LunaMoveId i = 0; i < run->problem->moves.count; ++i)
    run->is_copy[i] = classes->class_of[run->places.place_of[moves[i].from]] !=
                      classes->class_of[run->places.place_of[moves[i].to]];
  return count;
}

// Says which moves copy in every decision that keeps the pairs `is_apart`
// apart.
static void keep_copies(Run *run) {
  part_classes(run);
  for (LunaMoveId i = 0; i < run->problem->moves.count; ++i) {
    const LunaPlanMove *move = &run->problem->moves.items[i];
    run->is_copy[i] = luna_plan_are_apart(&run->classes.apart,
                                          run->places.place_of[move->from],
                                          run->places.place_of[move->to]);
  }
}

//===- Trials -------------------------------------------------------------===//

// Returns a copy of the problem in `arena` in which classes share a place.
static LunaProblem joined_problem(const Run *run, LunaArena *arena) {
  LunaProblem problem = *run->problem;
  problem.arena = arena;
  problem.places.items =
      LUNA_ARENA_ARRAY(arena, uint32_t, problem.buffers.count);
  for (uint32_t id = 0; id < problem.buffers.count; ++id)
    problem.places.items[id] = run->problem->places.items[id];
  for (uint32_t place = 0; place < run->places.count; ++place)
    luna_problem_alias(&problem, run->places.buffers[place],
                       run->places.buffers[run->classes.class_of[place]]);
  problem.lifetimes = run->lifetimes;
  return problem;
}

static int64_t excess(const Run *run, int64_t bytes) {
  int64_t capacity = run->options->capacity_bytes;
  return capacity > 0 && bytes > capacity ? bytes - capacity : 0;
}

static int64_t bound_of(const Run *run, const LunaProblem *problem,
                        LunaArena *arena) {
  LunaPlanProgram program =
      luna_plan_program_make(problem, run->lifetimes, ~0u, arena);
  return luna_plan_items_bound(&program.items).bytes;
}

// Plans the current classes; keeps them if they are the best so far.
static void plan(Run *run, Price price, LunaArena *arena) {
  LunaProblem problem = joined_problem(run, arena);
  price.bytes = bound_of(run, &problem, arena);
  price.excess_bytes = excess(run, price.bytes);
  run->steps += problem.buffers.count + 1;
  if (run->has_best && !is_less(price, run->best))
    return;
  LunaPlanOptions options = {.capacity_bytes = run->options->capacity_bytes,
                             .step_budget = TRIAL_STEPS};
  LunaSolution solution;
  LunaError error = {0};
  if (!luna_plan_solve(&problem, &options, &solution, &error)) {
    if (error.code == LUNA_ERROR_MEMORY)
      luna_out_of_memory();
    if (error.code != LUNA_ERROR_CAPACITY)
      return; // fixed offsets collide
  }
  run->steps += solution.search_steps;
  run->all_proven &= solution.proof != LUNA_PROOF_NONE;
  price.bytes = solution.total.bytes;
  price.excess_bytes = excess(run, price.bytes);
  if (run->has_best && !is_less(price, run->best))
    return;
  run->best = price;
  run->has_best = true;
  memcpy(run->best_apart, run->is_apart, sizeof(bool) * run->places.pair_count);
}

// Tries the set `is_apart`. Returns true if it is better than the best so far.
static bool try_set(Run *run) {
  Price before = run->best, price = {0};
  bool had_best = run->has_best;
  join_others(run, NULL);
  price.copies = luna_plan_copies_price(&run->copies, run->is_copy);
  price.bytes = run->least.bytes;
  price.excess_bytes = run->least.excess_bytes;
  run->steps += run->problem->nodes.count + run->places.pair_count;
  if (run->has_best && !is_less(price, run->best))
    return false;
  LunaArena arena = {0};
  plan(run, price, &arena);
  luna_arena_destroy(&arena);
  return !had_best || is_less(run->best, before);
}

// Finds what no decision is better than: where only moves copy that must, and
// all buffers that other moves connect lie at one place.
static void find_least(Run *run) {
  LunaArena arena = {0};
  LunaProblem problem = joined_problem(run, &arena);
  for (uint32_t i = 0; i < run->places.pair_count; ++i)
    if (!is_impossible(run, i))
      luna_problem_alias(&problem, run->places.buffers[run->places.pairs[i].a],
                         run->places.buffers[run->places.pairs[i].b]);
  problem.lifetimes = run->lifetimes;
  run->least = (Price){.bytes = bound_of(run, &problem, &arena)};
  run->least.excess_bytes = excess(run, run->least.bytes);
  luna_arena_destroy(&arena);
  keep_copies(run);
  run->least.copies = luna_plan_copies_price(&run->copies, run->is_copy);
}

// No plan is smaller than the bound of the program, wherever contents lie.
static void raise_least(Run *run) {
  LunaArena arena = {0};
  LunaProblem problem = *run->problem;
  LunaProgramBound bound;
  LunaError error = {0};
  problem.arena = &arena;
  if (!luna_problem_bound(&problem, &bound, &error)) {
    if (error.code == LUNA_ERROR_MEMORY)
      luna_out_of_memory();
  } else if (run->least.bytes < bound.total_bytes)
    run->least.bytes = bound.total_bytes;
  run->least.excess_bytes = excess(run, run->least.bytes);
  luna_arena_destroy(&arena);
}

//===- Sets of pairs kept apart -------------------------------------------===//

static bool is_done(const Run *run) {
  return (run->has_best && !is_less(run->least, run->best)) ||
         run->steps >= run->budget;
}

// Returns the least that a decision costs that keeps the pairs `is_apart` apart
// and maybe others.
static Price least_price(Run *run) {
  Price price = run->least;
  keep_copies(run);
  price.copies = luna_plan_copies_price(&run->copies, run->is_copy);
  return price;
}

// Tries all sets of `count` more pairs, from pair `first` on, that may be
// better than the best. Returns true if there was one.
static bool try_sets(Run *run, uint32_t count, uint32_t first) {
  bool is_any = false;
  for (uint32_t i = first; i < run->places.pair_count && !is_done(run); ++i) {
    if (is_impossible(run, i))
      continue;
    run->is_apart[i] = true;
    run->steps += run->problem->nodes.count;
    if (!run->has_best || is_less(least_price(run), run->best)) {
      if (count > 1)
        is_any |= try_sets(run, count - 1, i + 1);
      else
        try_set(run);
      is_any |= count == 1;
    }
    run->is_apart[i] = false;
  }
  return is_any;
}

// Returns true if no set is left to try.
static bool search(Run *run) {
  try_set(run);
  if (!is_done(run) && plan_tries(&run->without, PLAN_TRICK_COALESCE_BOUND))
    raise_least(run);
  if (!plan_tries(&run->without, PLAN_TRICK_COALESCE_SETS))
    return false;
  memset(run->is_apart, 0, sizeof(bool) * run->places.pair_count);
  bool is_any = true;
  for (uint32_t count = 1; count <= run->places.pair_count && is_any; ++count)
    is_any = try_sets(run, count, 0);
  return run->steps < run->budget && run->all_proven;
}

//===- The decision -------------------------------------------------------===//

static void prepare(Run *run) {
  uint32_t moves = (uint32_t)run->problem->moves.count;
  LunaArena *arena = &run->arena;
  run->places = luna_plan_move_places_make(run->problem, run->lifetimes,
                                           run->options, arena);
  uint32_t places = run->places.count, pairs = run->places.pair_count;
  run->classes = (Classes){LUNA_ARENA_ARRAY(arena, uint32_t, places),
                           luna_plan_apart_make(places, arena)};
  run->is_apart = LUNA_ARENA_ARRAY(arena, bool, pairs);
  run->best_apart = LUNA_ARENA_ARRAY(arena, bool, pairs);
  run->is_copy = LUNA_ARENA_ARRAY(arena, bool, moves);
  run->copies = luna_plan_copies_make(run->problem, run->options, arena);
  part_classes(run);
  find_least(run);
}

static void fill(Run *run, bool is_exhausted, LunaCoalescing *coalescing) {
  LunaArena *arena = run->problem->arena;
  uint32_t moves = (uint32_t)run->problem->moves.count;
  LunaBufferPair *pairs =
      LUNA_ARENA_ARRAY(arena, LunaBufferPair, run->places.pair_count);
  bool *is_copy = LUNA_ARENA_ARRAY(arena, bool, moves);
  memcpy(run->is_apart, run->best_apart, sizeof(bool) * run->places.pair_count);
  uint32_t pair_count = join_others(run, pairs);
  memcpy(is_copy, run->is_copy, sizeof(bool) * moves);
  uint64_t copy_cycles = 0;
  for (LunaMoveId i = 0; i < moves; ++i)
    if (is_copy[i])
      copy_cycles = luna_plan_add_cycles(
          copy_cycles, luna_plan_copy_cycles(run->options, i));
  *coalescing = (LunaCoalescing){
      .pairs = pairs,
      .pair_count = pair_count,
      .is_copy = is_copy,
      .slowest_cycles = run->best.copies.slowest,
      .copy_cycles = copy_cycles,
      .bytes = run->best.bytes,
      .is_exhausted = is_exhausted || !is_less(run->least, run->best),
      .search_steps = run->steps,
  };
}

static bool coalesce(LunaProblem *problem, const LunaCoalesceOptions *options,
                     LunaCoalescing *coalescing, LunaError *error) {
  LunaCoalesceOptions defaults = {0};
  Run run = {.problem = problem,
             .options = options ? options : &defaults,
             .all_proven = true};
  if (!luna_plan_read_without(run.options->without, &run.without, error) ||
      !luna_problem_lifetimes(problem, &run.lifetimes, error))
    return false;
  run.budget =
      run.options->step_budget > 0 ? run.options->step_budget : DEFAULT_STEPS;
  prepare(&run);
  bool is_exhausted = search(&run);
  fill(&run, is_exhausted, coalescing);
  luna_arena_destroy(&run.arena);
  // No decision gives a plan only where none is possible.
  LunaSolution solution;
  return run.has_best || luna_plan_solve(problem, NULL, &solution, error);
}

typedef struct Call {
  LunaProblem *problem;
  const LunaCoalesceOptions *options;
  LunaCoalescing *coalescing;
} Call;

static bool call(void *context, LunaError *error) {
  const Call *self = context;
  return coalesce(self->problem, self->options, self->coalescing, error);
}

bool luna_plan_coalesce(LunaProblem *problem,
                        const LunaCoalesceOptions *options,
                        LunaCoalescing *coalescing, LunaError *error) {
  Call self = {problem, options, coalescing};
  return luna_arena_guard(problem->arena, NULL, "buffers were coalesced", call,
                          &self, error);
}
