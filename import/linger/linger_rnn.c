// LUNA's LSTM and GRU: the products are luna.matmul, that with the input once
// for all time steps where it fits; the rest is an scf.for over the steps that
// carries the state and the output.

#include "linger.h"

#include <string.h>

enum {
  // Products with the input are made step by step from this size on.
  MAX_PRODUCT_BYTES = 64 << 10,
};

typedef struct LunaRnn {
  LunaCell cell;
  int states;
  int64_t steps, batch, inputs, hidden, gates;
  // Whether states come out as integers, and the bits of a cell state given.
  bool is_reverse, is_batch_first, has_integer_states;
  int given_cell_bits;
  LunaOnnxValue *x, *lengths, *given[2];
  LunaOnnxValue *input_weight, *state_weight, *input_bias, *state_bias;
} LunaRnn;

// [rows, depth] times the transposed weight [columns, depth], plus the bias, in
// int32.
static LunaOnnxValue *product(LunaOnnxImport *c, LunaOnnxValue *x,
                              LunaOnnxValue *weight, LunaOnnxValue *bias) {
  LunaUnitMatmul m = {.batch = 1,
                      .rows = x->shape.dims[0],
                      .depth = x->shape.dims[1],
                      .is_rhs_transposed = true};
  m.columns = luna_onnx_elems(&weight->shape) / m.depth;
  m.lhs = luna_onnx_ir(c, x);
  m.rhs = luna_onnx_ir(c, weight);
  LunaShape list = {1, {m.columns}}, shape = {2, {m.rows, m.columns}};
  if (bias)
    m.bias = luna_build_reshape(c->b, luna_onnx_ir(c, bias), &list);
  luna_linger_requant(c, LUNA_ONNX_I32, 0, &m.requant);
  return luna_onnx_from_ir(
      c, LUNA_ONNX_I32, &shape,
      luna_linger_emit_matmul(c, &m, LUNA_ONNX_I32, &shape));
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

// What the steps take a row of: products for all, or the input itself.
static LunaOnnxValue *rows(LunaOnnxImport *c, const LunaRnn *r) {
  int64_t columns = r->gates * r->hidden, count = r->steps * r->batch;
  if (count * columns * 4 > MAX_PRODUCT_BYTES)
    return r->x;
  LunaShape flat = {2, {count, r->inputs}};
  LunaShape shape = {3, {r->steps, r->batch, columns}};
  LunaOnnxValue *x = luna_onnx_reshape_value(c, r->x, &flat);
  return luna_onnx_reshape_value(
      c, product(c, x, r->input_weight, r->input_bias), &shape);
}

// Returns [T, B, H] and updates `state`; NULL after an error.
static LunaOnnxValue *run(LunaOnnxImport *c, const LunaRnn *r,
                          LunaOnnxValue **state) {
  LunaShape out = {3, {r->steps, r->batch, r->hidden}};
  LunaOnnxValue *source = rows(c, r);
  MlirValue source_ir = luna_onnx_ir(c, source);
  LunaOnnxSteps steps = {
      .states = r->states, .is_reverse = r->is_reverse, .lengths = r->lengths};
  luna_onnx_steps_open(c, &steps, LUNA_ONNX_I8, &out, state);
  LunaOnnxValue *row = luna_onnx_steps_take(c, &steps, source, source_ir);
  if (row->type == LUNA_ONNX_I8)
    row = product(c, row, r->input_weight, r->input_bias);
  LunaOnnxValue *back = product(c, state[0], r->state_weight, r->state_bias);
  bool ok = luna_linger_cell_step(c, &r->cell, row, back, state);
  return luna_onnx_steps_close(c, &steps, ok ? state[0] : NULL, state);
}

//===----------------------------------------------------------------------===//
// Reading the node
//===----------------------------------------------------------------------===//

// Inputs: x, lengths or not, states or not, two weights, two biases or not.
static bool read_inputs(LunaOnnxImport *c, const LunaOnnxNode *n, LunaRnn *r) {
  int at = 1, count = n->input_count;
  LunaOnnxValue *const *in = n->inputs;
  for (int i = 0; i < count; ++i)
    if (!in[i])
      return luna_onnx_fail(c, "input %d is left out", i);
  if (in[1]->shape.rank <= 1) {
    r->lengths = in[at++];
    if (!luna_onnx_is_int(r->lengths->type))
      return luna_onnx_fail(c, "lengths must be integers");
  }
  int left = count - at;
  bool given = left == r->states + 4 ||
               (left == r->states + 2 && in[count - 1]->type == LUNA_ONNX_I8);
  for (int i = 0; given && i < r->states; ++i)
    r->given[i] = in[at++];
  left = count - at;
  if (left != 2 && left != 4)
    return luna_onnx_fail(c,
                          "has %d inputs, which are not an input, lengths, "
                          "states, weights and biases",
                          count);
  r->input_weight = in[at];
  r->state_weight = in[at + 1];
  if (left == 4) {
    r->input_bias = in[at + 2];
    r->state_bias = in[at + 3];
  }
  return true;
}

static bool fits(const LunaOnnxValue *value, LunaOnnxType type, int64_t elems) {
  return !value ||
         (value->type == type && luna_onnx_elems(&value->shape) == elems);
}

static bool check_shapes(LunaOnnxImport *c, const LunaOnnxNode *n, LunaRnn *r) {
  const LunaShape *x = &n->inputs[0]->shape;
  const LunaShape *weight = &r->state_weight->shape;
  if (n->inputs[0]->type != LUNA_ONNX_I8 || x->rank != 3 || weight->rank < 2 ||
      weight->rank > 3 || !luna_onnx_check_shape(c, x))
    return luna_onnx_fail(
        c, "needs an int8 input of 3 dimensions and weights of 2");
  r->steps = x->dims[r->is_batch_first ? 1 : 0];
  r->batch = x->dims[r->is_batch_first ? 0 : 1];
  r->inputs = x->dims[2];
  r->hidden = weight->dims[weight->rank - 1];
  r->gates = r->cell.is_gru ? 3 : 4;
  int64_t columns = r->gates * r->hidden, size = r->batch * r->hidden;
  LunaShape out = {3, {r->steps, r->batch, columns}};
  if (!luna_onnx_check_shape(c, &out))
    return false;
  if (!fits(r->input_weight, LUNA_ONNX_I8, columns * r->inputs) ||
      !fits(r->state_weight, LUNA_ONNX_I8, columns * r->hidden) ||
      !fits(r->input_bias, LUNA_ONNX_I32, columns) ||
      !fits(r->state_bias, LUNA_ONNX_I32, columns))
    return luna_onnx_fail(c, "weights (int8) or biases (int32) do not fit the "
                             "input");
  for (int i = 0; i < r->states; ++i)
    if (r->given[i] && luna_onnx_elems(&r->given[i]->shape) != size)
      return luna_onnx_fail(c, "initial state does not fit");
  if (r->lengths && luna_onnx_elems(&r->lengths->shape) != r->batch &&
      luna_onnx_elems(&r->lengths->shape) != 1)
    return luna_onnx_fail(c, "needs one length per sequence");
  return true;
}

static bool read_scales(LunaOnnxImport *c, const LunaOnnxNode *n, LunaRnn *r) {
  int x, input_weight, state_weight, hidden, output;
  const char *hidden_name =
      luna_onnx_attr(n, "scale_h") ? "scale_h" : "scale_o";
  const char *output_name =
      luna_onnx_attr(n, "scale_o") ? "scale_o" : "scale_h";
  if (!luna_linger_scale(
          c, n, luna_onnx_attr(n, "scale_i") ? "scale_i" : "scale_x", &x) ||
      !luna_linger_scale(c, n, "scale_iw", &input_weight) ||
      !luna_linger_scale(c, n, "scale_hw", &state_weight) ||
      !luna_linger_scale(c, n, hidden_name, &hidden) ||
      !luna_linger_scale(c, n, output_name, &output))
    return false;
  LunaCell *cell = &r->cell;
  cell->hidden_bits = hidden;
  cell->input_bits = x + input_weight;
  cell->state_bits = hidden + state_weight;
  r->given_cell_bits = cell->arithmetic->cell_bits;
  if (luna_onnx_attr(n, "scale_c") &&
      !luna_linger_scale(c, n, "scale_c", &r->given_cell_bits))
    return false;
  if (hidden != output)
    return luna_onnx_fail(c, "scale_h must be scale_o");
  if (r->given_cell_bits < 0 || r->given_cell_bits > 31)
    return luna_onnx_fail(c, "needs scale_c from 1 to 2^31");
  if (hidden < 0 || hidden > 14 || cell->input_bits < 0 ||
      cell->input_bits > 31 || cell->state_bits < 0 || cell->state_bits > 31)
    return luna_onnx_fail(c,
                          "needs scale_o from 1 to 2^14, products of scales to "
                          "2^31");
  return true;
}

static bool read_node(LunaOnnxImport *c, const LunaOnnxNode *n, LunaRnn *r) {
  r->cell.is_gru = strcmp(n->op->detail, "gru") == 0;
  r->states = r->cell.is_gru ? 1 : 2;
  r->is_batch_first = luna_onnx_attr_int(n, "batch_first", 0) != 0;
  r->is_reverse = luna_onnx_attr_int(n, "go_forward", 1) == 0;
  if (luna_onnx_attr_int(n, "num_layers", 1) != 1)
    return luna_onnx_fail(c, "num_layers must be 1");
  if (!luna_linger_arithmetic(c, n, &r->cell.arithmetic))
    return false;
  if (r->cell.is_gru && !r->cell.arithmetic->has_gru)
    return luna_onnx_fail(c, "the GRU of this platform is not supported");
  return read_inputs(c, n, r) && check_shapes(c, n, r) && read_scales(c, n, r);
}

//===----------------------------------------------------------------------===//
// States in and out
//===----------------------------------------------------------------------===//

static MlirValue zero_element(LunaOnnxImport *c, const MlirValue *index,
                              void *data) {
  (void)index;
  return luna_onnx_lit(c, *(const LunaOnnxType *)data, 0);
}

static LunaOnnxValue *initial_state(LunaOnnxImport *c, const LunaOnnxNode *n,
                                    LunaRnn *r, int i) {
  LunaOnnxType type = i == 0 ? LUNA_ONNX_I8 : r->cell.arithmetic->cell_type;
  int bits = i == 0 ? r->cell.hidden_bits : r->cell.arithmetic->cell_bits;
  LunaShape shape = {2, {r->batch, r->hidden}};
  LunaOnnxValue *given = r->given[i];
  if (!given)
    return luna_onnx_from_ir(
        c, type, &shape,
        luna_onnx_generate(c, type, &shape, zero_element, &type));
  if (given->type == LUNA_ONNX_F32) {
    given = luna_linger_quantize(c, given, (double)(INT64_C(1) << bits), type);
  } else {
    r->has_integer_states = strcmp(n->proto->domain, "linger") != 0;
    if (given->type != type && !luna_onnx_is_int(given->type)) {
      luna_onnx_fail(c, "initial state must be float or integer");
      return NULL;
    }
    given = luna_linger_cast(c, given, i == 0 ? 0 : r->given_cell_bits - bits,
                             type);
  }
  return given ? luna_onnx_reshape_value(c, given, &shape) : NULL;
}

static LunaOnnxValue *final_state(LunaOnnxImport *c, const LunaRnn *r,
                                  LunaOnnxValue *state, int i) {
  LunaShape shape = {3, {1, r->batch, r->hidden}};
  state = luna_onnx_reshape_value(c, state, &shape);
  if (!r->has_integer_states)
    return luna_linger_dequantize(
        c, state, i == 0 ? r->cell.hidden_bits : r->cell.arithmetic->cell_bits);
  return i == 0 ? state : luna_linger_cast(c, state, 0, LUNA_ONNX_I32);
}

// Between [T, B, N] and [B, T, N].
static LunaOnnxValue *swap(LunaOnnxImport *c, LunaOnnxValue *value) {
  static const int perm[3] = {1, 0, 2};
  const int64_t *dims = value->shape.dims;
  LunaShape shape = {3, {dims[1], dims[0], dims[2]}};
  return dims[0] == 1 || dims[1] == 1
             ? luna_onnx_reshape_value(c, value, &shape)
             : luna_onnx_permute(c, value, perm);
}

bool luna_linger_op_rnn(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaRnn r = {.states = 0};
  LunaOnnxValue *state[2] = {NULL, NULL};
  if (!read_node(c, n, &r))
    return false;
  luna_linger_cell_init(c, &r.cell);
  r.x = r.is_batch_first ? swap(c, n->inputs[0]) : n->inputs[0];
  for (int i = 0; i < r.states; ++i)
    if (!(state[i] = initial_state(c, n, &r, i)))
      return false;
  LunaOnnxValue *output = run(c, &r, state);
  if (!output)
    return false;
  n->outputs[0] = r.is_batch_first ? swap(c, output) : output;
  for (int i = 0; i < r.states && i + 1 < n->output_count; ++i)
    n->outputs[i + 1] = final_state(c, &r, state[i], i);
  return true;
}
