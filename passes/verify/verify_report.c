// Faults in words: names of buffers and paths, and the first difference.

#include "verify_report.h"

#include <stdarg.h>
#include <stdio.h>

#include "luna-c/ops.h"
#include "luna/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "structure.h"
#include "verify_conditions.h"

bool luna_verify_error(MlirOperation op, const char *format, ...) {
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  lunaEmitErrorWithNotesAt(op, message, NULL, 0);
  return false;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

// The name of an allocation: that of its place, else that of its location.
static MlirStringRef name_of(MlirOperation op, const LunaPlacement *place) {
  return place->name.length > 0 ? place->name : luna_given_name(op);
}

const char *luna_side_buffer_name(LunaSide *side, const LunaBuffer *buffer) {
  LunaPlacement place;
  if (buffer->symbol.data)
    return luna_arena_printf(side->arena, "@%.*s", (int)buffer->symbol.length,
                             buffer->symbol.data);
  if (buffer->argument >= 0)
    return luna_arena_printf(side->arena, "argument %lld",
                             (long long)buffer->argument);
  if (!luna_read_place(buffer->op, &place))
    return "an allocation";
  MlirStringRef name = name_of(buffer->op, &place);
  const char *quote = name.length > 0 ? "'" : "";
  return luna_arena_printf(side->arena, "buffer %lld%s%s%.*s%s",
                           (long long)place.id, name.length > 0 ? " " : "",
                           quote, (int)name.length, name.data, quote);
}

const LunaPlace *luna_side_place_where(LunaSide *side,
                                       const LunaPointer *pointer,
                                       LunaTerm where) {
  for (uint64_t i = 0; i < pointer->count; ++i)
    if (luna_condition_and(side->terms, where, pointer->items[i].condition) !=
        LUNA_TERM_FALSE)
      return pointer->items[i].place;
  return pointer->items[0].place;
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

static void print_decision(LunaText *text, MlirOperation branch,
                           intptr_t region) {
  MlirStringRef name = luna_label_of(branch);
  char way[32];
  luna_branch_name(branch, region, way);
  if (name.length == 0)
    name = luna_str(luna_op_is(branch, LUNA_OP_SCF_IF) ? "if" : "switch");
  luna_text_printf(text, "%.*s=%s", (int)name.length, name.data, way);
}

const char *luna_side_path_name(LunaSide *side, LunaTerm where) {
  LunaText text = {0};
  for (uint64_t i = 0; i < side->arms.count; ++i) {
    const LunaArm *arm = &side->arms.items[i];
    LunaTerm elsewhere = luna_condition_and(
        side->terms, where, luna_condition_not(side->terms, arm->path));
    if (elsewhere != LUNA_TERM_FALSE || where == LUNA_TERM_FALSE)
      continue;
    luna_text_printf(&text, text.length == 0 ? " on path " : "/");
    print_decision(&text, arm->branch, arm->region);
  }
  const char *path = luna_arena_strndup(side->arena, text.data, text.length);
  luna_text_deinit(&text);
  return path;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

// The operator that gave a result first, or a null operation.
static MlirOperation producer_of(const LunaSide *side, LunaTerm term) {
  const uint64_t *words = luna_term_words(side->terms, term, NULL);
  uint32_t index =
      luna_map_find(&side->results, luna_map_number((LunaTerm)words[1]));
  return index == LUNA_MAP_ABSENT ? (MlirOperation){NULL}
                                  : side->producers.items[index];
}

static MlirStringRef name_of_constant(const LunaSide *side, LunaTerm term) {
  for (uint64_t i = 0; i < side->constants.count; ++i)
    if (side->constants.items[i].term == term)
      return side->constants.items[i].name;
  return mlirStringRefCreate(NULL, 0);
}

static const char *print_bytes(const LunaPair *pair, LunaByte value,
                               int64_t byte_count, const char *what,
                               MlirStringRef name, const char *quote) {
  long long begin = value.offset, end = begin + byte_count;
  return luna_arena_printf(pair->arena, "bytes [%lld, %lld) of %s%.*s%s", begin,
                           end, what, (int)name.length, name.data, quote);
}

// What has no name in the program, by the kind of its term; NULL for
// results.
static const char *const words_of_kinds[LUNA_TERM_CLOBBER + 1] = {
    [LUNA_TERM_NOTHING] = "bytes that nothing wrote",
    [LUNA_TERM_BYTES] = "constants that the program does not have",
    [LUNA_TERM_GAMMA] = "another choice between branches",
    [LUNA_TERM_MU] = "what another loop carries",
    [LUNA_TERM_ETA] = "what another loop carries",
    [LUNA_TERM_CLOBBER] = "bytes that a loop overwrites through another name",
};

const char *luna_pair_value_name(const LunaPair *pair, LunaByte value,
                                 int64_t byte_count) {
  LunaTermKind kind = luna_term_kind(pair->terms, value.term);
  if (kind == LUNA_TERM_ARGUMENT)
    return print_bytes(pair, value, byte_count,
                       luna_arena_printf(pair->arena, "argument %d",
                                         (int)luna_term_words(
                                             pair->terms, value.term, NULL)[1]),
                       luna_str(""), "");
  MlirStringRef name = name_of_constant(&pair->program, value.term);
  if (kind == LUNA_TERM_BYTES && name.data)
    return print_bytes(pair, value, byte_count, "@", name, "");
  MlirOperation op = kind == LUNA_TERM_RESULT
                         ? producer_of(&pair->program, value.term)
                         : (MlirOperation){NULL};
  if (!mlirOperationIsNull(op))
    return print_bytes(pair, value, byte_count, "the result of '",
                       luna_given_name_or_kind(op), "'");
  return words_of_kinds[kind] ? words_of_kinds[kind]
                              : "the result of another operator, or of one "
                                "with other operands";
}

//===----------------------------------------------------------------------===//
// The operator of the program that comes closest
//===----------------------------------------------------------------------===//

// True for a result of an operator of the same name, attributes and operands'
// types.
static bool is_alike(const LunaTerms *terms, LunaTerm a, LunaTerm b) {
  uint32_t count = 0, other_count = 0;
  const uint64_t *x = luna_term_words(terms, a, &count);
  const uint64_t *y = luna_term_words(terms, b, &other_count);
  return count == other_count && count > 3 && x[0] == LUNA_TERM_RESULT &&
         y[0] == LUNA_TERM_RESULT && x[1] == y[1] &&
         luna_term_kind(terms, (LunaTerm)x[1]) == LUNA_TERM_HEAD;
}

static uint32_t equal_words(const LunaTerms *terms, LunaTerm a, LunaTerm b) {
  uint32_t count = 0, equal = 0;
  const uint64_t *x = luna_term_words(terms, a, &count);
  const uint64_t *y = luna_term_words(terms, b, NULL);
  for (uint32_t i = 0; i < count; ++i)
    equal += x[i] == y[i];
  return equal;
}

static LunaTerm closest(const LunaTerms *terms, LunaTerm unknown) {
  LunaTerm found = LUNA_TERM_UNDEFINED;
  uint32_t most = 0;
  for (LunaTerm term = 1; term < unknown; ++term) {
    if (!is_alike(terms, term, unknown))
      continue;
    uint32_t equal = equal_words(terms, term, unknown);
    if (equal > most) {
      most = equal;
      found = term;
    }
  }
  return found;
}

//===----------------------------------------------------------------------===//
// The operand
//===----------------------------------------------------------------------===//

static const char *name_of_operand(const LunaPair *pair, intptr_t operand) {
  static const char *const roles[] = {"input", "weights", "bias", "table"};
  MlirOperation op = pair->plan.first_unknown;
  for (int role = LUNA_ROLE_INPUT; role <= LUNA_ROLE_TABLE; ++role)
    if (luna_op_is_unit(op) &&
        luna_unit_operand_index(op, (LunaOperandRole)role) == operand)
      return roles[role];
  return luna_arena_printf(pair->arena, "operand %d", (int)operand);
}

// Bytes that differ, and the values of the first of them.
typedef struct Difference {
  int64_t begin, end;
  LunaByte program, plan;
} Difference;

// Narrows a stretch of constants to the bytes that differ. False if none does.
static bool narrow(const LunaTerms *terms, Difference *at) {
  int64_t length = 0, first = 0, count = at->end - at->begin;
  const uint8_t *a = luna_term_content(terms, at->program.term, &length);
  const uint8_t *b = luna_term_content(terms, at->plan.term, &length);
  if (!a || !b)
    return !luna_byte_equal(at->program, at->plan);
  a += at->program.offset;
  b += at->plan.offset;
  while (first < count && a[first] == b[first])
    ++first;
  while (count > first && a[count - 1] == b[count - 1])
    --count;
  at->end = at->begin + count;
  at->begin += first;
  at->program.offset += first;
  at->plan.offset += first;
  return first < count;
}

static int64_t equal_bytes(const uint8_t *a, const uint8_t *b, int64_t count) {
  int64_t equal = 0;
  while (equal < count && a[equal] == b[equal])
    ++equal;
  return equal;
}

// Shortens a stretch of constants of the plan to the start that a constant of
// the program has, the longest of all: to the value in that one.
static void find_in_program(const LunaSide *program, Difference *at) {
  const LunaTerms *terms = program->terms;
  int64_t length = 0, longest = 0, count = at->end - at->begin;
  const uint8_t *own = luna_term_content(terms, at->plan.term, &length);
  if (!own || name_of_constant(program, at->plan.term).data)
    return;
  own += at->plan.offset;
  for (uint64_t i = 0; i < program->constants.count; ++i) {
    LunaConstant constant = program->constants.items[i];
    const uint8_t *bytes = luna_term_content(terms, constant.term, &length);
    for (int64_t at_byte = 0; at_byte < length; ++at_byte) {
      int64_t left = length - at_byte < count ? length - at_byte : count;
      int64_t equal = equal_bytes(own, bytes + at_byte, left);
      if (equal <= longest)
        continue;
      longest = equal;
      at->plan = (LunaByte){constant.term, at_byte};
      at->end = at->begin + equal;
    }
  }
}

// True if a word of a record is the term of an operand's contents: operators
// that are alike may differ in which operands they read, and so in what a word
// stands for.
static bool is_sequence(const LunaTerms *terms, uint64_t word) {
  return word < terms->entries.count &&
         luna_term_kind(terms, (LunaTerm)word) == LUNA_TERM_SEQUENCE;
}

static bool find_difference(const LunaTerms *terms, uint64_t program,
                            const LunaRuns *plan, Difference *at) {
  if (!is_sequence(terms, program))
    return false;
  uint32_t count = 0;
  const uint64_t *words = luna_term_words(terms, (LunaTerm)program, &count);
  LunaRuns runs = {0};
  for (uint32_t i = 1; i + 2 < count; i += 3)
    luna_runs_append(terms->arena, &runs, (int64_t)words[i + 2],
                     (LunaByte){(LunaTerm)words[i], (int64_t)words[i + 1]});
  for (LunaZip zip = luna_runs_zip(&runs, plan); luna_zip_next(&zip);) {
    *at = (Difference){zip.begin, zip.end, zip.values[0], zip.values[1]};
    if (narrow(terms, at))
      return true;
  }
  return false;
}

// The operand whose contents have the term that is a word of the record.
static intptr_t operand_of(const LunaPair *pair, uint64_t word) {
  const LunaUnknown *unknown = &pair->plan.unknown;
  for (intptr_t i = 0; i < unknown->count; ++i)
    if (is_sequence(pair->terms, word) && unknown->sequences[i] == word)
      return i;
  return -1;
}

// The name of the buffer that the operator writes, or its own.
static MlirStringRef name_of_unknown(const LunaPair *pair) {
  MlirOperation op = pair->plan.first_unknown;
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  MlirOperation alloc = luna_defining_op(mlirOperationGetOperand(op, last));
  LunaPlacement place = {.name = {NULL, 0}};
  if (luna_op_is(alloc, LUNA_OP_MEMREF_ALLOC))
    luna_read_place(alloc, &place);
  return place.name.length > 0 ? place.name : luna_given_name_or_kind(op);
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

const char *luna_pair_cause(const LunaPair *pair) {
  const LunaUnknown *unknown = &pair->plan.unknown;
  const char *path =
      luna_side_path_name((LunaSide *)&pair->plan, unknown->path);
  const char *plain = luna_arena_printf(
      pair->arena,
      "the first operator that computes what the program does not%s", path);
  LunaTerm program = closest(pair->terms, unknown->result);
  if (program == LUNA_TERM_UNDEFINED)
    return plain;
  uint32_t count = 0;
  const uint64_t *a = luna_term_words(pair->terms, program, &count);
  const uint64_t *b = luna_term_words(pair->terms, unknown->result, NULL);
  for (uint32_t i = 2; i < count; ++i) {
    Difference at;
    intptr_t operand = a[i] == b[i] ? -1 : operand_of(pair, b[i]);
    if (operand < 0 ||
        !find_difference(pair->terms, a[i], &unknown->runs[operand], &at))
      continue;
    MlirStringRef name = name_of_unknown(pair);
    find_in_program(&pair->program, &at);
    return luna_arena_printf(
        pair->arena,
        "%s of '%.*s': bytes [%lld, %lld) hold %s, the program has %s%s",
        name_of_operand(pair, operand), (int)name.length, name.data,
        (long long)at.begin, (long long)at.end,
        luna_pair_value_name(pair, at.plan, at.end - at.begin),
        luna_pair_value_name(pair, at.program, at.end - at.begin), path);
  }
  return plain;
}
