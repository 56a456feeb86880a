#include "luna-c/fold.h"

#include "interpreter.h"
#include "lower.h"
#include "luna-c/ir.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "table.h"

typedef enum State {
  PENDING, ///< on the stack
  VARIABLE,
  CONSTANT, ///< nothing computed yet
  COMPUTED,
  FAILED,
} State;

typedef struct Entry {
  State state;
  LunaConstant *constant; // where COMPUTED
} Entry;

typedef LUNA_VECTOR(MlirValue) Values;

struct LunaFold {
  MlirContext context;
  LunaArena arena;
  int64_t steps_left, bytes_left;
  bool (*leaves)(MlirOperation op);
  LunaLowering lowering;
  bool has_lowering;
  // The state of each value visited.
  LunaMap values;
  LUNA_VECTOR(Entry) entries; // by index in `values`
};

LunaFold *luna_fold_create(MlirContext context, const LunaFoldLimits *limits) {
  LunaArena arena = {0};
  LunaFold *fold = LUNA_ARENA_ARRAY(&arena, LunaFold, 1);
  *fold = (LunaFold){.context = context,
                     .steps_left = limits->max_steps,
                     .bytes_left = limits->max_bytes,
                     .leaves = limits->leaves};
  fold->arena = arena;
  return fold;
}

void luna_fold_destroy(LunaFold *fold) {
  if (!fold)
    return;
  if (fold->has_lowering)
    luna_lowering_destroy(&fold->lowering);
  LunaArena arena = fold->arena; // which `fold` lies in
  luna_arena_destroy(&arena);
}

bool luna_fold_is_literal(MlirOperation op) {
  return LUNA_OP_IS_ANY(op, LUNA_OP_ARITH_CONSTANT, LUNA_OP_TOSA_CONST);
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

static Entry *find_entry(const LunaFold *fold, MlirValue value) {
  uint32_t index = luna_map_find(&fold->values, luna_map_pointer(value.ptr));
  return index == LUNA_MAP_ABSENT ? NULL : &fold->entries.items[index];
}

static void set_entry(LunaFold *fold, MlirValue value, Entry entry) {
  uint32_t index =
      luna_map_add(&fold->values, &fold->arena, luna_map_pointer(value.ptr));
  if (index == fold->entries.count)
    LUNA_VECTOR_ADD(&fold->arena, &fold->entries);
  fold->entries.items[index] = entry;
}

static void set_results(LunaFold *fold, MlirOperation op, State state) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    set_entry(fold, mlirOperationGetResult(op, i), (Entry){.state = state});
}

static void push(LunaFold *fold, Values *values, MlirValue value) {
  *LUNA_VECTOR_ADD(&fold->arena, values) = value;
}

//===----------------------------------------------------------------------===//
// Uses of an operator
//===----------------------------------------------------------------------===//

static MlirOperation owner_of(MlirValue value) {
  return mlirValueIsABlockArgument(value)
             ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
             : mlirOpResultGetOwner(value);
}

// True if a value is defined in a region of `op`.
static bool is_inside(MlirOperation op, MlirValue value) {
  MlirOperation owner = owner_of(value);
  if (!mlirValueIsABlockArgument(value) && mlirOperationEqual(owner, op))
    return false;
  while (!mlirOperationIsNull(owner) && !mlirOperationEqual(owner, op))
    owner = mlirOperationGetParentOperation(owner);
  return !mlirOperationIsNull(owner);
}

typedef struct Lister {
  LunaFold *fold;
  MlirOperation op;
  Values *values;
} Lister;

static bool list_operands(MlirOperation op, void *data) {
  const Lister *lister = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    MlirOperation made = luna_defining_op(value);
    // tosa.const_shape is a constant, too.
    bool is_shape = luna_op_is(made, LUNA_OP_TOSA_CONST_SHAPE);
    if (!is_shape && !is_inside(lister->op, value))
      push(lister->fold, lister->values, value);
  }
  return true;
}

// The values defined above that an operator and its regions use.
static void list_uses(LunaFold *fold, MlirOperation op, Values *values) {
  Lister lister = {.fold = fold, .op = op, .values = values};
  values->count = 0;
  list_operands(op, &lister);
  luna_walk(op, list_operands, &lister);
}

//===----------------------------------------------------------------------===//
// Search for constant values
//===----------------------------------------------------------------------===//

