#define _GNU_SOURCE // memmem

#include "kept_model.h"

#include <string.h>

#include "luna-c/ir.h"
#include "luna/record_reader.h"
#include "model_key.h"
#include "shared_cache.h"

static const char model_kind[] = "model", reference_kind[] = "reference",
                  output_kind[] = "output";

static LunaCacheKey key_of(const LunaText *record, const char *kind) {
  return (LunaCacheKey){.kind = kind,
                        .record = record->data,
                        .record_bytes = record->length,
                        .needs_trust = true};
}

void luna_kept_model_open(const LunacSession *session, LunacKeptModel *kept) {
  const char *folder = session->cache_folder;
  kept->cache = luna_shared_cache_open(*folder ? folder : NULL);
  kept->path = session->options->model;
  if (luna_model_key(session, &kept->key)) {
    luna_text_append(&kept->own_key, kept->key.data, kept->key.length);
    luna_record_string(&kept->own_key, kept->path);
  } else {
    luna_text_deinit(&kept->key);
  }
}

void luna_kept_model_close(LunacKeptModel *kept) {
  luna_cache_value_deinit(&kept->reference);
  luna_text_deinit(&kept->key);
  luna_text_deinit(&kept->own_key);
  luna_text_deinit(&kept->plan);
  luna_cache_close(kept->cache);
}

//===- Writing ------------------------------------------------------------===//

// True if the bytes name the file: messages of checks do, of operators with a
// place in it. They are kept for a file of this name alone.
static bool names_file(const LunacKeptModel *kept, const void *bytes,
                       size_t length) {
  return length > 0 &&
         memmem(bytes, length, kept->path, strlen(kept->path)) != NULL;
}

static void append_text(MlirStringRef text, void *data) {
  luna_text_append(data, text.data, text.length);
}

// Of the function's attributes those are left out that its body needs.
static bool is_of_plan(MlirStringRef name) {
  return name.length > 5 && memcmp(name.data, "luna.", 5) == 0;
}

// The attributes of a plan as the text of a dictionary: MLIR knows all of them.
static void add_attributes(MlirOperation op, LunaText *record) {
  LunaText text = {0};
  const char *separator = "{";
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    MlirStringRef name = mlirIdentifierStr(attribute.name);
    if (!is_of_plan(name))
      continue;
    luna_text_printf(&text, "%s%.*s = ", separator, (int)name.length,
                     name.data);
    mlirAttributePrint(attribute.attribute, append_text, &text);
    separator = ", ";
  }
  luna_text_printf(&text, "%s}", *separator == '{' ? "{" : "");
  luna_record_string(record, text.data);
  luna_text_deinit(&text);
}

void luna_kept_model_note(const LunacModel *model, LunacKeptModel *kept) {
  if (kept->key.length == 0)
    return;
  luna_record_string(&kept->plan, model->name);
  add_attributes(luna_planned_function(model->module), &kept->plan);
}

void luna_kept_model_note_code(const LunacModel *model, LunacKeptModel *kept) {
  if (kept->key.length > 0)
    add_attributes(mlirModuleGetOperation(model->module), &kept->plan);
}

// The file may have been written while it was compiled.
static bool is_unchanged(const LunacSession *session,
                         const LunacKeptModel *kept) {
  LunaText key = {0};
  bool is_same = luna_model_key(session, &key) &&
                 key.length == kept->key.length &&
                 memcmp(key.data, kept->key.data, key.length) == 0;
  luna_text_deinit(&key);
  return is_same;
}

// Under the key of the bytes, unless what is put is of this file alone.
static void put(LunacKeptModel *kept, const char *kind, bool is_own,
                const LunaText *value) {
  LunaCacheKey key = key_of(is_own ? &kept->own_key : &kept->key, kind);
  luna_cache_put(kept->cache, &key, value->data, value->length);
}

void luna_kept_model_put(const LunacSession *session, LunacKeptModel *kept,
                         const LunaNativeCode *code) {
  if (kept->plan.length == 0 || session->has_spoken ||
      !is_unchanged(session, kept))
    return;
  bool is_own = names_file(kept, kept->plan.data, kept->plan.length) ||
                (code && names_file(kept, code->object, code->object_bytes));
  if (code)
    luna_native_note(code, &kept->plan);
  put(kept, model_kind, is_own, &kept->plan);
}

void luna_kept_model_put_reference(const LunacSession *session,
                                   LunacKeptModel *kept,
                                   const LunaReference *reference) {
  if (kept->key.length == 0 || session->has_spoken ||
      !is_unchanged(session, kept))
    return;
  LunaText record = {0};
  luna_reference_save(reference, &record);
  bool is_own = names_file(kept, record.data, record.length);
  put(kept, reference_kind, is_own, &record);
  luna_text_deinit(&record);
}

