// What the caller decides of a module that was parsed: sizes that its function
// leaves open, and arguments that are constants.

#include <string.h>

#include "luna-c/build_tosa.h"
#include "luna-c/ir.h"
#include "luna-c/run_passes.h"
#include "luna-c/upstream.h"
#include "luna/import.h"
#include "mlir-c/BuiltinAttributes.h"
#include "open_dimensions.h"

typedef struct Binding {
  MlirOperation func;
  MlirBlock body;
  const LunaImportOptions *options;
  LunaOpenDimensions *open;
  LunaArena *arena;
  LunaError *error;
  bool is_resized;
} Binding;

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

// The attributes of argument or result `i`, of `list`.
static MlirAttribute attributes_of(const Binding *binding, const char *name,
                                   intptr_t i) {
  MlirAttribute list = luna_attr(binding->func, name);
  return mlirAttributeIsNull(list) || i >= mlirArrayAttrGetNumElements(list)
             ? mlirAttributeGetNull()
             : mlirArrayAttrGetElement(list, i);
}

// The name that attributes give, or else `other` and the number.
static const char *name_of(const Binding *binding, MlirAttribute attributes,
                           const char *other, intptr_t i) {
  MlirAttribute name = mlirAttributeGetNull();
  if (!mlirAttributeIsNull(attributes))
    name =
        mlirDictionaryAttrGetElementByName(attributes, luna_str("luna.name"));
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name))
    return luna_arena_printf(binding->arena, "%s%d", other, (int)i);
  MlirStringRef text = mlirStringAttrGetValue(name);
  return luna_arena_strndup(binding->arena, text.data, text.length);
}

static const char *argument_name(const Binding *binding, intptr_t i) {
  return name_of(binding, attributes_of(binding, "arg_attrs", i), "arg", i);
}

