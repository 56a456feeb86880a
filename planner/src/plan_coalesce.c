// Which moves copy: the planner as oracle, and the moves that are kept apart as
// the choice. For a set of moves kept apart, the others are coalesced greedily,
// dearest first, where contents allow it; every decision is that of some set.
// Sets are improved one move at a time, then tried in the order of their size.

#include "luna/plan_coalesce.h"

#include <string.h>

#include "plan_items.h"
#include "plan_merge.h"
#include "plan_sharing.h"
#include "plan_sort.h"

enum { DEFAULT_STEPS = 1 << 20, TRIAL_STEPS = 20000 };

// Two places that moves connect.
typedef struct Pair {
  uint32_t a, b;   // indices of places, a < b
  uint64_t cycles; // of its moves
  LunaMoveId first_move;
} Pair;

// What a decision costs; less is better, member by member.
typedef struct Price {
  int64_t excess_bytes; // over the capacity
  uint64_t slowest_cycles, copy_cycles;
  int64_t bytes;
} Price;

// Places by class, and for each class, in bits, those it may not be joined
// with.
typedef struct Classes {
  uint32_t *class_of;
  uint64_t *apart;
} Classes;

typedef struct Run {
  LunaProblem *problem;
  const LunaCoalesceOptions *options;
  const LunaLifetime *lifetimes;
  // The places of buffers that move: the least buffer of each, and by buffer
  // the place.
  uint32_t *buffers, *place_of;
  uint32_t place_count, words;
  Classes base, classes;
  Pair *pairs; // dearest first
  uint32_t pair_count;
  bool *is_apart, *best_apart, *is_copy;
  uint64_t *node_cycles;
  Price best, least;
  bool has_best, all_proven;
  uint64_t steps, budget;
  LunaArena arena;
} Run;

//===- Prices -------------------------------------------------------------===//

static bool is_less(Price a, Price b) {
  if (a.excess_bytes != b.excess_bytes)
    return a.excess_bytes < b.excess_bytes;
  if (a.slowest_cycles != b.slowest_cycles)
    return a.slowest_cycles < b.slowest_cycles;
  if (a.copy_cycles != b.copy_cycles)
    return a.copy_cycles < b.copy_cycles;
  return a.bytes < b.bytes;
}

static uint64_t cycles_of_move(const Run *run, LunaMoveId move) {
  return run->options->move_cycles ? run->options->move_cycles[move] : 1;
}

