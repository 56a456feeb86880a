#ifndef LUNA_DRAFT_H
#define LUNA_DRAFT_H

// A model that is changed: steps as a list, and the uses of each value. Each
// change is recorded as a decision.

#include "luna/root_set.h"
#include "luna/schedule.h"

typedef struct LunaDraft LunaDraft;
typedef struct LunaOp LunaOp;
typedef struct LunaBlock LunaBlock;
typedef struct LunaValue LunaValue;

/// A use of a value: operand `number` of `op`.
typedef struct LunaUse {
  LunaOp *op;
  uint32_t number;
  LunaModelAccess access; ///< but for its slice
  LunaValue *value;
  struct LunaUse *next, *prev; ///< of the same value
} LunaUse;

/// A memref or a token.
struct LunaValue {
  LunaDraft *draft;
  LunaModelId id;
  LunaOp *op;       ///< whose result it is, or NULL
  LunaBlock *block; ///< whose argument it is, or NULL
  uint32_t number;  ///< of the result or argument
  LunaUse *first_use;
  LunaModelSlice slice; ///< its type
  LunaModelValue whole; ///< of an allocation: what it is
};

/// A step, or the end of a block (LUNA_MODEL_PASS), whose operands are what it
/// passes on. The operands of a loop are what it carries at first.
struct LunaOp {
  LunaDraft *draft;
  LunaModelId id;
  LunaModelStepKind kind;
  LunaModelId step; ///< of the model, or LUNA_MODEL_NONE
  uint64_t cycles;  ///< of a loop: turns
  LunaBlock *block;
  LunaOp *next, *prev;
  uint32_t order; ///< in its block, if that is in order
  uint32_t operand_count, result_count, block_count;
  LunaUse **operands;
  LunaValue **results;
  LunaBlock **blocks;
};

/// A body. Its last op is a LUNA_MODEL_PASS.
struct LunaBlock {
  LunaDraft *draft;
  LunaModelId id;
  LunaOp *op; ///< around it; NULL of the function
  LunaOp *first, *last;
  bool is_ordered;
  uint32_t argument_count;
  LunaValue **arguments;
};

struct LunaDraft {
  LunaArena arena; ///< of all of it
  const LunaModel *model;
  const LunaScheduleTarget *target; ///< may be NULL
  LunaBlock *entry;
  LUNA_VECTOR(LunaOp *) ops; ///< by id; NULL where there is none
  LUNA_VECTOR(LunaValue *) values;
  LUNA_VECTOR(LunaValue *) types; ///< one value of each
  LUNA_VECTOR(LunaBlock *) blocks;
  LunaSchedule schedule;
  LunaJoinEffort *effort; ///< may be NULL
  bool counts_staging;    ///< where copies are coalesced; else tensors alone
};

//===----------------------------------------------------------------------===//
// Drafts
//===----------------------------------------------------------------------===//

/// Returns a draft of a model, without changes.
LunaDraft *draft_create(const LunaModel *model,
                        const LunaScheduleTarget *target);
/// Makes a decision. Returns it with the numbers of the step and value that it
/// adds.
LunaDecision draft_decide(LunaDraft *draft, LunaDecision decision);
/// Returns a draft of the same model with the same decisions.
LunaDraft *draft_clone(const LunaDraft *draft);
void draft_destroy(LunaDraft *draft);

/// Calls `visit` for every op but the ends of blocks, in program order, those
/// around others first. The op visited may be erased or moved, and others put
/// before it. Stops and returns false as soon as `visit` does.
bool draft_walk(LunaDraft *draft, bool (*visit)(LunaOp *op, void *data),
                void *data);

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

static inline bool draft_is_branch(const LunaOp *op) {
  return op && op->kind == LUNA_MODEL_BRANCHES;
}
static inline bool draft_is_loop(const LunaOp *op) {
  return op && op->kind == LUNA_MODEL_LOOP;
}
static inline bool draft_is_flow(const LunaOp *op) {
  return draft_is_branch(op) || draft_is_loop(op);
}
/// Returns true for a loop of one body, which leaves what it carries.
static inline bool draft_is_for(const LunaOp *op) {
  return draft_is_loop(op) && op->block_count == 1;
}
static inline bool draft_is_alloc(const LunaOp *op) {
  return op && op->kind == LUNA_MODEL_ALLOCATE;
}
static inline bool draft_is_copy(const LunaOp *op) {
  return op && op->kind == LUNA_MODEL_COPY;
}
/// Returns true for what touches no contents.
static inline bool draft_renames(const LunaOp *op) {
  return op->kind == LUNA_MODEL_ALLOCATE || op->kind == LUNA_MODEL_SCALAR ||
         op->kind == LUNA_MODEL_SELECT || op->kind == LUNA_MODEL_PASS;
}
/// Returns the use that is what `op` writes, or NULL.
static inline LunaUse *draft_output(const LunaOp *op) {
  for (uint32_t i = op->operand_count; i-- > 0;)
    if (op->operands[i]->access.is_destination)
      return op->operands[i];
  return NULL;
}
/// Returns true for a view of all of its operand, in its order.
static inline bool draft_is_recast(const LunaOp *op) {
  return op->result_count > 0 && op->results[0]->slice.dense_type ==
                                     op->operands[0]->value->slice.dense_type;
}
/// Returns the op around `op`, NULL for the function.
static inline LunaOp *draft_parent(const LunaOp *op) { return op->block->op; }
static inline LunaValue *draft_operand(const LunaOp *op, uint32_t i) {
  return op->operands[i]->value;
}
/// Returns the value that `block` passes on as number `i`.
static inline LunaValue *draft_passed(const LunaBlock *block, uint32_t i) {
  return draft_operand(block->last, i);
}
/// Returns the block in which the turns of a loop begin, and that in which they
/// end: the same, or the second.
static inline LunaBlock *draft_header(const LunaOp *loop) {
  return loop->blocks[0];
}
static inline LunaBlock *draft_turn(const LunaOp *loop) {
  return loop->blocks[loop->block_count - 1];
}
static inline bool draft_same_type(const LunaValue *a, const LunaValue *b) {
  return a->slice.type == b->slice.type;
}
/// Returns true if `op` stands before `other`, in the same block.
bool draft_is_before(LunaOp *op, LunaOp *other);
/// Returns `op`, or what is around it, that stands in `block`, or NULL.
LunaOp *draft_ancestor(const LunaOp *op, const LunaBlock *block);
/// Returns the block in which a value is defined; that of the function for one
/// from outside.
LunaBlock *draft_home(const LunaValue *value);

