#include "apart.h"

#include "loop_values.h"
#include "luna-c/ops.h"
#include "luna/map.h"
#include "structure.h"

//===----------------------------------------------------------------------===//
// What control flow merges
//===----------------------------------------------------------------------===//

// A value that comes from another one on each of some edges. Those of one op
// and block come along the same edges.
typedef struct Merge {
  MlirOperation op;
  MlirBlock block; // whose argument it is; null for a result
  intptr_t index, edge_count;
} Merge;

static Merge merge_of_argument(MlirValue value) {
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  MlirOperation op = mlirBlockGetParentOperation(block);
  if (!luna_is_loop(op))
    return (Merge){.edge_count = 0};
  LunaLoopValues loop = luna_loop_values(op);
  bool is_header = mlirBlockEqual(block, loop.header);
  return (Merge){.op = op,
                 .block = block,
                 .index = mlirBlockArgumentGetArgNumber(value) -
                          (is_header ? loop.first_argument : 0),
                 .edge_count = is_header ? 2 : 1};
}

static Merge merge_of(MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return merge_of_argument(value);
  Merge merge = {.op = mlirOpResultGetOwner(value),
                 .index = mlirOpResultGetResultNumber(value)};
  if (luna_is_branch(merge.op))
    merge.edge_count = mlirOperationGetNumRegions(merge.op);
  else if (luna_op_is(merge.op, LUNA_OP_SCF_WHILE))
    merge.edge_count = 1;
  else if (luna_op_is(merge.op, LUNA_OP_SCF_FOR) ||
           luna_op_is(merge.op, LUNA_OP_ARITH_SELECT))
    merge.edge_count = 2;
  return merge;
}

static MlirValue source_of(const Merge *merge, intptr_t edge) {
  if (luna_op_is(merge->op, LUNA_OP_ARITH_SELECT))
    return mlirOperationGetOperand(merge->op, 1 + edge);
  if (luna_is_branch(merge->op))
    return mlirOperationGetOperand(
        mlirBlockGetTerminator(luna_body(merge->op, edge)), merge->index);
  LunaLoopValues loop = luna_loop_values(merge->op);
  if (merge->edge_count == 1)
    return luna_loop_left(&loop, merge->index);
  return edge == 0 ? luna_loop_init(&loop, merge->index)
                   : luna_loop_next(&loop, merge->index);
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

typedef struct Search {
  LunaArena arena;
  const LunaRoots *roots;
  LunaMap pairs; // assumed to be apart
} Search;

// Returns the value that `value` is a view of.
static MlirValue base_of(MlirValue value) {
  for (MlirOperation op = luna_defining_op(value);
       !mlirOperationIsNull(op) && luna_only_renames(op) &&
       !luna_op_is(op, LUNA_OP_ARITH_SELECT) &&
       !luna_op_is(op, LUNA_OP_MEMREF_ALLOC);
       op = luna_defining_op(value))
    value = mlirOperationGetOperand(op, 0);
  return value;
}

// Returns true if `value` is defined where `op` is not reached yet.
static bool precedes(MlirValue value, MlirOperation op) {
  MlirOperation definition = luna_defining_op(value);
  MlirBlock block = mlirOperationIsNull(definition)
                        ? mlirBlockArgumentGetOwner(value)
                        : mlirOperationGetBlock(definition);
  MlirOperation at = luna_ancestor_in_block(op, block);
  return !mlirOperationIsNull(at) &&
         (mlirOperationIsNull(definition) ||
          mlirOperationIsBeforeInBlock(definition, at));
}

// Returns true if the pair was not looked at yet.
static bool add_pair(Search *search, MlirValue a, MlirValue b) {
  const void **pair = LUNA_ARENA_ARRAY(&search->arena, const void *, 2);
  pair[0] = a.ptr;
  pair[1] = b.ptr;
  uint64_t known = search->pairs.keys.count;
  return luna_map_add(&search->pairs, &search->arena,
                      luna_map_bytes(pair, 2 * sizeof *pair)) == known;
}

static bool are_apart(Search *search, MlirValue a, MlirValue b);

static bool are_all_apart(Search *search, const Merge *merge, MlirValue other) {
  bool is_apart = true;
  for (intptr_t edge = 0; is_apart && edge < merge->edge_count; ++edge)
    is_apart = are_apart(search, source_of(merge, edge), other);
  return is_apart;
}

// What is defined later is looked at first: what it comes from, and the other
// value, are visible at one point.
static bool are_sources_apart(Search *search, MlirValue a, MlirValue b) {
  Merge first = merge_of(a), second = merge_of(b);
  bool is_one = first.edge_count > 0 &&
                mlirOperationEqual(first.op, second.op) &&
                mlirBlockEqual(first.block, second.block);
  if (!is_one && first.edge_count > 0 && precedes(b, first.op))
    return are_all_apart(search, &first, b);
  if (!is_one && second.edge_count > 0 && precedes(a, second.op))
    return are_all_apart(search, &second, a);
  bool is_apart = is_one;
  for (intptr_t edge = 0; is_apart && edge < first.edge_count; ++edge)
    is_apart =
        are_apart(search, source_of(&first, edge), source_of(&second, edge));
  return is_apart;
}

static bool are_apart(Search *search, MlirValue a, MlirValue b) {
  a = base_of(a);
  b = base_of(b);
  if (luna_same_value(a, b))
    return false;
  return !luna_roots_meet(luna_roots_of(search->roots, a),
                          luna_roots_of(search->roots, b)) ||
         !add_pair(search, a, b) || are_sources_apart(search, a, b);
}

bool luna_are_apart(const LunaRoots *roots, MlirValue a, MlirValue b) {
  Search search = {.roots = roots};
  bool is_apart = are_apart(&search, a, b);
  luna_arena_destroy(&search.arena);
  return is_apart;
}
