#ifndef LUNA_TRIE_H
#define LUNA_TRIE_H

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A persistent array of pointers: copies share what they have in common.
///
/// Zero-initialise to make one in which every item is NULL. Copying is an
/// assignment; a change makes new nodes on the way to the item and leaves all
/// copies as they are. What is equal by origin is skipped where two are
/// compared, so that the work is that of the differences.
typedef struct LunaTrie {
  const struct LunaTrieNode *root;
  uint32_t height; ///< levels of nodes; 0 for an empty one
} LunaTrie;

/// Returns item `index`, NULL where none was set. O(log n).
const void *luna_trie_get(LunaTrie trie, uint32_t index);

/// Sets item `index`; NULL removes it. Nodes come from `arena`. O(log n).
void luna_trie_set(LunaArena *arena, LunaTrie *trie, uint32_t index,
                   const void *item);

/// Moves `*index` up to the first item from there on that is not NULL. Returns
/// false if there is none.
bool luna_trie_next(LunaTrie trie, uint32_t *index);

/// Moves `*index` up to the first from there on at which the tries have
/// different pointers. Returns false if there is none.
bool luna_trie_next_difference(LunaTrie a, LunaTrie b, uint32_t *index);

#ifdef __cplusplus
}
#endif

#endif // LUNA_TRIE_H
