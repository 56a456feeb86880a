#ifndef LUNA_STRUCTURE_H
#define LUNA_STRUCTURE_H

// The structure of a program: control flow and the straight-line code between
// it.

#include <stdbool.h>

#include "luna-c/ops.h"

/// Returns true if `op` is control flow of the program: scf.if,
/// scf.index_switch, scf.for or scf.while.
bool luna_is_control_flow(MlirOperation op);
/// Returns true if `op` is scf.if or scf.index_switch.
bool luna_is_branch(MlirOperation op);
/// Returns true if `op` is scf.for or scf.while.
bool luna_is_loop(MlirOperation op);
/// Returns the innermost loop around `op`, or a null op.
MlirOperation luna_loop_around(MlirOperation op);

/// Returns the trip count of a loop: from the constant bounds of an scf.for,
/// else `unknown`.
int64_t luna_trip_count(MlirOperation loop, int64_t unknown);

/// Returns how often `op` runs in a run of its function that takes it: the
/// product of the trip counts of the loops around it, 1 where data decides.
int64_t luna_run_count(MlirOperation op);

/// Writes the name of branch `region` of a branching op: then, else, or
/// case<value> and default of a switch. `room` holds at most 32 bytes.
void luna_branch_name(MlirOperation op, intptr_t region, char room[32]);

/// Returns true if an op is in the body of an operator of linalg: control flow
/// there is part of what it computes.
bool luna_is_in_body(MlirOperation op);

/// Names every control-flow op under `root` that has no name yet: if0, if1, …
/// and loop0, loop1, … in program order, parents first. Each of its regions
/// gets a label, at its head.
void luna_name_control_flow(MlirOperation root);

/// Returns true if `op` is in a region of `outer`, at any depth, or is it.
bool luna_is_within(MlirOperation op, MlirOperation outer);

/// Returns the ancestor of `op` (or `op` itself) that is directly in `block`,
/// or a null op.
MlirOperation luna_ancestor_in_block(MlirOperation op, MlirBlock block);

/// Returns the switch between the versions of a model (luna.cases), labelled
/// `shape`, in the entry block of its function; its region 0 is the default,
/// the last case. A null op for a model without versions.
MlirOperation luna_version_switch(MlirOperation func);

/// Returns the function of a module that is the model: the only one with a
/// body. Emits an error and returns a null op if there is none or several.
MlirOperation luna_model_function(MlirOperation module);

/// Returns the attribute `name` of argument `number` of a function, or null.
MlirAttribute luna_func_argument_attr(MlirOperation func, intptr_t number,
                                      const char *name);

/// Returns the entry block of a function.
MlirBlock luna_entry_block(MlirOperation func);

#endif // LUNA_STRUCTURE_H
