//===-- LunaDialect.h - generated classes of the luna dialect -*- C++ -*-===//

#ifndef LUNA_DIALECT_H
#define LUNA_DIALECT_H

#include <map>
#include <mutex>

#include "luna-c/pass.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

// What every operator of the unit shares; used by the generated classes.
namespace luna {
using Effects = llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance>;
llvm::LogicalResult verifyUnit(mlir::Operation *op);
void addUnitEffects(mlir::Operation *op, Effects &effects);
} // namespace luna

#include "LunaDialect.h.inc"
#include "LunaEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "LunaAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "LunaTypes.h.inc"
#define GET_OP_CLASSES
#include "LunaOps.h.inc"

#endif // LUNA_DIALECT_H
