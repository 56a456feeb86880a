// The ONNX reader: small models of our own run on the host and give the values
// computed here; bad input gives one error; real models of $LUNA_MODELS, where
// they are, give the recorded results. `onnx_test operators` prints the table
// for docs/import.md.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "luna-c/ir.h"
#include "luna/import.h"
#include "luna/text.h"
#include "reference_fixture.h"

static MlirContext context;

static void read_model(LunaText *text, const char *name) {
  LunaText path = {0};
  LunaError error;
  luna_text_printf(&path, "%s/%s.onnx", LUNA_TEST_ONNX, name);
  CHECK(luna_text_read_file(text, path.data, 1 << 20, &error));
  luna_text_deinit(&path);
}

static bool import_model(const char *name, const LunaImportOptions *options,
                         MlirModule *module, LunaError *error) {
  LunaText text = {0};
  read_model(&text, name);
  bool ok =
      luna_import_onnx(context, text.data, text.length, options, module, error);
  luna_text_deinit(&text);
  return ok;
}

static void append_text(MlirStringRef part, void *data) {
  luna_text_append(data, part.data, part.length);
}

static void print_module(MlirModule module, LunaText *text) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
  mlirOperationPrintWithFlags(mlirModuleGetOperation(module), flags,
                              append_text, text);
  mlirOpPrintingFlagsDestroy(flags);
}

//===----------------------------------------------------------------------===//
// Small models
//===----------------------------------------------------------------------===//

static int occurrences(const char *text, const char *what) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, what)) != NULL; ++at)
    ++count;
  return count;
}

static void convolutions_share_one_layout(void) {
  MlirModule module;
  LunaError error;
  LunaText text = {0};
  CHECK(import_model("conv", NULL, &module, &error));
  print_module(module, &text);
  CHECK(occurrences(text.data, "tosa.conv2d") == 2);
  // One on the way in and one per kernel, to be folded; on the way out only
  // dimensions of 1 move.
  CHECK(occurrences(text.data, "tosa.transpose") == 3);
  CHECK(strstr(text.data, "a_node:Conv") != NULL);
  luna_text_deinit(&text);
  mlirModuleDestroy(module);
}

static void relu_of_int8_is_a_clamp(void) {
  MlirModule module;
  LunaError error;
  LunaText text = {0};
  CHECK(import_model("luna", NULL, &module, &error));
  print_module(module, &text);
  CHECK(strstr(text.data, "luna.conv2d") != NULL);
  CHECK(strstr(text.data, "mode = shift, shift = 7>") != NULL);
  CHECK(strstr(text.data, "tosa.clamp") != NULL);
  luna_text_deinit(&text);
  mlirModuleDestroy(module);
}

static void run_model(const char *name, LunaReference *reference,
                      const float *input, size_t count) {
  MlirModule module;
  LunaError error;
  CHECK(import_model(name, NULL, &module, &error));
  CHECK(open_reference(reference, module));
  CHECK(reference->values[0].bytes == count * sizeof *input);
  memcpy(reference->values[0].data, input, count * sizeof *input);
  run_reference(reference);
  mlirModuleDestroy(module);
}

static float result(const LunaReference *reference, int value, int i) {
  float number;
  memcpy(&number,
         reference->values[reference->argument_count + value].data + 4 * i, 4);
  return number;
}

static void both_branches_run(void) {
  for (int way = 0; way < 2; ++way) {
    LunaReference reference;
    float input[12];
    for (int i = 0; i < 12; ++i)
      input[i] = (float)(way ? i : -i);
    run_model("branch", &reference, input, 12);
    for (int i = 0; i < 12; ++i) {
      float k = (float)((i % 6 * 7) % 11 - 5) * 0.25f;
      CHECK(result(&reference, 0, i) == (way ? input[i] * k : input[i] - k));
    }
    luna_reference_destroy(&reference);
  }
}

