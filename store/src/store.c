#define _GNU_SOURCE // memmem

#include "luna/store.h"

#include <string.h>

#include "luna/record_reader.h"

void luna_store_open(LunaStore *store, LunaCache *cache, const char *path,
                     const LunaText *record) {
  *store = (LunaStore){.cache = cache, .path = path};
  if (record->length == 0)
    return;
  luna_text_append(&store->key, record->data, record->length);
  luna_text_append(&store->own_key, record->data, record->length);
  luna_record_string(&store->own_key, path);
}

void luna_store_close(LunaStore *store) {
  luna_text_deinit(&store->key);
  luna_text_deinit(&store->own_key);
}

// The key of a result, in `record`.
static LunaCacheKey key_of(const LunaText *of_file, const char *kind,
                           const char *name, LunaText *record) {
  luna_text_append(record, of_file->data, of_file->length);
  luna_record_string(record, name);
  return (LunaCacheKey){.kind = kind,
                        .record = record->data,
                        .record_bytes = record->length,
                        .needs_trust = true};
}

//===- Keeping ------------------------------------------------------------===//

bool luna_store_names_path(const LunaStore *store, const void *bytes,
                           size_t length) {
  return length > 0 &&
         memmem(bytes, length, store->path, strlen(store->path)) != NULL;
}

// Messages may have any part of the path in them.
static bool is_of_path(const LunaStore *store, const LunaStored *result,
                       const LunaText *value) {
  return result->is_of_path || (result->words && *result->words) ||
         luna_store_names_path(store, value->data, value->length);
}

void luna_store_put(const LunaStore *store, const char *kind, const char *name,
                    const LunaStored *result) {
  if (store->key.length == 0)
    return;
  LunaText value = {0}, record = {0};
  luna_record_number(&value, (uint64_t)result->exit_code);
  luna_record_string(&value, result->words);
  luna_record_string(&value, result->symbol_name);
  luna_record_string(&value, result->of_function);
  luna_record_string(&value, result->of_module);
  luna_record_bytes(&value, result->body, result->body_bytes);
  const LunaText *of_file =
      is_of_path(store, result, &value) ? &store->own_key : &store->key;
  LunaCacheKey key = key_of(of_file, kind, name, &record);
  luna_cache_put(store->cache, &key, value.data, value.length);
  luna_text_deinit(&value);
  luna_text_deinit(&record);
}

//===- Finding ------------------------------------------------------------===//

static bool get(const LunaStore *store, const LunaText *of_file,
                const char *kind, const char *name, bool claims,
                LunaCacheValue *value) {
  LunaText record = {0};
  LunaCacheKey key = key_of(of_file, kind, name, &record);
  bool is_found = (claims ? luna_cache_get_or_claim
                          : luna_cache_get)(store->cache, &key, value);
  luna_text_deinit(&record);
  return is_found;
}

static bool read(LunaArena *arena, LunaStored *result) {
  LunaRecordReader reader = {.bytes = result->value.bytes,
                             .length = result->value.length};
  result->exit_code = (int)luna_record_read_number(&reader);
  result->words = luna_record_read_string(&reader, arena);
  result->symbol_name = luna_record_read_string(&reader, arena);
  result->of_function = luna_record_read_string(&reader, arena);
  result->of_module = luna_record_read_string(&reader, arena);
  result->body = luna_record_read_bytes(&reader, &result->body_bytes);
  return !reader.is_damaged;
}

bool luna_store_find(const LunaStore *store, const char *kind, const char *name,
                     bool claims, LunaArena *arena, LunaStored *result) {
  *result = (LunaStored){0};
  if (store->key.length == 0 ||
      (!get(store, &store->key, kind, name, claims, &result->value) &&
       !get(store, &store->own_key, kind, name, false, &result->value)))
    return false;
  if (read(arena, result))
    return true;
  luna_stored_deinit(result);
  return false;
}

void luna_stored_deinit(LunaStored *result) {
  luna_cache_value_deinit(&result->value);
  *result = (LunaStored){0};
}
