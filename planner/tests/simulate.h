#ifndef LUNA_SIMULATE_H
#define LUNA_SIMULATE_H

#include "random_program.h"

/// Runs a program along one random path with its buffers at `offset_bytes`,
/// byte by byte: each definition writes contents of its own, each use checks
/// that what it reads is what was written last (and may change it), each move
/// copies unless both ends lie at one offset. Returns true if every byte read
/// is right. Programs of at most 16 buffers and 256 bytes.
bool simulate(const LunaProblem *problem, const int64_t *offset_bytes,
              Random *random);

#endif // LUNA_SIMULATE_H
