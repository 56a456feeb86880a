// Matrix products: tosa.matmul for float, linalg.generic for other types.

#include "onnx.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

MlirValue onnx_matmul_2d(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b,
                         int64_t m, int64_t k, int64_t n) {
  OnnxShape sa = onnx_shape(3, (int64_t[]){1, m, k});
  OnnxShape sb = onnx_shape(3, (int64_t[]){1, k, n});
  OnnxShape so = onnx_shape(3, (int64_t[]){1, m, n}),
            one = onnx_shape(1, (int64_t[]){1});
  MlirValue operands[4] = {
      onnx_reshape(c, a, type, &sa), onnx_reshape(c, b, type, &sb),
      onnx_splat(c, type, &one, 0), onnx_splat(c, type, &one, 0)};
  MlirValue product = onnx_emit(
      c, "tosa.matmul", onnx_tensor_type(c, type, &so), operands, 4, NULL, 0);
  OnnxShape out = onnx_shape(2, (int64_t[]){m, n});
  return onnx_reshape(c, product, type, &out);
}

typedef struct Product {
  OnnxShape a, b, out;
  int64_t m, k, n;
  int batch;
} Product;

// Makes both operands at least matrices and finds the result's shape.
static bool read_product(OnnxImport *c, const OnnxShape *a, const OnnxShape *b,
                         Product *p) {
  if (a->rank == 0 || b->rank == 0)
    return onnx_fail(c, "operands of a matrix product must not be scalars");
  p->a = a->rank == 1 ? onnx_shape(2, (int64_t[]){1, a->dims[0]}) : *a;
  p->b = b->rank == 1 ? onnx_shape(2, (int64_t[]){b->dims[0], 1}) : *b;
  p->m = p->a.dims[p->a.rank - 2];
  p->k = p->a.dims[p->a.rank - 1];
  p->n = p->b.dims[p->b.rank - 1];
  if (p->b.dims[p->b.rank - 2] != p->k)
    return onnx_fail(c, "inner dimensions are %lld and %lld", (long long)p->k,
                     (long long)p->b.dims[p->b.rank - 2]);
  OnnxShape batch_a = p->a, batch_b = p->b;
  batch_a.rank -= 2;
  batch_b.rank -= 2;
  if (!onnx_broadcast(&batch_a, &batch_b, &p->out))
    return onnx_fail(c, "batches do not broadcast");
  p->batch = p->out.rank;
  if (p->batch + 2 > ONNX_MAX_RANK)
    return onnx_fail(c, "operands have too many dimensions");
  p->out.dims[p->out.rank++] = p->m;
  p->out.dims[p->out.rank++] = p->n;
  return onnx_check_shape(c, &p->out);
}

// Drops the dimensions that rank-1 operands do not have.
static OnnxValue *drop_ones(OnnxImport *c, const Product *p, OnnxType type,
                            const OnnxShape *a, const OnnxShape *b,
                            MlirValue made) {
  OnnxShape shape = p->out;
  if (b->rank == 1)
    --shape.rank;
  if (a->rank == 1) {
    shape.dims[p->batch] = shape.dims[p->batch + 1];
    --shape.rank;
  }
  return onnx_from_ir(c, type, &shape, onnx_reshape(c, made, type, &shape));
}

static MlirAffineMap operand_map(OnnxImport *c, const Product *p,
                                 const OnnxShape *shape, int row, int column) {
  int list[ONNX_MAX_RANK], shift = p->batch + 2 - shape->rank;
  for (int i = 0; i + 2 < shape->rank; ++i)
    list[i] =
        shape->dims[i] == 1 && p->out.dims[i + shift] != 1 ? -1 : i + shift;
  list[shape->rank - 2] = row;
  list[shape->rank - 1] = column;
  return onnx_select_map(c, p->batch + 3, list, shape->rank);
}

