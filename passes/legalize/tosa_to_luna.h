#ifndef LUNA_TOSA_TO_LUNA_H
#define LUNA_TOSA_TO_LUNA_H

// The parts of the pass tosa-to-luna. Each rewrite takes the last op of its
// pattern (the root), matches backwards through ops with one use, and either
// replaces the root's result and returns true, or changes nothing and returns
// false. Redundant ops become dead with their last user.

#include <stdbool.h>
#include <stdint.h>

#include "luna-c/build_tosa.h"
#include "luna-c/dialect.h"
#include "luna/machine.h"
#include "luna/runtime.h"
#include "mlir-c/IR.h"

//===----------------------------------------------------------------------===//
// Reading (tosa_to_luna_read.c): mismatches return false, without a diagnostic
//===----------------------------------------------------------------------===//

/// A constant of integers (or of `index`).
typedef struct LunaTosaConst {
  MlirAttribute attribute; ///< dense elements
  unsigned width;          ///< bits of an element, 64 for index
  int64_t count;
} LunaTosaConst;

/// Reads the constant that defines `value` (tosa.const, tosa.const_shape,
/// arith.constant).
bool luna_tosa_const(MlirValue value, LunaTosaConst *ints);
/// Returns entry `i`, sign-extended; any index is valid for a splat.
int64_t luna_tosa_const_at(const LunaTosaConst *ints, int64_t i);
/// Reads a constant of exactly one entry, e.g. a zero point.
bool luna_tosa_scalar(MlirValue value, int64_t *scalar);
/// Reads a constant shape or list of `count` integers.
bool luna_tosa_list(MlirValue value, int64_t *list, int64_t count);

/// Returns the width in bits of the signless integer elements of a statically
/// shaped tensor, 0 for any other type.
unsigned luna_tosa_width(MlirValue value);
/// Returns the rank of a ranked tensor.
int64_t luna_tosa_rank(MlirValue value);
/// Returns dimension `d`.
int64_t luna_tosa_dim(MlirValue value, int64_t d);

/// A tosa.rescale of signed integers that luna can express.
typedef struct LunaTosaRescale {
  MlirValue input;
  unsigned input_width, output_width;
  int64_t input_zp, output_zp;
  LunaTosaConst multiplier, shift;
  bool per_channel; ///< false also where all channels are equal
  /// LunaRounding; single if both are equivalent.
  int32_t rounding;
} LunaTosaRescale;

/// Reads `op` as a rescale with constant parameters in the ranges that TOSA
/// allows. Returns false for unsigned data and inexact rounding. 16-bit
/// multipliers scale as 32-bit ones do.
bool luna_tosa_rescale(MlirOperation op, LunaTosaRescale *rescale);
/// Returns apply_scale_32 of TOSA 1.0, wrapping as the upstream lowering does.
int32_t luna_tosa_apply_scale(int32_t value, int32_t multiplier, int32_t shift,
                              int32_t rounding);
/// Returns one value rescaled by a per-tensor `rescale`.
int64_t luna_tosa_rescale_value(const LunaTosaRescale *rescale, int64_t value);

/// Reads a tosa.clamp of integers.
bool luna_tosa_clamp(MlirOperation op, int64_t *min, int64_t *max);
/// Makes `op` the bounds of the operator of the unit whose result it alone
/// clamps, at once or behind moves of elements (reshapes, transposes,
/// reversals) in one block: a reader's own luna operator, which requantises.
/// Returns false if there is none; else the caller destroys `op`.
bool luna_tosa_fuse_clamp(MlirOperation op);

//===----------------------------------------------------------------------===//
// Building (tosa_to_luna_build.c)
//===----------------------------------------------------------------------===//

/// Attributes of an op under construction; zero-initialise.
typedef struct LunaTosaAttrs {
  MlirNamedAttribute items[16];
  intptr_t count;
} LunaTosaAttrs;

/// Appends an attribute.
void luna_tosa_add_attr(LunaTosaAttrs *list, MlirContext context,
                        const char *name, MlirAttribute value);
/// Appends an i32 attribute unless it is `usual`, the dialect's default.
void luna_tosa_add_int(LunaTosaAttrs *list, MlirContext context,
                       const char *name, int64_t value, int64_t usual);
/// Appends a dense i64 array unless all its entries are `usual`.
void luna_tosa_add_ints(LunaTosaAttrs *list, MlirContext context,
                        const char *name, const int64_t *values, intptr_t count,
                        int64_t usual);
/// Appends a dense i32 array.
void luna_tosa_add_segments(LunaTosaAttrs *list, MlirContext context,
                            const int32_t *sizes, intptr_t count);

/// A unit operator under construction: its op without the output operand.
typedef struct LunaTosaUnit {
  const char *name;
  LunaBuilder builder;
  MlirValue inputs[4];
  intptr_t input_count;
  LunaTosaAttrs attributes;
} LunaTosaUnit;

/// Creates a unit operator that writes an empty tensor of `type`; returns its
/// result.
MlirValue luna_tosa_make_unit(const LunaTosaUnit *spec, MlirType type);
/// Replaces `root` by a unit operator.
void luna_tosa_replace(MlirOperation root, const LunaTosaUnit *spec);

/// Creates a tensor of integers that is filled on chip.
MlirValue luna_tosa_fill(const LunaBuilder *b, MlirType type, int64_t value);

