#ifndef LUNA_TFLITE_FLEX_H
#define LUNA_TFLITE_FLEX_H

// FlexBuffers, in which custom operators have their options: a map of names to
// numbers.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Returns the number of a name in a map; `absent` where it has none, or where
/// the bytes are not a map.
double luna_flex_number(const uint8_t *bytes, size_t count, const char *name,
                        double absent);

#endif // LUNA_TFLITE_FLEX_H
