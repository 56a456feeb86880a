// The operators: dispatch, checks of input counts, and docs come from here.

#include "onnx.h"

#include <string.h>

#define MANY 1024
#define ELEMENTWISE(name, low, high)                                           \
  {name, onnx_op_elementwise, low, high, NULL, elementwise_text, NULL}

#define WINDOW(name)                                                           \
  {name,       onnx_op_window_function, 1, 1, NULL,                            \
   shape_text, "size must be constant"}

static const char elementwise_text[] =
    "the tosa operator of that name for float, else linalg.generic";
static const char shape_text[] = "constant";
static const char move_text[] = "tosa.reshape";
static const char generic_text[] = "linalg.generic";
static const char fixed_axes[] = "axes must be constant";

static const OnnxOp ops[] = {
    ELEMENTWISE("Abs", 1, 1),
    ELEMENTWISE("Acos", 1, 1),
    ELEMENTWISE("Acosh", 1, 1),
    ELEMENTWISE("Add", 2, 2),
    ELEMENTWISE("And", 2, 2),
    {"ArgMax", onnx_op_arg, 1, 1, NULL, generic_text, NULL},
    {"ArgMin", onnx_op_arg, 1, 1, NULL, generic_text, NULL},
    ELEMENTWISE("Asin", 1, 1),
    ELEMENTWISE("Asinh", 1, 1),
    ELEMENTWISE("Atan", 1, 1),
    ELEMENTWISE("Atanh", 1, 1),
    {"AveragePool", onnx_op_pool, 1, 1, NULL,
     "tosa.avg_pool2d, else linalg.generic", "float"},
    {"BatchNormalization", onnx_op_batch_norm, 5, 5, NULL,
     "tosa.mul and tosa.add", "float, inference"},
    ELEMENTWISE("BitShift", 2, 2),
    ELEMENTWISE("BitwiseAnd", 2, 2),
    ELEMENTWISE("BitwiseNot", 1, 1),
    ELEMENTWISE("BitwiseOr", 2, 2),
    ELEMENTWISE("BitwiseXor", 2, 2),
    WINDOW("BlackmanWindow"),
    {"Cast", onnx_op_cast, 1, 1, NULL, generic_text,
     "no strings, float16, bfloat16"},
    {"CastLike", onnx_op_cast, 2, 2, NULL, generic_text,
     "no strings, float16, bfloat16"},
    ELEMENTWISE("Ceil", 1, 1),
    ELEMENTWISE("Celu", 1, 1),
    {"Clip", onnx_op_luna_clip, 1, 3, NULL,
     "a clamp of the luna op before it, tosa.clamp or linalg.generic", NULL},
    {"Concat", onnx_op_concat, 1, MANY, NULL, "tosa.concat", NULL},
    {"Constant", onnx_op_constant, 0, 0, NULL, shape_text, NULL},
    {"ConstantOfShape", onnx_op_constant_of_shape, 1, 1, NULL, shape_text,
     "shape must be constant"},
    {"Conv", onnx_op_conv, 2, 3, NULL,
     "tosa.conv2d, depthwise_conv2d or conv3d, channels last",
     "float, 1 to 3 dimensions"},
    {"ConvInteger", onnx_op_conv_integer, 2, 4, NULL, generic_text,
     "input's zero point constant"},
    {"ConvTranspose", onnx_op_conv_transpose, 2, 3, NULL,
     "linalg.generic that spreads the input, and tosa.conv2d; int8 as in "
     "*Quantised models*",
     "float, 1 to 3 dimensions"},
    ELEMENTWISE("Cos", 1, 1),
    ELEMENTWISE("Cosh", 1, 1),
    {"CumSum", onnx_op_cumsum, 2, 2, NULL, "a product with a triangle",
     "axis must be constant"},
    {"DFT", onnx_op_dft, 1, 3, NULL, "a product with a constant matrix",
     "float; length and axis constant"},
    {"DepthToSpace", onnx_op_depth_to_space, 1, 1, NULL,
     "tosa.reshape and tosa.transpose", NULL},
    {"DequantizeLinear", onnx_op_dequantize, 2, 3, NULL,
     "nothing as in *Quantised models*, else linalg.generic", NULL},
    ELEMENTWISE("Div", 2, 2),
    {"Dropout", onnx_op_dropout, 1, 3, NULL, "nothing", "inference"},
    {"DynamicQuantizeLinear", onnx_op_dynamic_quantize, 1, 1, NULL,
     "reductions and linalg.generic", NULL},
    {"Einsum", onnx_op_einsum, 1, 2, NULL, generic_text,
     "one or two operands, no ellipsis"},
    ELEMENTWISE("Elu", 1, 1),
    ELEMENTWISE("Equal", 2, 2),
    ELEMENTWISE("Erf", 1, 1),
    ELEMENTWISE("Exp", 1, 1),
    {"Expand", onnx_op_expand, 2, 2, NULL, generic_text,
     "shape must be constant"},
    {"EyeLike", onnx_op_eye_like, 1, 1, NULL, generic_text, NULL},
    {"Flatten", onnx_op_flatten, 1, 1, NULL, move_text, NULL},
    ELEMENTWISE("Floor", 1, 1),
    {"GRU", onnx_op_gru, 3, 6, NULL, "scf.for over time steps",
     "float; default activations"},
    {"Gather", onnx_op_gather, 2, 2, NULL,
     "tosa.slice for a constant index, else linalg.generic", NULL},
    {"GatherElements", onnx_op_gather_elements, 2, 2, NULL, generic_text, NULL},
    {"GatherND", onnx_op_gather_nd, 2, 2, NULL, generic_text, NULL},
    ELEMENTWISE("Gelu", 1, 1),
    {"Gemm", onnx_op_gemm, 2, 3, NULL, "tosa.matmul and tosa.add", NULL},
    {"GlobalAveragePool", onnx_op_global_pool, 1, 1, NULL, "tosa.reduce_sum",
     "float"},
    {"GlobalMaxPool", onnx_op_global_pool, 1, 1, NULL, "tosa.reduce_max",
     "float"},
    ELEMENTWISE("Greater", 2, 2),
    ELEMENTWISE("GreaterOrEqual", 2, 2),
    WINDOW("HammingWindow"),
    WINDOW("HannWindow"),
    ELEMENTWISE("HardSigmoid", 1, 1),
    ELEMENTWISE("HardSwish", 1, 1),
    {"Hardmax", onnx_op_hardmax, 1, 1, NULL, generic_text, "opset 13 and up"},
    {"Identity", onnx_op_identity, 1, 1, NULL, "nothing", NULL},
    {"If", onnx_op_if, 1, 1, NULL, "scf.if", NULL},
    {"InstanceNormalization", onnx_op_instance_norm, 3, 3, NULL,
     "tosa operators", "float"},
    ELEMENTWISE("IsInf", 1, 1),
    ELEMENTWISE("IsNaN", 1, 1),
    {"LRN", onnx_op_lrn, 1, 1, NULL, "tosa.slice and tosa.add", "float"},
    {"LSTM", onnx_op_lstm, 3, 8, NULL, "scf.for over time steps",
     "float; default activations"},
    {"LayerNormalization", onnx_op_layer_norm, 2, 3, NULL, "tosa operators",
     "float"},
    ELEMENTWISE("LeakyRelu", 1, 1),
    ELEMENTWISE("Less", 2, 2),
    ELEMENTWISE("LessOrEqual", 2, 2),
    ELEMENTWISE("Log", 1, 1),
    {"LogSoftmax", onnx_op_softmax, 1, 1, NULL, "tosa operators", "float"},
    {"Loop", onnx_op_loop, 2, MANY, NULL, "scf.for, or scf.while",
     "rows of scan outputs must be known or declared"},
    {"MatMul", onnx_op_matmul, 2, 2, NULL,
     "tosa.matmul for float, else linalg.generic", NULL},
    {"MatMulInteger", onnx_op_matmul_integer, 2, 4, NULL, generic_text, NULL},
    ELEMENTWISE("Max", 1, 6),
    {"MaxPool", onnx_op_pool, 1, 1, NULL,
     "tosa.max_pool2d, else linalg.generic", NULL},
    ELEMENTWISE("Mean", 1, 6),
    {"MeanVarianceNormalization", onnx_op_mean_variance_norm, 1, 1, NULL,
     "tosa operators", "float"},
    {"MelWeightMatrix", onnx_op_mel_weights, 5, 5, NULL, shape_text,
     "inputs must be constant"},
    ELEMENTWISE("Min", 1, 6),
    ELEMENTWISE("Mish", 1, 1),
    ELEMENTWISE("Mod", 2, 2),
    ELEMENTWISE("Mul", 2, 2),
    ELEMENTWISE("Neg", 1, 1),
    ELEMENTWISE("Not", 1, 1),
    {"OneHot", onnx_op_one_hot, 3, 3, NULL, generic_text,
     "depth must be constant"},
    ELEMENTWISE("Or", 2, 2),
    ELEMENTWISE("PRelu", 2, 2),
    {"Pad", onnx_op_pad, 1, 4, NULL, "tosa.pad, else linalg.generic",
     "pads must be constant"},
    ELEMENTWISE("Pow", 2, 2),
    {"QLinearConv", onnx_op_qlinear_conv, 8, 9, NULL,
     "as in *Quantised models*, else linalg.generic in int32, then one in "
     "float",
     "input's zero point constant"},
    {"QLinearMatMul", onnx_op_qlinear_matmul, 8, 8, NULL,
     "as in *Quantised models*, else linalg.generic in int32, then one in "
     "float",
     NULL},
    {"QuantizeLinear", onnx_op_quantize, 2, 3, NULL,
     "nothing as in *Quantised models*, else linalg.generic", NULL},
    {"RNN", onnx_op_rnn, 3, 6, NULL, "scf.for over time steps",
     "float; default activations"},
    {"Range", onnx_op_range, 3, 3, NULL, shape_text, "inputs must be constant"},
    ELEMENTWISE("Reciprocal", 1, 1),
    {"ReduceL1", onnx_op_reduce, 1, 2, NULL, "tosa.reduce_sum", fixed_axes},
    {"ReduceL2", onnx_op_reduce, 1, 2, NULL, "tosa.reduce_sum", fixed_axes},
    {"ReduceLogSum", onnx_op_reduce, 1, 2, NULL, "tosa.reduce_sum", fixed_axes},
    {"ReduceLogSumExp", onnx_op_reduce, 1, 2, NULL, "tosa.reduce_sum",
     fixed_axes},
    {"ReduceMax", onnx_op_reduce, 1, 2, NULL, "tosa.reduce_max", fixed_axes},
    {"ReduceMean", onnx_op_reduce, 1, 2, NULL, "tosa.reduce_sum", fixed_axes},
    {"ReduceMin", onnx_op_reduce, 1, 2, NULL, "tosa.reduce_min", fixed_axes},
    {"ReduceProd", onnx_op_reduce, 1, 2, NULL, "tosa.reduce_product",
     fixed_axes},
    {"ReduceSum", onnx_op_reduce, 1, 2, NULL, "tosa.reduce_sum", fixed_axes},
    {"ReduceSumSquare", onnx_op_reduce, 1, 2, NULL, "tosa.reduce_sum",
     fixed_axes},
    {"Relu", onnx_op_luna_relu, 1, 1, NULL,
     "a clamp of the luna op before it, tosa.clamp or linalg.generic", NULL},
    {"Reshape", onnx_op_reshape, 1, 2, NULL, move_text,
     "shape must be constant"},
    {"Resize", onnx_op_resize, 1, 4, NULL, generic_text,
     "nearest and linear; scales or sizes constant"},
    {"ReverseSequence", onnx_op_reverse_sequence, 2, 2, NULL, generic_text,
     NULL},
    ELEMENTWISE("Round", 1, 1),
    {"Scan", onnx_op_scan, 1, MANY, NULL, "scf.for", "opset 9 and up"},
    {"Scatter", onnx_op_scatter_elements, 3, 3, NULL, "scf.for", NULL},
    {"ScatterElements", onnx_op_scatter_elements, 3, 3, NULL, "scf.for",
     "no reduction but add and mul"},
    {"ScatterND", onnx_op_scatter_nd, 3, 3, NULL, "scf.for",
     "no reduction but add and mul"},
    {"STFT", onnx_op_stft, 2, 4, NULL, "tosa.conv2d over the frames",
     "float; step and length constant"},
    ELEMENTWISE("Selu", 1, 1),
    {"Shape", onnx_op_shape, 1, 1, NULL, shape_text, NULL},
    ELEMENTWISE("Shrink", 1, 1),
    ELEMENTWISE("Sigmoid", 1, 1),
    ELEMENTWISE("Sign", 1, 1),
    ELEMENTWISE("Sin", 1, 1),
    ELEMENTWISE("Sinh", 1, 1),
    {"Size", onnx_op_size, 1, 1, NULL, shape_text, NULL},
    {"Slice", onnx_op_slice, 1, 5, NULL,
     "tosa.slice, tensor.extract_slice or linalg.generic",
     "starts and ends constant, or apart by a constant"},
    {"Softmax", onnx_op_softmax, 1, 1, NULL, "tosa operators", "float"},
    ELEMENTWISE("Softplus", 1, 1),
    ELEMENTWISE("Softsign", 1, 1),
    {"SpaceToDepth", onnx_op_space_to_depth, 1, 1, NULL,
     "tosa.reshape and tosa.transpose", NULL},
    {"Split", onnx_op_split, 1, 2, NULL, "tosa.slice",
     "sizes must be constant"},
    ELEMENTWISE("Sqrt", 1, 1),
    {"Squeeze", onnx_op_squeeze, 1, 2, NULL, move_text, fixed_axes},
    ELEMENTWISE("Sub", 2, 2),
    ELEMENTWISE("Sum", 1, 6),
    ELEMENTWISE("Tan", 1, 1),
    ELEMENTWISE("Tanh", 1, 1),
    ELEMENTWISE("ThresholdedRelu", 1, 1),
    {"Tile", onnx_op_tile, 2, 2, NULL, "tosa.tile", "repeats constant"},
    {"TopK", onnx_op_top_k, 1, 2, NULL, "arg-max, k times",
     "k constant, at most 64"},
    {"Transpose", onnx_op_transpose, 1, 1, NULL,
     "tosa.transpose, or nothing next to convolutions", NULL},
    {"Trilu", onnx_op_trilu, 1, 2, NULL, generic_text, "k constant"},
    {"Unsqueeze", onnx_op_unsqueeze, 1, 2, NULL, move_text, fixed_axes},
    {"Upsample", onnx_op_resize, 1, 2, NULL, generic_text,
     "nearest and linear; scales constant"},
    {"Where", onnx_op_where, 3, 3, NULL, generic_text, NULL},
    ELEMENTWISE("Xor", 2, 2),
};

