#include "luna/paths.h"

#include "sim_internal.h"

// A path yet to run: the decisions up to and with the one that sets it apart.
// What follows is up to the data, and found out by running it.
typedef struct LunaPathPrefix {
  struct LunaPathPrefix *next;
  uint32_t count;
  const struct LunaPathDecision *decisions;
} Prefix;

typedef struct LunaPathDecision {
  int32_t branch, decision;
} Decision;

typedef struct LunaPathAlternative {
  struct LunaPathAlternative *next;
  Decision decision;
} Alternative;

static bool was_taken(const LunaPathWalk *walk, Decision decision) {
  const Alternative *at = walk->taken;
  while (at && (at->decision.branch != decision.branch ||
                at->decision.decision != decision.decision))
    at = at->next;
  return at != NULL;
}

static void note_taken(LunaPathWalk *walk, Decision decision) {
  if (was_taken(walk, decision))
    return;
  Alternative *added = LUNA_ARENA_ARRAY(&walk->arena, Alternative, 1);
  *added = (Alternative){.next = walk->taken, .decision = decision};
  walk->taken = added;
}

// Unlinks the pending path to run next.
static Prefix *choose(LunaPathWalk *walk) {
  Prefix **at = &walk->pending;
  while (*at && was_taken(walk, (*at)->decisions[(*at)->count - 1]))
    at = &(*at)->next;
  if (!*at)
    at = &walk->pending;
  Prefix *chosen = *at;
  if (chosen)
    *at = chosen->next;
  return chosen;
}

static void append(LunaPathWalk *walk, Prefix *prefix) {
  Prefix **at = &walk->pending;
  while (*at)
    at = &(*at)->next;
  *at = prefix;
}

static void start(LunaPathWalk *walk, const LunaSimulator *simulator) {
  uint32_t count = walk->program->branch_count;
  walk->is_fixed = LUNA_ARENA_ARRAY(&walk->arena, bool, count);
  for (uint32_t i = 0; i < count; ++i)
    walk->is_fixed[i] = simulator->forced[i].is_forced;
}

static void force(const LunaPathWalk *walk, LunaSimulator *simulator) {
  for (uint32_t i = 0; i < walk->program->branch_count; ++i)
    if (!walk->is_fixed[i])
      simulator->forced[i] = (LunaSimForced){0};
  for (uint32_t i = 0; walk->current && i < walk->current->count; ++i) {
    Decision decision = walk->current->decisions[i];
    if (!walk->is_fixed[decision.branch])
      simulator->forced[decision.branch] =
          (LunaSimForced){.is_forced = true, .decision = decision.decision};
  }
}

bool luna_paths_next(LunaPathWalk *walk, LunaSimulator *simulator) {
  uint64_t limit = walk->limit > 0 ? walk->limit : LUNA_PATHS_LIMIT;
  if (walk->run_count == 0) {
    start(walk, simulator);
  } else {
    walk->current = walk->run_count < limit ? choose(walk) : NULL;
    if (!walk->current)
      return false;
  }
  ++walk->run_count;
  force(walk, simulator);
  return true;
}

// Adds the path that follows `decisions[0..count)` and then decides otherwise.
static void add_path(LunaPathWalk *walk, const Decision *decisions,
                     uint32_t count, Decision otherwise) {
  Decision *all = LUNA_ARENA_ARRAY(&walk->arena, Decision, count + 1);
  for (uint32_t i = 0; i < count; ++i)
    all[i] = decisions[i];
  all[count] = otherwise;
  Prefix *prefix = LUNA_ARENA_ARRAY(&walk->arena, Prefix, 1);
  *prefix = (Prefix){.count = count + 1, .decisions = all};
  append(walk, prefix);
}

static void add_alternatives(LunaPathWalk *walk, const Decision *decisions,
                             uint32_t count) {
  Decision taken = decisions[count];
  const LunaProgramBranch *branch = &walk->program->branches[taken.branch];
  for (uint32_t i = 0; i < luna_sim_alternative_count(branch); ++i) {
    Decision other = {.branch = taken.branch,
                      .decision = luna_sim_alternative(branch, i)};
    if (other.decision != taken.decision)
      add_path(walk, decisions, count, other);
  }
}

void luna_paths_note(LunaPathWalk *walk, const LunaSimulator *simulator) {
  const LunaSimStep *steps = simulator->steps.items;
  uint64_t step_count = simulator->steps.count;
  Decision *decisions = LUNA_ARENA_ARRAY(&walk->arena, Decision, step_count);
  uint32_t count = 0, forced = walk->current ? walk->current->count : 0;
  for (uint64_t i = 0; i < step_count; ++i) {
    bool is_known =
        steps[i].id >= 0 && (uint32_t)steps[i].id < walk->program->branch_count;
    if (steps[i].is_loop || !is_known)
      continue;
    decisions[count] = (Decision){steps[i].id, steps[i].decisions[0]};
    note_taken(walk, decisions[count]);
    if (count >= forced && !walk->is_fixed[steps[i].id])
      add_alternatives(walk, decisions, count);
    ++count;
  }
}

bool luna_paths_are_left(const LunaPathWalk *walk) {
  return walk->pending != NULL;
}

void luna_paths_deinit(LunaPathWalk *walk) {
  luna_arena_destroy(&walk->arena);
  *walk = (LunaPathWalk){.program = walk->program, .limit = walk->limit};
}
