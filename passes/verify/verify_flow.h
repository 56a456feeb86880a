#ifndef VERIFY_FLOW_H
#define VERIFY_FLOW_H

// Control flow of one program: everything but loops is executed here, under the
// conditions of the path.

#include "verify_machine.h"

/// The execution of a function's body, or of one turn of a loop.
typedef struct LunaFlow {
  LunaSide *side;
  MlirOperation op; ///< the function or the loop
  MlirOperation next;
  struct LunaFrame *frames; ///< what `next` is in; the innermost first
  /// Of a while behind its test: the condition to go on, the path to the test
  /// and the state there.
  LunaTerm goes_on, test_path;
  LunaState exit;
} LunaFlow;

/// Returns true, and the trip count, if the bounds of an scf.for are constants
/// that it compares as signed, and its step is at least 1.
bool luna_flow_trips(MlirOperation loop, uint64_t *trips);
/// Begins the body of a function or a turn of a loop, whose arguments are set.
LunaFlow luna_flow_begin(LunaSide *side, MlirOperation op);
/// Executes operators up to the next loop, or to the end. Branches and loops of
/// known outcome are executed in line, the other branches arm by arm. Returns
/// false after an error: an operator of unknown semantics.
bool luna_flow_run(LunaFlow *flow);
/// Returns true at the end; else `next` is a loop, after luna_flow_run.
bool luna_flow_ends(const LunaFlow *flow);
/// Goes on in another arm of a branch, one that may be executed where `path`
/// holds, if the current one may not. Returns false if there is none.
bool luna_flow_switch(LunaFlow *flow, LunaTerm path);
/// Goes on behind a loop.
void luna_flow_skip(LunaFlow *flow);

// Both programs are executed in lockstep, loop by loop.

/// The two programs.
typedef struct LunaPair {
  LunaArena *arena;
  LunaTerms *terms;
  const LunaVerifyLimits *limits;
  bool is_self; ///< the program is the plan
  LunaSide program, plan;
  LunaReadLog reads;
  LunaFault fault;
  uint32_t level; ///< of the loop that is run
} LunaPair;

/// Returns true if callers see the same functions: all of the program's are
/// planned, types of arguments and results are equal but for layouts and
/// memories, and so are their attributes. Else a fault names what differs
/// (verify_interface.c).
bool luna_verify_interface(LunaPair *pair);

/// Executes both functions, or a turn of both loops. Returns false after an
/// error: an operator of unknown semantics, or loops that do not correspond.
bool luna_pair_run(LunaPair *pair, LunaFlow *program, LunaFlow *plan);

/// Executes a loop of each (verify_loops.c).
bool luna_pair_loops(LunaPair *pair, MlirOperation program, MlirOperation plan);

// A loop of one of the programs, and the values at its header.

enum { LUNA_CHOICES_MAX = 4 }; ///< each may double the values of a byte

/// Conditions from outside a loop that choose what its back edge carries, the
/// newest first.
typedef struct LunaChoices {
  LunaTerm items[LUNA_CHOICES_MAX];
  int count;
} LunaChoices;

/// A loop-carried value.
typedef struct LunaCarried {
  LunaMeaning initial, back; ///< at the entry, and behind the back edge
  /// A memref whose pointer varies from iteration to iteration is modelled by
  /// its contents, in a memory of its own; the others keep their pointers.
  bool is_by_value;
  const LunaPointer *own;
  LunaTerm head;
} LunaCarried;

/// A loop of one of the programs.
typedef struct LunaLoop {
  LunaSide *side;
  MlirOperation op;
  bool is_for;
  MlirBlock
      first; ///< of a turn: the body, or what a while runs before its test
  intptr_t first_argument;
  LunaCarried *carried;
  intptr_t count;
  LunaTerm path, end; ///< under which the loop is reached, and a turn ends
  LunaFlow turn;
  LunaState entry, head, back;
  LUNA_VECTOR(uint32_t) inner; ///< memories of the program's allocations in it
  uint64_t first_access;       ///< of a buffer in this turn, in `accessed`
  uint64_t version;            ///< of the carried names when the turn began
  bool has_new_flights;        ///< the back edge brought transfers
  /// The classes are not where another run can begin: split by conditions that
  /// may be others then, or found under what is not assumed any more.
  bool is_void;
} LunaLoop;

/// Returns value `i` of those carried as the header has it.
static inline MlirValue luna_loop_header_argument(const LunaLoop *loop,
                                                  intptr_t i) {
  return mlirBlockGetArgument(loop->first, loop->first_argument + i);
}

/// Keeps what a loop ended with, for when a turn of a loop around it reaches it
/// again.
void luna_loop_keep(const LunaLoop *loop);
/// Makes void what the loops in `loop` ended with: the turn was run for memrefs
/// that were assumed not to vary.
void luna_loop_void_inner(const LunaLoop *loop);
/// Returns what the loop ended with the last time, or NULL.
const LunaLoop *luna_loop_last_run(const LunaLoop *loop);
/// Begins with the classes of the last run, which this one would find anew: the
/// loops around it have at least as many. So a nest is executed once for each
/// split in it, and not once for each combination of them.
void luna_loop_resume(LunaLoop *loop, const LunaLoop *last,
                      const LunaLoopId *id);

typedef enum LunaRefinement {
  LUNA_REFINEMENT_DONE,       ///< the back edges allow the present values
  LUNA_REFINEMENT_SPLITS,     ///< the headers have others
  LUNA_REFINEMENT_STARTS_OVER ///< from the entry, by more choices
} LunaRefinement;

/// Refines the values at the headers of both loops to those that the back edges
/// allow.
LunaRefinement luna_loop_refine(LunaPair *pair, LunaLoop *program,
                                LunaLoop *plan, const LunaLoopId *id,
                                LunaChoices *choices);

#endif // VERIFY_FLOW_H
