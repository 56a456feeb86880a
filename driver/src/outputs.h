#ifndef LUNA_OUTPUTS_H
#define LUNA_OUTPUTS_H

#include "luna/program.h"
#include "luna/simulator.h"
#include "session.h"

/// Writes the outputs of all cases to the folder of --output, one .npy file for
/// each, `<tensor>.npy` or `<tensor>.<case>.npy`; does nothing without
/// --output. `kept` has their bytes, by case and output. Returns an exit code.
int luna_outputs_write(LunacSession *session, const LunaProgramTensor *outputs,
                       uint32_t count, uint8_t *const *kept, int64_t cases);

/// Writes the time line of the last run to the file of --trace, if given.
/// Returns an exit code.
int luna_trace_write(LunacSession *session, const LunaSimulator *simulator);

#endif // LUNA_OUTPUTS_H
