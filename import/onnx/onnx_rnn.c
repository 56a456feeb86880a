// RNN, GRU and LSTM: what depends on the inputs alone is one product for all
// time steps; the rest is an scf.for that carries the state and the output.

#include "onnx.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"

typedef struct Rnn Rnn;

// Computes the next state from the gates of the input and the last state.
typedef void (*Cell)(LunaOnnxImport *c, const Rnn *r, LunaOnnxValue *x,
                     LunaOnnxValue **state);

struct Rnn {
  Cell cell;
  int gates, states;
  int64_t steps, batch, inputs, hidden, directions;
  bool reverse, batchwise;
  bool resets_product; ///< GRU: what is reset is the product with the state
  // Of one direction: weights [K, gates * hidden], biases, peepholes.
  LunaOnnxValue *w, *r, *w_bias, *r_bias, *peephole, *lengths;
};

//===----------------------------------------------------------------------===//
// Parts of tensors
//===----------------------------------------------------------------------===//

// Entry `at` of dimension 0, dropped.
static LunaOnnxValue *entry(LunaOnnxImport *c, LunaOnnxValue *value,
                            int64_t at) {
  LunaShape shape = {.rank = value->shape.rank - 1}, cut = value->shape;
  for (int i = 0; i < shape.rank; ++i)
    shape.dims[i] = value->shape.dims[i + 1];
  int64_t starts[LUNA_ONNX_MAX_RANK] = {at};
  cut.dims[0] = 1;
  MlirValue part =
      luna_build_slice(c->b, luna_onnx_ir(c, value), starts, cut.dims);
  return luna_onnx_from_ir(c, value->type, &shape,
                           luna_build_reshape(c->b, part, &shape));
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

static LunaOnnxValue *recurrent(LunaOnnxImport *c, const Rnn *r,
                                LunaOnnxValue *h) {
  LunaOnnxValue *sum = luna_onnx_matmul(c, h, r->r);
  return r->r_bias ? luna_onnx_apply(c, "Add", sum, r->r_bias) : sum;
}

static void rnn_cell(LunaOnnxImport *c, const Rnn *r, LunaOnnxValue *x,
                     LunaOnnxValue **state) {
  state[0] = luna_onnx_apply(
      c, "Tanh", luna_onnx_apply(c, "Add", x, recurrent(c, r, state[0])), NULL);
}

// Gates z, r, h.
static void gru_cell(LunaOnnxImport *c, const Rnn *r, LunaOnnxValue *x,
                     LunaOnnxValue **state) {
  int64_t size = r->hidden;
  LunaOnnxValue *h = state[0], *all = recurrent(c, r, h), *gate[2];
  for (int i = 0; i < 2; ++i)
    gate[i] = luna_onnx_apply(
        c, "Sigmoid",
        luna_onnx_apply(c, "Add", luna_onnx_steps_part(c, x, i, size),
                        luna_onnx_steps_part(c, all, i, size)),
        NULL);
  LunaOnnxValue *inner;
  if (r->resets_product) {
    inner = luna_onnx_apply(c, "Mul", gate[1],
                            luna_onnx_steps_part(c, all, 2, size));
  } else {
    LunaOnnxValue *reset = luna_onnx_apply(c, "Mul", gate[1], h);
    inner = luna_onnx_matmul(c, reset, luna_onnx_steps_part(c, r->r, 2, size));
    if (r->r_bias)
      inner = luna_onnx_apply(c, "Add", inner,
                              luna_onnx_steps_part(c, r->r_bias, 2, size));
  }
  LunaOnnxValue *next = luna_onnx_apply(
      c, "Tanh",
      luna_onnx_apply(c, "Add", luna_onnx_steps_part(c, x, 2, size), inner),
      NULL);
  LunaOnnxValue *keep =
      luna_onnx_apply(c, "Sub", luna_onnx_scalar(c, LUNA_ONNX_F32, 1), gate[0]);
  state[0] = luna_onnx_apply(c, "Add", luna_onnx_apply(c, "Mul", keep, next),
                             luna_onnx_apply(c, "Mul", gate[0], h));
}

static LunaOnnxValue *peep(LunaOnnxImport *c, const Rnn *r, LunaOnnxValue *gate,
                           LunaOnnxValue *state, int at) {
  if (!r->peephole)
    return gate;
  LunaOnnxValue *seen = luna_onnx_apply(
      c, "Mul", luna_onnx_steps_part(c, r->peephole, at, r->hidden), state);
  return luna_onnx_apply(c, "Add", gate, seen);
}

// Gates i, o, f, c; peepholes i, o, f.
static void lstm_cell(LunaOnnxImport *c, const Rnn *r, LunaOnnxValue *x,
                      LunaOnnxValue **state) {
  int64_t size = r->hidden;
  LunaOnnxValue *all = luna_onnx_apply(c, "Add", x, recurrent(c, r, state[0]));
  LunaOnnxValue *old = state[1];
  LunaOnnxValue *in = luna_onnx_apply(
      c, "Sigmoid", peep(c, r, luna_onnx_steps_part(c, all, 0, size), old, 0),
      NULL);
  LunaOnnxValue *forget = luna_onnx_apply(
      c, "Sigmoid", peep(c, r, luna_onnx_steps_part(c, all, 2, size), old, 2),
      NULL);
  LunaOnnxValue *fresh =
      luna_onnx_apply(c, "Tanh", luna_onnx_steps_part(c, all, 3, size), NULL);
  state[1] = luna_onnx_apply(c, "Add", luna_onnx_apply(c, "Mul", forget, old),
                             luna_onnx_apply(c, "Mul", in, fresh));
  LunaOnnxValue *out = luna_onnx_apply(
      c, "Sigmoid",
      peep(c, r, luna_onnx_steps_part(c, all, 1, size), state[1], 1), NULL);
  state[0] = luna_onnx_apply(c, "Mul", out,
                             luna_onnx_apply(c, "Tanh", state[1], NULL));
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

// Runs one direction: returns [T, B, H] and updates `state`.
static LunaOnnxValue *run(LunaOnnxImport *c, const Rnn *r, LunaOnnxValue *x,
                          LunaOnnxValue **state) {
  LunaShape out = {3, {r->steps, r->batch, r->hidden}};
  MlirValue source = luna_onnx_ir(c, x);
  LunaOnnxSteps steps = {
      .states = r->states, .is_reverse = r->reverse, .lengths = r->lengths};
  luna_onnx_steps_open(c, &steps, LUNA_ONNX_F32, &out, state);
  r->cell(c, r, luna_onnx_steps_take(c, &steps, x, source), state);
  return luna_onnx_steps_close(c, &steps, state[0], state);
}

//===----------------------------------------------------------------------===//
// Reading the node
//===----------------------------------------------------------------------===//

static bool has_shape(const LunaOnnxValue *value, int rank, int64_t a,
                      int64_t b, int64_t d) {
  const int64_t want[3] = {a, b, d};
  if (value->type != LUNA_ONNX_F32 || value->shape.rank != rank)
    return false;
  for (int i = 0; i < rank; ++i)
    if (value->shape.dims[i] != want[i])
      return false;
  return true;
}

static bool check_shapes(LunaOnnxImport *c, const LunaOnnxNode *n,
                         const Rnn *r) {
  int64_t rows = r->gates * r->hidden, d = r->directions, h = r->hidden;
  LunaOnnxValue *bias = luna_onnx_input(n, 3),
                *peephole = luna_onnx_input(n, 7);
  if (!has_shape(n->inputs[1], 3, d, rows, r->inputs) ||
      !has_shape(n->inputs[2], 3, d, rows, h) ||
      (bias && !has_shape(bias, 2, d, 2 * rows, 0)) ||
      (peephole && !has_shape(peephole, 2, d, 3 * h, 0)))
    return luna_onnx_fail(c, "weights or biases do not fit the input");
  for (int i = 0; i < r->states; ++i) {
    LunaOnnxValue *state = luna_onnx_input(n, 5 + i);
    if (state && !(r->batchwise ? has_shape(state, 3, r->batch, d, h)
                                : has_shape(state, 3, d, r->batch, h)))
      return luna_onnx_fail(c, "initial state does not fit");
  }
  return true;
}

static bool default_activations(const LunaOnnxNode *n, const Rnn *r) {
  static const char *const names[] = {"Sigmoid", "Tanh", "Tanh"};
  const Onnx__AttributeProto *attr = luna_onnx_attr(n, "activations");
  int per = r->gates == 1 ? 1 : r->gates == 3 ? 2 : 3;
  if (!attr)
    return true;
  for (size_t i = 0; i < attr->n_strings; ++i) {
    const char *want = per == 1 ? "Tanh" : names[i % (size_t)per];
    if (attr->strings[i].len != strlen(want) ||
        memcmp(attr->strings[i].data, want, strlen(want)) != 0)
      return false;
  }
  return true;
}

static bool read_rnn(LunaOnnxImport *c, LunaOnnxNode *n, Rnn *r) {
  const LunaShape *x = &n->inputs[0]->shape;
  if (n->inputs[0]->type != LUNA_ONNX_F32 || x->rank != 3 ||
      n->inputs[2]->shape.rank != 3 || !luna_onnx_check_shape(c, x))
    return luna_onnx_fail(c, "needs a float input of 3 dimensions");
  if (luna_onnx_attr(n, "clip") || luna_onnx_attr_int(n, "input_forget", 0) ||
      !default_activations(n, r))
    return luna_onnx_fail(c,
                          "clip, input_forget and activations other than the "
                          "default are not supported");
  r->batchwise = luna_onnx_attr_int(n, "layout", 0) != 0;
  r->resets_product = luna_onnx_attr_int(n, "linear_before_reset", 0) != 0;
  r->steps = x->dims[r->batchwise ? 1 : 0];
  r->batch = x->dims[r->batchwise ? 0 : 1];
  r->inputs = x->dims[2];
  r->hidden = n->inputs[2]->shape.dims[2];
  bool both = luna_onnx_attr_is(n, "direction", "forward", "bidirectional");
  r->directions = both ? 2 : 1;
  r->lengths = luna_onnx_input(n, 4);
  if (r->lengths && (r->lengths->type != LUNA_ONNX_I32 ||
                     luna_onnx_elems(&r->lengths->shape) != r->batch))
    return luna_onnx_fail(c, "sequence lengths must be int32, one per batch "
                             "entry");
  return check_shapes(c, n, r);
}

// [T, B, I] times [I, N] plus the input's bias, for all steps at once.
static LunaOnnxValue *input_gates(LunaOnnxImport *c, const Rnn *r,
                                  LunaOnnxValue *x) {
  LunaOnnxValue *sum = luna_onnx_matmul(c, x, r->w);
  return r->w_bias ? luna_onnx_apply(c, "Add", sum, r->w_bias) : sum;
}

static bool read_direction(LunaOnnxImport *c, LunaOnnxNode *n, Rnn *r, int d) {
  static const int swap[2] = {1, 0};
  LunaOnnxValue *bias = luna_onnx_input(n, 3),
                *peephole = luna_onnx_input(n, 7);
  r->reverse =
      d == 1 || luna_onnx_attr_is(n, "direction", "forward", "reverse");
  r->w = luna_onnx_permute(c, entry(c, n->inputs[1], d), swap);
  r->r = luna_onnx_permute(c, entry(c, n->inputs[2], d), swap);
  r->w_bias = r->r_bias = r->peephole = NULL;
  if (bias) {
    LunaOnnxValue *both = entry(c, bias, d);
    r->w_bias = luna_onnx_steps_part(c, both, 0, r->gates * r->hidden);
    r->r_bias = luna_onnx_steps_part(c, both, 1, r->gates * r->hidden);
  }
  if (peephole)
    r->peephole = entry(c, peephole, d);
  return true;
}

static LunaOnnxValue *join(LunaOnnxImport *c, LunaOnnxValue **parts,
                           int64_t count, const LunaShape *each,
                           const LunaShape *shape, int axis) {
  MlirValue values[2];
  for (int64_t i = 0; i < count; ++i)
    values[i] = luna_onnx_ir(c, luna_onnx_reshape_value(c, parts[i], each));
  return luna_onnx_from_ir(c, LUNA_ONNX_F32, shape,
                           luna_build_concat(c->b, (int)count, values, axis));
}

static bool set_results(LunaOnnxImport *c, LunaOnnxNode *n, const Rnn *r,
                        LunaOnnxValue **outputs, LunaOnnxValue *states[2][2]) {
  static const int all[4] = {2, 0, 1, 3}, last[3] = {1, 0, 2};
  int64_t d = r->directions;
  LunaShape each = {4, {r->steps, 1, r->batch, r->hidden}};
  LunaShape out = {4, {r->steps, d, r->batch, r->hidden}};
  LunaShape one = {3, {1, r->batch, r->hidden}};
  LunaShape end = {3, {d, r->batch, r->hidden}};
  if (!luna_onnx_check_shape(c, &out))
    return false;
  for (int i = 0; i < n->output_count && i <= r->states; ++i) {
    if (!n->proto->output[i][0])
      continue;
    LunaOnnxValue *value = i == 0 ? join(c, outputs, d, &each, &out, 1)
                                  : join(c, states[i - 1], d, &one, &end, 0);
    if (r->batchwise)
      value = luna_onnx_permute(c, value, i == 0 ? all : last);
    n->outputs[i] = value;
  }
  return true;
}

static LunaOnnxValue *initial_state(LunaOnnxImport *c, const LunaOnnxNode *n,
                                    const Rnn *r, int i, int d) {
  static const int swap[3] = {1, 0, 2};
  LunaShape shape = {2, {r->batch, r->hidden}};
  LunaOnnxValue *given = luna_onnx_input(n, 5 + i);
  if (!given)
    return luna_onnx_from_ir(c, LUNA_ONNX_F32, &shape,
                             luna_onnx_splat(c, LUNA_ONNX_F32, &shape, 0));
  if (r->batchwise)
    given = luna_onnx_permute(c, given, swap);
  return entry(c, given, d);
}

static bool read_all(LunaOnnxImport *c, LunaOnnxNode *n, Rnn *r) {
  static const int swap[3] = {1, 0, 2};
  if (!read_rnn(c, n, r))
    return false;
  LunaOnnxValue *x = n->inputs[0], *outputs[2], *states[2][2];
  if (r->batchwise)
    x = luna_onnx_permute(c, x, swap);
  for (int d = 0; d < r->directions; ++d) {
    LunaOnnxValue *state[2];
    if (!read_direction(c, n, r, d))
      return false;
    for (int i = 0; i < r->states; ++i)
      state[i] = initial_state(c, n, r, i, d);
    LunaOnnxValue *gates = input_gates(c, r, x);
    if (!gates)
      return false;
    outputs[d] = run(c, r, gates, state);
    for (int i = 0; i < r->states; ++i)
      states[i][d] = state[i];
  }
  return set_results(c, n, r, outputs, states);
}

bool luna_onnx_op_rnn(LunaOnnxImport *c, LunaOnnxNode *n) {
  Rnn r = {.cell = rnn_cell, .gates = 1, .states = 1};
  return read_all(c, n, &r);
}

bool luna_onnx_op_gru(LunaOnnxImport *c, LunaOnnxNode *n) {
  Rnn r = {.cell = gru_cell, .gates = 3, .states = 1};
  return read_all(c, n, &r);
}

bool luna_onnx_op_lstm(LunaOnnxImport *c, LunaOnnxNode *n) {
  Rnn r = {.cell = lstm_cell, .gates = 4, .states = 2};
  return read_all(c, n, &r);
}
