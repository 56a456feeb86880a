// The largest clique of conflicting items, by branch and bound: items that
// never meet two by two have one colour, of which a clique takes at most the
// largest (Kumlander, 2004).

#include "plan_clique.h"

#include <string.h>

#include "plan_sections.h"
#include "plan_sort.h"

enum { MAX_ITEMS = 1024, WORK = 1 << 20 };

// Candidates by colour, and no clique among the first i + 1 is larger than
// limits[i].
typedef struct Frame {
  uint64_t *candidates;
  uint32_t *order;
  int64_t *limits;
} Frame;

typedef struct Clique {
  // Items by falling size, and for each, in bits, those that it meets.
  uint32_t count, words;
  int64_t *sizes;
  uint64_t *rows;
  Frame *frames; // by the size of the clique so far
  int64_t best;
  uint64_t work;
  LunaArena *arena;
} Clique;

static Frame *open_frame(Clique *clique, uint32_t depth) {
  Frame *frame = &clique->frames[depth];
  if (!frame->candidates) {
    uint32_t room = clique->count - depth;
    frame->candidates =
        LUNA_ARENA_ARRAY(clique->arena, uint64_t, clique->words);
    frame->order = LUNA_ARENA_ARRAY(clique->arena, uint32_t, room);
    frame->limits = LUNA_ARENA_ARRAY(clique->arena, int64_t, room);
  }
  return frame;
}

// Returns the lowest bit of a set from word `*word` on, or UINT32_MAX.
static uint32_t first_of(const uint64_t *set, uint32_t words, uint32_t *word) {
  for (; *word < words; ++*word)
    if (set[*word] != 0)
      return 64 * *word + plan_bit_index(set[*word] & (0 - set[*word]));
  return UINT32_MAX;
}

// Colours the candidates of a frame; returns their number. The first of each
// colour is the largest.
static uint32_t colour(Clique *clique, const Frame *frame) {
  uint64_t left[MAX_ITEMS / 64], free[MAX_ITEMS / 64];
  uint32_t words = clique->words, count = 0;
  int64_t total = 0;
  memcpy(left, frame->candidates, words * sizeof *left);
  for (uint32_t from = 0; first_of(left, words, &from) != UINT32_MAX;) {
    memcpy(free, left, words * sizeof *free);
    uint32_t word = from, item = first_of(free, words, &word);
    for (total += clique->sizes[item]; item != UINT32_MAX;
         item = first_of(free, words, &word)) {
      const uint64_t *row = clique->rows + (uint64_t)item * words;
      left[item / 64] &= ~((uint64_t)1 << item % 64);
      free[item / 64] &= ~((uint64_t)1 << item % 64);
      for (uint32_t k = word; k < words; ++k)
        free[k] &= ~row[k];
      frame->order[count] = item;
      frame->limits[count++] = total;
      clique->work += words;
    }
  }
  return count;
}

// Extends a clique of `depth` items and `bytes` by the candidates of its frame.
static void extend(Clique *clique, uint32_t depth, int64_t bytes) {
  Frame *frame = &clique->frames[depth];
  if (clique->best < bytes)
    clique->best = bytes;
  uint32_t count = colour(clique, frame);
  for (uint32_t i = count; i-- > 0;) {
    if (bytes + frame->limits[i] <= clique->best || clique->work > WORK)
      return;
    uint32_t item = frame->order[i];
    const uint64_t *row = clique->rows + (uint64_t)item * clique->words;
    frame->candidates[item / 64] &= ~((uint64_t)1 << item % 64);
    Frame *next = open_frame(clique, depth + 1);
    for (uint32_t k = 0; k < clique->words; ++k)
      next->candidates[k] = frame->candidates[k] & row[k];
    extend(clique, depth + 1, bytes + clique->sizes[item]);
  }
}

static bool is_larger(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanItem *items = context;
  return items[a].size_bytes > items[b].size_bytes;
}

// Without gaps, items that meet two by two all meet at one point.
static bool have_gaps(const LunaPlanItems *items, const uint32_t *members,
                      uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (items->items[members[i]].lifetime.range_count > 1)
      return true;
  return false;
}

static void connect(Clique *clique, const LunaPlanItems *items,
                    const uint32_t *order) {
  uint32_t *index_of = LUNA_ARENA_ARRAY(clique->arena, uint32_t, items->count);
  for (uint32_t i = 0; i < clique->count; ++i)
    index_of[order[i]] = i + 1;
  for (uint32_t i = 0; i < clique->count; ++i) {
    uint64_t *row = clique->rows + (uint64_t)i * clique->words;
    clique->sizes[i] = items->items[order[i]].size_bytes;
    for (uint64_t k = items->neighbour_starts[order[i]];
         k < items->neighbour_starts[order[i] + 1]; ++k) {
      uint32_t other = index_of[items->neighbours[k]];
      if (other > 0)
        row[(other - 1) / 64] |= (uint64_t)1 << (other - 1) % 64;
    }
  }
}

int64_t luna_plan_clique_bytes(const LunaPlanItems *items,
                               const uint32_t *members, uint32_t member_count,
                               int64_t at_least, LunaArena *arena) {
  if (!have_gaps(items, members, member_count))
    return at_least;
  uint32_t *order = LUNA_ARENA_ARRAY(arena, uint32_t, member_count);
  memcpy(order, members, sizeof *order * member_count);
  luna_plan_sort(order, member_count, is_larger, items->items, arena);
  uint32_t count = member_count < MAX_ITEMS ? member_count : MAX_ITEMS;
  uint32_t words = (count + 63) / 64;
  Clique clique = {
      .count = count,
      .words = words,
      .sizes = LUNA_ARENA_ARRAY(arena, int64_t, count),
      .rows = LUNA_ARENA_ARRAY(arena, uint64_t, (uint64_t)count *words),
      .frames = LUNA_ARENA_ARRAY(arena, Frame, count + 1),
      .best = at_least,
      .arena = arena,
  };
  connect(&clique, items, order);
  Frame *all = open_frame(&clique, 0);
  for (uint32_t i = 0; i < count; ++i)
    all->candidates[i / 64] |= (uint64_t)1 << i % 64;
  extend(&clique, 0, 0);
  return clique.best;
}
