#ifndef VALIDATE_FLOW_H
#define VALIDATE_FLOW_H

// Control flow of one program: everything but loops is executed here, under the
// conditions of the path.

#include "validate_side.h"

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

#endif // VALIDATE_FLOW_H
