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
/// steps) and says what each step does to which buffer. The planner derives
/// when each buffer is live, gives each an offset in one memory so that no two
/// that are live at the same time overlap, and says how far from the best
/// possible the plan can be at most.
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
/// Mistakes in building (a branch outside alternatives, a size of -1, …) are
/// remembered and reported by the first call that has a LunaError.
typedef struct LunaProblem LunaProblem;

/// Index of a buffer: 0, 1, … in the order of adding.
typedef uint32_t LunaBufferId;

/// Index of a step: 0, 1, … in tree order. The steps of one branch stand next
/// to each other, so that a lifetime is a list of step ranges with gaps.
typedef uint32_t LunaStepId;

/// One buffer to be placed.
typedef struct LunaBuffer {
  /// For messages and reports; NULL gives `buffer<id>`. Copied.
  const char *name;
  /// At least 0; a buffer of 0 bytes gets offset 0 and meets no other.
  int64_t size_bytes;
  /// A power of two; 0 means 1.
  int64_t align_bytes;
  /// Whether the place is given: `fixed_offset_bytes` counts only then.
  bool is_fixed;
  /// Offset the buffer must have, a multiple of its alignment.
  int64_t fixed_offset_bytes;
  /// Tensor, staging or scratch; the three sizes of a plan are told apart by
  /// it.
  LunaBufferKind kind;
} LunaBuffer;

/// The inner nodes of the program tree.
typedef enum LunaNodeKind {
  /// Children run one after another; the root is one, always open.
  LUNA_NODE_SEQUENCE,
  /// Exactly one child runs. Children are branches only.
  LUNA_NODE_ALTERNATIVES,
  /// One branch of alternatives; empty for an `else` that does nothing.
  LUNA_NODE_BRANCH,
  /// Children run zero or more times. Begins with a step of its own, the
  /// header, which also runs before leaving.
  LUNA_NODE_LOOP,
} LunaNodeKind;

/// Makes an empty program. Everything in it lives in `arena`, which must
/// outlive it; nothing else is to be freed.
LunaProblem *luna_problem_create(LunaArena *arena);

/// Adds a buffer (copied) and gives its id.
LunaBufferId luna_problem_add_buffer(LunaProblem *problem,
                                     const LunaBuffer *buffer);

/// Puts two buffers in one place: they get the same offset, the larger size
/// and alignment, and never conflict with each other. Transitive.
void luna_problem_alias(LunaProblem *problem, LunaBufferId a, LunaBufferId b);

/// Opens an inner node; what follows stands in it until luna_problem_end.
///
/// `name` (copied) names it in paths; NULL gives if0, if1, … to alternatives
/// in pre-order, loop0, loop1, … to loops, and then, else, case2, case3, … to
/// the branches of one node. Gives the header step of a loop; for the other
/// kinds the id that the next step will have.
LunaStepId luna_problem_begin(LunaProblem *problem, LunaNodeKind kind,
                              const char *name);

/// Closes the innermost open node.
void luna_problem_end(LunaProblem *problem);

/// Says that the innermost open node, a loop, is left from here and not from
/// its header: what stands before runs once more than what stands after (the
/// `before` region of `scf.while`). At most once per loop.
void luna_problem_loop_exit(LunaProblem *problem);

/// Adds a step at the end of the innermost open node and gives its id; `name`
/// is copied and may be NULL.
LunaStepId luna_problem_step(LunaProblem *problem, const char *name);

/// Says how long a step lasts, 1 where nothing is said (at least 0, all of them
/// together below 2^62). Only strategies that go by the length of a life
/// count it.
void luna_problem_set_duration(LunaProblem *problem, LunaStepId step,
                               int64_t duration);

/// Says that `step` gives `buffer` new contents: earlier ones are dead. A use
/// of the same buffer by the same step is one of the new contents.
void luna_problem_define(LunaProblem *problem, LunaStepId step,
                         LunaBufferId buffer);

/// Says that `step` reads or changes the contents of `buffer`.
void luna_problem_use(LunaProblem *problem, LunaStepId step,
                      LunaBufferId buffer);

