#ifndef LUNA_MUTATIONS_BEFORE_H
#define LUNA_MUTATIONS_BEFORE_H

// Faults put into the output of a pass that runs before luna-record-program: a
// plan with one is right by its record, so that only what compares with the
// model can find it.
//
// A fault is named PASS|KIND|PLACE. PLACE is an operator, by its name, the name
// of its location and its number among those like it: the same operator in the
// program and in a reference that runs the same pass.

#include <stdbool.h>

#include "luna-c/pass.h"
#include "luna/text.h"
#include "mlir-c/IR.h"

/// Registers all passes and pipelines, such that each pass then does what is
/// asked for: with `listed`, which stays, appends a line for each fault that
/// its output can have, once; else puts `fault`, if it is in its output, there
/// once in each module. Either may be NULL.
void luna_register_faulty_passes(LunaText *listed, const char *fault);

/// luna-mutate --before-record MODEL.mlir…: prints each fault that can be put
/// into a model, one a line, for LUNA_FAULT of build/lib/LunaFaults.so. Returns
/// an exit code.
int luna_list_faults_before_record(int count, char **paths);

#endif // LUNA_MUTATIONS_BEFORE_H
