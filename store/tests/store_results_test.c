// Results of a file: found under its bytes by any name, with their messages
// only under its own.
#include <string.h>

#include "check.h"
#include "folder.h"
#include "luna/store.h"

static LunaStore open_store(LunaCache *cache, const char *path) {
  LunaStore store;
  LunaText key = {0};
  luna_text_printf(&key, "bytes of the file");
  luna_store_open(&store, cache, path, &key);
  luna_text_deinit(&key);
  return store;
}

// Returns true if the result of `kind` and `name` is found for a file at
// `path`.
static bool is_found(LunaCache *cache, const char *path, const char *kind,
                     const char *name) {
  LunaArena arena = {0};
  LunaStored result;
  LunaStore store = open_store(cache, path);
  bool found = luna_store_find(&store, kind, name, false, &arena, &result);
  luna_stored_deinit(&result);
  luna_store_close(&store);
  luna_arena_destroy(&arena);
  return found;
}

static void test_results_are_found_by_bytes(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaCache *cache = fixture.cache;
  LunaStore store = open_store(cache, "a/model.onnx");
  luna_store_put(&store, "output", "model",
                 &(LunaStored){.body = "object", .body_bytes = 6});
  CHECK(is_found(cache, "a/model.onnx", "output", "model"));
  CHECK(is_found(cache, "b/model.onnx", "output", "model"));
  CHECK(!is_found(cache, "a/model.onnx", "output", "other"));
  CHECK(!is_found(cache, "a/model.onnx", "model", "model"));
  luna_store_close(&store);
  luna_cache_fixture_close(&fixture);
}

static void test_what_has_the_path_is_of_the_path(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaCache *cache = fixture.cache;
  LunaStore store = open_store(cache, "a/words.onnx");
  luna_store_put(&store, "model", NULL,
                 &(LunaStored){.exit_code = 2, .words = "lunac: error: no\n"});
  CHECK(is_found(cache, "a/words.onnx", "model", NULL));
  CHECK(!is_found(cache, "b/words.onnx", "model", NULL));
  luna_store_put(&store, "reference", NULL,
                 &(LunaStored){.body = "at a/words.onnx:1", .body_bytes = 17});
  CHECK(is_found(cache, "a/words.onnx", "reference", NULL));
  CHECK(!is_found(cache, "b/words.onnx", "reference", NULL));
  luna_store_close(&store);
  luna_cache_fixture_close(&fixture);
}

static void test_a_result_is_read_as_it_was_kept(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaCache *cache = fixture.cache;
  LunaStore store = open_store(cache, "c.onnx");
  LunaStored result;
  luna_store_put(&store, "whole", NULL,
                 &(LunaStored){.exit_code = 3,
                               .words = "c.onnx: error: 1\n",
                               .symbol_name = "c",
                               .of_function = "{a = 1}",
                               .body = "\0\1",
                               .body_bytes = 2});
  CHECK(luna_store_find(&store, "whole", NULL, true, &fixture.arena, &result));
  CHECK_EQ(result.exit_code, 3);
  CHECK_STR(result.words, "c.onnx: error: 1\n");
  CHECK_STR(result.symbol_name, "c");
  CHECK_STR(result.of_function, "{a = 1}");
  CHECK(!result.of_module);
  CHECK(result.body_bytes == 2 && memcmp(result.body, "\0\1", 2) == 0);
  luna_stored_deinit(&result);
  luna_store_close(&store);
  luna_cache_fixture_close(&fixture);
}

static void test_a_damaged_result_is_none(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaCache *cache = fixture.cache;
  LunaStore store = open_store(cache, "d.onnx");
  LunaStored result;
  LunaText record = {0};
  luna_text_append(&record, store.key.data, store.key.length);
  luna_text_append(&record, "\0\0\0\0\0\0\0\0", 8); // no name
  luna_cache_put(cache,
                 &(LunaCacheKey){.kind = "cut",
                                 .record = record.data,
                                 .record_bytes = record.length},
                 "\0\0\0\0\0\0\0\0\377", 9);
  CHECK(!luna_store_find(&store, "cut", NULL, false, &fixture.arena, &result));
  luna_text_deinit(&record);
  luna_store_close(&store);
  luna_cache_fixture_close(&fixture);
}

static void test_nothing_is_kept_without_a_key(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaCache *cache = fixture.cache;
  LunaStore store;
  LunaStored result;
  luna_store_open(&store, cache, "e.onnx", &(LunaText){0});
  luna_store_put(&store, "model", NULL, &(LunaStored){.exit_code = 1});
  CHECK(
      !luna_store_find(&store, "model", NULL, false, &fixture.arena, &result));
  luna_store_close(&store);
  luna_cache_fixture_close(&fixture);
}

int main(void) {
  RUN_TEST(test_results_are_found_by_bytes);
  RUN_TEST(test_what_has_the_path_is_of_the_path);
  RUN_TEST(test_a_result_is_read_as_it_was_kept);
  RUN_TEST(test_a_damaged_result_is_none);
  RUN_TEST(test_nothing_is_kept_without_a_key);
  return 0;
}
