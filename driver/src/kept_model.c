#include "kept_model.h"

#include <string.h>

#include "diagnostics.h"
#include "luna-c/ir.h"
#include "luna/record_reader.h"
#include "model_key.h"
#include "shared_cache.h"

static const char model_kind[] = "model", reference_kind[] = "reference",
                  output_kind[] = "output";

void luna_kept_model_open(const LunacSession *session, bool is_output,
                          LunacKeptModel *kept) {
  const char *folder = session->cache_folder;
  const char *path = session->options->model;
  LunaText key = {0};
  if (!luna_model_key(session, &key))
    key.length = 0;
  kept->cache = luna_shared_cache_open(*folder ? folder : NULL);
  kept->kind = is_output ? output_kind : model_kind;
  // An output has the name of the model in it.
  kept->name = is_output ? luna_model_name(session->arena, path) : NULL;
  luna_store_open(&kept->store, kept->cache, path, &key);
  luna_text_deinit(&key);
}

void luna_kept_model_close(LunacKeptModel *kept) {
  luna_stored_deinit(&kept->found);
  luna_stored_deinit(&kept->reference);
  luna_store_close(&kept->store);
  luna_cache_close(kept->cache);
}

//===- Writing ------------------------------------------------------------===//

static bool is_kept(const LunacKeptModel *kept) {
  return kept->store.key.length > 0;
}

static void append_text(MlirStringRef text, void *data) {
  luna_text_append(data, text.data, text.length);
}

// Of the function's attributes those are left out that its body needs.
static bool is_of_plan(MlirStringRef name) {
  return name.length > 5 && memcmp(name.data, "luna.", 5) == 0;
}

// The attributes of a plan as the text of a dictionary: MLIR knows all of them.
static const char *print_attributes(const LunacSession *session,
                                    MlirOperation op) {
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
  const char *result =
      luna_arena_strndup(session->arena, text.data, text.length);
  luna_text_deinit(&text);
  return result;
}

void luna_kept_model_note(const LunacSession *session, const LunacModel *model,
                          LunacKeptModel *kept) {
  if (!is_kept(kept))
    return;
  kept->noted.symbol_name = model->name;
  kept->noted.of_function =
      print_attributes(session, luna_planned_function(model->module));
}

void luna_kept_model_note_code(const LunacSession *session,
                               const LunacModel *model, LunacKeptModel *kept) {
  if (is_kept(kept))
    kept->noted.of_module =
        print_attributes(session, mlirModuleGetOperation(model->module));
}

// The file may have been written while it was compiled.
static bool is_unchanged(const LunacSession *session,
                         const LunacKeptModel *kept) {
  LunaText key = {0};
  const LunaText *old = &kept->store.key;
  bool is_same = luna_model_key(session, &key) && key.length == old->length &&
                 memcmp(key.data, old->data, key.length) == 0;
  luna_text_deinit(&key);
  return is_same;
}

// Keeps a result with what was said since the last one.
static void put(const LunacSession *session, LunacKeptModel *kept,
                const char *kind, const LunaStored *result) {
  if (!is_kept(kept) || !is_unchanged(session, kept))
    return;
  LunaStored with_words = *result;
  if (session->words.length > kept->words_kept)
    with_words.words = session->words.data + kept->words_kept;
  luna_store_put(&kept->store, kind, kept->name, &with_words);
  kept->words_kept = session->words.length;
}

void luna_kept_model_put(const LunacSession *session, LunacKeptModel *kept,
                         const LunaNativeCode *code) {
  if (!is_kept(kept))
    return;
  LunaText note = {0};
  LunaStored result = kept->noted;
  if (code) {
    luna_native_note(code, &note);
    result.is_of_path =
        luna_store_names_path(&kept->store, code->object, code->object_bytes);
  }
  result.body = note.data;
  result.body_bytes = note.length;
  put(session, kept, model_kind, &result);
  luna_text_deinit(&note);
}

