#include "layout_groups.h"

#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structure.h"

//===- Types --------------------------------------------------------------===//

// The planar strides of memrefs that lie in a buffer with these strides of
// rows of channels; false if its extents do not follow from them.
static bool planar_strides(const int64_t rows[4], int64_t planes[4]) {
  if (rows[3] != 1 || rows[2] < 1 || rows[1] < 1 || rows[1] % rows[2] != 0 ||
      rows[0] % rows[1] != 0)
    return false;
  planes[0] = rows[0];
  planes[1] = rows[1] / rows[2]; // the columns of the buffer
  planes[2] = 1;
  planes[3] = rows[0] / rows[2];
  return true;
}

// An offset is that of one element: it is split into its indices.
static int64_t planar_offset(int64_t offset, const int64_t rows[4],
                             const int64_t planes[4]) {
  int64_t result = 0;
  if (mlirShapedTypeIsDynamicStrideOrOffset(offset))
    return offset;
  for (int i = 0; i < 4; ++i) {
    result += offset / rows[i] * planes[i];
    offset %= rows[i];
  }
  return result;
}

MlirType luna_planar_type(MlirType type) {
  int64_t offset = 0, rows[LUNA_RANK_MAX], planes[4], shape[4];
  MlirType none = {NULL};
  if (!mlirShapedTypeHasStaticShape(type) || mlirShapedTypeGetRank(type) != 4 ||
      !luna_memref_strides(type, &offset, rows))
    return none;
  for (int i = 0; i < 4; ++i) {
    shape[i] = mlirShapedTypeGetDimSize(type, i);
    if (shape[i] < 1 || mlirShapedTypeIsDynamicStrideOrOffset(rows[i]))
      return none;
  }
  if (!planar_strides(rows, planes) || shape[3] > rows[2] ||
      shape[2] > planes[1] || shape[1] > rows[0] / rows[1])
    return none;
  MlirAttribute layout = mlirStridedLayoutAttrGet(
      mlirTypeGetContext(type), planar_offset(offset, rows, planes), 4, planes);
  return mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), 4, shape, layout,
                           mlirMemRefTypeGetMemorySpace(type));
}

bool luna_planes_are_rows(MlirType type) {
  return mlirShapedTypeGetDimSize(type, 3) == 1 ||
         (mlirShapedTypeGetDimSize(type, 1) == 1 &&
          mlirShapedTypeGetDimSize(type, 2) == 1);
}

//===- Groups -------------------------------------------------------------===//

static uint32_t root_of(LunaLayoutGroups *groups, uint32_t id) {
  LunaLayoutValue *values = groups->values.items;
  while (values[id].parent != id) {
    values[id].parent = values[values[id].parent].parent;
    id = values[id].parent;
  }
  return id;
}

static uint32_t add_value(LunaLayoutGroups *groups, MlirValue value) {
  uint32_t id =
      luna_map_add(&groups->index, groups->arena, luna_map_pointer(value.ptr));
  if (id < groups->values.count)
    return root_of(groups, id);
  MlirType type = mlirValueGetType(value), planes = luna_planar_type(type);
  *LUNA_VECTOR_ADD(groups->arena, &groups->values) =
      (LunaLayoutValue){.value = value,
                        .parent = id,
                        .next = LUNA_NO_GROUP,
                        .rows = type,
                        .planes = planes,
                        .is_fixed = mlirTypeIsNull(planes)};
  return id;
}

static void join(LunaLayoutGroups *groups, MlirValue a, MlirValue b) {
  if (!luna_is_memref(mlirValueGetType(a)))
    return;
  uint32_t x = add_value(groups, a), y = add_value(groups, b);
  if (x == y)
    return;
  LunaLayoutValue *values = groups->values.items, *last = &values[x];
  values[y].parent = x;
  values[x].is_fixed |= values[y].is_fixed;
  values[x].is_outside |= values[y].is_outside;
  while (last->next != LUNA_NO_GROUP)
    last = &values[last->next];
  last->next = y;
}

static void fix(LunaLayoutGroups *groups, MlirValue value, bool is_outside) {
  if (!luna_is_memref(mlirValueGetType(value)))
    return;
  uint32_t id = add_value(groups, value);
  LunaLayoutValue *root = &groups->values.items[id];
  root->is_fixed = true;
  root->is_outside |= is_outside;
}

static void fix_all(LunaLayoutGroups *groups, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    fix(groups, mlirOperationGetOperand(op, i), false);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    fix(groups, mlirOperationGetResult(op, i),
        luna_op_is(op, LUNA_OP_MEMREF_GET_GLOBAL));
}

//===- Operators ----------------------------------------------------------===//

