#include "plan_problem.h"
#include "plan_union.h"

#include <string.h>

#include "luna/checked.h"

enum { MAX_CONDITION = 1 << 24 };

static void note_mistake(LunaProblem *problem, uint64_t item,
                         const char *message) {
  if (problem->mistake.code == LUNA_ERROR_NONE)
    luna_error_set(&problem->mistake, LUNA_ERROR_INPUT, item, "%s", message);
}

// Returns the bytes that a vector needs for two more elements.
static uint64_t growth(uint64_t count, uint64_t capacity,
                       uint64_t element_bytes) {
  return count + 1 < capacity ? 0 : 16 + 2 * (capacity + 2) * element_bytes;
}

#define GROWTH(vector)                                                         \
  growth((vector).count, (vector).capacity, sizeof *(vector).items)

// Makes room for what one call adds, and its name. Returns false if memory ran
// out, which is a mistake that no later call goes beyond.
static bool reserve(LunaProblem *problem, const char *name) {
  enum { DEFAULT_NAME_BYTES = 512 };
  if (problem->mistake.code == LUNA_ERROR_MEMORY)
    return false;
  uint64_t bytes = DEFAULT_NAME_BYTES +
                   (name ? 2 * (uint64_t)strlen(name) : 0) +
                   GROWTH(problem->nodes) + GROWTH(problem->step_nodes) +
                   GROWTH(problem->durations) + GROWTH(problem->buffers) +
                   GROWTH(problem->places) + GROWTH(problem->touches) +
                   GROWTH(problem->pinned) + GROWTH(problem->moves);
  if (luna_arena_reserve(problem->arena, bytes))
    return true;
  problem->mistake.code = LUNA_ERROR_NONE;
  luna_error_set(&problem->mistake, LUNA_ERROR_MEMORY, LUNA_ERROR_NO_ITEM,
                 "memory ran out while the program was built");
  return false;
}

static uint32_t add_node(LunaProblem *problem, int kind, const char *name) {
  uint32_t id = problem->nodes.count, parent = problem->open_node;
  *LUNA_VECTOR_ADD(problem->arena, &problem->nodes) = (LunaPlanNode){
      .kind = kind,
      .name = name,
      .parent = parent,
      .first_child = PLAN_NONE,
      .last_child = PLAN_NONE,
      .next_sibling = PLAN_NONE,
      .prev_sibling = PLAN_NONE,
      .first_step = problem->step_nodes.count,
      .end_step = problem->step_nodes.count,
      .exit_step = PLAN_NONE,
      .condition = PLAN_NONE,
  };
  if (parent == PLAN_NONE)
    return id;
  LunaPlanNode *above = &problem->nodes.items[parent];
  problem->nodes.items[id].prev_sibling = above->last_child;
  problem->nodes.items[id].index = above->child_count++;
  if (above->last_child == PLAN_NONE)
    above->first_child = id;
  else
    problem->nodes.items[above->last_child].next_sibling = id;
  above->last_child = id;
  return id;
}

LunaProblem *luna_problem_create(LunaArena *arena) {
  if (!luna_arena_reserve(arena, sizeof(LunaProblem) + 4096))
    return NULL;
  LunaProblem *problem = LUNA_ARENA_ARRAY(arena, LunaProblem, 1);
  problem->arena = arena;
  problem->open_node = PLAN_NONE;
  problem->open_node = add_node(problem, LUNA_NODE_SEQUENCE, "program");
  return problem;
}

static const char *copy_of(LunaProblem *problem, const char *name) {
  const char *copy = NULL;
  luna_plan_text_add(problem->arena, &copy, name);
  return copy;
}

static const char *numbered(LunaProblem *problem, const char *name,
                            uint64_t number) {
  const char *text = NULL;
  luna_plan_text_add(problem->arena, &text, name);
  luna_plan_text_add_number(problem->arena, &text, number);
  return text;
}

LunaBufferId luna_problem_add_buffer(LunaProblem *problem,
                                     const LunaBuffer *buffer) {
  if (!reserve(problem, buffer->name))
    return 0;
  problem->lifetimes = NULL;
  uint32_t id = problem->buffers.count;
  LunaBuffer *copy = LUNA_VECTOR_ADD(problem->arena, &problem->buffers);
  *copy = *buffer;
  copy->name = buffer->name ? copy_of(problem, buffer->name)
                            : numbered(problem, "buffer", id);
  if (copy->align_bytes == 0)
    copy->align_bytes = 1;
  *LUNA_VECTOR_ADD(problem->arena, &problem->places) = id;
  return id;
}

