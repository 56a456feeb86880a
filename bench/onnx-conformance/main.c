// Runs ONNX's node tests: imports each model, runs it on this computer through
// upstream MLIR and compares with the expected outputs.
//
//   onnx-conformance [--verbose] FOLDER...
//
// A FOLDER is a test (it holds model.onnx and test_data_set_0) or holds tests.
// A test is `unsupported` when the reader refuses the model, naming the node;
// it has failed when anything goes wrong after that or a value differs. Inputs
// that the reader needs as constants (shapes, axes, scales) are fixed to the
// test's values: such a model is read once without and once with them. Exits
// with 1 when a test failed, 2 when there is none.

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "luna/context.h"
#include "luna/import.h"
#include "luna/reference.h"
#include "luna/text.h"
#include "tensor.h"

enum { MAX_VALUES = 64, LIMIT_BYTES = 1 << 28, TESTS_PER_CHILD = 50 };

typedef enum Outcome { PASSED, UNSUPPORTED, FAILED, OUTCOME_COUNT } Outcome;

typedef struct Test {
  char folder[512];
  LunaText model;
  Tensor inputs[MAX_VALUES], outputs[MAX_VALUES];
  int input_count, output_count;
} Test;

//===----------------------------------------------------------------------===//
// Reading a test
//===----------------------------------------------------------------------===//

static bool read_values(const char *folder, const char *kind, Tensor *values,
                        int *count) {
  for (*count = 0; *count < MAX_VALUES; ++*count) {
    char path[640];
    LunaText text = {0};
    snprintf(path, sizeof path, "%s/test_data_set_0/%s_%d.pb", folder, kind,
             *count);
    if (!luna_text_read_file(&text, path, LIMIT_BYTES, NULL))
      return true;
    bool ok = tensor_read(&values[*count], text.data, text.length);
    luna_text_deinit(&text);
    if (!ok) {
      snprintf(values[*count].problem, sizeof values[*count].problem,
               "%s %d is not a tensor of a supported type", kind, *count);
      return false;
    }
  }
  return true;
}

static void free_test(Test *test) {
  luna_text_deinit(&test->model);
  for (int i = 0; i < MAX_VALUES; ++i) {
    tensor_free(&test->inputs[i]);
    tensor_free(&test->outputs[i]);
  }
}

//===----------------------------------------------------------------------===//
// Running it
//===----------------------------------------------------------------------===//

// Fixes the inputs in `fixed` (bits) and imports; names come from the file.
static bool import(MlirContext context, const Test *test, unsigned fixed,
                   MlirModule *module, LunaError *error) {
  LunaImportConstant constants[MAX_VALUES];
  char names[MAX_VALUES][128];
  int name_count = model_input_names(test->model.data, test->model.length,
                                     names, MAX_VALUES);
  LunaImportOptions options = {.constants = constants, .folder = test->folder};
  for (int i = 0; i < test->input_count && i < name_count; ++i)
    if (fixed >> i & 1)
      constants[options.constant_count++] =
          (LunaImportConstant){.name = names[i],
                               .bytes = test->inputs[i].bytes,
                               .byte_count = test->inputs[i].byte_count};
  return luna_import_onnx(context, test->model.data, test->model.length,
                          &options, module, error);
}

// The inputs that are small, the first only if it is one number: those that
// may be parameters.
static unsigned parameters(const Test *test) {
  unsigned mask = 0;
  for (int i = 0; i < test->input_count && i < 32; ++i)
    if (test->inputs[i].byte_count <= (i == 0 ? 8 : 1024))
      mask |= 1u << i;
  return mask;
}

// Only those that are integers: shapes, axes, counts.
static unsigned integer_parameters(const Test *test) {
  unsigned mask = 0;
  for (int i = 0; i < test->input_count && i < 32; ++i)
    if (test->inputs[i].byte_count <= 1024 &&
        (test->inputs[i].type == 6 || test->inputs[i].type == 7))
      mask |= 1u << i;
  return mask;
}

// A result behind the outputs that says how large one of them is.
static bool is_said(const Test *test, const LunaReference *reference,
                    int64_t size) {
  for (uint32_t i = (uint32_t)test->output_count; i < reference->result_count;
       ++i) {
    int32_t said;
    memcpy(&said, reference->values[reference->argument_count + i].data,
           sizeof said);
    if (said == size)
      return true;
  }
  return false;
}