void luna_kept_model_put_output(const LunacSession *session,
                                LunacKeptModel *kept) {
  enum { OUTPUT_BYTES_MAX = 64 << 20 };
  LunaText output = {0};
  LunaError error;
  if (is_kept(kept) && luna_text_read_file(&output, session->options->output,
                                           OUTPUT_BYTES_MAX, &error)) {
    LunaStored result = kept->noted;
    result.body = output.data;
    result.body_bytes = output.length;
    put(session, kept, output_kind, &result);
  }
  luna_text_deinit(&output);
}

void luna_kept_model_put_refusal(const LunacSession *session,
                                 LunacKeptModel *kept, int exit_code) {
  const LunaStored result = {.exit_code = exit_code};
  put(session, kept, kept->kind, &result);
}

void luna_kept_model_put_reference(const LunacSession *session,
                                   LunacKeptModel *kept,
                                   const LunaReference *reference) {
  if (!is_kept(kept))
    return;
  LunaText record = {0};
  luna_reference_save(reference, &record);
  LunaStored result = {.body = record.data, .body_bytes = record.length};
  put(session, kept, reference_kind, &result);
  luna_text_deinit(&record);
}

//===- Reading ------------------------------------------------------------===//

// Parses a module with a function that has the attributes and nothing else.
static MlirModule read_module(const LunacSession *session,
                              const LunaStored *stored) {
  const char *text = luna_arena_printf(
      session->arena,
      "module attributes %s { func.func private @kept() attributes %s }",
      stored->of_module ? stored->of_module : "{}", stored->of_function);
  return mlirModuleCreateParse(session->context, luna_str(text));
}

// The module says of its code only once it was lowered.
static bool has_code(MlirModule module) {
  return !mlirAttributeIsNull(
      luna_attr(mlirModuleGetOperation(module), "luna.code"));
}

static bool restore(LunacSession *session, const LunaStored *stored,
                    LunacModel *model) {
  if (!stored->symbol_name || !stored->of_function)
    return false;
  model->name = luna_model_name(session->arena, session->options->model);
  model->symbol_name = stored->symbol_name;
  model->module = read_module(session, stored);
  model->dma = session->options->dma;
  return !mlirModuleIsNull(model->module) &&
         !mlirOperationIsNull(luna_planned_function(model->module)) &&
         luna_model_read_plan(session, model) == 0 &&
         (!has_code(model->module) ||
          luna_model_read_code(session, model) == 0);
}

static bool find_code(LunacSession *session, const LunacKeptModel *kept,
                      LunaNativeCode *code) {
  LunaRecordReader reader = {.bytes = kept->found.body,
                             .length = kept->found.body_bytes};
  return luna_native_find(kept->cache, &reader, session->arena, code);
}

static bool find_parts(LunacSession *session, LunacKeptModel *kept, bool checks,
                       LunacModel *model, LunaNativeCode *code) {
  return (!checks ||
          luna_store_find(&kept->store, reference_kind, kept->name, false,
                          session->arena, &kept->reference)) &&
         restore(session, &kept->found, model) &&
         (!code || find_code(session, kept, code));
}

static void say_again(LunacSession *session, const LunaStored *stored) {
  if (stored->words)
    luna_say(session, stored->words);
}

bool luna_kept_model_find(LunacSession *session, LunacKeptModel *kept,
                          bool checks, LunacModel *model,
                          LunaNativeCode *code) {
  LunaStored *found = &kept->found;
  *model = (LunacModel){0};
  bool is_found = luna_store_find(&kept->store, kept->kind, kept->name, true,
                                  session->arena, found);
  if (is_found && found->exit_code == 0 &&
      !find_parts(session, kept, checks, model, code)) {
    is_found = false;
    luna_model_destroy(model);
    *model = (LunacModel){0};
  }
  if (is_found) {
    say_again(session, found);
    say_again(session, &kept->reference);
  }
  return is_found;
}
