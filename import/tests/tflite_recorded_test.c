// Runs models of one operator or a few, made by
// tflite_recorded/make_recorded.py, and compares with what TensorFlow Lite
// Micro's reference kernels gave for the same inputs: integers bit for bit,
// floats within a few units in the last place. Models, the inputs of all calls
// and their outputs lie in an archive (tflite_recorded/recorded_archive.py); an
// argument names another one, in which models may be refused.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "luna/import.h"
#include "luna/text.h"
#include "reference_fixture.h"

static const double tolerance = 1e-5;

// What was compared so far.
typedef struct Tally {
  long models, refused, values, different;
} Tally;

// A piece of the archive.
typedef struct Piece {
  const char *data;
  size_t length;
} Piece;

static bool is_close(float found, float wanted) {
  if (isnan(wanted) || isnan(found))
    return isnan(wanted) && isnan(found);
  return found == wanted || fabs((double)found - (double)wanted) <=
                                tolerance * (1 + fabs((double)wanted));
}

static void compare(const char *model, int call, int result,
                    const LunaReferenceValue *value, const char *wanted,
                    Tally *tally) {
  size_t element = value->is_float ? sizeof(float) : value->element_bytes;
  long different = 0, first = -1;
  for (size_t at = 0; at < value->bytes; at += element) {
    float pair[2] = {0};
    if (value->is_float) {
      memcpy(&pair[0], value->data + at, sizeof(float));
      memcpy(&pair[1], wanted + at, sizeof(float));
    }
    bool equal = value->is_float
                     ? is_close(pair[0], pair[1])
                     : memcmp(value->data + at, wanted + at, element) == 0;
    if (!equal && different++ == 0)
      first = (long)(at / element);
    ++tally->values;
  }
  tally->different += different;
  if (different == 0)
    return;
  const uint8_t *found = value->data + (size_t)first * element;
  const uint8_t *other = (const uint8_t *)wanted + (size_t)first * element;
  printf("%s: call %d, output %d: %ld differ, the first at %ld:", model, call,
         result, different, first);
  for (size_t b = 0; b < element; ++b)
    printf(" %02x", found[element - 1 - b]);
  printf(" for");
  for (size_t b = 0; b < element; ++b)
    printf(" %02x", other[element - 1 - b]);
  printf("\n");
}

// The bytes of all inputs, or outputs, that are not state.
static size_t bytes_of(const LunaReference *reference, int from, int to) {
  size_t bytes = 0;
  for (int i = from; i < to; ++i)
    bytes += reference->values[i].state ? 0 : reference->values[i].bytes;
  return bytes;
}

static void run_calls(const char *model, LunaReference *reference, Piece in,
                      Piece out, Tally *tally) {
  int inputs = (int)reference->argument_count,
      all = inputs + (int)reference->result_count;
  size_t in_bytes = bytes_of(reference, 0, inputs);
  size_t out_bytes = bytes_of(reference, inputs, all),
         calls = in.length / in_bytes;
  if (in.length != calls * in_bytes || out.length != calls * out_bytes) {
    printf("%s: the recorded files have another size\n", model);
    ++tally->different;
    return;
  }
  const char *input = in.data, *output = out.data;
  for (size_t call = 0; call < calls; ++call) {
    for (int i = 0; i < inputs; ++i)
      if (!reference->values[i].state) {
        memcpy(reference->values[i].data, input, reference->values[i].bytes);
        input += reference->values[i].bytes;
      }
    run_reference(reference);
    for (int i = inputs; i < all; ++i)
      if (!reference->values[i].state) {
        compare(model, (int)call, i - inputs, &reference->values[i], output,
                tally);
        output += reference->values[i].bytes;
      }
  }
}

static void run_model(MlirContext context, const char *name,
                      const Piece pieces[3], Tally *tally) {
  LunaError error = {0};
  MlirModule module;
  LunaReference reference;
  ++tally->models;
  if (!luna_import_tflite(context, pieces[0].data, pieces[0].length, NULL,
                          &module, &error)) {
    printf("%s: %s\n", name, error.message);
    ++tally->refused;
    return;
  }
  if (open_reference(&reference, module))
    run_calls(name, &reference, pieces[1], pieces[2], tally);
  else
    ++tally->different;
  luna_reference_destroy(&reference);
  mlirModuleDestroy(module);
}

// Reads a line of the index: a name, an offset, and three sizes.
static void run_line(MlirContext context, const char *line,
                     const LunaText *archive, Tally *tally) {
  char name[64];
  size_t offset, sizes[3];
  Piece pieces[3];
  CHECK_EQ(sscanf(line, "%63s %zu %zu %zu %zu", name, &offset, &sizes[0],
                  &sizes[1], &sizes[2]),
           5);
  for (int i = 0; i < 3; ++i) {
    CHECK(offset <= archive->length && sizes[i] <= archive->length - offset);
    pieces[i] = (Piece){archive->data + offset, sizes[i]};
    offset += sizes[i];
  }
  run_model(context, name, pieces, tally);
}

static void read_part(const char *archive, const char *ending, LunaText *text) {
  LunaText path = {0};
  LunaError error = {0};
  luna_text_printf(&path, "%s%s", archive, ending);
  if (!luna_text_read_file(text, path.data, 1 << 28, &error))
    printf("%s\n", error.message);
  CHECK(error.code == LUNA_ERROR_NONE);
  luna_text_deinit(&path);
}

int main(int argc, char **argv) {
  const char *archive =
      argc > 1 ? argv[1] : LUNA_TEST_MODELS "_recorded/recorded";
  MlirContext context = reference_context();
  LunaText data = {0}, index = {0};
  Tally tally = {0};
  read_part(archive, ".bin", &data);
  read_part(archive, ".index", &index);
  CHECK(index.length > 0);
  for (const char *line = index.data; *line; line = strchr(line, '\n') + 1)
    run_line(context, line, &data, &tally);
  printf("%ld models, %ld refused, %ld values, %ld different\n", tally.models,
         tally.refused, tally.values, tally.different);
  luna_text_deinit(&data);
  luna_text_deinit(&index);
  mlirContextDestroy(context);
  return tally.different == 0 && (argc > 1 || tally.refused == 0) ? 0 : 1;
}