static bool is_lowered(MlirOperation op) {
  return luna_op_in_dialect(op, LUNA_DIALECT_TOSA) &&
         !luna_op_is_variable(op) &&
         !LUNA_OP_IS_ANY(op, LUNA_OP_TOSA_CUSTOM, LUNA_OP_TOSA_CONST) &&
         mlirOperationGetNumRegions(op) == 0;
}

static bool can_evaluate(const LunaFold *fold, MlirOperation op) {
  if ((fold->leaves && fold->leaves(op)) ||
      luna_op_in_dialect(op, LUNA_DIALECT_SCF) ||
      (!is_lowered(op) && !luna_fold_find_rule(op)))
    return false;
  LunaConstant shape;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!luna_constant_shape(mlirValueGetType(mlirOperationGetResult(op, i)),
                             &shape))
      return false;
  return true;
}

// The state of a value, derived from the values on which it depends; PENDING
// if some of these were not visited, and are now on the stack.
static State find_state(LunaFold *fold, MlirValue value, Values *stack,
                        Values *uses) {
  MlirOperation op = luna_defining_op(value);
  const Entry *entry = find_entry(fold, value);
  bool is_expanded = entry != NULL;
  if (mlirOperationIsNull(op) || !can_evaluate(fold, op))
    return VARIABLE;
  list_uses(fold, op, uses);
  State state = CONSTANT;
  for (uint64_t i = 0; i < uses->count; ++i) {
    entry = find_entry(fold, uses->items[i]);
    if (entry && (entry->state == VARIABLE || entry->state == PENDING))
      return VARIABLE;
    if (entry)
      continue;
    if (is_expanded) // of invalid IR
      return VARIABLE;
    push(fold, stack, uses->items[i]);
    state = PENDING;
  }
  return state;
}

bool luna_fold_is_constant(LunaFold *fold, MlirValue value) {
  Values stack = {.count = 0}, uses = {.count = 0};
  push(fold, &stack, value);
  while (stack.count > 0) {
    MlirValue top = stack.items[stack.count - 1];
    const Entry *entry = find_entry(fold, top);
    if (entry && entry->state != PENDING) {
      --stack.count;
      continue;
    }
    State state = find_state(fold, top, &stack, &uses);
    set_entry(fold, top, (Entry){.state = state});
  }
  return find_entry(fold, value)->state != VARIABLE;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

static LunaCell cell_of(const Entry *entry, MlirValue value) {
  return mlirTypeIsAShaped(mlirValueGetType(value))
             ? (LunaCell){.tensor = entry->constant}
             : luna_constant_load(entry->constant, 0);
}

// Sets the cells of values from outside: the arguments of a lowered copy are
// operands of `op`.
static bool bind(LunaFold *fold, const LunaCompiler *compiler,
                 const LunaProgram *program, const Values *arguments) {
  for (uint64_t i = 0; i < compiler->externals.count; ++i) {
    MlirValue value = compiler->externals.items[i];
    const Entry *entry = find_entry(fold, value);
    if (!entry || entry->state != COMPUTED)
      return false;
    uint32_t slot =
        luna_map_find(&compiler->slots, luna_map_pointer(value.ptr));
    compiler->cells.items[slot] = cell_of(entry, value);
  }
  if ((uint64_t)program->argument_count != arguments->count)
    return false;
  for (int32_t i = 0; i < program->argument_count; ++i)
    compiler->cells.items[program->arguments[i]] =
        cell_of(find_entry(fold, arguments->items[i]), arguments->items[i]);
  return true;
}

// Stores the results of a program as those of `op`.
static bool keep_results(LunaFold *fold, LunaInterpreter *interpreter,
                         MlirOperation op, const LunaProgram *program) {
  for (int32_t i = 0; i < program->yield_count; ++i) {
    MlirValue value = mlirOperationGetResult(op, i);
    LunaCell cell = interpreter->cells[program->yields[i]];
    LunaConstant shape;
    luna_constant_shape(mlirValueGetType(value), &shape);
    bool is_tensor = mlirTypeIsAShaped(mlirValueGetType(value));
    if (!is_tensor && cell.is_poison)
      return false;
    LunaConstant *constant =
        is_tensor ? cell.tensor
                  : luna_interpreter_splat(interpreter, &shape, cell);
    if (!constant || constant->count != shape.count)
      return false;
    set_entry(fold, value, (Entry){.state = COMPUTED, .constant = constant});
  }
  return true;
}

static bool run_program(LunaFold *fold, MlirOperation op,
                        const LunaCompiler *compiler,
                        const LunaProgram *program, const Values *arguments) {
  LunaInterpreter interpreter = {.cells = compiler->cells.items,
                                 .arena = &fold->arena,
                                 .steps_left = fold->steps_left,
                                 .bytes_left = fold->bytes_left};
  bool is_done = program->yield_count == mlirOperationGetNumResults(op) &&
                 bind(fold, compiler, program, arguments) &&
                 luna_interpreter_spend(&interpreter, 1) &&
                 luna_interpreter_run(&interpreter, program) &&
                 keep_results(fold, &interpreter, op, program);
  fold->steps_left = interpreter.steps_left;
  fold->bytes_left = interpreter.bytes_left;
  return is_done;
}

static LunaCompiler new_compiler(LunaFold *fold) {
  return (LunaCompiler){.arena = &fold->arena,
                        .find_rule = luna_fold_find_rule};
}

static bool evaluate_op(LunaFold *fold, MlirOperation op) {
  LunaCompiler compiler = new_compiler(fold);
  LunaProgram program;
  Values none = {.count = 0};
  return luna_compile_op(&compiler, op, &program) &&
         run_program(fold, op, &compiler, &program, &none);
}

// The operands whose values upstream's lowering may need: short ones become
// constants, the others arguments.
static MlirAttribute *list_arguments(LunaFold *fold, MlirOperation op,
                                     Values *arguments) {
  enum { SHORT = 64 };
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirAttribute *attributes =
      LUNA_ARENA_ARRAY(&fold->arena, MlirAttribute, count);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    MlirOperation made = luna_defining_op(value);
    const Entry *entry = find_entry(fold, value);
    if (!entry || entry->state != COMPUTED || luna_fold_is_literal(made))
      continue;
    if (entry->constant->count <= SHORT)
      attributes[i] =
          luna_constant_attr(entry->constant, mlirValueGetType(value));
    if (mlirAttributeIsNull(attributes[i]))
      push(fold, arguments, value);
  }
  return attributes;
}

