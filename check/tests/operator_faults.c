#include "operator_faults.h"

#include "check.h"
#include "luna/chain_cost.h"
#include "sim_unit.h"

#include "../../device_runtime/src/core_chain.h"

// A chain with a fault, and the operator that it computes.
typedef struct Faulty {
  Laid *laid;
  LunaEltwiseChain sum;      // of a sum
  LunaProductRecord *record; // of a product, with the launches and calls
  int32_t record_words;
} Faulty;

//===- Chains -------------------------------------------------------------===//

static bool open_product(Faulty *faulty, const Places *places, LunaFinish form,
                         LunaArena *arena) {
  Laid *laid = faulty->laid;
  LunaError error = {0};
  if (!product_has_chain(laid, &places->machines[0], form))
    return false;
  product_tile(laid, form, arena);
  const LunaProductRecord *record =
      luna_unit_class(laid->desc.unit_class)
          ->launches(&laid->desc.as, arena, &faulty->record_words, &error);
  CHECK(record);
  faulty->record =
      luna_arena_alloc(arena, 4 * (uint64_t)faulty->record_words, 8);
  memcpy(faulty->record, record, 4 * (size_t)faulty->record_words);
  return true;
}

static bool open_sum(Faulty *faulty, LunaArena *arena) {
  LunaEltwiseDesc *desc = &faulty->laid->desc.as.eltwise;
  LunaEltwiseChain chain;
  if (!luna_eltwise_chain(desc, &chain))
    return false;
  int32_t bytes = luna_eltwise_chain_step(desc, &chain) * chain.elements;
  desc->scratch = tensor_desc(LUNA_TYPE_I8, 1, 1, 1, bytes);
  faulty->laid->data[2] = scratch_create(arena, bytes);
  return luna_eltwise_has_chain(desc, &faulty->sum);
}

static bool open_chain(Faulty *faulty, const Places *places, LunaFinish form,
                       LunaArena *arena) {
  switch (faulty->laid->desc.unit_class) {
  case LUNA_UNIT_CONV2D:
  case LUNA_UNIT_MATMUL:
    return open_product(faulty, places, form, arena);
  case LUNA_UNIT_ELTWISE:
    return form == LUNA_FINISH_UNIT && open_sum(faulty, arena);
  case LUNA_UNIT_POOL:
  case LUNA_UNIT_TABLE:
  case LUNA_UNIT_CLASS_COUNT:
    return false;
  }
  return false;
}

//===- Faults -------------------------------------------------------------===//

static void compute(const Faulty *faulty) {
  const Laid *laid = faulty->laid;
  if (faulty->record) {
    const LunaProductOperands operands = product_operands(laid);
    luna_sim_unit_run(NULL, faulty->record, &operands);
    return;
  }
  const LunaCorePlaces places = {.at = {[LUNA_VECTOR_SUMS] = laid->data[2],
                                        [LUNA_VECTOR_LHS] = laid->data[0],
                                        [LUNA_VECTOR_RHS] = laid->data[1],
                                        [LUNA_VECTOR_OUTPUT] = laid->data[3]}};
  luna_core_eltwise_chain(&laid->desc.as.eltwise, &faulty->sum, places);
}

// Computes with one fault. Returns false if there is no such fault.
static bool compute_with(const Faulty *right, LunaChainFault kind,
                         int32_t index, LunaArena *arena) {
  Faulty faulty = *right;
  if (!faulty.record) {
    LunaVectorChain *chain = &faulty.sum.chain;
    if (!luna_chain_fault_put(kind, index, chain->calls, &chain->count))
      return false;
    compute(&faulty);
    return true;
  }
  faulty.record = luna_arena_alloc(arena, 4 * (uint64_t)faulty.record_words, 8);
  memcpy(faulty.record, right->record, 4 * (size_t)faulty.record_words);
  LunaVectorCall *calls =
      (LunaVectorCall *)(uintptr_t)luna_record_calls(faulty.record);
  if (!luna_chain_fault_put(kind, index, calls, &faulty.record->call_count))
    return false;
  compute(&faulty);
  return true;
}

static void try_kind(FaultTally *tally, const Faulty *right,
                     LunaChainFault kind, const uint8_t *expected,
                     LunaArena *arena) {
  const RandomOperator *op = right->laid->op;
  int rows = 0;
  luna_unit_class_operands(op->desc.unit_class, &rows);
  size_t bytes = operand_bytes(op, rows - 1);
  uint8_t *output = right->laid->data[rows - 1];
  for (int32_t i = 0;
       memset(output, GUARD, bytes), compute_with(right, kind, i, arena); ++i) {
    bool is_seen =
        memcmp(operator_output(right->laid, arena), expected, bytes) != 0;
    ++tally->made[kind];
    tally->seen[kind] += is_seen;
    if (kind != LUNA_CHAIN_SIGNS_DROPPED || !op->has_tie)
      continue;
    ++tally->ties;
    if (!is_seen)
      operator_fail(op, "its tie is right without the fix of signs");
  }
}

static void compare_form(FaultTally *tally, const Places *places,
                         const RandomOperator *op, LunaFinish form,
                         const uint8_t *expected, LunaArena *arena) {
  LayoutForm layout = form == LUNA_FINISH_UNIT ? LAYOUT_ROWS : LAYOUT_PLANES;
  Laid laid = operator_lay_out(op, layout, arena);
  Faulty faulty = {.laid = &laid};
  if (!open_chain(&faulty, places, form, arena))
    return;
  for (int kind = 0; kind < LUNA_CHAIN_FAULT_COUNT; ++kind)
    try_kind(tally, &faulty, (LunaChainFault)kind, expected, arena);
}

void faults_compare(FaultTally *tally, const Places *places,
                    const RandomOperator *op, const uint8_t *expected,
                    LunaArena *arena) {
  for (int form = LUNA_FINISH_UNIT; form <= LUNA_FINISH_STRIPS; ++form)
    compare_form(tally, places, op, (LunaFinish)form, expected, arena);
}

void faults_print(const FaultTally *tally) {
  printf("%-18s %8s %8s\n", "fault of a chain", "made", "seen");
  for (int kind = 0; kind < LUNA_CHAIN_FAULT_COUNT; ++kind)
    printf("%-18s %8d %8d\n", luna_chain_fault_name((LunaChainFault)kind),
           tally->made[kind], tally->seen[kind]);
  printf("%d chains without signs at a tie, all seen\n", tally->ties);
}