// sum over k of (a - a_zero) * (b - b_zero), in `out_type`.
static MlirValue generic_product(OnnxImport *c, const Product *p, OnnxValue *a,
                                 OnnxValue *b, OnnxValue *a_zero,
                                 OnnxValue *b_zero, OnnxType out_type) {
  int batch = p->batch, k = batch + 2, list[ONNX_MAX_RANK];
  for (int i = 0; i < p->out.rank; ++i)
    list[i] = i;
  OnnxLoop loop = {
      .loop_count = batch + 3,
      .input_count = 2,
      .result_count = 1,
      .inputs = {onnx_reshape(c, onnx_ir(c, a), a->type, &p->a),
                 onnx_reshape(c, onnx_ir(c, b), b->type, &p->b)},
      .maps = {operand_map(c, p, &p->a, batch, k),
               operand_map(c, p, &p->b, k, batch + 1)},
      .inits = {onnx_splat(c, out_type, &p->out, 0)},
      .init_maps = {onnx_select_map(c, batch + 3, list, batch + 2)},
  };
  loop.reduces[k] = true;
  if (a_zero) {
    bool rows = a_zero->shape.rank > 0 && onnx_elems(&a_zero->shape) > 1;
    bool columns = b_zero->shape.rank > 0 && onnx_elems(&b_zero->shape) > 1;
    int row[1] = {rows ? batch : -1}, column[1] = {columns ? batch + 1 : -1};
    loop.inputs[2] = onnx_ir(c, a_zero);
    loop.maps[2] = onnx_select_map(c, batch + 3, row, a_zero->shape.rank);
    loop.inputs[3] = onnx_ir(c, b_zero);
    loop.maps[3] = onnx_select_map(c, batch + 3, column, b_zero->shape.rank);
    loop.input_count = 4;
  }
  onnx_loop_begin(c, &loop);
  MlirValue x = onnx_cast(c, loop.args[0], a->type, out_type);
  MlirValue y = onnx_cast(c, loop.args[1], b->type, out_type);
  if (a_zero) {
    x = onnx_sub(c, out_type, x, onnx_cast(c, loop.args[2], a->type, out_type));
    y = onnx_sub(c, out_type, y, onnx_cast(c, loop.args[3], b->type, out_type));
  }
  MlirValue sum = onnx_add(c, out_type, loop.args[loop.input_count],
                           onnx_mul(c, out_type, x, y));
  return mlirOperationGetResult(onnx_loop_end(c, &loop, &sum), 0);
}

OnnxValue *onnx_matmul(OnnxImport *c, OnnxValue *a, OnnxValue *b) {
  Product p;
  if (!read_product(c, &a->shape, &b->shape, &p))
    return NULL;
  int64_t batch_b = onnx_elems(&p.b) / (p.k * p.n);
  MlirValue made;
  if (a->type == ONNX_F32 && batch_b == 1) {
    int64_t rows = onnx_elems(&p.a) / p.k;
    made = onnx_matmul_2d(c, a->type, onnx_ir(c, a), onnx_ir(c, b), rows, p.k,
                          p.n);
    made = onnx_reshape(c, made, a->type, &p.out);
  } else if (a->type == ONNX_F32 && onnx_elems(&p.a) / (p.m * p.k) == batch_b) {
    OnnxShape sa = onnx_shape(3, (int64_t[]){batch_b, p.m, p.k});
    OnnxShape sb = onnx_shape(3, (int64_t[]){batch_b, p.k, p.n});
    OnnxShape so = onnx_shape(3, (int64_t[]){batch_b, p.m, p.n});
    OnnxShape one = onnx_shape(1, (int64_t[]){1});
    MlirValue operands[4] = {onnx_reshape(c, onnx_ir(c, a), a->type, &sa),
                             onnx_reshape(c, onnx_ir(c, b), b->type, &sb),
                             onnx_splat(c, a->type, &one, 0),
                             onnx_splat(c, a->type, &one, 0)};
    made = onnx_emit(c, "tosa.matmul", onnx_tensor_type(c, a->type, &so),
                     operands, 4, NULL, 0);
    made = onnx_reshape(c, made, a->type, &p.out);
  } else {
    made = generic_product(c, &p, a, b, NULL, NULL, a->type);
  }
  return drop_ones(c, &p, a->type, &a->shape, &b->shape, made);
}

ONNX_HANDLER(matmul) {
  if (n->inputs[0]->type != n->inputs[1]->type ||
      n->inputs[0]->type == ONNX_BOOL)
    return onnx_fail(c, "operands are of types %s and %s",
                     onnx_type_name(n->inputs[0]->type),
                     onnx_type_name(n->inputs[1]->type));
  n->outputs[0] = onnx_matmul(c, n->inputs[0], n->inputs[1]);
  return n->outputs[0] != NULL;
}

//===----------------------------------------------------------------------===//
// Gemm
//===----------------------------------------------------------------------===//

static OnnxValue *scale(OnnxImport *c, const OnnxNode *n, OnnxValue *value,
                        double factor) {
  if (!value || factor == 1.0)
    return value;
  return onnx_apply(c, n, "Mul", value, onnx_scalar(c, value->type, factor));
}

