#include "luna/trie.h"

#include <stddef.h>

enum { BITS = 4, WIDTH = 1 << BITS, MASK = WIDTH - 1 };

// An inner node's items are nodes, a leaf's are those of the caller. No node
// has NULL items alone.
typedef struct LunaTrieNode {
  const void *items[WIDTH];
} Node;

// Indices that a trie of this height has, at most.
static uint64_t size_of(uint32_t height) {
  return height == 0 ? 0 : UINT64_C(1) << BITS * height;
}

const void *luna_trie_get(LunaTrie trie, uint32_t index) {
  if (index >= size_of(trie.height))
    return NULL;
  const void *item = trie.root;
  for (uint32_t level = trie.height; item && level-- > 0;)
    item = ((const Node *)item)->items[index >> BITS * level & MASK];
  return item;
}

static const Node *unless_empty(const Node *node) {
  for (int i = 0; i < WIDTH; ++i)
    if (node->items[i])
      return node;
  return NULL;
}

static const Node *with_item(LunaArena *arena, const Node *old, uint32_t level,
                             uint32_t index, const void *item) {
  Node *node = LUNA_ARENA_ARRAY(arena, Node, 1);
  if (old)
    *node = *old;
  const void **slot = &node->items[index >> BITS * level & MASK];
  *slot = level == 0 ? item : with_item(arena, *slot, level - 1, index, item);
  return item ? node : unless_empty(node);
}

void luna_trie_set(LunaArena *arena, LunaTrie *trie, uint32_t index,
                   const void *item) {
  if (luna_trie_get(*trie, index) == item)
    return;
  for (; index >= size_of(trie->height); ++trie->height) {
    if (!trie->root)
      continue;
    Node *root = LUNA_ARENA_ARRAY(arena, Node, 1);
    root->items[0] = trie->root;
    trie->root = root;
  }
  trie->root = with_item(arena, trie->root, trie->height - 1, index, item);
}

// What one of two tries has below a node, seen from the height of the higher.
static const void *item_at(const void *node, uint32_t height, uint32_t level,
                           uint32_t digit) {
  if (level >= height)
    return digit == 0 ? node : NULL;
  return node ? ((const Node *)node)->items[digit] : NULL;
}

// A walk through both tries at once.
typedef struct Walk {
  uint32_t heights[2];
  uint64_t index; // to start from; then what was found
} Walk;

// Looks below the nodes `a` and `b` for a difference from `walk->index` on.
static bool find(Walk *walk, const void *a, const void *b, uint32_t level) {
  if (a == b)
    return false;
  if (level == 0)
    return true;
  uint32_t shift = BITS * (level - 1);
  uint64_t first = walk->index >> BITS * level << BITS * level;
  for (uint32_t digit = walk->index >> shift & MASK; digit < WIDTH; ++digit) {
    const void *x = item_at(a, walk->heights[0], level - 1, digit);
    const void *y = item_at(b, walk->heights[1], level - 1, digit);
    if (find(walk, x, y, level - 1))
      return true;
    walk->index = first + ((uint64_t)(digit + 1) << shift);
  }
  return false;
}

bool luna_trie_next_difference(LunaTrie a, LunaTrie b, uint32_t *index) {
  Walk walk = {{a.height, b.height}, *index};
  uint32_t height = a.height > b.height ? a.height : b.height;
  if (*index >= size_of(height) || !find(&walk, a.root, b.root, height))
    return false;
  *index = (uint32_t)walk.index;
  return true;
}

bool luna_trie_next(LunaTrie trie, uint32_t *index) {
  LunaTrie empty = {.height = trie.height};
  return luna_trie_next_difference(trie, empty, index);
}
