#include "join_chains.h"
#include "join_group.h"

//===----------------------------------------------------------------------===//
// Finding it
//===----------------------------------------------------------------------===//

// Returns the last copy to the buffer among the ops of the body, or NULL.
static LunaOp *find_copy(const LunaTurn *turn) {
  LunaOp *copy = NULL;
  for (LunaUse *use = turn->buffer->first_use; use; use = use->next) {
    LunaOp *op = use->op;
    if (draft_is_copy(op) && use->number == 1 &&
        op->block == draft_turn(turn->loop) &&
        (!copy || draft_is_before(copy, op)))
      copy = op;
  }
  return copy;
}

// Returns true if `op` runs behind the loop only.
static bool is_behind(const LunaTurn *turn, LunaOp *op) {
  LunaOp *at = draft_ancestor(op, turn->loop->block);
  return at && draft_home(turn->buffer) == turn->loop->block &&
         draft_is_before(turn->loop, at);
}

// Returns true if the buffer has no other name in the loop, and is not accessed
// behind the copy in the turn.
static bool is_only_name(const LunaTurn *turn) {
  LunaBlock *body = draft_turn(turn->loop);
  bool is_only = true;
  for (LunaUse *use = turn->buffer->first_use; is_only && use;
       use = use->next) {
    LunaOp *op = use->op, *at = draft_ancestor(op, body);
    if (op == turn->loop || op == body->last ||
        op == draft_header(turn->loop)->last ||
        (draft_merges_names(op) && draft_is_unused_name(use)))
      continue;
    is_only = at ? at == turn->copy || draft_is_before(at, turn->copy)
                 : (!draft_merges_names(op) && !draft_makes_view(op)) ||
                       is_behind(turn, op);
  }
  return is_only;
}

static bool find_value(LunaTurn *turn, uint32_t index) {
  LunaOp *loop = turn->loop;
  turn->index = index;
  turn->buffer = draft_operand(loop, index);
  if (!draft_is_swappable(turn->buffer) ||
      draft_passed(draft_turn(loop), index) != turn->buffer ||
      draft_header(loop)->arguments[index]->first_use)
    return false;
  turn->copy = find_copy(turn);
  turn->left =
      draft_is_for(loop)
          ? index
          : draft_find_merged(loop->results, loop->result_count, turn->buffer);
  return turn->copy && turn->left != LUNA_DRAFT_NOWHERE && is_only_name(turn);
}

// Returns the number of branches that may pass the value through.
static uint32_t count_branches(const LunaBlock *body) {
  uint32_t count = 0;
  for (const LunaOp *op = body->first; op; op = op->next)
    count += draft_is_branch(op) && op->result_count > 0;
  return count;
}

typedef struct Search {
  uint32_t wanted; // turns before the one wanted
  LunaTurn *turn;
} Search;

// Stops at the one that is wanted.
static bool visit_loop(LunaOp *op, void *data) {
  Search *search = data;
  if (!draft_is_loop(op) || count_branches(draft_turn(op)) == 0)
    return true;
  search->turn->loop = op;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (find_value(search->turn, i) && search->wanted-- == 0)
      return false;
  return true;
}

bool draft_find_turn(LunaDraft *draft, uint32_t index, LunaTurn *turn) {
  Search search = {index, turn};
  return !draft_walk(draft, visit_loop, &search);
}

bool draft_find_turn_behind(LunaValue *buffer, LunaOp *op, LunaTurn *turn) {
  const LunaUse *carried = buffer->first_use;
  while (carried &&
         (!draft_is_loop(carried->op) || carried->op->block != op->block))
    carried = carried->next;
  if (!carried || count_branches(draft_turn(carried->op)) == 0 ||
      draft_home(buffer) != op->block)
    return false;
  turn->loop = carried->op;
  bool is_found = find_value(turn, carried->number);
  for (LunaUse *use = buffer->first_use; is_found && use; use = use->next) {
    LunaOp *at = draft_ancestor(use->op, op->block);
    is_found = at == op || !draft_is_before(at, turn->loop);
  }
  return is_found;
}

//===----------------------------------------------------------------------===//
// Landing
//===----------------------------------------------------------------------===//

// Has the ops of the turn, but for its end, use `inner` for the buffer.
static void substitute(const LunaTurn *turn, LunaValue *buffer,
                       LunaValue *inner) {
  LunaBlock *body = draft_turn(turn->loop);
  for (LunaUse *use = buffer->first_use, *next; use; use = next) {
    next = use->next;
    bool is_end =
        use->op == body->last || (use->op == turn->copy && use->number == 1);
    if (!is_end && draft_ancestor(use->op, body))
      draft_set_operand(use->op, use->number, inner);
  }
  if (!draft_is_for(turn->loop))
    draft_replace(body->arguments[turn->left], inner);
  draft_replace(turn->loop->results[turn->left], buffer);
}

// Returns true if all accesses to `inner` are before the copy that ends the
// turn, or in it.
static bool ends_with(LunaValue *inner, LunaOp *copy, LunaArena *arena) {
  LunaAccesses accesses = draft_accesses_of(inner, NULL, arena);
  bool ends = accesses.is_complete;
  for (uint64_t i = 0; ends && i < accesses.count; ++i) {
    LunaOp *at = draft_ancestor(accesses.items[i], copy->block);
    ends = at == copy || draft_is_before(at, copy);
  }
  return ends;
}

// Ends a turn that has landed in `inner`.
static bool end_turn(LunaChain *chain, const LunaTurn *turn, LunaValue *inner) {
  if (!ends_with(inner, turn->copy, &chain->arena)) {
    draft_copy(inner->op->next, chain->place, inner);
    return false;
  }
  draft_replace(inner, chain->place);
  draft_erase(inner->op);
  bool is_over = draft_operand(turn->copy, 0) == chain->place;
  bool is_member = !is_over && draft_may_exchange(turn->copy);
  if (is_over)
    draft_erase(turn->copy);
  if (is_member)
    *LUNA_VECTOR_ADD(&chain->arena, &chain->copies) = turn->copy;
  return is_over || is_member;
}

// While it lands, the place has a name of the turn alone.
bool draft_land_turn(LunaChain *chain, const LunaTurn *turn) {
  LunaBlock *body = draft_turn(turn->loop);
  LunaValue *place = chain->place;
  LunaValue *inner = draft_allocate(body->first, place);
  substitute(turn, place, inner);
  chain->place = inner;
  draft_chain_follow(chain, body);
  chain->place = place;
  return end_turn(chain, turn, inner);
}

bool draft_may_swap_turn(const LunaTurn *turn) {
  return count_branches(draft_turn(turn->loop)) <= LUNA_SWAP_BRANCHES_MAX;
}

bool draft_land_turns(LunaDraft *draft, LunaChainReach reach) {
  bool has_changed = false;
  LunaTurn turn, next;
  for (uint32_t index = 0; draft_find_turn(draft, index, &turn);) {
    LunaChain chain = {.reach = reach,
                       .operators_max = UINT32_MAX,
                       .rewrites = true,
                       .start = turn.loop,
                       .place = turn.buffer};
    draft_land_turn(&chain, &turn);
    has_changed |= chain.copies.count > 0 && chain.copies.items[0] != turn.copy;
    index += draft_find_turn(draft, index, &next) && next.buffer == turn.buffer;
    luna_arena_destroy(&chain.arena);
  }
  return has_changed;
}
