#include "linger_platform.h"

static const LunaArithmetic venus = {
    .curves = LUNA_CURVE_16,
    .inverts_by_newton = true,
    .share_shift = 31,
    .sum_type = LUNA_ONNX_I16,
    .gate_type = LUNA_ONNX_I8,
    .cell_type = LUNA_ONNX_I16,
    .gate_bits = 7,
    .mix_bits = 14,
    .cell_bits = 7,
    .has_gru = true,
};

static const LunaArithmetic arcs = {
    .curves = LUNA_CURVE_32,
    .share_shift = 38,
    .sum_type = LUNA_ONNX_I32,
    .gate_type = LUNA_ONNX_I32,
    .cell_type = LUNA_ONNX_I32,
    .gate_bits = 15,
    .mix_bits = 27,
    .cell_bits = 15,
};

static const LunaArithmetic venusa = {
    .curves = LUNA_CURVE_WHOLE,
    .exp_rounds_once = true,
    .share_shift = 38,
    .log_softmax_of_sums = true,
    .sum_type = LUNA_ONNX_I32,
    .gate_type = LUNA_ONNX_I32,
    .cell_type = LUNA_ONNX_I32,
    .gate_bits = 15,
    .mix_bits = 27,
    .cell_bits = 15,
};

// The names that linger writes.
static const struct {
  const char *name;
  const LunaArithmetic *arithmetic;
} platforms[] = {{"venus", &venus},   {"luna_quant", &venus},
                 {"arcs", &arcs},     {"mars", &arcs},
                 {"venusA", &venusa}, {"venusa", &venusa}};

enum { PLATFORM_COUNT = sizeof platforms / sizeof platforms[0] };

static const char *names(LunaOnnxImport *c) {
  const char *text = platforms[0].name;
  for (int i = 1; i < PLATFORM_COUNT; ++i)
    text = luna_arena_printf(c->arena, "%s, %s", text, platforms[i].name);
  return text;
}

bool luna_linger_arithmetic(LunaOnnxImport *c, const LunaOnnxNode *n,
                            const LunaArithmetic **arithmetic) {
  const char *name =
      luna_onnx_attr(n, "platform") ? "platform" : "platform_quant";
  for (int i = 0; i < PLATFORM_COUNT; ++i)
    if (luna_onnx_attr_is(n, name, platforms[0].name, platforms[i].name)) {
      *arithmetic = platforms[i].arithmetic;
      return true;
    }
  return luna_onnx_fail(c, "'%s' must be one of %s", name, names(c));
}
