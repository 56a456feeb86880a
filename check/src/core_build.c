#include "luna/core_build.h"

#include <string.h>

#include "core_tools.h"
#include "luna/image.h"
#include "luna/prefix.h"
#include "luna/program.h"
#include "llvm-c/Core.h"

#define OBJECT_LIMIT_BYTES ((size_t)1 << 31)

//===- Objects ------------------------------------------------------------===//

static bool write_code(LLVMMemoryBufferRef code, const char *path,
                       LunaError *error) {
  return luna_text_write_file(path, LLVMGetBufferStart(code),
                              LLVMGetBufferSize(code), error);
}

static bool assemble_in(LunaFolder *folder, const LunaObjectTarget *target,
                        LLVMMemoryBufferRef code, LunaText *object,
                        LunaError *error) {
  const char *text = luna_folder_file(folder, "model.s");
  const char *path = luna_folder_file(folder, "model.o");
  LunaCommand command = {0};
  luna_command_add_assembler(&command, target);
  luna_command_add(&command, text);
  luna_command_add(&command, "-o");
  luna_command_add(&command, path);
  return write_code(code, text, error) &&
         luna_command_run(&command, NULL, NULL, error) &&
         luna_text_read_file(object, path, OBJECT_LIMIT_BYTES, error);
}

static bool assemble(const LunaObjectTarget *target, LLVMMemoryBufferRef code,
                     LunaText *object, LunaError *error) {
  LunaFolder folder;
  bool is_done = luna_folder_open(&folder, error) &&
                 assemble_in(&folder, target, code, object, error);
  luna_folder_close(&folder);
  return is_done;
}

bool luna_core_compile(LLVMModuleRef module, const LunaObjectOptions *options,
                       LunaText *object, LunaError *error) {
  LLVMMemoryBufferRef code = luna_object_emit(module, options, error);
  if (!code)
    return false;
  bool is_done = true;
  if (options->target->is_assembled)
    is_done = assemble(options->target, code, object, error);
  else
    luna_text_append(object, LLVMGetBufferStart(code), LLVMGetBufferSize(code));
  LLVMDisposeMemoryBuffer(code);
  return is_done;
}

// Returns the path of what was built for a target.
static const char *library_of(LunaArena *arena, const LunaObjectTarget *target,
                              const char *name) {
  return luna_prefix_path(
      arena, luna_arena_printf(arena, "lib/luna/%s/%s", target->name, name));
}

//===- Archives -----------------------------------------------------------===//

static bool copy_port(LunaFolder *folder, const LunaObjectTarget *target,
                      const char *port, const char *copy, LunaError *error) {
  LunaText library = {0};
  const char *name =
      luna_arena_printf(&folder->arena, "libluna_port_%s.a", port);
  bool is_copied =
      luna_text_read_file(&library, library_of(&folder->arena, target, name),
                          OBJECT_LIMIT_BYTES, error) &&
      luna_text_write_file(copy, library.data, library.length, error);
  luna_text_deinit(&library);
  return is_copied;
}

static bool run_archiver(const LunaObjectTarget *target, const char *script,
                         LunaError *error) {
  LunaCommand command = {0};
  luna_command_add_archiver(&command, target);
  luna_command_add(&command, "-MD"); // D: without dates, owners
  return luna_command_run(&command, script, NULL, error);
}

// Has the archiver make an archive of the object file and the members of that
// of a port, where there is one. Paths are those of a folder of ours, since the
// language of its commands has no quotes.
static bool archive_in(LunaFolder *folder, const LunaObjectTarget *target,
                       const LunaText *object, const char *port,
                       LunaText *archive, LunaError *error) {
  const char *made = luna_folder_file(folder, "model.a");
  const char *model = luna_folder_file(folder, "model.o");
  const char *copy = luna_folder_file(folder, "port.a");
  const char *script = luna_folder_file(folder, "job");
  const char *commands = luna_arena_printf(
      &folder->arena, "create %s\naddmod %s\n%s%s\nsave\nend\n", made, model,
      port ? "addlib " : "", port ? copy : "");
  return luna_text_write_file(model, object->data, object->length, error) &&
         (!port || copy_port(folder, target, port, copy, error)) &&
         luna_text_write_file(script, commands, strlen(commands), error) &&
         run_archiver(target, script, error) &&
         luna_text_read_file(archive, made, OBJECT_LIMIT_BYTES, error);
}

