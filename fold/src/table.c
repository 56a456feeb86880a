// What the interpreter knows.

#include "table.h"

#include "control.h"
#include "linalg.h"
#include "luna-c/ir.h"
#include "scalar.h"
#include "tensor.h"

// Shapes are attributes once an operator is lowered; the constant may be left.
static bool compile_unused(LunaCompiler *compiler, MlirOperation op,
                           LunaStep *step) {
  (void)compiler;
  (void)op;
  (void)step;
  return true;
}

static const LunaOpRule rules[] = {
    {"arith.constant", luna_compile_literal},
    {"tosa.const", luna_compile_literal},
    {"tosa.const_shape", compile_unused},
    {"arith.select", luna_compile_scalar},
    {"linalg.index", luna_compile_linalg_index},
    {"scf.for", luna_compile_for},
    {"scf.if", luna_compile_if},
    {"tensor.cast", luna_compile_retype},
    {"tensor.collapse_shape", luna_compile_retype},
    {"tensor.concat", luna_compile_concat},
    {"tensor.dim", luna_compile_dim},
    {"tensor.empty", luna_compile_empty},
    {"tensor.expand_shape", luna_compile_retype},
    {"tensor.extract", luna_compile_extract},
    {"tensor.extract_slice", luna_compile_extract_slice},
    {"tensor.from_elements", luna_compile_from_elements},
    {"tensor.generate", luna_compile_generate},
    {"tensor.insert", luna_compile_insert},
    {"tensor.insert_slice", luna_compile_insert_slice},
    {"tensor.pad", luna_compile_pad},
    {"tensor.reshape", luna_compile_retype},
    {"tensor.splat", luna_compile_splat},
};
static const LunaOpRule scalar_rule = {"", luna_compile_scalar};
static const LunaOpRule linalg_rule = {"linalg.", luna_compile_linalg};

const LunaOpRule *luna_fold_find_rule(MlirOperation op) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
    if (luna_op_is(op, rules[i].name))
      return &rules[i];
  if (luna_op_has_prefix(op, linalg_rule.name))
    return &linalg_rule;
  return luna_scalar_find(op) ? &scalar_rule : NULL;
}
