#ifndef LUNA_RUNTIME_H
#define LUNA_RUNTIME_H

// The LUNA runtime API: what a compiled program calls.
//
// Every function takes plain pointers and constant descriptors whose fields
// are all int32_t (records of launches: 16 and 32 bits), so that a program
// compiled by one tool chain can call a runtime compiled by another. Two
// implementations exist: the simulator (luna/simulator.h) and, on the chip, a
// port over the vendor's library.
//
// A descriptor is what the machine needs, so that operators that are equal
// share one. What tells them apart is passed beside it: `ids`, as below. They
// serve checks, traces and statistics alone, and may be NULL.
//
// Shapes are NHWC, outermost dimension first; unused leading dimensions are 1.
// Strides count elements; 0 broadcasts. Pointers point at element [0,0,0,0].

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the descriptors below; part of the program descriptor.
#define LUNA_RUNTIME_VERSION 8

/// The id of no operator, buffer or content: the check is skipped.
#define LUNA_NO_ID (-1)

/// Returns the operator of a call, an index into the program's operator names.
/// It is the first of the call's ids.
static inline int32_t luna_ids_op(const int32_t *ids) {
  return ids ? ids[0] : LUNA_NO_ID;
}

/// Returns the id of the planned buffer (`luna.buffer`) that contains operand
/// `index`, by the order of the call's pointers, or LUNA_NO_ID. Every access
/// must stay within that buffer.
static inline int32_t luna_ids_buffer(const int32_t *ids, int index) {
  return ids ? ids[1 + 2 * index] : LUNA_NO_ID;
}

/// Returns the id of the content that operand `index` reads, or a transfer
/// brings, if the buffer holds different contents over time (a staging buffer);
/// LUNA_NO_ID for any content written to the buffer.
static inline int32_t luna_ids_content(const int32_t *ids, int index) {
  return ids ? ids[2 + 2 * index] : LUNA_NO_ID;
}

/// Element types, with the value used in descriptors.
typedef enum LunaElementType {
  LUNA_TYPE_I1 = 0,
  LUNA_TYPE_I8 = 1,
  LUNA_TYPE_I16 = 2,
  LUNA_TYPE_I32 = 3,
  LUNA_TYPE_I64 = 4,
  LUNA_TYPE_F32 = 5,
  LUNA_TYPE_F64 = 6,
  LUNA_TYPE_F16 = 7,
  LUNA_TYPE_BF16 = 8,
} LunaElementType;

/// Returns the size of an element in bytes (1 for i1), or 0 for an unknown
/// type.
static inline int32_t luna_element_bytes(int32_t type) {
  static const int8_t bytes[] = {1, 1, 2, 4, 8, 4, 8, 2, 2};
  return type >= 0 && type < 9 ? bytes[type] : 0;
}

/// The type and shape of an operand.
typedef struct LunaTensorDesc {
  /// LunaElementType.
  int32_t type;
  int32_t dims[4];
  int32_t strides[4];
} LunaTensorDesc;

/// How 32-bit results become the output type.
typedef enum LunaRequantMode {
  /// 32-bit results are stored as they are.
  LUNA_REQUANT_NONE = 0,
  /// The unit's: clamp(floor(acc * 2^-shift + 0.5) + output_zero_point).
  LUNA_REQUANT_SHIFT = 1,
  /// TOSA apply_scale_32 with multiplier and shift, per tensor (in the
  /// descriptor) or per channel (in the table operand: int32 [2][channels],
  /// multipliers first, then shifts), then + output_zero_point and clamp.
  LUNA_REQUANT_MULTIPLIER = 2,
  /// ONNX's: clamp(round_half_even((float)acc * scale) + output_zero_point) in
  /// binary32. `multiplier` has the bits of the scale; per channel, the table
  /// operand has the scales (f32 [channels]). The core computes it on every
  /// machine.
  LUNA_REQUANT_FLOAT = 3,
} LunaRequantMode;

/// Rounding of LUNA_REQUANT_MULTIPLIER, as TOSA 1.0 defines it.
typedef enum LunaRounding {
  LUNA_ROUND_SINGLE = 0,
  LUNA_ROUND_DOUBLE = 1,
} LunaRounding;

