#ifndef LUNA_PLAN_H
#define LUNA_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"
#include "luna/buffer_kind.h"
#include "luna/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A static memory planner for programs with control flow.
///
/// A caller describes a program as a tree (sequences, alternatives, loops,
/// steps) and the buffers that each step defines and uses. The planner derives
/// the lifetime of each buffer, assigns each an offset in one memory so that no
/// two that are live at the same time overlap, and computes a lower bound for
/// the size of any plan.
///
///     LunaArena arena = {0};
///     LunaProblem *problem = luna_problem_create(&arena);
///     LunaBufferId x = luna_problem_add_buffer(
///         problem, &(LunaBuffer){.name = "x", .size_bytes = 64});
///     LunaStepId load = luna_problem_step(problem, "load");
///     luna_problem_define(problem, load, x);
///     luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL); // if0
///     luna_problem_begin(problem, LUNA_NODE_BRANCH, "then");
///     luna_problem_use(problem, luna_problem_step(problem, "conv"), x);
///     luna_problem_end(problem);
///     luna_problem_begin(problem, LUNA_NODE_BRANCH, "else");
///     luna_problem_end(problem); // an else that does nothing
///     luna_problem_end(problem);
///     LunaSolution solution;
///     if (luna_plan_solve(problem, NULL, &solution, &error))
///       use(solution.offset_bytes[x]);
///     luna_arena_destroy(&arena);
///
/// The first error in building (a branch outside alternatives, a size of -1, …)
/// is recorded and reported by the first call that takes a LunaError.
typedef struct LunaProblem LunaProblem;

/// The index of a buffer: 0, 1, … in the order of insertion.
typedef uint32_t LunaBufferId;

/// The index of a step: 0, 1, … in tree order. The steps of one branch are
/// contiguous, so that a lifetime is a list of step ranges with gaps.
typedef uint32_t LunaStepId;

/// A buffer to place.
typedef struct LunaBuffer {
  /// For messages and reports; NULL gives `buffer<id>`. Copied.
  const char *name;
  /// At least 0; a buffer of 0 bytes gets offset 0 and conflicts with none.
  int64_t size_bytes;
  /// A power of two; 0 means 1.
  int64_t align_bytes;
  /// True if the offset is given; otherwise `fixed_offset_bytes` is ignored.
  bool is_fixed;
  /// The given offset, a multiple of the alignment.
  int64_t fixed_offset_bytes;
  /// Tensor, staging or scratch; a plan has a size for each.
  LunaBufferKind kind;
} LunaBuffer;

/// The inner nodes of the program tree.
typedef enum LunaNodeKind {
  /// Children run in sequence. The root is one and always open.
  LUNA_NODE_SEQUENCE,
  /// Exactly one child runs. All children are branches.
  LUNA_NODE_ALTERNATIVES,
  /// One branch of alternatives; empty for an `else` that does nothing.
  LUNA_NODE_BRANCH,
  /// Children run zero or more times. Its first step is the header, which also
  /// runs before the exit.
  LUNA_NODE_LOOP,
} LunaNodeKind;

/// Creates an empty program. All its memory comes from `arena`, which must
/// outlive it. Returns NULL if memory ran out; where it does later, the program
/// is left as it was, and the first call that takes a LunaError fails with
/// LUNA_ERROR_MEMORY.
LunaProblem *luna_problem_create(LunaArena *arena);

/// Adds a buffer (copied) and returns its id.
LunaBufferId luna_problem_add_buffer(LunaProblem *problem,
                                     const LunaBuffer *buffer);

/// Aliases two buffers: they get the same offset, the larger size and
/// alignment, and never conflict with each other. Transitive.
void luna_problem_alias(LunaProblem *problem, LunaBufferId a, LunaBufferId b);

/// Opens an inner node, which receives what follows until luna_problem_end.
///
/// `name` (copied) names it in paths; NULL gives if0, if1, … to alternatives in
/// pre-order, loop0, loop1, … to loops, and then, else, case2, case3, … to the
/// branches of one node. Returns the header step of a loop; for the other
/// kinds, the id of the next step.
LunaStepId luna_problem_begin(LunaProblem *problem, LunaNodeKind kind,
                              const char *name);

