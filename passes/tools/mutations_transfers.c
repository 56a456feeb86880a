// Faults in what transfers, copies and constants bring.

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mutation_search.h"

enum { GRANULE_BYTES = 16, CHOICES_MAX = 2 };

typedef LunaMutationSearch Search;

//===----------------------------------------------------------------------===//
// Parts of a transfer
//===----------------------------------------------------------------------===//

// Elements [first, first + count) of a contiguous memref.
typedef struct Part {
  MlirValue value;
  int64_t first, count;
} Part;

static MlirValue build_part(MlirOperation before, Part part) {
  MlirContext context = mlirOperationGetContext(before);
  MlirType type = mlirValueGetType(part.value);
  int64_t offset = 0, strides[LUNA_RANK_MAX], one = 1;
  luna_memref_layout(type, &offset, strides);
  offset += part.first;
  MlirType result =
      mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), 1, &part.count,
                        mlirStridedLayoutAttrGet(context, offset, 1, &one),
                        mlirMemRefTypeGetMemorySpace(type));
  return luna_build_reinterpret(before, part.value, result);
}

// Starts a transfer before `start`, as that one does.
static MlirValue build_start(MlirOperation start, MlirValue from,
                             MlirValue to) {
  const MlirValue operands[] = {from, to};
  MlirType token = mlirValueGetType(mlirOperationGetResult(start, 0));
  return luna_build_value(start, luna_op_name(LUNA_OP_LUNA_DMA_START), token, 2,
                          operands);
}

static void build_wait(MlirOperation before, MlirValue token) {
  luna_build_before(before,
                    &(LunaOpSpec){.name = luna_op_name(LUNA_OP_LUNA_DMA_WAIT),
                                  .operands = &token,
                                  .operand_count = 1});
}

// What comes in place of a transfer of `count` elements: another from `from`
// to `to`.
typedef struct Move {
  int64_t from, to, count;
} Move;

static void replace_start(MlirOperation start, const Move *moves, int count) {
  MlirValue token = {NULL};
  for (int i = 0; i < count; ++i) {
    Part from = {mlirOperationGetOperand(start, 0), moves[i].from,
                 moves[i].count};
    Part to = {mlirOperationGetOperand(start, 1), moves[i].to, moves[i].count};
    if (token.ptr != NULL)
      build_wait(start, token);
    token = build_start(start, build_part(start, from), build_part(start, to));
  }
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(start, 0), token);
  mlirOperationDestroy(start);
}

// True for a transfer that can be cut: `*granule` elements fill whole bytes of
// the engine's, `*count` are moved in all.
static bool can_cut(MlirOperation op, int64_t *granule, int64_t *count) {
  if (!luna_op_is(op, LUNA_OP_LUNA_DMA_START))
    return false;
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType to = mlirValueGetType(mlirOperationGetOperand(op, 1));
  int64_t element = luna_element_type_bytes(mlirShapedTypeGetElementType(from));
  *count = luna_shaped_bytes(from) / element;
  *granule = GRANULE_BYTES / element;
  return luna_memref_is_contiguous(from) && luna_memref_is_contiguous(to) &&
         luna_shaped_bytes(from) == luna_shaped_bytes(to) &&
         *count >= 2 * *granule;
}

static void rotate(Search *search, MlirOperation op) {
  int64_t granule, count;
  if (!can_cut(op, &granule, &count) || !luna_mutation_take(search, op))
    return;
  const Move moves[] = {{granule, 0, count - granule},
                        {0, count - granule, granule}};
  replace_start(op, moves, 2);
}

// The first half from where the last is, or from where it is itself, and the
// last from where the first is.
static void replace_halves(Search *search, MlirOperation op, bool swaps) {
  int64_t granule, count;
  if (!can_cut(op, &granule, &count) || !luna_mutation_take(search, op))
    return;
  int64_t half = count / 2 / granule * granule;
  const Move moves[] = {{swaps ? half : 0, 0, count - half},
                        {0, count - half, half}};
  replace_start(op, moves, 2);
}

static void swap_halves(Search *search, MlirOperation op) {
  replace_halves(search, op, true);
}

static void repeat_first_half(Search *search, MlirOperation op) {
  replace_halves(search, op, false);
}

static void shorten(Search *search, MlirOperation op) {
  int64_t granule, count;
  if (!can_cut(op, &granule, &count))
    return;
  const Move halves[] = {{0, 0, count / 2 / granule * granule}};
  if (luna_mutation_take(search, op)) {
    replace_start(op, halves, 1);
    return;
  }
  const Move all_but_last[] = {{0, 0, (count - 1) / granule * granule}};
  if (luna_mutation_take(search, op))
    replace_start(op, all_but_last, 1);
}

static void remove_transfer(Search *search, MlirOperation op) {
  if (!luna_op_is(op, LUNA_OP_LUNA_DMA_START) ||
      !luna_mutation_take(search, op))
    return;
  MlirType token = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirValue none =
      luna_build_value(op, luna_op_name(LUNA_OP_LUNA_DMA_NONE), token, 0, NULL);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), none);
  mlirOperationDestroy(op);
}

//===----------------------------------------------------------------------===//
// Other ends
//===----------------------------------------------------------------------===//

static bool is_move(MlirOperation op) {
  return LUNA_OP_IS_ANY(op, LUNA_OP_LUNA_DMA_START, LUNA_OP_MEMREF_COPY);
}

static void misdirect(Search *search, MlirOperation op) {
  if (is_move(op))
    luna_mutation_redirect(search, op, 1, CHOICES_MAX);
}

