#include "validate_memory.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

LunaByte luna_run_at(const LunaRun *run, int64_t distance) {
  LunaByte value = run->value;
  if (value.term != LUNA_TERM_UNDEFINED)
    value.offset += distance;
  return value;
}

void luna_runs_append(LunaArena *arena, LunaRuns *runs, int64_t byte_count,
                      LunaByte value) {
  if (byte_count <= 0)
    return;
  LunaRun *last = runs->count > 0 ? &runs->items[runs->count - 1] : NULL;
  int64_t begin = last ? last->end : 0;
  if (last &&
      luna_byte_equal(luna_run_at(last, last->end - last->begin), value)) {
    last->end += byte_count;
    return;
  }
  *LUNA_VECTOR_ADD(arena, runs) = (LunaRun){begin, begin + byte_count, value};
}

bool luna_runs_equal(const LunaRuns *a, const LunaRuns *b) {
  if (a->count != b->count)
    return false;
  for (uint32_t i = 0; i < a->count; ++i)
    if (a->items[i].end != b->items[i].end ||
        !luna_byte_equal(a->items[i].value, b->items[i].value))
      return false;
  return true;
}

// The index of the run that contains byte `at`.
static uint32_t run_index(const LunaRuns *runs, int64_t at) {
  uint32_t low = 0, high = runs->count;
  while (low + 1 < high) {
    uint32_t middle = low + (high - low) / 2;
    if (runs->items[middle].begin <= at)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// Appends bytes [begin, end) of `from`; `*hint` is a run at or before them.
static void append_range(LunaArena *arena, LunaRuns *into, const LunaRuns *from,
                         int64_t begin, int64_t end, uint32_t *hint) {
  uint32_t i = *hint;
  if (i >= from->count || from->items[i].begin > begin ||
      (i + 1 < from->count && from->items[i + 1].end <= begin))
    i = run_index(from, begin);
  while (i < from->count && from->items[i].end <= begin)
    ++i;
  for (*hint = i; begin < end; *hint = i++) {
    const LunaRun *run = &from->items[i];
    int64_t stop = run->end < end ? run->end : end;
    luna_runs_append(arena, into, stop - begin,
                     luna_run_at(run, begin - run->begin));
    begin = stop;
  }
}

LunaRuns luna_runs_combine(LunaArena *arena, const LunaRuns *const *maps,
                           uint32_t count, LunaCombine combine, void *data) {
  LunaRuns result = {0};
  uint32_t at[3] = {0};
  int64_t begin = 0;
  while (at[0] < maps[0]->count) {
    int64_t end = INT64_MAX;
    LunaByte values[3];
    for (uint32_t i = 0; i < count; ++i) {
      const LunaRun *run = &maps[i]->items[at[i]];
      values[i] = luna_run_at(run, begin - run->begin);
      if (run->end < end)
        end = run->end;
    }
    luna_runs_append(arena, &result, end - begin, combine(values, data));
    begin = end;
    for (uint32_t i = 0; i < count; ++i)
      at[i] += maps[i]->items[at[i]].end == end;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

uint32_t luna_memories_add(LunaArena *arena, LunaMemories *memories,
                           int64_t byte_count) {
  *LUNA_VECTOR_ADD(arena, &memories->byte_counts) = byte_count;
  return (uint32_t)memories->byte_counts.count - 1;
}

LunaRuns luna_state_get(LunaArena *arena, const LunaState *state,
                        uint32_t memory) {
  const LunaRuns *runs = luna_trie_get(state->maps, memory);
  if (runs)
    return *runs;
  LunaRuns nothing = {0};
  luna_runs_append(arena, &nothing, state->memories->byte_counts.items[memory],
                   (LunaByte){LUNA_TERM_UNDEFINED, 0});
  return nothing;
}

void luna_state_set(LunaArena *arena, LunaState *state, uint32_t memory,
                    LunaRuns runs) {
  LunaRuns *copy = NULL;
  if (runs.count > 0) {
    copy = LUNA_ARENA_ARRAY(arena, LunaRuns, 1);
    *copy = runs;
  }
  luna_trie_set(arena, &state->maps, memory, copy);
}

bool luna_state_next_change(const LunaState *a, const LunaState *b,
                            uint32_t *memory) {
  return luna_trie_next_difference(a->maps, b->maps, memory);
}

bool luna_state_shares(const LunaState *a, const LunaState *b,
                       uint32_t memory) {
  return luna_trie_get(a->maps, memory) == luna_trie_get(b->maps, memory);
}

void luna_memory_read(LunaArena *arena, const LunaState *state, uint32_t memory,
                      const LunaPiece *pieces, uint32_t piece_count,
                      LunaRuns *into) {
  LunaRuns runs = luna_state_get(arena, state, memory);
  uint32_t hint = 0;
  for (uint32_t i = 0; i < piece_count; ++i)
    append_range(arena, into, &runs, pieces[i].begin, pieces[i].end, &hint);
}

// A piece, and the position of its bytes in what is written.
typedef struct Target {
  LunaPiece piece;
  int64_t from;
} Target;

static int by_address(const void *a, const void *b) {
  int64_t x = ((const Target *)a)->piece.begin;
  int64_t y = ((const Target *)b)->piece.begin;
  return (x > y) - (x < y);
}

static Target *sorted_targets(LunaArena *arena, const LunaPiece *pieces,
                              uint32_t count) {
  Target *targets = LUNA_ARENA_ARRAY(arena, Target, count);
  int64_t from = 0;
  bool is_sorted = true;
  for (uint32_t i = 0; i < count; ++i) {
    targets[i] = (Target){pieces[i], from};
    from += pieces[i].end - pieces[i].begin;
    is_sorted &= i == 0 || pieces[i - 1].begin <= pieces[i].begin;
  }
  if (!is_sorted)
    qsort(targets, count, sizeof *targets, by_address);
  return targets;
}

void luna_memory_write(LunaArena *arena, LunaState *state, uint32_t memory,
                       const LunaPiece *pieces, uint32_t piece_count,
                       const LunaRuns *from) {
  LunaRuns old = luna_state_get(arena, state, memory);
  const Target *targets = sorted_targets(arena, pieces, piece_count);
  // Mostly enough: a run may be cut by the ends of a piece.
  LunaRuns result = {.capacity = old.count + from->count + 2 * piece_count};
  result.items = LUNA_ARENA_ARRAY(arena, LunaRun, result.capacity);
  uint32_t old_hint = 0, new_hint = 0;
  int64_t at = 0;
  for (uint32_t i = 0; i < piece_count; ++i) {
    const Target *next = &targets[i];
    append_range(arena, &result, &old, at, next->piece.begin, &old_hint);
    append_range(arena, &result, from, next->from,
                 next->from + next->piece.end - next->piece.begin, &new_hint);
    at = next->piece.end;
  }
  append_range(arena, &result, &old, at,
               state->memories->byte_counts.items[memory], &old_hint);
  luna_state_set(arena, state, memory, result);
}
