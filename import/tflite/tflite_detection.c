#include <math.h>

#include "along_axis.h"
#include "overlaps.h"
#include "tflite_flex.h"
#include "tflite_ops.h"
#include "tflite_scalar.h"

// TFLite_Detection_PostProcess, the custom operator that ends detectors: boxes
// are decoded from anchors, those that overlap with better ones dropped, and
// what is left is listed with its classes and scores. Outputs behind the last
// box are 0.

typedef struct Detection {
  LunaTfliteNode *node;
  LunaBuilder *b;
  int64_t anchors, classes;
  int64_t most;    ///< boxes
  int64_t columns; ///< classes of each box that outputs have room for
  int64_t ranked;  ///< classes of each box that are listed
  double scales[4];
  LunaBoxes boxes;
  MlirValue places, values; ///< of the best classes, [anchor, ranked]
} Detection;

static double option(const LunaTfliteNode *node, const char *name,
                     double absent) {
  return luna_flex_number(node->op->custom_options, node->op->custom_bytes,
                          name, absent);
}

static bool read_options(Detection *d) {
  static const char *const names[] = {"y_scale", "x_scale", "h_scale",
                                      "w_scale"};
  const LunaTfliteNode *node = d->node;
  double most = option(node, "max_detections", 0);
  double columns = option(node, "max_classes_per_detection", 0);
  double classes = option(node, "num_classes", 0);
  for (int i = 0; i < 4; ++i)
    d->scales[i] = option(node, names[i], 0);
  if (!(most >= 1 && most <= INT32_MAX && columns >= 1 &&
        columns <= INT32_MAX && classes >= 1 && classes <= INT32_MAX &&
        d->scales[0] * d->scales[1] * d->scales[2] * d->scales[3] != 0))
    return luna_tflite_fail(node, "its options lack a number, or one is 0");
  if (option(node, "use_regular_nms", 0) != 0)
    return luna_tflite_fail(node, "use_regular_nms is not supported");
  d->most = (int64_t)most;
  d->columns = (int64_t)columns;
  d->classes = (int64_t)classes;
  d->ranked = d->columns < d->classes ? d->columns : d->classes;
  d->boxes.overlap =
      luna_scalar_f32(d->b, option(node, "nms_iou_threshold", 0));
  d->boxes.threshold =
      luna_scalar_f32(d->b, option(node, "nms_score_threshold", 0));
  return true;
}

// An input as floats.
static bool read_float(Detection *d, int64_t i, MlirValue *value) {
  const LunaTfliteTensor *tensor = luna_tflite_input(d->node, i);
  LunaBuilder *b = d->b;
  LunaTfliteScale scale;
  MlirValue x;
  if (!luna_tflite_value(d->node, i, value))
    return false;
  if (tensor->type == LUNA_TFLITE_F32)
    return true;
  if (!luna_tflite_is_quantized(tensor) ||
      !luna_tflite_scale(d->node, tensor, &scale))
    return luna_tflite_fail(d->node, "'%s' is neither float nor quantised",
                            tensor->name);
  LunaGeneric generic = luna_generic_map(b, 1, value, b->f32, &x);
  x = luna_scalar_with(b, "arith.subi", luna_scalar_resize(b, x, b->i32),
                       scale.zero_point);
  x = luna_scalar_mul(b, luna_scalar_to(b, "arith.sitofp", x, b->f32),
                      luna_scalar_f32(b, (double)scale.scale));
  *value = luna_generic_end(&generic, x);
  return true;
}

// The corners and areas of the boxes that codes [1, box, 4] make of anchors
// [box, 4], both centers, heights and widths.
static void decode(Detection *d, MlirValue codes, MlirValue anchors) {
  LunaBuilder *b = d->b;
  MlirValue code[4], anchor[4], out[LUNA_BOX_SIDES];
  LunaGeneric generic = luna_generic(b, &(LunaShape){2, {1, d->anchors}});
  for (int i = 0; i < 4; ++i)
    code[i] = luna_generic_input_at(&generic, codes, (int[]){0, 1, -1 - i});
  for (int i = 0; i < 4; ++i)
    anchor[i] = luna_generic_input_at(&generic, anchors, (int[]){1, -1 - i});
  for (int i = 0; i < LUNA_BOX_SIDES; ++i)
    luna_generic_result(&generic, b->f32);
  for (int i = 0; i < 4; ++i)
    code[i] = luna_scalar_div(b, code[i], luna_scalar_f32(b, d->scales[i]));
  for (int i = 0; i < 2; ++i) {
    MlirValue center = luna_scalar_add(
        b, luna_scalar_mul(b, code[i], anchor[i + 2]), anchor[i]);
    MlirValue half = luna_scalar_mul(
        b, luna_scalar_f32(b, 0.5),
        luna_scalar_mul(b, luna_scalar_unary(b, "math.exp", code[i + 2]),
                        anchor[i + 2]));
    out[i] = luna_scalar_sub(b, center, half);
    out[i + 2] = luna_scalar_add(b, center, half);
  }
  out[LUNA_BOX_AREA] = luna_scalar_mul(b, luna_scalar_sub(b, out[2], out[0]),
                                       luna_scalar_sub(b, out[3], out[1]));
  MlirOperation op = luna_generic_close(&generic, out);
  for (int i = 0; i < LUNA_BOX_SIDES; ++i)
    d->boxes.sides[i] = mlirOperationGetResult(op, i);
}

