// Finding the row of an operator, and checking the operator against it.

#include "tflite_import.h"
#include "tflite_ops.h"

const LunaTfliteOpDesc *luna_tflite_op(const LunaTfliteImport *import,
                                       int64_t code) {
  for (int i = 0; i < import->ops->count; ++i)
    if (import->ops->rows[i].code == code)
      return &import->ops->rows[i];
  return NULL;
}

static unsigned type_bit(int type) {
  switch (type) {
  case LUNA_TFLITE_F32:
    return LUNA_TYPES_F32;
  case LUNA_TFLITE_I8:
  case LUNA_TFLITE_U8:
    return LUNA_TYPES_I8;
  case LUNA_TFLITE_I16:
    return LUNA_TYPES_I16;
  case LUNA_TFLITE_I32:
    return LUNA_TYPES_I32;
  case LUNA_TFLITE_BOOL:
    return LUNA_TYPES_BOOL;
  case LUNA_TFLITE_I64:
    return LUNA_TYPES_I64;
  case LUNA_TFLITE_RESOURCE:
    return LUNA_TYPES_RESOURCE;
  default:
    return 0;
  }
}

static bool check_counts(const LunaTfliteNode *node) {
  const LunaTfliteOpDesc *desc = node->desc;
  int64_t inputs = node->op->input_count, outputs = node->op->output_count;
  if (inputs < desc->min_inputs ||
      (desc->max_inputs != LUNA_TFLITE_ANY_COUNT && inputs > desc->max_inputs))
    return luna_tflite_fail(node, "has %lld inputs, %d to %d are allowed",
                            (long long)inputs, desc->min_inputs,
                            desc->max_inputs);
  if (desc->outputs == LUNA_TFLITE_ANY_COUNT || outputs == desc->outputs)
    return true;
  return luna_tflite_fail(node, "has %lld outputs, needs %d",
                          (long long)outputs, desc->outputs);
}

static bool fail_empty(const LunaTfliteNode *node,
                       const LunaTfliteTensor *tensor) {
  return luna_tflite_fail(node, "'%s' has no elements", tensor->name);
}

// Lists of integers may be empty, what is computed with may not.
static bool check_elements(const LunaTfliteNode *node) {
  for (int64_t i = 0; i < node->op->input_count; ++i) {
    const LunaTfliteTensor *tensor = luna_tflite_input(node, i);
    bool is_list =
        i > 0 && tensor &&
        (tensor->type == LUNA_TFLITE_I32 || tensor->type == LUNA_TFLITE_I64);
    if (tensor && tensor->element_count == 0 && !is_list)
      return fail_empty(node, tensor);
  }
  for (int64_t i = 0; i < node->op->output_count; ++i)
    if (luna_tflite_output(node, i)->element_count == 0)
      return fail_empty(node, luna_tflite_output(node, i));
  return true;
}

static bool check_type(const LunaTfliteNode *node) {
  const LunaTfliteTensor *tensor = NULL;
  if (node->op->input_count > 0) {
    tensor = luna_tflite_input(node, 0);
    if (!tensor)
      return luna_tflite_fail(node, "input 0 is absent");
  } else if (node->op->output_count > 0) {
    tensor = luna_tflite_output(node, 0);
  }
  // SPLIT has its axis first.
  if (node->op->code == LUNA_TFLITE_OP_SPLIT)
    tensor = luna_tflite_input(node, 1);
  if (!tensor || type_bit(tensor->type) & node->desc->types)
    return true;
  return luna_tflite_fail(node, "'%s' is %s, which is not supported here",
                          tensor->name, luna_tflite_type_name(tensor->type));
}

bool luna_tflite_check_operator(LunaTfliteNode *node) {
  const LunaTfliteOpDesc *desc = node->desc;
  if (!desc && node->op->custom_name[0])
    return luna_tflite_fail(node,
                            "the custom operator '%.80s' is not supported",
                            node->op->custom_name);
  if (!desc)
    return luna_tflite_fail(node,
                            "code %lld is not supported; docs/import.md lists "
                            "those that are",
                            (long long)node->op->code);
  // Absent options mean their defaults.
  if (desc->options_type != 0 && node->op->options.offset != 0 &&
      node->op->options_type != desc->options_type)
    return luna_tflite_fail(node, "has options of kind %d, needs kind %d",
                            node->op->options_type, desc->options_type);
  return check_counts(node) && check_elements(node) && check_type(node);
}