/// Returns the number of edges along which control flow, or a select, merges
/// what a value is; 0 if nothing merges it.
uint32_t draft_edge_count(const LunaValue *value);
/// Returns the use that passes a merged value on along an edge.
LunaUse *draft_edge(const LunaValue *value, uint32_t edge);
/// Returns what a merged value is on an edge.
static inline LunaValue *draft_source(const LunaValue *value, uint32_t edge) {
  return draft_edge(value, edge)->value;
}
/// Returns the op that makes a value, or whose block begins with it, or NULL.
static inline LunaOp *draft_maker(const LunaValue *value) {
  return value->block ? value->block->op : value->op;
}

#define LUNA_DRAFT_NOWHERE UINT32_MAX

/// Returns the first of merged values that is `buffer` on all edges, or
/// LUNA_DRAFT_NOWHERE.
uint32_t draft_find_merged(LunaValue *const *values, uint32_t count,
                           const LunaValue *buffer);

/// As draft_walk, for the ops in the blocks of `op`.
bool draft_walk_in(LunaOp *op, bool (*visit)(LunaOp *op, void *data),
                   void *data);

//===----------------------------------------------------------------------===//
// Parts, of which no decision tells
//===----------------------------------------------------------------------===//

/// Makes an op, for a step of the model or, if that is LUNA_MODEL_NONE,
/// another.
LunaOp *draft_new_op(LunaDraft *draft, LunaModelStepKind kind,
                     LunaModelId step);
void draft_link_before(LunaOp *op, LunaOp *before);
void draft_add_operand(LunaOp *op, LunaValue *value, LunaModelAccess access);
/// Makes a value the last result of `op`, or the last argument of `block`.
void draft_add_value(LunaOp *op, LunaValue *value);
void draft_add_argument(LunaBlock *block, LunaValue *value);

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

LunaValue *draft_allocate(LunaOp *before, LunaValue *like);
/// Allocates a buffer of the shape of `like`, without gaps.
LunaValue *draft_allocate_dense(LunaOp *before, LunaValue *like);
LunaOp *draft_copy(LunaOp *before, LunaValue *from, LunaValue *to);
/// Returns all of `value` with the type of `like`: itself if it has that.
LunaValue *draft_view(LunaOp *before, LunaValue *value, LunaValue *like);
void draft_erase(LunaOp *op);
void draft_move(LunaOp *op, LunaOp *before);
/// Has an allocation be a tensor like any other.
void draft_make_tensor(LunaOp *alloc);
void draft_replace(LunaValue *value, LunaValue *by);
void draft_set_operand(LunaOp *op, uint32_t number, LunaValue *by);
/// Adds a result of the type of `init` to a branch, or a value to what a loop
/// carries, at first `init`. Its blocks are to pass on one more value.
void draft_carry(LunaOp *flow, LunaValue *init);
/// Has a block pass on a value more.
void draft_pass(LunaBlock *block, LunaValue *value);

//===----------------------------------------------------------------------===//
// As a model
//===----------------------------------------------------------------------===//

/// A draft as a model, and where its parts come from.
typedef struct LunaDraftModel {
  LunaModel model;
  LUNA_VECTOR(LunaOp *) ops;    ///< by step; NULL of a body
  LUNA_VECTOR(LunaOp *) allocs; ///< by buffer
} LunaDraftModel;

/// Makes the model that a draft is, in `arena`, as far as its planning problem
/// asks: without edges, and without names of buffers.
void draft_model(LunaDraft *draft, LunaArena *arena, LunaDraftModel *out);

/// The allocations that values may point to.
typedef struct LunaDraftRoots {
  LunaArena *arena;
  LUNA_VECTOR(LunaOp *) allocs; ///< in program order
  uint32_t *number;             ///< of each allocation, by id of its op
  LunaRootSet *sets;            ///< by value
  bool has_changed;
} LunaDraftRoots;

LunaDraftRoots *draft_roots(LunaDraft *draft, LunaArena *arena);
LunaRootSet draft_roots_of(const LunaDraftRoots *roots, const LunaValue *value);

#endif // LUNA_DRAFT_H