/// Declares that the innermost open node, alternatives, go by condition
/// `condition`, a small number. Alternatives of one condition take the branch
/// of the same place, or with `is_negated`, one of two, the other one. Without
/// a declaration they go by their own condition.
void luna_problem_set_condition(LunaProblem *problem, uint32_t condition,
                                bool is_negated);

/// Closes the innermost open node.
void luna_problem_end(LunaProblem *problem);

/// Makes this point the exit of the innermost open node, a loop, instead of its
/// header: what precedes it runs once more than what follows it (the `before`
/// region of `scf.while`). At most once per loop.
void luna_problem_loop_exit(LunaProblem *problem);

/// Appends a step to the innermost open node and returns its id. `name` is
/// copied and may be NULL.
LunaStepId luna_problem_step(LunaProblem *problem, const char *name);

/// Sets the duration of a step, 1 by default (at least 0, in sum below 2^62).
/// Only strategies that order by the length of lifetimes use it.
void luna_problem_set_duration(LunaProblem *problem, LunaStepId step,
                               int64_t duration);

/// What a step does to buffers, and in which order: it discards, then reads
/// what moves away, then defines and moves in, then reads and uses. All that it
/// touches, other than by discarding, lies apart while it runs.

/// Records that `step` discards the contents of `buffer`: they end before it,
/// and none are there until the next touch (an allocation in a loop). The step
/// does not occupy the buffer by that.
void luna_problem_discard(LunaProblem *problem, LunaStepId step,
                          LunaBufferId buffer);

/// Records that `step` defines `buffer`: it overwrites every byte, so that
/// earlier contents are dead.
void luna_problem_define(LunaProblem *problem, LunaStepId step,
                         LunaBufferId buffer);

/// Records that `step` reads the contents of `buffer` (those that it defines,
/// if it does) and leaves them as they are.
void luna_problem_read(LunaProblem *problem, LunaStepId step,
                       LunaBufferId buffer);

/// Records that `step` reads or modifies the contents of `buffer`, the whole or
/// a part: for a step of which no more is known than that it touches it.
void luna_problem_use(LunaProblem *problem, LunaStepId step,
                      LunaBufferId buffer);

/// The index of a move: 0, 1, … in the order of insertion.
typedef uint32_t LunaMoveId;

/// Records that after `step`, `to` holds the contents that `from` had before
/// it: the value of a branch, a carried value at the back edge, a copy of a
/// whole buffer. Both have one size. It reads `from` and overwrites `to`; from
/// a buffer to itself it does nothing. The moves of one step happen at once: of
/// two that exchange buffers, each takes the old contents.
///
/// Two buffers either share a place, and the move does nothing, or lie apart,
/// and it copies. The planner leaves them apart; luna_problem_alias makes them
/// share, which is right if neither is overwritten by other contents while the
/// other is live.
LunaMoveId luna_problem_move(LunaProblem *problem, LunaStepId step,
                             LunaBufferId from, LunaBufferId to);

/// Makes `buffer` live at the steps [first, end), in addition to the lifetime
/// that follows from definitions and uses.
void luna_problem_live(LunaProblem *problem, LunaBufferId buffer,
                       LunaStepId first, LunaStepId end);

/// Returns the number of buffers, and of steps.
uint32_t luna_problem_buffer_count(const LunaProblem *problem);
uint32_t luna_problem_step_count(const LunaProblem *problem);

/// Returns a buffer as added (its name is never NULL); borrowed.
const LunaBuffer *luna_problem_buffer(const LunaProblem *problem,
                                      LunaBufferId buffer);

/// Returns the name of a step, `step<id>` if it was NULL; borrowed.
const char *luna_problem_step_name(const LunaProblem *problem, LunaStepId step);

/// Returns the decisions that lead to a step, `if0=then/if1=else`, or
/// `straight` if there are none, in `arena`.
const char *luna_problem_step_path(const LunaProblem *problem, LunaStepId step,
                                   LunaArena *arena);