bool luna_core_archive(const LunaObjectTarget *target, const LunaText *object,
                       const char *port, LunaText *archive, LunaError *error) {
  LunaFolder folder;
  bool is_done = luna_folder_open(&folder, error) &&
                 archive_in(&folder, target, object, port, archive, error);
  luna_folder_close(&folder);
  return is_done;
}

//===- Programs -----------------------------------------------------------===//

// The names that emulated_cores/src/run.c has for the model's symbols.
static void add_symbols(LunaCommand *command, const char *name) {
  static const char *const entries[][2] = {
      {"luna_run_model", ""},
      {"luna_run_init", "_init"},
      {"luna_run_reset", "_reset"},
  };
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; ++i)
    luna_command_add(
        command,
        luna_arena_printf(
            &command->arena,
            "-Wl,--defsym=%s=" LUNA_OBJECT_JIT_ENTRY LUNA_PROGRAM_SYMBOL_PREFIX
            "%s%s",
            entries[i][0], name, entries[i][1]));
  luna_command_add(
      command, luna_arena_printf(
                   &command->arena,
                   "-Wl,--defsym=luna_run_program=" LUNA_PROGRAM_SYMBOL_PREFIX
                   "%s_program",
                   name));
}

static bool write_memories(const LunaCoreLink *link, const char *path,
                           LunaError *error) {
  LunaText text = {0};
  luna_image_link_script(link->machine, luna_core_address_bits(link->target),
                         &text);
  bool is_written = luna_text_write_file(path, text.data, text.length, error);
  luna_text_deinit(&text);
  return is_written;
}

// A program of a core starts without an operating system, in its machine's
// memories. Routines of gcc's do not say that they need no executable stack.
static bool add_layout(LunaCommand *command, LunaFolder *folder,
                       const LunaCoreLink *link, LunaError *error) {
  const char *memories = luna_folder_file(folder, "memory.ld");
  luna_command_add(command, "-nostartfiles");
  luna_command_add(command, "-T");
  luna_command_add(command, memories);
  luna_command_add(command, "-T");
  luna_command_add(command,
                   library_of(&command->arena, link->target, "link.ld"));
  luna_command_add(command, "-Wl,-z,noexecstack,--no-warn-execstack,"
                            "--no-warn-rwx-segments");
  return write_memories(link, memories, error);
}

static bool link_in(LunaFolder *folder, const LunaCoreLink *link,
                    const char *path, LunaError *error) {
  LunaCommand command = {0};
  const char *object = luna_folder_file(folder, "model.o");
  luna_command_add_compiler(&command, link->target);
  if (!luna_text_write_file(object, link->object->data, link->object->length,
                            error) ||
      (link->target->triple && !add_layout(&command, folder, link, error))) {
    luna_arena_destroy(&command.arena);
    return false;
  }
  luna_command_add(&command, "-Wl,--gc-sections");
  add_symbols(&command, link->name);
  luna_command_add(&command, object);
  luna_command_add(&command,
                   library_of(&command.arena, link->target, "libluna_run.a"));
  luna_command_add(&command, "-lm");
  luna_command_add(&command, "-o");
  luna_command_add(&command, path);
  return luna_command_run(&command, NULL, NULL, error);
}

bool luna_core_link(const LunaCoreLink *link, const char *path,
                    LunaError *error) {
  LunaFolder folder;
  bool is_done =
      luna_folder_open(&folder, error) && link_in(&folder, link, path, error);
  luna_folder_close(&folder);
  return is_done;
}