/// Says that `buffer` is live at the steps [first, end), in addition to what
/// follows from definitions and uses.
void luna_problem_live(LunaProblem *problem, LunaBufferId buffer,
                       LunaStepId first, LunaStepId end);

/// Says that `buffer` is live at every step of the innermost open node, also
/// those added later.
void luna_problem_live_throughout(LunaProblem *problem, LunaBufferId buffer);

/// Number of buffers, and of steps, added so far.
uint32_t luna_problem_buffer_count(const LunaProblem *problem);
uint32_t luna_problem_step_count(const LunaProblem *problem);

/// The buffer as added (its name never NULL); borrowed.
const LunaBuffer *luna_problem_buffer(const LunaProblem *problem,
                                      LunaBufferId buffer);

/// The name of a step; `step<id>` where none was given. Borrowed.
const char *luna_problem_step_name(const LunaProblem *problem, LunaStepId step);

/// The decisions that lead to a step, `if0=then/if1=else`, in `arena`;
/// `straight` where there are none.
const char *luna_problem_step_path(const LunaProblem *problem, LunaStepId step,
                                   LunaArena *arena);

/// The steps [first, end).
typedef struct LunaSteps {
  LunaStepId first;
  LunaStepId end;
} LunaSteps;

/// When a buffer is live: ascending ranges of steps that do not touch.
typedef struct LunaLifetime {
  const LunaSteps *ranges;
  uint32_t range_count;
} LunaLifetime;

/// Derives the lifetimes of all buffers, in the problem's arena.
///
/// A buffer is live at a step that touches it, and where some definition or
/// use reaches it and some use is reachable from it with no definition in
/// between. What is live around the back edge of a loop is live in the whole
/// loop. `lifetimes[id]` stays valid until the problem is changed.
/// Fails with LUNA_ERROR_INPUT when the program was built wrongly.
bool luna_problem_lifetimes(LunaProblem *problem,
                            const LunaLifetime **lifetimes, LunaError *error);

/// How the branches of alternatives share memory.
typedef enum LunaMerge {
  /// Lifetimes with gaps: only what is live together on some path conflicts;
  /// takes over the plan of another treatment where that is smaller.
  LUNA_MERGE_PATH,
  /// Each branch planned alone, one block of the largest size (Algorithm 2).
  LUNA_MERGE_BLOCK,
  /// Branches one after another, one range per buffer.
  LUNA_MERGE_LINEAR,
  /// Branches share the same steps, as if all of them ran.
  LUNA_MERGE_NONE,
} LunaMerge;

enum { LUNA_MERGE_COUNT = 4 };

/// The name of a treatment: `path`, `block`, `linear`, `none`.
const char *luna_merge_name(LunaMerge merge);

/// Finds a treatment by name; false when there is none.
bool luna_merge_from_name(const char *name, LunaMerge *merge);

/// Number of strategies, and the name and one-line summary of each, in the
/// order in which `best` tries them.
uint32_t luna_strategy_count(void);
const char *luna_strategy_name(uint32_t index);
const char *luna_strategy_summary(uint32_t index);

/// Says whether a strategy of this name exists.
bool luna_strategy_exists(const char *name);

/// What to do; zero-initialised means: the best plan, no limit.
typedef struct LunaPlanOptions {
  /// A name of luna_strategy_name; NULL means `best`.
  const char *strategy;
  LunaMerge merge;
  /// Bytes there are; 0 means no limit. A plan that needs more fails.
  int64_t capacity_bytes;
  /// Search may stop at the first plan within capacity_bytes; otherwise it
  /// goes on to the smallest.
  bool any_that_fits;
  /// Steps that exact search may take in all; 0 means the default.
  uint64_t step_budget;
  /// Also fill `rows` with every strategy under every treatment.
  bool compare;
} LunaPlanOptions;

/// One line of the comparison: what one strategy made under one treatment.
typedef struct LunaPlanRow {
  const char *strategy;
  LunaMerge merge;
  /// Tensors and scratch planned without the staging buffers.
  int64_t tensor_bytes;
  int64_t total_bytes;
} LunaPlanRow;

