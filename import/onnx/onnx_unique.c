// Unique: each row is compared with all others. The first of those that are
// equal stands for them; its place among the results is the number of such rows
// that come before it.

#include "along_axis.h"
#include "onnx_valid.h"

typedef struct Rows {
  LunaOnnxImport *c;
  int64_t count, length;
  LunaCompare before;
  MlirValue keys;  // [count, length]
  MlirValue first; // of each row the first that equals it, int32
} Rows;

static MlirValue numbers(const Rows *s, int64_t count, int64_t number) {
  return luna_onnx_splat(s->c, LUNA_ONNX_I32, &(LunaShape){1, {count}},
                         (double)number);
}

static MlirValue index_i32(const Rows *s, LunaGeneric *generic, int loop) {
  return luna_onnx_index_to(s->c, luna_generic_index(generic, loop),
                            LUNA_ONNX_I32);
}

// 1 where a condition holds.
static MlirValue one_if(const Rows *s, MlirValue condition) {
  return luna_scalar_to(s->c->b, "arith.extui", condition, s->c->b->i32);
}

// Loops over rows i and j and their elements: -1, 0 or 1 as row j comes before
// row i, equals it or comes after it, which is known at the last element.
typedef struct Comparison {
  LunaGeneric generic;
  MlirValue result, is_last, other;
} Comparison;

static Comparison compare(const Rows *s, MlirValue start, MlirValue *so_far) {
  LunaBuilder *b = s->c->b;
  MlirValue unknown = numbers(s, s->count, 0), zero;
  Comparison made = {.generic = luna_generic(
                         b, &(LunaShape){3, {s->count, s->count, s->length}})};
  LunaGeneric *generic = &made.generic;
  MlirValue own = luna_generic_input_at(generic, s->keys, (int[]){0, 2});
  MlirValue other = luna_generic_input_at(generic, s->keys, (int[]){1, 2});
  if (!mlirValueIsNull(s->first))
    made.other = luna_generic_input_at(generic, s->first, (int[]){1});
  MlirValue old = luna_generic_update_at(generic, unknown, (int[]){0});
  *so_far = luna_generic_update_at(generic, start, (int[]){0});
  MlirValue at = index_i32(s, generic, 2);
  zero = luna_scalar_i32(b, 0);
  old = luna_scalar_select(b, luna_scalar_compare(b, LUNA_EQ, at, zero), zero,
                           old);
  MlirValue sign = luna_scalar_sub(
      b, one_if(s, luna_scalar_compare(b, s->before, own, other)),
      one_if(s, luna_scalar_compare(b, s->before, other, own)));
  made.result = luna_scalar_select(
      b, luna_scalar_compare(b, LUNA_EQ, old, zero), sign, old);
  made.is_last =
      luna_scalar_compare(b, LUNA_EQ, at, luna_scalar_i32(b, s->length - 1));
  return made;
}

static MlirValue compared(Comparison *made, MlirValue next) {
  return mlirOperationGetResult(
      luna_generic_close(&made->generic, (MlirValue[]){made->result, next}), 1);
}

static MlirValue find_first(const Rows *s) {
  LunaBuilder *b = s->c->b;
  MlirValue old;
  Comparison made = compare(s, numbers(s, s->count, s->count), &old);
  MlirValue j = index_i32(s, &made.generic, 1);
  MlirValue is_equal = luna_scalar(
      b, "arith.andi", made.is_last,
      luna_scalar_compare(b, LUNA_EQ, made.result, luna_scalar_i32(b, 0)));
  return compared(
      &made, luna_scalar_select(b, is_equal, luna_scalar_min(b, old, j), old));
}

// How many first rows come before each row, by their elements.
static MlirValue rank_sorted(const Rows *s) {
  LunaBuilder *b = s->c->b;
  MlirValue old;
  Comparison made = compare(s, numbers(s, s->count, 0), &old);
  MlirValue is_first = luna_scalar_compare(b, LUNA_EQ, made.other,
                                           index_i32(s, &made.generic, 1));
  MlirValue is_before =
      luna_scalar_compare(b, LUNA_LT, made.result, luna_scalar_i32(b, 0));
  MlirValue counts =
      luna_scalar(b, "arith.andi", made.is_last,
                  luna_scalar(b, "arith.andi", is_first, is_before));
  return compared(&made, luna_scalar_add(b, old, one_if(s, counts)));
}

