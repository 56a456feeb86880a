// Terms of values that control flow merges: choices of branches as decision
// diagrams, delayed choices, the headers and exits of loops.

#include "verify_terms.h"

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

static const LunaByte undefined = {LUNA_TERM_UNDEFINED, 0};

static LunaByte shifted(LunaTerm term, int64_t offset) {
  return term == LUNA_TERM_UNDEFINED ? undefined : (LunaByte){term, offset};
}

bool luna_byte_equal(LunaByte a, LunaByte b) {
  return a.term == b.term && a.offset == b.offset;
}

// The offset of a record of two values is that of the first, or of the second
// if the first is undefined; their difference is part of the record.
static int64_t base_of(LunaByte a, LunaByte b) {
  return a.term == LUNA_TERM_UNDEFINED ? b.offset : a.offset;
}

static uint64_t shift_of(LunaByte a, LunaByte b) {
  bool has_both =
      a.term != LUNA_TERM_UNDEFINED && b.term != LUNA_TERM_UNDEFINED;
  return has_both ? (uint64_t)(b.offset - a.offset) : 0;
}

bool luna_term_sides(const LunaTerms *terms, LunaByte value, LunaByte *first,
                     LunaByte *second) {
  LunaTermKind kind = luna_term_kind(terms, value.term);
  if (kind != LUNA_TERM_GAMMA && kind != LUNA_TERM_DELAYED &&
      kind != LUNA_TERM_MU)
    return false;
  const uint64_t *words = terms->entries.items[value.term].words;
  *first = shifted((LunaTerm)words[2], value.offset);
  *second = shifted((LunaTerm)words[3], value.offset + (int64_t)words[4]);
  return true;
}

// Gammas are decision diagrams: each path through one tests a condition at most
// once, the newest first (a term has a greater number than its operands). So
// equal choices have equal terms, however branches are nested.

LunaTerm luna_term_first_test(const LunaTerms *terms, LunaByte value) {
  bool is_choice = luna_term_kind(terms, value.term) == LUNA_TERM_GAMMA;
  return is_choice ? (LunaTerm)terms->entries.items[value.term].words[1]
                   : LUNA_TERM_UNDEFINED;
}

LunaByte luna_term_cofactor(const LunaTerms *terms, LunaTerm condition,
                            bool holds, LunaByte value) {
  LunaByte a, b;
  if (luna_term_first_test(terms, value) != condition ||
      !luna_term_sides(terms, value, &a, &b))
    return value;
  return holds ? a : b;
}

static LunaByte choice_of_kind(LunaTerms *terms, LunaTermKind kind,
                               LunaTerm condition, LunaByte a, LunaByte b) {
  if (luna_byte_equal(a, b))
    return a;
  const uint64_t words[] = {kind, condition, a.term, b.term, shift_of(a, b)};
  uint64_t loops = luna_term_loops(terms, condition) |
                   luna_term_loops(terms, a.term) |
                   luna_term_loops(terms, b.term);
  return (LunaByte){luna_term(terms, words, 5, loops), base_of(a, b)};
}

static LunaByte ask(LunaTerms *terms, LunaTerm condition, LunaByte a,
                    LunaByte b) {
  return choice_of_kind(terms, LUNA_TERM_GAMMA, condition, a, b);
}

// The cofactor of a condition, which may be a choice itself.
static LunaTerm condition_where(LunaTerms *terms, LunaTerm test, bool holds,
                                LunaTerm condition) {
  if (condition == test)
    return holds ? LUNA_TERM_TRUE : LUNA_TERM_FALSE;
  return luna_term_cofactor(terms, test, holds, (LunaByte){condition, 0}).term;
}

static LunaTerm newest_of(LunaTerm a, LunaTerm b) { return a > b ? a : b; }

static LunaByte choose(LunaTerms *terms, LunaTerm condition, LunaByte a,
                       LunaByte b) {
  if (luna_term_kind(terms, condition) == LUNA_TERM_TRUTH)
    return condition == LUNA_TERM_TRUE ? a : b;
  LunaTerm own = luna_term_first_test(terms, (LunaByte){condition, 0});
  bool is_choice = own != LUNA_TERM_UNDEFINED;
  LunaTerm first = newest_of(is_choice ? own : condition,
                             newest_of(luna_term_first_test(terms, a),
                                       luna_term_first_test(terms, b)));
  if (first == condition)
    return ask(terms, condition, luna_term_cofactor(terms, condition, true, a),
               luna_term_cofactor(terms, condition, false, b));
  LunaByte sides[2];
  for (int i = 0; i < 2; ++i)
    sides[i] =
        luna_term_gamma(terms, condition_where(terms, first, i == 0, condition),
                        luna_term_cofactor(terms, first, i == 0, a),
                        luna_term_cofactor(terms, first, i == 0, b));
  // What a choice leaves of a condition may be newer than its tests.
  return is_choice ? luna_term_gamma(terms, first, sides[0], sides[1])
                   : ask(terms, first, sides[0], sides[1]);
}

