// What callers see of a function is part of the program: its name, the
// arguments and results, their types but for layouts and memories, and their
// attributes (state variables, sizes, cases, names).

#include <stdio.h>

#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "verify_flow.h"
#include "verify_plan.h"

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

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

static const List lists[] = {
    {"argument", "arg_attrs", mlirFunctionTypeGetNumInputs,
     mlirFunctionTypeGetInput},
    {"result", "res_attrs", mlirFunctionTypeGetNumResults,
     mlirFunctionTypeGetResult},
};

enum { LIST_COUNT = sizeof lists / sizeof lists[0] };

static bool has_same_list(const List *list, MlirType a, MlirType b) {
  bool is_same = list->count(a) == list->count(b);
  for (intptr_t i = 0; is_same && i < list->count(a); ++i)
    is_same = is_same_type(list->type(a, i), list->type(b, i));
  return is_same;
}

static bool has_same_types(LunaPair *pair) {
  MlirOperation program = pair->program.func, plan = pair->plan.func;
  MlirType a = function_type(program), b = function_type(plan);
  for (int i = 0; i < LIST_COUNT; ++i)
    if (!has_same_list(&lists[i], a, b))
      return luna_side_fail(&pair->plan, plan,
                            "%ss differ from those of the program",
                            lists[i].what);
  return true;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// The attributes of argument or result `i`; null if it has none.
static MlirAttribute attributes_at(MlirOperation func, const char *list,
                                   intptr_t i) {
  MlirAttribute all = luna_attr(func, list);
  bool is_there = !mlirAttributeIsNull(all) && mlirAttributeIsAArray(all) &&
                  i < mlirArrayAttrGetNumElements(all);
  if (!is_there)
    return mlirAttributeGetNull();
  MlirAttribute own = mlirArrayAttrGetElement(all, i);
  bool is_empty = mlirDictionaryAttrGetNumElements(own) == 0;
  return is_empty ? mlirAttributeGetNull() : own;
}

// The name of the first attribute of `a` that `b` lacks or has otherwise.
static MlirStringRef first_difference(MlirAttribute a, MlirAttribute b) {
  intptr_t count =
      mlirAttributeIsNull(a) ? 0 : mlirDictionaryAttrGetNumElements(a);
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute named = mlirDictionaryAttrGetElement(a, i);
    MlirStringRef name = mlirIdentifierStr(named.name);
    bool is_equal =
        !mlirAttributeIsNull(b) &&
        mlirAttributeEqual(mlirDictionaryAttrGetElementByName(b, name),
                           named.attribute);
    if (!is_equal)
      return name;
  }
  return mlirStringRefCreate(NULL, 0);
}

static bool has_same_attributes(LunaPair *pair, const List *list, intptr_t i) {
  MlirOperation program = pair->program.func, plan = pair->plan.func;
  MlirAttribute a = attributes_at(program, list->attributes, i);
  MlirAttribute b = attributes_at(plan, list->attributes, i);
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

static bool has_one_record(LunaPair *pair) {
  MlirOperation program = pair->program.func, plan = pair->plan.func;
  MlirBlock module = mlirOperationGetBlock(plan);
  MlirStringRef name = luna_attr_string(plan, "sym_name");
  for (MlirOperation op = mlirBlockGetFirstOperation(module);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (pair->is_self || !luna_op_is(op, LUNA_OP_LUNA_PROGRAM))
      continue;
    MlirOperation other = luna_verify_function_named(luna_body(op, 0), name);
    if (!mlirOperationIsNull(other) && !mlirOperationEqual(other, program))
      return luna_side_fail(&pair->plan, plan,
                            "is recorded twice, needs one luna.program");
  }
  return true;
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

bool luna_verify_interface(LunaPair *pair) {
  MlirOperation plan = pair->plan.func;
  if (!has_one_record(pair) || !has_all_functions(pair) ||
      !has_same_types(pair))
    return false;
  for (int k = 0; k < LIST_COUNT; ++k)
    for (intptr_t i = 0; i < lists[k].count(function_type(plan)); ++i)
      if (!has_same_attributes(pair, &lists[k], i))
        return false;
  return true;
}
