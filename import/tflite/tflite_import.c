#include "tflite_import.h"

#include <string.h>

#include "import_dialects.h"
#include "luna-c/ir.h"
#include "luna/import.h"
#include "mlir-c/Diagnostics.h"
#include "open_dimensions.h"
#include "tflite_ops.h"
#include "tflite_valid.h"

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

// Moves a value of a uint8 tensor between the caller's bytes and int8.
static MlirValue move_sign(LunaBuilder *b, MlirValue value, bool to_unsigned) {
  LunaMultiplier identity = {INT32_C(1) << 30, 1};
  LunaTfliteRescale rescale = {
      .multipliers = &identity,
      .count = 1,
      .input_zp = to_unsigned ? 0 : -128, // the bits of 128
      .output_zp = to_unsigned ? -128 : 0,
      .element = b->i8,
      .input_unsigned = !to_unsigned,
      .output_unsigned = to_unsigned,
  };
  return luna_tflite_rescale(b, value, &rescale);
}

static MlirAttribute describe_tensor(const LunaTfliteImport *import,
                                     const LunaTfliteTensor *tensor) {
  const LunaBuilder *b = &import->builder;
  const LunaFlat *flat = &import->model->flat;
  const LunaTfliteQuant *quant = &tensor->quant;
  MlirNamedAttribute attributes[4];
  intptr_t count = 0;
  attributes[count++] = luna_named(b->context, "luna.name",
                                   luna_string_attr(b->context, tensor->name));
  if (quant->scales.count == 1) {
    double scale = (double)luna_flat_f32_at(flat, quant->scales, 0);
    int64_t zero = quant->zero_points.count > 0
                       ? luna_flat_i64_at(flat, quant->zero_points, 0)
                       : 0;
    attributes[count++] =
        luna_named(b->context, "luna.scale",
                   mlirFloatAttrDoubleGet(b->context, b->f32, scale));
    attributes[count++] = luna_named(b->context, "luna.zero_point",
                                     luna_i64_attr(b->context, zero));
  }
  if (tensor->type == LUNA_TFLITE_U8)
    attributes[count++] =
        luna_named(b->context, "luna.unsigned", mlirUnitAttrGet(b->context));
  return mlirDictionaryAttrGet(b->context, count, attributes);
}

static MlirAttribute describe_state(const LunaTfliteImport *import,
                                    const LunaTfliteVariable *variable,
                                    bool is_argument) {
  const LunaBuilder *b = &import->builder;
  MlirNamedAttribute attributes[2] = {luna_named(
      b->context, "luna.state", luna_string_attr(b->context, variable->name))};
  if (is_argument)
    attributes[1] = luna_named(b->context, "luna.initial",
                               luna_tflite_initial(import, variable));
  return mlirDictionaryAttrGet(b->context, is_argument ? 2 : 1, attributes);
}

// Types and attributes of all arguments, or all results.
typedef struct Side {
  MlirType *types;
  MlirAttribute *attributes;
  intptr_t count;
} Side;

static bool make_side(LunaTfliteImport *import, const int32_t *tensors,
                      int64_t tensor_count, bool is_argument, Side *side) {
  int64_t total = tensor_count + (int64_t)import->variables.count;
  side->types = LUNA_ARENA_ARRAY(import->arena, MlirType, total);
  side->attributes = LUNA_ARENA_ARRAY(import->arena, MlirAttribute, total);
  side->count = (intptr_t)total;
  for (int64_t i = 0; i < tensor_count; ++i) {
    const LunaTfliteTensor *tensor =
        &import->model->graphs[0].tensors[tensors[i]];
    if (luna_tflite_element_bytes(tensor->type) == 0)
      return luna_error_set(import->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                            "%s '%s' is %s, which is not supported",
                            is_argument ? "input" : "output", tensor->name,
                            luna_tflite_type_name(tensor->type));
    side->types[i] = luna_tflite_tensor_type(&import->builder, tensor);
    side->attributes[i] = describe_tensor(import, tensor);
  }
  for (uint64_t v = 0; v < import->variables.count; ++v) {
    const LunaTfliteVariable *variable = &import->variables.items[v];
    int64_t i = tensor_count + (int64_t)v;
    side->types[i] =
        luna_tflite_tensor_type(&import->builder, variable->tensor);
    side->attributes[i] = describe_state(import, variable, is_argument);
  }
  return true;
}

