// What callers see of a function is part of the program: the arguments, their
// types but for layouts and memories, and the attributes of arguments and
// results (state variables, sizes, cases, names).

#include <stdio.h>

#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "validate_pair.h"

static MlirType argument_type(MlirOperation func, intptr_t i) {
  return mlirValueGetType(mlirBlockGetArgument(luna_body(func, 0), i));
}

static bool has_same_type(MlirOperation program, MlirOperation plan,
                          intptr_t i) {
  MlirType a = argument_type(program, i), b = argument_type(plan, i);
  if (!luna_is_memref(a) || !luna_is_memref(b))
    return mlirTypeEqual(a, b);
  return mlirTypeEqual(luna_tensor_like(a), luna_tensor_like(b));
}

static bool has_same_arguments(LunaPair *pair) {
  MlirOperation program = pair->program.func, plan = pair->plan.func;
  intptr_t count = mlirBlockGetNumArguments(luna_body(program, 0));
  bool is_same = count == mlirBlockGetNumArguments(luna_body(plan, 0));
  for (intptr_t i = 0; is_same && i < count; ++i)
    is_same = has_same_type(program, plan, i);
  return is_same ||
         luna_side_fail(&pair->plan, plan,
                        "arguments differ from those of the program");
}

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

static bool has_same_attributes(LunaPair *pair, const char *list,
                                const char *what, intptr_t i) {
  MlirOperation program = pair->program.func, plan = pair->plan.func;
  MlirAttribute a = attributes_at(program, list, i);
  MlirAttribute b = attributes_at(plan, list, i);
  if (mlirAttributeEqual(a, b))
    return true;
  MlirStringRef name = first_difference(a, b);
  if (!name.data)
    name = first_difference(b, a);
  return luna_side_fail(&pair->plan, plan,
                        "%s %d: '%.*s' differs from the program's", what,
                        (int)i, (int)name.length, name.data);
}

bool luna_validate_interface(LunaPair *pair) {
  MlirOperation program = pair->program.func, plan = pair->plan.func;
  if (!has_same_arguments(pair))
    return false;
  intptr_t argument_count = mlirBlockGetNumArguments(luna_body(program, 0));
  for (intptr_t i = 0; i < argument_count; ++i)
    if (!has_same_attributes(pair, "arg_attrs", "argument", i))
      return false;
  intptr_t result_count = mlirFunctionTypeGetNumResults(
      mlirTypeAttrGetValue(luna_attr(plan, "function_type")));
  for (intptr_t i = 0; i < result_count; ++i)
    if (!has_same_attributes(pair, "res_attrs", "result", i))
      return false;
  return true;
}
