// Object files: emitted at every level, loaded, called, refused.

#include <string.h>

#include "check.h"
#include "luna/context.h"
#include "luna/native_code.h"
#include "llvm-c/Core.h"

static MlirContext context;

static int calls;
static void count_call(void) { ++calls; }

static const LunaRuntimeSymbol symbols[] = {{"count_call", count_call}};

static const char text[] =
    "llvm.func @count_call()"
    "llvm.mlir.global external constant @answer(42 : i32) : i32 "
    "llvm.func @copy(%to: !llvm.ptr, %from: !llvm.ptr) {"
    "  %x = llvm.load %from : !llvm.ptr -> i32 "
    "  llvm.store %x, %to : i32, !llvm.ptr "
    "  llvm.call @count_call() : () -> () "
    "  llvm.return }"
    "llvm.func @number(%x: i32) { llvm.return }"
    "llvm.func @result() -> !llvm.ptr {"
    "  %0 = llvm.mlir.zero : !llvm.ptr llvm.return %0 : !llvm.ptr }";

static MlirModule parse(const char *source) {
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(source));
  CHECK(!mlirModuleIsNull(module));
  return module;
}

static LLVMOrcLLJITRef create(MlirModule module, int level, LunaError *error) {
  const LunaObjectOptions options = {
      .pass_level = level, .code_level = level, .has_jit_entries = true};
  LunaArena arena = {0};
  LunaNativeCode code;
  LLVMOrcLLJITRef jit =
      luna_native_create(module, &options, NULL, &arena, &code, error)
          ? luna_native_load(&code, symbols, 1, error)
          : NULL;
  luna_arena_destroy(&arena);
  return jit;
}

static void every_level_computes_the_same(void) {
  MlirModule module = parse(text);
  for (int level = 0; level <= 3; ++level) {
    LunaError error = {0};
    LLVMOrcLLJITRef jit = create(module, level, &error);
    CHECK(jit);
    int32_t to = 0, *from = luna_jit_find(jit, "answer");
    void *pointers[] = {&to, from};
    CHECK(from);
    calls = 0;
    CHECK(luna_jit_call(jit, "copy", pointers));
    CHECK_EQ(to, 42);
    CHECK_EQ(calls, 1);
    luna_jit_destroy(jit);
  }
  mlirModuleDestroy(module);
}

static void only_functions_on_pointers_can_be_called(void) {
  MlirModule module = parse(text);
  LunaError error = {0};
  LLVMOrcLLJITRef jit = create(module, 0, &error);
  CHECK(jit);
  CHECK(luna_jit_find(jit, "number"));
  CHECK(!luna_jit_call(jit, "number", NULL));
  CHECK(!luna_jit_call(jit, "result", NULL));
  CHECK(!luna_jit_call(jit, "nothing", NULL));
  luna_jit_destroy(jit);
  mlirModuleDestroy(module);
}

static void an_object_outlives_its_module(void) {
  static const LunaObjectOptions options = {.has_jit_entries = true};
  MlirModule module = parse(text);
  LunaError error = {0};
  LLVMContextRef llvm = LLVMContextCreate();
  LLVMModuleRef translated =
      luna_object_translate(module, "named", llvm, &error);
  CHECK(translated);
  size_t length = 0;
  CHECK_STR(LLVMGetModuleIdentifier(translated, &length), "named");
  LLVMMemoryBufferRef object = luna_object_emit(translated, &options, &error);
  CHECK(object);
  LLVMDisposeModule(translated);
  LLVMContextDispose(llvm);
  mlirModuleDestroy(module);
  for (int i = 0; i < 2; ++i) {
    LLVMOrcLLJITRef jit =
        luna_jit_load(LLVMGetBufferStart(object), LLVMGetBufferSize(object),
                      NULL, symbols, 1, &error);
    CHECK(jit);
    CHECK_EQ(*(int32_t *)luna_jit_find(jit, "answer"), 42);
    luna_jit_destroy(jit);
  }
  LLVMDisposeMemoryBuffer(object);
}

static void what_is_not_an_object_is_refused(void) {
  static const char bytes[64] = "not an object";
  LunaError error = {0};
  CHECK(!luna_jit_load(bytes, sizeof bytes, NULL, symbols, 1, &error));
  CHECK(strstr(error.message, "the generated code cannot be loaded: "));
}

static void other_dialects_are_refused(void) {
  MlirModule module = parse("func.func private @f()");
  LunaError error = {0};
  CHECK(!create(module, 0, &error));
  CHECK_STR(error.message, "the lowered model has no LLVM IR");
  mlirModuleDestroy(module);
}

int main(void) {
  LunaArena arena = {0};
  LunaError error = {0};
  CHECK(luna_context_create(NULL, &arena, &context, &error));
  RUN_TEST(every_level_computes_the_same);
  RUN_TEST(only_functions_on_pointers_can_be_called);
  RUN_TEST(an_object_outlives_its_module);
  RUN_TEST(what_is_not_an_object_is_refused);
  RUN_TEST(other_dialects_are_refused);
  mlirContextDestroy(context);
  luna_arena_destroy(&arena);
  return 0;
}
