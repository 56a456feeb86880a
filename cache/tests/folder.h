#ifndef LUNA_FOLDER_H
#define LUNA_FOLDER_H

#include <stddef.h>
#include <stdint.h>

#include "luna/arena.h"
#include "luna/cache.h"

/// Makes an empty folder below $TMPDIR or /tmp and returns its path, to be
/// freed by luna_folder_remove.
char *luna_folder_make(void);
/// Removes the folder with all that is in it, and frees the path.
void luna_folder_remove(char *path);

/// A cache in an empty folder, and an arena.
typedef struct LunaCacheFixture {
  LunaArena arena;
  char *folder;
  LunaCache *cache;
} LunaCacheFixture;

LunaCacheFixture luna_cache_fixture_open(const LunaCacheLimits *limits);
/// Frees the arena, and the cache with its folder.
void luna_cache_fixture_close(LunaCacheFixture *fixture);

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
