#ifndef LUNA_FOLDER_H
#define LUNA_FOLDER_H

#include <stddef.h>
#include <stdint.h>

#include "luna/cache.h"

/// Makes an empty folder below $TMPDIR or /tmp and returns its path, to be
/// freed by luna_folder_remove.
char *luna_folder_make(void);
/// Removes the folder with all that is in it, and frees the path.
void luna_folder_remove(char *path);

/// Calls visit(path, context) for every regular file below `folder`.
void luna_folder_visit(const char *folder,
                       void (*visit)(const char *path, void *context),
                       void *context);

/// Returns the path of the only entry in the folder of a cache, in a static
/// buffer.
const char *luna_folder_entry(const char *folder);

/// Returns the bytes of a file, to be freed.
uint8_t *luna_folder_read(const char *path, size_t *size);
/// Writes a file.
void luna_folder_write(const char *path, const void *bytes, size_t size);

/// Returns a key of kind "test" with a text for its record; borrows it.
LunaCacheKey luna_test_key(const char *record);

#endif // LUNA_FOLDER_H
