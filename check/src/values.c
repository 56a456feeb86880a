#include "luna/values.h"

#include <inttypes.h>
#include <math.h>
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
  static const char *const names[] = {"i1",  "i8",  "i16", "i32", "i64",
                                      "f32", "f64", "f16", "bf16"};
  return type >= 0 && type < 9 ? names[type] : "?";
}

//===- Elements -----------------------------------------------------------===//

static LunaElement integer(int64_t value) {
  return (LunaElement){.integer = value};
}

static LunaElement real(double value) {
  return (LunaElement){.is_float = true, .real = value};
}

// A float of 16 bits whose mantissa has so many.
static double half(uint16_t bits, int mantissa) {
  int fraction = bits & ((1 << mantissa) - 1);
  int most = (1 << (15 - mantissa)) - 1, exponent = bits >> mantissa & most;
  int unit = 1 - most / 2 - mantissa; // of the least numbers
  double size = ldexp(exponent > 0 ? fraction + (1 << mantissa) : fraction,
                      exponent > 0 ? unit + exponent - 1 : unit);
  if (exponent == most)
    size = fraction ? NAN : INFINITY;
  return bits & 0x8000 ? -size : size;
}

// Returns the bits of a value, zeros above those of its type.
static int64_t zero_extend(int64_t value, int64_t bytes) {
  enum { WIDE = 8 };
  return bytes == WIDE ? value : value & ((INT64_C(1) << 8 * bytes) - 1);
}

static LunaElement read_as(int32_t type, const uint8_t *bytes) {
  int64_t i64 = 0;
  int32_t i32 = 0;
  int16_t i16 = 0;
  double f64 = 0;
  float f32 = 0;
  switch ((LunaElementType)type) {
  case LUNA_TYPE_I1:
    return integer(bytes[0]);
  case LUNA_TYPE_I8:
    return integer((int8_t)bytes[0]);
  case LUNA_TYPE_I16:
    memcpy(&i16, bytes, sizeof i16);
    return integer(i16);
  case LUNA_TYPE_I32:
    memcpy(&i32, bytes, sizeof i32);
    return integer(i32);
  case LUNA_TYPE_I64:
    memcpy(&i64, bytes, sizeof i64);
    return integer(i64);
  case LUNA_TYPE_F32:
    memcpy(&f32, bytes, sizeof f32);
    return real((double)f32);
  case LUNA_TYPE_F64:
    memcpy(&f64, bytes, sizeof f64);
    return real(f64);
  case LUNA_TYPE_F16:
  case LUNA_TYPE_BF16:
    memcpy(&i16, bytes, sizeof i16);
    return real(half((uint16_t)i16, type == LUNA_TYPE_F16 ? 10 : 7));
  }
  return integer(0);
}

LunaElement luna_element_read(const LunaProgramTensor *tensor,
                              const uint8_t *bytes) {
  LunaElement element = read_as(tensor->type, bytes);
  if (tensor->is_unsigned)
    element.integer =
        zero_extend(element.integer, luna_element_bytes(tensor->type));
  return element;
}

void luna_element_print(LunaText *text, const LunaProgramTensor *tensor,
                        const uint8_t *bytes, int64_t index) {
  LunaElement element = luna_element_read(
      tensor, bytes + index * luna_element_bytes(tensor->type));
  if (element.is_float)
    luna_text_printf(text, tensor->type == LUNA_TYPE_F64 ? "%.17g" : "%.9g",
                     element.real);
  else if (tensor->is_unsigned)
    luna_text_printf(text, "%" PRIu64, (uint64_t)element.integer);
  else
    luna_text_printf(text, "%" PRId64, element.integer);
}

static const char *shape_text(LunaArena *arena, int32_t type, bool is_unsigned,
                              int32_t rank, const int64_t *dims) {
  const char *text = "";
  for (int32_t i = 0; i < rank; ++i)
    text = luna_arena_printf(arena, "%s%" PRId64 "x", text, dims[i]);
  return luna_arena_printf(arena, "%s%s%s", text, is_unsigned ? "u" : "",
                           luna_type_name(type));
}

const char *luna_tensor_text(LunaArena *arena,
                             const LunaProgramTensor *tensor) {
  return shape_text(arena, tensor->type, tensor->is_unsigned, tensor->rank,
                    tensor->dims);
}

