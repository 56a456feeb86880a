// luna-bound-shapes: gives tensors of a size that only the running program
// knows the size of its bound, and a live count.
//
// In: a function on tensors after luna-propagate-shapes and tosa-to-scf, of
// which one dimension of a tensor may be open (`?`): slices of a computed size,
// and branches whose regions yield other sizes.
// Out: the same without open types. A tensor has its bound, and beside it an
// index that says how much of that is live. Operators run over the bound; what
// would take part though it is dead is masked. A result of the function is 0
// behind what is live, and has a further result, tensor<1xi32>, named NAME.size
// after it. A function without open types is left alone.
// Refuses: two open dimensions, open arguments and carried values, and
// operators of which nothing says that they hide what is dead. Example:
// lit_tests/passes/luna-bound-shapes/doc.mlir

#include "bound_shapes.h"

#include <string.h>

#include "luna-c/build_generic.h"
#include "luna-c/build_scalar.h"
#include "luna-c/build_tosa.h"
#include "luna-c/pass.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinTypes.h"
#include "shape_reader.h"

const LunaLive *luna_find_live(const LunaBounder *bounder, MlirValue value) {
  uint32_t index = luna_map_find(&bounder->values, luna_map_pointer(value.ptr));
  return index == LUNA_MAP_ABSENT ? NULL : &bounder->lives.items[index];
}

void luna_add_live(LunaBounder *bounder, MlirValue value, int axis,
                   MlirValue count) {
  luna_map_add(&bounder->values, bounder->arena, luna_map_pointer(value.ptr));
  *LUNA_VECTOR_ADD(bounder->arena, &bounder->lives) =
      (LunaLive){value, axis, count};
}

static bool is_open(MlirType type) {
  return mlirTypeIsARankedTensor(type) && !mlirShapedTypeHasStaticShape(type);
}

int luna_open_axis(MlirType type) {
  int axis = -1;
  if (!mlirTypeIsARankedTensor(type))
    return -1;
  for (int d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    if (!mlirShapedTypeIsDynamicDim(type, d))
      continue;
    if (axis >= 0)
      return -1;
    axis = d;
  }
  return axis;
}

bool luna_refuse_open(MlirOperation op, int axis) {
  if (axis >= 0)
    luna_emit_error(op,
                    "the size of dimension %d is known while running only, "
                    "which is not supported here",
                    axis);
  else
    luna_emit_error(op, "several sizes are known while running only; one size "
                        "is supported");
  return false;
}

// The static shape that a value of an open type gets.
static MlirType bounded_type(MlirType type, int axis, int64_t bound) {
  LunaShape shape = {.rank = (int)mlirShapedTypeGetRank(type)};
  for (int d = 0; d < shape.rank; ++d)
    shape.dims[d] = d == axis ? bound : mlirShapedTypeGetDimSize(type, d);
  return luna_tensor_type(mlirShapedTypeGetElementType(type), &shape);
}

// Builds the tensor with another number behind what is live.
static MlirValue build_mask(LunaBuilder *b, const LunaLive *live,
                            MlirValue (*neutral)(const LunaBuilder *b,
                                                 MlirType type)) {
  LunaGeneric generic = luna_generic_over(b, live->value);
  MlirValue element = luna_generic_input(&generic, live->value);
  MlirType type = luna_element_of(live->value);
  luna_generic_result(&generic, type);
  MlirValue is_live = luna_scalar_compare(
      b, LUNA_LT, luna_generic_index(&generic, live->axis), live->count);
  return luna_generic_end(
      &generic, luna_scalar_select(b, is_live, element, neutral(b, type)));
}

static MlirValue build_zero(const LunaBuilder *b, MlirType type) {
  return luna_scalar_float(b, type, 0);
}

