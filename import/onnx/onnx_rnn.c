// RNN, GRU and LSTM: what depends on the inputs alone is one product for all
// time steps; the rest is an scf.for that carries the state and the output.

#include "onnx.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"

typedef struct Rnn Rnn;

// Computes the next state from the gates of the input and the last state.
typedef void (*Cell)(OnnxImport *c, const OnnxNode *n, const Rnn *r,
                     OnnxValue *x, OnnxValue **state);

struct Rnn {
  Cell cell;
  int gates, states;
  int64_t steps, batch, inputs, hidden, directions;
  bool reverse, batchwise;
  // Of one direction: weights [K, gates * hidden], biases, peepholes.
  OnnxValue *w, *r, *w_bias, *r_bias, *peephole, *lengths;
  MlirValue step;
};

//===----------------------------------------------------------------------===//
// Parts of tensors
//===----------------------------------------------------------------------===//

// Entry `at` of dimension 0, dropped.
static OnnxValue *entry(OnnxImport *c, OnnxValue *value, int64_t at) {
  LunaShape shape = {.rank = value->shape.rank - 1}, cut = value->shape;
  for (int i = 0; i < shape.rank; ++i)
    shape.dims[i] = value->shape.dims[i + 1];
  int64_t starts[ONNX_MAX_RANK] = {at};
  cut.dims[0] = 1;
  MlirValue part = luna_build_slice(c->b, onnx_ir(c, value), starts, cut.dims);
  return onnx_from_ir(c, value->type, &shape,
                      luna_build_reshape(c->b, part, &shape));
}

