#include "runtime.h"

#include "luna/core.h"
#include "luna/eltwise_launches.h"

#include "../../device_runtime/src/core_chain.h"

// A program has no handle of its runtime.
static Runtime *runtime;

void runtime_set(Runtime *chosen) { runtime = chosen; }

static void note(Target target) {
  for (uint64_t i = 0; runtime->notes && i < runtime->targets.count; ++i)
    if (runtime->targets.items[i].record == target.record &&
        runtime->targets.items[i].sum == target.sum)
      return;
  if (runtime->notes)
    *LUNA_VECTOR_ADD(runtime->arena, &runtime->targets) = target;
}

//===- Operators of the unit ----------------------------------------------===//

static const LunaProductRecord *record_for(const LunaProductRecord *record) {
  note((Target){.record = record});
  return record == runtime->target.record ? runtime->faulty_record : record;
}

#define LUNA_UNIT_TILED(CLASS, name, Type)                                     \
  static void run_##name(                                                      \
      const Luna##Type##Desc *desc, const LunaProductRecord *record,           \
      const int32_t *ids, const void *input, const void *weight,               \
      const void *bias, const void *table, void *scratch, void *output) {      \
    const LunaProductOperands operands = {input, weight,  bias,                \
                                          table, scratch, output};             \
    record = record_for(record);                                               \
    if (runtime->is_checked)                                                   \
      luna_rt_##name(desc, record, ids, input, weight, bias, table, scratch,   \
                     output);                                                  \
    else                                                                       \
      luna_core_product(record, &operands);                                    \
  }
#include "luna/units.def"

static bool run_faulty_sum(const LunaEltwiseDesc *desc, const void *lhs,
                           const void *rhs, void *scratch, void *output) {
  LunaEltwiseChain chain;
  if (desc->on_core || !scratch || luna_eltwise_has_launches(desc) ||
      !luna_eltwise_has_chain(desc, &chain))
    return false;
  note((Target){.sum = desc});
  if (desc != runtime->target.sum)
    return false;
  const LunaCorePlaces places = {
      .at = {[LUNA_VECTOR_SUMS] = scratch,
             [LUNA_VECTOR_LHS] = (uint8_t *)(uintptr_t)lhs,
             [LUNA_VECTOR_RHS] = (uint8_t *)(uintptr_t)rhs,
             [LUNA_VECTOR_OUTPUT] = output}};
  luna_core_eltwise_chain(desc, &runtime->faulty_sum, places);
  return true;
}

static void run_eltwise(const LunaEltwiseDesc *desc, const int32_t *ids,
                        const void *lhs, const void *rhs, void *scratch,
                        void *output) {
  if (runtime->is_checked)
    luna_rt_eltwise(desc, ids, lhs, rhs, scratch, output);
  else if (!run_faulty_sum(desc, lhs, rhs, scratch, output))
    luna_core_eltwise(desc, lhs, rhs, scratch, output);
}

static void run_pool(const LunaPoolDesc *desc, const int32_t *ids,
                     const void *input, void *output) {
  if (runtime->is_checked)
    luna_rt_pool(desc, ids, input, output);
  else
    luna_core_pool(desc, input, output);
}

static void run_table(const LunaTableDesc *desc, const int32_t *ids,
                      const void *input, const void *table, void *output) {
  if (runtime->is_checked)
    luna_rt_table(desc, ids, input, table, output);
  else
    luna_core_table(desc, input, table, output);
}

//===- The others ---------------------------------------------------------===//

static int32_t start_transfer(const LunaDmaDesc *desc, const int32_t *ids,
                              void *target, const void *source) {
  return runtime->is_checked ? luna_rt_dma_start(desc, ids, target, source)
                             : luna_core_dma_start(desc, target, source);
}

static void await_transfer(int32_t op, int32_t token) {
  if (runtime->is_checked)
    luna_rt_dma_wait(op, token);
  else
    luna_core_dma_wait(token);
}

static void copy(const LunaCopyDesc *desc, const int32_t *ids,
                 const void *source, void *target) {
  if (runtime->is_checked)
    luna_rt_copy(desc, ids, source, target);
  else
    luna_core_copy(desc, source, target);
}

static void fill(const LunaFillDesc *desc, const int32_t *ids, void *target) {
  if (runtime->is_checked)
    luna_rt_fill(desc, ids, target);
  else
    luna_core_fill(desc, target);
}

static void begin_host(const LunaHostDesc *desc, const int32_t *ids) {
  if (runtime->is_checked)
    luna_rt_host_begin(desc, ids);
}

static void take_operand(const LunaHostOperandDesc *desc, const void *data) {
  if (runtime->is_checked)
    luna_rt_host_operand(desc, data);
}

static void end_host(void) {
  if (runtime->is_checked)
    luna_rt_host_end();
}

// Path 0 takes the first way of each branch, and so on.
static int32_t decide(int32_t branch, int32_t decision) {
  const LunaProgramBranch *of = &runtime->program->branches[branch];
  if (of->kind == LUNA_BRANCH_IF)
    decision = runtime->path % 2 == 0;
  else if (of->case_count > 0)
    decision = of->cases[(uint32_t)runtime->path % of->case_count];
  return runtime->is_checked ? luna_rt_branch(branch, decision) : decision;
}

#define SYMBOL(name, function) {"luna_rt_" #name, (void (*)(void))(function)}

const LunaRuntimeSymbol *runtime_symbols(uint64_t *count) {
  static const LunaRuntimeSymbol symbols[] = {
      SYMBOL(dma_start, start_transfer),
      SYMBOL(dma_wait, await_transfer),
      SYMBOL(copy, copy),
      SYMBOL(fill, fill),
      SYMBOL(host_begin, begin_host),
      SYMBOL(host_operand, take_operand),
      SYMBOL(host_end, end_host),
      SYMBOL(branch, decide),
      // Aborts what does not end.
      SYMBOL(loop_iteration, luna_rt_loop_iteration),
#define LUNA_UNIT_CLASS(CLASS, name, Type) SYMBOL(name, run_##name),
#include "luna/units.def"
  };
  *count = sizeof symbols / sizeof symbols[0];
  return symbols;
}
