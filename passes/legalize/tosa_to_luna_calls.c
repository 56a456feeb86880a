// Operators as the vendor's library has them, for layout=calls: convolutions in
// the form that has calls (luna/call_form.h), products by constants as
// convolutions of an image of one row, whose columns are the rows of the left
// matrix.

#include <stdio.h>

#include "luna-c/ops.h"
#include "luna/arena.h"
#include "luna/call_form.h"
#include "luna/checked.h"
#include "luna/weight_layout.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_desc.h"
#include "tosa_to_luna.h"
#include "unit_semantics.h"

enum { Y = 1, X = 2, CHANNEL = 3 };

// A convolution, or a matrix product as one, and its form.
typedef struct Forming {
  LunaArena *arena; // of new weights
  MlirOperation op;
  MlirAttribute weights;
  bool is_matmul, is_transposed; // its right matrix is [W, C], not [C, W]
  LunaCallForm form;
} Forming;

//===- Which form ---------------------------------------------------------===//

static bool read_weights(MlirValue value, MlirAttribute *weights) {
  *weights = luna_constant_value(value);
  return !mlirAttributeIsNull(*weights) &&
         mlirAttributeIsADenseElements(*weights);
}

// Returns the convolution that a product is: of [1, 1, N, C] by [W, 1, 1, C].
static LunaConv2dDesc conv_of_matmul(const LunaMatmulDesc *matmul) {
  int32_t rows = matmul->lhs.dims[2], depth = matmul->lhs.dims[CHANNEL];
  int32_t columns = matmul->output.dims[CHANNEL];
  LunaConv2dDesc conv = {.input = matmul->lhs,
                         .weight = {.type = matmul->rhs.type,
                                    .dims = {columns, 1, 1, depth},
                                    .strides = {depth, depth, depth, 1}},
                         .bias = matmul->bias,
                         .table = matmul->table,
                         .output = matmul->output,
                         .stride = {1, 1},
                         .dilation = {1, 1},
                         .input_zero_point = matmul->lhs_zero_point,
                         .weight_zero_point = matmul->rhs_zero_point,
                         .requant = matmul->requant};
  conv.input.dims[Y] = conv.output.dims[Y] = 1;
  conv.input.dims[X] = conv.output.dims[X] = rows;
  return conv;
}

// Finds the form of an operator by constant weights. Returns false if it has
// none.
static bool find_form(const LunaMachine *machine, const LunaUnitDesc *desc,
                      MlirValue weight, Forming *forming) {
  const LunaMatmulDesc *matmul = &desc->as.matmul;
  forming->is_matmul = desc->unit_class == LUNA_UNIT_MATMUL;
  forming->is_transposed = forming->is_matmul && matmul->rhs_transposed;
  if (!read_weights(weight, &forming->weights) ||
      (forming->is_matmul && matmul->lhs.dims[1] != 1))
    return false;
  const LunaConv2dDesc conv =
      forming->is_matmul ? conv_of_matmul(matmul) : desc->as.conv2d;
  return conv.input.type == LUNA_TYPE_I8 && conv.weight.type == LUNA_TYPE_I8 &&
         luna_call_form(machine, &conv, &forming->form);
}

// Returns true if a product has calls as it is: of dense matrices, no bias.
static bool is_matrix_call(const LunaUnitDesc *desc) {
  const LunaMatmulDesc *matmul = &desc->as.matmul;
  return desc->unit_class == LUNA_UNIT_MATMUL && matmul->bias.dims[3] == 0 &&
         matmul->lhs.type == LUNA_TYPE_I8 && matmul->rhs.type == LUNA_TYPE_I8 &&
         matmul->lhs_zero_point == 0 && matmul->rhs_zero_point == 0;
}

bool luna_tosa_leave_to_core(const LunaTosaChain *chain) {
  char text[128];
  snprintf(text, sizeof text,
           "machine '%.60s' has no call for it: the core computes it",
           chain->machine->name);
  lunaEmitRemark(chain->root, text);
  return false;
}

// Reads the operator that `spec` would be, which is built for that and goes
// again.
static bool read_unit(const LunaTosaUnit *spec, MlirType type,
                      LunaUnitDesc *desc) {
  MlirOperation op = luna_defining_op(luna_tosa_make_unit(spec, type));
  MlirOperation empty = luna_defining_op(luna_unit_output(op));
  bool is_read = luna_unit_desc_read_tensors(op, desc);
  mlirOperationDestroy(op);
  mlirOperationDestroy(empty);
  return is_read;
}

