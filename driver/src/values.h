#ifndef LUNA_VALUES_H
#define LUNA_VALUES_H

// The values that a program gets and gives: files, random numbers, memory.

#include "luna/program.h"
#include "options.h"

/// Values of an input or output: `cases` times the tensor's bytes, case after
/// case, from one file or several.
typedef struct LunacValues {
  uint8_t *bytes; ///< NULL if there are none
  int64_t cases;
  uint32_t files;
} LunacValues;

/// Reads the files of --input, or makes random values, for every input.
/// `values[0..input_count)` come from `arena`; `*cases` is what they agree on.
/// Fails with LUNA_ERROR_INPUT.
bool luna_values_read_inputs(const LunacOptions *options,
                             const LunaProgramInfo *program, LunaArena *arena,
                             LunacValues *values, int64_t *cases,
                             LunaError *error);

/// Reads the files of --expect: `values[0..output_count)`, without bytes where
/// nothing is expected. All have `cases` cases.
bool luna_values_read_expected(const LunacOptions *options,
                               const LunaProgramInfo *program, LunaArena *arena,
                               LunacValues *values, int64_t cases,
                               LunaError *error);

/// Gives the name of a type for messages: "i8".
const char *luna_type_name(int32_t type);

/// Writes element `index` of `bytes` to `text`.
void luna_values_print(LunaText *text, int32_t type, const uint8_t *bytes,
                       int64_t index);

#endif // LUNA_VALUES_H
