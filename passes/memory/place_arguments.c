// Arguments of the model: inputs are loaded on chip where they are used first,
// outputs that operators compute into have a buffer there.

#include "place_arguments.h"

#include "buffer_roots.h"
#include "host_cost.h"
#include "luna/arena.h"
#include "mlir-c/BuiltinAttributes.h"
#include "structure.h"

void luna_set_memory(MlirOperation op, MlirValue value, LunaMemoryKind kind) {
  MlirType type = mlirValueGetType(value);
  if (luna_is_memref(type))
    mlirValueSetType(
        value, luna_memref_with_space(
                   type, lunaMemoryAttrGet(mlirOperationGetContext(op), kind)));
}

MlirValue luna_build_on_chip(MlirOperation before, MlirType like,
                             const char *kind) {
  MlirType type = luna_memref_with_space(
      like,
      lunaMemoryAttrGet(mlirOperationGetContext(before), LUNA_MEMORY_SHARED));
  return luna_build_alloc(before, type, kind);
}

static bool is_view(MlirOperation op) {
  return LUNA_OP_IS_ANY(op, LUNA_OP_MEMREF_COLLAPSE_SHAPE,
                        LUNA_OP_MEMREF_EXPAND_SHAPE, LUNA_OP_MEMREF_CAST,
                        LUNA_OP_MEMREF_SUBVIEW,
                        LUNA_OP_MEMREF_REINTERPRET_CAST);
}

// Returns true if all uses are loads of scalars outside operators, through any
// views.
static bool is_read_as_scalar(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (is_view(user)) {
      if (!is_read_as_scalar(mlirOperationGetResult(user, 0)))
        return false;
      continue;
    }
    MlirOperation parent = mlirOperationGetParentOperation(user);
    bool in_operator = luna_op_in_dialect(parent, LUNA_DIALECT_LINALG);
    if (!luna_op_is(user, LUNA_OP_MEMREF_LOAD) || in_operator)
      return false;
  }
  return true;
}

static bool writes_operand(MlirOperation op, intptr_t operand) {
  if (luna_op_is_unit(op))
    return operand == mlirOperationGetNumOperands(op) - 1;
  return (luna_host_access(op, operand) & LUNA_ACCESS_WRITE) != 0;
}

// How a function argument is used.
typedef struct ArgumentUse {
  bool is_read;
  bool is_written;
  bool is_computed_into; // written by an op other than a plain copy
} ArgumentUse;

static void note_uses(MlirValue value, ArgumentUse *noted) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (is_view(user)) {
      note_uses(mlirOperationGetResult(user, 0), noted);
    } else if (luna_is_control_flow(user) || luna_only_renames(user) ||
               !writes_operand(user, mlirOpOperandGetOperandNumber(use))) {
      noted->is_read = true;
    } else {
      noted->is_written = true;
      noted->is_computed_into |= !luna_op_is(user, LUNA_OP_MEMREF_COPY);
    }
  }
}

// A use of `value` within `op` or below it.
static MlirOpOperand find_use_under(MlirValue value, MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  MlirOpOperand use = mlirValueGetFirstUse(value);
  while (!mlirOpOperandIsNull(use) &&
         !mlirOperationEqual(
             luna_ancestor_in_block(mlirOpOperandGetOwner(use), block), op))
    use = mlirOpOperandGetNextUse(use);
  return use;
}

static bool is_used_in_region(MlirValue value, MlirRegion region) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!mlirBlockIsNull(block) && !mlirOperationIsNull(luna_ancestor_in_block(
                                       mlirOpOperandGetOwner(use), block)))
      return true;
  return false;
}

// Replaces uses of `value` in and under the ops of `block` by `other`.
static void replace_uses_in(MlirBlock block, MlirValue value, MlirValue other) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use);) {
    MlirOpOperand next = mlirOpOperandGetNextUse(use);
    MlirOperation owner = mlirOpOperandGetOwner(use);
    if (!mlirOperationIsNull(luna_ancestor_in_block(owner, block)))
      mlirOperationSetOperand(owner, mlirOpOperandGetOperandNumber(use), other);
    use = next;
  }
}