// Makes the function's type that of its arguments and of what it returns.
static void update_type(const Binding *binding) {
  MlirOperation end = mlirBlockGetTerminator(binding->body);
  intptr_t inputs = mlirBlockGetNumArguments(binding->body);
  intptr_t results = mlirOperationGetNumOperands(end);
  MlirType *types =
      LUNA_ARENA_ARRAY(binding->arena, MlirType, inputs + results);
  for (intptr_t i = 0; i < inputs; ++i)
    types[i] = mlirValueGetType(mlirBlockGetArgument(binding->body, i));
  for (intptr_t i = 0; i < results; ++i)
    types[inputs + i] = mlirValueGetType(mlirOperationGetOperand(end, i));
  luna_set_attr(binding->func, "function_type",
                mlirTypeAttrGet(mlirFunctionTypeGet(
                    mlirOperationGetContext(binding->func), inputs, types,
                    results, types + inputs)));
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

// Gives an argument its type, and a cast to the old one to its users.
static void resize_to(Binding *binding, MlirValue argument, MlirType sized) {
  MlirOperation first = mlirBlockGetFirstOperation(binding->body);
  LunaBuilder b = luna_builder_before(first, first);
  MlirValue cast = luna_build_op(&b, "tensor.cast", mlirValueGetType(argument),
                                 1, &argument, 0, NULL);
  mlirValueReplaceAllUsesOfWith(argument, cast);
  mlirOperationSetOperand(mlirOpResultGetOwner(cast), 0, argument);
  mlirValueSetType(argument, sized);
}

static bool resize_argument(Binding *binding, intptr_t i) {
  MlirValue argument = mlirBlockGetArgument(binding->body, i);
  MlirType type = mlirValueGetType(argument);
  if (!mlirTypeIsARankedTensor(type) || mlirShapedTypeHasStaticShape(type))
    return true;
  const char *name = argument_name(binding, i);
  LunaShape shape = luna_shape_of(argument);
  for (int d = 0; d < shape.rank; ++d) {
    if (!mlirShapedTypeIsDynamicDim(type, d))
      continue;
    const char *dimension = luna_arena_printf(binding->arena, "%s.%d", name, d);
    luna_open_dimension_add(binding->open, dimension, 0);
    shape.dims[d] = luna_import_size(binding->options, dimension);
    if (shape.dims[d] <= 0)
      return luna_error_set(binding->error, LUNA_ERROR_INPUT,
                            LUNA_ERROR_NO_ITEM,
                            "argument '%.80s' has a shape that is not fixed: "
                            "give a size for '%.80s'",
                            name, dimension);
  }
  MlirType sized = luna_tensor_type(luna_element_of(argument), &shape);
  if (luna_element_type_bytes(luna_element_of(argument)) > 0 &&
      luna_shaped_bytes(sized) < 0)
    return luna_error_set(binding->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "argument '%.80s' has more than 2^63 - 1 bytes",
                          name);
  resize_to(binding, argument, sized);
  binding->is_resized = true;
  return true;
}

static bool infer_shapes(const Binding *binding, MlirModule module) {
  update_type(binding);
  return luna_run_passes(
      module,
      LUNA_UPSTREAM_INLINE ",luna-propagate-shapes," LUNA_UPSTREAM_CANONICALIZE,
      "the shapes of the model cannot be inferred", binding->error);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static LunaConstantType constant_type(MlirType element) {
  if (mlirTypeIsAF32(element) || mlirTypeIsAF64(element))
    return (LunaConstantType){.bits = mlirTypeIsAF32(element) ? 32 : 64,
                              .is_float = true};
  enum { INDEX_BITS = 64 };
  int bits = mlirTypeIsAInteger(element) ? (int)mlirIntegerTypeGetWidth(element)
                                         : INDEX_BITS;
  return (LunaConstantType){.bits = bits, .is_unsigned = bits == 1};
}

static bool fix_argument(Binding *binding, intptr_t i) {
  const char *name = argument_name(binding, i);
  const LunaImportConstant *constant =
      luna_constant_of_input(binding->options, name);
  MlirValue argument = mlirBlockGetArgument(binding->body, i);
  MlirType type = mlirValueGetType(argument);
  if (!constant)
    return true;
  if (!mlirTypeIsARankedTensor(type) || !mlirShapedTypeHasStaticShape(type))
    return luna_error_set(
        binding->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
        "argument '%.80s' is not a tensor of static shape: only "
        "such a one may be a constant",
        name);
  if (!luna_constant_check(constant, constant_type(luna_element_of(argument)),
                           binding->error))
    return false;
  MlirOperation first = mlirBlockGetFirstOperation(binding->body);
  LunaBuilder b = luna_builder_before(first, first);
  mlirValueReplaceAllUsesOfWith(argument,
                                luna_build_splat(&b, type, constant->number));
  return true;
}

// Erases the arguments that became constants.
static void erase_fixed(const Binding *binding) {
  intptr_t count = mlirBlockGetNumArguments(binding->body), kept = 0;
  MlirContext context = mlirOperationGetContext(binding->func);
  MlirAttribute *attributes =
      LUNA_ARENA_ARRAY(binding->arena, MlirAttribute, count);
  bool *is_fixed = LUNA_ARENA_ARRAY(binding->arena, bool, count);
  for (intptr_t i = 0; i < count; ++i) {
    is_fixed[i] = luna_constant_of_input(binding->options,
                                         argument_name(binding, i)) != NULL;
    if (!is_fixed[i])
      attributes[kept++] = attributes_of(binding, "arg_attrs", i);
  }
  if (!mlirAttributeIsNull(luna_attr(binding->func, "arg_attrs")))
    luna_set_attr(binding->func, "arg_attrs",
                  mlirArrayAttrGet(context, kept, attributes));
  for (intptr_t i = count; i-- > 0;)
    if (is_fixed[i])
      mlirBlockEraseArgument(binding->body, (unsigned)i);
  update_type(binding);
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

// The loop that makes a value of a size that it may not know, or null.
static MlirOperation open_loop(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  bool is_loop = LUNA_OP_IS_ANY(op, LUNA_OP_SCF_FOR, LUNA_OP_SCF_WHILE);
  MlirType type = mlirValueGetType(value);
  return is_loop && mlirTypeIsARankedTensor(type) &&
                 !mlirShapedTypeHasStaticShape(type)
             ? op
             : (MlirOperation){NULL};
}

// Bounds the result of a loop.
static void bound_result(const Binding *binding, MlirOperation loop,
                         MlirValue result, int64_t bound) {
  intptr_t count = mlirOperationGetNumResults(loop);
  int64_t *bounds = LUNA_ARENA_ARRAY(binding->arena, int64_t, count);
  luna_attr_ints(loop, "luna.bounds", bounds, count);
  bounds[mlirOpResultGetResultNumber(result)] = bound;
  luna_set_attr(
      loop, "luna.bounds",
      mlirDenseI64ArrayGet(mlirOperationGetContext(loop), count, bounds));
}

// Bounds what loops make larger, by the results of the function.
static bool set_bounds(const Binding *binding) {
  MlirOperation end = mlirBlockGetTerminator(binding->body);
  intptr_t results = mlirOperationGetNumOperands(end);
  const char **names = LUNA_ARENA_ARRAY(binding->arena, const char *, results);
  const LunaImportOptions *options = binding->options;
  size_t count = 0;
  for (intptr_t i = 0; i < results; ++i) {
    MlirValue value = mlirOperationGetOperand(end, i);
    MlirOperation loop = open_loop(value);
    if (mlirOperationIsNull(loop))
      continue;
    const char *name =
        name_of(binding, attributes_of(binding, "res_attrs", i), "out", i);
    names[count++] = name;
    for (size_t k = 0; k < options->bound_count; ++k)
      if (strcmp(options->bounds[k].name, name) == 0)
        bound_result(binding, loop, value, options->bounds[k].size);
  }
  return luna_bounds_check(names, count, options, binding->error);
}

static bool apply(Binding *binding, MlirModule module) {
  intptr_t count = mlirBlockGetNumArguments(binding->body);
  const char **names = LUNA_ARENA_ARRAY(binding->arena, const char *, count);
  for (intptr_t i = 0; i < count; ++i) {
    names[i] = argument_name(binding, i);
    if (!resize_argument(binding, i) || !fix_argument(binding, i))
      return false;
  }
  if (!luna_open_dimensions_check(binding->open, binding->options,
                                  binding->error) ||
      !luna_constants_check(names, (size_t)count, binding->options,
                            binding->error) ||
      !set_bounds(binding))
    return false;
  if (binding->options->constant_count > 0)
    erase_fixed(binding);
  return !binding->is_resized || infer_shapes(binding, module);
}

bool luna_import_module(MlirModule module, const LunaImportOptions *options,
                        LunaError *error) {
  LunaArena arena = {0};
  LunaOpenDimensions own = {.arena = &arena};
  Binding binding = {.func = luna_first_function(module),
                     .options = options,
                     .open = options->open ? options->open : &own,
                     .arena = &arena,
                     .error = error};
  bool is_done = true;
  if (!mlirOperationIsNull(binding.func)) {
    binding.body = luna_body(binding.func, 0);
    is_done = apply(&binding, module);
  }
  luna_arena_destroy(&arena);
  return is_done;
}