bool luna_tosa_fits_calls(const LunaTosaChain *chain, const LunaTosaUnit *spec,
                          MlirType type) {
  Forming forming = {0};
  LunaUnitDesc desc;
  return !chain->wants_calls ||
         (read_unit(spec, type, &desc) &&
          (find_form(chain->machine, &desc, spec->inputs[1], &forming) ||
           is_matrix_call(&desc))) ||
         luna_tosa_leave_to_core(chain);
}

bool luna_tosa_replace_pool(const LunaTosaChain *chain,
                            const LunaTosaUnit *spec) {
  MlirValue result = mlirOperationGetResult(chain->root, 0);
  LunaUnitDesc desc;
  bool is_read = read_unit(spec, mlirValueGetType(result), &desc);
  int64_t channels = luna_extent(result, CHANNEL);
  int64_t step =
      is_read ? luna_pool_call_channels(chain->machine, &desc.as.pool) : 0;
  if (step == 0)
    return luna_tosa_leave_to_core(chain);
  LunaArena arena = {0};
  int64_t count = luna_ceil_div(channels, step);
  MlirValue *parts = LUNA_ARENA_ARRAY(&arena, MlirValue, count);
  for (int64_t i = 0; i < count; ++i) {
    LunaTosaUnit unit = *spec;
    LunaShape in = luna_shape_of(spec->inputs[0]), out = luna_shape_of(result);
    const int64_t start[4] = {0, 0, 0, i * step};
    in.dims[CHANNEL] = out.dims[CHANNEL] =
        channels - i * step < step ? channels - i * step : step;
    unit.inputs[0] =
        luna_build_slice(&spec->builder, spec->inputs[0], start, in.dims);
    parts[i] = luna_tosa_make_images(
        &unit, luna_tensor_type(luna_element_of(result), &out));
  }
  mlirValueReplaceAllUsesOfWith(
      result, luna_build_concat(&spec->builder, count, parts, CHANNEL));
  luna_arena_destroy(&arena);
  return true;
}

//===- Weights and other constants ----------------------------------------===//

static int64_t element_count(const LunaShape *shape) {
  int64_t count = 1;
  for (int i = 0; i < shape->rank; ++i)
    count *= shape->dims[i];
  return count;
}

// Returns where a weight lies among those of the operator.
static int64_t source_of(const Forming *forming, int64_t index) {
  const int32_t *kernel = forming->form.from.weight.dims;
  int64_t depth = kernel[CHANNEL], columns = kernel[0];
  return forming->is_matmul && !forming->is_transposed
             ? index % depth * columns + index / depth
             : index;
}

// Adds the weights of the form for input channels from `first` on.
static MlirValue build_weights(const Forming *forming,
                               const LunaConv2dDesc *conv, int64_t first) {
  LunaBuilder b = luna_builder_before(forming->op, forming->op);
  const int32_t *dims = conv->weight.dims;
  const LunaShape shape = {4, {dims[0], dims[1], dims[2], dims[3]}};
  int64_t count = element_count(&shape), at[4];
  int8_t *data = LUNA_ARENA_ARRAY(forming->arena, int8_t, count);
  for (int64_t i = 0; i < count; ++i) {
    int64_t left = i;
    for (int d = 3; d >= 0; --d) {
      at[d] = left % dims[d];
      left /= dims[d];
    }
    int64_t index = luna_call_form_weight(&forming->form, first, at);
    data[i] = index < 0
                  ? (int8_t)conv->weight_zero_point
                  : mlirDenseElementsAttrGetInt8Value(
                        forming->weights, (intptr_t)source_of(forming, index));
  }
  return luna_build_data(&b, luna_tensor_type(b.i8, &shape), data);
}

