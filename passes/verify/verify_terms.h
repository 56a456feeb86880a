#ifndef VERIFY_TERMS_H
#define VERIFY_TERMS_H

// The values of bytes as hash-consed terms: two bytes with equal terms and
// offsets hold the same value in every execution.

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "luna/map.h"

/// A term, by its number. Equal records have equal numbers.
typedef uint32_t LunaTerm;

/// The term of bytes that were never written.
enum { LUNA_TERM_UNDEFINED = 0 };

/// The terms of an i1 that is known.
enum { LUNA_TERM_FALSE = 1, LUNA_TERM_TRUE = 2 };

/// The kinds of terms: the first word of a record. The meaning of the other
/// words depends on it.
typedef enum LunaTermKind {
  LUNA_TERM_NOTHING,  ///< the undefined term
  LUNA_TERM_TRUTH,    ///< 0 or 1: LUNA_TERM_FALSE or LUNA_TERM_TRUE
  LUNA_TERM_FRESH,    ///< marks a buffer that was not accessed yet
  LUNA_TERM_ARGUMENT, ///< index of the function's argument
  LUNA_TERM_BYTES,    ///< number of the interned bytes
  LUNA_TERM_SEQUENCE, ///< runs: term, offset, length of each
  LUNA_TERM_RESULT,   ///< an operator: see verify_operators.c
  LUNA_TERM_CHANNELS, ///< an operator: the terms of its output channels
  LUNA_TERM_PART,     ///< a window, contents, and those written to it if any
  LUNA_TERM_OPAQUE,   ///< operator without a meaning, and operand it may write
  LUNA_TERM_HEAD,     ///< the name and the attributes of an operator
  LUNA_TERM_SCALAR,   ///< a scalar operator: see verify_operators.c
  LUNA_TERM_CHANNEL,  ///< one output channel of an operator
  LUNA_TERM_GAMMA,    ///< condition, then-term, else-term, else-offset
  LUNA_TERM_DELAYED,  ///< a gamma that luna_term_force will compute
  LUNA_TERM_FORCED,   ///< path, term: memoizes luna_term_force
  LUNA_TERM_WHERE,    ///< path, term: memoizes luna_term_where
  LUNA_TERM_DEFINED,  ///< term: memoizes luna_term_defined
  LUNA_TERM_OUTER,    ///< loops, term: memoizes luna_term_outer_test
  LUNA_TERM_MU,       ///< loop, term at entry or of a class, back-edge, shift
  LUNA_TERM_ETA,      ///< loop, term: its value at the loop's exit
  LUNA_TERM_COUNTER,  ///< loop: its induction variable
  LUNA_TERM_CLOBBER,  ///< bytes of unknown value: see verify_carried.c
} LunaTermKind;

/// The value of one byte: byte `offset` of what the term stands for. Undefined
/// bytes all have offset 0.
typedef struct LunaByte {
  LunaTerm term;
  int64_t offset;
} LunaByte;

/// Where the results of a channel lie in the result of the operator that was
/// the first to compute it.
typedef struct LunaTermHome {
  LunaTerm term;
  int64_t index, index_count;
} LunaTermHome;

/// A term: its record, and what is known of it.
typedef struct LunaTermEntry {
  const uint64_t *words;
  uint32_t count;
  uint64_t loops;
  const uint8_t *content; ///< of a LUNA_TERM_BYTES
  /// Of a LUNA_TERM_CHANNEL; of a memo, what was computed.
  LunaTermHome home;
} LunaTermEntry;

/// All terms of one comparison, allocated in the arena.
typedef struct LunaTerms {
  LunaArena *arena;
  LunaMap records; ///< as bytes; a term is the index of its record
  LUNA_VECTOR(LunaTermEntry) entries;
  struct LunaTermChoice *choices; ///< recent results of luna_term_gamma
  uint64_t choice_count;          ///< a power of two
} LunaTerms;

/// A loop, the same in both programs. Terms that vary from iteration to
/// iteration carry the bit of its nesting level.
typedef struct LunaLoopId {
  uint64_t number;    ///< unique
  uint64_t level_bit; ///< of its nesting level
} LunaLoopId;

/// Returns the bit of a nesting level, counted from 0. Levels from 62 on share
/// bit 62, which luna_term_eta leaves set.
static inline uint64_t luna_level_bit(uint32_t level) {
  return UINT64_C(1) << (level < 62 ? level : 62);
}

/// Marks terms that depend on bytes of no known value, as if these varied in a
/// loop around the function: such a term may stand for two values.
#define LUNA_TERM_VARIES (UINT64_C(1) << 63)

/// Initialises the table with the undefined term.
void luna_terms_init(LunaTerms *terms, LunaArena *arena);

/// Returns the term of the record `words`, created if there is none. `loops`
/// has a bit for each nesting level of a loop on which the term depends. Terms
/// are equal if their records are; hashes only find them.
LunaTerm luna_term(LunaTerms *terms, const uint64_t *words, uint32_t count,
                   uint64_t loops);

