// The checker's sweep over the steps, with the live buffers sorted by offset.
// They lie apart, so a new one can overlap only what is next to it.

#include "plan_check_overlaps.h"

#include <string.h>

enum { BLOCK_ROOM = 256 };

// Live spans by ascending offset, then by buffer and first step.
typedef struct Block {
  uint32_t count;
  LunaCheckSpan spans[BLOCK_ROOM];
} Block;

typedef struct Live {
  const LunaProblem *problem;
  const int64_t *offsets;
  const uint32_t *roots;
  LunaArena *arena;
  // None is empty, but for the only one.
  LUNA_VECTOR(Block *) blocks;
  LUNA_VECTOR(Block *) unused;
} Live;

// A span in the blocks, or the end of one.
typedef struct Position {
  uint32_t block, index;
} Position;

static int64_t end_of(const Live *live, uint32_t buffer) {
  return live->offsets[buffer] +
         live->problem->buffers.items[buffer].size_bytes;
}

static bool lies_before(const Live *live, LunaCheckSpan a, LunaCheckSpan b) {
  if (live->offsets[a.buffer] != live->offsets[b.buffer])
    return live->offsets[a.buffer] < live->offsets[b.buffer];
  return a.buffer != b.buffer ? a.buffer < b.buffer : a.first < b.first;
}

// Returns the position of a span: of the first that does not lie before it.
static Position find(const Live *live, LunaCheckSpan span) {
  uint32_t low = 0, high = (uint32_t)live->blocks.count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (lies_before(live, live->blocks.items[middle]->spans[0], span) ||
        !lies_before(live, span, live->blocks.items[middle]->spans[0]))
      low = middle;
    else
      high = middle;
  }
  const Block *block = live->blocks.items[low];
  uint32_t first = 0, end = block->count;
  while (first < end) {
    uint32_t middle = first + (end - first) / 2;
    if (lies_before(live, block->spans[middle], span))
      first = middle + 1;
    else
      end = middle;
  }
  return (Position){low, first};
}

// Returns the span before a position and moves there, or NULL.
static const LunaCheckSpan *before(const Live *live, Position *at) {
  if (at->index == 0) {
    if (at->block == 0)
      return NULL;
    at->index = live->blocks.items[--at->block]->count;
  }
  return &live->blocks.items[at->block]->spans[--at->index];
}

// Returns the span at a position and moves behind it, or NULL.
static const LunaCheckSpan *behind(const Live *live, Position *at) {
  if (at->index == live->blocks.items[at->block]->count) {
    if (at->block + 1 == live->blocks.count)
      return NULL;
    *at = (Position){at->block + 1, 0};
  }
  const Block *block = live->blocks.items[at->block];
  return at->index < block->count ? &block->spans[at->index++] : NULL;
}

static Block *make_block(Live *live) {
  if (live->unused.count == 0)
    return LUNA_ARENA_ARRAY(live->arena, Block, 1);
  Block *block = live->unused.items[--live->unused.count];
  block->count = 0;
  return block;
}

// Moves the upper half of a full block to a new one behind it.
static void split(Live *live, uint32_t full) {
  Block *upper = make_block(live);
  *LUNA_VECTOR_ADD(live->arena, &live->blocks) = upper;
  Block **at = &live->blocks.items[full];
  memmove(at + 2, at + 1, (live->blocks.count - full - 2) * sizeof *at);
  at[1] = upper;
  uint32_t half = BLOCK_ROOM / 2;
  memcpy(upper->spans, at[0]->spans + half, half * sizeof(LunaCheckSpan));
  upper->count = half;
  at[0]->count = half;
}

static void insert(Live *live, Position at, LunaCheckSpan span) {
  Block *block = live->blocks.items[at.block];
  memmove(block->spans + at.index + 1, block->spans + at.index,
          (block->count - at.index) * sizeof span);
  block->spans[at.index] = span;
  if (++block->count == BLOCK_ROOM)
    split(live, at.block);
}

static void drop(Live *live, LunaCheckSpan span) {
  Position at = find(live, span);
  Block *block = live->blocks.items[at.block];
  --block->count;
  memmove(block->spans + at.index, block->spans + at.index + 1,
          (block->count - at.index) * sizeof span);
  if (block->count > 0 || live->blocks.count == 1)
    return;
  *LUNA_VECTOR_ADD(live->arena, &live->unused) = block;
  --live->blocks.count;
  memmove(&live->blocks.items[at.block], &live->blocks.items[at.block + 1],
          (live->blocks.count - at.block) * sizeof block);
}