// Returns `value`, of another layout, as one of the type of `like`.
static MlirValue cast_like(MlirOperation before, MlirValue value,
                           MlirValue like) {
  MlirType type = luna_memref_with_space(
      mlirValueGetType(like),
      mlirMemRefTypeGetMemorySpace(mlirValueGetType(value)));
  if (mlirTypeEqual(type, mlirValueGetType(value)))
    return value;
  return luna_build_value(before, "memref.cast", type, 1, &value);
}

// `input` is an argument or a view of one.
static void load_before(MlirValue input, MlirOperation before) {
  MlirOperation view = luna_defining_op(input);
  MlirType type = luna_memref_contiguous(mlirValueGetType(input));
  MlirValue copy = luna_build_on_chip(before, type, "input"), source = input;
  if (!mlirOperationIsNull(view)) {
    view = mlirOperationClone(view);
    luna_insert_before(before, view);
    source = mlirOperationGetResult(view, 0);
  }
  replace_uses_in(mlirOperationGetBlock(before), input,
                  cast_like(before, copy, input));
  luna_build_copy(before, source, copy);
}

// Returns the op before which the input of `op` must be loaded: itself, or the
// first output copied before it, since that may be the new value of a state
// variable that is read later.
static MlirOperation before_outputs(MlirOperation op) {
  MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  while (!mlirOperationEqual(at, op) &&
         !(luna_op_is(at, LUNA_OP_MEMREF_COPY) &&
           mlirValueIsABlockArgument(mlirOperationGetOperand(at, 1))))
    at = mlirOperationGetNextInBlock(at);
  return at;
}

// Loads `input` right before its first use in `block`; a branch that is the
// only user so far loads in its own branches.
static void load_at_first_use(MlirValue input, MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (mlirOpOperandIsNull(find_use_under(input, op)))
    op = mlirOperationGetNextInBlock(op);
  bool used_later = false;
  for (MlirOperation later = mlirOperationGetNextInBlock(op);
       !mlirOperationIsNull(later); later = mlirOperationGetNextInBlock(later))
    used_later |= !mlirOpOperandIsNull(find_use_under(input, later));
  if (used_later || !luna_is_branch(op)) {
    load_before(input, before_outputs(op));
    return;
  }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirRegion region = mlirOperationGetRegion(op, r);
    if (is_used_in_region(input, region))
      load_at_first_use(input, mlirRegionGetFirstBlock(region));
  }
}

// Returns true if all uses of `value` are within `op` or below it.
static bool is_used_under(MlirValue value, MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  MlirOpOperand use = mlirValueGetFirstUse(value);
  while (!mlirOpOperandIsNull(use) &&
         mlirOperationEqual(
             luna_ancestor_in_block(mlirOpOperandGetOwner(use), block), op))
    use = mlirOpOperandGetNextUse(use);
  return mlirOpOperandIsNull(use);
}

// Returns the only use of `list` in a block if that is a contiguous view, else
// a null op.
static MlirOperation only_view_in(MlirBlock block, MlirValue list) {
  MlirOperation found = {NULL}, none = {NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(list);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationIsNull(luna_ancestor_in_block(user, block)))
      continue;
    if (!luna_op_is(user, LUNA_OP_MEMREF_SUBVIEW) ||
        !mlirOperationIsNull(found))
      return none;
    found = user;
  }
  bool is_part = !mlirOperationIsNull(found) &&
                 luna_memref_is_contiguous(
                     mlirValueGetType(mlirOperationGetResult(found, 0)));
  return is_part ? found : none;
}

