// Nodes whose inputs have valid lengths: which operators take such, and how
// their outputs get theirs.

#include "onnx_valid.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Following
//===----------------------------------------------------------------------===//

// The dimension of the node's input that a refusal is about.
static int axis_of(const LunaOnnxNode *n, const LunaValidLength *refused) {
  for (int i = 0; i < n->input_count; ++i)
    if (n->inputs[i] && n->inputs[i]->valid &&
        n->inputs[i]->valid->name == refused->name)
      return n->inputs[i]->valid->axis;
  return refused->axis;
}

static bool fail_axis(LunaOnnxImport *c, const LunaValidLength *valid, int axis,
                      const char *why) {
  return luna_onnx_fail(c,
                        "the size of '%s', here dimension %d, is known while "
                        "running only: %s",
                        valid->name, axis, why);
}

static bool fail(LunaOnnxImport *c, const LunaOnnxNode *n) {
  const LunaValidLength *refused = &c->lengths.refused,
                        *other = &c->lengths.other;
  if (other->axis >= 0)
    return luna_onnx_fail(c,
                          "the sizes of '%s' and '%s' are known while running "
                          "only, and may differ",
                          refused->name, other->name);
  return fail_axis(c, refused, axis_of(n, refused), c->lengths.why);
}

// Follows valid lengths through what was built since.
static bool follow(LunaOnnxImport *c) {
  for (MlirOperation op = mlirOperationGetNextInBlock(c->followed);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!luna_valid_follow(&c->lengths, op))
      return false;
    c->followed = op;
  }
  return true;
}

const LunaValidLength *luna_onnx_valid(LunaOnnxImport *c,
                                       const LunaOnnxValue *value, bool *ok) {
  *ok = true;
  if (value->valid || mlirOperationIsNull(c->followed) ||
      !mlirBlockEqual(c->b->block, c->followed_block))
    return value->valid;
  *ok = follow(c) || fail(c, c->followed_node);
  bool is_last = mlirValueIsNull(value->ir);
  const LunaValidLength *found =
      luna_valid_find(&c->lengths, is_last ? value->last : value->ir);
  if (!*ok || !found)
    return NULL;
  LunaValidLength *valid = LUNA_ARENA_ARRAY(c->arena, LunaValidLength, 1);
  *valid = *found;
  for (int d = 0; is_last && d < value->shape.rank; ++d)
    if (luna_onnx_axis_last(d, value->shape.rank) == found->axis)
      valid->axis = d;
  return valid;
}

// Gives the outputs what is valid of the IR that they are.
static bool set_outputs(LunaOnnxImport *c, LunaOnnxNode *n) {
  bool ok = follow(c) || fail(c, n);
  for (int i = 0; ok && i < n->output_count; ++i) {
    LunaOnnxValue *output = n->outputs[i];
    if (!output || output->data || output->valid)
      continue;
    output->ir = luna_valid_now(&c->lengths, output->ir);
    output->last = luna_valid_now(&c->lengths, output->last);
    const LunaValidLength *valid = luna_onnx_valid(c, output, &ok);
    if (valid)
      n->outputs[i] = luna_onnx_with_valid(c, output, valid, valid->axis);
  }
  return ok;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static const LunaValidLength *first_valid(const LunaOnnxNode *n, int *at) {
  for (*at = 0; *at < n->input_count; ++*at)
    if (n->inputs[*at] && n->inputs[*at]->valid)
      return n->inputs[*at]->valid;
  return NULL;
}

// Among dimensions of 1, which one is the valid one would be a guess, and a
// list that says how much is valid would be wrong.
static bool keeps(LunaOnnxImport *c, const LunaOnnxNode *n,
                  const LunaValidLength *valid) {
  int64_t list[LUNA_ONNX_MAX_RANK];
  const LunaOnnxValue *output = n->outputs[0];
  bool is_list = strcmp(n->proto->op_type, "Reshape") == 0;
  if (n->inputs[0]->shape.dims[valid->axis] > 1 && output->valid &&
      (!is_list || (luna_onnx_ints(c, n, 1, "shape", list, LUNA_ONNX_MAX_RANK) >
                        output->valid->axis &&
                    list[output->valid->axis] <= 0)))
    return true;
  return fail_axis(c, valid, valid->axis, "a reshape must keep it as it is");
}

// Runs the handler, and follows valid lengths through what it builds.
static bool run(LunaOnnxImport *c, LunaOnnxNode *n) {
  MlirOperation outer = c->followed;
  MlirBlock outer_block = c->followed_block;
  const LunaOnnxNode *outer_node = c->followed_node;
  // What is built comes behind this.
  c->followed = luna_defining_op(luna_scalar_index(c->b, 0));
  c->followed_block = c->b->block;
  c->followed_node = n;
  bool ok = n->op->handler(c, n) && set_outputs(c, n);
  c->followed = outer;
  c->followed_block = outer_block;
  c->followed_node = outer_node;
  return ok;
}

bool luna_onnx_run(LunaOnnxImport *c, LunaOnnxNode *n) {
  int at;
  const LunaValidLength *valid = first_valid(n, &at);
  switch (valid ? n->op->takes_valid : LUNA_TAKES_ITSELF) {
  case LUNA_TAKES_NONE:
    return fail_axis(c, valid, valid->axis,
                     "this operator is not supported for it");
  case LUNA_TAKES_ITSELF:
    return n->op->handler(c, n);
  case LUNA_TAKES_BATCH:
    if (at > 0 || valid->axis != 0)
      return fail_axis(c, valid, valid->axis, "only that of the first may be");
    return run(c, n);
  case LUNA_TAKES_KEPT:
    return run(c, n) && keeps(c, n, valid);
  case LUNA_TAKES_EACH:
  case LUNA_TAKES_NOT_LAST:
  case LUNA_TAKES_CALLS:
    break;
  }
  return run(c, n);
}
