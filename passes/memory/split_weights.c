#include "split_weights.h"

#include <string.h>

#include "luna-c/ops.h"
#include "luna/units.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_desc.h"

typedef struct Splitter {
  LunaArena *arena;
  LunaGlobals *globals;
  const LunaMachine *machine;
  int64_t max_bytes;
  int next_symbol;
} Splitter;

// A constant operand and the axis of its output channels.
typedef struct Part {
  LunaOperandRole role;
  intptr_t axis;
  MlirAttribute value; // dense elements
} Part;

typedef struct Split {
  MlirOperation op;
  Part parts[3];
  int part_count;
  int64_t channels, step;
} Split;

//===----------------------------------------------------------------------===//
// What is split, and how
//===----------------------------------------------------------------------===//

// Returns the axis of the output channels, or -1 if slices do not suffice (a
// depthwise convolution, whose input would be split, too).
static intptr_t weight_axis(MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_LUNA_MATMUL))
    return mlirAttributeIsNull(luna_attr(op, "rhs_transposed")) ? 2 : 1;
  return luna_attr_int(op, "kind", 0) == LUNA_CONV_DEPTHWISE ? -1 : 0;
}

// Returns the axis of the channels in bias or table, the last.
static intptr_t last_axis(MlirOperation op, LunaOperandRole role) {
  MlirValue operand = luna_unit_operand(op, role);
  return mlirValueIsNull(operand)
             ? 0
             : (intptr_t)mlirShapedTypeGetRank(mlirValueGetType(operand)) - 1;
}

// Pieces of so many channels fill steps of the array, and are read whole by an
// operator that takes them as its input channels.
static int64_t channel_granule(const LunaMachine *machine, MlirOperation op) {
  const LunaOperatorLimits *limits =
      luna_op_is(op, LUNA_OP_LUNA_MATMUL) ? &machine->matmul : &machine->conv;
  return limits->in_channel_align > limits->out_channel_align
             ? limits->in_channel_align
             : limits->out_channel_align;
}

static bool add_part(const Splitter *splitter, Split *split,
                     LunaOperandRole role, intptr_t axis) {
  MlirValue operand = luna_unit_operand(split->op, role);
  if (mlirValueIsNull(operand))
    return true;
  MlirAttribute value = luna_globals_value(splitter->globals, operand);
  if (mlirAttributeIsNull(value))
    return false;
  split->parts[split->part_count++] = (Part){role, axis, value};
  return true;
}

// Returns true if a memref is rows of channels or planes, with nothing between.
static bool is_dense(MlirType type) {
  int64_t strides[LUNA_RANK_MAX], last = 0;
  if (luna_memref_is_contiguous(type))
    return true;
  if (!luna_static_strides(type, strides))
    return false;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    last += (mlirShapedTypeGetDimSize(type, i) - 1) * strides[i];
  return (last + 1) *
             luna_element_type_bytes(mlirShapedTypeGetElementType(type)) ==
         luna_shaped_bytes(type);
}

static bool plan_split(const Splitter *splitter, MlirOperation op,
                       Split *split) {
  *split = (Split){.op = op};
  if (!luna_op_is_tiled(op) || weight_axis(op) < 0 ||
      !mlirValueIsNull(luna_unit_operand(op, LUNA_ROLE_SCRATCH)))
    return false;
  MlirType weight = mlirValueGetType(luna_unit_operand(op, LUNA_ROLE_WEIGHT));
  int64_t bytes = luna_shaped_bytes(weight);
  if (bytes <= splitter->max_bytes)
    return false;
  split->channels = mlirShapedTypeGetDimSize(weight, weight_axis(op));
  int64_t per_channel = bytes / split->channels;
  split->step = splitter->max_bytes / per_channel;
  int64_t granule = channel_granule(splitter->machine, op);
  if (split->step >= granule)
    split->step -= split->step % granule;
  if (split->step < 1)
    split->step = 1;
  return split->step < split->channels &&
         is_dense(mlirValueGetType(luna_unit_output(op))) &&
         add_part(splitter, split, LUNA_ROLE_WEIGHT, weight_axis(op)) &&
         add_part(splitter, split, LUNA_ROLE_BIAS,
                  last_axis(op, LUNA_ROLE_BIAS)) &&
         add_part(splitter, split, LUNA_ROLE_TABLE,
                  last_axis(op, LUNA_ROLE_TABLE));
}

