#ifndef LUNA_TRIE_H
#define LUNA_TRIE_H

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A persistent array of pointers: copies share their common nodes.
///
/// A zero-initialised trie has NULL for every item. Copying is an assignment; a
/// change creates new nodes on the path to the item and does not affect copies.
/// A comparison skips shared nodes, so that its cost is that of the
/// differences.
typedef struct LunaTrie {
  const struct LunaTrieNode *root;
  uint32_t height; ///< levels of nodes; 0 for an empty one
} LunaTrie;

/// Returns item `index`, or NULL if none was set. O(log n).
const void *luna_trie_get(LunaTrie trie, uint32_t index);

/// Sets item `index`; NULL removes it. Nodes come from `arena`. O(log n).
void luna_trie_set(LunaArena *arena, LunaTrie *trie, uint32_t index,
                   const void *item);

/// Advances `*index` to the next item that is not NULL, itself included.
/// Returns false if there is none.
bool luna_trie_next(LunaTrie trie, uint32_t *index);

/// Advances `*index` to the next index, itself included, at which the tries
/// differ. Returns false if there is none.
bool luna_trie_next_difference(LunaTrie a, LunaTrie b, uint32_t *index);

#ifdef __cplusplus
}
#endif

#endif // LUNA_TRIE_H
