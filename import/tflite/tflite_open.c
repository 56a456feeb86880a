// What the caller decides: sizes that the model's inputs leave open, and inputs
// that are constants.

#include <string.h>

#include "open_dimensions.h"
#include "tflite_import.h"

static bool resize_input(LunaTfliteImport *import, LunaTfliteTensor *tensor,
                         const LunaImportOptions *options,
                         LunaOpenDimensions *open) {
  LunaShape shape = luna_tflite_shape_of(tensor);
  for (int d = 0; d < shape.rank; ++d) {
    if (!(tensor->open >> d & 1))
      continue;
    const char *name =
        luna_arena_printf(import->arena, "%s.%d", tensor->name, d);
    luna_open_dimension_add(open, name, shape.dims[d]);
    int64_t size = luna_import_size(options, name);
    if (size <= 0 || size == shape.dims[d])
      continue;
    shape.dims[d] = size;
    import->is_resized = true;
  }
  return luna_tflite_resize(tensor, tensor->rank, shape.dims) ||
         luna_error_set(import->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "input '%s' has too many elements", tensor->name);
}

static void set_element(const LunaTfliteTensor *tensor, uint8_t *at,
                        double number) {
  float real = (float)number;
  int64_t integer = number >= -9.0e18 && number <= 9.0e18 ? (int64_t)number : 0;
  unsigned bytes = luna_tflite_element_bytes(tensor->type);
  if (tensor->type == LUNA_TFLITE_F32)
    memcpy(at, &real, sizeof real);
  else
    for (unsigned b = 0; b < bytes; ++b)
      at[b] = (uint8_t)((uint64_t)integer >> (8 * b));
}

static LunaConstantType constant_type(const LunaTfliteTensor *tensor) {
  bool is_bool = tensor->type == LUNA_TFLITE_BOOL;
  return (LunaConstantType){
      .bits = is_bool ? 1 : 8 * (int)luna_tflite_element_bytes(tensor->type),
      .is_float = tensor->type == LUNA_TFLITE_F32,
      .is_unsigned = is_bool || tensor->type == LUNA_TFLITE_U8,
  };
}

static bool fix_input(LunaTfliteImport *import, LunaTfliteTensor *tensor,
                      const LunaImportConstant *constant) {
  unsigned bytes = luna_tflite_element_bytes(tensor->type);
  size_t needed = (size_t)tensor->element_count * bytes;
  if (constant->bytes ? constant->byte_count != needed : bytes == 0)
    return luna_error_set(import->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "input '%s' is given %zu bytes, it has %zu",
                          tensor->name, constant->byte_count, needed);
  if (!constant->bytes &&
      !luna_constant_check(constant, constant_type(tensor), import->error))
    return false;
  uint8_t *data = luna_arena_alloc(import->arena, needed, 1);
  if (constant->bytes)
    memcpy(data, constant->bytes, needed);
  for (int64_t i = 0; !constant->bytes && i < tensor->element_count; ++i)
    set_element(tensor, data + (size_t)i * bytes, constant->number);
  tensor->data = data;
  tensor->data_bytes = needed;
  return true;
}

bool luna_tflite_apply_options(LunaTfliteImport *import,
                               const LunaImportOptions *options) {
  LunaTfliteGraph *graph = &import->model->graphs[0];
  LunaOpenDimensions own = {.arena = import->arena};
  LunaOpenDimensions *open = options->open ? options->open : &own;
  const char **names =
      LUNA_ARENA_ARRAY(import->arena, const char *, graph->input_count);
  int32_t *kept = LUNA_ARENA_ARRAY(import->arena, int32_t, graph->input_count);
  int64_t kept_count = 0;
  for (int64_t i = 0; i < graph->input_count; ++i) {
    LunaTfliteTensor *tensor = &graph->tensors[graph->inputs[i]];
    const LunaImportConstant *constant =
        luna_constant_of_input(options, tensor->name);
    names[i] = tensor->name;
    if (!resize_input(import, tensor, options, open) ||
        (constant && !fix_input(import, tensor, constant)))
      return false;
    if (!constant)
      kept[kept_count++] = graph->inputs[i];
  }
  size_t name_count = (size_t)graph->input_count;
  graph->inputs = kept;
  graph->input_count = kept_count;
  import->bounds = options->bounds;
  import->bound_count = options->bound_count;
  return luna_open_dimensions_check(open, options, import->error) &&
         luna_constants_check(names, name_count, options, import->error);
}