static void loop_collects_its_rows(void) {
  LunaReference reference;
  const float input[2] = {10, 20};
  run_model("loop", &reference, input, 2);
  CHECK(result(&reference, 0, 0) == 13 && result(&reference, 0, 1) == 26);
  for (int i = 0; i < 3; ++i)
    CHECK(result(&reference, 1, 2 * i) == 11 + (float)i &&
          result(&reference, 1, 2 * i + 1) == 22 + 2 * (float)i);
  luna_reference_destroy(&reference);
}

static void open_dimensions_come_from_the_caller(void) {
  LunaImportDimension steps = {.name = "steps", .size = 5};
  LunaImportOptions options = {.dimensions = &steps, .dimension_count = 1};
  MlirModule module;
  LunaError error;
  CHECK(!import_model("open", NULL, &module, &error));
  CHECK(strstr(error.message, "'x' has a shape that is not fixed") != NULL);
  CHECK(import_model("open", &options, &module, &error));
  mlirModuleDestroy(module);
}

static void fixed_inputs_are_no_arguments(void) {
  const float values[12] = {0};
  LunaImportConstant x = {
      .name = "x", .bytes = values, .byte_count = sizeof values};
  LunaImportOptions options = {.constants = &x, .constant_count = 1};
  MlirModule module;
  LunaError error;
  CHECK(import_model("branch", &options, &module, &error));
  mlirModuleDestroy(module);
  x.byte_count = 4;
  CHECK(!import_model("branch", &options, &module, &error));
  CHECK(strstr(error.message, "'x' is given 4 bytes, it has 48") != NULL);
}

//===----------------------------------------------------------------------===//
// Recorded results
//===----------------------------------------------------------------------===//

static const char *models_folder(void) {
  const char *given = getenv("LUNA_MODELS");
  return given ? given : LUNA_DEFAULT_MODELS;
}

// The elements of a .npy file of version 1; false where there is none.
static bool read_npy(LunaText *text, const char *path, const char **data,
                     size_t *bytes) {
  LunaError error;
  if (!luna_text_read_file(text, path, 1 << 28, &error))
    return false;
  CHECK(text->length > 10 && memcmp(text->data, "\x93NUMPY\x01", 7) == 0);
  size_t header = (unsigned char)text->data[8] +
                  256 * (size_t)(unsigned char)text->data[9] + 10;
  *data = text->data + header;
  *bytes = text->length - header;
  return true;
}

// Files may hold several cases, one after the other.
static void load_argument(LunaReferenceValue *value, const char *path,
                          size_t number) {
  LunaText text = {0};
  const char *data;
  size_t bytes;
  CHECK(read_npy(&text, path, &data, &bytes));
  CHECK(bytes >= (number + 1) * value->bytes);
  memcpy(value->data, data + number * value->bytes, value->bytes);
  luna_text_deinit(&text);
}

static void expect_near(const LunaReferenceValue *value, const char *path,
                        size_t number) {
  LunaText text = {0};
  const char *data;
  size_t bytes;
  CHECK(read_npy(&text, path, &data, &bytes));
  CHECK(bytes >= (number + 1) * value->bytes);
  data += number * value->bytes;
  bytes = value->bytes;
  double largest = 0, worst = 0;
  for (size_t i = 0; i < bytes / 4; ++i) {
    float want, got;
    memcpy(&want, data + 4 * i, 4);
    memcpy(&got, value->data + 4 * i, 4);
    double size = fabs((double)want), off = fabs((double)want - (double)got);
    largest = size > largest ? size : largest;
    worst = off > worst ? off : worst;
  }
  if (worst > 1e-5 * largest)
    fprintf(stderr, "%s: off by %g of %g\n", path, worst, largest);
  CHECK(worst <= 1e-5 * largest);
  luna_text_deinit(&text);
}

static bool exists(const char *path) {
  LunaText text = {0};
  bool found = luna_text_read_file(&text, path, 1 << 28, NULL);
  luna_text_deinit(&text);
  return found;
}

