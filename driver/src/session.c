#include "session.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "diagnostics.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"
#include "plugin.h"
#include "llvm-c/Core.h"
#include "llvm/Config/llvm-config.h"

//===- Versions -----------------------------------------------------------===//

const char *luna_llvm_version(LunaArena *arena) {
  unsigned major = 0, minor = 0, patch = 0;
  LLVMGetVersion(&major, &minor, &patch);
  return luna_arena_printf(arena, "%u.%u.%u", major, minor, patch);
}

bool luna_check_llvm(LunaArena *arena, LunaError *error) {
  unsigned major = 0;
  LLVMGetVersion(&major, NULL, NULL);
  if (major == LLVM_VERSION_MAJOR)
    return true;
  return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                        "runs on LLVM %s, was built for %d",
                        luna_llvm_version(arena), LLVM_VERSION_MAJOR);
}

//===- Opening ------------------------------------------------------------===//

static void make_context(LunacSession *session, MlirDialectRegistry registry) {
  session->context =
      mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  luna_diagnostics_attach(session);
}

bool luna_session_open(LunacSession *session, const LunacOptions *options,
                       LunaArena *arena, LunaError *error) {
  *session = (LunacSession){
      .options = options,
      .arena = arena,
      .wants_transient = isatty(STDERR_FILENO),
  };
  // The path is part of a textual pipeline.
  if (strpbrk(options->machine, "{}\"'"))
    return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                          "machine file '%s' has a brace or quote in its name",
                          options->machine);
  if (!luna_check_llvm(arena, error) ||
      !luna_machine_load(options->machine, NULL, &session->machine, error))
    return false;
  mlirRegisterAllPasses();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  bool is_loaded = luna_plugin_load(options->plugin, registry, arena,
                                    &session->plugin, error);
  if (is_loaded)
    make_context(session, registry);
  mlirDialectRegistryDestroy(registry);
  return is_loaded;
}

// The plugin stays loaded: what it registered lives until the process ends.
void luna_session_close(LunacSession *session) {
  luna_progress_end(session);
  if (!mlirContextIsNull(session->context))
    mlirContextDestroy(session->context);
}

//===- Pipelines ----------------------------------------------------------===//

void luna_append_text(MlirStringRef text, void *data) {
  luna_text_append(data, text.data, text.length);
}

static bool run_pipeline(LunacSession *session, MlirModule module,
                         const char *pipeline) {
  MlirPassManager manager = mlirPassManagerCreate(session->context);
  // Every op is verified as it is parsed, and by the tests of each pass.
  mlirPassManagerEnableVerifier(manager, false);
  LunaText message = {0};
  MlirLogicalResult result = mlirOpPassManagerAddPipeline(
      mlirPassManagerGetAsOpPassManager(manager),
      mlirStringRefCreateFromCString(pipeline), luna_append_text, &message);
  if (mlirLogicalResultIsFailure(result))
    luna_diagnose(session, message.data ? message.data : "bad pipeline");
  else
    result = mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module));
  luna_text_deinit(&message);
  mlirPassManagerDestroy(manager);
  return mlirLogicalResultIsSuccess(result);
}

bool luna_session_run(LunacSession *session, MlirModule module,
                      const char *pipeline, const char *otherwise) {
  session->has_diagnosed = false;
  bool is_done = run_pipeline(session, module, pipeline);
  if (!is_done && !session->has_diagnosed)
    luna_diagnose(session, otherwise);
  return is_done;
}

//===- Progress -----------------------------------------------------------===//

void luna_progress_end(LunacSession *session) {
  if (session->has_transient_line)
    fputs("\r\033[K", stderr);
  session->has_transient_line = false;
}

void luna_progress(LunacSession *session, const char *format, ...) {
  bool is_verbose = session->options->is_verbose;
  if (!is_verbose && !session->wants_transient)
    return;
  luna_progress_end(session);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  if (is_verbose)
    fputc('\n', stderr);
  session->has_transient_line = !is_verbose;
  fflush(stderr);
}
