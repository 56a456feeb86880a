// Structured linalg operators: a loop nest, operands accessed through affine
// maps, and a body. Iterations run in the order of convert-linalg-to-loops.

#include "linalg.h"

#include <string.h>

#include "box.h"
#include "luna-c/ir.h"
#include "luna/checked.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"

enum { MAX_LOOPS = LUNA_CONSTANT_MAX_RANK, MAX_OPERANDS = 16 };

typedef struct Operand {
  LunaConstant shape;
  LunaBox box;
  // The body reads it.
  bool is_read;
  bool is_scalar;
} Operand;

typedef struct Linalg {
  int32_t loop_count, operand_count, input_count;
  int64_t bounds[MAX_LOOPS], total;
  Operand operands[MAX_OPERANDS];
  LunaProgram body;
  bool uses_index;
  // Every element of each result is written.
  bool writes_all;
} Linalg;

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

// Adds `scale` times the expression to an offset that is affine in the loops.
static bool add_linear(MlirAffineExpr expr, int64_t scale, LunaBox *box) {
  if (mlirAffineExprIsADim(expr)) {
    box->strides[mlirAffineDimExprGetPosition(expr)] += scale;
    return true;
  }
  if (mlirAffineExprIsAConstant(expr)) {
    box->offset += scale * mlirAffineConstantExprGetValue(expr);
    return true;
  }
  if (!mlirAffineExprIsAAdd(expr) && !mlirAffineExprIsAMul(expr))
    return false;
  MlirAffineExpr left = mlirAffineBinaryOpExprGetLHS(expr);
  MlirAffineExpr right = mlirAffineBinaryOpExprGetRHS(expr);
  if (mlirAffineExprIsAAdd(expr))
    return add_linear(left, scale, box) && add_linear(right, scale, box);
  return mlirAffineExprIsAConstant(right) &&
         add_linear(left, scale * mlirAffineConstantExprGetValue(right), box);
}

// A dimension indexed by a single loop determines its trip count.
static void find_bounds(MlirAffineMap map, Linalg *linalg,
                        const Operand *operand) {
  for (int32_t i = 0; i < operand->shape.rank; ++i) {
    MlirAffineExpr expr = mlirAffineMapGetResult(map, i);
    if (mlirAffineExprIsADim(expr))
      linalg->bounds[mlirAffineDimExprGetPosition(expr)] =
          operand->shape.dims[i];
  }
}

// True if all indices of the map lie within dimension `i`.
static bool lies_inside(const Linalg *linalg, const LunaBox *box,
                        int64_t size) {
  int64_t low = box->offset, high = box->offset;
  for (int32_t d = 0; d < linalg->loop_count; ++d) {
    int64_t reach = box->strides[d] * (linalg->bounds[d] - 1);
    low += reach < 0 ? reach : 0;
    high += reach > 0 ? reach : 0;
  }
  return low >= 0 && high < size;
}

static bool read_map(MlirAffineMap map, Linalg *linalg, Operand *operand) {
  int64_t strides[LUNA_CONSTANT_MAX_RANK];
  luna_row_strides(operand->shape.rank, operand->shape.dims, strides);
  for (int32_t i = 0; i < operand->shape.rank; ++i) {
    LunaBox box = {.offset = 0};
    if (!add_linear(mlirAffineMapGetResult(map, i), 1, &box) ||
        (linalg->total > 0 &&
         !lies_inside(linalg, &box, operand->shape.dims[i])))
      return false;
    operand->box.offset += strides[i] * box.offset;
    for (int32_t d = 0; d < linalg->loop_count; ++d)
      operand->box.strides[d] += strides[i] * box.strides[d];
  }
  return true;
}

// True if each element of the operand belongs to an iteration: each dimension
// is indexed by a loop of its own.
static bool covers(MlirAffineMap map, const Linalg *linalg,
                   const Operand *operand) {
  return mlirAffineMapIsProjectedPermutation(map) &&
         mlirAffineMapGetNumResults(map) == operand->shape.rank &&
         linalg->total > 0;
}

static MlirAffineMap map_of(MlirAttribute maps, int32_t i) {
  return mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
}

