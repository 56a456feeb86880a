#ifndef LUNA_LAUNCH_RECORD_H
#define LUNA_LAUNCH_RECORD_H

// A convolution or matrix product as the chip's core and the unit read it: one
// record for the operator, after it one of 64 bytes for each launch, borders if
// there are any, and one of 12 bytes for each vector call. The
// compiler writes them as data (luna/launches.h), so that nothing that only the
// model decides is computed on the device.
//
// Numbers have the least significant byte first. Strides count elements,
// offsets bytes from element [0, 0, 0, 0] of the operand. Pairs are y, x.

#include <stdint.h>

#include "luna/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The operator of a launch.
typedef enum LunaLaunchKind {
  LUNA_LAUNCH_CONV = 0,
  LUNA_LAUNCH_DEPTHWISE = 1,
  LUNA_LAUNCH_MATMUL = 2,
} LunaLaunchKind;

/// The output of a product is [batch][y][x][channel], of any strides. A matrix
/// product has its rows on y, 1 on x and its columns as channels.
typedef struct LunaProductRecord {
  int32_t kind;          ///< LunaLaunchKind
  int16_t is_transposed; ///< the taps of a launch meet its inputs backwards
  int16_t has_sums;      ///< some tile needs sums of 32 bits
  int32_t finish;        ///< LunaFinish: what requantises the sums of each tile
  /// The tiles that the scratch holds at once, and the bytes from one to the
  /// next. Vector calls finish all of them together.
  int32_t slots, slot_bytes;
  /// What the core adds to the sums of a tile before that.
  int32_t border_count;
  int32_t input_type, weight_type, bias_type, output_type;
  int32_t input_strides[3]; ///< y, x, channel
  /// Output channel, tap y, tap x, input channel; depthwise: channel, tap y,
  /// tap x, and the last is 0. All are 0 where weights are packed.
  int32_t weight_strides[4];
  int32_t weight_layout[2];  ///< of packed weights: luna/weight_layout.h
  int32_t output_strides[3]; ///< between outputs of a tile: y, x, channel
  int32_t input_zero_point, weight_zero_point;
  int32_t bias_stride;      ///< between channels; 0 repeats the first
  int32_t table_strides[2]; ///< from multipliers to shifts; between channels
  int32_t channel_step;     ///< between the channels of a launch
  LunaRequantDesc requant;
  int32_t launch_count;
  /// The vector calls at the end, which finish each tile.
  int32_t call_count;
} LunaProductRecord;

typedef enum LunaLaunchFlag {
  LUNA_LAUNCH_FIRST = 1, ///< of its tile: the sums start from the bias
  LUNA_LAUNCH_LAST = 2,  ///< of its tile: the sums are complete
  /// All padding: the tile is the bias, and no product is computed.
  LUNA_LAUNCH_EMPTY = 4,
  LUNA_LAUNCH_COVERS = 8, ///< computes every output of its tile
  /// Adds to the sums of the tile, which lie in the scratch as [channel][y][x]
  /// if the output has planes, else [y][x][channel]. Without this, it writes
  /// the output.
  LUNA_LAUNCH_SUMS = 16,
  /// Of a tile of calls, with the flag above, none that has the first: leaves
  /// sums of its own, without bias, after those of the tile, as [channel][y][x]
  /// of its outputs; the core has the vector call `add` add them.
  LUNA_LAUNCH_OTHER = 32,
} LunaLaunchFlag;

/// One launch. It reads every in_step-th row and column of the input: the view
/// that stride, dilation and padding refer to.
typedef struct LunaLaunchRecord {
  int32_t input_offset, weight_offset;
  int32_t output_offset; ///< of the tile's first output
  int32_t sums_offset;   ///< of the launch's first sum, in sums of the tile
  int32_t channel;       ///< the first output channel, for bias and table
  uint16_t tile[2];      ///< outputs of the tile
  uint16_t out[2];       ///< outputs of the launch
  uint16_t in[2];        ///< inputs of the view
  uint16_t taps[2];
  uint16_t out_channels, in_channels;
  int16_t pad_before[2], pad_after[2];
  uint16_t stride[2], dilation[2];
  uint16_t in_step[2];
  uint16_t flags;      ///< LunaLaunchFlag
  uint16_t row_strips; ///< LunaTiling.row_strips
} LunaLaunchRecord;

