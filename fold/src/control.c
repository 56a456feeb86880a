#include "control.h"

#include "luna-c/ir.h"

// Copies cells in parallel: targets may be sources.
static void move_cells(LunaInterpreter *interpreter, const int32_t *to,
                       const int32_t *from, int32_t count) {
  LunaArena arena = {0};
  LunaCell *cells = LUNA_ARENA_ARRAY(&arena, LunaCell, count);
  for (int32_t i = 0; i < count; ++i)
    cells[i] = interpreter->cells[from[i]];
  for (int32_t i = 0; i < count; ++i)
    interpreter->cells[to[i]] = cells[i];
  luna_arena_destroy(&arena);
}

// True if the block yields values of the types of the results of `op`.
static bool gives_results(MlirOperation op, MlirBlock block) {
  MlirOperation end = mlirBlockGetTerminator(block);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(end, i)),
                       mlirValueGetType(mlirOperationGetResult(op, i))))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// scf.for
//===----------------------------------------------------------------------===//

enum { FOR_INITS = 3 }; // operands: lower, upper, step, inits

static bool run_for(LunaInterpreter *interpreter, const LunaStep *step) {
  const LunaProgram *body = step->detail;
  LunaCell low = interpreter->cells[step->in[0]];
  LunaCell high = interpreter->cells[step->in[1]];
  LunaCell by = interpreter->cells[step->in[2]];
  if (low.is_poison || high.is_poison || by.is_poison || by.integer < 1)
    return false;
  move_cells(interpreter, body->arguments + 1, step->in + FOR_INITS,
             step->out_count);
  for (int64_t i = low.integer; i < high.integer; i += by.integer) {
    interpreter->cells[body->arguments[0]] = (LunaCell){.integer = i};
    if (!luna_interpreter_spend(interpreter, body->step_count + 1) ||
        !luna_interpreter_run(interpreter, body))
      return false;
    move_cells(interpreter, body->arguments + 1, body->yields, step->out_count);
    if (i > INT64_MAX - by.integer)
      break;
  }
  move_cells(interpreter, step->out, body->arguments + 1, step->out_count);
  return true;
}

static bool carries_results(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!luna_compile_keeps_type(op, FOR_INITS + i, i) ||
        !mlirTypeEqual(
            mlirValueGetType(mlirOperationGetResult(op, i)),
            mlirValueGetType(mlirBlockGetArgument(luna_body(op, 0), i + 1))))
      return false;
  return true;
}

bool luna_compile_for(LunaCompiler *compiler, MlirOperation op,
                      LunaStep *step) {
  LunaProgram *body = LUNA_ARENA_ARRAY(compiler->arena, LunaProgram, 1);
  step->detail = body;
  step->run = run_for;
  return luna_compile_takes_ints(op, 0, FOR_INITS) &&
         luna_compile_block(compiler, luna_body(op, 0), body) &&
         step->in_count == FOR_INITS + step->out_count &&
         body->argument_count == 1 + step->out_count &&
         body->yield_count == step->out_count &&
         gives_results(op, luna_body(op, 0)) && carries_results(op);
}

//===----------------------------------------------------------------------===//
// scf.if
//===----------------------------------------------------------------------===//

static bool run_if(LunaInterpreter *interpreter, const LunaStep *step) {
  const LunaProgram *branches = step->detail;
  LunaCell condition = interpreter->cells[step->in[0]];
  if (condition.is_poison)
    return false;
  const LunaProgram *branch = &branches[condition.integer ? 0 : 1];
  if (!luna_interpreter_spend(interpreter, branch->step_count + 1) ||
      !luna_interpreter_run(interpreter, branch))
    return false;
  move_cells(interpreter, step->out, branch->yields, step->out_count);
  return true;
}

bool luna_compile_if(LunaCompiler *compiler, MlirOperation op, LunaStep *step) {
  LunaProgram *branches = LUNA_ARENA_ARRAY(compiler->arena, LunaProgram, 2);
  step->detail = branches;
  step->run = run_if;
  for (int i = 0; i < 2; ++i)
    if (!mlirBlockIsNull(luna_body(op, i)) &&
        (!luna_compile_block(compiler, luna_body(op, i), &branches[i]) ||
         branches[i].yield_count != step->out_count ||
         !gives_results(op, luna_body(op, i))))
      return false;
  return luna_compile_takes_ints(op, 0, 1);
}
