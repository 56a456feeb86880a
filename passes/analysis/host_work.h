#ifndef LUNA_HOST_WORK_H
#define LUNA_HOST_WORK_H

#include "luna/machine.h"
#include "mlir-c/IR.h"

// What single operations are for the host core.

/// `times` of a class; LUNA_HOST_COST_COUNT for what is free.
typedef struct LunaHostWork {
  LunaHostCost cost;
  int times;
} LunaHostWork;

/// Returns what an operation on scalars is for the core, as LLVM compiles it:
/// with a constant operand, it may be another class.
LunaHostWork luna_host_work(MlirOperation op);

/// Returns the instructions of LLVM's IR that an operation counts as where
/// loops are unrolled (TargetTransformInfo, code size).
int luna_host_instructions(LunaHostCost cost);

/// Returns true where a minimum of a maximum leaves one number.
bool luna_host_is_one_number(MlirOperation op);

/// Returns true for what leads to such numbers alone, which LLVM leaves out.
bool luna_host_is_dead(MlirOperation op);

#endif // LUNA_HOST_WORK_H