// Activations may have any strides; weights are packed, a matrix product has
// other dimensions.
static void add_unit(LunaLayoutGroups *groups, MlirOperation op) {
  int count = 0;
  MlirValue operands[LUNA_UNIT_OPERANDS_MAX];
  LunaUnitClass unit_class = luna_unit_of(op)->unit_class;
  const LunaUnitOperand *rows = luna_unit_class_operands(unit_class, &count);
  luna_unit_operands(op, operands);
  for (int i = 0; i < count; ++i)
    if (!mlirValueIsNull(operands[i]) &&
        (unit_class == LUNA_UNIT_MATMUL ||
         (rows[i].role != LUNA_ROLE_INPUT && rows[i].role != LUNA_ROLE_OUTPUT)))
      fix(groups, operands[i], false);
}

// The strides of a part are those of its buffer.
static void add_subview(LunaLayoutGroups *groups, MlirOperation op) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirValue part = mlirOperationGetResult(op, 0);
  int64_t strides[LUNA_RANK_MAX], others[LUNA_RANK_MAX], offset = 0;
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(part));
  bool is_same =
      rank == mlirShapedTypeGetRank(mlirValueGetType(source)) &&
      luna_memref_strides(mlirValueGetType(source), &offset, strides) &&
      luna_memref_strides(mlirValueGetType(part), &offset, others);
  for (intptr_t i = 0; is_same && i < rank; ++i)
    is_same = strides[i] == others[i];
  join(groups, source, part);
  if (!is_same)
    fix(groups, source, false);
}

// Values that a terminator hands on, and what they are known as.
static void add_terminator(LunaLayoutGroups *groups, MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  bool is_condition = luna_op_is(op, LUNA_OP_SCF_CONDITION);
  bool is_while = luna_op_is(parent, LUNA_OP_SCF_WHILE);
  for (intptr_t i = is_condition; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (is_condition) {
      join(groups, value, mlirOperationGetResult(parent, i - 1));
      join(groups, value, mlirBlockGetArgument(luna_body(parent, 1), i - 1));
    } else if (is_while) {
      join(groups, value, mlirOperationGetOperand(parent, i));
      join(groups, value, mlirBlockGetArgument(luna_body(parent, 0), i));
    } else {
      join(groups, value, mlirOperationGetResult(parent, i));
      if (luna_is_loop(parent)) {
        join(groups, value, mlirOperationGetOperand(parent, 3 + i));
        join(groups, value, mlirBlockGetArgument(luna_body(parent, 0), 1 + i));
      }
    }
  }
}

static void add_values(LunaLayoutGroups *groups, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (luna_is_memref(mlirValueGetType(mlirOperationGetOperand(op, i))))
      add_value(groups, mlirOperationGetOperand(op, i));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (luna_is_memref(mlirValueGetType(mlirOperationGetResult(op, i))))
      add_value(groups, mlirOperationGetResult(op, i));
}

static bool add_op(MlirOperation op, void *data) {
  LunaLayoutGroups *groups = data;
  add_values(groups, op);
  if (luna_op_is_unit(op)) {
    add_unit(groups, op);
  } else if (luna_op_is(op, LUNA_OP_MEMREF_SUBVIEW)) {
    add_subview(groups, op);
  } else if (luna_op_is(op, LUNA_OP_MEMREF_CAST)) {
    join(groups, mlirOperationGetOperand(op, 0), mlirOperationGetResult(op, 0));
  } else if (luna_op_is(op, LUNA_OP_ARITH_SELECT)) {
    join(groups, mlirOperationGetResult(op, 0), mlirOperationGetOperand(op, 1));
    join(groups, mlirOperationGetResult(op, 0), mlirOperationGetOperand(op, 2));
  } else if (LUNA_OP_IS_ANY(op, LUNA_OP_SCF_YIELD, LUNA_OP_SCF_CONDITION)) {
    if (luna_is_control_flow(mlirOperationGetParentOperation(op)))
      add_terminator(groups, op);
  } else if (!luna_is_control_flow(op) &&
             !luna_op_in_dialect(op, LUNA_DIALECT_LINALG) &&
             !LUNA_OP_IS_ANY(op, LUNA_OP_MEMREF_ALLOC, LUNA_OP_MEMREF_DEALLOC,
                             LUNA_OP_MEMREF_LOAD, LUNA_OP_MEMREF_STORE,
                             LUNA_OP_MEMREF_COPY)) {
    fix_all(groups, op);
  }
  return true;
}

void luna_layout_groups(LunaLayoutGroups *groups, MlirOperation func,
                        LunaArena *arena) {
  *groups = (LunaLayoutGroups){.arena = arena};
  MlirBlock entry = luna_entry_block(func);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i)
    fix(groups, mlirBlockGetArgument(entry, i), true);
  luna_walk(func, add_op, groups);
}