static OnnxValue *product(OnnxImport *c, OnnxValue *a, OnnxValue *b) {
  return onnx_matmul(c, a, b);
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

static OnnxValue *recurrent(OnnxImport *c, const OnnxNode *n, const Rnn *r,
                            OnnxValue *h) {
  OnnxValue *sum = product(c, h, r->r);
  return r->r_bias ? onnx_apply(c, n, "Add", sum, r->r_bias) : sum;
}

static void rnn_cell(OnnxImport *c, const OnnxNode *n, const Rnn *r,
                     OnnxValue *x, OnnxValue **state) {
  state[0] = onnx_apply(
      c, n, "Tanh", onnx_apply(c, n, "Add", x, recurrent(c, n, r, state[0])),
      NULL);
}

// Gates z, r, h.
static void gru_cell(OnnxImport *c, const OnnxNode *n, const Rnn *r,
                     OnnxValue *x, OnnxValue **state) {
  int64_t size = r->hidden;
  OnnxValue *h = state[0], *all = recurrent(c, n, r, h), *gate[2];
  for (int i = 0; i < 2; ++i)
    gate[i] = onnx_apply(c, n, "Sigmoid",
                         onnx_apply(c, n, "Add", onnx_steps_part(c, x, i, size),
                                    onnx_steps_part(c, all, i, size)),
                         NULL);
  OnnxValue *inner;
  if (onnx_attr_int(n, "linear_before_reset", 0)) {
    inner = onnx_apply(c, n, "Mul", gate[1], onnx_steps_part(c, all, 2, size));
  } else {
    OnnxValue *reset = onnx_apply(c, n, "Mul", gate[1], h);
    inner = product(c, reset, onnx_steps_part(c, r->r, 2, size));
    if (r->r_bias)
      inner = onnx_apply(c, n, "Add", inner,
                         onnx_steps_part(c, r->r_bias, 2, size));
  }
  OnnxValue *next = onnx_apply(
      c, n, "Tanh",
      onnx_apply(c, n, "Add", onnx_steps_part(c, x, 2, size), inner), NULL);
  OnnxValue *keep =
      onnx_apply(c, n, "Sub", onnx_scalar(c, ONNX_F32, 1), gate[0]);
  state[0] = onnx_apply(c, n, "Add", onnx_apply(c, n, "Mul", keep, next),
                        onnx_apply(c, n, "Mul", gate[0], h));
}

static OnnxValue *peep(OnnxImport *c, const OnnxNode *n, const Rnn *r,
                       OnnxValue *gate, OnnxValue *state, int at) {
  if (!r->peephole)
    return gate;
  OnnxValue *seen = onnx_apply(
      c, n, "Mul", onnx_steps_part(c, r->peephole, at, r->hidden), state);
  return onnx_apply(c, n, "Add", gate, seen);
}

// Gates i, o, f, c; peepholes i, o, f.
static void lstm_cell(OnnxImport *c, const OnnxNode *n, const Rnn *r,
                      OnnxValue *x, OnnxValue **state) {
  int64_t size = r->hidden;
  OnnxValue *all = onnx_apply(c, n, "Add", x, recurrent(c, n, r, state[0]));
  OnnxValue *old = state[1];
  OnnxValue *in =
      onnx_apply(c, n, "Sigmoid",
                 peep(c, n, r, onnx_steps_part(c, all, 0, size), old, 0), NULL);
  OnnxValue *forget =
      onnx_apply(c, n, "Sigmoid",
                 peep(c, n, r, onnx_steps_part(c, all, 2, size), old, 2), NULL);
  OnnxValue *fresh =
      onnx_apply(c, n, "Tanh", onnx_steps_part(c, all, 3, size), NULL);
  state[1] = onnx_apply(c, n, "Add", onnx_apply(c, n, "Mul", forget, old),
                        onnx_apply(c, n, "Mul", in, fresh));
  OnnxValue *out = onnx_apply(
      c, n, "Sigmoid",
      peep(c, n, r, onnx_steps_part(c, all, 1, size), state[1], 1), NULL);
  state[0] =
      onnx_apply(c, n, "Mul", out, onnx_apply(c, n, "Tanh", state[1], NULL));
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

static MlirValue choose(OnnxImport *c, const OnnxNode *n, OnnxType type,
                        const MlirValue *args, int count) {
  (void)n, (void)type, (void)count;
  return luna_scalar_select(c->b, args[0], args[1], args[2]);
}

static MlirValue running(OnnxImport *c, const OnnxNode *n, OnnxType type,
                         const MlirValue *args, int count) {
  (void)n, (void)count;
  return onnx_compare(c, type, LUNA_LT, args[1], args[0]);
}

// Past the end of a sequence the state stays and the output is zero.
static OnnxValue *mask(OnnxImport *c, const OnnxNode *n, const Rnn *r,
                       OnnxValue **state, OnnxValue **old) {
  LunaShape scalar = {.rank = 0};
  LunaShape column = {2, {r->batch, 1}};
  OnnxValue *now =
      onnx_from_ir(c, ONNX_I32, &scalar,
                   luna_build_from_scalar(
                       c->b, onnx_index_to(c, r->step, ONNX_I32), &scalar));
  OnnxValue *pair[2] = {onnx_reshape_value(c, r->lengths, &column), now};
  OnnxValue *runs = onnx_map(c, n, pair, 2, ONNX_BOOL, running);
  OnnxValue *output[3] = {runs, state[0], onnx_scalar(c, ONNX_F32, 0)};
  OnnxValue *shown = onnx_map(c, n, output, 3, ONNX_F32, choose);
  for (int i = 0; i < r->states; ++i) {
    OnnxValue *kept[3] = {runs, state[i], old[i]};
    state[i] = onnx_map(c, n, kept, 3, ONNX_F32, choose);
  }
  return shown;
}

// Runs one direction: gives [T, B, H] and updates `state`.
static OnnxValue *run(OnnxImport *c, const OnnxNode *n, Rnn *r, OnnxValue *x,
                      OnnxValue **state) {
  LunaShape out = {3, {r->steps, r->batch, r->hidden}};
  OnnxValue *old[2] = {NULL, NULL};
  MlirValue source = onnx_ir(c, x);
  OnnxSteps steps = {.states = r->states, .is_reverse = r->reverse};
  onnx_steps_open(c, &steps, ONNX_F32, &out, state);
  r->step = steps.loop.at;
  for (int i = 0; i < r->states; ++i)
    old[i] = state[i];
  r->cell(c, n, r, onnx_steps_take(c, &steps, x, source), state);
  OnnxValue *shown = r->lengths ? mask(c, n, r, state, old) : state[0];
  return onnx_steps_close(c, &steps, shown, state);
}

//===----------------------------------------------------------------------===//
// Reading the node
//===----------------------------------------------------------------------===//

static bool has_shape(const OnnxValue *value, int rank, int64_t a, int64_t b,
                      int64_t d) {
  const int64_t want[3] = {a, b, d};
  if (value->type != ONNX_F32 || value->shape.rank != rank)
    return false;
  for (int i = 0; i < rank; ++i)
    if (value->shape.dims[i] != want[i])
      return false;
  return true;
}

static bool check_shapes(OnnxImport *c, const OnnxNode *n, const Rnn *r) {
  int64_t rows = r->gates * r->hidden, d = r->directions, h = r->hidden;
  OnnxValue *bias = onnx_input(n, 3), *peephole = onnx_input(n, 7);
  if (!has_shape(n->inputs[1], 3, d, rows, r->inputs) ||
      !has_shape(n->inputs[2], 3, d, rows, h) ||
      (bias && !has_shape(bias, 2, d, 2 * rows, 0)) ||
      (peephole && !has_shape(peephole, 2, d, 3 * h, 0)))
    return onnx_fail(c, "weights or biases do not fit the input");
  for (int i = 0; i < r->states; ++i) {
    OnnxValue *state = onnx_input(n, 5 + i);
    if (state && !(r->batchwise ? has_shape(state, 3, r->batch, d, h)
                                : has_shape(state, 3, d, r->batch, h)))
      return onnx_fail(c, "initial state does not fit");
  }
  return true;
}

static bool default_activations(const OnnxNode *n, const Rnn *r) {
  static const char *const names[] = {"Sigmoid", "Tanh", "Tanh"};
  const Onnx__AttributeProto *attr = onnx_attr(n, "activations");
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

static bool read_rnn(OnnxImport *c, OnnxNode *n, Rnn *r) {
  const LunaShape *x = &n->inputs[0]->shape;
  if (n->inputs[0]->type != ONNX_F32 || x->rank != 3 ||
      n->inputs[2]->shape.rank != 3 || !onnx_check_shape(c, x))
    return onnx_fail(c, "needs a float input of 3 dimensions");
  if (onnx_attr(n, "clip") || onnx_attr_int(n, "input_forget", 0) ||
      !default_activations(n, r))
    return onnx_fail(c, "clip, input_forget and activations other than the "
                        "default are not supported");
  r->batchwise = onnx_attr_int(n, "layout", 0) != 0;
  r->steps = x->dims[r->batchwise ? 1 : 0];
  r->batch = x->dims[r->batchwise ? 0 : 1];
  r->inputs = x->dims[2];
  r->hidden = n->inputs[2]->shape.dims[2];
  bool both = onnx_attr_is(n, "direction", "forward", "bidirectional");
  r->directions = both ? 2 : 1;
  r->lengths = onnx_input(n, 4);
  if (r->lengths && (r->lengths->type != ONNX_I32 ||
                     onnx_elems(&r->lengths->shape) != r->batch ||
                     !onnx_attr_is(n, "direction", "forward", "forward")))
    return onnx_fail(c, "sequence lengths are supported forwards only, one "
                        "int32 per batch entry");
  return check_shapes(c, n, r);
}

// [T, B, I] times [I, N] plus the input's bias, for all steps at once.
static OnnxValue *input_gates(OnnxImport *c, const OnnxNode *n, const Rnn *r,
                              OnnxValue *x) {
  OnnxValue *sum = product(c, x, r->w);
  return r->w_bias ? onnx_apply(c, n, "Add", sum, r->w_bias) : sum;
}

static bool read_direction(OnnxImport *c, OnnxNode *n, Rnn *r, int d) {
  static const int swap[2] = {1, 0};
  OnnxValue *bias = onnx_input(n, 3), *peephole = onnx_input(n, 7);
  r->reverse = d == 1 || onnx_attr_is(n, "direction", "forward", "reverse");
  r->w = onnx_permute(c, entry(c, n->inputs[1], d), swap);
  r->r = onnx_permute(c, entry(c, n->inputs[2], d), swap);
  r->w_bias = r->r_bias = r->peephole = NULL;
  if (bias) {
    OnnxValue *both = entry(c, bias, d);
    r->w_bias = onnx_steps_part(c, both, 0, r->gates * r->hidden);
    r->r_bias = onnx_steps_part(c, both, 1, r->gates * r->hidden);
  }
  if (peephole)
    r->peephole = entry(c, peephole, d);
  return true;
}

static OnnxValue *join(OnnxImport *c, OnnxValue **parts, int64_t count,
                       const LunaShape *each, const LunaShape *shape,
                       int axis) {
  MlirValue values[2];
  for (int64_t i = 0; i < count; ++i)
    values[i] = onnx_ir(c, onnx_reshape_value(c, parts[i], each));
  return onnx_from_ir(c, ONNX_F32, shape,
                      luna_build_concat(c->b, (int)count, values, axis));
}

static bool set_results(OnnxImport *c, OnnxNode *n, const Rnn *r,
                        OnnxValue **outputs, OnnxValue *states[2][2]) {
  static const int all[4] = {2, 0, 1, 3}, last[3] = {1, 0, 2};
  int64_t d = r->directions;
  LunaShape each = {4, {r->steps, 1, r->batch, r->hidden}};
  LunaShape out = {4, {r->steps, d, r->batch, r->hidden}};
  LunaShape one = {3, {1, r->batch, r->hidden}};
  LunaShape end = {3, {d, r->batch, r->hidden}};
  if (!onnx_check_shape(c, &out))
    return false;
  for (int i = 0; i < n->output_count && i <= r->states; ++i) {
    if (!n->proto->output[i][0])
      continue;
    OnnxValue *value = i == 0 ? join(c, outputs, d, &each, &out, 1)
                              : join(c, states[i - 1], d, &one, &end, 0);
    if (r->batchwise)
      value = onnx_permute(c, value, i == 0 ? all : last);
    n->outputs[i] = value;
  }
  return true;
}

static OnnxValue *initial_state(OnnxImport *c, const OnnxNode *n, const Rnn *r,
                                int i, int d) {
  static const int swap[3] = {1, 0, 2};
  LunaShape shape = {2, {r->batch, r->hidden}};
  OnnxValue *given = onnx_input(n, 5 + i);
  if (!given)
    return onnx_from_ir(c, ONNX_F32, &shape,
                        onnx_splat(c, ONNX_F32, &shape, 0));
  if (r->batchwise)
    given = onnx_permute(c, given, swap);
  return entry(c, given, d);
}

static bool read_all(OnnxImport *c, OnnxNode *n, Rnn *r) {
  static const int swap[3] = {1, 0, 2};
  if (!read_rnn(c, n, r))
    return false;
  OnnxValue *x = n->inputs[0], *outputs[2], *states[2][2];
  if (r->batchwise)
    x = onnx_permute(c, x, swap);
  for (int d = 0; d < r->directions; ++d) {
    OnnxValue *state[2];
    if (!read_direction(c, n, r, d))
      return false;
    for (int i = 0; i < r->states; ++i)
      state[i] = initial_state(c, n, r, i, d);
    OnnxValue *gates = input_gates(c, n, r, x);
    if (!gates)
      return false;
    outputs[d] = run(c, n, r, gates, state);
    for (int i = 0; i < r->states; ++i)
      states[i][d] = state[i];
  }
  return set_results(c, n, r, outputs, states);
}

ONNX_HANDLER(rnn) {
  Rnn r = {.cell = rnn_cell, .gates = 1, .states = 1};
  return read_all(c, n, &r);
}

ONNX_HANDLER(gru) {
  Rnn r = {.cell = gru_cell, .gates = 3, .states = 1};
  return read_all(c, n, &r);
}

ONNX_HANDLER(lstm) {
  Rnn r = {.cell = lstm_cell, .gates = 4, .states = 2};
  return read_all(c, n, &r);
}
