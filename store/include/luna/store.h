#ifndef LUNA_STORE_H
#define LUNA_STORE_H

// What came of compiling a file, kept in a cache: exit code, messages, and the
// result. A refusal is a result, too: found again, it is told in the same
// words.
//
// A result is kept under a key of the file's bytes, and so found for a file of
// any name; one with messages, or with the path of the file in it, as checks of
// operators have that have a place, under a key that has the path, too.

#include "luna/arena.h"
#include "luna/cache.h"
#include "luna/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The results of one file in a cache. Zero-initialised, it finds and keeps
/// nothing.
typedef struct LunaStore {
  LunaCache *cache; ///< borrowed
  const char *path; ///< of the file; borrowed
  LunaText key;     ///< empty if nothing is kept of the file
  LunaText own_key; ///< the key with the path
} LunaStore;

/// A result. Zero-initialise; what it points to is borrowed from its maker.
typedef struct LunaStored {
  int exit_code;
  const char *words; ///< messages as they were printed; NULL is none
  /// The name of the model's symbols, and the attributes of its function and of
  /// its module as text; NULL where there are none.
  const char *symbol_name, *of_function, *of_module;
  const void *body; ///< an output, or what its reader knows
  size_t body_bytes;
  bool is_of_path;      ///< what it refers to has the path of the file in it
  LunaCacheValue value; ///< what it was read from
} LunaStored;

/// Makes the keys. `record` has all that a result depends on but the path; an
/// empty one keeps nothing.
void luna_store_open(LunaStore *store, LunaCache *cache, const char *path,
                     const LunaText *record);

/// Frees the keys, but not the cache.
void luna_store_close(LunaStore *store);

/// Finds a result of a kind (see LunaCacheKey) and of a name of its own, NULL
/// for none. With `claims` as luna_cache_get_or_claim. Returns false if there
/// is none, it is damaged, or not trusted; else its strings are in `arena`, and
/// luna_stored_deinit frees the rest.
bool luna_store_find(const LunaStore *store, const char *kind, const char *name,
                     bool claims, LunaArena *arena, LunaStored *result);

/// Returns true if the path of the file is in these bytes.
bool luna_store_names_path(const LunaStore *store, const void *bytes,
                           size_t length);

/// Keeps a result.
void luna_store_put(const LunaStore *store, const char *kind, const char *name,
                    const LunaStored *result);

/// Frees the body of a result that was found.
void luna_stored_deinit(LunaStored *result);

#ifdef __cplusplus
}
#endif

#endif // LUNA_STORE_H
