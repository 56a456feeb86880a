#include "luna-c/builder.h"

#include "luna/arena.h"

LunaBuilder luna_builder(MlirContext context) {
  return (LunaBuilder){
      .context = context,
      .location = mlirLocationUnknownGet(context),
      .i1 = mlirIntegerTypeGet(context, 1),
      .i8 = mlirIntegerTypeGet(context, 8),
      .i16 = mlirIntegerTypeGet(context, 16),
      .i32 = mlirIntegerTypeGet(context, 32),
      .i48 = mlirIntegerTypeGet(context, 48),
      .i64 = mlirIntegerTypeGet(context, 64),
      .f32 = mlirF32TypeGet(context),
      .index = mlirIndexTypeGet(context),
  };
}

LunaBuilder luna_builder_before(MlirOperation op, MlirOperation like) {
  LunaBuilder b = luna_builder(mlirOperationGetContext(op));
  b.block = mlirOperationGetBlock(op);
  b.before = op;
  b.location = mlirOperationGetLocation(like);
  return b;
}

//===----------------------------------------------------------------------===//
// Shapes and types
//===----------------------------------------------------------------------===//

static LunaShape shape_of_type(MlirType type) {
  LunaShape shape = {.rank = (int)mlirShapedTypeGetRank(type)};
  for (int d = 0; d < shape.rank; ++d)
    shape.dims[d] = mlirShapedTypeGetDimSize(type, d);
  return shape;
}

LunaShape luna_shape_of(MlirValue tensor) {
  return shape_of_type(mlirValueGetType(tensor));
}

int luna_rank_of(MlirValue tensor) {
  return (int)mlirShapedTypeGetRank(mlirValueGetType(tensor));
}

int64_t luna_extent(MlirValue tensor, int64_t dimension) {
  return mlirShapedTypeGetDimSize(mlirValueGetType(tensor),
                                  (intptr_t)dimension);
}

MlirType luna_element_of(MlirValue tensor) {
  return mlirShapedTypeGetElementType(mlirValueGetType(tensor));
}

MlirType luna_tensor_type(MlirType element, const LunaShape *shape) {
  return mlirRankedTensorTypeGet(shape->rank, shape->dims, element,
                                 mlirAttributeGetNull());
}

MlirType luna_list_type(MlirType element, int64_t count) {
  return mlirRankedTensorTypeGet(1, &count, element, mlirAttributeGetNull());
}

MlirType luna_with_element(MlirType tensor, MlirType element) {
  LunaShape shape = shape_of_type(tensor);
  return luna_tensor_type(element, &shape);
}

MlirType luna_function_type_of(MlirBlock block) {
  LunaArena arena = {0};
  MlirOperation end = mlirBlockGetTerminator(block);
  intptr_t inputs = mlirBlockGetNumArguments(block);
  intptr_t results = mlirOperationGetNumOperands(end);
  MlirType *types = LUNA_ARENA_ARRAY(&arena, MlirType, inputs + results);
  for (intptr_t i = 0; i < inputs; ++i)
    types[i] = mlirValueGetType(mlirBlockGetArgument(block, i));
  for (intptr_t i = 0; i < results; ++i)
    types[inputs + i] = mlirValueGetType(mlirOperationGetOperand(end, i));
  MlirType type = mlirFunctionTypeGet(mlirOperationGetContext(end), inputs,
                                      types, results, types + inputs);
  luna_arena_destroy(&arena);
  return type;
}

MlirType luna_function_type_map(MlirType type, MlirType (*map)(MlirType type)) {
  LunaArena arena = {0};
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  MlirType *types = LUNA_ARENA_ARRAY(&arena, MlirType, inputs + results);
  for (intptr_t i = 0; i < inputs; ++i)
    types[i] = map(mlirFunctionTypeGetInput(type, i));
  for (intptr_t i = 0; i < results; ++i)
    types[inputs + i] = map(mlirFunctionTypeGetResult(type, i));
  MlirType mapped = mlirFunctionTypeGet(mlirTypeGetContext(type), inputs, types,
                                        results, types + inputs);
  luna_arena_destroy(&arena);
  return mapped;
}