static MlirBlock make_body(const LunaTfliteImport *import,
                           const Side *arguments) {
  MlirLocation *locations =
      LUNA_ARENA_ARRAY(import->arena, MlirLocation, arguments->count);
  for (intptr_t i = 0; i < arguments->count; ++i)
    locations[i] = import->builder.location;
  return mlirBlockCreate(arguments->count, arguments->types, locations);
}

static const char **names_of(const LunaTfliteImport *import, int64_t total) {
  const LunaTfliteGraph *graph = &import->model->graphs[0];
  const char **names = LUNA_ARENA_ARRAY(import->arena, const char *, total);
  for (int64_t i = 0; i < graph->output_count; ++i)
    names[i] = graph->tensors[graph->outputs[i]].name;
  return names;
}

// Ends the function with its results, then the sizes of those that are valid.
static void add_results(LunaTfliteImport *import, MlirValue *results,
                        int64_t count, Side *side) {
  const char **names = names_of(import, count);
  int64_t most = 2 * count + (int64_t)import->reported.count;
  MlirValue *all = LUNA_ARENA_ARRAY(import->arena, MlirValue, most);
  MlirAttribute *attributes =
      LUNA_ARENA_ARRAY(import->arena, MlirAttribute, most);
  for (int64_t i = 0; i < count; ++i) {
    all[i] = results[i];
    attributes[i] = side->attributes[i];
  }
  luna_tflite_add_sizes(import, names, all, attributes, &count);
  luna_build_end(&import->builder, "func.return", (intptr_t)count, all);
  side->attributes = attributes;
  side->count = (intptr_t)count;
}

// Fills the function's block. Adds the sizes of results that are open.
static bool convert_main(LunaTfliteImport *import, Side *side) {
  const LunaTfliteGraph *graph = &import->model->graphs[0];
  LunaBuilder *b = &import->builder;
  MlirLocation location = b->location;
  int64_t result_count = graph->output_count + (int64_t)import->variables.count;
  MlirValue *arguments =
      LUNA_ARENA_ARRAY(import->arena, MlirValue, graph->input_count);
  MlirValue *results = LUNA_ARENA_ARRAY(import->arena, MlirValue, result_count);
  for (int64_t i = 0; i < graph->input_count; ++i) {
    arguments[i] = mlirBlockGetArgument(b->block, (intptr_t)i);
    if (graph->tensors[graph->inputs[i]].type == LUNA_TFLITE_U8)
      arguments[i] = move_sign(b, arguments[i], false);
  }
  for (uint64_t v = 0; v < import->variables.count; ++v)
    import->variables.items[v].value =
        mlirBlockGetArgument(b->block, (intptr_t)(graph->input_count + v));
  if (!luna_tflite_convert_graph(import, 0, NULL, arguments, results))
    return false;
  b->location = location;
  for (int64_t i = 0; i < graph->output_count; ++i)
    if (graph->tensors[graph->outputs[i]].type == LUNA_TFLITE_U8) {
      results[i] = move_sign(b, results[i], true);
      luna_valid_follow(&import->lengths, luna_defining_op(results[i]));
    }
  for (uint64_t v = 0; v < import->variables.count; ++v)
    results[graph->output_count + v] = import->variables.items[v].value;
  add_results(import, results, result_count, side);
  return true;
}

