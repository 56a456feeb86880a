#include "verify_flow.h"

#include <stdlib.h>

#include "structure.h"
#include "verify_conditions.h"

// What the back edge carries to the bytes whose value at the header is bytes
// [begin, end) of a term.
typedef struct ClassEntry {
  LunaTerm head;
  int64_t begin, end;
  LunaByte back; // of byte `begin`
} ClassEntry;

typedef struct Classes {
  LunaArena *arena;
  LunaTerms *terms;
  LunaLoopId loop;
  LunaTerm path;       // under which the back edge is taken
  LunaChoices choices; // by which all bytes are split
  LunaChoices found;   // others, by add_value
  LUNA_VECTOR(ClassEntry) entries;
  LunaMap split; // classes of which a byte gets two values
  bool has_changed;
  bool is_split; // by a condition from outside
} Classes;

//===----------------------------------------------------------------------===//
// Conditions from outside
//===----------------------------------------------------------------------===//

static void add_choice(LunaChoices *choices, LunaTerm condition) {
  int at = choices->count, last = LUNA_CHOICES_MAX - 1;
  for (int i = 0; i < choices->count; ++i)
    if (choices->items[i] == condition)
      return;
  if (at > last && choices->items[last] > condition)
    return;
  choices->count += at <= last;
  for (at = at > last ? last : at; at > 0 && choices->items[at - 1] < condition;
       --at)
    choices->items[at] = choices->items[at - 1];
  choices->items[at] = condition;
}

static bool add_choices(LunaChoices *choices, const LunaChoices *from) {
  int before = choices->count;
  for (int i = 0; i < from->count && choices->count < LUNA_CHOICES_MAX; ++i)
    add_choice(choices, from->items[i]);
  return choices->count > before;
}

// What the header and the back edge give a byte where `path` holds. A condition
// from outside the loop has one value in all iterations: where it holds the
// byte is another than where it does not, as where two buffers are one memref.
// So all bytes are split by the conditions that choose one of both values, and
// the classes are the same in whichever buffers values lie. Those at the entry
// are known; those that choose what the back edge carries, once no class splits
// any more: before, what is at the entry seems to be in all iterations.
typedef struct Step {
  LunaTerm path;
  LunaByte head, back;
  int64_t byte_count;
  int level;
} Step;

typedef LunaByte (*Visit)(Classes *classes, const Step *step);

static bool has_classes(const Classes *classes, LunaTerm head) {
  return luna_term_loops(classes->terms, head) & classes->loop.level_bit;
}

static LunaTerm outer_test(const Classes *classes, LunaByte value) {
  return luna_term_outer_test(
      classes->terms, classes->loop.level_bit | LUNA_TERM_VARIES, value);
}

static bool tests(const Classes *classes, LunaTerm condition, LunaByte value) {
  return !luna_byte_equal(
      luna_term_at(classes->terms, condition, true, value),
      luna_term_at(classes->terms, condition, false, value));
}

// Returns the condition that a step is split by next; LUNA_TERM_UNDEFINED if
// there is none. Those that have split the header stay, so that classes are
// split only.
static LunaTerm split_of(const Classes *classes, const Step *step) {
  LunaTerm test = outer_test(classes, step->head);
  bool may_split = step->level < LUNA_CHOICES_MAX;
  if (test != LUNA_TERM_UNDEFINED &&
      (may_split || has_classes(classes, step->head.term)))
    return test;
  for (int i = 0; may_split && i < classes->choices.count; ++i) {
    LunaTerm choice = classes->choices.items[i];
    if (tests(classes, choice, step->back) ||
        tests(classes, choice, (LunaByte){step->path, 0}))
      return choice;
  }
  return LUNA_TERM_UNDEFINED;
}

// The step where the condition holds or does not.
static Step side_of(const Classes *classes, const Step *step,
                    LunaTerm condition, bool holds) {
  LunaTerms *terms = classes->terms;
  LunaByte path = {step->path, 0};
  return (Step){luna_term_at(terms, condition, holds, path).term,
                luna_term_at(terms, condition, holds, step->head),
                luna_term_at(terms, condition, holds, step->back),
                step->byte_count, step->level + 1};
}