// Returns bias or table for `count` channels from `first` on; all of one that
// is the same for each.
static MlirValue for_channels(const Forming *forming, MlirValue operand,
                              int64_t first, int64_t count) {
  LunaBuilder b = luna_builder_before(forming->op, forming->op);
  LunaShape shape = luna_shape_of(operand);
  int64_t *channels = &shape.dims[shape.rank - 1], of = *channels;
  MlirAttribute value = luna_constant_value(operand);
  if (of == 1 || of == count)
    return operand;
  *channels = count;
  if (!mlirTypeEqual(luna_element_of(operand), b.i32) ||
      mlirAttributeIsNull(value) || !mlirAttributeIsADenseElements(value)) {
    int64_t start[LUNA_RANK_MAX] = {0};
    start[shape.rank - 1] = first;
    return luna_build_slice(&b, operand, start, shape.dims);
  }
  int64_t elements = element_count(&shape);
  int32_t *data = LUNA_ARENA_ARRAY(forming->arena, int32_t, elements);
  for (int64_t i = 0; i < elements; ++i)
    data[i] = mlirDenseElementsAttrGetInt32Value(
        value, (intptr_t)(i / count * of + first + i % count));
  return luna_build_data(&b, luna_tensor_type(b.i32, &shape), data);
}

//===- Convolutions -------------------------------------------------------===//

// Adds a convolution of `conv` whose input zero point is that of the operator,
// with the operator's weights, bias and table for input channels from `first`
// and output channels from `channel` on.
static MlirValue build_conv2d(const Forming *forming,
                              const LunaConv2dDesc *conv, MlirValue input,
                              int64_t first, int64_t channel) {
  MlirOperation op = forming->op;
  MlirContext context = mlirOperationGetContext(op);
  const int32_t *out = conv->output.dims;
  const LunaShape shape = {4, {out[0], out[1], out[2], out[3]}};
  int32_t segments[] = {
      [LUNA_ROLE_INPUT] = 1, [LUNA_ROLE_WEIGHT] = 1, [LUNA_ROLE_OUTPUT] = 1};
  LunaTosaUnit spec = {.name = "luna.conv2d",
                       .builder = luna_builder_before(op, op),
                       .inputs = {input, build_weights(forming, conv, first)},
                       .input_count = 2};
  const LunaOperandRole roles[] = {LUNA_ROLE_BIAS, LUNA_ROLE_TABLE};
  for (int i = 0; i < 2; ++i) {
    MlirValue operand = luna_unit_operand(op, roles[i]);
    segments[roles[i]] = !mlirValueIsNull(operand);
    if (!mlirValueIsNull(operand))
      spec.inputs[spec.input_count++] =
          for_channels(forming, operand, channel, out[CHANNEL]);
  }
  LunaTosaAttrs *attributes = &spec.attributes;
  int64_t stride[] = {conv->stride[0], conv->stride[1]};
  int64_t dilation[] = {conv->dilation[0], conv->dilation[1]};
  int64_t pad[] = {conv->pad[0], conv->pad[1], conv->pad[2], conv->pad[3]};
  luna_tosa_add_segments(attributes, context, segments, LUNA_UNIT_OPERANDS_MAX);
  luna_tosa_add_attr(attributes, context, "requant", luna_attr(op, "requant"));
  luna_tosa_add_int(attributes, context, "kind", conv->kind, 0);
  luna_tosa_add_ints(attributes, context, "stride", stride, 2, 1);
  luna_tosa_add_ints(attributes, context, "dilation", dilation, 2, 1);
  luna_tosa_add_ints(attributes, context, "pad", pad, 4, 0);
  luna_tosa_add_int(
      attributes, context, "input_zp",
      luna_attr_int(op, forming->is_matmul ? "lhs_zp" : "input_zp", 0), 0);
  luna_tosa_add_int(attributes, context, "weight_zp", conv->weight_zero_point,
                    0);
  return luna_tosa_make_unit(
      &spec, luna_tensor_type(luna_element_of(luna_unit_output(op)), &shape));
}

// Adds the input with `rows` rows and `columns` columns: cut, or with the
// padding of `conv` before it and what is missing after it.
static MlirValue build_extents(const Forming *forming, int64_t rows,
                               int64_t columns, const int32_t pad[4]) {
  LunaBuilder b = luna_builder_before(forming->op, forming->op);
  MlirValue value = luna_unit_operand(forming->op, LUNA_ROLE_INPUT);
  LunaShape size = luna_shape_of(value);
  const int64_t wanted[2] = {rows, columns}, start[4] = {0};
  int64_t pads[8] = {0};
  for (int i = 0; i < 2; ++i) {
    int64_t read = wanted[i] - pad[2 * i];
    if (size.dims[Y + i] > read)
      size.dims[Y + i] = read;
    pads[2 + 2 * i] = pad[2 * i];
    pads[3 + 2 * i] = read - size.dims[Y + i];
  }
  value = luna_build_slice(&b, value, start, size.dims);
  MlirValue fill = luna_build_const_one(
      &b, b.i8, (double)luna_attr_int(forming->op, "input_zp", 0));
  return luna_build_pad(&b, value, pads, fill);
}

