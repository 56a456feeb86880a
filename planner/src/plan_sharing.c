// Follows contents through moves: a number stands for one contents, and two
// members with the same number hold the same. Passes over the program tree
// begin with all turns of a loop alike and go on until no loop header sees more
// differences (the optimistic fixed point of available copies).

#include "plan_sharing.h"

#include <string.h>

#include "plan_sort.h"
#include "plan_union.h"

// What one step does to one member.
typedef struct Access {
  uint32_t member, step;
  unsigned access;
} Access;

typedef struct Walk {
  const LunaProblem *problem;
  LunaPlanSharing *sharing;
  // By step: the accesses [starts[step], starts[step + 1]), and moves likewise.
  uint32_t *access_starts, *move_starts;
  Access *accesses;
  LunaPlanMove *moves;
  // By loop node: the numbers at its header; NULL before the first pass.
  LunaArena *arena;
  uint32_t **headers;
  // By depth of alternatives: the numbers before them.
  uint32_t *saved;
  uint32_t next_number;
  bool has_changed;
  // The pass that records conflicts: the members live at the step, the ranges
  // of lifetimes still to come, and whether numbers changed without a step.
  bool is_last;
  bool is_merged;
  const LunaLifetime *lifetimes;
  uint32_t *live, *next_range;
  uint32_t live_count;
  bool *is_live, *is_new;
  uint32_t *before; // numbers before the step
  uint32_t *slots; // of the hash table, a power of two, above twice the members
  uint32_t slot_mask;
} Walk;

//===- Members ------------------------------------------------------------===//

static bool group_before(const void *context, uint32_t a, uint32_t b) {
  const uint32_t *roots = context;
  return roots[a] != roots[b] ? roots[a] < roots[b] : a < b;
}

// Returns the group of each buffer: the least buffer that moves and aliases
// lead to. `is_member` says which are in a group with a move.
static uint32_t *find_groups(const LunaProblem *problem, bool *is_member,
                             LunaArena *arena) {
  uint32_t count = (uint32_t)problem->buffers.count;
  uint32_t *parents = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  for (uint32_t i = 0; i < count; ++i)
    parents[i] = i;
  for (uint32_t i = 0; i < count; ++i)
    luna_plan_union_join(parents, i, luna_plan_place_of(problem, i));
  for (uint32_t i = 0; i < problem->moves.count; ++i)
    luna_plan_union_join(parents, problem->moves.items[i].from,
                         problem->moves.items[i].to);
  for (uint32_t i = 0; i < problem->moves.count; ++i)
    is_member[luna_plan_union_root(parents, problem->moves.items[i].from)] =
        true;
  for (uint32_t i = 0; i < count; ++i) {
    parents[i] = luna_plan_union_root(parents, i);
    is_member[i] = is_member[parents[i]];
  }
  return parents;
}

static void find_members(const LunaProblem *problem, LunaPlanSharing *sharing,
                         LunaArena *arena) {
  uint32_t count = (uint32_t)problem->buffers.count;
  bool *is_member = LUNA_ARENA_ARRAY(arena, bool, count);
  const uint32_t *groups = find_groups(problem, is_member, arena);
  sharing->buffers = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  sharing->members = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  for (uint32_t i = 0; i < count; ++i) {
    sharing->members[i] = PLAN_NONE;
    if (is_member[i])
      sharing->buffers[sharing->count++] = i;
  }
  luna_plan_sort(sharing->buffers, sharing->count, group_before, groups, arena);
  uint32_t *first = LUNA_ARENA_ARRAY(arena, uint32_t, sharing->count);
  uint32_t *end = LUNA_ARENA_ARRAY(arena, uint32_t, sharing->count);
  for (uint32_t i = 0, from = 0; i < sharing->count; ++i) {
    sharing->members[sharing->buffers[i]] = i;
    if (groups[sharing->buffers[i]] != groups[sharing->buffers[from]])
      from = i;
    first[i] = from;
  }
  for (uint32_t i = sharing->count; i-- > 0;)
    end[i] =
        i + 1 < sharing->count && first[i + 1] == first[i] ? end[i + 1] : i + 1;
  sharing->group_first = first;
  sharing->group_end = end;
  sharing->conflicts = LUNA_ARENA_ARRAY(arena, uint64_t *, sharing->count);
  for (uint32_t i = 0; i < sharing->count; ++i)
    sharing->conflicts[i] =
        LUNA_ARENA_ARRAY(arena, uint64_t, (end[i] - first[i] + 63) / 64);
}

