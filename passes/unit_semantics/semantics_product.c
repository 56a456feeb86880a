// Convolutions and matrix products: loops over taps and channels that add
// products, then the bias, then the requantisation.

#include "luna-c/build_loop.h"
#include "luna-c/build_scalar.h"
#include "luna/border.h"
#include "luna/weight_layout.h"
#include "mlir-c/BuiltinTypes.h"
#include "unit_semantics.h"

enum { INPUT, WEIGHT, BIAS, TABLE, SCRATCH, OUTPUT };

// Products of int8 are added modulo 2^32.
static MlirType sum_type(const LunaUnitSemantics *m) {
  MlirType input = luna_element_of(m->operands[INPUT]);
  return mlirIntegerTypeGetWidth(input) > 8 ? m->b.i64 : m->b.i32;
}

// Adds the product of input and weight at these indices, both less their zero
// points.
static MlirValue add_product(LunaUnitSemantics *m, MlirValue sum,
                             const MlirValue *input_at,
                             int32_t input_zero_point,
                             const MlirValue *weight_at,
                             int32_t weight_zero_point) {
  const LunaBuilder *b = &m->b;
  MlirType type = mlirValueGetType(sum);
  MlirValue x = luna_scalar_extract(b, m->operands[INPUT], input_at);
  MlirValue w = luna_scalar_extract(b, m->operands[WEIGHT], weight_at);
  x = luna_semantics_centre(m, x, type, input_zero_point);
  w = luna_semantics_centre(m, w, type, weight_zero_point);
  return luna_scalar_add(b, sum, luna_scalar_mul(b, x, w));
}

// Adds the bias of a channel: one number, or that of `row` and of row 0.
static MlirValue add_bias(LunaUnitSemantics *m, MlirValue sum, MlirValue row,
                          MlirValue channel) {
  const LunaBuilder *b = &m->b;
  MlirType type = mlirValueGetType(sum);
  MlirValue at[] = {row, channel};
  bool has_rows = !mlirValueIsNull(row);
  MlirValue bias = luna_scalar_extract(b, m->operands[BIAS], &at[!has_rows]);
  if (has_rows) {
    MlirValue zero = luna_scalar_index(b, 0), none = luna_scalar_i32(b, 0);
    MlirValue is_inner = luna_scalar_compare(b, LUNA_EQ, row, zero);
    bias = luna_scalar_select(b, is_inner, none, bias);
    at[0] = zero;
    bias =
        luna_scalar_add(b, bias, luna_scalar_extract(b, m->operands[BIAS], at));
  }
  return luna_scalar_add(b, sum, luna_scalar_resize(b, bias, type));
}