//===- Files --------------------------------------------------------------===//

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

// Appends `cases` cases of `each` bytes.
static void append(LunaValues *values, int64_t cases, const uint8_t *bytes,
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

// Returns true if an array has the shape of the tensor, optionally with a
// leading dimension of cases.
static bool read_npy(const LunaProgramTensor *tensor, const char *file,
                     const LunaText *text, LunaArena *arena, LunaValues *values,
                     LunaError *error) {
  LunaNpy npy;
  LunaError found = {0};
  if (!luna_npy_read((const uint8_t *)text->data, text->length, &npy, &found))
    return fail(error, arena, file, found.message);
  int32_t extra = npy.rank - tensor->rank;
  bool is_equal = npy.type == tensor->type &&
                  npy.is_unsigned == tensor->is_unsigned &&
                  (extra == 0 || extra == 1);
  for (int32_t i = 0; is_equal && i < tensor->rank; ++i)
    is_equal = npy.dims[i + extra] == tensor->dims[i];
  if (!is_equal)
    return fail(error, arena, file,
                luna_arena_printf(arena, "holds %s, '%s' is %s",
                                  shape_text(arena, npy.type, npy.is_unsigned,
                                             npy.rank, npy.dims),
                                  tensor->name,
                                  luna_tensor_text(arena, tensor)));
  append(values, extra == 1 ? npy.dims[0] : 1, npy.data, tensor->bytes, arena);
  return true;
}

static bool read_raw(const LunaProgramTensor *tensor, const char *file,
                     const LunaText *text, LunaArena *arena, LunaValues *values,
                     LunaError *error) {
  int64_t bytes = (int64_t)text->length;
  if (tensor->bytes == 0 || bytes == 0 || bytes % tensor->bytes != 0)
    return fail(error, arena, file,
                luna_arena_printf(arena,
                                  "has %" PRId64 " bytes, '%s' (%s) takes a "
                                  "multiple of %" PRId64,
                                  bytes, tensor->name,
                                  luna_tensor_text(arena, tensor),
                                  tensor->bytes));
  append(values, bytes / tensor->bytes, (const uint8_t *)text->data,
         tensor->bytes, arena);
  return true;
}

bool luna_values_read_file(const LunaProgramTensor *tensor, const char *file,
                           LunaArena *arena, LunaValues *values,
                           LunaError *error) {
  LunaText text = {0};
  if (!ends_with(file, ".npy") && !ends_with(file, ".bin"))
    return fail(error, arena, file, "is not a .npy or .bin file");
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

//===- Random values ------------------------------------------------------===//

// SplitMix64 (Steele, Lea, Flood, 2014).
static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

// One of [-1, 1) that the type has: the exponent is that of 1/2 to 1, or less.
static void write_half(int32_t type, uint8_t *target, uint64_t bits) {
  int mantissa = type == LUNA_TYPE_F16 ? 10 : 7;
  unsigned exponent = (1U << (14 - mantissa)) - 2 - (unsigned)(bits >> 14 & 1);
  unsigned made = (unsigned)(bits & 0x8000) | exponent << mantissa |
                  (unsigned)(bits & ((1U << mantissa) - 1));
  target[0] = (uint8_t)made;
  target[1] = (uint8_t)(made >> 8);
}

// Returns a value: integers of 32 and 64 bits in [-128, 128), floats in [-1,
// 1).
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
  case LUNA_TYPE_F16:
  case LUNA_TYPE_BF16:
    write_half(type, target, bits >> 48);
    break;
  default:
    memcpy(target, &bits, (size_t)luna_element_bytes(type));
    break;
  }
}

LunaValues luna_values_random(const LunaProgramTensor *tensor, int64_t cases,
                              uint64_t *seed, LunaArena *arena) {
  int64_t each = luna_element_bytes(tensor->type);
  LunaValues values = {
      .bytes =
          luna_arena_alloc(arena, (uint64_t)cases, (uint64_t)tensor->bytes),
      .cases = cases,
  };
  for (int64_t at = 0; at < cases * tensor->bytes; at += each)
    write_random(tensor->type, values.bytes + at, next_random(seed));
  return values;
}
