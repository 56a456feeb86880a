#include "verify_memory.h"

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

LunaByte luna_run_at(const LunaRun *run, int64_t distance) {
  LunaByte value = run->value;
  if (value.term == LUNA_TERM_UNDEFINED)
    return value;
  value.offset += run->unit_bytes > 0
                      ? distance / run->unit_bytes * run->step_bytes +
                            distance % run->unit_bytes
                      : distance;
  return value;
}

// Appends `byte_count` bytes with the values and the units of `like`.
static void append(LunaArena *arena, LunaRuns *runs, int64_t byte_count,
                   LunaRun like) {
  if (byte_count <= 0)
    return;
  LunaRun *last = runs->count > 0 ? &runs->items[runs->count - 1] : NULL;
  if (like.value.term == LUNA_TERM_UNDEFINED || byte_count <= like.unit_bytes)
    like.unit_bytes = like.step_bytes = 0;
  if (last && last->unit_bytes == 0 && like.unit_bytes == 0 &&
      luna_byte_equal(luna_run_at(last, last->end - last->begin), like.value)) {
    last->end += byte_count;
    return;
  }
  if (!last) { // most have one
    runs->items = LUNA_ARENA_ARRAY(arena, LunaRun, 1);
    runs->capacity = 1;
  }
  like.begin = last ? last->end : 0;
  like.end = like.begin + byte_count;
  *LUNA_VECTOR_ADD(arena, runs) = like;
}

void luna_runs_append(LunaArena *arena, LunaRuns *runs, int64_t byte_count,
                      LunaByte value) {
  append(arena, runs, byte_count, (LunaRun){.value = value});
}

