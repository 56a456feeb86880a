#include "luna/object.h"

#include <stdio.h>
#include <string.h>

#include "luna/arena.h"
#include "luna/object_image.h"
#include "luna/text.h"
#include "mlir-c/RegisterEverything.h"
#include "mlir-c/Target/LLVMIR.h"
#include "llvm-c/Core.h"
#include "llvm-c/Target.h"
#include "llvm-c/TargetMachine.h"
#include "llvm-c/Transforms/PassBuilder.h"

LLVMModuleRef luna_object_translate(MlirModule module, const char *name,
                                    LLVMContextRef context, LunaError *error) {
  mlirRegisterAllLLVMTranslations(mlirModuleGetContext(module));
  LLVMModuleRef translated =
      mlirTranslateModuleToLLVMIR(mlirModuleGetOperation(module), context);
  if (translated)
    LLVMSetModuleIdentifier(translated, name, strlen(name));
  else
    luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                   "the lowered model has no LLVM IR");
  return translated;
}

//===- Entries of the JIT -------------------------------------------------===//

static bool takes_pointers(LLVMTypeRef type, LLVMTypeRef *parameters) {
  unsigned count = LLVMCountParamTypes(type);
  LLVMGetParamTypes(type, parameters);
  for (unsigned i = 0; i < count; ++i)
    if (LLVMGetTypeKind(parameters[i]) != LLVMPointerTypeKind)
      return false;
  return LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind;
}

// Calls `function` with pointers from the array that `entry` takes.
static void build_entry(LLVMValueRef entry, LLVMValueRef function,
                        LunaArena *arena) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder,
                           LLVMAppendBasicBlockInContext(context, entry, ""));
  unsigned count = LLVMCountParams(function);
  LLVMValueRef *arguments = LUNA_ARENA_ARRAY(arena, LLVMValueRef, count);
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef index = LLVMConstInt(LLVMInt32TypeInContext(context), i, 0);
    LLVMValueRef place =
        LLVMBuildGEP2(builder, pointer, LLVMGetParam(entry, 0), &index, 1, "");
    arguments[i] = LLVMBuildLoad2(builder, pointer, place, "");
  }
  LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments,
                 count, "");
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
}

static void add_entry(LLVMModuleRef module, LLVMValueRef function) {
  LunaArena arena = {0};
  LLVMTypeRef *parameters =
      LUNA_ARENA_ARRAY(&arena, LLVMTypeRef, LLVMCountParams(function) + 1);
  bool is_wanted = !LLVMIsDeclaration(function) &&
                   LLVMGetLinkage(function) == LLVMExternalLinkage;
  if (is_wanted &&
      takes_pointers(LLVMGlobalGetValueType(function), parameters)) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context),
                                        &pointer, 1, /*IsVarArg=*/0);
    size_t length = 0;
    const char *name = LLVMGetValueName2(function, &length);
    build_entry(
        LLVMAddFunction(module,
                        luna_arena_printf(&arena, LUNA_OBJECT_JIT_ENTRY "%.*s",
                                          (int)length, name),
                        type),
        function, &arena);
  }
  luna_arena_destroy(&arena);
}

static void add_entries(LLVMModuleRef module) {
  LLVMValueRef last = LLVMGetLastFunction(module);
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = function == last ? NULL : LLVMGetNextFunction(function))
    add_entry(module, function);
}

//===- Emitting -----------------------------------------------------------===//

static bool fail(LunaError *error, char *owned_message) {
  luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                 "LLVM generates no code: %s", owned_message);
  LLVMDisposeMessage(owned_message);
  return false;
}

static void initialise_targets(void) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  LLVMInitializeRISCVTargetInfo();
  LLVMInitializeRISCVTarget();
  LLVMInitializeRISCVTargetMC();
  LLVMInitializeRISCVAsmPrinter();
  LLVMInitializeXtensaTargetInfo();
  LLVMInitializeXtensaTarget();
  LLVMInitializeXtensaTargetMC();
  LLVMInitializeXtensaAsmPrinter();
}