static bool evaluate_lowered(LunaFold *fold, MlirOperation op) {
  if (!fold->has_lowering)
    fold->lowering = luna_lowering_create(fold->context);
  fold->has_lowering = true;
  LunaCompiler compiler = new_compiler(fold);
  LunaProgram program;
  Values arguments = {.count = 0};
  const MlirAttribute *attributes = list_arguments(fold, op, &arguments);
  MlirModule module = luna_lowering_of(&fold->lowering, op, attributes);
  if (mlirModuleIsNull(module))
    return false;
  MlirOperation func = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  bool is_done = luna_compile_block(&compiler, luna_body(func, 0), &program) &&
                 run_program(fold, op, &compiler, &program, &arguments);
  mlirModuleDestroy(module);
  return is_done;
}

static void evaluate(LunaFold *fold, MlirOperation op) {
  bool is_done =
      is_lowered(op) ? evaluate_lowered(fold, op) : evaluate_op(fold, op);
  if (!is_done)
    set_results(fold, op, FAILED);
}

// True if all that `op` uses is computed; pushes what is not on the stack. `op`
// fails if one of its operands does.
static bool is_ready(LunaFold *fold, MlirOperation op, Values *stack,
                     Values *uses) {
  bool is_ready = true;
  list_uses(fold, op, uses);
  for (uint64_t i = 0; i < uses->count; ++i) {
    State state = find_entry(fold, uses->items[i])->state;
    if (state == FAILED) {
      set_results(fold, op, FAILED);
      return false;
    }
    if (state == CONSTANT)
      push(fold, stack, uses->items[i]);
    is_ready = is_ready && state == COMPUTED;
  }
  return is_ready;
}

const LunaConstant *luna_fold_value(LunaFold *fold, MlirValue value) {
  if (!luna_fold_is_constant(fold, value))
    return NULL;
  Values stack = {.count = 0}, uses = {.count = 0};
  push(fold, &stack, value);
  while (stack.count > 0) {
    MlirValue top = stack.items[stack.count - 1];
    MlirOperation op = luna_defining_op(top);
    if (find_entry(fold, top)->state != CONSTANT)
      --stack.count;
    else if (is_ready(fold, op, &stack, &uses))
      evaluate(fold, op);
  }
  const Entry *entry = find_entry(fold, value);
  return entry->state == COMPUTED && entry->constant->undefined_count == 0
             ? entry->constant
             : NULL;
}
