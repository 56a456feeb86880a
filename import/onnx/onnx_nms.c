// NonMaxSuppression: for each batch and class one loop, which takes the best
// score that is left and drops the boxes that overlap with its own.

#include "onnx_valid.h"

#include <math.h>

typedef struct Boxes {
  LunaOnnxImport *c;
  int64_t batches, classes, boxes, limit, bound;
  // Corners and areas of all boxes [batch, box]: y1, x1, y2, x2, area.
  MlirValue sides[5];
  MlirValue scores; // [batch * class, box]
  MlirValue overlap, threshold;
} Boxes;

enum { AREA = 4 };

static MlirValue half(LunaBuilder *b, MlirValue x) {
  return luna_scalar_mul(b, x, luna_scalar_f32(b, 0.5));
}

// Opposite corners come in any order, or as a center with a width and height.
static void find_sides(Boxes *s, MlirValue boxes, bool is_center) {
  LunaBuilder *b = s->c->b;
  MlirValue in[4], out[5];
  LunaGeneric generic =
      luna_generic(b, &(LunaShape){2, {s->batches, s->boxes}});
  for (int i = 0; i < 4; ++i)
    in[i] = luna_generic_input_at(&generic, boxes, (int[]){0, 1, -1 - i});
  for (int i = 0; i <= AREA; ++i)
    luna_generic_result(&generic, b->f32);
  for (int i = 0; i < 2; ++i) {
    MlirValue extent = is_center ? half(b, in[3 - i]) : in[i + 2];
    MlirValue at = is_center ? in[1 - i] : in[i];
    out[i] = is_center ? luna_scalar_sub(b, at, extent)
                       : luna_scalar_min(b, at, extent);
    out[i + 2] = is_center ? luna_scalar_add(b, at, extent)
                           : luna_scalar_max(b, at, extent);
  }
  out[AREA] = luna_scalar_mul(b, luna_scalar_sub(b, out[2], out[0]),
                              luna_scalar_sub(b, out[3], out[1]));
  MlirOperation op = luna_generic_close(&generic, out);
  for (int i = 0; i <= AREA; ++i)
    s->sides[i] = mlirOperationGetResult(op, i);
}

// The best of the scores that are left, its box and where it is: 0 with the
// lowest score if none is.
typedef struct Best {
  MlirValue sides[5], score, place;
} Best;

static Best find_best(const Boxes *s, MlirValue left, const MlirValue *rows) {
  enum { SCORE = AREA + 1, PLACE, COUNT };
  LunaBuilder *b = s->c->b;
  LunaShape scalar = {.rank = 0};
  MlirValue own[COUNT], old[COUNT], start[2];
  for (int i = 0; i < 2; ++i)
    start[i] = luna_onnx_splat(s->c, i == 0 ? LUNA_ONNX_F32 : LUNA_ONNX_I32,
                               &scalar, i == 0 ? -INFINITY : 0);
  LunaGeneric generic = luna_generic(b, &(LunaShape){1, {s->boxes}});
  for (int i = 0; i < PLACE; ++i)
    own[i] = luna_generic_input(&generic, i == SCORE ? left : rows[i]);
  for (int i = 0; i < COUNT; ++i)
    old[i] = luna_generic_update_at(&generic, start[i == PLACE], NULL);
  own[PLACE] =
      luna_onnx_index_to(s->c, luna_generic_index(&generic, 0), LUNA_ONNX_I32);
  MlirValue is_better = luna_scalar_compare(b, LUNA_GT, own[SCORE], old[SCORE]);
  for (int i = 0; i < COUNT; ++i)
    own[i] = luna_scalar_select(b, is_better, own[i], old[i]);
  MlirOperation op = luna_generic_close(&generic, own);
  for (int i = 0; i < COUNT; ++i)
    own[i] = luna_scalar_only(b, mlirOperationGetResult(op, i));
  return (Best){
      {own[0], own[1], own[2], own[3], own[4]}, own[SCORE], own[PLACE]};
}

// How far two intervals overlap along one dimension.
static MlirValue shared(LunaBuilder *b, const MlirValue *own,
                        const MlirValue *other, int d) {
  MlirValue low = luna_scalar_max(b, own[d], other[d]);
  MlirValue high = luna_scalar_min(b, own[d + 2], other[d + 2]);
  return luna_scalar_max(b, luna_scalar_sub(b, high, low),
                         luna_scalar_f32(b, 0));
}

