#include "luna-c/build_loop.h"

#include "luna-c/build_scalar.h"

LunaLoop luna_loop(LunaBuilder *b, MlirValue first, MlirValue end,
                   MlirValue init) {
  LunaLoop loop = {
      .builder = b,
      .outer = b->block,
      .before = b->before,
      .operands = {first, end, luna_scalar_index(b, 1), init},
      .body = mlirBlockCreate(0, NULL, NULL),
  };
  loop.index = mlirBlockAddArgument(loop.body, b->index, b->location);
  loop.carried =
      mlirBlockAddArgument(loop.body, mlirValueGetType(init), b->location);
  b->block = loop.body;
  b->before = (MlirOperation){NULL};
  return loop;
}

MlirValue luna_loop_end(LunaLoop *loop, MlirValue value) {
  LunaBuilder *b = loop->builder;
  luna_build_end(b, "scf.yield", 1, &value);
  b->block = loop->outer;
  b->before = loop->before;
  MlirType type = mlirValueGetType(loop->carried);
  MlirRegion region = luna_region_of(loop->body);
  MlirOperation op =
      luna_build_spec(b, &(LunaOpSpec){.name = "scf.for",
                                       .operands = loop->operands,
                                       .operand_count = 4,
                                       .results = &type,
                                       .result_count = 1,
                                       .owned_regions = &region,
                                       .region_count = 1});
  return mlirOperationGetResult(op, 0);
}
