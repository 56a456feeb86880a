#ifndef VALIDATE_SIDE_H
#define VALIDATE_SIDE_H

// One of the two programs under comparison: its memories, the terms of its
// scalars and the pointers of its memrefs.

#include "luna-c/ir.h"
#include "validate_memory.h"
#include "validate_pointer.h"
#include "verify_plan_static.h"

/// The meaning of a value: a pointer for memrefs, a term for scalars.
typedef struct LunaUnitSemantics {
  const LunaPointer *pointer;
  LunaTerm term;
} LunaUnitSemantics;

/// Why a plan is refused: the error at `op`, and a note at `other` unless that
/// is null. In the arena.
typedef struct LunaFault {
  MlirOperation op, other;
  const char *message, *note;
} LunaFault;

/// An arm of a branch, and the condition under which it was reached last.
typedef struct LunaArm {
  MlirOperation branch;
  intptr_t region;
  LunaTerm path;
} LunaArm;

/// The first operator of a plan that gave what the program does not.
typedef struct LunaUnknown {
  LunaTerm result, path;
  LunaRuns *runs;      ///< what its operands held
  LunaTerm *sequences; ///< the same; undefined where it does not read
  intptr_t count;
} LunaUnknown;

/// A place that an operator wrote.
typedef struct LunaWrite {
  MlirOperation op;
  const LunaPlace *place;
  LunaTerm path;
} LunaWrite;

/// One of the two programs: the recorded one with a memory for each execution
/// of an allocation, or the plan in its arena. A plan without a record is both
/// (`is_self`): its results are terms of their operators then, unequal although
/// others compute the same.
struct LunaSide {
  LunaArena *arena;
  LunaTerms *terms;
  MlirOperation func;
  MlirOperation op;      ///< that is executed
  MlirOperation symbols; ///< holds the globals
  const LunaVerifyLimits *limits;
  LunaFault *fault;
  bool is_plan;                    ///< allocations are views of one arena
  bool is_self;                    ///< both sides are the plan
  bool cuts_channels;              ///< products are executed channel by channel
  struct LunaConstants *constants; ///< of the program
  LunaMemories memories;
  LunaState state;
  LunaTerm path;    ///< under which control flow is where it is
  LunaMap arm_keys; ///< regions of branches
  LUNA_VECTOR(LunaArm) arms;
  struct LunaCarriedNames *carried; ///< memrefs that loops carry by value
  /// What the program reads, if it is the plan itself, by operator; shared.
  struct LunaReadLog *reads;
  LUNA_VECTOR(LunaWrite) writes; ///< in such a plan, in order; for messages
  uint32_t arena_memory;
  LunaMap keys; // values, and ops of memories
  LUNA_VECTOR(LunaUnitSemantics) meanings;
  LunaMap heads; // operators whose names and attributes have a term
  LUNA_VECTOR(LunaTerm) head_terms;
  LunaMap results; // terms of operators' results
  LUNA_VECTOR(MlirOperation) producers;
  LunaMap named; // terms of constants
  LUNA_VECTOR(MlirStringRef) names;
  LunaMap loops;                          // that were run
  LUNA_VECTOR(struct LunaLoop *) runs;    ///< the last of each
  LUNA_VECTOR(struct LunaHazard) hazards; ///< see validate_hazards.h
  LunaUnknown unknown;
  MlirOperation first_unknown; ///< in a plan: first not in the program
};

/// Refuses the plan at `op`. Returns false.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
bool luna_side_fail(LunaSide *side, MlirOperation op, const char *format, ...);
/// Adds a note at `other` to the fault. Returns false.
bool luna_side_note(LunaSide *side, MlirOperation other, const char *note);

/// Records the path of an arm, for messages.
void luna_side_set_arm(LunaSide *side, MlirOperation branch, intptr_t region,
                       LunaTerm path);

/// Adds a buffer to the arena of the side.
const LunaBuffer *luna_side_buffer(LunaSide *side, LunaBuffer buffer);

/// Returns the meaning of `value`; no pointer and no term if none was set.
LunaUnitSemantics luna_side_get(const LunaSide *side, MlirValue value);
/// Returns that of operand `i` of an operator; of a scalar, of a memref.
LunaUnitSemantics luna_side_operand(const LunaSide *side, MlirOperation op,
                                    intptr_t i);
LunaTerm luna_side_term(const LunaSide *side, MlirOperation op, intptr_t i);
const LunaPointer *luna_side_pointer(const LunaSide *side, MlirOperation op,
                                     intptr_t i);
void luna_side_set(LunaSide *side, MlirValue value, LunaUnitSemantics meaning);

/// Returns the memory of an allocation, a global or an argument; the first call
/// with a key adds it.
uint32_t luna_side_memory(LunaSide *side, const void *key, int64_t byte_count);

/// Returns the contents of the memref on the current path, in the order of its
/// elements.
LunaRuns luna_side_read(LunaSide *side, const LunaPointer *pointer);
/// Returns the term of these.
LunaTerm luna_side_contents(LunaSide *side, const LunaPointer *pointer);
/// Writes the contents of the memref.
void luna_side_write(LunaSide *side, const LunaPointer *pointer,
                     const LunaRuns *from);
/// Writes the contents of the memref as control flow does that forwards it: the
/// bytes of other names stay as they are.
void luna_side_fill(LunaSide *side, const LunaPointer *pointer,
                    const LunaRuns *from);

/// Begins a new buffer of a plan, whose allocation is `key`; returns the memory
/// of one byte that tells if it was accessed yet. Its bytes become undefined at
/// the first access, not before: another buffer may be live there until then.
uint32_t luna_side_begin_buffer(LunaSide *side, const void *key);
/// Marks the buffer as accessed, without reading or writing it.
void luna_side_touch(LunaSide *side, const LunaPointer *pointer);

/// Makes the bytes of the memref undefined.
void luna_side_forget(LunaSide *side, const LunaPointer *pointer);
/// Records that nothing computed the result of `op` before.
void luna_side_computed(LunaSide *side, MlirOperation op);
/// Returns the values of `a` if `condition` holds, else those of `b`, which has
/// the same length. What is a choice of delayed ones is delayed, too.
LunaRuns luna_side_join(LunaSide *side, LunaTerm condition, const LunaRuns *a,
                        const LunaRuns *b);

/// Returns the same, delayed wherever both differ.
LunaRuns luna_side_delay(LunaSide *side, LunaTerm condition, const LunaRuns *a,
                         const LunaRuns *b);
/// Returns the values of delayed choices where `path` holds.
LunaRuns luna_side_forced(LunaSide *side, LunaTerm path, LunaRuns runs);

/// Sets the pages that differ between two states to what `combine` makes of
/// both, without delayed choices.
void luna_side_combine(LunaSide *side, LunaState *into, const LunaState *a,
                       const LunaState *b, LunaCombine combine, void *data);
/// Returns the contents of a page without delayed choices.
LunaRuns luna_side_page(LunaSide *side, const LunaState *state, uint32_t page);

/// Returns the term of a sequence of values, with constants by content.
LunaTerm luna_side_sequence(LunaSide *side, const LunaRuns *runs);

/// Returns the bytes of `count` consecutive runs, all of them constant.
const uint8_t *luna_side_constant(LunaSide *side, const LunaRun *runs,
                                  uint32_t count);

/// Sets the pointer of the result of `op`, a view of a memref. Returns false,
/// with an error, if its semantics are unknown.
bool luna_side_view(LunaSide *side, MlirOperation op);
/// Returns true if `op` is a view of a memref.
bool luna_side_is_view(MlirOperation op);

#endif // VALIDATE_SIDE_H
