// Reading a model, for every version that is asked for.

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compile.h"
#include "diagnostics.h"
#include "dimensions.h"
#include "luna-c/ir.h"
#include "luna/import.h"
#include "luna/shape_facts.h"
#include "nesting.h"
#include "progress.h"

const char *luna_model_name(LunaArena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  const char *start = slash ? slash + 1 : path;
  bool needs_letter = !*start || isdigit((unsigned char)*start);
  char *name = luna_arena_printf(arena, "%s%.*s", needs_letter ? "m" : "",
                                 (int)strcspn(start, "."), start);
  for (char *c = name; *c; ++c)
    if (!isalnum((unsigned char)*c) || (unsigned char)*c > 127)
      *c = '_';
  return *name && strcmp(name, "main") != 0 ? name : "model";
}

// Returns why a file cannot be read, or NULL. It is read several times, so that
// it is not to be a pipe.
static const char *why_unreadable(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0)
    return strerror(errno);
  if (S_ISDIR(status.st_mode))
    return "it is a folder";
  if (!S_ISREG(status.st_mode))
    return "it is a device or a pipe";
  if (status.st_size == 0)
    return "it is empty";
  return access(path, R_OK) == 0 ? NULL : strerror(errno);
}

static int check_file(LunacSession *session, const char *path) {
  const char *why = why_unreadable(path);
  if (!why)
    return 0;
  luna_diagnose(session, luna_arena_printf(session->arena,
                                           "cannot read '%s': %s", path, why));
  return 2;
}

// Prints the sizes that the model has because no option gives others.
static void tell_stored_sizes(LunacSession *session,
                              const LunaImportOptions *import) {
  for (uint64_t i = 0; i < import->open->count; ++i) {
    const LunaOpenDimension *open = &import->open->items[i];
    if (open->stored_size > 0 && !luna_import_size(import, open->name))
      luna_note(session,
                luna_arena_printf(session->arena,
                                  "%s is %lld, the size stored with the model; "
                                  "--dim=%s=SIZE gives another",
                                  open->name, (long long)open->stored_size,
                                  open->name));
  }
}

// Prints of the ranges FIRST:LAST:STEP among the sizes those that miss LAST.
static void tell_missed_ends(LunacSession *session) {
  const LunaStrings *given = &session->options->dimensions;
  for (uint64_t i = 0; i < given->count; ++i)
    for (const char *at = strrchr(given->items[i], '='); at;
         at = strchr(at + 1, ',')) {
      long long first = 0, last = 0, step = 0;
      if (sscanf(at + 1, "%lld:%lld:%lld", &first, &last, &step) == 3 &&
          (last - first) % step != 0)
        luna_note(session,
                  luna_arena_printf(session->arena,
                                    "%lld:%lld:%lld ends at %lld", first, last,
                                    step, last - (last - first) % step));
    }
}

// Parses a file of MLIR, or imports one of another format.
static bool read_module(LunacSession *session, const char *path,
                        const LunaImportOptions *options, MlirModule *module,
                        LunaError *error) {
  if (luna_import_knows(path))
    return luna_import_file(session->context, path, options, module, error);
  if (!luna_nesting_check(path, error))
    return false;
  *module = mlirModuleCreateParseFromFile(session->context, luna_str(path));
  if (!mlirModuleIsNull(*module))
    return luna_import_module(*module, options, error);
  return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "the model cannot be parsed");
}

// A model file that is read for other sizes.
typedef struct Attempt {
  LunacSession *session;
  const char *path;
  LunaImportOptions options;
  LunaImportDimension *dimension; // of the options
} Attempt;

static bool is_possible(void *data, int64_t size) {
  const Attempt *attempt = data;
  LunacSession *session = attempt->session;
  MlirModule module = {NULL};
  LunaError error = {0};
  bool had_diagnosed = session->has_diagnosed;
  session->is_quiet = true;
  attempt->dimension->size = size;
  bool is_read = luna_import_file(session->context, attempt->path,
                                  &attempt->options, &module, &error);
  session->is_quiet = false;
  session->has_diagnosed = had_diagnosed;
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  return is_read;
}

// How often a file is read: less often if it is large.
static int tries_of(const char *path) {
  enum { TRIES_MIN = 4, TRIES_MAX = 64, READ_BYTES_MAX = 1 << 27 };
  struct stat status;
  int64_t tries = stat(path, &status) == 0 && status.st_size > 0
                      ? READ_BYTES_MAX / status.st_size
                      : TRIES_MIN;
  return tries < TRIES_MIN   ? TRIES_MIN
         : tries > TRIES_MAX ? TRIES_MAX
                             : (int)tries;
}