//===----------------------------------------------------------------------===//
// Slices of constants
//===----------------------------------------------------------------------===//

// Returns the slice [first, first + count) along `axis` of a constant of
// `type`.
static char *slice_bytes(Splitter *splitter, MlirAttribute value, MlirType type,
                         intptr_t axis, int64_t first, int64_t count) {
  int64_t outer = 1,
          inner = luna_element_type_bytes(mlirShapedTypeGetElementType(type));
  for (intptr_t i = 0; i < axis; ++i)
    outer *= mlirShapedTypeGetDimSize(type, i);
  for (intptr_t i = axis + 1; i < mlirShapedTypeGetRank(type); ++i)
    inner *= mlirShapedTypeGetDimSize(type, i);
  int64_t extent = mlirShapedTypeGetDimSize(type, axis);
  char *bytes =
      luna_arena_alloc(splitter->arena, (uint64_t)(outer * count * inner), 1);
  const char *source = mlirDenseElementsAttrGetRawData(value);
  size_t element =
      (size_t)luna_element_type_bytes(mlirShapedTypeGetElementType(type));
  if (mlirDenseElementsAttrIsSplat(value)) {
    for (size_t i = 0; i < (size_t)(outer * count * inner); i += element)
      memcpy(bytes + i, source, element);
    return bytes;
  }
  for (int64_t o = 0; o < outer; ++o)
    memcpy(bytes + o * count * inner, source + (o * extent + first) * inner,
           (size_t)(count * inner));
  return bytes;
}

static MlirValue build_slice(Splitter *splitter, const Split *split,
                             const Part *part, int64_t first, int64_t count) {
  MlirType old = mlirValueGetType(luna_unit_operand(split->op, part->role));
  int64_t shape[4];
  intptr_t rank = mlirShapedTypeGetRank(old);
  for (intptr_t i = 0; i < rank; ++i)
    shape[i] = i == part->axis ? count : mlirShapedTypeGetDimSize(old, i);
  MlirType element = mlirShapedTypeGetElementType(old);
  MlirType type = mlirMemRefTypeContiguousGet(
      element, rank, shape, mlirMemRefTypeGetMemorySpace(old));
  char *bytes =
      slice_bytes(splitter, part->value, old, part->axis, first, count);
  return luna_globals_build(splitter->globals, split->op, "slice",
                            &splitter->next_symbol, type, bytes);
}

// Creates the subview of channels [first, first + count), the last dimension of
// the output.
static MlirValue build_output_slice(const Split *split, int64_t first,
                                    int64_t count) {
  MlirValue output = luna_unit_output(split->op);
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(output));
  return luna_build_subview(
      split->op, output, rank - 1,
      (LunaStrided){.first = first, .count = count, .step = 1});
}

static void split_op(Splitter *splitter, const Split *split) {
  for (int64_t first = 0; first < split->channels; first += split->step) {
    int64_t count = split->channels - first;
    if (count > split->step)
      count = split->step;
    MlirOperation piece = mlirOperationClone(split->op);
    for (int i = 0; i < split->part_count; ++i)
      mlirOperationSetOperand(
          piece, luna_unit_operand_index(split->op, split->parts[i].role),
          build_slice(splitter, split, &split->parts[i], first, count));
    mlirOperationSetOperand(piece, mlirOperationGetNumOperands(piece) - 1,
                            build_output_slice(split, first, count));
    luna_insert_before(split->op, piece);
  }
  mlirOperationDestroy(split->op);
}

static bool visit_op(MlirOperation op, void *data) {
  Splitter *splitter = data;
  Split split;
  if (plan_split(splitter, op, &split))
    split_op(splitter, &split);
  return true;
}

void luna_split_weights(MlirOperation module, const LunaMachine *machine,
                        int64_t max_bytes, LunaGlobals *globals,
                        LunaArena *arena) {
  Splitter splitter = {.arena = arena,
                       .globals = globals,
                       .machine = machine,
                       .max_bytes = max_bytes};
  luna_walk(module, visit_op, &splitter);
}
