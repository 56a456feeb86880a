// luna-form-calls: writes operators of the unit as the calls that the vendor's
// library has for them.
//
// In: operators of the unit on tensors. Out: with layout=calls, a matrix
// product by constants is a convolution by 1x1 kernels of an image of one row,
// whose columns are the rows of the left matrix: it has a bias, and its output
// channels may be cut. Where the machine's strides do not exceed the kernel, a
// smaller constant kernel has further taps, which hold the zero point of the
// weights and may meet padding. Where a kernel has more rows than the limit and
// the input one channel, padding that blocks of it would not take is written to
// the input. With another layout nothing changes. Refuses: nothing. Options:
// machine=NAME|FILE.xml; layout, as of luna-choose-layout. Example:
// lit_tests/passes/luna-form-calls/doc.mlir

#include <string.h>

#include "luna-c/build_tosa.h"
#include "luna-c/dialect.h"
#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "luna/units.h"
#include "machine_option.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_desc.h"

enum { OPT_MACHINE, OPT_LAYOUT, OPT_COUNT };

typedef struct Former {
  const LunaMachine *machine;
  LunaArena *arena; // of new weights
} Former;

// Reads constant weights of 8 bits. Returns false if `value` is not that.
static bool read_weights(MlirValue value, MlirAttribute *weights) {
  *weights = luna_constant_value(value);
  return !mlirAttributeIsNull(*weights) &&
         mlirAttributeIsADenseElements(*weights) &&
         mlirTypeIsAInteger(luna_element_of(value)) &&
         mlirIntegerTypeGetWidth(luna_element_of(value)) == 8;
}

static int8_t weight_at(MlirAttribute weights, int64_t i) {
  return mlirDenseElementsAttrGetInt8Value(weights, (intptr_t)i);
}

static int64_t element_count(const LunaShape *shape) {
  int64_t count = 1;
  for (int i = 0; i < shape->rank; ++i)
    count *= shape->dims[i];
  return count;
}

// Creates a convolution that writes a tensor of `shape`, with the bias, table
// and requantisation of `op` and further attributes.
static MlirValue build_conv2d(MlirOperation op, MlirValue input,
                              MlirValue weight, const LunaShape *shape,
                              const LunaAttr *attributes, int count) {
  LunaBuilder b = luna_builder_before(op, op);
  MlirType type =
      luna_tensor_type(luna_element_of(luna_unit_output(op)), shape);
  int32_t segments[LUNA_UNIT_OPERANDS_MAX] = {
      [LUNA_ROLE_INPUT] = 1, [LUNA_ROLE_WEIGHT] = 1, [LUNA_ROLE_OUTPUT] = 1};
  MlirValue operands[LUNA_UNIT_OPERANDS_MAX] = {input, weight};
  LunaAttr all[10] = {{"requant", luna_attr(op, "requant")}};
  intptr_t operand_count = 2;
  const LunaOperandRole roles[] = {LUNA_ROLE_BIAS, LUNA_ROLE_TABLE};
  for (int i = 0; i < 2; ++i) {
    MlirValue operand = luna_unit_operand(op, roles[i]);
    if (mlirValueIsNull(operand))
      continue;
    operands[operand_count++] = operand;
    segments[roles[i]] = 1;
  }
  operands[operand_count++] = luna_build_empty(&b, type);
  all[1] = (LunaAttr){
      "operandSegmentSizes",
      mlirDenseI32ArrayGet(b.context, LUNA_UNIT_OPERANDS_MAX, segments)};
  memcpy(&all[2], attributes, (size_t)count * sizeof *attributes);
  return luna_build_op(&b, "luna.conv2d", type, operand_count, operands,
                       count + 2, all);
}

static void replace(MlirOperation op, MlirValue value) {
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), value);
  mlirOperationDestroy(op);
}

//===- Matrix products ----------------------------------------------------===//

// Creates the right matrix of `op`, [1, C, W] or transposed, as [W, 1, 1, C].
static MlirValue build_kernels(const Former *former, MlirOperation op,
                               MlirAttribute weights, bool is_transposed) {
  LunaBuilder b = luna_builder_before(op, op);
  MlirValue rhs = luna_unit_operand(op, LUNA_ROLE_WEIGHT);
  int64_t depth = luna_extent(rhs, is_transposed ? 2 : 1);
  int64_t columns = luna_extent(rhs, is_transposed ? 1 : 2);
  const LunaShape shape = {4, {columns, 1, 1, depth}};
  int8_t *data = LUNA_ARENA_ARRAY(former->arena, int8_t, columns *depth);
  for (int64_t w = 0; w < columns; ++w)
    for (int64_t c = 0; c < depth; ++c)
      data[w * depth + c] =
          weight_at(weights, is_transposed ? w * depth + c : c * columns + w);
  return luna_build_data(&b, luna_tensor_type(luna_element_of(rhs), &shape),
                         data);
}

