// luna-order: orders the operators of each block so that less is live at once,
// and bounds the memory that any plan of this order takes.
//
// In: a function with memories assigned and weights packed, before operators
// are tiled, and control flow, transfers and places chosen. Out: the same
// operators, in another order within their blocks where luna_order_solve finds
// one with a smaller peak and the bound of the function shrinks, for tensors or
// in all; and `luna.bound`: what the contents that are live at the heaviest
// point of all paths need (luna_program_bound), which luna-plan-memory compares
// its plan with. What depends on each other, by values, by buffers or by
// arguments, keeps its order, and so does control flow; a block with an op
// whose effects are not known is left alone. Refuses: unstructured control
// flow. Options: machine; steps, the operators that the search of one block may
// look at (0: all keep their order). Example:
// lit_tests/passes/luna-order/doc.mlir

#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna-c/plan_attr.h"
#include "luna/model_order.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "program_bound.h"
#include "program_model.h"

enum { OPT_MACHINE, OPT_STEPS, OPT_COUNT };

//===----------------------------------------------------------------------===//
// Moving
//===----------------------------------------------------------------------===//

// A new order under construction.
typedef struct Placing {
  const LunaProgramModel *program;
  LunaModelId body;
  MlirOperation end; // before which steps are placed
  bool *is_placed;   // by step
} Placing;

static bool is_scalar(const LunaModelStep *step) {
  return step->kind == LUNA_MODEL_SCALAR || step->kind == LUNA_MODEL_ALLOCATE;
}

// Returns the step of the body that `id` is or lies in, or LUNA_MODEL_NONE.
static LunaModelId child_of(const Placing *placing, LunaModelId id) {
  const LunaModel *model = &placing->program->model;
  if (id == placing->body || !luna_model_is_within(model, id, placing->body))
    return LUNA_MODEL_NONE;
  while (model->steps.items[id].parent != placing->body)
    id = model->steps.items[id].parent;
  return id;
}

// Moves a step of the body to the end of those placed, with what it needs
// before it. Constants stay at the head of the block.
static void place(const Placing *placing, LunaModelId step) {
  const LunaModel *model = &placing->program->model;
  MlirOperation op = placing->program->ops.items[step];
  placing->is_placed[step] = true;
  if (luna_op_is(op, LUNA_OP_ARITH_CONSTANT))
    return;
  for (LunaModelId id = step; id < model->steps.items[step].end; ++id) {
    const LunaModelStep *user = &model->steps.items[id];
    for (uint32_t i = 0; i < user->need_count; ++i) {
      LunaModelId needed =
          child_of(placing, model->needs.items[user->first_need + i]);
      if (needed != LUNA_MODEL_NONE && !placing->is_placed[needed])
        place(placing, needed);
    }
  }
  mlirOperationMoveBefore(op, placing->end);
}

// Names and numbers come where they are first needed, unused ones last.
static void move_ops(const LunaProgramModel *program,
                     const LunaModelOrder *order, bool *is_placed) {
  const LunaModelStep *steps = program->model.steps.items;
  MlirOperation first = program->ops.items[order->steps[0]];
  Placing placing = {.program = program,
                     .body = order->body,
                     .end =
                         mlirBlockGetTerminator(mlirOperationGetBlock(first)),
                     .is_placed = is_placed};
  for (uint32_t i = 0; i < order->count; ++i)
    if (!is_scalar(&steps[order->steps[i]]) && !is_placed[order->steps[i]])
      place(&placing, order->steps[i]);
  for (LunaModelId id = order->body + 1; id < steps[order->body].end;
       id = steps[id].end)
    if (steps[id].kind != LUNA_MODEL_PASS && !is_placed[id])
      place(&placing, id);
}

static void move_all(const LunaProgramModel *program,
                     const LunaModelOrders *orders) {
  LunaArena arena = {0};
  bool *is_placed = LUNA_ARENA_ARRAY(&arena, bool, program->model.steps.count);
  for (uint64_t i = 0; i < orders->count; ++i)
    move_ops(program, &orders->items[i], is_placed);
  luna_arena_destroy(&arena);
}

static void take_back(const LunaProgramModel *program,
                      const LunaModelOrders *orders) {
  const LunaModelStep *steps = program->model.steps.items;
  for (uint64_t i = 0; i < orders->count; ++i) {
    const LunaModelOrder *order = &orders->items[i];
    MlirOperation first = program->ops.items[order->steps[0]];
    MlirOperation end = mlirBlockGetTerminator(mlirOperationGetBlock(first));
    for (LunaModelId id = order->body + 1; id < steps[order->body].end;
         id = steps[id].end)
      if (steps[id].kind != LUNA_MODEL_PASS)
        mlirOperationMoveBefore(program->ops.items[id], end);
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

// Returns true if the new order needs less, for tensors or in all, and no more
// in the other.
static bool pays(const LunaBoundRecord *before, const LunaBoundRecord *after) {
  return after->total_bytes <= before->total_bytes &&
         after->tensor_bytes <= before->tensor_bytes &&
         (after->total_bytes < before->total_bytes ||
          after->tensor_bytes < before->tensor_bytes);
}

// Keeps the orders if the bound says that they pay.
static bool choose_orders(MlirOperation func, const LunaMachine *machine,
                          const LunaProgramModel *program,
                          const LunaModelOrders *orders, LunaArena *arena,
                          LunaBoundRecord *bound) {
  LunaBoundRecord ordered;
  move_all(program, orders);
  bool is_ok = luna_program_bound(func, machine, arena, &ordered);
  take_back(program, orders);
  is_ok = is_ok && luna_program_bound(func, machine, arena, bound);
  if (is_ok && pays(bound, &ordered)) {
    move_all(program, orders);
    *bound = ordered;
  }
  return is_ok;
}

static bool order(MlirOperation func, const LunaMachine *machine,
                  uint64_t steps, LunaArena *arena, LunaBoundRecord *bound) {
  LunaProgramModel program = {.model = {.buffer_count = 0}};
  LunaModelOrders orders = {0};
  if (steps > 0) {
    if (!luna_program_model_build(func, machine, arena, &program))
      return false;
    luna_model_orders(&program.model, steps, arena, &orders);
  }
  return orders.count > 0
             ? choose_orders(func, machine, &program, &orders, arena, bound)
             : luna_program_bound(func, machine, arena, bound);
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  LunaArena arena = {0};
  LunaBoundRecord bound;
  bool is_ok = order(func, luna_machine_of_option(&options[OPT_MACHINE]),
                     (uint64_t)options[OPT_STEPS].integer, &arena, &bound);
  if (is_ok)
    luna_bound_write(func, &bound, &arena);
  luna_arena_destroy(&arena);
  return is_ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

static const LunaOptionDesc options[OPT_COUNT] = {
    [OPT_MACHINE] = LUNA_MACHINE_OPTION,
    [OPT_STEPS] = {.name = "steps",
                   .help =
                       "operators that the search of one block may look at; 0 "
                       "keeps their order",
                   .kind = LUNA_OPTION_INT64,
                   .int_default = 10000000},
};
static const char *const dialects[] = {"luna", NULL};

const LunaPassDesc luna_pass_order = {
    .argument = "luna-order",
    .summary = "Order operators so that less is live at once, and bound the "
               "memory that they take",
    .anchor = "func.func",
    .options = options,
    .option_count = OPT_COUNT,
    .dependent_dialects = dialects,
    .run = run,
};
