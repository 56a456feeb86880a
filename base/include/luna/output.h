#ifndef LUNA_OUTPUT_H
#define LUNA_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "luna/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A file under construction, replaced atomically when it is complete.
///
/// The bytes go to a temporary file in the same folder, renamed at the end.
/// Devices and pipes are written directly; "-" is standard output. Borrows
/// `path`.
typedef struct LunaOutput {
  const char *path;
  FILE *file;
  /// errno of the first write that failed, or 0.
  int reason;
  /// The file to rename, or NULL; owned.
  char *temporary;
} LunaOutput;

/// Opens `output` for `path`. Fails with LUNA_ERROR_SETUP; luna_output_close
/// must not be called then.
bool luna_output_open(LunaOutput *output, const char *path, LunaError *error);

/// Appends `length` bytes. luna_output_close reports any error.
void luna_output_write(LunaOutput *output, const void *bytes, size_t length);

/// Completes the file and frees the resources of `output`. Fails with
/// LUNA_ERROR_SETUP and leaves an existing file unchanged.
bool luna_output_close(LunaOutput *output, LunaError *error);

/// Returns the folder for temporary files: $TMPDIR, or /tmp. Owned by the
/// environment.
const char *luna_temporary_folder(void);

#ifdef __cplusplus
}
#endif

#endif // LUNA_OUTPUT_H