static bool form_matmul(const Former *former, MlirOperation op) {
  LunaUnitDesc desc = {.unit_class = LUNA_UNIT_MATMUL};
  MlirAttribute weights;
  MlirValue lhs = luna_unit_operand(op, LUNA_ROLE_INPUT);
  luna_unit_desc_read_attributes(op, &desc);
  if (luna_extent(lhs, 0) != 1 ||
      !read_weights(luna_unit_operand(op, LUNA_ROLE_WEIGHT), &weights))
    return false;
  LunaBuilder b = luna_builder_before(op, op);
  LunaShape out = luna_shape_of(luna_unit_output(op));
  const LunaShape image = {4, {1, 1, luna_extent(lhs, 1), luna_extent(lhs, 2)}};
  const LunaShape result = {4, {1, 1, out.dims[1], out.dims[2]}};
  const LunaAttr zero_points[] = {
      {"input_zp", luna_i32_attr(b.context, desc.as.matmul.lhs_zero_point)},
      {"weight_zp", luna_i32_attr(b.context, desc.as.matmul.rhs_zero_point)}};
  MlirValue product = build_conv2d(
      op, luna_build_reshape(&b, lhs, &image),
      build_kernels(former, op, weights, desc.as.matmul.rhs_transposed),
      &result, zero_points, 2);
  replace(op, luna_build_reshape(&b, product, &out));
  return true;
}

//===- Strides ------------------------------------------------------------===//

// A convolution whose kernel is extended.
typedef struct Extended {
  int first; // the dimension of its weights that are kernel rows
  LunaShape from, to;
  int64_t pad[4];
} Extended;

// Returns the padding after the input with which `taps` taps give as many
// outputs.
static int64_t pad_after(const LunaConv2dDesc *conv, int axis, int64_t in,
                         int64_t out, int64_t taps) {
  int64_t missing =
      (out - 1) * conv->stride[axis] + taps - in - conv->pad[2 * axis];
  return missing > 0 ? missing : 0;
}

// Returns true if the kernel is to be extended, and how.
static bool extend(MlirOperation op, const LunaConv2dDesc *conv,
                   Extended *extended) {
  MlirValue input = luna_unit_operand(op, LUNA_ROLE_INPUT);
  MlirValue weight = luna_unit_operand(op, LUNA_ROLE_WEIGHT);
  extended->first = conv->kind == LUNA_CONV_DEPTHWISE ? 0 : 1;
  extended->from = extended->to = luna_shape_of(weight);
  bool is_extended = false;
  for (int i = 0; i < 2; ++i) {
    int64_t *taps = &extended->to.dims[extended->first + i];
    bool is_short = conv->stride[i] > *taps && conv->dilation[i] == 1;
    extended->pad[2 * i] = conv->pad[2 * i];
    extended->pad[2 * i + 1] = conv->pad[2 * i + 1];
    if (!is_short)
      continue;
    *taps = conv->stride[i];
    extended->pad[2 * i + 1] =
        pad_after(conv, i, luna_extent(input, 1 + i),
                  luna_extent(luna_unit_output(op), 1 + i), *taps);
    is_extended = true;
  }
  return is_extended && conv->kind != LUNA_CONV_TRANSPOSED;
}

// Creates the weights with their further taps.
static MlirValue build_taps(const Former *former, MlirOperation op,
                            const Extended *extended, MlirAttribute weights,
                            int32_t zero_point) {
  LunaBuilder b = luna_builder_before(op, op);
  const int64_t *from = extended->from.dims, *to = extended->to.dims;
  int64_t count = element_count(&extended->to);
  int8_t *data = LUNA_ARENA_ARRAY(former->arena, int8_t, count);
  for (int64_t i = 0; i < count; ++i) {
    int64_t left = i, at = 0, step = 1;
    bool is_inside = true;
    for (int d = 3; d >= 0; --d) {
      int64_t index = left % to[d];
      is_inside &= index < from[d];
      at += index * step;
      step *= from[d];
      left /= to[d];
    }
    data[i] = is_inside ? weight_at(weights, at) : (int8_t)zero_point;
  }
  MlirValue weight = luna_unit_operand(op, LUNA_ROLE_WEIGHT);
  return luna_build_data(
      &b, luna_tensor_type(luna_element_of(weight), &extended->to), data);
}

