// One time step of LUNA's LSTM and GRU. Each line of arithmetic is a vector
// operation of the runtime: it rounds and saturates where that does.

#include "linger.h"

// Exponents and shifts, as scales[] of a LunaFixed has them.
enum { FROM_INPUT, FROM_STATE, FIRST, SECOND };

static MlirValue wide(LunaOnnxImport *c, MlirValue x, LunaOnnxType type) {
  return luna_onnx_cast(c, x, type, LUNA_ONNX_I64);
}

static MlirValue product(LunaOnnxImport *c, MlirValue a, LunaOnnxType a_type,
                         MlirValue b, LunaOnnxType b_type) {
  return luna_scalar_mul(c->b, wide(c, a, a_type), wide(c, b, b_type));
}

// A 32-bit product brought to the bits that the curves take.
static MlirValue gate_part(LunaOnnxImport *c, MlirValue x, int shift) {
  x = luna_linger_round(c, wide(c, x, LUNA_ONNX_I32), shift);
  return luna_linger_saturate(c, x, LUNA_ONNX_I32);
}

static MlirValue gate_element(const LunaOnnxScalar *s) {
  const LunaFixed *node = s->data;
  MlirValue sum = luna_scalar_add(
      s->b, gate_part(s->c, s->args[0], node->scales[FROM_INPUT]),
      gate_part(s->c, s->args[1], node->scales[FROM_STATE]));
  return luna_linger_convert(s->c, sum, node->type);
}

// A curve of at most 31 bits, rounded to those of a gate.
static MlirValue curve_element(const LunaOnnxScalar *s) {
  const LunaFixed *node = s->data;
  int bits = node->curve->y_bits < 31 ? node->curve->y_bits : 31;
  MlirValue x = luna_linger_curve(s->c, node->curve, node->table,
                                  wide(s->c, s->args[0], s->type));
  x = luna_linger_round(s->c, x, node->curve->y_bits - bits);
  x = luna_linger_saturate(s->c, x, LUNA_ONNX_I32);
  x = luna_linger_round(s->c, x, bits - node->scales[FIRST]);
  return luna_linger_convert(s->c, x, node->type);
}

// round(a * 2^-FIRST), to the node's type.
static MlirValue narrow_element(const LunaOnnxScalar *s) {
  const LunaFixed *node = s->data;
  MlirValue x = luna_linger_round(s->c, wide(s->c, s->args[0], s->type),
                                  node->scales[FIRST]);
  return luna_linger_convert(s->c, x, node->type);
}

//===----------------------------------------------------------------------===//
// LSTM
//===----------------------------------------------------------------------===//

// forget * cell + in * fresh, gates of `type`.
static MlirValue cell_element(const LunaOnnxScalar *s) {
  const LunaFixed *node = s->data;
  MlirValue kept = product(s->c, s->args[0], s->type, s->args[1], node->type);
  MlirValue added = product(s->c, s->args[2], s->type, s->args[3], s->type);
  MlirValue sum =
      luna_scalar_add(s->b, luna_linger_saturate(s->c, kept, LUNA_ONNX_I32),
                      luna_linger_saturate(s->c, added, LUNA_ONNX_I32));
  return luna_linger_convert(
      s->c, luna_linger_round(s->c, sum, node->scales[FIRST]), LUNA_ONNX_I32);
}

static MlirValue hidden_element(const LunaOnnxScalar *s) {
  MlirValue x = product(s->c, s->args[0], s->type, s->args[1], s->type);
  x = luna_linger_round(s->c, x, ((const LunaFixed *)s->data)->scales[FIRST]);
  return luna_linger_convert(s->c, x, LUNA_ONNX_I8);
}

static LunaOnnxValue *curve(LunaOnnxImport *c, LunaFixed node,
                            const LunaCell *cell, bool is_tanh,
                            LunaOnnxValue *x) {
  const LunaArithmetic *w = cell->arithmetic;
  node.type = w->gate_type;
  node.scales[FIRST] = w->gate_bits;
  node.curve = is_tanh ? &cell->tanh : &cell->sigmoid;
  node.table = is_tanh ? cell->tanh_table : cell->sigmoid_table;
  return x ? luna_onnx_map(c, &node, &x, 1, w->gate_type, curve_element) : NULL;
}

static LunaOnnxValue *narrow(LunaOnnxImport *c, LunaFixed node,
                             LunaOnnxValue *x, int shift, LunaOnnxType type) {
  node.scales[FIRST] = shift;
  node.type = type;
  return luna_onnx_map(c, &node, &x, 1, type, narrow_element);
}

