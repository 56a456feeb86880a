// mkdir
#define _POSIX_C_SOURCE 200809L

#include "emit.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "diagnostics.h"
#include "luna/core_program.h"
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

static const LunaObjectTarget *target_of(const LunacSession *session) {
  return luna_object_target(session->options->target);
}

// A program of a core is entered by arrays of pointers, and is what its core
// executes, so LLVM optimises it; passes for an object of this computer are for
// the user to run, on --emit=llvm.
static LunaObjectOptions options_of(const LunaObjectTarget *target,
                                    bool is_program) {
  return (LunaObjectOptions){
      .target = target,
      .is_assembly = target->is_assembled,
      .pass_level = target->triple ? 2 : 0,
      .code_level = 2,
      .has_jit_entries = is_program,
  };
}

static int write_buffer(LunacSession *session, LLVMMemoryBufferRef buffer) {
  int code =
      luna_write_output(session, output_path(session),
                        LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
  LLVMDisposeMemoryBuffer(buffer);
  return code;
}

static int write_assembly(LunacSession *session, LLVMModuleRef module) {
  LunaObjectOptions options = options_of(target_of(session), false);
  LunaError error = {0};
  options.is_assembly = true;
  LLVMMemoryBufferRef text = luna_object_emit(module, &options, &error);
  return text ? write_buffer(session, text) : report_error(session, &error);
}

static int write_object(LunacSession *session, LLVMModuleRef module) {
  const LunaObjectTarget *target = target_of(session);
  const LunaObjectOptions options = options_of(target, false);
  LunaError error = {0};
  LLVMMemoryBufferRef code = luna_object_emit(module, &options, &error);
  if (!code)
    return report_error(session, &error);
  if (!target->is_assembled)
    return write_buffer(session, code);
  bool is_written =
      luna_core_assemble(target, code, output_path(session), &error);
  LLVMDisposeMemoryBuffer(code);
  return is_written ? 0 : report_error(session, &error);
}

static int link_program(LunacSession *session, LLVMModuleRef module,
                        const char *name, const LunaObjectTarget *target,
                        const char *path) {
  const LunaObjectOptions options = options_of(target, true);
  LunaError error = {0};
  LLVMMemoryBufferRef code = luna_object_emit(module, &options, &error);
  if (!code)
    return report_error(session, &error);
  bool is_linked = luna_core_link(target, code, name, path, &error);
  LLVMDisposeMemoryBuffer(code);
  return is_linked ? 0 : report_error(session, &error);
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

int luna_emit_assembly(LunacSession *session, LunacModel *model) {
  return emit_translated(session, model, write_assembly);
}

int luna_emit_program(LunacSession *session, LunacModel *model,
                      const LunaObjectTarget *target, const char *path) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = translate(session, model, context);
  int code = 2;
  if (module) {
    code = link_program(session, module, model->name, target, path);
    LLVMDisposeModule(module);
  }
  LLVMContextDispose(context);
  return code;
}
