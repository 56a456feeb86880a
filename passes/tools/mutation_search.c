#include "mutation_search.h"

#include "mlir-c/BuiltinAttributes.h"

static const MlirOperation no_op = {NULL};

static bool is_null(MlirOperation op) { return mlirOperationIsNull(op); }

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static bool is_view(MlirOperation op) {
  return LUNA_OP_IS_ANY(op, LUNA_OP_MEMREF_VIEW, LUNA_OP_MEMREF_SUBVIEW,
                        LUNA_OP_MEMREF_COLLAPSE_SHAPE,
                        LUNA_OP_MEMREF_EXPAND_SHAPE, LUNA_OP_MEMREF_CAST,
                        LUNA_OP_MEMREF_REINTERPRET_CAST);
}

LunaPlacement luna_mutation_place(MlirOperation alloc) {
  LunaPlacement place;
  luna_read_place(alloc, &place);
  return place;
}

int64_t luna_mutation_id(MlirOperation alloc) {
  return luna_mutation_place(alloc).id;
}

int64_t luna_mutation_bytes(MlirOperation alloc) {
  return luna_shaped_bytes(mlirValueGetType(mlirOperationGetResult(alloc, 0)));
}

MlirOperation luna_mutation_root(MlirValue value) {
  for (;;) {
    MlirOperation op = luna_defining_op(value);
    if (is_null(op))
      return no_op;
    if (luna_op_is(op, LUNA_OP_MEMREF_ALLOC))
      return luna_mutation_id(op) < 0 ? no_op : op;
    if (is_view(op)) {
      value = mlirOperationGetOperand(op, 0);
    } else if (luna_op_is(op, LUNA_OP_LUNA_REGION)) {
      MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
      value = mlirOperationGetOperand(mlirBlockGetTerminator(body),
                                      mlirOpResultGetResultNumber(value));
    } else {
      return no_op;
    }
  }
}

// What luna_mutation_roots collects; the values that it has been through.
typedef struct Roots {
  MlirOperation *roots;
  MlirValue seen[64];
  uint32_t count, seen_count;
} Roots;

static void add_root(Roots *found, MlirOperation alloc) {
  for (uint32_t i = 0; i < found->count; ++i)
    if (mlirOperationEqual(found->roots[i], alloc))
      return;
  if (found->count < LUNA_MUTATION_ROOTS_MAX && luna_mutation_id(alloc) >= 0)
    found->roots[found->count++] = alloc;
}

static void find_roots(Roots *found, MlirValue value);

// Operand `index` of what ends the blocks of `op`, from `first` on.
static void find_yielded(Roots *found, MlirOperation op, intptr_t index) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = luna_body(op, r);
    if (mlirBlockIsNull(block))
      continue;
    MlirOperation last = mlirBlockGetTerminator(block);
    intptr_t at = index + luna_op_is(last, LUNA_OP_SCF_CONDITION);
    if (at >= 0 && at < mlirOperationGetNumOperands(last))
      find_roots(found, mlirOperationGetOperand(last, at));
  }
}

// Result or carried value `index` of a branch, region or loop.
static void find_merged(Roots *found, MlirOperation op, intptr_t index) {
  bool is_loop = luna_is_loop(op);
  intptr_t first = luna_op_is(op, LUNA_OP_SCF_FOR) ? 3 : 0;
  if (is_loop && first + index < mlirOperationGetNumOperands(op))
    find_roots(found, mlirOperationGetOperand(op, first + index));
  find_yielded(found, op, index);
}

static void find_argument(Roots *found, MlirValue value) {
  MlirOperation op =
      mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  intptr_t index = mlirBlockArgumentGetArgNumber(value);
  if (luna_mutation_is_structured(op))
    find_merged(found, op, index - luna_mutation_is_for(op));
}

static void find_roots(Roots *found, MlirValue value) {
  for (uint32_t i = 0; i < found->seen_count; ++i)
    if (found->seen[i].ptr == value.ptr)
      return;
  if (found->seen_count == sizeof found->seen / sizeof found->seen[0])
    return;
  found->seen[found->seen_count++] = value;
  MlirOperation op = luna_defining_op(value);
  if (is_null(op))
    find_argument(found, value);
  else if (luna_op_is(op, LUNA_OP_MEMREF_ALLOC))
    add_root(found, op);
  else if (is_view(op))
    find_roots(found, mlirOperationGetOperand(op, 0));
  else if (luna_mutation_is_structured(op))
    find_merged(found, op, mlirOpResultGetResultNumber(value));
}

