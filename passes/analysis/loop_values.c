#include "loop_values.h"

#include "luna-c/ops.h"

LunaLoopValues luna_loop_values(MlirOperation op) {
  bool is_for = luna_op_is(op, LUNA_OP_SCF_FOR);
  LunaLoopValues loop = {
      .op = op,
      .is_for = is_for,
      .header = luna_body(op, 0),
      .body = luna_body(op, is_for ? 0 : 1),
      .first_operand = is_for ? 3 : 0,
      .first_argument = is_for ? 1 : 0,
      .first_left = is_for ? 0 : 1,
  };
  loop.yield = mlirBlockGetTerminator(loop.body);
  loop.exit = mlirBlockGetTerminator(loop.header);
  loop.count = mlirBlockGetNumArguments(loop.header) - loop.first_argument;
  return loop;
}

MlirValue luna_loop_init(const LunaLoopValues *loop, intptr_t i) {
  return mlirOperationGetOperand(loop->op, loop->first_operand + i);
}

MlirValue luna_loop_argument(const LunaLoopValues *loop, intptr_t i) {
  return mlirBlockGetArgument(loop->header, loop->first_argument + i);
}

MlirValue luna_loop_next(const LunaLoopValues *loop, intptr_t i) {
  return mlirOperationGetOperand(loop->yield, i);
}

MlirValue luna_loop_left(const LunaLoopValues *loop, intptr_t i) {
  return mlirOperationGetOperand(loop->exit, loop->first_left + i);
}
