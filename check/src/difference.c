#include "luna/difference.h"

#include <math.h>
#include <string.h>

#include "luna/values.h"

static double read_element(const LunaProgramTensor *tensor,
                           const uint8_t *bytes) {
  LunaElement element = luna_element_read(tensor, bytes);
  return element.is_float ? element.real : (double)element.integer;
}

// NaN equals only the same bits.
static bool is_near(int32_t type, double found, double expected,
                    double tolerance) {
  bool is_float = type == LUNA_TYPE_F32 || type == LUNA_TYPE_F64 ||
                  type == LUNA_TYPE_F16 || type == LUNA_TYPE_BF16;
  return is_float &&
         fabs(found - expected) <= tolerance * fmax(1, fabs(expected));
}

bool luna_difference_find(const LunaProgramTensor *tensor, const uint8_t *found,
                          const uint8_t *expected, double tolerance,
                          LunaDifference *difference) {
  int64_t each = luna_element_bytes(tensor->type);
  *difference = (LunaDifference){.first = -1};
  for (int64_t at = 0; at < tensor->bytes; at += each) {
    if (memcmp(found + at, expected + at, (size_t)each) == 0)
      continue;
    double a = read_element(tensor, found + at);
    double b = read_element(tensor, expected + at);
    if (tolerance > 0 && is_near(tensor->type, a, b, tolerance))
      continue;
    double apart = fabs(a - b);
    if (difference->count++ == 0)
      difference->first = difference->largest_at = at / each;
    if (apart > difference->largest) {
      difference->largest = apart;
      difference->largest_at = at / each;
    }
  }
  return difference->count == 0;
}
