#include "sim_operands.h"

#include <string.h>

#include "kernel_numbers.h"
#include "sim_active.h"
#include "sim_clock.h"
#include "sim_hazard.h"
#include "sim_memory.h"

static LunaSimPlace place_of(const LunaSimCall *call,
                             const LunaSimOperand *operand) {
  LunaSimPlace place = {.op = call->op,
                        .range = operand->access.range,
                        .buffer = operand->buffer};
  if (place.range)
    place.offset_bytes =
        (uint64_t)(operand->access.box.low - place.range->base);
  return place;
}

void luna_sim_call_open(LunaSimCall *call, const int32_t *ids) {
  call->ids = ids;
  call->op = luna_ids_op(ids);
  call->sim = luna_sim_active(call->op);
}

void luna_sim_call_add(LunaSimCall *call, int index, const char *role,
                       const LunaTensorDesc *desc, const void *data,
                       bool is_written) {
  call->operands[call->operand_count++] = (LunaSimOperand){
      .role = role,
      .desc = *desc,
      .buffer = luna_ids_buffer(call->ids, index),
      .content = luna_ids_content(call->ids, index),
      .data = data,
      .is_written = is_written,
  };
}

bool luna_sim_call_accept(LunaSimCall *call, const char *fault) {
  if (fault)
    luna_sim_hazard(call->sim, LUNA_HAZARD_BAD_DESCRIPTOR,
                    luna_sim_place_of_op(call->op), "%s", fault);
  return !fault;
}

// Finds the memory of an operand. Returns false if it must not be accessed.
static bool locate(LunaSimCall *call, LunaSimOperand *operand) {
  const LunaTensorDesc *desc = &operand->desc;
  int64_t element_bytes = luna_element_bytes(desc->type);
  LunaSimAccess *access = &operand->access;
  *access = (LunaSimAccess){
      .op = call->op,
      .role = operand->role,
      .buffer = operand->buffer,
      .content = operand->content,
      .granule_bytes = 1,
  };
  if (element_bytes == 0 ||
      !luna_sim_box(&access->box, operand->data, 4, desc->dims, desc->strides,
                    element_bytes))
    return luna_sim_call_accept(call, "operand of an unknown type or shape");
  if (access->box.extent_bytes == 0)
    return true;
  luna_sim_locate(call->sim, access);
  if (!access->range)
    return false;
  if (access->range->space != LUNA_SPACE_SHARED)
    luna_sim_hazard(call->sim, LUNA_HAZARD_NOT_ON_CHIP, place_of(call, operand),
                    "%s is in '%s', operands must be in shared memory",
                    operand->role, access->range->name);
  LunaSimPlace place = place_of(call, operand);
  if (place.offset_bytes % (uint64_t)element_bytes == 0)
    return true;
  luna_sim_hazard(call->sim, LUNA_HAZARD_MISALIGNED, place,
                  "%s starts at byte %llu of '%s', must be a multiple of %lld",
                  operand->role, (unsigned long long)place.offset_bytes,
                  access->range->name, (long long)element_bytes);
  return false;
}

static bool is_same_box(const LunaSimBox *a, const LunaSimBox *b) {
  if (a->low != b->low || a->run_bytes != b->run_bytes || a->rank != b->rank)
    return false;
  for (int32_t i = 0; i < a->rank; ++i)
    if (a->dims[i] != b->dims[i] || a->strides[i] != b->strides[i])
      return false;
  return true;
}

static void check_overlap(LunaSimCall *call, const LunaSimOperand *output,
                          const LunaSimOperand *other) {
  bool may_share = call->is_elementwise && !output->is_scratch &&
                   !other->is_scratch &&
                   is_same_box(&output->access.box, &other->access.box);
  if (may_share || output->access.range != other->access.range ||
      !luna_sim_boxes_meet(&output->access.box, &other->access.box))
    return;
  luna_sim_hazard(call->sim, LUNA_HAZARD_OVERLAP, place_of(call, output),
                  "%s overlaps %s", output->role, other->role);
}

// Checks every written operand against every operand before it.
static void check_overlaps(LunaSimCall *call) {
  LunaSimOperand *operands = call->operands;
  for (int32_t i = 0; i < call->operand_count; ++i)
    for (int32_t k = 0; k < i; ++k)
      if (operands[i].is_written && operands[i].access.range)
        check_overlap(call, &operands[i], &operands[k]);
}

