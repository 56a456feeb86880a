// The operators that the interpreter supports.

#include "table.h"

#include "control.h"
#include "linalg.h"
#include "luna-c/ir.h"
#include "scalar.h"
#include "tensor.h"

// A lowered operator has its shape as an attribute; the constant may remain.
static bool compile_unused(LunaCompiler *compiler, MlirOperation op,
                           LunaStep *step) {
  (void)compiler;
  (void)op;
  (void)step;
  return true;
}

static const LunaOpRule rules[] = {
    {LUNA_OP_ARITH_CONSTANT, luna_compile_literal},
    {LUNA_OP_TOSA_CONST, luna_compile_literal},
    {LUNA_OP_TOSA_CONST_SHAPE, compile_unused},
    {LUNA_OP_ARITH_SELECT, luna_compile_scalar},
    {LUNA_OP_LINALG_INDEX, luna_compile_linalg_index},
    {LUNA_OP_SCF_FOR, luna_compile_for},
    {LUNA_OP_SCF_IF, luna_compile_if},
    {LUNA_OP_TENSOR_CAST, luna_compile_retype},
    {LUNA_OP_TENSOR_COLLAPSE_SHAPE, luna_compile_retype},
    {LUNA_OP_TENSOR_CONCAT, luna_compile_concat},
    {LUNA_OP_TENSOR_DIM, luna_compile_dim},
    {LUNA_OP_TENSOR_EMPTY, luna_compile_empty},
    {LUNA_OP_TENSOR_EXPAND_SHAPE, luna_compile_retype},
    {LUNA_OP_TENSOR_EXTRACT, luna_compile_extract},
    {LUNA_OP_TENSOR_EXTRACT_SLICE, luna_compile_extract_slice},
    {LUNA_OP_TENSOR_FROM_ELEMENTS, luna_compile_from_elements},
    {LUNA_OP_TENSOR_GENERATE, luna_compile_generate},
    {LUNA_OP_TENSOR_INSERT, luna_compile_insert},
    {LUNA_OP_TENSOR_INSERT_SLICE, luna_compile_insert_slice},
    {LUNA_OP_TENSOR_PAD, luna_compile_pad},
    {LUNA_OP_TENSOR_RESHAPE, luna_compile_retype},
    {LUNA_OP_TENSOR_SPLAT, luna_compile_splat},
};
static const LunaOpRule scalar_rule = {.compile = luna_compile_scalar};
static const LunaOpRule linalg_rule = {.compile = luna_compile_linalg};

const LunaOpRule *luna_fold_find_rule(MlirOperation op) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
    if (luna_op_is(op, rules[i].name))
      return &rules[i];
  if (luna_op_in_dialect(op, LUNA_DIALECT_LINALG))
    return &linalg_rule;
  return luna_scalar_find(op) ? &scalar_rule : NULL;
}
