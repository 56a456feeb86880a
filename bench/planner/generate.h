#ifndef LUNA_BENCH_GENERATE_H
#define LUNA_BENCH_GENERATE_H

#include "luna/plan_orient.h"

/// Seeded generators of planning problems; the same on every machine.

/// Training of a deep chain with skips, after the shape of SOMAS's resnet50.
///
/// Of four buffers per layer, one is its activation: live from the layer's
/// forward step to its backward step (or, one in eight, to the backward step
/// of a layer up to eight earlier: a skip). The others are the gradient, live
/// from the backward step before to its own, and the workspaces of both steps.
/// Sizes are multiples of 512 bytes, log-uniform from 512 to 2 MiB;
/// workspaces are eight times smaller.
LunaProblem *generate_chain(LunaArena *arena, uint32_t buffer_count,
                            uint64_t seed);

/// Short lives one after another, about `live_count` at a time: many buffers
/// with few conflicts.
LunaProblem *generate_stream(LunaArena *arena, uint32_t buffer_count,
                             uint32_t live_count, uint64_t seed);

/// About `buffer_count` buffers in one part, for which there is a plan at the
/// bound: four bands of rectangles of 24 steps, each band shifted against the
/// one below, and each rectangle cut at random, across time or across memory,
/// until it takes at most 6 steps or about 800 bytes.
LunaProblem *generate_bands(LunaArena *arena, uint32_t buffer_count,
                            uint64_t seed);

/// A program with nested branches and loops up to `depth` (at least 1).
///
/// Each step makes one value. A third of the steps stands outside, the others
/// in alternatives of two branches (one in five of them a loop instead), which
/// share what they get in parts from 1:4 to 1:1; within these, half of the
/// steps goes another level down. Sizes are multiples of 64 bytes, log-uniform
/// over three decades. Half of the values are used only in one of the three
/// steps that follow, the others at any later step that sees them, also
/// inside and behind other branches. Half of the alternatives yield: one
/// buffer is made by the last step of each branch and used behind; every loop
/// carries one buffer around.
LunaProblem *generate_program(LunaArena *arena, uint32_t buffer_count,
                              uint32_t depth, uint64_t seed);

/// A program of loops in loops and branches up to `depth` (at least 1): as
/// generate_program, but four of five of its blocks are loops, half of them
/// left in their middle. Every loop carries one or two values, made anew
/// somewhere in it and moved at its end; of two, the second gets the first. A
/// quarter of the values made in a loop is used at an earlier step of the next
/// turn. Writes the number of moves.
LunaProblem *generate_loops(LunaArena *arena, uint32_t buffer_count,
                            uint32_t depth, uint64_t seed,
                            uint32_t *move_count);

/// Returns a value from `low` (> 0) to `high`, log-uniform.
int64_t generate_value(uint64_t *state, int64_t low, int64_t high);

/// A graph of one operator per buffer, each of which reads one to three of the
/// results before it, three of four of them of the last three operators, the
/// others of the last sixteen. Sizes are s, t, s*t, s*s or t*t bytes times a
/// coefficient, log-uniform up to 32, that of s and t 64 times as large; s and
/// t are from 16 to 512.
LunaProblem *generate_range(LunaArena *arena, uint32_t buffer_count,
                            uint64_t seed, LunaPlanSizes *sizes);

#endif // LUNA_BENCH_GENERATE_H