// The best classes of each anchor, of which the first `offset` are background.
static void rank_classes(Detection *d, MlirValue scores, int64_t offset) {
  LunaBuilder *b = d->b;
  LunaShape all = {2, {d->anchors, offset + d->classes}},
            row = {2, {1, d->anchors}};
  int64_t start[2] = {0, offset}, first[2] = {0, 0};
  scores = luna_build_reshape(b, scores, &all);
  scores =
      luna_build_slice(b, scores, start, (int64_t[]){d->anchors, d->classes});
  d->places = luna_first_places(b, scores, 1, d->ranked, LUNA_GT);
  d->values = luna_take_places(b, scores, 1, d->places);
  MlirValue best =
      luna_build_slice(b, d->values, first, (int64_t[]){d->anchors, 1});
  d->boxes.scores = luna_build_reshape(b, best, &row);
}

static bool read(Detection *d) {
  MlirValue codes, scores, anchors;
  if (!read_options(d) || !read_float(d, 0, &codes) ||
      !read_float(d, 1, &scores) || !read_float(d, 2, &anchors))
    return false;
  LunaShape of = luna_shape_of(codes), by = luna_shape_of(scores),
            at = luna_shape_of(anchors);
  bool fits = of.rank == 3 && by.rank == 3 && at.rank == 2 && of.dims[0] == 1 &&
              by.dims[0] == 1 && of.dims[2] == 4 && at.dims[1] == 4 &&
              of.dims[1] == at.dims[0] && by.dims[1] == at.dims[0] &&
              by.dims[2] >= d->classes;
  if (!fits)
    return luna_tflite_fail(d->node, "boxes, scores and anchors do not go "
                                     "together");
  d->anchors = at.dims[0];
  decode(d, codes, anchors);
  rank_classes(d, scores, by.dims[2] - d->classes);
  d->boxes.batches = d->boxes.classes = 1;
  d->boxes.boxes = d->anchors;
  d->boxes.limit = d->most < d->anchors ? d->most : d->anchors;
  d->boxes.may_equal = true;
  return true;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

enum { BOXES, CLASSES, SCORES, COUNT };

// One output; `taken` has the anchors of the boxes.
static MlirValue list(const Detection *d, MlirValue taken, int output) {
  LunaBuilder *b = d->b;
  LunaShape loops = {2, {1, d->most * d->columns}};
  if (output == BOXES)
    loops = (LunaShape){3, {1, d->most * d->columns, 4}};
  LunaGeneric generic = luna_generic(b, &loops);
  luna_generic_result(&generic, b->f32);
  MlirValue slot = luna_generic_index(&generic, 1),
            zero = luna_scalar_index(b, 0);
  MlirValue columns = luna_scalar_index(b, d->columns);
  MlirValue number = luna_scalar(b, "arith.divui", slot, columns);
  MlirValue column = luna_scalar(b, "arith.remui", slot, columns);
  MlirValue last = luna_scalar_index(b, d->boxes.limit - 1);
  MlirValue at[2] = {zero, luna_scalar_min(b, number, last)};
  MlirValue anchor = luna_scalar_to(
      b, "arith.index_cast", luna_scalar_extract(b, taken, at), b->index);
  MlirValue is_there = luna_scalar(
      b, "arith.andi", luna_scalar_compare(b, LUNA_GE, anchor, zero),
      luna_scalar(b, "arith.andi",
                  luna_scalar_compare(b, LUNA_LE, number, last),
                  luna_scalar_compare(b, LUNA_LT, column,
                                      luna_scalar_index(b, d->ranked))));
  anchor = luna_scalar_clamp(b, anchor, 0, d->anchors - 1);
  MlirValue found, side[2] = {zero, anchor};
  MlirValue class_at[2] = {
      anchor, luna_scalar_min(b, column, luna_scalar_index(b, d->ranked - 1))};
  if (output == BOXES) {
    MlirValue own = luna_generic_index(&generic, 2);
    found = luna_scalar_extract(b, d->boxes.sides[0], side);
    for (int i = 1; i < 4; ++i)
      found = luna_scalar_select(
          b, luna_scalar_compare(b, LUNA_EQ, own, luna_scalar_index(b, i)),
          luna_scalar_extract(b, d->boxes.sides[i], side), found);
  } else if (output == CLASSES) {
    found = luna_scalar_to(b, "arith.sitofp",
                           luna_scalar_extract(b, d->places, class_at), b->f32);
  } else {
    found = luna_scalar_extract(b, d->values, class_at);
  }
  return luna_generic_end(
      &generic, luna_scalar_select(b, is_there, found, luna_scalar_f32(b, 0)));
}

static MlirValue count_taken(const Detection *d, MlirValue taken) {
  LunaBuilder *b = d->b;
  MlirValue start = luna_build_splat(b, luna_list_type(b->f32, 1), 0);
  LunaGeneric generic = luna_generic(b, &(LunaShape){2, {1, d->boxes.limit}});
  MlirValue anchor = luna_generic_input(&generic, taken);
  MlirValue sum = luna_generic_update_at(&generic, start, (int[]){0});
  MlirValue is_there =
      luna_scalar_compare(b, LUNA_GE, anchor, luna_scalar_i32(b, 0));
  MlirValue one = luna_scalar_select(b, is_there, luna_scalar_f32(b, 1),
                                     luna_scalar_f32(b, 0));
  return luna_generic_end(&generic, luna_scalar_add(b, sum, one));
}

bool luna_tflite_op_detection(LunaTfliteNode *node) {
  Detection d = {.node = node, .b = node->builder};
  if (!read(&d))
    return false;
  MlirValue taken = luna_take_boxes(d.b, &d.boxes);
  for (int i = 0; i < COUNT; ++i)
    if (!luna_tflite_set(node, i, list(&d, taken, i)))
      return false;
  return luna_tflite_set(node, COUNT, count_taken(&d, taken));
}
