#include "verify.h"

#include <string.h>
#include <sys/types.h>

#include "luna-c/ops.h"
#include "luna/border.h"
#include "luna/checked.h"
#include "luna/runtime.h"
#include "luna/shape_window.h"
#include "luna/weight_layout.h"
#include "mlir-c/BuiltinTypes.h"
#include "verify_shapes.h"

typedef enum ConvKind { NORMAL, DEPTHWISE, TRANSPOSED } ConvKind;

static MlirLogicalResult success(void) { return mlirLogicalResultSuccess(); }

static bool is_tensor(MlirType type) { return mlirTypeIsATensor(type); }

// Tensor form has one result of the output's type, memref form has none.
static MlirLogicalResult verify_form(MlirOperation op) {
  MlirType output = mlirValueGetType(luna_unit_output(op));
  intptr_t result_count = mlirOperationGetNumResults(op);
  if (is_tensor(output)) {
    if (result_count != 1)
      return luna_emit_error(op, "tensor form has %zd results, needs 1",
                             (ssize_t)result_count);
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(op, 0)), output))
      return luna_emit_error(op, "result type differs from the output's");
  } else if (result_count != 0) {
    return luna_emit_error(op, "memref form has %zd results, needs 0",
                           (ssize_t)result_count);
  }
  intptr_t operand_count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < operand_count; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (is_tensor(type) != is_tensor(output))
      return luna_emit_error(op, "mixes tensor and memref operands");
  }
  return success();
}

static MlirLogicalResult verify_requant(MlirOperation op) {
  LunaRequant requant = lunaRequantAttrGetValue(luna_attr(op, "requant"));
  MlirType output = mlirValueGetType(luna_unit_output(op));
  if (requant.mode == LUNA_REQUANT_NONE && !is_integer_of(output, 32))
    return luna_emit_error(op, "requant mode none needs a 32-bit output");
  if (requant.clamp_min > requant.clamp_max)
    return luna_emit_error(op, "clamp range [%d, %d] is empty",
                           requant.clamp_min, requant.clamp_max);
  if (requant.per_channel && requant.mode != LUNA_REQUANT_MULTIPLIER &&
      requant.mode != LUNA_REQUANT_FLOAT)
    return luna_emit_error(op, "only modes multiplier and float can be per "
                               "channel");
  if (requant.mode == LUNA_REQUANT_FLOAT && !requant.per_channel &&
      !(requant.scale > 0.0f))
    return luna_emit_error(op, "requant mode float needs a positive f32 scale");
  return success();
}

typedef struct ConvShape {
  MlirType input, weight, output;
  ConvKind kind;
  int64_t stride[2], dilation[2], pad[4], kernel[2];
  int32_t layout[LUNA_WEIGHT_LAYOUT_WORDS]; // of packed weights
} ConvShape;

// Reads what packed weights have beside their bytes.
static MlirLogicalResult read_packing(MlirOperation op, ConvShape *conv) {
  MlirStringRef layout = luna_attr_string(op, "weight_layout");
  bool has_kernel = !mlirAttributeIsNull(luna_attr(op, "weight_kernel"));
  char text[LUNA_WEIGHT_LAYOUT_MAX + 1] = {0};
  if (!layout.data != !has_kernel)
    return luna_emit_error(op, "weight_layout and weight_kernel come together");
  if (!layout.data)
    return success();
  if (layout.length <= LUNA_WEIGHT_LAYOUT_MAX)
    memcpy(text, layout.data, layout.length);
  if (!luna_weight_layout_read(text, conv->layout))
    return luna_emit_error(op, "weight_layout is no order of weights");
  if (!luna_attr_ints(op, "weight_kernel", conv->kernel, 2) ||
      conv->kernel[0] < 1 || conv->kernel[1] < 1 ||
      conv->kernel[0] > INT16_MAX || conv->kernel[1] > INT16_MAX)
    return luna_emit_error(op, "weight_kernel needs 2 values from 1 to 32767");
  return success();
}

// Finds the kernel of weights that are not packed.
static void find_kernel(ConvShape *conv) {
  int first = conv->kind == DEPTHWISE ? 0 : 1;
  for (int axis = 0; axis < 2; ++axis)
    conv->kernel[axis] = dim(conv->weight, first + axis);
}