static MlirValue build_one(const LunaBuilder *b, MlirType type) {
  return luna_scalar_float(b, type, 1);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

// From a known size to an open one, all is live; back, the program says that so
// much is.
static bool bound_cast(LunaBounder *bounder, MlirOperation op) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirValue result = mlirOperationGetResult(op, 0);
  const LunaLive *live = luna_find_live(bounder, source);
  MlirType type = mlirValueGetType(result);
  LunaBuilder b = luna_builder_before(op, op);
  if (is_open(type)) {
    int axis = live ? live->axis : luna_open_axis(type);
    if (axis < 0)
      return luna_refuse_open(op, axis);
    MlirValue count =
        live ? live->count : luna_scalar_index(&b, luna_extent(source, axis));
    mlirValueSetType(result, mlirValueGetType(source));
    luna_add_live(bounder, result, axis, count);
    return true;
  }
  LunaShape shape = luna_shape_of(result);
  int64_t start[LUNA_RANK_MAX] = {0};
  if (shape.dims[live->axis] > luna_extent(source, live->axis))
    return luna_refuse_open(op, live->axis);
  mlirValueReplaceAllUsesOfWith(
      result, luna_build_slice(&b, source, start, shape.dims));
  return true;
}

static bool bound_dim(LunaBounder *bounder, MlirOperation op) {
  const LunaLive *live =
      luna_find_live(bounder, mlirOperationGetOperand(op, 0));
  int64_t axis;
  if (!luna_constant_number(mlirOperationGetOperand(op, 1), &axis))
    return luna_refuse_open(op, live->axis);
  if (axis == live->axis)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), live->count);
  return true;
}

// The live count that operands of one rank share, which broadcast; NULL after
// an error.
static const LunaLive *shared_live(LunaBounder *bounder, MlirOperation op) {
  const LunaLive *shared = NULL;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const LunaLive *live =
        luna_find_live(bounder, mlirOperationGetOperand(op, i));
    if (live && shared &&
        (live->axis != shared->axis ||
         !luna_same_value(live->count, shared->count))) {
      luna_emit_error(op, "two sizes of operands are known while running only, "
                          "and may differ");
      return NULL;
    }
    shared = live ? live : shared;
  }
  return shared;
}

// Operators that work element by element, or move whole rows.
static bool bound_elementwise(LunaBounder *bounder, MlirOperation op,
                              bool broadcasts) {
  const LunaLive *live = shared_live(bounder, op);
  MlirValue result = mlirOperationGetResult(op, 0);
  if (!live)
    return false;
  int64_t bound = luna_extent(live->value, live->axis);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    const LunaLive *own = luna_find_live(bounder, operand);
    if (own ? luna_extent(operand, own->axis) != bound
            : broadcasts && mlirTypeIsATensor(mlirValueGetType(operand)) &&
                  luna_rank_of(operand) == luna_rank_of(live->value) &&
                  luna_extent(operand, live->axis) != 1)
      return luna_refuse_open(op, live->axis);
    // What is dead may be 0.
    if (own && i == 1 && luna_op_is(op, LUNA_OP_TOSA_INTDIV)) {
      LunaBuilder b = luna_builder_before(op, op);
      mlirOperationSetOperand(op, i, build_mask(&b, own, build_one));
    }
  }
  mlirValueSetType(result,
                   bounded_type(mlirValueGetType(result), live->axis, bound));
  luna_add_live(bounder, result, live->axis, live->count);
  return true;
}

static bool bound_reduce_sum(LunaBounder *bounder, MlirOperation op) {
  const LunaLive *live =
      luna_find_live(bounder, mlirOperationGetOperand(op, 0));
  if (luna_attr_int(op, "axis", 0) != live->axis)
    return bound_elementwise(bounder, op, false);
  LunaBuilder b = luna_builder_before(op, op);
  mlirOperationSetOperand(op, 0, build_mask(&b, live, build_zero));
  return true;
}

