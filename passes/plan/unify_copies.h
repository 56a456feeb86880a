#ifndef LUNA_UNIFY_COPIES_H
#define LUNA_UNIFY_COPIES_H

#include "join_price.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

/// Makes one buffer of those that copies in `func` connect, and of operands and
/// results of operators that may work in place, as luna_plan_coalesce decides
/// for the target's memory and cycles. Emits an error and returns failure if
/// `func` cannot be planned.
MlirLogicalResult luna_unify_copies(MlirOperation func,
                                    const LunaJoinTarget *target);

#endif // LUNA_UNIFY_COPIES_H
