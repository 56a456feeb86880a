#include "mutations.h"

#include "luna-c/ops.h"
#include "luna/vector.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#define EVERY UINT32_MAX
enum { YIELD_CHOICES_MAX = 3 };

// One walk over the places for a fault: counts them, or applies one.
typedef struct Search {
  LunaArena *arena;
  MlirOperation func;
  LUNA_VECTOR(MlirOperation) ops; ///< all of the function, in program order
  uint32_t wanted, seen;
  const char *path; ///< of the fault applied
} Search;

static const MlirOperation no_op = {NULL};

static bool is_null(MlirOperation op) { return mlirOperationIsNull(op); }
static bool same(MlirOperation a, MlirOperation b) { return a.ptr == b.ptr; }

//===----------------------------------------------------------------------===//
// Reading the program
//===----------------------------------------------------------------------===//

static bool is_view(MlirOperation op) {
  static const LunaOpName names[] = {
      LUNA_OP_MEMREF_VIEW,           LUNA_OP_MEMREF_SUBVIEW,
      LUNA_OP_MEMREF_COLLAPSE_SHAPE, LUNA_OP_MEMREF_EXPAND_SHAPE,
      LUNA_OP_MEMREF_CAST,           LUNA_OP_MEMREF_REINTERPRET_CAST,
  };
  return luna_op_is_any(op, names, sizeof names / sizeof names[0]);
}

static LunaPlacement place_of(MlirOperation alloc) {
  LunaPlacement place;
  luna_read_place(alloc, &place);
  return place;
}

static int64_t id_of(MlirOperation alloc) { return place_of(alloc).id; }

// The planned allocation that a value lies in, or a null op where that is not
// one for certain.
static MlirOperation root_of(MlirValue value) {
  for (;;) {
    MlirOperation op = luna_defining_op(value);
    if (is_null(op))
      return no_op;
    if (luna_op_is(op, LUNA_OP_MEMREF_ALLOC))
      return id_of(op) < 0 ? no_op : op;
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

// Returns true if a value starts where its allocation does.
static bool starts_at_root(MlirValue value) {
  for (;;) {
    MlirOperation op = luna_defining_op(value);
    if (is_null(op) || luna_op_is(op, LUNA_OP_MEMREF_ALLOC))
      return !is_null(op);
    if (luna_op_is(op, LUNA_OP_MEMREF_VIEW)) {
      MlirOperation shift = luna_defining_op(mlirOperationGetOperand(op, 1));
      if (is_null(shift) || luna_attr_int(shift, "value", -1) != 0)
        return false;
    } else if (!luna_op_is(op, LUNA_OP_MEMREF_COLLAPSE_SHAPE) &&
               !luna_op_is(op, LUNA_OP_MEMREF_EXPAND_SHAPE)) {
      return false;
    }
    value = mlirOperationGetOperand(op, 0);
  }
}

// Ops that read all operands but the last and write the last one whole.
static bool is_transfer_or_compute(MlirOperation op) {
  return luna_op_is_unit(op) || luna_op_is(op, LUNA_OP_MEMREF_COPY) ||
         luna_op_is(op, LUNA_OP_LUNA_DMA_START);
}

static bool is_structured(MlirOperation op) {
  return mlirOperationGetNumRegions(op) > 0 &&
         !luna_op_in_dialect(op, LUNA_DIALECT_LINALG);
}

// Ops that access their operands; others rename or choose them.
static bool is_access(MlirOperation op) {
  return is_transfer_or_compute(op) ||
         luna_op_in_dialect(op, LUNA_DIALECT_LINALG) ||
         luna_op_is(op, LUNA_OP_MEMREF_LOAD) ||
         luna_op_is(op, LUNA_OP_MEMREF_STORE);
}

static bool touches(MlirOperation op, MlirOperation alloc) {
  if (is_null(alloc) || !is_access(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (same(root_of(mlirOperationGetOperand(op, i)), alloc))
      return true;
  return false;
}

static MlirOperation written_by(MlirOperation op) {
  if (!is_transfer_or_compute(op))
    return no_op;
  return root_of(luna_unit_output(op));
}

static bool reads(MlirOperation op, MlirOperation alloc) {
  if (is_null(alloc) || !is_transfer_or_compute(op))
    return false;
  for (intptr_t i = 0; i + 1 < mlirOperationGetNumOperands(op); ++i)
    if (same(root_of(mlirOperationGetOperand(op, i)), alloc))
      return true;
  return false;
}

static MlirOperation start_of(MlirOperation wait) {
  MlirOperation start = luna_defining_op(mlirOperationGetOperand(wait, 0));
  return !is_null(start) && luna_op_is(start, LUNA_OP_LUNA_DMA_START) ? start
                                                                      : no_op;
}

static MlirOperation next_of(MlirOperation op) {
  return mlirOperationGetNextInBlock(op);
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
  if (is_if)
    way = index == 0 ? "then" : "else";
  else if (index > 0)
    way = luna_arena_printf(arena, "%lld",
                            (long long)mlirDenseI64ArrayGetElement(
                                luna_attr(parent, "cases"), index - 1));
  return luna_arena_printf(arena, "%s%s%.*s=%s", outer, *outer ? "," : "",
                           (int)name.length, name.data, way);
}

// Returns true if the fault at `op` is the one to apply.
static bool take(Search *search, MlirOperation op) {
  if (search->seen++ != search->wanted)
    return false;
  search->path = path_of(search->arena, op);
  return true;
}

//===----------------------------------------------------------------------===//
// Waits and starts
//===----------------------------------------------------------------------===//

static void delete_wait(Search *search, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_LUNA_DMA_WAIT) && !is_null(start_of(op)) &&
      take(search, op))
    mlirOperationDestroy(op);
}

static void double_wait(Search *search, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_LUNA_DMA_WAIT) && !is_null(start_of(op)) &&
      take(search, op))
    luna_insert_after(op, mlirOperationClone(op));
}