// Gates in, forget, fresh, out.
static bool lstm(LunaOnnxImport *c, LunaFixed node, const LunaCell *cell,
                 LunaOnnxValue *from_input, LunaOnnxValue *from_state,
                 LunaOnnxValue **state) {
  const LunaArithmetic *w = cell->arithmetic;
  LunaOnnxValue *pair[2] = {from_input, from_state}, *gates[4];
  int64_t size = state[0]->shape.dims[1];
  node.type = w->sum_type;
  LunaOnnxValue *sums =
      luna_onnx_map(c, &node, pair, 2, w->sum_type, gate_element);
  if (!sums)
    return false;
  for (int i = 0; i < 4; ++i)
    gates[i] =
        curve(c, node, cell, i == 2, luna_onnx_steps_part(c, sums, i, size));
  LunaOnnxValue *mix[4] = {gates[1], state[1], gates[0], gates[2]};
  node.type = w->cell_type;
  node.scales[FIRST] = w->gate_bits + w->cell_bits - w->mix_bits;
  LunaOnnxValue *sum =
      luna_onnx_map(c, &node, mix, 4, LUNA_ONNX_I32, cell_element);
  if (!sum)
    return false;
  state[1] = narrow(c, node, sum, w->mix_bits - w->cell_bits, w->cell_type);
  LunaOnnxValue *seen =
      narrow(c, node, sum, w->mix_bits - cell->tanh.x_bits, w->sum_type);
  LunaOnnxValue *last[2] = {gates[3], curve(c, node, cell, true, seen)};
  node.scales[FIRST] = 2 * w->gate_bits - cell->hidden_bits;
  state[0] = luna_onnx_map(c, &node, last, 2, LUNA_ONNX_I8, hidden_element);
  return state[0] && state[1];
}

//===----------------------------------------------------------------------===//
// GRU
//===----------------------------------------------------------------------===//

// The fresh gate's input: the state's part counts as far as `reset` says.
static MlirValue fresh_element(const LunaOnnxScalar *s) {
  const LunaFixed *node = s->data;
  MlirValue state = gate_part(s->c, s->args[1], node->scales[FROM_STATE]);
  state = luna_scalar_mul(s->b, state, wide(s->c, s->args[2], LUNA_ONNX_I8));
  state = luna_linger_saturate(s->c, luna_linger_round(s->c, state, 7),
                               LUNA_ONNX_I32);
  MlirValue sum = luna_scalar_add(
      s->b, gate_part(s->c, s->args[0], node->scales[FROM_INPUT]), state);
  return luna_linger_convert(s->c, sum, LUNA_ONNX_I16);
}

// update * state + (1 - update) * fresh, gates of 7 bits.
static MlirValue mix_element(const LunaOnnxScalar *s) {
  int bits = ((const LunaFixed *)s->data)->scales[FIRST];
  MlirValue update = wide(s->c, s->args[0], s->type);
  MlirValue state =
      luna_linger_round(s->c, wide(s->c, s->args[1], s->type), bits - 7);
  state = luna_linger_saturate(s->c, luna_scalar_mul(s->b, update, state),
                               LUNA_ONNX_I16);
  MlirValue rest =
      luna_scalar_sub(s->b, luna_scalar_int(s->b, s->b->i64, 128), update);
  MlirValue fresh =
      luna_scalar_mul(s->b, rest, wide(s->c, s->args[2], s->type));
  fresh = luna_linger_saturate(s->c, fresh, LUNA_ONNX_I16);
  MlirValue sum = luna_scalar_add(s->b, state, fresh);
  return luna_linger_convert(s->c, luna_linger_round(s->c, sum, 14 - bits),
                             LUNA_ONNX_I8);
}

// Gates reset, update, fresh.
static bool gru(LunaOnnxImport *c, LunaFixed node, const LunaCell *cell,
                LunaOnnxValue *from_input, LunaOnnxValue *from_state,
                LunaOnnxValue **state) {
  int64_t size = state[0]->shape.dims[1];
  LunaOnnxValue *gates[2];
  node.type = LUNA_ONNX_I16;
  for (int i = 0; i < 2; ++i) {
    LunaOnnxValue *pair[2] = {luna_onnx_steps_part(c, from_input, i, size),
                              luna_onnx_steps_part(c, from_state, i, size)};
    gates[i] =
        curve(c, node, cell, false,
              luna_onnx_map(c, &node, pair, 2, LUNA_ONNX_I16, gate_element));
    if (!gates[i])
      return false;
  }
  LunaOnnxValue *inner[3] = {luna_onnx_steps_part(c, from_input, 2, size),
                             luna_onnx_steps_part(c, from_state, 2, size),
                             gates[0]};
  LunaOnnxValue *fresh =
      curve(c, node, cell, true,
            luna_onnx_map(c, &node, inner, 3, LUNA_ONNX_I16, fresh_element));
  LunaOnnxValue *mix[3] = {gates[1], state[0], fresh};
  node.scales[FIRST] = cell->hidden_bits;
  if (fresh)
    state[0] = luna_onnx_map(c, &node, mix, 3, LUNA_ONNX_I8, mix_element);
  return fresh && state[0];
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

void luna_linger_cell_init(LunaOnnxImport *c, LunaCell *cell) {
  luna_curve_sigmoid(cell->arithmetic->curves, &cell->sigmoid);
  luna_curve_tanh(cell->arithmetic->curves, &cell->tanh);
  cell->sigmoid_table = luna_linger_curve_table(c, &cell->sigmoid);
  cell->tanh_table = luna_linger_curve_table(c, &cell->tanh);
}

bool luna_linger_cell_step(LunaOnnxImport *c, const LunaCell *cell,
                           LunaOnnxValue *from_input, LunaOnnxValue *from_state,
                           LunaOnnxValue **state) {
  LunaFixed node = {
      .arithmetic = cell->arithmetic,
      .scales = {cell->input_bits - cell->sigmoid.x_bits,
                 cell->state_bits - cell->sigmoid.x_bits},
  };
  return (cell->is_gru ? gru : lstm)(c, node, cell, from_input, from_state,
                                     state);
}