static const char linear_text[] = "as in *Quantised models*";
static const char linear_limits[] = "scales and zero points constant";

#define LINEAR(name, low, high)                                                \
  {name, onnx_op_qlinear, low, high, NULL, linear_text, linear_limits}

static const OnnxOp microsoft_ops[] = {
    {"DequantizeLinear", onnx_op_dequantize, 2, 3, NULL, linear_text, NULL},
    LINEAR("QGemm", 6, 9),
    LINEAR("QLinearAdd", 7, 8),
    LINEAR("QLinearAveragePool", 4, 5),
    LINEAR("QLinearConcat", 5, 50),
    LINEAR("QLinearGlobalAveragePool", 5, 5),
    LINEAR("QLinearLeakyRelu", 4, 5),
    LINEAR("QLinearMul", 7, 8),
    LINEAR("QLinearSigmoid", 4, 5),
    LINEAR("QLinearSoftmax", 5, 5),
    {"QuantizeLinear", onnx_op_quantize, 2, 3, NULL, linear_text, NULL},
};

static const char int8_text[] = "int8";

static const char rnn_text[] =
    "luna.matmul, and scf.for over time steps of integers on the host";
static const char rnn_limits[] = "int8, as venus computes it";
static const char curve_text[] = "luna.table for int8, else linalg.generic";

