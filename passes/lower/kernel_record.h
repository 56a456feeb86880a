#ifndef LUNA_KERNEL_RECORD_H
#define LUNA_KERNEL_RECORD_H

#include "luna/map.h"
#include "luna/text.h"
#include "mlir-c/IR.h"

/// A value that an operator uses and that is defined outside of it, as its
/// function receives it.
typedef struct LunaKernelValue {
  MlirValue value;
  MlirType type;
  MlirAttribute constant; ///< the function has it; null for an argument
} LunaKernelValue;

/// The printed attributes and types of a context. Zero-initialise; nothing is
/// to be freed.
typedef struct LunaKernelTexts {
  LunaMap objects;
  LUNA_VECTOR(LunaMapKey) texts;
} LunaKernelTexts;

/// Appends what the code of an operator of the host core depends on: its op,
/// attributes and body, and the types and constants among `values[0..count)`,
/// all that it uses from outside. Two operators whose records are equal can
/// share a function, in which the values have the order given. Keeps texts in
/// `arena`, always the same for `texts`. Returns false if it has no record, for
/// it has blocks that branch to each other.
bool luna_kernel_record(MlirOperation op, const LunaKernelValue *values,
                        uint64_t count, LunaKernelTexts *texts,
                        LunaArena *arena, LunaText *record);

#endif // LUNA_KERNEL_RECORD_H
