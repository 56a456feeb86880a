// Factors of channels, for layout=calls: vector calls repeat no operand, so
// that one of a value for each channel becomes planes, a column of the values
// times a row of ones.

#include "luna-c/ops.h"
#include "tosa_to_luna.h"

enum { Y = 1, X = 2, CHANNEL = 3 };

// The most elements of a plane that one product writes.
enum { PLANE_MAX = 4096 };

// Returns true if a vector call would have to repeat the operand for each place
// of the output's planes.
static bool is_repeated(MlirValue operand, const LunaShape *out) {
  LunaShape shape = luna_shape_of(operand);
  int64_t places = out->dims[Y] * out->dims[X];
  return shape.rank == 4 && out->rank == 4 && out->dims[0] == 1 &&
         mlirTypeIsAInteger(luna_element_of(operand)) &&
         mlirIntegerTypeGetWidth(luna_element_of(operand)) == 8 &&
         shape.dims[Y] == 1 && shape.dims[X] == 1 && places > 1 &&
         places <= PLANE_MAX && shape.dims[CHANNEL] == out->dims[CHANNEL] &&
         shape.dims[CHANNEL] > 1;
}

// Adds a column of one element for each channel times a row of ones: planes.
static MlirValue build_planes(MlirOperation op, MlirValue operand,
                              const LunaShape *out) {
  static const int32_t turn[] = {0, 2, 1};
  MlirContext context = mlirOperationGetContext(op);
  int64_t channels = out->dims[CHANNEL], places = out->dims[Y] * out->dims[X];
  const LunaShape column = {3, {1, channels, 1}}, row = {3, {1, 1, places}};
  const LunaShape product = {3, {1, channels, places}};
  const int32_t segments[LUNA_UNIT_OPERANDS_MAX] = {
      [LUNA_ROLE_INPUT] = 1, [LUNA_ROLE_WEIGHT] = 1, [LUNA_ROLE_OUTPUT] = 1};
  LunaTosaUnit spec = {.name = "luna.matmul",
                       .builder = luna_builder_before(op, op),
                       .input_count = 2};
  const LunaBuilder *b = &spec.builder;
  spec.inputs[0] = luna_build_reshape(b, operand, &column);
  spec.inputs[1] = luna_tosa_fill(b, luna_tensor_type(b->i8, &row), 1);
  luna_tosa_add_segments(&spec.attributes, context, segments,
                         LUNA_UNIT_OPERANDS_MAX);
  luna_tosa_add_attr(
      &spec.attributes, context, "requant",
      lunaRequantAttrGet(context, (LunaRequant){.mode = LUNA_REQUANT_SHIFT,
                                                .clamp_min = INT8_MIN,
                                                .clamp_max = INT8_MAX}));
  MlirValue planes =
      luna_tosa_make_unit(&spec, luna_tensor_type(b->i8, &product));
  return luna_build_reshape(b, luna_build_transpose(b, planes, turn), out);
}

void luna_tosa_form_factors(MlirOperation op) {
  LunaShape out = luna_shape_of(luna_unit_output(op));
  for (intptr_t i = 0; i < 2; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (is_repeated(operand, &out))
      mlirOperationSetOperand(op, i, build_planes(op, operand, &out));
  }
}