// Operators whose dimension `axis` takes part as a whole: live is another one.
static bool bound_along(LunaBounder *bounder, MlirOperation op) {
  const LunaLive *live = shared_live(bounder, op);
  if (live && luna_attr_int(op, "axis", 0) == live->axis)
    return luna_refuse_open(op, live->axis);
  return live && bound_elementwise(bounder, op, true);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

// The bound of result `k`, the largest that a region yields.
static int64_t bound_of_yields(MlirOperation op, intptr_t k, int axis) {
  int64_t bound = 1;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirOperation end = mlirBlockGetTerminator(luna_body(op, r));
    int64_t extent = luna_extent(mlirOperationGetOperand(end, k), axis);
    bound = extent > bound ? extent : bound;
  }
  return bound;
}

// Has each region yield `bound` indices of result `k`, and how many are live.
static bool yield_bound(LunaBounder *bounder, MlirOperation op, intptr_t k,
                        int axis, int64_t bound, MlirValue *count) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = luna_body(op, r);
    MlirOperation end = mlirBlockGetTerminator(block);
    LunaBuilder b = luna_builder_before(end, end);
    MlirValue value = mlirOperationGetOperand(end, k);
    const LunaLive *live = luna_find_live(bounder, value);
    int64_t pads[2 * LUNA_RANK_MAX] = {0};
    if (!live || live->axis != axis)
      return luna_refuse_open(op, axis);
    pads[2 * axis + 1] = bound - luna_extent(value, axis);
    *count = live->count;
    MlirValue fill = luna_build_const_one(&b, luna_element_of(value), 0);
    mlirOperationSetOperand(end, k, luna_build_pad(&b, value, pads, fill));
    luna_add_yields(bounder->arena, block, count, 1);
  }
  return true;
}