// The scores that are left without the chosen box and those that overlap.
static MlirValue drop(const Boxes *s, MlirValue left, const MlirValue *rows,
                      const Best *best) {
  LunaBuilder *b = s->c->b;
  const MlirValue *chosen = best->sides;
  MlirValue own[5];
  LunaGeneric generic = luna_generic(b, &(LunaShape){1, {s->boxes}});
  MlirValue score = luna_generic_input(&generic, left);
  for (int i = 0; i <= AREA; ++i)
    own[i] = luna_generic_input(&generic, rows[i]);
  luna_generic_result(&generic, b->f32);
  MlirValue common =
      luna_scalar_mul(b, shared(b, own, chosen, 0), shared(b, own, chosen, 1));
  MlirValue all =
      luna_scalar_sub(b, luna_scalar_add(b, own[AREA], chosen[AREA]), common);
  MlirValue overlaps = luna_scalar_compare(
      b, LUNA_GT, luna_scalar_div(b, common, all), s->overlap);
  MlirValue is_own = luna_scalar_compare(
      b, LUNA_EQ,
      luna_onnx_index_to(s->c, luna_generic_index(&generic, 0), LUNA_ONNX_I32),
      best->place);
  MlirValue made =
      luna_scalar_select(b, luna_scalar(b, "arith.ori", overlaps, is_own),
                         luna_scalar_f32(b, -INFINITY), score);
  return luna_generic_end(&generic, made);
}

static MlirValue row_of(LunaBuilder *b, MlirValue rows, MlirValue at) {
  LunaShape row = {1, {luna_extent(rows, 1)}};
  return luna_build_reshape(b, luna_build_slice_at(b, rows, 0, at, 1), &row);
}

// The loop of one batch and class: the boxes that it takes, -1 for none.
static void build_class(const Boxes *s, LunaTimeLoop *outer) {
  LunaBuilder *b = s->c->b;
  MlirValue rows[5];
  MlirValue batch = luna_scalar(b, "arith.divui", outer->at,
                                luna_scalar_index(b, s->classes));
  for (int i = 0; i <= AREA; ++i)
    rows[i] = row_of(b, s->sides[i], batch);
  LunaTimeSpec spec = {
      .steps = s->limit,
      .count = 2,
      .first = {outer->carried[0], row_of(b, s->scores, outer->at)}};
  LunaTimeLoop loop = luna_time_loop(b, &spec);
  Best best = find_best(s, loop.carried[1], rows);
  MlirValue is_found =
      luna_scalar_compare(b, LUNA_GT, best.score, s->threshold);
  MlirValue taken =
      luna_scalar_select(b, is_found, best.place, luna_scalar_i32(b, -1));
  MlirValue next[2] = {luna_scalar_insert(b, taken, loop.carried[0],
                                          (MlirValue[]){outer->at, loop.at}),
                       drop(s, loop.carried[1], rows, &best)};
  luna_time_end(&loop, next);
  luna_time_end(outer, (MlirValue[]){luna_time_last(&loop, 0)});
}