static const OnnxOp luna_ops[] = {
    {"AvgPool2dInt", onnx_op_luna_avg_pool, 1, 1, NULL,
     "luna.avg_pool2d, else luna.conv2d by ones; linalg.generic divides",
     int8_text},
    {"BatchNorm2dInt", onnx_op_luna_batch_norm, 2, 3, NULL,
     "luna.conv2d of kind depthwise", int8_text},
    {"BmmInt", onnx_op_luna_bmm, 2, 2, NULL, "luna.matmul", int8_text},
    {"Conv1dInt", onnx_op_luna_conv, 2, 3, NULL, "luna.conv2d of height 1",
     int8_text},
    {"Conv2dInt", onnx_op_luna_conv, 2, 3, NULL,
     "luna.conv2d, one for each group unless depthwise", int8_text},
    {"ConvTranspose2dInt", onnx_op_luna_conv_transpose, 2, 3, NULL,
     "luna.conv2d of kind transposed", "int8, one group"},
    {"Dequant", onnx_op_luna_dequant, 1, 1, NULL, generic_text, NULL},
    {"GRUInt", onnx_op_luna_rnn, 3, 7, "gru", rnn_text, rnn_limits},
    {"GRUInt_Is8_Is64", onnx_op_luna_rnn, 4, 7, "gru", rnn_text, rnn_limits},
    {"GRUInt_Is8_Is64_If32", onnx_op_luna_rnn, 5, 7, "gru", rnn_text,
     rnn_limits},
    {"GluInt", onnx_op_luna_glu, 1, 1, NULL, "integers on the host", int8_text},
    {"LSTMInt", onnx_op_luna_rnn, 3, 8, "lstm", rnn_text, "int8"},
    {"LSTMInt_Is8_Is64", onnx_op_luna_rnn, 4, 8, "lstm", rnn_text, "int8"},
    {"LSTMInt_Is8_Is64_If32_If32", onnx_op_luna_rnn, 6, 8, "lstm", rnn_text,
     "int8"},
    {"LayerNormInt", onnx_op_luna_layer_norm, 2, 3, NULL,
     "integers on the host", int8_text},
    {"LinearInt", onnx_op_luna_linear, 2, 3, NULL, "luna.matmul", int8_text},
    {"LogSoftmaxInt", onnx_op_luna_log_softmax, 1, 1, NULL,
     "integers on the host", int8_text},
    {"Quant", onnx_op_luna_quant, 1, 1, NULL, generic_text, "to 8 bits"},
    {"Requant", onnx_op_luna_requant, 1, 1, NULL, "luna.table", int8_text},
    {"ShuffleChannel", onnx_op_luna_shuffle, 1, 1, NULL,
     "tosa.reshape and tosa.transpose", NULL},
    {"SoftmaxInt", onnx_op_luna_softmax, 1, 1, NULL, "integers on the host",
     int8_text},
    {"iqAdd", onnx_op_luna_eltwise, 2, 2, "luna.add", "luna.add", int8_text},
    {"iqCat", onnx_op_luna_cat, 1, MANY, NULL, "luna.table and tosa.concat",
     int8_text},
    {"iqDiv", onnx_op_luna_div, 2, 2, NULL, "integers on the host", int8_text},
    {"iqMul", onnx_op_luna_eltwise, 2, 2, "luna.mul", "luna.mul", int8_text},
    {"iqPad", onnx_op_luna_pad, 1, 3, NULL,
     "tosa.pad for constants, else linalg.generic", int8_text},
    {"iqSigmoid", onnx_op_luna_activation, 1, 1, "sigmoid", curve_text, NULL},
    {"iqSub", onnx_op_luna_eltwise, 2, 2, "luna.sub", "luna.sub", int8_text},
    {"iqSum", onnx_op_luna_sum, 1, 1, NULL, "luna.matmul by ones",
     "int8, one dimension"},
    {"iqTanh", onnx_op_luna_activation, 1, 1, "tanh", curve_text, NULL},
    {"iqVar", onnx_op_luna_var, 1, 1, NULL,
     "integers on the host, one float division",
     "int8, one dimension, unbiased"},
};

