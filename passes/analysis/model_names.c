#include "model_names.h"

#include "luna-c/dialect.h"
#include "luna-c/ops.h"
#include "structure.h"

bool luna_is_on_chip(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return luna_is_memref(type) && luna_memory_of(type) == LUNA_MEMORY_SHARED;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

// Adds the layout of a memref type, and returns where it ends; -1 if that is
// not known.
static int64_t add_layout(LunaModelNames *names, MlirType type,
                          int64_t base_bytes, LunaModelSlice *slice) {
  int64_t strides[LUNA_RANK_MAX], offset = 0;
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t element = luna_element_type_bytes(mlirShapedTypeGetElementType(type));
  if (base_bytes < 0 || slice->bytes <= 0 ||
      !luna_memref_layout(type, &offset, strides))
    return -1;
  slice->element_bytes = element;
  slice->offset_bytes = base_bytes + offset * element;
  slice->first_dim = (uint32_t)names->model->dims.count;
  slice->dim_count = (uint32_t)rank;
  int64_t end = slice->offset_bytes + element;
  bool is_known = slice->offset_bytes >= 0;
  for (intptr_t i = 0; i < rank; ++i) {
    LunaModelDim dim = {mlirShapedTypeGetDimSize(type, i),
                        strides[i] * element};
    *LUNA_VECTOR_ADD(names->arena, &names->model->dims) = dim;
    end += (dim.extent - 1) * dim.stride_bytes;
    is_known &= dim.stride_bytes >= 0;
  }
  return is_known ? end : -1;
}

static void set_view(LunaModelNames *names, MlirValue value,
                     LunaModelView view) {
  uint32_t index =
      luna_map_add(&names->index, names->arena, luna_map_pointer(value.ptr));
  if (index == names->views.count)
    *LUNA_VECTOR_ADD(names->arena, &names->views) = view;
  else
    names->views.items[index] = view;
}

static uint32_t number_of(LunaModelNames *names, MlirType type) {
  uint32_t number =
      luna_map_add(&names->types, names->arena, luna_map_pointer(type.ptr));
  if (number == names->type_list.count)
    *LUNA_VECTOR_ADD(names->arena, &names->type_list) = type;
  return number;
}

// Returns the type of the same shape without gaps: planes stay planes.
static MlirType dense_type(MlirType type) {
  int64_t shape[LUNA_RANK_MAX];
  if (!luna_memref_is_contiguous(type) && luna_memref_is_dense(type))
    return type;
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; ++i)
    shape[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), rank,
                                     shape, mlirMemRefTypeGetMemorySpace(type));
}

// Has `value` name a slice of a value of the model, which is all of it if it
// has no size yet.
static void add_slice(LunaModelNames *names, MlirValue value, LunaModelId of,
                      int64_t base_bytes) {
  MlirType type = mlirValueGetType(value);
  LunaModel *model = names->model;
  LunaModelValue *whole = &model->values.items[of];
  LunaModelSlice slice = {.value = of};
  if (luna_is_memref(type)) {
    slice.bytes = luna_shaped_bytes(type);
    slice.is_contiguous =
        luna_memref_is_contiguous(type) || luna_memref_is_dense(type);
    slice.is_on_chip = luna_is_on_chip(value);
    slice.type = number_of(names, type);
    slice.dense_type = number_of(names, dense_type(type));
  }
  if (whole->is_on_chip) {
    int64_t end = add_layout(names, type, base_bytes, &slice);
    if (whole->kind == LUNA_MODEL_MERGED && whole->bytes == 0)
      whole->bytes = end > 0 ? end : 0;
    slice.is_exact = end >= 0 && end <= whole->bytes;
  }
  *LUNA_VECTOR_ADD(names->arena, &model->slices) = slice;
  *LUNA_VECTOR_ADD(names->arena, &names->values) = value;
  set_view(names, value,
           (LunaModelView){(LunaModelId)model->slices.count - 1, base_bytes});
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static LunaModelId add_value(LunaModelNames *names, MlirValue value,
                             LunaModelValueKind kind, LunaModelId step) {
  LunaModel *model = names->model;
  LunaModelId id = (LunaModelId)model->values.count;
  LunaRootSet set = luna_roots_of(names->roots, value);
  *LUNA_VECTOR_ADD(names->arena, &model->values) = (LunaModelValue){
      .kind = kind,
      .is_on_chip = kind <= LUNA_MODEL_MERGED && luna_is_on_chip(value),
      .step = step,
      .first_use = LUNA_MODEL_NONE,
      .first_source = (uint32_t)model->sources.count,
      .source_count = set.count,
      .has_other = set.has_other,
  };
  MlirType type = mlirValueGetType(value);
  if (luna_is_memref(type))
    model->values.items[id].element =
        luna_map_add(&names->elements, names->arena,
                     luna_map_pointer(mlirShapedTypeGetElementType(type).ptr));
  for (uint32_t i = 0; i < set.count; ++i)
    *LUNA_VECTOR_ADD(names->arena, &model->sources) = set.ids[i];
  return id;
}

static const LunaModelRole roles[] = {
    [LUNA_ALLOCATION_TENSOR] = LUNA_MODEL_TENSOR,
    [LUNA_ALLOCATION_INPUT] = LUNA_MODEL_INPUT,
    [LUNA_ALLOCATION_OUTPUT] = LUNA_MODEL_OUTPUT,
    [LUNA_ALLOCATION_STAGING] = LUNA_MODEL_STAGING,
    [LUNA_ALLOCATION_SCRATCH] = LUNA_MODEL_SCRATCH,
};

void luna_names_add_buffers(LunaModelNames *names) {
  LunaModel *model = names->model;
  model->buffer_count = luna_roots_count(names->roots);
  for (uint32_t i = 0; i < model->buffer_count; ++i) {
    MlirOperation alloc = luna_roots_alloc(names->roots, i);
    MlirValue value = mlirOperationGetResult(alloc, 0);
    MlirType type = mlirValueGetType(value);
    add_value(names, value, LUNA_MODEL_BUFFER, 0);
    model->values.items[i].role = roles[luna_allocation_kind(alloc)];
    model->values.items[i].bytes = luna_shaped_bytes(type);
    add_slice(names, value, i, 0);
  }
}

void luna_names_add_arguments(LunaModelNames *names, MlirOperation func) {
  MlirBlock entry = luna_entry_block(func);
  LunaMap states = {0};
  LUNA_VECTOR(LunaModelId) values = {0};
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    MlirValue value = mlirBlockGetArgument(entry, i);
    MlirAttribute state = luna_func_argument_attr(func, i, "luna.state");
    const void *key = mlirAttributeIsNull(state) ? value.ptr : state.ptr;
    if (!luna_is_memref(mlirValueGetType(value)))
      continue;
    uint32_t index = luna_map_add(&states, names->arena, luna_map_pointer(key));
    if (index == values.count)
      *LUNA_VECTOR_ADD(names->arena, &values) =
          add_value(names, value, LUNA_MODEL_ARGUMENT, 0);
    add_slice(names, value, values.items[index], 0);
  }
}