// The counts are further results, which all come at once: op is another one
// then.
static bool bound_branch(LunaBounder *bounder, MlirOperation op) {
  intptr_t results = mlirOperationGetNumResults(op), count = 0;
  MlirValue *counts = LUNA_ARENA_ARRAY(bounder->arena, MlirValue, results);
  int *axes = LUNA_ARENA_ARRAY(bounder->arena, int, results);
  for (intptr_t k = 0; k < results; ++k) {
    MlirValue result = mlirOperationGetResult(op, k);
    MlirType type = mlirValueGetType(result);
    axes[k] = luna_open_axis(type);
    if (!is_open(type))
      continue;
    if (axes[k] < 0)
      return luna_refuse_open(op, axes[k]);
    int64_t bound = bound_of_yields(op, k, axes[k]);
    if (!yield_bound(bounder, op, k, axes[k], bound, &counts[count++]))
      return false;
    mlirValueSetType(result, bounded_type(type, axes[k], bound));
  }
  if (count == 0)
    return true;
  op = luna_add_results(bounder->arena, op, counts, count);
  intptr_t at = results;
  for (intptr_t k = 0; k < results; ++k)
    if (axes[k] >= 0)
      luna_add_live(bounder, mlirOperationGetResult(op, k), axes[k],
                    mlirOperationGetResult(op, at++));
  return true;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static MlirAttribute result_attributes(MlirOperation func, intptr_t i) {
  MlirAttribute all = luna_attr(func, "res_attrs");
  return mlirAttributeIsNull(all)
             ? mlirDictionaryAttrGet(mlirOperationGetContext(func), 0, NULL)
             : mlirArrayAttrGetElement(all, i);
}

// The name of a result, or its number, with `.size`.
static MlirAttribute size_attributes(LunaBounder *bounder, intptr_t i) {
  MlirContext context = mlirOperationGetContext(bounder->func);
  MlirAttribute name = mlirDictionaryAttrGetElementByName(
      result_attributes(bounder->func, i), luna_str("luna.name"));
  MlirStringRef text =
      mlirAttributeIsNull(name) ? luna_str("") : mlirStringAttrGetValue(name);
  const char *size =
      text.length > 0 ? luna_arena_printf(bounder->arena, "%.*s.size",
                                          (int)text.length, text.data)
                      : luna_arena_printf(bounder->arena, "out%d.size", (int)i);
  MlirNamedAttribute named =
      luna_named(context, "luna.name", luna_string_attr(context, size));
  return mlirDictionaryAttrGet(context, 1, &named);
}

static void set_results(LunaBounder *bounder, intptr_t count,
                        const MlirValue *values,
                        const MlirAttribute *attributes) {
  MlirOperation func = bounder->func;
  MlirContext context = mlirOperationGetContext(func);
  MlirType old = mlirTypeAttrGetValue(luna_attr(func, "function_type"));
  intptr_t inputs = mlirFunctionTypeGetNumInputs(old);
  MlirType *types = LUNA_ARENA_ARRAY(bounder->arena, MlirType, inputs + count);
  for (intptr_t i = 0; i < inputs; ++i)
    types[i] = mlirFunctionTypeGetInput(old, i);
  for (intptr_t i = 0; i < count; ++i)
    types[inputs + i] = mlirValueGetType(values[i]);
  luna_set_attr(func, "function_type",
                mlirTypeAttrGet(mlirFunctionTypeGet(context, inputs, types,
                                                    count, types + inputs)));
  luna_set_attr(func, "res_attrs",
                mlirArrayAttrGet(context, count, attributes));
}

// Results are 0 behind what is live; then come their sizes.
static bool bound_return(LunaBounder *bounder, MlirOperation op) {
  intptr_t results = mlirOperationGetNumOperands(op), count = results;
  MlirValue *values = LUNA_ARENA_ARRAY(bounder->arena, MlirValue, 2 * results);
  MlirAttribute *attributes =
      LUNA_ARENA_ARRAY(bounder->arena, MlirAttribute, 2 * results);
  LunaBuilder b = luna_builder_before(op, op);
  LunaShape one = {1, {1}};
  for (intptr_t i = 0; i < results; ++i) {
    values[i] = mlirOperationGetOperand(op, i);
    attributes[i] = result_attributes(bounder->func, i);
    const LunaLive *live = luna_find_live(bounder, values[i]);
    if (!live)
      continue;
    MlirValue size = luna_scalar_to(&b, "arith.index_cast", live->count, b.i32);
    values[count] = luna_build_from_scalar(&b, size, &one);
    attributes[count++] = size_attributes(bounder, i);
    values[i] = build_mask(&b, live, build_zero);
  }
  luna_build_end(&b, "func.return", count, values);
  mlirOperationDestroy(op);
  if (count > results)
    set_results(bounder, count, values, attributes);
  return true;
}

static bool takes_live(const LunaBounder *bounder, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (luna_find_live(bounder, mlirOperationGetOperand(op, i)))
      return true;
  return false;
}

static bool gives_open(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (is_open(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

// A slice whose sizes are constants, as upstream writes it for tosa.scatter:
// its type folds later.
static bool has_known_sizes(MlirOperation op) {
  int64_t counts[4], number; // of tensors, offsets, sizes and strides
  if (!luna_attr_ints(op, "operandSegmentSizes", counts, 4))
    return false;
  for (int64_t i = 0; i < counts[2]; ++i)
    if (!luna_constant_number(
            mlirOperationGetOperand(op, (intptr_t)(counts[0] + counts[1] + i)),
            &number))
      return false;
  return true;
}

static bool refuse(const LunaBounder *bounder, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const LunaLive *live =
        luna_find_live(bounder, mlirOperationGetOperand(op, i));
    if (live)
      return luna_refuse_open(op, live->axis);
  }
  return luna_refuse_open(
      op, luna_open_axis(mlirValueGetType(mlirOperationGetResult(op, 0))));
}

static bool bound_tosa(LunaBounder *bounder, MlirOperation op) {
  const char *rule = luna_shape_rule_of(op)->forward_name;
  if (luna_op_is(op, LUNA_OP_TOSA_REDUCE_SUM))
    return bound_reduce_sum(bounder, op);
  if (luna_op_is(op, LUNA_OP_TOSA_REVERSE) || strcmp(rule, "reduce") == 0 ||
      strcmp(rule, "concat") == 0)
    return bound_along(bounder, op);
  if (strcmp(rule, "same") == 0 && !luna_op_is(op, LUNA_OP_TOSA_SCATTER))
    return bound_elementwise(bounder, op, false);
  if (strcmp(rule, "broadcast") == 0 || strcmp(rule, "broadcast3") == 0)
    return bound_elementwise(bounder, op, true);
  return refuse(bounder, op);
}

static bool bound_op(LunaBounder *bounder, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_SCF_IF) ||
      luna_op_is(op, LUNA_OP_SCF_INDEX_SWITCH))
    return bound_branch(bounder, op);
  // The terminator of a branch is that branch's.
  if (luna_op_is(op, LUNA_OP_SCF_YIELD) &&
      (luna_op_is(mlirOperationGetParentOperation(op), LUNA_OP_SCF_IF) ||
       luna_op_is(mlirOperationGetParentOperation(op),
                  LUNA_OP_SCF_INDEX_SWITCH)))
    return true;
  if (luna_op_is(op, LUNA_OP_FUNC_RETURN))
    return bound_return(bounder, op);
  if (!takes_live(bounder, op) && !gives_open(op))
    return true;
  if (luna_op_is(op, LUNA_OP_TENSOR_EXTRACT_SLICE))
    return has_known_sizes(op) || luna_bound_extract_slice(bounder, op);
  if (!takes_live(bounder, op))
    return luna_op_is(op, LUNA_OP_TENSOR_CAST) ? bound_cast(bounder, op)
                                               : refuse(bounder, op);
  if (luna_op_is(op, LUNA_OP_TENSOR_INSERT_SLICE))
    return luna_bound_insert_slice(bounder, op);
  if (luna_op_is(op, LUNA_OP_TENSOR_CAST))
    return bound_cast(bounder, op);
  if (luna_op_is(op, LUNA_OP_TENSOR_DIM))
    return bound_dim(bounder, op);
  return luna_op_in_dialect(op, LUNA_DIALECT_TOSA) ? bound_tosa(bounder, op)
                                                   : refuse(bounder, op);
}

static bool bound_block(LunaBounder *bounder, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next;
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
      MlirBlock body = luna_body(op, r);
      if (!mlirBlockIsNull(body) && !bound_block(bounder, body))
        return false;
    }
    if (!bound_op(bounder, op))
      return false;
  }
  return true;
}

