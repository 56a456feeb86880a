#include "structure.h"

#include <stdio.h>

#include "luna/checked.h"
#include "mlir-c/BuiltinAttributes.h"

bool luna_is_branch(MlirOperation op) {
  return LUNA_OP_IS_ANY(op, LUNA_OP_SCF_IF, LUNA_OP_SCF_INDEX_SWITCH);
}

bool luna_is_loop(MlirOperation op) {
  return LUNA_OP_IS_ANY(op, LUNA_OP_SCF_FOR, LUNA_OP_SCF_WHILE);
}

MlirOperation luna_loop_around(MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) && !luna_is_loop(op));
  return op;
}

bool luna_is_control_flow(MlirOperation op) {
  return luna_op_in_dialect(op, LUNA_DIALECT_SCF) &&
         (luna_is_branch(op) || luna_is_loop(op));
}

static bool constant_index(MlirValue value, int64_t *constant) {
  MlirOperation op = luna_defining_op(value);
  if (!luna_op_is(op, LUNA_OP_ARITH_CONSTANT))
    return false;
  *constant = luna_attr_int(op, "value", 0);
  return true;
}

int64_t luna_trip_count(MlirOperation loop, int64_t unknown) {
  int64_t lower = 0, upper = 0, step = 0;
  if (!luna_op_is(loop, LUNA_OP_SCF_FOR) ||
      !constant_index(mlirOperationGetOperand(loop, 0), &lower) ||
      !constant_index(mlirOperationGetOperand(loop, 1), &upper) ||
      !constant_index(mlirOperationGetOperand(loop, 2), &step) || step <= 0)
    return unknown;
  uint64_t trips = luna_trips(lower, upper, step);
  return trips > INT64_MAX ? INT64_MAX : (int64_t)trips;
}

int64_t luna_run_count(MlirOperation op) {
  int64_t count = 1;
  for (MlirOperation outer = mlirOperationGetParentOperation(op);
       !luna_op_is(outer, LUNA_OP_FUNC_FUNC);
       outer = mlirOperationGetParentOperation(outer))
    if (luna_is_loop(outer) &&
        !luna_checked_mul(count, luna_trip_count(outer, 1), &count))
      return INT64_MAX;
  return count;
}

void luna_branch_name(MlirOperation op, intptr_t region, char room[32]) {
  MlirStringRef way = luna_way_of(op, region);
  if (way.length > 0) {
    snprintf(room, 32, "%.*s", (int)way.length, way.data);
    return;
  }
  if (luna_op_is(op, LUNA_OP_SCF_IF)) {
    snprintf(room, 32, "%s", region == 0 ? "then" : "else");
    return;
  }
  MlirAttribute cases = luna_attr(op, "cases");
  if (region == 0)
    snprintf(room, 32, "default");
  else
    snprintf(room, 32, "case%lld",
             (long long)mlirDenseI64ArrayGetElement(cases, region - 1));
}

typedef struct NameCounts {
  int branches;
  int loops;
} NameCounts;

static void label_regions(MlirOperation op, const char *name) {
  MlirContext context = mlirOperationGetContext(op);
  MlirNamedAttribute attribute =
      luna_named(context, "name", luna_string_attr(context, name));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    if (!mlirBlockIsNull(luna_body(op, r)))
      luna_build_before(mlirBlockGetFirstOperation(luna_body(op, r)),
                        &(LunaOpSpec){.name = "luna.label",
                                      .location = mlirOperationGetLocation(op),
                                      .attributes = &attribute,
                                      .attribute_count = 1});
}

bool luna_is_in_body(MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) &&
         !luna_op_in_dialect(op, LUNA_DIALECT_LINALG));
  return !mlirOperationIsNull(op);
}

static bool name_op(MlirOperation op, void *data) {
  NameCounts *counts = data;
  if (!luna_is_control_flow(op) || luna_is_in_body(op))
    return true;
  bool is_branch = luna_is_branch(op);
  int number = is_branch ? counts->branches++ : counts->loops++;
  if (luna_label_of(op).length > 0)
    return true;
  char name[32];
  snprintf(name, sizeof name, "%s%d", is_branch ? "if" : "loop", number);
  label_regions(op, name);
  return true;
}

void luna_name_control_flow(MlirOperation root) {
  NameCounts counts = {0};
  luna_walk(root, name_op, &counts);
}

bool luna_is_within(MlirOperation op, MlirOperation outer) {
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, outer))
    op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op);
}

MlirOperation luna_ancestor_in_block(MlirOperation op, MlirBlock block) {
  while (!mlirOperationIsNull(op) &&
         !mlirBlockEqual(mlirOperationGetBlock(op), block))
    op = mlirOperationGetParentOperation(op);
  return op;
}

MlirBlock luna_entry_block(MlirOperation func) { return luna_body(func, 0); }

MlirOperation luna_version_switch(MlirOperation func) {
  MlirBlock entry = luna_entry_block(func);
  MlirOperation op = mlirBlockGetFirstOperation(entry);
  if (mlirBlockGetNumArguments(entry) == 0 ||
      mlirAttributeIsNull(luna_func_argument_attr(func, 0, "luna.cases")))
    return (MlirOperation){NULL};
  while (!mlirOperationIsNull(op) &&
         (!luna_op_is(op, LUNA_OP_SCF_INDEX_SWITCH) ||
          !mlirStringRefEqual(luna_label_of(op), luna_str("shape"))))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

MlirOperation luna_model_function(MlirOperation module) {
  MlirOperation found = {NULL};
  MlirBlock body = luna_body(module, 0);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!luna_op_is(op, LUNA_OP_FUNC_FUNC) ||
        mlirBlockIsNull(luna_entry_block(op)))
      continue;
    if (!mlirOperationIsNull(found)) {
      luna_emit_error(op, "second function with a body; a model is one "
                          "function, inline the others first");
      return (MlirOperation){NULL};
    }
    found = op;
  }
  if (mlirOperationIsNull(found))
    luna_emit_error(module, "no function with a body to compile");
  return found;
}

MlirAttribute luna_func_argument_attr(MlirOperation func, intptr_t number,
                                      const char *name) {
  MlirAttribute all = luna_attr(func, "arg_attrs");
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all))
    return mlirAttributeGetNull();
  return mlirDictionaryAttrGetElementByName(
      mlirArrayAttrGetElement(all, number), luna_str(name));
}
