#ifndef LUNA_C_PROGRAM_RECORD_H
#define LUNA_C_PROGRAM_RECORD_H

#include <stdbool.h>

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns true if a module has a record of its program (luna.program).
bool luna_has_program_record(MlirModule module);

/// Moves the record of the program `from` into the plan `to`, in place of those
/// that it has, for its function `plan`, whose name need not be that of the
/// program's. Returns false and moves nothing unless `from` has one record.
bool luna_move_program_record(MlirModule from, MlirModule to,
                              MlirOperation plan);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_PROGRAM_RECORD_H