ONNX_HANDLER(gemm) {
  static const int swap[2] = {1, 0};
  OnnxValue *a = n->inputs[0], *b = n->inputs[1], *bias = onnx_input(n, 2);
  if (a->shape.rank != 2 || b->shape.rank != 2 || a->type != b->type ||
      a->type == ONNX_BOOL || (bias && bias->type != a->type))
    return onnx_fail(c, "operands must be matrices of one type");
  if (onnx_attr_int(n, "transA", 0))
    a = onnx_permute(c, a, swap);
  if (onnx_attr_int(n, "transB", 0))
    b = onnx_permute(c, b, swap);
  OnnxValue *product =
      scale(c, n, onnx_matmul(c, a, b), onnx_attr_float(n, "alpha", 1.0));
  if (product && bias)
    product = onnx_apply(c, n, "Add", product,
                         scale(c, n, bias, onnx_attr_float(n, "beta", 1.0)));
  if (product && product->shape.dims[0] != a->shape.dims[0])
    return onnx_fail(c, "bias does not broadcast to the product");
  n->outputs[0] = product;
  return product != NULL;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static bool is_byte(OnnxType type) {
  return type == ONNX_U8 || type == ONNX_I8;
}

static OnnxValue *zero_or(OnnxImport *c, OnnxValue *given, OnnxType type) {
  return given ? given : onnx_scalar(c, type, 0);
}

static bool check_zero(OnnxImport *c, const OnnxValue *zero, OnnxType type,
                       int64_t size) {
  if (zero->type != type || zero->shape.rank > 1 ||
      (onnx_elems(&zero->shape) != 1 && onnx_elems(&zero->shape) != size))
    return onnx_fail(c,
                     "zero point must be one number of type %s, or one per "
                     "row or column",
                     onnx_type_name(type));
  return true;
}

OnnxValue *onnx_matmul_int(OnnxImport *c, OnnxValue *a, OnnxValue *b,
                           OnnxValue *a_zero, OnnxValue *b_zero) {
  Product p;
  if (!is_byte(a->type) || !is_byte(b->type)) {
    onnx_fail(c, "operands must be int8 or uint8");
    return NULL;
  }
  a_zero = zero_or(c, a_zero, a->type);
  b_zero = zero_or(c, b_zero, b->type);
  if (!read_product(c, &a->shape, &b->shape, &p) ||
      !check_zero(c, a_zero, a->type, p.m) ||
      !check_zero(c, b_zero, b->type, p.n))
    return NULL;
  MlirValue made = generic_product(c, &p, a, b, a_zero, b_zero, ONNX_I32);
  return drop_ones(c, &p, ONNX_I32, &a->shape, &b->shape, made);
}

ONNX_HANDLER(matmul_integer) {
  n->outputs[0] = onnx_matmul_int(c, n->inputs[0], n->inputs[1],
                                  onnx_input(n, 2), onnx_input(n, 3));
  return n->outputs[0] != NULL;
}

//===----------------------------------------------------------------------===//
// Einsum of one or two operands
//===----------------------------------------------------------------------===//

typedef struct Einsum {
  char letters[2 * ONNX_MAX_RANK];
  int64_t sizes[2 * ONNX_MAX_RANK];
  int count;
  int lists[3][ONNX_MAX_RANK], ranks[3];
} Einsum;

static int find_letter(Einsum *e, char letter) {
  for (int i = 0; i < e->count; ++i)
    if (e->letters[i] == letter)
      return i;
  if (e->count == 2 * ONNX_MAX_RANK)
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
      if (letter < 0 || e->ranks[term] == ONNX_MAX_RANK)
        return false;
      e->lists[term][e->ranks[term]++] = letter;
    } else {
      return false;
    }
  }
  return result_given;
}

ONNX_HANDLER(einsum) {
  const Onnx__AttributeProto *equation = onnx_attr(n, "equation");
  Einsum e = {.count = 0};
  if (!equation || !equation->has_s ||
      !parse_equation((const char *)equation->s.data, equation->s.len, &e))
    return onnx_fail(c, "equation is not of the form 'ij,jk->ik'");
  OnnxType type = n->inputs[0]->type;
  OnnxShape out = onnx_shape(e.ranks[2], NULL);
  OnnxLoop loop = {.input_count = n->input_count, .result_count = 1};
  for (int i = 0; i < n->input_count; ++i) {
    const OnnxShape *shape = &n->inputs[i]->shape;
    if (shape->rank != e.ranks[i] || n->inputs[i]->type != type)
      return onnx_fail(c, "operand %d does not fit the equation", i);
    for (int d = 0; d < shape->rank; ++d) {
      int64_t *size = &e.sizes[e.lists[i][d]];
      if (*size != 0 && *size != shape->dims[d])
        return onnx_fail(c, "sizes of one index differ");
      *size = shape->dims[d];
    }
    loop.inputs[i] = onnx_ir(c, n->inputs[i]);
    loop.maps[i] = onnx_select_map(c, e.count, e.lists[i], shape->rank);
  }
  loop.loop_count = e.count;
  for (int i = 0; i < e.count; ++i)
    loop.reduces[i] = true;
  for (int i = 0; i < out.rank; ++i) {
    out.dims[i] = e.sizes[e.lists[2][i]];
    if (!loop.reduces[e.lists[2][i]])
      return onnx_fail(c, "result repeats an index");
    loop.reduces[e.lists[2][i]] = false;
  }
  if (type == ONNX_BOOL || !onnx_check_shape(c, &out))
    return onnx_fail(c, "type bool is not supported");
  loop.inits[0] = onnx_splat(c, type, &out, 0);
  loop.init_maps[0] = onnx_select_map(c, e.count, e.lists[2], out.rank);
  onnx_loop_begin(c, &loop);
  MlirValue value = loop.args[0];
  if (n->input_count > 1)
    value = onnx_mul(c, type, value, loop.args[1]);
  value = onnx_add(c, type, loop.args[n->input_count], value);
  MlirOperation op = onnx_loop_end(c, &loop, &value);
  n->outputs[0] = onnx_from_ir(c, type, &out, mlirOperationGetResult(op, 0));
  return true;
}
