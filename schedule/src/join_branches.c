#include "draft_uses.h"
#include "joins.h"

// A region that computes `from`, and is to write it to `to`.
typedef struct Landing {
  LunaValue *from, *to;
  LunaJoinEdge edge;
} Landing;

//===----------------------------------------------------------------------===//
// Whether a region may write to the outer buffer
//===----------------------------------------------------------------------===//

// How often an op stands among accesses.
static uint64_t count_in(const LunaAccesses *accesses, LunaOp *op) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < accesses->count; ++i)
    count += accesses->items[i] == op;
  return count;
}

// True if `op`, which accesses both buffers, may have them be one. Not if its
// body loads from them.
static bool works_in_place(LunaOp *op, const Landing *landing,
                           const LunaAccesses *from, const LunaAccesses *to) {
  const LunaUse *output = draft_output(op);
  uint64_t reads = 0, replaced = 0;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    const LunaUse *use = op->operands[i];
    reads += use != output && use->value == landing->to;
    replaced += use->value == landing->to && use->access.may_be_replaced;
  }
  return count_in(from, op) == 1 && reads > 0 && count_in(to, op) == reads &&
         output && output->value == landing->from && replaced == reads;
}

// True if all accesses to the outer buffer precede those to the inner.
static bool is_free_in_time(const Landing *landing, LunaArena *arena) {
  LunaAccesses from = draft_accesses_of(landing->from, &landing->edge, arena);
  LunaAccesses to = draft_accesses_of(landing->to, &landing->edge, arena);
  LunaBlock *block = draft_join_block(&landing->edge);
  for (uint64_t i = 0; i < to.count; ++i) {
    LunaOp *old = draft_ancestor(to.items[i], block);
    for (uint64_t j = 0; old && j < from.count; ++j) {
      LunaOp *new = draft_ancestor(from.items[j], block);
      bool is_free = old == new ? old == to.items[i] && new == from.items[j] &&
                                      works_in_place(new, landing, &from, &to)
                                : draft_is_before(old, new);
      if (!is_free)
        return false;
    }
  }
  return true;
}

static bool can_land(const Landing *landing, LunaArena *arena) {
  LunaOp *op = landing->from->op;
  return landing->from == landing->to ||
         (draft_is_alloc(op) && op->block == draft_join_block(&landing->edge) &&
          draft_dies_at_join(landing->from, &landing->edge, arena) &&
          is_free_in_time(landing, arena));
}

//===----------------------------------------------------------------------===//
// One result
//===----------------------------------------------------------------------===//

typedef struct Coalescing {
  LunaArena arena;
  LunaOnlyNames only_names;
} Coalescing;

// Returns true if `buffer` may hold the result, whichever region runs.
static bool may_hold(LunaValue *buffer, LunaOp *branch, uint32_t result,
                     Coalescing *pass) {
  LunaJoinEdge edge = {.branch = branch, .result = result};
  if (!draft_is_only_name(buffer, &pass->only_names, &pass->arena))
    return false;
  for (; edge.region < branch->block_count; ++edge.region) {
    Landing landing = {draft_join_source(&edge), buffer, edge};
    if (!draft_dies_at_join(buffer, &edge, &pass->arena) ||
        !can_land(&landing, &pass->arena))
      return false;
  }
  return true;
}

static void coalesce(LunaValue *buffer, LunaOp *branch, uint32_t result) {
  LunaJoinEdge edge = {.branch = branch, .result = result};
  for (; edge.region < branch->block_count; ++edge.region) {
    LunaValue *source = draft_join_source(&edge);
    if (source == buffer)
      continue;
    draft_replace(source, buffer);
    draft_erase(source->op);
  }
  draft_replace(branch->results[result], buffer);
}

static bool coalesce_results(LunaOp *branch, void *data) {
  uint32_t count = draft_is_branch(branch) ? branch->result_count : 0;
  for (uint32_t i = 0; i < count; ++i) {
    LunaValue *buffer = draft_passed_through(branch, i);
    if (buffer && may_hold(buffer, branch, i, data))
      coalesce(buffer, branch, i);
  }
  return true;
}

void draft_coalesce_branch_buffers(LunaDraft *draft) {
  Coalescing pass = {0};
  draft_walk(draft, coalesce_results, &pass);
  luna_arena_destroy(&pass.arena);
}
