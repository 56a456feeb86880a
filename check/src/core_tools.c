// mkdtemp
#define _POSIX_C_SOURCE 200809L

#include "core_tools.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "luna/output.h"
#include "process.h"
#include "llvm/Config/llvm-config.h"

//===- Tools --------------------------------------------------------------===//

enum { FLAGS_MAX = 6 };

typedef struct Tools {
  const char *target;
  const char *compiler, *archiver;
  const char *flags[FLAGS_MAX]; // of the compiler
  const char *emulator[FLAGS_MAX];
  int address_bits;
} Tools;

static const Tools *tools_of(const LunaObjectTarget *target) {
  static const Tools tools[] = {
      {.target = "host", .compiler = "cc", .archiver = "ar"},
      {.target = "riscv32",
       .compiler = "riscv64-unknown-elf-gcc",
       .archiver = "riscv64-unknown-elf-ar",
       .flags = {"--specs=picolibc.specs", "-march=rv32imafc", "-mabi=ilp32f"},
       .emulator = {"qemu-riscv32"},
       .address_bits = 32},
      {.target = "xtensa",
       .compiler = "xtensa-lx106-elf-gcc",
       .archiver = "xtensa-lx106-elf-ar",
       .flags = {"--specs=/usr/lib/xtensa-lx106-elf/picolibc.specs",
                 "-mlongcalls", "-Wa,--auto-litpools"},
       .emulator = {"qemu-xtensa", "-cpu", "dc233c"},
       .address_bits = 30},
  };
  size_t i = 0;
  while (strcmp(target->name, tools[i].target) != 0)
    ++i;
  return &tools[i];
}

int luna_core_address_bits(const LunaObjectTarget *target) {
  return tools_of(target)->address_bits;
}

//===- Commands -----------------------------------------------------------===//

void luna_command_add(LunaCommand *command, const char *argument) {
  *LUNA_VECTOR_ADD(&command->arena, &command->arguments) = argument;
}

static void add_all(LunaCommand *command, const char *const *arguments) {
  for (int i = 0; i < FLAGS_MAX && arguments[i]; ++i)
    luna_command_add(command, arguments[i]);
}

void luna_command_add_compiler(LunaCommand *command,
                               const LunaObjectTarget *target) {
  luna_command_add(command, tools_of(target)->compiler);
  add_all(command, tools_of(target)->flags);
}

void luna_command_add_assembler(LunaCommand *command,
                                const LunaObjectTarget *target) {
  if (!strstr(target->features, "+windowed")) {
    luna_command_add_compiler(command, target);
    luna_command_add(command, "-c");
    return;
  }
  luna_command_add(command, luna_arena_printf(&command->arena, "llvm-mc-%d",
                                              LLVM_VERSION_MAJOR));
  luna_command_add(command, luna_arena_printf(&command->arena, "-triple=%s",
                                              target->triple));
  luna_command_add(command, luna_arena_printf(&command->arena, "-mattr=%s",
                                              target->features));
  luna_command_add(command, "-filetype=obj");
}

void luna_command_add_archiver(LunaCommand *command,
                               const LunaObjectTarget *target) {
  luna_command_add(command, tools_of(target)->archiver);
}

void luna_command_add_emulator(LunaCommand *command,
                               const LunaObjectTarget *target) {
  add_all(command, tools_of(target)->emulator);
}

bool luna_command_run(LunaCommand *command, const char *input,
                      const char *output, LunaError *error) {
  luna_command_add(command, NULL);
  bool is_done =
      luna_process_run(command->arguments.items, input, output, error);
  luna_arena_destroy(&command->arena);
  return is_done;
}

//===- Files --------------------------------------------------------------===//

bool luna_folder_open(LunaFolder *folder, LunaError *error) {
  *folder = (LunaFolder){0};
  char *path = luna_arena_printf(&folder->arena, "%s/lunac-XXXXXX",
                                 luna_temporary_folder());
  folder->path = mkdtemp(path);
  return folder->path ||
         luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                        "cannot make the folder '%s'", path);
}

const char *luna_folder_file(LunaFolder *folder, const char *name) {
  return luna_arena_printf(&folder->arena, "%s/%s", folder->path, name);
}

void luna_folder_close(LunaFolder *folder) {
  static const char *const names[] = LUNA_FOLDER_FILES;
  for (size_t i = 0; folder->path && i < sizeof names / sizeof names[0]; ++i)
    unlink(luna_folder_file(folder, names[i]));
  if (folder->path)
    rmdir(folder->path);
  luna_arena_destroy(&folder->arena);
}
