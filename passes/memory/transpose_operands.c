#include "transpose_operands.h"

#include <string.h>

#include "layout_groups.h"
#include "luna-c/dialect.h"
#include "luna-c/ops.h"
#include "luna/cost.h"
#include "luna/finish.h"
#include "luna/tiles.h"
#include "luna/tiling.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_desc.h"
#include "tile_operators.h"

// An activation of an operator.
typedef struct Activation {
  intptr_t operand;
  bool is_output;
  bool is_planes, is_rows; // both if all extents but one are 1
  MlirType planes;         // null where it cannot have any
} Activation;

static bool lies_as(MlirType type, MlirType dense) {
  int64_t offset = 0, a[LUNA_RANK_MAX], b[LUNA_RANK_MAX];
  if (!luna_memref_strides(type, &offset, a) ||
      !luna_memref_strides(dense, &offset, b))
    return false;
  for (int i = 1; i < 4; ++i)
    if (mlirShapedTypeGetDimSize(type, i) != 1 && a[i] != b[i])
      return false;
  return true;
}

// Returns the type of a copy on chip, rows of channels.
static MlirType rows_on_chip(MlirOperation op, MlirType type) {
  MlirAttribute shared =
      lunaMemoryAttrGet(mlirOperationGetContext(op), LUNA_MEMORY_SHARED);
  return luna_memref_with_space(luna_memref_contiguous(type), shared);
}

// Reads an operand of four dimensions, the first of which is 1. A constant of
// an elementwise operator lies as it does.
static bool read_activation(MlirOperation op, intptr_t operand,
                            LunaOperandRole role, Activation *activation) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, operand));
  bool may_be_constant = role == LUNA_ROLE_INPUT &&
                         luna_unit_of(op)->unit_class != LUNA_UNIT_ELTWISE;
  *activation =
      (Activation){.operand = operand, .is_output = role == LUNA_ROLE_OUTPUT};
  if ((role != LUNA_ROLE_INPUT && role != LUNA_ROLE_OUTPUT) ||
      mlirShapedTypeGetRank(type) != 4 ||
      (luna_memory_of(type) != LUNA_MEMORY_SHARED && !may_be_constant) ||
      mlirShapedTypeGetDimSize(type, 0) != 1)
    return false;
  MlirType rows = rows_on_chip(op, type);
  activation->planes = luna_planar_type(rows);
  activation->is_rows = lies_as(type, rows);
  activation->is_planes =
      !mlirTypeIsNull(activation->planes) && lies_as(type, activation->planes);
  return !mlirTypeIsNull(activation->planes);
}

static int read_activations(MlirOperation op, Activation *activations) {
  int row_count = 0, count = 0;
  intptr_t operand = 0;
  MlirValue operands[LUNA_UNIT_OPERANDS_MAX];
  const LunaUnitOperand *rows =
      luna_unit_class_operands(luna_unit_of(op)->unit_class, &row_count);
  luna_unit_operands(op, operands);
  for (int i = 0; i < row_count; ++i) {
    if (mlirValueIsNull(operands[i]))
      continue;
    count += read_activation(op, operand, rows[i].role, &activations[count]);
    ++operand;
  }
  return count;
}

// Constants are brought on chip first, as the rows that they are.
static void use_planes(MlirOperation op, const Activation *activation) {
  MlirValue old = mlirOperationGetOperand(op, activation->operand);
  MlirType type = mlirValueGetType(old);
  if (luna_memory_of(type) != LUNA_MEMORY_SHARED) {
    MlirValue rows = luna_build_alloc(op, rows_on_chip(op, type), NULL);
    luna_build_copy(op, old, rows);
    old = rows;
  }
  MlirValue planes = luna_build_alloc(op, activation->planes, NULL);
  mlirOperationSetOperand(op, activation->operand, planes);
  if (activation->is_output)
    luna_build_copy(mlirOperationGetNextInBlock(op), planes, old);
  else
    luna_build_copy(op, old, planes);
}

static void set_planes(LunaTensorDesc *desc) {
  const int32_t *dims = desc->dims;
  const int32_t strides[4] = {dims[1] * dims[2] * dims[3], dims[2], 1,
                              dims[1] * dims[2]};
  memcpy(desc->strides, strides, sizeof strides);
}