// Behind the next start, or behind what first touches the transfer's ends.
static void move_wait(Search *search, MlirOperation op) {
  MlirOperation start = no_op;
  if (luna_op_is(op, LUNA_OP_LUNA_DMA_WAIT))
    start = start_of(op);
  if (is_null(start))
    return;
  MlirOperation source = root_of(mlirOperationGetOperand(start, 0));
  MlirOperation target = root_of(mlirOperationGetOperand(start, 1));
  for (MlirOperation next = next_of(op);
       !is_null(next) && !is_structured(next) && !is_null(next_of(next));
       next = next_of(next)) {
    bool writes_source = !is_null(source) && same(written_by(next), source);
    if (!luna_op_is(next, LUNA_OP_LUNA_DMA_START) && !writes_source &&
        !touches(next, target))
      continue;
    if (take(search, op))
      mlirOperationMoveAfter(op, next);
    return;
  }
}

static bool same_source(MlirOperation a, MlirOperation b) {
  MlirStringRef p =
      luna_attr_symbol(luna_defining_op(mlirOperationGetOperand(a, 0)), "name");
  MlirStringRef q =
      luna_attr_symbol(luna_defining_op(mlirOperationGetOperand(b, 0)), "name");
  return p.data != NULL && q.data != NULL && mlirStringRefEqual(p, q);
}

static bool is_start_into(MlirOperation op, MlirOperation alloc) {
  return luna_op_is(op, LUNA_OP_LUNA_DMA_START) && same(written_by(op), alloc);
}

// Returns true if the buffer held just this content before.
static bool repeats_content(MlirOperation start, MlirOperation alloc) {
  for (MlirOperation op = lunaOperationGetPrevInBlock(start); !is_null(op);
       op = lunaOperationGetPrevInBlock(op))
    if (is_start_into(op, alloc))
      return is_null(luna_defining_op(mlirOperationGetOperand(op, 0))) ||
             is_null(luna_defining_op(mlirOperationGetOperand(start, 0))) ||
             same_source(op, start);
  return false;
}

// A start and its wait go behind the operator that reads what they bring.
static void move_start(Search *search, MlirOperation wait) {
  MlirOperation start = no_op;
  if (luna_op_is(wait, LUNA_OP_LUNA_DMA_WAIT))
    start = start_of(wait);
  if (is_null(start) ||
      mlirOperationGetBlock(start).ptr != mlirOperationGetBlock(wait).ptr)
    return;
  MlirOperation target = written_by(start);
  if (is_null(target) || repeats_content(start, target))
    return;
  for (MlirOperation next = next_of(wait);
       !is_null(next) && !is_structured(next) && !is_start_into(next, target);
       next = next_of(next)) {
    if (!reads(next, target))
      continue;
    if (take(search, wait)) {
      mlirOperationMoveAfter(start, next);
      mlirOperationMoveAfter(wait, start);
    }
    return;
  }
}

//===----------------------------------------------------------------------===//
// Places and sizes
//===----------------------------------------------------------------------===//

static int64_t bytes_of(MlirOperation alloc) {
  return luna_shaped_bytes(mlirValueGetType(mlirOperationGetResult(alloc, 0)));
}

