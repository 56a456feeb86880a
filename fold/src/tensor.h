#ifndef LUNA_FOLD_TENSOR_H
#define LUNA_FOLD_TENSOR_H

// Operators of the tensor dialect.

#include "interpreter.h"

// tensor.c
bool luna_compile_empty(LunaCompiler *compiler, MlirOperation op,
                        LunaStep *step);
bool luna_compile_retype(LunaCompiler *compiler, MlirOperation op,
                         LunaStep *step);
bool luna_compile_from_elements(LunaCompiler *compiler, MlirOperation op,
                                LunaStep *step);
bool luna_compile_splat(LunaCompiler *compiler, MlirOperation op,
                        LunaStep *step);
bool luna_compile_dim(LunaCompiler *compiler, MlirOperation op, LunaStep *step);
bool luna_compile_extract(LunaCompiler *compiler, MlirOperation op,
                          LunaStep *step);
bool luna_compile_insert(LunaCompiler *compiler, MlirOperation op,
                         LunaStep *step);
bool luna_compile_generate(LunaCompiler *compiler, MlirOperation op,
                           LunaStep *step);

// tensor_slice.c
bool luna_compile_extract_slice(LunaCompiler *compiler, MlirOperation op,
                                LunaStep *step);
bool luna_compile_insert_slice(LunaCompiler *compiler, MlirOperation op,
                               LunaStep *step);
bool luna_compile_pad(LunaCompiler *compiler, MlirOperation op, LunaStep *step);
bool luna_compile_concat(LunaCompiler *compiler, MlirOperation op,
                         LunaStep *step);

// tensor_write.c
/// Returns true if an operand may be overwritten: it is the only use of a
/// tensor that an operator compiled in the same block defines.
bool luna_compile_may_reuse(const LunaCompiler *compiler, MlirOperation op,
                            intptr_t operand);
/// Returns `tensor`, or a copy of it, for partial writes; NULL if it exceeds
/// the limits.
LunaConstant *luna_interpreter_writable(LunaInterpreter *interpreter,
                                        LunaConstant *tensor, bool may_reuse);
/// Compiles a block that yields a number for each index into `shape`.
bool luna_compile_generator(LunaCompiler *compiler, MlirBlock block,
                            const LunaConstant *shape, LunaProgram *body);
/// Sets every element of `result` to what the block yields for its index.
bool luna_interpreter_generate(LunaInterpreter *interpreter,
                               const LunaProgram *body, LunaConstant *result);

#endif // LUNA_FOLD_TENSOR_H
