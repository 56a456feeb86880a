// One time step of LUNA's LSTM and GRU. Each line of arithmetic is a vector
// operation of the runtime: it rounds and saturates where that does.

#include "linger.h"

// Exponents and shifts, as scales[] of a LunaNode has them.
enum { FROM_INPUT, FROM_STATE, FIRST, SECOND };

static MlirValue wide(OnnxImport *c, MlirValue x, OnnxType type) {
  return onnx_cast(c, x, type, ONNX_I64);
}

static MlirValue product(OnnxImport *c, MlirValue a, OnnxType a_type,
                         MlirValue b, OnnxType b_type) {
  return luna_scalar_mul(c->b, wide(c, a, a_type), wide(c, b, b_type));
}

// A 32-bit product brought to the bits that the curves take.
static MlirValue gate_part(OnnxImport *c, MlirValue x, int shift) {
  x = onnx_luna_round(c, wide(c, x, ONNX_I32), shift);
  return onnx_luna_saturate(c, x, ONNX_I32);
}

static MlirValue gate_element(OnnxImport *c, const OnnxNode *n, OnnxType type,
                              const MlirValue *args, int count) {
  (void)type, (void)count;
  const LunaNode *node = onnx_luna_node(n);
  MlirValue sum =
      luna_scalar_add(c->b, gate_part(c, args[0], node->scales[FROM_INPUT]),
                      gate_part(c, args[1], node->scales[FROM_STATE]));
  return onnx_luna_convert(c, sum, node->type);
}

// A curve of at most 31 bits, rounded to those of a gate.
static MlirValue curve_element(OnnxImport *c, const OnnxNode *n, OnnxType type,
                               const MlirValue *args, int count) {
  (void)count;
  const LunaNode *node = onnx_luna_node(n);
  int bits = node->curve->y_bits < 31 ? node->curve->y_bits : 31;
  MlirValue x =
      onnx_luna_curve(c, node->curve, node->table, wide(c, args[0], type));
  x = onnx_luna_round(c, x, node->curve->y_bits - bits);
  x = onnx_luna_saturate(c, x, ONNX_I32);
  x = onnx_luna_round(c, x, bits - node->scales[FIRST]);
  return onnx_luna_convert(c, x, node->type);
}

// round(a * 2^-FIRST), to the node's type.
static MlirValue narrow_element(OnnxImport *c, const OnnxNode *n, OnnxType type,
                                const MlirValue *args, int count) {
  (void)count;
  const LunaNode *node = onnx_luna_node(n);
  MlirValue x = onnx_luna_round(c, wide(c, args[0], type), node->scales[FIRST]);
  return onnx_luna_convert(c, x, node->type);
}

//===----------------------------------------------------------------------===//
// LSTM
//===----------------------------------------------------------------------===//

// forget * cell + in * fresh, gates of `type`.
static MlirValue cell_element(OnnxImport *c, const OnnxNode *n, OnnxType type,
                              const MlirValue *args, int count) {
  (void)count;
  const LunaNode *node = onnx_luna_node(n);
  MlirValue kept = product(c, args[0], type, args[1], node->type);
  MlirValue added = product(c, args[2], type, args[3], type);
  MlirValue sum = luna_scalar_add(c->b, onnx_luna_saturate(c, kept, ONNX_I32),
                                  onnx_luna_saturate(c, added, ONNX_I32));
  return onnx_luna_convert(c, onnx_luna_round(c, sum, node->scales[FIRST]),
                           ONNX_I32);
}

static MlirValue hidden_element(OnnxImport *c, const OnnxNode *n, OnnxType type,
                                const MlirValue *args, int count) {
  (void)count;
  MlirValue x = product(c, args[0], type, args[1], type);
  x = onnx_luna_round(c, x, onnx_luna_node(n)->scales[FIRST]);
  return onnx_luna_convert(c, x, ONNX_I8);
}

static OnnxValue *curve(OnnxImport *c, LunaNode node, const LunaCell *cell,
                        bool is_tanh, OnnxValue *x) {
  const LunaArithmetic *w = cell->arithmetic;
  node.type = w->gate_type;
  node.scales[FIRST] = w->gate_bits;
  node.curve = is_tanh ? &cell->tanh : &cell->sigmoid;
  node.table = is_tanh ? cell->tanh_table : cell->sigmoid_table;
  return x ? onnx_luna_map(c, &node, &x, 1, w->gate_type, curve_element) : NULL;
}

static OnnxValue *narrow(OnnxImport *c, LunaNode node, OnnxValue *x, int shift,
                         OnnxType type) {
  node.scales[FIRST] = shift;
  node.type = type;
  return onnx_luna_map(c, &node, &x, 1, type, narrow_element);
}