// Loads an input, or the part of it that is a version's: before `start`, the
// first op of the case, or where it is used first if that is null.
static void load_in_case(MlirValue list, MlirBlock block, MlirOperation start) {
  MlirOperation view = only_view_in(block, list);
  bool is_part = !mlirOperationIsNull(view);
  bool at_start = !mlirOperationIsNull(start);
  MlirValue part = is_part ? mlirOperationGetResult(view, 0) : list;
  if (!luna_is_used(part) || (is_part && !at_start && is_read_as_scalar(part)))
    return;
  if (at_start)
    load_before(part, start);
  else
    load_at_first_use(part, is_part ? mlirOperationGetBlock(view) : block);
  if (is_part && !luna_is_used(part))
    mlirOperationDestroy(view);
}

// Creates a buffer on chip for an output that operators compute into, copied to
// PSRAM at the end; if it is also read, its value is copied on chip first.
static void compute_on_chip(MlirValue output, MlirBlock entry, bool is_read) {
  MlirOperation first = mlirBlockGetFirstOperation(entry);
  MlirValue buffer =
      luna_build_on_chip(first, mlirValueGetType(output), "output");
  replace_uses_in(entry, output, buffer);
  if (is_read)
    luna_build_copy(first, output, buffer);
  luna_build_copy(mlirBlockGetTerminator(entry), buffer, output);
}

static bool has_attribute(MlirOperation func, intptr_t argument,
                          const char *name) {
  return !mlirAttributeIsNull(luna_func_argument_attr(func, argument, name));
}

// Where inputs go.
typedef struct Placer {
  LunaArena arena;
  MlirOperation func;
  bool on_chip;
  MlirOperation first;    // of the function
  MlirOperation versions; // the switch between them, or null
  MlirOperation *starts;  // of its regions, behind the labels
} Placer;

static void find_starts(Placer *placer) {
  intptr_t count = mlirOperationIsNull(placer->versions)
                       ? 0
                       : mlirOperationGetNumRegions(placer->versions);
  placer->starts = LUNA_ARENA_ARRAY(&placer->arena, MlirOperation, count);
  for (intptr_t r = 0; r < count && placer->on_chip; ++r)
    placer->starts[r] = mlirOperationGetNextInBlock(
        mlirBlockGetFirstOperation(luna_body(placer->versions, r)));
}

// State variables stay in their own memory until their first use; the number of
// a version is no input of the model.
static void place_input(const Placer *placer, intptr_t i) {
  MlirBlock entry = luna_entry_block(placer->func);
  MlirValue input = mlirBlockGetArgument(entry, i);
  bool at_start = placer->on_chip &&
                  !has_attribute(placer->func, i, "luna.state") &&
                  !has_attribute(placer->func, i, "luna.cases");
  if (!at_start && is_read_as_scalar(input))
    return;
  if (mlirOperationIsNull(placer->versions) ||
      !is_used_under(input, placer->versions)) {
    if (at_start)
      load_before(input, placer->first);
    else
      load_at_first_use(input, entry);
    return;
  }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(placer->versions); ++r)
    if (is_used_in_region(input, mlirOperationGetRegion(placer->versions, r)))
      load_in_case(input, luna_body(placer->versions, r),
                   at_start ? placer->starts[r] : (MlirOperation){NULL});
}

void luna_place_arguments(MlirOperation func, bool on_chip) {
  MlirBlock entry = luna_entry_block(func);
  Placer placer = {
      .func = func,
      .on_chip = on_chip,
      .first = mlirBlockGetFirstOperation(entry),
      .versions = luna_version_switch(func),
  };
  find_starts(&placer);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    ArgumentUse use = {0};
    luna_set_memory(func, argument, LUNA_MEMORY_PSRAM);
    note_uses(argument, &use);
    if (use.is_computed_into || (use.is_written && use.is_read))
      compute_on_chip(argument, entry, use.is_read);
    else if (!use.is_written && use.is_read)
      place_input(&placer, i);
  }
  luna_arena_destroy(&placer.arena);
}