//===- Outputs ------------------------------------------------------------===//

enum { OUTPUT_BYTES_MAX = 64 << 20 };

// An output has the name of the model in it.
static LunaText output_key(const LunacSession *session,
                           const LunacKeptModel *kept) {
  LunaText key = {0};
  luna_text_append(&key, kept->key.data, kept->key.length);
  luna_record_string(&key, luna_model_name(session->arena, kept->path));
  return key;
}

void luna_kept_model_put_output(const LunacSession *session,
                                LunacKeptModel *kept) {
  LunaText output = {0};
  LunaError error;
  if (kept->plan.length > 0 && !session->has_spoken &&
      luna_text_read_file(&output, session->options->output, OUTPUT_BYTES_MAX,
                          &error) &&
      !names_file(kept, output.data, output.length) &&
      is_unchanged(session, kept)) {
    LunaText record = output_key(session, kept);
    LunaCacheKey key = key_of(&record, output_kind);
    luna_record_bytes(&kept->plan, output.data, output.length);
    luna_cache_put(kept->cache, &key, kept->plan.data, kept->plan.length);
    luna_text_deinit(&record);
  }
  luna_text_deinit(&output);
}

//===- Reading ------------------------------------------------------------===//

// Parses a module with a function that has the attributes and nothing else.
static MlirModule read_module(MlirContext context, LunaRecordReader *reader,
                              LunaArena *arena) {
  const char *of_function = luna_record_read_string(reader, arena);
  const char *of_module = luna_record_read_string(reader, arena);
  if (!of_function || !of_module)
    return (MlirModule){NULL};
  const char *text = luna_arena_printf(
      arena, "module attributes %s { func.func private @kept() attributes %s }",
      of_module, of_function);
  return mlirModuleCreateParse(context, luna_str(text));
}

// The module says of its code only once it was lowered.
static bool has_code(MlirModule module) {
  return !mlirAttributeIsNull(
      luna_attr(mlirModuleGetOperation(module), "luna.code"));
}

static bool restore(LunacSession *session, LunaRecordReader *reader,
                    LunacModel *model) {
  model->name = luna_model_name(session->arena, session->options->model);
  model->symbol_name = luna_record_read_string(reader, session->arena);
  model->module = read_module(session->context, reader, session->arena);
  model->dma = session->options->dma;
  return model->symbol_name && !mlirModuleIsNull(model->module) &&
         !mlirOperationIsNull(luna_planned_function(model->module)) &&
         luna_model_read_plan(session, model) == 0 &&
         (!has_code(model->module) ||
          luna_model_read_code(session, model) == 0);
}

static void forget(LunacModel *model) {
  luna_model_destroy(model);
  *model = (LunacModel){0};
}

// Under the key of the bytes, else under that with the name of the file.
static bool find(LunacKeptModel *kept, const char *kind, bool claims,
                 LunaCacheValue *value) {
  LunaCacheKey key = key_of(&kept->key, kind);
  LunaCacheKey own = key_of(&kept->own_key, kind);
  return (claims ? luna_cache_get_or_claim : luna_cache_get)(kept->cache, &key,
                                                             value) ||
         luna_cache_get(kept->cache, &own, value);
}

bool luna_kept_model_find(LunacSession *session, LunacKeptModel *kept,
                          bool checks, LunacModel *model,
                          LunaNativeCode *code) {
  LunaCacheValue value = {0};
  *model = (LunacModel){0};
  if (kept->key.length == 0)
    return false;
  bool is_found =
      find(kept, model_kind, true, &value) &&
      (!checks || find(kept, reference_kind, false, &kept->reference));
  LunaRecordReader reader = {.bytes = value.bytes, .length = value.length};
  is_found =
      is_found && restore(session, &reader, model) &&
      (!code || luna_native_find(kept->cache, &reader, session->arena, code));
  luna_cache_value_deinit(&value);
  if (!is_found)
    forget(model);
  return is_found;
}

bool luna_kept_model_find_output(LunacSession *session, LunacKeptModel *kept,
                                 LunacModel *model, LunaText *output) {
  LunaCacheValue value = {0};
  size_t length = 0;
  *model = (LunacModel){0};
  if (kept->key.length == 0)
    return false;
  LunaText record = output_key(session, kept);
  LunaCacheKey key = key_of(&record, output_kind);
  bool is_found = luna_cache_get_or_claim(kept->cache, &key, &value);
  LunaRecordReader reader = {.bytes = value.bytes, .length = value.length};
  is_found = is_found && restore(session, &reader, model);
  const void *bytes =
      is_found ? luna_record_read_bytes(&reader, &length) : NULL;
  if (bytes)
    luna_text_append(output, bytes, length);
  else
    forget(model);
  luna_cache_value_deinit(&value);
  luna_text_deinit(&record);
  return bytes != NULL;
}