bool luna_plan_sharing_differ(const LunaPlanSharing *sharing, uint32_t a,
                              uint32_t b) {
  uint32_t bit = b - sharing->group_first[a];
  return sharing->group_first[a] != sharing->group_first[b] ||
         (sharing->conflicts[a][bit / 64] >> bit % 64 & 1) != 0;
}

static void set_differ(LunaPlanSharing *sharing, uint32_t a, uint32_t b) {
  uint32_t first = sharing->group_first[a];
  sharing->conflicts[a][(b - first) / 64] |= (uint64_t)1 << (b - first) % 64;
  sharing->conflicts[b][(a - first) / 64] |= (uint64_t)1 << (a - first) % 64;
}

//===- Conflicts ----------------------------------------------------------===//

static unsigned access_at(const Walk *walk, uint32_t step, uint32_t member) {
  for (uint32_t i = walk->access_starts[step];
       i < walk->access_starts[step + 1]; ++i)
    if (walk->accesses[i].member == member)
      return walk->accesses[i].access;
  return 0;
}

// A member holds what it held before the step, unless that ends unread, and
// what it holds behind it.
static bool holds_before(unsigned access) {
  return (access & (PLAN_DEFINES | PLAN_DISCARDS)) == 0 ||
         (access & PLAN_MOVES_AWAY) != 0;
}

static bool hold_the_same(const Walk *walk, const uint32_t *numbers,
                          uint32_t step, uint32_t a, uint32_t b) {
  if (numbers[a] != numbers[b])
    return false;
  bool a_before = holds_before(access_at(walk, step, a));
  bool b_before = holds_before(access_at(walk, step, b));
  return (!a_before || walk->before[a] == numbers[a]) &&
         (!b_before || walk->before[b] == numbers[a]);
}

static void compare_with_live(Walk *walk, const uint32_t *numbers,
                              uint32_t step, uint32_t member) {
  const LunaPlanSharing *sharing = walk->sharing;
  for (uint32_t i = 0; i < walk->live_count; ++i) {
    uint32_t other = walk->live[i];
    if (other != member &&
        sharing->group_first[other] == sharing->group_first[member] &&
        !luna_plan_sharing_differ(sharing, member, other) &&
        !hold_the_same(walk, numbers, step, member, other))
      set_differ(walk->sharing, member, other);
  }
}

static const LunaLifetime *lifetime_of(const Walk *walk, uint32_t member) {
  return &walk->lifetimes[walk->sharing->buffers[member]];
}

// Updates the live members for the next step in tree order.
static void advance_live(Walk *walk, uint32_t step) {
  walk->live_count = 0;
  for (uint32_t i = 0; i < walk->sharing->count; ++i) {
    const LunaLifetime *lifetime = lifetime_of(walk, i);
    uint32_t *next = &walk->next_range[i];
    while (*next < lifetime->range_count && lifetime->ranges[*next].end <= step)
      ++*next;
    bool is_live =
        *next < lifetime->range_count && lifetime->ranges[*next].first <= step;
    walk->is_new[i] = is_live && !walk->is_live[i];
    walk->is_live[i] = is_live;
    if (is_live)
      walk->live[walk->live_count++] = i;
  }
}

// Compares what may have changed with all that is live.
static void record_conflicts(Walk *walk, const uint32_t *numbers,
                             uint32_t step) {
  advance_live(walk, step);
  for (uint32_t i = 0; i < walk->live_count; ++i) {
    uint32_t member = walk->live[i];
    if (walk->is_merged || walk->is_new[member] ||
        access_at(walk, step, member) != 0)
      compare_with_live(walk, numbers, step, member);
  }
  walk->is_merged = false;
}

