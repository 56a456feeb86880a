#include "validate_side.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Meanings of values
//===----------------------------------------------------------------------===//

static const LunaMeaning *find_meaning(const LunaSide *side, const void *key) {
  uint32_t index = luna_map_find(&side->keys, luna_map_pointer(key));
  return index == LUNA_MAP_ABSENT ? NULL : &side->meanings.items[index];
}

static LunaMeaning *add_meaning(LunaSide *side, const void *key) {
  uint32_t index =
      luna_map_add(&side->keys, side->arena, luna_map_pointer(key));
  return index == side->meanings.count
             ? LUNA_VECTOR_ADD(side->arena, &side->meanings)
             : &side->meanings.items[index];
}

LunaMeaning luna_side_get(const LunaSide *side, MlirValue value) {
  const LunaMeaning *meaning = find_meaning(side, value.ptr);
  return meaning ? *meaning : (LunaMeaning){0};
}

// An i1 that is not known tests itself: see luna_term_either.
static bool needs_test(const LunaSide *side, MlirValue value, LunaTerm term) {
  MlirType type = mlirValueGetType(value);
  LunaTermKind kind = luna_term_kind(side->terms, term);
  return term != LUNA_TERM_UNDEFINED && kind != LUNA_TERM_GAMMA &&
         kind != LUNA_TERM_TRUTH && mlirTypeIsAInteger(type) &&
         mlirIntegerTypeGetWidth(type) == 1;
}

void luna_side_set(LunaSide *side, MlirValue value, LunaMeaning meaning) {
  if (!meaning.pointer && needs_test(side, value, meaning.term))
    meaning.term = luna_term_either(side->terms, meaning.term, LUNA_TERM_TRUE,
                                    LUNA_TERM_FALSE);
  *add_meaning(side, value.ptr) = meaning;
}

// The number of a memory, counted from one, is stored where values have their
// term. A value may have both a meaning and a memory: the key of the memory is
// one byte into the object.
static const void *memory_key(const void *key) { return (const char *)key + 1; }

uint32_t luna_side_memory(LunaSide *side, const void *key, int64_t byte_count) {
  LunaMeaning *meaning = add_meaning(side, memory_key(key));
  if (meaning->term == 0)
    meaning->term =
        luna_memories_add(side->arena, &side->memories, byte_count) + 1;
  return meaning->term - 1;
}

bool luna_side_find_memory(const LunaSide *side, const void *key,
                           uint32_t *memory) {
  const LunaMeaning *meaning = find_meaning(side, memory_key(key));
  LunaTerm found = meaning ? meaning->term : 0;
  *memory = found - 1;
  return found > 0;
}

