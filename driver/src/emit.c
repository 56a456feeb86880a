// mkdir
#define _POSIX_C_SOURCE 200809L

#include "emit.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "diagnostics.h"
#include "luna/object.h"
#include "luna/output.h"
#include "progress.h"
#include "llvm-c/Core.h"

static int report_error(LunacSession *session, const LunaError *error) {
  luna_diagnose(session, error->message);
  return luna_error_exit_code(error->code);
}

int luna_write_output(LunacSession *session, const char *path,
                      const void *bytes, size_t length) {
  LunaError error = {0};
  luna_progress_end(session);
  if (luna_text_write_file(path, bytes, length, &error))
    return 0;
  return report_error(session, &error);
}

int luna_make_folder(LunacSession *session, const char *path) {
  if (mkdir(path, 0777) == 0 || errno == EEXIST)
    return 0;
  luna_diagnose(session, luna_arena_printf(session->arena,
                                           "cannot make folder '%s'", path));
  return 4;
}

static const char *output_path(const LunacSession *session) {
  return session->options->output ? session->options->output : "-";
}

static void write_piece(MlirStringRef text, void *data) {
  luna_output_write(data, text.data, text.length);
}

// Prints directly to the file: the text of weights is twice their size.
static int print_module(LunacSession *session, const LunacModel *model,
                        bool with_locations) {
  LunaError error = {0};
  LunaOutput output;
  luna_progress_end(session);
  bool is_written = luna_output_open(&output, output_path(session), &error);
  if (is_written) {
    MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
    // It was when it was made: luna_run_passes.
    mlirOpPrintingFlagsAssumeVerified(flags);
    if (with_locations)
      mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
    mlirOperationPrintWithFlags(mlirModuleGetOperation(model->module), flags,
                                write_piece, &output);
    mlirOpPrintingFlagsDestroy(flags);
    is_written = luna_output_close(&output, &error);
  }
  return is_written ? 0 : report_error(session, &error);
}

int luna_emit_ir(LunacSession *session, LunacModel *model) {
  return print_module(session, model, false);
}

int luna_emit_model(LunacSession *session, LunacModel *model) {
  return print_module(session, model, true);
}

//===- LLVM ---------------------------------------------------------------===//

// Translates the module. Returns NULL after a diagnostic.
static LLVMModuleRef translate(LunacSession *session, LunacModel *model,
                               LLVMContextRef context) {
  LunaError error = {0};
  session->has_diagnosed = false;
  LLVMModuleRef module =
      luna_object_translate(model->module, model->name, context, &error);
  if (!module && !session->has_diagnosed)
    luna_diagnose(session, error.message);
  return module;
}

static int write_llvm(LunacSession *session, LLVMModuleRef module) {
  char *text = LLVMPrintModuleToString(module);
  int code =
      luna_write_output(session, output_path(session), text, strlen(text));
  LLVMDisposeMessage(text);
  return code;
}

static int write_object(LunacSession *session, LLVMModuleRef module) {
  // LLVM's passes are for the user to run, on --emit=llvm.
  static const LunaObjectOptions options = {.code_level = 2};
  LunaError error = {0};
  LLVMMemoryBufferRef object = luna_object_emit(module, &options, &error);
  if (!object)
    return report_error(session, &error);
  int code =
      luna_write_output(session, output_path(session),
                        LLVMGetBufferStart(object), LLVMGetBufferSize(object));
  LLVMDisposeMemoryBuffer(object);
  return code;
}

static int emit_translated(LunacSession *session, LunacModel *model,
                           int (*write)(LunacSession *, LLVMModuleRef)) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = translate(session, model, context);
  int code = 2;
  if (module) {
    code = write(session, module);
    LLVMDisposeModule(module);
  }
  LLVMContextDispose(context);
  return code;
}

int luna_emit_llvm(LunacSession *session, LunacModel *model) {
  return emit_translated(session, model, write_llvm);
}

int luna_emit_object(LunacSession *session, LunacModel *model) {
  return emit_translated(session, model, write_object);
}
