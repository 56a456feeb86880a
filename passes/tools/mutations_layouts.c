// Faults in how buffers lie: an operator that takes rows for planes, or rows
// for columns, and what does not transpose.

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mutation_search.h"

enum { RANK = 4 };

typedef LunaMutationSearch Search;

typedef struct Layout {
  MlirType type;
  intptr_t rank;
  int64_t offset, extents[LUNA_RANK_MAX], strides[LUNA_RANK_MAX];
} Layout;

static bool read_layout(MlirValue value, Layout *layout) {
  layout->type = mlirValueGetType(value);
  if (!luna_is_memref(layout->type) ||
      !mlirShapedTypeHasStaticShape(layout->type) ||
      !luna_memref_layout(layout->type, &layout->offset, layout->strides))
    return false;
  layout->rank = mlirShapedTypeGetRank(layout->type);
  for (intptr_t d = 0; d < layout->rank; ++d)
    layout->extents[d] = mlirShapedTypeGetDimSize(layout->type, d);
  return true;
}

static void set_dense(Layout *layout, const int order[RANK]) {
  int64_t stride = 1;
  for (int i = RANK; i-- > 0; stride *= layout->extents[order[i]])
    layout->strides[order[i]] = stride;
}

static bool has_strides(const Layout *a, const Layout *b) {
  for (intptr_t d = 0; d < a->rank; ++d)
    if (a->extents[d] != 1 && a->strides[d] != b->strides[d])
      return false;
  return true;
}

// The same memref with other strides.
static MlirValue build_cast(MlirOperation before, MlirValue value,
                            const Layout *layout) {
  MlirType type = mlirMemRefTypeGet(
      mlirShapedTypeGetElementType(layout->type), layout->rank, layout->extents,
      mlirStridedLayoutAttrGet(mlirOperationGetContext(before), layout->offset,
                               layout->rank, layout->strides),
      mlirMemRefTypeGetMemorySpace(layout->type));
  return luna_build_reinterpret(before, value, type);
}

static bool offer(Search *search, MlirOperation op, intptr_t operand,
                  const Layout *layout) {
  if (!luna_mutation_take(search, op))
    return false;
  MlirValue value = mlirOperationGetOperand(op, operand);
  mlirOperationSetOperand(op, operand, build_cast(op, value, layout));
  return true;
}

static bool computes(MlirOperation op) {
  return luna_op_in_dialect(op, LUNA_DIALECT_LUNA) &&
         mlirOperationGetNumResults(op) == 0 &&
         mlirOperationGetNumRegions(op) == 0;
}

// Rows of channels as planes, and planes as rows.
static void exchange_layout(Search *search, MlirOperation op) {
  static const int rows[RANK] = {0, 1, 2, 3}, planes[RANK] = {0, 3, 1, 2};
  for (intptr_t i = 0; computes(op) && i < mlirOperationGetNumOperands(op);
       ++i) {
    Layout layout, dense;
    if (!read_layout(mlirOperationGetOperand(op, i), &layout) ||
        layout.rank != RANK)
      continue;
    dense = layout;
    set_dense(&dense, rows);
    bool has_rows = has_strides(&layout, &dense);
    set_dense(&dense, planes);
    if (has_strides(&layout, &dense))
      set_dense(&dense, rows);
    else if (!has_rows)
      continue;
    if (!has_strides(&layout, &dense) && offer(search, op, i, &dense))
      return;
  }
}

// Rows as columns, of a square.
static void exchange_strides(Search *search, MlirOperation op) {
  for (intptr_t i = 0; computes(op) && i < mlirOperationGetNumOperands(op);
       ++i) {
    Layout layout;
    if (!read_layout(mlirOperationGetOperand(op, i), &layout) ||
        layout.rank != RANK || layout.extents[1] != layout.extents[2] ||
        layout.extents[1] == 1)
      continue;
    int64_t stride = layout.strides[1];
    layout.strides[1] = layout.strides[2];
    layout.strides[2] = stride;
    if (offer(search, op, i, &layout))
      return;
  }
}

// A transpose moves the bytes as they lie.
static void lose_transpose(Search *search, MlirOperation op) {
  Layout from, to;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (!mlirStringRefEqual(name, luna_str("linalg.transpose")) ||
      !read_layout(mlirOperationGetOperand(op, 0), &from) ||
      !read_layout(mlirOperationGetOperand(op, 1), &to) ||
      !luna_mutation_take(search, op))
    return;
  to.offset = from.offset;
  luna_build_copy(op, build_cast(op, mlirOperationGetOperand(op, 0), &to),
                  mlirOperationGetOperand(op, 1));
  mlirOperationDestroy(op);
}

static const LunaMutation rows[] = {
    {.name = "layout-exchanged", .visit = exchange_layout},
    {.name = "strides-exchanged", .visit = exchange_strides},
    {.name = "transpose-lost", .visit = lose_transpose},
};

const LunaMutationTable luna_mutations_of_layouts = {rows, sizeof rows /
                                                               sizeof rows[0]};