// Returns true if the launches of a convolution are calls once it has planes.
static bool becomes_calls(const LunaMachine *machine, MlirOperation op) {
  LunaUnitDesc desc;
  LunaTiling tiling = {0};
  if (!luna_unit_desc_read(op, &desc))
    return false;
  luna_want_calls(&desc);
  set_planes(&desc.as.conv2d.input);
  set_planes(&desc.as.conv2d.output);
  if (luna_tiling_conv2d(machine, &desc.as.conv2d, INT32_MAX, &tiling, NULL) &&
      tiling.row_strips > 0)
    return true;
  return luna_tiling_pack(machine, &desc.as.conv2d);
}

// Returns the cycles of an elementwise operator; of the core's, where it is no
// vector call.
static uint64_t cycles_of(const LunaMachine *machine, MlirOperation op) {
  LunaUnitDesc desc;
  if (!luna_unit_desc_read(op, &desc))
    return 0;
  desc.as.eltwise.on_core = !luna_eltwise_is_call(&desc.as.eltwise);
  return luna_finish_eltwise_cycles(machine, &desc.as.eltwise, LUNA_PLACE_AUTO,
                                    LUNA_PRICED_SCRATCH_BYTES);
}

static uint64_t copy_cycles(const LunaMachine *machine,
                            const Activation *activation, MlirType type) {
  LunaCopyDesc copy;
  if (!luna_tensor_desc_from_type(type, &copy.source) ||
      !luna_tensor_desc_from_type(activation->planes, &copy.target))
    return 0;
  return luna_cost_cycles(luna_cost_copy(machine, &copy));
}

// Returns true if an operator beside planes takes fewer cycles with planes
// alone, copies included.
static bool is_cheaper(const LunaMachine *machine, MlirOperation op,
                       const Activation *activations, int count) {
  MlirType types[LUNA_UNIT_OPERANDS_MAX];
  uint64_t before = cycles_of(machine, op), after = 0;
  for (int i = 0; i < count; ++i) {
    MlirValue value = mlirOperationGetOperand(op, activations[i].operand);
    types[i] = mlirValueGetType(value);
    if (!activations[i].is_planes)
      after += copy_cycles(machine, &activations[i], types[i]);
    mlirValueSetType(value, activations[i].planes);
  }
  after += cycles_of(machine, op);
  for (int i = count; i-- > 0;)
    mlirValueSetType(mlirOperationGetOperand(op, activations[i].operand),
                     types[i]);
  return after < before;
}

// Has the core compute an elementwise operator that is no vector call.
static void set_place(MlirOperation op) {
  LunaUnitDesc desc;
  if (luna_unit_of(op)->unit_class == LUNA_UNIT_ELTWISE &&
      luna_unit_desc_read(op, &desc) && !luna_eltwise_is_call(&desc.as.eltwise))
    luna_set_attr(op, "on_core", mlirUnitAttrGet(mlirOperationGetContext(op)));
}

// Returns true if an operator some of whose activations lie apart from planes
// is to have planes.
static bool wants_planes(const LunaMachine *machine, MlirOperation op,
                         const Activation *activations, int count) {
  int planes = 0;
  if (luna_op_is(op, LUNA_OP_LUNA_CONV2D))
    return becomes_calls(machine, op);
  if (luna_op_is(op, LUNA_OP_LUNA_MAX_POOL2D))
    return true;
  for (int i = 0; i < count; ++i)
    planes += activations[i].is_planes && !activations[i].is_rows;
  return luna_unit_of(op)->unit_class == LUNA_UNIT_ELTWISE && planes > 0 &&
         is_cheaper(machine, op, activations, count);
}

static bool visit(MlirOperation op, void *data) {
  const LunaMachine *machine = data;
  Activation activations[LUNA_UNIT_OPERANDS_MAX];
  if (!luna_op_is_unit(op))
    return true;
  int count = read_activations(op, activations), apart = 0;
  for (int i = 0; i < count; ++i)
    apart += !activations[i].is_planes;
  if (apart > 0 && wants_planes(machine, op, activations, count))
    for (int i = 0; i < count; ++i)
      if (!activations[i].is_planes)
        use_planes(op, &activations[i]);
  set_place(op);
  return true;
}

void luna_transpose_operands(MlirOperation module, const LunaMachine *machine) {
  luna_walk(module, visit, (void *)machine);
}
