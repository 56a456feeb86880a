// luna-order: orders the operators of each block so that less is live at once.
//
// In: a function with memories assigned, operators tiled and weights packed,
// before its bound is computed. Out: the same operators, in another order
// within their blocks where luna_order_solve finds one with a smaller peak and
// the bound of the function (luna_program_bound) shrinks, for tensors or in
// all; else unchanged. What depends on each other, by values, by buffers or by
// arguments, keeps its order, and so does control flow; a block with an op
// whose effects are not known is left alone. Options: machine; steps, the
// operators that the search of one block may look at. Example:
// lit_tests/passes/luna-order/doc.mlir

#include "luna-c/pass.h"
#include "luna/order.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "operator_graph.h"
#include "program_bound.h"
#include "structure.h"

enum { OPT_MACHINE, OPT_STEPS, OPT_COUNT };

// The ops of a block as they stood.
typedef struct Block {
  MlirBlock block;
  const MlirOperation *ops;
  uint64_t count;
} Block;

typedef struct Orderer {
  LunaHomes homes;
  LunaArena arena;
  uint64_t step_budget;
  // What to take back if it does not pay.
  LUNA_VECTOR(Block) changed;
} Orderer;

//===----------------------------------------------------------------------===//
// Moving
//===----------------------------------------------------------------------===//

// A new order under construction: ops that stand already.
typedef struct Placing {
  const LunaOperatorGraph *graph;
  MlirBlock block;
  MlirOperation end;
  bool *is_placed;
} Placing;

static void place(Placing *placing, MlirOperation op);

static bool place_needed(MlirOperation op, void *data) {
  Placing *placing = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirOperation definition = luna_defining_op(mlirOperationGetOperand(op, i));
    uint32_t index =
        luna_operator_graph_find(placing->graph, definition, placing->block);
    if (index != LUNA_MAP_ABSENT && !placing->is_placed[index])
      place(placing, placing->graph->ops.items[index]);
  }
  return true;
}

// Moves an op of the block to the end of those placed, with what it needs
// before it.
static void place(Placing *placing, MlirOperation op) {
  uint32_t index = luna_operator_graph_find(placing->graph, op, placing->block);
  placing->is_placed[index] = true;
  // These stay at the head of the block.
  if (luna_op_is(op, LUNA_OP_ARITH_CONSTANT) ||
      luna_op_is(op, LUNA_OP_LUNA_LABEL))
    return;
  place_needed(op, placing);
  luna_walk(op, place_needed, placing);
  mlirOperationMoveBefore(op, placing->end);
}

// Names and numbers come where they are first needed, unused ones last.
static void move_ops(Orderer *orderer, MlirBlock block,
                     const LunaOperatorGraph *graph,
                     const uint32_t *operators) {
  Placing placing = {
      .graph = graph,
      .block = block,
      .end = mlirBlockGetTerminator(block),
      .is_placed = LUNA_ARENA_ARRAY(&orderer->arena, bool, graph->ops.count)};
  for (uint64_t i = 0; i < graph->ops.count; ++i) {
    MlirOperation op = graph->ops.items[operators[i]];
    if (!luna_is_floating(op) && !placing.is_placed[operators[i]])
      place(&placing, op);
  }
  for (uint64_t i = 0; i < graph->ops.count; ++i)
    if (!placing.is_placed[i])
      place(&placing, graph->ops.items[i]);
  *LUNA_VECTOR_ADD(&orderer->arena, &orderer->changed) =
      (Block){block, graph->ops.items, graph->ops.count};
}

static void take_back(const Orderer *orderer) {
  for (uint64_t i = 0; i < orderer->changed.count; ++i) {
    const Block *block = &orderer->changed.items[i];
    MlirOperation end = mlirBlockGetTerminator(block->block);
    for (uint64_t k = 0; k < block->count; ++k)
      mlirOperationMoveBefore(block->ops[k], end);
  }
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static int64_t order_block(Orderer *orderer, MlirBlock block);

// Orders the regions of an op; returns the most that one of them holds.
static int64_t order_regions(MlirOperation op, void *data) {
  int64_t most = 0;
  for (intptr_t r = 0;
       luna_is_control_flow(op) && r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = luna_body(op, r);
    int64_t peak = mlirBlockIsNull(block) ? 0 : order_block(data, block);
    most = peak > most ? peak : most;
  }
  return most;
}

// Returns the bytes of buffers that only the block knows, at its peak.
static int64_t order_block(Orderer *orderer, MlirBlock block) {
  LunaOperatorGraph graph;
  LunaOrderSolution solution;
  LunaOrderOptions options = {.step_budget = orderer->step_budget};
  bool is_free = luna_operator_graph_make(&orderer->homes, block, order_regions,
                                          orderer, &orderer->arena, &graph);
  if (!luna_order_solve(graph.graph, &options, &solution, NULL))
    return 0;
  if (!is_free || solution.peak_bytes == solution.given_bytes)
    return solution.given_bytes;
  move_ops(orderer, block, &graph, solution.operators);
  return solution.peak_bytes;
}

// Returns true if the new order needs less, for tensors or in all, and no more
// in the other.
static bool pays(const LunaBoundRecord *before, const LunaBoundRecord *after) {
  return after->total_bytes <= before->total_bytes &&
         after->tensor_bytes <= before->tensor_bytes &&
         (after->total_bytes < before->total_bytes ||
          after->tensor_bytes < before->tensor_bytes);
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  Orderer orderer = {.step_budget = (uint64_t)options[OPT_STEPS].integer};
  const LunaMachine *machine = luna_machine_of_option(&options[OPT_MACHINE]);
  LunaBoundRecord before, after;
  MlirBlock entry = luna_entry_block(func);
  bool is_ok = true;
  if (mlirBlockIsNull(entry))
    return mlirLogicalResultSuccess();
  orderer.homes = luna_homes_find(func, &orderer.arena);
  order_block(&orderer, entry);
  if (orderer.changed.count > 0) {
    is_ok = luna_program_bound(func, machine, &orderer.arena, &after);
    take_back(&orderer);
    is_ok = is_ok && luna_program_bound(func, machine, &orderer.arena, &before);
    if (is_ok && pays(&before, &after))
      order_block(&orderer, entry);
  }
  luna_arena_destroy(&orderer.arena);
  return is_ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

static const LunaOptionDesc options[OPT_COUNT] = {
    [OPT_MACHINE] = LUNA_MACHINE_OPTION,
    [OPT_STEPS] = {.name = "steps",
                   .help = "operators that the search of one block may look at",
                   .kind = LUNA_OPTION_INT64,
                   .int_default = 10000000},
};
static const char *const dialects[] = {"luna", NULL};

const LunaPassDesc luna_pass_order = {
    .argument = "luna-order",
    .summary = "Order operators so that less is live at once",
    .anchor = "func.func",
    .options = options,
    .option_count = OPT_COUNT,
    .dependent_dialects = dialects,
    .run = run,
};
