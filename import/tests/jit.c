#include "jit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "luna-c/ir.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"

static const char pipeline[] =
    "func.func(tosa-to-linalg-named,tosa-to-linalg,"
    "tosa-to-arith{include-apply-rescale=true},tosa-to-tensor),"
    "canonicalize,cse,"
    "func.func(linalg-fuse-elementwise-ops,empty-tensor-to-alloc-tensor),"
    "one-shot-bufferize{bufferize-function-boundaries "
    "allow-return-allocs-from-loops "
    "function-boundary-type-conversion=identity-layout-map},"
    "buffer-results-to-out-params{modify-public-functions=true},"
    "canonicalize,cse,buffer-deallocation-pipeline,"
    "func.func(convert-linalg-to-loops),convert-scf-to-cf,"
    "func.func(math-expand-ops{ops=ctlz,rsqrt}),convert-math-to-libm,expand-strided-"
    "metadata,lower-affine,"
    "convert-to-llvm,reconcile-unrealized-casts";

// Transposed convolutions are lowered only once they are decomposed; the pass
// takes 1x1 depthwise convolutions apart as well, wrongly where they are
// padded.
static const char decompose[] = "func.func(tosa-optional-decompositions),";

MlirContext jit_context(void) {
  MlirContext context = mlirContextCreate();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  mlirRegisterAllPasses();
  mlirRegisterAllLLVMTranslations(context);
  return context;
}

// Makes room for a value and its descriptor.
static void describe(JitValue *value, MlirType type) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t stride = 1;
  value->bytes = (size_t)luna_shaped_bytes(type);
  value->is_float = mlirTypeIsAF32(mlirShapedTypeGetElementType(type));
  value->data = calloc(value->bytes + 16, 1);
  value->memref.allocated = value->memref.aligned = value->data;
  for (intptr_t d = rank; d-- > 0;) {
    value->memref.sizes_and_strides[d] = mlirShapedTypeGetDimSize(type, d);
    value->memref.sizes_and_strides[rank + d] = stride;
    stride *= mlirShapedTypeGetDimSize(type, d);
  }
  value->element_bytes = value->bytes / (size_t)stride;
}

static void read_state(JitValue *value, MlirOperation func, const char *list,
                       intptr_t i) {
  MlirAttribute all = mlirOperationGetAttributeByName(func, luna_str(list));
  if (mlirAttributeIsNull(all))
    return;
  MlirAttribute attributes = mlirArrayAttrGetElement(all, i);
  MlirAttribute name =
      mlirDictionaryAttrGetElementByName(attributes, luna_str("luna.state"));
  if (mlirAttributeIsNull(name))
    return;
  MlirStringRef text = mlirStringAttrGetValue(name);
  snprintf(value->state, sizeof value->state, "%.*s", (int)text.length,
           text.data);
  MlirAttribute initial =
      mlirDictionaryAttrGetElementByName(attributes, luna_str("luna.initial"));
  if (mlirAttributeIsNull(initial))
    return;
  const uint8_t *raw = mlirDenseElementsAttrGetRawData(initial);
  size_t count = (size_t)mlirElementsAttrGetNumElements(initial);
  size_t element = value->bytes / count;
  bool is_splat = mlirDenseElementsAttrIsSplat(initial);
  for (size_t k = 0; k < count; ++k)
    memcpy(value->data + k * element, raw + (is_splat ? 0 : k * element),
           element);
}

static void read_values(Jit *jit, MlirOperation func) {
  MlirType type = mlirTypeAttrGetValue(
      mlirOperationGetAttributeByName(func, luna_str("function_type")));
  jit->argument_count = (int)mlirFunctionTypeGetNumInputs(type);
  jit->result_count = (int)mlirFunctionTypeGetNumResults(type);
  for (int i = 0; i < jit->argument_count; ++i) {
    describe(&jit->values[i], mlirFunctionTypeGetInput(type, i));
    read_state(&jit->values[i], func, "arg_attrs", i);
  }
  for (int i = 0; i < jit->result_count; ++i) {
    JitValue *value = &jit->values[jit->argument_count + i];
    describe(value, mlirFunctionTypeGetResult(type, i));
    read_state(value, func, "res_attrs", i);
  }
}

static MlirWalkResult find_transposed(MlirOperation op, void *found) {
  if (!luna_op_is(op, "tosa.transpose_conv2d"))
    return MlirWalkResultAdvance;
  *(bool *)found = true;
  return MlirWalkResultInterrupt;
}

bool jit_open(Jit *jit, MlirModule module) {
  memset(jit, 0, sizeof *jit);
  MlirContext context = mlirModuleGetContext(module);
  MlirOperation func = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  read_values(jit, func);
  luna_set_attr(func, "llvm.emit_c_interface", mlirUnitAttrGet(context));
  bool is_transposed = false;
  mlirOperationWalk(func, find_transposed, &is_transposed, MlirWalkPreOrder);
  char text[2048];
  snprintf(text, sizeof text, "builtin.module(%s%s)",
           is_transposed ? decompose : "", pipeline);
  MlirPassManager manager = mlirPassManagerCreate(context);
  mlirPassManagerEnableVerifier(manager, false);
  bool lowered = mlirLogicalResultIsSuccess(mlirParsePassPipeline(
      mlirPassManagerGetAsOpPassManager(manager), luna_str(text), NULL, NULL));
  lowered = lowered && mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(
                           manager, mlirModuleGetOperation(module)));
  mlirPassManagerDestroy(manager);
  if (!lowered)
    return false;
  MlirStringRef library = luna_str(LUNA_RUNNER_LIBRARY);
  jit->engine = mlirExecutionEngineCreate(module, 2, 1, &library, false, false);
  return !mlirExecutionEngineIsNull(jit->engine);
}

void jit_run(Jit *jit) {
  int count = jit->argument_count + jit->result_count;
  void *descriptors[JIT_MAX_VALUES], *packed[JIT_MAX_VALUES];
  for (int i = 0; i < count; ++i) {
    descriptors[i] = &jit->values[i].memref;
    packed[i] = &descriptors[i];
  }
  if (mlirLogicalResultIsFailure(mlirExecutionEngineInvokePacked(
          jit->engine, luna_str("main"), packed))) {
    fprintf(stderr, "cannot call the function\n");
    exit(1);
  }
  for (int r = jit->argument_count; r < count; ++r)
    for (int a = 0; a < jit->argument_count; ++a)
      if (jit->values[r].state[0] &&
          strcmp(jit->values[r].state, jit->values[a].state) == 0)
        memcpy(jit->values[a].data, jit->values[r].data, jit->values[r].bytes);
}

void jit_close(Jit *jit) {
  if (jit->engine.ptr)
    mlirExecutionEngineDestroy(jit->engine);
  for (int i = 0; i < jit->argument_count + jit->result_count; ++i)
    free(jit->values[i].data);
}
