// The operators: dispatch, checks of input counts, and docs come from here.

#include "onnx.h"

enum { MANY = LUNA_ONNX_MANY_INPUTS };

static const char tosa_text[] =
    "the tosa operator of that name for float, else linalg.generic";
static const char generic_text[] = "linalg.generic";
static const char linear_text[] = "as in *Quantised models*";

static const LunaOnnxOp ops[] = {
#define OP_OF(class, name, handler, valid, least, most, becomes, limits)       \
  {#name,  luna_onnx_op_##handler, LUNA_##class, least, most, NULL, becomes,   \
   limits, LUNA_TAKES_##valid},
#define TOSA(name, least, most, tosa, function, takes, gives)                  \
  OP(name, elementwise, EACH, least, most, tosa_text, NULL)
#define GENERIC(name, least, most, function, takes, gives)                     \
  OP(name, elementwise, EACH, least, most, generic_text, NULL)
#include "onnx_operators.def"
};

static const LunaOnnxOp microsoft_ops[] = {
#define QLINEAR(name, least, most, base, first, operands, target, bias)        \
  {#name, luna_onnx_op_qlinear, LUNA_ISDOS, least,          most,              \
   NULL,  linear_text,          NULL,       LUNA_TAKES_NONE},
#define FUNCTION(name, least, most, limits)                                    \
  {#name,  luna_onnx_op_function, LUNA_ISVDOS, least, most, NULL, "its body",  \
   limits, LUNA_TAKES_ITSELF},
#include "onnx_microsoft.def"
    {"Gelu", luna_onnx_op_elementwise, LUNA_ISDOS, 1, 1, NULL, generic_text,
     NULL, LUNA_TAKES_EACH},
    {"DequantizeLinear", luna_onnx_op_dequantize, LUNA_ISDOS, 2, 3, NULL,
     linear_text, NULL, LUNA_TAKES_NONE},
    {"QuantizeLinear", luna_onnx_op_quantize, LUNA_ISDOS, 2, 3, NULL,
     linear_text, NULL, LUNA_TAKES_NONE},
};

const LunaOnnxTable luna_onnx_operators = {
    .rows = ops,
    .row_count = sizeof ops / sizeof *ops,
};

const LunaOnnxTable luna_onnx_microsoft_operators = {
    .rows = microsoft_ops,
    .row_count = sizeof microsoft_ops / sizeof *microsoft_ops,
};