static bool convert_model(LunaTfliteImport *import, const char *function,
                          MlirModule module) {
  const LunaTfliteGraph *graph = &import->model->graphs[0];
  import->is_active =
      LUNA_ARENA_ARRAY(import->arena, bool, import->model->graph_count);
  Side arguments, results;
  if (!luna_tflite_find_state(import) ||
      !make_side(import, graph->inputs, graph->input_count, true, &arguments) ||
      !make_side(import, graph->outputs, graph->output_count, false, &results))
    return false;
  MlirContext context = import->builder.context;
  LunaFunctionSpec spec = {
      .name = function,
      .owned_body = make_body(import, &arguments),
      .arg_attrs =
          mlirArrayAttrGet(context, arguments.count, arguments.attributes),
  };
  import->builder.block = spec.owned_body;
  bool is_read = convert_main(import, &results);
  for (uint64_t i = 0; i < import->abandoned.count; ++i)
    mlirOperationDestroy(import->abandoned.items[i]);
  if (!is_read) {
    mlirBlockDestroy(spec.owned_body);
    return false;
  }
  spec.res_attrs = mlirArrayAttrGet(context, results.count, results.attributes);
  import->builder.block = mlirModuleGetBody(module);
  luna_build_function(&import->builder, &spec);
  return true;
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

static void append_text(MlirStringRef text, void *data) {
  luna_text_append(data, text.data, text.length);
}

// Keeps the first diagnostic, as "loc: message".
static MlirLogicalResult keep_first(MlirDiagnostic diagnostic, void *data) {
  LunaText *text = data;
  if (text->length == 0) {
    mlirLocationPrint(mlirDiagnosticGetLocation(diagnostic), append_text, text);
    luna_text_append(text, ": ", 2);
    mlirDiagnosticPrint(diagnostic, append_text, text);
  }
  return mlirLogicalResultSuccess();
}

// The verifier holds the shapes of operators that follow each other together,
// which the readers of single operators do not.
static bool verify(MlirModule module, MlirContext context, LunaError *error) {
  LunaText text = {0};
  MlirDiagnosticHandlerID id =
      mlirContextAttachDiagnosticHandler(context, keep_first, &text, NULL);
  bool valid = mlirOperationVerify(mlirModuleGetOperation(module));
  mlirContextDetachDiagnosticHandler(context, id);
  if (!valid)
    luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                   "the operators of the model do not fit together: %s",
                   text.data ? text.data : "no details");
  luna_text_deinit(&text);
  return valid;
}

// Bytes and steps that a file may have evaluated: shapes and the like.
static int64_t most_bytes(size_t size) {
  return (INT64_C(1) << 24) + 16 * (int64_t)size;
}

bool luna_import_tflite(MlirContext context, const void *bytes, size_t size,
                        const LunaImportOptions *options, MlirModule *out,
                        LunaError *error) {
  const char *function =
      options && options->function ? options->function : "main";
  LunaArena arena = {0};
  LunaTfliteModel model;
  *out = (MlirModule){NULL};
  bool imported = luna_tflite_read(&model, bytes, size, &arena, error) &&
                  luna_import_load_dialects(context, error);
  if (imported) {
    MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
    LunaTfliteImport import = {.model = &model,
                               .ops = &luna_tflite_operators,
                               .builder = luna_builder(context),
                               .arena = &arena,
                               .error = error,
                               .lengths = {.arena = &arena}};
    import.fold = luna_fold_create(
        context, &(LunaFoldLimits){.max_steps = most_bytes(size),
                                   .max_bytes = most_bytes(size)});
    imported =
        (!options || luna_tflite_apply_options(&import, options)) &&
        convert_model(&import, function, module) &&
        (!options || luna_bounds_check(import.bounded.items,
                                       import.bounded.count, options, error));
    luna_fold_destroy(import.fold);
    // What was only read for its value.
    if (imported)
      luna_erase_unused(mlirModuleGetOperation(module));
    imported = imported && verify(module, context, error);
    if (imported)
      *out = module;
    else
      mlirModuleDestroy(module);
  }
  luna_arena_destroy(&arena);
  return imported;
}