static LLVMTargetMachineRef machine_of(LLVMTargetRef target, const char *triple,
                                       const LunaObjectTarget *wanted,
                                       int level) {
  bool is_host = !wanted->triple;
  LLVMTargetMachineOptionsRef options = LLVMCreateTargetMachineOptions();
  LLVMTargetMachineOptionsSetCPU(options,
                                 is_host ? LUNA_OBJECT_CPU : wanted->cpu);
  LLVMTargetMachineOptionsSetCodeGenOptLevel(options,
                                             (LLVMCodeGenOptLevel)level);
  LLVMTargetMachineOptionsSetRelocMode(options, is_host ? LLVMRelocPIC
                                                        : LLVMRelocStatic);
  if (!is_host) {
    LLVMTargetMachineOptionsSetFeatures(options, wanted->features);
    LLVMTargetMachineOptionsSetABI(options, wanted->abi);
  }
  LLVMTargetMachineRef machine =
      LLVMCreateTargetMachineWithOptions(target, triple, options);
  LLVMDisposeTargetMachineOptions(options);
  return machine;
}

// The module carries the layout of what it is for.
static LLVMTargetMachineRef create_machine(LLVMModuleRef module,
                                           const LunaObjectTarget *wanted,
                                           int level, LunaError *error) {
  initialise_targets();
  char *triple = wanted->triple ? LLVMCreateMessage(wanted->triple)
                                : LLVMGetDefaultTargetTriple();
  char *message = NULL;
  LLVMTargetRef target = NULL;
  LLVMTargetMachineRef machine = NULL;
  if (LLVMGetTargetFromTriple(triple, &target, &message)) {
    fail(error, message);
  } else {
    machine = machine_of(target, triple, wanted, level);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    LLVMSetTarget(module, triple);
    LLVMSetModuleDataLayout(module, layout);
    LLVMDisposeTargetData(layout);
  }
  LLVMDisposeMessage(triple);
  return machine;
}

bool luna_object_set_target(LLVMModuleRef module,
                            const LunaObjectTarget *target, LunaError *error) {
  LLVMTargetMachineRef machine = create_machine(module, target, 0, error);
  if (machine)
    LLVMDisposeTargetMachine(machine);
  return machine != NULL;
}

// Nothing unwinds: without this, assembly has tables of frames.
static void set_no_unwinding(LLVMModuleRef module) {
  static const char name[] = "nounwind";
  LLVMAttributeRef attribute = LLVMCreateEnumAttribute(
      LLVMGetModuleContext(module),
      LLVMGetEnumAttributeKindForName(name, sizeof name - 1), 0);
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
}

static bool run_passes(LLVMModuleRef module, LLVMTargetMachineRef machine,
                       int level, LunaError *error) {
  if (level == 0)
    return true;
  char passes[32];
  snprintf(passes, sizeof passes, "default<O%d>", level);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef failure = LLVMRunPasses(module, passes, machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (!failure)
    return true;
  char *message = LLVMGetErrorMessage(failure);
  luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM, "%s", message);
  LLVMDisposeErrorMessage(message);
  return false;
}

// Leaves out tables of frames, which come with debug lines: nothing unwinds,
// and not every core's assembler knows them.
static LLVMMemoryBufferRef without_frames(LLVMMemoryBufferRef assembly) {
  static const char frame[] = "\t.cfi_";
  LunaText kept = {0};
  const char *at = LLVMGetBufferStart(assembly);
  const char *end = at + LLVMGetBufferSize(assembly);
  while (at < end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    size_t length = (size_t)((stop ? stop + 1 : end) - at);
    if (length < sizeof frame || memcmp(at, frame, sizeof frame - 1) != 0)
      luna_text_append(&kept, at, length);
    at += length;
  }
  LLVMDisposeMemoryBuffer(assembly);
  assembly = LLVMCreateMemoryBufferWithMemoryRangeCopy(
      kept.data ? kept.data : "", kept.length, "assembly");
  luna_text_deinit(&kept);
  return assembly;
}

LLVMMemoryBufferRef luna_object_emit(LLVMModuleRef module,
                                     const LunaObjectOptions *options,
                                     LunaError *error) {
  const LunaObjectTarget *target =
      options->target ? options->target : luna_object_target("host");
  LLVMTargetMachineRef machine =
      create_machine(module, target, options->code_level, error);
  if (!machine)
    return NULL;
  if (options->has_jit_entries)
    add_entries(module);
  if (target->triple) {
    set_no_unwinding(module);
    luna_object_set_sections(module);
  }
  LLVMCodeGenFileType kind =
      options->is_assembly ? LLVMAssemblyFile : LLVMObjectFile;
  LLVMMemoryBufferRef object = NULL;
  char *message = NULL;
  if (run_passes(module, machine, options->pass_level, error) &&
      LLVMTargetMachineEmitToMemoryBuffer(machine, module, kind, &message,
                                          &object))
    fail(error, message);
  LLVMDisposeTargetMachine(machine);
  bool has_frames = target->triple && options->is_assembly;
  return object && has_frames ? without_frames(object) : object;
}