static MlirValue build_itself(const Forming *forming) {
  const LunaConv2dDesc *conv = &forming->form.conv;
  const int32_t *in = conv->input.dims;
  MlirValue input = luna_unit_operand(forming->op, LUNA_ROLE_INPUT);
  LunaBuilder b = luna_builder_before(forming->op, forming->op);
  const LunaShape image = {4, {in[0], in[1], in[2], in[3]}};
  if (forming->is_matmul)
    input = luna_build_reshape(&b, input, &image);
  if (forming->form.pads_input)
    input = build_extents(forming, in[Y], in[X], forming->form.from.pad);
  return build_conv2d(forming, conv, input, 0, 0);
}

static MlirValue build_block(const Forming *forming, int64_t first,
                             int64_t count) {
  LunaBuilder b = luna_builder_before(forming->op, forming->op);
  const LunaCallForm *form = &forming->form;
  LunaConv2dDesc conv = form->conv;
  int64_t multiplier = conv.output.dims[CHANNEL] / conv.input.dims[CHANNEL];
  MlirValue input = luna_unit_operand(forming->op, LUNA_ROLE_INPUT);
  LunaShape size = luna_shape_of(input);
  const int64_t start[4] = {0, 0, 0, first};
  size.dims[CHANNEL] = count;
  conv.weight.dims[CHANNEL] = (int32_t)count;
  conv.weight.dims[0] = conv.output.dims[CHANNEL] =
      (int32_t)(count * multiplier);
  return build_conv2d(forming, &conv,
                      luna_build_slice(&b, input, start, size.dims), first,
                      first * multiplier);
}

static MlirValue build_channels(const Forming *forming) {
  LunaBuilder b = luna_builder_before(forming->op, forming->op);
  int64_t channels = forming->form.from.input.dims[CHANNEL];
  int64_t step = forming->form.conv.input.dims[CHANNEL];
  int64_t count = luna_ceil_div(channels, step);
  MlirValue *blocks = LUNA_ARENA_ARRAY(forming->arena, MlirValue, count);
  for (int64_t i = 0; i < count; ++i) {
    int64_t left = channels - i * step;
    blocks[i] = build_block(forming, i * step, left < step ? left : step);
  }
  return luna_build_concat(&b, count, blocks, CHANNEL);
}

static MlirValue build_rows(const Forming *forming) {
  LunaBuilder b = luna_builder_before(forming->op, forming->op);
  const LunaCallForm *form = &forming->form;
  const int32_t *in = form->conv.input.dims;
  const LunaShape shape = {4, {in[0], in[1], in[2], in[3]}};
  int axis = Y + form->row_axis;
  bool is_y = form->rows_are_flat || axis == X;
  int64_t length = is_y ? in[X] : in[Y];
  int64_t all = (int64_t)form->row_length * (form->row_count - 1) + length;
  MlirValue value = build_extents(forming, axis == Y ? all : 1,
                                  axis == Y ? 1 : all, form->from.pad);
  MlirValue *rows =
      LUNA_ARENA_ARRAY(forming->arena, MlirValue, form->row_count);
  LunaShape size = luna_shape_of(value);
  size.dims[axis] = length;
  for (int32_t i = 0; i < form->row_count && !form->rows_are_flat; ++i) {
    int64_t start[4] = {0};
    start[axis] = (int64_t)i * form->row_length;
    rows[i] = luna_build_slice(&b, value, start, size.dims);
  }
  value = form->rows_are_flat
              ? luna_build_reshape(&b, value, &shape)
              : luna_build_concat(&b, form->row_count, rows, is_y ? Y : X);
  return build_conv2d(forming, &form->conv, value, 0, 0);
}

static MlirValue build_phases(const Forming *forming) {
  LunaBuilder b = luna_builder_before(forming->op, forming->op);
  const LunaCallForm *form = &forming->form;
  const int32_t *in = form->conv.input.dims, *stride = form->from.stride;
  int64_t count = (int64_t)stride[0] * stride[1];
  const int64_t size[] = {in[0], in[Y], in[X], in[CHANNEL] / count};
  const int64_t step[] = {1, stride[0], stride[1], 1};
  MlirValue value = build_extents(forming, (int64_t)in[Y] * stride[0],
                                  (int64_t)in[X] * stride[1], form->from.pad);
  MlirValue *phases = LUNA_ARENA_ARRAY(forming->arena, MlirValue, count);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t start[] = {0, i / stride[1], i % stride[1], 0};
    phases[i] = luna_build_strided_slice(&b, value, start, size, step);
  }
  return build_conv2d(forming, &form->conv,
                      luna_build_concat(&b, count, phases, CHANNEL), 0, 0);
}