uint32_t luna_mutation_roots(MlirValue value,
                             MlirOperation roots[LUNA_MUTATION_ROOTS_MAX]) {
  Roots found = {.roots = roots};
  find_roots(&found, value);
  return found.count;
}

void luna_mutation_move(LunaMutationSearch *search, int64_t id, int64_t new_id,
                        int64_t offset_bytes) {
  for (uint32_t i = 0; i < search->ops.count; ++i) {
    MlirOperation op = search->ops.items[i];
    if (!luna_op_is(op, LUNA_OP_MEMREF_ALLOC) || luna_mutation_id(op) != id)
      continue;
    LunaPlacement place = luna_mutation_place(op);
    place.id = new_id;
    place.offset_bytes = offset_bytes;
    luna_set_place(op, &place);
  }
}

// A value of memory outside the arena lies in no allocation: those of one type
// are told apart by their names.
static bool is_other(MlirValue a, MlirValue b) {
  MlirOperation x = luna_mutation_root(a), y = luna_mutation_root(b);
  if (!is_null(x) || !is_null(y))
    return !is_null(x) && !is_null(y) &&
           luna_mutation_id(x) != luna_mutation_id(y);
  x = luna_defining_op(a);
  y = luna_defining_op(b);
  return !is_null(x) && !is_null(y) &&
         luna_op_is(x, LUNA_OP_MEMREF_GET_GLOBAL) &&
         luna_op_is(y, LUNA_OP_MEMREF_GET_GLOBAL) &&
         !mlirStringRefEqual(luna_attr_symbol(x, "name"),
                             luna_attr_symbol(y, "name"));
}

static bool has_equal_type(MlirValue a, MlirValue b) {
  return mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b));
}

// What luna_mutation_others collects.
typedef struct Others {
  MlirValue of, *values;
  uint32_t count, count_max;
} Others;

static void add_other(Others *others, MlirValue value) {
  if (others->count < others->count_max)
    others->values[others->count++] = value;
}

// The function's arguments stand for one another.
static void add_arguments(Others *others, MlirBlock body) {
  if (!mlirValueIsABlockArgument(others->of) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(others->of), body))
    return;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirValue other = mlirBlockGetArgument(body, i);
    if (!luna_same_value(others->of, other) &&
        has_equal_type(others->of, other))
      add_other(others, other);
  }
}

uint32_t luna_mutation_others(const LunaMutationSearch *search,
                              MlirOperation user, MlirValue value,
                              MlirValue *others, uint32_t count_max) {
  Others found = {.of = value, .values = others, .count_max = count_max};
  for (MlirOperation before = user;
       !is_null(before) && !luna_op_is(before, LUNA_OP_FUNC_FUNC);
       before = mlirOperationGetParentOperation(before))
    for (MlirOperation op = lunaOperationGetPrevInBlock(before);
         !is_null(op) && found.count < count_max;
         op = lunaOperationGetPrevInBlock(op))
      for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
        MlirValue other = mlirOperationGetResult(op, i);
        if (has_equal_type(value, other) && is_other(value, other))
          add_other(&found, other);
      }
  add_arguments(&found, luna_body(search->func, 0));
  return found.count;
}

// Values of the block that `user` stands in, before it.
static void add_before(Others *others, MlirOperation user) {
  for (MlirOperation op = lunaOperationGetPrevInBlock(user); !is_null(op);
       op = lunaOperationGetPrevInBlock(op))
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
      MlirValue other = mlirOperationGetResult(op, i);
      if (has_equal_type(others->of, other) &&
          !luna_same_value(others->of, other))
        add_other(others, other);
    }
}

