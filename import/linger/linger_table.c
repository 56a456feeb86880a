// LUNA's own operators: what their rows are called, and what of ONNX's own
// becomes another thing between them.

#include "linger_table.h"

#include "linger.h"

static const char generic_text[] = "linalg.generic";
static const char int8_text[] = "int8";

static const char rnn_text[] =
    "luna.matmul, and scf.for over time steps of integers on the host";
static const char rnn_limits[] = "int8, as venus computes it";
static const char curve_text[] = "luna.table for int8, else linalg.generic";

static const LunaOnnxOp ops[] = {
    {"AvgPool2dInt", luna_linger_op_avg_pool, 1, 1, NULL,
     "luna.avg_pool2d, else luna.conv2d by ones; linalg.generic divides",
     int8_text},
    {"BatchNorm2dInt", luna_linger_op_batch_norm, 2, 3, NULL,
     "luna.conv2d of kind depthwise", int8_text},
    {"BmmInt", luna_linger_op_bmm, 2, 2, NULL, "luna.matmul", int8_text},
    {"Conv1dInt", luna_linger_op_conv, 2, 3, NULL, "luna.conv2d of height 1",
     int8_text},
    {"Conv2dInt", luna_linger_op_conv, 2, 3, NULL,
     "luna.conv2d, one for each group unless depthwise", int8_text},
    {"ConvTranspose2dInt", luna_linger_op_conv_transpose, 2, 3, NULL,
     "luna.conv2d of kind transposed", "int8, one group"},
    {"Dequant", luna_linger_op_dequant, 1, 1, NULL, generic_text, NULL},
    {"GRUInt", luna_linger_op_rnn, 3, 7, "gru", rnn_text, rnn_limits},
    {"GRUInt_Is8_Is64", luna_linger_op_rnn, 4, 7, "gru", rnn_text, rnn_limits},
    {"GRUInt_Is8_Is64_If32", luna_linger_op_rnn, 5, 7, "gru", rnn_text,
     rnn_limits},
    {"GluInt", luna_linger_op_glu, 1, 1, NULL, "integers on the host",
     int8_text},
    {"LSTMInt", luna_linger_op_rnn, 3, 8, "lstm", rnn_text, "int8"},
    {"LSTMInt_Is8_Is64", luna_linger_op_rnn, 4, 8, "lstm", rnn_text, "int8"},
    {"LSTMInt_Is8_Is64_If32_If32", luna_linger_op_rnn, 6, 8, "lstm", rnn_text,
     "int8"},
    {"LayerNormInt", luna_linger_op_layer_norm, 2, 3, NULL,
     "integers on the host", int8_text},
    {"LinearInt", luna_linger_op_linear, 2, 3, NULL, "luna.matmul", int8_text},
    {"LogSoftmaxInt", luna_linger_op_log_softmax, 1, 1, NULL,
     "integers on the host", int8_text},
    {"Quant", luna_linger_op_quant, 1, 1, NULL, generic_text, "to 8 bits"},
    {"Requant", luna_linger_op_requant, 1, 1, NULL, "luna.table", int8_text},
    {"ShuffleChannel", luna_linger_op_shuffle, 1, 1, NULL,
     "tosa.reshape and tosa.transpose", NULL},
    {"SoftmaxInt", luna_linger_op_softmax, 1, 1, NULL, "integers on the host",
     int8_text},
    {"iqAdd", luna_linger_op_eltwise, 2, 2, "luna.add", "luna.add", int8_text},
    {"iqCat", luna_linger_op_cat, 1, LUNA_ONNX_MANY_INPUTS, NULL,
     "luna.table and tosa.concat", int8_text},
    {"iqDiv", luna_linger_op_div, 2, 2, NULL, "integers on the host",
     int8_text},
    {"iqMul", luna_linger_op_eltwise, 2, 2, "luna.mul", "luna.mul", int8_text},
    {"iqPad", luna_linger_op_pad, 1, 3, NULL,
     "tosa.pad for constants, else linalg.generic", int8_text},
    {"iqSigmoid", luna_linger_op_activation, 1, 1, "sigmoid", curve_text, NULL},
    {"iqSub", luna_linger_op_eltwise, 2, 2, "luna.sub", "luna.sub", int8_text},
    {"iqSum", luna_linger_op_sum, 1, 1, NULL, "luna.matmul by ones",
     "int8, one dimension"},
    {"iqTanh", luna_linger_op_activation, 1, 1, "tanh", curve_text, NULL},
    {"iqVar", luna_linger_op_var, 1, 1, NULL,
     "integers on the host, one float division",
     "int8, one dimension, unbiased"},
};

const LunaOnnxTable luna_linger_operators = {
    .rows = ops,
    .row_count = sizeof ops / sizeof *ops,
};

// What linger calls them from version 3 on, in a domain of its own.
static const LunaOnnxAlias names[] = {
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

const LunaOnnxTable luna_linger_renamed_operators = {
    .rows = ops,
    .row_count = sizeof ops / sizeof *ops,
    .aliases = names,
    .alias_count = sizeof names / sizeof *names,
};

static const char clamp_text[] = "tosa.clamp, part of the luna op before it";

static const LunaOnnxOp clamps[] = {
    {"Clip", luna_linger_op_clip, 1, 3, NULL, clamp_text, int8_text},
    {"Relu", luna_linger_op_relu, 1, 1, NULL, clamp_text, int8_text},
};

const LunaOnnxTable luna_linger_clamps = {
    .rows = clamps,
    .row_count = sizeof clamps / sizeof *clamps,
};
