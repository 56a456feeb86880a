// What a side reads and writes where its pointers point.

#include "verify_carried.h"
#include "verify_conditions.h"

static LunaRuns whole(LunaSide *side, LunaTerm term, int64_t byte_count) {
  return luna_runs_of(side->arena, (LunaByte){term, 0}, byte_count);
}

//===----------------------------------------------------------------------===//
// New buffers
//===----------------------------------------------------------------------===//

// The value of a buffer's byte until its first access; undefined afterwards.
static LunaByte fresh(LunaSide *side) {
  const uint64_t words[] = {LUNA_TERM_FRESH};
  return (LunaByte){luna_term(side->terms, words, 1, 0), 0};
}

uint32_t luna_side_begin_buffer(LunaSide *side, const void *key) {
  uint32_t freshness = luna_side_memory(side, key, 1);
  luna_state_set(side->arena, &side->state, freshness,
                 luna_runs_of(side->arena, fresh(side), 1));
  return freshness;
}

// `old` if `state` says that the buffer was accessed, undefined bytes if not.
static LunaRuns where_touched(LunaSide *side, LunaByte state,
                              const LunaRuns *old, const LunaRuns *undefined) {
  LunaByte holds, other;
  if (luna_byte_equal(state, fresh(side)))
    return *undefined;
  if (luna_term_kind(side->terms, state.term) != LUNA_TERM_GAMMA ||
      !luna_term_sides(side->terms, state, &holds, &other))
    return *old;
  LunaRuns a = where_touched(side, holds, old, undefined);
  LunaRuns b = where_touched(side, other, old, undefined);
  LunaTerm condition =
      (LunaTerm)luna_term_words(side->terms, state.term, NULL)[1];
  return luna_side_join(side, condition, &a, &b);
}

// The places that the current path leaves: the first is one of them.
static LunaPointer taken(LunaSide *side, const LunaPointer *pointer) {
  LunaPointer left = *pointer;
  while (left.count > 1) {
    LunaByte condition = {left.items->condition, 0};
    LunaTerm here = luna_term_where(side->terms, side->path, condition).term;
    if (here == LUNA_TERM_TRUE) {
      left.count = 1;
    } else if (here == LUNA_TERM_FALSE) {
      ++left.items;
      --left.count;
    } else {
      break;
    }
  }
  return left;
}

// Until now nothing may have accessed the buffer, on all paths or some.
void luna_side_touch(LunaSide *side, const LunaBuffer *buffer) {
  if (buffer->freshness == 0)
    return;
  LunaRuns state = luna_state_get(side->arena, &side->state, buffer->freshness);
  LunaByte was_accessed =
      luna_term_where(side->terms, side->path, state.items[0].value);
  if (was_accessed.term == LUNA_TERM_UNDEFINED)
    return;
  luna_state_set(side->arena, &side->state, buffer->freshness,
                 whole(side, LUNA_TERM_UNDEFINED, 1));
  *LUNA_VECTOR_ADD(side->arena, &side->accessed) = buffer;
  LunaPieces all = luna_pieces_of(
      side->arena, (LunaPiece){buffer->begin_bytes,
                               buffer->begin_bytes + buffer->size_bytes});
  LunaRuns old =
      luna_memory_read(side->arena, &side->state, buffer->memory, &all);
  LunaRuns undefined = whole(side, LUNA_TERM_UNDEFINED, buffer->size_bytes);
  LunaRuns now = where_touched(side, was_accessed, &old, &undefined);
  luna_memory_write(side->arena, &side->state, buffer->memory, &all, &now);
}

//===----------------------------------------------------------------------===//
// Reading and writing places
//===----------------------------------------------------------------------===//

static LunaRuns read_static(LunaSide *side, const LunaPlace *place) {
  if (!luna_place_is_inside(place))
    return whole(side, LUNA_TERM_UNDEFINED, luna_place_bytes(place));
  LunaPieces pieces = luna_place_pieces(side, place);
  return luna_memory_read(side->arena, &side->state, place->memory, &pieces);
}

// The term of contents without delayed choices.
static LunaTerm contents_of(LunaSide *side, LunaRuns runs) {
  runs = luna_side_forced(side, LUNA_TERM_TRUE, runs);
  return luna_side_sequence(side, &runs);
}

// The contents that a window shows of `all`; with `part`, all after that was
// written to the window.
static LunaRuns look_through(LunaSide *side, LunaTerm window,
                             const LunaRuns *all, const LunaRuns *part,
                             int64_t byte_count) {
  uint64_t words[] = {LUNA_TERM_PART, window, contents_of(side, *all),
                      LUNA_TERM_UNDEFINED};
  uint64_t loops = 0;
  if (part)
    words[3] = contents_of(side, *part);
  for (int i = 1; i < (part ? 4 : 3); ++i)
    loops |= luna_term_loops(side->terms, (LunaTerm)words[i]);
  return whole(side, luna_term(side->terms, words, 4, loops), byte_count);
}