static void set_offset(Search *search, int64_t id, int64_t offset) {
  for (uint32_t i = 0; i < search->ops.count; ++i) {
    MlirOperation op = search->ops.items[i];
    if (!luna_op_is(op, LUNA_OP_MEMREF_ALLOC) || id_of(op) != id)
      continue;
    LunaPlacement place = place_of(op);
    place.offset_bytes = offset;
    luna_set_place(op, &place);
  }
}

// Returns true if moving what `writer` writes onto `victim` breaks the victim's
// first bytes.
static bool can_move_onto(const Search *search, MlirOperation writer,
                          MlirOperation victim) {
  MlirOperation moved = written_by(writer);
  if (is_null(moved) || !starts_at_root(luna_unit_output(writer)) ||
      id_of(moved) == id_of(victim) || bytes_of(moved) <= 0)
    return false;
  int64_t offset = place_of(victim).offset_bytes;
  return place_of(moved).offset_bytes != offset &&
         offset + bytes_of(moved) <=
             luna_attr_int(search->func, "luna.arena_bytes", 0);
}

// Between the last write of an operand and this read of it, in one block,
// stands an op that writes another buffer: that buffer moves onto the operand.
static void move_onto(Search *search, MlirOperation reader, MlirValue operand) {
  MlirOperation victim = root_of(operand), writer = no_op;
  if (is_null(victim) || !starts_at_root(operand))
    return;
  for (MlirOperation op = lunaOperationGetPrevInBlock(reader); !is_null(op);
       op = lunaOperationGetPrevInBlock(op)) {
    if (is_structured(op) || same(op, victim))
      return;
    if (same(written_by(op), victim))
      break;
    if (is_null(writer) && can_move_onto(search, op, victim))
      writer = op;
  }
  if (!is_null(writer) && take(search, reader))
    set_offset(search, id_of(written_by(writer)),
               place_of(victim).offset_bytes);
}

static void move_offset(Search *search, MlirOperation op) {
  if (!is_transfer_or_compute(op))
    return;
  for (intptr_t i = 0; i + 1 < mlirOperationGetNumOperands(op); ++i)
    move_onto(search, op, mlirOperationGetOperand(op, i));
}

// Returns true if operand `index` of `op` must keep the type of a buffer: what
// is filled by a transfer, what leaves a region.
static bool needs_type(MlirOperation op, intptr_t index) {
  return luna_op_is(op, LUNA_OP_LUNA_DMA_START)
             ? index == 1
             : luna_op_is(op, LUNA_OP_LUNA_YIELD);
}

// Shrinks a staging buffer below the largest transfer into it. Transfers into
// the buffer itself go through a view from then on, and so do yields.
static void shrink_to(Search *search, MlirOperation alloc, int64_t bytes) {
  MlirValue value = mlirOperationGetResult(alloc, 0);
  MlirType old = mlirValueGetType(value);
  MlirType type = mlirMemRefTypeGet(mlirShapedTypeGetElementType(old), 1,
                                    &bytes, mlirAttributeGetNull(),
                                    mlirMemRefTypeGetMemorySpace(old));
  for (uint32_t i = 0; i < search->ops.count; ++i) {
    MlirOperation op = search->ops.items[i];
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
      if (needs_type(op, k) &&
          luna_same_value(mlirOperationGetOperand(op, k), value))
        mlirOperationSetOperand(
            op, k, luna_build_view(op, value, luna_build_index(op, 0), old));
  }
  mlirValueSetType(value, type);
}

static bool is_staging(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_MEMREF_ALLOC) &&
         luna_allocation_kind(op) == LUNA_ALLOCATION_STAGING;
}

// Branches may each allocate a buffer: whether `alloc` is the first of its.
static bool is_first_of_buffer(const Search *search, MlirOperation alloc) {
  for (uint32_t i = 0; i < search->ops.count; ++i)
    if (is_staging(search->ops.items[i]) &&
        id_of(search->ops.items[i]) == id_of(alloc))
      return mlirOperationEqual(search->ops.items[i], alloc);
  return false;
}

static int64_t largest_start(const Search *search, MlirOperation alloc) {
  int64_t largest = 0;
  for (uint32_t i = 0; i < search->ops.count; ++i)
    if (is_start_into(search->ops.items[i], alloc)) {
      int64_t bytes = luna_shaped_bytes(
          mlirValueGetType(mlirOperationGetOperand(search->ops.items[i], 1)));
      largest = bytes > largest ? bytes : largest;
    }
  return largest;
}

