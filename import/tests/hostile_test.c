// Files that mean harm: whatever the bytes, a reader gives a module or one
// error that names the place. Both readers pass the same tests; the models lie
// in a folder for each, which is also the corpus of its fuzz target.

#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "luna/import.h"
#include "luna/text.h"
#include "reference_fixture.h"

typedef struct Reader {
  const char *folder, *ending;
  bool (*import)(MlirContext context, const void *bytes, size_t size,
                 const LunaImportOptions *options, MlirModule *out,
                 LunaError *error);
} Reader;

static const Reader onnx = {LUNA_TEST_ONNX, ".onnx", luna_import_onnx};
static const Reader tflite = {LUNA_TEST_MODELS, ".tflite", luna_import_tflite};
static const Reader *const readers[] = {&onnx, &tflite};

// Imports a copy of the exact size, so that a sanitizer sees a byte too far.
static bool try_import(const Reader *reader, MlirContext context,
                       const char *bytes, size_t size, LunaError *error) {
  LunaImportOptions options = {.folder = reader->folder};
  char *copy = malloc(size + (size == 0));
  CHECK(copy != NULL);
  memcpy(copy, bytes, size);
  MlirModule module = {NULL};
  bool is_done = reader->import(context, copy, size, &options, &module, error);
  free(copy);
  if (is_done)
    mlirModuleDestroy(module);
  else
    CHECK(error->code == LUNA_ERROR_INPUT && error->message[0]);
  return is_done;
}

//===----------------------------------------------------------------------===//
// Damage to good models
//===----------------------------------------------------------------------===//

// Files above this size are left to the fuzz targets.
enum { MAX_BYTES = 6000 };

// One byte in STEP is damaged, of each file another: the files are many, and
// more alike than their bytes.
enum { STEP = 3 * LUNA_TEST_SHARE };

typedef void (*Damage)(const Reader *reader, MlirContext context,
                       LunaText *text, size_t first);

static size_t first_byte(const char *name) {
  size_t sum = 0;
  for (const char *c = name; *c; ++c)
    sum += (unsigned char)*c;
  return sum % STEP;
}

static void for_model(const Reader *reader, const char *name, Damage damage) {
  LunaText path = {0}, text = {0};
  LunaError error;
  luna_text_printf(&path, "%s/%s", reader->folder, name);
  CHECK(luna_text_read_file(&text, path.data, 1 << 20, &error));
  if (text.length <= MAX_BYTES) {
    // One for each file, so that constants of earlier ones are freed.
    MlirContext context = reference_context();
    damage(reader, context, &text, first_byte(name));
    mlirContextDestroy(context);
  }
  luna_text_deinit(&text);
  luna_text_deinit(&path);
}

static void for_all_models(Damage damage) {
  for (size_t i = 0; i < sizeof readers / sizeof *readers; ++i) {
    DIR *folder = opendir(readers[i]->folder);
    CHECK(folder != NULL);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
      if (strstr(entry->d_name, readers[i]->ending)) {
        for_model(readers[i], entry->d_name, damage);
        ++count;
      }
    closedir(folder);
    CHECK(count > 10);
  }
}

static void truncate_model(const Reader *reader, MlirContext context,
                           LunaText *text, size_t first) {
  for (size_t size = first; size < text->length; size += STEP) {
    LunaError error = {0};
    bool is_done = try_import(reader, context, text->data, size, &error);
    // Of a flat buffer, the padding behind the last object may go.
    if (is_done && reader == &tflite)
      CHECK(size + 16 > text->length);
  }
}

static void truncations_end_in_a_result(void) {
  for_all_models(truncate_model);
}

static void flip_model(const Reader *reader, MlirContext context,
                       LunaText *text, size_t first) {
  static const char masks[] = {0x01, 0x7F, (char)0x80, (char)0xFF, 0x08};
  for (size_t i = first; i < text->length; i += STEP) {
    LunaError error = {0};
    char old = text->data[i];
    text->data[i] = (char)(old ^ masks[i / STEP % sizeof masks]);
    try_import(reader, context, text->data, text->length, &error);
    text->data[i] = old;
  }
}

