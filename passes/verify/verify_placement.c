// Where buffers lie, and what is wrong with an access wherever that is: a
// constant index beyond its end, a memory that the unit does not reach. And
// globals that are variables.

#include "luna-c/dialect.h"
#include "luna-c/ops.h"
#include "luna/checked.h"
#include "luna/map.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "verify_plan.h"

typedef struct Placement {
  const LunaVerifyLimits *limits;
  LunaArena *arena;
  int64_t arena_bytes;
  LunaMap ids;
  LUNA_VECTOR(MlirOperation) first; // allocation of each id
} Placement;

// All allocations of one id lie in one place.
static bool check_same_place(Placement *placement, MlirOperation op,
                             const LunaPlacement *place) {
  uint32_t index = luna_map_add(&placement->ids, placement->arena,
                                luna_map_number((uint64_t)place->id));
  if (index == placement->first.count) {
    *LUNA_VECTOR_ADD(placement->arena, &placement->first) = op;
    return true;
  }
  MlirOperation first = placement->first.items[index];
  LunaPlacement expected;
  luna_read_place(first, &expected);
  if (expected.offset_bytes == place->offset_bytes)
    return true;
  LunaNote note = {first, "also allocated here"};
  lunaEmitErrorWithNotesAt(
      op,
      luna_arena_printf(placement->arena,
                        "buffer %lld has offset %lld here and %lld elsewhere",
                        (long long)place->id, (long long)place->offset_bytes,
                        (long long)expected.offset_bytes),
      &note, 1);
  return false;
}

static bool check_offset(Placement *placement, MlirOperation op,
                         const LunaPlacement *place, int64_t bytes) {
  int64_t alignment = placement->limits->alignment_bytes, end;
  int64_t id = place->id, offset = place->offset_bytes;
  if (offset % alignment != 0)
    return luna_verify_error(op,
                             "buffer %lld has offset %lld, needs a multiple "
                             "of %lld",
                             (long long)id, (long long)offset,
                             (long long)alignment);
  if (!luna_checked_add(offset, bytes, &end) || end > placement->arena_bytes)
    return luna_verify_error(op,
                             "buffer %lld needs %lld bytes from offset %lld, "
                             "the arena has %lld",
                             (long long)id, (long long)bytes, (long long)offset,
                             (long long)placement->arena_bytes);
  return check_same_place(placement, op, place);
}

static bool check_alloc(Placement *placement, MlirOperation op) {
  int64_t bytes =
      luna_shaped_bytes(mlirValueGetType(mlirOperationGetResult(op, 0)));
  if (bytes < 0)
    return luna_verify_error(op, "allocation in shared memory has a dynamic or "
                                 "unsupported shape, needs a static one");
  LunaPlacement place;
  if (!luna_read_place(op, &place))
    return luna_verify_error(op, "allocation in shared memory has no "
                                 "'luna.place'; run luna-plan-memory first");
  return check_offset(placement, op, &place, bytes);
}

// What is allocated elsewhere has no bytes that the checker could follow.
static bool check_buffer(Placement *placement, MlirOperation op) {
  bool is_alloc = luna_op_is(op, LUNA_OP_MEMREF_ALLOC);
  if (!is_alloc && !luna_op_is(op, LUNA_OP_MEMREF_ALLOCA))
    return true;
  bool is_shared =
      luna_memory_of(mlirValueGetType(mlirOperationGetResult(op, 0))) ==
      LUNA_MEMORY_SHARED;
  if (is_shared)
    return !is_alloc || check_alloc(placement, op);
  return luna_verify_error(
      op, "allocation outside shared memory has no place in a plan; only "
          "arguments and constants lie there");
}

static bool check_memory(MlirOperation op, MlirValue value) {
  LunaMemoryKind memory = luna_memory_of(mlirValueGetType(value));
  if (memory == LUNA_MEMORY_SHARED)
    return true;
  return luna_verify_error(
      op, "has an operand in %s, the unit reaches shared memory only",
      memory == LUNA_MEMORY_PSRAM ? "psram" : "flash");
}

static bool check_memories(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (luna_is_memref(mlirValueGetType(value)) && !check_memory(op, value))
      return false;
  }
  return true;
}

static bool check_indices(MlirOperation op) {
  int64_t index = 0, extent = 0;
  intptr_t dimension = luna_index_outside(op, &index, &extent);
  return dimension < 0 ||
         luna_verify_error(op, "index %lld in dimension %d of %lld elements",
                           (long long)index, (int)dimension, (long long)extent);
}

static bool visit(MlirOperation op, void *data) {
  return check_buffer(data, op) && check_indices(op) &&
         (!luna_op_is_unit(op) || check_memories(op));
}

bool luna_verify_placement(MlirOperation func, const LunaVerifyLimits *limits,
                           LunaArena *arena) {
  Placement placement = {
      .limits = limits,
      .arena = arena,
      .arena_bytes = luna_attr_int(func, "luna.arena_bytes", 0),
  };
  if (placement.arena_bytes > limits->capacity_bytes)
    return luna_verify_error(
        func,
        "needs %lld bytes of shared memory, machine '%s' has %lld (%lld too "
        "many)",
        (long long)placement.arena_bytes, limits->machine->name,
        (long long)limits->capacity_bytes,
        (long long)(placement.arena_bytes - limits->capacity_bytes));
  return luna_walk(func, visit, &placement);
}

bool luna_verify_globals(MlirBlock symbols) {
  for (MlirOperation op = mlirBlockGetFirstOperation(symbols);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    bool is_variable = luna_op_is(op, LUNA_OP_MEMREF_GLOBAL) &&
                       (mlirAttributeIsNull(luna_attr(op, "constant")) ||
                        mlirAttributeIsNull(luna_attr(op, "initial_value")) ||
                        mlirAttributeIsAUnit(luna_attr(op, "initial_value")));
    if (is_variable)
      return luna_verify_error(op,
                               "global is not a constant; what a plan keeps "
                               "between calls are arguments");
  }
  return true;
}
