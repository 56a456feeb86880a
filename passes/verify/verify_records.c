#include "luna-c/dialect.h"
#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "verify_machine.h"

void luna_record_word(LunaRecord *record, uint64_t word) {
  *LUNA_VECTOR_ADD(record->side->arena, &record->words) = word;
}

void luna_record_term(LunaRecord *record, LunaTerm term) {
  luna_record_word(record, term);
  record->loops |= luna_term_loops(record->side->terms, term);
}

void luna_record_pointer(LunaRecord *record, const void *pointer) {
  luna_record_word(record, (uint64_t)(uintptr_t)pointer);
}

void luna_record_constant(LunaRecord *record, MlirType type,
                          const uint8_t *bytes) {
  LunaSide *side = record->side;
  int64_t count = luna_shaped_bytes(type);
  LunaTerm term = luna_term_bytes(side->terms, bytes, count);
  LunaRuns runs = luna_runs_of(side->arena, (LunaByte){term, 0}, count);
  luna_record_pointer(record, type.ptr);
  luna_record_term(record, luna_side_sequence(side, &runs));
}

// Attributes that do not affect results: offsets, names, tilings, and a hint
// for caches, which upstream's reader and builders do not write alike.
static bool is_about_place(MlirStringRef name) {
  static const char *const names[] = {
      "tiling",        "params",        "nontemporal", "operandSegmentSizes",
      "weight_layout", "weight_kernel", "folded_zp",   "on_core"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    if (mlirStringRefEqual(name, luna_str(names[i])))
      return true;
  return false;
}

// Returns the name of the attribute that is the input zero point of a product;
// an empty one for other operators.
static MlirStringRef zero_point_name(MlirOperation op) {
  if (!luna_op_is_tiled(op))
    return luna_str("");
  return luna_str(luna_op_is(op, LUNA_OP_LUNA_MATMUL) ? "lhs_zp" : "input_zp");
}

// The zero point that was folded into the bias is that of the input.
static void add_zero_point(LunaRecord *record, MlirOperation op,
                           MlirStringRef name) {
  int64_t zero_point = luna_attr_int(op, name.data, 0);
  luna_record_word(record,
                   (uint64_t)luna_attr_int(op, "folded_zp", zero_point));
}

static void add_attributes(LunaRecord *record, MlirOperation op) {
  MlirAttribute all = lunaOperationGetAttributes(op);
  MlirStringRef zero_point = zero_point_name(op);
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(all); ++i) {
    MlirNamedAttribute named = mlirDictionaryAttrGetElement(all, i);
    MlirStringRef name = mlirIdentifierStr(named.name);
    if (is_about_place(name) || mlirStringRefEqual(name, zero_point))
      continue;
    luna_record_pointer(record, named.name.ptr);
    luna_record_pointer(record, named.attribute.ptr);
  }
  if (zero_point.length > 0)
    add_zero_point(record, op, zero_point);
}

// The term of an operator's name and attributes.
static LunaTerm head_of(LunaSide *side, MlirOperation op) {
  uint32_t index =
      luna_map_add(&side->heads, side->arena, luna_map_pointer(op.ptr));
  if (index < side->head_terms.count)
    return side->head_terms.items[index];
  LunaRecord head = {.side = side};
  luna_record_word(&head, LUNA_TERM_HEAD);
  luna_record_pointer(&head, mlirOperationGetName(op).ptr);
  add_attributes(&head, op);
  LunaTerm term = luna_record_finish(&head);
  *LUNA_VECTOR_ADD(side->arena, &side->head_terms) = term;
  return term;
}

void luna_record_head(LunaRecord *record, LunaTermKind kind, MlirOperation op) {
  luna_record_word(record, kind);
  luna_record_word(record, head_of(record->side, op));
}

// A place without a window depends on nothing: no window is no undefined value.
LunaRecord luna_record_window(LunaSide *side, const LunaPlace *place) {
  LunaRecord record = {.side = side};
  luna_record_word(&record, LUNA_TERM_SCALAR);
  if (place->window)
    luna_record_term(&record, place->window);
  else
    luna_record_word(&record, LUNA_TERM_UNDEFINED);
  return record;
}

void luna_record_view(LunaRecord *record, MlirOperation view) {
  MlirType source = mlirValueGetType(mlirOperationGetOperand(view, 0));
  MlirType shown = mlirValueGetType(mlirOperationGetResult(view, 0));
  luna_record_word(record, head_of(record->side, view));
  luna_record_pointer(record, luna_tensor_like(source).ptr);
  luna_record_word(record, (uint64_t)luna_shaped_bytes(shown));
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(view); ++i)
    luna_record_term(record, luna_side_term(record->side, view, i));
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

// The values of a region, numbered in order of appearance.
typedef struct Numbering {
  LunaRecord *record;
  LUNA_VECTOR(MlirValue) values;
} Numbering;

static void number(Numbering *numbering, MlirValue value) {
  *LUNA_VECTOR_ADD(numbering->record->side->arena, &numbering->values) = value;
}

static void add_operand(Numbering *numbering, MlirValue value) {
  LunaRecord *record = numbering->record;
  MlirOperation constant = luna_defining_op(value);
  if (luna_op_is(constant, LUNA_OP_ARITH_CONSTANT)) {
    luna_record_pointer(record, luna_attr(constant, "value").ptr);
    return;
  }
  for (uint64_t i = numbering->values.count; i-- > 0;)
    if (luna_same_value(numbering->values.items[i], value)) {
      luna_record_word(record, i << 32);
      return;
    }
  LunaMeaning meaning = luna_side_get(record->side, value);
  if (meaning.pointer)
    meaning.term = luna_side_contents(record->side, meaning.pointer);
  luna_record_term(record, meaning.term);
}

static void add_block(Numbering *numbering, MlirBlock block) {
  LunaRecord *record = numbering->record;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    luna_record_pointer(record, mlirValueGetType(argument).ptr);
    number(numbering, argument);
  }
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    // A constant is recorded at its use: folding moves it in and out.
    if (luna_op_is(op, LUNA_OP_ARITH_CONSTANT))
      continue;
    luna_record_head(record, LUNA_TERM_SCALAR, op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      add_operand(numbering, mlirOperationGetOperand(op, i));
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
      MlirValue result = mlirOperationGetResult(op, i);
      luna_record_pointer(record, mlirValueGetType(result).ptr);
      number(numbering, result);
    }
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      for (MlirBlock inner =
               mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
           !mlirBlockIsNull(inner); inner = mlirBlockGetNextInRegion(inner))
        add_block(numbering, inner);
  }
}

void luna_record_region(LunaRecord *record, MlirRegion region) {
  Numbering numbering = {.record = record};
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    add_block(&numbering, block);
}

LunaTerm luna_record_finish(const LunaRecord *record) {
  return luna_term(record->side->terms, record->words.items,
                   (uint32_t)record->words.count, record->loops);
}
