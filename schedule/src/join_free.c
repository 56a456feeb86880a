#include "draft_uses.h"
#include "join_group.h"
#include "joins.h"

typedef struct Search {
  LunaArena arena;
  const LunaDraftRoots *roots;
  LunaDraft *draft;
  uint32_t wanted; // pairs before the one wanted
  LunaValue *buffer, *free;
  LunaOp *maker; // of `free`
  bool is_free;
} Search;

//===----------------------------------------------------------------------===//
// Whether the allocation is one of what follows
//===----------------------------------------------------------------------===//

// Returns true if `at`, which is or contains `op`, is a loop around it.
static bool is_in_loop(LunaOp *op, LunaOp *at) {
  bool is_in = false;
  while (!is_in && op != at) {
    op = draft_parent(op);
    is_in = draft_is_loop(op);
  }
  return is_in;
}

// Returns true if all uses of the allocation, which begins there, are behind
// the maker in its block, and not in loops, where luna-verify-plan would have
// to know which buffer is written in each turn.
static bool is_behind(const Search *search) {
  LunaBlock *block = search->maker->block;
  bool is_behind = draft_ancestor(search->buffer->op, block);
  for (LunaUse *use = search->buffer->first_use; is_behind && use;
       use = use->next) {
    LunaOp *at = draft_ancestor(use->op, block);
    is_behind =
        at && draft_is_before(search->maker, at) && !is_in_loop(use->op, at);
  }
  return is_behind;
}

// Returns true if the block of the maker passes the allocation on.
static bool is_passed_on(const Search *search) {
  LunaOp *end = search->maker->block->last;
  LunaRootSet own = draft_roots_of(search->roots, search->buffer);
  bool is_passed = false;
  for (uint32_t i = 0; !is_passed && i < end->operand_count; ++i)
    is_passed = luna_roots_meet(
        own, draft_roots_of(search->roots, draft_operand(end, i)));
  return is_passed;
}

//===----------------------------------------------------------------------===//
// Whether the buffer is free
//===----------------------------------------------------------------------===//

static bool look_at_op(LunaOp *op, void *data) {
  Search *search = data;
  uint32_t count =
      draft_is_flow(op) || draft_renames(op) ? 0 : op->operand_count;
  for (uint32_t i = 0; search->is_free && i < count; ++i)
    search->is_free =
        draft_are_apart(search->roots, draft_operand(op, i), search->free);
  return search->is_free;
}

// Looks at what follows `op` in its block.
static bool is_free_behind(Search *search, LunaOp *op) {
  search->is_free = true;
  for (op = op->next; search->is_free && op; op = op->next) {
    look_at_op(op, search);
    draft_walk_in(op, look_at_op, search);
  }
  return search->is_free;
}

// Returns true if each turn of the loop begins with new buffers in place of
// those that `free` may be.
static bool begins_anew(const Search *search, LunaOp *loop) {
  LunaRootSet set = draft_roots_of(search->roots, search->free);
  bool begins = true;
  for (uint32_t i = 0; begins && i < set.count; ++i) {
    LunaOp *alloc = search->roots->allocs.items[set.ids[i]];
    begins = draft_ancestor(alloc, loop->blocks[0]);
  }
  LunaBlock *header = loop->blocks[0];
  for (uint32_t i = 0; begins && i < header->argument_count; ++i)
    begins = !luna_roots_meet(
        set, draft_roots_of(search->roots, header->arguments[i]));
  return begins;
}

static bool is_free(Search *search) {
  LunaOp *op = search->maker;
  bool is_free = is_free_behind(search, op);
  for (op = draft_parent(op); is_free && draft_is_branch(op);
       op = draft_parent(op))
    is_free = is_free_behind(search, op);
  return is_free && (!draft_is_loop(op) || begins_anew(search, op));
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

static bool can_take(Search *search) {
  return draft_same_type(search->buffer, search->free) && is_behind(search) &&
         !is_passed_on(search) &&
         !luna_roots_meet(draft_roots_of(search->roots, search->buffer),
                          draft_roots_of(search->roots, search->free)) &&
         is_free(search);
}

// Stops at the pair that is wanted.
static bool visit_maker(LunaOp *op, void *data) {
  Search *search = data;
  search->maker = op;
  uint32_t count = draft_is_flow(op) ? op->result_count : 0;
  for (uint32_t i = 0; i < count; ++i) {
    search->free = op->results[i];
    if (!search->free->first_use && can_take(search) && search->wanted-- == 0)
      return false;
  }
  return true;
}

static bool find_pair(Search *search) {
  for (uint64_t root = 0; root < search->roots->allocs.count; ++root) {
    search->buffer = search->roots->allocs.items[root]->results[0];
    if (draft_is_swappable(search->buffer) &&
        search->buffer->whole.role == LUNA_MODEL_TENSOR &&
        !draft_walk(search->draft, visit_maker, search))
      return true;
  }
  return false;
}

static bool is_no_maker(LunaOp *op, void *data) {
  (void)data;
  bool is_maker = false;
  uint32_t count = draft_is_flow(op) ? op->result_count : 0;
  for (uint32_t i = 0; !is_maker && i < count; ++i)
    is_maker = !op->results[i]->first_use;
  return !is_maker;
}

bool draft_take_free_buffer(LunaDraft *draft, uint32_t index) {
  if (draft_walk(draft, is_no_maker, NULL))
    return false;
  Search search = {.draft = draft, .wanted = index};
  search.roots = draft_roots(draft, &search.arena);
  bool is_found = find_pair(&search);
  luna_arena_destroy(&search.arena);
  if (is_found) {
    draft_replace(search.buffer, search.free);
    draft_erase(search.buffer->op);
  }
  return is_found;
}