static bool read_operands(MlirOperation op, MlirAttribute maps,
                          Linalg *linalg) {
  for (int32_t i = 0; i < linalg->operand_count; ++i) {
    Operand *operand = &linalg->operands[i];
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    operand->is_scalar = !mlirTypeIsAShaped(type);
    if (!luna_constant_shape(type, &operand->shape) ||
        mlirAffineMapGetNumDims(map_of(maps, i)) != linalg->loop_count ||
        mlirAffineMapGetNumResults(map_of(maps, i)) != operand->shape.rank)
      return false;
    find_bounds(map_of(maps, i), linalg, operand);
  }
  for (int32_t d = 0; d < linalg->loop_count; ++d)
    if (linalg->bounds[d] < 0 ||
        !luna_checked_mul(linalg->total, linalg->bounds[d], &linalg->total))
      return false;
  linalg->writes_all = true;
  for (int32_t i = linalg->input_count; i < linalg->operand_count; ++i)
    if (linalg->operands[i].is_scalar ||
        !luna_compile_keeps_type(op, i, i - linalg->input_count))
      return false;
  for (int32_t i = 0; i < linalg->operand_count; ++i) {
    if (!read_map(map_of(maps, i), linalg, &linalg->operands[i]))
      return false;
    if (i >= linalg->input_count)
      linalg->writes_all = linalg->writes_all && covers(map_of(maps, i), linalg,
                                                        &linalg->operands[i]);
  }
  return true;
}

static bool find_index(MlirOperation op, void *data) {
  if (luna_op_is(op, LUNA_OP_LINALG_INDEX))
    *(bool *)data = true;
  return true;
}

static bool compile_body(LunaCompiler *compiler, MlirOperation op,
                         Linalg *linalg) {
  MlirBlock body = luna_body(op, 0);
  if (mlirBlockIsNull(body) ||
      mlirBlockGetNumArguments(body) != linalg->operand_count ||
      !luna_compile_block(compiler, body, &linalg->body))
    return false;
  for (int32_t i = 0; i < linalg->operand_count; ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i);
    linalg->operands[i].is_read = luna_is_used(argument);
    if (mlirTypeIsAShaped(mlirValueGetType(argument)))
      return false;
  }
  luna_walk(op, find_index, &linalg->uses_index);
  return linalg->body.yield_count ==
         linalg->operand_count - linalg->input_count;
}

static bool run_linalg(LunaInterpreter *interpreter, const LunaStep *step);

