// LUNA's softmax and its logarithm: exponentials are a table for the host, the
// rest is fixed point.

#include "linger.h"

//===----------------------------------------------------------------------===//
// Exponentials and their share of the sum
//===----------------------------------------------------------------------===//

// The exponential of how far an element is below the largest.
static MlirValue exp_element(OnnxImport *c, const OnnxNode *n, OnnxType type,
                             const MlirValue *args, int count) {
  (void)count;
  const LunaNode *node = onnx_luna_node(n);
  MlirValue x = onnx_cast(c, args[0], type, ONNX_I64);
  MlirValue largest = onnx_cast(c, args[1], type, ONNX_I64);
  MlirValue below =
      onnx_cast_index(c, luna_scalar_sub(c->b, largest, x), ONNX_I64);
  MlirValue y = luna_scalar_extract(c->b, node->table, &below);
  return onnx_cast(c, y, ONNX_I32, node->type);
}

// 2^60 / sum by two steps of Newton's method on 23 bits.
static MlirValue newton_inverse(OnnxImport *c, MlirValue sum) {
  OnnxType type = ONNX_I64;
  MlirValue zeros = luna_scalar_unary(c->b, "math.ctlz", sum);
  MlirValue shift = luna_scalar_sub(c->b, onnx_lit(c, type, 41), zeros);
  MlirValue x = luna_scalar(c->b, "arith.shrsi", sum, shift);
  MlirValue y = luna_scalar_sub(c->b, onnx_lit(c, type, 0xbb5000), x);
  for (int i = 0; i < 2; ++i) {
    MlirValue product = onnx_luna_round(c, luna_scalar_mul(c->b, x, y), 23);
    MlirValue off = luna_scalar_sub(c->b, onnx_lit(c, type, 0x400000), product);
    off = luna_scalar_add(c->b, off, off);
    off = onnx_luna_round(c, luna_scalar_mul(c->b, y, off), 23);
    y = luna_scalar_add(c->b, y, off);
  }
  return luna_scalar(c->b, "arith.shrsi", luna_scalar_add(c->b, y, y), shift);
}

// The factor of an exponential whose products lie in INVERSE_BITS.
static MlirValue inverse_element(OnnxImport *c, const OnnxNode *n,
                                 OnnxType type, const MlirValue *args,
                                 int count) {
  (void)count;
  MlirValue sum = onnx_cast(c, args[0], type, ONNX_I64);
  sum = onnx_luna_saturate(c, sum, ONNX_I32);
  if (onnx_luna_node(n)->arithmetic->inverts_by_newton)
    return newton_inverse(c, sum);
  MlirValue quotient = luna_scalar_div(
      c->b, luna_scalar_int(c->b, c->b->i64, INT64_C(1) << 52), sum);
  return luna_scalar_add(c->b, quotient, quotient);
}

// With LUNA_SOFTMAX_BITS.
static MlirValue share(OnnxImport *c, const LunaNode *node, OnnxType type,
                       const MlirValue *args) {
  MlirValue x = onnx_cast(c, args[0], type, ONNX_I64);
  x = luna_scalar_mul(c->b, x, args[1]);
  return onnx_luna_round(c, x, node->arithmetic->share_shift);
}

static MlirValue exp_table(OnnxImport *c, const LunaArithmetic *arithmetic,
                           int scale) {
  int32_t entries[256];
  LunaShape list = {1, {256}};
  for (int i = 0; i < 256; ++i)
    entries[i] = luna_exp(-(int64_t)i * (INT64_C(1) << (LUNA_EXP_BITS - scale)),
                          arithmetic->exp_rounds_once);
  return onnx_const(c, ONNX_I32, &list, entries);
}

// Reads the node and makes its exponentials, the largest elements and the sums
// of the exponentials. Exponents of scales are scales[0] and [1].
typedef struct Exponentials {
  OnnxValue *each, *largest, *sum;
} Exponentials;