LunaRuns luna_runs_of(LunaArena *arena, LunaByte value, int64_t byte_count) {
  LunaRuns runs = {0};
  luna_runs_append(arena, &runs, byte_count, value);
  return runs;
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

// Returns the end of the bytes from `at` on that are whole units, or else of
// the unit that it is in: `end` is the last that it may be.
static int64_t end_of_units(int64_t unit_bytes, int64_t at, int64_t end) {
  int64_t rest = unit_bytes - at % unit_bytes, whole = end - end % unit_bytes;
  if (rest == unit_bytes && whole > at)
    return whole;
  return at + rest < end ? at + rest : end;
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
  while (begin < end) {
    LunaRun run = from->items[ *hint = i];
    int64_t at = begin - run.begin;
    int64_t stop = (run.end < end ? run.end : end) - run.begin;
    if (run.unit_bytes > 0)
      stop = end_of_units(run.unit_bytes, at, stop);
    LunaRun part = {.value = luna_run_at(&run, at),
                    .unit_bytes = run.unit_bytes,
                    .step_bytes = run.step_bytes};
    append(arena, into, stop - at, part);
    begin = run.begin + stop;
    i += begin == run.end;
  }
}

// The same values without units.
static LunaRuns flattened(LunaArena *arena, LunaRuns runs) {
  uint32_t first = 0;
  while (first < runs.count && runs.items[first].unit_bytes == 0)
    ++first;
  if (first == runs.count)
    return runs;
  LunaRuns flat = {0};
  for (uint32_t i = 0; i < runs.count; ++i) {
    const LunaRun *run = &runs.items[i];
    int64_t length = run->end - run->begin;
    int64_t unit = run->unit_bytes > 0 ? run->unit_bytes : length;
    for (int64_t at = 0; at < length; at += unit)
      luna_runs_append(arena, &flat, unit < length - at ? unit : length - at,
                       luna_run_at(run, at));
  }
  return flat;
}

LunaZip luna_runs_zip(const LunaRuns *a, const LunaRuns *b) {
  return (LunaZip){.maps = {a, b}};
}

bool luna_zip_next(LunaZip *zip) {
  zip->begin = zip->end;
  zip->end = INT64_MAX;
  for (int i = 0; i < 2; ++i) {
    const LunaRuns *map = zip->maps[i];
    while (zip->at[i] < map->count && map->items[zip->at[i]].end <= zip->begin)
      ++zip->at[i];
    if (zip->at[i] == map->count)
      return false;
    const LunaRun *run = &map->items[zip->at[i]];
    zip->values[i] = luna_run_at(run, zip->begin - run->begin);
    zip->end = run->end < zip->end ? run->end : zip->end;
  }
  return true;
}

LunaRuns luna_runs_combine(LunaArena *arena, const LunaRuns *a,
                           const LunaRuns *b, LunaCombine combine, void *data) {
  LunaRuns result = {0};
  for (LunaZip zip = luna_runs_zip(a, b); luna_zip_next(&zip);)
    luna_runs_append(arena, &result, zip.end - zip.begin,
                     combine(zip.values, data));
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

// The contents of a page as the state keeps them.
static LunaRuns kept(LunaArena *arena, const LunaState *state, uint32_t page) {
  const LunaRuns *runs = luna_trie_get(state->maps, page);
  return runs ? *runs
              : luna_runs_of(arena, (LunaByte){LUNA_TERM_UNDEFINED, 0},
                             state->memories->pages.items[page].byte_count);
}

LunaRuns luna_state_get(LunaArena *arena, const LunaState *state,
                        uint32_t page) {
  return flattened(arena, kept(arena, state, page));
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

LunaPieces luna_pieces_of(LunaArena *arena, LunaPiece bytes) {
  LunaStretch *stretch = LUNA_ARENA_ARRAY(arena, LunaStretch, 1);
  *stretch = (LunaStretch){bytes.begin, 0};
  return (LunaPieces){.unit_bytes = bytes.end - bytes.begin,
                      .unit_count = 1,
                      .items = stretch,
                      .count = 1};
}

static int64_t stretch_bytes(const LunaPieces *pieces) {
  return pieces->unit_bytes * pieces->unit_count;
}

// The position of byte `at` of a stretch.
static int64_t position_of(const LunaPieces *pieces, const LunaStretch *stretch,
                           int64_t at) {
  return stretch->position + at / pieces->unit_bytes * pieces->step_bytes +
         at % pieces->unit_bytes;
}

// A read in progress, and the page that was read last.
typedef struct Reader {
  LunaArena *arena;
  const LunaState *state;
  uint32_t memory, page, hint;
  LunaRuns runs;
} Reader;

static Window open_window(Reader *reader, int64_t begin, int64_t end) {
  Window window = window_at(reader->state, reader->memory, begin, end);
  if (window.page != reader->page) {
    reader->page = window.page;
    reader->runs = kept(reader->arena, reader->state, window.page);
    reader->hint = 0;
  }
  return window;
}

static void read_range(Reader *reader, int64_t begin, int64_t end,
                       LunaRuns *into) {
  while (begin < end) {
    Window window = open_window(reader, begin, end);
    append_range(reader->arena, into, &reader->runs, window.begin, window.end,
                 &reader->hint);
    begin = window.base + window.end;
  }
}

// True if the values of `byte_count` bytes, from byte `at` of a stretch and
// byte `distance` of a run on, grow as their positions do.
static bool grows_alike(const LunaPieces *pieces, int64_t at,
                        const LunaRun *run, int64_t distance,
                        int64_t byte_count) {
  int64_t unit = pieces->unit_bytes, first = at % unit;
  if (run->value.term == LUNA_TERM_UNDEFINED)
    return true;
  if (first + byte_count <= unit)
    return run->unit_bytes == 0 ||
           distance % run->unit_bytes + byte_count <= run->unit_bytes;
  return run->unit_bytes == unit && run->step_bytes == pieces->step_bytes &&
         distance % unit == first;
}

// Returns true, and the first of them, if the bytes of the pieces are
// consecutive bytes of one term.
static bool find_only_value(Reader *reader, const LunaPieces *pieces,
                            LunaByte *only) {
  int64_t length = stretch_bytes(pieces);
  for (uint32_t i = 0; i < pieces->count; ++i)
    for (int64_t at = 0, byte_count; at < length; at += byte_count) {
      const LunaStretch *stretch = &pieces->items[i];
      Window window =
          open_window(reader, stretch->begin + at, stretch->begin + length);
      const LunaRun *run =
          &reader->runs.items[run_index(&reader->runs, window.begin)];
      int64_t distance = window.begin - run->begin;
      byte_count =
          (run->end < window.end ? run->end : window.end) - window.begin;
      LunaByte value = luna_run_at(run, distance);
      if (value.term != LUNA_TERM_UNDEFINED)
        value.offset -= position_of(pieces, stretch, at);
      if (i == 0 && at == 0)
        *only = value;
      if (!luna_byte_equal(value, *only) ||
          !grows_alike(pieces, at, run, distance, byte_count))
        return false;
    }
  return true;
}

// True if position and address grow alike.
static bool is_in_order(const LunaPieces *pieces) {
  bool is_in_order = pieces->unit_count == 1;
  for (uint32_t i = 0; is_in_order && i < pieces->count; ++i)
    is_in_order = pieces->items[i].position == i * pieces->unit_bytes;
  return is_in_order;
}

// Reads unit by unit.
static void read_units(Reader *reader, const LunaPieces *pieces,
                       LunaRuns *into) {
  int64_t unit = pieces->unit_bytes, count = pieces->count * pieces->unit_count;
  int64_t *addresses = LUNA_ARENA_ARRAY(reader->arena, int64_t, count);
  for (uint32_t i = 0; i < pieces->count; ++i)
    for (int64_t at = 0; at < stretch_bytes(pieces); at += unit)
      addresses[position_of(pieces, &pieces->items[i], at) / unit] =
          pieces->items[i].begin + at;
  for (int64_t i = 0; i < count; ++i)
    read_range(reader, addresses[i], addresses[i] + unit, into);
}

LunaRuns luna_memory_read(LunaArena *arena, const LunaState *state,
                          uint32_t memory, const LunaPieces *pieces) {
  Reader reader = {
      .arena = arena, .state = state, .memory = memory, .page = UINT32_MAX};
  int64_t length = stretch_bytes(pieces);
  LunaRuns runs = {0};
  LunaByte only;
  if (is_in_order(pieces))
    for (uint32_t i = 0; i < pieces->count; ++i)
      read_range(&reader, pieces->items[i].begin,
                 pieces->items[i].begin + length, &runs);
  else if (find_only_value(&reader, pieces, &only))
    runs = luna_runs_of(arena, only, pieces->count * length);
  else
    read_units(&reader, pieces, &runs);
  return flattened(arena, runs);
}

// A write in progress: the stretch that is next and what of it was written, and
// where `from` was read last.
typedef struct Writer {
  LunaArena *arena;
  LunaState *state;
  uint32_t memory;
  const LunaPieces *pieces;
  uint32_t next;
  int64_t written;
  const LunaRuns *from;
  uint32_t hint;
} Writer;

static Window next_window(const Writer *writer) {
  int64_t begin = writer->pieces->items[writer->next].begin;
  return window_at(writer->state, writer->memory, begin + writer->written,
                   begin + stretch_bytes(writer->pieces));
}

// Appends what is written to the unit at byte `at` of a stretch, and to as many
// behind it, up to byte `end`, as hold bytes of one run. Returns the end of
// these.
static int64_t append_units(Writer *writer, LunaRuns *into, int64_t at,
                            int64_t end) {
  const LunaPieces *pieces = writer->pieces;
  int64_t unit = pieces->unit_bytes;
  int64_t stop = end_of_units(unit, at, end);
  int64_t first = position_of(pieces, &pieces->items[writer->next], at);
  const LunaRun *run = &writer->from->items[run_index(writer->from, first)];
  int64_t left = run->end - first - unit;
  if (stop - at <= unit || left < pieces->step_bytes) {
    stop = at + unit < stop ? at + unit : stop;
    append_range(writer->arena, into, writer->from, first, first + stop - at,
                 &writer->hint);
    return stop;
  }
  int64_t count = left / pieces->step_bytes + 1;
  if (stop - at > count * unit)
    stop = at + count * unit;
  append(writer->arena, into, stop - at,
         (LunaRun){.value = luna_run_at(run, first - run->begin),
                   .unit_bytes = unit,
                   .step_bytes = pieces->step_bytes});
  return stop;
}

static bool are_equal(const LunaRuns *a, const LunaRuns *b) {
  bool are_equal = a->count == b->count;
  for (uint32_t i = 0; are_equal && i < a->count; ++i) {
    const LunaRun *x = &a->items[i], *y = &b->items[i];
    are_equal = x->end == y->end && luna_byte_equal(x->value, y->value) &&
                x->unit_bytes == y->unit_bytes &&
                x->step_bytes == y->step_bytes;
  }
  return are_equal;
}

static void write_page(Writer *writer, uint32_t page) {
  LunaArena *arena = writer->arena;
  LunaRuns old = kept(arena, writer->state, page), result = {0};
  uint32_t hint = 0;
  int64_t at = 0;
  while (writer->next < writer->pieces->count) {
    Window window = next_window(writer);
    if (window.page != page)
      break;
    append_range(arena, &result, &old, at, window.begin, &hint);
    int64_t end = writer->written + window.end - window.begin;
    while (writer->written < end)
      writer->written = append_units(writer, &result, writer->written, end);
    at = window.end;
    if (writer->written == stretch_bytes(writer->pieces)) {
      writer->written = 0;
      ++writer->next;
    }
  }
  append_range(arena, &result, &old, at,
               writer->state->memories->pages.items[page].byte_count, &hint);
  // States that hold the same share it: what changes is found by that.
  if (!are_equal(&result, &old))
    luna_state_set(arena, writer->state, page, result);
}

void luna_memory_write(LunaArena *arena, LunaState *state, uint32_t memory,
                       const LunaPieces *pieces, const LunaRuns *from) {
  Writer writer = {.arena = arena,
                   .state = state,
                   .memory = memory,
                   .pieces = pieces,
                   .from = from};
  while (writer.next < pieces->count && stretch_bytes(pieces) > 0)
    write_page(&writer, next_window(&writer).page);
}
