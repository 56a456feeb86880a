#include "time_loop.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sequence_row.h"

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

static LunaSequenceRow row_of(const LunaTimeLoop *loop, int axis) {
  return (LunaSequenceRow){.block = loop->body,
                           .location = loop->location,
                           .axis = axis,
                           .at = loop->at};
}

MlirValue luna_time_take(const LunaTimeLoop *loop, MlirValue sequence,
                         int axis) {
  LunaSequenceRow row = row_of(loop, axis);
  return luna_row_take(&row, sequence);
}

MlirValue luna_time_put(const LunaTimeLoop *loop, MlirValue value,
                        MlirValue sequence, int axis) {
  LunaSequenceRow row = row_of(loop, axis);
  return luna_row_put(&row, value, sequence);
}
