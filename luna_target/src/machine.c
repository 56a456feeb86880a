#define _POSIX_C_SOURCE 200809L

#include "luna/machine.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "luna/prefix.h"
#include "machine_fields.h"
#include "machine_xml.h"

const char *luna_machine_dir(LunaArena *arena) {
  const char *folder = getenv("LUNA_MACHINES");
  if (folder && folder[0] != 0)
    return luna_arena_strndup(arena, folder, strlen(folder));
  return luna_prefix_path(arena, "share/luna/machines");
}

static const char *folder_or_default(const char *machines_dir,
                                     LunaArena *arena) {
  return machines_dir ? machines_dir : luna_machine_dir(arena);
}

static bool has_xml_suffix(const char *name) {
  size_t length = strlen(name);
  return length > 4 && !strcmp(name + length - 4, ".xml");
}

static int is_machine_file(const struct dirent *entry) {
  return has_xml_suffix(entry->d_name);
}

static int by_bytes(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

bool luna_machine_list(const char *machines_dir, LunaArena *arena,
                       const char ***names, uint64_t *count, LunaError *error) {
  machines_dir = folder_or_default(machines_dir, arena);
  struct dirent **entries = NULL;
  int found = scandir(machines_dir, &entries, is_machine_file, by_bytes);
  if (found < 0)
    return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                          "cannot read the folder of machine files '%s'",
                          machines_dir);
  *count = (uint64_t)found;
  *names = LUNA_ARENA_ARRAY(arena, const char *, found);
  for (int i = 0; i < found; ++i) {
    const char *name = entries[i]->d_name;
    (*names)[i] = luna_arena_strndup(arena, name, strlen(name) - 4);
    free(entries[i]);
  }
  free(entries);
  return true;
}

bool luna_machine_parse(const char *text, size_t length, const char *label,
                        const char *machines_dir, LunaMachine *machine,
                        LunaError *error) {
  LunaArena arena = {0};
  xmlDoc *document = luna_machine_xml_read(
      text, length, label, folder_or_default(machines_dir, &arena), error);
  bool is_read =
      document && luna_machine_fields_read(document, label, machine, error);
  xmlFreeDoc(document);
  luna_arena_destroy(&arena);
  return is_read;
}

static bool load_file(const char *path, const char *machines_dir,
                      LunaMachine *machine, LunaError *error) {
  LunaText text = {0};
  bool is_loaded = false;
  if (luna_text_read_file(&text, path, LUNA_MACHINE_FILE_LIMIT_BYTES, error))
    is_loaded = luna_machine_parse(text.data ? text.data : "", text.length,
                                   path, machines_dir, machine, error);
  else if (error)
    error->code = LUNA_ERROR_SETUP;
  luna_text_deinit(&text);
  return is_loaded;
}

// Fails with the list of known names.
static bool unknown_machine(const char *name, const char *machines_dir,
                            LunaError *error) {
  LunaArena arena = {0};
  LunaText known = {0};
  const char **names = NULL;
  uint64_t count = 0;
  if (luna_machine_list(machines_dir, &arena, &names, &count, error)) {
    for (uint64_t i = 0; i < count; ++i)
      luna_text_printf(&known, "%s%s", i == 0 ? "" : ", ", names[i]);
    luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                   "unknown machine '%.64s', known are %s, or give a file that "
                   "ends in .xml",
                   name, count > 0 ? known.data : "none");
  }
  luna_text_deinit(&known);
  luna_arena_destroy(&arena);
  return false;
}

//===- Sets of host costs -------------------------------------------------===//

// Returns the ':' before a set's name, or the end; a path may have others.
static const char *end_of_name(const char *name_or_path) {
  const char *colon = strrchr(name_or_path, ':');
  return colon && !strchr(colon, '/') && !has_xml_suffix(colon)
             ? colon
             : name_or_path + strlen(name_or_path);
}

static bool choose_core(LunaMachine *machine, const char *core,
                        LunaError *error) {
  if (strcmp(core, "scalar") == 0)
    return true;
  if (strcmp(core, "vector") != 0 || !machine->has_vector)
    return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                          "machine '%s' has no core '%.64s', it has scalar%s",
                          machine->name, core,
                          machine->has_vector ? " and vector" : "");
  machine->is_vector = true;
  memcpy(machine->host, machine->vector_host, sizeof machine->host);
  // The schema leaves it place.
  strncat(machine->name, ":vector",
          sizeof machine->name - strlen(machine->name) - 1);
  return true;
}

//===- Loading ------------------------------------------------------------===//

static bool load(const char *name_or_path, const char *machines_dir,
                 LunaMachine *machine, LunaError *error) {
  if (has_xml_suffix(name_or_path))
    return load_file(name_or_path, machines_dir, machine, error);
  if (name_or_path[0] == 0 || strchr(name_or_path, '/'))
    return unknown_machine(name_or_path, machines_dir, error);
  LunaArena arena = {0};
  machines_dir = folder_or_default(machines_dir, &arena);
  const char *path =
      luna_arena_printf(&arena, "%s/%s.xml", machines_dir, name_or_path);
  bool is_loaded = access(path, F_OK) == 0
                       ? load_file(path, machines_dir, machine, error)
                       : unknown_machine(name_or_path, machines_dir, error);
  luna_arena_destroy(&arena);
  return is_loaded;
}

bool luna_machine_load(const char *name_or_path, const char *machines_dir,
                       LunaMachine *machine, LunaError *error) {
  const char *end = end_of_name(name_or_path);
  LunaArena arena = {0};
  const char *name =
      luna_arena_strndup(&arena, name_or_path, (size_t)(end - name_or_path));
  bool is_loaded = load(name, machines_dir, machine, error) &&
                   (*end == 0 || choose_core(machine, end + 1, error));
  luna_arena_destroy(&arena);
  return is_loaded;
}