static MlirLogicalResult read_conv(MlirOperation op, ConvShape *conv) {
  conv->kind = (ConvKind)luna_attr_int(op, "kind", NORMAL);
  if (conv->kind > TRANSPOSED)
    return luna_emit_error(op,
                           "kind is %d, allowed are 0 (normal), 1 "
                           "(depthwise), 2 (transposed)",
                           (int)conv->kind);
  conv->stride[0] = conv->stride[1] = 1;
  conv->dilation[0] = conv->dilation[1] = 1;
  if (!mlirAttributeIsNull(luna_attr(op, "stride")) &&
      !luna_attr_ints(op, "stride", conv->stride, 2))
    return luna_emit_error(op, "stride needs 2 values");
  if (!mlirAttributeIsNull(luna_attr(op, "dilation")) &&
      !luna_attr_ints(op, "dilation", conv->dilation, 2))
    return luna_emit_error(op, "dilation needs 2 values");
  if (!mlirAttributeIsNull(luna_attr(op, "pad")) &&
      !luna_attr_ints(op, "pad", conv->pad, 4))
    return luna_emit_error(op, "pad needs 4 values");
  for (int i = 0; i < 2; ++i)
    if (conv->stride[i] < 1 || conv->dilation[i] < 1)
      return luna_emit_error(op, "stride and dilation must be at least 1");
  if (conv->kind == TRANSPOSED &&
      (conv->dilation[0] != 1 || conv->dilation[1] != 1))
    return luna_emit_error(op, "a transposed convolution has no dilation");
  conv->input = mlirValueGetType(luna_unit_operand(op, LUNA_ROLE_INPUT));
  conv->weight = mlirValueGetType(luna_unit_operand(op, LUNA_ROLE_WEIGHT));
  conv->output = mlirValueGetType(luna_unit_output(op));
  if (mlirLogicalResultIsFailure(read_packing(op, conv)))
    return mlirLogicalResultFailure();
  bool is_packed = luna_weights_are_packed(conv->layout);
  if (!has_rank(conv->input, 4) || !has_rank(conv->output, 4) ||
      (!is_packed && !has_rank(conv->weight, 4)))
    return luna_emit_error(op, "input, weight and output need rank 4");
  if (!is_packed)
    find_kernel(conv);
  if (dim(conv->input, 0) != 1 || dim(conv->output, 0) != 1)
    return luna_emit_error(op, "batch is %lld, the unit computes 1 at a time",
                           (long long)dim(conv->input, 0));
  return success();
}

static int64_t conv_extent(const ConvShape *conv, int axis, int64_t kernel) {
  int64_t in = dim(conv->input, 1 + axis);
  int64_t pad = conv->pad[2 * axis] + conv->pad[2 * axis + 1];
  if (conv->kind == TRANSPOSED)
    return luna_window_cover(in, kernel, conv->stride[axis]) + pad;
  return luna_window_count(in + pad,
                           luna_window_reach(kernel, conv->dilation[axis]),
                           conv->stride[axis]);
}

static MlirLogicalResult verify_packed(MlirOperation op,
                                       const ConvShape *conv) {
  int64_t in = dim(conv->input, 3), out = dim(conv->output, 3);
  const int32_t extents[LUNA_WEIGHT_AXES] = {
      (int32_t)out, (int32_t)conv->kernel[0], (int32_t)conv->kernel[1],
      conv->kind == DEPTHWISE ? 1 : (int32_t)in};
  int64_t needed = luna_weight_layout_count(conv->layout, extents);
  if (!has_rank(conv->weight, 1) || dim(conv->weight, 0) != needed ||
      !is_integer_of(conv->weight, 8))
    return luna_emit_error(op, "packed weights need the type %lldxi8",
                           (long long)needed);
  if (conv->kind == DEPTHWISE && in != out)
    return luna_emit_error(op,
                           "packed weights of a depthwise convolution have one "
                           "output channel for each of %lld, not %lld in all",
                           (long long)in, (long long)out);
  return success();
}