// The boxes that each batch and class takes, [batch * class, limit].
static MlirValue take_boxes(const Boxes *s) {
  LunaShape shape = {2, {s->batches * s->classes, s->limit}};
  LunaTimeSpec spec = {
      .steps = shape.dims[0],
      .count = 1,
      .first = {luna_onnx_splat(s->c, LUNA_ONNX_I32, &shape, -1)}};
  LunaTimeLoop loop = luna_time_loop(s->c->b, &spec);
  build_class(s, &loop);
  return luna_time_last(&loop, 0);
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

// Adds a row of indices where a box is taken and there is room.
static MlirValue add_row(const Boxes *s, MlirValue into, MlirValue count,
                         MlirValue is_found, const MlirValue *indices) {
  LunaBuilder *b = s->c->b;
  MlirValue last = luna_scalar_index(b, s->bound - 1);
  MlirValue is_kept = luna_scalar(b, "arith.andi", is_found,
                                  luna_scalar_compare(b, LUNA_LE, count, last));
  MlirValue at[2] = {luna_scalar_min(b, count, last)};
  for (int i = 0; i < 3; ++i) {
    at[1] = luna_scalar_index(b, i);
    into = luna_scalar_insert(
        b,
        luna_scalar_select(b, is_kept,
                           luna_onnx_index_to(s->c, indices[i], LUNA_ONNX_I64),
                           luna_scalar_extract(b, into, at)),
        into, at);
  }
  return into;
}

// Lists the boxes that are taken.
static LunaTimeLoop list_boxes(const Boxes *s, MlirValue taken) {
  LunaBuilder *b = s->c->b;
  LunaShape shape = {2, {s->bound, 3}},
            of_taken = {2, {s->batches * s->classes, s->limit}};
  LunaTimeSpec spec = {
      .steps = luna_onnx_elems(&of_taken),
      .count = 2,
      .first = {luna_onnx_splat(s->c, LUNA_ONNX_I64, &shape, 0),
                luna_scalar_index(b, 0)}};
  LunaTimeLoop loop = luna_time_loop(b, &spec);
  MlirValue at[2], indices[3], count = loop.carried[1];
  luna_unflatten(b, loop.at, &of_taken, at);
  MlirValue classes = luna_scalar_index(b, s->classes);
  MlirValue box = luna_scalar_extract(b, taken, at);
  indices[0] = luna_scalar(b, "arith.divui", at[0], classes);
  indices[1] = luna_scalar(b, "arith.remui", at[0], classes);
  indices[2] = luna_onnx_cast_index(s->c, box, LUNA_ONNX_I32);
  MlirValue is_taken =
      luna_scalar_compare(b, LUNA_GE, box, luna_scalar_i32(b, 0));
  MlirValue next[2] = {
      add_row(s, loop.carried[0], count, is_taken, indices),
      luna_scalar_select(b, is_taken,
                         luna_scalar_with(b, "arith.addi", count, 1), count)};
  luna_time_end(&loop, next);
  return loop;
}

// A threshold, which may be computed by the model.
static bool read_threshold(LunaOnnxImport *c, const LunaOnnxNode *n, int index,
                           double absent, MlirValue *number) {
  LunaOnnxValue *value = luna_onnx_input(n, index);
  if (value &&
      (value->type != LUNA_ONNX_F32 || luna_onnx_elems(&value->shape) != 1))
    return luna_onnx_fail(c, "input %d must be one float", index);
  *number = value ? luna_scalar_only(c->b, luna_onnx_ir(c, value))
                  : luna_scalar_f32(c->b, absent);
  return true;
}

static bool read(LunaOnnxImport *c, LunaOnnxNode *n, Boxes *s) {
  LunaOnnxValue *boxes = n->inputs[0], *scores = n->inputs[1];
  const LunaShape *at = &boxes->shape, *of = &scores->shape;
  if (boxes->type != LUNA_ONNX_F32 || scores->type != LUNA_ONNX_F32 ||
      at->rank != 3 || of->rank != 3 || at->dims[2] != 4 ||
      at->dims[0] != of->dims[0] || at->dims[1] != of->dims[2] ||
      !luna_onnx_check_shape(c, at) || !luna_onnx_check_shape(c, of))
    return luna_onnx_fail(c, "needs float boxes [batch, box, 4] and scores "
                             "[batch, class, box]");
  *s = (Boxes){.c = c,
               .batches = of->dims[0],
               .classes = of->dims[1],
               .boxes = of->dims[2]};
  if (luna_onnx_input_ints(c, n, 2, &s->limit, 1) == -2)
    return false;
  if (s->limit < 1)
    return luna_onnx_fail(c,
                          "max_output_boxes_per_class is %lld: there are "
                          "no boxes",
                          (long long)s->limit);
  s->limit = s->limit < s->boxes ? s->limit : s->boxes;
  LunaShape rows = {2, {s->batches * s->classes, s->boxes}};
  s->scores = luna_build_reshape(c->b, luna_onnx_ir(c, scores), &rows);
  find_sides(s, luna_onnx_ir(c, boxes),
             luna_onnx_attr_int(n, "center_point_box", 0) != 0);
  return read_threshold(c, n, 3, 0, &s->overlap) &&
         read_threshold(c, n, 4, -INFINITY, &s->threshold);
}

bool luna_onnx_op_non_max_suppression(LunaOnnxImport *c, LunaOnnxNode *n) {
  const char *name = luna_onnx_first_output(n);
  Boxes s;
  if (!read(c, n, &s))
    return false;
  int64_t known = s.batches * s.classes * s.limit;
  if (!luna_onnx_bound(c, name, known, &s.bound))
    return false;
  LunaShape shape = {2, {s.bound, 3}};
  LunaTimeLoop loop = list_boxes(&s, take_boxes(&s));
  LunaValidLength valid = {
      .count = luna_time_last(&loop, 1), .name = name, .is_zero_behind = true};
  n->outputs[0] = luna_onnx_with_valid(
      c, luna_onnx_from_ir(c, LUNA_ONNX_I64, &shape, luna_time_last(&loop, 0)),
      &valid, 0);
  return luna_onnx_report(c, name, valid.count, known, s.bound);
}