static bool exponentials(OnnxImport *c, const OnnxNode *n, LunaNode *node,
                         Exponentials *made) {
  OnnxValue *value = n->inputs[0];
  bool axes[ONNX_MAX_RANK] = {false};
  int axis, *scales = node->scales;
  int64_t given = onnx_attr_int(n, onnx_attr(n, "dim") ? "dim" : "axis", -1);
  if (!onnx_luna_needs_i8(c, n, 1) ||
      !onnx_luna_arithmetic(c, n, &node->arithmetic) ||
      !onnx_luna_scale(c, n, "scale_x", &scales[0]) ||
      !onnx_luna_scale(c, n, "scale_o", &scales[1]) ||
      !onnx_axis(c, given, value->shape.rank, &axis))
    return false;
  if (scales[0] < 1 || scales[0] > LUNA_EXP_BITS || scales[1] < 0 ||
      scales[1] > LUNA_SOFTMAX_BITS)
    return onnx_fail(c, "needs scale_x from 2 to 2^25, scale_o to 2^15");
  axes[axis] = true;
  node->table = exp_table(c, node->arithmetic, scales[0]);
  // An exponential has 24 bits: so many of them fit 32.
  node->type = value->shape.dims[axis] < 256 ? ONNX_I32 : ONNX_I64;
  made->largest = onnx_reduce(c, value, axes, ONNX_MAX);
  OnnxValue *pair[2] = {value, made->largest};
  made->each = onnx_luna_map(c, node, pair, 2, node->type, exp_element);
  made->sum = made->each ? onnx_reduce(c, made->each, axes, ONNX_SUM) : NULL;
  return made->sum != NULL;
}

