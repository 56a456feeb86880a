#include "memory_op.h"

#include "in_place.h"
#include "structure.h"
#include "touches.h"

//===----------------------------------------------------------------------===//
// What the op touches
//===----------------------------------------------------------------------===//

MlirStringRef luna_given_name(MlirOperation op) {
  MlirLocation location = mlirOperationGetLocation(op);
  if (!mlirLocationIsAName(location))
    return (MlirStringRef){NULL, 0};
  return mlirIdentifierStr(mlirLocationNameGetName(location));
}

// Adds a step of the op.
static LunaStepId add_step(const LunaMemoryOp *self) {
  LunaMemoryProblem *memory = self->memory;
  MlirOperation op = self->op;
  MlirStringRef kind = mlirIdentifierStr(mlirOperationGetName(op));
  MlirStringRef name = luna_given_name(op);
  bool is_dma = luna_op_is(op, LUNA_OP_LUNA_DMA_START) ||
                luna_op_is(op, LUNA_OP_LUNA_DMA_WAIT);
  const char *text =
      name.data == NULL
          ? luna_arena_printf(memory->arena, "%.*s#%u", (int)kind.length,
                              kind.data, self->number)
          : luna_arena_printf(memory->arena, "%.*s%s", (int)name.length,
                              name.data, is_dma ? " (DMA)" : "");
  return luna_problem_step(memory->problem, text);
}

// Adds the only, or the first, step of the current op.
static LunaStepId add_first_step(const LunaMemoryOp *self) {
  LunaMemoryProblem *memory = self->memory;
  LunaStepId step = add_step(self);
  *LUNA_VECTOR_ADD(memory->arena, &memory->steps) =
      (LunaMemoryStep){self->op, step};
  return step;
}

// Returns true if `value` is all of the allocation.
static bool is_whole(const LunaMemoryProblem *memory, MlirValue value,
                     uint32_t root) {
  MlirOperation alloc = luna_roots_alloc(memory->roots, root);
  MlirType type = mlirValueGetType(value);
  return luna_is_memref(type) && luna_memref_is_contiguous(type) &&
         luna_shaped_bytes(type) == luna_shaped_bytes(mlirValueGetType(
                                        mlirOperationGetResult(alloc, 0)));
}

// A transfer fills a staging buffer from its start; what lies behind, nobody
// reads. Anything else overwrites an allocation only as a whole.
static LunaTouch touch_of_root(const LunaMemoryOp *self, MlirValue value,
                               LunaTouch touch) {
  if (touch != LUNA_TOUCH_OVERWRITE)
    return touch;
  uint32_t root = luna_only_root_of(self->memory->roots, value);
  if (root == LUNA_NO_ROOT)
    return LUNA_TOUCH_MODIFY;
  MlirOperation alloc = luna_roots_alloc(self->memory->roots, root);
  bool is_filled = luna_op_is(self->op, LUNA_OP_LUNA_DMA_START) &&
                   luna_allocation_kind(alloc) == LUNA_ALLOCATION_STAGING;
  bool is_overwritten = is_filled || is_whole(self->memory, value, root);
  return is_overwritten ? touch : LUNA_TOUCH_MODIFY;
}

static void touch_root(LunaMemoryOp *self, uint32_t root, LunaTouch touch) {
  uint32_t at = self->touch_of_root[root];
  if (at < self->touches.count && self->touches.items[at].root == root) {
    LunaTouch *both = &self->touches.items[at].touch;
    *both = *both == LUNA_TOUCH_READ && touch == LUNA_TOUCH_READ
                ? LUNA_TOUCH_READ
                : LUNA_TOUCH_MODIFY;
    ++self->touches.items[at].value_count;
    return;
  }
  self->touch_of_root[root] = (uint32_t)self->touches.count;
  *LUNA_VECTOR_ADD(self->memory->arena, &self->touches) =
      (LunaRootTouch){root, touch, 1};
}

static void touch_value(MlirValue value, LunaTouch touch, void *data) {
  LunaMemoryOp *self = data;
  LunaRootSet set = luna_roots_of(self->memory->roots, value);
  touch = touch_of_root(self, value, touch);
  for (uint32_t i = 0; i < set.count; ++i)
    touch_root(self, set.ids[i], touch);
}