bool luna_names_has(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return luna_is_memref(type) || lunaTypeIsAToken(type);
}

// Has a memref or token name a value of its own.
static void add_own_value(LunaModelNames *names, MlirValue value,
                          bool is_merged, LunaModelId step) {
  LunaModelValueKind kind =
      lunaTypeIsAToken(mlirValueGetType(value)) ? LUNA_MODEL_TOKEN
      : is_merged && luna_is_on_chip(value)     ? LUNA_MODEL_MERGED
                                                : LUNA_MODEL_OTHER;
  add_slice(names, value, add_value(names, value, kind, step), 0);
}

static LunaModelView view_of(LunaModelNames *names, MlirValue value) {
  LunaMapKey key = luna_map_pointer(value.ptr);
  if (luna_map_find(&names->index, key) == LUNA_MAP_ABSENT)
    add_own_value(names, value, false, 0);
  return names->views.items[luna_map_find(&names->index, key)];
}

void luna_names_add_global(LunaModelNames *names, MlirOperation op) {
  MlirValue value = mlirOperationGetResult(op, 0);
  uint32_t index = luna_map_add(&names->globals, names->arena,
                                luna_map_pointer(luna_attr(op, "name").ptr));
  if (index == names->constants.count) {
    int64_t bytes = luna_shaped_bytes(mlirValueGetType(value));
    LunaModelId id = add_value(names, value, LUNA_MODEL_CONSTANT, 0);
    names->model->values.items[id].bytes = bytes > 0 ? bytes : 0;
    *LUNA_VECTOR_ADD(names->arena, &names->constants) = id;
  }
  add_slice(names, value, names->constants.items[index], 0);
}

void luna_names_add_no_token(LunaModelNames *names, MlirValue value) {
  add_slice(names, value, add_value(names, value, LUNA_MODEL_NO_TOKEN, 0), 0);
}

// The offset of a memref.view moves the base; other views keep it.
void luna_names_add_view(LunaModelNames *names, MlirOperation op,
                         MlirValue source) {
  LunaModelView view = view_of(names, source);
  int64_t shift = 0;
  bool is_known =
      view.base_bytes >= 0 &&
      (!luna_op_is(op, LUNA_OP_MEMREF_VIEW) ||
       luna_constant_number(mlirOperationGetOperand(op, 1), &shift));
  add_slice(names, mlirOperationGetResult(op, 0),
            names->model->slices.items[view.slice].value,
            is_known ? view.base_bytes + shift : -1);
}

LunaModelId luna_names_slice(LunaModelNames *names, MlirValue value) {
  return view_of(names, value).slice;
}

void luna_names_add_merged(LunaModelNames *names, MlirValue value,
                           LunaModelId step) {
  if (luna_names_has(value))
    add_own_value(names, value, true, step);
}

void luna_names_add_same(LunaModelNames *names, MlirValue value,
                         MlirValue other) {
  LunaModelView view;
  if (!luna_names_has(value))
    return;
  view = view_of(names, other);
  add_slice(names, value, names->model->slices.items[view.slice].value,
            view.base_bytes);
}

void luna_names_add_alias(LunaModelNames *names, MlirValue value,
                          MlirValue other) {
  if (luna_names_has(value))
    set_view(names, value, view_of(names, other));
}
