#ifndef VALIDATE_TERMS_H
#define VALIDATE_TERMS_H

// What a byte may hold, as hash-consed terms: two bytes whose terms and offsets
// are equal hold the same value in every execution.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "luna/map.h"

/// A term, by its number. Equal records have equal numbers.
typedef uint32_t LunaTerm;

/// The term of bytes that nothing wrote.
enum { LUNA_TERM_UNDEFINED = 0 };

/// The kinds of terms: the first word of their record. The others depend on the
/// kind.
typedef enum LunaTermKind {
  LUNA_TERM_NOTHING,  ///< the undefined term
  LUNA_TERM_FRESH,    ///< what says that a buffer was not touched yet
  LUNA_TERM_ARGUMENT, ///< index of the function's argument
  LUNA_TERM_BYTES,    ///< number of the interned bytes
  LUNA_TERM_SEQUENCE, ///< runs in turn: term, offset, length
  LUNA_TERM_RESULT,   ///< an operator: see validate_operators.c
  LUNA_TERM_HEAD,     ///< the name and the attributes of an operator
  LUNA_TERM_SCALAR,   ///< a scalar operator: see validate_operators.c
  LUNA_TERM_CHANNEL,  ///< one output channel of an operator
  LUNA_TERM_GAMMA,    ///< condition, then-term, else-term, else-offset
  LUNA_TERM_CHOICE,   ///< the arguments of a gamma, to remember its result
  LUNA_TERM_MU,       ///< loop, term at entry or of a class, back-edge, shift
  LUNA_TERM_ETA,      ///< loop, term: its value when the loop has ended
  LUNA_TERM_COUNTER,  ///< loop: its induction variable
  LUNA_TERM_CLOBBER,  ///< loop, memory: bytes that cannot be followed
} LunaTermKind;

/// The value of one byte: byte `offset` of what the term stands for. Undefined
/// bytes all have offset 0.
typedef struct LunaByte {
  LunaTerm term;
  int64_t offset;
} LunaByte;

/// All terms of one comparison; everything lies in the arena.
typedef struct LunaTerms {
  LunaArena *arena;
  LunaMap records; ///< as bytes; a term is the index of its record
  LUNA_VECTOR(struct LunaTermEntry) entries;
} LunaTerms;

/// A loop: the same in both programs. Terms that change from turn to turn carry
/// the bit of its nesting level.
typedef struct LunaLoopId {
  uint64_t number;    ///< any that no other loop has
  uint64_t level_bit; ///< a bit of its own for each nesting level
} LunaLoopId;

/// Returns the bit of a nesting level, counted from 0. All levels from 63 on
/// share the last, which luna_term_eta leaves set.
static inline uint64_t luna_level_bit(uint32_t level) {
  return UINT64_C(1) << (level < 63 ? level : 63);
}

/// Makes the table, with the undefined term in it.
void luna_terms_init(LunaTerms *terms, LunaArena *arena);

/// Returns the term of the record `words`, made if there is none. Its loops are
/// those of `loops`, a bit for each nesting level of a loop that the term
/// depends on. Equality of terms is equality of records: nothing is decided by
/// a hash.
LunaTerm luna_term(LunaTerms *terms, const uint64_t *words, uint32_t count,
                   uint64_t loops);

/// Returns the record of a term and its length in words.
const uint64_t *luna_term_words(const LunaTerms *terms, LunaTerm term,
                                uint32_t *count);
LunaTermKind luna_term_kind(const LunaTerms *terms, LunaTerm term);
/// Returns the nesting levels of the loops that the term depends on.
uint64_t luna_term_loops(const LunaTerms *terms, LunaTerm term);

/// Returns the term of constant bytes, by their content. `bytes` must outlive
/// the terms.
LunaTerm luna_term_bytes(LunaTerms *terms, const uint8_t *bytes, int64_t count);
/// Returns the bytes of a LUNA_TERM_BYTES and their number.
const uint8_t *luna_term_content(const LunaTerms *terms, LunaTerm term,
                                 int64_t *count);

/// Where a channel's results stand in the result of the operator that computed
/// it first.
typedef struct LunaTermHome {
  LunaTerm term;
  int64_t index, index_count;
} LunaTermHome;

/// Returns the home of a channel's term: `own` at the first call.
LunaTermHome luna_term_home(LunaTerms *terms, LunaTerm channel,
                            LunaTermHome own);

/// Returns true if both hold the same value in every execution.
bool luna_byte_equal(LunaByte a, LunaByte b);

/// Returns the value that is `a` where `condition` holds, `b` elsewhere.
LunaByte luna_term_gamma(LunaTerms *terms, LunaTerm condition, LunaByte a,
                         LunaByte b);
/// Gives the two values that a gamma or mu was made of; false for another.
bool luna_term_sides(const LunaTerms *terms, LunaByte value, LunaByte *first,
                     LunaByte *second);
/// Returns the value at a loop's head in place of `head` where the back edge
/// brings `back`.
LunaByte luna_term_mu(LunaTerms *terms, const LunaLoopId *loop, LunaByte head,
                      LunaByte back);
/// Returns the term of a loop's induction variable.
LunaTerm luna_term_counter(LunaTerms *terms, const LunaLoopId *loop);
/// Returns the value that `value` has when the loop has ended: itself where it
/// does not depend on the loop.
LunaByte luna_term_eta(LunaTerms *terms, const LunaLoopId *loop,
                       LunaByte value);

#endif // VALIDATE_TERMS_H