static MlirLogicalResult verify_conv_channels(MlirOperation op,
                                              const ConvShape *conv) {
  int64_t in = dim(conv->input, 3), out = dim(conv->output, 3);
  if (luna_weights_are_packed(conv->layout))
    return verify_packed(op, conv);
  if (conv->kind == DEPTHWISE) {
    int64_t made = dim(conv->weight, 2) * dim(conv->weight, 3);
    if (dim(conv->weight, 2) != in || made != out)
      return luna_emit_error(op,
                             "depthwise weight has %lld x %lld channels, "
                             "input has %lld and output %lld",
                             (long long)dim(conv->weight, 2),
                             (long long)dim(conv->weight, 3), (long long)in,
                             (long long)out);
    return success();
  }
  if (dim(conv->weight, 3) != in || dim(conv->weight, 0) != out)
    return luna_emit_error(op,
                           "weight maps %lld to %lld channels, input has "
                           "%lld and output %lld",
                           (long long)dim(conv->weight, 3),
                           (long long)dim(conv->weight, 0), (long long)in,
                           (long long)out);
  return success();
}

// Returns the number of classes of borders.
static int64_t classes_of(const ConvShape *conv) {
  LunaConv2dDesc desc = {.kind = (int32_t)conv->kind};
  int32_t *kernel = &desc.weight.dims[conv->kind == DEPTHWISE ? 0 : 1];
  for (int i = 0; i < 2; ++i) {
    desc.input.dims[1 + i] = (int32_t)dim(conv->input, 1 + i);
    desc.output.dims[1 + i] = (int32_t)dim(conv->output, 1 + i);
    kernel[i] = (int32_t)conv->kernel[i];
    desc.stride[i] = (int32_t)conv->stride[i];
    desc.dilation[i] = (int32_t)conv->dilation[i];
    desc.pad[2 * i] = (int32_t)conv->pad[2 * i];
  }
  return luna_border_classes(&desc);
}

static MlirLogicalResult verify_conv2d(MlirOperation op) {
  ConvShape conv = {0};
  if (mlirLogicalResultIsFailure(read_conv(op, &conv)) ||
      mlirLogicalResultIsFailure(verify_conv_channels(op, &conv)) ||
      mlirLogicalResultIsFailure(luna_verify_fold(op, "input_zp", "weight_zp")))
    return mlirLogicalResultFailure();
  if (conv.kind == TRANSPOSED &&
      !mlirAttributeIsNull(luna_attr(op, "folded_zp")))
    return luna_emit_error(op, "a transposed convolution has no folded_zp");
  for (int axis = 0; axis < 2; ++axis) {
    int64_t expected = conv_extent(&conv, axis, conv.kernel[axis]);
    int64_t found = dim(conv.output, 1 + axis);
    if (found != expected)
      return luna_emit_error(op,
                             "output %s is %lld, input, kernel, stride and "
                             "padding give %lld",
                             axis == 0 ? "height" : "width", (long long)found,
                             (long long)expected);
  }
  return luna_verify_channel_operands(op, dim(conv.output, 3),
                                      classes_of(&conv));
}

static MlirLogicalResult verify_matmul(MlirOperation op) {
  MlirType lhs = mlirValueGetType(luna_unit_operand(op, LUNA_ROLE_INPUT));
  MlirType rhs = mlirValueGetType(luna_unit_operand(op, LUNA_ROLE_WEIGHT));
  MlirType output = mlirValueGetType(luna_unit_output(op));
  if (!has_rank(lhs, 3) || !has_rank(rhs, 3) || !has_rank(output, 3))
    return luna_emit_error(op, "lhs, rhs and output need rank 3");
  bool transposed = !mlirAttributeIsNull(luna_attr(op, "rhs_transposed"));
  int64_t depth = dim(rhs, transposed ? 2 : 1);
  int64_t width = dim(rhs, transposed ? 1 : 2);
  if (dim(lhs, 0) != dim(rhs, 0) || dim(lhs, 2) != depth ||
      dim(output, 0) != dim(lhs, 0) || dim(output, 1) != dim(lhs, 1) ||
      dim(output, 2) != width)
    return luna_emit_error(op,
                           "shapes do not multiply: %lldx%lldx%lld by depth "
                           "%lld, width %lld",
                           (long long)dim(lhs, 0), (long long)dim(lhs, 1),
                           (long long)dim(lhs, 2), (long long)depth,
                           (long long)width);
  if (mlirLogicalResultIsFailure(luna_verify_fold(op, "lhs_zp", "rhs_zp")))
    return mlirLogicalResultFailure();
  return luna_verify_channel_operands(op, width, 1);
}

