#ifndef LUNA_FOLD_INTERPRETER_H
#define LUNA_FOLD_INTERPRETER_H

// An interpreter of structured IR on constants. A block is compiled once to
// steps that read and write numbered cells, then run, a linalg body for every
// element.

#include "luna-c/fold.h"
#include "luna-c/op_names.h"
#include "luna/arena.h"
#include "luna/map.h"

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

/// The value that an SSA value has now. Integers are sign-extended from their
/// bits: a true i1 is -1. Poison is what an operator gives where LLVM leaves
/// its result open; no result may hold it.
typedef struct LunaCell {
  union {
    int64_t integer;
    float f32;
    double f64;
    LunaConstant *tensor;
  };
  bool is_poison;
} LunaCell;

/// What a run works on.
typedef struct LunaInterpreter {
  LunaCell *cells;
  /// The index of the innermost linalg operator's iteration.
  const int64_t *loop_index;
  /// Where tensors are made, and what is left of the limits.
  LunaArena *arena;
  int64_t steps_left, bytes_left;
} LunaInterpreter;

typedef struct LunaStep LunaStep;
/// Runs one operator; false where it has no value.
typedef bool (*LunaStepRun)(LunaInterpreter *interpreter, const LunaStep *step);

/// One operator: the cells of its operands and results.
struct LunaStep {
  LunaStepRun run;
  const int32_t *in, *out;
  int32_t in_count, out_count;
  const void *detail;
};

/// A block: the cells of its arguments, its steps, and the cells of what its
/// terminator passes on.
typedef struct LunaProgram {
  LunaStep *steps;
  int64_t step_count;
  const int32_t *arguments, *yields;
  int32_t argument_count, yield_count;
} LunaProgram;

bool luna_interpreter_run(LunaInterpreter *interpreter,
                          const LunaProgram *program);
/// Takes `count` steps off the limit; false if there are not as many.
bool luna_interpreter_spend(LunaInterpreter *interpreter, int64_t count);

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

typedef struct LunaCompiler LunaCompiler;
/// Fills in `run` and `detail` of a step whose cells are known; a step without
/// `run` is left out. False where the operator cannot be interpreted.
typedef bool (*LunaCompileOp)(LunaCompiler *compiler, MlirOperation op,
                              LunaStep *step);

/// How one operator is compiled.
typedef struct LunaOpRule {
  LunaOpName name;
  LunaCompileOp compile;
} LunaOpRule;

struct LunaCompiler {
  LunaArena *arena;
  /// Gives the rule for an operator, or NULL.
  const LunaOpRule *(*find_rule)(MlirOperation op);
  /// From SSA values to cells; the first values of the cells.
  LunaMap slots;
  LUNA_VECTOR(LunaCell) cells;
  /// Values that come from outside of what is compiled.
  LUNA_VECTOR(MlirValue) externals;
};

/// Compiles the operators of a block.
bool luna_compile_block(LunaCompiler *compiler, MlirBlock block,
                        LunaProgram *program);
/// Compiles a single operator; its results are what the program passes on.
bool luna_compile_op(LunaCompiler *compiler, MlirOperation op,
                     LunaProgram *program);
/// Returns the cell of a value.
int32_t luna_compile_slot(LunaCompiler *compiler, MlirValue value);
/// Returns true if an operator or terminator uses the value.
bool luna_compile_is_used(MlirValue value);

// A reader may ask for what its module's verifier would refuse: rules look at
// the types that they rely on, so that a cell holds what its value's type says.

/// Returns true if operands [first, end) are integers, of type index or not.
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
/// The low `bits` of a number.
uint64_t luna_zero_extend(int64_t number, int32_t bits);

/// Fills in element type, dimensions and count from a ranked tensor of static
/// shape or a scalar type; false for other types.
bool luna_constant_shape(MlirType type, LunaConstant *constant);
/// Reads an attribute with elements, an integer or a float; false for others.
/// The elements stay the attribute's where they can be read as they are.
bool luna_constant_from_attr(LunaArena *arena, MlirAttribute attribute,
                             LunaConstant *constant);

/// Returns a tensor of zeros like `shape`; NULL where the limits do not
/// suffice.
LunaConstant *luna_interpreter_tensor(LunaInterpreter *interpreter,
                                      const LunaConstant *shape);
/// Returns a tensor of which no element is defined.
LunaConstant *luna_interpreter_undefined(LunaInterpreter *interpreter,
                                         const LunaConstant *shape);
/// Returns a tensor like `shape` of one element for all.
LunaConstant *luna_interpreter_splat(LunaInterpreter *interpreter,
                                     const LunaConstant *shape, LunaCell cell);
/// Returns a copy that may be written, every element apart.
LunaConstant *luna_interpreter_copy(LunaInterpreter *interpreter,
                                    const LunaConstant *from);

LunaCell luna_constant_load(const LunaConstant *tensor, int64_t index);
/// Writes an element of a tensor that is no splat.
void luna_constant_store(LunaConstant *tensor, int64_t index, LunaCell cell);
/// Fills in the strides of a row-major tensor of these dimensions.
void luna_row_strides(int32_t rank, const int64_t *dims, int64_t *strides);
/// Writes the element at `index`, which then is defined; false for poison.
bool luna_constant_define(LunaConstant *tensor, int64_t index, LunaCell cell);

#endif // LUNA_FOLD_INTERPRETER_H