static MlirValue build_spread(const Forming *forming) {
  LunaBuilder b = luna_builder_before(forming->op, forming->op);
  const LunaCallForm *form = &forming->form;
  const int32_t *in = form->conv.input.dims, *stride = form->from.stride;
  const LunaShape shape = {4, {in[0], in[1], in[2], in[3]}};
  const int64_t start[] = {0, form->spread[0], form->spread[1], 0};
  const int64_t step[] = {1, stride[0], stride[1], 1};
  MlirValue filled = luna_tosa_fill(&b, luna_tensor_type(b.i8, &shape),
                                    luna_attr_int(forming->op, "input_zp", 0));
  MlirValue spread = luna_build_strided_insert(
      &b, luna_unit_operand(forming->op, LUNA_ROLE_INPUT), filled, start, step);
  return build_conv2d(forming, &form->conv, spread, 0, 0);
}

//===- All operators ------------------------------------------------------===//

typedef struct Former {
  const LunaMachine *machine;
  LunaArena arena;
} Former;

// Returns true if an operator is the calls that it has.
static bool is_formed(const Forming *forming) {
  const LunaCallForm *form = &forming->form;
  return form->kind == LUNA_FORM_ITSELF && !forming->is_matmul &&
         !form->pads_input &&
         luna_conv2d_taps(&form->conv, 0) == form->taps[0] &&
         luna_conv2d_taps(&form->conv, 1) == form->taps[1];
}

// Has the core compute an operator, which the program may have had as one of
// the unit.
static void leave_unit_to_core(const Former *former, MlirOperation op) {
  luna_tosa_leave_to_core(
      &(LunaTosaChain){.root = op, .machine = former->machine});
  luna_unit_to_linalg(op);
}

static void build_form(const Forming *forming) {
  static MlirValue (*const builders[])(const Forming *) = {
      [LUNA_FORM_ITSELF] = build_itself, [LUNA_FORM_CHANNELS] = build_channels,
      [LUNA_FORM_ROWS] = build_rows,     [LUNA_FORM_PHASES] = build_phases,
      [LUNA_FORM_SPREAD] = build_spread,
  };
  MlirValue result = mlirOperationGetResult(forming->op, 0);
  LunaShape shape = luna_shape_of(result);
  LunaBuilder b = luna_builder_before(forming->op, forming->op);
  MlirValue value = builders[forming->form.kind](forming);
  mlirValueReplaceAllUsesOfWith(result, luna_build_reshape(&b, value, &shape));
  mlirOperationDestroy(forming->op);
}

static void form_tiled(Former *former, MlirOperation op,
                       const LunaUnitDesc *desc) {
  Forming forming = {.arena = &former->arena, .op = op};
  bool has_form = find_form(former->machine, desc,
                            luna_unit_operand(op, LUNA_ROLE_WEIGHT), &forming);
  if (!has_form && !is_matrix_call(desc))
    leave_unit_to_core(former, op);
  else if (has_form && !is_formed(&forming))
    build_form(&forming);
}

static bool form(MlirOperation op, void *data) {
  Former *former = data;
  LunaUnitDesc desc;
  if (!luna_op_is_unit(op) || mlirOperationGetNumResults(op) != 1 ||
      !luna_unit_desc_read_tensors(op, &desc))
    return true;
  if (luna_unit_of(op)->unit_class == LUNA_UNIT_ELTWISE)
    luna_tosa_form_factors(op);
  else if (luna_op_is_tiled(op))
    form_tiled(former, op, &desc);
  else if (luna_op_is(op, LUNA_OP_LUNA_MAX_POOL2D) &&
           luna_pool_call_channels(former->machine, &desc.as.pool) <
               desc.as.pool.input.dims[CHANNEL])
    leave_unit_to_core(former, op);
  return true;
}

void luna_tosa_form_calls(MlirOperation func, const LunaMachine *machine) {
  Former former = {.machine = machine};
  luna_walk(func, form, &former);
  luna_arena_destroy(&former.arena);
}
