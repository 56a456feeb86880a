#ifndef VALIDATE_LOOP_H
#define VALIDATE_LOOP_H

// A loop of one of the programs, and the values at its header.

#include "validate_classes.h"
#include "validate_pair.h"

/// A loop-carried value.
typedef struct LunaCarried {
  LunaUnitSemantics initial, back; ///< at the entry, and behind the back edge
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

/// Sets the results of a loop whose back edge changes nothing any more, and the
/// state behind it: that after the last iteration, or at the header if none may
/// have run (`runs_once` is false).
void luna_loop_leave(LunaLoop *loop, bool runs_once, const LunaLoopId *id);

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

#endif // VALIDATE_LOOP_H
