#include "join_turns.h"

#include "draft_uses.h"
#include "join_group.h"

// A value that a loop carries in one buffer, and the copy to it at the end of
// each turn.
typedef struct Site {
  uint32_t wanted; // sites before the one wanted
  LunaOp *loop;
  uint32_t index, left; // among those carried; those left
  LunaValue *buffer;
  LunaOp *copy;
} Site;

//===----------------------------------------------------------------------===//
// Finding it
//===----------------------------------------------------------------------===//

static bool is_inside(LunaOp *op, LunaOp *loop) {
  return draft_ancestor(op, loop->block) == loop;
}

// Returns the last copy to the buffer among the ops of the body, or a null op.
static LunaOp *find_copy(const Site *site) {
  LunaOp *copy = NULL;
  for (LunaUse *use = site->buffer->first_use; use; use = use->next) {
    LunaOp *op = use->op;
    if (op->kind == LUNA_MODEL_COPY && use->number == 1 &&
        op->block == draft_turn(site->loop) &&
        (!copy || draft_is_before(copy, op)))
      copy = op;
  }
  return copy;
}

// Returns true if the buffer has no other name outside the loop, and is not
// accessed behind the copy in the turn.
static bool is_only_name(const Site *site) {
  bool is_only = true;
  for (LunaUse *use = site->buffer->first_use; is_only && use;
       use = use->next) {
    LunaOp *op = use->op;
    if (op == site->loop || op == draft_turn(site->loop)->last ||
        op == draft_header(site->loop)->last)
      continue;
    LunaOp *at = draft_ancestor(op, draft_turn(site->loop));
    is_only = !at ? !draft_merges_names(op) && !draft_makes_view(op)
                  : at == site->copy || draft_is_before(at, site->copy);
  }
  return is_only;
}

static bool find_value(Site *site, uint32_t index) {
  LunaOp *loop = site->loop;
  site->index = index;
  site->buffer = draft_operand(loop, index);
  if (!draft_is_swappable(site->buffer) ||
      draft_passed(draft_turn(loop), index) != site->buffer ||
      site->buffer->op->block != loop->block ||
      draft_header(loop)->arguments[index]->first_use)
    return false;
  site->copy = find_copy(site);
  site->left =
      draft_is_for(loop)
          ? index
          : draft_find_merged(loop->results, loop->result_count, site->buffer);
  return site->copy && site->left != LUNA_DRAFT_NOWHERE && is_only_name(site);
}

// Returns true if the body has a branch that may pass the value through, and
// not too many of them.
static bool has_branches(LunaBlock *body) {
  uint32_t count = 0;
  for (LunaOp *op = body->first; op; op = op->next)
    count += draft_is_branch(op) && op->result_count > 0;
  return count > 0 && count <= LUNA_SWAP_BRANCHES_MAX;
}

// Stops at the site that is wanted.
static bool find_site(LunaOp *op, void *data) {
  Site *site = data;
  if (!draft_is_loop(op))
    return true;
  site->loop = op;
  if (!has_branches(draft_turn(site->loop)))
    return true;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (find_value(site, i) && site->wanted-- == 0)
      return false;
  return true;
}

bool draft_has_swap_loop(LunaDraft *draft, uint32_t index) {
  Site site = {.wanted = index};
  return !draft_walk(draft, find_site, &site);
}

//===----------------------------------------------------------------------===//
// Rewriting it
//===----------------------------------------------------------------------===//

// Has what an scf.while tests use `test`, what the turn does `inner`, and what
// follows the loop `outer`, but for the copy and the loop itself.
static void substitute(const Site *site, LunaValue *test, LunaValue *inner,
                       LunaValue *outer) {
  for (LunaUse *use = site->buffer->first_use, *next; use; use = next) {
    LunaOp *op = use->op;
    uint32_t number = use->number;
    next = use->next;
    LunaOp *at = draft_ancestor(op, site->loop->block);
    if (op == site->copy || op == draft_turn(site->loop)->last ||
        op == site->loop)
      continue;
    if (draft_ancestor(op, draft_turn(site->loop)))
      draft_set_operand(op, number, inner);
    else if (is_inside(op, site->loop))
      draft_set_operand(op, number, test);
    else if (draft_is_before(site->loop, at))
      draft_set_operand(op, number, outer);
  }
}

// Returns true if all accesses are in the turn and before `op`, or in it.
static bool end_before(const LunaAccesses *accesses, LunaOp *op,
                       bool may_be_in_it) {
  bool end = accesses->is_complete;
  for (uint64_t i = 0; end && i < accesses->count; ++i) {
    LunaOp *at = draft_ancestor(accesses->items[i], op->block);
    end = at && (at == op ? may_be_in_it : draft_is_before(at, op));
  }
  return end;
}

// Returns the op of the body around the first access, or a null op.
static LunaOp *first_access(const LunaAccesses *accesses, LunaBlock *body) {
  LunaOp *first = NULL;
  for (uint64_t i = 0; i < accesses->count; ++i) {
    LunaOp *at = draft_ancestor(accesses->items[i], body);
    if (!first || draft_is_before(at, first))
      first = at;
  }
  return first;
}