uint32_t luna_mutation_alternatives(MlirOperation user, MlirValue value,
                                    MlirValue *others, uint32_t count_max) {
  Others found = {.of = value, .values = others, .count_max = count_max};
  for (MlirOperation op = user;
       !is_null(op) && !luna_op_is(op, LUNA_OP_FUNC_FUNC);
       op = mlirOperationGetParentOperation(op)) {
    add_before(&found, op);
    MlirBlock block = mlirOperationGetBlock(op);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
      MlirValue other = mlirBlockGetArgument(block, i);
      if (has_equal_type(value, other) && !luna_same_value(value, other))
        add_other(&found, other);
    }
  }
  return found.count;
}

void luna_mutation_redirect(LunaMutationSearch *search, MlirOperation op,
                            intptr_t index, uint32_t count_max) {
  MlirValue *others = LUNA_ARENA_ARRAY(search->arena, MlirValue, count_max);
  uint32_t count = luna_mutation_others(
      search, op, mlirOperationGetOperand(op, index), others, count_max);
  for (uint32_t i = 0; i < count; ++i)
    luna_mutation_set(search, op, index, others[i]);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

bool luna_mutation_is_structured(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_LUNA_REGION) || luna_is_control_flow(op);
}

bool luna_mutation_is_for(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_SCF_FOR);
}

bool luna_mutation_computes(MlirOperation op) {
  return luna_op_is_unit(op) ||
         LUNA_OP_IS_ANY(op, LUNA_OP_LINALG_GENERIC, LUNA_OP_LINALG_FILL);
}

MlirValue luna_mutation_constant(MlirOperation before, MlirType type,
                                 int64_t value) {
  MlirNamedAttribute attribute =
      luna_named(mlirOperationGetContext(before), "value",
                 mlirIntegerAttrGet(type, value));
  return luna_build_value_with(before, luna_op_name(LUNA_OP_ARITH_CONSTANT),
                               type, 0, NULL, 1, &attribute);
}

//===----------------------------------------------------------------------===//
// Taking a place
//===----------------------------------------------------------------------===//

// The decisions around `op`, outermost first.
static const char *path_of(LunaArena *arena, MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  if (is_null(parent) || luna_op_is(parent, LUNA_OP_FUNC_FUNC))
    return "";
  const char *outer = path_of(arena, parent);
  bool is_if = luna_op_is(parent, LUNA_OP_SCF_IF);
  if (!is_if && !luna_op_is(parent, LUNA_OP_SCF_INDEX_SWITCH))
    return outer;
  MlirStringRef name = luna_label_of(parent);
  MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(op));
  intptr_t index = 0;
  while (!mlirRegionEqual(mlirOperationGetRegion(parent, index), region))
    ++index;
  const char *way = index == 0 ? "default" : "";
  MlirStringRef given = luna_way_of(parent, index);
  if (given.length > 0)
    way = luna_arena_strndup(arena, given.data, given.length);
  else if (is_if)
    way = index == 0 ? "then" : "else";
  else if (index > 0)
    way = luna_arena_printf(arena, "%lld",
                            (long long)mlirDenseI64ArrayGetElement(
                                luna_attr(parent, "cases"), index - 1));
  return luna_arena_printf(arena, "%s%s%.*s=%s", outer, *outer ? "," : "",
                           (int)name.length, name.data, way);
}

bool luna_mutation_take(LunaMutationSearch *search, MlirOperation op) {
  if (search->seen++ != search->wanted)
    return false;
  search->path = path_of(search->arena, op);
  return true;
}

bool luna_mutation_set(LunaMutationSearch *search, MlirOperation op,
                       intptr_t index, MlirValue value) {
  bool is_taken = luna_mutation_take(search, op);
  if (is_taken)
    mlirOperationSetOperand(op, index, value);
  return is_taken;
}

bool luna_mutation_set_number(LunaMutationSearch *search, MlirOperation op,
                              intptr_t index, int64_t number) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, index));
  bool is_taken = luna_mutation_take(search, op);
  if (is_taken)
    mlirOperationSetOperand(op, index,
                            luna_mutation_constant(op, type, number));
  return is_taken;
}

bool luna_mutation_exchange(LunaMutationSearch *search, MlirOperation op,
                            intptr_t i, intptr_t j) {
  MlirValue a = mlirOperationGetOperand(op, i);
  bool is_taken =
      luna_mutation_set(search, op, i, mlirOperationGetOperand(op, j));
  if (is_taken)
    mlirOperationSetOperand(op, j, a);
  return is_taken;
}