// Results of luna_term_gamma, the last for each hash: all of them would take
// more memory than the terms.
typedef struct LunaTermChoice {
  LunaTerm condition, a, b, result;
  uint64_t shift;
  int64_t offset; // of the result, less that of the arguments
  bool is_set;
} Choice;

enum { CHOICES_MIN = 1 << 11, CHOICES_MAX = 1 << 18 };

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

// Returns where the result for these arguments stands, or will.
static Choice *choice_of(LunaTerms *terms, const Choice *wanted) {
  if (terms->choice_count < CHOICES_MAX &&
      terms->choice_count < 4 * terms->entries.count) {
    terms->choice_count = terms->choice_count < CHOICES_MIN
                              ? CHOICES_MIN
                              : 2 * terms->choice_count;
    terms->choices =
        LUNA_ARENA_ARRAY(terms->arena, Choice, terms->choice_count);
  }
  uint64_t hash =
      mix(mix(wanted->condition, wanted->a), mix(wanted->b, wanted->shift));
  return &terms->choices[hash & (terms->choice_count - 1)];
}

static bool is_choice_of(const Choice *known, const Choice *wanted) {
  return known->is_set && known->condition == wanted->condition &&
         known->a == wanted->a && known->b == wanted->b &&
         known->shift == wanted->shift;
}

LunaByte luna_term_gamma(LunaTerms *terms, LunaTerm condition, LunaByte a,
                         LunaByte b) {
  if (luna_byte_equal(a, b) || condition == LUNA_TERM_TRUE)
    return a;
  if (condition == LUNA_TERM_FALSE)
    return b;
  int64_t base = base_of(a, b);
  Choice wanted = {.condition = condition,
                   .a = a.term,
                   .b = b.term,
                   .shift = shift_of(a, b),
                   .is_set = true};
  const Choice *known = choice_of(terms, &wanted);
  if (is_choice_of(known, &wanted))
    return shifted(known->result, base + known->offset);
  LunaByte result = choose(terms, condition, a, b);
  wanted.result = result.term;
  wanted.offset = result.offset - base;
  *choice_of(terms, &wanted) = wanted;
  return result;
}

LunaTerm luna_term_either(LunaTerms *terms, LunaTerm condition, LunaTerm a,
                          LunaTerm b) {
  return luna_term_gamma(terms, condition, (LunaByte){a, 0}, (LunaByte){b, 0})
      .term;
}

LunaTerm luna_term_test(LunaTerms *terms, LunaTerm atom) {
  return luna_term_either(terms, atom, LUNA_TERM_TRUE, LUNA_TERM_FALSE);
}

static LunaByte restrict_to(LunaTerms *terms, uint64_t path, LunaByte value) {
  LunaByte tested = {(LunaTerm)path, 0};
  LunaTerm first = luna_term_first_test(terms, value);
  if (first < luna_term_first_test(terms, tested))
    first = luna_term_first_test(terms, tested);
  LunaTerm on = luna_term_cofactor(terms, first, true, tested).term;
  LunaTerm off = luna_term_cofactor(terms, first, false, tested).term;
  LunaByte a = luna_term_cofactor(terms, first, true, value);
  LunaByte b = luna_term_cofactor(terms, first, false, value);
  if (on == LUNA_TERM_FALSE)
    return luna_term_where(terms, off, b);
  if (off == LUNA_TERM_FALSE)
    return luna_term_where(terms, on, a);
  return ask(terms, first, luna_term_where(terms, on, a),
             luna_term_where(terms, off, b));
}

// Returns what `compute` makes of a value and a key, computed once; the entry
// of `kind` keeps it.
static LunaByte compute_once(LunaTerms *terms, LunaTermKind kind, uint64_t key,
                             LunaByte value,
                             LunaByte (*compute)(LunaTerms *terms, uint64_t key,
                                                 LunaByte value)) {
  const uint64_t words[] = {kind, key, value.term};
  LunaTerm known = luna_term(terms, words, 3, 0);
  if (terms->entries.items[known].home.index_count == 0) {
    LunaByte result = compute(terms, key, value);
    terms->entries.items[known].home =
        (LunaTermHome){result.term, result.offset - value.offset, 1};
  }
  LunaTermHome home = terms->entries.items[known].home;
  return shifted(home.term, value.offset + home.index);
}