//===- Passes -------------------------------------------------------------===//

static void visit_children(Walk *walk, uint32_t node, uint32_t *numbers,
                           uint32_t depth);

// A member that several moves fill holds contents of its own unless they are
// the same.
static void move_numbers(Walk *walk, uint32_t step, uint32_t *numbers) {
  for (uint32_t i = walk->move_starts[step]; i < walk->move_starts[step + 1];
       ++i) {
    uint32_t to = walk->moves[i].to;
    uint32_t number = walk->before[walk->moves[i].from];
    for (uint32_t k = walk->move_starts[step]; k < i; ++k)
      if (walk->moves[k].to == to && numbers[to] != number)
        number = walk->next_number++;
    numbers[to] = number;
  }
}

static void visit_step(Walk *walk, uint32_t step, uint32_t *numbers) {
  uint32_t first = walk->access_starts[step];
  uint32_t end = walk->access_starts[step + 1];
  if (first < end || walk->is_last)
    memcpy(walk->before, numbers, sizeof *numbers * walk->sharing->count);
  move_numbers(walk, step, numbers);
  for (uint32_t i = first; i < end; ++i) {
    unsigned access = walk->accesses[i].access;
    bool is_discarded = (access & PLAN_DISCARDS) != 0;
    if ((access & (PLAN_MAKES | PLAN_MODIFIES)) != 0 ||
        (is_discarded && (access & PLAN_MOVES_IN) == 0))
      numbers[walk->accesses[i].member] = walk->next_number++;
  }
  if (walk->is_last)
    record_conflicts(walk, numbers, step);
}

// Returns the least member of a group that holds the same as `member` in two
// lists of numbers, given the members before it; a hash table finds it.
static uint32_t least_alike(Walk *walk, const uint32_t *a, const uint32_t *b,
                            uint32_t member) {
  const LunaPlanSharing *sharing = walk->sharing;
  uint64_t hash =
      ((uint64_t)a[member] << 32 | b[member]) * UINT64_C(0x9e3779b97f4a7c15);
  uint32_t slot = (uint32_t)(hash >> 32) & walk->slot_mask;
  for (; walk->slots[slot] != PLAN_NONE; slot = (slot + 1) & walk->slot_mask) {
    uint32_t other = walk->slots[slot];
    if (a[other] == a[member] && b[other] == b[member] &&
        sharing->group_first[other] == sharing->group_first[member])
      return other;
  }
  walk->slots[slot] = member;
  return member;
}

// Lets `into` tell apart what either tells apart. Its numbers become the least
// member that holds the same.
static bool merge(Walk *walk, uint32_t *into, const uint32_t *other) {
  uint32_t count = walk->sharing->count;
  uint32_t *merged = walk->before;
  bool has_changed = false;
  memset(walk->slots, 0xff, ((uint64_t)walk->slot_mask + 1) * sizeof(uint32_t));
  for (uint32_t i = 0; i < count; ++i) {
    merged[i] = least_alike(walk, into, other, i);
    has_changed |= into[i] != merged[i];
  }
  memcpy(into, merged, sizeof *into * count);
  walk->is_merged = true;
  return has_changed;
}

static void visit_alternatives(Walk *walk, uint32_t node, uint32_t *numbers,
                               uint32_t depth) {
  const LunaPlanNode *nodes = walk->problem->nodes.items;
  uint32_t count = walk->sharing->count;
  uint32_t *start = walk->saved + (uint64_t)2 * depth * count;
  uint32_t *total = start + count;
  memcpy(start, numbers, sizeof *numbers * count);
  uint32_t branch = nodes[node].first_child;
  for (; branch != PLAN_NONE; branch = nodes[branch].next_sibling) {
    memcpy(numbers, start, sizeof *numbers * count);
    walk->is_merged = true;
    visit_children(walk, branch, numbers, depth + 1);
    if (branch == nodes[node].first_child)
      memcpy(total, numbers, sizeof *numbers * count);
    else
      merge(walk, total, numbers);
  }
  if (nodes[node].first_child != PLAN_NONE)
    memcpy(numbers, total, sizeof *numbers * count);
}

