#include "region_edit.h"

#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"

MlirOperation luna_build_region(MlirOperation before) {
  MlirLocation location = mlirOperationGetLocation(before);
  MlirContext context = mlirOperationGetContext(before);
  MlirRegion body = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(body, block);
  mlirBlockAppendOwnedOperation(
      block,
      luna_build(&(LunaOpSpec){.name = "luna.yield", .location = location}));
  MlirNamedAttribute id = luna_named(context, "id", luna_i32_attr(context, 0));
  return luna_build_before(before, &(LunaOpSpec){.name = "luna.region",
                                                 .location = location,
                                                 .attributes = &id,
                                                 .attribute_count = 1,
                                                 .owned_regions = &body,
                                                 .region_count = 1});
}

static bool number_region(MlirOperation op, void *data) {
  int32_t *next = data;
  if (luna_op_is(op, LUNA_OP_LUNA_REGION))
    luna_set_attr(op, "id",
                  luna_i32_attr(mlirOperationGetContext(op), (*next)++));
  return true;
}

void luna_number_regions(MlirOperation func) {
  int32_t next = 0;
  luna_walk(func, number_region, &next);
}
