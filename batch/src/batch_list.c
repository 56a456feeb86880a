// The jobs of a batch: models × machines × sets of options.

#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "luna/batch.h"

typedef struct Lister {
  const LunaStrings *machines, *variants;
  LunaArena *arena;
  LunaBatchJobs *jobs;
  LunaError *error;
} Lister;

static bool has_suffix(const char *name, const char *suffix) {
  size_t length = strlen(name), end = strlen(suffix);
  return length > end && strcmp(name + length - end, suffix) == 0;
}

static bool is_model(const char *name) {
  return has_suffix(name, ".mlir") || has_suffix(name, ".onnx") ||
         has_suffix(name, ".tflite");
}

//===- Jobs ---------------------------------------------------------------===//

// Adds the words between blanks.
static void add_words(const Lister *lister, const char *text,
                      LunaStrings *words) {
  static const char blanks[] = " \t\r\n";
  for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
    size_t length = strcspn(text, blanks);
    *LUNA_VECTOR_ADD(lister->arena, words) =
        luna_arena_strndup(lister->arena, text, length);
    text += length;
  }
}

static void add_job(const Lister *lister, const char *model,
                    const char *machine, const char *own, const char *variant) {
  const char *options = luna_arena_printf(lister->arena, "%s%s%s", own,
                                          *own && *variant ? " " : "", variant);
  LunaBatchJob *job = LUNA_VECTOR_ADD(lister->arena, lister->jobs);
  *job = (LunaBatchJob){.model = model, .machine = machine, .options = options};
  add_words(lister, options, &job->words);
}

static void add_variants(const Lister *lister, const char *model,
                         const char *machine, const char *own) {
  const LunaStrings *variants = lister->variants;
  if (variants->count == 0)
    add_job(lister, model, machine, own, "");
  for (uint64_t i = 0; i < variants->count; ++i)
    add_job(lister, model, machine, own, variants->items[i]);
}

static void add_model(const Lister *lister, const char *model,
                      const char *own) {
  const LunaStrings *machines = lister->machines;
  if (machines->count == 0)
    add_variants(lister, model, "venus", own);
  for (uint64_t i = 0; i < machines->count; ++i)
    for (const char *at = machines->items[i]; *at;) {
      size_t length = strcspn(at, ",");
      if (length > 0)
        add_variants(lister, model,
                     luna_arena_strndup(lister->arena, at, length), own);
      at += length + (at[length] == ',');
    }
}

//===- Folders and lists --------------------------------------------------===//

static bool fail(const Lister *lister, const char *path) {
  return luna_error_set(lister->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "cannot read '%s': %s", path, strerror(errno));
}

static bool add_path(const Lister *lister, const char *path, bool is_given);

// In the order of names.
static bool add_folder(const Lister *lister, const char *path) {
  struct dirent **entries = NULL;
  int count = scandir(path, &entries, NULL, alphasort);
  bool ok = count >= 0 || fail(lister, path);
  for (int i = 0; i < count; ++i) {
    const char *name = entries[i]->d_name;
    if (ok && *name != '.')
      ok = add_path(
          lister, luna_arena_printf(lister->arena, "%s/%s", path, name), false);
    free(entries[i]);
  }
  free(entries);
  return ok;
}

static bool add_list(const Lister *lister, const char *path) {
  enum { LIST_BYTES_MAX = 1 << 24 };
  LunaText text = {0};
  if (!luna_text_read_file(&text, path, LIST_BYTES_MAX, lister->error))
    return false;
  for (const char *at = text.data ? text.data : ""; *at;) {
    size_t length = strcspn(at, "\n");
    LunaStrings words = {0};
    const char *line = luna_arena_strndup(lister->arena, at, length);
    line = luna_arena_strndup(lister->arena, line, strcspn(line, "#"));
    add_words(lister, line, &words);
    LunaText own = {0};
    for (uint64_t i = 1; i < words.count; ++i)
      luna_text_printf(&own, "%s%s", i > 1 ? " " : "", words.items[i]);
    if (words.count > 0)
      add_model(
          lister, words.items[0],
          luna_arena_printf(lister->arena, "%s", own.data ? own.data : ""));
    luna_text_deinit(&own);
    at += length + (at[length] == '\n');
  }
  luna_text_deinit(&text);
  return true;
}

// A path that was given is a model unless it is a folder or a list; of those in
// folders, only models are.
static bool add_path(const Lister *lister, const char *path, bool is_given) {
  struct stat status;
  if (stat(path, &status) != 0)
    return is_given ? fail(lister, path) : true;
  if (S_ISDIR(status.st_mode))
    return add_folder(lister, path);
  if (is_given && has_suffix(path, ".txt"))
    return add_list(lister, path);
  if (is_given || is_model(path))
    add_model(lister, path, "");
  return true;
}

bool luna_batch_list(const LunaStrings *paths, const LunaStrings *machines,
                     const LunaStrings *variants, LunaArena *arena,
                     LunaBatchJobs *jobs, LunaError *error) {
  Lister lister = {machines, variants, arena, jobs, error};
  for (uint64_t i = 0; i < paths->count; ++i)
    if (!add_path(&lister, paths->items[i], true))
      return false;
  return jobs->count > 0 ||
         luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "found no model in '%s'",
                        paths->count > 0 ? paths->items[0] : "");
}
