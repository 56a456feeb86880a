#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "verify_plan_effects.h"
#include "verify_plan_report.h"
#include "verify_plan_static.h"

typedef struct Accesses {
  const LunaVerifyLimits *limits;
  const LunaVerifyValues *values;
  LunaArena *arena;
  bool is_ok;
} Accesses;

static bool check_bounds(const Accesses *accesses, MlirOperation op,
                         MlirValue value) {
  LunaVerifyRef ref;
  if (!luna_verify_values_ref(accesses->values, value, &ref))
    return true;
  for (uint32_t h = 0; h < accesses->values->tags.items[ref.tag].homes.count;
       ++h) {
    LunaVerifyExtent extent =
        luna_verify_values_extent(accesses->values, &ref, h);
    if (extent.lo >= 0 && extent.hi <= extent.bytes)
      continue;
    return luna_verify_error(
        op, "accesses bytes [%lld, %lld) of %s, which has %lld",
        (long long)extent.lo, (long long)extent.hi,
        luna_verify_place_name(accesses->values, accesses->arena, extent.place),
        (long long)extent.bytes);
  }
  return true;
}

static bool check_memory(MlirOperation op, MlirValue value) {
  LunaMemoryKind memory = luna_memory_of(mlirValueGetType(value));
  if (memory == LUNA_MEMORY_SHARED)
    return true;
  return luna_verify_error(
      op, "has an operand in %s, the unit reaches shared memory only",
      memory == LUNA_MEMORY_PSRAM ? "psram" : "flash");
}

// Constants keep their contents: the next call reads them again.
static bool check_target(const Accesses *accesses, MlirOperation op,
                         MlirValue value) {
  const LunaVerifyValues *values = accesses->values;
  LunaVerifyRef ref;
  if (!luna_verify_values_ref(values, value, &ref))
    return true;
  for (uint32_t h = 0; h < values->tags.items[ref.tag].homes.count; ++h) {
    LunaVerifyExtent extent = luna_verify_values_extent(values, &ref, h);
    if (values->places.items[extent.place].symbol.data)
      return luna_verify_error(
          op, "writes bytes [%lld, %lld) of %s, which is a constant",
          (long long)extent.lo, (long long)extent.hi,
          luna_verify_place_name(values, accesses->arena, extent.place));
  }
  return true;
}

static bool check_operands(const Accesses *accesses, MlirOperation op) {
  LunaVerifyEffects effects = luna_verify_effects(op, accesses->arena);
  bool is_unit = luna_op_is_unit(op);
  for (uint32_t i = 0; i < effects.count; ++i) {
    const LunaVerifyEffect *effect = &effects.items[i];
    if ((is_unit && !check_memory(op, effect->value)) ||
        !check_bounds(accesses, op, effect->value) ||
        (effect->writes && !check_target(accesses, op, effect->value)))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

// Checks that one end of a transfer starts at a multiple of the granule on
// every path.
static bool check_end(const Accesses *accesses, MlirOperation op,
                      MlirValue end) {
  const LunaVerifyValues *values = accesses->values;
  int64_t granule = accesses->limits->granule_bytes;
  LunaVerifyRef ref;
  if (!luna_verify_values_ref(values, end, &ref))
    return true;
  for (uint32_t h = 0; h < values->tags.items[ref.tag].homes.count; ++h) {
    LunaVerifyExtent extent = luna_verify_values_extent(values, &ref, h);
    int64_t address =
        values->places.items[extent.place].offset_bytes + extent.lo;
    if (extent.is_exact && address % granule != 0)
      return luna_verify_error(
          op,
          "transfers from or to byte %lld of %s, needs an address that is a "
          "multiple of %lld",
          (long long)extent.lo,
          luna_verify_place_name(values, accesses->arena, extent.place),
          (long long)granule);
  }
  return true;
}

static bool check_transfer(const Accesses *accesses, MlirOperation op) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirValue target = mlirOperationGetOperand(op, 1);
  int64_t granule = accesses->limits->granule_bytes;
  int64_t bytes = luna_shaped_bytes(mlirValueGetType(source));
  if (bytes > 0 && bytes % granule != 0)
    return luna_verify_error(op,
                             "transfers %lld bytes, needs a multiple of "
                             "%lld",
                             (long long)bytes, (long long)granule);
  return check_end(accesses, op, source) && check_end(accesses, op, target);
}

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

static bool check_indices(MlirOperation op) {
  int64_t index = 0, extent = 0;
  intptr_t dimension = luna_index_outside(op, &index, &extent);
  return dimension < 0 ||
         luna_verify_error(op, "index %lld in dimension %d of %lld elements",
                           (long long)index, (int)dimension, (long long)extent);
}

static bool visit(MlirOperation op, void *data) {
  Accesses *accesses = data;
  accesses->is_ok =
      check_indices(op) && check_operands(accesses, op) &&
      (!luna_op_is(op, LUNA_OP_LUNA_DMA_START) || check_transfer(accesses, op));
  return accesses->is_ok;
}

bool luna_verify_accesses(MlirOperation func, const LunaVerifyLimits *limits,
                          const LunaVerifyValues *values, LunaArena *arena) {
  Accesses accesses = {limits, values, arena, true};
  luna_walk(func, visit, &accesses);
  return accesses.is_ok;
}
