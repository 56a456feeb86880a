#include "tensor.h"

#include "luna-c/ir.h"
#include "mlir-c/BuiltinTypes.h"

static MlirType result_type(MlirOperation op) {
  return mlirValueGetType(mlirOperationGetResult(op, 0));
}

// The shape of the result as the detail of a step; false if it is dynamic.
static bool shape_step(LunaCompiler *compiler, MlirOperation op, LunaStep *step,
                       LunaStepRun run) {
  LunaConstant *shape = LUNA_ARENA_ARRAY(compiler->arena, LunaConstant, 1);
  step->detail = shape;
  step->run = run;
  return luna_constant_shape(result_type(op), shape);
}

static bool give(LunaInterpreter *interpreter, const LunaStep *step,
                 LunaConstant *tensor) {
  interpreter->cells[step->out[0]] = (LunaCell){.tensor = tensor};
  return tensor != NULL;
}

//===----------------------------------------------------------------------===//
// Whole tensors
//===----------------------------------------------------------------------===//

static bool run_empty(LunaInterpreter *interpreter, const LunaStep *step) {
  return give(interpreter, step,
              luna_interpreter_undefined(interpreter, step->detail));
}

bool luna_compile_empty(LunaCompiler *compiler, MlirOperation op,
                        LunaStep *step) {
  return shape_step(compiler, op, step, run_empty);
}

// The elements stay in place.
static bool run_retype(LunaInterpreter *interpreter, const LunaStep *step) {
  const LunaConstant *shape = step->detail;
  const LunaConstant *from = interpreter->cells[step->in[0]].tensor;
  if (from->count != shape->count ||
      from->element.bytes != shape->element.bytes)
    return false;
  LunaConstant *tensor = LUNA_ARENA_ARRAY(interpreter->arena, LunaConstant, 1);
  *tensor = *from;
  tensor->rank = shape->rank;
  for (int32_t i = 0; i < shape->rank; ++i)
    tensor->dims[i] = shape->dims[i];
  return give(interpreter, step, tensor);
}

bool luna_compile_retype(LunaCompiler *compiler, MlirOperation op,
                         LunaStep *step) {
  return luna_compile_takes_tensor(op, 0) &&
         shape_step(compiler, op, step, run_retype);
}

static bool run_from_elements(LunaInterpreter *interpreter,
                              const LunaStep *step) {
  LunaConstant *tensor = luna_interpreter_tensor(interpreter, step->detail);
  if (!tensor || tensor->count != step->in_count ||
      !luna_interpreter_spend(interpreter, step->in_count))
    return false;
  for (int32_t i = 0; i < step->in_count; ++i)
    if (!luna_constant_define(tensor, i, interpreter->cells[step->in[i]]))
      return false;
  return give(interpreter, step, tensor);
}

bool luna_compile_from_elements(LunaCompiler *compiler, MlirOperation op,
                                LunaStep *step) {
  for (int32_t i = 0; i < step->in_count; ++i)
    if (luna_compile_takes_tensor(op, i))
      return false;
  return shape_step(compiler, op, step, run_from_elements);
}

static bool run_splat(LunaInterpreter *interpreter, const LunaStep *step) {
  return give(interpreter, step,
              luna_interpreter_splat(interpreter, step->detail,
                                     interpreter->cells[step->in[0]]));
}

bool luna_compile_splat(LunaCompiler *compiler, MlirOperation op,
                        LunaStep *step) {
  return step->in_count == 1 && !luna_compile_takes_tensor(op, 0) &&
         shape_step(compiler, op, step, run_splat);
}

static bool run_dim(LunaInterpreter *interpreter, const LunaStep *step) {
  const LunaConstant *tensor = interpreter->cells[step->in[0]].tensor;
  LunaCell dim = interpreter->cells[step->in[1]];
  if (dim.is_poison || dim.integer < 0 || dim.integer >= tensor->rank)
    return false;
  interpreter->cells[step->out[0]] =
      (LunaCell){.integer = tensor->dims[dim.integer]};
  return true;
}

