// NonZero: one loop over the elements, which puts the place of each that is not
// 0 behind those before. How many there are, the loop counts.

#include "onnx_index.h"
#include "onnx_valid.h"

typedef struct Search {
  LunaOnnxValue *value;
  MlirValue source;
  int64_t bound;
} Search;

// Adds the place of the element that the loop is at, where it is not 0 and
// there is room.
static void build_body(LunaOnnxImport *c, const Search *s, LunaTimeLoop *loop) {
  const LunaShape *shape = &s->value->shape;
  MlirValue index[LUNA_ONNX_MAX_RANK], next[2];
  MlirValue into = loop->carried[0], count = loop->carried[1];
  luna_onnx_unflatten(c, loop->at, shape, index);
  MlirValue element = luna_scalar_extract(c->b, s->source, index);
  MlirValue is_found = luna_scalar_compare(c->b, LUNA_NE, element,
                                           luna_onnx_lit(c, s->value->type, 0));
  MlirValue last = luna_scalar_index(c->b, s->bound - 1);
  MlirValue is_kept =
      luna_scalar(c->b, "arith.andi", is_found,
                  luna_scalar_compare(c->b, LUNA_LE, count, last));
  MlirValue at[2] = {{NULL}, luna_scalar_min(c->b, count, last)};
  for (int d = 0; d < shape->rank; ++d) {
    at[0] = luna_scalar_index(c->b, d);
    MlirValue place = luna_scalar_select(
        c->b, is_kept, luna_onnx_index_to(c, index[d], LUNA_ONNX_I64),
        luna_scalar_extract(c->b, into, at));
    into = luna_scalar_insert(c->b, place, into, at);
  }
  next[0] = into;
  next[1] = luna_scalar_select(
      c->b, is_found, luna_scalar_with(c->b, "arith.addi", count, 1), count);
  luna_time_end(loop, next);
}

// The places of a constant are one, too.
static bool find_known(LunaOnnxImport *c, LunaOnnxNode *n,
                       const LunaOnnxValue *value) {
  int64_t index[LUNA_ONNX_MAX_RANK] = {0};
  int64_t elements = luna_onnx_elems(&value->shape), found = 0, at = 0;
  int rank = value->shape.rank;
  for (int64_t i = 0; i < elements; ++i)
    found += luna_onnx_float_at(value, i) != 0;
  if (!luna_onnx_check_made(c, found * rank))
    return false;
  LunaShape shape = luna_onnx_shape(2, (int64_t[]){rank, found});
  int64_t *places = luna_onnx_new_data(c, found * rank + 1, sizeof *places);
  for (int64_t i = 0; i < elements; ++i) {
    if (luna_onnx_float_at(value, i) != 0) {
      for (int d = 0; d < rank; ++d)
        places[d * found + at] = index[d];
      ++at;
    }
    luna_onnx_next_index(&value->shape, index);
  }
  n->outputs[0] = luna_onnx_new_const(c, LUNA_ONNX_I64, &shape, places);
  return true;
}

bool luna_onnx_op_non_zero(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0];
  const char *name = luna_onnx_first_output(n);
  int64_t elements = luna_onnx_elems(&value->shape);
  Search s = {.value = value};
  if (value->shape.rank == 0)
    return luna_onnx_fail(c, "a scalar has no places");
  if (!luna_onnx_check_shape(c, &value->shape))
    return false;
  if (!value->valid && luna_onnx_evaluate(c, value))
    return find_known(c, n, value);
  if (value->valid)
    value = s.value = luna_onnx_mask(c, value);
  s.source = luna_onnx_ir(c, value);
  if (!luna_onnx_bound(c, name, elements, &s.bound))
    return false;
  LunaShape shape = luna_onnx_shape(2, (int64_t[]){value->shape.rank, s.bound});
  if (!luna_onnx_check_shape(c, &shape))
    return false;
  LunaTimeSpec spec = {.steps = elements,
                       .count = 2,
                       .first = {luna_onnx_splat(c, LUNA_ONNX_I64, &shape, 0),
                                 luna_scalar_index(c->b, 0)}};
  LunaTimeLoop loop = luna_time_loop(c->b, &spec);
  build_body(c, &s, &loop);
  LunaValidLength valid = {
      .count = luna_time_last(&loop, 1), .name = name, .is_zero_behind = true};
  n->outputs[0] = luna_onnx_with_valid(
      c, luna_onnx_from_ir(c, LUNA_ONNX_I64, &shape, luna_time_last(&loop, 0)),
      &valid, 1);
  return luna_onnx_report(c, name, valid.count, elements, s.bound);
}
