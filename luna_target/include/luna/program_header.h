#ifndef LUNA_PROGRAM_HEADER_H
#define LUNA_PROGRAM_HEADER_H

#include "luna/machine.h"
#include "luna/program.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What the name of a model's LunaMachine ends with, in an archive.
#define LUNA_PROGRAM_MACHINE_SUFFIX "_machine"

/// Appends a header for C and C++ to `text`, with which a firmware calls the
/// compiled model (luna/program.h): sizes of memories, inputs and outputs with
/// their quantisation, and the functions. It includes <stdint.h> alone.
void luna_program_header(const LunaProgramInfo *program,
                         const LunaMachine *machine, LunaText *text);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PROGRAM_HEADER_H
