#ifndef LUNA_C_BUILD_LOOP_H
#define LUNA_C_BUILD_LOOP_H

//===-- luna-c/build_loop.h - scf.for -------------------------------------===//
//
// A loop that carries one value:
//
//   LunaLoop loop = luna_loop(&b, first, end, zero);
//   MlirValue more = luna_scalar_add(&b, loop.carried, loop.index);
//   MlirValue sum = luna_loop_end(&loop, more);
//
// From luna_loop to luna_loop_end the builder's block is the body.
//
//===----------------------------------------------------------------------===//

#include "luna-c/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A loop whose body is being built.
typedef struct LunaLoop {
  LunaBuilder *builder;
  MlirBlock body, outer;
  MlirOperation before;
  MlirValue operands[4]; ///< of the op: first, end, step, init
  MlirValue index;       ///< of the iteration, from first to below end
  MlirValue carried;     ///< at the start of the iteration
} LunaLoop;

/// Opens the body of a loop over [first, end), values of type index.
LunaLoop luna_loop(LunaBuilder *b, MlirValue first, MlirValue end,
                   MlirValue init);
/// Closes the body with the value to carry on. Returns that of the last
/// iteration, or the initial one.
MlirValue luna_loop_end(LunaLoop *loop, MlirValue value);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_BUILD_LOOP_H
