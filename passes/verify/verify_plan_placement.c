#include "luna-c/dialect.h"
#include "luna-c/ops.h"
#include "luna/checked.h"
#include "luna/map.h"
#include "mlir-c/BuiltinTypes.h"
#include "verify_plan_report.h"
#include "verify_plan_static.h"

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
  return luna_verify_fail(
      op,
      luna_arena_printf(placement->arena,
                        "buffer %lld has offset %lld here and %lld elsewhere",
                        (long long)place->id, (long long)place->offset_bytes,
                        (long long)expected.offset_bytes),
      first, "also allocated here");
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
static bool visit(MlirOperation op, void *data) {
  bool is_alloc = luna_op_is(op, LUNA_OP_MEMREF_ALLOC);
  if (!is_alloc && !luna_op_is(op, LUNA_OP_MEMREF_ALLOCA))
    return true;
  bool is_shared =
      luna_memory_of(mlirValueGetType(mlirOperationGetResult(op, 0))) ==
      LUNA_MEMORY_SHARED;
  if (is_shared)
    return !is_alloc || check_alloc(data, op);
  return luna_verify_error(
      op, "allocation outside shared memory has no place in a plan; only "
          "arguments and constants lie there");
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
