// stat
#define _POSIX_C_SOURCE 200809L

#include "neighbours.h"

#include <string.h>
#include <sys/stat.h>

enum { TRIES_MIN = 4, TRIES_MAX = 64, READ_BYTES_MAX = 1 << 27 };

int luna_neighbours_tries(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0 || status.st_size <= 0)
    return TRIES_MIN;
  int64_t tries = READ_BYTES_MAX / status.st_size;
  return tries < TRIES_MIN   ? TRIES_MIN
         : tries > TRIES_MAX ? TRIES_MAX
                             : (int)tries;
}

typedef struct Search {
  LunaImportOptions options;
  LunaImportDimension *dimensions; // of the options
  int tries;
  bool (*is_possible)(void *data, const LunaImportOptions *);
  void *data;
} Search;

// Returns the size nearest to that of a dimension in steps of `step`, or 0.
static int64_t nearest(Search *search, size_t dimension, int64_t step) {
  int64_t own = search->dimensions[dimension].size, found = 0;
  for (int i = 1; found == 0 && i <= search->tries; ++i) {
    int64_t size = own + i * step;
    if (size < 1)
      break;
    search->dimensions[dimension].size = size;
    if (search->is_possible(search->data, &search->options))
      found = size;
  }
  search->dimensions[dimension].size = own;
  return found;
}

static const char *print(const LunaImportDimension *dimension, int64_t below,
                         int64_t above, LunaArena *arena) {
  long long own = (long long)dimension->size;
  if (below == 0 || above == 0)
    return luna_arena_printf(arena, "%s=%lld: %lld is possible",
                             dimension->name, own,
                             (long long)(below == 0 ? above : below));
  return luna_arena_printf(arena, "%s=%lld: %lld and %lld are possible",
                           dimension->name, own, (long long)below,
                           (long long)above);
}

const char *luna_neighbours(const LunaImportOptions *options, int tries,
                            bool (*is_possible)(void *data,
                                                const LunaImportOptions *),
                            void *data, LunaArena *arena) {
  Search search = {.options = *options,
                   .tries = tries,
                   .is_possible = is_possible,
                   .data = data};
  search.dimensions =
      LUNA_ARENA_ARRAY(arena, LunaImportDimension, options->dimension_count);
  for (size_t i = 0; i < options->dimension_count; ++i)
    search.dimensions[i] = options->dimensions[i];
  search.options.dimensions = search.dimensions;
  for (size_t i = 0; i < options->dimension_count; ++i) {
    int64_t below = nearest(&search, i, -1), above = nearest(&search, i, 1);
    if (below > 0 || above > 0)
      return print(&search.dimensions[i], below, above, arena);
  }
  return "";
}
