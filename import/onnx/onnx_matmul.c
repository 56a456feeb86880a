// Matrix products: tosa.matmul for float, linalg.generic for other types.

#include "onnx.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

typedef struct Product {
  LunaShape a, b, out;
  int64_t m, k, n;
  int batch;
} Product;

// Makes both operands at least matrices and finds the result's shape.
static bool read_product(LunaOnnxImport *c, const LunaShape *a,
                         const LunaShape *b, Product *p) {
  if (a->rank == 0 || b->rank == 0)
    return luna_onnx_fail(c,
                          "operands of a matrix product must not be scalars");
  p->a = a->rank == 1 ? (LunaShape){2, {1, a->dims[0]}} : *a;
  p->b = b->rank == 1 ? (LunaShape){2, {b->dims[0], 1}} : *b;
  p->m = p->a.dims[p->a.rank - 2];
  p->k = p->a.dims[p->a.rank - 1];
  p->n = p->b.dims[p->b.rank - 1];
  if (p->b.dims[p->b.rank - 2] != p->k)
    return luna_onnx_fail(c, "inner dimensions are %lld and %lld",
                          (long long)p->k, (long long)p->b.dims[p->b.rank - 2]);
  LunaShape batch_a = p->a, batch_b = p->b;
  batch_a.rank -= 2;
  batch_b.rank -= 2;
  if (!luna_broadcast(&batch_a, &batch_b, &p->out))
    return luna_onnx_fail(c, "batches do not broadcast");
  p->batch = p->out.rank;
  if (p->batch + 2 > LUNA_ONNX_MAX_RANK)
    return luna_onnx_fail(c, "operands have too many dimensions");
  p->out.dims[p->out.rank++] = p->m;
  p->out.dims[p->out.rank++] = p->n;
  return luna_onnx_check_shape(c, &p->out);
}

// Drops the dimensions that rank-1 operands do not have.
static LunaOnnxValue *drop_ones(LunaOnnxImport *c, const Product *p,
                                LunaOnnxType type, const LunaShape *a,
                                const LunaShape *b, MlirValue made) {
  LunaShape shape = p->out;
  if (b->rank == 1)
    --shape.rank;
  if (a->rank == 1) {
    shape.dims[p->batch] = shape.dims[p->batch + 1];
    --shape.rank;
  }
  return luna_onnx_from_ir(c, type, &shape,
                           luna_build_reshape(c->b, made, &shape));
}

// Adds a factor, whose last two dimensions have these loops.
static MlirValue add_factor(LunaGeneric *generic, const Product *p,
                            MlirValue factor, int row, int column) {
  LunaShape shape = luna_shape_of(factor);
  int loops[LUNA_ONNX_MAX_RANK], shift = p->batch + 2 - shape.rank;
  for (int i = 0; i + 2 < shape.rank; ++i)
    loops[i] =
        shape.dims[i] == 1 && p->out.dims[i + shift] != 1 ? -1 : i + shift;
  loops[shape.rank - 2] = row;
  loops[shape.rank - 1] = column;
  return luna_generic_input_at(generic, factor, loops);
}

// Adds zero points: one, or one for each index of a loop.
static MlirValue add_zero(LunaGeneric *generic, MlirValue zero, int loop) {
  bool is_one = luna_rank_of(zero) == 0 || luna_extent(zero, 0) == 1;
  return luna_generic_input_at(generic, zero, (int[]){is_one ? -1 : loop});
}

