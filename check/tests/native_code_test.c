// Code from a cache: the same as without, found only under its own key, never
// executed from a folder that others can write.

#include "luna/native_code.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "check.h"
#include "folder.h"
#include "luna/build_id.h"
#include "luna/content.h"
#include "luna/context.h"
#include "mlir-c/IR.h"
#include "llvm-c/Core.h"
#include "llvm-c/TargetMachine.h"

static MlirContext context;

static const char text[] =
    "llvm.mlir.global external constant @luna_model_m_weights(\"abcd\") "
    ": !llvm.array<4 x i8> "
    "llvm.func @copy(%to: !llvm.ptr) {"
    "  %from = llvm.mlir.addressof @luna_model_m_weights : !llvm.ptr "
    "  %x = llvm.load %from : !llvm.ptr -> i32 "
    "  llvm.store %x, %to : i32, !llvm.ptr "
    "  llvm.return }";

static LunaNativeCode create(LunaCacheFixture *fixture, const char *source,
                             const LunaObjectOptions *options) {
  LunaNativeCode code;
  LunaError error = {0};
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(source));
  CHECK(!mlirModuleIsNull(module));
  CHECK(luna_native_create(module, options, fixture->cache, &fixture->arena,
                           &code, &error));
  mlirModuleDestroy(module);
  return code;
}

// Returns what @copy copies.
static int32_t run(const LunaNativeCode *code) {
  LunaError error = {0};
  int32_t to = 0;
  void *pointers[] = {&to};
  LLVMOrcLLJITRef jit = luna_native_load(code, NULL, 0, &error);
  CHECK(jit);
  CHECK(luna_jit_call(jit, "copy", pointers));
  luna_jit_destroy(jit);
  return to;
}

static const LunaObjectOptions plain = {.has_jit_entries = true};
enum { ABCD = 0x64636261, ABCE = 0x65636261 };

static uint64_t hits(const LunaCacheFixture *fixture) {
  return luna_cache_counters(fixture->cache).hits;
}

static void weights_are_apart_with_a_cache(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaNativeCode cold = create(&fixture, text, &plain);
  CHECK_EQ(hits(&fixture), 0);
  CHECK_STR(cold.weights_symbol, "luna_model_m_weights");
  CHECK_EQ(cold.weights_bytes, 4);
  CHECK_EQ(run(&cold), ABCD);
  LunaNativeCode warm = create(&fixture, text, &plain);
  CHECK_EQ(hits(&fixture), 2);
  CHECK_EQ(run(&warm), ABCD);
  CHECK_EQ(warm.object_bytes, cold.object_bytes);
  CHECK(memcmp(warm.object, cold.object, cold.object_bytes) == 0);
  LunaCacheFixture none = {.folder = NULL};
  LunaNativeCode whole = create(&none, text, &plain);
  CHECK(!whole.weights_symbol);
  CHECK_EQ(run(&whole), ABCD);
  luna_arena_destroy(&none.arena);
  luna_cache_fixture_close(&fixture);
}

// Other weights are other weights and the same object; everything else makes
// another object.
static void every_field_of_the_key_counts(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaNativeCode code = create(&fixture, text, &plain);
  char changed[sizeof text];
  snprintf(changed, sizeof changed, "%s", text);
  strstr(changed, "abcd")[3] = 'e';
  LunaNativeCode other = create(&fixture, changed, &plain);
  CHECK_EQ(hits(&fixture), 1);
  CHECK_STR(other.object_record, code.object_record);
  CHECK(strcmp(other.weights_record, code.weights_record) != 0);
  CHECK_EQ(run(&other), ABCE);
  static const LunaObjectOptions options[] = {
      {.pass_level = 1, .has_jit_entries = true},
      {.code_level = 1, .has_jit_entries = true},
      {.has_jit_entries = false},
  };
  for (int i = 0; i < 3; ++i) {
    LunaNativeCode own = create(&fixture, text, &options[i]);
    CHECK(strcmp(own.object_record, code.object_record) != 0);
  }
  strstr(changed, "@copy")[4] = 'z';
  other = create(&fixture, changed, &plain);
  CHECK(strcmp(other.object_record, code.object_record) != 0);
  luna_cache_fixture_close(&fixture);
}

// What a test cannot change is in the key, too.
static void builds_and_processor_are_in_the_key(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaNativeCode code = create(&fixture, text, &plain);
  char *triple = LLVMGetDefaultTargetTriple();
  LunaText ids = {0};
  CHECK(luna_build_ids(&ids));
  CHECK(strstr(code.object_record, luna_content_record(&fixture.arena, "builds",
                                                       ids.data, ids.length)));
  CHECK(strstr(code.object_record, triple));
  CHECK(strstr(code.object_record, LUNA_OBJECT_CPU));
  luna_text_deinit(&ids);
  LLVMDisposeMessage(triple);
  luna_cache_fixture_close(&fixture);
}

static bool is_found(LunaCacheFixture *fixture, const LunaText *note,
                     LunaNativeCode *code) {
  LunaRecordReader reader = {.bytes = (const uint8_t *)note->data,
                             .length = note->length};
  return luna_native_find(fixture->cache, &reader, &fixture->arena, code);
}

static void what_was_noted_is_found(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaNativeCode code = create(&fixture, text, &plain), found;
  LunaText note = {0};
  luna_native_note(&code, &note);
  CHECK(is_found(&fixture, &note, &found));
  CHECK_EQ(run(&found), ABCD);
  LunaText cut = note;
  for (cut.length = 0; cut.length < note.length; ++cut.length)
    CHECK(!is_found(&fixture, &cut, &found));
  luna_cache_clear(fixture.cache);
  CHECK(!is_found(&fixture, &note, &found));
  luna_text_deinit(&note);
  luna_cache_fixture_close(&fixture);
}

static void what_others_can_write_is_not_executed(void) {
  LunaCacheFixture fixture = luna_cache_fixture_open(NULL);
  LunaNativeCode code = create(&fixture, text, &plain), found;
  LunaText note = {0};
  luna_native_note(&code, &note);
  CHECK(chmod(fixture.folder, 0777) == 0);
  LunaCache *own = fixture.cache;
  fixture.cache = luna_cache_open(fixture.folder, NULL);
  CHECK(!is_found(&fixture, &note, &found));
  LunaNativeCode fresh = create(&fixture, text, &plain);
  CHECK_EQ(run(&fresh), ABCD);
  luna_cache_close(own);
  luna_text_deinit(&note);
  luna_cache_fixture_close(&fixture);
}

int main(void) {
  LunaArena arena = {0};
  LunaError error = {0};
  CHECK(luna_context_create(NULL, &arena, &context, &error));
  RUN_TEST(weights_are_apart_with_a_cache);
  RUN_TEST(every_field_of_the_key_counts);
  RUN_TEST(builds_and_processor_are_in_the_key);
  RUN_TEST(what_was_noted_is_found);
  RUN_TEST(what_others_can_write_is_not_executed);
  mlirContextDestroy(context);
  luna_arena_destroy(&arena);
  return 0;
}