// What linger calls them from version 3 on, in a domain of its own.
static const struct {
  const char *name, *means;
} linger_names[] = {
    {"QAdd", "iqAdd"},
    {"QAvgPool2d", "AvgPool2dInt"},
    {"QBatchNorm2d", "BatchNorm2dInt"},
    {"QBmm", "BmmInt"},
    {"QCat", "iqCat"},
    {"QConv1d", "Conv1dInt"},
    {"QConv2d", "Conv2dInt"},
    {"QConvBN1d", "Conv1dInt"},
    {"QConvBN2d", "Conv2dInt"},
    {"QConvTranspose2d", "ConvTranspose2dInt"},
    {"QConvTransposeBN2d", "ConvTranspose2dInt"},
    {"QGLU", "GluInt"},
    {"QGRU", "GRUInt"},
    {"QLSTM", "LSTMInt"},
    {"QLayerNorm", "LayerNormInt"},
    {"QLinear", "LinearInt"},
    {"QMatmul", "BmmInt"},
    {"QMul", "iqMul"},
    {"QSigmoid", "iqSigmoid"},
    {"QSoftmax", "SoftmaxInt"},
    {"QTanh", "iqTanh"},
};

static const OnnxOp *find(const OnnxOp *list, size_t count, const char *name) {
  for (size_t i = 0; i < count; ++i)
    if (strcmp(list[i].name, name) == 0)
      return &list[i];
  return NULL;
}

