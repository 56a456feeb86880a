#include "values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "luna/npy.h"

enum { FILE_LIMIT_BYTES = 1 << 30 };

static bool fail(LunaError *error, LunaArena *arena, const char *file,
                 const char *message) {
  return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM, "%s",
                        luna_arena_printf(arena, "'%s' %s", file, message));
}

const char *luna_type_name(int32_t type) {
  static const char *const names[] = {"i1",  "i8",  "i16", "i32",
                                      "i64", "f32", "f64"};
  return type >= 0 && type < 7 ? names[type] : "?";
}

//===- Text ---------------------------------------------------------------===//

void luna_values_print(LunaText *text, int32_t type, const uint8_t *bytes,
                       int64_t index) {
  bytes += index * luna_element_bytes(type);
  int64_t integer = 0;
  double real = 0;
  float single = 0;
  int32_t word = 0;
  int16_t half = 0;
  switch (type) {
  case LUNA_TYPE_I1:
    integer = *bytes;
    break;
  case LUNA_TYPE_I8:
    integer = *bytes - (*bytes >= 128 ? 256 : 0);
    break;
  case LUNA_TYPE_I16:
    memcpy(&half, bytes, sizeof half);
    integer = half;
    break;
  case LUNA_TYPE_I32:
    memcpy(&word, bytes, sizeof word);
    integer = word;
    break;
  case LUNA_TYPE_I64:
    memcpy(&integer, bytes, sizeof integer);
    break;
  case LUNA_TYPE_F32:
    memcpy(&single, bytes, sizeof single);
    luna_text_printf(text, "%.9g", (double)single);
    return;
  default:
    memcpy(&real, bytes, sizeof real);
    luna_text_printf(text, "%.17g", real);
    return;
  }
  luna_text_printf(text, "%" PRId64, integer);
}

static const char *shape_text(LunaArena *arena, int32_t type, int32_t rank,
                              const int64_t *dims) {
  const char *text = "";
  for (int32_t i = 0; i < rank; ++i)
    text = luna_arena_printf(arena, "%s%" PRId64 "x", text, dims[i]);
  return luna_arena_printf(arena, "%s%s", text, luna_type_name(type));
}

//===- Files --------------------------------------------------------------===//

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

// Adds `cases` further cases of `each` bytes.
static void append(LunacValues *values, int64_t cases, const uint8_t *bytes,
                   int64_t each, LunaArena *arena) {
  uint8_t *all = luna_arena_alloc(arena, (uint64_t)(values->cases + cases),
                                  (uint64_t)each);
  if (values->cases > 0)
    memcpy(all, values->bytes, (size_t)(values->cases * each));
  if (cases > 0)
    memcpy(all + values->cases * each, bytes, (size_t)(cases * each));
  values->bytes = all;
  values->cases += cases;
  ++values->files;
}

// An array that is the tensor, or has one more dimension, of cases, in front.
static bool read_npy(const LunaProgramTensor *tensor, const char *file,
                     const LunaText *text, LunaArena *arena,
                     LunacValues *values, LunaError *error) {
  LunaNpy npy;
  LunaError found = {0};
  if (!luna_npy_read((const uint8_t *)text->data, text->length, &npy, &found))
    return fail(error, arena, file, found.message);
  int32_t extra = npy.rank - tensor->rank;
  bool is_equal = npy.type == tensor->type && (extra == 0 || extra == 1);
  for (int32_t i = 0; is_equal && i < tensor->rank; ++i)
    is_equal = npy.dims[i + extra] == tensor->dims[i];
  if (!is_equal)
    return fail(
        error, arena, file,
        luna_arena_printf(
            arena, "holds %s, '%s' is %s",
            shape_text(arena, npy.type, npy.rank, npy.dims), tensor->name,
            shape_text(arena, tensor->type, tensor->rank, tensor->dims)));
  append(values, extra == 1 ? npy.dims[0] : 1, npy.data, tensor->bytes, arena);
  return true;
}

static bool read_raw(const LunaProgramTensor *tensor, const char *file,
                     const LunaText *text, LunaArena *arena,
                     LunacValues *values, LunaError *error) {
  int64_t bytes = (int64_t)text->length;
  if (tensor->bytes == 0 || bytes == 0 || bytes % tensor->bytes != 0)
    return fail(error, arena, file,
                luna_arena_printf(
                    arena,
                    "has %" PRId64 " bytes, '%s' (%s) takes a "
                    "multiple of %" PRId64,
                    bytes, tensor->name,
                    shape_text(arena, tensor->type, tensor->rank, tensor->dims),
                    tensor->bytes));
  append(values, bytes / tensor->bytes, (const uint8_t *)text->data,
         tensor->bytes, arena);
  return true;
}