uint32_t luna_plan_place_of(const LunaProblem *problem, uint32_t buffer) {
  return luna_plan_union_root(problem->places.items, buffer);
}

void luna_problem_alias(LunaProblem *problem, LunaBufferId a, LunaBufferId b) {
  if (a >= problem->buffers.count || b >= problem->buffers.count) {
    note_mistake(problem, a, "alias of a buffer that does not exist");
    return;
  }
  luna_plan_union_join(problem->places.items, a, b);
  problem->lifetimes = NULL;
}

static const char *default_name(LunaProblem *problem, LunaNodeKind kind) {
  switch (kind) {
  case LUNA_NODE_SEQUENCE:
    return "sequence";
  case LUNA_NODE_ALTERNATIVES:
    return numbered(problem, "if", problem->alternatives_count);
  case LUNA_NODE_LOOP:
    return numbered(problem, "loop", problem->loop_count);
  case LUNA_NODE_BRANCH:
    break;
  }
  uint32_t before = problem->nodes.items[problem->open_node].child_count;
  if (before < 2)
    return before == 0 ? "then" : "else";
  return numbered(problem, "case", before);
}

static uint32_t depth_of(const LunaProblem *problem, uint32_t node) {
  uint32_t depth = 0;
  for (; node != PLAN_NONE; node = problem->nodes.items[node].parent)
    ++depth;
  return depth;
}

LunaStepId luna_problem_begin(LunaProblem *problem, LunaNodeKind kind,
                              const char *name) {
  if (!reserve(problem, name))
    return 0;
  bool in_alternatives =
      problem->nodes.items[problem->open_node].kind == LUNA_NODE_ALTERNATIVES;
  if (in_alternatives != (kind == LUNA_NODE_BRANCH))
    note_mistake(problem, problem->step_nodes.count,
                 in_alternatives ? "alternatives hold something not a branch"
                                 : "a branch is outside alternatives");
  if (depth_of(problem, problem->open_node) > PLAN_MAX_DEPTH)
    note_mistake(problem, problem->step_nodes.count,
                 "nodes nest deeper than the 600 levels allowed");
  name = name ? copy_of(problem, name) : default_name(problem, kind);
  problem->alternatives_count += kind == LUNA_NODE_ALTERNATIVES;
  problem->loop_count += kind == LUNA_NODE_LOOP;
  problem->lifetimes = NULL;
  problem->open_node = add_node(problem, (int)kind, name);
  if (kind != LUNA_NODE_LOOP)
    return problem->step_nodes.count;
  uint32_t header = luna_problem_step(problem, name);
  problem->nodes.items[problem->open_node].exit_step = header + 1;
  return header;
}

void luna_problem_end(LunaProblem *problem) {
  LunaPlanNode *node = &problem->nodes.items[problem->open_node];
  if (node->parent == PLAN_NONE) {
    note_mistake(problem, LUNA_ERROR_NO_ITEM,
                 "more nodes are closed than were opened");
    return;
  }
  node->end_step = problem->step_nodes.count;
  problem->open_node = node->parent;
}

void luna_problem_set_condition(LunaProblem *problem, uint32_t condition,
                                bool is_negated) {
  LunaPlanNode *node = &problem->nodes.items[problem->open_node];
  if (node->kind != LUNA_NODE_ALTERNATIVES || condition > MAX_CONDITION) {
    note_mistake(
        problem, problem->step_nodes.count,
        "a condition is outside alternatives, or its number too large");
    return;
  }
  node->condition = condition;
  node->is_negated = is_negated;
  if (condition >= problem->condition_count)
    problem->condition_count = condition + 1;
}

void luna_problem_loop_exit(LunaProblem *problem) {
  LunaPlanNode *node = &problem->nodes.items[problem->open_node];
  if (node->kind != LUNA_NODE_LOOP || node->exit_step != node->first_step + 1)
    note_mistake(problem, problem->step_nodes.count,
                 "a loop exit is outside a loop, or not its first");
  else
    node->exit_step = problem->step_nodes.count;
  problem->lifetimes = NULL;
}

LunaStepId luna_problem_step(LunaProblem *problem, const char *name) {
  if (!reserve(problem, name))
    return 0;
  if (problem->nodes.items[problem->open_node].kind == LUNA_NODE_ALTERNATIVES)
    note_mistake(problem, problem->step_nodes.count,
                 "alternatives hold something not a branch");
  uint32_t id = problem->step_nodes.count;
  name = name ? copy_of(problem, name) : NULL;
  uint32_t node = add_node(problem, PLAN_NODE_STEP, name);
  problem->nodes.items[node].end_step = id + 1;
  *LUNA_VECTOR_ADD(problem->arena, &problem->step_nodes) = node;
  *LUNA_VECTOR_ADD(problem->arena, &problem->durations) = 1;
  problem->lifetimes = NULL;
  return id;
}

