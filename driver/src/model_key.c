#include "model_key.h"

#include <string.h>

#include "luna/build_id.h"
#include "luna/content.h"
#include "luna/record_reader.h"
#include "option_table.h"

enum { KEY_FORMAT = 4 };

#define MODEL_BYTES_MAX ((size_t)1 << 31)

// Options that matter only once the model is compiled. A new option belongs to
// the key unless it is named here.
static const char *const unrelated[] = {
    "input",        "random-input", "cases",       "output",       "expect",
    "tolerance",    "check",        "repeat",      "trace",        "stats",
    "force-branch", "max-cycles",   "cache",       "plugin",       "verbose",
    "plan-cache",   "max-bytes",    "max-entries", "cache-remote", "cache-mode",
    "cache-key",    "cache-trust"};

static bool is_unrelated(const char *name) {
  for (size_t i = 0; i < sizeof unrelated / sizeof *unrelated; ++i)
    if (strcmp(unrelated[i], name) == 0)
      return true;
  return false;
}

static void add_option(const OptionSpec *spec, const void *field,
                       LunaText *record) {
  luna_record_string(record, spec->name);
  switch (spec->kind) {
  case OPTION_FLAG:
    luna_record_number(record, *(const bool *)field);
    return;
  case OPTION_STRING:
  case OPTION_CHOICE:
    luna_record_string(record, *(const char *const *)field);
    return;
  case OPTION_NUMBER:
    luna_record_number(record, (uint64_t)*(const int64_t *)field);
    return;
  case OPTION_LIST: {
    const LunaStrings *list = field;
    luna_record_number(record, list->count);
    for (uint64_t i = 0; i < list->count; ++i)
      luna_record_string(record, list->items[i]);
    return;
  }
  }
}

static void add_options(const LunacOptions *options, LunaText *record) {
  int count = 0;
  const OptionSpec *specs = luna_option_specs(&count);
  for (int i = 0; i < count; ++i)
    if (!is_unrelated(specs[i].name))
      add_option(&specs[i], (const char *)options + specs[i].offset, record);
  luna_record_number(record, options->command);
  luna_record_number(record, options->stats != NULL);
}

// Of ONNX files: the key under which external data has its file.
static bool has_other_files(const LunaText *model) {
  static const char key[] = "location";
  const size_t length = sizeof key - 1;
  const char *at = model->data, *end = at + model->length;
  while (at && (size_t)(end - at) >= length) {
    if (memcmp(at, key, length) == 0)
      return true;
    at = memchr(at + 1, key[0], (size_t)(end - at) - 1);
  }
  return false;
}

static bool has_suffix(const char *path, const char *suffix) {
  size_t length = strlen(path), end = strlen(suffix);
  return length >= end && strcmp(path + length - end, suffix) == 0;
}

// What tells the formats apart; "" without one.
static const char *suffix_of(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && !strchr(dot, '/') ? dot : "";
}

static bool add_model(const LunacSession *session, LunaText *record) {
  LunaText model = {0};
  LunaError error = {0};
  const char *path = session->options->model;
  bool is_alone = luna_text_read_file(&model, path, MODEL_BYTES_MAX, &error) &&
                  model.length > 0 &&
                  (has_suffix(path, ".mlir") || has_suffix(path, ".tflite") ||
                   !has_other_files(&model));
  luna_record_string(record, suffix_of(path));
  if (is_alone)
    luna_record_string(record, luna_content_record(session->arena, "model",
                                                   model.data, model.length));
  luna_text_deinit(&model);
  return is_alone;
}

bool luna_model_key(const LunacSession *session, LunaText *record) {
  const LunacOptions *options = session->options;
  if (!*session->cache_folder || options->report ||
      (options->on && strcmp(options->on, "host") != 0) ||
      strcmp(options->plan_cache, "exact") != 0)
    return false;
  luna_record_number(record, KEY_FORMAT);
  luna_record_string(record, LUNA_VERSION);
  add_options(options, record);
  luna_record_bytes(record, &session->machine, sizeof session->machine);
  return luna_build_ids(record) && add_model(session, record);
}