// The sizes that the readers of model files can take, which know no open ones:
// of the first dimension of which another size alone is enough.
static const char *nearest_sizes(LunacSession *session, const char *path,
                                 const LunaImportOptions *options) {
  uint64_t count = options->dimension_count;
  LunaImportDimension *sizes =
      LUNA_ARENA_ARRAY(session->arena, LunaImportDimension, count);
  Attempt attempt = {session, path, *options, sizes};
  LunaSizeSearch search = {tries_of(path), is_possible, &attempt};
  const char *text = "";
  attempt.options.open = NULL;
  attempt.options.dimensions = sizes;
  for (uint64_t i = 0; i < count; ++i)
    sizes[i] = options->dimensions[i];
  for (uint64_t i = 0; i < count && !*text; ++i) {
    int64_t own = sizes[i].size;
    attempt.dimension = &sizes[i];
    text = luna_nearest_sizes(&search, sizes[i].name, own, session->arena);
    sizes[i].size = own;
  }
  return text;
}

// Prints why a version cannot be read, with the sizes next to its own that can.
static int fail_version(LunacSession *session, const char *path,
                        const LunacDimensions *dimensions,
                        const LunaImportOptions *options,
                        const LunaError *error) {
  const char *sizes = "";
  if (error->code == LUNA_ERROR_INPUT && options->open->count > 0 &&
      luna_import_knows(path))
    sizes = nearest_sizes(session, path, options);
  if (!*sizes && dimensions->version_count > 1)
    sizes = luna_version_name(dimensions, options, true, session->arena);
  if (!session->has_diagnosed)
    luna_diagnose(session,
                  luna_arena_printf(session->arena, "%s: %s%s%s", path, sizes,
                                    *sizes ? ": " : "", error->message));
  return luna_error_exit_code(error->code);
}

// Reads the model for the sizes of a version.
static int read_version(LunacSession *session, const char *path,
                        const LunacDimensions *dimensions, uint64_t number,
                        LunaVersion *version) {
  LunaError error = {0};
  LunaOpenDimensions open = {.arena = session->arena};
  LunaImportOptions options = {.open = &open};
  luna_dimensions_choose(dimensions, number, session->arena, &options);
  version->name =
      luna_version_name(dimensions, &options, false, session->arena);
  if (!luna_constants_read(session->options, session->arena, &options,
                           &error) ||
      !luna_bounds_read(session->options, session->arena, &options, &error)) {
    luna_diagnose(session, error.message);
    return 2;
  }
  if (read_module(session, path, &options, &version->module, &error)) {
    if (number == 0)
      tell_stored_sizes(session, &options);
    return mlirOperationVerify(mlirModuleGetOperation(version->module)) ? 0 : 2;
  }
  return fail_version(session, path, dimensions, &options, &error);
}

static int join_versions(LunacSession *session, LunacModel *model,
                         LunaVersion *versions, uint64_t count) {
  LunaError error = {0};
  if (luna_import_join(versions, count, &model->module, &error))
    return luna_session_run(session, model->module, "luna-specialize",
                            "the versions cannot be joined")
               ? 0
               : 2;
  luna_diagnose(session, error.message);
  return luna_error_exit_code(error.code);
}

static int import_file(LunacSession *session, LunacModel *model,
                       const char *path) {
  LunaError error = {0};
  LunacDimensions dimensions;
  if (!luna_dimensions_read(session->options, session->arena, &dimensions,
                            &error)) {
    luna_diagnose(session, error.message);
    return 2;
  }
  tell_missed_ends(session);
  uint64_t count = dimensions.version_count, done = 0;
  LunaVersion *versions = LUNA_ARENA_ARRAY(session->arena, LunaVersion, count);
  int code = 0;
  for (; code == 0 && done < count; ++done) {
    luna_progress(session, "reading %s", path);
    code = read_version(session, path, &dimensions, done, &versions[done]);
  }
  if (code == 0 && count > 1)
    return join_versions(session, model, versions, count);
  if (code == 0)
    model->module = versions[0].module;
  for (uint64_t v = 0; code != 0 && v < done; ++v)
    if (!mlirModuleIsNull(versions[v].module))
      mlirModuleDestroy(versions[v].module);
  return code;
}

int luna_model_read(LunacSession *session, const char *path,
                    LunacModel *model) {
  const char *name = luna_model_name(session->arena, path);
  *model = (LunacModel){
      .name = name, .symbol_name = name, .dma = session->options->dma};
  int code = check_file(session, path);
  if (code != 0)
    return code;
  session->has_diagnosed = false;
  return import_file(session, model, path);
}
