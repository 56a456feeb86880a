// What operators read and write, and the terms of their results.

#include "verify_operators.h"

#include <string.h>

#include "luna-c/dialect.h"
#include "luna-c/linalg_operands.h"
#include "luna-c/ops.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "verify_conditions.h"
#include "verify_machine.h"
#include "verify_rules.h"
#include "verify_transfers.h"
#include "verify_weights.h"

//===----------------------------------------------------------------------===//
// Operators of the unit and of linalg
//===----------------------------------------------------------------------===//

// How an operator accesses a memref operand.
typedef enum Role {
  ROLE_SHAPE,   // only its type counts
  ROLE_READ,    //
  ROLE_WRITE,   // every byte
  ROLE_UPDATE,  // reads, and writes
  ROLE_SCRATCH, // leaves undefined bytes
} Role;

static Role role_in_unit(MlirOperation op, intptr_t i) {
  if (i == mlirOperationGetNumOperands(op) - 1)
    return ROLE_WRITE;
  return i == luna_unit_operand_index(op, LUNA_ROLE_SCRATCH) ? ROLE_SCRATCH
                                                             : ROLE_READ;
}

// True if the output's indexing map reaches every element: its results are
// distinct loops. Named linalg operators write all of their outputs.
static bool writes_all(MlirOperation op, intptr_t i) {
  MlirAttribute maps = luna_attr(op, "indexing_maps");
  if (mlirAttributeIsNull(maps) || !mlirAttributeIsAArray(maps) ||
      i >= mlirArrayAttrGetNumElements(maps))
    return true;
  return mlirAffineMapIsProjectedPermutation(
      mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i)));
}

static Role role_in_linalg(MlirOperation op, intptr_t i) {
  if (i < luna_linalg_input_count(op))
    return luna_linalg_body_uses(op, i, true) ? ROLE_READ : ROLE_SHAPE;
  bool reads = luna_linalg_body_uses(op, i, false) || !writes_all(op, i);
  return reads ? ROLE_UPDATE : ROLE_WRITE;
}

static Role role_of(MlirOperation op, intptr_t i) {
  return luna_op_is_unit(op) ? role_in_unit(op, i) : role_in_linalg(op, i);
}

static void record_operand(LunaRecord *record, MlirOperation op, intptr_t i) {
  LunaSide *side = record->side;
  LunaMeaning meaning = luna_side_operand(side, op, i);
  if (!meaning.pointer) {
    luna_record_term(record, meaning.term);
    return;
  }
  Role role = role_of(op, i);
  if (role == ROLE_SCRATCH)
    return;
  luna_record_pointer(
      record,
      luna_tensor_like(mlirValueGetType(mlirOperationGetOperand(op, i))).ptr);
  if (role == ROLE_READ || role == ROLE_UPDATE)
    luna_record_term(record, luna_side_contents(side, meaning.pointer));
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static void add_access(LunaSide *side, LunaOperandAccesses *accesses,
                       MlirValue value, bool reads, bool writes) {
  const LunaPointer *pointer = luna_side_get(side, value).pointer;
  if (pointer && (reads || writes))
    *LUNA_VECTOR_ADD(side->arena, accesses) =
        (LunaOperandAccess){value, pointer, reads, writes, false};
}

// The bodies of linalg operators read memrefs from outside of them.
typedef struct Captured {
  LunaSide *side;
  LunaOperandAccesses *accesses;
} Captured;

static bool add_captured(MlirOperation op, void *data) {
  Captured *captured = data;
  LunaOperandAccesses *accesses = captured->accesses;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    uint64_t before = accesses->count;
    add_access(captured->side, accesses, mlirOperationGetOperand(op, i), true,
               false);
    if (accesses->count == before)
      continue;
    accesses->items[before].is_captured = true;
    if (!luna_op_is(op, LUNA_OP_MEMREF_LOAD))
      return luna_side_fail(captured->side, op,
                            "operator without a meaning for the comparison "
                            "with the program");
  }
  return true;
}

// Returns false after a fault: the body does more than read memrefs.
static bool find_accesses(LunaSide *side, MlirOperation op,
                          LunaOperandAccesses *accesses) {
  Captured captured = {side, accesses};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    Role role = role_of(op, i);
    add_access(side, accesses, mlirOperationGetOperand(op, i),
               role == ROLE_READ || role == ROLE_UPDATE,
               role != ROLE_READ && role != ROLE_SHAPE);
  }
  return luna_walk(op, add_captured, &captured);
}

