#ifndef LUNA_EMIT_H
#define LUNA_EMIT_H

#include "compile.h"

/// Each writes the model to the file of -o (standard output without one)
/// atomically, and returns an exit code; a failure has been printed.

/// Writes the IR with its plan.
int luna_emit_ir(LunacSession *session, LunacModel *model);
/// Writes the module with the location of every op: the names of the source.
int luna_emit_model(LunacSession *session, LunacModel *model);
/// Writes a lowered model as LLVM IR.
int luna_emit_llvm(LunacSession *session, LunacModel *model);
/// Writes a lowered model as assembly, or as an object file, for model->target.
int luna_emit_assembly(LunacSession *session, LunacModel *model);
int luna_emit_object(LunacSession *session, LunacModel *model);
/// Writes a static library of a lowered model for model->target, its header and
/// for a core its memory map, to the folder of -o.
int luna_emit_archive(LunacSession *session, LunacModel *model);
/// Links a lowered model to a program for model->target, `program_path`.
int luna_emit_program(LunacSession *session, LunacModel *model);

/// Returns what code for the target of this name is generated for: of the
/// machine's own core, with its instructions.
const LunaObjectTarget *luna_emit_target(const LunacSession *session,
                                         const char *name);

/// Writes bytes to a file. Returns an exit code.
int luna_write_output(LunacSession *session, const char *path,
                      const void *bytes, size_t length);

/// Creates a folder if it does not exist. Returns an exit code.
int luna_make_folder(LunacSession *session, const char *path);

#endif // LUNA_EMIT_H
