#include "tflite_flex.h"

#include <string.h>

// Types, which stand with the logarithm of their width in one byte.
enum {
  FLEX_INT = 1,
  FLEX_UINT = 2,
  FLEX_FLOAT = 3,
  FLEX_INDIRECT_INT = 6,
  FLEX_INDIRECT_FLOAT = 8,
  FLEX_MAP = 9,
  FLEX_BOOL = 26,
};

typedef struct Flex {
  const uint8_t *bytes;
  size_t count;
} Flex;

// Reads `width` bytes at a place; false where they are not all there.
static bool read_word(const Flex *flex, size_t at, size_t width,
                      uint64_t *word) {
  *word = 0;
  if (width > sizeof *word || at > flex->count || flex->count - at < width)
    return false;
  for (size_t i = 0; i < width; ++i)
    *word |= (uint64_t)flex->bytes[at + i] << (8 * i);
  return true;
}

// Follows the distance back that stands at a place.
static bool follow(const Flex *flex, size_t at, size_t width, size_t *to) {
  uint64_t back;
  if (!read_word(flex, at, width, &back) || back > at)
    return false;
  *to = at - (size_t)back;
  return true;
}

static double float_of(uint64_t word, size_t width) {
  float single;
  double number;
  uint32_t bits = (uint32_t)word;
  memcpy(&single, &bits, sizeof single);
  memcpy(&number, &word, sizeof number);
  return width == sizeof single   ? (double)single
         : width == sizeof number ? number
                                  : 0;
}

static bool read_number(const Flex *flex, size_t at, size_t width, int packed,
                        double *number) {
  int type = packed >> 2;
  uint64_t word;
  if (type >= FLEX_INDIRECT_INT && type <= FLEX_INDIRECT_FLOAT) {
    if (!follow(flex, at, width, &at))
      return false;
    width = (size_t)1 << (packed & 3);
    type -= FLEX_INDIRECT_INT - FLEX_INT;
  }
  if (!read_word(flex, at, width, &word))
    return false;
  uint64_t sign = UINT64_C(1) << (8 * width - 1);
  if (type == FLEX_FLOAT)
    *number = float_of(word, width);
  else if (type == FLEX_INT)
    *number = (double)(int64_t)((word ^ sign) - sign);
  else if (type == FLEX_UINT || type == FLEX_BOOL)
    *number = (double)word;
  else
    return false;
  return true;
}

static bool is_name(const Flex *flex, size_t at, const char *name) {
  size_t length = strlen(name) + 1;
  return flex->count - at >= length &&
         memcmp(flex->bytes + at, name, length) == 0;
}

double luna_flex_number(const uint8_t *bytes, size_t count, const char *name,
                        double absent) {
  Flex flex = {bytes, count};
  size_t values, keys, key;
  uint64_t entries, key_width;
  if (count < 3 || bytes[count - 2] >> 2 != FLEX_MAP)
    return absent;
  size_t width = (size_t)1 << (bytes[count - 2] & 3);
  if ((size_t)bytes[count - 1] > count - 2 ||
      !follow(&flex, count - 2 - bytes[count - 1], bytes[count - 1], &values) ||
      values < 3 * width ||
      !read_word(&flex, values - width, width, &entries) ||
      !read_word(&flex, values - 2 * width, width, &key_width) ||
      !follow(&flex, values - 3 * width, width, &keys) || entries > count ||
      key_width < 1 || key_width > 8)
    return absent;
  size_t types = values + (size_t)entries * width;
  for (size_t i = 0; i < entries; ++i) {
    double number;
    if (types + i < count &&
        follow(&flex, keys + i * (size_t)key_width, (size_t)key_width, &key) &&
        is_name(&flex, key, name) &&
        read_number(&flex, values + i * width, width, bytes[types + i],
                    &number))
      return number;
  }
  return absent;
}
