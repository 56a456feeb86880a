// LUNA's own operators: what their rows are called, and what of ONNX's own
// becomes another thing between them.

#include "linger_table.h"

#include "linger.h"

enum { MANY = LUNA_ONNX_MANY_INPUTS };

static const LunaOnnxOp ops[] = {
#define OP(name, handler, least, most, detail, becomes, limits)                \
  {#name,  luna_linger_op_##handler, LUNA_ISDOS, least, most, detail, becomes, \
   limits, LUNA_TAKES_NONE},
#define RENAMED(name, means)
#include "linger_operators.def"
};

static const LunaOnnxAlias names[] = {
#define OP(name, handler, least, most, detail, becomes, limits)
#define RENAMED(name, means) {#name, #means},
#include "linger_operators.def"
};

static const char clamp_text[] = "tosa.clamp, part of the luna op before it";

static const LunaOnnxOp clamps[] = {
    {"Clip", luna_linger_op_clip, LUNA_ISDOS, 1, 3, NULL, clamp_text, "int8",
     LUNA_TAKES_EACH},
    {"Relu", luna_linger_op_relu, LUNA_ISDOS, 1, 1, NULL, clamp_text, "int8",
     LUNA_TAKES_EACH},
};

const LunaOnnxTable luna_linger_operators = {
    .rows = ops,
    .row_count = sizeof ops / sizeof *ops,
};

const LunaOnnxTable luna_linger_renamed_operators = {
    .rows = ops,
    .row_count = sizeof ops / sizeof *ops,
    .aliases = names,
    .alias_count = sizeof names / sizeof *names,
};

const LunaOnnxTable luna_linger_clamps = {
    .rows = clamps,
    .row_count = sizeof clamps / sizeof *clamps,
};
