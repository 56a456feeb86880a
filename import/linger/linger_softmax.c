// LUNA's softmax and its logarithm: exponentials are a table for the host, the
// rest is fixed point.

#include "linger.h"

//===----------------------------------------------------------------------===//
// Exponentials and their share of the sum
//===----------------------------------------------------------------------===//

// The exponential of how far an element is below the largest.
static MlirValue exp_element(const LunaOnnxScalar *s) {
  const LunaFixed *node = s->data;
  MlirValue x = luna_linger_wide(s, 0);
  MlirValue largest = luna_linger_wide(s, 1);
  MlirValue below = luna_onnx_cast_index(
      s->c, luna_scalar_sub(s->b, largest, x), LUNA_ONNX_I64);
  MlirValue y = luna_scalar_extract(s->b, node->table, &below);
  return luna_onnx_cast(s->c, y, LUNA_ONNX_I32, node->type);
}

// 2^60 / sum by two steps of Newton's method on 23 bits.
static MlirValue newton_inverse(LunaOnnxImport *c, MlirValue sum) {
  LunaOnnxType type = LUNA_ONNX_I64;
  MlirValue zeros = luna_scalar_unary(c->b, "math.ctlz", sum);
  MlirValue shift = luna_scalar_sub(c->b, luna_onnx_lit(c, type, 41), zeros);
  MlirValue x = luna_scalar(c->b, "arith.shrsi", sum, shift);
  MlirValue y = luna_scalar_sub(c->b, luna_onnx_lit(c, type, 0xbb5000), x);
  for (int i = 0; i < 2; ++i) {
    MlirValue product = luna_linger_round(c, luna_scalar_mul(c->b, x, y), 23);
    MlirValue off =
        luna_scalar_sub(c->b, luna_onnx_lit(c, type, 0x400000), product);
    off = luna_scalar_add(c->b, off, off);
    off = luna_linger_round(c, luna_scalar_mul(c->b, y, off), 23);
    y = luna_scalar_add(c->b, y, off);
  }
  return luna_scalar(c->b, "arith.shrsi", luna_scalar_add(c->b, y, y), shift);
}

// The factor of an exponential whose products lie in INVERSE_BITS.
static MlirValue inverse_element(const LunaOnnxScalar *s) {
  MlirValue sum = luna_linger_wide(s, 0);
  sum = luna_linger_saturate(s->c, sum, LUNA_ONNX_I32);
  if (((const LunaFixed *)s->data)->arithmetic->inverts_by_newton)
    return newton_inverse(s->c, sum);
  MlirValue quotient = luna_scalar_div(
      s->b, luna_scalar_int(s->b, s->b->i64, INT64_C(1) << 52), sum);
  return luna_scalar_add(s->b, quotient, quotient);
}

// With LUNA_SOFTMAX_BITS.
static MlirValue share(LunaOnnxImport *c, const LunaFixed *node,
                       LunaOnnxType type, const MlirValue *args) {
  MlirValue x = luna_onnx_cast(c, args[0], type, LUNA_ONNX_I64);
  x = luna_scalar_mul(c->b, x, args[1]);
  return luna_linger_round(c, x, node->arithmetic->share_shift);
}

static MlirValue exp_table(LunaOnnxImport *c, const LunaArithmetic *arithmetic,
                           int scale) {
  int32_t entries[256];
  LunaShape list = {1, {256}};
  for (int i = 0; i < 256; ++i)
    entries[i] = luna_exp(-(int64_t)i * (INT64_C(1) << (LUNA_EXP_BITS - scale)),
                          arithmetic->exp_rounds_once);
  return luna_onnx_const(c, LUNA_ONNX_I32, &list, entries);
}

// Reads the node and makes its exponentials, the largest elements and the sums
// of the exponentials. Exponents of scales are scales[0] and [1].
typedef struct Exponentials {
  LunaOnnxValue *each, *largest, *sum;
} Exponentials;

