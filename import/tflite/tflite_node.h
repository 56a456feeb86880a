#ifndef LUNA_TFLITE_NODE_H
#define LUNA_TFLITE_NODE_H

#include "luna/arena.h"
#include "luna/error.h"
#include "tflite_model.h"
#include "tflite_rescale.h"

// What the conversion of one operator sees. Every function that returns a
// bool has set the error, which names the operator, when that is false.

typedef struct LunaTfliteImport LunaTfliteImport;

/// A subgraph being converted: the value of each tensor so far (null: none
/// yet), and of each resource tensor the variable it is a handle of (or -1).
typedef struct LunaTfliteFrame {
  int64_t graph_index;
  const LunaTfliteGraph *graph;
  MlirValue *values;
  int32_t *handles;
} LunaTfliteFrame;

/// An operator being converted.
typedef struct LunaTfliteNode {
  LunaTfliteImport *import;
  LunaTfliteFrame *frame;
  const LunaTfliteOperator *op;
  int64_t index;
  const struct LunaTfliteOpDesc *desc;
  LunaBuilder *builder;
  LunaArena *arena;
} LunaTfliteNode;

/// Fails with a message that starts with the operator's place and name.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool luna_tflite_fail(const LunaTfliteNode *node, const char *format, ...);

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

/// Returns the tensor of an input, NULL when it is absent; of an output.
const LunaTfliteTensor *luna_tflite_input(const LunaTfliteNode *node,
                                          int64_t i);
const LunaTfliteTensor *luna_tflite_output(const LunaTfliteNode *node,
                                           int64_t i);
/// Reads the value of an input; a constant is added as tosa.const.
bool luna_tflite_value(LunaTfliteNode *node, int64_t i, MlirValue *value);
/// Reads input 0 as rows of its last dimension: [rows, length].
bool luna_tflite_rows(LunaTfliteNode *node, MlirValue *value);
/// Sets dimension `d` of output 0 to this size if it is open and the model's
/// inputs have other sizes than the stored ones. Fails where it has too many
/// elements.
bool luna_tflite_follow(const LunaTfliteNode *node, int64_t d, int64_t size);
/// The same for all of its dimensions, whose sizes integer input `i` holds.
bool luna_tflite_follow_ints(LunaTfliteNode *node, int64_t i);
/// Fails unless the elements of `value` are of the tensor's type.
bool luna_tflite_need_element(const LunaTfliteNode *node,
                              const LunaTfliteTensor *tensor, MlirValue value);
/// Makes `value` the value of an output. Its type must be that of the tensor;
/// another shape of as many elements is reshaped.
bool luna_tflite_set(LunaTfliteNode *node, int64_t i, MlirValue value);
/// Reads the integers of a constant input (int32 or int64), at most `limit`;
/// operators may compute them from constants.
bool luna_tflite_ints(LunaTfliteNode *node, int64_t i, int64_t *values,
                      int64_t limit, int64_t *count);
/// Fails unless input `i` is a constant.
bool luna_tflite_need_const(const LunaTfliteNode *node, int64_t i);
/// Fails unless `value` has `rank` dimensions.
bool luna_tflite_need_rank(const LunaTfliteNode *node, MlirValue value,
                           int64_t rank);
/// Makes `shape` what it and `other` broadcast to; fails where they do not go
/// together.
bool luna_tflite_broadcast(const LunaTfliteNode *node, LunaShape other,
                           LunaShape *shape);
/// Reads an axis, negative counted from the end, of a tensor of `rank`.
bool luna_tflite_axis(const LunaTfliteNode *node, int64_t given, int64_t rank,
                      int64_t *axis);

/// Returns the shape of a tensor.
LunaShape luna_tflite_shape_of(const LunaTfliteTensor *tensor);
/// Returns the type of a tensor's value: uint8 as int8.
MlirType luna_tflite_tensor_type(const LunaBuilder *b,
                                 const LunaTfliteTensor *tensor);