// The same by where they first stand, or the number of all, [1].
static MlirValue rank_in_order(const Rows *s, bool of_all) {
  LunaBuilder *b = s->c->b;
  int64_t count = of_all ? 1 : s->count;
  MlirValue start = numbers(s, count, 0);
  LunaGeneric generic = luna_generic(b, &(LunaShape){2, {count, s->count}});
  MlirValue other = luna_generic_input_at(&generic, s->first, (int[]){1});
  MlirValue own =
      of_all ? other : luna_generic_input_at(&generic, s->first, (int[]){0});
  MlirValue old = luna_generic_update_at(&generic, start, (int[]){0});
  MlirValue j = index_i32(s, &generic, 1);
  MlirValue is_first = luna_scalar_compare(b, LUNA_EQ, other, j);
  if (!of_all)
    is_first = luna_scalar(b, "arith.andi", is_first,
                           luna_scalar_compare(b, LUNA_LT, j, own));
  return luna_generic_end(&generic,
                          luna_scalar_add(b, old, one_if(s, is_first)));
}

// For each result the row that it is, or how many are equal to it.
static MlirValue collect(const Rows *s, MlirValue ranks, int64_t bound,
                         bool counts) {
  LunaBuilder *b = s->c->b;
  MlirValue start = numbers(s, bound, 0);
  LunaGeneric generic = luna_generic(b, &(LunaShape){2, {bound, s->count}});
  MlirValue rank = luna_generic_input_at(&generic, ranks, (int[]){1});
  MlirValue first = luna_generic_input_at(&generic, s->first, (int[]){1});
  MlirValue old = luna_generic_update_at(&generic, start, (int[]){0});
  MlirValue result = index_i32(s, &generic, 0);
  MlirValue is_own = luna_scalar_compare(b, LUNA_EQ, rank, result);
  MlirValue zero = luna_scalar_i32(b, 0);
  MlirValue term =
      counts ? one_if(s, is_own) : luna_scalar_select(b, is_own, first, zero);
  MlirValue next =
      counts ? luna_scalar_add(b, old, term) : luna_scalar_max(b, old, term);
  return luna_generic_end(&generic, next);
}

static LunaOnnxValue *list(LunaOnnxImport *c, MlirValue value, bool is_long) {
  LunaShape shape = luna_shape_of(value);
  LunaOnnxValue *made = luna_onnx_from_ir(c, LUNA_ONNX_I32, &shape, value);
  return is_long ? luna_onnx_cast_value(c, made, LUNA_ONNX_I64) : made;
}

// The tensor as a matrix of what is compared.
static void read_rows(LunaOnnxImport *c, LunaOnnxValue *value, int axis,
                      Rows *s) {
  int perm[LUNA_ONNX_MAX_RANK], at = 0;
  perm[at++] = axis;
  for (int i = 0; i < value->shape.rank; ++i)
    if (i != axis)
      perm[at++] = i;
  LunaShape flat = {2,
                    {value->shape.dims[axis],
                     luna_onnx_elems(&value->shape) / value->shape.dims[axis]}};
  MlirValue moved = luna_build_transpose(c->b, luna_onnx_ir(c, value), perm);
  *s = (Rows){.c = c, .count = flat.dims[0], .length = flat.dims[1]};
  s->before = luna_onnx_is_unsigned(value->type) ? LUNA_ULT : LUNA_LT;
  s->keys = luna_sort_keys(c->b, luna_build_reshape(c->b, moved, &flat));
}

static bool set_outputs(LunaOnnxImport *c, LunaOnnxNode *n, const Rows *s,
                        LunaOnnxValue *value, int axis, MlirValue ranks) {
  const char *name = luna_onnx_first_output(n);
  int64_t bound;
  if (!luna_onnx_bound(c, name, s->count, &bound))
    return false;
  MlirValue places = collect(s, ranks, bound, false);
  LunaOnnxValue *made[4] = {
      luna_onnx_take(c, value, list(c, places, false), axis),
      list(c, places, true), list(c, ranks, true),
      list(c, collect(s, ranks, bound, true), true)};
  LunaValidLength valid = {
      .count = luna_onnx_cast_index(
          c, luna_scalar_only(c->b, rank_in_order(s, true)), LUNA_ONNX_I32),
      .name = name};
  for (int i = 0; i < 4 && i < n->output_count; ++i)
    n->outputs[i] =
        i == 2 ? made[i]
               : luna_onnx_with_valid(c, made[i], &valid, i == 0 ? axis : 0);
  return luna_onnx_report(c, name, valid.count, s->count, bound);
}

bool luna_onnx_op_unique(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0];
  LunaShape flat = {1, {luna_onnx_elems(&value->shape)}};
  int axis = 0;
  Rows s;
  if (!luna_onnx_check_shape(c, &value->shape))
    return false;
  if (!luna_onnx_attr(n, "axis"))
    value = luna_onnx_reshape_value(c, value, &flat);
  else if (!luna_onnx_axis(c, luna_onnx_attr_int(n, "axis", 0),
                           value->shape.rank, &axis))
    return false;
  read_rows(c, value, axis, &s);
  s.first = find_first(&s);
  MlirValue ranks = luna_onnx_attr_int(n, "sorted", 1)
                        ? rank_sorted(&s)
                        : rank_in_order(&s, false);
  return set_outputs(c, n, &s, value, axis, ranks);
}
