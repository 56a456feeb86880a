#ifndef LUNA_ONNX_QDQ_H
#define LUNA_ONNX_QDQ_H

// Quantised ONNX: float values that stand for integers, and operators on them.
//
// A DequantizeLinear of constants' scale and zero point makes no IR: its
// result remembers the integers, always int8 (uint8 is carried as int8 with
// zero point - 128). An operator between such values and a QuantizeLinear is
// made in integers at once, with the scale that lies ahead; its result then
// remembers integers again, and the QuantizeLinear has nothing left to do.
// Whoever needs the floats asks for the IR as usual and gets it made.

#include "onnx.h"

/// What uint8 is carried less, as int8.
enum { ONNX_UNSIGNED_BIAS = 128 };

/// (ints - zero) * scale.
typedef struct OnnxQuant {
  /// int8; constants may be int32 (a bias).
  OnnxValue *ints;
  /// One scale, or one for each index of dimension `axis` (constants only).
  const float *scales;
  int64_t scale_count;
  int axis;
  int64_t zero;
  /// The integers are what the QuantizeLinear ahead gives, clamps before it
  /// included.
  bool is_settled;
} OnnxQuant;

/// What a QuantizeLinear makes, in int8.
typedef struct OnnxTarget {
  float scale;
  int64_t zero;
  /// Of the model: int8 or uint8.
  OnnxType type;
  /// Bounds of the result, with what is clamped on the way to it.
  int64_t low, high;
} OnnxTarget;

/// What an operator on quantised values works with.
typedef struct OnnxQdqNode {
  OnnxNode *node;
  /// The operator, which for one of com.microsoft is the plain one.
  const char *name;
  /// What its result is quantised to; `has_target` false where it stays float.
  OnnxTarget target;
  bool has_target;
} OnnxQdqNode;

//===----------------------------------------------------------------------===//
// onnx_qdq.c
//===----------------------------------------------------------------------===//

/// Reads a node as an operator on quantised values, if it is one: `*done` says
/// so. False after an error.
bool onnx_qdq_node(OnnxImport *c, OnnxNode *n, bool *done);

/// What two branches give for output `k` of an If, as integers that cross its
/// end: replaces both values and gives what the result is like; NULL where
/// they stay as they are.
OnnxValue *onnx_qdq_join(OnnxImport *c, const OnnxNode *n, int k,
                         OnnxValue **values[2], const MlirBlock blocks[2]);

/// The int8 of a float value that is no constant; NULL after an error.
OnnxValue *onnx_qdq_quantized(OnnxImport *c, OnnxValue *value,
                              const OnnxTarget *target);

//===----------------------------------------------------------------------===//
// onnx_qdq_value.c
//===----------------------------------------------------------------------===//

/// Positive, finite scales of a constant; NULL where it is none.
const float *onnx_qdq_scales(OnnxImport *c, const OnnxValue *scale);

/// Reads one zero point for all of `type`, as int8; NULL is 0. False (and
/// no error) where it is none.
bool onnx_qdq_zero(const OnnxValue *zero, OnnxType type, int64_t *number);

/// The float value that stands for these integers.
OnnxValue *onnx_qdq_with(OnnxImport *c, const OnnxQuant *quant);

/// Gives a value that has its IR: `value` itself (which may be NULL), or one
/// made for the current block.
OnnxValue *onnx_qdq_made(OnnxImport *c, OnnxValue *value);

/// Says whether the value stands for int8 with one scale.
bool onnx_qdq_is_int8(const OnnxValue *value);

/// Gives the float value that these integers stand for; `ints` is int8 as
/// OnnxQuant has it.
OnnxValue *onnx_qdq_value(OnnxImport *c, OnnxValue *ints, float scale,
                          int64_t zero);

/// The same for what `target` describes.
OnnxValue *onnx_qdq_settled(OnnxImport *c, OnnxValue *ints,
                            const OnnxTarget *target);

/// Gives the value that `ints` are where `like` is one.
OnnxValue *onnx_qdq_like(OnnxImport *c, const OnnxValue *like, OnnxValue *ints);

