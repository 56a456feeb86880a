// Values with valid lengths: bounds, which operators take such values, and the
// sizes that the program says.

#include "tflite_valid.h"

#include <string.h>

#include "luna-c/build_scalar.h"
#include "luna-c/build_tosa.h"
#include "tflite_import.h"
#include "tflite_ops.h"

enum { MAX_BOUND = 1 << 28 };

const LunaValidLength *luna_tflite_valid(const LunaTfliteNode *node,
                                         MlirValue value) {
  return luna_valid_find(&node->import->lengths, value);
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

static void note_bounded(LunaTfliteImport *import, const char *name) {
  for (uint64_t i = 0; i < import->bounded.count; ++i)
    if (strcmp(import->bounded.items[i], name) == 0)
      return;
  *LUNA_VECTOR_ADD(import->arena, &import->bounded) = name;
}

bool luna_tflite_bound(const LunaTfliteNode *node, const char *name,
                       int64_t known, int64_t *bound) {
  LunaTfliteImport *import = node->import;
  note_bounded(import, name);
  *bound = known;
  for (size_t i = 0; i < import->bound_count; ++i)
    if (strcmp(import->bounds[i].name, name) == 0)
      *bound = import->bounds[i].size;
  if (*bound == -1)
    return luna_tflite_fail(node,
                            "the size of '%s' is known while running only: "
                            "give a bound, --bound=%s=N",
                            name, name);
  return (*bound > 0 && *bound <= MAX_BOUND) ||
         luna_tflite_fail(node, "the bound of '%s' is %lld, must be 1 to %d",
                          name, (long long)*bound, MAX_BOUND);
}

bool luna_tflite_set_valid(const LunaTfliteNode *node, MlirValue value,
                           LunaValidLength valid, const char *name,
                           int64_t known) {
  LunaTfliteImport *import = node->import;
  int64_t bound = luna_extent(value, valid.axis);
  valid.name = name;
  luna_valid_set(&import->lengths, value, &valid, valid.axis);
  if (known >= 0 && known <= bound)
    return true;
  if (node->frame->graph_index > 0)
    return luna_tflite_fail(node,
                            "the size of '%s' may exceed its bound, %lld, "
                            "which a subgraph cannot report",
                            name, (long long)bound);
  *LUNA_VECTOR_ADD(import->arena, &import->reported) =
      (LunaTfliteReported){name, valid.count};
  return true;
}

bool luna_tflite_fit(const LunaTfliteNode *node, LunaTfliteTensor *tensor,
                     MlirType type) {
  LunaShape shape = luna_tflite_shape_of(tensor);
  MlirType own = luna_tflite_tensor_type(node->builder, tensor);
  bool is_other = false;
  if (luna_tflite_element_bytes(tensor->type) == 0 ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(own),
                     mlirShapedTypeGetElementType(type)) ||
      mlirShapedTypeGetRank(type) != shape.rank)
    return false;
  for (int d = 0; d < shape.rank; ++d) {
    int64_t size = mlirShapedTypeGetDimSize(type, d);
    if (size != shape.dims[d] && !(tensor->open >> d & 1))
      return false;
    is_other |= size != shape.dims[d];
    shape.dims[d] = size;
  }
  node->import->is_resized |= is_other;
  return !is_other || luna_tflite_resize(tensor, tensor->rank, shape.dims);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

// What is valid of the first input that has a valid length, and which that is.
static const LunaValidLength *first_valid(const LunaTfliteNode *node,
                                          int64_t *at) {
  const LunaValidLength *valid = NULL;
  for (*at = 0; *at < node->op->input_count; ++*at) {
    int32_t tensor = node->op->inputs[*at];
    if (tensor >= 0)
      valid = luna_tflite_valid(node, node->frame->values[tensor]);
    if (valid)
      return valid;
  }
  return NULL;
}

static bool fail_axis(const LunaTfliteNode *node, const LunaValidLength *valid,
                      const char *why) {
  return luna_tflite_fail(node,
                          "the size of '%s', here dimension %d, is known while "
                          "running only: %s",
                          valid->name ? valid->name : "", valid->axis, why);
}

static bool fail(const LunaTfliteNode *node) {
  const LunaValidLengths *lengths = &node->import->lengths;
  if (lengths->other.axis < 0)
    return fail_axis(node, &lengths->refused, lengths->why);
  return luna_tflite_fail(node,
                          "the sizes of '%s' and '%s' are known while running "
                          "only, and may differ",
                          lengths->refused.name, lengths->other.name);
}

// Among dimensions of 1, which one is the valid one would be a guess.
static bool keeps(const LunaTfliteNode *node, int64_t bound,
                  const LunaValidLength *valid) {
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  const LunaValidLength *made =
      luna_tflite_valid(node, node->frame->values[node->op->outputs[0]]);
  return (bound > 1 && made && output->open >> made->axis & 1) ||
         fail_axis(node, valid, "a reshape must keep it as it is");
}

// Converts the operator and follows valid lengths through what that built.
static bool run(LunaTfliteNode *node) {
  LunaTfliteImport *import = node->import;
  // What is built comes behind this.
  MlirOperation op = luna_defining_op(luna_scalar_index(node->builder, 0));
  if (!node->desc->convert(node))
    return false;
  for (op = mlirOperationGetNextInBlock(op); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    if (!luna_valid_follow(&import->lengths, op))
      return fail(node);
  for (int64_t i = 0; i < node->op->output_count; ++i) {
    MlirValue *value = &node->frame->values[node->op->outputs[i]];
    *value = luna_valid_now(&import->lengths, *value);
  }
  return true;
}

bool luna_tflite_run(LunaTfliteNode *node) {
  int64_t at;
  const LunaValidLength *found = first_valid(node, &at);
  LunaTakesValid takes = node->desc->takes_valid;
  bool is_slice = node->op->code == LUNA_TFLITE_OP_SLICE ||
                  node->op->code == LUNA_TFLITE_OP_STRIDED_SLICE;
  if (takes == LUNA_TAKES_CALLS || (!found && !is_slice))
    return node->desc->convert(node);
  if (!found)
    return run(node);
  LunaValidLength valid = *found;
  int64_t bound = luna_extent(valid.value, valid.axis);
  if (takes == LUNA_TAKES_NONE)
    return fail_axis(node, &valid, "this operator is not supported for it");
  if (takes == LUNA_TAKES_BATCH && (at > 0 || valid.axis > 0))
    return fail_axis(node, &valid, "only that of the first may be");
  if (takes == LUNA_TAKES_NOT_LAST &&
      (at > 0 || valid.axis == luna_rank_of(valid.value) - 1))
    return fail_axis(node, &valid, "that of the last may not be");
  return run(node) && (takes != LUNA_TAKES_KEPT || keeps(node, bound, &valid));
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static void add_size(LunaTfliteImport *import, const char *name,
                     MlirValue count, MlirValue *result,
                     MlirAttribute *attributes) {
  LunaBuilder *b = &import->builder;
  LunaShape one = {1, {1}};
  MlirValue size = luna_scalar_to(b, "arith.index_cast", count, b->i32);
  MlirNamedAttribute named = luna_named(
      b->context, "luna.name",
      luna_string_attr(b->context,
                       luna_arena_printf(import->arena, "%s.size", name)));
  *result = luna_build_from_scalar(b, size, &one);
  *attributes = mlirDictionaryAttrGet(b->context, 1, &named);
}

void luna_tflite_add_sizes(LunaTfliteImport *import, const char *const *names,
                           MlirValue *results, MlirAttribute *attributes,
                           int64_t *count) {
  int64_t total = *count, outputs = total;
  for (int64_t i = 0; i < outputs; ++i) {
    const LunaValidLength *valid =
        luna_valid_find(&import->lengths, results[i]);
    if (!valid || !names[i])
      continue;
    LunaValidLength own = *valid;
    results[i] = luna_valid_mask(&import->builder, &own, 0);
    add_size(import, names[i], own.count, &results[total], &attributes[total]);
    for (uint64_t k = 0; k < import->reported.count; ++k)
      if (luna_same_value(import->reported.items[k].count, own.count))
        import->reported.items[k].name = NULL;
    ++total;
  }
  for (uint64_t k = 0; k < import->reported.count; ++k) {
    const LunaTfliteReported *reported = &import->reported.items[k];
    if (!reported->name)
      continue;
    add_size(import, reported->name, reported->count, &results[total],
             &attributes[total]);
    ++total;
  }
  *count = total;
}
