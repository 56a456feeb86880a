// Paths through the program, by the decisions taken at its alternatives.

#include <string.h>

#include "plan_problem.h"

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
  LunaArena *arena;
  const char *name;
  LunaSteps *ranges;
  uint32_t range_count;
  bool is_impossible; // one condition would have two outcomes
} Listing;

static const LunaPlanNode *node_of(const Listing *listing, uint32_t node) {
  return &listing->problem->nodes.items[node];
}

static void add_step(Listing *listing, uint32_t step) {
  LunaSteps *last = listing->range_count > 0
                        ? &listing->ranges[listing->range_count - 1]
                        : NULL;
  if (last && last->end == step)
    last->end = step + 1;
  else
    listing->ranges[listing->range_count++] = (LunaSteps){step, step + 1};
}

static uint32_t number_among_siblings(const Listing *listing, uint32_t branch) {
  uint32_t number = 0;
  for (uint32_t node = node_of(listing, branch)->prev_sibling;
       node != PLAN_NONE; node = node_of(listing, node)->prev_sibling)
    ++number;
  return number;
}

// The outcome of the condition that makes `branch` taken.
static uint32_t outcome_of(const Listing *listing, uint32_t branch) {
  uint32_t number = number_among_siblings(listing, branch);
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
static uint32_t choose(const Listing *listing, uint32_t alternatives) {
  const LunaPlanNode *here = node_of(listing, alternatives);
  uint32_t chosen = PLAN_NONE;
  for (uint32_t child = here->first_child; child != PLAN_NONE;
       child = node_of(listing, child)->next_sibling) {
    if (here->condition != PLAN_NONE &&
        listing->outcomes[here->condition] == outcome_of(listing, child))
      return child;
    if (chosen == PLAN_NONE && !listing->is_covered[child])
      chosen = child;
  }
  if (listing->required[alternatives] != PLAN_NONE)
    return listing->required[alternatives];
  return chosen != PLAN_NONE ? chosen : here->first_child;
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
  const LunaProblem *problem = listing->problem;
  memset(listing->required, 0xff, problem->nodes.count * sizeof(uint32_t));
  memset(listing->outcomes, 0xff, problem->condition_count * sizeof(uint32_t));
  listing->ranges =
      LUNA_ARENA_ARRAY(listing->arena, LunaSteps, problem->step_nodes.count);
  listing->range_count = 0;
  listing->name = NULL;
  listing->is_impossible = false;
}

// Requires the path to reach `node`.
static void require(Listing *listing, uint32_t node) {
  for (; node != PLAN_NONE; node = node_of(listing, node)->parent)
    if (node_of(listing, node)->kind == LUNA_NODE_BRANCH) {
      listing->required[node_of(listing, node)->parent] = node;
      decide(listing, node);
    }
}

//===- The memory of a path -----------------------------------------------===//

static bool lies_on(const LunaLifetime *lifetime, const LunaPathPeak *path) {
  uint32_t i = 0, k = 0;
  while (i < lifetime->range_count && k < path->range_count) {
    if (lifetime->ranges[i].end <= path->ranges[k].first)
      ++i;
    else if (path->ranges[k].end <= lifetime->ranges[i].first)
      ++k;
    else
      return true;
  }
  return false;
}

// Returns the live bytes of every step. Aliases count once, with the largest of
// them.
static int64_t *live_by_step(const LunaProblem *problem,
                             const LunaLifetime *lifetimes, LunaArena *arena) {
  int64_t *live = LUNA_ARENA_ARRAY(arena, int64_t, problem->step_nodes.count);
  int64_t *sizes = LUNA_ARENA_ARRAY(arena, int64_t, problem->buffers.count);
  uint32_t *next = LUNA_ARENA_ARRAY(arena, uint32_t, problem->buffers.count);
  uint32_t *seen = LUNA_ARENA_ARRAY(arena, uint32_t, problem->step_nodes.count);
  uint32_t *first = LUNA_ARENA_ARRAY(arena, uint32_t, problem->buffers.count);
  memset(first, 0xff, sizeof(uint32_t) * problem->buffers.count);
  memset(seen, 0xff, sizeof(uint32_t) * problem->step_nodes.count);
  for (uint32_t id = problem->buffers.count; id-- > 0;) {
    uint32_t place = luna_plan_place_of(problem, id);
    next[id] = first[place];
    first[place] = id;
    if (sizes[place] < problem->buffers.items[id].size_bytes)
      sizes[place] = problem->buffers.items[id].size_bytes;
  }
  for (uint32_t place = 0; place < problem->buffers.count; ++place)
    for (uint32_t id = first[place]; id != PLAN_NONE; id = next[id])
      for (uint32_t k = 0; k < lifetimes[id].range_count; ++k)
        for (uint32_t step = lifetimes[id].ranges[k].first;
             step < lifetimes[id].ranges[k].end; ++step) {
          if (seen[step] != place)
            live[step] += sizes[place];
          seen[step] = place;
        }
  return live;
}

static void measure(const LunaProblem *problem, const int64_t *offset_bytes,
                    const LunaLifetime *lifetimes, const int64_t *live,
                    LunaPathPeak *path) {
  for (uint32_t i = 0; i < path->range_count; ++i)
    for (uint32_t step = path->ranges[i].first; step < path->ranges[i].end;
         ++step)
      if (live[step] > path->live_bytes) {
        path->live_bytes = live[step];
        path->heaviest_step = step;
      }
  for (uint32_t id = 0; id < problem->buffers.count; ++id) {
    int64_t end = offset_bytes[id] + problem->buffers.items[id].size_bytes;
    if (problem->buffers.items[id].size_bytes > 0 && end > path->peak_bytes &&
        lies_on(&lifetimes[id], path))
      path->peak_bytes = end;
  }
}

//===- All paths ----------------------------------------------------------===//

typedef struct Collector {
  Listing listing;
  const int64_t *offset_bytes, *live;
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
  path->ranges = listing->ranges;
  path->range_count = listing->range_count;
  measure(listing->problem, collector->offset_bytes, collector->lifetimes,
          collector->live, path);
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

bool luna_plan_paths(LunaProblem *problem, const int64_t *offset_bytes,
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
                  .arena = problem->arena},
      .offset_bytes = offset_bytes,
      .live = live_by_step(problem, lifetimes, &scratch),
      .lifetimes = lifetimes,
  };
  collector.listing.is_covered =
      LUNA_ARENA_ARRAY(&scratch, bool, problem->nodes.count);
  collector.listing.required =
      LUNA_ARENA_ARRAY(&scratch, uint32_t, problem->nodes.count);
  collector.listing.outcomes =
      LUNA_ARENA_ARRAY(&scratch, uint32_t, problem->condition_count);
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