// Returns what `visit` makes of a step that no condition from outside splits.
// Where the path does not hold the back edge is not taken.
static LunaByte split(Classes *classes, const Step *step, Visit visit) {
  if (step->path == LUNA_TERM_FALSE)
    return step->head;
  LunaTerm condition = split_of(classes, step);
  if (condition == LUNA_TERM_UNDEFINED)
    return visit(classes, step);
  classes->is_split |= has_classes(classes, step->head.term) &&
                       outer_test(classes, step->head) != LUNA_TERM_UNDEFINED;
  Step holds = side_of(classes, step, condition, true);
  Step other = side_of(classes, step, condition, false);
  LunaByte first = split(classes, &holds, visit);
  LunaByte second = split(classes, &other, visit);
  return luna_term_gamma(classes->terms, condition, first, second);
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

static bool is_class(const Classes *classes, LunaTerm term) {
  return luna_term_kind(classes->terms, term) == LUNA_TERM_MU &&
         luna_term_words(classes->terms, term, NULL)[1] == classes->loop.number;
}

static LunaByte add(Classes *classes, const Step *step) {
  LunaByte back = luna_term_where(classes->terms, step->path, step->back);
  LunaTerm choice = outer_test(classes, back);
  if (choice != LUNA_TERM_UNDEFINED)
    add_choice(&classes->found, choice);
  *LUNA_VECTOR_ADD(classes->arena, &classes->entries) = (ClassEntry){
      .head = step->head.term,
      .begin = step->head.offset,
      .end = step->head.offset + step->byte_count,
      .back = back,
  };
  return step->head;
}

static void add_value(Classes *classes, LunaByte head, LunaByte back,
                      int64_t byte_count) {
  Step step = {classes->path, head, back, byte_count, 0};
  split(classes, &step, add);
}

static int order(const void *a, const void *b) {
  const ClassEntry *x = a, *y = b;
  if (x->head != y->head)
    return x->head < y->head ? -1 : 1;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  if (x->back.term != y->back.term)
    return x->back.term < y->back.term ? -1 : 1;
  if (x->back.offset != y->back.offset)
    return x->back.offset < y->back.offset ? -1 : 1;
  return (x->end > y->end) - (x->end < y->end);
}

// The back-edge value of byte `at`, computed from that of the entry's first.
static LunaByte back_at(const ClassEntry *entry, int64_t at) {
  LunaByte back = entry->back;
  if (back.term != LUNA_TERM_UNDEFINED)
    back.offset += at - entry->begin;
  return back;
}

// Returns true if the back edge carries what nothing wrote, or may, to a class
// that counts as defined. A class keeps the back edge that it was made by; what
// that carried may be undefined in a later iteration.
static bool is_lost(const Classes *classes, LunaTerm head, LunaTerm back) {
  LunaTerms *terms = classes->terms;
  LunaTerm defined = luna_term_defined(terms, head);
  LunaTerm lost = luna_condition_not(terms, luna_term_defined(terms, back));
  return luna_condition_and(terms, defined, lost) != LUNA_TERM_FALSE;
}

// Adds to the classes that split those whose bytes are lost so.
static void find_lost(Classes *classes) {
  for (uint64_t i = 0; i < classes->entries.count; ++i) {
    const ClassEntry *entry = &classes->entries.items[i];
    if (is_class(classes, entry->head) &&
        is_lost(classes, entry->head, entry->back.term))
      luna_map_add(&classes->split, classes->arena,
                   luna_map_number(entry->head));
  }
}

// Finds the classes to which the back edge carries two values for one byte.
// Entries are sorted by `begin`: each is compared with the one of the largest
// `end`.
static void find_splits(Classes *classes) {
  const ClassEntry *entries = classes->entries.items, *farthest = entries;
  if (classes->entries.count > 0)
    qsort(classes->entries.items, classes->entries.count, sizeof *entries,
          order);
  for (uint64_t i = 1; i < classes->entries.count; ++i) {
    const ClassEntry *entry = &entries[i];
    bool is_same = entry->head == farthest->head;
    if (is_same && entry->begin < farthest->end &&
        !luna_byte_equal(back_at(farthest, entry->begin), entry->back))
      luna_map_add(&classes->split, classes->arena,
                   luna_map_number(entry->head));
    if (!is_same || entry->end > farthest->end)
      farthest = entry;
  }
}

static LunaByte refine(Classes *classes, const Step *step) {
  LunaByte first = luna_term_where(classes->terms, step->path, step->head);
  LunaByte next = luna_term_where(classes->terms, step->path, step->back);
  bool is_made = is_class(classes, step->head.term);
  bool stays = is_made ? luna_map_find(&classes->split,
                                       luna_map_number(step->head.term)) ==
                             LUNA_MAP_ABSENT
                       : luna_byte_equal(first, next);
  if (stays)
    return step->head;
  if (is_made && is_lost(classes, first.term, next.term))
    next = (LunaByte){LUNA_TERM_UNDEFINED, 0};
  classes->has_changed = true;
  return luna_term_mu(classes->terms, &classes->loop, first, next);
}

static LunaByte refine_value(Classes *classes, LunaByte head, LunaByte back) {
  Step step = {classes->path, head, back, 1, 0};
  return split(classes, &step, refine);
}

static LunaByte resume(Classes *classes, const Step *step) {
  return is_class(classes, step->head.term)
             ? luna_term_mu(classes->terms, &classes->loop, step->back,
                            step->head)
             : step->back;
}

static LunaByte resume_value(Classes *classes, LunaByte entry,
                             LunaByte before) {
  Step step = {LUNA_TERM_TRUE, before, entry, 1, 0};
  return split(classes, &step, resume);
}

// The values at the header of a loop: congruence classes over both programs.

static void add_memory(Classes *classes, const LunaLoop *loop,
                       uint32_t memory) {
  LunaRuns head = luna_side_page(loop->side, &loop->head, memory);
  LunaRuns back = luna_side_page(loop->side, &loop->back, memory);
  for (LunaZip zip = luna_runs_zip(&head, &back); luna_zip_next(&zip);)
    add_value(classes, zip.values[0], zip.values[1], zip.end - zip.begin);
}

static void add_loop(Classes *classes, const LunaLoop *loop) {
  // Unchanged bytes keep their values, unless these are classes themselves.
  for (uint32_t i = 0; luna_state_next_change(&loop->head, &loop->back, &i);
       ++i)
    add_memory(classes, loop, i);
  for (uint32_t i = 0; luna_state_next_change(&loop->head, &loop->entry, &i);
       ++i)
    if (luna_state_shares(&loop->head, &loop->back, i))
      add_memory(classes, loop, i);
  for (intptr_t i = 0; i < loop->count; ++i)
    add_value(classes, (LunaByte){loop->carried[i].head, 0},
              (LunaByte){loop->carried[i].back.term, 0}, 1);
}

static LunaByte refine_byte(const LunaByte *values, void *data) {
  return refine_value(data, values[0], values[1]);
}

static void refine_loop(Classes *classes, LunaLoop *loop) {
  LunaState next = loop->head;
  luna_side_combine(loop->side, &next, &loop->head, &loop->back, refine_byte,
                    classes);
  loop->head = next;
  for (intptr_t i = 0; i < loop->count; ++i)
    loop->carried[i].head =
        refine_value(classes, (LunaByte){loop->carried[i].head, 0},
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
  return resume_value(data, values[0], values[1]);
}

void luna_loop_resume(LunaLoop *loop, const LunaLoop *last,
                      const LunaLoopId *id) {
  LunaSide *side = loop->side;
  Classes classes = {.terms = side->terms, .loop = *id};
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
    loop->carried[i].head = resume_value(&classes, entry, before).term;
  }
}

//===----------------------------------------------------------------------===//
// Both loops
//===----------------------------------------------------------------------===//

enum { CHOICE_LEVELS = 2 };

LunaRefinement luna_loop_refine(LunaPair *pair, LunaLoop *program,
                                LunaLoop *plan, const LunaLoopId *id,
                                LunaChoices *choices) {
  Classes classes = {
      .arena = pair->arena,
      .terms = pair->terms,
      .loop = *id,
      .path = program->end,
      .choices = *choices,
  };
  add_loop(&classes, program);
  add_loop(&classes, plan);
  find_splits(&classes);
  find_lost(&classes);
  refine_loop(&classes, program);
  refine_loop(&classes, plan);
  // Deeper nests would be executed anew for each choice of each level.
  bool is_deep = pair->level > CHOICE_LEVELS;
  program->is_void = plan->is_void = classes.is_split && !is_deep;
  if (classes.has_changed)
    return LUNA_REFINEMENT_SPLITS;
  return !is_deep && add_choices(choices, &classes.found)
             ? LUNA_REFINEMENT_STARTS_OVER
             : LUNA_REFINEMENT_DONE;
}