/// The steps [first, end).
typedef struct LunaSteps {
  LunaStepId first;
  LunaStepId end;
} LunaSteps;

/// The lifetime of a buffer: ascending, disjoint, non-adjacent ranges of steps.
typedef struct LunaLifetime {
  const LunaSteps *ranges;
  uint32_t range_count;
} LunaLifetime;

/// Derives the lifetimes of all buffers, in the problem's arena.
///
/// A buffer is live on an edge of the program if some touch reaches the edge
/// without a discard in between, and some read is reachable from it without a
/// definition or discard in between. The edges are those that the program can
/// take: a loop goes from its exit to after itself or on, and from its end back
/// to its header, as often as it likes. The lifetime is the steps that touch
/// the buffer and those into or out of which it is live, with gaps, in loops as
/// elsewhere. O(touches * depth), after sorting them. `lifetimes[id]` is valid
/// until the problem changes. Fails with LUNA_ERROR_INPUT if the program is
/// malformed.
bool luna_problem_lifetimes(LunaProblem *problem,
                            const LunaLifetime **lifetimes, LunaError *error);

/// The treatment of branches: how alternatives share memory.
typedef enum LunaMerge {
  /// Lifetimes with gaps: only buffers live together on some path conflict.
  /// Adopts the plan of another treatment if that is smaller.
  LUNA_MERGE_PATH,
  /// Each branch is planned alone; alternatives are one block of the largest
  /// size (Algorithm 2).
  LUNA_MERGE_BLOCK,
  /// Branches in sequence, one range per buffer.
  LUNA_MERGE_LINEAR,
  /// Branches share their steps, as if all of them ran.
  LUNA_MERGE_NONE,
} LunaMerge;

enum { LUNA_MERGE_COUNT = 4 };

/// Returns the name of a treatment: `path`, `block`, `linear` or `none`.
const char *luna_merge_name(LunaMerge merge);

/// Finds a treatment by name. Returns false if there is none.
bool luna_merge_from_name(const char *name, LunaMerge *merge);

/// Returns the number of strategies, and the name and one-line summary of each,
/// in the order in which `best` tries them.
uint32_t luna_strategy_count(void);
const char *luna_strategy_name(uint32_t index);
const char *luna_strategy_summary(uint32_t index);

/// Returns true if a strategy of this name exists.
bool luna_strategy_exists(const char *name);

/// How far planning is.
typedef struct LunaPlanProgress {
  /// The size of the smallest plan so far; 0 before the first.
  int64_t best_bytes;
  /// No plan is known to be smaller.
  int64_t lower_bound_bytes;
  uint64_t search_steps;
} LunaPlanProgress;

/// Planning options. Zero-initialised: the best plan, without a limit.
typedef struct LunaPlanOptions {
  /// sizeof(LunaPlanOptions), so that a library and a caller of different
  /// versions understand each other: members after it count as zero. 0 stands
  /// for the size that the library knows.
  uint64_t struct_size;
  /// A name of luna_strategy_name; NULL means `best`.
  const char *strategy;
  LunaMerge merge;
  /// The capacity of the memory; 0 means no limit. Larger plans fail.
  int64_t capacity_bytes;
  /// True if the search may stop at the first plan within capacity_bytes
  /// instead of the smallest.
  bool any_that_fits;
  /// The step budget of exact search in total; 0 means the default.
  uint64_t step_budget;
  /// The bound of the program that the problem is a part or a choice of, for
  /// lower_bound_bytes. NULL: what the heaviest step of the problem needs; with
  /// moves, whose buffers were not chosen yet, nothing is known.
  const struct LunaProgramBound *bound;
  /// True to fill `rows` with every strategy under every treatment; not done
  /// where the bound exceeds capacity_bytes.
  bool compare;
  /// A plan to start from: an offset for each buffer, negative where none is
  /// known; NULL if there is none. `best` and `optimal` give no larger plan if
  /// it is one. Borrowed.
  const int64_t *hint_offset_bytes;
  /// Called after each strategy and each search with `progress_context`, unless
  /// NULL; returns false to stop planning, with the smallest plan so far.
  bool (*progress)(void *context, const LunaPlanProgress *progress);
  void *progress_context;
  /// Names of tricks to leave out, joined by commas, to measure what each is
  /// worth (planner/src/plan_tricks.def lists them); NULL for none. Borrowed.
  const char *without;
} LunaPlanOptions;

