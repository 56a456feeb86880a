#ifndef LUNA_MUTATION_SEARCH_H
#define LUNA_MUTATION_SEARCH_H

// What the kinds of faults share: finding places for one, and buffers.

#include "luna-c/ops.h"
#include "luna/vector.h"
#include "structure.h"

/// One walk over the places for a fault: counts them, or applies one.
typedef struct LunaMutationSearch {
  LunaArena *arena;
  MlirOperation func;
  /// All of the function in program order, then the operators beside it.
  LUNA_VECTOR(MlirOperation) ops;
  uint32_t wanted, seen;
  const char *path; ///< of the fault applied
} LunaMutationSearch;

enum {
  /// The alignment of buffers on the built-in machines.
  LUNA_MUTATION_ALIGN_BYTES = 16,
  LUNA_MUTATION_ROOTS_MAX = 8,
};

/// A kind of fault. `visit` offers the faults at `op` to luna_mutation_take and
/// makes the one that is taken.
typedef struct LunaMutation {
  const char *name;
  void (*visit)(LunaMutationSearch *search, MlirOperation op);
  /// Each of them is wrong by definition, whatever a run shows.
  bool is_wrong;
  /// The record of the program is taken away.
  bool is_bare;
} LunaMutation;

typedef struct LunaMutationTable {
  const LunaMutation *rows;
  uint32_t count;
} LunaMutationTable;

extern const LunaMutationTable luna_mutations_of_safety;
extern const LunaMutationTable luna_mutations_of_transfers;
extern const LunaMutationTable luna_mutations_of_operators;
extern const LunaMutationTable luna_mutations_of_structure;
extern const LunaMutationTable luna_mutations_of_places;
extern const LunaMutationTable luna_mutations_of_interface;
extern const LunaMutationTable luna_mutations_of_scalars;
extern const LunaMutationTable luna_mutations_of_traps;
extern const LunaMutationTable luna_mutations_of_loops;
extern const LunaMutationTable luna_mutations_of_inserts;
extern const LunaMutationTable luna_mutations_of_slices;
extern const LunaMutationTable luna_mutations_of_attributes;
extern const LunaMutationTable luna_mutations_of_layouts;
extern const LunaMutationTable luna_mutations_of_folds;

/// Returns true if the next fault, at `op`, is the one to make.
bool luna_mutation_take(LunaMutationSearch *search, MlirOperation op);
/// Offers the fault that operand `index` of `op` is another value, or this
/// constant of its type. Returns true if it is the one to make, and made.
bool luna_mutation_set(LunaMutationSearch *search, MlirOperation op,
                       intptr_t index, MlirValue value);
bool luna_mutation_set_number(LunaMutationSearch *search, MlirOperation op,
                              intptr_t index, int64_t number);
/// The same of two operands that are exchanged.
bool luna_mutation_exchange(LunaMutationSearch *search, MlirOperation op,
                            intptr_t i, intptr_t j);

/// Returns the planned allocation that a value lies in, or a null op where that
/// is not one for certain.
MlirOperation luna_mutation_root(MlirValue value);
/// Writes up to LUNA_MUTATION_ROOTS_MAX planned allocations that a value may
/// lie in: also through branches and what loops carry. Returns how many.
uint32_t luna_mutation_roots(MlirValue value,
                             MlirOperation roots[LUNA_MUTATION_ROOTS_MAX]);
/// Returns the place of an allocation; id -1 where it has none.
LunaPlacement luna_mutation_place(MlirOperation alloc);
int64_t luna_mutation_id(MlirOperation alloc);
/// Returns the size of an allocation in bytes.
int64_t luna_mutation_bytes(MlirOperation alloc);
/// Puts all allocations of buffer `id` at `offset_bytes`, as buffer `new_id`.
void luna_mutation_move(LunaMutationSearch *search, int64_t id, int64_t new_id,
                        int64_t offset_bytes);

/// Puts up to `count_max` values that can stand for `value` at `user` but lie
/// in another buffer into `others`: those of its type before `user`, nearest
/// first. Returns how many there are.
uint32_t luna_mutation_others(const LunaMutationSearch *search,
                              MlirOperation user, MlirValue value,
                              MlirValue *others, uint32_t count_max);
/// Puts up to `count_max` other values of the type of `value` that are visible
/// at `user` into `others`, nearest first. Returns how many there are.
uint32_t luna_mutation_alternatives(MlirOperation user, MlirValue value,
                                    MlirValue *others, uint32_t count_max);
/// Offers each of up to `count_max` other values for operand `index` of `op`.
void luna_mutation_redirect(LunaMutationSearch *search, MlirOperation op,
                            intptr_t index, uint32_t count_max);

/// Returns true for an op with regions that are control flow or luna.region.
bool luna_mutation_is_structured(MlirOperation op);
/// Returns true for an scf.for.
bool luna_mutation_is_for(MlirOperation op);
/// Returns true for what computes: an operator of the unit or of linalg.
bool luna_mutation_computes(MlirOperation op);
/// Creates an integer or index constant of this type.
MlirValue luna_mutation_constant(MlirOperation before, MlirType type,
                                 int64_t value);

#endif // LUNA_MUTATION_SEARCH_H