/// A program point and what is live there: no plan can be smaller.
typedef struct LunaWitness {
  LunaStepId step;
  /// As luna_problem_step_path gives it.
  const char *path;
  /// The bound: live sizes, rounded up where alignment forces it.
  int64_t bytes;
  /// Buffers live at the step, ascending; several in one place count once.
  const LunaBufferId *buffers;
  uint32_t buffer_count;
} LunaWitness;

/// How well the size of a plan is known to be.
typedef enum LunaProof {
  /// Between the lower bound and the plan lies a gap.
  LUNA_PROOF_NONE,
  /// The plan is as large as the lower bound.
  LUNA_PROOF_BOUND,
  /// Search showed that nothing smaller exists.
  LUNA_PROOF_EXHAUSTED,
} LunaProof;

enum { LUNA_PROOF_COUNT = 3 };

/// The name of a proof: `none`, `bound`, `exhausted`.
const char *luna_proof_name(LunaProof proof);

/// The size of a plan and the bound below it.
typedef struct LunaPlanSize {
  int64_t bytes;
  int64_t lower_bound_bytes;
} LunaPlanSize;

/// A plan. All pointers go to the problem's arena.
typedef struct LunaSolution {
  /// Offset of every buffer from the base of the memory.
  const int64_t *offset_bytes;
  uint32_t buffer_count;
  /// The strategy and the treatment that made the plan.
  const char *strategy;
  LunaMerge merge;
  /// All buffers together: what has to fit.
  LunaPlanSize total;
  /// Tensors and scratch planned alone, tensors without scratch, scratch alone,
  /// staging alone: the parts of the total told apart (it may be less than
  /// their sum).
  LunaPlanSize tensor;
  LunaPlanSize activation;
  LunaPlanSize scratch;
  LunaPlanSize staging;
  LunaProof proof;
  /// `proof` is not LUNA_PROOF_NONE.
  bool is_optimal;
  /// The heaviest point.
  LunaWitness witness;
  /// What was tried; one row for the strategy asked for unless `compare` or
  /// `best` tried more.
  const LunaPlanRow *rows;
  uint32_t row_count;
  /// Steps that exact search took.
  uint64_t search_steps;
  /// Groups of buffers never live together that `leapmind-path-cover` made, if
  /// it was tried: as many as are live at once, so that a plan of that many
  /// times the largest size exists.
  uint32_t group_count;
} LunaSolution;

/// Gives every buffer an offset so that no two live at once overlap.
///
/// `options` may be NULL. Same problem and options, same answer, on every
/// machine. Fails with LUNA_ERROR_INPUT for a wrong program (error->item: the
/// buffer), an unknown strategy, or fixed offsets that collide; with
/// LUNA_ERROR_CAPACITY when the plan exceeds capacity_bytes (error->item: the
/// first buffer beyond it), and then `solution` is filled all the same.
bool luna_plan_solve(LunaProblem *problem, const LunaPlanOptions *options,
                     LunaSolution *solution, LunaError *error);

/// What one path through the program needs.
typedef struct LunaPathPeak {
  /// Its decisions in pre-order, `if0=then/if1=else`, or `straight`.
  const char *path;
  /// Highest end of a buffer live on the path.
  int64_t peak_bytes;
  /// Largest sum of sizes live at one step of the path, and that step.
  int64_t live_bytes;
  LunaStepId heaviest_step;
  /// The steps of the path, loops entered once.
  const LunaSteps *ranges;
  uint32_t range_count;
} LunaPathPeak;

/// Paths listed one by one up to this number.
enum { LUNA_PATH_LIMIT = 64 };

/// Lists the paths of the program with the memory that each needs under the
/// offsets given (one per buffer).
///
/// All paths up to LUNA_PATH_LIMIT; where there are more, as few as take every
/// branch at least once. `*paths` goes to the problem's arena. Fails as
/// luna_problem_lifetimes does.
bool luna_plan_paths(LunaProblem *problem, const int64_t *offset_bytes,
                     const LunaPathPeak **paths, uint32_t *path_count,
                     LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PLAN_H
