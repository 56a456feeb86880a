#include "time_loop.h"

#include "luna-c/build_scalar.h"

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
