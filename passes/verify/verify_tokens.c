// Tokens: no path awaits or forwards one twice, and none ends the block that a
// token is from while the transfer that it owns is in flight.

#include "luna-c/dialect.h"
#include "luna-c/ops.h"
#include "structure.h"
#include "verify_conditions.h"
#include "verify_report.h"
#include "verify_transfers.h"

static MlirBlock block_of(MlirValue value) {
  return mlirValueIsABlockArgument(value)
             ? mlirBlockArgumentGetOwner(value)
             : mlirOperationGetBlock(mlirOpResultGetOwner(value));
}

//===----------------------------------------------------------------------===//
// At most once
//===----------------------------------------------------------------------===//

// True if `before` is executed first on each path that executes both: two arms
// of a branch have none.
static bool is_behind(MlirOperation op, MlirOperation before) {
  MlirOperation around = mlirOperationGetParentOperation(op);
  while (!luna_is_within(before, around))
    around = mlirOperationGetParentOperation(around);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(around); ++r) {
    MlirBlock block = luna_body(around, r);
    MlirOperation a = luna_ancestor_in_block(before, block);
    MlirOperation b = luna_ancestor_in_block(op, block);
    if (!mlirOperationIsNull(a) && !mlirOperationIsNull(b))
      return !mlirOperationEqual(a, b) && mlirOperationIsBeforeInBlock(a, b);
  }
  return false;
}

// The outermost loop that `op` is in and the token is not; a null op for none.
static MlirOperation loop_between(MlirOperation op, MlirValue token) {
  MlirOperation loop = {NULL};
  while (!mlirBlockEqual(mlirOperationGetBlock(op), block_of(token))) {
    op = mlirOperationGetParentOperation(op);
    loop = luna_is_loop(op) ? op : loop;
  }
  return loop;
}

static bool is_none(MlirValue token) {
  MlirOperation op = luna_defining_op(token);
  return luna_op_is(op, LUNA_OP_LUNA_DMA_NONE);
}

static bool fail_again(LunaSide *side, MlirOperation op, MlirOperation before) {
  bool awaits = luna_op_is(op, LUNA_OP_LUNA_DMA_WAIT);
  luna_side_fail(side, op, "%s that was already awaited or forwarded%s",
                 awaits ? "awaits a transfer" : "forwards a token",
                 luna_side_path_name(side, side->path));
  return luna_side_note(side, before, "awaited or forwarded here");
}

static bool spend(LunaSide *side, MlirOperation op, intptr_t operand) {
  MlirValue token = mlirOperationGetOperand(op, operand);
  MlirOperation loop = loop_between(op, token);
  if (is_none(token))
    return true;
  if (!mlirOperationIsNull(loop)) {
    luna_side_fail(side, loop,
                   "a transfer started before this loop is awaited in it, once "
                   "per iteration");
    return luna_side_note(side, op, "awaited or forwarded here");
  }
  for (MlirOpOperand use = mlirValueGetFirstUse(token);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation other = mlirOpOperandGetOwner(use);
    bool is_again = mlirOperationEqual(op, other)
                        ? mlirOpOperandGetOperandNumber(use) < operand
                        : is_behind(op, other);
    if (is_again)
      return fail_again(side, op, other);
  }
  return true;
}

bool luna_tokens_spend(LunaSide *side, MlirOperation op) {
  for (intptr_t i = 0; side->is_plan && i < mlirOperationGetNumOperands(op);
       ++i)
    if (lunaTypeIsAToken(mlirValueGetType(mlirOperationGetOperand(op, i))) &&
        !spend(side, op, i))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// At least once
//===----------------------------------------------------------------------===//

static bool is_operand(MlirOperation op, MlirValue value) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (luna_same_value(mlirOperationGetOperand(op, i), value))
      return true;
  return false;
}

static bool fail_left(LunaSide *side, const LunaFlight *flight,
                      MlirOperation end, LunaTerm path) {
  const char *where = luna_side_path_name(side, path);
  MlirOpOperand use = mlirValueGetFirstUse(flight->owner);
  if (mlirOpOperandIsNull(use)) {
    luna_side_fail(side, flight->start, "is never awaited%s", where);
    return luna_side_note(side, end, "still in flight here");
  }
  MlirOperation user = mlirOpOperandGetOwner(use);
  luna_side_fail(side, luna_ancestor_in_block(user, mlirOperationGetBlock(end)),
                 "a transfer is awaited in some branches only%s%s",
                 *where ? ", not" : "", where);
  return luna_side_note(side, user, "awaited or forwarded here");
}

bool luna_tokens_end(LunaSide *side, MlirOperation end) {
  const LunaFlights *flights = side->state.flights;
  for (uint32_t i = 0; flights && i < flights->count; ++i) {
    const LunaFlight *flight = &flights->items[i];
    LunaTerm path = luna_condition_and(side->terms, side->path, flight->path);
    if (mlirBlockEqual(block_of(flight->owner), mlirOperationGetBlock(end)) &&
        !is_operand(end, flight->owner) && path != LUNA_TERM_FALSE)
      return fail_left(side, flight, end, path);
  }
  return luna_tokens_spend(side, end);
}