/// Returns the record of a term and its length in words.
static inline const uint64_t *luna_term_words(const LunaTerms *terms,
                                              LunaTerm term, uint32_t *count) {
  assert(term < terms->entries.count);
  if (count)
    *count = terms->entries.items[term].count;
  return terms->entries.items[term].words;
}
static inline LunaTermKind luna_term_kind(const LunaTerms *terms,
                                          LunaTerm term) {
  return (LunaTermKind)luna_term_words(terms, term, NULL)[0];
}
/// Returns the nesting levels of the loops on which the term depends, and
/// LUNA_TERM_VARIES.
static inline uint64_t luna_term_loops(const LunaTerms *terms, LunaTerm term) {
  assert(term < terms->entries.count);
  return terms->entries.items[term].loops;
}

/// Returns the term of constant bytes, by their content. `bytes` must outlive
/// the terms.
LunaTerm luna_term_bytes(LunaTerms *terms, const uint8_t *bytes, int64_t count);
/// Returns the bytes of a LUNA_TERM_BYTES and their number.
const uint8_t *luna_term_content(const LunaTerms *terms, LunaTerm term,
                                 int64_t *count);

/// Returns the home of a channel's term: the `own` of the first call.
LunaTermHome luna_term_home(LunaTerms *terms, LunaTerm channel,
                            LunaTermHome own);

/// Returns true if both hold the same value in every execution.
bool luna_byte_equal(LunaByte a, LunaByte b);

/// Returns the value that is `a` if `condition` holds, else `b`.
LunaByte luna_term_gamma(LunaTerms *terms, LunaTerm condition, LunaByte a,
                         LunaByte b);
/// Returns the scalar that is `a` if `condition` holds, else `b`. With
/// LUNA_TERM_TRUE and LUNA_TERM_FALSE each operator on i1 is one, and those
/// that say the same are equal, if each i1 that is not known tests itself.
LunaTerm luna_term_either(LunaTerms *terms, LunaTerm condition, LunaTerm a,
                          LunaTerm b);
/// Returns the condition that an i1 holds which is not known: a test of itself.
LunaTerm luna_term_test(LunaTerms *terms, LunaTerm atom);
/// Returns the value of `value` where the condition `path` holds: one value for
/// all that are equal there (generalised cofactor; Coudert, Berthet and Madre,
/// 1989).
LunaByte luna_term_where(LunaTerms *terms, LunaTerm path, LunaByte value);
/// Returns the same as luna_term_gamma, not as a decision diagram yet: equal
/// choices may have unequal terms. A store through a pointer that is one of two
/// leaves such values in both places. The diagram of a place grows with the
/// cube of the number of exchanges, that of what is read through the pointer
/// does not.
LunaByte luna_term_delay(LunaTerms *terms, LunaTerm condition, LunaByte a,
                         LunaByte b);
/// Returns the decision diagram of a delayed choice where the condition `path`
/// holds, and any other value as it is.
LunaByte luna_term_force(LunaTerms *terms, LunaTerm path, LunaByte value);
/// Returns the condition under which a value of the term is defined. A value at
/// a loop header is if it is at the entry and behind the back edge; one behind
/// a loop, if it is behind the back edge: a loop of no iteration writes
/// nothing.
LunaTerm luna_term_defined(LunaTerms *terms, LunaTerm term);
/// Returns the condition that a decision diagram tests first; undefined for
/// another value.
LunaTerm luna_term_first_test(const LunaTerms *terms, LunaByte value);
/// Returns the newest condition that a value tests, first or later, and that
/// depends on none of `loops`; LUNA_TERM_UNDEFINED if there is none.
LunaTerm luna_term_outer_test(LunaTerms *terms, uint64_t loops, LunaByte value);
/// Returns the value where `condition` holds or does not, which it tests first
/// or not at all.
LunaByte luna_term_cofactor(const LunaTerms *terms, LunaTerm condition,
                            bool holds, LunaByte value);
/// Returns the value where `condition` holds or does not, whenever it is
/// tested.
LunaByte luna_term_at(LunaTerms *terms, LunaTerm condition, bool holds,
                      LunaByte value);
/// Returns true, and its two values, if the term is a gamma, delayed or not, or
/// mu.
bool luna_term_sides(const LunaTerms *terms, LunaByte value, LunaByte *first,
                     LunaByte *second);
/// Returns the value at a loop header that replaces `head` if the back edge
/// carries `back`.
LunaByte luna_term_mu(LunaTerms *terms, const LunaLoopId *loop, LunaByte head,
                      LunaByte back);
/// Returns the term of a loop's induction variable.
LunaTerm luna_term_counter(LunaTerms *terms, const LunaLoopId *loop);
/// Returns the value of `value` at the loop's exit: `value` itself if it does
/// not depend on the loop, the choice of both at the exit for a gamma.
LunaByte luna_term_eta(LunaTerms *terms, const LunaLoopId *loop,
                       LunaByte value);

#endif // VERIFY_TERMS_H
