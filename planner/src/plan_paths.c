// Paths through the program, by the decisions taken at its alternatives.

#include <string.h>

#include "plan_problem.h"

// The paths that are counted: every combination, or as few as cover all
// branches.
typedef enum Counting { COUNT_ALL, COUNT_COVER } Counting;

// The number of paths per node, at most LIMIT + 1 (too many).
typedef struct Counts {
  const LunaProblem *problem;
  Counting counting;
  uint64_t *paths;
  uint64_t limit;
} Counts;

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
      if (is_choice)
        total += inner;
      else if (counts->counting == COUNT_ALL)
        total *= inner;
      else if (total < inner)
        total = inner;
      if (total > counts->limit)
        total = counts->limit + 1;
    }
    counts->paths[node] = total > 0 ? total : 1;
  }
}

// The current path: its name, and its steps merged into ranges.
typedef struct Listing {
  const Counts *counts;
  LunaArena *arena;
  const char *name;
  LunaSteps *ranges;
  uint32_t range_count;
} Listing;

static void add_step(Listing *listing, uint32_t step) {
  LunaSteps *last = listing->range_count > 0
                        ? &listing->ranges[listing->range_count - 1]
                        : NULL;
  if (last && last->end == step)
    last->end = step + 1;
  else
    listing->ranges[listing->range_count++] = (LunaSteps){step, step + 1};
}

static void add_decision(Listing *listing, uint32_t branch) {
  const LunaPlanNode *nodes = listing->counts->problem->nodes.items;
  if (listing->name)
    luna_plan_text_add(listing->arena, &listing->name, "/");
  luna_plan_text_add(listing->arena, &listing->name,
                     nodes[nodes[branch].parent].name);
  luna_plan_text_add(listing->arena, &listing->name, "=");
  luna_plan_text_add(listing->arena, &listing->name, nodes[branch].name);
}

// Lists path number `index` (below the count of `node`) through `node`.
static void list_node(Listing *listing, uint32_t node, uint64_t index) {
  const LunaPlanNode *nodes = listing->counts->problem->nodes.items;
  const uint64_t *paths = listing->counts->paths;
  if (nodes[node].kind == PLAN_NODE_STEP)
    add_step(listing, nodes[node].first_step);
  bool is_choice = nodes[node].kind == LUNA_NODE_ALTERNATIVES;
  for (uint32_t child = nodes[node].first_child; child != PLAN_NONE;
       child = nodes[child].next_sibling) {
    if (!is_choice) {
      list_node(listing, child, index % paths[child]);
      if (listing->counts->counting == COUNT_ALL)
        index /= paths[child];
    } else if (index < paths[child]) {
      add_decision(listing, child);
      list_node(listing, child, index);
      return;
    } else {
      index -= paths[child];
    }
  }
}

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

bool luna_plan_paths(LunaProblem *problem, const int64_t *offset_bytes,
                     const LunaPathPeak **paths, uint32_t *path_count,
                     LunaError *error) {
  const LunaLifetime *lifetimes = NULL;
  if (!luna_problem_lifetimes(problem, &lifetimes, error))
    return false;
  LunaArena scratch = {0};
  Counts counts = {.problem = problem, .limit = LUNA_PATH_LIMIT};
  counts.paths = LUNA_ARENA_ARRAY(&scratch, uint64_t, problem->nodes.count);
  count_paths(&counts);
  if (counts.paths[0] > LUNA_PATH_LIMIT) {
    counts.counting = COUNT_COVER;
    counts.limit = problem->nodes.count;
    count_paths(&counts);
  }
  const int64_t *live = live_by_step(problem, lifetimes, &scratch);
  *path_count = (uint32_t)counts.paths[0];
  LunaPathPeak *result =
      LUNA_ARENA_ARRAY(problem->arena, LunaPathPeak, *path_count);
  for (uint32_t i = 0; i < *path_count; ++i) {
    Listing listing = {.counts = &counts, .arena = problem->arena};
    listing.ranges =
        LUNA_ARENA_ARRAY(problem->arena, LunaSteps, problem->step_nodes.count);
    list_node(&listing, 0, i);
    result[i].path = listing.name ? listing.name : "straight";
    result[i].ranges = listing.ranges;
    result[i].range_count = listing.range_count;
    measure(problem, offset_bytes, lifetimes, live, &result[i]);
  }
  *paths = result;
  luna_arena_destroy(&scratch);
  return true;
}
