// NonMaxSuppression: the boxes that each batch and class takes, in one list.

#include "onnx_valid.h"
#include "overlaps.h"

#include <math.h>

typedef struct Boxes {
  LunaOnnxImport *c;
  LunaBoxes of;
  int64_t bound;
} Boxes;

static MlirValue half(LunaBuilder *b, MlirValue x) {
  return luna_scalar_mul(b, x, luna_scalar_f32(b, 0.5));
}

// Opposite corners come in any order, or as a center with a width and height.
static void find_sides(Boxes *s, MlirValue boxes, bool is_center) {
  LunaBuilder *b = s->c->b;
  MlirValue in[4], out[5];
  LunaGeneric generic =
      luna_generic(b, &(LunaShape){2, {s->of.batches, s->of.boxes}});
  for (int i = 0; i < 4; ++i)
    in[i] = luna_generic_input_at(&generic, boxes, (int[]){0, 1, -1 - i});
  for (int i = 0; i <= LUNA_BOX_AREA; ++i)
    luna_generic_result(&generic, b->f32);
  for (int i = 0; i < 2; ++i) {
    MlirValue extent = is_center ? half(b, in[3 - i]) : in[i + 2];
    MlirValue at = is_center ? in[1 - i] : in[i];
    out[i] = is_center ? luna_scalar_sub(b, at, extent)
                       : luna_scalar_min(b, at, extent);
    out[i + 2] = is_center ? luna_scalar_add(b, at, extent)
                           : luna_scalar_max(b, at, extent);
  }
  out[LUNA_BOX_AREA] = luna_scalar_mul(b, luna_scalar_sub(b, out[2], out[0]),
                                       luna_scalar_sub(b, out[3], out[1]));
  MlirOperation op = luna_generic_close(&generic, out);
  for (int i = 0; i <= LUNA_BOX_AREA; ++i)
    s->of.sides[i] = mlirOperationGetResult(op, i);
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
            of_taken = {2, {s->of.batches * s->of.classes, s->of.limit}};
  LunaTimeSpec spec = {
      .steps = luna_onnx_elems(&of_taken),
      .count = 2,
      .first = {luna_onnx_splat(s->c, LUNA_ONNX_I64, &shape, 0),
                luna_scalar_index(b, 0)}};
  LunaTimeLoop loop = luna_time_loop(b, &spec);
  MlirValue at[2], indices[3], count = loop.carried[1];
  luna_unflatten(b, loop.at, &of_taken, at);
  MlirValue classes = luna_scalar_index(b, s->of.classes);
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
               .of = {.batches = of->dims[0],
                      .classes = of->dims[1],
                      .boxes = of->dims[2]}};
  if (luna_onnx_input_ints(c, n, 2, &s->of.limit, 1) == -2)
    return false;
  if (s->of.limit < 1)
    return luna_onnx_fail(c,
                          "max_output_boxes_per_class is %lld: there are "
                          "no boxes",
                          (long long)s->of.limit);
  s->of.limit = s->of.limit < s->of.boxes ? s->of.limit : s->of.boxes;
  LunaShape rows = {2, {s->of.batches * s->of.classes, s->of.boxes}};
  s->of.scores = luna_build_reshape(c->b, luna_onnx_ir(c, scores), &rows);
  find_sides(s, luna_onnx_ir(c, boxes),
             luna_onnx_attr_int(n, "center_point_box", 0) != 0);
  return read_threshold(c, n, 3, 0, &s->of.overlap) &&
         read_threshold(c, n, 4, -INFINITY, &s->of.threshold);
}

bool luna_onnx_op_non_max_suppression(LunaOnnxImport *c, LunaOnnxNode *n) {
  const char *name = luna_onnx_first_output(n);
  Boxes s;
  if (!read(c, n, &s))
    return false;
  int64_t known = s.of.batches * s.of.classes * s.of.limit;
  if (!luna_onnx_bound(c, name, known, &s.bound))
    return false;
  LunaShape shape = {2, {s.bound, 3}};
  LunaTimeLoop loop = list_boxes(&s, luna_take_boxes(c->b, &s.of));
  LunaValidLength valid = {
      .count = luna_time_last(&loop, 1), .name = name, .is_zero_behind = true};
  n->outputs[0] = luna_onnx_with_valid(
      c, luna_onnx_from_ir(c, LUNA_ONNX_I64, &shape, luna_time_last(&loop, 0)),
      &valid, 0);
  return luna_onnx_report(c, name, valid.count, known, s.bound);
}
