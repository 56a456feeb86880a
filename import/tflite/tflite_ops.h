#ifndef LUNA_TFLITE_OPS_H
#define LUNA_TFLITE_OPS_H

#include "luna/shape_rules.h"
#include "luna/shape_window.h"
#include "takes_valid.h"
#include "tflite_node.h"

// One row per operator (tflite_ops.def): its number and name in the file, its
// options table, what it takes and the function that converts it. The table in
// docs/import.md is printed from the same rows.

/// Handlers, and LUNA_TFLITE_OP_<NAME> for the codes.
#define OP_OF(class, code, name, takes, options, least, most, outputs, types,  \
              handler, becomes)                                                \
  bool luna_tflite_op_##handler(LunaTfliteNode *node);
#include "tflite_ops.def"
enum {
#define OP_OF(class, code, name, ...) LUNA_TFLITE_OP_##name = code,
#include "tflite_ops.def"
};

/// Element types of the first input (or output, where there is no input).
enum {
  LUNA_TYPES_F32 = 1 << 0,
  LUNA_TYPES_I8 = 1 << 1, ///< and uint8
  LUNA_TYPES_I16 = 1 << 2,
  LUNA_TYPES_I32 = 1 << 3,
  LUNA_TYPES_BOOL = 1 << 4,
  LUNA_TYPES_I64 = 1 << 5,
  LUNA_TYPES_RESOURCE = 1 << 6,
};

enum { LUNA_TFLITE_ANY_COUNT = -1 };

typedef struct LunaTfliteOpDesc {
  int16_t code;
  const char *name;
  /// Which table holds the options (0: none are read).
  int16_t options_type;
  int16_t min_inputs, max_inputs, outputs; ///< or LUNA_TFLITE_ANY_COUNT
  unsigned types;
  LunaShapeClass shape_class;
  bool (*convert)(LunaTfliteNode *node);
  const char *becomes; ///< for the documentation
  LunaTakesValid takes_valid;
} LunaTfliteOpDesc;

/// The table, which the import carries down.
typedef struct LunaTfliteOps {
  const LunaTfliteOpDesc *rows;
  int count;
} LunaTfliteOps;
extern const LunaTfliteOps luna_tflite_operators;

/// Returns the name of a builtin operator, supported or not, or NULL.
const char *luna_tflite_code_name(int64_t code);

/// Returns the row of a builtin operator, or NULL.
const LunaTfliteOpDesc *luna_tflite_op(const LunaTfliteImport *import,
                                       int64_t code);
/// Returns true if the operator has a row, and operands, options and element
/// type that the row allows.
bool luna_tflite_check_operator(LunaTfliteNode *node);

/// Returns the padding that option `i` chooses.
LunaPadding luna_tflite_padding(const LunaTfliteNode *node, unsigned i);

/// Fits a window over height and width into `input`, of 4 dimensions, and cuts
/// off the tail of the input that no window reaches.
bool luna_tflite_window(LunaTfliteNode *node, LunaPadding padding,
                        LunaWindow *window, MlirValue *input, int64_t *pad);

/// Two operands of one type that broadcast against each other.
typedef struct LunaTflitePair {
  const LunaTfliteTensor *tensors[2];
  MlirValue values[2];
  LunaShape shape;           ///< of both, broadcast
  LunaTfliteScale scales[2]; ///< where they are quantised
  bool is_quantized;
} LunaTflitePair;

/// Reads inputs 0 and 1.
bool luna_tflite_read_pair(LunaTfliteNode *node, LunaTflitePair *pair);
/// Adds the fused activation of option 0 and sets output 0.
bool luna_tflite_finish_pair(LunaTfliteNode *node, MlirValue value);

bool luna_tflite_sigmoid_int16(LunaTfliteNode *node);
/// Adds a table of the 256 results of a function of one int8.
bool luna_tflite_lookup8(LunaTfliteNode *node, const int8_t *table);
bool luna_tflite_elu_int8(LunaTfliteNode *node);
bool luna_tflite_leaky_relu_int16(LunaTfliteNode *node, LunaMultiplier above,
                                  LunaMultiplier below);
/// Adds SOFTMAX of rows of int16; `by` brings differences to 10 / 65535.
MlirValue luna_tflite_softmax_int16(LunaBuilder *b, MlirValue value,
                                    LunaMultiplier by);
/// Builds the sums of exp(x - largest) of rows of int8, in Q12.19.
MlirValue luna_tflite_sum_of_powers(LunaBuilder *b, MlirValue value,
                                    double scale);
bool luna_tflite_log_softmax_int8(LunaTfliteNode *node, MlirValue value,
                                  float scale);
/// Builds RESIZE_BILINEAR of an int8 image of 4 dimensions.
MlirValue luna_tflite_bilinear_int8(LunaTfliteNode *node, MlirValue value,
                                    bool align_corners, bool half_pixel);

#endif // LUNA_TFLITE_OPS_H