bool luna_compile_linalg(LunaCompiler *compiler, MlirOperation op,
                         LunaStep *step) {
  MlirAttribute maps = mlirOperationGetNumRegions(op) == 1
                           ? mlirLinalgGetIndexingMapsAttribute(op)
                           : mlirAttributeGetNull();
  if (mlirAttributeIsNull(maps) || step->in_count > MAX_OPERANDS ||
      step->out_count < 1 || step->out_count > step->in_count ||
      mlirArrayAttrGetNumElements(maps) != step->in_count)
    return false;
  Linalg *linalg = LUNA_ARENA_ARRAY(compiler->arena, Linalg, 1);
  *linalg = (Linalg){
      .loop_count = (int32_t)mlirAffineMapGetNumDims(map_of(maps, 0)),
      .operand_count = step->in_count,
      .input_count = step->in_count - step->out_count,
      .total = 1,
  };
  if (linalg->loop_count > MAX_LOOPS)
    return false;
  for (int32_t d = 0; d < linalg->loop_count; ++d)
    linalg->bounds[d] = -1;
  step->detail = linalg;
  step->run = run_linalg;
  return read_operands(op, maps, linalg) && compile_body(compiler, op, linalg);
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

static void load_arguments(LunaInterpreter *interpreter, const LunaStep *step,
                           const LunaBox *boxes, LunaConstant *const *results) {
  const Linalg *linalg = step->detail;
  for (int32_t i = 0; i < linalg->operand_count; ++i) {
    const Operand *operand = &linalg->operands[i];
    LunaCell *cell = &interpreter->cells[linalg->body.arguments[i]];
    if (!operand->is_read)
      continue;
    const LunaCell *in = &interpreter->cells[step->in[i]];
    if (operand->is_scalar)
      *cell = *in;
    else
      *cell = luna_constant_load(i < linalg->input_count
                                     ? in->tensor
                                     : results[i - linalg->input_count],
                                 boxes[i].offset);
  }
}

// Executes one iteration and stores what it yields at `results`.
static bool iterate(LunaInterpreter *interpreter, const LunaStep *step,
                    const LunaBox *boxes, LunaConstant *const *results) {
  const Linalg *linalg = step->detail;
  load_arguments(interpreter, step, boxes, results);
  if (!luna_interpreter_run(interpreter, &linalg->body))
    return false;
  for (int32_t i = 0; i < linalg->body.yield_count; ++i)
    if (!luna_constant_define(results[i], boxes[linalg->input_count + i].offset,
                              interpreter->cells[linalg->body.yields[i]]))
      return false;
  return true;
}

static bool run_loops(LunaInterpreter *interpreter, const LunaStep *step,
                      LunaConstant *const *results) {
  const Linalg *linalg = step->detail;
  int64_t index[MAX_LOOPS] = {0}, cost;
  LunaBox boxes[MAX_OPERANDS];
  if (!luna_checked_mul(linalg->total,
                        linalg->body.step_count + linalg->operand_count,
                        &cost) ||
      !luna_interpreter_spend(interpreter, cost))
    return false;
  for (int32_t i = 0; i < linalg->operand_count; ++i)
    boxes[i] = linalg->operands[i].box;
  const int64_t *outer = interpreter->loop_index;
  interpreter->loop_index = index;
  bool is_done = linalg->total == 0, holds = true;
  while (holds && !is_done) {
    holds = iterate(interpreter, step, boxes, results);
    is_done = !luna_box_next(linalg->loop_count, linalg->bounds, index, boxes,
                             linalg->operand_count);
  }
  interpreter->loop_index = outer;
  return holds;
}

// True if all iterations yield the same: they read splats and scalars only.
static bool is_uniform(const LunaInterpreter *interpreter,
                       const LunaStep *step) {
  const Linalg *linalg = step->detail;
  if (linalg->uses_index || !linalg->writes_all)
    return false;
  for (int32_t i = 0; i < linalg->operand_count; ++i) {
    const Operand *operand = &linalg->operands[i];
    bool is_one = operand->is_scalar ||
                  (i < linalg->input_count &&
                   interpreter->cells[step->in[i]].tensor->is_splat);
    if (operand->is_read && !is_one)
      return false;
  }
  return true;
}

static bool run_once(LunaInterpreter *interpreter, const LunaStep *step) {
  const Linalg *linalg = step->detail;
  load_arguments(interpreter, step, (LunaBox[MAX_OPERANDS]){{0}}, NULL);
  if (!luna_interpreter_run(interpreter, &linalg->body))
    return false;
  for (int32_t i = 0; i < linalg->body.yield_count; ++i) {
    LunaConstant *tensor = luna_interpreter_splat(
        interpreter, &linalg->operands[linalg->input_count + i].shape,
        interpreter->cells[linalg->body.yields[i]]);
    if (!tensor)
      return false;
    interpreter->cells[step->out[i]] = (LunaCell){.tensor = tensor};
  }
  return luna_interpreter_spend(interpreter, linalg->body.step_count + 1);
}

// The input that the body yields unchanged, or -1.
static int32_t moved_input(const Linalg *linalg) {
  if (linalg->body.step_count > 0 || linalg->body.yield_count != 1)
    return -1;
  for (int32_t i = 0; i < linalg->input_count; ++i)
    if (linalg->body.yields[0] == linalg->body.arguments[i] &&
        !linalg->operands[i].is_scalar)
      return i;
  return -1;
}

// The initial elements of a result: those of its outs operand.
static LunaConstant *start(LunaInterpreter *interpreter, const LunaStep *step,
                           int32_t operand) {
  const Linalg *linalg = step->detail;
  const LunaConstant *init = interpreter->cells[step->in[operand]].tensor;
  if (linalg->writes_all && !linalg->operands[operand].is_read)
    return luna_interpreter_tensor(interpreter,
                                   &linalg->operands[operand].shape);
  return luna_interpreter_copy(interpreter, init);
}

static bool run_linalg(LunaInterpreter *interpreter, const LunaStep *step) {
  const Linalg *linalg = step->detail;
  if (is_uniform(interpreter, step))
    return run_once(interpreter, step);
  LunaConstant *results[MAX_OPERANDS];
  for (int32_t i = 0; i < step->out_count; ++i) {
    results[i] = start(interpreter, step, linalg->input_count + i);
    if (!results[i])
      return false;
    interpreter->cells[step->out[i]] = (LunaCell){.tensor = results[i]};
  }
  int32_t moved = moved_input(linalg);
  if (moved < 0)
    return run_loops(interpreter, step, results);
  return luna_box_copy(interpreter, linalg->loop_count, linalg->bounds,
                       results[0], &linalg->operands[linalg->input_count].box,
                       interpreter->cells[step->in[moved]].tensor,
                       &linalg->operands[moved].box);
}

//===----------------------------------------------------------------------===//
// linalg.index
//===----------------------------------------------------------------------===//

static bool run_index(LunaInterpreter *interpreter, const LunaStep *step) {
  const int64_t *dim = step->detail;
  interpreter->cells[step->out[0]] =
      (LunaCell){.integer = interpreter->loop_index[*dim]};
  return true;
}

bool luna_compile_linalg_index(LunaCompiler *compiler, MlirOperation op,
                               LunaStep *step) {
  int64_t *dim = LUNA_ARENA_ARRAY(compiler->arena, int64_t, 1);
  *dim = luna_attr_int(op, "dim", 0);
  step->detail = dim;
  step->run = run_index;
  return true;
}
