#include "kernel_numbers.h"
#include "luna/core_cost.h"
#include "luna/eltwise_chain.h"
#include "luna/eltwise_launches.h"
#include "luna/tiles.h"
#include "sim_active.h"
#include "sim_clock.h"
#include "sim_judge.h"
#include "sim_launch_time.h"
#include "sim_place.h"

// Elementwise sums, differences and products, by rows of the innermost
// dimension.

// Channels that an operand has not are padded.
static bool broadcasts_to(const LunaTensorDesc *desc,
                          const LunaTensorDesc *output) {
  for (int i = 0; i < 3; ++i)
    if (desc->dims[i] != 1 && desc->dims[i] != output->dims[i])
      return false;
  return desc->dims[3] >= 1 && desc->dims[3] <= output->dims[3];
}

const char *luna_sim_judge_eltwise(const LunaEltwiseDesc *desc,
                                   const LunaKernelOperands *operands) {
  if (!luna_judge_is_between(desc->kind, LUNA_ELTWISE_ADD, LUNA_ELTWISE_MUL))
    return "unknown elementwise operator";
  if (!luna_judge_has_extents(&desc->output, 0))
    return "operand with a huge extent";
  if (!luna_judge_is_integer(&desc->lhs) ||
      !luna_judge_is_integer(&desc->rhs) ||
      !luna_judge_is_integer(&desc->output))
    return "operand is not int8, int16 or int32";
  if (!broadcasts_to(&desc->lhs, &desc->output) ||
      !broadcasts_to(&desc->rhs, &desc->output))
    return "operand does not broadcast to the output";
  if (!luna_judge_is_between(desc->lhs_shift, 0, 62) ||
      !luna_judge_is_between(desc->rhs_shift, 0, 62) ||
      !luna_judge_is_between(desc->input_rounding, LUNA_ROUND_SINGLE,
                             LUNA_ROUND_DOUBLE))
    return "input scale has an unknown rounding or a shift not between 0 and "
           "62";
  if (luna_requant_has_table(&desc->requant))
    return "elementwise operator requantises per channel";
  LunaEltwiseChain chain;
  if (!operands->scratch &&
      (luna_eltwise_has_launches(desc) || luna_eltwise_has_chain(desc, &chain)))
    return "the scratch of its descriptor is missing";
  return luna_judge_requant(&desc->requant, &desc->output);
}

// An operand whose extents of 1 are repeated along the output.
static LunaTensorDesc broadcast(const LunaTensorDesc *desc,
                                const LunaTensorDesc *output) {
  LunaTensorDesc wide = *desc;
  for (int i = 0; i < 4; ++i)
    if (desc->dims[i] == 1) {
      wide.strides[i] = 0;
      wide.dims[i] = output->dims[i];
    }
  return wide;
}

static void scale_row(int64_t *row, int32_t count, int32_t multiplier,
                      int32_t shift, int32_t rounding) {
  if (multiplier == 0)
    return;
  for (int32_t i = 0; i < count; ++i)
    row[i] = luna_apply_scale(row[i], multiplier, shift, rounding);
}

static void combine_rows(int32_t kind, int64_t *restrict lhs,
                         const int64_t *restrict rhs, int32_t count) {
  switch ((LunaEltwiseKind)kind) {
  case LUNA_ELTWISE_ADD:
    for (int32_t i = 0; i < count; ++i)
      lhs[i] = luna_wrap_i32(luna_wrap_add(lhs[i], rhs[i]));
    return;
  case LUNA_ELTWISE_SUB:
    for (int32_t i = 0; i < count; ++i)
      lhs[i] = luna_wrap_i32(luna_wrap_add(lhs[i], -rhs[i]));
    return;
  case LUNA_ELTWISE_MUL:
    for (int32_t i = 0; i < count; ++i)
      lhs[i] = luna_wrap_i32((int64_t)((uint64_t)lhs[i] * (uint64_t)rhs[i]));
    return;
  case LUNA_ELTWISE_SCALE:
    return;
  }
}

// Padding is the zero point, so nothing is left of it.
static void load_row(int64_t *row, const void *data, const LunaTensorDesc *desc,
                     const LunaRow *at, int32_t count, int32_t zero_point) {
  int32_t own = desc->dims[3];
  luna_load_longs(row, luna_element(data, desc, at->i, at->j, at->k, 0),
                  desc->type, desc->strides[3], own, zero_point);
  for (int32_t i = own; i < count; ++i)
    row[i] = 0;
}

