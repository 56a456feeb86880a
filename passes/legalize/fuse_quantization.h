#ifndef LUNA_FUSE_QUANTIZATION_H
#define LUNA_FUSE_QUANTIZATION_H

// The parts of the pass luna-fuse-quantization.
//
// A value is *dequantised* where a luna.dequantize of constant scale and zero
// point makes it. An operator is made in integers by changing it in place where
// it only moves elements, else by building what computes its integers. All
// functions that build insert before a given op.

#include <stdbool.h>
#include <stdint.h>

#include "luna-c/builder.h"
#include "luna/arena.h"
#include "luna/ties.h"
#include "mlir-c/IR.h"

//===----------------------------------------------------------------------===//
// Reading (fuse_quantization_read.c)
//===----------------------------------------------------------------------===//

/// A luna.quantize or luna.dequantize whose parameters are constant: positive,
/// finite scales, and one zero point for all.
typedef struct LunaQuant {
  MlirOperation op;
  /// The integers' element type.
  MlirType element;
  bool is_unsigned;
  /// One scale for all, or `scales` by index, shaped as the op has it.
  bool is_uniform;
  float scale;
  MlirAttribute scales;
  int64_t zero;
} LunaQuant;

/// Reads `op`; false where it is no such op.
bool luna_quant_read(MlirOperation op, LunaQuant *quant);
/// Reads the luna.dequantize that makes `value`.
bool luna_quant_source(MlirValue value, LunaQuant *quant);
/// Returns the integers behind a luna.dequantize.
MlirValue luna_quant_ints(const LunaQuant *quant);
/// Returns true for signed 8-bit integers with one scale and a shape that is
/// static and not empty.
bool luna_quant_is_int8(const LunaQuant *quant);
/// Returns true if both stand for the same numbers.
bool luna_quant_is_like(const LunaQuant *a, const LunaQuant *b);

/// Returns true if larger integers stand for larger numbers: they are signed,
/// and less the zero point, which is taken off in 32 bits, none wraps.
bool luna_quant_keeps_order(const LunaQuant *quant);

/// What a luna.quantize to int8 makes.
typedef struct LunaQuantTarget {
  float scale;
  int64_t zero, low, high;
  LunaTies ties;
} LunaQuantTarget;

/// Returns what a luna.quantize makes, with its first scale.
LunaQuantTarget luna_quant_target_of(const LunaQuant *quantize);
/// Reads what `op` makes; false where it is no luna.quantize to int8.
bool luna_quant_target(MlirOperation op, LunaQuantTarget *target);
/// Returns the integer that a number becomes.
int64_t luna_quant_number(const LunaQuantTarget *target, float number);

//===----------------------------------------------------------------------===//
// Constants (fuse_quantization_literal.c)
//===----------------------------------------------------------------------===//

/// The elements of a constant tensor; bytes belong to the arena or the IR.
typedef struct LunaLiteral {
  MlirType type;
  const uint8_t *bytes;
  int64_t element_bytes, count;
  bool is_splat;
} LunaLiteral;

/// Returns the dense elements of a constant op's value, or null.
MlirAttribute luna_literal_attr(MlirValue value);
/// Reads the elements of an attribute; the bytes are the IR's.
bool luna_literal_of(MlirAttribute values, LunaLiteral *literal);
/// Reads the constant that `value` is made by; the bytes are the IR's.
bool luna_literal_read(MlirValue value, LunaLiteral *literal);
/// Reads a constant, also through operators that only move its elements.
bool luna_literal_read_moved(LunaArena *arena, MlirValue value,
                             LunaLiteral *literal);
/// Returns element `i`: of an integer, sign-extended; of f32.
int64_t luna_literal_int(const LunaLiteral *literal, int64_t i);
float luna_literal_float(const LunaLiteral *literal, int64_t i);
/// Adds the constant as a tosa.const.
MlirValue luna_literal_make(const LunaLiteral *literal, const LunaBuilder *b);
/// Reads an f32 constant whose elements are all alike, dequantised or not.
bool luna_literal_number(MlirValue value, float *number);

/// Returns true if both are tensors of one shape.
bool luna_has_same_shape(MlirValue a, MlirValue b);
/// Returns true if a linalg.generic reads and writes element by element, in
/// order, but for inputs of one number.
bool luna_reads_in_order(MlirOperation op);

//===----------------------------------------------------------------------===//
// Building (fuse_quantization_build.c)
//===----------------------------------------------------------------------===//

/// Adds a tosa.table of int8.
MlirValue luna_quant_make_table(const LunaBuilder *b, MlirValue ints,
                                const int8_t table[256]);
/// Adds a luna.dequantize of `ints` like `quant`, with other scales unless
/// null.
MlirValue luna_quant_make_floats(const LunaBuilder *b, MlirValue ints,
                                 const LunaQuant *quant, MlirAttribute scales);
/// Dequantises `ints`, the result of an op that became integers, for all its
/// users.
void luna_quant_dequantize_result(MlirValue ints, const LunaQuant *quant,
                                  MlirAttribute scales);