static void take_other_source(Search *search, MlirOperation op) {
  if (is_move(op))
    luna_mutation_redirect(search, op, 0, CHOICES_MAX);
}

static void remove_copy(Search *search, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_MEMREF_COPY) && luna_mutation_take(search, op))
    mlirOperationDestroy(op);
}

static void reverse_copy(Search *search, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_MEMREF_COPY))
    luna_mutation_exchange(search, op, 0, 1);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

// Operators that name `old` as where their constants are name `name` then, or
// nothing where that is null.
static void rename_constants(Search *search, MlirStringRef old,
                             MlirAttribute name) {
  for (uint32_t i = 0; i < search->ops.count; ++i) {
    MlirOperation op = search->ops.items[i];
    MlirStringRef params = luna_attr_symbol(op, "params");
    if (params.data == NULL || !mlirStringRefEqual(params, old))
      continue;
    if (mlirAttributeIsNull(name))
      mlirOperationRemoveAttributeByName(op, luna_str("params"));
    else
      luna_set_attr(op, "params", name);
  }
}

// Another blob, of the same size: once the users name it, too, and once they
// name none.
static void exchange_constants(Search *search, MlirOperation op) {
  if (!luna_op_is(op, LUNA_OP_MEMREF_GET_GLOBAL))
    return;
  MlirValue others[CHOICES_MAX];
  uint32_t count = luna_mutation_others(
      search, op, mlirOperationGetResult(op, 0), others, CHOICES_MAX);
  for (uint32_t i = 0; i < 2 * count; ++i) {
    if (!luna_mutation_take(search, op))
      continue;
    MlirAttribute name = luna_attr(luna_defining_op(others[i / 2]), "name");
    rename_constants(search, luna_attr_symbol(op, "name"),
                     i % 2 == 0 ? mlirAttributeGetNull() : name);
    luna_set_attr(op, "name", name);
  }
}

static void alter_byte(MlirOperation global, MlirAttribute value,
                       int64_t byte_count, int64_t at) {
  LunaArena arena = {0};
  uint8_t *bytes = LUNA_ARENA_ARRAY(&arena, uint8_t, byte_count);
  memcpy(bytes, mlirDenseElementsAttrGetRawData(value), (size_t)byte_count);
  bytes[at] ^= 0x40;
  luna_set_attr(global, "initial_value",
                mlirDenseElementsAttrRawBufferGet(mlirAttributeGetType(value),
                                                  (size_t)byte_count, bytes));
  luna_arena_destroy(&arena);
}

// A byte at the start, in the middle, at the end.
static void alter_constant(Search *search, MlirOperation op) {
  if (!luna_op_is(op, LUNA_OP_MEMREF_GLOBAL))
    return;
  MlirAttribute value = luna_attr(op, "initial_value");
  if (mlirAttributeIsNull(value) || !mlirAttributeIsADenseElements(value) ||
      mlirDenseElementsAttrIsSplat(value))
    return;
  int64_t byte_count = luna_shaped_bytes(mlirAttributeGetType(value));
  const int64_t places[] = {0, byte_count / 2, byte_count - 1};
  for (int i = 0; i < 3; ++i)
    if (luna_mutation_take(search, op)) {
      alter_byte(op, value, byte_count, places[i]);
      return;
    }
}

// Before its constants are loaded, others from on chip go over them: the next
// run of the program computes with these.
static void overwrite_constant(Search *search, MlirOperation op) {
  int64_t granule, count;
  if (!can_cut(op, &granule, &count))
    return;
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirOperation global = luna_defining_op(source);
  if (!luna_op_is(global, LUNA_OP_MEMREF_GET_GLOBAL) ||
      !luna_mutation_take(search, op))
    return;
  Part from = {mlirOperationGetOperand(op, 1), granule, count - granule};
  Part to = {source, 0, count - granule};
  MlirValue load = build_start(op, source, mlirOperationGetOperand(op, 1));
  build_wait(op, load);
  build_wait(op, build_start(op, build_part(op, from), build_part(op, to)));
}

// Also a constant of the record.
static void make_variable(Search *search, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_LUNA_PROGRAM))
    for (MlirOperation inner = mlirBlockGetFirstOperation(luna_body(op, 0));
         !mlirOperationIsNull(inner);
         inner = mlirOperationGetNextInBlock(inner))
      make_variable(search, inner);
  if (luna_op_is(op, LUNA_OP_MEMREF_GLOBAL) && luna_mutation_take(search, op))
    mlirOperationRemoveAttributeByName(op, luna_str("constant"));
}

static const LunaMutation rows[] = {
    {.name = "transfer-rotated", .visit = rotate},
    {.name = "transfer-short", .visit = shorten},
    {.name = "transfer-first-half-twice", .visit = repeat_first_half},
    {.name = "transfer-halves-swapped", .visit = swap_halves},
    {.name = "transfer-misdirected", .visit = misdirect},
    {.name = "transfer-other-source", .visit = take_other_source},
    {.name = "transfer-removed", .visit = remove_transfer},
    {.name = "copy-removed", .visit = remove_copy},
    {.name = "copy-reversed", .visit = reverse_copy},
    {.name = "constants-exchanged", .visit = exchange_constants},
    {.name = "constants-altered", .visit = alter_constant},
    {.name = "constants-overwritten", .visit = overwrite_constant},
    {.name = "constants-variable", .visit = make_variable},
};

const LunaMutationTable luna_mutations_of_transfers = {
    rows, sizeof rows / sizeof rows[0]};
