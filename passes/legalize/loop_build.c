#include "loop_build.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static MlirContext context_of(const LunaLoop *loop) {
  return mlirOperationGetContext(loop->before);
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

LunaLoop luna_loop_begin(MlirOperation before, MlirLocation location,
                         MlirType result) {
  return (LunaLoop){
      .before = before,
      .location = location,
      .result = result,
      .body = mlirBlockCreate(0, NULL, NULL),
  };
}

static MlirValue add_input(LunaLoop *loop, MlirValue tensor,
                           const MlirAffineExpr *exprs, intptr_t count) {
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(loop->result);
  loop->maps[loop->input_count] = mlirAffineMapAttrGet(mlirAffineMapGet(
      context_of(loop), rank, 0, count, (MlirAffineExpr *)exprs));
  loop->inputs[loop->input_count++] = tensor;
  return mlirBlockAddArgument(
      loop->body, mlirShapedTypeGetElementType(mlirValueGetType(tensor)),
      loop->location);
}

MlirValue luna_loop_input(LunaLoop *loop, MlirValue tensor) {
  MlirAffineExpr exprs[LUNA_RANK_MAX];
  MlirType type = mlirValueGetType(tensor);
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(type);
  bool has_rank = rank == mlirShapedTypeGetRank(loop->result);
  for (intptr_t i = 0; i < rank; ++i)
    exprs[i] = has_rank && mlirShapedTypeGetDimSize(type, i) ==
                               mlirShapedTypeGetDimSize(loop->result, i)
                   ? mlirAffineDimExprGet(context_of(loop), i)
                   : mlirAffineConstantExprGet(context_of(loop), 0);
  return add_input(loop, tensor, exprs, rank);
}

MlirValue luna_loop_input_last(LunaLoop *loop, MlirValue tensor) {
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(loop->result);
  MlirAffineExpr last = mlirAffineDimExprGet(context_of(loop), rank - 1);
  return add_input(loop, tensor, &last, 1);
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

static MlirOperation append(LunaLoop *loop, LunaOpSpec spec) {
  spec.location = loop->location;
  MlirOperation op = luna_build(&spec);
  mlirBlockAppendOwnedOperation(loop->body, op);
  return op;
}

static MlirValue append_value(LunaLoop *loop, LunaOpSpec spec, MlirType type) {
  spec.results = &type;
  spec.result_count = 1;
  return mlirOperationGetResult(append(loop, spec), 0);
}

static MlirValue literal(LunaLoop *loop, MlirAttribute value) {
  MlirNamedAttribute attribute = luna_named(context_of(loop), "value", value);
  return append_value(loop,
                      (LunaOpSpec){.name = "arith.constant",
                                   .attributes = &attribute,
                                   .attribute_count = 1},
                      mlirAttributeGetType(value));
}

MlirValue luna_loop_float(LunaLoop *loop, double value) {
  MlirContext context = context_of(loop);
  return literal(
      loop, mlirFloatAttrDoubleGet(context, mlirF32TypeGet(context), value));
}

MlirValue luna_loop_int(LunaLoop *loop, MlirType type, int64_t value) {
  return literal(loop, mlirIntegerAttrGet(type, value));
}

MlirValue luna_loop_unary(LunaLoop *loop, const char *name, MlirValue x) {
  return luna_loop_convert(loop, name, x, mlirValueGetType(x));
}

MlirValue luna_loop_binary(LunaLoop *loop, const char *name, MlirValue x,
                           MlirValue y) {
  MlirValue operands[2] = {x, y};
  return append_value(
      loop,
      (LunaOpSpec){.name = name, .operands = operands, .operand_count = 2},
      mlirValueGetType(x));
}

MlirValue luna_loop_convert(LunaLoop *loop, const char *name, MlirValue x,
                            MlirType type) {
  return append_value(
      loop, (LunaOpSpec){.name = name, .operands = &x, .operand_count = 1},
      type);
}

MlirValue luna_loop_compare(LunaLoop *loop, int64_t predicate, MlirValue x,
                            MlirValue y) {
  MlirContext context = context_of(loop);
  MlirValue operands[2] = {x, y};
  MlirNamedAttribute attribute =
      luna_named(context, "predicate", luna_i64_attr(context, predicate));
  return append_value(loop,
                      (LunaOpSpec){.name = "arith.cmpf",
                                   .operands = operands,
                                   .operand_count = 2,
                                   .attributes = &attribute,
                                   .attribute_count = 1},
                      mlirIntegerTypeGet(context, 1));
}

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

static MlirAttribute iterators(const LunaLoop *loop) {
  MlirAttribute kinds[LUNA_RANK_MAX];
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(loop->result);
  MlirAttribute parallel = mlirAttributeParseGet(
      context_of(loop), luna_str("#linalg.iterator_type<parallel>"));
  for (intptr_t i = 0; i < rank; ++i)
    kinds[i] = parallel;
  return mlirArrayAttrGet(context_of(loop), rank, kinds);
}

static MlirValue make_empty(const LunaLoop *loop) {
  return mlirOperationGetResult(
      luna_build_before(loop->before, &(LunaOpSpec){.name = "tensor.empty",
                                                    .location = loop->location,
                                                    .results = &loop->result,
                                                    .result_count = 1}),
      0);
}

MlirValue luna_loop_end(LunaLoop *loop, MlirValue element) {
  MlirContext context = context_of(loop);
  append(loop, (LunaOpSpec){.name = "linalg.yield",
                            .operands = &element,
                            .operand_count = 1});
  mlirBlockAddArgument(loop->body, mlirShapedTypeGetElementType(loop->result),
                       loop->location);
  intptr_t count = loop->input_count;
  MlirValue operands[LUNA_LOOP_MAX_INPUTS + 1];
  for (intptr_t i = 0; i < count; ++i)
    operands[i] = loop->inputs[i];
  operands[count] = make_empty(loop);
  loop->maps[count] = mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(
      context, (intptr_t)mlirShapedTypeGetRank(loop->result)));
  const int32_t segments[2] = {(int32_t)count, 1};
  MlirNamedAttribute attributes[3] = {
      luna_named(context, "operandSegmentSizes",
                 mlirDenseI32ArrayGet(context, 2, segments)),
      luna_named(context, "indexing_maps",
                 mlirArrayAttrGet(context, count + 1, loop->maps)),
      luna_named(context, "iterator_types", iterators(loop)),
  };
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, loop->body);
  MlirOperation op =
      luna_build_before(loop->before, &(LunaOpSpec){.name = "linalg.generic",
                                                    .location = loop->location,
                                                    .operands = operands,
                                                    .operand_count = count + 1,
                                                    .results = &loop->result,
                                                    .result_count = 1,
                                                    .attributes = attributes,
                                                    .attribute_count = 3,
                                                    .owned_regions = &region,
                                                    .region_count = 1});
  return mlirOperationGetResult(op, 0);
}
