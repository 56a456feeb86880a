#ifndef VALIDATE_SIDE_H
#define VALIDATE_SIDE_H

// One of the two programs under comparison: its memories, the terms of its
// scalars and the pointers of its memrefs.

#include "luna-c/ir.h"
#include "validate_memory.h"
#include "validate_pointer.h"

/// The meaning of a value: a pointer for memrefs, a term for scalars.
typedef struct LunaMeaning {
  const LunaPointer *pointer;
  LunaTerm term;
} LunaMeaning;

/// The first operator of a plan that gave what the program does not.
typedef struct LunaUnknown {
  LunaTerm result;
  LunaRuns *runs;      ///< what its operands held
  LunaTerm *sequences; ///< the same; undefined where it does not read
  intptr_t count;
} LunaUnknown;

/// One of the two programs.
struct LunaSide {
  LunaArena *arena;
  LunaTerms *terms;
  MlirOperation func;
  MlirOperation symbols;           ///< holds the globals
  bool is_plan;                    ///< allocations are views of one arena
  bool cuts_channels;              ///< products are executed channel by channel
  struct LunaConstants *constants; ///< of the program
  LunaMemories memories;
  LunaState state;
  LunaTerm path; ///< under which control flow is where it is
  uint32_t arena_memory;
  LunaMap keys; // values, and ops of memories
  LUNA_VECTOR(LunaMeaning) meanings;
  LunaMap heads; // operators whose names and attributes have a term
  LUNA_VECTOR(LunaTerm) head_terms;
  LunaMap results; // terms of operators' results
  LUNA_VECTOR(MlirOperation) producers;
  LunaMap named; // terms of constants
  LUNA_VECTOR(MlirStringRef) names;
  LunaMap loops;                       // that were run
  LUNA_VECTOR(struct LunaLoop *) runs; ///< the last of each
  LunaUnknown unknown;
  MlirOperation first_unknown; ///< in a plan: first not in the program
};

/// Returns the meaning of `value`; no pointer and no term if none was set.
LunaMeaning luna_side_get(const LunaSide *side, MlirValue value);
void luna_side_set(LunaSide *side, MlirValue value, LunaMeaning meaning);

/// Returns the memory of an allocation, a global or an argument; the first call
/// with a key adds it.
uint32_t luna_side_memory(LunaSide *side, const void *key, int64_t byte_count);

/// Returns true, and the memory, if `key` has one.
bool luna_side_find_memory(const LunaSide *side, const void *key,
                           uint32_t *memory);

/// Returns the contents of the memref on the current path, in the order of its
/// elements.
LunaRuns luna_side_read(LunaSide *side, const LunaPointer *pointer);
/// Writes the contents of the memref.
void luna_side_write(LunaSide *side, const LunaPointer *pointer,
                     const LunaRuns *from);
/// Begins a new buffer of a plan where `pointer` points. Its bytes become
/// undefined at the first access, not before, since another buffer may be live
/// there until then. `key` is the allocation.
void luna_side_begin_buffer(LunaSide *side, LunaPointer *pointer,
                            const void *key);
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