/// A row of the comparison: the plan of one strategy under one treatment.
typedef struct LunaPlanRow {
  const char *strategy;
  LunaMerge merge;
  /// The size of the plan of tensors and scratch without staging buffers.
  int64_t tensor_bytes;
  int64_t total_bytes;
} LunaPlanRow;

/// A program point and the buffers live there: a lower bound for any plan.
typedef struct LunaWitness {
  LunaStepId step;
  /// As luna_problem_step_path returns it.
  const char *path;
  /// The bound: the sum of the sizes of live buffers, rounded up where
  /// alignment requires it.
  int64_t bytes;
  /// Buffers live at the step, ascending; aliases count once.
  const LunaBufferId *buffers;
  uint32_t buffer_count;
} LunaWitness;

/// The bound of a program: what the contents that are alive at its heaviest
/// point need, wherever and in whichever buffers they lie.
typedef struct LunaProgramBound {
  /// All buffers; tensors with scratch; tensors.
  int64_t total_bytes, tensor_bytes, activation_bytes;
  /// The point that needs `total_bytes`; of buffers with the same contents,
  /// one.
  LunaWitness witness;
  /// True if every path was followed. The bound holds without, but paths that
  /// were left out might raise it.
  bool is_complete;
} LunaProgramBound;

/// Computes the bound of a program: no plan is smaller that runs the same steps
/// in the same order and holds all contents from where they are made to where
/// they are last read, even if it moves them at any time.
///
/// Contents are what a step makes by defining or modifying a buffer; what is
/// read before any step made it counts nothing. Moves pass contents on, so that
/// buffers with the same ones count once. They are alive
/// at a point of a path if some way on from there reads them; a step needs
/// those, what it reads and what it makes. Alternatives of one condition go the
/// same way. Takes all paths, with any number of iterations, up to 4,096
/// different sets of contents per point (fewer where they take more memory than
/// some hundred MB). Fails like luna_problem_lifetimes. The witness is in the
/// problem's arena. O(steps * sets * live buffers).
bool luna_problem_bound(LunaProblem *problem, LunaProgramBound *bound,
                        LunaError *error);

/// The proof that a plan is the smallest.
typedef enum LunaProof {
  /// None: the plan is larger than its bounds.
  LUNA_PROOF_NONE,
  /// The plan equals the lower bound.
  LUNA_PROOF_BOUND,
  /// Exhaustive search found no smaller plan.
  LUNA_PROOF_EXHAUSTED,
  /// No placement of these buffers is smaller, but other buffers may be chosen:
  /// the problem has moves, or is a choice of a program with a smaller bound.
  LUNA_PROOF_PLACEMENT,
} LunaProof;

enum { LUNA_PROOF_COUNT = 4 };

/// Returns the name of a proof: `none`, `bound`, `exhausted`, `placement`.
const char *luna_proof_name(LunaProof proof);

/// The size of a plan and its bounds.
typedef struct LunaPlanSize {
  int64_t bytes;
  /// No plan of the program is smaller; 0 if nothing is known.
  int64_t lower_bound_bytes;
  /// No placement of these buffers is smaller, at offsets that do not change:
  /// the heaviest step, a clique, or what search exhausted.
  int64_t placement_bound_bytes;
} LunaPlanSize;

/// What `leapmind-path-cover` guarantees (Maeda 2021). A buffer counts from its
/// first to its last step, without gaps.
typedef struct LunaPathCover {
  /// The fewest groups of buffers of which no two are live together, which is
  /// the most buffers live at once.
  uint32_t group_count;
  /// The fewest sequences of buffers of which each is defined where the one
  /// before it is last used, or later. No more than two of a sequence are live
  /// at once.
  uint32_t path_count;
  /// 2 * path_count times the largest size, in steps of the largest alignment:
  /// a plan of this size exists unless offsets are fixed.
  int64_t bytes;
} LunaPathCover;

