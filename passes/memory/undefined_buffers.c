#include "undefined_buffers.h"

#include "luna-c/ops.h"
#include "luna-c/pass.h"

static bool is_copied_out_only(MlirValue value);

// Returns true if the use only copies out of the buffer, directly or as one
// side of a select.
static bool copies_out(MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  if (luna_op_is(op, LUNA_OP_ARITH_SELECT))
    return is_copied_out_only(mlirOperationGetResult(op, 0));
  return luna_op_is(op, LUNA_OP_MEMREF_COPY) &&
         mlirOpOperandGetOperandNumber(use) == 0;
}

static bool is_copied_out_only(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  while (!mlirOpOperandIsNull(use) && copies_out(use))
    use = mlirOpOperandGetNextUse(use);
  return mlirOpOperandIsNull(use);
}

static bool is_undefined(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_MEMREF_ALLOC) &&
         is_copied_out_only(mlirOperationGetResult(op, 0));
}

static void use_other_side(MlirOperation select, MlirValue undefined) {
  MlirValue other = mlirOperationGetOperand(select, 1);
  if (luna_same_value(other, undefined))
    other = mlirOperationGetOperand(select, 2);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(select, 0), other);
}

static void drop_uses(MlirOperation alloc) {
  MlirValue value = mlirOperationGetResult(alloc, 0);
  while (!mlirOpOperandIsNull(mlirValueGetFirstUse(value))) {
    MlirOperation user = mlirOpOperandGetOwner(mlirValueGetFirstUse(value));
    if (luna_op_is(user, LUNA_OP_ARITH_SELECT))
      use_other_side(user, value);
    mlirOperationDestroy(user);
  }
}

typedef struct Search {
  MlirOperation found;
} Search;

static bool find_undefined(MlirOperation op, void *data) {
  Search *search = data;
  if (is_undefined(op))
    search->found = op;
  return mlirOperationIsNull(search->found);
}

void luna_drop_undefined_copies(MlirOperation func) {
  Search search = {0};
  while (!luna_walk(func, find_undefined, &search)) {
    drop_uses(search.found);
    mlirOperationDestroy(search.found);
    search.found = (MlirOperation){NULL};
  }
}
