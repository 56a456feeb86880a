#ifndef LUNA_OUTPUT_H
#define LUNA_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "luna/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A file being written piece by piece, which appears whole or not at all.
///
/// The bytes go to a temporary file beside it, renamed at the end; a device or
/// pipe is written as it is, "-" is standard output. `path` is borrowed.
typedef struct LunaOutput {
  const char *path;
  FILE *file;
  /// The file to rename, or NULL; owned.
  char *temporary;
} LunaOutput;

/// Opens `output` for `path`. Fails with LUNA_ERROR_SETUP; nothing is to be
/// closed then.
bool luna_output_open(LunaOutput *output, const char *path, LunaError *error);

/// Adds `length` bytes. What goes wrong is told by luna_output_close.
void luna_output_write(LunaOutput *output, const void *bytes, size_t length);

/// Ends the file: it is there, or, with LUNA_ERROR_SETUP, an older one is left
/// as it was. Frees what `output` holds.
bool luna_output_close(LunaOutput *output, LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_OUTPUT_H