void luna_memory_op_read(LunaMemoryOp *self, MlirOperation op,
                         uint32_t number) {
  self->op = op;
  self->number = number;
  self->touches.count = 0;
  if (!luna_only_renames(op))
    luna_touches(op, touch_value, self);
}

static void build_touch(const LunaMemoryOp *self, LunaStepId step,
                        const LunaRootTouch *touch) {
  LunaProblem *problem = self->memory->problem;
  LunaBufferId buffer = self->memory->buffer_of_root[touch->root];
  if (buffer == LUNA_NO_BUFFER)
    return;
  switch (touch->touch) {
  case LUNA_TOUCH_READ:
    luna_problem_read(problem, step, buffer);
    return;
  case LUNA_TOUCH_OVERWRITE:
    luna_problem_define(problem, step, buffer);
    return;
  case LUNA_TOUCH_MODIFY:
    luna_problem_use(problem, step, buffer);
    return;
  }
}

static void add_move(const LunaMemoryOp *self, LunaStepId step, uint32_t from,
                     uint32_t to) {
  LunaMemoryProblem *memory = self->memory;
  luna_problem_move(memory->problem, step, memory->buffer_of_root[from],
                    memory->buffer_of_root[to]);
  *LUNA_VECTOR_ADD(memory->arena, &memory->moves) =
      (LunaMemoryMove){self->op, from, to};
}

// Returns the only root of an operand that is all of it, and in shared memory,
// or LUNA_NO_ROOT.
static uint32_t whole_root(const LunaMemoryOp *self, intptr_t operand) {
  const LunaMemoryProblem *memory = self->memory;
  MlirValue value = mlirOperationGetOperand(self->op, operand);
  uint32_t root = luna_only_root_of(memory->roots, value);
  bool is_whole_root = root != LUNA_NO_ROOT && is_whole(memory, value, root) &&
                       memory->buffer_of_root[root] != LUNA_NO_BUFFER;
  return is_whole_root ? root : LUNA_NO_ROOT;
}

// Returns true if two allocations have elements of one type.
static bool have_one_element(const LunaMemoryOp *self, uint32_t a, uint32_t b) {
  const LunaRoots *roots = self->memory->roots;
  MlirValue x = mlirOperationGetResult(luna_roots_alloc(roots, a), 0);
  MlirValue y = mlirOperationGetResult(luna_roots_alloc(roots, b), 0);
  return mlirTypeEqual(mlirShapedTypeGetElementType(mlirValueGetType(x)),
                       mlirShapedTypeGetElementType(mlirValueGetType(y)));
}

static bool build_copy(const LunaMemoryOp *self) {
  if (!luna_op_is(self->op, LUNA_OP_MEMREF_COPY))
    return false;
  uint32_t from = whole_root(self, 0), to = whole_root(self, 1);
  if (from == LUNA_NO_ROOT || to == LUNA_NO_ROOT || from == to ||
      !have_one_element(self, from, to))
    return false;
  add_move(self, add_first_step(self), from, to);
  return true;
}

//===----------------------------------------------------------------------===//
// Operators that may work in place
//===----------------------------------------------------------------------===//

static const LunaRootTouch *touch_by_root(const LunaMemoryOp *self,
                                          uint32_t root) {
  return &self->touches.items[self->touch_of_root[root]];
}

// Returns true if the operator may write its output, all of `output`, over
// operand `i`, all of `root`.
static bool may_replace(const LunaMemoryOp *self, intptr_t i, uint32_t root,
                        uint32_t output) {
  MlirOperation op = self->op;
  MlirValue value = mlirOperationGetOperand(op, i);
  const LunaRootTouch *touch = touch_by_root(self, root);
  uint32_t same_count = 0;
  for (intptr_t k = 0; k < i; ++k)
    if (luna_same_value(mlirOperationGetOperand(op, k), value))
      return false; // seen before
  for (intptr_t k = i; k < mlirOperationGetNumOperands(op); ++k)
    same_count += luna_same_value(mlirOperationGetOperand(op, k), value);
  return root != output && have_one_element(self, root, output) &&
         touch->touch == LUNA_TOUCH_READ && touch->value_count == same_count &&
         luna_may_work_in_place(self->machine, op, value);
}

// Writes, per touch, whether the output may replace that root. Returns the
// number of them.
static uint32_t find_replaced(const LunaMemoryOp *self, uint32_t output,
                              bool *is_replaced) {
  uint32_t count = 0;
  for (intptr_t i = 0; i + 1 < mlirOperationGetNumOperands(self->op); ++i) {
    uint32_t root = whole_root(self, i);
    if (root == LUNA_NO_ROOT || !may_replace(self, i, root, output))
      continue;
    is_replaced[self->touch_of_root[root]] = true;
    ++count;
  }
  return count;
}

