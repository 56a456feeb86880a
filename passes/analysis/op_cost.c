#include "op_cost.h"

#include "buffer_roots.h"
#include "host_cost.h"
#include "luna-c/ops.h"
#include "luna/checked.h"
#include "mlir-c/BuiltinAttributes.h"
#include "model_names.h"
#include "op_desc.h"
#include "structure.h"

static bool copy_cost(const LunaMachine *machine, MlirOperation op,
                      LunaCost *cost) {
  LunaCopyDesc desc = {0};
  if (!luna_is_on_chip(mlirOperationGetOperand(op, 0)) ||
      !luna_is_on_chip(mlirOperationGetOperand(op, 1)) ||
      !luna_copy_desc_read(op, &desc))
    return false;
  *cost = luna_cost_copy(machine, &desc);
  return true;
}

static bool fill_cost(const LunaMachine *machine, MlirOperation op,
                      LunaCost *cost) {
  MlirAttribute value = luna_constant_value(mlirOperationGetOperand(op, 0));
  LunaFillDesc desc = {0};
  if (!luna_is_on_chip(mlirOperationGetOperand(op, 1)) ||
      mlirAttributeIsNull(value) || !mlirAttributeIsAInteger(value) ||
      !luna_fill_desc_read(op, &desc))
    return false;
  *cost = luna_cost_fill(machine, &desc);
  return true;
}

static void count_touch(MlirValue value, void *data) {
  (void)value;
  ++*(int *)data;
}

bool luna_op_cost(const LunaMachine *machine, MlirOperation op,
                  LunaCost *cost) {
  *cost = (LunaCost){0};
  if (luna_op_is_unit(op)) {
    LunaUnitDesc desc;
    if (!luna_unit_desc_read(op, &desc))
      return false;
    *cost = luna_unit_class(desc.unit_class)->cost(machine, &desc.as);
    return true;
  }
  int touched = 0;
  luna_touched_values(op, count_touch, &touched);
  bool is_free =
      luna_only_renames(op) || luna_op_in_dialect(op, LUNA_DIALECT_LUNA);
  if (touched == 0 || is_free || luna_is_control_flow(op))
    return true;
  if (luna_op_is(op, LUNA_OP_MEMREF_COPY) && copy_cost(machine, op, cost))
    return true;
  if (luna_op_is(op, LUNA_OP_LINALG_FILL) && fill_cost(machine, op, cost))
    return true;
  cost->host_cycles = luna_host_cycles(machine, op);
  return true;
}
