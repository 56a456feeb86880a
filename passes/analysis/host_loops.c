#include "host_loops.h"

#include "host_block.h"
#include "luna-c/ir.h"
#include "luna-c/linalg_operands.h"
#include "luna/checked.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"

_Static_assert((int)LUNA_HOST_LOOPS_MAX >= (int)(4 * LUNA_RANK_MAX),
               "more loops than operands of the greatest rank could index");

int64_t luna_host_times(int64_t a, int64_t b) {
  return luna_checked_mul(a, b, &a) ? a : INT64_MAX;
}

int64_t luna_host_plus(int64_t a, int64_t b) {
  return luna_checked_add(a, b, &a) ? a : INT64_MAX;
}

//===- Loops --------------------------------------------------------------===//

// Operators of linalg have maps.
static bool has_maps(MlirOperation op) {
  return !mlirAffineMapIsNull(luna_linalg_map(op, 0));
}

static LunaHostLoops loops_of(const int64_t *extents, intptr_t count) {
  LunaHostLoops loops = {0};
  for (intptr_t i = 0; i < count; ++i) {
    if (extents[i] == 1)
      continue;
    loops.extents[loops.count++] = extents[i];
    loops.of_dim[i] = loops.count;
  }
  return loops;
}

// Each extent is that of an operand dimension that the loop indexes alone; 1
// for others.
static LunaHostLoops linalg_loops(MlirOperation op, intptr_t block_dim,
                                  int64_t block_turns) {
  int64_t extents[LUNA_HOST_LOOPS_MAX];
  for (int i = 0; i < LUNA_HOST_LOOPS_MAX; ++i)
    extents[i] = 1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirAffineMap map = luna_linalg_map(op, i);
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
      MlirAffineExpr expr = mlirAffineMapGetResult(map, r);
      intptr_t loop = mlirAffineExprIsADim(expr)
                          ? mlirAffineDimExprGetPosition(expr)
                          : LUNA_HOST_LOOPS_MAX;
      if (loop < LUNA_HOST_LOOPS_MAX)
        extents[loop] =
            loop == block_dim ? block_turns : mlirShapedTypeGetDimSize(type, r);
    }
  }
  return loops_of(extents, LUNA_HOST_LOOPS_MAX);
}

static LunaHostLoops memref_loops(MlirType type) {
  int64_t extents[LUNA_RANK_MAX];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank && i < LUNA_RANK_MAX; ++i)
    extents[i] = mlirShapedTypeGetDimSize(type, i);
  return loops_of(extents, rank < LUNA_RANK_MAX ? rank : LUNA_RANK_MAX);
}

bool luna_is_access(MlirOperation op) {
  return LUNA_OP_IS_ANY(op, LUNA_OP_MEMREF_LOAD, LUNA_OP_MEMREF_STORE);
}

LunaHostLoops luna_host_loops(MlirOperation op, intptr_t block_dim,
                              int64_t block_turns) {
  if (has_maps(op))
    return linalg_loops(op, block_dim, block_turns);
  LunaHostLoops most = {0};
  if (luna_is_access(op))
    return most;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (!luna_is_memref(type))
      continue;
    LunaHostLoops loops = memref_loops(type);
    if (luna_host_loops_turns(&loops, loops.count) >
        luna_host_loops_turns(&most, most.count))
      most = loops;
  }
  return most;
}

int64_t luna_host_loops_turns(const LunaHostLoops *loops, int number) {
  int64_t turns = 1;
  for (int i = 0; i < number; ++i)
    turns = luna_host_times(turns, loops->extents[i]);
  return turns;
}

//===- Operands -----------------------------------------------------------===//

bool luna_host_moves(MlirOperation op, intptr_t index, intptr_t dim) {
  return !has_maps(op) || luna_map_moves(luna_linalg_map(op, index), dim);
}

uint64_t luna_host_loops_moving(const LunaHostLoops *loops, MlirOperation op,
                                intptr_t index) {
  if (!has_maps(op))
    return loops->count == 0 ? 0 : UINT64_MAX >> (64 - loops->count);
  MlirAffineMap map = luna_linalg_map(op, index);
  uint64_t moving = 0;
  for (intptr_t dim = 0; dim < mlirAffineMapGetNumDims(map); ++dim)
    if (dim < LUNA_HOST_LOOPS_MAX && loops->of_dim[dim] > 0 &&
        luna_map_moves(map, dim))
      moving |= UINT64_C(1) << (loops->of_dim[dim] - 1);
  return moving;
}

//===- Unrolling ----------------------------------------------------------===//

// LLVM unrolls a loop of a known number of turns, from the innermost outwards,
// where all of them have fewer instructions than this (LoopUnrollPass.cpp,
// unroll-threshold at O2); what counts turns, compares and branches stays. It
// looks at loops of few turns more closely: what becomes a constant is not
// counted, and up to four times as many are allowed by what that saves.
enum {
  UNROLLED_MAX = 150,
  LOOP_INSTRUCTIONS = 3,
  KEPT_INSTRUCTIONS = 2,
  ANALYZED_TURNS = 10,
  BOOST_MAX = 4,
};

void luna_host_unrolling_add(LunaHostUnrolling *unrolling, LunaArena *arena,
                             LunaHostCode code) {
  *LUNA_VECTOR_ADD(arena, unrolling) = code;
}

uint64_t luna_host_loops_within(uint64_t loops, int number) {
  return number == 0 ? 0 : loops & UINT64_MAX >> (64 - number);
}

static bool is_folded(const LunaHostCode *code, int rolled) {
  return code->is_counted &&
         luna_host_loops_within(code->counters, rolled) == 0;
}

// Returns the instructions of a turn of loop `number`, where those in it are
// unrolled, without what is constant where it is one of `rolled` that are left.
static int64_t turn_instructions(const LunaHostLoops *loops,
                                 const LunaHostUnrolling *unrolling, int number,
                                 int rolled) {
  int64_t instructions = 0;
  for (size_t i = 0; i < unrolling->count; ++i) {
    const LunaHostCode *code = &unrolling->items[i];
    int64_t own = code->instructions;
    if (code->depth < number || is_folded(code, rolled))
      continue;
    for (int inner = number + 1; inner <= code->depth; ++inner)
      own = luna_host_times(own, loops->extents[inner - 1]);
    instructions = luna_host_plus(instructions, own);
  }
  return instructions;
}

static bool is_unrolled(const LunaHostLoops *loops,
                        const LunaHostUnrolling *unrolling, int number) {
  int64_t turns = loops->extents[number - 1];
  int64_t turn = turn_instructions(loops, unrolling, number, number);
  int64_t all =
      luna_host_times(turn + LOOP_INSTRUCTIONS - KEPT_INSTRUCTIONS, turns);
  if (all < UNROLLED_MAX - KEPT_INSTRUCTIONS)
    return true;
  if (turns > ANALYZED_TURNS || turn > UNROLLED_MAX * BOOST_MAX)
    return false;
  int64_t left = turn_instructions(loops, unrolling, number, number - 1);
  int64_t most = UNROLLED_MAX * (turn + LOOP_INSTRUCTIONS);
  return left * turns < UNROLLED_MAX * BOOST_MAX && left * left * turns < most;
}

int luna_host_loops_rolled(const LunaHostLoops *loops,
                           const LunaHostUnrolling *unrolling) {
  int number = loops->count;
  while (number > 0 && is_unrolled(loops, unrolling, number))
    --number;
  return number;
}