bool luna_sim_call_admit(LunaSimCall *call) {
  luna_sim_clock_begin(call->sim, call->op);
  bool is_safe = true;
  for (int32_t i = 0; i < call->operand_count; ++i) {
    LunaSimOperand *operand = &call->operands[i];
    is_safe &= locate(call, operand);
    if (!operand->is_written) {
      if (call->is_copy)
        luna_sim_check_arrived(call->sim, &operand->access);
      else
        luna_sim_check_read(call->sim, &operand->access);
      continue;
    }
    luna_sim_check_write(call->sim, &operand->access);
    is_safe &= !operand->access.range || !operand->access.range->is_read_only;
  }
  check_overlaps(call);
  return is_safe;
}

// One element of an operand, for the checks.
static LunaSimAccess element_of(const LunaSimOperand *operand, int64_t offset) {
  LunaSimAccess access = operand->access;
  int64_t bytes = luna_element_bytes(operand->desc.type);
  access.box = (LunaSimBox){.low = (const uint8_t *)operand->data + offset,
                            .extent_bytes = bytes,
                            .run_bytes = bytes};
  return access;
}

// Elements of the target without a value become undefined.
static void carry_undefined(LunaSimCall *call, const LunaSimOperand *source,
                            const LunaSimOperand *target) {
  const int32_t *dims = target->desc.dims;
  if (memcmp(dims, source->desc.dims, sizeof source->desc.dims) != 0)
    return; // Refused: nothing was copied.
  for (int64_t i = 0; i < dims[0]; ++i)
    for (int64_t j = 0; j < dims[1]; ++j)
      for (int64_t k = 0; k < dims[2]; ++k)
        for (int64_t l = 0; l < dims[3]; ++l) {
          LunaSimAccess from = element_of(
              source, luna_element_offset(&source->desc, i, j, k, l));
          LunaSimAccess to = element_of(
              target, luna_element_offset(&target->desc, i, j, k, l));
          if (!luna_sim_is_defined(call->sim, &from))
            luna_sim_mark_undefined(to.range, to.box.low,
                                    (uint64_t)to.box.run_bytes);
        }
}

void luna_sim_call_finish(LunaSimCall *call) {
  const LunaSimOperand *operands = call->operands;
  bool is_whole =
      !call->is_copy || luna_sim_is_defined(call->sim, &operands[0].access);
  for (int32_t i = 0; i < call->operand_count; ++i)
    if (operands[i].is_written)
      luna_sim_mark_written(call->sim, &operands[i].access);
  if (!is_whole && operands[1].access.range)
    carry_undefined(call, &operands[0], &operands[1]);
  luna_sim_clock_end(call->sim);
}

//===- Unit operators -----------------------------------------------------===//

LunaKernelOperands luna_sim_kernel_operands(LunaUnitClass unit_class,
                                            const void *const *data) {
  int count = 0;
  const LunaUnitOperand *rows = luna_unit_class_operands(unit_class, &count);
  const void *of_role[LUNA_ROLE_COUNT] = {NULL};
  for (int i = 0; i < count; ++i) {
    bool is_second = rows[i].role == LUNA_ROLE_INPUT && of_role[rows[i].role];
    of_role[is_second ? LUNA_ROLE_WEIGHT : rows[i].role] = data[i];
  }
  return (LunaKernelOperands){
      .input = of_role[LUNA_ROLE_INPUT],
      .weight = of_role[LUNA_ROLE_WEIGHT],
      .bias = of_role[LUNA_ROLE_BIAS],
      .table = of_role[LUNA_ROLE_TABLE],
      .scratch = (void *)of_role[LUNA_ROLE_SCRATCH],
      .output = (void *)of_role[LUNA_ROLE_OUTPUT],
  };
}

void luna_sim_unit_open(LunaSimCall *call, LunaUnitClass unit_class,
                        const void *desc, const int32_t *ids,
                        const void *const *data) {
  luna_sim_call_open(call, ids);
  if (luna_unit_class_in_place(unit_class, &call->sim->machine))
    call->is_elementwise = true;
  int count = 0;
  const LunaUnitOperand *rows = luna_unit_class_operands(unit_class, &count);
  for (int i = 0; i < count; ++i) {
    const LunaTensorDesc *operand =
        (const void *)((const char *)desc + rows[i].offset_bytes);
    bool is_written =
        rows[i].role == LUNA_ROLE_OUTPUT || rows[i].role == LUNA_ROLE_SCRATCH;
    if (!data[i] && rows[i].flag == LUNA_OPERAND_OPTIONAL)
      continue;
    luna_sim_call_add(call, i, rows[i].text, operand, data[i], is_written);
    call->operands[call->operand_count - 1].is_scratch =
        rows[i].role == LUNA_ROLE_SCRATCH;
  }
}

bool luna_sim_unit_begin(LunaSimCall *call, LunaUnitClass unit_class,
                         const void *desc, const int32_t *ids,
                         const void *const *data) {
  luna_sim_unit_open(call, unit_class, desc, ids, data);
  return luna_sim_call_admit(call);
}
