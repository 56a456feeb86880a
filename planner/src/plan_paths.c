// Paths through the program, by the decisions taken at its alternatives.

#include <string.h>

#include "plan_problem.h"
#include "plan_sort.h"

// The number of paths per node, at most LUNA_PATH_COUNT_MAX.
typedef struct Counts {
  const LunaProblem *problem;
  uint64_t *paths;
} Counts;

static uint64_t limited_product(uint64_t a, uint64_t b) {
  return b > 0 && a > LUNA_PATH_COUNT_MAX / b ? LUNA_PATH_COUNT_MAX : a * b;
}

static uint64_t limited_sum(uint64_t a, uint64_t b) {
  return a > LUNA_PATH_COUNT_MAX - b ? LUNA_PATH_COUNT_MAX : a + b;
}

// Nodes are in pre-order: in descending order, children precede their parent.
static void count_paths(Counts *counts) {
  const LunaProblem *problem = counts->problem;
  for (uint32_t node = problem->nodes.count; node-- > 0;) {
    const LunaPlanNode *here = &problem->nodes.items[node];
    bool is_choice = here->kind == LUNA_NODE_ALTERNATIVES;
    uint64_t total = is_choice ? 0 : 1;
    for (uint32_t child = here->first_child; child != PLAN_NONE;
         child = problem->nodes.items[child].next_sibling) {
      uint64_t inner = counts->paths[child];
      total =
          is_choice ? limited_sum(total, inner) : limited_product(total, inner);
    }
    counts->paths[node] = total > 0 ? total : 1;
  }
}

//===- One path -----------------------------------------------------------===//

// The path being listed: its name, and its steps merged into ranges.
typedef struct Listing {
  const LunaProblem *problem;
  const uint64_t *paths; // of all, by node; NULL if they are not numbered
  bool *is_covered;      // by node: some path takes this branch
  uint32_t *required;    // by alternatives: the branch to take, or PLAN_NONE
  uint32_t *outcomes;    // by condition: the one that it has, or PLAN_NONE
  uint32_t *uncovered;   // by alternatives: no branch before it is; 0: not set
  LunaArena *arena, *scratch;
  const char *name;
  LUNA_VECTOR(LunaSteps) ranges;
  // What to reset before the next path.
  LUNA_VECTOR(uint32_t) required_of, decided;
  bool is_impossible; // one condition would have two outcomes
} Listing;

static const LunaPlanNode *node_of(const Listing *listing, uint32_t node) {
  return &listing->problem->nodes.items[node];
}

static void add_step(Listing *listing, uint32_t step) {
  LunaSteps *last = listing->ranges.count > 0
                        ? &listing->ranges.items[listing->ranges.count - 1]
                        : NULL;
  if (last && last->end == step)
    last->end = step + 1;
  else
    *LUNA_VECTOR_ADD(listing->scratch, &listing->ranges) =
        (LunaSteps){step, step + 1};
}

// The outcome of the condition that makes `branch` taken.
static uint32_t outcome_of(const Listing *listing, uint32_t branch) {
  uint32_t number = node_of(listing, branch)->index;
  const LunaPlanNode *parent =
      node_of(listing, node_of(listing, branch)->parent);
  return parent->is_negated ? 1 - number : number;
}

// Gives the condition of `branch` its outcome; the path is impossible if it has
// another.
static void decide(Listing *listing, uint32_t branch) {
  uint32_t condition =
      node_of(listing, node_of(listing, branch)->parent)->condition;
  if (condition == PLAN_NONE)
    return;
  uint32_t outcome = outcome_of(listing, branch);
  uint32_t *known = &listing->outcomes[condition];
  listing->is_impossible |= *known != PLAN_NONE && *known != outcome;
  if (*known == PLAN_NONE)
    *LUNA_VECTOR_ADD(listing->scratch, &listing->decided) = condition;
  *known = outcome;
}

static void list_node(Listing *listing, uint32_t node, uint64_t index);

static void take(Listing *listing, uint32_t branch, uint64_t index) {
  if (listing->name)
    luna_plan_text_add(listing->arena, &listing->name, "/");
  const LunaPlanNode *here = node_of(listing, branch);
  luna_plan_text_add(listing->arena, &listing->name,
                     node_of(listing, here->parent)->name);
  luna_plan_text_add(listing->arena, &listing->name, "=");
  luna_plan_text_add(listing->arena, &listing->name, here->name);
  decide(listing, branch);
  listing->is_covered[branch] = true;
  list_node(listing, branch, index);
}