// Compares an output with the part of its bound that is live.
static bool matches_live(const Test *test, const LunaReference *reference,
                         int i, char *message, size_t message_bytes) {
  // Behind the sizes of a memref's descriptor are its strides.
  enum { HEAD_BYTES = 24, DIMENSION_BYTES = 16 };
  const Tensor *expected = &test->outputs[i];
  const LunaReferenceValue *found =
      &reference->values[reference->argument_count + (uint32_t)i];
  const int64_t *sizes =
      (const int64_t *)(const void *)((const char *)found->descriptor +
                                      HEAD_BYTES);
  bool fits = found->descriptor_bytes ==
              HEAD_BYTES + DIMENSION_BYTES * (size_t)expected->rank;
  for (int d = 0; fits && d < expected->rank; ++d)
    fits = sizes[d] == expected->dims[d] ||
           (sizes[d] > expected->dims[d] &&
            is_said(test, reference, expected->dims[d]));
  if (!fits) {
    snprintf(message, message_bytes, "has another shape");
    return false;
  }
  uint8_t *part = tensor_take(expected, found->data, sizes);
  bool matches = tensor_matches(expected, part, expected->byte_count, message,
                                message_bytes);
  free(part);
  return matches;
}

static Outcome compare(const Test *test, const LunaReference *reference,
                       char *message, size_t message_bytes) {
  bool is_live = (int)reference->result_count > test->output_count;
  if ((int)reference->result_count < test->output_count) {
    snprintf(message, message_bytes, "has %u results, expected %d",
             reference->result_count, test->output_count);
    return FAILED;
  }
  for (int i = 0; i < test->output_count; ++i) {
    const LunaReferenceValue *found =
        &reference->values[reference->argument_count + (uint32_t)i];
    bool matches =
        is_live ? matches_live(test, reference, i, message, message_bytes)
                : tensor_matches(&test->outputs[i], found->data, found->bytes,
                                 message, message_bytes);
    if (!matches) {
      size_t used = strlen(message);
      snprintf(message + used, message_bytes - used, " in output %d", i);
      return FAILED;
    }
  }
  return PASSED;
}

// Copies the inputs that are not fixed; false where one does not fit.
static bool set_arguments(const Test *test, LunaReference *reference,
                          unsigned fixed, char *message, size_t message_bytes) {
  uint32_t argument = 0;
  for (int i = 0; i < test->input_count; ++i) {
    if (fixed >> i & 1)
      continue;
    LunaReferenceValue *value = &reference->values[argument];
    if (argument++ == reference->argument_count ||
        value->bytes != test->inputs[i].byte_count) {
      snprintf(message, message_bytes,
               "input %d of the test has another size than in the model", i);
      return false;
    }
    memcpy(value->data, test->inputs[i].bytes, value->bytes);
  }
  return true;
}

static Outcome run_module(const Test *test, MlirModule module, unsigned fixed,
                          char *message, size_t message_bytes) {
  enum { OPTIMISATION_LEVEL = 0 };
  LunaReference reference;
  LunaError error = {0};
  Outcome outcome = FAILED;
  if (!luna_reference_create(module, OPTIMISATION_LEVEL, &reference, &error))
    snprintf(message, message_bytes, "%s", error.message);
  else if (!set_arguments(test, &reference, fixed, message, message_bytes))
    outcome = UNSUPPORTED;
  else if (!luna_reference_run(&reference, NULL, 0))
    snprintf(message, message_bytes, "cannot be run");
  else
    outcome = compare(test, &reference, message, message_bytes);
  luna_reference_destroy(&reference);
  return outcome;
}

