#ifndef LUNA_SIM_STATE_H
#define LUNA_SIM_STATE_H

// The state of a simulator, and queries that all its parts use.

#include <setjmp.h>

#include "luna/map.h"
#include "luna/simulator.h"

/// The writer of a byte: an index into LunaSimulator.writers plus one.
typedef uint32_t LunaSimTag;
enum { LUNA_SIM_TAG_UNDEFINED = 0 };

typedef struct LunaSimRange {
  const char *name;
  int32_t space;
  uint8_t *base;
  uint64_t bytes;
  bool is_initialised, is_read_only;
  LunaSimTag *tags; ///< one a byte
} LunaSimRange;

typedef struct LunaSimBuffer {
  int32_t id;
  const uint8_t *base;
  uint64_t bytes;
  const char *name;
} LunaSimBuffer;

/// A value before every run, or a result after it.
typedef struct LunaSimValue {
  uint8_t *base;
  uint64_t bytes;
  int32_t buffer, content;
  const LunaProgramTensor *tensor; ///< of the program that it is, or NULL
} LunaSimValue;

typedef LUNA_VECTOR(LunaSimValue) LunaSimValues;

enum { LUNA_SIM_TARGET, LUNA_SIM_SOURCE, LUNA_SIM_TRANSFER_ENDS };

/// A transfer in flight: started and not yet awaited.
typedef struct LunaSimTransfer {
  LunaDmaDesc desc;
  int32_t ids[1 + 2 * LUNA_SIM_TRANSFER_ENDS];
  int32_t token;
  uint8_t *target;
  const uint8_t *source;
  /// True if both ends are registered memory: the bytes move at the wait.
  bool can_move;
  /// The bytes that are transferred only because of the engine's granule stay
  /// undefined: see luna_sim_undefined_tail.
  uint64_t undefined_tail;
  uint64_t end_cycles;
} LunaSimTransfer;

typedef struct LunaSimForced {
  bool is_forced;
  int32_t decision;
} LunaSimForced;

/// The cycle at which each engine has done what it was given; the core's is
/// now.
typedef struct LunaSimClocks {
  uint64_t core, unit, dma;
} LunaSimClocks;

/// The work of the operator under way: see sim_clock.h.
typedef struct LunaSimWork {
  int32_t op;
  bool is_open;
  uint64_t begin_cycles, core_cycles, unit_cycles, launches;
} LunaSimWork;

struct LunaSimulator {
  LunaArena own_arena; ///< of this struct
  LunaMachine machine;
  LunaSimulatorOptions options;

  // The program: until bound again.
  LunaArena setup_arena;
  const LunaProgramInfo *program;
  LUNA_VECTOR(LunaSimRange) ranges;
  LUNA_VECTOR(LunaSimBuffer) buffers; // by rising id
  LunaSimValues values, results;
  LunaMap writers;       // buffers and contents; see LunaSimTag
  LunaSimForced *forced; // by branch

  // The run: until the next.
  LunaArena run_arena;
  bool is_ended;
  bool has_version;
  uint32_t version; // of a program with versions, once it is decided
  jmp_buf *stop;    // target of an abort at the limit; NULL outside a run
  uint64_t iterations;
  LunaSimClocks clocks;
  LunaSimWork work;
  bool is_launched; ///< a launch is not awaited
  LunaRunResult result;
  LUNA_VECTOR(LunaSimTransfer) transfers;
  LUNA_VECTOR(LunaTimelineEvent) events;
  LUNA_VECTOR(LunaHazard) hazards;
  LUNA_VECTOR(struct LunaSimStep) steps;                // sim_path.c
  LUNA_VECTOR(struct LunaSimHostOperand) host_operands; // sim_host.c
  LunaOpStatistics *ops; // by operator, and one for all unknown ones
  uint32_t op_count;
  int32_t last_token;
  /// Of the runtime call under way; NULL below a runtime without checks.
  const int32_t *announced;
  bool is_in_host_op;
  LunaHostDesc host_desc;
  const int32_t *host_ids; // borrowed while is_in_host_op
  int32_t host_op;
};

/// Discards the previous run, so that queries without one find empty tables.
void luna_sim_reset_run(LunaSimulator *sim);

/// Discards the program and all registrations, too.
void luna_sim_reset_setup(LunaSimulator *sim);

/// Returns the range that holds all of [data, data + bytes), or NULL.
LunaSimRange *luna_sim_find_range(const LunaSimulator *sim, const void *data,
                                  int64_t bytes);

/// Returns the buffer that is registered as `id`, or NULL.
const LunaSimBuffer *luna_sim_find_buffer(const LunaSimulator *sim, int32_t id);

/// Returns the statistics of an operator; unknown operators share the last
/// entry.
LunaOpStatistics *luna_sim_op(const LunaSimulator *sim, int32_t op);

#endif // LUNA_SIM_STATE_H