typedef struct LunaRequantDesc {
  int32_t mode;     ///< LunaRequantMode
  int32_t rounding; ///< LunaRounding
  int32_t per_channel;
  int32_t multiplier;
  int32_t shift;
  int32_t output_zero_point;
  int32_t clamp_min;
  int32_t clamp_max;
} LunaRequantDesc;

/// Where the 32-bit sums of a tile become its results.
typedef enum LunaFinish {
  LUNA_FINISH_FUSED = 0, ///< in the launches
  LUNA_FINISH_CORE = 1,  ///< the core requantises them
  LUNA_FINISH_UNIT = 2,  ///< by vector calls of the unit (luna/vector_chain.h)
  /// The same where the output has planes and channels have multipliers.
  LUNA_FINISH_PLANES = 3, ///< by calls for each plane
  LUNA_FINISH_STRIPS = 4, ///< by products of their multipliers and ones
} LunaFinish;

/// The tiling of an operator into launches within the unit's private buffers
/// and operator limits; computed by luna/tiling.h from the machine file. Every
/// extent is that of the largest tile; kernel extents smaller than the
/// operator's require partial sums in 32 bits.
typedef struct LunaTiling {
  int32_t out_h, out_w, out_c;
  int32_t in_c;
  int32_t kernel_h, kernel_w;
  int32_t finish; ///< LunaFinish
  /// The size of the scratch operand, 32-bit tiles; 0 if none is needed.
  int32_t scratch_bytes;
  /// Launches are calls of the vendor's library: a tile is whole planes, whose
  /// rows the call cuts into so many pieces. 0 where a launch is any box, and
  /// the pieces are tiles.
  int32_t row_strips;
  /// The tiles that the scratch holds at once (luna/slots.h); 0 is 1.
  int32_t slots;
} LunaTiling;

typedef enum LunaConvKind {
  /// Weights OHWI.
  LUNA_CONV_NORMAL = 0,
  /// Weights HWCM; output channel c*M+m.
  LUNA_CONV_DEPTHWISE = 1,
  /// Weights OHWI; out_pad in `pad` (top, bottom, left, right), as TOSA.
  LUNA_CONV_TRANSPOSED = 2,
} LunaConvKind;

typedef enum LunaEltwiseKind {
  LUNA_ELTWISE_ADD = 0,
  LUNA_ELTWISE_SUB = 1,
  LUNA_ELTWISE_MUL = 2,
  LUNA_ELTWISE_SCALE = 3, ///< launches only: lhs alone, requantised
} LunaEltwiseKind;

typedef enum LunaPoolKind {
  LUNA_POOL_MAX = 0,
  /// TOSA avg_pool2d: the sum over the window's valid elements, less the
  /// input zero point, times TOSA's reciprocal scale, plus the output's.
  LUNA_POOL_AVERAGE = 1,
} LunaPoolKind;

/// The descriptors of the unit's operators, Luna<Type>Desc for each class of
/// luna/units.def: LunaConv2dDesc, LunaTableDesc, … Their members and meaning
/// stand there.
#define LUNA_FIELD_INT int32_t
#define LUNA_FIELD_INTS int32_t
#define LUNA_FIELD_FLAG int32_t
#define LUNA_FIELD_LAYOUT int32_t
#define LUNA_FIELD_OP_KIND int32_t
#define LUNA_FIELD_REQUANT LunaRequantDesc
#define LUNA_FIELD_TILING LunaTiling
#define LUNA_UNIT_CLASS(CLASS, name, Type) typedef struct Luna##Type##Desc {
#define LUNA_UNIT_OPERAND(CLASS, Type, name, ROLE, FLAG, text)                 \
  LunaTensorDesc name;
#define LUNA_UNIT_ATTRIBUTE(CLASS, Type, field, extent, KIND, name, absent)    \
  LUNA_FIELD_##KIND field extent;
#define LUNA_UNIT_FIELD(CLASS, type, field) type field;
#define LUNA_UNIT_END(Type)                                                    \
  }                                                                            \
  Luna##Type##Desc;
#include "luna/units.def"
#undef LUNA_FIELD_INT
#undef LUNA_FIELD_INTS
#undef LUNA_FIELD_FLAG
#undef LUNA_FIELD_LAYOUT
#undef LUNA_FIELD_OP_KIND
#undef LUNA_FIELD_REQUANT
#undef LUNA_FIELD_TILING

