// The values at the header of a loop: congruence classes over both programs.

#include "structure.h"
#include "validate_classes.h"
#include "validate_loop.h"

static void add_memory(LunaClasses *classes, const LunaLoop *loop,
                       uint32_t memory) {
  LunaRuns head = luna_side_page(loop->side, &loop->head, memory);
  LunaRuns back = luna_side_page(loop->side, &loop->back, memory);
  for (LunaZip zip = luna_runs_zip(&head, &back); luna_zip_next(&zip);)
    luna_classes_add(classes, zip.values[0], zip.values[1],
                     zip.end - zip.begin);
}

static void add_loop(LunaClasses *classes, const LunaLoop *loop) {
  // Unchanged bytes keep their values, unless these are classes themselves.
  for (uint32_t i = 0; luna_state_next_change(&loop->head, &loop->back, &i);
       ++i)
    add_memory(classes, loop, i);
  for (uint32_t i = 0; luna_state_next_change(&loop->head, &loop->entry, &i);
       ++i)
    if (luna_state_shares(&loop->head, &loop->back, i))
      add_memory(classes, loop, i);
  for (intptr_t i = 0; i < loop->count; ++i)
    luna_classes_add(classes, (LunaByte){loop->carried[i].head, 0},
                     (LunaByte){loop->carried[i].back.term, 0}, 1);
}

static LunaByte refine_byte(const LunaByte *values, void *data) {
  return luna_classes_refine(data, values[0], values[1]);
}

static void refine_loop(LunaClasses *classes, LunaLoop *loop) {
  LunaState next = loop->head;
  luna_side_combine(loop->side, &next, &loop->head, &loop->back, refine_byte,
                    classes);
  loop->head = next;
  for (intptr_t i = 0; i < loop->count; ++i)
    loop->carried[i].head =
        luna_classes_refine(classes, (LunaByte){loop->carried[i].head, 0},
                            (LunaByte){loop->carried[i].back.term, 0})
            .term;
}

//===----------------------------------------------------------------------===//
// Loops in loops
//===----------------------------------------------------------------------===//

void luna_loop_keep(const LunaLoop *loop) {
  LunaSide *side = loop->side;
  uint32_t index =
      luna_map_add(&side->loops, side->arena, luna_map_pointer(loop->op.ptr));
  LunaLoop *copy = LUNA_ARENA_ARRAY(side->arena, LunaLoop, 1);
  *copy = *loop;
  if (index == side->runs.count)
    LUNA_VECTOR_ADD(side->arena, &side->runs);
  side->runs.items[index] = copy;
}

void luna_loop_void_inner(const LunaLoop *loop) {
  LunaSide *side = loop->side;
  for (uint64_t i = 0; i < side->runs.count; ++i)
    side->runs.items[i]->is_void |=
        luna_is_within(side->runs.items[i]->op, loop->op);
}

const LunaLoop *luna_loop_last_run(const LunaLoop *loop) {
  const LunaSide *side = loop->side;
  uint32_t index = luna_map_find(&side->loops, luna_map_pointer(loop->op.ptr));
  return index == LUNA_MAP_ABSENT ? NULL : side->runs.items[index];
}

static LunaByte resume_byte(const LunaByte *values, void *data) {
  return luna_classes_resume(data, values[0], values[1]);
}

void luna_loop_resume(LunaLoop *loop, const LunaLoop *last,
                      const LunaLoopId *id) {
  LunaSide *side = loop->side;
  LunaClasses classes = {.terms = side->terms, .loop = *id};
  for (uint32_t i = 0; luna_state_next_change(&last->entry, &last->head, &i);
       ++i) {
    LunaRuns entry = luna_side_page(side, &loop->entry, i);
    LunaRuns before = luna_side_page(side, &last->head, i);
    luna_state_set(
        side->arena, &loop->head, i,
        luna_runs_combine(side->arena, &entry, &before, resume_byte, &classes));
  }
  for (intptr_t i = 0; i < loop->count; ++i) {
    LunaByte entry = {loop->carried[i].initial.term, 0};
    LunaByte before = {last->carried[i].head, 0};
    loop->carried[i].head = luna_classes_resume(&classes, entry, before).term;
  }
}

//===----------------------------------------------------------------------===//
// Both loops
//===----------------------------------------------------------------------===//

enum { CHOICE_LEVELS = 2 };

LunaRefinement luna_loop_refine(LunaPair *pair, LunaLoop *program,
                                LunaLoop *plan, const LunaLoopId *id,
                                LunaChoices *choices) {
  LunaClasses classes = {
      .arena = pair->arena,
      .terms = pair->terms,
      .loop = *id,
      .path = program->end,
      .choices = *choices,
  };
  add_loop(&classes, program);
  add_loop(&classes, plan);
  luna_classes_sort(&classes);
  refine_loop(&classes, program);
  refine_loop(&classes, plan);
  // Deeper nests would be executed anew for each choice of each level.
  bool is_deep = pair->level > CHOICE_LEVELS;
  program->is_void = plan->is_void = classes.is_split && !is_deep;
  if (classes.has_changed)
    return LUNA_REFINEMENT_SPLITS;
  return !is_deep && luna_choices_add(choices, &classes.found)
             ? LUNA_REFINEMENT_STARTS_OVER
             : LUNA_REFINEMENT_DONE;
}
