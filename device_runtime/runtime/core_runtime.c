#include "luna/core.h"
#include "luna/runtime.h"

// The runtime API (luna/runtime.h) on a chip: what a firmware links with a
// compiled model, above its port of the unit (luna/unit_port.h). Ids, and what
// the program announces of its own operators and decisions, serve checks, which
// are the simulator's.

int32_t luna_rt_dma_start(const LunaDmaDesc *desc, const int32_t *ids,
                          void *target, const void *source) {
  (void)ids;
  return luna_core_dma_start(desc, target, source);
}

void luna_rt_dma_wait(int32_t op, int32_t token) {
  (void)op;
  luna_core_dma_wait(token);
}

//===- Operators of the unit ----------------------------------------------===//

static void product(const LunaProductRecord *launches, const void *input,
                    const void *weight, const void *bias, const void *table,
                    void *scratch, void *output) {
  const LunaProductOperands operands = {.input = input,
                                        .weight = weight,
                                        .bias = bias,
                                        .table = table,
                                        .scratch = scratch,
                                        .output = output};
  luna_core_product(launches, &operands);
}

// luna_rt_<name>, from luna/units.def: luna_rt_conv2d, luna_rt_matmul.
#define LUNA_UNIT_TILED(CLASS, name, Type)                                     \
  void luna_rt_##name(const Luna##Type##Desc *desc,                            \
                      const LunaProductRecord *launches, const int32_t *ids,   \
                      const void *input, const void *weight, const void *bias, \
                      const void *table, void *scratch, void *output) {        \
    (void)desc, (void)ids;                                                     \
    product(launches, input, weight, bias, table, scratch, output);            \
  }
// luna_rt_<name> of the other classes: luna_rt_eltwise, luna_rt_pool, …
#define LUNA_UNIT_CALL(CLASS, name, Type, parameters, arguments)               \
  void luna_rt_##name(const Luna##Type##Desc *desc, const int32_t *ids,        \
                      LUNA_UNIT_LIST parameters) {                             \
    (void)ids;                                                                 \
    luna_core_##name(desc, LUNA_UNIT_LIST arguments);                          \
  }
#include "luna/units.def"

void luna_rt_copy(const LunaCopyDesc *desc, const int32_t *ids,
                  const void *source, void *target) {
  (void)ids;
  luna_core_copy(desc, source, target);
}

void luna_rt_fill(const LunaFillDesc *desc, const int32_t *ids, void *target) {
  (void)ids;
  luna_core_fill(desc, target);
}

//===- Announcements ------------------------------------------------------===//

void luna_rt_host_begin(const LunaHostDesc *desc, const int32_t *ids) {
  (void)desc, (void)ids;
}

void luna_rt_host_operand(const LunaHostOperandDesc *desc, const void *data) {
  (void)desc, (void)data;
}

void luna_rt_host_end(void) {}

int32_t luna_rt_branch(int32_t branch, int32_t decision) {
  (void)branch;
  return decision;
}

void luna_rt_loop_iteration(int32_t loop) { (void)loop; }