/// A plan. All pointers point into the problem's arena.
typedef struct LunaSolution {
  /// The offset of every buffer from the base of the memory.
  const int64_t *offset_bytes;
  uint32_t buffer_count;
  /// The strategy and the treatment of the plan.
  const char *strategy;
  LunaMerge merge;
  /// All buffers: the size that must fit.
  LunaPlanSize total;
  /// Tensors with scratch, tensors without scratch, scratch, and staging, each
  /// planned alone. The total may be less than the sum of its parts.
  LunaPlanSize tensor;
  LunaPlanSize activation;
  LunaPlanSize scratch;
  LunaPlanSize staging;
  LunaProof proof;
  /// True if `proof` is LUNA_PROOF_BOUND or LUNA_PROOF_EXHAUSTED.
  bool is_optimal;
  /// The point with the largest bound.
  LunaWitness witness;
  /// The plans tried: one row for the requested strategy, more with `compare`
  /// or `best`.
  const LunaPlanRow *rows;
  uint32_t row_count;
  /// `rows` has every strategy under every treatment of branches.
  bool is_compared;
  /// The number of steps that exact search took.
  uint64_t search_steps;
  /// True if `progress` stopped planning.
  bool is_stopped;
  /// Of the requested treatment; zeros if `leapmind-path-cover` was not tried.
  LunaPathCover cover;
} LunaSolution;

/// Assigns every buffer an offset so that no two live at once overlap.
///
/// `options` may be NULL. Deterministic: the result depends on the problem and
/// the options only. Fails with LUNA_ERROR_INPUT for a malformed program
/// (error->item: the buffer), an unknown strategy, or fixed offsets that
/// collide; with LUNA_ERROR_CAPACITY if the plan exceeds capacity_bytes
/// (error->item: the first buffer beyond it), in which case `solution` is valid
/// too; with LUNA_ERROR_MEMORY where memory ran out, with nothing left behind
/// outside the problem's arena.
bool luna_plan_solve(LunaProblem *problem, const LunaPlanOptions *options,
                     LunaSolution *solution, LunaError *error);

/// The memory that one path through the program needs.
typedef struct LunaPathPeak {
  /// The decisions in pre-order, `if0=then/if1=else`, or `straight`.
  const char *path;
  /// The highest end of a buffer live on the path.
  int64_t peak_bytes;
  /// The largest sum of sizes live at one step of the path, and that step.
  int64_t live_bytes;
  LunaStepId heaviest_step;
  /// The steps of the path, with each loop entered once.
  const LunaSteps *ranges;
  uint32_t range_count;
} LunaPathPeak;

/// The most paths that are listed individually.
enum { LUNA_PATH_LIMIT = 64 };

/// More paths are not counted.
#define LUNA_PATH_COUNT_MAX UINT64_C(1000000000000000000)

/// Paths of a program.
typedef struct LunaPathList {
  const LunaPathPeak *paths;
  uint32_t count;
  /// The paths that there are, LUNA_PATH_COUNT_MAX for more. An upper bound if
  /// alternatives share conditions and not all paths were listed.
  uint64_t possible_count;
  bool is_possible_bound;
  /// Of the combinations of branches that were looked at, those in which one
  /// condition would have two outcomes; they are not listed.
  uint32_t impossible_count;
} LunaPathList;

/// Lists the paths of the program with the memory that each needs for the given
/// offsets, one per buffer.
///
/// Lists all paths up to LUNA_PATH_LIMIT; beyond it, one of those with the
/// highest peak, and others until each branch is taken by one. The list is in
/// the problem's arena. Fails like luna_problem_lifetimes.
bool luna_plan_paths(LunaProblem *problem, const int64_t *offset_bytes,
                     LunaPathList *list, LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PLAN_H
