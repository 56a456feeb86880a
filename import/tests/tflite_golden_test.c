// Imports the real models of $LUNA_MODELS, runs them on the host through the
// upstream lowering and compares with the outputs recorded from TensorFlow Lite
// Micro. Prints one line per model. With an argument, the models whose path
// contains it ("all": every one); without, those that take no long.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "luna/import.h"
#include "luna/text.h"
#include "reference_fixture.h"

typedef struct Model {
  const char *path, *golden;
  bool is_long;
} Model;

static const Model models[] = {
    {"body/person_detect.tflite", "body_person_detect", false},
    {"body/tinyengine_detection_fpn.tflite", "body_tinyengine_detection_fpn",
     true},
    {"face/blazeface_front_128.tflite", "face_blazeface_front_128", true},
    {"generated/tflite/fusion_detect_if.tflite", "generated_fusion_detect_if",
     true},
    {"generated/tflite/resnet8_blockdrop_if.tflite",
     "generated_resnet8_blockdrop_if", false},
    {"generated/tflite/wake_vad_if.tflite", "generated_wake_vad_if", false},
    {"tiny/mlperf_ad01_int8.tflite", "tiny_mlperf_ad01_int8", false},
    {"tiny/mlperf_ic_resnet8_int8.tflite", "tiny_mlperf_ic_resnet8_int8",
     false},
    {"wake/mlperf_kws_int8.tflite", "wake_mlperf_kws_int8", false},
    {"wake/mlperf_str_ww_int8.tflite", "wake_mlperf_str_ww_int8", false},
    {"wake/mww_v2_okay_nabu.tflite", "wake_mww_v2_okay_nabu", false},
    {"wake/mww_v2_vad.tflite", "wake_mww_v2_vad", false},
};

enum { MODEL_COUNT = sizeof models / sizeof *models, MAX_BYTES = 1 << 28 };

static const char *models_folder(void) {
  const char *given = getenv("LUNA_MODELS");
  return given ? given : LUNA_DEFAULT_MODELS;
}

static bool read_file(LunaText *text, const char *a, const char *b,
                      const char *end, int index) {
  LunaText path = {0};
  luna_text_printf(&path, "%s/%s", models_folder(), a);
  if (b)
    luna_text_printf(&path, "/%s/%s%d.bin", b, end, index);
  LunaError error = {0};
  bool read = luna_text_read_file(text, path.data, MAX_BYTES, &error);
  luna_text_deinit(&path);
  return read;
}

// Fills the input of one case; false behind the last.
static bool fill_case(LunaReference *reference, const LunaText *inputs,
                      size_t index) {
  for (uint32_t i = 0; i < reference->argument_count; ++i) {
    LunaReferenceValue *value = &reference->values[i];
    if (value->state)
      continue;
    if ((index + 1) * value->bytes > inputs[i].length)
      return false;
    memcpy(value->data, inputs[i].data + index * value->bytes, value->bytes);
  }
  return true;
}

typedef struct Outcome {
  size_t cases, values, differing;
  double largest;
} Outcome;

static void compare(Outcome *outcome, const LunaReferenceValue *value,
                    const uint8_t *expected) {
  size_t element = value->is_float ? 4 : 1;
  for (size_t k = 0; k < value->bytes / element; ++k) {
    double difference = 0;
    if (value->is_float) {
      float a, b;
      memcpy(&a, value->data + 4 * k, 4);
      memcpy(&b, expected + 4 * k, 4);
      difference = (double)a - (double)b;
    } else {
      // A wrap-around between bytes of either sign counts as a step too.
      difference = (int8_t)(value->data[k] - expected[k]);
    }
    difference = difference < 0 ? -difference : difference;
    outcome->differing += difference != 0;
    if (difference > outcome->largest)
      outcome->largest = difference;
    ++outcome->values;
  }
}

static Outcome run_cases(LunaReference *reference, const Model *model) {
  LunaText inputs[8] = {{0}}, outputs[8] = {{0}};
  char folder[160];
  Outcome outcome = {0};
  snprintf(folder, sizeof folder, "golden/tflite");
  for (uint32_t i = 0; i < reference->argument_count && i < 8; ++i)
    if (!reference->values[i].state)
      CHECK(read_file(&inputs[i], folder, model->golden, "in", i));
  for (uint32_t i = 0; i < reference->result_count && i < 8; ++i)
    if (!reference->values[reference->argument_count + i].state)
      CHECK(read_file(&outputs[i], folder, model->golden, "out", i));
  while (fill_case(reference, inputs, outcome.cases)) {
    run_reference(reference);
    for (uint32_t i = 0; i < reference->result_count && i < 8; ++i) {
      const LunaReferenceValue *value =
          &reference->values[reference->argument_count + i];
      if (value->state)
        continue;
      CHECK((outcome.cases + 1) * value->bytes <= outputs[i].length);
      compare(&outcome, value,
              (const uint8_t *)outputs[i].data + outcome.cases * value->bytes);
    }
    ++outcome.cases;
  }
  for (int i = 0; i < 8; ++i) {
    luna_text_deinit(&inputs[i]);
    luna_text_deinit(&outputs[i]);
  }
  return outcome;
}

static bool test_model(MlirContext context, const Model *model) {
  LunaText bytes = {0};
  LunaError error = {0};
  MlirModule module;
  LunaReference reference;
  CHECK(read_file(&bytes, model->path, NULL, NULL, 0));
  if (!luna_import_tflite(context, bytes.data, bytes.length, NULL, &module,
                          &error)) {
    printf("%s: %s\n", model->path, error.message);
    return false;
  }
  CHECK(open_reference(&reference, module));
  Outcome outcome = run_cases(&reference, model);
  printf("%-46s %4zu cases %7zu values %5zu differ, at most %g\n", model->path,
         outcome.cases, outcome.values, outcome.differing, outcome.largest);
  fflush(stdout);
  luna_reference_destroy(&reference);
  mlirModuleDestroy(module);
  luna_text_deinit(&bytes);
  return outcome.cases > 0 && outcome.differing == 0;
}

static bool is_chosen(const Model *model, const char *wanted) {
  if (!wanted)
    return !model->is_long;
  return strcmp(wanted, "all") == 0 || strstr(model->path, wanted) != NULL;
}

int main(int argc, char **argv) {
  LunaText probe = {0};
  if (!read_file(&probe, "README.md", NULL, NULL, 0)) {
    printf("skipped: no models in %s\n", models_folder());
    return 0;
  }
  luna_text_deinit(&probe);
  MlirContext context = reference_context();
  bool passed = true;
  for (int i = 0; i < MODEL_COUNT; ++i)
    if (is_chosen(&models[i], argc > 1 ? argv[1] : NULL))
      passed = test_model(context, &models[i]) && passed;
  mlirContextDestroy(context);
  return passed ? 0 : 1;
}