static bool check_one(LunaSide *side, const LunaPointer *pointer,
                      MlirValue value, bool writes) {
  LunaOperandAccesses accesses = {0};
  *LUNA_VECTOR_ADD(side->arena, &accesses) =
      (LunaOperandAccess){value, pointer, !writes, writes, false};
  return luna_accesses_check(side, &accesses);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static LunaTerm result_of(LunaSide *side, MlirOperation op,
                          const int32_t *unfolded) {
  LunaRecord record = {.side = side};
  luna_record_head(&record, LUNA_TERM_RESULT, op);
  if (side->is_self)
    luna_record_pointer(&record, op.ptr);
  luna_record_segments(&record, op, unfolded);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!luna_record_bias(&record, op, i, unfolded) &&
        !luna_record_weights(&record, op, i))
      record_operand(&record, op, i);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    luna_record_region(&record, mlirOperationGetRegion(op, r));
  return luna_record_finish(&record);
}

static LunaRuns output_runs(LunaSide *side, LunaTerm result, intptr_t index,
                            int64_t byte_count) {
  const uint64_t words[] = {LUNA_TERM_RESULT, result, (uint64_t)index};
  LunaTerm term =
      luna_term(side->terms, words, 3, luna_term_loops(side->terms, result));
  return luna_runs_of(side->arena, (LunaByte){term, 0}, byte_count);
}

// Outputs are numbered from the first.
static void write_outputs(LunaSide *side, MlirOperation op, LunaTerm result) {
  intptr_t output = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const LunaPointer *pointer = luna_side_pointer(side, op, i);
    Role role = pointer ? role_of(op, i) : ROLE_READ;
    if (role == ROLE_READ || role == ROLE_SHAPE)
      continue;
    if (role == ROLE_SCRATCH) {
      luna_side_forget(side, pointer);
      continue;
    }
    LunaRuns runs =
        output_runs(side, result, output++, luna_pointer_bytes(pointer));
    luna_side_write(side, pointer, &runs);
  }
}

// Keeps what the operands hold, for the report.
static void keep_unknown(LunaSide *side, MlirOperation op, LunaTerm result) {
  LunaUnknown *unknown = &side->unknown;
  unknown->result = result;
  unknown->path = side->path;
  unknown->count = mlirOperationGetNumOperands(op);
  unknown->runs = LUNA_ARENA_ARRAY(side->arena, LunaRuns, unknown->count);
  unknown->sequences = LUNA_ARENA_ARRAY(side->arena, LunaTerm, unknown->count);
  for (intptr_t i = 0; i < unknown->count; ++i) {
    const LunaPointer *pointer = luna_side_pointer(side, op, i);
    if (!pointer || role_of(op, i) != ROLE_READ)
      continue;
    unknown->runs[i] = luna_side_read(side, pointer);
    unknown->sequences[i] = luna_side_sequence(side, &unknown->runs[i]);
  }
}

static bool compute(LunaSide *side, MlirOperation op) {
  uint32_t known = side->terms->entries.count;
  LunaOperandAccesses accesses = {0};
  if (!find_accesses(side, op, &accesses) ||
      !luna_accesses_check(side, &accesses))
    return false;
  const int32_t *unfolded = NULL;
  if (luna_verify_is_folded(op) && !side->is_self) {
    unfolded = luna_verify_unfold(side, op);
    if (!unfolded)
      return false;
  }
  if (luna_verify_channels(side, op, unfolded))
    return true;
  LunaTerm result = result_of(side, op, unfolded);
  uint32_t index =
      luna_map_add(&side->results, side->arena, luna_map_number(result));
  if (index == side->producers.count)
    *LUNA_VECTOR_ADD(side->arena, &side->producers) = op;
  if (result >= known && side->is_plan) {
    if (!luna_accesses_are_written(side, &accesses))
      return false;
    if (mlirOperationIsNull(side->first_unknown)) {
      luna_side_computed(side, op);
      keep_unknown(side, op, result);
    }
  }
  write_outputs(side, op, result);
  return true;
}

//===----------------------------------------------------------------------===//
// Copies and single elements
//===----------------------------------------------------------------------===//

static bool move(LunaSide *side, MlirOperation op) {
  LunaOperandAccesses accesses = {0};
  add_access(side, &accesses, mlirOperationGetOperand(op, 0), true, false);
  add_access(side, &accesses, mlirOperationGetOperand(op, 1), false, true);
  if (!luna_accesses_check(side, &accesses))
    return false;
  LunaRuns runs = luna_side_read(side, luna_side_pointer(side, op, 0));
  luna_side_write(side, luna_side_pointer(side, op, 1), &runs);
  return true;
}

// An access to one element, whose indices are the operands from `first` on.
typedef struct Element {
  MlirOperation op;
  intptr_t first;
} Element;

