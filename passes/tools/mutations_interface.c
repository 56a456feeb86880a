// Faults in a function's interface and in the record's.

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mutation_search.h"

enum { VALUES_MAX = 64 };

typedef LunaMutationSearch Search;

//===----------------------------------------------------------------------===//
// Functions and their attributes
//===----------------------------------------------------------------------===//

static MlirOperation first_function(MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationIsNull(op) && !luna_op_is(op, LUNA_OP_FUNC_FUNC))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

// The planned function at the first op of a walk, the record's at the record; a
// null op elsewhere.
static MlirOperation function_at(const Search *search, MlirOperation op,
                                 bool of_record) {
  if (of_record && luna_op_is(op, LUNA_OP_LUNA_PROGRAM))
    return first_function(luna_body(op, 0));
  if (!of_record && mlirOperationEqual(op, search->ops.items[0]))
    return search->func;
  return (MlirOperation){NULL};
}

static intptr_t argument_count(MlirOperation func) {
  MlirAttribute all = luna_attr(func, "arg_attrs");
  return mlirAttributeIsNull(all) ? 0 : mlirArrayAttrGetNumElements(all);
}

static MlirAttribute attributes_of(MlirOperation func, intptr_t argument) {
  return mlirArrayAttrGetElement(luna_attr(func, "arg_attrs"), argument);
}

static void set_attributes(Search *search, MlirOperation func,
                           intptr_t argument, MlirAttribute attributes) {
  intptr_t count = argument_count(func);
  MlirAttribute *all = LUNA_ARENA_ARRAY(search->arena, MlirAttribute, count);
  for (intptr_t i = 0; i < count; ++i)
    all[i] = i == argument ? attributes : attributes_of(func, i);
  luna_set_attr(func, "arg_attrs",
                mlirArrayAttrGet(mlirOperationGetContext(func), count, all));
}

// The dictionary with another value for its entry `index`, or without it.
static MlirAttribute with_entry(Search *search, MlirAttribute dictionary,
                                intptr_t index, MlirAttribute value) {
  intptr_t count = mlirDictionaryAttrGetNumElements(dictionary), kept = 0;
  MlirNamedAttribute *entries =
      LUNA_ARENA_ARRAY(search->arena, MlirNamedAttribute, count);
  for (intptr_t i = 0; i < count; ++i) {
    entries[kept] = mlirDictionaryAttrGetElement(dictionary, i);
    if (i == index)
      entries[kept].attribute = value;
    kept += i != index || !mlirAttributeIsNull(value);
  }
  return mlirDictionaryAttrGet(mlirAttributeGetContext(dictionary), kept,
                               entries);
}

//===----------------------------------------------------------------------===//
// Other values
//===----------------------------------------------------------------------===//

static MlirAttribute other_text(Search *search, MlirAttribute value) {
  MlirStringRef text = mlirStringAttrGetValue(value);
  return luna_string_attr(
      mlirAttributeGetContext(value),
      luna_arena_printf(search->arena, "%.*sx", (int)text.length, text.data));
}

// The first two elements are exchanged, or the only one is doubled.
static MlirAttribute other_list(MlirAttribute value) {
  MlirAttribute all[VALUES_MAX];
  intptr_t count = mlirArrayAttrGetNumElements(value);
  if (count < 2 || count > VALUES_MAX)
    return mlirAttributeGetNull();
  for (intptr_t i = 0; i < count; ++i)
    all[i] = mlirArrayAttrGetElement(value, i < 2 ? 1 - i : i);
  return mlirArrayAttrGet(mlirAttributeGetContext(value), count, all);
}

static MlirAttribute other_cases(MlirAttribute value) {
  int32_t all[VALUES_MAX];
  intptr_t count = mlirDenseArrayGetNumElements(value);
  if (count > VALUES_MAX)
    return mlirAttributeGetNull();
  for (intptr_t i = 0; i < count; ++i)
    all[i] = mlirDenseI32ArrayGetElement(value, count - 1 - i);
  return mlirDenseI32ArrayGet(mlirAttributeGetContext(value), count, all);
}

static MlirAttribute other_elements(Search *search, MlirAttribute value) {
  MlirType type = mlirAttributeGetType(value);
  int64_t byte_count = luna_shaped_bytes(type);
  if (byte_count <= 0)
    return mlirAttributeGetNull();
  uint8_t *bytes = LUNA_ARENA_ARRAY(search->arena, uint8_t, byte_count);
  bool is_splat = mlirDenseElementsAttrIsSplat(value);
  memset(bytes, 3, (size_t)byte_count);
  if (!is_splat)
    memcpy(bytes, mlirDenseElementsAttrGetRawData(value), (size_t)byte_count);
  bytes[0] ^= 0x41;
  return mlirDenseElementsAttrRawBufferGet(type, (size_t)byte_count, bytes);
}

// Null where there is none.
static MlirAttribute other_value(Search *search, MlirAttribute value) {
  MlirContext context = mlirAttributeGetContext(value);
  if (mlirAttributeIsAString(value))
    return other_text(search, value);
  if (mlirAttributeIsAInteger(value))
    return mlirIntegerAttrGet(mlirAttributeGetType(value),
                              mlirIntegerAttrGetValueInt(value) + 1);
  if (mlirAttributeIsAFloat(value))
    return mlirFloatAttrDoubleGet(context, mlirAttributeGetType(value),
                                  mlirFloatAttrGetValueDouble(value) * 2 + 1);
  if (mlirAttributeIsAArray(value))
    return other_list(value);
  if (mlirAttributeIsADenseI32Array(value))
    return other_cases(value);
  if (mlirAttributeIsADenseElements(value))
    return other_elements(search, value);
  return mlirAttributeGetNull();
}

