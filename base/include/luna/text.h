#ifndef LUNA_TEXT_H
#define LUNA_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "luna/arena.h"
#include "luna/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A growable string.
///
/// Zero-initialise, but for `arena`; free with luna_text_deinit. `data` is NULL
/// until the first append, then NUL-terminated. Aborts the process when memory
/// runs out, or does what the arena does.
typedef struct LunaText {
  char *data;
  size_t length;
  size_t capacity;
  LunaArena *arena; ///< where it grows; NULL: on the heap
} LunaText;

/// Appends `length` bytes.
void luna_text_append(LunaText *text, const char *bytes, size_t length);

/// Appends text formatted as by printf.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void luna_text_printf(LunaText *text, const char *format, ...);

/// Frees the bytes and leaves `text` empty, ready for use.
void luna_text_deinit(LunaText *text);

/// Appends the contents of the file at `path` to `text`.
///
/// Fails with LUNA_ERROR_INPUT when it cannot be opened or read, or is larger
/// than `limit_bytes`.
bool luna_text_read_file(LunaText *text, const char *path, size_t limit_bytes,
                         LunaError *error);

/// Appends the contents of the regular file at `path` below `folder`, a
/// relative path without "..".
///
/// Fails as luna_text_read_file does, and when a link lies on the path, so that
/// what is read lies in the folder.
bool luna_text_read_below(LunaText *text, const char *folder, const char *path,
                          size_t limit_bytes, LunaError *error);

/// Returns the edit distance of two names of up to 31 letters; longer ones are
/// 32 apart.
size_t luna_text_distance(const char *a, size_t a_length, const char *b);

/// Writes the file at `path` atomically, as luna/output.h does.
bool luna_text_write_file(const char *path, const void *bytes, size_t length,
                          LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_TEXT_H