static void visit_child(Walk *walk, uint32_t node, uint32_t *numbers,
                        uint32_t depth);

static void visit_loop(Walk *walk, uint32_t node, uint32_t *numbers,
                       uint32_t depth) {
  const LunaPlanNode *nodes = walk->problem->nodes.items;
  uint32_t count = walk->sharing->count;
  uint32_t *header = walk->headers[node];
  if (!header) {
    header = walk->headers[node] =
        LUNA_ARENA_ARRAY(walk->arena, uint32_t, count);
    memcpy(header, numbers, sizeof *numbers * count);
  }
  walk->has_changed |= merge(walk, header, numbers);
  memcpy(numbers, header, sizeof *numbers * count);
  uint32_t *exit = walk->saved + (uint64_t)2 * depth * count;
  for (uint32_t child = nodes[node].first_child; child != PLAN_NONE;
       child = nodes[child].next_sibling) {
    visit_child(walk, child, numbers, depth + 1);
    if (nodes[child].end_step <= nodes[node].exit_step)
      memcpy(exit, numbers, sizeof *numbers * count);
  }
  walk->has_changed |= merge(walk, header, numbers);
  memcpy(numbers, exit, sizeof *numbers * count);
}

static void visit_child(Walk *walk, uint32_t node, uint32_t *numbers,
                        uint32_t depth) {
  switch (walk->problem->nodes.items[node].kind) {
  case PLAN_NODE_STEP:
    visit_step(walk, walk->problem->nodes.items[node].first_step, numbers);
    break;
  case LUNA_NODE_ALTERNATIVES:
    visit_alternatives(walk, node, numbers, depth);
    break;
  case LUNA_NODE_LOOP:
    visit_loop(walk, node, numbers, depth);
    break;
  default:
    visit_children(walk, node, numbers, depth);
    break;
  }
}

static void visit_children(Walk *walk, uint32_t node, uint32_t *numbers,
                           uint32_t depth) {
  const LunaPlanNode *nodes = walk->problem->nodes.items;
  for (uint32_t child = nodes[node].first_child; child != PLAN_NONE;
       child = nodes[child].next_sibling)
    visit_child(walk, child, numbers, depth);
}

static void pass_once(Walk *walk, uint32_t *numbers) {
  for (uint32_t i = 0; i < walk->sharing->count; ++i)
    numbers[i] = i;
  walk->next_number = walk->sharing->count;
  walk->has_changed = false;
  visit_children(walk, 0, numbers, 0);
}

//===- The walk -----------------------------------------------------------===//

static bool access_before(const void *context, uint32_t a, uint32_t b) {
  const Access *accesses = context;
  return accesses[a].step != accesses[b].step
             ? accesses[a].step < accesses[b].step
             : accesses[a].member < accesses[b].member;
}

// Lists the accesses to members by step, one per step and member.
static void list_accesses(Walk *walk, LunaArena *arena) {
  const LunaProblem *problem = walk->problem;
  Access *all = LUNA_ARENA_ARRAY(arena, Access, problem->touches.count);
  uint32_t *order = LUNA_ARENA_ARRAY(arena, uint32_t, problem->touches.count);
  uint32_t count = 0, merged = 0;
  for (uint32_t i = 0; i < problem->touches.count; ++i) {
    LunaPlanTouch touch = problem->touches.items[i];
    order[count] = count;
    if (walk->sharing->members[touch.buffer] != PLAN_NONE)
      all[count++] = (Access){walk->sharing->members[touch.buffer], touch.step,
                              touch.access};
  }
  luna_plan_sort(order, count, access_before, all, arena);
  walk->accesses = LUNA_ARENA_ARRAY(arena, Access, count);
  for (uint32_t i = 0; i < count; ++i) {
    Access next = all[order[i]];
    Access *last = merged > 0 ? &walk->accesses[merged - 1] : NULL;
    if (!last || last->step != next.step || last->member != next.member) {
      walk->accesses[merged++] = next;
      ++walk->access_starts[next.step + 1];
      continue;
    }
    last->access |= next.access;
  }
  for (uint32_t step = 0; step < problem->step_nodes.count; ++step)
    walk->access_starts[step + 1] += walk->access_starts[step];
}