//===----------------------------------------------------------------------===//
// Attributes of arguments
//===----------------------------------------------------------------------===//

static void edit_attributes(Search *search, MlirOperation op, bool of_record,
                            bool removes) {
  MlirOperation func = function_at(search, op, of_record);
  if (mlirOperationIsNull(func))
    return;
  for (intptr_t i = 0; i < argument_count(func); ++i) {
    MlirAttribute all = attributes_of(func, i);
    for (intptr_t k = 0; k < mlirDictionaryAttrGetNumElements(all); ++k) {
      MlirAttribute old = mlirDictionaryAttrGetElement(all, k).attribute;
      MlirAttribute value =
          removes ? mlirAttributeGetNull() : other_value(search, old);
      if ((!removes &&
           (mlirAttributeIsNull(value) || mlirAttributeEqual(value, old))) ||
          !luna_mutation_take(search, op))
        continue;
      set_attributes(search, func, i, with_entry(search, all, k, value));
      return;
    }
  }
}

static void alter_attribute(Search *search, MlirOperation op) {
  edit_attributes(search, op, false, false);
}

static void remove_attribute(Search *search, MlirOperation op) {
  edit_attributes(search, op, false, true);
}

static void alter_recorded_attribute(Search *search, MlirOperation op) {
  edit_attributes(search, op, true, false);
}

static bool has_equal_arguments(MlirOperation func, intptr_t i, intptr_t j) {
  MlirBlock body = luna_body(func, 0);
  return mlirTypeEqual(mlirValueGetType(mlirBlockGetArgument(body, i)),
                       mlirValueGetType(mlirBlockGetArgument(body, j)));
}

static void exchange_attributes(Search *search, MlirOperation op) {
  MlirOperation func = function_at(search, op, false);
  intptr_t count = mlirOperationIsNull(func) ? 0 : argument_count(func);
  for (intptr_t i = 0; i < count; ++i)
    for (intptr_t j = i + 1; j < count; ++j) {
      MlirAttribute a = attributes_of(func, i), b = attributes_of(func, j);
      if (!has_equal_arguments(func, i, j) || mlirAttributeEqual(a, b) ||
          !luna_mutation_take(search, op))
        continue;
      set_attributes(search, func, i, b);
      set_attributes(search, func, j, a);
      return;
    }
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

// Every use of one argument becomes one of another.
static void exchange_arguments(Search *search, MlirOperation op) {
  MlirOperation func = function_at(search, op, false);
  if (mlirOperationIsNull(func))
    return;
  MlirBlock body = luna_body(func, 0);
  intptr_t count = mlirBlockGetNumArguments(body);
  for (intptr_t i = 0; i < count; ++i)
    for (intptr_t j = i + 1; j < count; ++j) {
      MlirValue a = mlirBlockGetArgument(body, i);
      MlirValue b = mlirBlockGetArgument(body, j);
      if (!has_equal_arguments(func, i, j) || !luna_mutation_take(search, op))
        continue;
      for (uint32_t k = 0; k < search->ops.count; ++k)
        for (intptr_t n = 0;
             n < mlirOperationGetNumOperands(search->ops.items[k]); ++n) {
          MlirValue used = mlirOperationGetOperand(search->ops.items[k], n);
          if (luna_same_value(used, a) || luna_same_value(used, b))
            mlirOperationSetOperand(search->ops.items[k], n,
                                    luna_same_value(used, a) ? b : a);
        }
      return;
    }
}

static void rename_function(Search *search, MlirOperation op) {
  MlirOperation func = function_at(search, op, false);
  if (!mlirOperationIsNull(func) && luna_mutation_take(search, op))
    luna_set_string(func, "sym_name", "renamed");
}

static void rename_recorded(Search *search, MlirOperation op) {
  MlirOperation func = function_at(search, op, true);
  if (!mlirOperationIsNull(func) && luna_mutation_take(search, op))
    luna_set_string(func, "sym_name", "renamed");
}

static void double_record(Search *search, MlirOperation op) {
  if (!luna_op_is(op, LUNA_OP_LUNA_PROGRAM) || !luna_mutation_take(search, op))
    return;
  MlirOperation copy = mlirOperationClone(op);
  luna_set_string(copy, "sym_name", "second.program");
  luna_insert_after(op, copy);
}

static const LunaMutation rows[] = {
    {.name = "attribute-altered", .visit = alter_attribute, .is_wrong = true},
    {.name = "attribute-removed", .visit = remove_attribute, .is_wrong = true},
    {.name = "attributes-exchanged",
     .visit = exchange_attributes,
     .is_wrong = true},
    {.name = "recorded-attribute-altered",
     .visit = alter_recorded_attribute,
     .is_wrong = true},
    {.name = "arguments-exchanged", .visit = exchange_arguments},
    {.name = "function-renamed", .visit = rename_function, .is_wrong = true},
    {.name = "recorded-function-renamed",
     .visit = rename_recorded,
     .is_wrong = true},
    {.name = "record-doubled", .visit = double_record, .is_wrong = true},
};

const LunaMutationTable luna_mutations_of_interface = {
    rows, sizeof rows / sizeof rows[0]};
