#include "forward_buffers.h"

#include "loop_values.h"
#include "luna-c/ops.h"
#include "structure.h"

typedef struct Forwarding {
  bool changed;
} Forwarding;

// Has the users of `value` use `buffer`, if that is an allocation which
// dominates `op`.
static void forward(Forwarding *forwarding, MlirOperation op, MlirValue value,
                    MlirValue buffer) {
  MlirOperation alloc = luna_defining_op(buffer);
  if (mlirOperationIsNull(alloc) || !luna_op_is(alloc, LUNA_OP_MEMREF_ALLOC) ||
      luna_same_value(value, buffer) || !luna_is_used(value) ||
      mlirOperationEqual(
          luna_ancestor_in_block(alloc, mlirOperationGetBlock(op)), op))
    return;
  mlirValueReplaceAllUsesOfWith(value, buffer);
  forwarding->changed = true;
}

static MlirValue yielded(MlirOperation op, intptr_t region, intptr_t index) {
  return mlirOperationGetOperand(mlirBlockGetTerminator(luna_body(op, region)),
                                 index);
}

static void forward_branch(Forwarding *forwarding, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue buffer = yielded(op, 0, i);
    bool is_one = true;
    for (intptr_t r = 1; is_one && r < mlirOperationGetNumRegions(op); ++r)
      is_one = luna_same_value(yielded(op, r, i), buffer);
    if (is_one)
      forward(forwarding, op, mlirOperationGetResult(op, i), buffer);
  }
}

static void forward_loop(Forwarding *forwarding, MlirOperation op) {
  LunaLoopValues loop = luna_loop_values(op);
  for (intptr_t i = 0; i < loop.count; ++i) {
    MlirValue init = luna_loop_init(&loop, i);
    MlirValue argument = luna_loop_argument(&loop, i);
    MlirValue next = luna_loop_next(&loop, i);
    if (luna_same_value(next, init) || luna_same_value(next, argument))
      forward(forwarding, op, argument, init);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue left = luna_loop_left(&loop, i);
    if (loop.is_for && !luna_same_value(left, luna_loop_init(&loop, i)))
      continue;
    forward(forwarding, op, mlirOperationGetResult(op, i), left);
    if (!loop.is_for)
      forward(forwarding, op, mlirBlockGetArgument(loop.body, i), left);
  }
}

static bool forward_op(MlirOperation op, void *data) {
  if (luna_is_branch(op))
    forward_branch(data, op);
  else if (luna_is_loop(op))
    forward_loop(data, op);
  return true;
}

void luna_forward_buffers(MlirOperation func) {
  Forwarding forwarding = {.changed = true};
  while (forwarding.changed) {
    forwarding.changed = false;
    luna_walk(func, forward_op, &forwarding);
  }
}
