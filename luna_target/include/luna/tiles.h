#ifndef LUNA_TILES_H
#define LUNA_TILES_H

// The launches of an operator with a tiling, in sequence.
//
// The output is divided into tiles; each tile is the sum of its launches over
// blocks of kernel taps and of input channels. A tile of one launch is written
// to the output (or, unless they finish its sums, to the scratch); a tile of
// several is accumulated in the scratch in 32 bits, starting from the bias.
// Launches read the input through a view: only rows and columns that exist, and
// only every stride-th if that keeps an operator legal.
//
// The simulator and the tests walk this iterator; the cost model counts the
// same launches by classes (axis.h).

#include <stdbool.h>
#include <stdint.h>

#include "luna/border.h"
#include "luna/error.h"
#include "luna/launch_record.h"
#include "luna/machine.h"
#include "luna/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The numbers start, start + step, … (`count` of them; step is at least 1).
typedef struct LunaRange {
  int32_t start, count, step;
} LunaRange;

/// Returns true if two ranges are equal.
static inline bool luna_range_equal(LunaRange a, LunaRange b) {
  return a.start == b.start && a.count == b.count && a.step == b.step;
}

/// The classes of borders (luna/border.h) that a tile has on an axis, of an
/// operator whose bias has a row for each; else none.
typedef struct LunaTileBorder {
  int32_t classes;
  int32_t inner;                            ///< which is class 0, or -1
  int32_t outputs[LUNA_BORDER_CLASSES_MAX]; ///< of each, in their order
} LunaTileBorder;

/// One axis (y or x) of a launch.
typedef struct LunaLaunchAxis {
  LunaRange tile; ///< outputs of the tile
  /// The outputs that the launch computes: those of the tile to which its taps
  /// contribute.
  LunaRange out;
  LunaRange in;   ///< inputs it reads, all inside the input tensor
  LunaRange taps; ///< kernel taps
  int32_t pad_before, pad_after; ///< padding around `in`, in view elements
  int32_t stride, dilation;      ///< as the unit sees them, in view elements
  int32_t strips; ///< pieces that the call itself cuts it into, 0 or 1: none
  LunaTileBorder border;
} LunaLaunchAxis;

/// One launch.
///
/// A matrix product has its rows on y, its columns on x and its depth in in_c;
/// it has one tap, and out_c is 1.
typedef struct LunaLaunch {
  int32_t kind; ///< LunaLaunchKind
  int32_t batch;
  LunaLaunchAxis y, x;
  LunaRange out_c; ///< of tile and launch alike
  LunaRange in_c;  ///< a depthwise launch pairs in_c[i] with out_c[i]
  bool is_first;   ///< of its tile: the sums start from the bias
  bool is_last;    ///< of its tile: the sums are complete
  /// True if no tap contributes to any output of the tile (all padding): the
  /// tile is the bias, `in` and `out` are empty, and the unit is not started.
  bool is_empty;
  bool covers_tile; ///< `out` is the whole tile
} LunaLaunch;

/// The state of an iteration; private to the functions below.
typedef struct LunaTiles {
  const LunaConv2dDesc *conv;
  const LunaMatmulDesc *matmul;
  int32_t position[8];
  bool is_done;
} LunaTiles;

/// Starts an iteration over the launches of a convolution with desc->tiling;
/// `desc` must outlive it.
void luna_tiles_conv2d_begin(LunaTiles *tiles, const LunaConv2dDesc *desc);

/// Starts an iteration over the launches of a matrix product with desc->tiling.
void luna_tiles_matmul_begin(LunaTiles *tiles, const LunaMatmulDesc *desc);

/// Writes the next launch. Returns false if there is none. The launches of a
/// tile are contiguous.
bool luna_tiles_next(LunaTiles *tiles, LunaLaunch *launch);

/// Returns true if some tile needs partial sums in 32 bits: it has more than
/// one launch, or one that does not compute every output.
bool luna_tiles_conv2d_need_sums(const LunaConv2dDesc *desc);
bool luna_tiles_matmul_need_sums(const LunaMatmulDesc *desc);

/// Returns true if the unit supports `requant`: none, a shift that saturates to
/// `output_type` with an optional ReLU, or a multiplier if the machine has one.
bool luna_requant_is_native(const LunaMachine *machine,
                            const LunaRequantDesc *requant,
                            int32_t output_type);

/// Returns true if the launches of a product requantise its sums: the unit
/// supports that, and the core adds nothing at borders before.
bool luna_is_fused(const LunaMachine *machine, const LunaRequantDesc *requant,
                   const LunaTensorDesc *bias, int32_t output_type);

/// Returns true if the unit computes an elementwise operator: no input has a
/// zero point or a multiplier, but powers of two with a scratch, and the unit
/// supports the requantisation; or a chain of vector calls does, with a scratch
/// (luna/chain_cost.h). Otherwise the core computes it.
bool luna_eltwise_is_native(const LunaMachine *machine,
                            const LunaEltwiseDesc *desc);

/// Returns true if the operands of an elementwise operator lie as vector calls
/// take them: each side by side in the order of the output; one with fewer
/// channels is beside the first planes of that.
bool luna_eltwise_is_call(const LunaEltwiseDesc *desc);

/// Returns the number of launches of an elementwise operator on the unit: one,
/// and one more for each input that is padded, for the channels it has not; or
/// those of luna/eltwise_launches.h.
int32_t luna_eltwise_launches(const LunaEltwiseDesc *desc);

/// Returns the bytes that a launch occupies in the unit's input and weight
/// buffers, with the alignment of the machine.
int64_t luna_launch_input_bytes(const LunaMachine *machine,
                                const LunaLaunch *launch, int32_t element_type);
int64_t luna_launch_weight_bytes(const LunaMachine *machine,
                                 const LunaLaunch *launch,
                                 int32_t element_type);

/// Returns true if a launch obeys the machine's limits (private buffers,
/// kernel, stride, padding, dilation); else fails with LUNA_ERROR_CAPACITY for
/// a buffer and LUNA_ERROR_INPUT for any other limit. `input_type` and
/// `weight_type` are the element types of its operands.
bool luna_launch_check(const LunaMachine *machine, const LunaLaunch *launch,
                       int32_t input_type, int32_t weight_type,
                       LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_TILES_H