uint32_t luna_layout_group(LunaLayoutGroups *groups, MlirValue value) {
  if (!luna_is_memref(mlirValueGetType(value)))
    return LUNA_NO_GROUP;
  uint32_t root = add_value(groups, value);
  return groups->values.items[root].is_fixed ? LUNA_NO_GROUP : root;
}

void luna_layout_set(LunaLayoutGroups *groups, uint32_t group, bool is_planar) {
  const LunaLayoutValue *values = groups->values.items;
  groups->values.items[group].is_planar = is_planar;
  for (uint32_t id = group; id != LUNA_NO_GROUP; id = values[id].next)
    mlirValueSetType(values[id].value,
                     is_planar ? values[id].planes : values[id].rows);
}

//===- Arguments and constants --------------------------------------------===//
// Their bytes are what they are, and transfers move contiguous ones.

static bool is_outside(LunaLayoutGroups *groups, MlirValue value) {
  return groups->values.items[add_value(groups, value)].is_outside;
}

static bool fix_copy(MlirOperation op, void *data) {
  LunaLayoutGroups *groups = data;
  for (int i = 0; luna_op_is(op, LUNA_OP_MEMREF_COPY) && i < 2; ++i)
    if (is_outside(groups, mlirOperationGetOperand(op, 1 - i)))
      fix(groups, mlirOperationGetOperand(op, i), false);
  return true;
}

void luna_layout_fix_copies(LunaLayoutGroups *groups, MlirOperation func) {
  luna_walk(func, fix_copy, groups);
}

static bool mark_calls(MlirOperation op, void *data) {
  LunaLayoutGroups *groups = data;
  if (!LUNA_OP_IS_ANY(op, LUNA_OP_LUNA_CONV2D, LUNA_OP_LUNA_MAX_POOL2D))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    groups->values.items[add_value(groups, operand)].has_calls = true;
  }
  return true;
}

void luna_layout_mark_calls(LunaLayoutGroups *groups, MlirOperation func) {
  luna_walk(func, mark_calls, groups);
}

// Returns true if `value` is an argument of the function, or a constant.
static bool is_from_outside(MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return luna_op_is(
        mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)),
        LUNA_OP_FUNC_FUNC);
  return luna_op_is(luna_defining_op(value), LUNA_OP_MEMREF_GET_GLOBAL);
}

// What control flow merges from outside is a copy of it.
static bool copy_merged(MlirOperation op, void *data) {
  LunaLayoutGroups *groups = data;
  if (!luna_op_is(op, LUNA_OP_SCF_YIELD) && !luna_is_loop(op))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    MlirType type = mlirValueGetType(value);
    if (!luna_is_memref(type) || mlirTypeIsNull(luna_planar_type(type)) ||
        luna_planes_are_rows(type) || !is_from_outside(value) ||
        !groups->values.items[add_value(groups, value)].has_calls)
      continue;
    MlirValue rows = luna_build_alloc(op, type, NULL);
    luna_build_copy(op, value, rows);
    mlirOperationSetOperand(op, i, rows);
  }
  return true;
}

static bool split_copy(MlirOperation op, void *data) {
  LunaLayoutGroups *groups = data;
  for (int i = 0; luna_op_is(op, LUNA_OP_MEMREF_COPY) && i < 2; ++i) {
    MlirValue inside = mlirOperationGetOperand(op, i);
    MlirValue outside = mlirOperationGetOperand(op, 1 - i);
    MlirType type = mlirValueGetType(inside);
    uint32_t group = luna_layout_group(groups, inside);
    if (group == LUNA_NO_GROUP || !groups->values.items[group].has_calls ||
        luna_planes_are_rows(type) || !is_outside(groups, outside))
      continue;
    MlirValue rows = luna_build_alloc(op, luna_memref_contiguous(type), NULL);
    luna_build_copy(i == 0 ? mlirOperationGetNextInBlock(op) : op,
                    i == 0 ? rows : outside, i == 0 ? outside : rows);
    mlirOperationSetOperand(op, 1 - i, rows);
    break;
  }
  return true;
}

static void walk_groups(MlirOperation func,
                        bool (*visit)(MlirOperation op, void *data)) {
  LunaArena arena = {0};
  LunaLayoutGroups groups;
  luna_layout_groups(&groups, func, &arena);
  luna_layout_mark_calls(&groups, func);
  luna_walk(func, visit, &groups);
  luna_arena_destroy(&arena);
}

void luna_layout_split_copies(MlirOperation func) {
  walk_groups(func, copy_merged);
  walk_groups(func, split_copy);
}