// Kernels above the limit are cut into blocks of rows, where there is one input
// channel. Padding with a zero point, or beyond what a block takes, would leave
// outputs to which a block adds nothing: it becomes a part of the input.
static void form_padding(const Former *former, MlirOperation op,
                         LunaConv2dDesc *conv) {
  const LunaOperatorLimits *limits = &former->machine->conv;
  MlirValue input = luna_unit_operand(op, LUNA_ROLE_INPUT);
  LunaShape kernel = luna_shape_of(luna_unit_operand(op, LUNA_ROLE_WEIGHT));
  int64_t taps = kernel.dims[conv->kind == LUNA_CONV_DEPTHWISE ? 0 : 1];
  bool is_simple = conv->input_zero_point == 0 &&
                   conv->pad[0] <= (int64_t)limits->pad_max &&
                   conv->pad[1] <= (int64_t)limits->pad_max;
  if (conv->kind == LUNA_CONV_TRANSPOSED || luna_extent(input, 3) != 1 ||
      taps <= (int64_t)limits->kernel_max || is_simple)
    return;
  LunaBuilder b = luna_builder_before(op, op);
  const int64_t pads[8] = {
      0, 0, conv->pad[0], conv->pad[1], conv->pad[2], conv->pad[3], 0, 0};
  MlirValue fill =
      luna_build_const_one(&b, luna_element_of(input), conv->input_zero_point);
  mlirOperationSetOperand(op, luna_unit_operand_index(op, LUNA_ROLE_INPUT),
                          luna_build_pad(&b, input, pads, fill));
  mlirOperationRemoveAttributeByName(op, luna_str("pad"));
  memset(conv->pad, 0, sizeof conv->pad);
}

static bool form_conv2d(const Former *former, MlirOperation op) {
  LunaUnitDesc desc = {.unit_class = LUNA_UNIT_CONV2D};
  Extended extended;
  MlirAttribute weights;
  luna_unit_desc_read_attributes(op, &desc);
  LunaConv2dDesc *conv = &desc.as.conv2d;
  form_padding(former, op, conv);
  bool may_exceed = conv->kind == LUNA_CONV_DEPTHWISE
                        ? former->machine->depthwise.stride_above_kernel
                        : former->machine->conv.stride_above_kernel;
  if (may_exceed || !extend(op, conv, &extended) ||
      !read_weights(luna_unit_operand(op, LUNA_ROLE_WEIGHT), &weights))
    return false;
  mlirOperationSetOperand(
      op, luna_unit_operand_index(op, LUNA_ROLE_WEIGHT),
      build_taps(former, op, &extended, weights, conv->weight_zero_point));
  luna_set_attr(
      op, "pad",
      mlirDenseI64ArrayGet(mlirOperationGetContext(op), 4, extended.pad));
  return true;
}

//===- The pass -----------------------------------------------------------===//

static bool visit(MlirOperation op, void *data) {
  const Former *former = data;
  if (!luna_op_is_unit(op) || mlirOperationGetNumResults(op) != 1)
    return true;
  LunaUnitClass unit_class = luna_unit_of(op)->unit_class;
  if (unit_class == LUNA_UNIT_MATMUL)
    form_matmul(former, op);
  if (unit_class == LUNA_UNIT_CONV2D)
    form_conv2d(former, op);
  return true;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  if (strcmp(options[OPT_LAYOUT].string, "calls") != 0)
    return mlirLogicalResultSuccess();
  LunaArena arena = {0};
  Former former = {.machine = luna_machine_of_option(&options[OPT_MACHINE]),
                   .arena = &arena};
  luna_walk(func, visit, &former);
  luna_arena_destroy(&arena);
  return mlirLogicalResultSuccess();
}

static const LunaOptionDesc options[OPT_COUNT] = {
    [OPT_MACHINE] = LUNA_MACHINE_OPTION,
    [OPT_LAYOUT] = {.name = "layout",
                    .help = "as of luna-choose-layout: with calls, operators "
                            "become those that the vendor's library has",
                    .kind = LUNA_OPTION_STRING,
                    .string_default = "auto"},
};
static const char *const dialects[] = {"luna", "tensor", "tosa", NULL};

const LunaPassDesc luna_pass_form_calls = {
    .argument = "luna-form-calls",
    .summary = "Write operators as calls of the vendor's library",
    .anchor = "func.func",
    .options = options,
    .option_count = OPT_COUNT,
    .dependent_dialects = dialects,
    .run = run,
};
