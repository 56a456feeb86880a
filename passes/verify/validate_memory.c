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

enum { PAGE_BYTES_MIN = 4096, PAGES_MAX = 1024 };

static void add_page(LunaArena *arena, LunaMemories *memories,
                     int64_t byte_count, int64_t stride_bytes) {
  *LUNA_VECTOR_ADD(arena, &memories->pages) =
      (LunaPage){byte_count, stride_bytes};
}

uint32_t luna_memories_add(LunaArena *arena, LunaMemories *memories,
                           int64_t byte_count) {
  add_page(arena, memories, byte_count, INT64_MAX);
  return (uint32_t)memories->pages.count - 1;
}

uint32_t luna_memories_add_paged(LunaArena *arena, LunaMemories *memories,
                                 int64_t byte_count) {
  uint32_t first = (uint32_t)memories->pages.count;
  int64_t page_bytes = PAGE_BYTES_MIN;
  while (byte_count / page_bytes >= PAGES_MAX)
    page_bytes *= 2;
  do {
    add_page(arena, memories, byte_count < page_bytes ? byte_count : page_bytes,
             page_bytes);
    byte_count -= page_bytes;
  } while (byte_count > 0);
  return first;
}

LunaRuns luna_state_get(LunaArena *arena, const LunaState *state,
                        uint32_t page) {
  const LunaRuns *runs = luna_trie_get(state->maps, page);
  if (runs)
    return *runs;
  LunaRuns nothing = {0};
  luna_runs_append(arena, &nothing,
                   state->memories->pages.items[page].byte_count,
                   (LunaByte){LUNA_TERM_UNDEFINED, 0});
  return nothing;
}

void luna_state_set(LunaArena *arena, LunaState *state, uint32_t page,
                    LunaRuns runs) {
  LunaRuns *copy = NULL;
  if (runs.count > 0) {
    copy = LUNA_ARENA_ARRAY(arena, LunaRuns, 1);
    *copy = runs;
  }
  luna_trie_set(arena, &state->maps, page, copy);
}

bool luna_state_next_change(const LunaState *a, const LunaState *b,
                            uint32_t *page) {
  return luna_trie_next_difference(a->maps, b->maps, page);
}

bool luna_state_shares(const LunaState *a, const LunaState *b, uint32_t page) {
  return luna_trie_get(a->maps, page) == luna_trie_get(b->maps, page);
}

//===----------------------------------------------------------------------===//
// Reading and writing memories
//===----------------------------------------------------------------------===//

// A part of a memory that lies in one page.
typedef struct Window {
  uint32_t page;
  int64_t base;       // of the page in the memory
  int64_t begin, end; // in the page
} Window;

// The part of [begin, end) in the page that holds its first byte.
static Window window_at(const LunaState *state, uint32_t memory, int64_t begin,
                        int64_t end) {
  int64_t stride = state->memories->pages.items[memory].stride_bytes;
  int64_t number = begin / stride, base = number * stride;
  return (Window){.page = memory + (uint32_t)number,
                  .base = base,
                  .begin = begin - base,
                  .end = end - base < stride ? end - base : stride};
}

void luna_memory_read(LunaArena *arena, const LunaState *state, uint32_t memory,
                      const LunaPiece *pieces, uint32_t piece_count,
                      LunaRuns *into) {
  LunaRuns runs = {0};
  uint32_t page = UINT32_MAX, hint = 0;
  for (uint32_t i = 0; i < piece_count; ++i)
    for (int64_t at = pieces[i].begin; at < pieces[i].end;) {
      Window window = window_at(state, memory, at, pieces[i].end);
      if (window.page != page) {
        page = window.page;
        runs = luna_state_get(arena, state, page);
        hint = 0;
      }
      append_range(arena, into, &runs, window.begin, window.end, &hint);
      at = window.base + window.end;
    }
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

// A write in progress: the targets left, and where `from` was read last.
typedef struct Writer {
  LunaArena *arena;
  LunaState *state;
  uint32_t memory;
  Target *next, *end;
  const LunaRuns *from;
  uint32_t hint;
} Writer;

// Takes what `page` has of the next target off it. False if that is nothing.
static bool take_window(Writer *writer, uint32_t page, Window *window,
                        int64_t *from) {
  Target *next = writer->next;
  if (next == writer->end)
    return false;
  *window = window_at(writer->state, writer->memory, next->piece.begin,
                      next->piece.end);
  if (window->page != page)
    return false;
  *from = next->from;
  next->from += window->end - window->begin;
  next->piece.begin = window->base + window->end;
  writer->next += next->piece.begin == next->piece.end;
  return true;
}

static void write_page(Writer *writer, uint32_t page) {
  LunaArena *arena = writer->arena;
  LunaRuns old = luna_state_get(arena, writer->state, page), result = {0};
  Window window;
  uint32_t hint = 0;
  int64_t at = 0, from = 0;
  while (take_window(writer, page, &window, &from)) {
    append_range(arena, &result, &old, at, window.begin, &hint);
    append_range(arena, &result, writer->from, from,
                 from + window.end - window.begin, &writer->hint);
    at = window.end;
  }
  append_range(arena, &result, &old, at,
               writer->state->memories->pages.items[page].byte_count, &hint);
  luna_state_set(arena, writer->state, page, result);
}

void luna_memory_write(LunaArena *arena, LunaState *state, uint32_t memory,
                       const LunaPiece *pieces, uint32_t piece_count,
                       const LunaRuns *from) {
  Target *targets = sorted_targets(arena, pieces, piece_count);
  Writer writer = {.arena = arena,
                   .state = state,
                   .memory = memory,
                   .next = targets,
                   .end = targets + piece_count,
                   .from = from};
  while (writer.next < writer.end)
    write_page(&writer, window_at(state, memory, writer.next->piece.begin,
                                  writer.next->piece.end)
                            .page);
}