// Returns the branch to take: as the condition is decided, as required, one
// that no path takes yet, or the first.
static uint32_t choose(Listing *listing, uint32_t alternatives) {
  const LunaPlanNode *here = node_of(listing, alternatives);
  bool is_decided = here->condition != PLAN_NONE &&
                    listing->outcomes[here->condition] != PLAN_NONE;
  for (uint32_t child = here->first_child; is_decided && child != PLAN_NONE;
       child = node_of(listing, child)->next_sibling)
    if (listing->outcomes[here->condition] == outcome_of(listing, child))
      return child;
  if (listing->required[alternatives] != PLAN_NONE)
    return listing->required[alternatives];
  uint32_t *next = &listing->uncovered[alternatives];
  if (*next == 0)
    *next = here->first_child;
  while (*next != PLAN_NONE && listing->is_covered[*next])
    *next = node_of(listing, *next)->next_sibling;
  return *next != PLAN_NONE ? *next : here->first_child;
}

// Lists path number `index` (below the count of `node`) through `node`.
static void list_children(Listing *listing, uint32_t node, uint64_t index) {
  for (uint32_t child = node_of(listing, node)->first_child; child != PLAN_NONE;
       child = node_of(listing, child)->next_sibling) {
    uint64_t count = listing->paths ? listing->paths[child] : 1;
    list_node(listing, child, index % count);
    index /= count;
  }
}

static void list_alternatives(Listing *listing, uint32_t node, uint64_t index) {
  uint32_t child = node_of(listing, node)->first_child;
  if (child == PLAN_NONE)
    return;
  if (!listing->paths)
    child = choose(listing, node);
  for (; listing->paths && index >= listing->paths[child];
       child = node_of(listing, child)->next_sibling)
    index -= listing->paths[child];
  take(listing, child, index);
}

static void list_node(Listing *listing, uint32_t node, uint64_t index) {
  if (node_of(listing, node)->kind == PLAN_NODE_STEP)
    add_step(listing, node_of(listing, node)->first_step);
  if (node_of(listing, node)->kind == LUNA_NODE_ALTERNATIVES)
    list_alternatives(listing, node, index);
  else
    list_children(listing, node, index);
}

static void begin_path(Listing *listing) {
  for (uint64_t i = 0; i < listing->required_of.count; ++i)
    listing->required[listing->required_of.items[i]] = PLAN_NONE;
  for (uint64_t i = 0; i < listing->decided.count; ++i)
    listing->outcomes[listing->decided.items[i]] = PLAN_NONE;
  listing->required_of.count = 0;
  listing->decided.count = 0;
  listing->ranges.count = 0;
  listing->name = NULL;
  listing->is_impossible = false;
}

// Requires the path to reach `node`.
static void require(Listing *listing, uint32_t node) {
  for (; node != PLAN_NONE; node = node_of(listing, node)->parent)
    if (node_of(listing, node)->kind == LUNA_NODE_BRANCH) {
      uint32_t alternatives = node_of(listing, node)->parent;
      listing->required[alternatives] = node;
      *LUNA_VECTOR_ADD(listing->scratch, &listing->required_of) = alternatives;
      decide(listing, node);
    }
}

//===- The memory of a path -----------------------------------------------===//

// The memory that each step needs.
typedef struct StepPeaks {
  // The live bytes; aliases count once, with the largest of them.
  int64_t *live;
  // The highest end of a live buffer.
  int64_t *end;
} StepPeaks;

static void add_live_bytes(const LunaProblem *problem,
                           const LunaLifetime *lifetimes, StepPeaks *peaks,
                           LunaArena *arena) {
  const LunaLifetime *places =
      luna_plan_place_lifetimes(problem, lifetimes, arena);
  int64_t *sizes = LUNA_ARENA_ARRAY(arena, int64_t, problem->buffers.count);
  for (uint32_t id = 0; id < problem->buffers.count; ++id) {
    int64_t *size = &sizes[luna_plan_place_of(problem, id)];
    if (*size < problem->buffers.items[id].size_bytes)
      *size = problem->buffers.items[id].size_bytes;
  }
  for (uint32_t place = 0; place < problem->buffers.count; ++place)
    for (uint32_t k = 0; k < places[place].range_count; ++k) {
      peaks->live[places[place].ranges[k].first] += sizes[place];
      peaks->live[places[place].ranges[k].end] -= sizes[place];
    }
  for (uint32_t step = 1; step < problem->step_nodes.count; ++step)
    peaks->live[step] += peaks->live[step - 1];
}