static MlirLogicalResult verify_eltwise(MlirOperation op) {
  MlirType output = mlirValueGetType(luna_unit_output(op));
  int64_t rank = mlirShapedTypeGetRank(output);
  if (rank > 4)
    return luna_emit_error(op, "rank is %lld, at most 4", (long long)rank);
  for (intptr_t i = 0; i < 2; ++i) {
    MlirType input = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (!has_rank(input, rank))
      return luna_emit_error(op, "operands differ in rank");
    for (intptr_t d = 0; d < rank; ++d) {
      bool is_padded =
          d == rank - 1 && dim(input, d) > 0 && dim(input, d) < dim(output, d);
      if (dim(input, d) != dim(output, d) && dim(input, d) != 1 && !is_padded)
        return luna_emit_error(op,
                               "operand %zd does not broadcast to the "
                               "output in dimension %zd",
                               (ssize_t)i, (ssize_t)d);
    }
  }
  return success();
}

static MlirLogicalResult verify_pool(MlirOperation op) {
  MlirType input = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType output = mlirValueGetType(luna_unit_output(op));
  if (!has_rank(input, 4) || !has_rank(output, 4))
    return luna_emit_error(op, "input and output need rank 4");
  int64_t kernel[2], stride[2], pad[4] = {0};
  if (!luna_attr_ints(op, "kernel", kernel, 2) ||
      !luna_attr_ints(op, "stride", stride, 2) ||
      (!mlirAttributeIsNull(luna_attr(op, "pad")) &&
       !luna_attr_ints(op, "pad", pad, 4)))
    return luna_emit_error(op, "kernel and stride need 2 values, pad needs 4");
  for (int axis = 0; axis < 2; ++axis) {
    if (kernel[axis] < 1 || stride[axis] < 1)
      return luna_emit_error(op, "kernel and stride must be at least 1");
    int64_t expected = luna_window_count(dim(input, 1 + axis) + pad[2 * axis] +
                                             pad[2 * axis + 1],
                                         kernel[axis], stride[axis]);
    if (dim(output, 1 + axis) != expected)
      return luna_emit_error(op,
                             "output %s is %lld, input, kernel, stride and "
                             "padding give %lld",
                             axis == 0 ? "height" : "width",
                             (long long)dim(output, 1 + axis),
                             (long long)expected);
  }
  if (dim(input, 3) != dim(output, 3) || dim(input, 0) != dim(output, 0))
    return luna_emit_error(op, "input and output differ in batch or channels");
  return success();
}

// Keeps what the verifiers compute of them within 64 bits.
static MlirLogicalResult verify_ranges(MlirOperation op) {
  static const struct {
    const char *name;
    intptr_t count;
  } rows[] = {{"kernel", 2}, {"stride", 2}, {"dilation", 2}, {"pad", 4}};
  bool is_within = true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
      is_within &= dim(type, d) <= INT32_MAX;
  }
  for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
    int64_t values[4] = {0};
    luna_attr_ints(op, rows[r].name, values, rows[r].count);
    for (intptr_t i = 0; i < rows[r].count; ++i)
      is_within &= values[i] >= -INT32_MAX && values[i] <= INT32_MAX;
  }
  return is_within ? success()
                   : luna_emit_error(op, "extents, kernel, stride, dilation "
                                         "and padding must be below 2^31");
}

// What only one class of operators must keep to, beyond what LunaOps.td says.
static MlirLogicalResult (*const class_verifiers[LUNA_UNIT_CLASS_COUNT])(
    MlirOperation op) = {
    [LUNA_UNIT_CONV2D] = verify_conv2d,
    [LUNA_UNIT_MATMUL] = verify_matmul,
    [LUNA_UNIT_ELTWISE] = verify_eltwise,
    [LUNA_UNIT_POOL] = verify_pool,
};

MlirLogicalResult luna_verify_unit(MlirOperation op) {
  LunaUnitClass unit_class = luna_unit_of(op)->unit_class;
  bool has_requant = !mlirAttributeIsNull(luna_attr(op, "requant"));
  if (mlirLogicalResultIsFailure(verify_form(op)) ||
      mlirLogicalResultIsFailure(verify_ranges(op)) ||
      (has_requant && mlirLogicalResultIsFailure(verify_requant(op))))
    return mlirLogicalResultFailure();
  return class_verifiers[unit_class] ? class_verifiers[unit_class](op)
                                     : success();
}