static void run_torch_model(const char *name) {
  LunaText path = {0};
  MlirModule module;
  LunaError error;
  LunaReference reference;
  luna_text_printf(&path, "%s/generated/torch/%s.onnx", models_folder(), name);
  if (!exists(path.data)) {
    printf("skipped: no %s\n", path.data);
    luna_text_deinit(&path);
    return;
  }
  CHECK(luna_import_file(context, path.data, NULL, &module, &error));
  luna_text_deinit(&path);
  CHECK(open_reference(&reference, module));
  for (int number = 0;; ++number) {
    char file[600];
    const char *folder = models_folder();
    snprintf(file, sizeof file, "%s/generated/torch/%s.cases/%d.in0.npy",
             folder, name, number);
    if (!exists(file))
      break;
    for (uint32_t i = 0; i < reference.argument_count; ++i) {
      snprintf(file, sizeof file, "%s/generated/torch/%s.cases/%d.in%d.npy",
               folder, name, number, i);
      load_argument(&reference.values[i], file, 0);
    }
    run_reference(&reference);
    for (uint32_t i = 0; i < reference.result_count; ++i) {
      snprintf(file, sizeof file, "%s/generated/torch/%s.cases/%d.out%d.npy",
               folder, name, number, i);
      expect_near(&reference.values[reference.argument_count + i], file, 0);
    }
  }
  luna_reference_destroy(&reference);
  mlirModuleDestroy(module);
}

static void torch_models_give_what_torch_gave(void) {
  static const char *const names[] = {"skipnet", "denoise", "wakeup",
                                      "loop_gru"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    run_torch_model(names[i]);
}

static void run_speech_case(LunaReference *reference, const char *folder,
                            size_t number, int rate) {
  char path[600];
  snprintf(path, sizeof path, "%s/in_input.npy", folder);
  load_argument(&reference->values[0], path, number);
  memset(reference->values[1].data, 0, 8);
  reference->values[1].data[0] = (uint8_t)rate;
  reference->values[1].data[1] = (uint8_t)(rate >> 8);
  snprintf(path, sizeof path, "%s/in_state.npy", folder);
  load_argument(&reference->values[2], path, number);
  run_reference(reference);
  snprintf(path, sizeof path, "%s/out_prob.npy", folder);
  expect_near(&reference->values[3], path, number);
  snprintf(path, sizeof path, "%s/out_state.npy", folder);
  expect_near(&reference->values[4], path, number);
}

static void speech_detector_runs_at_both_rates(void) {
  static const int rates[2] = {8000, 16000};
  char path[600], folder[500];
  for (int i = 0; i < 2; ++i) {
    LunaImportDimension dimensions[2] = {
        {"batch", 1}, {"sequence", rates[i] == 8000 ? 288 : 576}};
    LunaImportOptions options = {.dimensions = dimensions,
                                 .dimension_count = 2};
    MlirModule module;
    LunaError error;
    LunaReference reference;
    snprintf(path, sizeof path, "%s/vad/silero_vad_op18_ifless.onnx",
             models_folder());
    if (!exists(path)) {
      printf("skipped: no %s\n", path);
      return;
    }
    CHECK(luna_import_file(context, path, &options, &module, &error));
    CHECK(open_reference(&reference, module));
    snprintf(folder, sizeof folder,
             "%s/golden/silero/silero_vad_op18_ifless_%d", models_folder(),
             rates[i]);
    for (size_t number = 0; number < 12; ++number)
      run_speech_case(&reference, folder, number, rates[i]);
    luna_reference_destroy(&reference);
    mlirModuleDestroy(module);
  }
}

//===----------------------------------------------------------------------===//
// Docs
//===----------------------------------------------------------------------===//

static int print_operators(void) {
  LunaText table = {0};
  luna_import_onnx_operators(&table);
  printf("%s", table.data);
  luna_text_deinit(&table);
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "operators") == 0)
    return print_operators();
  context = reference_context();
  RUN_TEST(convolutions_share_one_layout);
  RUN_TEST(relu_of_int8_is_a_clamp);
  RUN_TEST(both_branches_run);
  RUN_TEST(loop_collects_its_rows);
  RUN_TEST(open_dimensions_come_from_the_caller);
  RUN_TEST(fixed_inputs_are_no_arguments);
  RUN_TEST(torch_models_give_what_torch_gave);
  RUN_TEST(speech_detector_runs_at_both_rates);
  mlirContextDestroy(context);
  return 0;
}
