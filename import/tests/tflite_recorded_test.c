// Runs models of one operator or a few, made by
// tflite_recorded/make_recorded.py, and compares with what TensorFlow Lite
// Micro's reference kernels gave for the same inputs: integers bit for bit,
// floats within a few units in the last place. Beside NAME.tflite lie NAME.in,
// the inputs of all calls one after the other, and NAME.out, the outputs. With
// arguments, those models.

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

static bool read_beside(const char *model, const char *ending, LunaText *text) {
  LunaText path = {0};
  LunaError error = {0};
  int stem = (int)(strlen(model) - strlen(".tflite"));
  luna_text_printf(&path, "%.*s%s", stem, model, ending);
  bool found = luna_text_read_file(text, path.data, 1 << 26, &error);
  luna_text_deinit(&path);
  return found;
}

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

static void run_calls(const char *model, LunaReference *reference,
                      const LunaText *in, const LunaText *out, Tally *tally) {
  int inputs = reference->argument_count,
      all = inputs + reference->result_count;
  size_t in_bytes = bytes_of(reference, 0, inputs);
  size_t out_bytes = bytes_of(reference, inputs, all),
         calls = in->length / in_bytes;
  if (in->length != calls * in_bytes || out->length != calls * out_bytes) {
    printf("%s: the recorded files have another size\n", model);
    ++tally->different;
    return;
  }
  const char *input = in->data, *output = out->data;
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

static void run_model(MlirContext context, const char *model, Tally *tally) {
  LunaText bytes = {0}, in = {0}, out = {0};
  LunaError error = {0};
  MlirModule module;
  LunaReference reference;
  if (read_beside(model, ".tflite", &bytes) && read_beside(model, ".in", &in) &&
      read_beside(model, ".out", &out)) {
    ++tally->models;
    if (!luna_import_tflite(context, bytes.data, bytes.length, NULL, &module,
                            &error)) {
      printf("%s: %s\n", model, error.message);
      ++tally->refused;
    } else {
      if (open_reference(&reference, module))
        run_calls(model, &reference, &in, &out, tally);
      else
        ++tally->different;
      luna_reference_destroy(&reference);
      mlirModuleDestroy(module);
    }
  } else {
    printf("%s: model or recorded files are missing\n", model);
    ++tally->different;
  }
  luna_text_deinit(&bytes);
  luna_text_deinit(&in);
  luna_text_deinit(&out);
}

static const char *const names[] = {
#define MODEL(name) LUNA_TEST_MODELS "_recorded/" #name ".tflite",
#include "tflite_recorded/models.def"
#undef MODEL
};

int main(int argc, char **argv) {
  MlirContext context = reference_context();
  Tally tally = {0};
  int count = argc > 1 ? argc - 1 : (int)(sizeof names / sizeof *names);
  for (int i = 0; i < count; ++i)
    run_model(context, argc > 1 ? argv[1 + i] : names[i], &tally);
  printf("%ld models, %ld refused, %ld values, %ld different\n", tally.models,
         tally.refused, tally.values, tally.different);
  mlirContextDestroy(context);
  return tally.different == 0 && (argc > 1 || tally.refused == 0) ? 0 : 1;
}