// sum over k of (a - a_zero) * (b - b_zero), in `out_type`.
static MlirValue generic_product(LunaOnnxImport *c, const Product *p,
                                 LunaOnnxValue *a, LunaOnnxValue *b,
                                 LunaOnnxValue *a_zero, LunaOnnxValue *b_zero,
                                 LunaOnnxType out_type) {
  int batch = p->batch, k = batch + 2;
  MlirValue zeros[2], x_zero, y_zero;
  MlirValue factors[2] = {luna_build_reshape(c->b, luna_onnx_ir(c, a), &p->a),
                          luna_build_reshape(c->b, luna_onnx_ir(c, b), &p->b)};
  MlirValue start = luna_onnx_splat(c, out_type, &p->out, 0);
  if (a_zero) {
    zeros[0] = luna_onnx_ir(c, a_zero);
    zeros[1] = luna_onnx_ir(c, b_zero);
  }
  LunaGeneric generic = luna_generic(c->b, &(LunaShape){.rank = batch + 3});
  MlirValue x = add_factor(&generic, p, factors[0], batch, k);
  MlirValue y = add_factor(&generic, p, factors[1], k, batch + 1);
  if (a_zero) {
    x_zero = add_zero(&generic, zeros[0], batch);
    y_zero = add_zero(&generic, zeros[1], batch + 1);
  }
  MlirValue sum = luna_generic_update(&generic, start);
  x = luna_onnx_cast(c, x, a->type, out_type);
  y = luna_onnx_cast(c, y, b->type, out_type);
  if (a_zero) {
    x = luna_scalar_sub(c->b, x, luna_onnx_cast(c, x_zero, a->type, out_type));
    y = luna_scalar_sub(c->b, y, luna_onnx_cast(c, y_zero, b->type, out_type));
  }
  sum = luna_scalar_add(c->b, sum, luna_scalar_mul(c->b, x, y));
  return luna_generic_end(&generic, sum);
}

// The product of `batch` pairs of matrices, or of all rows of `a` with one.
static MlirValue float_product(LunaOnnxImport *c, const Product *p,
                               LunaOnnxValue *a, LunaOnnxValue *b,
                               int64_t batch, int64_t rows) {
  LunaShape left = {3, {batch, rows, p->k}}, right = {3, {batch, p->k, p->n}};
  MlirValue x = luna_build_reshape(c->b, luna_onnx_ir(c, a), &left);
  MlirValue y = luna_build_reshape(c->b, luna_onnx_ir(c, b), &right);
  MlirValue made = luna_build_matmul(c->b, (MlirValue[]){x, y},
                                     (int64_t[]){0, 0}, c->b->f32);
  return luna_build_reshape(c->b, made, &p->out);
}

static bool has_own_batch(const Product *p) {
  return p->a.rank == p->b.rank &&
         (p->a.rank == 2 || (p->a.rank == 3 && p->a.dims[0] == p->b.dims[0]));
}

LunaOnnxValue *luna_onnx_matmul(LunaOnnxImport *c, LunaOnnxValue *a,
                                LunaOnnxValue *b) {
  Product p;
  if (!read_product(c, &a->shape, &b->shape, &p))
    return NULL;
  int64_t batch_b = luna_onnx_elems(&p.b) / (p.k * p.n);
  int64_t rows = luna_onnx_elems(&p.a) / p.k;
  // Batches and rows of several dimensions are not one where one is valid.
  bool is_float = a->type == LUNA_ONNX_F32 &&
                  ((!a->valid && !b->valid) || has_own_batch(&p));
  MlirValue made;
  bool is_paired =
      rows == batch_b * p.m && rows * p.n == luna_onnx_elems(&p.out);
  if (is_float && (batch_b == 1 || is_paired))
    made = float_product(c, &p, a, b, batch_b, rows / batch_b);
  else
    made = generic_product(c, &p, a, b, NULL, NULL, a->type);
  return drop_ones(c, &p, a->type, &a->shape, &b->shape, made);
}

bool luna_onnx_op_matmul(LunaOnnxImport *c, LunaOnnxNode *n) {
  if (n->inputs[0]->type != n->inputs[1]->type ||
      n->inputs[0]->type == LUNA_ONNX_BOOL)
    return luna_onnx_fail(c, "operands are of types %s and %s",
                          luna_onnx_type_name(n->inputs[0]->type),
                          luna_onnx_type_name(n->inputs[1]->type));
  n->outputs[0] = luna_onnx_matmul(c, n->inputs[0], n->inputs[1]);
  return n->outputs[0] != NULL;
}