// Returns the root that the op overwrites as its output, or LUNA_NO_ROOT.
static uint32_t output_root(const LunaMemoryOp *self) {
  intptr_t count = mlirOperationGetNumOperands(self->op);
  uint32_t root = count > 1 ? whole_root(self, count - 1) : LUNA_NO_ROOT;
  bool is_output = root != LUNA_NO_ROOT &&
                   touch_by_root(self, root)->touch == LUNA_TOUCH_OVERWRITE;
  return is_output ? root : LUNA_NO_ROOT;
}

// Builds, in place of one step, one that reads the operands; a move of an
// operand to the output, of those that it may replace any one; and one that
// overwrites the output, the last. So the output may share the place of an
// operand that is read for the last time. What it may not replace is read to
// the end.
static bool build_in_place(const LunaMemoryOp *self, LunaStepId *last) {
  LunaProblem *problem = self->memory->problem;
  const LunaRootTouch *touches = self->touches.items;
  uint32_t output = output_root(self);
  bool *is_replaced =
      LUNA_ARENA_ARRAY(self->memory->arena, bool, self->touches.count);
  if (output == LUNA_NO_ROOT || find_replaced(self, output, is_replaced) == 0)
    return false;
  LunaStepId first = add_first_step(self);
  for (uint64_t i = 0; i < self->touches.count; ++i)
    if (touches[i].root != output)
      build_touch(self, first, &touches[i]);
  luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
  for (uint64_t i = 0; i < self->touches.count; ++i) {
    if (!is_replaced[i])
      continue;
    luna_problem_begin(problem, LUNA_NODE_BRANCH, NULL);
    add_move(self, add_step(self), touches[i].root, output);
    luna_problem_end(problem);
  }
  luna_problem_end(problem);
  *last = add_step(self);
  for (uint64_t i = 0; i < self->touches.count; ++i)
    if (!is_replaced[i])
      build_touch(self, *last, &touches[i]);
  return true;
}

// Returns the size of the packed weights that an operand in PSRAM lies in, or
// 0.
static int64_t weight_bytes(MlirValue operand) {
  MlirOperation op = luna_defining_op(operand);
  if (!mlirOperationIsNull(op) && luna_op_is(op, LUNA_OP_MEMREF_VIEW))
    op = luna_defining_op(mlirOperationGetOperand(op, 0));
  return !mlirOperationIsNull(op) && luna_op_is(op, LUNA_OP_MEMREF_GET_GLOBAL)
             ? luna_shaped_bytes(
                   mlirValueGetType(mlirOperationGetResult(op, 0)))
             : 0;
}

static void build_staging(const LunaMemoryOp *self, LunaStepId step) {
  LunaProblem *problem = self->memory->problem;
  int64_t bytes = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(self->op); ++i) {
    int64_t size = weight_bytes(mlirOperationGetOperand(self->op, i));
    bytes = size > bytes ? size : bytes;
  }
  if (bytes > 0 && luna_op_is_unit(self->op))
    luna_problem_define(
        problem, step,
        luna_problem_add_buffer(problem, &(LunaBuffer){
                                             .name = "staging",
                                             .size_bytes = bytes,
                                             .align_bytes = self->align_bytes,
                                             .kind = LUNA_BUFFER_STAGING,
                                         }));
}

static bool touches_buffer(const LunaMemoryOp *self) {
  for (uint64_t i = 0; i < self->touches.count; ++i)
    if (self->memory->buffer_of_root[self->touches.items[i].root] !=
        LUNA_NO_BUFFER)
      return true;
  return false;
}

static LunaStepId build_step(const LunaMemoryOp *self) {
  LunaStepId step = add_first_step(self);
  for (uint64_t i = 0; i < self->touches.count; ++i)
    build_touch(self, step, &self->touches.items[i]);
  return step;
}

void luna_memory_op_build(const LunaMemoryOp *self) {
  LunaStepId step;
  if (!touches_buffer(self) || build_copy(self))
    return;
  if (!self->machine || !build_in_place(self, &step))
    step = build_step(self);
  if (self->has_staging)
    build_staging(self, step);
}