static void shrink_staging(Search *search, MlirOperation alloc) {
  if (!is_staging(alloc) || !is_first_of_buffer(search, alloc))
    return;
  int64_t largest = largest_start(search, alloc);
  if (largest <= 4 || !take(search, alloc))
    return;
  for (uint32_t i = 0; i < search->ops.count; ++i)
    if (is_staging(search->ops.items[i]) &&
        id_of(search->ops.items[i]) == id_of(alloc))
      shrink_to(search, search->ops.items[i],
                largest > 32 ? largest - 16 : largest - 4);
}

//===----------------------------------------------------------------------===//
// Yields
//===----------------------------------------------------------------------===//

// Offers the values of this type before `before`, in its block and those
// around it, that lie in another buffer than `id`.
static void offer_values(Search *search, MlirOperation yield, intptr_t operand,
                         MlirOperation before, int64_t id, uint32_t *left) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(yield, operand));
  for (MlirOperation op = lunaOperationGetPrevInBlock(before); !is_null(op);
       op = lunaOperationGetPrevInBlock(op))
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op) && *left > 0; ++i) {
      MlirValue value = mlirOperationGetResult(op, i);
      if (!mlirTypeEqual(mlirValueGetType(value), type))
        continue;
      MlirOperation root = root_of(value);
      if (is_null(root) || id_of(root) == id)
        continue;
      --*left;
      if (take(search, yield))
        mlirOperationSetOperand(yield, operand, value);
    }
  MlirOperation parent = mlirOperationGetParentOperation(before);
  if (*left > 0 && !is_null(parent) && !luna_op_is(parent, LUNA_OP_FUNC_FUNC))
    offer_values(search, yield, operand, parent, id, left);
}

static void redirect_yield(Search *search, MlirOperation yield) {
  if (!luna_op_is(yield, LUNA_OP_SCF_YIELD))
    return;
  MlirOperation branch = mlirOperationGetParentOperation(yield);
  if (!luna_op_is(branch, LUNA_OP_SCF_IF) &&
      !luna_op_is(branch, LUNA_OP_SCF_INDEX_SWITCH))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i) {
    MlirValue value = mlirOperationGetOperand(yield, i);
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(branch, i));
    MlirOperation root = no_op;
    if (luna_is_memref(mlirValueGetType(value)) && !mlirOpOperandIsNull(use))
      root = root_of(value);
    uint32_t left = YIELD_CHOICES_MAX;
    if (!is_null(root))
      offer_values(search, yield, i, yield, id_of(root), &left);
  }
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

typedef struct Kind {
  const char *name;
  void (*visit)(Search *search, MlirOperation op);
} Kind;

static const Kind kinds[LUNA_MUTATION_KIND_COUNT] = {
    [LUNA_MUTATION_WAIT_DELETED] = {"wait-deleted", delete_wait},
    [LUNA_MUTATION_WAIT_DOUBLED] = {"wait-doubled", double_wait},
    [LUNA_MUTATION_WAIT_MOVED] = {"wait-moved", move_wait},
    [LUNA_MUTATION_START_MOVED] = {"start-moved", move_start},
    [LUNA_MUTATION_OFFSET_MOVED] = {"offset-moved", move_offset},
    [LUNA_MUTATION_STAGING_SHRUNK] = {"staging-shrunk", shrink_staging},
    [LUNA_MUTATION_YIELD_REDIRECTED] = {"yield-redirected", redirect_yield},
};

const char *luna_mutation_name(LunaMutationKind kind) {
  return kinds[kind].name;
}

static bool collect(MlirOperation op, void *data) {
  Search *search = data;
  *LUNA_VECTOR_ADD(search->arena, &search->ops) = op;
  return true;
}

// Visits every op until the wanted fault is in.
static void run(Search *search, LunaMutationKind kind) {
  luna_walk(search->func, collect, search);
  for (uint32_t i = 0; i < search->ops.count && search->path == NULL; ++i)
    kinds[kind].visit(search, search->ops.items[i]);
}

uint32_t luna_mutation_count(MlirOperation func, LunaMutationKind kind) {
  LunaArena arena = {0};
  Search search = {.arena = &arena, .func = func, .wanted = EVERY};
  run(&search, kind);
  luna_arena_destroy(&arena);
  return search.seen;
}

const char *luna_mutation_apply(MlirOperation func, LunaMutationKind kind,
                                uint32_t index, LunaArena *arena) {
  Search search = {.arena = arena, .func = func, .wanted = index};
  run(&search, kind);
  return search.path;
}
