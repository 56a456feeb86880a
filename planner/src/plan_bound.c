// The bound of a program: the heaviest point of all paths, where contents count
// and not the buffers that hold them. Contents are alive where the step reads
// them or some way on does; moves read nothing.

#include <string.h>

#include "luna/checked.h"
#include "plan_contents.h"
#include "plan_sort.h"
#include "plan_union.h"

enum { PART_TOTAL, PART_TENSOR, PART_ACTIVATION, PART_COUNT };

static const unsigned kinds_of_part[PART_COUNT] = {
    [PART_TOTAL] = 1 << LUNA_BUFFER_TENSOR | 1 << LUNA_BUFFER_SCRATCH |
                   1 << LUNA_BUFFER_STAGING,
    [PART_TENSOR] = 1 << LUNA_BUFFER_TENSOR | 1 << LUNA_BUFFER_SCRATCH,
    [PART_ACTIVATION] = 1 << LUNA_BUFFER_TENSOR,
};

typedef struct Bounder {
  const LunaProblem *problem;
  LunaPlanContents contents;
  LunaArena *arena;
  // By state and class behind its step: some way on reads it.
  bool **is_live;
  // By buffer: the least alignment of all that its contents may pass through.
  int64_t *align_bytes;
  // By buffer: the last state that counted its place.
  uint32_t *counted_in;
  // By count: the classes that count, each once per place.
  LUNA_VECTOR(uint32_t) counted;
} Bounder;

//===- What is alive ------------------------------------------------------===//

static bool is_alive_before(const Bounder *bounder, uint32_t state,
                            uint32_t number) {
  return bounder->is_live[state][number] ||
         bounder->contents.states.items[state].is_read[number];
}

// Takes over what is alive in the next states. Returns true if that is more.
static bool pull(Bounder *bounder, uint32_t at) {
  const LunaPlanState *state = &bounder->contents.states.items[at];
  bool has_changed = false;
  for (uint32_t i = 0; i < state->passage_count; ++i) {
    const LunaPlanPassage *passage = &state->passages[i];
    uint32_t count = bounder->contents.states.items[passage->state].class_count;
    for (uint32_t k = 0; k < count; ++k) {
      bool *is_live = &bounder->is_live[at][passage->classes[k]];
      if (*is_live || !is_alive_before(bounder, passage->state, k))
        continue;
      *is_live = true;
      has_changed = true;
    }
  }
  return has_changed;
}

static bool point_before(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanState *states = context;
  return states[a].point < states[b].point;
}

// Points are numbered from the end of the program, so that one round is enough
// but for loops.
static void find_alive(Bounder *bounder) {
  uint32_t count = (uint32_t)bounder->contents.states.count;
  uint32_t *order = LUNA_ARENA_ARRAY(bounder->arena, uint32_t, count);
  bounder->is_live = LUNA_ARENA_ARRAY(bounder->arena, bool *, count);
  for (uint32_t i = 0; i < count; ++i) {
    order[i] = i;
    bounder->is_live[i] = LUNA_ARENA_ARRAY(
        bounder->arena, bool, bounder->contents.states.items[i].end_class);
  }
  luna_plan_sort(order, count, point_before, bounder->contents.states.items,
                 bounder->arena);
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (uint32_t i = 0; i < count; ++i)
      has_changed |= pull(bounder, order[i]);
  }
}

//===- What counts --------------------------------------------------------===//

static void find_alignments(Bounder *bounder) {
  const LunaProblem *problem = bounder->problem;
  uint32_t count = (uint32_t)problem->buffers.count;
  uint32_t *groups = LUNA_ARENA_ARRAY(bounder->arena, uint32_t, count);
  int64_t *align = LUNA_ARENA_ARRAY(bounder->arena, int64_t, count);
  for (uint32_t i = 0; i < count; ++i)
    groups[i] = i;
  for (uint64_t i = 0; i < problem->moves.count; ++i)
    luna_plan_union_join(groups, problem->moves.items[i].from,
                         problem->moves.items[i].to);
  for (uint32_t i = 0; i < count; ++i) {
    int64_t *least = &align[luna_plan_union_root(groups, i)];
    if (*least == 0 || *least > problem->buffers.items[i].align_bytes)
      *least = problem->buffers.items[i].align_bytes;
  }
  for (uint32_t i = 0; i < count; ++i)
    align[i] = align[luna_plan_union_root(groups, i)];
  bounder->align_bytes = align;
}

static bool is_occupied(const Bounder *bounder, uint32_t at, uint32_t number) {
  const LunaPlanState *state = &bounder->contents.states.items[at];
  return state->is_made[number] || state->is_read[number] ||
         bounder->is_live[at][number];
}

// Returns true if contents that the step makes of these take their place.
static bool is_replaced(const Bounder *bounder, uint32_t at, uint32_t number) {
  const LunaPlanState *state = &bounder->contents.states.items[at];
  for (uint32_t i = 0; i < state->end_class; ++i)
    if (state->replaced[i] == number)
      return !bounder->is_live[at][number];
  return false;
}