static const OnnxOp *find_luna(const char *name) {
  return find(luna_ops, sizeof luna_ops / sizeof *luna_ops, name);
}

static const OnnxOp *find_onnx(const char *name) {
  return find(ops, sizeof ops / sizeof *ops, name);
}

// Both domains hold operators of ONNX too: an embedding is a Gather.
static const OnnxOp *find_thinker(const char *name) {
  const OnnxOp *op = find_luna(name);
  return op ? op : find_onnx(name);
}

static const OnnxOp *find_linger(const char *name) {
  for (size_t i = 0; i < sizeof linger_names / sizeof *linger_names; ++i)
    if (strcmp(linger_names[i].name, name) == 0)
      return find_luna(linger_names[i].means);
  return find_thinker(name);
}

const OnnxOp *onnx_find_op(const char *domain, const char *name) {
  if (!domain[0] || strcmp(domain, "ai.onnx") == 0)
    return find_onnx(name);
  if (strcmp(domain, "thinker") == 0)
    return find_thinker(name);
  if (strcmp(domain, "linger") == 0)
    return find_linger(name);
  if (strcmp(domain, "com.microsoft") == 0)
    return find(microsoft_ops, sizeof microsoft_ops / sizeof *microsoft_ops,
                name);
  return NULL;
}

static void add_table(LunaText *text, const OnnxOp *list, size_t count) {
  luna_text_printf(text, "| operator | becomes | limits |\n|---|---|---|\n");
  for (size_t i = 0; i < count; ++i)
    luna_text_printf(text, "| %s | %s | %s |\n", list[i].name, list[i].becomes,
                     list[i].limits ? list[i].limits : "");
}

void luna_import_onnx_operators(LunaText *text) {
  add_table(text, ops, sizeof ops / sizeof *ops);
  luna_text_printf(text, "\nDomain `com.microsoft`, quantised operators of "
                         "ONNX Runtime:\n\n");
  add_table(text, microsoft_ops, sizeof microsoft_ops / sizeof *microsoft_ops);
  luna_text_printf(text, "\nDomain `thinker`, LUNA's own arithmetic:\n\n");
  add_table(text, luna_ops, sizeof luna_ops / sizeof *luna_ops);
  luna_text_printf(text, "\nDomain `linger`:");
  for (size_t i = 0; i < sizeof linger_names / sizeof *linger_names; ++i)
    luna_text_printf(text, "%s %s (%s)", i ? "," : "", linger_names[i].name,
                     linger_names[i].means);
  luna_text_printf(text, ".\n");
}