void luna_side_computed(LunaSide *side, MlirOperation op) {
  if (side->is_plan && mlirOperationIsNull(side->first_unknown))
    side->first_unknown = op;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

MlirType luna_tensor_like(MlirType memref) {
  int64_t shape[LUNA_RANK_MAX];
  intptr_t rank = mlirShapedTypeGetRank(memref);
  for (intptr_t i = 0; i < rank; ++i)
    shape[i] = mlirShapedTypeGetDimSize(memref, i);
  return mlirRankedTensorTypeGet(rank, shape,
                                 mlirShapedTypeGetElementType(memref),
                                 mlirAttributeGetNull());
}

// Takes shape and strides from the type; keeps the offset.
static bool shape_place(LunaPlace *place, MlirType type) {
  int64_t offset = 0;
  place->rank = mlirShapedTypeGetRank(type);
  place->element_bytes =
      luna_element_type_bytes(mlirShapedTypeGetElementType(type));
  if (luna_shaped_bytes(type) < 0 ||
      !luna_memref_strides(type, &offset, place->strides))
    return false;
  for (intptr_t i = 0; i < place->rank; ++i) {
    if (mlirShapedTypeIsDynamicStrideOrOffset(place->strides[i]))
      return false;
    place->shape[i] = mlirShapedTypeGetDimSize(type, i);
    place->strides[i] *= place->element_bytes;
  }
  return true;
}

static LunaPointer *new_pointer(LunaSide *side, LunaPointer pointer) {
  LunaPointer *copy = LUNA_ARENA_ARRAY(side->arena, LunaPointer, 1);
  *copy = pointer;
  return copy;
}

LunaPointer *luna_side_point(LunaSide *side, MlirType type, uint32_t memory,
                             int64_t offset_bytes) {
  LunaPointer pointer = {.place = {.memory = memory,
                                   .base_bytes = offset_bytes,
                                   .offset_bytes = offset_bytes}};
  return shape_place(&pointer.place, type) ? new_pointer(side, pointer) : NULL;
}

static bool is_same_place(const LunaPlace *a, const LunaPlace *b) {
  bool is_same = a->memory == b->memory && a->offset_bytes == b->offset_bytes &&
                 a->element_bytes == b->element_bytes && a->rank == b->rank &&
                 a->window == b->window;
  for (intptr_t i = 0; is_same && i < a->rank; ++i)
    is_same = a->shape[i] == b->shape[i] && a->strides[i] == b->strides[i];
  return is_same;
}

bool luna_pointer_equal(const LunaPointer *a, const LunaPointer *b) {
  if (a == b)
    return true;
  if (a->condition != b->condition)
    return false;
  if (a->condition == LUNA_TERM_UNDEFINED)
    return is_same_place(&a->place, &b->place);
  return luna_pointer_equal(a->sides[0], b->sides[0]) &&
         luna_pointer_equal(a->sides[1], b->sides[1]);
}

// The places of a pointer and the condition of each; one condition holds.
typedef struct Option {
  const LunaPlace *place;
  LunaTerm condition;
} Option;

typedef struct Options {
  LUNA_VECTOR(Option);
} Options;

static Options options_of(LunaSide *side, const LunaPointer *pointer) {
  Options options = {0};
  LunaTerm rest = LUNA_TERM_TRUE;
  for (; pointer->condition; pointer = pointer->sides[1]) {
    *LUNA_VECTOR_ADD(side->arena, &options) =
        (Option){&pointer->sides[0]->place, pointer->condition};
    rest = luna_term_either(side->terms, pointer->condition, LUNA_TERM_FALSE,
                            rest);
  }
  *LUNA_VECTOR_ADD(side->arena, &options) = (Option){&pointer->place, rest};
  return options;
}

static LunaTerm condition_of(const Options *options, const LunaPlace *place) {
  for (uint64_t i = 0; i < options->count; ++i)
    if (is_same_place(options->items[i].place, place))
      return options->items[i].condition;
  return LUNA_TERM_FALSE;
}

// A pointer for a sum of options that is in order.
static const LunaPointer *pointer_to(LunaSide *side, const Options *options) {
  const LunaPointer *rest = NULL;
  for (uint64_t i = options->count; i-- > 0;) {
    const Option *option = &options->items[i];
    const LunaPointer *place =
        new_pointer(side, (LunaPointer){.place = *option->place});
    rest = rest ? new_pointer(side, (LunaPointer){option->condition,
                                                  .sides = {place, rest}})
                : place;
  }
  return rest;
}

// Each place stands once, under the one condition of its own: decision diagrams
// of pointers that branches exchange would double with every branch.
const LunaPointer *luna_side_choose(LunaSide *side, LunaTerm condition,
                                    const LunaPointer *a,
                                    const LunaPointer *b) {
  if (luna_pointer_equal(a, b) || condition == LUNA_TERM_TRUE)
    return a;
  if (condition == LUNA_TERM_FALSE)
    return b;
  const Options from[] = {options_of(side, a), options_of(side, b)};
  Options merged = {0};
  for (int i = 0; i < 2; ++i)
    for (uint64_t j = 0; j < from[i].count; ++j) {
      const LunaPlace *place = from[i].items[j].place;
      if (i == 1 && condition_of(&from[0], place) != LUNA_TERM_FALSE)
        continue;
      LunaTerm holds = luna_term_either(side->terms, condition,
                                        condition_of(&from[0], place),
                                        condition_of(&from[1], place));
      if (holds != LUNA_TERM_FALSE)
        *LUNA_VECTOR_ADD(side->arena, &merged) = (Option){place, holds};
    }
  return pointer_to(side, &merged);
}

static int64_t place_bytes(const LunaPlace *place) {
  int64_t bytes = place->element_bytes;
  for (intptr_t i = 0; i < place->rank; ++i)
    bytes *= place->shape[i];
  return bytes;
}

int64_t luna_pointer_bytes(const LunaPointer *pointer) {
  while (pointer->condition != LUNA_TERM_UNDEFINED)
    pointer = pointer->sides[0];
  return pointer->place.window ? pointer->place.window_bytes
                               : place_bytes(&pointer->place);
}

// The contiguous ranges of a place in the order of its elements; none for a
// place that exceeds its memory.
static LunaPiece *pieces_of(const LunaSide *side, const LunaPlace *place,
                            uint32_t *count) {
  int64_t piece_bytes = place->element_bytes, piece_count = 1;
  intptr_t outer = place->rank;
  while (outer > 0 && (place->shape[outer - 1] == 1 ||
                       place->strides[outer - 1] == piece_bytes))
    piece_bytes *= place->shape[--outer];
  for (intptr_t i = 0; i < outer; ++i)
    piece_count *= place->shape[i];
  *count = place_bytes(place) > 0 ? (uint32_t)piece_count : 0;
  LunaPiece *pieces = LUNA_ARENA_ARRAY(side->arena, LunaPiece, *count);
  int64_t index[LUNA_RANK_MAX] = {0}, at = place->offset_bytes;
  for (uint32_t n = 0; n < *count; ++n) {
    pieces[n] = (LunaPiece){at, at + piece_bytes};
    for (intptr_t i = outer - 1; i >= 0; --i) {
      at += place->strides[i];
      if (++index[i] < place->shape[i])
        break;
      at -= place->strides[i] * place->shape[i];
      index[i] = 0;
    }
  }
  return pieces;
}

//===----------------------------------------------------------------------===//
// Reading and writing
//===----------------------------------------------------------------------===//

// The number of constant runs from `first` on, and their bytes.
static uint32_t constant_runs(const LunaSide *side, const LunaRuns *runs,
                              uint32_t first) {
  uint32_t next = first;
  while (next < runs->count &&
         luna_term_kind(side->terms, runs->items[next].value.term) ==
             LUNA_TERM_BYTES)
    ++next;
  return next - first;
}

const uint8_t *luna_side_constant(LunaSide *side, const LunaRun *runs,
                                  uint32_t count) {
  int64_t length = 0;
  if (count == 1)
    return luna_term_content(side->terms, runs->value.term, &length) +
           runs->value.offset;
  int64_t begin = runs[0].begin, end = runs[count - 1].end;
  uint8_t *bytes = LUNA_ARENA_ARRAY(side->arena, uint8_t, end - begin);
  for (uint32_t i = 0; i < count; ++i)
    memcpy(bytes + (runs[i].begin - begin),
           luna_term_content(side->terms, runs[i].value.term, &length) +
               runs[i].value.offset,
           (size_t)(runs[i].end - runs[i].begin));
  return bytes;
}

// The term of consecutive constant runs.
static LunaTerm constant_term(LunaSide *side, const LunaRun *runs,
                              uint32_t count) {
  int64_t byte_count = runs[count - 1].end - runs->begin;
  if (count == 1 &&
      luna_term_is_whole_content(side->terms, runs->value, byte_count))
    return runs->value.term;
  return luna_term_bytes(side->terms, luna_side_constant(side, runs, count),
                         byte_count);
}

LunaTerm luna_side_sequence(LunaSide *side, const LunaRuns *runs) {
  uint32_t word_count = 1;
  uint64_t loops = 0;
  uint64_t *words =
      LUNA_ARENA_ARRAY(side->arena, uint64_t, 3 * (uint64_t)runs->count + 1);
  words[0] = LUNA_TERM_SEQUENCE;
  for (uint32_t i = 0, step = 1; i < runs->count; i += step) {
    const LunaRun *run = &runs->items[i];
    uint32_t constant_count = constant_runs(side, runs, i);
    LunaByte value = run->value;
    step = constant_count > 0 ? constant_count : 1;
    int64_t byte_count = runs->items[i + step - 1].end - run->begin;
    if (constant_count > 0)
      value = (LunaByte){constant_term(side, run, constant_count), 0};
    words[word_count++] = value.term;
    words[word_count++] = (uint64_t)value.offset;
    words[word_count++] = (uint64_t)byte_count;
    loops |= luna_term_loops(side->terms, value.term);
  }
  return luna_term(side->terms, words, word_count, loops);
}

static LunaRuns whole(LunaSide *side, LunaTerm term, int64_t byte_count) {
  LunaRuns runs = {0};
  luna_runs_append(side->arena, &runs, byte_count, (LunaByte){term, 0});
  return runs;
}

//===----------------------------------------------------------------------===//
// New buffers
//===----------------------------------------------------------------------===//

// The value of a buffer's byte until its first access; undefined afterwards.
static LunaByte fresh(LunaSide *side) {
  const uint64_t words[] = {LUNA_TERM_FRESH};
  return (LunaByte){luna_term(side->terms, words, 1, 0), 0};
}

void luna_side_begin_buffer(LunaSide *side, LunaPointer *pointer,
                            const void *key) {
  LunaRuns runs = {0};
  luna_runs_append(side->arena, &runs, 1, fresh(side));
  pointer->place.freshness = luna_side_memory(side, key, 1);
  pointer->place.buffer_bytes = luna_pointer_bytes(pointer);
  luna_state_set(side->arena, &side->state, pointer->place.freshness, runs);
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

// The side that the current path takes of each choice which it decides.
static const LunaPointer *taken(LunaSide *side, const LunaPointer *pointer) {
  while (pointer->condition != LUNA_TERM_UNDEFINED) {
    LunaByte condition = {pointer->condition, 0};
    LunaTerm here = luna_term_where(side->terms, side->path, condition).term;
    if (here != LUNA_TERM_TRUE && here != LUNA_TERM_FALSE)
      break;
    pointer = pointer->sides[here == LUNA_TERM_TRUE ? 0 : 1];
  }
  return pointer;
}

// Returns true, and if the place's buffer was accessed, unless it was for
// certain; it is from now on.
static bool begin_access(LunaSide *side, const LunaPlace *place,
                         LunaByte *was_accessed) {
  if (place->buffer_bytes == 0)
    return false;
  LunaRuns state = luna_state_get(side->arena, &side->state, place->freshness);
  *was_accessed =
      luna_term_where(side->terms, side->path, state.items[0].value);
  if (was_accessed->term == LUNA_TERM_UNDEFINED)
    return false;
  luna_state_set(side->arena, &side->state, place->freshness,
                 whole(side, LUNA_TERM_UNDEFINED, 1));
  return true;
}

static void touch(LunaSide *side, const LunaPlace *place) {
  LunaByte was_accessed;
  if (!begin_access(side, place, &was_accessed))
    return;
  LunaPiece all = {place->base_bytes, place->base_bytes + place->buffer_bytes};
  LunaRuns old = {0};
  LunaRuns undefined = whole(side, LUNA_TERM_UNDEFINED, place->buffer_bytes);
  if (!luna_byte_equal(was_accessed, fresh(side)))
    luna_memory_read(side->arena, &side->state, place->memory, &all, 1, &old);
  LunaRuns now = where_touched(side, was_accessed, &old, &undefined);
  luna_memory_write(side->arena, &side->state, place->memory, &all, 1, &now);
}

void luna_side_touch(LunaSide *side, const LunaPointer *pointer) {
  pointer = taken(side, pointer);
  if (pointer->condition == LUNA_TERM_UNDEFINED) {
    touch(side, &pointer->place);
    return;
  }
  luna_side_touch(side, pointer->sides[0]);
  luna_side_touch(side, pointer->sides[1]);
}

//===----------------------------------------------------------------------===//
// Reading and writing places
//===----------------------------------------------------------------------===//

static LunaRuns read_static(LunaSide *side, const LunaPlace *place) {
  uint32_t count = 0;
  LunaRuns runs = {0};
  const LunaPiece *pieces = pieces_of(side, place, &count);
  luna_memory_read(side->arena, &side->state, place->memory, pieces, count,
                   &runs);
  return runs;
}

static bool has_delayed(const LunaSide *side, const LunaRuns *runs) {
  for (uint32_t i = 0; i < runs->count; ++i)
    if (luna_term_kind(side->terms, runs->items[i].value.term) ==
        LUNA_TERM_DELAYED)
      return true;
  return false;
}

typedef struct Choice {
  LunaTerms *terms;
  LunaTerm condition;
} Choice;

static LunaByte force(const LunaByte *values, void *data) {
  const Choice *choice = data;
  return luna_term_force(choice->terms, choice->condition, values[0]);
}

// The values of delayed choices where `path` holds.
static LunaRuns forced(LunaSide *side, LunaTerm path, LunaRuns runs) {
  Choice choice = {side->terms, path};
  const LunaRuns *all = &runs;
  return has_delayed(side, &runs)
             ? luna_runs_combine(side->arena, &all, 1, force, &choice)
             : runs;
}

LunaRuns luna_side_page(LunaSide *side, const LunaState *state, uint32_t page) {
  return forced(side, LUNA_TERM_TRUE, luna_state_get(side->arena, state, page));
}

static LunaRuns read_place(LunaSide *side, const LunaPlace *place) {
  touch(side, place);
  LunaRuns runs = read_static(side, place);
  if (!place->window)
    return runs;
  runs = forced(side, LUNA_TERM_TRUE, runs);
  LunaTerm all = luna_side_sequence(side, &runs);
  const uint64_t words[] = {LUNA_TERM_RESULT, LUNA_TERM_SEQUENCE, all,
                            place->window};
  uint64_t loops = luna_term_loops(side->terms, all) |
                   luna_term_loops(side->terms, place->window);
  return whole(side, luna_term(side->terms, words, 4, loops),
               place->window_bytes);
}

static bool is_delayed(const LunaTerms *terms, LunaByte value) {
  return luna_term_kind(terms, value.term) == LUNA_TERM_DELAYED;
}

static LunaByte delay(const LunaByte *values, void *data) {
  const Choice *choice = data;
  return luna_term_delay(choice->terms, choice->condition, values[0],
                         values[1]);
}

static LunaByte choose(const LunaByte *values, void *data) {
  const Choice *choice = data;
  return is_delayed(choice->terms, values[0]) ||
                 is_delayed(choice->terms, values[1])
             ? delay(values, data)
             : luna_term_gamma(choice->terms, choice->condition, values[0],
                               values[1]);
}

LunaRuns luna_side_join(LunaSide *side, LunaTerm condition, const LunaRuns *a,
                        const LunaRuns *b) {
  Choice choice = {side->terms, condition};
  const LunaRuns *maps[] = {a, b};
  return luna_runs_combine(side->arena, maps, 2, choose, &choice);
}

static LunaByte where_path(const LunaByte *values, void *data) {
  LunaSide *side = data;
  return luna_term_where(side->terms, side->path, values[0]);
}

// The contents of each place where the pointer points there: `path` is where it
// points to one that is left.
static LunaRuns read_places(LunaSide *side, LunaTerm path,
                            const LunaPointer *pointer) {
  LunaTerm condition = pointer->condition;
  if (condition == LUNA_TERM_UNDEFINED)
    return forced(side, path, read_place(side, &pointer->place));
  LunaTerm other =
      luna_term_either(side->terms, condition, LUNA_TERM_FALSE, path);
  LunaRuns a =
      forced(side, condition, read_place(side, &pointer->sides[0]->place));
  LunaRuns b = read_places(side, other, pointer->sides[1]);
  return luna_side_join(side, condition, &a, &b);
}

LunaRuns luna_side_read(LunaSide *side, const LunaPointer *pointer) {
  LunaRuns runs = read_places(side, LUNA_TERM_TRUE, taken(side, pointer));
  const LunaRuns *all = &runs;
  return side->path == LUNA_TERM_TRUE
             ? runs
             : luna_runs_combine(side->arena, &all, 1, where_path, side);
}

static void write_place(LunaSide *side, const LunaPlace *place,
                        const LunaRuns *from) {
  LunaByte ignored;
  uint32_t count = 0;
  const LunaPiece *pieces = pieces_of(side, place, &count);
  // What is overwritten as a whole need not become undefined first.
  if (place->window || place_bytes(place) < place->buffer_bytes)
    touch(side, place);
  else
    begin_access(side, place, &ignored);
  LunaRuns runs = *from;
  if (place->window) {
    LunaRuns old = forced(side, LUNA_TERM_TRUE, read_static(side, place));
    LunaRuns now = forced(side, LUNA_TERM_TRUE, *from);
    LunaTerm before = luna_side_sequence(side, &old);
    LunaTerm part = luna_side_sequence(side, &now);
    const uint64_t words[] = {LUNA_TERM_RESULT, LUNA_TERM_SEQUENCE, before,
                              place->window, part};
    uint64_t loops = luna_term_loops(side->terms, before) |
                     luna_term_loops(side->terms, place->window) |
                     luna_term_loops(side->terms, part);
    runs = whole(side, luna_term(side->terms, words, 5, loops),
                 place_bytes(place));
  }
  luna_memory_write(side->arena, &side->state, place->memory, pieces, count,
                    &runs);
}

void luna_side_write(LunaSide *side, const LunaPointer *pointer,
                     const LunaRuns *from) {
  pointer = taken(side, pointer);
  if (pointer->condition == LUNA_TERM_UNDEFINED) {
    write_place(side, &pointer->place, from);
    return;
  }
  Options options = options_of(side, pointer);
  for (uint64_t i = 0; i < options.count; ++i) {
    Choice choice = {side->terms, options.items[i].condition};
    LunaRuns old = read_place(side, options.items[i].place);
    const LunaRuns *maps[] = {from, &old};
    LunaRuns merged = luna_runs_combine(side->arena, maps, 2, delay, &choice);
    write_place(side, options.items[i].place, &merged);
  }
}

void luna_side_forget(LunaSide *side, const LunaPointer *pointer) {
  LunaRuns undefined =
      whole(side, LUNA_TERM_UNDEFINED, luna_pointer_bytes(pointer));
  luna_side_write(side, pointer, &undefined);
}