static bool is_static_op(MlirOperation op, void *data) {
  (void)data;
  return !gives_open(op);
}

// Nothing is open any more that luna-propagate-shapes described.
static bool drop_description(MlirOperation op, void *data) {
  static const char *const names[] = {"luna.shape", "luna.class", "luna.sizes"};
  (void)data;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    mlirOperationRemoveDiscardableAttributeByName(op, luna_str(names[i]));
  return true;
}

static bool has_open_argument(MlirBlock block) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    if (is_open(mlirValueGetType(mlirBlockGetArgument(block, i))))
      return true;
  return false;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *values) {
  (void)values;
  LunaArena arena = {0};
  LunaBounder bounder = {.arena = &arena, .func = func};
  MlirBlock body = luna_body(func, 0);
  // Open arguments are for luna-check-input to refuse.
  if (mlirBlockIsNull(body) || luna_walk(func, is_static_op, NULL) ||
      has_open_argument(body))
    return mlirLogicalResultSuccess();
  luna_walk(func, drop_description, NULL);
  drop_description(func, NULL);
  bool is_done = bound_block(&bounder, body);
  luna_arena_destroy(&arena);
  if (is_done)
    luna_erase_unused(func);
  return is_done ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

static const char *const dialects[] = {"arith",  "func", "linalg",
                                       "tensor", "tosa", NULL};

const LunaPassDesc luna_pass_bound_shapes = {
    .argument = "luna-bound-shapes",
    .summary = "Give tensors of computed sizes a bound and a live count",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .run = run,
};
