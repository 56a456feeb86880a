#include <inttypes.h>
#include <string.h>

#include "luna/border.h"
#include "random_operator.h"

static const LunaTensorDesc *desc_of(const RandomOperator *op,
                                     const LunaUnitOperand *row) {
  return (const LunaTensorDesc *)(const void *)((const char *)&op->desc.as +
                                                row->offset_bytes);
}

//===- Types --------------------------------------------------------------===//

// The rank that the dialect gives an operand, whose descriptor has four
// extents.
static int rank_of(const RandomOperator *op, const LunaUnitOperand *row) {
  if (row->role == LUNA_ROLE_BIAS)
    return desc_of(op, row)->dims[2] > 1 ? 2 : 1;
  if (row->role == LUNA_ROLE_TABLE)
    return desc_of(op, row)->dims[2] == 2 ? 2 : 1;
  return op->desc.unit_class == LUNA_UNIT_MATMUL ? 3 : 4;
}

void operand_type_print(LunaText *text, const RandomOperator *op,
                        OperatorForm form, int row) {
  static const char *const elements[] = {"i1",  "i8",  "i16", "i32",
                                         "i64", "f32", "f64"};
  int count = 0;
  const LunaUnitOperand *rows =
      luna_unit_class_operands(op->desc.unit_class, &count);
  const LunaTensorDesc *desc = desc_of(op, &rows[row]);
  luna_text_printf(text, form == ON_TENSORS ? "tensor<" : "memref<");
  for (int d = 4 - rank_of(op, &rows[row]); d < 4; ++d)
    luna_text_printf(text, "%" PRId32 "x", desc->dims[d]);
  luna_text_printf(text, "%s>", elements[desc->type]);
}

//===- Attributes ---------------------------------------------------------===//

static void print_requant(LunaText *text, const LunaRequantDesc *requant) {
  static const char *const modes[] = {"none", "shift", "multiplier", "float"};
  bool is_float = requant->mode == LUNA_REQUANT_FLOAT;
  luna_text_printf(
      text,
      "#luna.requant<mode = %s, rounding = %s, per_channel = %s, multiplier = "
      "%" PRId32 ", shift = %" PRId32 ", ",
      modes[requant->mode], requant->rounding ? "double" : "single",
      requant->per_channel ? "true" : "false",
      is_float ? 0 : requant->multiplier, requant->shift);
  if (is_float)
    luna_text_printf(text, "scale = 0x%08" PRIX32 " : f32, ",
                     (uint32_t)requant->multiplier);
  luna_text_printf(text,
                   "zero_point = %" PRId32 ", clamp_min = %" PRId32
                   ", clamp_max = %" PRId32 ">",
                   requant->output_zero_point, requant->clamp_min,
                   requant->clamp_max);
}

static void print_ints(LunaText *text, const int32_t *words, uint32_t count) {
  luna_text_printf(text, "array<i64");
  for (uint32_t i = 0; i < count; ++i)
    luna_text_printf(text, "%s %" PRId32, i == 0 ? ":" : ",", words[i]);
  luna_text_printf(text, ">");
}

// Tilings and packed weights are the compiler's business and no part of the
// meaning.
static bool is_printed(const LunaUnitAttribute *row, const int32_t *words) {
  return row->name && strcmp(row->name, "tiling") != 0 &&
         strcmp(row->name, "weight_layout") != 0 &&
         strcmp(row->name, "weight_kernel") != 0 &&
         (row->kind != LUNA_ATTRIBUTE_FLAG || *words);
}

static void print_attribute(LunaText *text, const LunaUnitAttribute *row,
                            const int32_t *words) {
  luna_text_printf(text, "%s", row->name);
  if (row->kind == LUNA_ATTRIBUTE_FLAG)
    return;
  luna_text_printf(text, " = ");
  if (row->kind == LUNA_ATTRIBUTE_INT)
    luna_text_printf(text, "%" PRId32 " : i32", *words);
  else if (row->kind == LUNA_ATTRIBUTE_INTS ||
           row->kind == LUNA_ATTRIBUTE_TILING)
    print_ints(text, words, row->word_count);
  else
    print_requant(text, (const LunaRequantDesc *)words);
}

static void print_attributes(LunaText *text, const RandomOperator *op,
                             const int *segments, int segment_count) {
  int count = 0;
  const char *separator = " {";
  const LunaUnitAttribute *rows =
      luna_unit_class_attributes(op->desc.unit_class, &count);
  for (int i = 0; i < count; ++i) {
    const char *field = (const char *)&op->desc.as + rows[i].offset_bytes;
    const int32_t *words = (const int32_t *)(const void *)field;
    if (!is_printed(&rows[i], words))
      continue;
    luna_text_printf(text, "%s", separator);
    print_attribute(text, &rows[i], words);
    separator = ", ";
  }
  if (op->desc.unit_class == LUNA_UNIT_CONV2D &&
      luna_has_borders(&op->desc.as.conv2d.bias))
    luna_text_printf(text, "%sfolded_zp = 1 : i32", separator);
  if (luna_unit_class(op->desc.unit_class)->tiling) {
    luna_text_printf(text, "%soperandSegmentSizes = array<i32", separator);
    for (int i = 0; i < segment_count; ++i)
      luna_text_printf(text, "%s %d", i == 0 ? ":" : ",", segments[i]);
    luna_text_printf(text, ">");
    separator = ", ";
  }
  luna_text_printf(text, "%s", *separator == ',' ? "}" : "");
}

//===- The operator -------------------------------------------------------===//

void operator_print(LunaText *text, const RandomOperator *op, OperatorForm form,
                    int number) {
  int count = 0, segments[LUNA_UNIT_OPERANDS_MAX];
  luna_unit_class_operands(op->desc.unit_class, &count);
  int output = count - 1;
  if (form == ON_TENSORS) {
    luna_text_printf(text, "  %%x%d_%d = tensor.empty() : ", number, output);
    operand_type_print(text, op, form, output);
    luna_text_printf(text, "\n  %%y%d =", number);
  }
  luna_text_printf(text, " \"%s\"(", op->name);
  for (int i = 0; i < count; ++i) {
    segments[i] = op->data[i] != NULL || i == output;
    if (segments[i])
      luna_text_printf(text, "%s%%x%d_%d", i == 0 ? "" : ", ", number, i);
  }
  luna_text_printf(text, ")");
  print_attributes(text, op, segments, count);
  for (int i = 0; i < count; ++i)
    if (segments[i]) {
      luna_text_printf(text, i == 0 ? " : (" : ", ");
      operand_type_print(text, op, form, i);
    }
  luna_text_printf(text, ") -> ");
  if (form == ON_TENSORS)
    operand_type_print(text, op, form, output);
  luna_text_printf(text, form == ON_TENSORS ? "\n" : "()\n");
}