static bool exponentials(LunaOnnxImport *c, const LunaOnnxNode *n,
                         LunaFixed *node, Exponentials *made) {
  LunaOnnxValue *value = n->inputs[0];
  bool axes[LUNA_ONNX_MAX_RANK] = {false};
  int axis, *scales = node->scales;
  int64_t given =
      luna_onnx_attr_int(n, luna_onnx_attr(n, "dim") ? "dim" : "axis", -1);
  if (!luna_linger_needs_i8(c, n, 1) ||
      !luna_linger_arithmetic(c, n, &node->arithmetic) ||
      !luna_linger_scale(c, n, "scale_x", &scales[0]) ||
      !luna_linger_scale(c, n, "scale_o", &scales[1]) ||
      !luna_onnx_axis(c, given, value->shape.rank, &axis))
    return false;
  if (scales[0] < 1 || scales[0] > LUNA_EXP_BITS || scales[1] < 0 ||
      scales[1] > LUNA_SOFTMAX_BITS)
    return luna_onnx_fail(c, "needs scale_x from 2 to 2^25, scale_o to 2^15");
  axes[axis] = true;
  node->table = exp_table(c, node->arithmetic, scales[0]);
  // An exponential has 24 bits: so many of them fit 32.
  node->type = value->shape.dims[axis] < 256 ? LUNA_ONNX_I32 : LUNA_ONNX_I64;
  made->largest = luna_onnx_reduce(c, value, axes, LUNA_ONNX_MAX);
  LunaOnnxValue *pair[2] = {value, made->largest};
  made->each = luna_onnx_map(c, node, pair, 2, node->type, exp_element);
  made->sum =
      made->each ? luna_onnx_reduce(c, made->each, axes, LUNA_ONNX_SUM) : NULL;
  return made->sum != NULL;
}