static bool ends_higher(const void *context, uint32_t a, uint32_t b) {
  const int64_t *ends = context;
  return ends[a] > ends[b];
}

// Gives each step the end of the highest buffer: from the highest on, each
// fills the steps of its lifetime that are still empty.
static void add_ends(const LunaProblem *problem, const int64_t *offset_bytes,
                     const LunaLifetime *lifetimes, StepPeaks *peaks,
                     LunaArena *arena) {
  uint32_t count = problem->buffers.count, steps = problem->step_nodes.count;
  int64_t *ends = LUNA_ARENA_ARRAY(arena, int64_t, count);
  uint32_t *order = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  // The next empty step at or after each; chains are shortened by halves.
  uint32_t *empty = LUNA_ARENA_ARRAY(arena, uint32_t, steps + 1);
  for (uint32_t id = 0; id < count; ++id) {
    int64_t size = problem->buffers.items[id].size_bytes;
    ends[id] = size > 0 ? offset_bytes[id] + size : 0;
    order[id] = id;
  }
  for (uint32_t step = 0; step <= steps; ++step)
    empty[step] = step;
  luna_plan_sort(order, count, ends_higher, ends, arena);
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t k = 0; k < lifetimes[order[i]].range_count; ++k) {
      LunaSteps range = lifetimes[order[i]].ranges[k];
      for (uint32_t at = range.first; at < range.end;) {
        if (empty[at] == at) {
          peaks->end[at] = ends[order[i]];
          empty[at] = at + 1;
        }
        empty[at] = empty[empty[at]];
        at = empty[at];
      }
    }
}

static StepPeaks make_peaks(const LunaProblem *problem,
                            const int64_t *offset_bytes,
                            const LunaLifetime *lifetimes, LunaArena *arena) {
  uint32_t steps = problem->step_nodes.count;
  StepPeaks peaks = {.live = LUNA_ARENA_ARRAY(arena, int64_t, steps + 1),
                     .end = LUNA_ARENA_ARRAY(arena, int64_t, steps + 1)};
  add_live_bytes(problem, lifetimes, &peaks, arena);
  add_ends(problem, offset_bytes, lifetimes, &peaks, arena);
  return peaks;
}

static void measure(const StepPeaks *peaks, LunaPathPeak *path) {
  for (uint32_t i = 0; i < path->range_count; ++i)
    for (uint32_t step = path->ranges[i].first; step < path->ranges[i].end;
         ++step) {
      if (peaks->live[step] > path->live_bytes) {
        path->live_bytes = peaks->live[step];
        path->heaviest_step = step;
      }
      if (peaks->end[step] > path->peak_bytes)
        path->peak_bytes = peaks->end[step];
    }
}

//===- All paths ----------------------------------------------------------===//

typedef struct Collector {
  Listing listing;
  const int64_t *offset_bytes;
  StepPeaks peaks;
  const LunaLifetime *lifetimes;
  LUNA_VECTOR(LunaPathPeak) found;
  uint64_t impossible_count;
} Collector;

static void add_path(Collector *collector) {
  Listing *listing = &collector->listing;
  if (listing->is_impossible) {
    ++collector->impossible_count;
    return;
  }
  LunaPathPeak *path = LUNA_VECTOR_ADD(listing->arena, &collector->found);
  path->path = listing->name ? listing->name : "straight";
  LunaSteps *ranges =
      LUNA_ARENA_ARRAY(listing->arena, LunaSteps, listing->ranges.count);
  if (listing->ranges.count > 0)
    memcpy(ranges, listing->ranges.items,
           sizeof(LunaSteps) * listing->ranges.count);
  path->ranges = ranges;
  path->range_count = (uint32_t)listing->ranges.count;
  measure(&collector->peaks, path);
}

static void list_all(Collector *collector, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    begin_path(&collector->listing);
    list_node(&collector->listing, 0, i);
    add_path(collector);
  }
}

// Lists a path to `node`. Returns false if none leads there.
static bool list_path_to(Collector *collector, uint32_t node) {
  Listing *listing = &collector->listing;
  begin_path(listing);
  require(listing, node);
  if (listing->is_impossible)
    return false;
  list_node(listing, 0, 0);
  add_path(collector);
  return true;
}

