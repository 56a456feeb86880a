// Faults in biases that have taken up a zero point: a constant of a class of
// borders that is off, and two classes exchanged.

#include <string.h>

#include "luna/arena.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mutation_search.h"

typedef LunaMutationSearch Search;

// The rows of a bias in the constants of its operator.
typedef struct Rows {
  MlirOperation global;
  MlirAttribute value; // its bytes
  int64_t first_byte, count, row_bytes;
} Rows;

static MlirOperation find_global(const Search *search, MlirStringRef name) {
  for (uint32_t i = 0; i < search->ops.count; ++i) {
    MlirOperation op = search->ops.items[i];
    if (luna_op_is(op, LUNA_OP_MEMREF_GLOBAL) &&
        mlirStringRefEqual(luna_attr_string(op, "sym_name"), name))
      return op;
  }
  return (MlirOperation){NULL};
}

// Returns false unless the bias is a view of all constants of its operator.
static bool find_rows(const Search *search, MlirOperation op, Rows *rows) {
  MlirStringRef params = luna_attr_symbol(op, "params");
  MlirValue bias = luna_unit_operand(op, LUNA_ROLE_BIAS);
  MlirOperation view = luna_defining_op(bias);
  if (!params.data || !luna_op_is(view, LUNA_OP_MEMREF_VIEW) ||
      !luna_constant_number(mlirOperationGetOperand(view, 1),
                            &rows->first_byte))
    return false;
  rows->global = find_global(search, params);
  if (mlirOperationIsNull(rows->global))
    return false;
  rows->value = luna_attr(rows->global, "initial_value");
  MlirType whole = mlirValueGetType(mlirOperationGetOperand(view, 0));
  MlirType type = mlirValueGetType(bias);
  rows->count = mlirShapedTypeGetDimSize(type, 0);
  rows->row_bytes = luna_shaped_bytes(type) / rows->count;
  return !mlirDenseElementsAttrIsSplat(rows->value) &&
         luna_shaped_bytes(whole) ==
             luna_shaped_bytes(mlirAttributeGetType(rows->value));
}

static bool has_rows(const Search *search, MlirOperation op, Rows *rows) {
  if (!luna_op_is(op, LUNA_OP_LUNA_CONV2D) ||
      mlirAttributeIsNull(luna_attr(op, "folded_zp")))
    return false;
  MlirType type = mlirValueGetType(luna_unit_operand(op, LUNA_ROLE_BIAS));
  return mlirShapedTypeGetRank(type) == 2 && find_rows(search, op, rows);
}

static uint8_t *copy_bytes(const Search *search, const Rows *rows) {
  int64_t bytes = luna_shaped_bytes(mlirAttributeGetType(rows->value));
  uint8_t *copy = LUNA_ARENA_ARRAY(search->arena, uint8_t, bytes);
  memcpy(copy, mlirDenseElementsAttrGetRawData(rows->value), (size_t)bytes);
  return copy;
}

static void set_bytes(const Rows *rows, const uint8_t *bytes) {
  MlirType type = mlirAttributeGetType(rows->value);
  luna_set_attr(rows->global, "initial_value",
                mlirDenseElementsAttrRawBufferGet(
                    type, (size_t)luna_shaped_bytes(type), bytes));
}

// The first channel of each row.
static void alter_border(Search *search, MlirOperation op) {
  Rows rows;
  if (!has_rows(search, op, &rows))
    return;
  for (int64_t row = 0; row < rows.count; ++row)
    if (luna_mutation_take(search, op)) {
      uint8_t *bytes = copy_bytes(search, &rows);
      bytes[rows.first_byte + row * rows.row_bytes] ^= 0x40;
      set_bytes(&rows, bytes);
      return;
    }
}

// Each row and the next, where they differ.
static void exchange_borders(Search *search, MlirOperation op) {
  Rows rows;
  if (!has_rows(search, op, &rows))
    return;
  for (int64_t row = 0; row + 1 < rows.count; ++row) {
    uint8_t *bytes = copy_bytes(search, &rows);
    uint8_t *a = bytes + rows.first_byte + row * rows.row_bytes;
    uint8_t *b = a + rows.row_bytes;
    if (memcmp(a, b, (size_t)rows.row_bytes) == 0 ||
        !luna_mutation_take(search, op))
      continue;
    for (int64_t i = 0; i < rows.row_bytes; ++i) {
      uint8_t byte = a[i];
      a[i] = b[i];
      b[i] = byte;
    }
    set_bytes(&rows, bytes);
    return;
  }
}

static const LunaMutation rows_of_kinds[] = {
    {.name = "border-altered", .visit = alter_border},
    {.name = "borders-exchanged", .visit = exchange_borders},
};

const LunaMutationTable luna_mutations_of_folds = {
    rows_of_kinds, sizeof rows_of_kinds / sizeof rows_of_kinds[0]};
