// Lowers operators of the unit, transfers, copies and fills to one call of the
// runtime API each, with a constant descriptor.

#include "lowering.h"
#include "luna-c/ops.h"
#include "luna/checked.h"
#include "luna/tiles.h"
#include "luna/tiling.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "model_names.h"
#include "op_desc.h"

//===----------------------------------------------------------------------===//
// Operators of the unit
//===----------------------------------------------------------------------===//
// Returns the content of a constant operand: the weights that params
// names, if they were transferred to a staging buffer.
static int32_t content_of(LunaLowering *run, MlirOperation op, int32_t buffer) {
  MlirStringRef params = luna_attr_symbol(op, "params");
  if (!params.data || !luna_is_staging_buffer(run, buffer))
    return LUNA_NO_ID;
  return luna_find_global(run, params);
}

// Counts launches, and those that are calls. Returns false if one is none where
// all must be.
static bool note_launches(LunaLowering *run, MlirOperation op,
                          const LunaProductRecord *record) {
  const LunaLaunchRecord *launches = luna_record_launches(record);
  LunaError error = {0};
  run->launches += record->launch_count;
  for (int32_t i = 0; i < record->launch_count; ++i) {
    LunaLaunchRules broken =
        luna_launch_rules(run->machine, record, &launches[i]);
    run->calls += broken == 0;
    for (int rule = 0; rule < LUNA_RULE_COUNT; ++rule)
      run->broken[rule] += broken >> rule & 1;
    if (run->wants_calls &&
        !luna_launch_check_call(run->machine, record, &launches[i], &error)) {
      luna_emit_error(op, "%s", error.message);
      return false;
    }
  }
  return true;
}

// Writes the address of the launches of a tiled operator. Returns false after
// an error.
static bool build_launches(LunaLowering *run, MlirOperation op,
                           const LunaUnitDesc *desc, MlirValue *address) {
  LunaError error = {0};
  int32_t word_count = 0;
  const LunaProductRecord *words =
      luna_unit_class(desc->unit_class)
          ->launches(&desc->as, &run->arena, &word_count, &error);
  if (!words) {
    luna_emit_error(op, "%s", error.message);
    return false;
  }
  if (!note_launches(run, op, words))
    return false;
  bool is_new = false;
  const char *name =
      luna_add_desc(run, (const int32_t *)words, word_count, &is_new);
  if (is_new && run->block_bytes > 0)
    *LUNA_VECTOR_ADD(&run->arena, &run->products) =
        (LunaLoweringProduct){name, words->launch_count};
  *address = luna_build_address(run, op, name);
  return true;
}

static void add_ids_of(LunaLowering *run, MlirValue value, int32_t content) {
  luna_add_ids(run, luna_place_of(run, value).buffer, content);
}

// Returns the pointer to an operand; NULL for one that is absent.
static MlirValue lower_operand(LunaLowering *run, MlirOperation op,
                               MlirValue operand) {
  if (mlirValueIsNull(operand)) {
    luna_add_ids(run, LUNA_NO_ID, LUNA_NO_ID);
    return luna_build_value(op, "llvm.mlir.zero", run->ptr, 0, NULL);
  }
  int32_t buffer = luna_place_of(run, operand).buffer;
  luna_add_ids(run, buffer, content_of(run, op, buffer));
  return luna_build_pointer(run, op, operand);
}

// Says what the core computes in place of the unit, and how a pooling is cut;
// the unit has no launches for one that it cannot cut.
static void set_place(const LunaMachine *machine, LunaUnitDesc *desc) {
  LunaConv2dDesc conv;
  LunaError error = {0};
  if (desc->unit_class == LUNA_UNIT_ELTWISE)
    desc->as.eltwise.on_core =
        !luna_eltwise_is_native(machine, &desc->as.eltwise);
#define LUNA_UNIT_LAUNCH(CLASS, name, Type, CALL, parameters, arguments)       \
  if (desc->unit_class == LUNA_UNIT_##CLASS)                                   \
    desc->as.name.on_core = !luna_unit_class_call(desc->unit_class, machine);
#include "luna/units.def"
  if (desc->unit_class == LUNA_UNIT_POOL &&
      luna_tiling_pool(machine, &desc->as.pool, &conv, &error))
    desc->as.pool.tiling = conv.tiling;
}

bool luna_lower_unit(LunaLowering *run, MlirOperation op) {
  LunaUnitDesc desc;
  if (mlirOperationGetNumResults(op) > 0) {
    luna_emit_error(op, "is in tensor form; bufferise first");
    return false;
  }
  if (!luna_unit_desc_read(op, &desc))
    return false;
  const LunaUnitClassInfo *info = luna_unit_class(desc.unit_class);
  MlirValue operands[LUNA_UNIT_OPERANDS_MAX];
  MlirValue arguments[3 + LUNA_UNIT_OPERANDS_MAX];
  int count = luna_unit_operands(op, operands), next = 0;
  luna_unit_class_operands(desc.unit_class, &count);
  set_place(run->machine, &desc);
  // What has launches is judged by its descriptor, and computed without.
  arguments[next++] =
      info->launches && !run->has_ids
          ? luna_build_value(op, "llvm.mlir.zero", run->ptr, 0, NULL)
          : luna_build_desc(run, op, desc.as.words, info->desc_words);
  if (info->launches && !build_launches(run, op, &desc, &arguments[next++]))
    return false;
  arguments[next++] = luna_begin_ids(run, op, luna_note_operator(run, op));
  for (int i = 0; i < count; ++i)
    arguments[next++] = lower_operand(run, op, operands[i]);
  luna_build_call(run, op, LUNA_CALL_UNIT + desc.unit_class, arguments);
  mlirOperationDestroy(op);
  return true;
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

static int32_t direction_of(MlirValue source, MlirValue target) {
  if (luna_memory_of(mlirValueGetType(source)) != LUNA_MEMORY_SHARED)
    return LUNA_DMA_LOAD;
  return luna_memory_of(mlirValueGetType(target)) == LUNA_MEMORY_SHARED
             ? LUNA_DMA_ON_CHIP
             : LUNA_DMA_STORE;
}

bool luna_lower_dma_start(LunaLowering *run, MlirOperation op) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirValue target = mlirOperationGetOperand(op, 1);
  int64_t bytes = luna_shaped_bytes(mlirValueGetType(source));
  int64_t granule = (int64_t)run->machine->dma_granule_bytes;
  if (bytes < 0 || !luna_checked_align(bytes, granule ? granule : 1, &bytes) ||
      bytes > INT32_MAX) {
    luna_emit_error(op, "transfer has no static size below 2^31 bytes");
    return false;
  }
  LunaDmaDesc desc = {
      .bytes = (int32_t)bytes,
      .channel = (int32_t)luna_attr_int(op, "channel", 0),
      .direction = direction_of(source, target),
  };
  int32_t buffer = luna_place_of(run, target).buffer;
  int32_t content = luna_is_staging_buffer(run, buffer)
                        ? luna_weight_global_of(run, source)
                        : LUNA_NO_ID;
  MlirValue arguments[] = {
      luna_build_desc(run, op, (const int32_t *)&desc, sizeof desc / 4),
      luna_begin_ids(run, op, luna_note_operator(run, op)),
      luna_build_pointer(run, op, target),
      luna_build_pointer(run, op, source),
  };
  add_ids_of(run, target, content);
  add_ids_of(run, source, content);
  MlirValue token = luna_build_call(run, op, LUNA_CALL_DMA_START, arguments);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), token);
  mlirOperationDestroy(op);
  return true;
}