/// Brings 32-bit sums to int8, or to f32 where `target` is NULL: sum * scale,
/// rounded half to even. `scale_count` scales, 1 or as many as the last
/// dimension has.
MlirValue luna_quant_finish(LunaBuilder *b, MlirValue sums, const float *scales,
                            int64_t scale_count, const LunaQuantTarget *target);

/// Replaces the result of `op` and erases it and what only it used.
void luna_quant_replace(MlirOperation op, MlirValue with);
/// Erases `op` and what only it used, if nothing uses its results.
void luna_quant_erase_dead(MlirOperation op);
/// The same for `op` alone.
void luna_quant_erase_if_dead(MlirOperation op);

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

// fuse_quantization_move.c: operators that only move elements

enum { LUNA_FUSE_MAX_OPERANDS = 64 };

typedef struct LunaFuseMove {
  LunaOpName name;
  /// How many of the first operands have elements to move; -1 is all.
  int operands;
  /// Its operands are quantised where its result is.
  bool is_hoisted;
  /// It compares: unsigned bytes would be in another order.
  bool compares;
} LunaFuseMove;

/// Returns the row of `op`, or NULL where it is none.
const LunaFuseMove *luna_fuse_find_move(MlirOperation op);
intptr_t luna_fuse_operand_count(const LunaFuseMove *move, MlirOperation op);
/// Returns true for an scf.if with results.
bool luna_fuse_is_branch(MlirOperation op);
/// Returns what ends a branch of an scf.if.
MlirOperation luna_fuse_yield(MlirOperation op, intptr_t branch);

/// Makes an operator that only moves elements of dequantised values on their
/// integers, and dequantises its result. Clamps at 0 are such, and branches.
bool luna_fuse_sink(MlirOperation op);
/// Quantises what goes into the operator that makes the input of `quantize`,
/// if it only moves elements and nothing else uses its result: `quantize` is
/// gone. Returns how many luna.quantize there are instead (0: not done).
int luna_fuse_hoist(MlirOperation quantize,
                    MlirOperation made[LUNA_FUSE_MAX_OPERANDS]);

// fuse_quantization_scales.c

/// Returns the scales of the result of `op`, where those of its operand go
/// along dimensions; null where `op` mixes them.
MlirAttribute luna_quant_moved_scales(MlirOperation op, const LunaQuant *quant);

// fuse_quantization_pick.c

/// Sinks a luna.dequantize through a linalg.generic that only picks elements.
bool luna_fuse_sink_picker(MlirOperation op);

// fuse_quantization_clamp.c

/// Sinks a luna.dequantize through a clamp at 0.
bool luna_fuse_sink_relu(MlirOperation op);
/// Takes the clamps that make the input of `quantize`, and that nothing else
/// uses, into its bounds.
void luna_fuse_absorb_clamps(MlirOperation quantize);

// fuse_quantization_window.c: pools by a linalg.generic

/// A linalg.generic that combines the elements of windows, and `start`: its
/// input `input`, and how many elements a window has.
typedef struct LunaFuseWindow {
  MlirOperation op;
  intptr_t input;
  MlirValue source;
  float start;
  int64_t count;
} LunaFuseWindow;

/// Reads one that takes the largest element.
bool luna_fuse_read_max(MlirOperation op, LunaFuseWindow *window);
/// Makes it one of `ints`, in place.
void luna_fuse_max_of_ints(const LunaFuseWindow *window, MlirValue ints,
                           int64_t start);
/// Sinks a luna.dequantize through it.
bool luna_fuse_sink_max(MlirOperation op);
/// Reads one that sums up a dequantised value of int8.
bool luna_fuse_read_sum(MlirOperation op, LunaFuseWindow *window,
                        LunaQuant *quant);
/// Builds the sums of integers less their zero point, of int32.
MlirValue luna_fuse_sum_ints(const LunaBuilder *b, const LunaFuseWindow *window,
                             const LunaQuant *quant);

// fuse_quantization_flip.c: unsigned bytes

/// Makes a luna.quantize or luna.dequantize of unsigned bytes one of signed
/// ones, with the highest bit flipped by a table.
void luna_fuse_make_signed(MlirOperation op);
/// Moves a flip of the highest bit behind `op`, where it may meet another.
bool luna_fuse_sink_flip(MlirOperation op);

// fuse_quantization_table.c

/// Replaces `quantize` of a function of one dequantised value by a table.
bool luna_fuse_table(MlirOperation quantize);
/// Returns true if `op` computes f32 element by element.
bool luna_fuse_is_elementwise(MlirOperation op);

// fuse_quantization_pair.c

/// Replaces `quantize` of a sum, difference or product of two dequantised
/// values by rescales, where these give what f32 does for all int8. `*work`
/// counts the pairs tried by all searches of a function.
bool luna_fuse_pair(MlirOperation quantize, int64_t *work);

// fuse_quantization_product.c

/// Makes a convolution, matrix product or mean of dequantised values in
/// integers; `root` is a luna.quantize, or the operator whose result stays
/// float.
bool luna_fuse_product(MlirOperation root);

#endif // LUNA_FUSE_QUANTIZATION_H
