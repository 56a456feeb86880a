#ifndef LUNA_PROGRAM_MEMORY_H
#define LUNA_PROGRAM_MEMORY_H

#include "luna/program.h"
#include "luna/simulator.h"

/// The memories that a program runs in, zeroed, aligned to 64 bytes.
typedef struct LunacMemory {
  void *arena, *psram, *state;
  void **inputs, **outputs;
} LunacMemory;

/// Allocates everything that `program` states. The pointers come from `arena`.
void luna_memory_create(const LunaProgramInfo *program, LunaArena *arena,
                        LunacMemory *memory);

/// Gives the pointers for luna_simulator_bind.
LunaProgramPointers luna_memory_pointers(const LunacMemory *memory);

/// Gives the arguments of the entry function, `*count` of them.
void **luna_memory_arguments(const LunaProgramInfo *program,
                             const LunacMemory *memory, LunaArena *arena,
                             size_t *count);

#endif // LUNA_PROGRAM_MEMORY_H
