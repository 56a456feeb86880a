// mkdir
#define _POSIX_C_SOURCE 200809L

#include "emit.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "diagnostics.h"
#include "luna/core_build.h"
#include "luna/object_image.h"
#include "luna/output.h"
#include "luna/program_header.h"
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
  bool has_lines = model->target && model->target->triple;
  LLVMModuleRef module =
      has_lines
          ? luna_object_translate_lines(model->module, model->name,
                                        session->options->model, context,
                                        &error)
          : luna_object_translate(model->module, model->name, context, &error);
  if (!module && !session->has_diagnosed)
    luna_diagnose(session, error.message);
  return module;
}

static int write_llvm(LunacSession *session, LunacModel *model,
                      LLVMModuleRef module) {
  LunaError error = {0};
  if (model->target->triple &&
      !luna_object_set_target(module, model->target, &error))
    return report_error(session, &error);
  char *text = LLVMPrintModuleToString(module);
  int code =
      luna_write_output(session, output_path(session), text, strlen(text));
  LLVMDisposeMessage(text);
  return code;
}

const LunaObjectTarget *luna_emit_target(const LunacSession *session,
                                         const char *name) {
  const LunaMachine *machine = &session->machine;
  const LunaObjectTarget *target = luna_object_target(name);
  if (strcmp(name, machine->core) != 0)
    return target;
  LunaObjectTarget *own = LUNA_ARENA_ARRAY(session->arena, LunaObjectTarget, 1);
  *own = *target;
  own->features = machine->core_features;
  return own;
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

static int write_assembly(LunacSession *session, LunacModel *model,
                          LLVMModuleRef module) {
  LunaObjectOptions options = options_of(model->target, false);
  LunaError error = {0};
  options.is_assembly = true;
  LLVMMemoryBufferRef text = luna_object_emit(module, &options, &error);
  if (!text)
    return report_error(session, &error);
  int code =
      luna_write_output(session, output_path(session), LLVMGetBufferStart(text),
                        LLVMGetBufferSize(text));
  LLVMDisposeMemoryBuffer(text);
  return code;
}

// Files that a module of machine code is for.
typedef enum CodeKind { CODE_OBJECT, CODE_PROGRAM, CODE_ARCHIVE } CodeKind;

// Compiles the module to `object`, and checks that it fits the machine.
static bool compile_object(LunacSession *session, LunacModel *model,
                           LLVMModuleRef module, CodeKind kind,
                           LunaText *object, LunaError *error) {
  const LunaObjectOptions options =
      options_of(model->target, kind == CODE_PROGRAM);
  const LunaMachine *machine = &session->machine;
  LunaProgramInfo program = {0};
  LunaImage *image = LUNA_ARENA_ARRAY(session->arena, LunaImage, 1);
  if (!luna_object_program(module, model->name, session->arena, &program,
                           error))
    return false;
  *image = luna_image_of(&program, machine->alignment_bytes);
  if (kind == CODE_ARCHIVE)
    luna_object_add_machine(module, model->name, machine);
  if (kind == CODE_PROGRAM)
    luna_object_add_memories(module, model->name, image,
                             machine->alignment_bytes,
                             model->target->triple != NULL);
  if (!luna_core_compile(module, &options, object, error) ||
      !luna_object_measure(object->data, object->length, image, error))
    return false;
  if (!model->target->triple)
    return true;
  model->image = image;
  return luna_image_check(image, machine, error);
}

static int write_object(LunacSession *session, LunacModel *model,
                        LLVMModuleRef module) {
  LunaText object = {0};
  LunaError error = {0};
  int code =
      compile_object(session, model, module, CODE_OBJECT, &object, &error)
          ? luna_write_output(session, output_path(session), object.data,
                              object.length)
          : report_error(session, &error);
  luna_text_deinit(&object);
  return code;
}

static int link_program(LunacSession *session, LunacModel *model,
                        LLVMModuleRef module) {
  LunaText object = {0};
  LunaError error = {0};
  const LunaCoreLink link = {.target = model->target,
                             .machine = &session->machine,
                             .name = model->name,
                             .object = &object};
  bool is_linked =
      compile_object(session, model, module, CODE_PROGRAM, &object, &error) &&
      luna_core_link(&link, model->program_path, &error);
  luna_text_deinit(&object);
  return is_linked ? 0 : report_error(session, &error);
}

//===- Archives -----------------------------------------------------------===//

// Writes a file of the folder of -o.
static int write_in_folder(LunacSession *session, const char *name,
                           LunaText *text) {
  const char *path = luna_arena_printf(session->arena, "%s/%s",
                                       session->options->output, name);
  int code = luna_write_output(session, path, text->data, text->length);
  luna_text_deinit(text);
  return code;
}

static int write_header(LunacSession *session, const LunacModel *model,
                        LLVMModuleRef module) {
  LunaProgramInfo program = {0};
  LunaError error = {0};
  LunaText text = {0};
  if (!luna_object_program(module, model->name, session->arena, &program,
                           &error))
    return report_error(session, &error);
  luna_program_header(&program, &session->machine, &text);
  return write_in_folder(
      session, luna_arena_printf(session->arena, "%s.h", model->name), &text);
}

static int write_memory_map(LunacSession *session, const LunacModel *model) {
  LunaText text = {0};
  luna_image_link_script(&session->machine, 32, &text);
  return write_in_folder(
      session, luna_arena_printf(session->arena, "%s.ld", model->name), &text);
}

static int write_archive(LunacSession *session, LunacModel *model,
                         LLVMModuleRef module) {
  LunaText object = {0}, archive = {0};
  LunaError error = {0};
  bool is_made =
      compile_object(session, model, module, CODE_ARCHIVE, &object, &error) &&
      luna_core_archive(model->target, &object, session->options->port,
                        &archive, &error);
  luna_text_deinit(&object);
  int code = is_made ? luna_make_folder(session, session->options->output)
                     : report_error(session, &error);
  if (code == 0)
    code = write_in_folder(
        session, luna_arena_printf(session->arena, "lib%s.a", model->name),
        &archive);
  luna_text_deinit(&archive);
  if (code == 0)
    code = write_header(session, model, module);
  return code == 0 && model->target->triple ? write_memory_map(session, model)
                                            : code;
}

typedef int (*WriteModule)(LunacSession *, LunacModel *, LLVMModuleRef);

static int emit_translated(LunacSession *session, LunacModel *model,
                           WriteModule write) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = translate(session, model, context);
  int code = 2;
  if (module) {
    code = write(session, model, module);
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

int luna_emit_archive(LunacSession *session, LunacModel *model) {
  return emit_translated(session, model, write_archive);
}

int luna_emit_assembly(LunacSession *session, LunacModel *model) {
  return emit_translated(session, model, write_assembly);
}

int luna_emit_program(LunacSession *session, LunacModel *model) {
  return emit_translated(session, model, link_program);
}
