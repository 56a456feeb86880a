#ifndef VERIFY_MACHINE_H
#define VERIFY_MACHINE_H

// The abstract machine: memories, the values of scalars and the places of
// memrefs of one of the two programs.

#include "luna-c/ir.h"
#include "verify_memory.h"
#include "verify_plan.h"

// Where memrefs point.

typedef struct LunaSide LunaSide;

/// What a memref is a view of: an allocation, an argument or a global, and the
/// bytes of a memory that it has. A memref that a loop carries has the name of
/// the buffer that it is at first, and a memory for its contents
/// (verify_carried.h).
typedef struct LunaBuffer {
  uint32_t memory;
  int64_t begin_bytes, size_bytes;
  MlirOperation op;     ///< that allocates it; null for others
  MlirStringRef symbol; ///< of a global; data NULL for others
  intptr_t argument;    ///< its number; -1 for others
  /// Of an allocation of a plan, the memory of one byte that tells if it was
  /// accessed yet; 0 for others.
  uint32_t freshness;
} LunaBuffer;

/// Where the elements of a memref lie.
///
/// With a `window` it is a part of the memref described here: the part depends
/// on values known only at run time, which the term stands for.
typedef struct LunaPlace {
  uint32_t memory;
  const LunaBuffer *buffer;
  int64_t offset_bytes; ///< of the first element in its memory
  int64_t element_bytes;
  intptr_t rank;
  int64_t shape[LUNA_RANK_MAX], strides[LUNA_RANK_MAX]; ///< strides in bytes
  LunaTerm window;
  int64_t window_bytes;
} LunaPlace;

/// A place of a memref, and when it is there.
typedef struct LunaOption {
  const LunaPlace *place;
  LunaTerm condition;
} LunaOption;

/// Where a memref points: at one of several places, each of them once. One of
/// the conditions holds.
typedef struct LunaPointer {
  LUNA_VECTOR(LunaOption);
} LunaPointer;

/// Returns the tensor type with a memref's shape and elements: an operator's
/// result does not depend on layout and memory.
MlirType luna_tensor_like(MlirType memref);

/// Returns the place of a whole memref of `type` at `offset_bytes` of the
/// memory of `buffer`; NULL if the type has dynamic extents or strides, or its
/// bytes exceed 63 bits.
const LunaPlace *luna_side_point(LunaSide *side, MlirType type,
                                 const LunaBuffer *buffer,
                                 int64_t offset_bytes);
/// Returns a pointer to one place.
LunaPointer *luna_pointer_to(LunaSide *side, const LunaPlace *place);
/// Adds a place, or the condition if the pointer has the place.
void luna_pointer_add(LunaSide *side, LunaPointer *pointer,
                      const LunaPlace *place, LunaTerm condition);
/// Returns what `change` makes of each place; NULL if it is NULL for one.
const LunaPointer *
luna_pointer_map(LunaSide *side, const LunaPointer *pointer,
                 const LunaPlace *(*change)(LunaSide *side,
                                            const LunaPlace *place, void *data),
                 void *data);
/// Returns the choice of two pointers by a condition.
const LunaPointer *luna_side_choose(LunaSide *side, LunaTerm condition,
                                    const LunaPointer *a, const LunaPointer *b);
/// Returns true if both point to the same elements on every path.
bool luna_pointer_equal(const LunaPointer *a, const LunaPointer *b);

/// Returns the bytes of a memref of the pointer's shape.
int64_t luna_pointer_bytes(const LunaPointer *pointer);

/// Returns the bytes of a place.
int64_t luna_place_bytes(const LunaPlace *place);
/// Returns the bytes from the lowest element of a place to the highest, in its
/// memory; of a window those of the memref that it is a part of.
LunaPiece luna_place_span(const LunaPlace *place);
/// Returns true if all bytes of the place are those of its buffer. What control
/// flow never reaches may access others: it reads undefined bytes there and
/// writes none.
bool luna_place_is_inside(const LunaPlace *place);
/// Returns true if two places have the same elements in the same order.
bool luna_place_equal(const LunaPlace *a, const LunaPlace *b);
/// Returns the bytes of a place in the order of its elements.
LunaPieces luna_place_pieces(const LunaSide *side, const LunaPlace *place);
/// Returns the address of byte `position` in the order of its elements.
int64_t luna_place_address(const LunaPlace *place, int64_t position);

// One of the two programs under comparison: its memories, the terms of its
// scalars and the pointers of its memrefs.

/// The meaning of a value: a pointer for memrefs, a term for scalars.
typedef struct LunaMeaning {
  const LunaPointer *pointer;
  LunaTerm term;
} LunaMeaning;

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

/// A global.
typedef struct LunaConstant {
  MlirStringRef name;
  LunaTerm term;
} LunaConstant;

