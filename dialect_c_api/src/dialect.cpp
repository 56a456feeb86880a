//===-- dialect.cpp - registration of the luna dialect --------------------===//

#include "LunaDialect.h"

#include "luna-c/dialect.h"
#include "luna-c/verify.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "LunaDialect.cpp.inc"
#include "LunaEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "LunaAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "LunaTypes.cpp.inc"
#define GET_OP_CLASSES
#include "LunaOps.cpp.inc"

using namespace mlir;
using namespace mlir::bufferization;

namespace {

// Tensor form to memref form: the same op on buffers, without results.
template <typename OpTy>
struct UnitOpBufferization
    : DstBufferizableOpInterfaceExternalModel<UnitOpBufferization<OpTy>, OpTy> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    rewriter.setInsertionPoint(op);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      if (!isa<TensorType>(operand.getType())) {
        operands.push_back(operand);
        continue;
      }
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      operands.push_back(*buffer);
    }
    Value output = operands.back();
    OperationState created(op->getLoc(), op->getName(), operands, TypeRange(),
                           op->getAttrs());
    created.propertiesAttr = op->getPropertiesAsAttribute();
    rewriter.create(created);
    replaceOpWithBufferizedValues(rewriter, op, output);
    return success();
  }
};

} // namespace

void luna::LunaDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "LunaOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "LunaAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "LunaTypes.cpp.inc"
      >();
  Conv2dOp::attachInterface<UnitOpBufferization<Conv2dOp>>(*getContext());
  MatmulOp::attachInterface<UnitOpBufferization<MatmulOp>>(*getContext());
  AddOp::attachInterface<UnitOpBufferization<AddOp>>(*getContext());
  SubOp::attachInterface<UnitOpBufferization<SubOp>>(*getContext());
  MulOp::attachInterface<UnitOpBufferization<MulOp>>(*getContext());
  MaxPool2dOp::attachInterface<UnitOpBufferization<MaxPool2dOp>>(*getContext());
  AvgPool2dOp::attachInterface<UnitOpBufferization<AvgPool2dOp>>(*getContext());
  TableOp::attachInterface<UnitOpBufferization<TableOp>>(*getContext());
}

//===----------------------------------------------------------------------===//
// Memory effects: inputs are read, the output and the scratch are written.
//===----------------------------------------------------------------------===//

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

static void addEffects(Operation *op, Effects &effects) {
  auto unit = cast<DestinationStyleOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    if (unit.isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    else
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  }
}

// The scratch of a tiled operator is written before it is read.
template <typename OpTy>
static void addScratchEffects(OpTy op, Effects &effects) {
  addEffects(op, effects);
  if (op.getScratch())
    effects.emplace_back(MemoryEffects::Write::get(),
                         &op.getScratchMutable()[0]);
}

#define LUNA_UNIT_OP(OP, VERIFY, EFFECTS)                                      \
  void luna::OP::getEffects(Effects &effects) { EFFECTS(*this, effects); }     \
  LogicalResult luna::OP::verify() {                                           \
    return unwrap(VERIFY(wrap(getOperation())));                               \
  }
LUNA_UNIT_OP(Conv2dOp, luna_verify_conv2d, addScratchEffects)
LUNA_UNIT_OP(MatmulOp, luna_verify_matmul, addScratchEffects)
LUNA_UNIT_OP(AddOp, luna_verify_eltwise, addEffects)
LUNA_UNIT_OP(SubOp, luna_verify_eltwise, addEffects)
LUNA_UNIT_OP(MulOp, luna_verify_eltwise, addEffects)
LUNA_UNIT_OP(MaxPool2dOp, luna_verify_pool, addEffects)
LUNA_UNIT_OP(AvgPool2dOp, luna_verify_pool, addEffects)
LUNA_UNIT_OP(TableOp, luna_verify_table, addEffects)
#undef LUNA_UNIT_OP

// A start reads and writes its ends; a wait orders everything around it.
void luna::DmaStartOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getTargetMutable());
}

LogicalResult luna::DmaStartOp::verify() {
  return unwrap(luna_verify_dma_start(wrap(getOperation())));
}

void luna::DmaWaitOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult luna::RegionOp::verify() {
  return unwrap(luna_verify_region(wrap(getOperation())));
}

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Luna, luna, luna::LunaDialect)
