#ifndef LUNA_SIZE_SETS_H
#define LUNA_SIZE_SETS_H

#include "luna/error.h"
#include "luna/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The sizes that a dimension may take, in the order given, each once.
typedef struct LunaSizeSet {
  const char *name;
  int64_t *items;
  uint64_t count, capacity;
} LunaSizeSet;

/// The sets of several dimensions. Zero-initialise.
typedef LUNA_VECTOR(LunaSizeSet) LunaSizeSets;

/// The most sizes of one range, and the most dimensions.
enum { LUNA_SIZES_MAX = 1024, LUNA_SIZE_SETS_MAX = 8 };

/// Adds the set of a value of --dim: NAME=SIZE, NAME=SIZE,SIZE,… or
/// NAME=FIRST:LAST:STEP, both ends included; what is added is in `arena`. Fails
/// with LUNA_ERROR_INPUT, also where the dimension has a set.
bool luna_size_sets_add(LunaSizeSets *sets, const char *text, LunaArena *arena,
                        LunaError *error);

/// Returns the number of bindings: the product of the counts, UINT64_MAX where
/// that is larger.
uint64_t luna_size_sets_product(const LunaSizeSets *sets);

/// Writes the sizes of binding `index` (< product), one per set; the last
/// dimension changes fastest.
void luna_size_sets_choose(const LunaSizeSets *sets, uint64_t index,
                           int64_t *sizes);

/// Splits NAME=VALUE at its last '='; the name is in `arena`. Returns the
/// value, or NULL if one of both is missing.
const char *luna_split_setting(const char *text, LunaArena *arena,
                               const char **name);

#ifdef __cplusplus
}
#endif

#endif // LUNA_SIZE_SETS_H
