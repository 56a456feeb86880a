#include "scalar.h"

#include "luna-c/ir.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

// Only the selected operand must have a value.
static LunaCell select_cell(const LunaCell *in) {
  LunaCell poison = {.is_poison = true};
  return in[0].is_poison ? poison : in[0].integer ? in[1] : in[2];
}

static LunaCell apply(const LunaScalarStep *step, const LunaCell *in,
                      int32_t count) {
  LunaCell out = {.integer = 0};
  if (!step->op)
    return select_cell(in);
  for (int32_t i = 0; i < count; ++i)
    out.is_poison |= in[i].is_poison;
  if (!out.is_poison)
    out.is_poison = !step->op->apply(step, in, &out);
  return out;
}

static bool run_scalar(LunaInterpreter *interpreter, const LunaStep *step) {
  LunaCell in[LUNA_SCALAR_MAX_OPERANDS];
  for (int32_t i = 0; i < step->in_count; ++i)
    in[i] = interpreter->cells[step->in[i]];
  interpreter->cells[step->out[0]] = apply(step->detail, in, step->in_count);
  return true;
}

typedef struct Elementwise {
  LunaScalarStep step;
  LunaConstant shape;
  // The condition of a select of tensors may be a scalar.
  bool is_scalar[LUNA_SCALAR_MAX_OPERANDS];
} Elementwise;

static LunaCell element_at(LunaInterpreter *interpreter, const LunaStep *step,
                           int64_t index) {
  const Elementwise *detail = step->detail;
  LunaCell in[LUNA_SCALAR_MAX_OPERANDS];
  for (int32_t i = 0; i < step->in_count; ++i) {
    in[i] = interpreter->cells[step->in[i]];
    if (!detail->is_scalar[i])
      in[i] = luna_constant_load(in[i].tensor, index);
  }
  return apply(&detail->step, in, step->in_count);
}

static bool run_elementwise(LunaInterpreter *interpreter,
                            const LunaStep *step) {
  const Elementwise *detail = step->detail;
  bool is_splat = detail->shape.count > 0;
  for (int32_t i = 0; i < step->in_count; ++i)
    is_splat = is_splat && (detail->is_scalar[i] ||
                            interpreter->cells[step->in[i]].tensor->is_splat);
  LunaConstant *result =
      is_splat ? luna_interpreter_splat(interpreter, &detail->shape,
                                        element_at(interpreter, step, 0))
               : luna_interpreter_tensor(interpreter, &detail->shape);
  if (!result ||
      !luna_interpreter_spend(interpreter, is_splat ? 1 : result->count))
    return false;
  for (int64_t i = 0; !is_splat && i < result->count; ++i)
    if (!luna_constant_define(result, i, element_at(interpreter, step, i)))
      return false;
  interpreter->cells[step->out[0]] = (LunaCell){.tensor = result};
  return true;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

static const LunaScalarOp *find(MlirOperation op, const LunaScalarOp *rows,
                                int count) {
  for (int i = 0; i < count; ++i)
    if (luna_op_is(op, rows[i].name))
      return &rows[i];
  return NULL;
}

const LunaScalarOp *luna_scalar_find(MlirOperation op) {
  const LunaScalarOp *row =
      find(op, luna_scalar_int_ops, luna_scalar_int_op_count);
  return row ? row
             : find(op, luna_scalar_float_ops, luna_scalar_float_op_count);
}

static LunaScalarType element_type(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return luna_scalar_type(
      mlirTypeIsAShaped(type) ? mlirShapedTypeGetElementType(type) : type);
}

static bool read_step(MlirOperation op, LunaScalarStep *step) {
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count < 1 || count > LUNA_SCALAR_MAX_OPERANDS)
    return false;
  step->from = element_type(mlirOperationGetOperand(op, count - 1));
  step->to = element_type(mlirOperationGetResult(op, 0));
  if (step->from.kind == LUNA_SCALAR_NONE || step->to.kind == LUNA_SCALAR_NONE)
    return false;
  if (luna_op_is(op, LUNA_OP_ARITH_SELECT))
    return true;
  step->op = luna_scalar_find(op);
  if (!step->op || (step->op->unless &&
                    !mlirAttributeIsNull(luna_attr(op, step->op->unless))))
    return false;
  if (step->op->detail)
    step->detail = luna_attr_int(op, step->op->detail, 0);
  return true;
}

// True if an operand has the shape of the result, which is then a tensor.
static bool has_shape(MlirType operand, MlirType result,
                      const LunaConstant *shape) {
  LunaConstant other;
  if (!mlirTypeIsAShaped(result) || !luna_constant_shape(operand, &other) ||
      other.rank != shape->rank)
    return false;
  for (int32_t d = 0; d < other.rank; ++d)
    if (other.dims[d] != shape->dims[d])
      return false;
  return true;
}

bool luna_compile_scalar(LunaCompiler *compiler, MlirOperation op,
                         LunaStep *step) {
  Elementwise *detail = LUNA_ARENA_ARRAY(compiler->arena, Elementwise, 1);
  if (mlirOperationGetNumResults(op) != 1 || !read_step(op, &detail->step))
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  step->detail = mlirTypeIsAShaped(type) ? (const void *)detail : &detail->step;
  step->run = mlirTypeIsAShaped(type) ? run_elementwise : run_scalar;
  if (mlirTypeIsAShaped(type) && !luna_constant_shape(type, &detail->shape))
    return false;
  for (int32_t i = 0; i < step->in_count; ++i) {
    detail->is_scalar[i] =
        !mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetOperand(op, i)));
    if (!detail->is_scalar[i] &&
        !has_shape(mlirValueGetType(mlirOperationGetOperand(op, i)), type,
                   &detail->shape))
      return false;
  }
  return true;
}

bool luna_compile_literal(LunaCompiler *compiler, MlirOperation op,
                          LunaStep *step) {
  LunaConstant *constant = LUNA_ARENA_ARRAY(compiler->arena, LunaConstant, 1);
  MlirAttribute value = luna_attr(op, "value");
  if (luna_op_is(op, LUNA_OP_TOSA_CONST))
    value = luna_attr(op, "values");
  if (!luna_constant_from_attr(compiler->arena, value, constant))
    return false;
  bool is_tensor = mlirTypeIsAShaped(mlirAttributeGetType(value));
  compiler->cells.items[step->out[0]] = is_tensor
                                            ? (LunaCell){.tensor = constant}
                                            : luna_constant_load(constant, 0);
  return true;
}