void luna_problem_set_duration(LunaProblem *problem, LunaStepId step,
                               int64_t duration) {
  if (step >= problem->step_nodes.count || duration < 0)
    note_mistake(problem, step,
                 "a step that does not exist lasts, or one "
                 "has a negative duration");
  else
    problem->durations.items[step] = duration;
}

static void touch(LunaProblem *problem, LunaStepId step, LunaBufferId buffer,
                  unsigned access) {
  if (!reserve(problem, NULL))
    return;
  if (step >= problem->step_nodes.count || buffer >= problem->buffers.count) {
    note_mistake(problem, buffer,
                 "a step or buffer is touched that does not exist");
    return;
  }
  *LUNA_VECTOR_ADD(problem->arena, &problem->touches) =
      (LunaPlanTouch){.buffer = buffer, .step = step, .access = access};
  problem->lifetimes = NULL;
}

void luna_problem_define(LunaProblem *problem, LunaStepId step,
                         LunaBufferId buffer) {
  touch(problem, step, buffer, PLAN_MAKES);
}

void luna_problem_read(LunaProblem *problem, LunaStepId step,
                       LunaBufferId buffer) {
  touch(problem, step, buffer, PLAN_READS);
}

void luna_problem_use(LunaProblem *problem, LunaStepId step,
                      LunaBufferId buffer) {
  touch(problem, step, buffer, PLAN_MODIFIES);
}

void luna_problem_discard(LunaProblem *problem, LunaStepId step,
                          LunaBufferId buffer) {
  touch(problem, step, buffer, PLAN_DISCARDS);
}

LunaMoveId luna_problem_move(LunaProblem *problem, LunaStepId step,
                             LunaBufferId from, LunaBufferId to) {
  LunaMoveId id = (LunaMoveId)problem->moves.count;
  if (!reserve(problem, NULL))
    return 0;
  if (step >= problem->step_nodes.count || from >= problem->buffers.count ||
      to >= problem->buffers.count)
    note_mistake(problem, from < to ? to : from,
                 "a step or buffer of a move does not exist");
  else if (problem->buffers.items[from].size_bytes !=
           problem->buffers.items[to].size_bytes)
    note_mistake(problem, to, "a move goes to a buffer of another size");
  else if (from != to) {
    touch(problem, step, from, PLAN_MOVES_AWAY);
    touch(problem, step, to, PLAN_MOVES_IN);
  }
  *LUNA_VECTOR_ADD(problem->arena, &problem->moves) =
      (LunaPlanMove){.step = step, .from = from, .to = to};
  return id;
}

void luna_problem_live(LunaProblem *problem, LunaBufferId buffer,
                       LunaStepId first, LunaStepId end) {
  if (!reserve(problem, NULL))
    return;
  if (buffer >= problem->buffers.count || first > end) {
    note_mistake(problem, buffer,
                 first > end ? "a live range ends before it begins"
                             : "a buffer is live that does not exist");
    return;
  }
  *LUNA_VECTOR_ADD(problem->arena, &problem->pinned) =
      (LunaPlanPinned){.buffer = buffer, .steps = {first, end}};
  problem->lifetimes = NULL;
}

uint32_t luna_problem_buffer_count(const LunaProblem *problem) {
  return problem->buffers.count;
}

uint32_t luna_problem_step_count(const LunaProblem *problem) {
  return problem->step_nodes.count;
}

const LunaBuffer *luna_problem_buffer(const LunaProblem *problem,
                                      LunaBufferId buffer) {
  return &problem->buffers.items[buffer];
}

const char *luna_problem_step_name(const LunaProblem *problem,
                                   LunaStepId step) {
  const char *name = problem->nodes.items[problem->step_nodes.items[step]].name;
  if (name)
    return name;
  luna_plan_text_add(problem->arena, &name, "step");
  luna_plan_text_add_number(problem->arena, &name, step);
  return name;
}

const char *luna_problem_step_path(const LunaProblem *problem, LunaStepId step,
                                   LunaArena *arena) {
  uint32_t chain[PLAN_MAX_DEPTH + 2];
  uint32_t length = 0;
  uint32_t node = problem->step_nodes.items[step];
  for (; node != PLAN_NONE && length < PLAN_MAX_DEPTH + 2;
       node = problem->nodes.items[node].parent)
    if (problem->nodes.items[node].kind == LUNA_NODE_BRANCH)
      chain[length++] = node;
  if (length == 0)
    return "straight";
  const char *path = NULL;
  while (length-- > 0) {
    const LunaPlanNode *branch = &problem->nodes.items[chain[length]];
    if (path)
      luna_plan_text_add(arena, &path, "/");
    luna_plan_text_add(arena, &path, problem->nodes.items[branch->parent].name);
    luna_plan_text_add(arena, &path, "=");
    luna_plan_text_add(arena, &path, branch->name);
  }
  return path;
}

