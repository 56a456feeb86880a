#include "verify_plan_effects.h"

#include "luna-c/linalg_operands.h"
#include "luna-c/ops.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct Access {
  bool reads, writes, is_whole;
} Access;

static const Access none = {false, false, false};
static const Access read_only = {true, false, false};
static const Access write_whole = {false, true, true};
static const Access write_part = {false, true, false};
static const Access update_part = {true, true, false};

//===----------------------------------------------------------------------===//
// Operators of the unit and of linalg
//===----------------------------------------------------------------------===//

static Access access_of_unit(MlirOperation op, intptr_t i) {
  bool is_written = i == mlirOperationGetNumOperands(op) - 1 ||
                    i == luna_unit_operand_index(op, LUNA_ROLE_SCRATCH);
  return is_written ? write_whole : read_only;
}

// An input that the body does not use provides only its shape (the window of a
// pooling); an output that the body uses is read, too.
static Access access_of_linalg(MlirOperation op, intptr_t i) {
  if (i < luna_linalg_input_count(op))
    return luna_linalg_body_uses(op, i, true) ? read_only : none;
  Access access = write_whole;
  access.reads = luna_linalg_body_uses(op, i, false);
  return access;
}

//===----------------------------------------------------------------------===//
// Other operators
//===----------------------------------------------------------------------===//

typedef struct Known {
  LunaOpName name;
  intptr_t operand; ///< -1: each
  const Access *access;
} Known;

static const Known known[] = {
    {LUNA_OP_MEMREF_LOAD, -1, &read_only},
    {LUNA_OP_MEMREF_STORE, -1, &write_part},
    {LUNA_OP_MEMREF_COPY, 0, &read_only},
    {LUNA_OP_MEMREF_COPY, 1, &write_whole},
    {LUNA_OP_MEMREF_DEALLOC, -1, &none},
    {LUNA_OP_MEMREF_DIM, -1, &none},
    {LUNA_OP_MEMREF_PREFETCH, -1, &none},
    {LUNA_OP_MEMREF_EXTRACT_ALIGNED_POINTER_AS_INDEX, -1, &none},
    {LUNA_OP_MEMREF_ATOMIC_RMW, -1, &update_part},
    {LUNA_OP_AFFINE_LOAD, -1, &read_only},
    {LUNA_OP_AFFINE_STORE, -1, &write_part},
    {LUNA_OP_VECTOR_LOAD, -1, &read_only},
    {LUNA_OP_VECTOR_STORE, -1, &write_part},
    {LUNA_OP_VECTOR_TRANSFER_READ, -1, &read_only},
    {LUNA_OP_VECTOR_TRANSFER_WRITE, -1, &write_part},
    {LUNA_OP_LUNA_DMA_START, 0, &read_only},
    {LUNA_OP_LUNA_DMA_START, 1, &write_whole},
    {LUNA_OP_FUNC_RETURN, -1, &read_only},
    {LUNA_OP_LUNA_YIELD, -1, &none},
    {LUNA_OP_SCF_YIELD, -1, &none},
    {LUNA_OP_SCF_CONDITION, -1, &none},
};

static bool has_memref_result(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (luna_is_memref(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

static bool is_single_element(MlirType type) {
  return luna_shaped_bytes(type) ==
         luna_element_type_bytes(mlirShapedTypeGetElementType(type));
}

static Access access_of(MlirOperation op, intptr_t i) {
  if (has_memref_result(op))
    return none;
  if (luna_op_is_unit(op))
    return access_of_unit(op, i);
  if (luna_op_in_dialect(op, LUNA_DIALECT_LINALG))
    return access_of_linalg(op, i);
  for (size_t k = 0; k < sizeof known / sizeof known[0]; ++k)
    if (luna_op_is(op, known[k].name) &&
        (known[k].operand < 0 || known[k].operand == i))
      return *known[k].access;
  return write_whole;
}

// The effects found so far; only counted if there is no array.
typedef LunaVerifyEffects Collector;

static void add(Collector *collector, MlirValue value, Access access) {
  MlirType type = mlirValueGetType(value);
  if (!access.reads && !access.writes)
    return;
  if (collector->items != NULL)
    collector->items[collector->count] = (LunaVerifyEffect){
        .value = value,
        .reads = access.reads,
        .writes = access.writes,
        .is_whole =
            access.is_whole || (access.writes && is_single_element(type)),
    };
  ++collector->count;
}

static bool visit_operands(MlirOperation op, void *data) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (luna_is_memref(mlirValueGetType(value)))
      add(data, value, access_of(op, i));
  }
  return true;
}

static void collect(MlirOperation op, Collector *collector) {
  visit_operands(op, collector);
  uint32_t first_captured = collector->count;
  if (luna_op_in_dialect(op, LUNA_DIALECT_LINALG))
    luna_walk(op, visit_operands, collector);
  for (uint32_t i = first_captured; collector->items && i < collector->count;
       ++i)
    collector->items[i].is_captured = true;
}

LunaVerifyEffects luna_verify_effects(MlirOperation op, LunaArena *arena) {
  LunaVerifyEffects counted = {NULL, 0};
  collect(op, &counted);
  if (counted.count == 0)
    return counted;
  LunaVerifyEffects effects = {
      LUNA_ARENA_ARRAY(arena, LunaVerifyEffect, counted.count), 0};
  collect(op, &effects);
  return effects;
}
