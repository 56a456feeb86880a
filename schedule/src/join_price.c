#include "join_price.h"

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

// Up to so many, paths are counted one by one; beyond, as so many parts of all.
enum { PARTS_MAX = 1 << 20 };

// A number of paths, of which 32 bits count: mantissa * 2^exponent.
typedef struct Paths {
  uint64_t mantissa;
  uint32_t exponent;
} Paths;

static Paths normal(Paths paths) {
  for (; paths.mantissa > UINT32_MAX; paths.mantissa >>= 1)
    ++paths.exponent;
  return paths;
}

static Paths product_of(Paths a, Paths b) {
  return normal((Paths){a.mantissa * b.mantissa, a.exponent + b.exponent});
}

static Paths sum_of_paths(Paths a, Paths b) {
  if (a.exponent < b.exponent)
    return sum_of_paths(b, a);
  uint32_t shift = a.exponent - b.exponent;
  uint32_t more = shift < 31 ? shift : 31;
  a.mantissa <<= more;
  a.exponent -= more;
  shift -= more;
  a.mantissa += shift < 32 ? b.mantissa >> shift : 0;
  return normal(a);
}

// Returns the number of paths through a block, as if all branches were decided
// on their own.
static Paths count_paths(const LunaBlock *block) {
  Paths paths = {1, 0};
  for (const LunaOp *op = block->first; op != block->last; op = op->next) {
    Paths here = {!draft_is_branch(op), 0};
    for (uint32_t r = 0; draft_is_flow(op) && r < op->block_count; ++r) {
      Paths inner = count_paths(op->blocks[r]);
      here = draft_is_branch(op) ? sum_of_paths(here, inner)
                                 : product_of(here, inner);
    }
    paths = product_of(paths, here);
  }
  return paths;
}

// Returns what `part` is worth of for `some` of `all` paths.
static uint64_t part_of(uint64_t part, Paths some, Paths all) {
  uint32_t shift =
      some.exponent < all.exponent ? all.exponent - some.exponent : 0;
  return shift < 64 ? (part * some.mantissa / all.mantissa) >> shift : 0;
}

static uint64_t parts_of(Paths paths) {
  bool is_small = paths.exponent == 0 && paths.mantissa < PARTS_MAX;
  return is_small ? paths.mantissa : PARTS_MAX;
}

//===----------------------------------------------------------------------===//
// Cycles
//===----------------------------------------------------------------------===//

// Of a way through the program.
typedef struct Cycles {
  uint64_t slowest;
  uint64_t all; // times the paths, or parts of them, that take them
} Cycles;

static uint64_t sum_of(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t times(uint64_t count, uint64_t cycles) {
  bool fits = cycles == 0 || count <= UINT64_MAX / cycles;
  return fits ? count * cycles : UINT64_MAX;
}

static void add_block(const LunaBlock *block, uint64_t part, Cycles *cycles);

// Adds what the bodies of a loop take, all turns together.
static void add_loop(const LunaOp *op, uint64_t part, Cycles *cycles) {
  Cycles turn = {0};
  for (uint32_t r = 0; r < op->block_count; ++r)
    add_block(op->blocks[r], part, &turn);
  cycles->slowest = sum_of(cycles->slowest, times(op->cycles, turn.slowest));
  cycles->all = sum_of(cycles->all, times(op->cycles, turn.all));
}

// Adds what the slowest region takes, and what each takes for its part of the
// paths; these make up `part` together.
static void add_branch(const LunaOp *op, uint64_t part, Cycles *cycles) {
  Paths paths = {0, 0};
  uint64_t slowest = 0, left = part;
  for (uint32_t r = 0; r < op->block_count; ++r)
    paths = sum_of_paths(paths, count_paths(op->blocks[r]));
  for (uint32_t r = 0; r < op->block_count; ++r) {
    Cycles region = {0};
    uint64_t own = r + 1 < op->block_count
                       ? part_of(part, count_paths(op->blocks[r]), paths)
                       : left;
    own = own < left ? own : left;
    add_block(op->blocks[r], own, &region);
    left -= own;
    slowest = slowest < region.slowest ? region.slowest : slowest;
    cycles->all = sum_of(cycles->all, region.all);
  }
  cycles->slowest = sum_of(cycles->slowest, slowest);
}

static void add_block(const LunaBlock *block, uint64_t part, Cycles *cycles) {
  for (const LunaOp *op = block->first; op != block->last; op = op->next) {
    if (draft_is_branch(op)) {
      add_branch(op, part, cycles);
    } else if (draft_is_loop(op)) {
      add_loop(op, part, cycles);
    } else {
      cycles->slowest = sum_of(cycles->slowest, op->cycles);
      cycles->all = sum_of(cycles->all, times(part, op->cycles));
    }
  }
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

bool draft_problem(const LunaDraftModel *model,
                   const LunaModelProblemOptions *options, LunaArena *arena,
                   LunaModelProblem *view, LunaError *error) {
  if (luna_model_problem(&model->model, options, arena, view, error))
    return true;
  if (error->item < model->allocs.count)
    error->item = model->allocs.items[error->item]->step;
  return false;
}

// Plans in one go.
static bool plan(const LunaDraftModel *model, int64_t align_bytes,
                 bool has_staging, LunaArena *arena, int64_t *bytes,
                 LunaError *error) {
  LunaSolution solution = {0};
  LunaModelProblem view;
  LunaPlanOptions options = {.strategy = "large-first"};
  LunaModelProblemOptions what = {.align_bytes = align_bytes,
                                  .has_staging = has_staging};
  if (!draft_problem(model, &what, arena, &view, error))
    return false;
  bool is_planned = luna_plan_solve(view.problem, &options, &solution, error);
  error->item = is_planned ? error->item : LUNA_ERROR_NO_ITEM;
  *bytes = solution.total.bytes;
  return is_planned;
}

bool draft_price(LunaDraft *draft, LunaJoinPrice *price, LunaError *error) {
  LunaArena arena = {0};
  LunaDraftModel model;
  Cycles cycles = {0};
  int64_t bytes = 0, staged = 0, align = draft->target->align_bytes;
  draft_model(draft, &arena, &model);
  bool is_ok = plan(&model, align, false, &arena, &bytes, error) &&
               plan(&model, align, true, &arena, &staged, error);
  luna_arena_destroy(&arena);
  add_block(draft->entry, parts_of(count_paths(draft->entry)), &cycles);
  int64_t excess = staged - draft->target->capacity_bytes;
  *price = (LunaJoinPrice){.excess_bytes = excess > 0 ? excess : 0,
                           .slowest_cycles = cycles.slowest,
                           .all_cycles = cycles.all,
                           .bytes = bytes};
  if (draft->effort)
    ++draft->effort->plans;
  return is_ok;
}

bool draft_price_is_less(const LunaJoinPrice *a, const LunaJoinPrice *b) {
  if (a->excess_bytes != b->excess_bytes)
    return a->excess_bytes < b->excess_bytes;
  if (a->slowest_cycles != b->slowest_cycles)
    return a->slowest_cycles < b->slowest_cycles;
  if (a->all_cycles != b->all_cycles)
    return a->all_cycles < b->all_cycles;
  return a->bytes < b->bytes;
}
