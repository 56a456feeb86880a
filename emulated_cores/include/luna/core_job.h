#ifndef LUNA_CORE_JOB_H
#define LUNA_CORE_JOB_H

// What lunac tells a program on a chip's core, and what it answers: one run of
// the model on the simulator. Structs of fixed layout, alike on cores of 32 and
// computers of 64 bits, least significant byte first.
//
// Job: LunaCoreJob, the machine (a LunaMachine), a LunaCoreDecision for each
// branch, the inputs one after the other, the state.
//
// Result: LunaCoreResult, a LunaCoreOp for each operator and for the program,
// the hazards that are kept (each a LunaCoreHazard, then its op, range, path
// and message, each ended by 0), the path ended by 0, the time line (each a
// LunaTimelineEvent), the outputs, the state.

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The memories of the model's program: its arena, its weights with the scratch
/// after them, and what lies after that: state, inputs, outputs. lunac
/// defines `luna_core_memories` as one.
typedef struct LunaCoreMemories {
  uint8_t *arena, *psram, *rest;
} LunaCoreMemories;

/// First word of both; changes with the layout.
#define LUNA_CORE_JOB_MAGIC 0x324a4c4c

typedef struct LunaCoreJob {
  uint32_t magic, machine_bytes;
  uint64_t cycle_limit;
  uint64_t wants_events; ///< 1 for the time line
} LunaCoreJob;

typedef struct LunaCoreDecision {
  int32_t is_forced, value;
} LunaCoreDecision;

/// The numbers of a LunaRunResult.
typedef struct LunaCoreResult {
  uint32_t magic, is_broken_off;
  uint32_t op_count, hazards_kept;
  uint64_t cycles, compute_cycles, host_cycles, stall_cycles, dma_cycles;
  uint64_t bound_cycles, transfers, dma_bytes, launches;
  uint64_t arena_high_water_bytes, hazard_count, event_count;
} LunaCoreResult;

/// The numbers of a LunaOpStatistics.
typedef struct LunaCoreOp {
  uint64_t calls, launches;
  uint64_t compute_cycles, host_cycles, stall_cycles, dma_cycles, dma_bytes;
} LunaCoreOp;

/// The numbers of a LunaHazard; `has_range` tells a range from none.
typedef struct LunaCoreHazard {
  int32_t kind, buffer;
  uint64_t offset_bytes;
  uint64_t has_range;
} LunaCoreHazard;

#ifdef __cplusplus
}
#endif

#endif // LUNA_CORE_JOB_H