MlirLogicalResult luna_verify_dma_start(MlirOperation op) {
  MlirType source = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType target = mlirValueGetType(mlirOperationGetOperand(op, 1));
  int64_t source_bytes = luna_shaped_bytes(source);
  int64_t target_bytes = luna_shaped_bytes(target);
  if (source_bytes < 0 || target_bytes < 0)
    return luna_emit_error(op, "source and target need static shapes");
  if (source_bytes != target_bytes)
    return luna_emit_error(op, "source has %lld bytes, target %lld",
                           (long long)source_bytes, (long long)target_bytes);
  return success();
}

MlirLogicalResult luna_verify_region(MlirOperation op) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirOperation yield = mlirBlockGetTerminator(block);
  if (!luna_op_is(yield, LUNA_OP_LUNA_YIELD))
    return luna_emit_error(op, "must end with luna.yield");
  intptr_t count = mlirOperationGetNumResults(op);
  if (mlirOperationGetNumOperands(yield) != count)
    return luna_emit_error(op, "yields %zd values, has %zd results",
                           (ssize_t)mlirOperationGetNumOperands(yield),
                           (ssize_t)count);
  for (intptr_t i = 0; i < count; ++i)
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(yield, i)),
                       mlirValueGetType(mlirOperationGetResult(op, i))))
      return luna_emit_error(op,
                             "result %zd differs in type from the value "
                             "yielded",
                             (ssize_t)i);
  return success();
}

MlirLogicalResult luna_verify_buffer(MlirOperation op) {
  int64_t id = luna_attr_int(op, "id", -1), end = 0;
  int64_t offset = luna_attr_int(op, "offset", -1);
  int64_t arena_bytes =
      luna_shaped_bytes(mlirValueGetType(mlirOperationGetOperand(op, 0)));
  int64_t bytes =
      luna_shaped_bytes(mlirValueGetType(mlirOperationGetResult(op, 0)));
  if (id < 0 || id > LUNA_PLACE_ID_MAX)
    return luna_emit_error(op, "id is %lld, needs one from 0 to %lld",
                           (long long)id, (long long)LUNA_PLACE_ID_MAX);
  if (offset < 0 || bytes < 0 || !luna_checked_add(offset, bytes, &end) ||
      end > arena_bytes)
    return luna_emit_error(op,
                           "%lld bytes at offset %lld do not lie in an arena "
                           "of %lld",
                           (long long)bytes, (long long)offset,
                           (long long)arena_bytes);
  return success();
}

// Paths are written if0=then/if1=else, or with commas on a command line.
static bool fits_paths(MlirOperation op, const char *attribute) {
  MlirStringRef name = luna_attr_string(op, attribute);
  for (size_t i = 0; i < name.length; ++i)
    if (strchr("=/,", name.data[i])) {
      luna_emit_error(op, "%s '%.*s' has a '%c', which paths are written with",
                      attribute, (int)name.length, name.data, name.data[i]);
      return false;
    }
  bool is_empty =
      name.length == 0 && !mlirAttributeIsNull(luna_attr(op, attribute));
  if (is_empty)
    luna_emit_error(op, "%s is empty", attribute);
  return !is_empty;
}

MlirLogicalResult luna_verify_label(MlirOperation op) {
  return fits_paths(op, "name") && fits_paths(op, "way")
             ? success()
             : mlirLogicalResultFailure();
}

static bool is_within_rank(MlirOperation op, MlirType type) {
  if (!mlirTypeIsAShaped(type) || !mlirShapedTypeHasRank(type) ||
      mlirShapedTypeGetRank(type) <= LUNA_RANK_MAX)
    return true;
  luna_emit_error(op, "rank %zd is beyond %d, the greatest that is compiled",
                  (ssize_t)mlirShapedTypeGetRank(type), (int)LUNA_RANK_MAX);
  return false;
}

static bool has_ranks_within(MlirOperation op, void *data) {
  (void)data;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!is_within_rank(op, mlirValueGetType(mlirOperationGetResult(op, i))))
      return false;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
        if (!is_within_rank(op,
                            mlirValueGetType(mlirBlockGetArgument(block, i))))
          return false;
  return true;
}

MlirLogicalResult luna_verify_ranks(MlirOperation root) {
  bool is_within =
      has_ranks_within(root, NULL) && luna_walk(root, has_ranks_within, NULL);
  return is_within ? success() : mlirLogicalResultFailure();
}
