#include "time_loop.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { MAX_RANK = 4, MAX_ATTRIBUTES = 4 };

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static MlirNamedAttribute named(MlirContext context, const char *name,
                                MlirAttribute value) {
  return mlirNamedAttributeGet(
      mlirIdentifierGet(context, mlirStringRefCreateFromCString(name)), value);
}

static MlirOperationState op_state(const LunaTimeLoop *loop, const char *name) {
  return mlirOperationStateGet(mlirStringRefCreateFromCString(name),
                               loop->location);
}

static MlirValue append(MlirBlock block, MlirOperationState *state) {
  MlirOperation op = mlirOperationCreate(state);
  mlirBlockAppendOwnedOperation(block, op);
  return mlirOperationGetResult(op, 0);
}

static MlirValue index_constant(const LunaTimeLoop *loop, MlirBlock block,
                                int64_t value) {
  MlirContext context = mlirLocationGetContext(loop->location);
  MlirType type = mlirIndexTypeGet(context);
  MlirNamedAttribute attribute =
      named(context, "value", mlirIntegerAttrGet(type, value));
  MlirOperationState state = op_state(loop, "arith.constant");
  mlirOperationStateAddResults(&state, 1, &type);
  mlirOperationStateAddAttributes(&state, 1, &attribute);
  return append(block, &state);
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

static MlirValue from_the_end(const LunaTimeLoop *loop, int64_t steps) {
  MlirValue operands[2] = {index_constant(loop, loop->body, steps - 1),
                           loop->at};
  MlirType type = mlirValueGetType(loop->at);
  MlirOperationState state = op_state(loop, "arith.subi");
  mlirOperationStateAddResults(&state, 1, &type);
  mlirOperationStateAddOperands(&state, 2, operands);
  return append(loop->body, &state);
}

LunaTimeLoop luna_time_loop(MlirBlock block, MlirLocation location,
                            const LunaTimeSpec *spec) {
  LunaTimeLoop loop = {.location = location,
                       .body = mlirBlockCreate(0, NULL, NULL),
                       .count = spec->count};
  MlirValue bounds[3] = {index_constant(&loop, block, 0),
                         index_constant(&loop, block, spec->steps),
                         index_constant(&loop, block, 1)};
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, loop.body);
  MlirOperationState state = op_state(&loop, "scf.for");
  mlirOperationStateAddOperands(&state, 3, bounds);
  mlirOperationStateAddOperands(&state, spec->count, spec->first);
  loop.at =
      mlirBlockAddArgument(loop.body, mlirValueGetType(bounds[0]), location);
  for (int i = 0; i < spec->count; ++i) {
    MlirType type = mlirValueGetType(spec->first[i]);
    mlirOperationStateAddResults(&state, 1, &type);
    loop.carried[i] = mlirBlockAddArgument(loop.body, type, location);
  }
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  loop.op = mlirOperationCreate(&state);
  mlirBlockAppendOwnedOperation(block, loop.op);
  if (spec->is_reverse)
    loop.at = from_the_end(&loop, spec->steps);
  return loop;
}

void luna_time_end(const LunaTimeLoop *loop, const MlirValue *next) {
  MlirOperationState state = op_state(loop, "scf.yield");
  mlirOperationStateAddOperands(&state, loop->count, next);
  mlirBlockAppendOwnedOperation(loop->body, mlirOperationCreate(&state));
}

MlirValue luna_time_last(const LunaTimeLoop *loop, int i) {
  return mlirOperationGetResult(loop->op, i);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static MlirType row_type(MlirType sequence, int axis) {
  int64_t shape[MAX_RANK], rank = mlirShapedTypeGetRank(sequence);
  for (int64_t d = 0; d < rank; ++d)
    shape[d] = d == axis ? 1 : mlirShapedTypeGetDimSize(sequence, d);
  return mlirRankedTensorTypeGet(rank, shape,
                                 mlirShapedTypeGetElementType(sequence),
                                 mlirAttributeGetNull());
}

// Says that an extract_slice or insert_slice is about the row of this step.
static void set_bounds(MlirOperationState *state, MlirContext context,
                       MlirType row, int axis, bool is_insert) {
  int64_t offsets[MAX_RANK], sizes[MAX_RANK], strides[MAX_RANK];
  // Tensors, then how many offsets, sizes and strides are operands.
  static const int32_t segments[5] = {1, 1, 1, 0, 0};
  int64_t rank = mlirShapedTypeGetRank(row);
  for (int64_t d = 0; d < rank; ++d) {
    offsets[d] = d == axis ? mlirShapedTypeGetDynamicStrideOrOffset() : 0;
    sizes[d] = mlirShapedTypeGetDimSize(row, d);
    strides[d] = 1;
  }
  MlirNamedAttribute attributes[MAX_ATTRIBUTES] = {
      named(context, "operandSegmentSizes",
            mlirDenseI32ArrayGet(context, is_insert ? 5 : 4,
                                 segments + !is_insert)),
      named(context, "static_offsets",
            mlirDenseI64ArrayGet(context, rank, offsets)),
      named(context, "static_sizes",
            mlirDenseI64ArrayGet(context, rank, sizes)),
      named(context, "static_strides",
            mlirDenseI64ArrayGet(context, rank, strides)),
  };
  mlirOperationStateAddAttributes(state, MAX_ATTRIBUTES, attributes);
}

MlirValue luna_time_take(const LunaTimeLoop *loop, MlirValue sequence,
                         int axis) {
  MlirType row = row_type(mlirValueGetType(sequence), axis);
  MlirValue operands[2] = {sequence, loop->at};
  MlirOperationState state = op_state(loop, "tensor.extract_slice");
  mlirOperationStateAddResults(&state, 1, &row);
  mlirOperationStateAddOperands(&state, 2, operands);
  set_bounds(&state, mlirTypeGetContext(row), row, axis, false);
  return append(loop->body, &state);
}

MlirValue luna_time_put(const LunaTimeLoop *loop, MlirValue row,
                        MlirValue sequence, int axis) {
  MlirType types[2] = {mlirValueGetType(row), mlirValueGetType(sequence)};
  MlirValue operands[3] = {row, sequence, loop->at};
  MlirOperationState state = op_state(loop, "tensor.insert_slice");
  mlirOperationStateAddResults(&state, 1, &types[1]);
  mlirOperationStateAddOperands(&state, 3, operands);
  set_bounds(&state, mlirTypeGetContext(types[0]), types[0], axis, true);
  return append(loop->body, &state);
}
