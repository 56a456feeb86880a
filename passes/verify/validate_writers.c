#include "validate_writers.h"

// The words of a LUNA_TERM_WRITER.
enum { WRITER_OP = 1, WRITER_BUFFER = 2, WRITER_WORDS = 3 };

static LunaByte writer(LunaSide *side, const LunaPlace *place) {
  const uint64_t words[WRITER_WORDS] = {LUNA_TERM_WRITER,
                                        (uint64_t)(uintptr_t)side->op.ptr,
                                        (uint64_t)place->buffer->begin_bytes};
  return (LunaByte){luna_term(side->terms, words, WRITER_WORDS, 0), 0};
}

static void write_option(LunaSide *side, const LunaOption *option) {
  LunaPieces pieces = luna_place_pieces(side, option->place);
  LunaRuns old =
      luna_memory_read(side->arena, &side->state, side->writers, &pieces);
  LunaRuns now = luna_runs_of(side->arena, writer(side, option->place),
                              luna_place_bytes(option->place));
  now = luna_side_join(side, option->condition, &now, &old);
  luna_memory_write(side->arena, &side->state, side->writers, &pieces, &now);
}

void luna_writers_add(LunaSide *side, const LunaPointer *pointer) {
  for (uint64_t i = 0; i < pointer->count; ++i)
    if (pointer->items[i].place->memory == side->arena_memory)
      write_option(side, &pointer->items[i]);
}

// Finds a writer among the values that bytes may have, one to another buffer
// than that at `own` if there is one.
static LunaTerm find_writer(const LunaTerms *terms, LunaByte value, int64_t own,
                            int depth) {
  enum { DEPTH_MAX = 16 };
  const uint64_t *words = luna_term_words(terms, value.term, NULL);
  LunaTermKind kind = luna_term_kind(terms, value.term);
  LunaByte a, b;
  if (kind == LUNA_TERM_WRITER)
    return value.term;
  if (kind == LUNA_TERM_ETA && depth < DEPTH_MAX)
    return find_writer(terms, (LunaByte){(LunaTerm)words[2], 0}, own,
                       depth + 1);
  if (depth == DEPTH_MAX || !luna_term_sides(terms, value, &a, &b))
    return LUNA_TERM_UNDEFINED;
  LunaTerm first = find_writer(terms, a, own, depth + 1);
  bool is_other =
      first != LUNA_TERM_UNDEFINED &&
      (int64_t)luna_term_words(terms, first, NULL)[WRITER_BUFFER] != own;
  LunaTerm second =
      is_other ? LUNA_TERM_UNDEFINED : find_writer(terms, b, own, depth + 1);
  return second != LUNA_TERM_UNDEFINED ? second : first;
}

MlirOperation luna_writers_find(LunaSide *side, const LunaPlace *place,
                                LunaPiece bytes, LunaTerm where) {
  LunaPieces pieces = luna_pieces_of(side->arena, bytes);
  if (place->memory != side->arena_memory)
    return (MlirOperation){NULL};
  LunaRuns runs =
      luna_memory_read(side->arena, &side->state, side->writers, &pieces);
  LunaByte value =
      luna_term_force(side->terms, LUNA_TERM_TRUE, runs.items[0].value);
  LunaTerm found =
      find_writer(side->terms, luna_term_where(side->terms, where, value),
                  place->buffer->begin_bytes, 0);
  if (found == LUNA_TERM_UNDEFINED)
    return (MlirOperation){NULL};
  return (MlirOperation){
      (void *)(uintptr_t)luna_term_words(side->terms, found, NULL)[WRITER_OP]};
}