static uint32_t top_buffer(const Collector *collector) {
  const LunaProblem *problem = collector->listing.problem;
  uint32_t top = PLAN_NONE;
  int64_t peak = 0;
  for (uint32_t id = 0; id < problem->buffers.count; ++id) {
    int64_t end =
        collector->offset_bytes[id] + problem->buffers.items[id].size_bytes;
    if (end > peak && collector->lifetimes[id].range_count > 0) {
      peak = end;
      top = id;
    }
  }
  return top;
}

// Lists a path on which the topmost buffer is live, then paths until each
// branch is taken by one.
static void list_cover(Collector *collector) {
  const LunaProblem *problem = collector->listing.problem;
  uint32_t top = top_buffer(collector);
  bool is_done = top == PLAN_NONE;
  for (uint32_t r = 0; !is_done && r < collector->lifetimes[top].range_count;
       ++r) {
    LunaSteps range = collector->lifetimes[top].ranges[r];
    for (uint32_t step = range.first; !is_done && step < range.end; ++step)
      is_done = list_path_to(collector, problem->step_nodes.items[step]);
  }
  for (uint32_t node = 0; node < problem->nodes.count; ++node)
    if (problem->nodes.items[node].kind == LUNA_NODE_BRANCH &&
        !collector->listing.is_covered[node])
      collector->impossible_count += !list_path_to(collector, node);
}

// Returns true if two alternatives go by one condition.
static bool repeats_conditions(const LunaProblem *problem, LunaArena *scratch) {
  bool *is_met = LUNA_ARENA_ARRAY(scratch, bool, problem->condition_count);
  for (uint32_t node = 0; node < problem->nodes.count; ++node) {
    uint32_t condition = problem->nodes.items[node].condition;
    if (condition == PLAN_NONE)
      continue;
    if (is_met[condition])
      return true;
    is_met[condition] = true;
  }
  return false;
}

static bool list_paths(LunaProblem *problem, const int64_t *offset_bytes,
                       LunaPathList *list, LunaError *error) {
  const LunaLifetime *lifetimes = NULL;
  if (!luna_problem_lifetimes(problem, &lifetimes, error))
    return false;
  LunaArena scratch = {0};
  Counts counts = {.problem = problem};
  counts.paths = LUNA_ARENA_ARRAY(&scratch, uint64_t, problem->nodes.count);
  count_paths(&counts);
  bool lists_all = counts.paths[0] <= LUNA_PATH_LIMIT;
  Collector collector = {
      .listing = {.problem = problem,
                  .paths = lists_all ? counts.paths : NULL,
                  .arena = problem->arena,
                  .scratch = &scratch},
      .offset_bytes = offset_bytes,
      .peaks = make_peaks(problem, offset_bytes, lifetimes, &scratch),
      .lifetimes = lifetimes,
  };
  collector.listing.is_covered =
      LUNA_ARENA_ARRAY(&scratch, bool, problem->nodes.count);
  collector.listing.required =
      LUNA_ARENA_ARRAY(&scratch, uint32_t, problem->nodes.count);
  collector.listing.uncovered =
      LUNA_ARENA_ARRAY(&scratch, uint32_t, problem->nodes.count);
  collector.listing.outcomes =
      LUNA_ARENA_ARRAY(&scratch, uint32_t, problem->condition_count);
  memset(collector.listing.required, 0xff,
         problem->nodes.count * sizeof(uint32_t));
  memset(collector.listing.outcomes, 0xff,
         problem->condition_count * sizeof(uint32_t));
  if (lists_all)
    list_all(&collector, counts.paths[0]);
  else
    list_cover(&collector);
  *list = (LunaPathList){
      .paths = collector.found.items,
      .count = (uint32_t)collector.found.count,
      .possible_count = lists_all ? collector.found.count : counts.paths[0],
      .is_possible_bound = !lists_all && repeats_conditions(problem, &scratch),
      .impossible_count = (uint32_t)collector.impossible_count,
  };
  luna_arena_destroy(&scratch);
  return true;
}

typedef struct Call {
  LunaProblem *problem;
  const int64_t *offset_bytes;
  LunaPathList *list;
} Call;

static bool call(void *context, LunaError *error) {
  const Call *self = context;
  return list_paths(self->problem, self->offset_bytes, self->list, error);
}

bool luna_plan_paths(LunaProblem *problem, const int64_t *offset_bytes,
                     LunaPathList *list, LunaError *error) {
  Call self = {problem, offset_bytes, list};
  return luna_arena_guard(problem->arena, NULL, "paths were listed", call,
                          &self, error);
}
