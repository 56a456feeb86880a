#ifndef LUNA_CORE_TOOLS_H
#define LUNA_CORE_TOOLS_H

// The programs that a core needs besides LLVM, and the files between them.

#include "luna/arena.h"
#include "luna/error.h"
#include "luna/object.h"
#include "luna/vector.h"

/// A command under construction.
typedef struct LunaCommand {
  LunaArena arena;
  LUNA_VECTOR(const char *) arguments;
} LunaCommand;

/// Adds an argument (borrowed).
void luna_command_add(LunaCommand *command, const char *argument);

/// Adds the core's compiler with its flags, its archiver, or its emulator.
void luna_command_add_compiler(LunaCommand *command,
                               const LunaObjectTarget *target);
/// The same for its assembler of LLVM's assembly: the compiler, or LLVM's own
/// for the windowed ABI, which GNU's does not know.
void luna_command_add_assembler(LunaCommand *command,
                                const LunaObjectTarget *target);
void luna_command_add_archiver(LunaCommand *command,
                               const LunaObjectTarget *target);
void luna_command_add_emulator(LunaCommand *command,
                               const LunaObjectTarget *target);

/// Runs and frees the command; `input` and `output` as luna_process_run takes
/// them. Fails with LUNA_ERROR_SETUP.
bool luna_command_run(LunaCommand *command, const char *input,
                      const char *output, LunaError *error);

/// Returns how many bits of an address the core's emulator has.
int luna_core_address_bits(const LunaObjectTarget *target);

/// A folder for the files of one command.
typedef struct LunaFolder {
  LunaArena arena;
  const char *path; ///< NULL if it could not be made
} LunaFolder;

/// Makes a folder in $TMPDIR or /tmp. Fails with LUNA_ERROR_SETUP; close it
/// even so.
bool luna_folder_open(LunaFolder *folder, LunaError *error);

/// Returns the path of a file in the folder, valid until it is closed.
const char *luna_folder_file(LunaFolder *folder, const char *name);

/// Removes the folder and those of its files that LUNA_FOLDER_FILES names.
void luna_folder_close(LunaFolder *folder);
#define LUNA_FOLDER_FILES                                                      \
  {"model.s", "model.o", "model.a", "port.a", "memory.ld", "job", "result"}

#endif // LUNA_CORE_TOOLS_H
