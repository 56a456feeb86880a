//===-- pass_adaptor.cpp - passes described in C as mlir::Pass ------------===//

#include "LunaDialect.h"

#include "luna-c/ir.h"
#include "luna-c/pass.h"
#include "mlir-c/Dialect/LLVM.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "verify.h"
#include "llvm/Support/Threading.h"

// The classes of dialects alone: their ops would triple the time of this file.
#include "mlir/Dialect/Affine/IR/AffineOpsDialect.h.inc"
#include "mlir/Dialect/Arith/IR/ArithOpsDialect.h.inc"
#include "mlir/Dialect/Bufferization/IR/BufferizationOpsDialect.h.inc"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOpsDialect.h.inc"
#include "mlir/Dialect/Func/IR/FuncOpsDialect.h.inc"
#include "mlir/Dialect/Linalg/IR/LinalgOpsDialect.h.inc"
#include "mlir/Dialect/Math/IR/MathOpsDialect.h.inc"
#include "mlir/Dialect/MemRef/IR/MemRefOpsDialect.h.inc"
#include "mlir/Dialect/SCF/IR/SCFOpsDialect.h.inc"
#include "mlir/Dialect/Tensor/IR/TensorOpsDialect.h.inc"
#include "mlir/Dialect/Tosa/IR/TosaOpsDialect.h.inc"

using namespace mlir;

namespace {

// A descriptor's options as options of a pass or pipeline.
template <template <typename> class OptionOf, typename ParentT>
class OptionSet {
public:
  OptionSet(ParentT &parent, const LunaOptionDesc *descs, size_t count)
      : descs(descs, count) {
    for (const LunaOptionDesc &desc : this->descs) {
      if (isText(desc))
        strings.push_back(make<std::string>(
            parent, desc,
            std::string(desc.string_default ? desc.string_default : "")));
      else if (desc.kind == LUNA_OPTION_BOOL)
        booleans.push_back(make<bool>(parent, desc, desc.int_default != 0));
      else
        integers.push_back(make<int64_t>(parent, desc, desc.int_default));
    }
  }

  // Values in the order of the descriptors; strings point into the options.
  std::vector<LunaOptionValue> values() const {
    std::vector<LunaOptionValue> result;
    size_t string = 0, boolean = 0, integer = 0;
    for (const LunaOptionDesc &desc : descs) {
      if (isText(desc))
        result.push_back({0, strings[string++]->getValue().c_str(), nullptr});
      else if (desc.kind == LUNA_OPTION_BOOL)
        result.push_back({booleans[boolean++]->getValue(), "", nullptr});
      else
        result.push_back({integers[integer++]->getValue(), "", nullptr});
    }
    return result;
  }

private:
  static bool isText(const LunaOptionDesc &desc) {
    return desc.kind == LUNA_OPTION_STRING || desc.kind == LUNA_OPTION_RESOURCE;
  }

  template <typename T>
  static std::unique_ptr<OptionOf<T>>
  make(ParentT &parent, const LunaOptionDesc &desc, T initial) {
    return std::make_unique<OptionOf<T>>(parent, desc.name,
                                         llvm::cl::desc(desc.help),
                                         llvm::cl::init(std::move(initial)));
  }

  ArrayRef<LunaOptionDesc> descs;
  std::vector<std::unique_ptr<OptionOf<std::string>>> strings;
  std::vector<std::unique_ptr<OptionOf<bool>>> booleans;
  std::vector<std::unique_ptr<OptionOf<int64_t>>> integers;
};

using DialectInserter = void (*)(DialectRegistry &);
template <typename T> void insertDialect(DialectRegistry &registry) {
  registry.insert<T>();
}
// Its class needs the attributes that its header declares, with all its ops.
void insertLlvm(DialectRegistry &registry) {
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__llvm__(),
                                 wrap(&registry));
}

const std::pair<StringRef, DialectInserter> knownDialects[] = {
    {"affine", insertDialect<affine::AffineDialect>},
    {"arith", insertDialect<arith::ArithDialect>},
    {"bufferization", insertDialect<bufferization::BufferizationDialect>},
    {"cf", insertDialect<cf::ControlFlowDialect>},
    {"func", insertDialect<func::FuncDialect>},
    {"linalg", insertDialect<linalg::LinalgDialect>},
    {"llvm", insertLlvm},
    {"luna", insertDialect<luna::LunaDialect>},
    {"math", insertDialect<math::MathDialect>},
    {"memref", insertDialect<memref::MemRefDialect>},
    {"scf", insertDialect<scf::SCFDialect>},
    {"tensor", insertDialect<tensor::TensorDialect>},
    {"tosa", insertDialect<tosa::TosaDialect>},
};

void appendText(const char *text, void *data) {
  static_cast<std::string *>(data)->append(text);
}

class CPass : public Pass {
public:
  explicit CPass(const LunaPassDesc *desc)
      : Pass(TypeID::getFromOpaquePointer(desc), StringRef(desc->anchor)),
        desc(desc), options(*this, desc->options, desc->option_count) {}

  StringRef getName() const override { return desc->argument; }
  StringRef getArgument() const override { return desc->argument; }
  StringRef getDescription() const override { return desc->summary; }

