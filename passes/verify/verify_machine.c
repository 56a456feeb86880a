#include "verify_machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

bool luna_side_fail(LunaSide *side, MlirOperation op, const char *format, ...) {
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  *side->fault = (LunaFault){
      .op = op, .message = luna_arena_printf(side->arena, "%s", message)};
  return false;
}

bool luna_side_note(LunaSide *side, MlirOperation other, const char *note) {
  side->fault->other = other;
  side->fault->note = note;
  return false;
}

void luna_side_set_arm(LunaSide *side, MlirOperation branch, intptr_t region,
                       LunaTerm path) {
  uint32_t index = luna_map_add(
      &side->arm_keys, side->arena,
      luna_map_pointer(mlirOperationGetRegion(branch, region).ptr));
  if (index == side->arms.count)
    LUNA_VECTOR_ADD(side->arena, &side->arms);
  side->arms.items[index] = (LunaArm){branch, region, path};
}

const LunaBuffer *luna_side_buffer(LunaSide *side, LunaBuffer buffer) {
  LunaBuffer *copy = LUNA_ARENA_ARRAY(side->arena, LunaBuffer, 1);
  *copy = buffer;
  return copy;
}

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

LunaMeaning luna_side_operand(const LunaSide *side, MlirOperation op,
                              intptr_t i) {
  return luna_side_get(side, mlirOperationGetOperand(op, i));
}

LunaTerm luna_side_term(const LunaSide *side, MlirOperation op, intptr_t i) {
  return luna_side_operand(side, op, i).term;
}

const LunaPointer *luna_side_pointer(const LunaSide *side, MlirOperation op,
                                     intptr_t i) {
  return luna_side_operand(side, op, i).pointer;
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
    meaning.term = luna_term_test(side->terms, meaning.term);
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

void luna_side_computed(LunaSide *side, MlirOperation op) {
  if (side->is_plan && mlirOperationIsNull(side->first_unknown))
    side->first_unknown = op;
}

//===----------------------------------------------------------------------===//
// Sequences of values
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

// The bytes of consecutive constant runs.
static const uint8_t *constant_bytes(LunaSide *side, const LunaRun *runs,
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

const uint8_t *luna_side_constant(LunaSide *side, const LunaRuns *runs) {
  return runs->count > 0 && constant_runs(side, runs, 0) == runs->count
             ? constant_bytes(side, runs->items, runs->count)
             : NULL;
}

// The term of consecutive constant runs.
static LunaTerm constant_term(LunaSide *side, const LunaRun *runs,
                              uint32_t count) {
  int64_t byte_count = runs[count - 1].end - runs->begin;
  int64_t length = 0;
  luna_term_content(side->terms, runs->value.term, &length);
  if (count == 1 && length == byte_count)
    return runs->value.term;
  return luna_term_bytes(side->terms, constant_bytes(side, runs, count),
                         byte_count);
}

LunaRuns luna_side_by_content(LunaSide *side, LunaRuns runs) {
  LunaRuns result = {0};
  for (uint32_t i = 0, step = 1; i < runs.count; i += step) {
    const LunaRun *run = &runs.items[i];
    uint32_t constant_count = constant_runs(side, &runs, i);
    LunaByte value = run->value;
    step = constant_count > 0 ? constant_count : 1;
    if (constant_count > 0)
      value = (LunaByte){constant_term(side, run, constant_count), 0};
    luna_runs_append(side->arena, &result,
                     runs.items[i + step - 1].end - run->begin, value);
  }
  return result;
}

LunaTerm luna_side_sequence(LunaSide *side, const LunaRuns *from) {
  LunaRuns runs = luna_side_by_content(side, *from);
  uint32_t word_count = 1;
  uint64_t loops = 0;
  uint64_t *words =
      LUNA_ARENA_ARRAY(side->arena, uint64_t, 3 * (uint64_t)runs.count + 1);
  words[0] = LUNA_TERM_SEQUENCE;
  for (uint32_t i = 0; i < runs.count; ++i) {
    const LunaRun *run = &runs.items[i];
    words[word_count++] = run->value.term;
    words[word_count++] = (uint64_t)run->value.offset;
    words[word_count++] = (uint64_t)(run->end - run->begin);
    loops |= luna_term_loops(side->terms, run->value.term);
  }
  return luna_term(side->terms, words, word_count, loops);
}

//===----------------------------------------------------------------------===//
// Choices of contents
//===----------------------------------------------------------------------===//

static bool is_delayed(const LunaTerms *terms, LunaByte value) {
  return luna_term_kind(terms, value.term) == LUNA_TERM_DELAYED;
}

static bool has_delayed(const LunaSide *side, const LunaRuns *runs) {
  for (uint32_t i = 0; i < runs->count; ++i)
    if (is_delayed(side->terms, runs->items[i].value))
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

LunaRuns luna_side_forced(LunaSide *side, LunaTerm path, LunaRuns runs) {
  Choice choice = {side->terms, path};
  return has_delayed(side, &runs)
             ? luna_runs_combine(side->arena, &runs, &runs, force, &choice)
             : runs;
}

LunaRuns luna_side_page(LunaSide *side, const LunaState *state, uint32_t page) {
  return luna_side_forced(side, LUNA_TERM_TRUE,
                          luna_state_get(side->arena, state, page));
}

void luna_side_combine(LunaSide *side, LunaState *into, const LunaState *a,
                       const LunaState *b, LunaCombine combine, void *data) {
  for (uint32_t i = 0; luna_state_next_change(a, b, &i); ++i) {
    LunaRuns first = luna_side_page(side, a, i);
    LunaRuns second = luna_side_page(side, b, i);
    luna_state_set(
        side->arena, into, i,
        luna_runs_combine(side->arena, &first, &second, combine, data));
  }
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

LunaRuns luna_side_delay(LunaSide *side, LunaTerm condition, const LunaRuns *a,
                         const LunaRuns *b) {
  Choice choice = {side->terms, condition};
  return luna_runs_combine(side->arena, a, b, delay, &choice);
}

LunaRuns luna_side_join(LunaSide *side, LunaTerm condition, const LunaRuns *a,
                        const LunaRuns *b) {
  Choice choice = {side->terms, condition};
  return luna_runs_combine(side->arena, a, b, choose, &choice);
}