// Lists what lies in memory while the step of state `at` runs.
static void list_counted(Bounder *bounder, uint32_t at) {
  const LunaPlanState *state = &bounder->contents.states.items[at];
  bounder->counted.count = 0;
  for (uint32_t i = 0; i < state->end_class; ++i) {
    uint32_t holder = state->holders[i];
    uint32_t place = luna_plan_place_of(bounder->problem, holder);
    if (bounder->problem->buffers.items[holder].size_bytes == 0 ||
        !is_occupied(bounder, at, i) || is_replaced(bounder, at, i) ||
        bounder->counted_in[place] == at)
      continue;
    bounder->counted_in[place] = at;
    *LUNA_VECTOR_ADD(bounder->arena, &bounder->counted) = holder;
  }
}

// A place is of the kind of its first buffer.
static bool is_of(const Bounder *bounder, uint32_t buffer, unsigned kinds) {
  uint32_t place = luna_plan_place_of(bounder->problem, buffer);
  return kinds >> bounder->problem->buffers.items[place].kind & 1;
}

// All offsets are multiples of the least alignment, so that all but the last
// in memory count rounded up to it.
static int64_t bytes_of_counted(const Bounder *bounder, unsigned kinds) {
  int64_t align = INT64_MAX, bytes = 0, slack = 0;
  for (uint64_t i = 0; i < bounder->counted.count; ++i) {
    uint32_t id = bounder->counted.items[i];
    if (is_of(bounder, id, kinds) && bounder->align_bytes[id] < align)
      align = bounder->align_bytes[id];
  }
  for (uint64_t i = 0; i < bounder->counted.count; ++i) {
    uint32_t id = bounder->counted.items[i];
    if (!is_of(bounder, id, kinds))
      continue;
    int64_t size = bounder->problem->buffers.items[id].size_bytes;
    int64_t rounded = luna_align_up(size, align);
    bytes += rounded;
    slack = slack < rounded - size ? rounded - size : slack;
  }
  return bytes - slack;
}

//===- The answer ---------------------------------------------------------===//

static bool id_before(const void *context, uint32_t a, uint32_t b) {
  (void)context;
  return a < b;
}

static LunaWitness witness_at(Bounder *bounder, uint32_t at, int64_t bytes) {
  const LunaPlanContents *contents = &bounder->contents;
  uint32_t point = contents->states.items[at].point;
  uint32_t step = contents->graph.points.items[point].step;
  LunaWitness witness = {
      .step = step,
      .path = luna_problem_step_path(bounder->problem, step,
                                     bounder->problem->arena),
      .bytes = bytes,
  };
  memset(bounder->counted_in, 0xff,
         bounder->problem->buffers.count * sizeof(uint32_t));
  list_counted(bounder, at);
  uint32_t *buffers = LUNA_ARENA_ARRAY(bounder->problem->arena, uint32_t,
                                       bounder->counted.count);
  for (; witness.buffer_count < bounder->counted.count; ++witness.buffer_count)
    buffers[witness.buffer_count] =
        bounder->counted.items[witness.buffer_count];
  luna_plan_sort(buffers, witness.buffer_count, id_before, NULL,
                 bounder->arena);
  witness.buffers = buffers;
  return witness;
}

static void find_heaviest(Bounder *bounder, LunaProgramBound *bound) {
  const LunaPlanContents *contents = &bounder->contents;
  int64_t bytes[PART_COUNT] = {0};
  uint32_t heaviest = PLAN_NONE;
  for (uint32_t at = 0; at < contents->states.count; ++at) {
    if (contents->graph.points.items[contents->states.items[at].point].step ==
        PLAN_NONE)
      continue;
    list_counted(bounder, at);
    for (int part = 0; part < PART_COUNT; ++part) {
      int64_t here = bytes_of_counted(bounder, kinds_of_part[part]);
      if (here <= bytes[part])
        continue;
      bytes[part] = here;
      heaviest = part == PART_TOTAL ? at : heaviest;
    }
  }
  *bound = (LunaProgramBound){
      .total_bytes = bytes[PART_TOTAL],
      .tensor_bytes = bytes[PART_TENSOR],
      .activation_bytes = bytes[PART_ACTIVATION],
      .is_complete = contents->is_complete,
      .witness = {.path = "straight"},
  };
  if (heaviest != PLAN_NONE)
    bound->witness = witness_at(bounder, heaviest, bytes[PART_TOTAL]);
}

static bool find_bound(LunaProblem *problem, LunaProgramBound *bound,
                       LunaError *error) {
  const LunaLifetime *lifetimes = NULL;
  if (!luna_problem_lifetimes(problem, &lifetimes, error))
    return false;
  LunaArena arena = {0};
  Bounder bounder = {.problem = problem, .arena = &arena};
  bounder.contents = luna_plan_contents_follow(problem, lifetimes, &arena);
  bounder.counted_in =
      LUNA_ARENA_ARRAY(&arena, uint32_t, problem->buffers.count);
  memset(bounder.counted_in, 0xff, problem->buffers.count * sizeof(uint32_t));
  find_alignments(&bounder);
  find_alive(&bounder);
  find_heaviest(&bounder, bound);
  luna_arena_destroy(&arena);
  return true;
}

typedef struct Call {
  LunaProblem *problem;
  LunaProgramBound *bound;
} Call;

static bool call(void *context, LunaError *error) {
  const Call *self = context;
  return find_bound(self->problem, self->bound, error);
}

bool luna_problem_bound(LunaProblem *problem, LunaProgramBound *bound,
                        LunaError *error) {
  Call self = {problem, bound};
  return luna_arena_guard(problem->arena, NULL, "a bound was sought", call,
                          &self, error);
}