static bool read_file(const LunaProgramTensor *tensor, const char *file,
                      LunaArena *arena, LunacValues *values, LunaError *error) {
  LunaText text = {0};
  if (!ends_with(file, ".npy") && !ends_with(file, ".bin"))
    return fail(error, arena, file, "is no .npy or .bin file");
  bool is_read = luna_text_read_file(&text, file, FILE_LIMIT_BYTES, error);
  if (is_read)
    is_read = ends_with(file, ".npy")
                  ? read_npy(tensor, file, &text, arena, values, error)
                  : read_raw(tensor, file, &text, arena, values, error);
  luna_text_deinit(&text);
  for (int64_t i = 0; is_read && tensor->type == LUNA_TYPE_I1 &&
                      i < values->cases * tensor->bytes;
       ++i)
    values->bytes[i] = values->bytes[i] != 0;
  return is_read;
}

//===- [N|NAME=]FILE ------------------------------------------------------===//

// The tensors that files are given for, and the values read so far.
typedef struct Targets {
  const char *option, *what;
  const LunaProgramTensor *tensors;
  uint32_t count;
  LunacValues *values;
} Targets;

static bool is_prefix(const char *text, size_t length, const char *name) {
  return strlen(name) == length && memcmp(text, name, length) == 0;
}

// The tensor that the text before '=' names, or the number of tensors.
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

// The next tensor in turn: the first of those with the fewest files.
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

static bool read_files(const Targets *targets, const LunacStrings *files,
                       LunaArena *arena, LunaError *error) {
  for (uint32_t i = 0; i < files->count; ++i) {
    const char *file = files->items[i];
    uint32_t index = 0;
    if (!choose_target(targets, &file, &index, error) ||
        !read_file(&targets->tensors[index], file, arena,
                   &targets->values[index], error))
      return false;
  }
  return true;
}

//===- Random values ------------------------------------------------------===//

// SplitMix64 (Steele, Lea, Flood, 2014): the same numbers on every machine.
static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

// One value: integers of 32 and 64 bits in [-128, 128), floats in [-1, 1).
static void write_random(int32_t type, uint8_t *target, uint64_t bits) {
  int64_t small = (int64_t)(bits >> 56) - 128;
  int32_t word = (int32_t)small;
  double real = (double)(int64_t)(bits >> 11) / 4503599627370496.0 - 1.0;
  float single = (float)((double)(bits >> 41) / 4194304.0 - 1.0);
  switch (type) {
  case LUNA_TYPE_I1:
    *target = bits >> 63;
    break;
  case LUNA_TYPE_I32:
    memcpy(target, &word, sizeof word);
    break;
  case LUNA_TYPE_I64:
    memcpy(target, &small, sizeof small);
    break;
  case LUNA_TYPE_F32:
    memcpy(target, &single, sizeof single);
    break;
  case LUNA_TYPE_F64:
    memcpy(target, &real, sizeof real);
    break;
  default:
    memcpy(target, &bits, (size_t)luna_element_bytes(type));
    break;
  }
}

static void make_random(const LunacOptions *options,
                        const LunaProgramInfo *program, LunaArena *arena,
                        LunacValues *values) {
  uint64_t state = (uint64_t)options->random_seed;
  for (uint32_t i = 0; i < program->input_count; ++i) {
    const LunaProgramTensor *tensor = &program->inputs[i];
    int64_t each = luna_element_bytes(tensor->type);
    values[i].cases = options->cases;
    values[i].bytes = luna_arena_alloc(arena, (uint64_t)options->cases,
                                       (uint64_t)tensor->bytes);
    for (int64_t at = 0; at < options->cases * tensor->bytes; at += each)
      write_random(tensor->type, values[i].bytes + at, next_random(&state));
  }
}

//===- All of them --------------------------------------------------------===//

static bool check_complete(const Targets *targets, LunaArena *arena,
                           int64_t *cases, LunaError *error) {
  for (uint32_t i = 0; i < targets->count; ++i) {
    const char *name = targets->tensors[i].name;
    if (!targets->values[i].bytes)
      return luna_error_set(
          error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
          "input %u '%s' (%s) has no value; give --input=FILE for each of %u, "
          "or --random-input=SEED",
          i, name,
          shape_text(arena, targets->tensors[i].type, targets->tensors[i].rank,
                     targets->tensors[i].dims),
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

bool luna_values_read_inputs(const LunacOptions *options,
                             const LunaProgramInfo *program, LunaArena *arena,
                             LunacValues *values, int64_t *cases,
                             LunaError *error) {
  Targets targets = {"--input", "input", program->inputs, program->input_count,
                     values};
  *cases = options->cases;
  if (!options->has_random_input)
    return read_files(&targets, &options->inputs, arena, error) &&
           check_complete(&targets, arena, cases, error);
  if (options->inputs.count > 0)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "--input and --random-input are both given");
  make_random(options, program, arena, values);
  return true;
}

bool luna_values_read_expected(const LunacOptions *options,
                               const LunaProgramInfo *program, LunaArena *arena,
                               LunacValues *values, int64_t cases,
                               LunaError *error) {
  Targets targets = {"--expect", "output", program->outputs,
                     program->output_count, values};
  if (!read_files(&targets, &options->expected, arena, error))
    return false;
  for (uint32_t i = 0; i < program->output_count; ++i)
    if (values[i].bytes && values[i].cases != cases)
      return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                            "%" PRId64 " cases of output '%s' are expected, "
                            "the inputs have %" PRId64,
                            values[i].cases, program->outputs[i].name, cases);
  return true;
}
