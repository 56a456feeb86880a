#include "tflite_ops.h"

#include "luna/import.h"

enum {
  F32 = LUNA_TYPES_F32,
  I8 = LUNA_TYPES_I8,
  I16 = LUNA_TYPES_I16,
  I32 = LUNA_TYPES_I32,
  BOOL = LUNA_TYPES_BOOL,
  I64 = LUNA_TYPES_I64,
  RESOURCE = LUNA_TYPES_RESOURCE,
  MOVED = F32 | I8 | I16 | I32 | BOOL,
  ANY = MOVED | I64 | RESOURCE,
  MANY = LUNA_TFLITE_ANY_COUNT,
};

// By code. Options: the number of the table in the schema's union.
static const LunaTfliteOpDesc ops[] = {
    {0, "ADD", 11, 2, 2, 1, F32 | I8 | I16 | I32, luna_tfl_add_sub,
     "rescale of both inputs, add, rescale, clamp"},
    {1, "AVERAGE_POOL_2D", 5, 1, 1, 1, F32 | I8 | I16, luna_tfl_pool_2d,
     "avg_pool2d, clamp"},
    {2, "CONCATENATION", 10, 1, MANY, 1, MOVED, luna_tfl_concatenation,
     "concat"},
    {3, "CONV_2D", 1, 2, 3, 1, F32 | I8 | I16, luna_tfl_conv_2d,
     "conv2d, rescale, clamp"},
    {4, "DEPTHWISE_CONV_2D", 2, 2, 3, 1, F32 | I8 | I16,
     luna_tfl_depthwise_conv_2d, "depthwise_conv2d, rescale, clamp"},
    {5, "DEPTH_TO_SPACE", 94, 1, 1, 1, MOVED, luna_tfl_depth_space,
     "reshape, transpose"},
    {6, "DEQUANTIZE", 0, 1, 1, 1, I8 | I16, luna_tfl_dequantize,
     "cast, sub, mul"},
    {7, "EMBEDDING_LOOKUP", 0, 2, 2, 1, I32, luna_tfl_gather, "linalg.generic"},
    {8, "FLOOR", 0, 1, 1, 1, F32, luna_tfl_unary_float, "floor"},
    {9, "FULLY_CONNECTED", 8, 2, 3, 1, F32 | I8 | I16, luna_tfl_fully_connected,
     "conv2d of kernel 1x1, rescale, clamp"},
    {11, "L2_NORMALIZATION", 12, 1, 1, 1, F32 | I8, luna_tfl_l2_normalization,
     "mul, reduce_sum, linalg.generic"},
    {12, "L2_POOL_2D", 5, 1, 1, 1, F32, luna_tfl_pool_2d,
     "mul, avg_pool2d, linalg.generic"},
    {14, "LOGISTIC", 0, 1, 1, 1, F32 | I8 | I16, luna_tfl_sigmoid,
     "sigmoid; int8: table; int16: linalg.generic"},
    {17, "MAX_POOL_2D", 5, 1, 1, 1, F32 | I8 | I16, luna_tfl_pool_2d,
     "max_pool2d, clamp"},
    {18, "MUL", 21, 2, 2, 1, F32 | I8 | I16 | I32, luna_tfl_mul,
     "rescale of both inputs, mul, rescale, clamp"},
    {19, "RELU", 0, 1, 1, 1, F32 | I8 | I16, luna_tfl_activation,
     "rescale, clamp"},
    {20, "RELU_N1_TO_1", 0, 1, 1, 1, F32 | I8 | I16, luna_tfl_activation,
     "rescale, clamp"},
    {21, "RELU6", 0, 1, 1, 1, F32 | I8 | I16, luna_tfl_activation,
     "rescale, clamp"},
    {22, "RESHAPE", 0, 1, 2, 1, MOVED, luna_tfl_reshape, "reshape"},
    {23, "RESIZE_BILINEAR", 15, 2, 2, 1, F32 | I8, luna_tfl_resize_bilinear,
     "resize, rescale"},
    {25, "SOFTMAX", 9, 1, 1, 1, F32 | I8 | I16, luna_tfl_softmax,
     "exp, reduce_sum, reciprocal; integers: the same in fixed point"},
    {26, "SPACE_TO_DEPTH", 19, 1, 1, 1, MOVED, luna_tfl_depth_space,
     "reshape, transpose"},
    {27, "SVDF", 6, 5, 5, 1, F32 | I8, luna_tfl_svdf,
     "conv2d, concat with the state, mul, reduce_sum, rescale"},
    {28, "TANH", 0, 1, 1, 1, F32 | I8 | I16, luna_tfl_sigmoid,
     "tanh; int8: table; int16: linalg.generic"},
    {34, "PAD", 0, 2, 2, 1, MOVED, luna_tfl_pad, "pad"},
    {36, "GATHER", 23, 2, 2, 1, MOVED, luna_tfl_gather, "linalg.generic"},
    {37, "BATCH_TO_SPACE_ND", 0, 3, 3, 1, MOVED, luna_tfl_batch_space,
     "reshape, transpose, slice"},
    {38, "SPACE_TO_BATCH_ND", 0, 3, 3, 1, MOVED, luna_tfl_batch_space,
     "pad, reshape, transpose"},
    {39, "TRANSPOSE", 0, 2, 2, 1, MOVED, luna_tfl_transpose, "transpose"},
    {40, "MEAN", 0, 2, 2, 1, F32 | I8 | I16, luna_tfl_mean,
     "reduce_sum, rescale"},
    {41, "SUB", 28, 2, 2, 1, F32 | I8 | I16 | I32, luna_tfl_add_sub,
     "rescale of both inputs, sub, rescale, clamp"},
    {42, "DIV", 29, 2, 2, 1, F32 | I8 | I32, luna_tfl_div,
     "linalg.generic, clamp"},
    {43, "SQUEEZE", 0, 1, 1, 1, MOVED, luna_tfl_reshape, "reshape"},
    {44, "UNIDIRECTIONAL_SEQUENCE_LSTM", 71, 20, 24, 1, F32 | I8 | I16,
     luna_tfl_lstm,
     "conv2d, and scf.for over time steps of conv2d, slice, sigmoid, tanh, "
     "mul, add; integers: linalg.generic"},
    {45, "STRIDED_SLICE", 32, 4, 4, 1, MOVED, luna_tfl_strided_slice,
     "slice; a stride: reverse, reshape, slice"},
    {47, "EXP", 0, 1, 1, 1, F32, luna_tfl_unary_float, "exp"},
    {49, "SPLIT", 0, 2, 2, MANY, MOVED, luna_tfl_split, "slice"},
    {50, "LOG_SOFTMAX", 0, 1, 1, 1, F32 | I8, luna_tfl_log_softmax,
     "reduce_max, exp, reduce_sum, log, sub; int8: the same in fixed point"},
    {53, "CAST", 0, 1, 1, 1, F32 | I8 | I16 | I32 | BOOL, luna_tfl_cast,
     "cast; from float: abs, floor, cast"},
    {54, "PRELU", 0, 2, 2, 1, F32 | I8 | I16, luna_tfl_prelu, "mul, select"},
    {55, "MAXIMUM", 0, 2, 2, 1, F32 | I8 | I16 | I32, luna_tfl_min_max,
     "maximum"},
    {56, "ARG_MAX", 40, 2, 2, 1, F32 | I8 | I32, luna_tfl_arg, "argmax"},
    {57, "MINIMUM", 0, 2, 2, 1, F32 | I8 | I16 | I32, luna_tfl_min_max,
     "minimum"},
    {58, "LESS", 0, 2, 2, 1, F32 | I8 | I16 | I32, luna_tfl_compare,
     "greater, inputs swapped"},
    {59, "NEG", 0, 1, 1, 1, F32, luna_tfl_unary_float, "sub from 0"},
    {60, "PADV2", 0, 3, 3, 1, MOVED, luna_tfl_pad, "pad"},
    {61, "GREATER", 0, 2, 2, 1, F32 | I8 | I16 | I32, luna_tfl_compare,
     "greater"},
    {62, "GREATER_EQUAL", 0, 2, 2, 1, F32 | I8 | I16 | I32, luna_tfl_compare,
     "greater_equal"},
    {63, "LESS_EQUAL", 0, 2, 2, 1, F32 | I8 | I16 | I32, luna_tfl_compare,
     "greater_equal, inputs swapped"},
    {64, "SELECT", 0, 3, 3, 1, BOOL, luna_tfl_select, "select"},
    {65, "SLICE", 0, 3, 3, 1, MOVED, luna_tfl_slice, "slice"},
    {66, "SIN", 0, 1, 1, 1, F32, luna_tfl_unary_float, "sin"},
    {67, "TRANSPOSE_CONV", 49, 3, 4, 1, ANY, luna_tfl_transpose_conv,
     "transpose_conv2d, rescale, clamp"},
    {69, "TILE", 0, 2, 2, 1, MOVED, luna_tfl_tile, "tile"},
    {70, "EXPAND_DIMS", 0, 2, 2, 1, MOVED, luna_tfl_reshape, "reshape"},
    {71, "EQUAL", 0, 2, 2, 1, F32 | I8 | I16 | I32, luna_tfl_compare, "equal"},
    {72, "NOT_EQUAL", 0, 2, 2, 1, F32 | I8 | I16 | I32, luna_tfl_compare,
     "equal, logical_not"},
    {73, "LOG", 0, 1, 1, 1, F32, luna_tfl_unary_float, "log"},
    {74, "SUM", 0, 2, 2, 1, F32 | I8 | I16, luna_tfl_mean,
     "reduce_sum, rescale"},
    {75, "SQRT", 0, 1, 1, 1, F32, luna_tfl_map_float, "linalg.generic"},
    {76, "RSQRT", 0, 1, 1, 1, F32 | I8, luna_tfl_abs_rsqrt,
     "linalg.generic; int8: table"},
    {77, "SHAPE", 0, 1, 1, 1, ANY, luna_tfl_shape, "constant"},
    {78, "POW", 0, 2, 2, 1, F32, luna_tfl_binary_float, "linalg.generic"},
    {79, "ARG_MIN", 57, 2, 2, 1, F32 | I8 | I32, luna_tfl_arg,
     "bitwise_not or sub, argmax"},
    {82, "REDUCE_MAX", 0, 2, 2, 1, F32 | I8 | I16 | I32, luna_tfl_reduce,
     "reduce_max"},
    {83, "PACK", 59, 1, MANY, 1, MOVED, luna_tfl_pack, "reshape, concat"},
    {84, "LOGICAL_OR", 0, 2, 2, 1, BOOL, luna_tfl_logical, "logical_or"},
    {86, "LOGICAL_AND", 0, 2, 2, 1, BOOL, luna_tfl_logical, "logical_and"},
    {87, "LOGICAL_NOT", 0, 1, 1, 1, BOOL, luna_tfl_logical, "logical_not"},
    {88, "UNPACK", 64, 1, 1, MANY, MOVED, luna_tfl_unpack, "slice, reshape"},
    {89, "REDUCE_MIN", 0, 2, 2, 1, F32 | I8 | I16 | I32, luna_tfl_reduce,
     "reduce_min"},
    {90, "FLOOR_DIV", 0, 2, 2, 1, F32, luna_tfl_binary_float, "linalg.generic"},
    {92, "SQUARE", 0, 1, 1, 1, F32, luna_tfl_map_float, "linalg.generic"},
    {93, "ZEROS_LIKE", 0, 1, 1, 1, MOVED, luna_tfl_zeros_like, "constant"},
    {94, "FILL", 0, 2, 2, 1, I32 | I64, luna_tfl_fill, "tile"},
    {95, "FLOOR_MOD", 0, 2, 2, 1, F32, luna_tfl_binary_float, "linalg.generic"},
    {97, "RESIZE_NEAREST_NEIGHBOR", 74, 2, 2, 1, F32 | I8,
     luna_tfl_resize_nearest, "resize"},
    {98, "LEAKY_RELU", 75, 1, 1, 1, F32 | I8 | I16, luna_tfl_leaky_relu,
     "mul, select; int8: table; int16: linalg.generic"},
    {99, "SQUARED_DIFFERENCE", 0, 2, 2, 1, F32 | I8 | I16 | I32,
     luna_tfl_squared_difference, "sub, mul; int8, int16: linalg.generic"},
    {100, "MIRROR_PAD", 77, 2, 2, 1, MOVED, luna_tfl_mirror_pad,
     "slice, reverse, concat"},
    {101, "ABS", 0, 1, 1, 1, F32 | I8 | I16, luna_tfl_abs_rsqrt,
     "abs; int8: table; int16: linalg.generic"},
    {102, "SPLIT_V", 0, 3, 3, MANY, MOVED, luna_tfl_split_v, "slice"},
    {104, "CEIL", 0, 1, 1, 1, F32, luna_tfl_unary_float, "ceil"},
    {105, "REVERSE_V2", 0, 2, 2, 1, MOVED, luna_tfl_reverse, "reverse"},
    {106, "ADD_N", 0, 1, MANY, 1, F32 | I8, luna_tfl_add_n,
     "add; int8: linalg.generic at the end"},
    {107, "GATHER_ND", 0, 2, 2, 1, MOVED, luna_tfl_gather_nd, "linalg.generic"},
    {108, "COS", 0, 1, 1, 1, F32, luna_tfl_unary_float, "cos"},
    {111, "ELU", 0, 1, 1, 1, F32 | I8, luna_tfl_map_float,
     "linalg.generic; int8: table"},
    {114, "QUANTIZE", 0, 1, 1, 1, F32 | I8 | I16, luna_tfl_quantize,
     "rescale; from float: linalg.generic"},
    {116, "ROUND", 0, 1, 1, 1, F32, luna_tfl_map_float, "linalg.generic"},
    {117, "HARD_SWISH", 0, 1, 1, 1, F32 | I8, luna_tfl_hard_swish,
     "add, clamp, mul; int8: table"},
    {118, "IF", 92, 1, MANY, MANY, BOOL, luna_tfl_if, "scf.if"},
    {119, "WHILE", 93, 1, MANY, MANY, ANY, luna_tfl_while, "scf.while"},
    {123, "SELECT_V2", 0, 3, 3, 1, BOOL, luna_tfl_select, "select"},
    {126, "BATCH_MATMUL", 101, 2, 2, 1, F32 | I8 | I16, luna_tfl_batch_matmul,
     "matmul, rescale"},
    {128, "CUMSUM", 102, 2, 2, 1, F32 | I8, luna_tfl_cumsum,
     "slice, add, concat; int8: linalg.generic at the end"},
    {129, "CALL_ONCE", 103, 0, 0, 0, ANY, luna_tfl_call_once,
     "the initial value of state"},
    {130, "BROADCAST_TO", 0, 2, 2, 1, MOVED, luna_tfl_broadcast_to, "tile"},
    {142, "VAR_HANDLE", 111, 0, 0, 1, RESOURCE, luna_tfl_var_handle,
     "a state argument and result"},
    {143, "READ_VARIABLE", 0, 1, 1, 1, RESOURCE, luna_tfl_read_variable,
     "the state's value"},
    {144, "ASSIGN_VARIABLE", 0, 2, 2, 0, RESOURCE, luna_tfl_assign_variable,
     "the state's value"},
    {145, "BROADCAST_ARGS", 0, 2, 2, 1, I32 | I64, luna_tfl_broadcast_args,
     "constant"},
    {150, "GELU", 116, 1, 1, 1, F32, luna_tfl_map_float, "linalg.generic"},
    {151, "DYNAMIC_UPDATE_SLICE", 0, 3, 3, 1, MOVED, luna_tfl_update_slice,
     "linalg.generic"},
    {152, "RELU_0_TO_1", 0, 1, 1, 1, F32, luna_tfl_activation, "clamp"},
};

enum { OP_COUNT = sizeof ops / sizeof *ops };

const LunaTfliteOps luna_tflite_operators = {ops, OP_COUNT};

//===----------------------------------------------------------------------===//
// Documentation
//===----------------------------------------------------------------------===//

static void append_types(LunaText *text, unsigned types) {
  static const struct {
    unsigned bit;
    const char *name;
  } names[] = {{F32, "float32"}, {I8, "int8, uint8"}, {I16, "int16"},
               {I32, "int32"},   {BOOL, "bool"},      {I64, "int64"}};
  const char *separator = "";
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (!(types & names[i].bit) || (types & ANY) == ANY)
      continue;
    luna_text_printf(text, "%s%s", separator, names[i].name);
    separator = ", ";
  }
  if ((types & ANY) == ANY || types == RESOURCE)
    luna_text_printf(text, "any");
}

void luna_import_tflite_operators(LunaText *text) {
  luna_text_printf(text, "| operator | element types | becomes |\n"
                         "|---|---|---|\n");
  for (int i = 0; i < OP_COUNT; ++i) {
    luna_text_printf(text, "| %s | ", ops[i].name);
    append_types(text, ops[i].types);
    luna_text_printf(text, " | %s |\n", ops[i].becomes);
  }
}