// What is copied is an allocation of the turn, which the free buffer replaces:
// the value is dead then, whatever names it had.
static bool take_free(const Site *site, LunaSwapPair *pair, LunaArena *arena) {
  LunaValue *source = draft_operand(site->copy, 0);
  LunaBlock *body = draft_turn(site->loop);
  if (!draft_is_swappable(source) || !draft_same_type(source, pair->free) ||
      source->op->block != body)
    return false;
  LunaAccesses accesses = draft_accesses_of(source, NULL, arena);
  LunaAccesses value = draft_accesses_of(pair->value, NULL, arena);
  LunaAccesses free = draft_accesses_of(pair->free, NULL, arena);
  LunaOp *first = first_access(&accesses, body);
  if (!end_before(&accesses, site->copy, true) ||
      !end_before(&value, site->copy, false) ||
      !end_before(&free, first, false))
    return false;
  draft_replace(source, pair->free);
  draft_erase(source->op);
  *pair = (LunaSwapPair){.value = pair->free, .free = pair->value};
  return true;
}

// Has the loop carry `pair`, at first; it is what the loop leaves then.
static bool rewrite(Site *site, LunaSwapPair *pair, LunaArena *arena) {
  LunaOp *loop = site->loop;
  LunaBlock *body = draft_turn(loop);
  draft_set_operand(loop, site->index, pair->value);
  LunaSwapPair test = {.value = draft_header(loop)->arguments[site->index],
                       .free = draft_carry(loop, pair->free)};
  LunaSwapPair turn = test;
  *pair = (LunaSwapPair){.value = loop->results[site->left],
                         .free = loop->results[loop->result_count - 1]};
  if (!draft_is_for(loop)) {
    turn = (LunaSwapPair){.value = body->arguments[site->left],
                          .free = body->arguments[body->argument_count - 1]};
    draft_pass(draft_header(loop), test.free);
  }
  substitute(site, test.value, turn.value, pair->value);
  if (!draft_swap_follow(&turn, body))
    return false;
  if (draft_operand(site->copy, 0) != turn.value &&
      !take_free(site, &turn, arena))
    return false;
  draft_erase(site->copy);
  draft_set_operand(body->last, site->index, turn.value);
  draft_pass(body, turn.free);
  return true;
}

bool draft_swap_loop(LunaDraft *draft, uint32_t index, LunaSwapPair *pair,
                     LunaBlock **block) {
  Site site = {.wanted = index};
  LunaArena arena = {0};
  if (draft_walk(draft, find_site, &site))
    return false;
  *block = site.loop->block;
  *pair = (LunaSwapPair){.value = site.buffer,
                         .free = draft_allocate(site.loop, site.buffer)};
  bool is_rewritten = rewrite(&site, pair, &arena);
  luna_arena_destroy(&arena);
  return is_rewritten;
}

//===----------------------------------------------------------------------===//
// As part of a chain
//===----------------------------------------------------------------------===//

// Returns the loop in the block of `op` that carries `buffer`, or a null op.
static LunaOp *carrier_of(LunaValue *buffer, LunaOp *op, uint32_t *operand) {
  for (LunaUse *use = buffer->first_use; use; use = use->next) {
    LunaOp *loop = use->op;
    *operand = use->number;
    if (draft_is_loop(loop) && loop->block == op->block)
      return loop;
  }
  return NULL;
}

// Finds the loop that carries `buffer`, which only `op` accesses before it.
static bool find_behind(LunaValue *buffer, LunaOp *op, Site *site) {
  uint32_t operand = 0;
  LunaOp *loop = carrier_of(buffer, op, &operand);
  if (!loop)
    return false;
  site->loop = loop;
  if (!has_branches(draft_turn(site->loop)))
    return false;
  bool is_found = find_value(site, operand);
  for (LunaUse *use = buffer->first_use; is_found && use; use = use->next) {
    LunaOp *at = draft_ancestor(use->op, op->block);
    is_found = at == op || !draft_is_before(at, loop);
  }
  return is_found;
}

// Has `op` write the free buffer, unless it copies the value.
static void take_over(LunaOp *op, LunaSwapPair *pair) {
  if (op->kind == LUNA_MODEL_COPY && draft_operand(op, 0) == pair->value) {
    draft_erase(op);
    return;
  }
  draft_set_operand(op, draft_output(op)->number, pair->free);
  *pair = (LunaSwapPair){.value = pair->free, .free = pair->value};
}

LunaSwapLoopOutcome draft_swap_through_loop(LunaOp *op, LunaSwapPair *pair) {
  Site site = {.wanted = 0};
  LunaArena arena = {0};
  const LunaUse *use = draft_output(op);
  LunaValue *buffer = use ? use->value : NULL;
  if (!buffer || !draft_same_type(buffer, pair->value) ||
      !find_behind(buffer, op, &site))
    return LUNA_SWAP_LOOP_NONE;
  take_over(op, pair);
  bool is_rewritten = rewrite(&site, pair, &arena);
  luna_arena_destroy(&arena);
  if (!is_rewritten)
    return LUNA_SWAP_LOOP_FAILED;
  draft_erase(buffer->op);
  return LUNA_SWAP_LOOP_DONE;
}
