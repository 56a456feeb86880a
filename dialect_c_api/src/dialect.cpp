//===-- dialect.cpp - registration of the luna dialect --------------------===//

#include "LunaDialect.h"

#include "luna-c/dialect.h"
#include "luna-c/ops.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/IR/DialectImplementation.h"
#include "verify.h"
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

struct LabelResource : SideEffects::Resource::Base<LabelResource> {
  StringRef getName() final { return "luna label"; }
};

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

template <typename OpTy> void attachIfUnit(MLIRContext *context) {
  if constexpr (OpTy::template hasTrait<DestinationStyleOpInterface::Trait>())
    OpTy::template attachInterface<UnitOpBufferization<OpTy>>(*context);
}

template <typename... OpTys> void attachBufferization(MLIRContext *context) {
  (attachIfUnit<OpTys>(context), ...);
}

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
  attachBufferization<
#define GET_OP_LIST
#include "LunaOps.cpp.inc"
      >(getContext());
}

std::shared_ptr<const void>
luna::LunaDialect::getResource(const LunaResourceDesc *desc, StringRef name,
                               LunaError *error) {
  std::lock_guard<std::mutex> lock(resourceMutex);
  std::shared_ptr<const void> &known = resources[{desc, name.str()}];
  if (!known)
    if (const void *loaded = desc->load(name.str().c_str(), error))
      known.reset(loaded, desc->unload);
  return known;
}

void luna_set_plan_source(MlirContext context, const LunaPlanSource *source) {
  unwrap(context)->getOrLoadDialect<luna::LunaDialect>()->planSource = source;
}

const LunaPlanSource *luna_plan_source(MlirContext context) {
  return unwrap(context)->getOrLoadDialect<luna::LunaDialect>()->planSource;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static MlirNamedAttribute wrapNamed(NamedAttribute attribute) {
  return {wrap(attribute.getName()), wrap(attribute.getValue())};
}

LogicalResult
luna::LunaDialect::verifyOperationAttribute(Operation *op,
                                            NamedAttribute attribute) {
  return unwrap(luna_verify_op_attribute(wrap(op), wrapNamed(attribute)));
}

LogicalResult luna::LunaDialect::verifyRegionArgAttribute(
    Operation *op, unsigned, unsigned argument, NamedAttribute attribute) {
  return unwrap(luna_verify_argument_attribute(wrap(op), argument, false,
                                               wrapNamed(attribute)));
}

LogicalResult luna::LunaDialect::verifyRegionResultAttribute(
    Operation *op, unsigned, unsigned result, NamedAttribute attribute) {
  return unwrap(luna_verify_argument_attribute(wrap(op), result, true,
                                               wrapNamed(attribute)));
}

LogicalResult
luna::PlaceAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        int64_t id, int64_t offset, AllocationKind, StringRef) {
  if (id < 0 || id > LUNA_PLACE_ID_MAX)
    return emitError() << "id is " << id << ", needs one from 0 to "
                       << int64_t{LUNA_PLACE_ID_MAX};
  if (offset < 0)
    return emitError() << "offset is " << offset << ", needs one of at least 0";
  return success();
}

LogicalResult luna::verifyUnit(Operation *op) {
  return unwrap(luna_verify_unit(wrap(op)));
}

//===----------------------------------------------------------------------===//
// Memory effects: inputs are read, the output and the scratch are written.
//===----------------------------------------------------------------------===//

void luna::addUnitEffects(Operation *op, Effects &effects) {
  intptr_t output = op->getNumOperands() - 1;
  intptr_t scratch = luna_unit_operand_index(wrap(op), LUNA_ROLE_SCRATCH);
  for (OpOperand &operand : op->getOpOperands()) {
    intptr_t index = operand.getOperandNumber();
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    if (index != output)
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (index == output || index == scratch)
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

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

// Writes what nobody reads: it stays where it is, once.
void luna::LabelOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), LabelResource::get());
}

LogicalResult luna::LabelOp::verify() {
  return unwrap(luna_verify_label(wrap(getOperation())));
}

LogicalResult luna::BufferOp::verify() {
  return unwrap(luna_verify_buffer(wrap(getOperation())));
}

LogicalResult luna::QuantizeOp::verify() {
  return unwrap(luna_verify_quantize(wrap(getOperation())));
}

LogicalResult luna::DequantizeOp::verify() {
  return unwrap(luna_verify_dequantize(wrap(getOperation())));
}

LogicalResult luna::RegionOp::verify() {
  return unwrap(luna_verify_region(wrap(getOperation())));
}

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Luna, luna, luna::LunaDialect)
