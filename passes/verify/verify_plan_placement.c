#include "luna-c/ops.h"
#include "luna/checked.h"
#include "luna/map.h"
#include "mlir-c/BuiltinTypes.h"
#include "verify_plan_report.h"
#include "verify_plan_static.h"

#define ABSENT INT64_MIN

typedef struct Placement {
  const LunaVerifyLimits *limits;
  LunaArena *arena;
  int64_t arena_bytes;
  LunaMap ids;
  LUNA_VECTOR(MlirOperation) first; // allocation of each id
  bool is_ok;
} Placement;

// All allocations of one id lie in one place.
static bool check_same_place(Placement *placement, MlirOperation op, int64_t id,
                             int64_t offset) {
  uint32_t index = luna_map_add(&placement->ids, placement->arena,
                                luna_map_number((uint64_t)id));
  if (index == placement->first.count) {
    *LUNA_VECTOR_ADD(placement->arena, &placement->first) = op;
    return true;
  }
  MlirOperation first = placement->first.items[index];
  int64_t expected = luna_attr_int(first, "luna.offset", ABSENT);
  if (expected == offset)
    return true;
  return luna_verify_fail(
      op,
      luna_arena_printf(placement->arena,
                        "buffer %lld has offset %lld here and %lld elsewhere",
                        (long long)id, (long long)offset, (long long)expected),
      first, "also allocated here");
}

static bool check_offset(Placement *placement, MlirOperation op, int64_t id,
                         int64_t offset, int64_t bytes) {
  int64_t alignment = placement->limits->alignment_bytes, end;
  if (offset < 0)
    return luna_verify_error(op,
                             "buffer %lld has the offset %lld, needs one of at "
                             "least 0",
                             (long long)id, (long long)offset);
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
  return check_same_place(placement, op, id, offset);
}

static bool check_alloc(Placement *placement, MlirOperation op) {
  int64_t id = luna_attr_int(op, "luna.buffer", ABSENT);
  int64_t offset = luna_attr_int(op, "luna.offset", ABSENT);
  int64_t bytes =
      luna_shaped_bytes(mlirValueGetType(mlirOperationGetResult(op, 0)));
  if (bytes < 0)
    return luna_verify_error(op, "allocation in shared memory has a dynamic or "
                                 "unsupported shape, needs a static one");
  if (id < 0)
    return luna_verify_error(op, "allocation in shared memory has no "
                                 "'luna.buffer', needs an id of at least 0");
  if (offset == ABSENT)
    return luna_verify_error(op, "buffer %lld has no 'luna.offset'",
                             (long long)id);
  if (placement->arena_bytes == ABSENT)
    return luna_verify_error(op,
                             "buffer %lld is planned, but its function has "
                             "no 'luna.arena_bytes'",
                             (long long)id);
  return check_offset(placement, op, id, offset, bytes);
}

static bool visit(MlirOperation op, void *data) {
  Placement *placement = data;
  if (luna_verify_is_planned_alloc(op))
    placement->is_ok = check_alloc(placement, op);
  return placement->is_ok;
}

bool luna_verify_placement(MlirOperation func, const LunaVerifyLimits *limits,
                           LunaArena *arena) {
  Placement placement = {
      .limits = limits,
      .arena = arena,
      .arena_bytes = luna_attr_int(func, "luna.arena_bytes", ABSENT),
      .is_ok = true,
  };
  if (placement.arena_bytes > limits->capacity_bytes)
    return luna_verify_error(
        func,
        "needs %lld bytes of shared memory, machine '%s' has %lld (%lld too "
        "many)",
        (long long)placement.arena_bytes, limits->machine,
        (long long)limits->capacity_bytes,
        (long long)(placement.arena_bytes - limits->capacity_bytes));
  luna_walk(func, visit, &placement);
  return placement.is_ok;
}