/// A place that an operator wrote.
typedef struct LunaWrite {
  MlirOperation op;
  const LunaPlace *place;
  LunaTerm path;
} LunaWrite;

/// What the operators of the program read, by operator.
typedef struct LunaReadLog {
  LunaMap keys;
  LUNA_VECTOR(LunaRuns *) reads; ///< of each access; in the order of accesses
} LunaReadLog;

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
  bool is_plan;       ///< allocations are views of one arena
  bool is_self;       ///< both sides are the plan
  bool cuts_channels; ///< products are executed channel by channel
  LunaMemories memories;
  LunaState state;
  LunaTerm path;    ///< under which control flow is where it is
  LunaMap arm_keys; ///< regions of branches
  LUNA_VECTOR(LunaArm) arms;
  struct LunaCarriedNames *carried; ///< memrefs that loops carry by value
  /// What the program reads, if it is the plan itself, by operator; shared.
  LunaReadLog *reads;
  LUNA_VECTOR(const LunaBuffer *) accessed; ///< of a plan, when each was first
  LUNA_VECTOR(LunaWrite) writes; ///< in such a plan, in order; for messages
  uint32_t arena_memory;
  LunaMap keys; // values, and ops of memories
  LUNA_VECTOR(LunaMeaning) meanings;
  LunaMap heads; // operators whose names and attributes have a term
  LUNA_VECTOR(LunaTerm) head_terms;
  LunaMap results; // terms of operators' results
  LUNA_VECTOR(MlirOperation) producers;
  LUNA_VECTOR(LunaConstant) constants;    // for messages
  LunaMap loops;                          // that were run
  LUNA_VECTOR(struct LunaLoop *) runs;    ///< the last of each
  LUNA_VECTOR(struct LunaHazard) hazards; ///< see verify_rules.h
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
LunaMeaning luna_side_get(const LunaSide *side, MlirValue value);
/// Returns that of operand `i` of an operator; of a scalar, of a memref.
LunaMeaning luna_side_operand(const LunaSide *side, MlirOperation op,
                              intptr_t i);
LunaTerm luna_side_term(const LunaSide *side, MlirOperation op, intptr_t i);
const LunaPointer *luna_side_pointer(const LunaSide *side, MlirOperation op,
                                     intptr_t i);
void luna_side_set(LunaSide *side, MlirValue value, LunaMeaning meaning);

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
void luna_side_touch(LunaSide *side, const LunaBuffer *buffer);

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

/// Returns the same values; neighbouring constants are one, by its content: so
/// packed, split and renamed constants are equal.
LunaRuns luna_side_by_content(LunaSide *side, LunaRuns runs);
/// Returns the term of a sequence of values, with constants by content.
LunaTerm luna_side_sequence(LunaSide *side, const LunaRuns *runs);

/// Returns the bytes of runs if there are any and all of them are constant,
/// else NULL.
const uint8_t *luna_side_constant(LunaSide *side, const LunaRuns *runs);

/// Sets the pointer of the result of `op`, a view of a memref. Returns false,
/// with an error, if its semantics are unknown.
bool luna_side_view(LunaSide *side, MlirOperation op);
/// Returns true if `op` is a view of a memref.
bool luna_side_is_view(MlirOperation op);

// The record of an operator: all that its results depend on, as words. Offsets,
// tilings and scratch are not part of it.

typedef struct LunaRecord {
  LunaSide *side;
  LUNA_VECTOR(uint64_t) words;
  uint64_t loops;
} LunaRecord;

void luna_record_word(LunaRecord *record, uint64_t word);
/// Adds an object of the context, by its address.
void luna_record_pointer(LunaRecord *record, const void *pointer);
/// Adds a term and the loops on which it depends.
void luna_record_term(LunaRecord *record, LunaTerm term);
/// Adds an operand of a tensor type that has these bytes.
void luna_record_constant(LunaRecord *record, MlirType type,
                          const uint8_t *bytes);
/// Adds the name of an operator and its attributes, except offsets and tilings.
void luna_record_head(LunaRecord *record, LunaTermKind kind, MlirOperation op);
/// Adds a region: its operators, with values renumbered. Scalars from outside
/// are added as terms, memrefs from outside as their contents.
void luna_record_region(LunaRecord *record, MlirRegion region);
/// Returns the start of the record of a part of what `place` shows.
LunaRecord luna_record_window(LunaSide *side, const LunaPlace *place);
/// Adds which bytes of its memref a view shows, at computed places, too.
void luna_record_view(LunaRecord *record, MlirOperation view);
/// Returns the term of the record.
LunaTerm luna_record_finish(const LunaRecord *record);

#endif // VERIFY_MACHINE_H