/// Copies a strided box of elements, both ends on chip.
typedef struct LunaCopyDesc {
  LunaTensorDesc source, target;
} LunaCopyDesc;

/// Fills a strided box on chip with one value given by its bits.
typedef struct LunaFillDesc {
  LunaTensorDesc target;
  int32_t value_low, value_high;
} LunaFillDesc;

typedef enum LunaDmaDirection {
  LUNA_DMA_LOAD = 0,  ///< PSRAM to shared memory
  LUNA_DMA_STORE = 1, ///< shared memory to PSRAM
  LUNA_DMA_ON_CHIP = 2,
} LunaDmaDirection;

typedef struct LunaDmaDesc {
  int32_t bytes;
  int32_t channel;
  int32_t direction;
} LunaDmaDesc;

typedef enum LunaAccess {
  LUNA_ACCESS_READ = 1,
  LUNA_ACCESS_WRITE = 2,
  LUNA_ACCESS_READ_WRITE = 3,
} LunaAccess;

/// The cost of an operator on the host core.
typedef struct LunaHostDesc {
  int32_t cycles_low, cycles_high; ///< 64-bit cycle count, low half first
} LunaHostDesc;

/// One operand of a host operator, a box of up to six dimensions.
typedef struct LunaHostOperandDesc {
  int32_t access; ///< LunaAccess
  int32_t element_bytes;
  int32_t rank;
  int32_t dims[6];
  int32_t strides[6]; ///< in elements
} LunaHostOperandDesc;

/// Starts a transfer and returns its token (> 0). Neither end may be accessed
/// until the token is awaited, even if the transfer has completed. In `ids`,
/// operand 0 is the target, with the content that it has then, 1 the source.
int32_t luna_rt_dma_start(const LunaDmaDesc *desc, const int32_t *ids,
                          void *target, const void *source);
/// Awaits a transfer. Token 0 ("no transfer") returns at once. `op` is the
/// waiting operator.
void luna_rt_dma_wait(int32_t op, int32_t token);

/// The launches of an operator: luna/launch_record.h.
struct LunaProductRecord;

/// The parameters or arguments in the parentheses of a row of luna/units.def.
#define LUNA_UNIT_LIST(...) __VA_ARGS__

/// luna_rt_<name> computes an operator of a class of luna/units.def:
/// luna_rt_conv2d, luna_rt_table, … Pointers are in the order of its operands;
/// optional ones may be NULL where the descriptor needs none. A convolution or
/// matrix product takes its launches, which are those of `desc` and its tiling;
/// `desc` serves checks alone there, and may be NULL.
#define LUNA_UNIT_TILED(CLASS, name, Type)                                     \
  void luna_rt_##name(                                                         \
      const Luna##Type##Desc *desc, const struct LunaProductRecord *launches,  \
      const int32_t *ids, const void *input, const void *weight,               \
      const void *bias, const void *table, void *scratch, void *output);
#define LUNA_UNIT_CALL(CLASS, name, Type, parameters, arguments)               \
  void luna_rt_##name(const Luna##Type##Desc *desc, const int32_t *ids,        \
                      LUNA_UNIT_LIST parameters);
#include "luna/units.def"

/// Copies on chip.
void luna_rt_copy(const LunaCopyDesc *desc, const int32_t *ids,
                  const void *source, void *target);
/// Fills on chip.
void luna_rt_fill(const LunaFillDesc *desc, const int32_t *ids, void *target);

/// Announces an operator that the program itself computes on the host core:
/// begin, one call per operand (in the order of `ids`), the computation, end.
/// Not nested.
void luna_rt_host_begin(const LunaHostDesc *desc, const int32_t *ids);
void luna_rt_host_operand(const LunaHostOperandDesc *desc, const void *data);
void luna_rt_host_end(void);

/// Announces the decision of branch `branch` (an index into the program's
/// branch names) and returns the one to take: `decision`, unless another was
/// forced. An scf.if passes 1 for then, 0 for else.
int32_t luna_rt_branch(int32_t branch, int32_t decision);
/// Announces one more iteration of loop `loop` (an index into the program's
/// loop names).
void luna_rt_loop_iteration(int32_t loop);

#ifdef __cplusplus
}
#endif

#endif // LUNA_RUNTIME_H
