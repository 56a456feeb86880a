#ifndef LUNA_VALUES_H
#define LUNA_VALUES_H

// The values of a program's inputs and outputs: elements, files, pseudo-random
// numbers.

#include "luna/arena.h"
#include "luna/error.h"
#include "luna/program.h"
#include "luna/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the name of a type for messages: "i8".
const char *luna_type_name(int32_t type);

/// Returns shape and type of a tensor for messages, "1x2xi8", "4xui8"; from
/// `arena`.
const char *luna_tensor_text(LunaArena *arena, const LunaProgramTensor *tensor);

/// An element: `integer` (of uint64 its bits), or `real` for a float.
typedef struct LunaElement {
  bool is_float;
  int64_t integer;
  double real;
} LunaElement;

/// Returns the element of `tensor` that starts at `bytes`.
LunaElement luna_element_read(const LunaProgramTensor *tensor,
                              const uint8_t *bytes);

/// Appends element `index` of `bytes`; floats with all digits.
void luna_element_print(LunaText *text, const LunaProgramTensor *tensor,
                        const uint8_t *bytes, int64_t index);

/// The values of an input or output: `cases` times the tensor's bytes, in
/// order, from one or several files.
typedef struct LunaValues {
  uint8_t *bytes; ///< NULL if there are none
  int64_t cases;
  uint32_t files;
} LunaValues;

/// Appends the cases in a .npy file (the tensor, or with a leading dimension of
/// cases) or in a .bin file of raw little-endian elements. Fails with
/// LUNA_ERROR_INPUT.
bool luna_values_read_file(const LunaProgramTensor *tensor, const char *file,
                           LunaArena *arena, LunaValues *values,
                           LunaError *error);

/// Returns `cases` cases of pseudo-random values: integers of 32 and 64 bits in
/// [-128, 128), floats in [-1, 1). Advances `*seed`.
LunaValues luna_values_random(const LunaProgramTensor *tensor, int64_t cases,
                              uint64_t *seed, LunaArena *arena);

#ifdef __cplusplus
}
#endif

#endif // LUNA_VALUES_H