bool luna_lower_dma_wait(LunaLowering *run, MlirOperation op) {
  MlirValue arguments[] = {
      luna_build_constant(run, op, run->i32, luna_note_operator(run, op)),
      mlirOperationGetOperand(op, 0),
  };
  luna_build_call(run, op, LUNA_CALL_DMA_WAIT, arguments);
  mlirOperationDestroy(op);
  return true;
}

bool luna_lower_dma_none(LunaLowering *run, MlirOperation op) {
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                luna_build_constant(run, op, run->i32, 0));
  mlirOperationDestroy(op);
  return true;
}

//===----------------------------------------------------------------------===//
// Copies and fills
//===----------------------------------------------------------------------===//

static bool same_place(LunaPlace a, LunaPlace b) {
  return a.is_static && b.is_static && luna_same_value(a.root, b.root) &&
         a.offset_bytes == b.offset_bytes;
}

bool luna_lower_copy(LunaLowering *run, MlirOperation op) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirValue target = mlirOperationGetOperand(op, 1);
  if (same_place(luna_place_of(run, source), luna_place_of(run, target)) &&
      mlirTypeEqual(mlirValueGetType(source), mlirValueGetType(target))) {
    mlirOperationDestroy(op); // a copy to itself
    return true;
  }
  LunaCopyDesc desc = {0};
  if (!luna_is_on_chip(source) || !luna_is_on_chip(target) ||
      !luna_copy_desc_read(op, &desc))
    return luna_outline_host_op(run, op);
  MlirValue arguments[] = {
      luna_build_desc(run, op, (const int32_t *)&desc, sizeof desc / 4),
      luna_begin_ids(run, op, luna_note_operator(run, op)),
      luna_build_pointer(run, op, source),
      luna_build_pointer(run, op, target),
  };
  add_ids_of(run, source, LUNA_NO_ID);
  add_ids_of(run, target, LUNA_NO_ID);
  luna_build_call(run, op, LUNA_CALL_COPY, arguments);
  mlirOperationDestroy(op);
  return true;
}

// The bits of an integer constant; floats go to the host core.
static bool constant_bits(MlirValue value, int64_t *bits) {
  MlirOperation op = luna_defining_op(value);
  if (!luna_op_is(op, LUNA_OP_ARITH_CONSTANT))
    return false;
  MlirAttribute attribute = luna_attr(op, "value");
  if (!mlirAttributeIsAInteger(attribute))
    return false;
  bool is_bool = mlirTypeIsAInteger(mlirAttributeGetType(attribute)) &&
                 mlirIntegerTypeGetWidth(mlirAttributeGetType(attribute)) == 1;
  *bits = mlirIntegerAttrGetValueInt(attribute);
  if (is_bool)
    *bits &= 1;
  return true;
}

bool luna_lower_fill(LunaLowering *run, MlirOperation op) {
  int64_t bits = 0;
  MlirValue target = mlirOperationGetOperand(op, 1);
  LunaFillDesc desc = {0};
  if (!luna_is_on_chip(target) ||
      !constant_bits(mlirOperationGetOperand(op, 0), &bits) ||
      !luna_fill_desc_read(op, &desc))
    return luna_outline_host_op(run, op);
  desc.value_low = (int32_t)(uint32_t)((uint64_t)bits & UINT32_MAX);
  desc.value_high = (int32_t)(uint32_t)((uint64_t)bits >> 32);
  MlirValue arguments[] = {
      luna_build_desc(run, op, (const int32_t *)&desc, sizeof desc / 4),
      luna_begin_ids(run, op, luna_note_operator(run, op)),
      luna_build_pointer(run, op, target),
  };
  add_ids_of(run, target, LUNA_NO_ID);
  luna_build_call(run, op, LUNA_CALL_FILL, arguments);
  mlirOperationDestroy(op);
  return true;
}