/// The float value that 8-bit integers (or a constant of int32) with this scale
/// and zero point (NULL is 0) stand for; NULL, without an error, where that
/// cannot be remembered.
OnnxValue *onnx_qdq_remember(OnnxImport *c, OnnxValue *value,
                             const OnnxValue *scale, const OnnxValue *zero,
                             int64_t axis);

/// int8 as the model's type has it.
OnnxValue *onnx_qdq_as_type(OnnxImport *c, OnnxValue *ints, OnnxType type);

/// Looks all elements up in a table of 256.
OnnxValue *onnx_qdq_table(OnnxImport *c, OnnxValue *ints,
                          const int8_t table[256]);

/// x - zero as a float; x is of an integer type.
MlirValue onnx_qdq_centred(OnnxImport *c, MlirValue x, OnnxType type,
                           int64_t zero);

//===----------------------------------------------------------------------===//
// onnx_qdq_target.c
//===----------------------------------------------------------------------===//

/// Reads what constants of a QuantizeLinear describe; false (and no error)
/// where they are no such constants.
bool onnx_qdq_read_target(OnnxImport *c, const OnnxValue *scale,
                          const OnnxValue *zero, OnnxTarget *target);

/// Finds the QuantizeLinear that alone uses `name`, over Relu and Clip.
bool onnx_qdq_find_target(OnnxImport *c, const char *name, OnnxTarget *target);

/// The integer of the target that `number` is quantised to.
int64_t onnx_quantize_number(const OnnxTarget *target, float number);

/// Rounds a float half to even, adds the zero point, clamps: int8.
MlirValue onnx_round_to(OnnxImport *c, MlirValue x, const OnnxTarget *target);

//===----------------------------------------------------------------------===//
// Operators; `*done` stays false where they cannot be made in integers
//===----------------------------------------------------------------------===//

typedef bool (*OnnxQdqHandler)(OnnxImport *c, const OnnxQdqNode *q, bool *done);

/// Finds what makes an operator of ONNX in integers, or gives NULL.
OnnxQdqHandler onnx_qdq_find(const char *name);

// onnx_qdq_move.c
/// Makes an operator that only moves elements on the integers.
bool onnx_qdq_move(OnnxImport *c, OnnxNode *n, bool *done);

// onnx_qdq_linear.c
/// Reads an operator that carries its scales as the plain one between
/// DequantizeLinear and QuantizeLinear.
bool onnx_qdq_linear(OnnxImport *c, OnnxNode *n, bool *done);

// onnx_qdq_product.c
bool onnx_qdq_conv(OnnxImport *c, const OnnxQdqNode *q, bool *done);
bool onnx_qdq_conv_transpose(OnnxImport *c, const OnnxQdqNode *q, bool *done);
bool onnx_qdq_gemm(OnnxImport *c, const OnnxQdqNode *q, bool *done);
bool onnx_qdq_matmul(OnnxImport *c, const OnnxQdqNode *q, bool *done);
bool onnx_qdq_average_pool(OnnxImport *c, const OnnxQdqNode *q, bool *done);
bool onnx_qdq_global_average(OnnxImport *c, const OnnxQdqNode *q, bool *done);

/// Brings sums of int32 of this shape to int8:
/// clamp(round_half_even(float(sum) * scale) + zero).
MlirValue onnx_qdq_finish(OnnxImport *c, MlirValue sums, const LunaShape *shape,
                          float scale, const OnnxTarget *target);

// onnx_qdq_pair.c
/// Makes Add, Sub or Mul of two values by rescales, where they give what f32
/// does for every pair of int8.
bool onnx_qdq_pair(OnnxImport *c, const OnnxQdqNode *q, bool *done);

// onnx_qdq_element.c
bool onnx_qdq_element(OnnxImport *c, const OnnxQdqNode *q, bool *done);
bool onnx_qdq_concat(OnnxImport *c, const OnnxQdqNode *q, bool *done);
/// The integers of `value` in the scale of `target`: by table, or as they are.
OnnxValue *onnx_qdq_rescaled(OnnxImport *c, const OnnxValue *value,
                             const OnnxTarget *target);

#endif // LUNA_ONNX_QDQ_H
