#ifndef LUNA_C_BUILD_GENERIC_H
#define LUNA_C_BUILD_GENERIC_H

//===-- luna-c/build_generic.h - linalg.generic ---------------------------===//
//
// Loops over tensors with a body of scalar ops:
//
//   LunaGeneric sum = luna_generic(&b, &shape);
//   MlirValue x = luna_generic_input(&sum, lhs); // broadcast
//   MlirValue y = luna_generic_input(&sum, rhs);
//   luna_generic_result(&sum, b.i32);
//   MlirValue tensor = luna_generic_end(&sum, luna_scalar_add(&b, x, y));
//
// From luna_generic to luna_generic_end the builder's block is the body: what
// has to stand outside of it is made before. Inputs and updates may be memrefs
// instead; the op then has no results.
//
//===----------------------------------------------------------------------===//

#include "luna-c/builder.h"
#include "mlir-c/AffineMap.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The most inputs, and the most results, of one.
enum { LUNA_GENERIC_MAX = 12 };

/// An op whose body is being built.
typedef struct LunaGeneric {
  LunaBuilder *builder;
  MlirBlock body, outer;
  MlirOperation before;
  LunaShape loops;
  bool is_parallel[LUNA_RANK_MAX], is_ordered[LUNA_RANK_MAX];
  int input_count, result_count;
  MlirValue inputs[LUNA_GENERIC_MAX];
  MlirAffineMap maps[LUNA_GENERIC_MAX];
  MlirValue inits[LUNA_GENERIC_MAX]; ///< null: a tensor.empty
  MlirAffineMap result_maps[LUNA_GENERIC_MAX];
  MlirType results[LUNA_GENERIC_MAX];
} LunaGeneric;

/// Opens the body of loops of these extents.
LunaGeneric luna_generic(LunaBuilder *b, const LunaShape *loops);
/// The same for the extents of a tensor.
LunaGeneric luna_generic_over(LunaBuilder *b, MlirValue tensor);

/// Opens the body of a function of the elements of `count` tensors, over the
/// shape that they broadcast to: `elements` takes theirs, `element` is the
/// result's type.
LunaGeneric luna_generic_map(LunaBuilder *b, int count,
                             const MlirValue *tensors, MlirType element,
                             MlirValue *elements);

/// Adds an input and returns its element. It broadcasts to the loops:
/// dimensions count from the last one, those of 1 repeat. All inputs come
/// before the first result.
MlirValue luna_generic_input(LunaGeneric *generic, MlirValue tensor);
/// The same where loop loops[i], or the constant -1 - loops[i] if that is
/// negative, is the index of dimension i.
MlirValue luna_generic_input_at(LunaGeneric *generic, MlirValue tensor,
                                const int *loops);
/// The same where `map` has the indices.
MlirValue luna_generic_input_map(LunaGeneric *generic, MlirValue tensor,
                                 MlirAffineMap map);

/// Adds a result of the loops' extents.
void luna_generic_result(LunaGeneric *generic, MlirType element);
/// Adds a result that starts as `tensor`, of the loops' extents, and returns
/// the element there was.
MlirValue luna_generic_update(LunaGeneric *generic, MlirValue tensor);
/// The same where loops[i] gives the index of dimension i as for an input.
/// Loops that no result has are reductions.
MlirValue luna_generic_update_at(LunaGeneric *generic, MlirValue tensor,
                                 const int *loops);

/// Makes the iterations of a loop run one after the other, so that a result
/// with an index of it may depend on those before.
void luna_generic_in_order(LunaGeneric *generic, int loop);

/// Adds the index of a loop.
MlirValue luna_generic_index(LunaGeneric *generic, int64_t loop);

/// Closes the body with the elements of all results. Returns the op, or the
/// result of one that has only one.
MlirOperation luna_generic_close(LunaGeneric *generic, const MlirValue *values);
MlirValue luna_generic_end(LunaGeneric *generic, MlirValue value);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_BUILD_GENERIC_H
