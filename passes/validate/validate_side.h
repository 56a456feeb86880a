#ifndef VALIDATE_SIDE_H
#define VALIDATE_SIDE_H

// One of the two programs under comparison: its memories, what its values
// stand for, and where its memrefs point.

#include "luna-c/ir.h"
#include "validate_memory.h"

/// Where the elements of a memref lie.
///
/// With a `window` the place is that part of what is described here: it depends
/// on values known only while running, which the term names.
typedef struct LunaPlace {
  uint32_t memory;
  int64_t base_bytes;   ///< where the buffer starts in its memory
  int64_t offset_bytes; ///< of the first element in its memory
  int64_t element_bytes;
  intptr_t rank;
  int64_t shape[LUNA_RANK_MAX], strides[LUNA_RANK_MAX]; ///< strides in bytes
  LunaTerm window;
  int64_t window_bytes;
  /// The allocation of a plan that it is of: the memory of one byte that says
  /// whether it was touched, and its size; 0 bytes for what has none.
  uint32_t freshness;
  int64_t buffer_bytes;
} LunaPlace;

/// A place, or one of two by a condition (`sides[0]` where it holds).
typedef struct LunaPointer {
  LunaTerm condition; ///< LUNA_TERM_UNDEFINED for a place
  LunaPlace place;
  const struct LunaPointer *sides[2];
} LunaPointer;

/// What a value stands for: a pointer for memrefs, a term for scalars.
typedef struct LunaMeaning {
  const LunaPointer *pointer;
  LunaTerm term;
} LunaMeaning;

/// One of the two programs.
typedef struct LunaSide {
  LunaArena *arena;
  LunaTerms *terms;
  MlirOperation func;
  MlirOperation symbols; ///< holds the globals
  bool is_plan;          ///< allocations are places of one arena
  bool cuts_channels;    ///< operators are followed channel by channel
  struct LunaConstants *constants; ///< of the program
  LunaMemories memories;
  LunaState state;
  uint32_t arena_memory;
  LunaMap keys; // values, and ops of memories
  LUNA_VECTOR(LunaMeaning) meanings;
  LunaMap heads; // operators whose names and attributes have a term
  LUNA_VECTOR(LunaTerm) head_terms;
  MlirOperation first_unknown; ///< of a plan: gave what the program does not
} LunaSide;

/// Returns the tensor type of a memref's shape and elements: layout and memory
/// are no part of what an operator computes.
MlirType luna_tensor_like(MlirType memref);

/// Returns what `value` stands for; no pointer and no term where nothing set
/// it.
LunaMeaning luna_side_get(const LunaSide *side, MlirValue value);
void luna_side_set(LunaSide *side, MlirValue value, LunaMeaning meaning);

/// Returns the memory of an allocation, a global or an argument, added at the
/// first call with this key.
uint32_t luna_side_memory(LunaSide *side, const void *key, int64_t byte_count);

/// Returns true, and the memory, if there is one with this key.
bool luna_side_find_memory(const LunaSide *side, const void *key,
                           uint32_t *memory);

/// Returns a pointer to a whole memref of `type` at `offset_bytes` of `memory`;
/// NULL where the type has dynamic extents or strides.
LunaPointer *luna_side_point(LunaSide *side, MlirType type, uint32_t memory,
                             int64_t offset_bytes);
/// Returns one of two pointers by a condition.
const LunaPointer *luna_side_choose(LunaSide *side, LunaTerm condition,
                                    const LunaPointer *a, const LunaPointer *b);
/// Returns true if both point at the same elements on every path.
bool luna_pointer_equal(const LunaPointer *a, const LunaPointer *b);

/// Returns what the memref holds, in the order of its elements.
LunaRuns luna_side_read(LunaSide *side, const LunaPointer *pointer);
/// Writes it.
void luna_side_write(LunaSide *side, const LunaPointer *pointer,
                     const LunaRuns *from);
/// Makes what `pointer` points at a new buffer of a plan: its bytes are
/// undefined when it is first touched, and not before, since others may live
/// there until then. `key` is the allocation.
void luna_side_begin_buffer(LunaSide *side, LunaPointer *pointer,
                            const void *key);
/// Touches the buffer without reading or writing it.
void luna_side_touch(LunaSide *side, const LunaPointer *pointer);

/// Leaves undefined bytes there.
void luna_side_forget(LunaSide *side, const LunaPointer *pointer);
/// Takes note that `op` computed what nothing had computed before.
void luna_side_computed(LunaSide *side, MlirOperation op);
/// Returns the values that are those of `a` where `condition` holds, of `b`
/// elsewhere; both are of one length.
LunaRuns luna_side_join(LunaSide *side, LunaTerm condition, const LunaRuns *a,
                        const LunaRuns *b);

/// Returns the bytes of a memref of the pointer's shape.
int64_t luna_pointer_bytes(const LunaPointer *pointer);

/// Returns the term of a sequence of values; constants count by their content.
LunaTerm luna_side_sequence(LunaSide *side, const LunaRuns *runs);

/// Returns the bytes of `count` neighbouring runs that are all constant.
const uint8_t *luna_side_constant(LunaSide *side, const LunaRun *runs,
                                  uint32_t count);

/// Makes of `op`, which takes a memref to another of the same bytes or fewer,
/// the pointer of its result. False, with an error, for one that is not known.
bool luna_side_view(LunaSide *side, MlirOperation op);
/// Returns true if `op` is such an operator.
bool luna_side_is_view(MlirOperation op);

#endif // VALIDATE_SIDE_H
