#include <string.h>

#include "luna-c/dialect.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "verify_operators.h"

// Length of the key, and alignment of constants within a plan's global.
enum { START_BYTES = 16 };

// The elements of a global, a splat expanded; NULL if it is not constant.
static const uint8_t *content_of(LunaSide *side, MlirOperation global,
                                 int64_t byte_count) {
  MlirAttribute value = luna_attr(global, "initial_value");
  MlirAttribute resource =
      mlirAttributeIsNull(value) ? value : lunaDenseElementsFromResource(value);
  if (!mlirAttributeIsNull(resource))
    value = resource;
  if (mlirAttributeIsNull(luna_attr(global, "constant")) ||
      mlirAttributeIsNull(value) || !mlirAttributeIsADenseElements(value))
    return NULL;
  const uint8_t *raw = mlirDenseElementsAttrGetRawData(value);
  MlirType element = mlirShapedTypeGetElementType(mlirAttributeGetType(value));
  bool is_packed =
      mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 1;
  if (!mlirDenseElementsAttrIsSplat(value) && !is_packed)
    return raw;
  uint8_t *bytes = LUNA_ARENA_ARRAY(side->arena, uint8_t, byte_count);
  int64_t element_bytes = luna_element_type_bytes(element);
  for (int64_t i = 0; i < byte_count; i += element_bytes)
    if (is_packed)
      bytes[i] = mlirDenseElementsAttrGetBoolValue(value, (intptr_t)i);
    else
      memcpy(bytes + i, raw, (size_t)element_bytes);
  return bytes;
}

//===----------------------------------------------------------------------===//
// Search for the program's constants in those of the plan
//===----------------------------------------------------------------------===//

// The key of a constant: its first bytes, zero-padded like a plan's global.
static const uint8_t *start_of(const LunaSide *side, const uint8_t *bytes,
                               int64_t byte_count) {
  if (byte_count >= START_BYTES)
    return bytes;
  uint8_t *padded = LUNA_ARENA_ARRAY(side->arena, uint8_t, START_BYTES);
  memcpy(padded, bytes, (size_t)byte_count);
  return padded;
}

static uint64_t hash_of_start(const uint8_t *start) {
  uint64_t words[2];
  memcpy(words, start, sizeof words);
  return (words[0] ^ words[1] * 3) * UINT64_C(0x9e3779b97f4a7c15) >> 48;
}

static void add_constant(LunaSide *side, LunaTerm term) {
  LunaConstants *constants = side->constants;
  int64_t count = 0;
  const uint8_t *content = luna_term_content(side->terms, term, &count);
  const uint8_t *start = start_of(side, content, count);
  uint64_t hash = hash_of_start(start);
  constants->hashes[hash / 64] |= UINT64_C(1) << hash % 64;
  uint32_t index = luna_map_add(&constants->starts, side->arena,
                                luna_map_bytes(start, START_BYTES));
  LunaConstant constant = {.term = term};
  if (index == constants->first.count) {
    LUNA_VECTOR_ADD(side->arena, &constants->first);
  } else {
    LunaConstant *next = LUNA_ARENA_ARRAY(side->arena, LunaConstant, 1);
    *next = constants->first.items[index];
    constant.next = next;
  }
  constants->first.items[index] = constant;
}

// The longest constant of the program that starts at `bytes`.
static LunaTerm find_constant(const LunaSide *side, const uint8_t *bytes,
                              int64_t byte_count, int64_t *found_bytes) {
  const LunaConstants *constants = side->constants;
  LunaTerm found = LUNA_TERM_UNDEFINED;
  *found_bytes = 0;
  const uint8_t *start = start_of(side, bytes, byte_count);
  uint64_t hash = hash_of_start(start);
  if (!(constants->hashes[hash / 64] >> hash % 64 & 1))
    return LUNA_TERM_UNDEFINED;
  uint32_t index =
      luna_map_find(&constants->starts, luna_map_bytes(start, START_BYTES));
  const LunaConstant *constant =
      index == LUNA_MAP_ABSENT ? NULL : &constants->first.items[index];
  for (; constant; constant = constant->next) {
    int64_t count = 0;
    const uint8_t *content =
        luna_term_content(side->terms, constant->term, &count);
    if (count > *found_bytes && count <= byte_count &&
        memcmp(content, bytes, (size_t)count) == 0) {
      *found_bytes = count;
      found = constant->term;
    }
  }
  return found;
}

// The first position from `at` on where a constant of the program starts, with
// that constant; `byte_count` if there is none.
static int64_t next_constant(const LunaSide *side, const uint8_t *bytes,
                             int64_t byte_count, int64_t at, LunaTerm *term,
                             int64_t *found_bytes) {
  while (at < byte_count) {
    *term = find_constant(side, bytes + at, byte_count - at, found_bytes);
    if (*term != LUNA_TERM_UNDEFINED)
      return at;
    at += START_BYTES - at % START_BYTES;
  }
  return byte_count;
}

static LunaRuns runs_of_plan(LunaSide *side, const uint8_t *bytes,
                             int64_t byte_count) {
  LunaRuns runs = {0};
  LunaTerm own = LUNA_TERM_UNDEFINED, term;
  for (int64_t at = 0, found_bytes = 0; at < byte_count; at += found_bytes) {
    int64_t first = at;
    at = next_constant(side, bytes, byte_count, first, &term, &found_bytes);
    if (at > first && own == LUNA_TERM_UNDEFINED)
      own = luna_term_bytes_at(side->terms, bytes, byte_count);
    luna_runs_append(side->arena, &runs, at - first, (LunaByte){own, first});
    if (at < byte_count)
      luna_runs_append(side->arena, &runs, found_bytes, (LunaByte){term, 0});
  }
  return runs;
}

static LunaRuns runs_of_program(LunaSide *side, MlirStringRef name,
                                const uint8_t *bytes, int64_t byte_count) {
  LunaTerm term = luna_term_bytes(side->terms, bytes, byte_count);
  uint32_t index =
      luna_map_add(&side->named, side->arena, luna_map_number(term));
  if (index == side->names.count) {
    *LUNA_VECTOR_ADD(side->arena, &side->names) = name;
    add_constant(side, term);
  }
  return luna_runs_of(side->arena, (LunaByte){term, 0}, byte_count);
}

static void load(LunaSide *side, MlirOperation global) {
  MlirType type = mlirTypeAttrGetValue(luna_attr(global, "type"));
  MlirStringRef name = luna_attr_string(global, "sym_name");
  int64_t byte_count = luna_shaped_bytes(type);
  if (byte_count <= 0)
    return;
  // Names are unique objects of the context.
  uint32_t memory = luna_side_memory(side, name.data, byte_count);
  const uint8_t *bytes = content_of(side, global, byte_count);
  if (bytes)
    luna_state_set(side->arena, &side->state, memory,
                   side->is_plan
                       ? runs_of_plan(side, bytes, byte_count)
                       : runs_of_program(side, name, bytes, byte_count));
}

void luna_constants_load(LunaSide *side) {
  for (MlirOperation op =
           mlirBlockGetFirstOperation(luna_body(side->symbols, 0));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (luna_op_is(op, LUNA_OP_MEMREF_GLOBAL))
      load(side, op);
}

const uint8_t *luna_constants_bytes(LunaSide *side, const LunaRuns *runs) {
  for (uint32_t i = 0; i < runs->count; ++i)
    if (luna_term_kind(side->terms, runs->items[i].value.term) !=
        LUNA_TERM_BYTES)
      return NULL;
  return runs->count > 0 ? luna_side_constant(side, runs->items, runs->count)
                         : NULL;
}