//===----------------------------------------------------------------------===//
// Gemm
//===----------------------------------------------------------------------===//

static LunaOnnxValue *scale(LunaOnnxImport *c, LunaOnnxValue *value,
                            double factor) {
  if (!value || factor == 1.0)
    return value;
  return luna_onnx_apply(c, "Mul", value,
                         luna_onnx_scalar(c, value->type, factor));
}

bool luna_onnx_op_gemm(LunaOnnxImport *c, LunaOnnxNode *n) {
  static const int swap[2] = {1, 0};
  LunaOnnxValue *a = n->inputs[0], *b = n->inputs[1],
                *bias = luna_onnx_input(n, 2);
  if (a->shape.rank != 2 || b->shape.rank != 2 || a->type != b->type ||
      a->type == LUNA_ONNX_BOOL || (bias && bias->type != a->type))
    return luna_onnx_fail(c, "operands must be matrices of one type");
  if (luna_onnx_attr_int(n, "transA", 0))
    a = luna_onnx_permute(c, a, swap);
  if (luna_onnx_attr_int(n, "transB", 0))
    b = luna_onnx_permute(c, b, swap);
  LunaOnnxValue *product = scale(c, luna_onnx_matmul(c, a, b),
                                 luna_onnx_attr_float(n, "alpha", 1.0));
  if (product && bias)
    product =
        luna_onnx_apply(c, "Add", product,
                        scale(c, bias, luna_onnx_attr_float(n, "beta", 1.0)));
  if (product && (product->shape.dims[0] != a->shape.dims[0] ||
                  product->shape.dims[1] != b->shape.dims[1]))
    return luna_onnx_fail(c, "bias does not broadcast to the product");
  n->outputs[0] = product;
  return product != NULL;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static bool is_byte(LunaOnnxType type) {
  return type == LUNA_ONNX_U8 || type == LUNA_ONNX_I8;
}

static LunaOnnxValue *zero_or(LunaOnnxImport *c, LunaOnnxValue *given,
                              LunaOnnxType type) {
  return given ? given : luna_onnx_scalar(c, type, 0);
}

static bool check_zero(LunaOnnxImport *c, const LunaOnnxValue *zero,
                       LunaOnnxType type, int64_t size) {
  if (zero->type != type || zero->shape.rank > 1 ||
      (luna_onnx_elems(&zero->shape) != 1 &&
       luna_onnx_elems(&zero->shape) != size))
    return luna_onnx_fail(
        c,
        "zero point must be one number of type %s, or one per "
        "row or column",
        luna_onnx_type_name(type));
  return true;
}

LunaOnnxValue *luna_onnx_matmul_int(LunaOnnxImport *c, LunaOnnxValue *a,
                                    LunaOnnxValue *b, LunaOnnxValue *a_zero,
                                    LunaOnnxValue *b_zero) {
  Product p;
  if (!is_byte(a->type) || !is_byte(b->type)) {
    luna_onnx_fail(c, "operands must be int8 or uint8");
    return NULL;
  }
  a_zero = zero_or(c, a_zero, a->type);
  b_zero = zero_or(c, b_zero, b->type);
  if (!read_product(c, &a->shape, &b->shape, &p) ||
      !check_zero(c, a_zero, a->type, p.m) ||
      !check_zero(c, b_zero, b->type, p.n))
    return NULL;
  MlirValue made = generic_product(c, &p, a, b, a_zero, b_zero, LUNA_ONNX_I32);
  return drop_ones(c, &p, LUNA_ONNX_I32, &a->shape, &b->shape, made);
}

bool luna_onnx_op_matmul_integer(LunaOnnxImport *c, LunaOnnxNode *n) {
  n->outputs[0] =
      luna_onnx_matmul_int(c, n->inputs[0], n->inputs[1], luna_onnx_input(n, 2),
                           luna_onnx_input(n, 3));
  return n->outputs[0] != NULL;
}

//===----------------------------------------------------------------------===//
// Einsum of one or two operands
//===----------------------------------------------------------------------===//

typedef struct Einsum {
  char letters[LUNA_RANK_MAX];
  int64_t sizes[LUNA_RANK_MAX];
  int count;
  int lists[3][LUNA_ONNX_MAX_RANK], ranks[3];
} Einsum;

static int find_letter(Einsum *e, char letter) {
  for (int i = 0; i < e->count; ++i)
    if (e->letters[i] == letter)
      return i;
  if (e->count == LUNA_RANK_MAX)
    return -1;
  e->letters[e->count] = letter;
  return e->count++;
}

// Reads the terms of "ij,jk->ik": operands into lists 0 and 1, result into 2.
static bool parse_equation(const char *text, size_t length, Einsum *e) {
  int term = 0;
  bool result_given = false;
  for (size_t i = 0; i < length; ++i) {
    if (text[i] == ' ')
      continue;
    if (text[i] == ',') {
      if (++term > 1)
        return false;
    } else if (text[i] == '-' && i + 1 < length && text[i + 1] == '>') {
      term = 2;
      result_given = true;
      ++i;
    } else if ((text[i] >= 'a' && text[i] <= 'z') ||
               (text[i] >= 'A' && text[i] <= 'Z')) {
      int letter = find_letter(e, text[i]);
      if (letter < 0 || e->ranks[term] == LUNA_ONNX_MAX_RANK)
        return false;
      e->lists[term][e->ranks[term]++] = letter;
    } else {
      return false;
    }
  }
  return result_given;
}

bool luna_onnx_op_einsum(LunaOnnxImport *c, LunaOnnxNode *n) {
  const Onnx__AttributeProto *equation = luna_onnx_attr(n, "equation");
  Einsum e = {.count = 0};
  if (!equation || !equation->has_s ||
      !parse_equation((const char *)equation->s.data, equation->s.len, &e))
    return luna_onnx_fail(c, "equation is not of the form 'ij,jk->ik'");
  LunaOnnxType type = n->inputs[0]->type;
  LunaShape out = luna_onnx_shape(e.ranks[2], NULL);
  MlirValue factors[2];
  for (int i = 0; i < n->input_count; ++i) {
    const LunaShape *shape = &n->inputs[i]->shape;
    if (shape->rank != e.ranks[i] || n->inputs[i]->type != type)
      return luna_onnx_fail(c, "operand %d does not fit the equation", i);
    for (int d = 0; d < shape->rank; ++d) {
      int64_t *size = &e.sizes[e.lists[i][d]];
      if (*size != 0 && *size != shape->dims[d])
        return luna_onnx_fail(c, "sizes of one index differ");
      *size = shape->dims[d];
    }
    factors[i] = luna_onnx_ir(c, n->inputs[i]);
  }
  bool is_named[LUNA_RANK_MAX] = {false};
  for (int i = 0; i < out.rank; ++i) {
    int letter = e.lists[2][i];
    out.dims[i] = e.sizes[letter];
    if (is_named[letter])
      return luna_onnx_fail(c, "result repeats an index");
    is_named[letter] = true;
  }
  if (type == LUNA_ONNX_BOOL || !luna_onnx_check_shape(c, &out))
    return luna_onnx_fail(c, "type bool is not supported");
  MlirValue start = luna_onnx_splat(c, type, &out, 0);
  LunaGeneric generic = luna_generic(c->b, &(LunaShape){.rank = e.count});
  for (int i = 0; i < n->input_count; ++i)
    factors[i] = luna_generic_input_at(&generic, factors[i], e.lists[i]);
  MlirValue sum = luna_generic_update_at(&generic, start, e.lists[2]);
  MlirValue term = n->input_count > 1
                       ? luna_scalar_mul(c->b, factors[0], factors[1])
                       : factors[0];
  sum = luna_scalar_add(c->b, sum, term);
  n->outputs[0] =
      luna_onnx_from_ir(c, type, &out, luna_generic_end(&generic, sum));
  return true;
}