/// Returns true if the output has planes: its channels are outside of its rows
/// and columns. `strides` are those of y, x and channel; of an image of one
/// row, those of y and channel are equal.
static inline int luna_strides_have_planes(const int32_t strides[3]) {
  return strides[2] >= strides[0] && strides[2] > strides[1];
}

/// Returns true if a box with these strides of y, x and channel, in elements,
/// is planes that lie one after the other. The stride of an extent of 1 is of
/// no account.
static inline int luna_are_planes(const int32_t strides[3], int32_t rows,
                                  int32_t columns, int32_t channels) {
  return (columns == 1 || strides[1] == 1) &&
         (rows == 1 || strides[0] == columns) &&
         (channels == 1 || strides[2] == (int64_t)rows * columns);
}

/// Returns true if each image of a tensor is planes.
static inline int luna_tensor_has_planes(const LunaTensorDesc *desc) {
  return luna_are_planes(&desc->strides[1], desc->dims[1], desc->dims[2],
                         desc->dims[3]);
}

/// Returns true if the elements of `desc` lie side by side, in the order of
/// strides in which those of `other`, of the same extents, do.
static inline int luna_tensors_lie_alike(const LunaTensorDesc *desc,
                                         const LunaTensorDesc *other) {
  int64_t last = 0, count = 1;
  for (int i = 0; i < 4; ++i) {
    if (desc->dims[i] != other->dims[i] ||
        (desc->dims[i] > 1 && desc->strides[i] != other->strides[i]))
      return 0;
    last += (int64_t)(desc->dims[i] - 1) * desc->strides[i];
    count *= desc->dims[i];
  }
  return last + 1 == count;
}

/// Returns true if a launch of a matrix product is one of dense int8 matrices,
/// which is all that the vendor's libraries have: without bias or earlier sums,
/// its right matrix transposed only if the left one has one row.
static inline int luna_is_matrix_call(const LunaProductRecord *record,
                                      const LunaLaunchRecord *launch) {
  const int32_t *strides = record->weight_strides;
  int32_t depth = launch->in_channels, columns = launch->out_channels;
  int is_turned = strides[3] == 1 && launch->tile[0] == 1;
  int has_relu = !(launch->flags & LUNA_LAUNCH_SUMS) &&
                 record->requant.mode == LUNA_REQUANT_SHIFT &&
                 record->requant.clamp_min == 0;
  return record->kind == LUNA_LAUNCH_MATMUL &&
         record->bias_type != LUNA_TYPE_I32 && !has_relu &&
         launch->flags & LUNA_LAUNCH_FIRST &&
         record->input_type == LUNA_TYPE_I8 &&
         record->weight_type == LUNA_TYPE_I8 && record->input_strides[2] == 1 &&
         (launch->tile[0] == 1 || record->input_strides[0] == depth) &&
         (is_turned ? columns == 1 || strides[0] == depth
                    : strides[0] == 1 && (depth == 1 || strides[3] == columns));
}

/// Returns where the sums of a launch begin in the scratch, in sums: its first
/// in the tile, or behind those of the tile if it leaves sums of its own.
static inline int32_t luna_launch_sums(const LunaLaunchRecord *launch) {
  return launch->flags & LUNA_LAUNCH_OTHER
             ? launch->tile[0] * launch->tile[1] * launch->out_channels
             : launch->sums_offset;
}

/// Where an operand of a vector call lies.
typedef enum LunaVectorPlace {
  LUNA_VECTOR_NOWHERE,
  LUNA_VECTOR_SUMS,  ///< 32 bits, in the scratch
  LUNA_VECTOR_OTHER, ///< as many after them: signs, or the right operand
  LUNA_VECTOR_LHS,   ///< of a sum or product of two tensors
  LUNA_VECTOR_RHS,
  LUNA_VECTOR_OUTPUT,
  LUNA_VECTOR_MULTIPLIERS, ///< of the channels, in the table
  LUNA_VECTOR_POWERS,      ///< of 2, of the channels, after the others
  LUNA_VECTOR_ONES,        ///< as many as a plane has, after these
} LunaVectorPlace;

