#include "kernel_numbers.h"
#include "luna/core_cost.h"
#include "sim_active.h"
#include "sim_clock.h"
#include "sim_judge.h"
#include "sim_launch_time.h"
#include "unit_vector.h"

// Copies and fills on chip, and when vector calls begin and end.

const char *luna_sim_judge_copy(const LunaCopyDesc *desc) {
  if (!luna_judge_has_extents(&desc->target, 0))
    return "operand with a huge extent";
  if (luna_element_bytes(desc->source.type) !=
      luna_element_bytes(desc->target.type))
    return "types of source and target differ";
  return luna_judge_is_same_shape(&desc->source, &desc->target)
             ? NULL
             : "shapes of source and target differ";
}

const char *luna_sim_judge_fill(const LunaFillDesc *desc) {
  return luna_judge_has_extents(&desc->target, 0)
             ? NULL
             : "operand with a huge extent";
}

static void copy_row(uint8_t *to, const uint8_t *from, int64_t to_stride,
                     int64_t from_stride, int32_t count, int32_t bytes) {
  if (to_stride == bytes && from_stride == bytes)
    memmove(to, from, (size_t)count * (size_t)bytes);
  else
    for (int32_t i = 0; i < count; ++i)
      memmove(to + i * to_stride, from + i * from_stride, (size_t)bytes);
}

void luna_kernel_copy(const LunaCopyDesc *desc, const void *source,
                      void *target) {
  const LunaTensorDesc *in = &desc->source, *out = &desc->target;
  int32_t bytes = luna_element_bytes(out->type);
  if (!luna_has_rows(out->dims))
    return;
  LunaRow at = {0};
  do {
    copy_row((uint8_t *)target + luna_element_offset(out, at.i, at.j, at.k, 0),
             luna_element(source, in, at.i, at.j, at.k, 0),
             (int64_t)out->strides[3] * bytes, (int64_t)in->strides[3] * bytes,
             out->dims[3], bytes);
  } while (luna_next_row(&at, out->dims));
}

void luna_kernel_fill(const LunaFillDesc *desc, void *target) {
  const LunaTensorDesc *out = &desc->target;
  if (!luna_has_rows(out->dims))
    return;
  LunaArena arena = {0};
  uint64_t bits =
      (uint64_t)(uint32_t)desc->value_high << 32 | (uint32_t)desc->value_low;
  int64_t *row = LUNA_ARENA_ARRAY(&arena, int64_t, out->dims[3]);
  for (int32_t i = 0; i < out->dims[3]; ++i)
    memcpy(&row[i], &bits, sizeof bits);
  LunaRow at = {0};
  do {
    luna_store_longs((uint8_t *)target +
                         luna_element_offset(out, at.i, at.j, at.k, 0),
                     row, out->type, out->strides[3], out->dims[3]);
  } while (luna_next_row(&at, out->dims));
  luna_arena_destroy(&arena);
}

// Returns how many innermost dimensions of a box lie without gaps.
static int dense_dims(const LunaTensorDesc *box) {
  int64_t run = 1;
  int axis = 3;
  for (; axis >= 0; --axis)
    if (box->dims[axis] != 1) {
      if (box->strides[axis] != run)
        break;
      run *= box->dims[axis];
    }
  return 3 - axis;
}

// Returns the cycles of moving a box run by run: a run is contiguous at both
// ends, and takes whole cycles.
static uint64_t run_cycles(const LunaTensorDesc *target,
                           const LunaTensorDesc *source, uint64_t rate) {
  int to = dense_dims(target), from = dense_dims(source);
  uint64_t runs = 1, bytes = (uint64_t)luna_element_bytes(target->type);
  for (int axis = 0, dense = to < from ? to : from; axis < 4; ++axis)
    *(axis < 4 - dense ? &runs : &bytes) *= (uint64_t)target->dims[axis];
  return runs * luna_sim_port_cycles(bytes, rate);
}

void luna_unit_start_copy(const LunaCopyDesc *desc, const void *source,
                          void *target) {
  LunaSimulator *sim = luna_sim_any_active();
  bool is_alone = luna_sim_clock_join(sim);
  luna_kernel_copy(desc, source, target);
  luna_sim_clock_call(sim, LUNA_HOST_COPY);
  uint64_t cycles = sim->machine.copy_launch_cycles +
                    run_cycles(&desc->target, &desc->source,
                               sim->machine.copy_bytes_per_cycle);
  uint64_t transposed = luna_transpose_cycles(&sim->machine, desc);
  luna_sim_clock_launch(sim, transposed > 0 && transposed < cycles ? transposed
                                                                   : cycles);
  luna_sim_clock_leave(sim, is_alone);
}

void luna_unit_start_fill(const LunaFillDesc *desc, void *target) {
  LunaSimulator *sim = luna_sim_any_active();
  bool is_alone = luna_sim_clock_join(sim);
  luna_kernel_fill(desc, target);
  luna_sim_clock_call(sim, LUNA_HOST_COPY);
  luna_sim_clock_launch(sim, sim->machine.fill_launch_cycles +
                                 run_cycles(&desc->target, &desc->target,
                                            sim->machine.fill_bytes_per_cycle));
  luna_sim_clock_leave(sim, is_alone);
}

static uint64_t vector_cycles(const LunaUnitCall *call,
                              const LunaVectorOperands *operands) {
  uint64_t elements = (uint64_t)operands->count;
  uint64_t columns = (uint64_t)operands->columns;
  return call->name == LUNA_CALL_MAT_MUL
             ? luna_outer_product_cycles(call, elements / columns, columns)
             : luna_call_cycles(call, elements, 0);
}

// Not beside its kernel, whose file a program that links archives may lack when
// the core's comes last.
void luna_unit_start_vector(const LunaVectorCall *call,
                            const LunaVectorOperands *operands) {
  LunaSimulator *sim = luna_sim_timed();
  luna_kernel_vector(call, operands);
  if (!sim)
    return;
  const LunaUnitCall *found =
      luna_machine_call(&sim->machine, (LunaCallName)call->name,
                        call->input_bits, call->output_bits);
  bool is_alone = luna_sim_clock_join(sim);
  if (found)
    luna_sim_clock_launch(sim, vector_cycles(found, operands));
  luna_sim_clock_leave(sim, is_alone);
}