/// The most images of a batch: each has unit operators of its own, so that a
/// larger batch would make the program long.
enum { LUNA_TOSA_IMAGES_MAX = 64 };

/// Returns true if a value [N, H, W, C] has 1 to LUNA_TOSA_IMAGES_MAX images.
bool luna_tosa_has_images(MlirValue value);

/// Creates a value of `type`, [N, H, W, C], by N unit operators, each on an
/// image of the first input, which has_images: the unit takes one at a time.
MlirValue luna_tosa_make_images(const LunaTosaUnit *spec, MlirType type);
/// Replaces `root` by such a value.
void luna_tosa_replace_images(MlirOperation root, const LunaTosaUnit *spec);

//===----------------------------------------------------------------------===//
// Requantisation (tosa_to_luna_requant.c)
//===----------------------------------------------------------------------===//

/// Reads a linalg.generic that requantises 32-bit sums in floating point
/// (tosa_to_luna_float.c); `scales` is the table of a per-channel one.
bool luna_tosa_float_requant(MlirOperation op, LunaRequant *requant,
                             MlirAttribute *scales);

/// A 32-bit operator with its successors: rescale, then clamps; or a
/// requantisation in floating point.
typedef struct LunaTosaChain {
  MlirOperation root;     ///< its last op
  MlirOperation producer; ///< the operator; the root itself if nothing follows
  LunaRequant requant;
  /// Dense 2xCxi32, or Cxf32 in mode float, if the requant is per channel.
  MlirAttribute table;
  const LunaMachine *machine; ///< not set by luna_tosa_chain
  bool wants_calls;           ///< of the vendor's library; nor is this
} LunaTosaChain;

/// Matches backwards from `root` to an operator with 32-bit results: through
/// clamps and a rescale from 32 bits, or none if root is the operator.
bool luna_tosa_chain(MlirOperation root, LunaTosaChain *chain);

//===----------------------------------------------------------------------===//
// Calls of the vendor's library (tosa_to_luna_calls.c)
//===----------------------------------------------------------------------===//

/// Remarks that the core computes the root, for which there is no call, and
/// returns false.
bool luna_tosa_leave_to_core(const LunaTosaChain *chain);
/// Returns true if the chain wants no calls, or the unit operator of `spec`,
/// with the type of the root's result or another, has some; else remarks that
/// the core computes it.
bool luna_tosa_fits_calls(const LunaTosaChain *chain, const LunaTosaUnit *spec,
                          MlirType type);
/// Replaces the root, a max pooling, by unit operators of as many channels as a
/// call takes; false if none does.
bool luna_tosa_replace_pool(const LunaTosaChain *chain,
                            const LunaTosaUnit *spec);
/// Makes operands of an elementwise operator that have a value for each channel
/// planes (tosa_to_luna_factors.c).
void luna_tosa_form_factors(MlirOperation op);
/// Writes the operators of a function in the form that has calls.
void luna_tosa_form_calls(MlirOperation func, const LunaMachine *machine);

//===----------------------------------------------------------------------===//
// Convolutions (tosa_to_luna_match.c)
//===----------------------------------------------------------------------===//

/// A convolution of TOSA that the unit computes.
typedef struct LunaTosaConv {
  MlirOperation op;
  int32_t kind; ///< LunaConvKind
  MlirValue input, weight, bias;
  int64_t stride[2], dilation[2], pad[4];
  int64_t input_zp, weight_zp;
  int64_t kernel[2], output[2]; ///< height, width
  /// A normal convolution of 1x1 pixels by 1x1 kernels, any batch.
  bool is_fully_connected;
} LunaTosaConv;

/// Matches tosa.conv2d, depthwise_conv2d and transpose_conv2d on int8, and on
/// int16 if no sum can exceed 32 bits.
bool luna_tosa_conv(MlirOperation op, LunaTosaConv *conv);
/// Returns the extent of the output on `axis` (0 height, 1 width) for an input
/// of extent `in`.
int64_t luna_tosa_conv_extent(const LunaTosaConv *conv, int64_t in, int axis);
/// Takes pads and slices before a convolution into its padding, as far as the
/// result stays equal and no other op needs the padded tensor
/// (tosa_to_luna_pad.c).
void luna_tosa_fold_pads(LunaTosaConv *conv);

//===----------------------------------------------------------------------===//
// Rewrites
//===----------------------------------------------------------------------===//

/// A rewrite for each class of luna/units.def, luna_tosa_rewrite_<name>:
/// matches backwards from chain->root, the last op of a pattern, and replaces
/// its result by that of a unit operator; or changes nothing and returns false.
///
/// The chain is the one that ends at the root; it has no producer where none
/// does.
#define LUNA_UNIT_CLASS(CLASS, name, Type)                                     \
  bool luna_tosa_rewrite_##name(const LunaTosaChain *chain);
#include "luna/units.def"

/// A pooling of TOSA with constant parameters; zero points of an average.
typedef struct LunaTosaPool {
  MlirValue input; ///< [N, H, W, C], as luna_tosa_has_images asks
  int64_t kernel[2], stride[2], pad[4];
  int64_t input_zp, output_zp;
} LunaTosaPool;

/// Replaces an average by sums that the unit finishes, if that takes fewer
/// cycles (tosa_to_luna_average.c). `pool` is what the root is.
bool luna_tosa_rewrite_average(const LunaTosaChain *chain,
                               const LunaTosaPool *pool);

#endif // LUNA_TOSA_TO_LUNA_H
