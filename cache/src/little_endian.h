#ifndef LUNA_LITTLE_ENDIAN_H
#define LUNA_LITTLE_ENDIAN_H

#include <stdint.h>

/// Writes the lower `count` bytes of a number.
static inline void luna_number_put(uint8_t *bytes, uint64_t number, int count) {
  for (int i = 0; i < count; ++i)
    bytes[i] = (uint8_t)(number >> (8 * i));
}

/// Returns the number of `count` bytes.
static inline uint64_t luna_number_at(const uint8_t *bytes, int count) {
  uint64_t number = 0;
  for (int i = count; i-- > 0;)
    number = number << 8 | bytes[i];
  return number;
}

#endif // LUNA_LITTLE_ENDIAN_H