enum { LUNA_VECTOR_PLACE_COUNT = LUNA_VECTOR_ONES + 1 };

/// How often a call is started for a tile, and where its numbers are.
typedef enum LunaVectorScope {
  LUNA_VECTOR_TILE, ///< once, with its own
  /// Once: the shift is the largest of the channels, beyond 31, and the scalar
  /// is shifted left by it.
  LUNA_VECTOR_DEEPEST,
  /// For each channel, on its plane: the scalar of scale is the multiplier; the
  /// shift of offset that of the channel, beyond 31, and the scalar is shifted
  /// left by it.
  LUNA_VECTOR_PLANE,
} LunaVectorScope;

/// A call of the unit's vector library.
typedef struct LunaVectorCall {
  uint8_t name; ///< LunaCallName (luna/unit_calls.h); cmp_vs means below
  uint8_t input_bits, output_bits, shift;
  uint8_t input, other, output; ///< LunaVectorPlace
  uint8_t scope;                ///< LunaVectorScope
  int32_t scalar;
} LunaVectorCall;

/// Outputs whose windows reach padding, where the bias has taken up the zero
/// point: what they lack is added to their sums (luna/border.h).
typedef struct LunaBorderRecord {
  uint16_t first[2], count[2]; ///< rows and columns of the output
  int32_t bias;                ///< the constant of channel 0, in the bias
} LunaBorderRecord;

/// Where the tile of a launch begins in the output. A record with borders has
/// one for each launch, after them.
typedef struct LunaOriginRecord {
  uint16_t at[2];
} LunaOriginRecord;

/// What a port that prepares the launches of a product needs of memory before
/// the blocks of these (luna/port.h).
enum { LUNA_PORT_PRODUCT_BYTES = 16 };

/// Returns the launches that follow a record.
static inline const LunaLaunchRecord *
luna_record_launches(const LunaProductRecord *record) {
  return (const LunaLaunchRecord *)(record + 1);
}

/// Returns the borders that follow the launches.
static inline const LunaBorderRecord *
luna_record_borders(const LunaProductRecord *record) {
  return (const LunaBorderRecord *)(luna_record_launches(record) +
                                    record->launch_count);
}

/// Returns the origins that follow the borders.
static inline const LunaOriginRecord *
luna_record_origins(const LunaProductRecord *record) {
  return (const LunaOriginRecord *)(luna_record_borders(record) +
                                    record->border_count);
}

/// Returns the vector calls that follow these.
static inline const LunaVectorCall *
luna_record_calls(const LunaProductRecord *record) {
  return (const LunaVectorCall *)(luna_record_origins(record) +
                                  (record->border_count > 0
                                       ? record->launch_count
                                       : 0));
}

/// Returns the bytes of all that follows a record.
static inline int32_t luna_record_tail_bytes(const LunaProductRecord *record) {
  int32_t origins = record->border_count > 0 ? record->launch_count : 0;
  return record->launch_count * (int32_t)sizeof(LunaLaunchRecord) +
         record->call_count * (int32_t)sizeof(LunaVectorCall) +
         record->border_count * (int32_t)sizeof(LunaBorderRecord) +
         origins * (int32_t)sizeof(LunaOriginRecord);
}

/// Writes the part of a border that is in the tile of a launch, in rows and
/// columns of the tile. Returns 0 if there is none.
static inline int luna_border_in_tile(const LunaBorderRecord *border,
                                      const LunaOriginRecord *origin,
                                      const LunaLaunchRecord *launch,
                                      int32_t first[2], int32_t count[2]) {
  for (int i = 0; i < 2; ++i) {
    int32_t end = border->first[i] + border->count[i] - origin->at[i];
    first[i] = border->first[i] - origin->at[i];
    if (first[i] < 0)
      first[i] = 0;
    if (end > launch->tile[i])
      end = launch->tile[i];
    count[i] = end - first[i];
    if (count[i] <= 0)
      return 0;
  }
  return 1;
}

#ifdef __cplusplus
}
#endif

#endif // LUNA_LAUNCH_RECORD_H