/// Returns the elements of a constant tensor in a shape of as many elements;
/// uint8 is moved to int8.
MlirAttribute luna_tflite_elements(const LunaBuilder *b,
                                   const LunaTfliteTensor *tensor,
                                   const LunaShape *shape, LunaArena *arena);

/// Fails when the constants added so far, these bytes too, are too many for
/// the file's size.
bool luna_tflite_count_constant(LunaTfliteNode *node, uint64_t bytes);
/// Adds a constant tensor as tosa.const in a shape of as many elements.
bool luna_tflite_const(LunaTfliteNode *node, const LunaTfliteTensor *tensor,
                       const LunaShape *shape, MlirValue *value);

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

int64_t luna_tflite_option_i32(const LunaTfliteNode *node, unsigned field,
                               int64_t absent);
int64_t luna_tflite_option_enum(const LunaTfliteNode *node, unsigned field);
bool luna_tflite_option_bool(const LunaTfliteNode *node, unsigned field);
float luna_tflite_option_f32(const LunaTfliteNode *node, unsigned field);

//===----------------------------------------------------------------------===//
// Quantisation
//===----------------------------------------------------------------------===//

/// Scale and zero point of a whole tensor; the zero point as its value's, so
/// that of uint8 is moved by -128.
typedef struct LunaTfliteScale {
  float scale;
  int64_t zero_point;
} LunaTfliteScale;

/// Returns true if the tensor's elements are integers with a scale.
bool luna_tflite_is_quantized(const LunaTfliteTensor *tensor);
/// Reads the scale of a tensor that has one for all its elements.
bool luna_tflite_scale(const LunaTfliteNode *node,
                       const LunaTfliteTensor *tensor, LunaTfliteScale *scale);
/// Returns true if both stand for the same numbers.
bool luna_tflite_same_scale(LunaTfliteScale a, LunaTfliteScale b);
/// Reads the scale of output 0, or of input 0 and output 0.
bool luna_tflite_output_scale(const LunaTfliteNode *node, LunaTfliteScale *out);
bool luna_tflite_scales(const LunaTfliteNode *node, LunaTfliteScale *in,
                        LunaTfliteScale *out);
/// Fails if input `i` is quantised, but not as output 0 is.
bool luna_tflite_need_same_scale(const LunaTfliteNode *node, int64_t i);
/// Reads the zero point that all channels of a tensor share, and gives the
/// scale of channel `i`.
bool luna_tflite_zero_point(const LunaTfliteNode *node,
                            const LunaTfliteTensor *tensor,
                            int64_t *zero_point);
bool luna_tflite_channel_scale(const LunaTfliteNode *node,
                               const LunaTfliteTensor *tensor, int64_t i,
                               float *scale);
/// Makes the multiplier for a positive real factor; fails on one that
/// tosa.rescale cannot express.
bool luna_tflite_multiplier(const LunaTfliteNode *node, double real,
                            LunaMultiplier *multiplier);

/// Fused activations, by their numbers in the file.
enum {
  LUNA_TFLITE_ACTIVATION_NONE = 0,
  LUNA_TFLITE_ACTIVATION_RELU = 1,
  LUNA_TFLITE_ACTIVATION_RELU_N1_TO_1 = 2,
  LUNA_TFLITE_ACTIVATION_RELU6 = 3,
};

/// Adds the clamp of an activation to a value of the type of `tensor`; none
/// where the type already clamps as much.
bool luna_tflite_activate(LunaTfliteNode *node, const LunaTfliteTensor *tensor,
                          int64_t activation, MlirValue *value);
/// Adds a rescale of a value by one real factor.
bool luna_tflite_rescale_real(LunaTfliteNode *node, double real,
                              int64_t input_zp, int64_t output_zp,
                              MlirType element, MlirValue *value);

#endif // LUNA_TFLITE_NODE_H
