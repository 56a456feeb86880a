#ifndef LUNA_TEXT_H
#define LUNA_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "luna/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A string that grows as text is added to it.
///
/// Zero-initialise; free with luna_text_deinit. `data` is NUL-terminated once
/// something was added, else NULL. Running out of memory ends the process.
typedef struct LunaText {
  char *data;
  size_t length;
  size_t capacity;
} LunaText;

/// Adds `length` bytes.
void luna_text_append(LunaText *text, const char *bytes, size_t length);

/// Adds what `printf` would print.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void luna_text_printf(LunaText *text, const char *format, ...);

/// Frees the bytes and leaves `text` empty, ready for use.
void luna_text_deinit(LunaText *text);

/// Reads the whole file at `path` into `text` (added to what it holds).
///
/// Fails with LUNA_ERROR_INPUT when it cannot be opened or read, or is larger
/// than `limit_bytes`.
bool luna_text_read_file(LunaText *text, const char *path, size_t limit_bytes,
                         LunaError *error);

/// Writes the file at `path` whole or not at all, as luna/output.h does.
bool luna_text_write_file(const char *path, const void *bytes, size_t length,
                          LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_TEXT_H
