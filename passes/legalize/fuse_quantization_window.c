// The largest elements of windows and their sums: a linalg.generic of one
// operation, as readers write pools of three dimensions or with dilation.

#include "fuse_quantization.h"

#include <math.h>

#include "luna-c/build_scalar.h"
#include "luna-c/build_tosa.h"

// Sums of int32 hold as many int8.
enum { MAX_ELEMENTS = 1 << 16 };

static MlirValue result_of(MlirOperation op) {
  return mlirOperationGetResult(op, 0);
}

// Reads the only input that the body combines with the result, by one op.
static bool read_combined(MlirBlock body, LunaOpName name, MlirOperation *step,
                          intptr_t *input) {
  *step = mlirBlockGetFirstOperation(body);
  MlirOperation yield = mlirOperationGetNextInBlock(*step);
  intptr_t last = mlirBlockGetNumArguments(body) - 1, at[2];
  if (!luna_op_is(*step, name) || mlirOperationIsNull(yield) ||
      !mlirValueEqual(mlirOperationGetOperand(yield, 0), result_of(*step)))
    return false;
  for (int i = 0; i < 2; ++i) {
    MlirValue value = mlirOperationGetOperand(*step, i);
    if (!mlirValueIsABlockArgument(value) ||
        !mlirBlockEqual(mlirBlockArgumentGetOwner(value), body))
      return false;
    at[i] = mlirBlockArgumentGetArgNumber(value);
  }
  *input = at[0] == last ? at[1] : at[0];
  return (at[0] == last) != (at[1] == last);
}

static bool is_static_tensor(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsARankedTensor(type) && mlirShapedTypeHasStaticShape(type);
}

static bool read_window(MlirOperation op, LunaOpName name, LunaFuseWindow *w) {
  if (!luna_op_is(op, LUNA_OP_LINALG_GENERIC) ||
      mlirOperationGetNumResults(op) != 1 ||
      mlirOperationGetNumOperands(op) != 3 ||
      !is_static_tensor(result_of(op)) ||
      !mlirTypeIsAF32(luna_element_of(result_of(op))))
    return false;
  *w = (LunaFuseWindow){.op = op};
  MlirOperation step;
  if (!read_combined(luna_body(op, 0), name, &step, &w->input))
    return false;
  // The other input says how large the window is.
  MlirValue kernel = mlirOperationGetOperand(op, 1 - w->input);
  w->source = mlirOperationGetOperand(op, w->input);
  if (w->input > 1 || !is_static_tensor(kernel) || !is_static_tensor(w->source))
    return false;
  w->count = 1;
  for (int i = 0; i < luna_rank_of(kernel); ++i)
    w->count *= luna_extent(kernel, i);
  return luna_literal_number(mlirOperationGetOperand(op, 2), &w->start);
}

bool luna_fuse_read_max(MlirOperation op, LunaFuseWindow *w) {
  return read_window(op, LUNA_OP_ARITH_MAXIMUMF, w);
}

// Makes the op one on integers that start as `start`. Returns the body's only
// op, whose operands have other types now.
static MlirOperation retype(const LunaFuseWindow *w, MlirOperation op,
                            MlirValue ints, MlirType element, int64_t start) {
  LunaBuilder b = luna_builder_before(op, op);
  MlirBlock body = luna_body(op, 0);
  MlirType type = luna_with_element(mlirValueGetType(result_of(op)), element);
  mlirOperationSetOperand(op, w->input, ints);
  mlirOperationSetOperand(op, 2, luna_build_splat(&b, type, (double)start));
  mlirValueSetType(mlirBlockGetArgument(body, w->input), luna_element_of(ints));
  mlirValueSetType(mlirBlockGetArgument(body, 2), element);
  mlirValueSetType(result_of(op), type);
  return mlirBlockGetFirstOperation(body);
}

static void replace_step(MlirOperation step, MlirValue with) {
  mlirValueReplaceAllUsesOfWith(result_of(step), with);
  mlirOperationDestroy(step);
}

void luna_fuse_max_of_ints(const LunaFuseWindow *w, MlirValue ints,
                           int64_t start) {
  MlirOperation step = retype(w, w->op, ints, luna_element_of(ints), start);
  LunaBuilder b = luna_builder_before(step, step);
  replace_step(step, luna_scalar_max(&b, mlirOperationGetOperand(step, 0),
                                     mlirOperationGetOperand(step, 1)));
}

bool luna_fuse_sink_max(MlirOperation op) {
  LunaFuseWindow w;
  LunaQuant quant;
  if (!luna_fuse_read_max(op, &w) || !isinf(w.start) || w.start > 0 ||
      !luna_quant_source(w.source, &quant) || !quant.is_uniform ||
      !luna_quant_keeps_order(&quant))
    return false;
  int64_t lowest =
      -(INT64_C(1) << (mlirIntegerTypeGetWidth(quant.element) - 1));
  luna_fuse_max_of_ints(&w, luna_quant_ints(&quant), lowest);
  luna_quant_dequantize_result(result_of(op), &quant, mlirAttributeGetNull());
  return true;
}

bool luna_fuse_read_sum(MlirOperation op, LunaFuseWindow *w, LunaQuant *quant) {
  return read_window(op, LUNA_OP_ARITH_ADDF, w) && w->start == 0 &&
         w->count <= MAX_ELEMENTS && luna_quant_source(w->source, quant) &&
         luna_quant_is_int8(quant);
}

MlirValue luna_fuse_sum_ints(const LunaBuilder *b, const LunaFuseWindow *w,
                             const LunaQuant *quant) {
  MlirOperation op = mlirOperationClone(w->op);
  luna_insert_before(b->before, op);
  MlirOperation step = retype(w, op, luna_quant_ints(quant), b->i32, 0);
  LunaBuilder in = luna_builder_before(step, step);
  MlirBlock body = luna_body(op, 0);
  MlirValue x =
      luna_scalar_resize(&in, mlirBlockGetArgument(body, w->input), in.i32);
  if (quant->zero != 0)
    x = luna_scalar_with(&in, "arith.subi", x, quant->zero);
  replace_step(step, luna_scalar_add(&in, mlirBlockGetArgument(body, 2), x));
  return result_of(op);
}