// The element as a window of the whole memref, unless its indices are constant.
static const LunaPlace *find_element(LunaSide *side, const LunaPlace *place,
                                     void *data) {
  const Element *access = data;
  LunaPlace *element = LUNA_ARENA_ARRAY(side->arena, LunaPlace, 1);
  *element = *place;
  bool is_static = !place->window;
  LunaRecord record = luna_record_window(side, place);
  for (intptr_t i = 0; i < place->rank; ++i) {
    MlirValue index = mlirOperationGetOperand(access->op, access->first + i);
    int64_t number = 0;
    is_static = is_static && luna_constant_number(index, &number);
    if (is_static)
      element->offset_bytes += number * place->strides[i];
    luna_record_term(&record, luna_side_get(side, index).term);
  }
  element->rank = 0;
  if (!is_static) {
    *element = *place;
    element->window = luna_record_finish(&record);
    element->window_bytes = place->element_bytes;
  }
  return element;
}

static const LunaPointer *element_at(LunaSide *side, MlirOperation op,
                                     intptr_t memref) {
  Element access = {op, memref + 1};
  return luna_pointer_map(side, luna_side_pointer(side, op, memref),
                          find_element, &access);
}

// Values arrive at once: nothing may access what they have not reached yet.
static bool transfer(LunaSide *side, MlirOperation op) {
  int64_t granule = side->limits->granule_bytes;
  int64_t byte_count = luna_pointer_bytes(luna_side_pointer(side, op, 0));
  if (side->is_plan && byte_count % granule != 0)
    return luna_side_fail(side, op,
                          "transfers %lld bytes, needs a multiple of %lld",
                          (long long)byte_count, (long long)granule);
  return move(side, op) && (!side->is_plan || luna_flights_start(side, op));
}

static bool await(LunaSide *side, MlirOperation op) {
  luna_flights_await(side, mlirOperationGetOperand(op, 0));
  return luna_tokens_spend(side, op);
}

static bool load(LunaSide *side, MlirOperation op) {
  const LunaPointer *element = element_at(side, op, 0);
  if (!check_one(side, element, mlirOperationGetOperand(op, 0), false))
    return false;
  LunaTerm value = luna_side_contents(side, element);
  luna_side_set(side, mlirOperationGetResult(op, 0),
                (LunaMeaning){.term = value});
  return true;
}

static bool store(LunaSide *side, MlirOperation op) {
  const LunaPointer *element = element_at(side, op, 1);
  if (!check_one(side, element, mlirOperationGetOperand(op, 1), true))
    return false;
  LunaTerm value = luna_side_term(side, op, 0);
  LunaRuns runs = luna_runs_of(side->arena, (LunaByte){value, 0},
                               luna_pointer_bytes(element));
  luna_side_write(side, element, &runs);
  return true;
}

//===----------------------------------------------------------------------===//
// Where memrefs come from
//===----------------------------------------------------------------------===//

static bool point_at(LunaSide *side, MlirOperation op, LunaBuffer buffer) {
  MlirValue result = mlirOperationGetResult(op, 0);
  buffer.op = op;
  buffer.argument = -1;
  buffer.size_bytes = luna_shaped_bytes(mlirValueGetType(result));
  const LunaPlace *place =
      luna_side_point(side, mlirValueGetType(result),
                      luna_side_buffer(side, buffer), buffer.begin_bytes);
  luna_side_set(side, result,
                (LunaMeaning){.pointer = luna_pointer_to(side, place)});
  return place || luna_side_fail(side, op,
                                 "memref of dynamic shape or strides cannot "
                                 "be compared with the program");
}

// In the program each execution adds a memory of undefined bytes; in a plan it
// begins a buffer at an offset of the arena.
static bool allocate(LunaSide *side, MlirOperation op) {
  int64_t byte_count =
      luna_shaped_bytes(mlirValueGetType(mlirOperationGetResult(op, 0)));
  if (side->is_plan) {
    LunaPlacement place;
    luna_read_place(op, &place);
    return point_at(
        side, op,
        (LunaBuffer){.memory = side->arena_memory,
                     .begin_bytes = place.offset_bytes,
                     .freshness = luna_side_begin_buffer(side, op.ptr)});
  }
  uint32_t memory =
      luna_side_memory(side, op.ptr, byte_count < 0 ? 0 : byte_count);
  luna_state_set(side->arena, &side->state, memory, (LunaRuns){0});
  return point_at(side, op, (LunaBuffer){.memory = memory});
}

