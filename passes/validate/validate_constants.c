#include "validate_constants.h"

#include <string.h>

#include "luna-c/dialect.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

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

static void add_constant(LunaSide *side, LunaTerm term) {
  LunaConstants *constants = side->constants;
  int64_t count = 0;
  const uint8_t *content = luna_term_content(side->terms, term, &count);
  uint32_t index =
      luna_map_add(&constants->starts, side->arena,
                   luna_map_bytes(start_of(side, content, count), START_BYTES));
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
  uint32_t index = luna_map_find(
      &constants->starts,
      luna_map_bytes(start_of(side, bytes, byte_count), START_BYTES));
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

static LunaRuns runs_of_plan(LunaSide *side, const uint8_t *bytes,
                             int64_t byte_count) {
  LunaRuns runs = {0};
  LunaTerm own = luna_term_bytes(side->terms, bytes, byte_count);
  for (int64_t at = 0; at < byte_count;) {
    int64_t count = 0;
    LunaTerm term = find_constant(side, bytes + at, byte_count - at, &count);
    LunaByte value = {term, 0};
    if (term == LUNA_TERM_UNDEFINED) {
      value = (LunaByte){own, at};
      count = START_BYTES - at % START_BYTES;
      if (count > byte_count - at)
        count = byte_count - at;
    }
    luna_runs_append(side->arena, &runs, count, value);
    at += count;
  }
  return runs;
}

static void load(LunaSide *side, MlirOperation global) {
  MlirType type = mlirTypeAttrGetValue(luna_attr(global, "type"));
  int64_t byte_count = luna_shaped_bytes(type);
  if (byte_count <= 0)
    return;
  // Names are unique objects of the context.
  uint32_t memory = luna_side_memory(
      side, luna_attr_string(global, "sym_name").data, byte_count);
  const uint8_t *bytes = content_of(side, global, byte_count);
  if (!bytes)
    return;
  LunaRuns runs = {0};
  if (side->is_plan) {
    runs = runs_of_plan(side, bytes, byte_count);
  } else {
    LunaTerm term = luna_term_bytes(side->terms, bytes, byte_count);
    luna_runs_append(side->arena, &runs, byte_count, (LunaByte){term, 0});
    add_constant(side, term);
    uint32_t index =
        luna_map_add(&side->named, side->arena, luna_map_number(term));
    if (index == side->names.count)
      *LUNA_VECTOR_ADD(side->arena, &side->names) =
          luna_attr_string(global, "sym_name");
  }
  luna_state_set(side->arena, &side->state, memory, runs);
}

void luna_constants_load(LunaSide *side) {
  for (MlirOperation op =
           mlirBlockGetFirstOperation(luna_body(side->symbols, 0));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (luna_op_is(op, LUNA_OP_MEMREF_GLOBAL))
      load(side, op);
}

bool luna_constants_find(const LunaSide *side, MlirStringRef name,
                         uint32_t *memory) {
  return luna_side_find_memory(side, name.data, memory);
}

const uint8_t *luna_constants_bytes(LunaSide *side, const LunaRuns *runs) {
  for (uint32_t i = 0; i < runs->count; ++i)
    if (luna_term_kind(side->terms, runs->items[i].value.term) !=
        LUNA_TERM_BYTES)
      return NULL;
  return runs->count > 0 ? luna_side_constant(side, runs->items, runs->count)
                         : NULL;
}