// `common` is the window that is looked through afterwards.
static LunaRuns read_place(LunaSide *side, const LunaPlace *place,
                           LunaTerm common) {
  luna_side_touch(side, place->buffer);
  LunaRuns runs = read_static(side, place);
  return place->window == common ? runs
                                 : look_through(side, place->window, &runs,
                                                NULL, place->window_bytes);
}

static LunaByte where_path(const LunaByte *values, void *data) {
  LunaSide *side = data;
  return luna_term_where(side->terms, side->path, values[0]);
}

// True if all places of the pointer have one window: a part of one of several
// memrefs is that part of the one, as it is where control flow merged their
// contents.
static bool has_one_window(const LunaPointer *pointer) {
  LunaTerm window = pointer->items[0].place->window;
  for (uint64_t i = 1; i < pointer->count; ++i)
    if (pointer->items[i].place->window != window)
      return false;
  return window != LUNA_TERM_UNDEFINED;
}

// The contents of each place where the pointer points there.
static LunaRuns read_places(LunaSide *side, const LunaPointer *pointer,
                            LunaTerm common) {
  uint64_t i = pointer->count;
  LunaRuns *runs = LUNA_ARENA_ARRAY(side->arena, LunaRuns, i);
  for (uint64_t k = 0; k < i; ++k)
    runs[k] = luna_side_forced(
        side, i > 1 ? pointer->items[k].condition : LUNA_TERM_TRUE,
        read_place(side, pointer->items[k].place, common));
  LunaRuns all = runs[--i];
  while (i-- > 0)
    all = luna_side_join(side, pointer->items[i].condition, &runs[i], &all);
  return all;
}

LunaRuns luna_side_read(LunaSide *side, const LunaPointer *pointer) {
  LunaPointer left = taken(side, pointer);
  bool is_shown = has_one_window(&left);
  const LunaPlace *first = left.items->place;
  LunaRuns runs =
      read_places(side, &left, is_shown ? first->window : LUNA_TERM_UNDEFINED);
  if (is_shown)
    runs = look_through(side, first->window, &runs, NULL, first->window_bytes);
  if (side->path != LUNA_TERM_TRUE)
    runs = luna_runs_combine(side->arena, &runs, &runs, where_path, side);
  return luna_side_by_content(side, runs);
}

LunaTerm luna_side_contents(LunaSide *side, const LunaPointer *pointer) {
  LunaRuns runs = luna_side_read(side, pointer);
  return luna_side_sequence(side, &runs);
}

static void write_place(LunaSide *side, const LunaPlace *place,
                        const LunaRuns *from) {
  if (!luna_place_is_inside(place))
    return;
  LunaPieces pieces = luna_place_pieces(side, place);
  luna_side_touch(side, place->buffer);
  LunaRuns runs = *from;
  if (place->window) {
    LunaRuns old = read_static(side, place);
    runs =
        look_through(side, place->window, &old, from, luna_place_bytes(place));
  }
  luna_memory_write(side->arena, &side->state, place->memory, &pieces, &runs);
}

void luna_side_fill(LunaSide *side, const LunaPointer *pointer,
                    const LunaRuns *from) {
  LunaPointer left = taken(side, pointer);
  for (uint64_t i = 0; i < left.count; ++i) {
    const LunaPlace *place = left.items[i].place;
    LunaRuns merged = *from;
    if (left.count > 1) {
      LunaRuns old = read_place(side, place, LUNA_TERM_UNDEFINED);
      merged = luna_side_delay(side, left.items[i].condition, from, &old);
    }
    write_place(side, place, &merged);
  }
}

void luna_side_write(LunaSide *side, const LunaPointer *pointer,
                     const LunaRuns *from) {
  LunaPointer left = taken(side, pointer);
  luna_side_fill(side, &left, from);
  luna_carried_lose(side, &left);
  for (uint64_t i = 0; side->is_self && side->is_plan && i < left.count; ++i)
    *LUNA_VECTOR_ADD(side->arena, &side->writes) = (LunaWrite){
        side->op, left.items[i].place,
        luna_condition_and(side->terms, side->path, left.items[i].condition)};
}

void luna_side_forget(LunaSide *side, const LunaPointer *pointer) {
  LunaRuns undefined =
      whole(side, LUNA_TERM_UNDEFINED, luna_pointer_bytes(pointer));
  luna_side_write(side, pointer, &undefined);
}
