#ifndef LUNA_MODEL_ORDER_H
#define LUNA_MODEL_ORDER_H

// The order of a model's steps that needs less memory.

#include "luna/model.h"
#include "luna/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Another order of the steps of a body, but for its PASS.
typedef struct LunaModelOrder {
  LunaModelId body;
  const LunaModelId *steps;
  uint32_t count;
} LunaModelOrder;

/// The bodies to be ordered anew, inner ones first.
typedef LUNA_VECTOR(LunaModelOrder) LunaModelOrders;

/// Finds for each body of `model` the order of its steps with the smallest peak
/// of buffers that it alone accesses (luna_order_solve, with `step_budget`), in
/// `arena`; leaves out those that stay as they are.
///
/// Two steps keep their order if one needs the other's result, if both access a
/// buffer or an argument and one writes it, if both are BRANCHES or loops, and
/// if one is or has a loop of two bodies: after it, the condition that it left
/// by is known, and validation makes use of that. A buffer is live in the
/// innermost body with all its accesses, from the first step there that
/// accesses it to the last. A body with a transfer, a REGION or a step that is
/// opaque stays as it is.
void luna_model_orders(const LunaModel *model, uint64_t step_budget,
                       LunaArena *arena, LunaModelOrders *orders);

#ifdef __cplusplus
}
#endif

#endif // LUNA_MODEL_ORDER_H
