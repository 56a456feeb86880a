#include "kernels.h"
#include "luna/core.h"
#include "luna/core_cost.h"
#include "sim_active.h"
#include "sim_clock.h"
#include "sim_operands.h"
#include "sim_place.h"

// The runtime API above the core, with checks: operators of the unit but
// products, which have files of their own, and transfers. Another runtime may
// stand in its place (device_runtime/runtime): the port below needs none of it.

//===- Operators of the unit ----------------------------------------------===//

void luna_rt_eltwise(const LunaEltwiseDesc *desc, const int32_t *ids,
                     const void *lhs, const void *rhs, void *scratch,
                     void *output) {
  const void *const data[] = {lhs, rhs, scratch, output};
  LunaKernelOperands operands = {
      .input = lhs, .weight = rhs, .scratch = scratch, .output = output};
  LunaSimCall call = {.is_elementwise = desc->on_core != 0};
  if (luna_sim_unit_begin(&call, LUNA_UNIT_ELTWISE, desc, ids, data) &&
      luna_sim_call_accept(&call, luna_sim_judge_eltwise(desc, &operands)) &&
      luna_sim_call_accept(&call,
                           luna_sim_judge_eltwise_place(call.sim, desc))) {
    luna_core_eltwise(desc, lhs, rhs, scratch, output);
    luna_sim_pass_core_eltwise(call.sim, desc);
  }
  luna_sim_call_finish(&call);
}

void luna_rt_pool(const LunaPoolDesc *desc, const int32_t *ids,
                  const void *input, void *output) {
  const void *const data[] = {input, output};
  LunaKernelOperands operands = {.input = input, .output = output};
  LunaSimCall call = {0};
  if (luna_sim_unit_begin(&call, LUNA_UNIT_POOL, desc, ids, data) &&
      luna_sim_call_accept(&call, luna_sim_judge_pool(desc, &operands)) &&
      luna_sim_call_accept(&call, luna_sim_judge_pool_place(call.sim, desc))) {
    luna_core_pool(desc, input, output);
    if (desc->tiling.finish == LUNA_FINISH_CORE)
      luna_sim_pass_core_pool(call.sim, desc);
  }
  luna_sim_call_finish(&call);
}

static const char *judge_place(const LunaSimulator *sim,
                               LunaUnitClass unit_class, bool on_core) {
  return on_core || luna_unit_class_call(unit_class, &sim->machine)
             ? NULL
             : "the unit has no such call, and the core is not told to compute";
}

// luna_rt_table, and all that have LUNA_UNIT_LAUNCH in luna/units.def.
#define LUNA_UNIT_LAUNCH(CLASS, name, Type, CALL, parameters, arguments)       \
  void luna_rt_##name(const Luna##Type##Desc *desc, const int32_t *ids,        \
                      LUNA_UNIT_LIST parameters) {                             \
    const void *const data[] = {LUNA_UNIT_LIST arguments};                     \
    LunaKernelOperands operands =                                              \
        luna_sim_kernel_operands(LUNA_UNIT_##CLASS, data);                     \
    LunaSimCall call = {0};                                                    \
    if (luna_sim_unit_begin(&call, LUNA_UNIT_##CLASS, desc, ids, data) &&      \
        luna_sim_call_accept(&call, luna_sim_judge_##name(desc, &operands)) && \
        luna_sim_call_accept(&call, judge_place(call.sim, LUNA_UNIT_##CLASS,   \
                                                desc->on_core != 0))) {        \
      luna_core_##name(desc, LUNA_UNIT_LIST arguments);                        \
      if (desc->on_core)                                                       \
        luna_sim_clock_core(                                                   \
            call.sim, luna_core_##name##_cycles(&call.sim->machine, desc));    \
    }                                                                          \
    luna_sim_call_finish(&call);                                               \
  }
#include "luna/units.def"

void luna_rt_copy(const LunaCopyDesc *desc, const int32_t *ids,
                  const void *source, void *target) {
  LunaSimCall call = {.is_elementwise = true, .is_copy = true};
  luna_sim_call_open(&call, ids);
  luna_sim_call_add(&call, 0, "source", &desc->source, source, false);
  luna_sim_call_add(&call, 1, "target", &desc->target, target, true);
  if (luna_sim_call_admit(&call) &&
      luna_sim_call_accept(&call, luna_sim_judge_copy(desc)))
    luna_core_copy(desc, source, target);
  luna_sim_call_finish(&call);
}

void luna_rt_fill(const LunaFillDesc *desc, const int32_t *ids, void *target) {
  LunaSimCall call = {0};
  luna_sim_call_open(&call, ids);
  luna_sim_call_add(&call, 0, "target", &desc->target, target, true);
  if (luna_sim_call_admit(&call) &&
      luna_sim_call_accept(&call, luna_sim_judge_fill(desc)))
    luna_core_fill(desc, target);
  luna_sim_call_finish(&call);
}

//===- Transfers ----------------------------------------------------------===//

int32_t luna_rt_dma_start(const LunaDmaDesc *desc, const int32_t *ids,
                          void *target, const void *source) {
  LunaSimulator *sim = luna_sim_active(luna_ids_op(ids));
  sim->announced = ids;
  int32_t token = luna_core_dma_start(desc, target, source);
  sim->announced = NULL;
  return token;
}

void luna_rt_dma_wait(int32_t op, int32_t token) {
  LunaSimulator *sim = luna_sim_active(op);
  sim->announced = &op;
  luna_core_dma_wait(token);
  sim->announced = NULL;
}