LunaByte luna_term_where(LunaTerms *terms, LunaTerm path, LunaByte value) {
  if (luna_term_kind(terms, value.term) != LUNA_TERM_GAMMA ||
      luna_term_kind(terms, path) != LUNA_TERM_GAMMA)
    return value;
  return compute_once(terms, LUNA_TERM_WHERE, path, value, restrict_to);
}

static LunaByte find_outer_test(LunaTerms *terms, uint64_t loops,
                                LunaByte value) {
  LunaByte a = value, b = value;
  luna_term_sides(terms, value, &a, &b);
  return (LunaByte){newest_of(luna_term_outer_test(terms, loops, a),
                              luna_term_outer_test(terms, loops, b)),
                    0};
}

LunaTerm luna_term_outer_test(LunaTerms *terms, uint64_t loops,
                              LunaByte value) {
  LunaTerm test = luna_term_first_test(terms, value);
  if (test == LUNA_TERM_UNDEFINED || !(luna_term_loops(terms, test) & loops))
    return test;
  return compute_once(terms, LUNA_TERM_OUTER, loops, (LunaByte){value.term, 0},
                      find_outer_test)
      .term;
}

LunaByte luna_term_at(LunaTerms *terms, LunaTerm condition, bool holds,
                      LunaByte value) {
  LunaTerm path = luna_term_either(terms, condition,
                                   holds ? LUNA_TERM_TRUE : LUNA_TERM_FALSE,
                                   holds ? LUNA_TERM_FALSE : LUNA_TERM_TRUE);
  return luna_term_where(terms, path, value);
}

//===----------------------------------------------------------------------===//
// Delayed choices
//===----------------------------------------------------------------------===//

LunaByte luna_term_delay(LunaTerms *terms, LunaTerm condition, LunaByte a,
                         LunaByte b) {
  if (luna_term_kind(terms, condition) == LUNA_TERM_TRUTH)
    return condition == LUNA_TERM_TRUE ? a : b;
  return choice_of_kind(terms, LUNA_TERM_DELAYED, condition, a, b);
}

// Where a path goes on if a condition holds and if not: [0] and [1].
typedef struct Fork {
  LunaTerm sides[2];
} Fork;

// A path that tests nothing newer than what the condition tests alone goes on
// without that test: so it is the same path for all that decide alike before.
static bool fork_by_test(const LunaTerms *terms, LunaTerm path,
                         LunaTerm condition, Fork *fork) {
  LunaByte tested = {condition, 0}, from = {path, 0}, a, b;
  LunaTerm test = luna_term_first_test(terms, tested);
  if (test == LUNA_TERM_UNDEFINED || test < luna_term_first_test(terms, from) ||
      !luna_term_sides(terms, tested, &a, &b) ||
      luna_term_kind(terms, a.term) != LUNA_TERM_TRUTH ||
      luna_term_kind(terms, b.term) != LUNA_TERM_TRUTH)
    return false;
  bool is_plain = a.term == LUNA_TERM_TRUE;
  fork->sides[0] = luna_term_cofactor(terms, test, is_plain, from).term;
  fork->sides[1] = luna_term_cofactor(terms, test, !is_plain, from).term;
  return true;
}

static Fork fork_by(LunaTerms *terms, LunaTerm path, LunaTerm condition) {
  Fork fork = {{path, LUNA_TERM_FALSE}};
  if (path == condition || fork_by_test(terms, path, condition, &fork))
    return fork;
  LunaTerm other =
      luna_term_either(terms, condition, LUNA_TERM_FALSE, LUNA_TERM_TRUE);
  if (path == other)
    return (Fork){{LUNA_TERM_FALSE, path}};
  return (Fork){{luna_term_either(terms, path, condition, LUNA_TERM_FALSE),
                 luna_term_either(terms, path, other, LUNA_TERM_FALSE)}};
}

static LunaByte decide(LunaTerms *terms, uint64_t path, LunaByte value) {
  LunaTerm condition = (LunaTerm)terms->entries.items[value.term].words[1];
  LunaByte a = value, b = value;
  luna_term_sides(terms, value, &a, &b);
  Fork fork = fork_by(terms, (LunaTerm)path, condition);
  if (fork.sides[1] == LUNA_TERM_FALSE)
    return luna_term_force(terms, fork.sides[0], a);
  if (fork.sides[0] == LUNA_TERM_FALSE)
    return luna_term_force(terms, fork.sides[1], b);
  return luna_term_gamma(terms, condition,
                         luna_term_force(terms, fork.sides[0], a),
                         luna_term_force(terms, fork.sides[1], b));
}

