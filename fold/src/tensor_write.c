#include "tensor.h"

#include "box.h"
#include "luna-c/ir.h"
#include "luna/checked.h"

static bool is_external(const LunaCompiler *compiler, MlirValue value) {
  for (uint64_t i = 0; i < compiler->externals.count; ++i)
    if (luna_same_value(compiler->externals.items[i], value))
      return true;
  return false;
}

bool luna_compile_may_reuse(const LunaCompiler *compiler, MlirOperation op,
                            intptr_t operand) {
  MlirValue value = mlirOperationGetOperand(op, operand);
  MlirOperation made = luna_defining_op(value);
  return !mlirOperationIsNull(made) && !is_external(compiler, value) &&
         mlirBlockEqual(mlirOperationGetBlock(made),
                        mlirOperationGetBlock(op)) &&
         LUNA_OP_IS_ANY(made, LUNA_OP_TENSOR_INSERT_SLICE,
                        LUNA_OP_TENSOR_INSERT) &&
         mlirOpOperandIsNull(
             mlirOpOperandGetNextUse(mlirValueGetFirstUse(value)));
}

LunaConstant *luna_interpreter_writable(LunaInterpreter *interpreter,
                                        LunaConstant *tensor, bool may_reuse) {
  return may_reuse ? tensor : luna_interpreter_copy(interpreter, tensor);
}

bool luna_compile_generator(LunaCompiler *compiler, MlirBlock block,
                            const LunaConstant *shape, LunaProgram *body) {
  return !mlirBlockIsNull(block) && luna_compile_block(compiler, block, body) &&
         body->argument_count == shape->rank && body->yield_count == 1 &&
         !luna_compile_takes_tensor(mlirBlockGetTerminator(block), 0);
}

bool luna_interpreter_generate(LunaInterpreter *interpreter,
                               const LunaProgram *body, LunaConstant *result) {
  int64_t index[LUNA_CONSTANT_MAX_RANK] = {0}, cost;
  if (!luna_checked_mul(result->count, body->step_count + 1, &cost) ||
      !luna_interpreter_spend(interpreter, cost))
    return false;
  for (int64_t i = 0; i < result->count; ++i) {
    for (int32_t d = 0; d < result->rank; ++d)
      interpreter->cells[body->arguments[d]] = (LunaCell){.integer = index[d]};
    if (!luna_interpreter_run(interpreter, body) ||
        !luna_constant_define(result, i, interpreter->cells[body->yields[0]]))
      return false;
    luna_box_next(result->rank, result->dims, index, NULL, 0);
  }
  return true;
}
