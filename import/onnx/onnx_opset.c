// What operators mean in some opsets only, and this reader does not read.
//
// Read off ONNX's changelog, opsets 1 to 28: all other changes there add
// element types, which are refused by name, or are read by the handlers.

#include "onnx_opset.h"

#include <string.h>

#include "luna/text.h"
#include "onnx_operators.h"

enum { NEWEST = 1 << 30 };

typedef struct OpsetRow {
  const char *name;
  /// The opsets that it is about, both ends included.
  int first, last;
  /// The attribute that asks for it; NULL where the operator always does.
  const char *attribute;
  /// The value of the attribute that asks for nothing, as its absence does.
  int64_t neutral;
  /// The attribute says nothing new where this input is given; 0 for none.
  size_t redundant_with_input;
  const char *meaning;
} OpsetRow;

static const OpsetRow rows[] = {
    {"Cast", 1, 5, .meaning = "'to' is the name of a type"},
    {"DequantizeLinear", 21, NEWEST, "block_size",
     .meaning = "one scale per block of elements"},
    {"DequantizeLinear", 23, NEWEST, "output_dtype", .neutral = LUNA_ONNX_F32,
     .meaning = "a result of another type than the scale"},
    {"Hardmax", 1, 12, .meaning = "all dimensions from 'axis' on count as one"},
    {"Pad", 1, 1, .meaning = "the pads are called 'paddings'"},
    {"QuantizeLinear", 21, NEWEST, "block_size",
     .meaning = "one scale per block of elements"},
    {"QuantizeLinear", 21, NEWEST, "output_dtype", .neutral = LUNA_ONNX_U8,
     .redundant_with_input = 2, .meaning = "a type given without a zero point"},
    {"QuantizeLinear", 23, NEWEST, "precision", .neutral = LUNA_ONNX_F32,
     .meaning = "a division in another type than the scale's"},
    {"Scan", 8, 8, .meaning = "inputs and states have a batch dimension"},
    {"Selu", 1, 5, .meaning = "alpha and gamma default to five digits"},
    {"Tile", 1, 5, .meaning = "repeats along one axis"},
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

static bool applies(const OpsetRow *row, const LunaOnnxImport *c,
                    const LunaOnnxNode *n) {
  if (strcmp(row->name, n->proto->op_type) != 0)
    return false;
  if (!row->attribute)
    return c->opset >= row->first && c->opset <= row->last;
  size_t input = row->redundant_with_input;
  if (input > 0 && n->proto->n_input > input && n->proto->input[input][0])
    return false;
  int64_t value = luna_onnx_attr_int(n, row->attribute, 0);
  return value != 0 && value != row->neutral;
}

bool luna_onnx_check_opset(LunaOnnxImport *c, const LunaOnnxNode *n) {
  for (int i = 0; i < ROW_COUNT; ++i) {
    const OpsetRow *row = &rows[i];
    if (!applies(row, c, n))
      continue;
    if (row->attribute)
      return luna_onnx_fail(
          c, "attribute '%s', new in opset %d, is not supported: %s",
          row->attribute, row->first, row->meaning);
    return luna_onnx_fail(c, "is not supported before opset %d: %s",
                          row->last + 1, row->meaning);
  }
  return true;
}

bool luna_onnx_align_inputs(LunaOnnxImport *c, LunaOnnxNode *n) {
  if (c->opset >= 7 || n->input_count != 2 || !n->inputs[0] || !n->inputs[1])
    return true;
  const LunaShape *from = &n->inputs[1]->shape;
  bool is_slope = strcmp(n->proto->op_type, "PRelu") == 0 && from->rank == 1;
  bool is_aligned =
      luna_onnx_attr_int(n, "broadcast", 0) && luna_onnx_attr(n, "axis");
  if (!(is_slope || is_aligned) || luna_onnx_elems(from) == 1)
    return true;
  int axis, rank = n->inputs[0]->shape.rank;
  if (!luna_onnx_axis(c, luna_onnx_attr_int(n, "axis", 1), rank, &axis))
    return false;
  if (from->rank > rank - axis)
    return luna_onnx_fail(c,
                          "input 1 has %d dimensions, %d are left from axis %d",
                          from->rank, rank - axis, axis);
  LunaShape shape = luna_onnx_shape(rank - axis, NULL);
  for (int i = 0; i < shape.rank; ++i)
    shape.dims[i] = i < from->rank ? from->dims[i] : 1;
  n->inputs[1] = luna_onnx_reshape_value(c, n->inputs[1], &shape);
  return n->inputs[1] != NULL;
}

void luna_onnx_add_opset_limits(LunaText *text, const char *name, bool any) {
  for (int i = 0; i < ROW_COUNT; ++i) {
    const OpsetRow *row = &rows[i];
    if (strcmp(row->name, name) != 0)
      continue;
    luna_text_printf(text, any ? "; " : "");
    if (row->attribute)
      luna_text_printf(text, "no `%s`", row->attribute);
    else
      luna_text_printf(text, "opset %d and up", row->last + 1);
    any = true;
  }
}
