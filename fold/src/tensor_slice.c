// Slices, pads and concatenations, as copies of boxes of elements.

#include "box.h"
#include "luna-c/ir.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "tensor.h"

//===----------------------------------------------------------------------===//
// Lists of numbers, some of them operands
//===----------------------------------------------------------------------===//

typedef struct List {
  int32_t count;
  int64_t numbers[LUNA_CONSTANT_MAX_RANK];
  /// The cell of a number that is an operand, else -1.
  int32_t slots[LUNA_CONSTANT_MAX_RANK];
} List;

// Reads a dense array whose dynamic entries are the operands from `*slot` on.
static bool read_list(MlirOperation op, const char *name, const LunaStep *step,
                      const int32_t **slot, List *list) {
  MlirAttribute attribute = luna_attr(op, name);
  if (mlirAttributeIsNull(attribute) ||
      !mlirAttributeIsADenseI64Array(attribute) ||
      mlirDenseArrayGetNumElements(attribute) > LUNA_CONSTANT_MAX_RANK)
    return false;
  list->count = (int32_t)mlirDenseArrayGetNumElements(attribute);
  for (int32_t i = 0; i < list->count; ++i) {
    list->numbers[i] = mlirDenseI64ArrayGetElement(attribute, i);
    list->slots[i] = -1;
    if (list->numbers[i] != mlirShapedTypeGetDynamicSize())
      continue;
    if (*slot == step->in + step->in_count)
      return false;
    list->slots[i] = *(*slot)++;
  }
  return true;
}

