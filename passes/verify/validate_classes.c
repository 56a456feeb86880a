#include "validate_classes.h"

#include <stdlib.h>

// Each level may double the values of a byte.
enum { CHOICE_LEVELS = 4 };

// A value at the header that a condition from outside the loop chooses: each
// side is the value of a byte of its own, as where two buffers are one memref,
// where the path and the condition hold.
typedef struct OuterChoice {
  LunaTerm condition, paths[2];
  LunaByte heads[2];
} OuterChoice;

static bool find_choice(const LunaClasses *classes, LunaTerm path,
                        LunaByte head, int level, OuterChoice *choice) {
  LunaTerms *terms = classes->terms;
  if (level == CHOICE_LEVELS ||
      luna_term_kind(terms, head.term) != LUNA_TERM_GAMMA ||
      !luna_term_sides(terms, head, &choice->heads[0], &choice->heads[1]))
    return false;
  choice->condition = (LunaTerm)luna_term_words(terms, head.term, NULL)[1];
  if (luna_term_loops(terms, choice->condition) & classes->loop.level_bit)
    return false;
  choice->paths[0] =
      luna_term_either(terms, choice->condition, path, LUNA_TERM_FALSE);
  choice->paths[1] =
      luna_term_either(terms, choice->condition, LUNA_TERM_FALSE, path);
  return true;
}

static void add(LunaClasses *classes, LunaTerm path, LunaByte head,
                LunaByte back, int64_t byte_count, int level) {
  OuterChoice choice;
  if (path == LUNA_TERM_FALSE)
    return;
  if (find_choice(classes, path, head, level, &choice)) {
    for (int side = 0; side < 2; ++side)
      add(classes, choice.paths[side], choice.heads[side], back, byte_count,
          level + 1);
    return;
  }
  *LUNA_VECTOR_ADD(classes->arena, &classes->entries) =
      (LunaClassEntry){.head = head.term,
                       .begin = head.offset,
                       .end = head.offset + byte_count,
                       .back = luna_term_where(classes->terms, path, back)};
}

void luna_classes_add(LunaClasses *classes, LunaByte head, LunaByte back,
                      int64_t byte_count) {
  add(classes, classes->path, head, back, byte_count, 0);
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

bool luna_classes_has(const LunaTerms *terms, const LunaLoopId *loop,
                      LunaTerm term) {
  return luna_term_kind(terms, term) == LUNA_TERM_MU &&
         luna_term_words(terms, term, NULL)[1] == loop->number;
}

// The back-edge value of byte `at`, computed from that of the entry's first.
static LunaByte back_at(const LunaClassEntry *entry, int64_t at) {
  LunaByte back = entry->back;
  if (back.term != LUNA_TERM_UNDEFINED)
    back.offset += at - entry->begin;
  return back;
}

// Marks the class whose entries start at `first` if the back edge carries two
// values to one of its bytes; returns the first entry of the next class.
// Entries are sorted by `begin`: each is compared with the one of the largest
// `end`.
static uint64_t mark(LunaClasses *classes, uint64_t first) {
  LunaClassEntry *entries = classes->entries.items;
  const LunaClassEntry *farthest = &entries[first];
  uint64_t next = first + 1;
  for (; next < classes->entries.count &&
         entries[next].head == entries[first].head;
       ++next) {
    const LunaClassEntry *entry = &entries[next];
    entries[first].is_split |=
        entry->begin < farthest->end &&
        !luna_byte_equal(back_at(farthest, entry->begin), entry->back);
    if (entry->end > farthest->end)
      farthest = entry;
  }
  return next;
}

void luna_classes_sort(LunaClasses *classes) {
  if (classes->entries.count > 0)
    qsort(classes->entries.items, classes->entries.count,
          sizeof *classes->entries.items, order);
  for (uint64_t first = 0; first < classes->entries.count;)
    first = mark(classes, first);
}

// True if the back edge carries one value to each byte of the class.
static bool is_stable(const LunaClasses *classes, LunaTerm head) {
  uint64_t low = 0, high = classes->entries.count;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (classes->entries.items[middle].head < head)
      low = middle + 1;
    else
      high = middle;
  }
  return low == classes->entries.count ||
         classes->entries.items[low].head != head ||
         !classes->entries.items[low].is_split;
}

static LunaByte refine(LunaClasses *classes, LunaTerm path, LunaByte head,
                       LunaByte back, int level) {
  OuterChoice choice;
  if (path == LUNA_TERM_FALSE)
    return head;
  if (find_choice(classes, path, head, level, &choice)) {
    LunaByte sides[2];
    for (int side = 0; side < 2; ++side)
      sides[side] = refine(classes, choice.paths[side], choice.heads[side],
                           back, level + 1);
    return luna_term_gamma(classes->terms, choice.condition, sides[0],
                           sides[1]);
  }
  LunaByte first = luna_term_where(classes->terms, path, head);
  LunaByte next = luna_term_where(classes->terms, path, back);
  bool stays = luna_classes_has(classes->terms, &classes->loop, head.term)
                   ? is_stable(classes, head.term)
                   : luna_byte_equal(first, next);
  if (stays)
    return head;
  classes->has_changed = true;
  return luna_term_mu(classes->terms, &classes->loop, first, next);
}

LunaByte luna_classes_refine(LunaClasses *classes, LunaByte head,
                             LunaByte back) {
  return refine(classes, classes->path, head, back, 0);
}
