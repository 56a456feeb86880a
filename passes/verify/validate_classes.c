#include "validate_classes.h"

#include <stdlib.h>

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

bool luna_choices_add(LunaChoices *choices, const LunaChoices *from) {
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

typedef LunaByte (*Visit)(LunaClasses *classes, const Step *step);

static bool has_classes(const LunaClasses *classes, LunaTerm head) {
  return luna_term_loops(classes->terms, head) & classes->loop.level_bit;
}

static LunaTerm outer_test(const LunaClasses *classes, LunaByte value) {
  return luna_term_outer_test(
      classes->terms, classes->loop.level_bit | LUNA_TERM_VARIES, value);
}

static bool tests(const LunaClasses *classes, LunaTerm condition,
                  LunaByte value) {
  return !luna_byte_equal(
      luna_term_at(classes->terms, condition, true, value),
      luna_term_at(classes->terms, condition, false, value));
}

// Returns the condition that a step is split by next; LUNA_TERM_UNDEFINED if
// there is none. Those that have split the header stay, so that classes are
// split only.
static LunaTerm split_of(const LunaClasses *classes, const Step *step) {
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
static Step side_of(const LunaClasses *classes, const Step *step,
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
static LunaByte split(LunaClasses *classes, const Step *step, Visit visit) {
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

static bool is_class(const LunaClasses *classes, LunaTerm term) {
  return luna_term_kind(classes->terms, term) == LUNA_TERM_MU &&
         luna_term_words(classes->terms, term, NULL)[1] == classes->loop.number;
}

static LunaByte add(LunaClasses *classes, const Step *step) {
  LunaByte back = luna_term_where(classes->terms, step->path, step->back);
  LunaTerm choice = outer_test(classes, back);
  if (choice != LUNA_TERM_UNDEFINED)
    add_choice(&classes->found, choice);
  *LUNA_VECTOR_ADD(classes->arena, &classes->entries) = (LunaClassEntry){
      .head = step->head.term,
      .begin = step->head.offset,
      .end = step->head.offset + step->byte_count,
      .back = back,
  };
  return step->head;
}

void luna_classes_add(LunaClasses *classes, LunaByte head, LunaByte back,
                      int64_t byte_count) {
  Step step = {classes->path, head, back, byte_count, 0};
  split(classes, &step, add);
}

static int order(const void *a, const void *b) {
  const LunaClassEntry *x = a, *y = b;
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
static LunaByte back_at(const LunaClassEntry *entry, int64_t at) {
  LunaByte back = entry->back;
  if (back.term != LUNA_TERM_UNDEFINED)
    back.offset += at - entry->begin;
  return back;
}

// Finds the classes to which the back edge carries two values for one byte.
// Entries are sorted by `begin`: each is compared with the one of the largest
// `end`.
void luna_classes_sort(LunaClasses *classes) {
  const LunaClassEntry *entries = classes->entries.items, *farthest = entries;
  if (classes->entries.count > 0)
    qsort(classes->entries.items, classes->entries.count, sizeof *entries,
          order);
  for (uint64_t i = 1; i < classes->entries.count; ++i) {
    const LunaClassEntry *entry = &entries[i];
    bool is_same = entry->head == farthest->head;
    if (is_same && entry->begin < farthest->end &&
        !luna_byte_equal(back_at(farthest, entry->begin), entry->back))
      luna_map_add(&classes->split, classes->arena,
                   luna_map_number(entry->head));
    if (!is_same || entry->end > farthest->end)
      farthest = entry;
  }
}

static LunaByte refine(LunaClasses *classes, const Step *step) {
  LunaByte first = luna_term_where(classes->terms, step->path, step->head);
  LunaByte next = luna_term_where(classes->terms, step->path, step->back);
  bool stays =
      is_class(classes, step->head.term)
          ? luna_map_find(&classes->split, luna_map_number(step->head.term)) ==
                LUNA_MAP_ABSENT
          : luna_byte_equal(first, next);
  if (stays)
    return step->head;
  classes->has_changed = true;
  return luna_term_mu(classes->terms, &classes->loop, first, next);
}

LunaByte luna_classes_refine(LunaClasses *classes, LunaByte head,
                             LunaByte back) {
  Step step = {classes->path, head, back, 1, 0};
  return split(classes, &step, refine);
}

static LunaByte resume(LunaClasses *classes, const Step *step) {
  return is_class(classes, step->head.term)
             ? luna_term_mu(classes->terms, &classes->loop, step->back,
                            step->head)
             : step->back;
}

LunaByte luna_classes_resume(LunaClasses *classes, LunaByte entry,
                             LunaByte before) {
  Step step = {LUNA_TERM_TRUE, before, entry, 1, 0};
  return split(classes, &step, resume);
}