static Outcome run_test(MlirContext context, const char *folder, char *message,
                        size_t message_bytes) {
  static Test test;
  memset(&test, 0, sizeof test);
  snprintf(test.folder, sizeof test.folder, "%s", folder);
  char path[640];
  LunaError error;
  snprintf(path, sizeof path, "%s/model.onnx", folder);
  if (!luna_text_read_file(&test.model, path, LIMIT_BYTES, &error)) {
    snprintf(message, message_bytes, "%s", error.message);
    return FAILED;
  }
  MlirModule module = {NULL};
  bool readable =
      read_values(folder, "input", test.inputs, &test.input_count) &&
      read_values(folder, "output", test.outputs, &test.output_count);
  model_fix_types(test.model.data, test.model.length, test.outputs,
                  test.output_count);
  // The outputs of tests of sequences are no tensors; those models are refused.
  unsigned tries[3] = {0, integer_parameters(&test), parameters(&test)};
  unsigned fixed = 0;
  bool imported = false;
  for (int i = 0; i < 3 && !imported; ++i) {
    if (i > 0 && (tries[i] == tries[i - 1] || !readable))
      continue;
    fixed = tries[i];
    imported = import(context, &test, fixed, &module, &error);
    if (i == 0 || imported)
      snprintf(message, message_bytes, "%s", error.message);
  }
  Outcome outcome = error.code == LUNA_ERROR_INPUT ? UNSUPPORTED : FAILED;
  if (imported && !readable) {
    snprintf(message, message_bytes, "expected values of another type");
    outcome = UNSUPPORTED;
  } else if (imported) {
    outcome = run_module(&test, module, fixed, message, message_bytes);
  }
  free_test(&test);
  return outcome;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

// Shorter than what a pipe takes at once.
typedef struct Verdict {
  Outcome outcome;
  char message[600];
} Verdict;

static void run_tests(MlirContext context, char **folders, int count,
                      int verdicts) {
  for (int i = 0; i < count; ++i) {
    Verdict verdict = {.message = ""};
    alarm(60);
    verdict.outcome =
        run_test(context, folders[i], verdict.message, sizeof verdict.message);
    if (write(verdicts, &verdict, sizeof verdict) != sizeof verdict)
      exit(1);
  }
  exit(0); // writes coverage, too
}

// Runs the first tests, the last of them one that crashes if there is one, and
// returns their number. In another process, so that a crash is one failed test;
// in one for many of them, since it takes as long to start as a test.
static int run_apart(MlirContext context, char **folders, int count,
                     Verdict *verdicts) {
  int pipe_ends[2], done = 0, status = 0;
  if (pipe(pipe_ends) != 0) {
    verdicts[0] = (Verdict){FAILED, "no pipe"};
    return 1;
  }
  pid_t child = fork();
  if (child == 0)
    run_tests(context, folders, count, pipe_ends[1]);
  close(pipe_ends[1]);
  while (done < count && read(pipe_ends[0], &verdicts[done],
                              sizeof *verdicts) == sizeof *verdicts)
    ++done;
  close(pipe_ends[0]);
  waitpid(child, &status, 0);
  if (done == count)
    return done;
  verdicts[done].outcome = FAILED;
  snprintf(verdicts[done].message, sizeof verdicts->message,
           "crashed (signal %d)", WTERMSIG(status));
  return done + 1;
}

typedef struct Summary {
  MlirContext context;
  int counts[OUTCOME_COUNT];
  bool verbose;
} Summary;

static void report(Summary *summary, const char *folder,
                   const Verdict *verdict) {
  static const char *const words[] = {"passed", "unsupported", "failed"};
  bool passed = verdict->outcome == PASSED;
  ++summary->counts[verdict->outcome];
  const char *name = strrchr(folder, '/');
  if (!passed || summary->verbose)
    printf("%-11s %s%s%s\n", words[verdict->outcome], name ? name + 1 : folder,
           passed ? "" : ": ", passed ? "" : verdict->message);
  fflush(stdout);
}

static void run_all(Summary *summary, char **folders, int count) {
  static Verdict verdicts[TESTS_PER_CHILD];
  for (int i = 0, done; i < count; i += done) {
    int left = count - i;
    done = run_apart(summary->context, folders + i,
                     left < TESTS_PER_CHILD ? left : TESTS_PER_CHILD, verdicts);
    for (int k = 0; k < done; ++k)
      report(summary, folders[i + k], &verdicts[k]);
  }
}

static bool is_test(const char *folder) {
  char path[640];
  snprintf(path, sizeof path, "%s/model.onnx", folder);
  return access(path, R_OK) == 0;
}

static int ignore_dots(const struct dirent *entry) {
  return entry->d_name[0] != '.';
}

static void run_folder(Summary *summary, char *folder) {
  if (is_test(folder)) {
    run_all(summary, &folder, 1);
    return;
  }
  struct dirent **entries = NULL;
  int count = scandir(folder, &entries, ignore_dots, alphasort), tests = 0;
  char **folders = calloc((size_t)(count > 0 ? count : 1), sizeof *folders);
  for (int i = 0; folders && i < count; ++i) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
    if (is_test(path))
      folders[tests++] = strdup(path);
    free(entries[i]);
  }
  free(entries);
  run_all(summary, folders, tests);
  for (int i = 0; i < tests; ++i)
    free(folders[i]);
  free(folders);
}

int main(int argc, char **argv) {
  Summary summary = {.verbose = false};
  LunaArena arena = {0};
  LunaError error = {0};
  if (!luna_context_create(NULL, &arena, &summary.context, &error)) {
    fprintf(stderr, "onnx-conformance: %s\n", error.message);
    return luna_error_exit_code(error.code);
  }
  for (int i = 1; i < argc; ++i)
    if (strcmp(argv[i], "--verbose") == 0)
      summary.verbose = true;
    else
      run_folder(&summary, argv[i]);
  mlirContextDestroy(summary.context);
  luna_arena_destroy(&arena);
  printf("passed %d, unsupported %d, failed %d\n", summary.counts[PASSED],
         summary.counts[UNSUPPORTED], summary.counts[FAILED]);
  if (summary.counts[FAILED] > 0)
    return 1;
  return summary.counts[PASSED] + summary.counts[UNSUPPORTED] > 0 ? 0 : 2;
}