  void getDependentDialects(DialectRegistry &registry) const override {
    for (const char *const *name = desc->dependent_dialects; name && *name;
         ++name)
      for (auto [known, insert] : knownDialects)
        if (known == *name)
          insert(registry);
  }

protected:
  bool canScheduleOn(RegisteredOperationName opName) const override {
    return opName.getStringRef() == desc->anchor;
  }

  LogicalResult initialize(MLIRContext *context) override {
    std::vector<LunaOptionValue> values = options.values();
    resources.assign(values.size(), nullptr);
    for (size_t i = 0; i < values.size(); ++i) {
      const LunaResourceDesc *resource = desc->options[i].resource;
      if (!resource)
        continue;
      LunaError error = {};
      resources[i] =
          context->getOrLoadDialect<luna::LunaDialect>()->getResource(
              resource, values[i].string, &error);
      if (!resources[i])
        return emitError(UnknownLoc::get(context)) << error.message;
    }
    return success();
  }

  void runOnOperation() override {
    auto function = dyn_cast<FunctionOpInterface>(getOperation());
    if (function && function.isExternal())
      return;
    std::vector<LunaOptionValue> values = options.values();
    for (size_t i = 0; i < values.size(); ++i)
      values[i].resource = resources[i].get();
    MlirOperation op = wrap(getOperation());
    if (mlirLogicalResultIsFailure(luna_verify_ranks(op)) ||
        (desc->visit ? !luna_walk(op, desc->visit, nullptr)
                     : failed(unwrap(desc->run(op, values.data())))))
      signalPassFailure();
  }

  std::unique_ptr<Pass> clonePass() const override {
    auto clone = std::make_unique<CPass>(desc);
    clone->resources = resources;
    return clone;
  }

private:
  template <typename T> using OptionOf = Pass::Option<T>;

  const LunaPassDesc *desc;
  OptionSet<OptionOf, Pass> options;
  // What the options name, null for those of other kinds. Threads work on
  // clones of an initialized pass.
  std::vector<std::shared_ptr<const void>> resources;
};

// Holds the options of a pipeline while they are parsed.
class PipelineOptions : public detail::PassOptions {
public:
  explicit PipelineOptions(const LunaPipelineDesc *desc)
      : options(*this, desc->options, desc->option_count) {}
  template <typename T> using OptionOf = detail::PassOptions::Option<T>;
  OptionSet<OptionOf, detail::PassOptions> options;
};

LogicalResult
buildPipeline(const LunaPipelineDesc *desc, OpPassManager &manager,
              StringRef text,
              function_ref<LogicalResult(const Twine &)> errorHandler) {
  PipelineOptions parsed(desc);
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (failed(parsed.parseFromString(text, stream)))
    return errorHandler(message);
  std::string pipeline;
  desc->expand(parsed.options.values().data(), appendText, &pipeline);
  if (failed(parsePassPipeline(pipeline, manager, stream)))
    return errorHandler(message);
  return success();
}

} // namespace

// Other threads may have something to say meanwhile.
bool luna_attempt(MlirOperation target, const char *keeps,
                  MlirLogicalResult (*run)(void *data), void *data) {
  Operation *op = unwrap(target);
  OwningOpRef<Operation *> backup = op->clone();
  std::vector<Diagnostic> said;
  auto attempt = [&] {
    ScopedDiagnosticHandler handler(
        op->getContext(), [&, thread = llvm::get_threadid()](Diagnostic &d) {
          if (llvm::get_threadid() != thread)
            return failure();
          said.push_back(std::move(d));
          return success();
        });
    return unwrap(run(data));
  };
  if (succeeded(attempt())) {
    for (Diagnostic &diagnostic : said)
      op->getContext()->getDiagEngine().emit(std::move(diagnostic));
    return true;
  }
  Attribute kept = keeps ? op->getAttr(keeps) : Attribute();
  op->setAttrs(backup->getAttrDictionary());
  if (kept)
    op->setAttr(keeps, kept);
  for (auto [region, saved] :
       llvm::zip_equal(op->getRegions(), backup->getRegions()))
    region.takeBody(saved);
  return false;
}

void luna_register_pass(const LunaPassDesc *desc) {
  if (PassInfo::lookup(desc->argument))
    return;
  registerPass([desc] { return std::make_unique<CPass>(desc); });
}

void luna_register_pipeline(const LunaPipelineDesc *desc) {
  if (PassPipelineInfo::lookup(desc->argument))
    return;
  registerPassPipeline(
      desc->argument, desc->summary,
      [desc](OpPassManager &manager, StringRef text,
             function_ref<LogicalResult(const Twine &)> errorHandler) {
        return buildPipeline(desc, manager, text, errorHandler);
      },
      [desc](function_ref<void(const detail::PassOptions &)> optionHandler) {
        optionHandler(PipelineOptions(desc));
      });
}

void luna_register_renamed(const char *earlier, const char *current) {
  if (PassPipelineInfo::lookup(earlier))
    return;
  std::string message =
      (Twine("'") + earlier + "' was renamed to '" + current + "'").str();
  registerPassPipeline(
      earlier, message,
      [message](OpPassManager &, StringRef,
                function_ref<LogicalResult(const Twine &)> errorHandler) {
        return errorHandler(message);
      },
      [](function_ref<void(const detail::PassOptions &)>) {});
}
