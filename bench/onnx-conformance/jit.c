#include "jit.h"

#include <stdlib.h>
#include <string.h>

#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"

static const char pipeline[] =
    "builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,"
    "tosa-to-arith{include-apply-rescale=true},tosa-to-tensor),"
    "canonicalize,cse,"
    "func.func(linalg-fuse-elementwise-ops,empty-tensor-to-alloc-tensor),"
    "one-shot-bufferize{bufferize-function-boundaries "
    "allow-return-allocs-from-loops "
    "function-boundary-type-conversion=identity-layout-map},"
    "buffer-results-to-out-params{modify-public-functions=true},"
    "canonicalize,cse,func.func(convert-linalg-to-loops),convert-scf-to-cf,"
    "convert-math-to-libm,expand-strided-metadata,lower-affine,"
    "convert-to-llvm,reconcile-unrealized-casts)";

MlirContext jit_context(void) {
  MlirContext context =
      mlirContextCreateWithThreading(/*threadingEnabled=*/false);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__luna__(), registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  mlirRegisterAllPasses();
  mlirRegisterAllLLVMTranslations(context);
  return context;
}

static void describe(Jit *jit, int i, MlirType type) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t stride = 1;
  JitMemref *memref = &jit->memrefs[i];
  jit->byte_counts[i] = (size_t)luna_shaped_bytes(type);
  memref->allocated = memref->aligned = calloc(jit->byte_counts[i] + 64, 1);
  for (intptr_t d = rank; d-- > 0;) {
    memref->sizes_and_strides[d] = mlirShapedTypeGetDimSize(type, d);
    memref->sizes_and_strides[rank + d] = stride;
    stride *= mlirShapedTypeGetDimSize(type, d);
  }
}

static bool read_values(Jit *jit, MlirOperation func) {
  MlirType type = mlirTypeAttrGetValue(
      mlirOperationGetAttributeByName(func, luna_str("function_type")));
  jit->argument_count = (int)mlirFunctionTypeGetNumInputs(type);
  jit->result_count = (int)mlirFunctionTypeGetNumResults(type);
  if (jit->argument_count + jit->result_count > JIT_MAX_VALUES)
    return false;
  for (int i = 0; i < jit->argument_count; ++i)
    describe(jit, i, mlirFunctionTypeGetInput(type, i));
  for (int i = 0; i < jit->result_count; ++i)
    describe(jit, jit->argument_count + i, mlirFunctionTypeGetResult(type, i));
  return true;
}

bool jit_open(Jit *jit, MlirModule module) {
  memset(jit, 0, sizeof *jit);
  MlirContext context = mlirModuleGetContext(module);
  MlirOperation func = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  if (!read_values(jit, func))
    return false;
  luna_set_attr(func, "llvm.emit_c_interface", mlirUnitAttrGet(context));
  MlirPassManager manager = mlirPassManagerCreate(context);
  mlirPassManagerEnableVerifier(manager, false);
  bool lowered = mlirLogicalResultIsSuccess(
      mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(manager),
                            luna_str(pipeline), NULL, NULL));
  lowered = lowered && mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(
                           manager, mlirModuleGetOperation(module)));
  mlirPassManagerDestroy(manager);
  if (!lowered)
    return false;
  MlirStringRef library = luna_str(LUNA_RUNNER_LIBRARY);
  jit->engine = mlirExecutionEngineCreate(module, 0, 1, &library, false, false);
  return !mlirExecutionEngineIsNull(jit->engine);
}

bool jit_set_argument(Jit *jit, int i, const void *bytes, size_t byte_count) {
  if (i >= jit->argument_count || jit->byte_counts[i] != byte_count)
    return false;
  memcpy(jit->memrefs[i].aligned, bytes, byte_count);
  return true;
}

bool jit_run(Jit *jit) {
  int count = jit->argument_count + jit->result_count;
  void *descriptors[JIT_MAX_VALUES], *packed[JIT_MAX_VALUES];
  for (int i = 0; i < count; ++i) {
    descriptors[i] = &jit->memrefs[i];
    packed[i] = &descriptors[i];
  }
  return mlirLogicalResultIsSuccess(
      mlirExecutionEngineInvokePacked(jit->engine, luna_str("main"), packed));
}

const void *jit_result(const Jit *jit, int i) {
  return jit->memrefs[jit->argument_count + i].aligned;
}

size_t jit_result_bytes(const Jit *jit, int i) {
  return jit->byte_counts[jit->argument_count + i];
}

void jit_close(Jit *jit) {
  if (jit->engine.ptr)
    mlirExecutionEngineDestroy(jit->engine);
  for (int i = 0; i < jit->argument_count + jit->result_count; ++i)
    free(jit->memrefs[i].allocated);
}