bool luna_broadcast(const LunaShape *a, const LunaShape *b, LunaShape *out) {
  LunaShape result = {.rank = a->rank > b->rank ? a->rank : b->rank};
  for (int i = 0; i < result.rank; ++i) {
    int at_a = i - (result.rank - a->rank), at_b = i - (result.rank - b->rank);
    int64_t extent_a = at_a >= 0 ? a->dims[at_a] : 1;
    int64_t extent_b = at_b >= 0 ? b->dims[at_b] : 1;
    if (extent_a != extent_b && extent_a != 1 && extent_b != 1)
      return false;
    result.dims[i] = extent_a == 1 ? extent_b : extent_a;
  }
  *out = result;
  return true;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static MlirOperation insert(const LunaBuilder *b, MlirOperationState *state) {
  MlirOperation op = mlirOperationCreate(state);
  if (mlirOperationIsNull(b->before))
    mlirBlockAppendOwnedOperation(b->block, op);
  else
    mlirBlockInsertOwnedOperationBefore(b->block, b->before, op);
  return op;
}

MlirOperation luna_build_spec(const LunaBuilder *b, const LunaOpSpec *spec) {
  MlirOperationState state =
      mlirOperationStateGet(luna_str(spec->name), b->location);
  mlirOperationStateAddOperands(&state, spec->operand_count, spec->operands);
  mlirOperationStateAddResults(&state, spec->result_count, spec->results);
  mlirOperationStateAddAttributes(&state, spec->attribute_count,
                                  spec->attributes);
  mlirOperationStateAddOwnedRegions(&state, spec->region_count,
                                    spec->owned_regions);
  return insert(b, &state);
}

void luna_build_end(const LunaBuilder *b, const char *name, intptr_t count,
                    const MlirValue *operands) {
  luna_build_spec(b, &(LunaOpSpec){.name = name,
                                   .operands = operands,
                                   .operand_count = count});
}

MlirValue luna_build_op(const LunaBuilder *b, const char *name, MlirType type,
                        intptr_t operand_count, const MlirValue *operands,
                        int attribute_count, const LunaAttr *attributes) {
  MlirOperationState state = mlirOperationStateGet(luna_str(name), b->location);
  mlirOperationStateAddOperands(&state, operand_count, operands);
  mlirOperationStateAddResults(&state, 1, &type);
  for (int i = 0; i < attribute_count; ++i) {
    MlirNamedAttribute named =
        luna_named(b->context, attributes[i].name, attributes[i].value);
    mlirOperationStateAddAttributes(&state, 1, &named);
  }
  return mlirOperationGetResult(insert(b, &state), 0);
}

MlirRegion luna_region_of(MlirBlock block) {
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  return region;
}

MlirOperation luna_build_function(const LunaBuilder *b,
                                  const LunaFunctionSpec *function) {
  MlirNamedAttribute attributes[] = {
      luna_named(b->context, "sym_name",
                 luna_string_attr(b->context, function->name)),
      luna_named(b->context, "function_type",
                 mlirTypeAttrGet(luna_function_type_of(function->owned_body))),
      luna_named(b->context, "arg_attrs", function->arg_attrs),
      luna_named(b->context, "res_attrs", function->res_attrs),
  };
  MlirRegion region = luna_region_of(function->owned_body);
  return luna_build_spec(b, &(LunaOpSpec){.name = "func.func",
                                          .attributes = attributes,
                                          .attribute_count = 4,
                                          .owned_regions = &region,
                                          .region_count = 1});
}

void luna_declare_function(MlirBlock module, const char *name, MlirType type) {
  MlirContext context = mlirTypeGetContext(type);
  MlirNamedAttribute attributes[] = {
      luna_named(context, "function_type", mlirTypeAttrGet(type)),
      luna_named(context, "sym_name", luna_string_attr(context, name)),
      luna_named(context, "sym_visibility",
                 luna_string_attr(context, "private")),
  };
  MlirRegion body = mlirRegionCreate();
  const LunaOpSpec spec = {
      .name = "func.func",
      .location = mlirLocationUnknownGet(context),
      .attributes = attributes,
      .attribute_count = 3,
      .owned_regions = &body,
      .region_count = 1,
  };
  mlirBlockAppendOwnedOperation(module, luna_build(&spec));
}

MlirAttribute luna_i64s_attr(MlirContext context, intptr_t count,
                             const int64_t *values) {
  return mlirDenseI64ArrayGet(context, count, values);
}

MlirAttribute luna_i32s_attr(MlirContext context, intptr_t count,
                             const int32_t *values) {
  return mlirDenseI32ArrayGet(context, count, values);
}

MlirAttribute luna_parse_attr(MlirContext context, const char *text) {
  return mlirAttributeParseGet(context, luna_str(text));
}
