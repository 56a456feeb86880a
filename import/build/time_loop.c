#include "time_loop.h"

#include "luna-c/build_scalar.h"
#include "luna-c/build_tosa.h"

LunaTimeLoop luna_time_loop(LunaBuilder *b, const LunaTimeSpec *spec) {
  LunaTimeLoop loop = {.builder = b, .outer = b->block, .count = spec->count};
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  MlirValue operands[3 + LUNA_TIME_MAX_CARRIED] = {
      luna_scalar_index(b, 0), luna_scalar_index(b, spec->steps),
      luna_scalar_index(b, 1)};
  MlirType types[LUNA_TIME_MAX_CARRIED];
  loop.at = mlirBlockAddArgument(body, b->index, b->location);
  for (int i = 0; i < spec->count; ++i) {
    operands[3 + i] = spec->first[i];
    types[i] = mlirValueGetType(spec->first[i]);
    loop.carried[i] = mlirBlockAddArgument(body, types[i], b->location);
  }
  MlirRegion region = luna_region_of(body);
  loop.op = luna_build_spec(b, &(LunaOpSpec){.name = "scf.for",
                                             .operands = operands,
                                             .operand_count = 3 + spec->count,
                                             .results = types,
                                             .result_count = spec->count,
                                             .owned_regions = &region,
                                             .region_count = 1});
  b->block = body;
  if (spec->is_reverse)
    loop.at =
        luna_scalar_sub(b, luna_scalar_index(b, spec->steps - 1), loop.at);
  return loop;
}

void luna_time_end(const LunaTimeLoop *loop, const MlirValue *next) {
  luna_build_end(loop->builder, "scf.yield", loop->count, next);
  loop->builder->block = loop->outer;
}

MlirValue luna_time_last(const LunaTimeLoop *loop, int i) {
  return mlirOperationGetResult(loop->op, i);
}

void luna_unflatten(LunaBuilder *b, MlirValue flat, const LunaShape *shape,
                    MlirValue *index) {
  for (int i = shape->rank - 1; i >= 0; --i) {
    MlirValue size = luna_scalar_index(b, shape->dims[i]);
    index[i] = luna_scalar(b, "arith.remui", flat, size);
    flat = luna_scalar(b, "arith.divui", flat, size);
  }
}

MlirValue luna_find_places(LunaBuilder *b, MlirValue value, int64_t bound,
                           bool as_columns, MlirValue *count) {
  LunaShape shape = luna_shape_of(value), places = {2, {bound, shape.rank}};
  MlirValue index[LUNA_RANK_MAX], at[2];
  int own = as_columns ? 0 : 1; // the dimension of the place's own indices
  places.dims[own] = shape.rank;
  places.dims[1 - own] = bound;
  LunaTimeSpec spec = {
      .steps = 1,
      .count = 2,
      .first = {luna_build_splat(b, luna_tensor_type(b->i64, &places), 0),
                luna_scalar_index(b, 0)}};
  for (int d = 0; d < shape.rank; ++d)
    spec.steps *= shape.dims[d];
  LunaTimeLoop loop = luna_time_loop(b, &spec);
  MlirValue into = loop.carried[0], found = loop.carried[1];
  luna_unflatten(b, loop.at, &shape, index);
  MlirValue element = luna_scalar_extract(b, value, index);
  MlirValue is_found = luna_scalar_compare(
      b, LUNA_NE, element, luna_scalar_float(b, mlirValueGetType(element), 0));
  MlirValue last = luna_scalar_index(b, bound - 1);
  MlirValue is_kept = luna_scalar(b, "arith.andi", is_found,
                                  luna_scalar_compare(b, LUNA_LE, found, last));
  at[1 - own] = luna_scalar_min(b, found, last);
  for (int d = 0; d < shape.rank; ++d) {
    at[own] = luna_scalar_index(b, d);
    MlirValue place = luna_scalar_select(
        b, is_kept, luna_scalar_to(b, "arith.index_cast", index[d], b->i64),
        luna_scalar_extract(b, into, at));
    into = luna_scalar_insert(b, place, into, at);
  }
  luna_time_end(
      &loop,
      (MlirValue[]){
          into, luna_scalar_select(b, is_found,
                                   luna_scalar_with(b, "arith.addi", found, 1),
                                   found)});
  *count = luna_time_last(&loop, 1);
  return luna_time_last(&loop, 0);
}