static void flipped_bytes_end_in_a_result(void) { for_all_models(flip_model); }

//===----------------------------------------------------------------------===//
// Bad models
//===----------------------------------------------------------------------===//

static const struct {
  const Reader *reader;
  const char *name, *words;
} bad_models[] = {
    // Graphs that lead back to themselves.
    {&onnx, "cycle",
     "node 'a_node' (Add): is in a cycle: takes 'c' of 'c_node', which takes "
     "'b' of 'b_node', which takes 'a' of 'a_node'"},
    {&onnx, "cycle_branch",
     "node 'y_node' (If): is in a cycle: takes 'z' of 'z_node', which takes "
     "'y' of 'y_node'"},
    {&tflite, "recursive",
     "operator 0 (IF, output 'y'): calls subgraph 0, which calls itself"},
    // What lies outside the file or folder.
    {&onnx, "outside", "not a path inside the model's folder"},
    {&onnx, "far",
     "tensor 'w' needs 4 bytes at 9223372036854775807 of 'short.onnx'"},
    {&tflite, "outside",
     "the TensorFlow Lite file ends before its contents do"},
    {&tflite, "index",
     "operator 0 of subgraph 0 names tensor 9, the subgraph has tensors 0 to "
     "1"},
    // Sizes.
    {&onnx, "huge", "node 'y_node' (ConstantOfShape)"},
    {&onnx, "short", "tensor 'w' has 8 bytes, its shape needs 16"},
    {&tflite, "huge", "tensor 'x' has 1073741824 as dimension 1"},
    {&tflite, "short",
     "tensor 'x' holds 8 bytes, its 4 elements of float32 need 16"},
    // Operators and types.
    {&onnx, "unknown",
     "node 'y_node' (FrobnicateTensor): operator 'FrobnicateTensor' is not "
     "supported"},
    {&onnx, "unscaled",
     "bounds are floats, but no operator says the scale of 'x'"},
    {&onnx, "biased",
     "divides by one less than the count: 'unbiased' must be 1"},
    {&onnx, "sequence", "'x' is a sequence, map or optional"},
    {&onnx, "float8",
     "'x' has elements of type float8e4m3fn, which is not supported"},
    {&tflite, "unknown",
     "operator 0 (UNIQUE, output 'topmost'): code 103 is not supported; "
     "docs/import.md lists those that are"},
    {&tflite, "custom",
     "operator 0 (CUSTOM, output 'y'): the custom operator "
     "'Frobnicate' is not supported"},
    {&tflite, "half", "input 'x' is float16, which is not supported"},
};

static void bad_models_name_what_is_wrong(void) {
  for (size_t i = 0; i < sizeof bad_models / sizeof *bad_models; ++i) {
    const Reader *reader = bad_models[i].reader;
    LunaText path = {0}, text = {0};
    LunaError error = {0};
    luna_text_printf(&path, "%s/%s%s", reader->folder, bad_models[i].name,
                     reader->ending);
    CHECK(luna_text_read_file(&text, path.data, 1 << 20, &error));
    MlirContext context = reference_context();
    CHECK(!try_import(reader, context, text.data, text.length, &error));
    if (!strstr(error.message, bad_models[i].words)) {
      fprintf(stderr, "%s: %s\n", path.data, error.message);
      CHECK(strstr(error.message, bad_models[i].words) != NULL);
    }
    mlirContextDestroy(context);
    luna_text_deinit(&text);
    luna_text_deinit(&path);
  }
}

int main(void) {
  RUN_TEST(bad_models_name_what_is_wrong);
  RUN_TEST(truncations_end_in_a_result);
  RUN_TEST(flipped_bytes_end_in_a_result);
  return 0;
}
