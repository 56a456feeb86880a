// What callers see of a function is part of the program: its name, the
// arguments and results, their types but for layouts and memories, and their
// attributes (state variables, sizes, cases, names).

#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "verify_flow.h"
#include "verify_plan.h"

static MlirType function_type(MlirOperation func) {
  return mlirTypeAttrGetValue(luna_attr(func, "function_type"));
}

static bool is_same_type(MlirType a, MlirType b) {
  return luna_is_memref(a) && luna_is_memref(b)
             ? mlirTypeEqual(luna_tensor_like(a), luna_tensor_like(b))
             : mlirTypeEqual(a, b);
}

// What a function has one for each of.
typedef struct List {
  const char *what, *attributes;
  intptr_t (*count)(MlirType func);
  MlirType (*type)(MlirType func, intptr_t i);
} List;

static const List arguments = {"argument", "arg_attrs",
                               mlirFunctionTypeGetNumInputs,
                               mlirFunctionTypeGetInput};
static const List results = {"result", "res_attrs",
                             mlirFunctionTypeGetNumResults,
                             mlirFunctionTypeGetResult};

// The attributes of argument or result `i`.
static MlirAttribute attributes_at(MlirOperation func, const List *list,
                                   intptr_t i) {
  MlirAttribute all = luna_attr(func, list->attributes);
  bool is_there = !mlirAttributeIsNull(all) && mlirAttributeIsAArray(all) &&
                  i < mlirArrayAttrGetNumElements(all);
  return is_there
             ? mlirArrayAttrGetElement(all, i)
             : mlirDictionaryAttrGet(mlirOperationGetContext(func), 0, NULL);
}

// The name of the first attribute of `a` that `b` lacks or has otherwise.
static MlirStringRef first_difference(MlirAttribute a, MlirAttribute b) {
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(a); ++i) {
    MlirNamedAttribute named = mlirDictionaryAttrGetElement(a, i);
    MlirStringRef name = mlirIdentifierStr(named.name);
    if (!mlirAttributeEqual(mlirDictionaryAttrGetElementByName(b, name),
                            named.attribute))
      return name;
  }
  return mlirStringRefCreate(NULL, 0);
}

static bool has_same_attributes(LunaPair *pair, const List *list, intptr_t i) {
  MlirOperation program = pair->program.func, plan = pair->plan.func;
  MlirAttribute a = attributes_at(program, list, i);
  MlirAttribute b = attributes_at(plan, list, i);
  if (mlirAttributeEqual(a, b))
    return true;
  MlirStringRef name = first_difference(a, b);
  if (!name.data)
    name = first_difference(b, a);
  return luna_side_fail(&pair->plan, plan,
                        "%s %d: '%.*s' differs from the program's", list->what,
                        (int)i, (int)name.length, name.data);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static bool is_named(MlirOperation op, MlirStringRef name) {
  return luna_op_is(op, LUNA_OP_FUNC_FUNC) &&
         !mlirBlockIsNull(luna_body(op, 0)) &&
         mlirStringRefEqual(luna_attr_string(op, "sym_name"), name);
}

MlirOperation luna_verify_function_named(MlirBlock block, MlirStringRef name) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationIsNull(op) && !is_named(op, name))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

static bool has_all_functions(LunaPair *pair) {
  MlirOperation program = pair->program.func, plan = pair->plan.func;
  MlirBlock module = mlirOperationGetBlock(plan);
  for (MlirOperation op =
           mlirBlockGetFirstOperation(mlirOperationGetBlock(program));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirStringRef name = luna_attr_string(op, "sym_name");
    if (!is_named(op, name) ||
        !mlirOperationIsNull(luna_verify_function_named(module, name)))
      continue;
    return luna_side_fail(&pair->plan, plan,
                          "function '%.*s' of its program is not planned",
                          (int)name.length, name.data);
  }
  return true;
}

// Types before attributes: as many of these are then there.
static bool has_same_list(LunaPair *pair, const List *list) {
  MlirType a = function_type(pair->program.func);
  MlirType b = function_type(pair->plan.func);
  bool is_same = list->count(a) == list->count(b);
  for (intptr_t i = 0; is_same && i < list->count(a); ++i)
    is_same = is_same_type(list->type(a, i), list->type(b, i));
  if (!is_same)
    return luna_side_fail(&pair->plan, pair->plan.func,
                          "%ss differ from those of the program", list->what);
  for (intptr_t i = 0; i < list->count(a); ++i)
    if (!has_same_attributes(pair, list, i))
      return false;
  return true;
}

bool luna_verify_interface(LunaPair *pair) {
  return has_all_functions(pair) && has_same_list(pair, &arguments) &&
         has_same_list(pair, &results);
}
