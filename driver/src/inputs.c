#include "inputs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// The tensors with files, and the values read so far.
typedef struct Targets {
  const char *option, *what;
  const LunaProgramTensor *tensors;
  uint32_t count;
  LunaValues *values;
} Targets;

static bool is_prefix(const char *text, size_t length, const char *name) {
  return strlen(name) == length && memcmp(text, name, length) == 0;
}

// Returns the tensor that the text before '=' names, or the number of tensors.
static uint32_t find_target(const Targets *targets, const char *text,
                            size_t length) {
  for (uint32_t i = 0; i < targets->count; ++i)
    if (is_prefix(text, length, targets->tensors[i].name))
      return i;
  char *end = NULL;
  unsigned long number = strtoul(text, &end, 10);
  bool is_number = end == text + length && *text >= '0' && *text <= '9';
  return is_number && number < targets->count ? (uint32_t)number
                                              : targets->count;
}

// Returns the next tensor: the first of those with the fewest files.
static uint32_t next_target(const Targets *targets) {
  uint32_t next = 0;
  for (uint32_t i = 1; i < targets->count; ++i)
    if (targets->values[i].files < targets->values[next].files)
      next = i;
  return next;
}

static bool choose_target(const Targets *targets, const char **file,
                          uint32_t *index, LunaError *error) {
  const char *equals = strchr(*file, '=');
  *index = equals ? find_target(targets, *file, (size_t)(equals - *file))
                  : next_target(targets);
  if (*index >= targets->count)
    return luna_error_set(
        error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
        "%s=%s names no %s; the model has %u, counted from 0, the first is "
        "'%s'",
        targets->option, *file, targets->what, targets->count,
        targets->count > 0 ? targets->tensors[0].name : "");
  if (equals)
    *file = equals + 1;
  return true;
}

static bool read_files(const Targets *targets, const LunaStrings *files,
                       LunaArena *arena, LunaError *error) {
  for (uint32_t i = 0; i < files->count; ++i) {
    const char *file = files->items[i];
    uint32_t index = 0;
    if (!choose_target(targets, &file, &index, error) ||
        !luna_values_read_file(&targets->tensors[index], file, arena,
                               &targets->values[index], error))
      return false;
  }
  return true;
}

static bool check_complete(const Targets *targets, LunaArena *arena,
                           int64_t *cases, LunaError *error) {
  for (uint32_t i = 0; i < targets->count; ++i) {
    const char *name = targets->tensors[i].name;
    if (!targets->values[i].bytes)
      return luna_error_set(
          error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
          "input %u '%s' (%s) has no value; give --input=FILE for each of %u, "
          "or --random-input=SEED",
          i, name, luna_tensor_text(arena, &targets->tensors[i]),
          targets->count);
    if (i == 0)
      *cases = targets->values[i].cases;
    if (targets->values[i].cases != *cases)
      return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                            "input '%s' has %" PRId64 " cases, '%s' has "
                            "%" PRId64,
                            name, targets->values[i].cases,
                            targets->tensors[0].name, *cases);
  }
  return true;
}

// Checks that random inputs of all cases fit in memory.
static bool check_random(const LunaProgramTensor *inputs, uint32_t count,
                         int64_t cases, LunaError *error) {
  const int64_t bytes_max = INT64_C(1) << 32;
  int64_t each = 0;
  for (uint32_t i = 0; i < count; ++i)
    each += inputs[i].bytes;
  if (each == 0 || cases <= bytes_max / each)
    return true;
  return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "--cases is %" PRId64 ", allowed are up to %" PRId64
                        " for inputs of %" PRId64 " bytes",
                        cases, bytes_max / each, each);
}

bool luna_inputs_read(const LunacOptions *options,
                      const LunaProgramTensor *inputs, uint32_t count,
                      LunaArena *arena, LunaValues *values, int64_t *cases,
                      LunaError *error) {
  Targets targets = {"--input", "input", inputs, count, values};
  *cases = options->cases;
  if (!options->has_random_input)
    return read_files(&targets, &options->inputs, arena, error) &&
           check_complete(&targets, arena, cases, error);
  if (options->inputs.count > 0)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "--input and --random-input are both given");
  if (!check_random(inputs, count, options->cases, error))
    return false;
  uint64_t seed = (uint64_t)options->random_seed;
  for (uint32_t i = 0; i < count; ++i)
    values[i] = luna_values_random(&inputs[i], options->cases, &seed, arena);
  return true;
}

bool luna_expected_read(const LunacOptions *options,
                        const LunaProgramTensor *outputs, uint32_t count,
                        LunaArena *arena, LunaValues *values, int64_t cases,
                        LunaError *error) {
  Targets targets = {"--expect", "output", outputs, count, values};
  if (!read_files(&targets, &options->expected, arena, error))
    return false;
  for (uint32_t i = 0; i < count; ++i)
    if (values[i].bytes && values[i].cases != cases)
      return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                            "%" PRId64 " cases of output '%s' are expected, "
                            "the inputs have %" PRId64,
                            values[i].cases, outputs[i].name, cases);
  return true;
}

bool luna_tolerance_read(const LunacOptions *options, double *tolerance,
                         LunaError *error) {
  char *end = NULL;
  if (!options->tolerance)
    return true;
  *tolerance = strtod(options->tolerance, &end);
  return (!*end && end != options->tolerance && *tolerance >= 0) ||
         luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "--tolerance is '%s', needs a number of at least 0",
                        options->tolerance);
}