bool luna_compile_dim(LunaCompiler *compiler, MlirOperation op,
                      LunaStep *step) {
  (void)compiler;
  step->run = run_dim;
  return luna_compile_takes_tensor(op, 0) && luna_compile_takes_ints(op, 1, 2);
}

//===----------------------------------------------------------------------===//
// Single elements
//===----------------------------------------------------------------------===//

// The element at the indices in the cells `in`; false if out of bounds.
static bool find_element(const LunaInterpreter *interpreter,
                         const LunaConstant *tensor, const int32_t *in,
                         int64_t *offset) {
  *offset = 0;
  for (int32_t d = 0; d < tensor->rank; ++d) {
    LunaCell at = interpreter->cells[in[d]];
    if (at.is_poison || at.integer < 0 || at.integer >= tensor->dims[d])
      return false;
    *offset = *offset * tensor->dims[d] + at.integer;
  }
  return true;
}

// True if operand `i` is a tensor and the operands behind it index it.
static bool takes_element(MlirOperation op, intptr_t i) {
  return luna_compile_takes_tensor(op, i) &&
         mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetOperand(
             op, i))) == mlirOperationGetNumOperands(op) - i - 1 &&
         luna_compile_takes_ints(op, i + 1, mlirOperationGetNumOperands(op));
}

static bool run_extract(LunaInterpreter *interpreter, const LunaStep *step) {
  const LunaConstant *tensor = interpreter->cells[step->in[0]].tensor;
  int64_t offset;
  if (!find_element(interpreter, tensor, step->in + 1, &offset))
    return false;
  interpreter->cells[step->out[0]] = luna_constant_load(tensor, offset);
  return true;
}

bool luna_compile_extract(LunaCompiler *compiler, MlirOperation op,
                          LunaStep *step) {
  (void)compiler;
  step->run = run_extract;
  return takes_element(op, 0);
}

static bool run_insert(LunaInterpreter *interpreter, const LunaStep *step) {
  const bool *may_reuse = step->detail;
  LunaConstant *tensor = luna_interpreter_writable(
      interpreter, interpreter->cells[step->in[1]].tensor, *may_reuse);
  int64_t offset;
  return tensor && find_element(interpreter, tensor, step->in + 2, &offset) &&
         luna_constant_define(tensor, offset,
                              interpreter->cells[step->in[0]]) &&
         give(interpreter, step, tensor);
}

bool luna_compile_insert(LunaCompiler *compiler, MlirOperation op,
                         LunaStep *step) {
  bool *may_reuse = LUNA_ARENA_ARRAY(compiler->arena, bool, 1);
  *may_reuse = step->in_count > 1 && luna_compile_may_reuse(compiler, op, 1);
  step->detail = may_reuse;
  step->run = run_insert;
  return !luna_compile_takes_tensor(op, 0) && takes_element(op, 1) &&
         luna_compile_keeps_type(op, 1, 0);
}

//===----------------------------------------------------------------------===//
// tensor.generate
//===----------------------------------------------------------------------===//

typedef struct Generate {
  LunaConstant shape;
  LunaProgram body;
} Generate;

static bool run_generate(LunaInterpreter *interpreter, const LunaStep *step) {
  const Generate *detail = step->detail;
  LunaConstant *tensor = luna_interpreter_tensor(interpreter, &detail->shape);
  return tensor &&
         luna_interpreter_generate(interpreter, &detail->body, tensor) &&
         give(interpreter, step, tensor);
}

bool luna_compile_generate(LunaCompiler *compiler, MlirOperation op,
                           LunaStep *step) {
  Generate *detail = LUNA_ARENA_ARRAY(compiler->arena, Generate, 1);
  step->detail = detail;
  step->run = run_generate;
  return luna_constant_shape(result_type(op), &detail->shape) &&
         luna_compile_generator(compiler, luna_body(op, 0), &detail->shape,
                                &detail->body);
}