// Adds the bias of a channel and requantises.
static MlirValue finish(LunaUnitSemantics *m, const LunaRequantDesc *requant,
                        MlirValue sum, MlirValue row, MlirValue channel) {
  const LunaBuilder *b = &m->b;
  if (!mlirValueIsNull(m->operands[BIAS]))
    sum = add_bias(m, sum, row, channel);
  return luna_semantics_requant(m, requant, luna_scalar_resize(b, sum, b->i64),
                                m->operands[TABLE], channel);
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

MlirValue luna_semantics_matmul(LunaUnitSemantics *m,
                                const LunaMatmulDesc *desc) {
  LunaBuilder *b = &m->b;
  MlirValue batch = luna_generic_index(&m->loops, 0);
  MlirValue row = luna_generic_index(&m->loops, 1);
  MlirValue column = luna_generic_index(&m->loops, 2);
  MlirValue zero = luna_scalar_int(b, sum_type(m), 0);
  LunaLoop depth =
      luna_loop(b, luna_scalar_index(b, 0),
                luna_scalar_index(b, luna_extent(m->operands[INPUT], 2)), zero);
  MlirValue left[] = {batch, row, depth.index};
  MlirValue right[] = {batch, depth.index, column};
  MlirValue right_transposed[] = {batch, column, depth.index};
  MlirValue sum = add_product(m, depth.carried, left, desc->lhs_zero_point,
                              desc->rhs_transposed ? right_transposed : right,
                              desc->rhs_zero_point);
  return finish(m, &desc->requant, luna_loop_end(&depth, sum),
                (MlirValue){NULL}, column);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

// The input row or column that a tap of an output reads.
typedef struct Tap {
  MlirValue at;        ///< of the input, where it is inside
  MlirValue is_inside; ///< and not padding
} Tap;

// at * divisor is out * stride + tap * step - pad.
static Tap find_tap(LunaUnitSemantics *m, const LunaConv2dDesc *desc, int axis,
                    MlirValue out, MlirValue tap) {
  const LunaBuilder *b = &m->b;
  bool is_transposed = desc->kind == LUNA_CONV_TRANSPOSED;
  int64_t stride = is_transposed ? 1 : desc->stride[axis];
  int64_t step = is_transposed ? -1 : desc->dilation[axis];
  int64_t divisor = is_transposed ? desc->stride[axis] : 1;
  MlirValue extent =
      luna_scalar_index(b, luna_extent(m->operands[INPUT], 1 + axis));
  MlirValue at =
      luna_scalar_add(b, luna_scalar_mul(b, out, luna_scalar_index(b, stride)),
                      luna_scalar_mul(b, tap, luna_scalar_index(b, step)));
  at = luna_scalar_sub(b, at, luna_scalar_index(b, desc->pad[2 * axis]));
  if (divisor == 1)
    return (Tap){at, luna_scalar_compare(b, LUNA_ULT, at, extent)};
  // What is below zero is large without its sign.
  MlirValue by = luna_scalar_index(b, divisor);
  MlirValue quotient = luna_scalar(b, "arith.divui", at, by);
  MlirValue is_whole =
      luna_scalar_compare(b, LUNA_EQ, luna_scalar_mul(b, quotient, by), at);
  MlirValue is_inside = luna_scalar_compare(b, LUNA_ULT, quotient, extent);
  return (Tap){quotient, luna_scalar(b, "arith.andi", is_whole, is_inside)};
}

// Returns the index of a weight among packed ones: each axis counts blocks, and
// elements within a block.
static MlirValue packed_index(LunaUnitSemantics *m, const LunaConv2dDesc *desc,
                              const MlirValue at[LUNA_WEIGHT_AXES]) {
  const LunaBuilder *b = &m->b;
  int32_t extents[LUNA_WEIGHT_AXES];
  MlirValue index = luna_scalar_index(b, 0);
  luna_conv2d_weights(desc, extents);
  for (int axis = 0; axis < LUNA_WEIGHT_AXES; ++axis) {
    LunaWeightAxis lies =
        luna_weight_layout_axis(desc->weight_layout, extents, axis);
    MlirValue block = luna_scalar_index(b, lies.block);
    MlirValue outer = luna_scalar(b, "arith.divui", at[axis], block);
    MlirValue inner = luna_scalar(b, "arith.remui", at[axis], block);
    MlirValue steps[] = {luna_scalar_index(b, lies.block_stride),
                         luna_scalar_index(b, lies.stride)};
    index = luna_scalar_add(b, index, luna_scalar_mul(b, outer, steps[0]));
    index = luna_scalar_add(b, index, luna_scalar_mul(b, inner, steps[1]));
  }
  return index;
}

// Adds the channels of one tap: one of a depthwise convolution, else all; none
// where the tap reads padding.
static MlirValue add_channels(LunaUnitSemantics *m, const LunaConv2dDesc *desc,
                              const MlirValue *output_at, const Tap *tap,
                              MlirValue ky, MlirValue kx, MlirValue sum) {
  LunaBuilder *b = &m->b;
  bool is_depthwise = desc->kind == LUNA_CONV_DEPTHWISE;
  int64_t depth = is_depthwise ? 1 : desc->input.dims[3];
  MlirValue zero = luna_scalar_index(b, 0), channel = output_at[3];
  MlirValue is_inside =
      luna_scalar(b, "arith.andi", tap[0].is_inside, tap[1].is_inside);
  MlirValue end =
      luna_scalar_select(b, is_inside, luna_scalar_index(b, depth), zero);
  LunaLoop channels = luna_loop(b, zero, end, sum);
  MlirValue from = channels.index, weight[4] = {channel, ky, kx, from};
  if (luna_weights_are_packed(desc->weight_layout))
    weight[0] = packed_index(m, desc, weight);
  if (is_depthwise) {
    MlirValue multiplier = luna_scalar_index(b, luna_conv2d_multiplier(desc));
    from = luna_scalar(b, "arith.divui", channel, multiplier);
    if (!luna_weights_are_packed(desc->weight_layout)) {
      weight[0] = ky;
      weight[1] = kx;
      weight[2] = from;
      weight[3] = luna_scalar(b, "arith.remui", channel, multiplier);
    }
  }
  MlirValue input[] = {output_at[0], tap[0].at, tap[1].at, from};
  sum = add_product(m, channels.carried, input, desc->input_zero_point, weight,
                    desc->weight_zero_point);
  return luna_loop_end(&channels, sum);
}

// Returns the row of an output of an axis, the number of its class.
static MlirValue axis_row(LunaUnitSemantics *m, const LunaBorderAxis *border,
                          MlirValue out) {
  const LunaBuilder *b = &m->b;
  MlirValue row = luna_scalar_index(b, border->runs[0].row);
  for (int32_t i = 1; i < border->class_count; ++i) {
    MlirValue first = luna_scalar_index(b, border->runs[i].first);
    MlirValue is_before = luna_scalar_compare(b, LUNA_ULT, out, first);
    row = luna_scalar_select(b, is_before, row,
                             luna_scalar_index(b, border->runs[i].row));
  }
  return row;
}

// Returns the row of the bias that is added to an output, null if it has one.
static MlirValue border_row(LunaUnitSemantics *m, const LunaConv2dDesc *desc,
                            const MlirValue *at) {
  const LunaBuilder *b = &m->b;
  MlirValue bias = m->operands[BIAS];
  LunaBorderAxis border[2];
  if (mlirValueIsNull(bias) ||
      mlirShapedTypeGetRank(mlirValueGetType(bias)) == 1)
    return (MlirValue){NULL};
  for (int i = 0; i < 2; ++i)
    luna_border_axis(desc, i, &border[i]);
  MlirValue count = luna_scalar_index(b, border[1].class_count);
  MlirValue row = axis_row(m, &border[0], at[1]);
  return luna_scalar_add(b, luna_scalar_mul(b, row, count),
                         axis_row(m, &border[1], at[2]));
}

// Returns the descriptor with the extents of the operands.
static LunaConv2dDesc with_extents(const LunaUnitSemantics *m,
                                   const LunaConv2dDesc *desc) {
  LunaConv2dDesc result = *desc;
  bool is_packed = luna_weights_are_packed(desc->weight_layout);
  for (int i = 0; i < 4; ++i) {
    result.input.dims[i] = (int32_t)luna_extent(m->operands[INPUT], i);
    result.output.dims[i] = (int32_t)luna_extent(m->operands[OUTPUT], i);
    if (!is_packed)
      result.weight.dims[i] = (int32_t)luna_extent(m->operands[WEIGHT], i);
  }
  return result;
}

MlirValue luna_semantics_conv2d(LunaUnitSemantics *m,
                                const LunaConv2dDesc *attributes) {
  LunaBuilder *b = &m->b;
  MlirValue at[4], extents[2];
  const LunaConv2dDesc shape = with_extents(m, attributes), *desc = &shape;
  for (int i = 0; i < 4; ++i)
    at[i] = luna_generic_index(&m->loops, i);
  for (int i = 0; i < 2; ++i)
    extents[i] = luna_scalar_index(b, luna_conv2d_taps(desc, i));
  MlirValue zero = luna_scalar_index(b, 0);
  MlirValue sum = luna_scalar_int(b, sum_type(m), 0);
  LunaLoop rows = luna_loop(b, zero, extents[0], sum);
  Tap taps[2] = {find_tap(m, desc, 0, at[1], rows.index)};
  LunaLoop columns = luna_loop(b, zero, extents[1], rows.carried);
  taps[1] = find_tap(m, desc, 1, at[2], columns.index);
  sum = add_channels(m, desc, at, taps, rows.index, columns.index,
                     columns.carried);
  sum = luna_loop_end(&rows, luna_loop_end(&columns, sum));
  return finish(m, &desc->requant, sum, border_row(m, desc, at), at[3]);
}