// Applies `fn` to the exponentials and the inverses of their sums.
static OnnxValue *of_shares(OnnxImport *c, const LunaNode *node,
                            Exponentials *made, OnnxScalarFn fn) {
  OnnxValue *pair[2] = {made->each, onnx_luna_map(c, node, &made->sum, 1,
                                                  ONNX_I64, inverse_element)};
  return onnx_luna_map(c, node, pair, 2, ONNX_I8, fn);
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

static MlirValue softmax_element(OnnxImport *c, const OnnxNode *n,
                                 OnnxType type, const MlirValue *args,
                                 int count) {
  (void)count;
  const LunaNode *node = onnx_luna_node(n);
  MlirValue x = onnx_luna_round(c, share(c, node, type, args),
                                LUNA_SOFTMAX_BITS - node->scales[1]);
  return onnx_luna_convert(c, x, ONNX_I8);
}

ONNX_HANDLER(luna_softmax) {
  LunaNode node = {.node = *n};
  Exponentials made;
  if (!exponentials(c, n, &node, &made))
    return false;
  n->outputs[0] = of_shares(c, &node, &made, softmax_element);
  return n->outputs[0] != NULL;
}

//===----------------------------------------------------------------------===//
// Logarithm of softmax
//===----------------------------------------------------------------------===//

// Of a share: a straight line for each of LUNA_LOG_PIECES, by the bits behind
// the first; the logarithm to base two has LUNA_EXP_BITS.
static MlirValue log_table(OnnxImport *c) {
  int64_t numbers[2][LUNA_LOG_PIECES];
  LunaShape shape = {2, {2, LUNA_LOG_PIECES}};
  for (int i = 0; i < LUNA_LOG_PIECES; ++i)
    luna_log_piece(i, &numbers[0][i], &numbers[1][i]);
  return onnx_const(c, ONNX_I64, &shape, numbers);
}

static MlirValue shift_right(OnnxImport *c, MlirValue x, int shift) {
  return luna_scalar(c->b, "arith.shrsi", x,
                     luna_scalar_int(c->b, c->b->i64, shift));
}

// ln(x * 2^-LUNA_SOFTMAX_BITS), the lowest number for x = 0.
static MlirValue natural_log(OnnxImport *c, MlirValue table, MlirValue x) {
  OnnxType type = ONNX_I64;
  // The first bit goes to place 30; 23 bits lie below the piece's.
  MlirValue up = luna_scalar_sub(c->b, luna_scalar_unary(c->b, "math.ctlz", x),
                                 onnx_lit(c, type, 33));
  MlirValue bits =
      luna_scalar(c->b, "arith.andi", luna_scalar(c->b, "arith.shli", x, up),
                  onnx_lit(c, type, (1 << 30) - 1));
  MlirValue piece = onnx_cast_index(c, shift_right(c, bits, 23), type);
  MlirValue off =
      luna_scalar(c->b, "arith.andi", bits, onnx_lit(c, type, (1 << 23) - 1));
  off = luna_scalar_sub(c->b, off, onnx_lit(c, type, 1 << 22));
  off = luna_scalar_mul(c->b, off, onnx_luna_entry(c, table, 1, piece));
  off = onnx_luna_round(c, off, -3);
  MlirValue y = onnx_luna_round(c, onnx_luna_entry(c, table, 0, piece), -32);
  y = shift_right(c, luna_scalar_add(c->b, y, off), 38);
  MlirValue power = luna_scalar_sub(c->b, onnx_lit(c, type, 16), up);
  y = luna_scalar_add(c->b, y, onnx_luna_round(c, power, -LUNA_EXP_BITS));
  // Times ln(2); halves go away from zero.
  y = luna_scalar_mul(c->b, y, onnx_lit(c, type, 0x58b90bfc));
  MlirValue half =
      luna_scalar_add(c->b, shift_right(c, y, 63), onnx_lit(c, type, 1 << 30));
  y = shift_right(c, luna_scalar_add(c->b, y, half), 31);
  MlirValue none = onnx_compare(c, type, LUNA_LE, x, onnx_lit(c, type, 0));
  return luna_scalar_select(c->b, none, onnx_lit(c, type, INT32_MIN), y);
}

static MlirValue log_share_element(OnnxImport *c, const OnnxNode *n,
                                   OnnxType type, const MlirValue *args,
                                   int count) {
  (void)count;
  const LunaNode *node = onnx_luna_node(n);
  MlirValue y = natural_log(c, node->table, share(c, node, type, args));
  y = onnx_luna_round(c, y, LUNA_EXP_BITS - node->scales[1]);
  return onnx_luna_convert(c, y, ONNX_I8);
}

// Venusa takes the logarithm of the sum: from a table by the nine bits behind
// the first. A sum has 23 fraction bits, of which 15 count.
static MlirValue log_sum_element(OnnxImport *c, const OnnxNode *n,
                                 OnnxType type, const MlirValue *args,
                                 int count) {
  (void)count;
  OnnxType wide = ONNX_I64;
  MlirValue sum = onnx_luna_round(c, onnx_cast(c, args[0], type, wide), 8);
  sum = onnx_luna_saturate(c, sum, ONNX_I32);
  MlirValue place = luna_scalar_sub(c->b, onnx_lit(c, wide, 63),
                                    luna_scalar_unary(c->b, "math.ctlz", sum));
  MlirValue at = luna_scalar(
      c->b, "arith.shrsi", sum,
      luna_scalar_sub(c->b, place, onnx_lit(c, wide, LUNA_LOG_BITS)));
  at = luna_scalar_sub(c->b, at, onnx_lit(c, wide, 1 << LUNA_LOG_BITS));
  at = onnx_luna_clamp(c, at, 0, (1 << LUNA_LOG_BITS) - 1);
  MlirValue index = onnx_cast_index(c, at, wide);
  MlirValue y = luna_scalar_extract(c->b, onnx_luna_node(n)->table, &index);
  MlirValue power = luna_scalar_sub(c->b, place, onnx_lit(c, wide, 15));
  power = luna_scalar_mul(
      c->b, power, onnx_lit(c, wide, luna_log_entry(1 << LUNA_LOG_BITS)));
  y = luna_scalar_add(c->b, onnx_cast(c, y, ONNX_I32, wide), power);
  return shift_right(c, y, 1);
}

static MlirValue log_below_element(OnnxImport *c, const OnnxNode *n,
                                   OnnxType type, const MlirValue *args,
                                   int count) {
  (void)count;
  const LunaNode *node = onnx_luna_node(n);
  MlirValue y = luna_scalar_sub(c->b, onnx_cast(c, args[0], type, ONNX_I64),
                                onnx_cast(c, args[1], type, ONNX_I64));
  y = onnx_luna_round(c, y, node->scales[0] - LUNA_SOFTMAX_BITS);
  y = luna_scalar_sub(c->b, y, args[2]);
  y = onnx_luna_round(c, y, LUNA_SOFTMAX_BITS - node->scales[1]);
  return onnx_luna_convert(c, y, ONNX_I8);
}

static OnnxValue *log_of_sums(OnnxImport *c, const OnnxNode *n, LunaNode *node,
                              Exponentials *made) {
  int32_t entries[1 << LUNA_LOG_BITS];
  LunaShape list = {1, {1 << LUNA_LOG_BITS}};
  for (int i = 0; i < 1 << LUNA_LOG_BITS; ++i)
    entries[i] = luna_log_entry(i);
  node->table = onnx_const(c, ONNX_I32, &list, entries);
  OnnxValue *all[3] = {
      n->inputs[0], made->largest,
      onnx_luna_map(c, node, &made->sum, 1, ONNX_I64, log_sum_element)};
  return onnx_luna_map(c, node, all, 3, ONNX_I8, log_below_element);
}

ONNX_HANDLER(luna_log_softmax) {
  LunaNode node = {.node = *n};
  Exponentials made;
  if (onnx_attr_int(n, "o_bits", 8) != 8)
    return onnx_fail(c, "o_bits must be 8, is %lld",
                     (long long)onnx_attr_int(n, "o_bits", 8));
  if (!exponentials(c, n, &node, &made))
    return false;
  if (node.arithmetic->log_softmax_of_sums) {
    n->outputs[0] = log_of_sums(c, n, &node, &made);
  } else {
    node.table = log_table(c);
    n->outputs[0] = of_shares(c, &node, &made, log_share_element);
  }
  return n->outputs[0] != NULL;
}
