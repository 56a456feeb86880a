#ifndef LUNA_FOLD_INTERPRETER_H
#define LUNA_FOLD_INTERPRETER_H

// An interpreter of structured IR on constants. A block is compiled once to
// steps that read and write numbered cells, and then executed, a linalg body
// once per element.

#include "luna-c/fold.h"
#include "luna-c/op_names.h"
#include "luna/arena.h"
#include "luna/map.h"

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

/// The current value of an SSA value. Integers are sign-extended: a true i1 is
/// -1. Poison is as in LLVM; the result of a fold must not contain it.
typedef struct LunaCell {
  union {
    int64_t integer;
    float f32;
    double f64;
    LunaConstant *tensor;
  };
  bool is_poison;
} LunaCell;

/// The state of an execution.
typedef struct LunaInterpreter {
  LunaCell *cells;
  /// The index of the innermost linalg operator's iteration.
  const int64_t *loop_index;
  /// Memory for tensors, and what is left of the limits.
  LunaArena *arena;
  int64_t steps_left, bytes_left;
} LunaInterpreter;

typedef struct LunaStep LunaStep;
/// Executes one operator. Returns false if it has no value.
typedef bool (*LunaStepRun)(LunaInterpreter *interpreter, const LunaStep *step);

/// One operator: the cells of its operands and results.
struct LunaStep {
  LunaStepRun run;
  const int32_t *in, *out;
  int32_t in_count, out_count;
  const void *detail;
};

/// A block: the cells of its arguments, its steps, and the cells of its
/// terminator's operands.
typedef struct LunaProgram {
  LunaStep *steps;
  int64_t step_count;
  const int32_t *arguments, *yields;
  int32_t argument_count, yield_count;
} LunaProgram;

bool luna_interpreter_run(LunaInterpreter *interpreter,
                          const LunaProgram *program);
/// Takes `count` steps off the limit. Returns false if fewer are left.
bool luna_interpreter_spend(LunaInterpreter *interpreter, int64_t count);

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

typedef struct LunaCompiler LunaCompiler;
/// Sets `run` and `detail` of a step whose cells are known; a step without
/// `run` is dropped. Returns false if the operator cannot be interpreted.
typedef bool (*LunaCompileOp)(LunaCompiler *compiler, MlirOperation op,
                              LunaStep *step);

/// How one operator is compiled.
typedef struct LunaOpRule {
  LunaOpName name;
  LunaCompileOp compile;
} LunaOpRule;

struct LunaCompiler {
  LunaArena *arena;
  /// Returns the rule for an operator, or NULL.
  const LunaOpRule *(*find_rule)(MlirOperation op);
  /// Maps SSA values to cells; the initial values of the cells.
  LunaMap slots;
  LUNA_VECTOR(LunaCell) cells;
  /// Values defined outside of what is compiled.
  LUNA_VECTOR(MlirValue) externals;
};

/// Compiles the operators of a block.
bool luna_compile_block(LunaCompiler *compiler, MlirBlock block,
                        LunaProgram *program);
/// Compiles a single operator; its results are those of the program.
bool luna_compile_op(LunaCompiler *compiler, MlirOperation op,
                     LunaProgram *program);
/// Returns the cell of a value.
int32_t luna_compile_slot(LunaCompiler *compiler, MlirValue value);

// A reader may fold operators that the verifier of its module would refuse:
// rules check the types that they rely on, so that a cell holds a value of its
// type.

/// Returns true if operands [first, end) are integers or of type index.
bool luna_compile_takes_ints(MlirOperation op, intptr_t first, intptr_t end);
/// Returns true if operand `i` is a ranked tensor.
bool luna_compile_takes_tensor(MlirOperation op, intptr_t i);
/// Returns true if the types of operand `i` and result `k` are equal.
bool luna_compile_keeps_type(MlirOperation op, intptr_t i, intptr_t k);

//===----------------------------------------------------------------------===//
// Scalars and tensors (constant.c)
//===----------------------------------------------------------------------===//

/// Returns the scalar type of an element type, index included.
LunaScalarType luna_scalar_type(MlirType type);
/// Sign-extends the low `bits` of a number.
int64_t luna_sign_extend(uint64_t number, int32_t bits);
/// Returns the low `bits` of a number.
uint64_t luna_zero_extend(int64_t number, int32_t bits);

/// Sets element type, dimensions and count from a ranked tensor type of static
/// shape or a scalar type. Returns false for other types.
bool luna_constant_shape(MlirType type, LunaConstant *constant);
/// Reads an elements, integer or float attribute. Returns false for others.
/// Elements that need no conversion are borrowed from the attribute.
bool luna_constant_from_attr(LunaArena *arena, MlirAttribute attribute,
                             LunaConstant *constant);

/// Returns a tensor of zeros with the shape of `shape`; NULL if it exceeds the
/// limits.
LunaConstant *luna_interpreter_tensor(LunaInterpreter *interpreter,
                                      const LunaConstant *shape);
/// Returns a tensor without a defined element.
LunaConstant *luna_interpreter_undefined(LunaInterpreter *interpreter,
                                         const LunaConstant *shape);
/// Returns a splat with the shape of `shape`.
LunaConstant *luna_interpreter_splat(LunaInterpreter *interpreter,
                                     const LunaConstant *shape, LunaCell cell);
/// Returns a writable copy that is not a splat.
LunaConstant *luna_interpreter_copy(LunaInterpreter *interpreter,
                                    const LunaConstant *from);

LunaCell luna_constant_load(const LunaConstant *tensor, int64_t index);
/// Writes an element of a tensor that is not a splat.
void luna_constant_store(LunaConstant *tensor, int64_t index, LunaCell cell);
/// Sets the strides of a row-major tensor with these dimensions.
void luna_row_strides(int32_t rank, const int64_t *dims, int64_t *strides);
/// Writes the element at `index`, which becomes defined. Returns false for
/// poison.
bool luna_constant_define(LunaConstant *tensor, int64_t index, LunaCell cell);

#endif // LUNA_FOLD_INTERPRETER_H
