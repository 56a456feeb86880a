#include "interpreter.h"

#include "luna-c/ir.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

bool luna_interpreter_spend(LunaInterpreter *interpreter, int64_t count) {
  if (count > interpreter->steps_left)
    return false;
  interpreter->steps_left -= count;
  return true;
}

bool luna_interpreter_run(LunaInterpreter *interpreter,
                          const LunaProgram *program) {
  for (int64_t i = 0; i < program->step_count; ++i)
    if (!program->steps[i].run(interpreter, &program->steps[i]))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

static int32_t add_slot(LunaCompiler *compiler, MlirValue value) {
  uint32_t slot = luna_map_add(&compiler->slots, compiler->arena,
                               luna_map_pointer(value.ptr));
  if (slot == compiler->cells.count)
    LUNA_VECTOR_ADD(compiler->arena, &compiler->cells);
  return (int32_t)slot;
}

// A value used before it was compiled is defined outside, since definitions
// dominate uses.
int32_t luna_compile_slot(LunaCompiler *compiler, MlirValue value) {
  uint32_t slot = luna_map_find(&compiler->slots, luna_map_pointer(value.ptr));
  if (slot != LUNA_MAP_ABSENT)
    return (int32_t)slot;
  *LUNA_VECTOR_ADD(compiler->arena, &compiler->externals) = value;
  return add_slot(compiler, value);
}

bool luna_compile_takes_ints(MlirOperation op, intptr_t first, intptr_t end) {
  if (end > mlirOperationGetNumOperands(op))
    return false;
  for (intptr_t i = first; i < end; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (luna_scalar_type(type).kind != LUNA_SCALAR_INT)
      return false;
  }
  return true;
}

bool luna_compile_takes_tensor(MlirOperation op, intptr_t i) {
  return i < mlirOperationGetNumOperands(op) &&
         mlirTypeIsARankedTensor(
             mlirValueGetType(mlirOperationGetOperand(op, i)));
}

bool luna_compile_keeps_type(MlirOperation op, intptr_t i, intptr_t k) {
  return mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, i)),
                       mlirValueGetType(mlirOperationGetResult(op, k)));
}

static const int32_t *operand_slots(LunaCompiler *compiler, MlirOperation op,
                                    int32_t *count) {
  *count = (int32_t)mlirOperationGetNumOperands(op);
  int32_t *slots = LUNA_ARENA_ARRAY(compiler->arena, int32_t, *count);
  for (int32_t i = 0; i < *count; ++i)
    slots[i] = luna_compile_slot(compiler, mlirOperationGetOperand(op, i));
  return slots;
}

static const int32_t *result_slots(LunaCompiler *compiler, MlirOperation op,
                                   int32_t *count) {
  *count = (int32_t)mlirOperationGetNumResults(op);
  int32_t *slots = LUNA_ARENA_ARRAY(compiler->arena, int32_t, *count);
  for (int32_t i = 0; i < *count; ++i)
    slots[i] = add_slot(compiler, mlirOperationGetResult(op, i));
  return slots;
}

static bool compile_step(LunaCompiler *compiler, MlirOperation op,
                         LunaStep *step) {
  const LunaOpRule *rule = compiler->find_rule(op);
  if (!rule)
    return false;
  *step = (LunaStep){.run = NULL};
  step->in = operand_slots(compiler, op, &step->in_count);
  step->out = result_slots(compiler, op, &step->out_count);
  return rule->compile(compiler, op, step);
}

bool luna_compile_op(LunaCompiler *compiler, MlirOperation op,
                     LunaProgram *program) {
  LunaStep *step = LUNA_ARENA_ARRAY(compiler->arena, LunaStep, 1);
  if (!compile_step(compiler, op, step))
    return false;
  *program = (LunaProgram){.steps = step,
                           .step_count = step->run != NULL,
                           .yields = step->out,
                           .yield_count = step->out_count};
  return true;
}

static int64_t count_ops(MlirBlock block) {
  int64_t count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    ++count;
  return count;
}

bool luna_compile_block(LunaCompiler *compiler, MlirBlock block,
                        LunaProgram *program) {
  *program =
      (LunaProgram){.argument_count = (int32_t)mlirBlockGetNumArguments(block)};
  int32_t *arguments =
      LUNA_ARENA_ARRAY(compiler->arena, int32_t, program->argument_count);
  for (int32_t i = 0; i < program->argument_count; ++i)
    arguments[i] = add_slot(compiler, mlirBlockGetArgument(block, i));
  program->arguments = arguments;
  program->steps =
      LUNA_ARENA_ARRAY(compiler->arena, LunaStep, count_ops(block));
  MlirOperation last = mlirBlockGetTerminator(block);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op) && !mlirOperationEqual(op, last);
       op = mlirOperationGetNextInBlock(op)) {
    LunaStep *step = &program->steps[program->step_count];
    if (!compile_step(compiler, op, step))
      return false;
    program->step_count += step->run != NULL;
  }
  if (mlirOperationIsNull(last))
    return false;
  program->yields = operand_slots(compiler, last, &program->yield_count);
  return true;
}