// Applies `fn` to the exponentials and the inverses of their sums.
static LunaOnnxValue *of_shares(LunaOnnxImport *c, const LunaFixed *node,
                                Exponentials *made, LunaOnnxScalarFn fn) {
  LunaOnnxValue *pair[2] = {
      made->each,
      luna_onnx_map(c, node, &made->sum, 1, LUNA_ONNX_I64, inverse_element)};
  return luna_onnx_map(c, node, pair, 2, LUNA_ONNX_I8, fn);
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

static MlirValue softmax_element(const LunaOnnxScalar *s) {
  const LunaFixed *node = s->data;
  MlirValue x = luna_linger_round(s->c, share(s->c, node, s->type, s->args),
                                  LUNA_SOFTMAX_BITS - node->scales[1]);
  return luna_linger_convert(s->c, x, LUNA_ONNX_I8);
}

bool luna_linger_op_softmax(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaFixed node = {.curve = NULL};
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
static MlirValue log_table(LunaOnnxImport *c) {
  int64_t numbers[2][LUNA_LOG_PIECES];
  LunaShape shape = {2, {2, LUNA_LOG_PIECES}};
  for (int i = 0; i < LUNA_LOG_PIECES; ++i)
    luna_log_piece(i, &numbers[0][i], &numbers[1][i]);
  return luna_onnx_const(c, LUNA_ONNX_I64, &shape, numbers);
}

static MlirValue shift_right(LunaOnnxImport *c, MlirValue x, int shift) {
  return luna_scalar(c->b, "arith.shrsi", x,
                     luna_scalar_int(c->b, c->b->i64, shift));
}

// ln(x * 2^-LUNA_SOFTMAX_BITS), the lowest number for x = 0.
static MlirValue natural_log(LunaOnnxImport *c, MlirValue table, MlirValue x) {
  LunaOnnxType type = LUNA_ONNX_I64;
  // The first bit goes to place 30; 23 bits lie below the piece's.
  MlirValue up = luna_scalar_sub(c->b, luna_scalar_unary(c->b, "math.ctlz", x),
                                 luna_onnx_lit(c, type, 33));
  MlirValue bits =
      luna_scalar(c->b, "arith.andi", luna_scalar(c->b, "arith.shli", x, up),
                  luna_onnx_lit(c, type, (1 << 30) - 1));
  MlirValue piece = luna_onnx_cast_index(c, shift_right(c, bits, 23), type);
  MlirValue off = luna_scalar(c->b, "arith.andi", bits,
                              luna_onnx_lit(c, type, (1 << 23) - 1));
  off = luna_scalar_sub(c->b, off, luna_onnx_lit(c, type, 1 << 22));
  off = luna_scalar_mul(c->b, off, luna_linger_entry(c, table, 1, piece));
  off = luna_linger_round(c, off, -3);
  MlirValue y =
      luna_linger_round(c, luna_linger_entry(c, table, 0, piece), -32);
  y = shift_right(c, luna_scalar_add(c->b, y, off), 38);
  MlirValue power = luna_scalar_sub(c->b, luna_onnx_lit(c, type, 16), up);
  y = luna_scalar_add(c->b, y, luna_linger_round(c, power, -LUNA_EXP_BITS));
  // Times ln(2); halves go away from zero.
  y = luna_scalar_mul(c->b, y, luna_onnx_lit(c, type, 0x58b90bfc));
  MlirValue half = luna_scalar_add(c->b, shift_right(c, y, 63),
                                   luna_onnx_lit(c, type, 1 << 30));
  y = shift_right(c, luna_scalar_add(c->b, y, half), 31);
  MlirValue none =
      luna_onnx_compare(c, type, LUNA_LE, x, luna_onnx_lit(c, type, 0));
  return luna_scalar_select(c->b, none, luna_onnx_lit(c, type, INT32_MIN), y);
}

static MlirValue log_share_element(const LunaOnnxScalar *s) {
  const LunaFixed *node = s->data;
  MlirValue y =
      natural_log(s->c, node->table, share(s->c, node, s->type, s->args));
  y = luna_linger_round(s->c, y, LUNA_EXP_BITS - node->scales[1]);
  return luna_linger_convert(s->c, y, LUNA_ONNX_I8);
}

// Venusa takes the logarithm of the sum: from a table by the nine bits behind
// the first. A sum has 23 fraction bits, of which 15 count.
static MlirValue log_sum_element(const LunaOnnxScalar *s) {
  LunaOnnxType wide = LUNA_ONNX_I64;
  MlirValue sum = luna_linger_round(
      s->c, luna_onnx_cast(s->c, s->args[0], s->type, wide), 8);
  sum = luna_linger_saturate(s->c, sum, LUNA_ONNX_I32);
  MlirValue place = luna_scalar_sub(s->b, luna_onnx_lit(s->c, wide, 63),
                                    luna_scalar_unary(s->b, "math.ctlz", sum));
  MlirValue at = luna_scalar(
      s->b, "arith.shrsi", sum,
      luna_scalar_sub(s->b, place, luna_onnx_lit(s->c, wide, LUNA_LOG_BITS)));
  at = luna_scalar_sub(s->b, at, luna_onnx_lit(s->c, wide, 1 << LUNA_LOG_BITS));
  at = luna_linger_clamp(s->c, at, 0, (1 << LUNA_LOG_BITS) - 1);
  MlirValue index = luna_onnx_cast_index(s->c, at, wide);
  MlirValue y =
      luna_scalar_extract(s->b, ((const LunaFixed *)s->data)->table, &index);
  MlirValue power = luna_scalar_sub(s->b, place, luna_onnx_lit(s->c, wide, 15));
  power = luna_scalar_mul(
      s->b, power,
      luna_onnx_lit(s->c, wide, luna_log_entry(1 << LUNA_LOG_BITS)));
  y = luna_scalar_add(s->b, luna_onnx_cast(s->c, y, LUNA_ONNX_I32, wide),
                      power);
  return shift_right(s->c, y, 1);
}

static MlirValue log_below_element(const LunaOnnxScalar *s) {
  const LunaFixed *node = s->data;
  MlirValue y =
      luna_scalar_sub(s->b, luna_linger_wide(s, 0), luna_linger_wide(s, 1));
  y = luna_linger_round(s->c, y, node->scales[0] - LUNA_SOFTMAX_BITS);
  y = luna_scalar_sub(s->b, y, s->args[2]);
  y = luna_linger_round(s->c, y, LUNA_SOFTMAX_BITS - node->scales[1]);
  return luna_linger_convert(s->c, y, LUNA_ONNX_I8);
}

static LunaOnnxValue *log_of_sums(LunaOnnxImport *c, const LunaOnnxNode *n,
                                  LunaFixed *node, Exponentials *made) {
  int32_t entries[1 << LUNA_LOG_BITS];
  LunaShape list = {1, {1 << LUNA_LOG_BITS}};
  for (int i = 0; i < 1 << LUNA_LOG_BITS; ++i)
    entries[i] = luna_log_entry(i);
  node->table = luna_onnx_const(c, LUNA_ONNX_I32, &list, entries);
  LunaOnnxValue *all[3] = {
      n->inputs[0], made->largest,
      luna_onnx_map(c, node, &made->sum, 1, LUNA_ONNX_I64, log_sum_element)};
  return luna_onnx_map(c, node, all, 3, LUNA_ONNX_I8, log_below_element);
}

bool luna_linger_op_log_softmax(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaFixed node = {.curve = NULL};
  Exponentials made;
  if (luna_onnx_attr_int(n, "o_bits", 8) != 8)
    return luna_onnx_fail(c, "o_bits must be 8, is %lld",
                          (long long)luna_onnx_attr_int(n, "o_bits", 8));
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
