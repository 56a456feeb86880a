// A loop for each batch and class takes the best score that is left and drops
// the boxes that overlap with its own.

#include "overlaps.h"

#include <math.h>

#include "luna-c/build_generic.h"
#include "luna-c/build_tosa.h"
#include "time_loop.h"

// The best of the scores that are left, its box and where it is: 0 with the
// lowest score if none is.
typedef struct Best {
  MlirValue sides[5], score, place;
} Best;

static Best find_best(LunaBuilder *b, const LunaBoxes *s, MlirValue left,
                      const MlirValue *rows) {
  enum { SCORE = LUNA_BOX_SIDES, PLACE, COUNT };
  LunaShape scalar = {.rank = 0};
  MlirValue own[COUNT], old[COUNT], start[2];
  for (int i = 0; i < 2; ++i)
    start[i] =
        luna_build_splat(b, luna_tensor_type(i == 0 ? b->f32 : b->i32, &scalar),
                         i == 0 ? -(double)INFINITY : 0);
  LunaGeneric generic = luna_generic(b, &(LunaShape){1, {s->boxes}});
  for (int i = 0; i < PLACE; ++i)
    own[i] = luna_generic_input(&generic, i == SCORE ? left : rows[i]);
  for (int i = 0; i < COUNT; ++i)
    old[i] = luna_generic_update_at(&generic, start[i == PLACE], NULL);
  own[PLACE] = luna_scalar_to(b, "arith.index_cast",
                              luna_generic_index(&generic, 0), b->i32);
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
static MlirValue drop(LunaBuilder *b, const LunaBoxes *s, MlirValue left,
                      const MlirValue *rows, const Best *best) {
  const MlirValue *chosen = best->sides;
  MlirValue own[5];
  LunaGeneric generic = luna_generic(b, &(LunaShape){1, {s->boxes}});
  MlirValue score = luna_generic_input(&generic, left);
  for (int i = 0; i <= LUNA_BOX_AREA; ++i)
    own[i] = luna_generic_input(&generic, rows[i]);
  luna_generic_result(&generic, b->f32);
  MlirValue common =
      luna_scalar_mul(b, shared(b, own, chosen, 0), shared(b, own, chosen, 1));
  MlirValue all = luna_scalar_sub(
      b, luna_scalar_add(b, own[LUNA_BOX_AREA], chosen[LUNA_BOX_AREA]), common);
  MlirValue overlaps = luna_scalar_compare(
      b, LUNA_GT, luna_scalar_div(b, common, all), s->overlap);
  MlirValue is_own = luna_scalar_compare(
      b, LUNA_EQ,
      luna_scalar_to(b, "arith.index_cast", luna_generic_index(&generic, 0),
                     b->i32),
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
static void build_class(LunaBuilder *b, const LunaBoxes *s,
                        LunaTimeLoop *outer) {
  MlirValue rows[5];
  MlirValue batch = luna_scalar(b, "arith.divui", outer->at,
                                luna_scalar_index(b, s->classes));
  for (int i = 0; i <= LUNA_BOX_AREA; ++i)
    rows[i] = row_of(b, s->sides[i], batch);
  LunaTimeSpec spec = {
      .steps = s->limit,
      .count = 2,
      .first = {outer->carried[0], row_of(b, s->scores, outer->at)}};
  LunaTimeLoop loop = luna_time_loop(b, &spec);
  Best best = find_best(b, s, loop.carried[1], rows);
  MlirValue is_found = luna_scalar_compare(b, s->may_equal ? LUNA_GE : LUNA_GT,
                                           best.score, s->threshold);
  MlirValue taken =
      luna_scalar_select(b, is_found, best.place, luna_scalar_i32(b, -1));
  MlirValue next[2] = {luna_scalar_insert(b, taken, loop.carried[0],
                                          (MlirValue[]){outer->at, loop.at}),
                       drop(b, s, loop.carried[1], rows, &best)};
  luna_time_end(&loop, next);
  luna_time_end(outer, (MlirValue[]){luna_time_last(&loop, 0)});
}

MlirValue luna_take_boxes(LunaBuilder *b, const LunaBoxes *s) {
  LunaShape shape = {2, {s->batches * s->classes, s->limit}};
  MlirValue none = luna_build_splat(b, luna_tensor_type(b->i32, &shape), -1);
  LunaTimeLoop loop = luna_time_loop(
      b, &(LunaTimeSpec){.steps = shape.dims[0], .count = 1, .first = {none}});
  build_class(b, s, &loop);
  return luna_time_last(&loop, 0);
}