static bool validate_buffer(const LunaBuffer *buffer, uint32_t id,
                            int64_t *total, LunaError *error) {
  const int64_t limit = INT64_MAX / 2;
  if (buffer->size_bytes < 0)
    return luna_error_set(error, LUNA_ERROR_INPUT, id,
                          "buffer '%s' has %lld bytes, at least 0 are allowed",
                          buffer->name, (long long)buffer->size_bytes);
  if (!luna_is_power_of_two(buffer->align_bytes))
    return luna_error_set(error, LUNA_ERROR_INPUT, id,
                          "buffer '%s' has alignment %lld, allowed is a power "
                          "of two",
                          buffer->name, (long long)buffer->align_bytes);
  if (buffer->kind > LUNA_BUFFER_SCRATCH)
    return luna_error_set(error, LUNA_ERROR_INPUT, id,
                          "buffer '%s' is of kind %d, allowed are 0 (tensor), "
                          "1 (staging) and 2 (scratch)",
                          buffer->name, (int)buffer->kind);
  int64_t offset = buffer->is_fixed ? buffer->fixed_offset_bytes : 0;
  if (offset < 0 || offset % buffer->align_bytes != 0)
    return luna_error_set(error, LUNA_ERROR_INPUT, id,
                          "buffer '%s' is fixed at %lld, allowed are "
                          "multiples of its alignment %lld from 0 on",
                          buffer->name, (long long)offset,
                          (long long)buffer->align_bytes);
  if (!luna_checked_add(*total, buffer->size_bytes, total) ||
      !luna_checked_add(*total, buffer->align_bytes, total) ||
      !luna_checked_add(*total, offset, total) || *total > limit)
    return luna_error_set(error, LUNA_ERROR_INPUT, id,
                          "buffers up to '%s' need more than the %lld bytes "
                          "that can be planned",
                          buffer->name, (long long)limit);
  return true;
}

static bool validate_alias(const LunaProblem *problem, uint32_t id,
                           uint32_t *fixed_of_place, LunaError *error) {
  const LunaBuffer *buffer = &problem->buffers.items[id];
  if (!buffer->is_fixed)
    return true;
  uint32_t *fixed = &fixed_of_place[luna_plan_place_of(problem, id)];
  if (*fixed == PLAN_NONE)
    *fixed = id;
  const LunaBuffer *other = &problem->buffers.items[*fixed];
  if (other->fixed_offset_bytes == buffer->fixed_offset_bytes)
    return true;
  return luna_error_set(error, LUNA_ERROR_INPUT, id,
                        "buffer '%s' is fixed at %lld, but shares the place "
                        "of '%s', which is fixed at %lld",
                        buffer->name, (long long)buffer->fixed_offset_bytes,
                        other->name, (long long)other->fixed_offset_bytes);
}

bool luna_plan_problem_validate(const LunaProblem *problem, LunaError *error) {
  if (problem->mistake.code != LUNA_ERROR_NONE) {
    if (error)
      *error = problem->mistake;
    return false;
  }
  if (problem->nodes.items[problem->open_node].parent != PLAN_NONE)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "node '%s' is never closed",
                          problem->nodes.items[problem->open_node].name);
  LunaArena scratch = {0};
  uint32_t *fixed_of_place =
      LUNA_ARENA_ARRAY(&scratch, uint32_t, problem->buffers.count);
  memset(fixed_of_place, 0xff, sizeof(uint32_t) * problem->buffers.count);
  bool ok = true;
  int64_t total = 0;
  for (uint32_t i = 0; ok && i < problem->buffers.count; ++i)
    ok = validate_buffer(&problem->buffers.items[i], i, &total, error) &&
         validate_alias(problem, i, fixed_of_place, error);
  for (uint32_t i = 0; ok && i < problem->pinned.count; ++i)
    if (problem->pinned.items[i].steps.end > problem->step_nodes.count)
      ok = luna_error_set(error, LUNA_ERROR_INPUT,
                          problem->pinned.items[i].buffer,
                          "a live range ends at step %u of %u",
                          problem->pinned.items[i].steps.end,
                          (unsigned)problem->step_nodes.count);
  luna_arena_destroy(&scratch);
  return ok;
}
