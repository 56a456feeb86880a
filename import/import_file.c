#include <stdio.h>
#include <string.h>

#include "luna/arena.h"
#include "luna/import.h"

// One reader per ending of a file name. TensorFlow Lite is known by its bytes,
// too.

enum { MAX_FILE_BYTES = 1 << 30 };

typedef bool (*Importer)(MlirContext context, const void *bytes, size_t size,
                         const LunaImportOptions *options, MlirModule *out,
                         LunaError *error);

static const struct {
  const char *ending;
  Importer import;
} importers[] = {
    {".tflite", luna_import_tflite},
    {".onnx", luna_import_onnx},
};

// A flatbuffer has an identifier behind its first offset.
static bool is_tflite(const char *path) {
  char head[8] = {0};
  FILE *file = fopen(path, "rb");
  bool is_read = file && fread(head, 1, sizeof head, file) == sizeof head;
  if (file)
    fclose(file);
  return is_read && memcmp(head + 4, "TFL3", 4) == 0;
}

static Importer importer_of(const char *path) {
  size_t length = strlen(path);
  if (is_tflite(path))
    return luna_import_tflite;
  for (size_t i = 0; i < sizeof importers / sizeof *importers; ++i) {
    size_t ending = strlen(importers[i].ending);
    if (length > ending &&
        strcmp(path + length - ending, importers[i].ending) == 0)
      return importers[i].import;
  }
  return NULL;
}

bool luna_import_knows(const char *path) { return importer_of(path) != NULL; }

// The options with the name and folder of `path` where they are open. `arena`
// holds the strings.
static LunaImportOptions complete(const LunaImportOptions *options,
                                  const char *path, LunaArena *arena) {
  LunaImportOptions all = options ? *options : (LunaImportOptions){0};
  const char *slash = strrchr(path, '/');
  if (!all.file_name)
    all.file_name = slash ? slash + 1 : path;
  if (!all.folder)
    all.folder =
        slash ? luna_arena_strndup(arena, path, (size_t)(slash - path) + 1)
              : ".";
  return all;
}

bool luna_import_file(MlirContext context, const char *path,
                      const LunaImportOptions *options, MlirModule *out,
                      LunaError *error) {
  Importer import = importer_of(path);
  LunaText text = {0};
  *out = (MlirModule){NULL};
  if (!import)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "'%s' does not end in .tflite or .onnx", path);
  LunaArena arena = {0};
  LunaImportOptions all = complete(options, path, &arena);
  bool imported = luna_text_read_file(&text, path, MAX_FILE_BYTES, error) &&
                  import(context, text.data ? text.data : "", text.length, &all,
                         out, error);
  luna_arena_destroy(&arena);
  luna_text_deinit(&text);
  return imported;
}