// Returns true if two buffers of different places overlap.
static bool collide(const Live *live, uint32_t a, uint32_t b) {
  return live->offsets[a] < end_of(live, b) &&
         live->offsets[b] < end_of(live, a) && live->roots[a] != live->roots[b];
}

// Returns the buffer that a span collides with, or PLAN_NONE. Below it, only
// the nearest span of another place can overlap it: all others end before that
// one begins.
static uint32_t collision(const Live *live, Position at, LunaCheckSpan span) {
  Position up = at, down = at;
  const LunaCheckSpan *other = NULL;
  while ((other = behind(live, &up)) &&
         live->offsets[other->buffer] < end_of(live, span.buffer))
    if (collide(live, span.buffer, other->buffer))
      return other->buffer;
  uint32_t below = PLAN_NONE;
  while ((other = before(live, &down))) {
    uint32_t place = live->roots[other->buffer];
    if (below != PLAN_NONE && place != below)
      break;
    below = place;
    if (collide(live, span.buffer, other->buffer))
      return other->buffer;
  }
  return PLAN_NONE;
}

static bool report_overlap(const Live *live, LunaCheckSpan span, uint32_t other,
                           LunaArena *arena, LunaError *error) {
  const LunaProblem *problem = live->problem;
  return luna_error_set(
      error, LUNA_ERROR_CHECK, span.buffer,
      "buffer '%s' at [%lld, %lld) overlaps buffer '%s' at [%lld, %lld), both "
      "live at step '%s' on path %s",
      problem->buffers.items[span.buffer].name,
      (long long)live->offsets[span.buffer],
      (long long)end_of(live, span.buffer), problem->buffers.items[other].name,
      (long long)live->offsets[other], (long long)end_of(live, other),
      luna_problem_step_name(problem, span.first),
      luna_problem_step_path(problem, span.first, arena));
}

static uint32_t key_of(LunaCheckSpan span, bool by_end) {
  return by_end ? span.end : span.first;
}

static void sift_down(LunaCheckSpan *spans, uint32_t at, uint32_t count,
                      bool by_end) {
  for (;;) {
    uint32_t child = 2 * at + 1;
    if (child >= count)
      return;
    if (child + 1 < count &&
        key_of(spans[child + 1], by_end) > key_of(spans[child], by_end))
      ++child;
    if (key_of(spans[at], by_end) >= key_of(spans[child], by_end))
      return;
    LunaCheckSpan swap = spans[at];
    spans[at] = spans[child];
    spans[child] = swap;
    at = child;
  }
}

static void heap_sort(LunaCheckSpan *spans, uint32_t count, bool by_end) {
  for (uint32_t i = count / 2; i-- > 0;)
    sift_down(spans, i, count, by_end);
  for (uint32_t end = count; end > 1;) {
    --end;
    LunaCheckSpan swap = spans[0];
    spans[0] = spans[end];
    spans[end] = swap;
    sift_down(spans, 0, end, by_end);
  }
}

bool luna_plan_check_overlaps(const LunaProblem *problem,
                              const int64_t *offset_bytes,
                              const uint32_t *roots, LunaCheckSpan *spans,
                              uint32_t count, LunaArena *arena,
                              LunaError *error) {
  Live live = {.problem = problem,
               .offsets = offset_bytes,
               .roots = roots,
               .arena = arena};
  *LUNA_VECTOR_ADD(arena, &live.blocks) = make_block(&live);
  uint32_t kept = 0, ended = 0;
  for (uint32_t i = 0; i < count; ++i)
    if (problem->buffers.items[spans[i].buffer].size_bytes > 0)
      spans[kept++] = spans[i];
  LunaCheckSpan *by_end = LUNA_ARENA_ARRAY(arena, LunaCheckSpan, kept);
  if (kept > 0)
    memcpy(by_end, spans, sizeof *by_end * kept);
  heap_sort(spans, kept, false);
  heap_sort(by_end, kept, true);
  for (uint32_t i = 0; i < kept; ++i) {
    for (; by_end[ended].end <= spans[i].first; ++ended)
      drop(&live, by_end[ended]);
    Position at = find(&live, spans[i]);
    uint32_t other = collision(&live, at, spans[i]);
    if (other != PLAN_NONE)
      return report_overlap(&live, spans[i], other, arena, error);
    insert(&live, at, spans[i]);
  }
  return true;
}