void luna_kernel_eltwise(const LunaEltwiseDesc *desc,
                         const LunaKernelOperands *operands) {
  const LunaTensorDesc *out = &desc->output;
  if (!luna_has_rows(out->dims))
    return;
  LunaArena arena = {0};
  LunaTensorDesc left = broadcast(&desc->lhs, out);
  LunaTensorDesc right = broadcast(&desc->rhs, out);
  int32_t count = out->dims[3];
  int64_t *a = LUNA_ARENA_ARRAY(&arena, int64_t, count);
  int64_t *b = LUNA_ARENA_ARRAY(&arena, int64_t, count);
  // Per tensor only: one multiplier serves every channel (step 0).
  LunaRequant requant =
      luna_requant_prepare(&arena, &desc->requant, NULL, NULL, 1);
  LunaRow at = {0};
  do {
    load_row(a, operands->input, &left, &at, count, desc->lhs_zero_point);
    load_row(b, operands->weight, &right, &at, count, desc->rhs_zero_point);
    scale_row(a, count, desc->lhs_multiplier, desc->lhs_shift,
              desc->input_rounding);
    scale_row(b, count, desc->rhs_multiplier, desc->rhs_shift,
              desc->input_rounding);
    combine_rows(desc->kind, a, b, count);
    luna_requant_sums(&requant, a, 0, 0, count);
    luna_store_longs((uint8_t *)operands->output +
                         luna_element_offset(out, at.i, at.j, at.k, 0),
                     a, out->type, out->strides[3], count);
  } while (luna_next_row(&at, out->dims));
  luna_arena_destroy(&arena);
}

const char *luna_sim_judge_eltwise_place(const LunaSimulator *sim,
                                         const LunaEltwiseDesc *desc) {
  if (desc->on_core)
    return NULL;
  if (sim->options.only_calls && !luna_eltwise_is_call(desc))
    return "there is no call for operands that do not lie alike";
  return luna_eltwise_is_native(&sim->machine, desc)
             ? NULL
             : "the unit cannot compute so, and the core is not told to";
}

void luna_sim_pass_core_eltwise(LunaSimulator *sim,
                                const LunaEltwiseDesc *desc) {
  LunaEltwiseChain chain;
  if (desc->on_core)
    luna_sim_clock_core(sim, luna_core_eltwise_cycles(&sim->machine, desc));
  else if (luna_eltwise_has_launches(desc))
    luna_sim_clock_core(sim, luna_core_shifts_cycles(&sim->machine, desc));
  else if (luna_eltwise_has_chain(desc, &chain))
    luna_sim_clock_core(sim,
                        luna_core_chain_cycles(&sim->machine, desc, &chain));
}

// Both operands arrive at once, on ports of their own.
static void pass_unit_time(LunaSimulator *sim, const LunaEltwiseDesc *desc) {
  const LunaMachine *machine = &sim->machine;
  uint64_t count = luna_sim_element_count(&desc->output);
  int32_t lhs = luna_element_bytes(desc->lhs.type);
  int32_t rhs = luna_element_bytes(desc->rhs.type);
  uint64_t read =
      luna_sim_port_cycles(count * (uint64_t)(lhs > rhs ? lhs : rhs),
                           machine->vector_bytes_per_cycle);
  uint64_t write = luna_sim_port_cycles(
      count * (uint64_t)luna_element_bytes(desc->output.type),
      machine->write_bytes_per_cycle);
  luna_sim_clock_call(sim, LUNA_HOST_VECTOR);
  for (int32_t i = 1; i < luna_eltwise_launches(desc); ++i)
    luna_sim_clock_launch(sim, machine->vector_launch_cycles);
  luna_sim_clock_launch(sim, machine->vector_launch_cycles +
                                 (read > write ? read : write));
}

void luna_unit_start_eltwise(const LunaEltwiseDesc *desc, const void *lhs,
                             const void *rhs, void *output) {
  const LunaKernelOperands operands = {
      .input = lhs, .weight = rhs, .output = output};
  LunaSimulator *sim = luna_sim_any_active();
  bool is_alone = luna_sim_clock_join(sim);
  luna_kernel_eltwise(desc, &operands);
  pass_unit_time(sim, desc);
  luna_sim_clock_leave(sim, is_alone);
}