static bool resolve(const LunaInterpreter *interpreter, const List *list,
                    int64_t *numbers) {
  for (int32_t i = 0; i < list->count; ++i) {
    numbers[i] = list->numbers[i];
    if (list->slots[i] < 0)
      continue;
    LunaCell cell = interpreter->cells[list->slots[i]];
    if (cell.is_poison)
      return false;
    numbers[i] = cell.integer;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// tensor.extract_slice, tensor.insert_slice
//===----------------------------------------------------------------------===//

typedef struct Slice {
  List offsets, sizes, strides;
  /// Of the result, where it is known before.
  LunaConstant shape;
  bool has_shape;
  bool may_reuse;
} Slice;

static bool read_slice(LunaCompiler *compiler, MlirOperation op, LunaStep *step,
                       int32_t first) {
  Slice *slice = LUNA_ARENA_ARRAY(compiler->arena, Slice, 1);
  const int32_t *slot = step->in + first;
  step->detail = slice;
  slice->has_shape = luna_constant_shape(
      mlirValueGetType(mlirOperationGetResult(op, 0)), &slice->shape);
  return luna_compile_takes_tensor(op, 0) &&
         luna_compile_takes_ints(op, first, step->in_count) &&
         read_list(op, "static_offsets", step, &slot, &slice->offsets) &&
         read_list(op, "static_sizes", step, &slot, &slice->sizes) &&
         read_list(op, "static_strides", step, &slot, &slice->strides) &&
         slot == step->in + step->in_count &&
         slice->sizes.count == slice->offsets.count &&
         slice->strides.count == slice->offsets.count;
}

// The box of the slice in `tensor`; false if it is out of bounds.
static bool find_slice(const LunaInterpreter *interpreter, const Slice *slice,
                       const LunaConstant *tensor, LunaBox *box,
                       int64_t *sizes) {
  int64_t offsets[LUNA_CONSTANT_MAX_RANK], steps[LUNA_CONSTANT_MAX_RANK];
  int64_t strides[LUNA_CONSTANT_MAX_RANK];
  if (slice->offsets.count != tensor->rank ||
      !resolve(interpreter, &slice->offsets, offsets) ||
      !resolve(interpreter, &slice->sizes, sizes) ||
      !resolve(interpreter, &slice->strides, steps))
    return false;
  luna_row_strides(tensor->rank, tensor->dims, strides);
  *box = (LunaBox){.offset = 0};
  for (int32_t d = 0; d < tensor->rank; ++d) {
    int64_t room = tensor->dims[d] - offsets[d];
    if (offsets[d] < 0 || sizes[d] < 0 || steps[d] < 1 || room < 0 ||
        (sizes[d] > 0 && (room == 0 || (room - 1) / steps[d] < sizes[d] - 1)))
      return false;
    box->offset += offsets[d] * strides[d];
    box->strides[d] = steps[d] * strides[d];
  }
  return true;
}

static LunaBox whole(int32_t rank, const int64_t *sizes) {
  LunaBox box = {.offset = 0};
  luna_row_strides(rank, sizes, box.strides);
  return box;
}

static int64_t count_of(int32_t rank, const int64_t *sizes) {
  int64_t count = 1;
  for (int32_t d = 0; d < rank; ++d)
    count *= sizes[d];
  return count;
}

// The result's shape: that of its type, or the sizes of the slice.
static LunaConstant slice_shape(const Slice *slice, const LunaConstant *from,
                                const int64_t *sizes) {
  if (slice->has_shape)
    return slice->shape;
  LunaConstant shape = {.element = from->element,
                        .rank = from->rank,
                        .count = count_of(from->rank, sizes)};
  for (int32_t d = 0; d < shape.rank; ++d)
    shape.dims[d] = sizes[d];
  return shape;
}

static bool run_extract_slice(LunaInterpreter *interpreter,
                              const LunaStep *step) {
  const Slice *slice = step->detail;
  const LunaConstant *from = interpreter->cells[step->in[0]].tensor;
  int64_t sizes[LUNA_CONSTANT_MAX_RANK];
  LunaBox source;
  if (!find_slice(interpreter, slice, from, &source, sizes))
    return false;
  LunaConstant shape = slice_shape(slice, from, sizes);
  if (shape.count != count_of(from->rank, sizes))
    return false;
  LunaBox target = whole(from->rank, sizes);
  LunaConstant *tensor =
      from->is_splat ? luna_interpreter_splat(interpreter, &shape,
                                              luna_constant_load(from, 0))
                     : luna_interpreter_tensor(interpreter, &shape);
  if (!tensor ||
      (!tensor->is_splat && !luna_box_copy(interpreter, from->rank, sizes,
                                           tensor, &target, from, &source)))
    return false;
  interpreter->cells[step->out[0]] = (LunaCell){.tensor = tensor};
  return true;
}

bool luna_compile_extract_slice(LunaCompiler *compiler, MlirOperation op,
                                LunaStep *step) {
  step->run = run_extract_slice;
  return read_slice(compiler, op, step, 1);
}

static bool run_insert_slice(LunaInterpreter *interpreter,
                             const LunaStep *step) {
  const Slice *slice = step->detail;
  const LunaConstant *from = interpreter->cells[step->in[0]].tensor;
  LunaConstant *tensor = luna_interpreter_writable(
      interpreter, interpreter->cells[step->in[1]].tensor, slice->may_reuse);
  int64_t sizes[LUNA_CONSTANT_MAX_RANK];
  LunaBox target;
  if (!tensor || !find_slice(interpreter, slice, tensor, &target, sizes))
    return false;
  LunaBox source = whole(tensor->rank, sizes);
  if (count_of(tensor->rank, sizes) != from->count ||
      !luna_box_copy(interpreter, tensor->rank, sizes, tensor, &target, from,
                     &source))
    return false;
  interpreter->cells[step->out[0]] = (LunaCell){.tensor = tensor};
  return true;
}

bool luna_compile_insert_slice(LunaCompiler *compiler, MlirOperation op,
                               LunaStep *step) {
  step->run = run_insert_slice;
  if (!luna_compile_takes_tensor(op, 1) || !luna_compile_keeps_type(op, 1, 0) ||
      !read_slice(compiler, op, step, 2))
    return false;
  ((Slice *)(uintptr_t)step->detail)->may_reuse =
      luna_compile_may_reuse(compiler, op, 1);
  return true;
}

//===----------------------------------------------------------------------===//
// tensor.pad
//===----------------------------------------------------------------------===//

typedef struct Pad {
  List low;
  LunaConstant shape;
  LunaProgram body;
} Pad;

static bool run_pad(LunaInterpreter *interpreter, const LunaStep *step) {
  const Pad *pad = step->detail;
  const LunaConstant *from = interpreter->cells[step->in[0]].tensor;
  int64_t low[LUNA_CONSTANT_MAX_RANK];
  LunaConstant *tensor = luna_interpreter_tensor(interpreter, &pad->shape);
  if (!tensor || !resolve(interpreter, &pad->low, low) ||
      !luna_interpreter_generate(interpreter, &pad->body, tensor))
    return false;
  LunaBox source = whole(from->rank, from->dims);
  LunaBox target = whole(tensor->rank, tensor->dims);
  if (from->rank != tensor->rank)
    return false;
  for (int32_t d = 0; d < from->rank; ++d) {
    if (low[d] < 0 || low[d] > tensor->dims[d] - from->dims[d])
      return false;
    target.offset += low[d] * target.strides[d];
  }
  if (!luna_box_copy(interpreter, from->rank, from->dims, tensor, &target, from,
                     &source))
    return false;
  interpreter->cells[step->out[0]] = (LunaCell){.tensor = tensor};
  return true;
}

bool luna_compile_pad(LunaCompiler *compiler, MlirOperation op,
                      LunaStep *step) {
  Pad *pad = LUNA_ARENA_ARRAY(compiler->arena, Pad, 1);
  const int32_t *slot = step->in + 1;
  step->detail = pad;
  step->run = run_pad;
  return luna_compile_takes_tensor(op, 0) &&
         luna_compile_takes_ints(op, 1, step->in_count) &&
         luna_constant_shape(mlirValueGetType(mlirOperationGetResult(op, 0)),
                             &pad->shape) &&
         read_list(op, "static_low", step, &slot, &pad->low) &&
         pad->low.count == pad->shape.rank &&
         luna_compile_generator(compiler, luna_body(op, 0), &pad->shape,
                                &pad->body);
}

//===----------------------------------------------------------------------===//
// tensor.concat
//===----------------------------------------------------------------------===//

typedef struct Concat {
  int32_t axis;
  LunaConstant shape;
} Concat;

static bool fits(const LunaConstant *part, const LunaConstant *whole_tensor,
                 int32_t axis) {
  if (part->rank != whole_tensor->rank)
    return false;
  for (int32_t d = 0; d < part->rank; ++d)
    if (d != axis && part->dims[d] != whole_tensor->dims[d])
      return false;
  return true;
}

static bool run_concat(LunaInterpreter *interpreter, const LunaStep *step) {
  const Concat *concat = step->detail;
  LunaConstant *tensor = luna_interpreter_tensor(interpreter, &concat->shape);
  if (!tensor)
    return false;
  LunaBox target = whole(tensor->rank, tensor->dims);
  int64_t room = tensor->dims[concat->axis];
  for (int32_t i = 0; i < step->in_count; ++i) {
    const LunaConstant *from = interpreter->cells[step->in[i]].tensor;
    LunaBox source = whole(from->rank, from->dims);
    room -= from->dims[concat->axis];
    if (!fits(from, tensor, concat->axis) || room < 0)
      return false;
    if (!luna_box_copy(interpreter, from->rank, from->dims, tensor, &target,
                       from, &source))
      return false;
    target.offset += from->dims[concat->axis] * target.strides[concat->axis];
  }
  interpreter->cells[step->out[0]] = (LunaCell){.tensor = tensor};
  return true;
}

bool luna_compile_concat(LunaCompiler *compiler, MlirOperation op,
                         LunaStep *step) {
  Concat *concat = LUNA_ARENA_ARRAY(compiler->arena, Concat, 1);
  concat->axis = (int32_t)luna_attr_int(op, "dim", 0);
  step->detail = concat;
  step->run = run_concat;
  for (int32_t i = 0; i < step->in_count; ++i)
    if (!luna_compile_takes_tensor(op, i))
      return false;
  return luna_constant_shape(mlirValueGetType(mlirOperationGetResult(op, 0)),
                             &concat->shape) &&
         concat->axis >= 0 && concat->axis < concat->shape.rank;
}