LunaByte luna_term_force(LunaTerms *terms, LunaTerm path, LunaByte value) {
  if (luna_term_kind(terms, value.term) != LUNA_TERM_DELAYED)
    return value;
  return compute_once(terms, LUNA_TERM_FORCED, path, value, decide);
}

//===----------------------------------------------------------------------===//
// Values that loops merge
//===----------------------------------------------------------------------===//

LunaByte luna_term_mu(LunaTerms *terms, const LunaLoopId *loop, LunaByte head,
                      LunaByte back) {
  const uint64_t words[] = {LUNA_TERM_MU, loop->number, head.term, back.term,
                            shift_of(head, back)};
  uint64_t loops = luna_term_loops(terms, head.term) |
                   luna_term_loops(terms, back.term) | loop->level_bit;
  return (LunaByte){luna_term(terms, words, 5, loops), base_of(head, back)};
}

LunaTerm luna_term_counter(LunaTerms *terms, const LunaLoopId *loop) {
  const uint64_t words[] = {LUNA_TERM_COUNTER, loop->number};
  return luna_term(terms, words, 2, loop->level_bit);
}

// The exit of a choice is the choice of the exits, memoized in `home` of its
// own record. Exits of older tests are made first, and so are older: the tests
// keep their order, in which the diagram is small.
static LunaByte distribute_eta(LunaTerms *terms, const LunaLoopId *loop,
                               LunaTerm eta, LunaByte value) {
  LunaByte a, b;
  if (terms->entries.items[eta].home.index_count == 0 &&
      luna_term_sides(terms, value, &a, &b)) {
    a = luna_term_eta(terms, loop, a);
    b = luna_term_eta(terms, loop, b);
    LunaByte condition = {luna_term_first_test(terms, value), 0};
    LunaByte result = luna_term_gamma(
        terms, luna_term_eta(terms, loop, condition).term, a, b);
    terms->entries.items[eta].home =
        (LunaTermHome){result.term, result.offset - value.offset, 1};
  }
  LunaTermHome home = terms->entries.items[eta].home;
  return shifted(home.term, value.offset + home.index);
}

LunaByte luna_term_eta(LunaTerms *terms, const LunaLoopId *loop,
                       LunaByte value) {
  uint64_t loops = luna_term_loops(terms, value.term);
  if (!(loops & loop->level_bit))
    return value;
  const uint64_t words[] = {LUNA_TERM_ETA, loop->number, value.term};
  if (loop->level_bit != luna_level_bit(UINT32_MAX))
    loops &= ~loop->level_bit;
  LunaTerm eta = luna_term(terms, words, 3, loops);
  return luna_term_kind(terms, value.term) == LUNA_TERM_GAMMA
             ? distribute_eta(terms, loop, eta, value)
             : (LunaByte){eta, value.offset};
}

//===----------------------------------------------------------------------===//
// Undefined values
//===----------------------------------------------------------------------===//

static LunaByte find_defined(LunaTerms *terms, uint64_t key, LunaByte value) {
  (void)key;
  LunaTermKind kind = luna_term_kind(terms, value.term);
  const uint64_t *words = terms->entries.items[value.term].words;
  LunaByte a, b;
  if (kind == LUNA_TERM_ETA) {
    LunaByte last = {(LunaTerm)words[2], 0};
    bool is_mu = luna_term_kind(terms, last.term) == LUNA_TERM_MU &&
                 luna_term_sides(terms, last, &a, &b);
    return (LunaByte){luna_term_defined(terms, is_mu ? b.term : last.term), 0};
  }
  if (!luna_term_sides(terms, value, &a, &b))
    return (LunaByte){LUNA_TERM_TRUE, 0};
  LunaTerm first = luna_term_defined(terms, a.term);
  LunaTerm second = luna_term_defined(terms, b.term);
  return (LunaByte){
      kind == LUNA_TERM_MU
          ? luna_term_either(terms, first, second, LUNA_TERM_FALSE)
          : luna_term_either(terms, (LunaTerm)words[1], first, second),
      0};
}

LunaTerm luna_term_defined(LunaTerms *terms, LunaTerm term) {
  return term == LUNA_TERM_UNDEFINED
             ? LUNA_TERM_FALSE
             : compute_once(terms, LUNA_TERM_DEFINED, 0, (LunaByte){term, 0},
                            find_defined)
                   .term;
}