static bool get_global(LunaSide *side, MlirOperation op) {
  MlirStringRef name = luna_attr_symbol(op, "name");
  int64_t byte_count =
      luna_shaped_bytes(mlirValueGetType(mlirOperationGetResult(op, 0)));
  // Names are unique objects of the context.
  uint32_t memory =
      luna_side_memory(side, name.data, byte_count < 0 ? 0 : byte_count);
  return point_at(side, op, (LunaBuffer){.memory = memory, .symbol = name});
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

static bool compute_scalar(LunaSide *side, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (lunaTypeIsAToken(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return luna_side_fail(side, op,
                            "uses a token, which only luna.dma_wait and "
                            "control flow may");
  LunaTerm condition = luna_condition_compute(side, op);
  if (condition != LUNA_TERM_UNDEFINED) {
    luna_side_set(side, mlirOperationGetResult(op, 0),
                  (LunaMeaning){.term = condition});
    return true;
  }
  LunaRecord record = {.side = side};
  luna_record_head(&record, LUNA_TERM_SCALAR, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    luna_record_term(&record, luna_side_term(side, op, i));
  uint32_t start = record.words.count;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    record.words.count = start;
    luna_record_pointer(&record, mlirValueGetType(result).ptr);
    luna_record_word(&record, (uint64_t)i);
    luna_side_set(side, result,
                  (LunaMeaning){.term = luna_record_finish(&record)});
  }
  return true;
}

static bool select_pointer(LunaSide *side, MlirOperation op) {
  LunaTerm condition = luna_side_term(side, op, 0);
  luna_side_set(
      side, mlirOperationGetResult(op, 0),
      (LunaMeaning){.pointer = luna_side_choose(
                        side, condition, luna_side_pointer(side, op, 1),
                        luna_side_pointer(side, op, 2))});
  return true;
}

static bool is_scalar_op(MlirOperation op) {
  return luna_op_in_dialect(op, LUNA_DIALECT_ARITH) ||
         luna_op_in_dialect(op, LUNA_DIALECT_MATH) ||
         luna_op_in_dialect(op, LUNA_DIALECT_INDEX) ||
         LUNA_OP_IS_ANY(op, LUNA_OP_AFFINE_APPLY, LUNA_OP_AFFINE_MIN,
                        LUNA_OP_AFFINE_MAX);
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

static bool do_nothing(LunaSide *side, MlirOperation op) {
  (void)side, (void)op;
  return true;
}

// An operator of unknown semantics in a plan without a record may write all
// memrefs that it uses.
static bool use_operands(MlirOperation op, void *data) {
  LunaSide *side = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const LunaPointer *pointer = luna_side_pointer(side, op, i);
    const uint64_t words[] = {LUNA_TERM_OPAQUE, (uint64_t)(uintptr_t)op.ptr,
                              (uint64_t)i};
    if (!pointer)
      continue;
    if (!check_one(side, pointer, mlirOperationGetOperand(op, i), true))
      return false;
    LunaRuns runs = luna_runs_of(
        side->arena, (LunaByte){luna_term(side->terms, words, 3, 0), 0},
        luna_pointer_bytes(pointer));
    luna_side_write(side, pointer, &runs);
  }
  return true;
}

static bool do_anything(LunaSide *side, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (luna_is_memref(mlirValueGetType(mlirOperationGetResult(op, i))))
      return luna_side_fail(side, op,
                            "memref from an operator without a "
                            "meaning for the checker");
  return use_operands(op, side) && luna_walk(op, use_operands, side) &&
         compute_scalar(side, op);
}

static const struct {
  LunaOpName name;
  bool (*execute)(LunaSide *side, MlirOperation op);
} operators[] = {
    {LUNA_OP_MEMREF_ALLOC, allocate},
    {LUNA_OP_MEMREF_GET_GLOBAL, get_global},
    {LUNA_OP_MEMREF_COPY, move},
    {LUNA_OP_LUNA_DMA_START, transfer},
    {LUNA_OP_MEMREF_LOAD, load},
    {LUNA_OP_MEMREF_STORE, store},
    {LUNA_OP_MEMREF_DEALLOC, do_nothing},
    {LUNA_OP_LUNA_DMA_WAIT, await},
    {LUNA_OP_LUNA_DMA_NONE, do_nothing},
    {LUNA_OP_LUNA_LABEL, do_nothing},
};

bool luna_verify_operator(LunaSide *side, MlirOperation op) {
  side->op = op;
  if (luna_side_is_view(op))
    return luna_side_view(side, op);
  for (size_t i = 0; i < sizeof operators / sizeof operators[0]; ++i)
    if (luna_op_is(op, operators[i].name))
      return operators[i].execute(side, op);
  if (luna_op_is_unit(op) || luna_op_in_dialect(op, LUNA_DIALECT_LINALG))
    return compute(side, op);
  bool is_choice =
      luna_op_is(op, LUNA_OP_ARITH_SELECT) &&
      luna_is_memref(mlirValueGetType(mlirOperationGetResult(op, 0)));
  if (is_choice)
    return select_pointer(side, op);
  if (is_scalar_op(op))
    return compute_scalar(side, op);
  if (side->is_self)
    return do_anything(side, op);
  return luna_side_fail(side, op,
                        "operator without a meaning for the "
                        "comparison with the program");
}