// Gates in, forget, fresh, out.
static bool lstm(OnnxImport *c, LunaNode node, const LunaCell *cell,
                 OnnxValue *from_input, OnnxValue *from_state,
                 OnnxValue **state) {
  const LunaArithmetic *w = cell->arithmetic;
  OnnxValue *pair[2] = {from_input, from_state}, *gates[4];
  int64_t size = state[0]->shape.dims[1];
  node.type = w->sum_type;
  OnnxValue *sums = onnx_luna_map(c, &node, pair, 2, w->sum_type, gate_element);
  if (!sums)
    return false;
  for (int i = 0; i < 4; ++i)
    gates[i] = curve(c, node, cell, i == 2, onnx_steps_part(c, sums, i, size));
  OnnxValue *mix[4] = {gates[1], state[1], gates[0], gates[2]};
  node.type = w->cell_type;
  node.scales[FIRST] = w->gate_bits + w->cell_bits - w->mix_bits;
  OnnxValue *sum = onnx_luna_map(c, &node, mix, 4, ONNX_I32, cell_element);
  if (!sum)
    return false;
  state[1] = narrow(c, node, sum, w->mix_bits - w->cell_bits, w->cell_type);
  OnnxValue *seen =
      narrow(c, node, sum, w->mix_bits - cell->tanh.x_bits, w->sum_type);
  OnnxValue *last[2] = {gates[3], curve(c, node, cell, true, seen)};
  node.scales[FIRST] = 2 * w->gate_bits - cell->hidden_bits;
  state[0] = onnx_luna_map(c, &node, last, 2, ONNX_I8, hidden_element);
  return state[0] && state[1];
}

//===----------------------------------------------------------------------===//
// GRU
//===----------------------------------------------------------------------===//

// The fresh gate's input: the state's part counts as far as `reset` says.
static MlirValue fresh_element(OnnxImport *c, const OnnxNode *n, OnnxType type,
                               const MlirValue *args, int count) {
  (void)type, (void)count;
  const LunaNode *node = onnx_luna_node(n);
  MlirValue state = gate_part(c, args[1], node->scales[FROM_STATE]);
  state = luna_scalar_mul(c->b, state, wide(c, args[2], ONNX_I8));
  state = onnx_luna_saturate(c, onnx_luna_round(c, state, 7), ONNX_I32);
  MlirValue sum = luna_scalar_add(
      c->b, gate_part(c, args[0], node->scales[FROM_INPUT]), state);
  return onnx_luna_convert(c, sum, ONNX_I16);
}

// update * state + (1 - update) * fresh, gates of 7 bits.
static MlirValue mix_element(OnnxImport *c, const OnnxNode *n, OnnxType type,
                             const MlirValue *args, int count) {
  (void)count;
  int bits = onnx_luna_node(n)->scales[FIRST];
  MlirValue update = wide(c, args[0], type);
  MlirValue state = onnx_luna_round(c, wide(c, args[1], type), bits - 7);
  state = onnx_luna_saturate(c, luna_scalar_mul(c->b, update, state), ONNX_I16);
  MlirValue rest =
      luna_scalar_sub(c->b, luna_scalar_int(c->b, c->b->i64, 128), update);
  MlirValue fresh = luna_scalar_mul(c->b, rest, wide(c, args[2], type));
  fresh = onnx_luna_saturate(c, fresh, ONNX_I16);
  MlirValue sum = luna_scalar_add(c->b, state, fresh);
  return onnx_luna_convert(c, onnx_luna_round(c, sum, 14 - bits), ONNX_I8);
}

// Gates reset, update, fresh.
static bool gru(OnnxImport *c, LunaNode node, const LunaCell *cell,
                OnnxValue *from_input, OnnxValue *from_state,
                OnnxValue **state) {
  int64_t size = state[0]->shape.dims[1];
  OnnxValue *gates[2];
  node.type = ONNX_I16;
  for (int i = 0; i < 2; ++i) {
    OnnxValue *pair[2] = {onnx_steps_part(c, from_input, i, size),
                          onnx_steps_part(c, from_state, i, size)};
    gates[i] = curve(c, node, cell, false,
                     onnx_luna_map(c, &node, pair, 2, ONNX_I16, gate_element));
    if (!gates[i])
      return false;
  }
  OnnxValue *inner[3] = {onnx_steps_part(c, from_input, 2, size),
                         onnx_steps_part(c, from_state, 2, size), gates[0]};
  OnnxValue *fresh =
      curve(c, node, cell, true,
            onnx_luna_map(c, &node, inner, 3, ONNX_I16, fresh_element));
  OnnxValue *mix[3] = {gates[1], state[0], fresh};
  node.scales[FIRST] = cell->hidden_bits;
  if (fresh)
    state[0] = onnx_luna_map(c, &node, mix, 3, ONNX_I8, mix_element);
  return fresh && state[0];
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

void onnx_luna_cell_init(OnnxImport *c, LunaCell *cell) {
  luna_curve_sigmoid(cell->arithmetic->curves, &cell->sigmoid);
  luna_curve_tanh(cell->arithmetic->curves, &cell->tanh);
  cell->sigmoid_table = onnx_luna_curve_table(c, &cell->sigmoid);
  cell->tanh_table = onnx_luna_curve_table(c, &cell->tanh);
}

bool onnx_luna_cell_step(OnnxImport *c, const OnnxNode *n, const LunaCell *cell,
                         OnnxValue *from_input, OnnxValue *from_state,
                         OnnxValue **state) {
  LunaNode node = {
      .node = *n,
      .arithmetic = cell->arithmetic,
      .scales = {cell->input_bits - cell->sigmoid.x_bits,
                 cell->state_bits - cell->sigmoid.x_bits},
  };
  return (cell->is_gru ? gru : lstm)(c, node, cell, from_input, from_state,
                                     state);
}