static uint64_t sum_of(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

// Writes the cycles of the slowest path and of all moves for `is_copy`. Nodes
// are in pre-order: in descending order, children precede their parent.
static void price_paths(Run *run, Price *price) {
  const LunaProblem *problem = run->problem;
  uint64_t *cycles = run->node_cycles;
  memset(cycles, 0, sizeof *cycles * problem->nodes.count);
  for (uint32_t step = 0;
       run->options->step_cycles && step < problem->step_nodes.count; ++step)
    cycles[problem->step_nodes.items[step]] = run->options->step_cycles[step];
  price->copy_cycles = 0;
  for (LunaMoveId move = 0; move < problem->moves.count; ++move) {
    if (!run->is_copy[move])
      continue;
    uint64_t *step =
        &cycles[problem->step_nodes.items[problem->moves.items[move].step]];
    *step = sum_of(*step, cycles_of_move(run, move));
    price->copy_cycles = sum_of(price->copy_cycles, cycles_of_move(run, move));
  }
  for (uint32_t node = (uint32_t)problem->nodes.count; node-- > 1;) {
    uint64_t *above = &cycles[problem->nodes.items[node].parent];
    if (problem->nodes.items[node].kind != LUNA_NODE_BRANCH)
      *above = sum_of(*above, cycles[node]);
    else if (*above < cycles[node])
      *above = cycles[node];
  }
  price->slowest_cycles = cycles[0];
}

//===- Classes of places --------------------------------------------------===//

static bool may_join(const Run *run, const Classes *classes, uint32_t a,
                     uint32_t b) {
  return (classes->apart[(uint64_t)a * run->words + b / 64] >> b % 64 & 1) == 0;
}

static void keep_apart(const Run *run, Classes *classes, uint32_t a,
                       uint32_t b) {
  classes->apart[(uint64_t)a * run->words + b / 64] |= (uint64_t)1 << b % 64;
  classes->apart[(uint64_t)b * run->words + a / 64] |= (uint64_t)1 << a % 64;
}

// Returns true if no decision joins a pair.
static bool is_impossible(const Run *run, uint32_t pair) {
  return !may_join(run, &run->base, run->pairs[pair].a, run->pairs[pair].b);
}

// Makes class `b` part of class `a`.
static void join(const Run *run, Classes *classes, uint32_t a, uint32_t b) {
  for (uint32_t place = 0; place < run->place_count; ++place) {
    if (classes->class_of[place] == b)
      classes->class_of[place] = a;
    if (!may_join(run, classes, b, place))
      keep_apart(run, classes, a, place);
  }
}

// Makes each place a class of its own, the pairs `is_apart` kept apart.
static void part_classes(Run *run) {
  Classes *classes = &run->classes;
  memcpy(classes->class_of, run->base.class_of,
         sizeof *classes->class_of * run->place_count);
  memcpy(classes->apart, run->base.apart,
         sizeof *classes->apart * run->place_count * run->words);
  for (uint32_t i = 0; i < run->pair_count; ++i)
    if (run->is_apart[i])
      keep_apart(run, classes, run->pairs[i].a, run->pairs[i].b);
}

// Joins all that may be joined, dearest first, and writes the pairs that do it,
// unless `joined` is NULL, and which moves copy. Returns the number of pairs.
static uint32_t join_others(Run *run, LunaBufferPair *joined) {
  Classes *classes = &run->classes;
  const LunaPlanMove *moves = run->problem->moves.items;
  uint32_t count = 0;
  part_classes(run);
  for (uint32_t i = 0; i < run->pair_count; ++i) {
    uint32_t a = classes->class_of[run->pairs[i].a];
    uint32_t b = classes->class_of[run->pairs[i].b];
    if (a == b || !may_join(run, classes, a, b))
      continue;
    join(run, classes, a < b ? a : b, a < b ? b : a);
    const LunaPlanMove *move = &moves[run->pairs[i].first_move];
    if (joined)
      joined[count] = (LunaBufferPair){move->from, move->to};
    ++count;
  }
  for (LunaMoveId i = 0; i < run->problem->moves.count; ++i)
    run->is_copy[i] = classes->class_of[run->place_of[moves[i].from]] !=
                      classes->class_of[run->place_of[moves[i].to]];
  return count;
}

// Says which moves copy in every decision that keeps the pairs `is_apart`
// apart.
static void keep_copies(Run *run) {
  part_classes(run);
  for (LunaMoveId i = 0; i < run->problem->moves.count; ++i) {
    const LunaPlanMove *move = &run->problem->moves.items[i];
    run->is_copy[i] = !may_join(run, &run->classes, run->place_of[move->from],
                                run->place_of[move->to]);
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
  for (uint32_t place = 0; place < run->place_count; ++place)
    luna_problem_alias(&problem, run->buffers[place],
                       run->buffers[run->classes.class_of[place]]);
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
  memcpy(run->best_apart, run->is_apart, sizeof(bool) * run->pair_count);
}

// Tries the set `is_apart`. Returns true if it is better than the best so far.
static bool try_set(Run *run) {
  Price before = run->best, price = {0};
  bool had_best = run->has_best;
  join_others(run, NULL);
  price_paths(run, &price);
  price.bytes = run->least.bytes;
  price.excess_bytes = run->least.excess_bytes;
  run->steps += run->problem->nodes.count + run->pair_count;
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
  for (uint32_t i = 0; i < run->pair_count; ++i)
    if (!is_impossible(run, i))
      luna_problem_alias(&problem, run->buffers[run->pairs[i].a],
                         run->buffers[run->pairs[i].b]);
  problem.lifetimes = run->lifetimes;
  run->least = (Price){.bytes = bound_of(run, &problem, &arena)};
  run->least.excess_bytes = excess(run, run->least.bytes);
  luna_arena_destroy(&arena);
  keep_copies(run);
  price_paths(run, &run->least);
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

// Changes the best set one pair at a time as long as that helps.
static void climb(Run *run) {
  bool has_improved = true;
  while (has_improved && !is_done(run)) {
    has_improved = false;
    memcpy(run->is_apart, run->best_apart, sizeof(bool) * run->pair_count);
    for (uint32_t i = 0; i < run->pair_count && !is_done(run); ++i) {
      if (is_impossible(run, i))
        continue;
      run->is_apart[i] = !run->is_apart[i];
      if (try_set(run))
        has_improved = true;
      else
        run->is_apart[i] = !run->is_apart[i];
    }
  }
}

// Returns the least that a decision costs that keeps the pairs `is_apart` apart
// and maybe others.
static Price least_price(Run *run) {
  Price price = run->least;
  keep_copies(run);
  price_paths(run, &price);
  return price;
}

// Tries all sets of `count` more pairs, from pair `first` on, that may be
// better than the best. Returns true if there was one.
static bool try_sets(Run *run, uint32_t count, uint32_t first) {
  bool is_any = false;
  for (uint32_t i = first; i < run->pair_count && !is_done(run); ++i) {
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
  if (!is_done(run))
    raise_least(run);
  climb(run);
  memset(run->is_apart, 0, sizeof(bool) * run->pair_count);
  bool is_any = true;
  for (uint32_t count = 1; count <= run->pair_count && is_any; ++count)
    is_any = try_sets(run, count, 0);
  return run->steps < run->budget && run->all_proven;
}

//===- Places and pairs ---------------------------------------------------===//

// Numbers the places of buffers that move.
static void find_places(Run *run, const LunaPlanSharing *sharing) {
  const LunaProblem *problem = run->problem;
  uint32_t count = (uint32_t)problem->buffers.count;
  run->place_of = LUNA_ARENA_ARRAY(&run->arena, uint32_t, count);
  run->buffers = LUNA_ARENA_ARRAY(&run->arena, uint32_t, count);
  for (uint32_t id = 0; id < count; ++id) {
    if (sharing->members[id] == PLAN_NONE)
      continue;
    uint32_t place = luna_plan_place_of(problem, id);
    if (place == id) {
      run->place_of[id] = run->place_count;
      run->buffers[run->place_count++] = id;
    } else {
      run->place_of[id] = run->place_of[place];
    }
  }
  run->words = (run->place_count + 63) / 64;
}

static Classes make_classes(Run *run) {
  return (Classes){
      .class_of = LUNA_ARENA_ARRAY(&run->arena, uint32_t, run->place_count),
      .apart = LUNA_ARENA_ARRAY(&run->arena, uint64_t,
                                (uint64_t)run->place_count * run->words),
  };
}

// Returns what the aliases at each place take: their kind, and the largest size
// and alignment.
static LunaBuffer *shapes_of_places(Run *run, const LunaPlanSharing *sharing) {
  LunaBuffer *shapes =
      LUNA_ARENA_ARRAY(&run->arena, LunaBuffer, run->place_count);
  for (uint32_t i = 0; i < sharing->count; ++i) {
    const LunaBuffer *buffer =
        &run->problem->buffers.items[sharing->buffers[i]];
    uint32_t place = run->place_of[sharing->buffers[i]];
    LunaBuffer *shape = &shapes[place];
    shape->kind = run->problem->buffers.items[run->buffers[place]].kind;
    if (shape->size_bytes < buffer->size_bytes)
      shape->size_bytes = buffer->size_bytes;
    if (shape->align_bytes < buffer->align_bytes)
      shape->align_bytes = buffer->align_bytes;
    if (buffer->is_fixed) {
      shape->is_fixed = true;
      shape->fixed_offset_bytes = buffer->fixed_offset_bytes;
    }
  }
  return shapes;
}

static bool have_one_shape(const LunaBuffer *a, const LunaBuffer *b) {
  return a->size_bytes == b->size_bytes && a->align_bytes == b->align_bytes &&
         a->kind == b->kind && a->is_fixed == b->is_fixed &&
         a->fixed_offset_bytes == b->fixed_offset_bytes;
}

// Keeps apart what contents or shapes keep apart, within groups: nothing else
// is ever joined.
static void find_conflicts(Run *run, const LunaPlanSharing *sharing) {
  const LunaBuffer *shapes = shapes_of_places(run, sharing);
  for (uint32_t a = 0; a < sharing->count; ++a)
    for (uint32_t b = sharing->group_first[a]; b < a; ++b) {
      uint32_t place_a = run->place_of[sharing->buffers[a]];
      uint32_t place_b = run->place_of[sharing->buffers[b]];
      if (place_a != place_b &&
          (luna_plan_sharing_differ(sharing, a, b) ||
           !have_one_shape(&shapes[place_a], &shapes[place_b])))
        keep_apart(run, &run->base, place_a, place_b);
    }
  for (uint32_t place = 0; place < run->place_count; ++place)
    run->base.class_of[place] = place;
}

static bool connects_before(const void *context, uint32_t a, uint32_t b) {
  const Pair *pairs = context;
  return pairs[a].a != pairs[b].a ? pairs[a].a < pairs[b].a
                                  : pairs[a].b < pairs[b].b;
}

static bool is_dearer(const void *context, uint32_t a, uint32_t b) {
  const Pair *pairs = context;
  return pairs[a].cycles != pairs[b].cycles
             ? pairs[a].cycles > pairs[b].cycles
             : pairs[a].first_move < pairs[b].first_move;
}

// Sorts pairs in place.
static void sort_pairs(Run *run, LunaPlanBefore before) {
  uint32_t *order = LUNA_ARENA_ARRAY(&run->arena, uint32_t, run->pair_count);
  Pair *sorted = LUNA_ARENA_ARRAY(&run->arena, Pair, run->pair_count);
  for (uint32_t i = 0; i < run->pair_count; ++i)
    order[i] = i;
  luna_plan_sort(order, run->pair_count, before, run->pairs, &run->arena);
  for (uint32_t i = 0; i < run->pair_count; ++i)
    sorted[i] = run->pairs[order[i]];
  run->pairs = sorted;
}

static Pair pair_of(const Run *run, LunaMoveId move) {
  uint32_t from = run->place_of[run->problem->moves.items[move].from];
  uint32_t to = run->place_of[run->problem->moves.items[move].to];
  return (Pair){.a = from < to ? from : to,
                .b = from < to ? to : from,
                .cycles = cycles_of_move(run, move),
                .first_move = move};
}

static void find_pairs(Run *run) {
  uint32_t moves = (uint32_t)run->problem->moves.count;
  run->pairs = LUNA_ARENA_ARRAY(&run->arena, Pair, moves);
  for (LunaMoveId move = 0; move < moves; ++move) {
    run->pairs[run->pair_count] = pair_of(run, move);
    run->pair_count +=
        run->pairs[run->pair_count].a != run->pairs[run->pair_count].b;
  }
  sort_pairs(run, connects_before);
  uint32_t merged = 0;
  for (uint32_t i = 0; i < run->pair_count; ++i) {
    Pair *last = merged > 0 ? &run->pairs[merged - 1] : NULL;
    if (last && last->a == run->pairs[i].a && last->b == run->pairs[i].b)
      last->cycles = sum_of(last->cycles, run->pairs[i].cycles);
    else
      run->pairs[merged++] = run->pairs[i];
  }
  run->pair_count = merged;
  sort_pairs(run, is_dearer);
}

//===- The decision -------------------------------------------------------===//

static void prepare(Run *run) {
  LunaPlanSharing sharing =
      luna_plan_sharing_make(run->problem, run->lifetimes, &run->arena);
  uint32_t moves = (uint32_t)run->problem->moves.count;
  find_places(run, &sharing);
  run->base = make_classes(run);
  run->classes = make_classes(run);
  find_conflicts(run, &sharing);
  find_pairs(run);
  run->is_apart = LUNA_ARENA_ARRAY(&run->arena, bool, run->pair_count);
  run->best_apart = LUNA_ARENA_ARRAY(&run->arena, bool, run->pair_count);
  run->is_copy = LUNA_ARENA_ARRAY(&run->arena, bool, moves);
  run->node_cycles =
      LUNA_ARENA_ARRAY(&run->arena, uint64_t, run->problem->nodes.count);
  part_classes(run);
  find_least(run);
}

static void fill(Run *run, bool is_exhausted, LunaCoalescing *coalescing) {
  LunaArena *arena = run->problem->arena;
  uint32_t moves = (uint32_t)run->problem->moves.count;
  LunaBufferPair *pairs =
      LUNA_ARENA_ARRAY(arena, LunaBufferPair, run->pair_count);
  bool *is_copy = LUNA_ARENA_ARRAY(arena, bool, moves);
  memcpy(run->is_apart, run->best_apart, sizeof(bool) * run->pair_count);
  uint32_t pair_count = join_others(run, pairs);
  memcpy(is_copy, run->is_copy, sizeof(bool) * moves);
  *coalescing = (LunaCoalescing){
      .pairs = pairs,
      .pair_count = pair_count,
      .is_copy = is_copy,
      .slowest_cycles = run->best.slowest_cycles,
      .copy_cycles = run->best.copy_cycles,
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
  if (!luna_problem_lifetimes(problem, &run.lifetimes, error))
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