static bool is_idle(const LunaPlanMove *move) { return move->from == move->to; }

// Lists the moves by step, by members, but those of a buffer to itself.
static void list_moves(Walk *walk, LunaArena *arena) {
  const LunaProblem *problem = walk->problem;
  uint32_t *starts = walk->move_starts;
  walk->moves = LUNA_ARENA_ARRAY(arena, LunaPlanMove, problem->moves.count);
  for (uint32_t i = 0; i < problem->moves.count; ++i)
    starts[problem->moves.items[i].step] += !is_idle(&problem->moves.items[i]);
  for (uint32_t step = 0; step < problem->step_nodes.count; ++step)
    starts[step + 1] += starts[step];
  for (uint32_t i = (uint32_t)problem->moves.count; i-- > 0;) {
    LunaPlanMove move = problem->moves.items[i];
    if (is_idle(&move))
      continue;
    walk->moves[--starts[move.step]] =
        (LunaPlanMove){.step = move.step,
                       .from = walk->sharing->members[move.from],
                       .to = walk->sharing->members[move.to]};
  }
}

static uint32_t greatest_depth(const LunaProblem *problem, LunaArena *arena) {
  uint32_t *depths = LUNA_ARENA_ARRAY(arena, uint32_t, problem->nodes.count);
  uint32_t greatest = 0;
  for (uint32_t node = 1; node < problem->nodes.count; ++node) {
    depths[node] = depths[problem->nodes.items[node].parent] + 1;
    if (depths[node] > greatest)
      greatest = depths[node];
  }
  return greatest;
}

LunaPlanSharing luna_plan_sharing_make(const LunaProblem *problem,
                                       const LunaLifetime *lifetimes,
                                       LunaArena *arena) {
  LunaPlanSharing sharing = {0};
  find_members(problem, &sharing, arena);
  uint32_t count = sharing.count;
  uint32_t steps = (uint32_t)problem->step_nodes.count;
  Walk walk = {
      .problem = problem,
      .sharing = &sharing,
      .arena = arena,
      .access_starts = LUNA_ARENA_ARRAY(arena, uint32_t, steps + 1),
      .move_starts = LUNA_ARENA_ARRAY(arena, uint32_t, steps + 1),
      .headers = LUNA_ARENA_ARRAY(arena, uint32_t *, problem->nodes.count),
      .saved = LUNA_ARENA_ARRAY(
          arena, uint32_t,
          2 * (uint64_t)(greatest_depth(problem, arena) + 1) * count),
      .before = LUNA_ARENA_ARRAY(arena, uint32_t, count),
      .lifetimes = lifetimes,
      .live = LUNA_ARENA_ARRAY(arena, uint32_t, count),
      .next_range = LUNA_ARENA_ARRAY(arena, uint32_t, count),
      .is_live = LUNA_ARENA_ARRAY(arena, bool, count),
      .is_new = LUNA_ARENA_ARRAY(arena, bool, count),
  };
  while (walk.slot_mask < 2 * count)
    walk.slot_mask = 2 * walk.slot_mask + 1;
  walk.slots = LUNA_ARENA_ARRAY(arena, uint32_t, (uint64_t)walk.slot_mask + 1);
  list_accesses(&walk, arena);
  list_moves(&walk, arena);
  uint32_t *numbers = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  do
    pass_once(&walk, numbers);
  while (walk.has_changed);
  walk.is_last = true;
  pass_once(&walk, numbers);
  return sharing;
}
