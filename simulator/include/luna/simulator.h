#ifndef LUNA_SIMULATOR_H
#define LUNA_SIMULATOR_H

// The simulator: the runtime API (luna/runtime.h) on a machine given by its
// description.
//
// It computes what the machine would compute, bit for bit, counts cycles by
// its own clocks, and tracks every byte: its writer, and whether a transfer
// from or to it is in flight. A violation of a rule of the machine or of the
// plan is a hazard; the run continues (its results are then suspect) but never
// accesses memory that is not registered.
//
//   LunaSimulator *simulator = luna_simulator_create(&machine, NULL);
//   luna_simulator_bind(simulator, &program, &pointers, &error);
//   luna_simulator_force_branch(simulator, "if0", "then", &error);
//   luna_simulator_begin_run(simulator);      // activates the runtime API
//   model(in0, out0, arena, psram, state);
//   const LunaRunResult *result = luna_simulator_end_run(simulator);

#include <stdbool.h>
#include <stdint.h>

#include "luna/error.h"
#include "luna/machine.h"
#include "luna/program.h"
#include "luna/runtime.h"
#include "luna/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LunaSimulator LunaSimulator;

/// The options of a simulator; zero is the default.
typedef struct LunaSimulatorOptions {
  bool no_events;       ///< keep no time line (fewer bytes on long runs)
  uint64_t event_limit; ///< events kept; 0 means 1,000,000
  /// Cycles after which luna_simulator_run aborts a run; 0 means 10^10.
  uint64_t cycle_limit;
  /// A launch, pooling or elementwise operator of the unit that is no call of
  /// the vendor's library is a hazard.
  bool only_calls;
} LunaSimulatorOptions;

//===- Setting up ---------------------------------------------------------===//

/// Creates a simulator of `machine` (copied). `options` may be NULL. The caller
/// destroys it.
LunaSimulator *luna_simulator_create(const LunaMachine *machine,
                                     const LunaSimulatorOptions *options);

/// Frees a simulator (or NULL). Deactivates it if it is active.
void luna_simulator_destroy(LunaSimulator *simulator);

typedef enum LunaRangeSpace {
  LUNA_SPACE_SHARED = 0,
  LUNA_SPACE_PSRAM = 1,
} LunaRangeSpace;

/// A range of memory that a program may access.
typedef struct LunaMemoryRange {
  const char *name; ///< copied
  int32_t space;    ///< LunaRangeSpace
  void *base;       ///< aligned to 16 bytes
  uint64_t bytes;
  /// True if it holds values before every run; otherwise its bytes are
  /// undefined and overwritten with a pattern.
  bool is_initialised;
  bool is_read_only;
} LunaMemoryRange;

/// Registers a range. Fails with LUNA_ERROR_INPUT if it overlaps another or is
/// misaligned, with LUNA_ERROR_CAPACITY if it is larger than the machine's
/// memory of that kind.
bool luna_simulator_add_range(LunaSimulator *simulator,
                              const LunaMemoryRange *range, LunaError *error);

/// Registers the location of the planned buffer `id` (>= 0): operands that name
/// it must stay within it. Buffers that are not registered are not checked. An
/// id may be registered once.
bool luna_simulator_add_buffer(LunaSimulator *simulator, int32_t id,
                               const void *base, uint64_t bytes,
                               const char *name, LunaError *error);

/// Registers that the bytes hold content `content` of buffer `buffer` (ids or
/// LUNA_NO_ID) before every run. They must lie in one range.
bool luna_simulator_add_value(LunaSimulator *simulator, void *base,
                              uint64_t bytes, int32_t buffer, int32_t content,
                              LunaError *error);

/// The addresses of a program's memories, as passed to its entry function.
typedef struct LunaProgramPointers {
  void *const *inputs;
  void *const *outputs;
  void *arena, *psram, *state;
} LunaProgramPointers;

/// Allocates the memories of a program from `arena`: zeroed, aligned and padded
/// to `alignment_bytes`; inputs and outputs on chip lie in the arena's.
LunaProgramPointers luna_program_allocate(const LunaProgramInfo *program,
                                          uint64_t alignment_bytes,
                                          LunaArena *arena);

/// Returns the arguments of the entry function, from `arena`.
void **luna_program_arguments(const LunaProgramInfo *program,
                              const LunaProgramPointers *pointers,
                              LunaArena *arena);

/// Registers the contents of a program descriptor: its memories, buffers,
/// contents, names, inputs as values and outputs as results. Borrows `program`
/// until the simulator is destroyed or bound again; discards an earlier binding
/// and all other registrations. Fails as the functions above do.
bool luna_simulator_bind(LunaSimulator *simulator,
                         const LunaProgramInfo *program,
                         const LunaProgramPointers *pointers, LunaError *error);

/// Forces a branch to take an alternative, by its name (see luna/branch.h), in
/// all following runs; NULL lets the program decide. Fails with
/// LUNA_ERROR_INPUT for an unknown name (the message lists the known ones).
bool luna_simulator_force_branch(LunaSimulator *simulator, const char *branch,
                                 const char *way, LunaError *error);

/// Makes `simulator` (or none, if NULL) the target of the luna_rt_* calls of
/// this thread. luna_simulator_begin_run calls it.
void luna_simulator_activate(LunaSimulator *simulator);

//===- Running ------------------------------------------------------------===//

/// Starts a run: time 0, no hazards, every range in its initial state.
/// Undefined ranges are overwritten with a pattern, except registered values.
void luna_simulator_begin_run(LunaSimulator *simulator);

typedef enum LunaHazardKind {
  LUNA_HAZARD_UNINITIALISED = 0, ///< read of bytes that nobody wrote
  LUNA_HAZARD_FOREIGN_VALUE, ///< read of bytes that another buffer wrote, which
                             ///< are not the same constants
  LUNA_HAZARD_WRONG_CONTENT, ///< read of another content of the buffer
  LUNA_HAZARD_READ_IN_FLIGHT,  ///< read of a transfer's target before its wait
  LUNA_HAZARD_WRITE_IN_FLIGHT, ///< write to either end of a transfer
  LUNA_HAZARD_OUT_OF_RANGE,    ///< access outside every registered range
  LUNA_HAZARD_OUT_OF_BUFFER,   ///< access outside the operand's own buffer
  LUNA_HAZARD_READ_ONLY,       ///< write to read-only memory
  LUNA_HAZARD_NOT_ON_CHIP,     ///< operand of the unit outside shared memory
  LUNA_HAZARD_MISALIGNED,      ///< address or size off its granule
  LUNA_HAZARD_OVERLAP,         ///< an operator's output over its own inputs
  LUNA_HAZARD_TOO_MANY_TRANSFERS, ///< more outstanding than the engine takes
  LUNA_HAZARD_BAD_TRANSFER,       ///< channel or direction that is not there
  LUNA_HAZARD_BAD_TOKEN,          ///< awaited twice, or never started
  LUNA_HAZARD_LOST_TOKEN,         ///< never awaited
  LUNA_HAZARD_BAD_LAUNCH,         ///< launch beyond the unit's limits
  LUNA_HAZARD_BAD_DESCRIPTOR,     ///< operands that do not fit each other
  LUNA_HAZARD_BAD_CALL,           ///< runtime call out of order
  LUNA_HAZARD_ENDLESS,            ///< loop still running at the cycle limit
  LUNA_HAZARD_KIND_COUNT,
} LunaHazardKind;

/// Returns the name of a kind as reports print it ("read in flight").
const char *luna_hazard_kind_name(LunaHazardKind kind);

/// A violated rule.
typedef struct LunaHazard {
  LunaHazardKind kind;
  const char *op;        ///< name of the operator at fault
  const char *range;     ///< name of the memory range, or NULL
  uint64_t offset_bytes; ///< within that range
  int32_t buffer;        ///< the operand's buffer id or LUNA_NO_ID
  const char *path;      ///< the decisions up to then
  const char *message;   ///< what was found and is allowed, without `op`
} LunaHazard;

/// The statistics of one operator over all its executions.
typedef struct LunaOpStatistics {
  const char *name;
  uint64_t calls, launches;
  uint64_t compute_cycles, host_cycles, stall_cycles, dma_cycles;
  uint64_t dma_bytes;
} LunaOpStatistics;

enum { LUNA_HAZARDS_KEPT = 64 };

/// The result of a run, owned by the simulator and valid until its next
/// begin_run.
///
/// cycles = compute_cycles + host_cycles + stall_cycles; dma_cycles are
/// concurrent.
typedef struct LunaRunResult {
  uint64_t cycles;
  uint64_t compute_cycles; ///< the unit's
  /// The core's while the unit does nothing, launches and requantisation
  /// included.
  uint64_t host_cycles;
  uint64_t stall_cycles;   ///< waiting for transfers
  uint64_t dma_cycles;     ///< the engine's
  /// What this path takes at least, however its transfers overlap, as long as
  /// the core awaits each launch of the unit: max(compute + host, dma).
  uint64_t bound_cycles;
  uint64_t transfers, dma_bytes, launches;
  /// Highest end of an access to the first range in shared memory.
  uint64_t arena_high_water_bytes;
  /// The decisions in order of first appearance, "if0=then/loop0=3". A branch
  /// with varying decisions lists their runs: "if1=then*2,else". Empty for a
  /// program without control flow.
  const char *path;
  bool is_broken_off; ///< at the cycle limit

  uint64_t hazard_count; ///< all of them
  /// The first min(hazard_count, LUNA_HAZARDS_KEPT).
  const LunaHazard *hazards;

  const LunaOpStatistics *ops; ///< by operator id
  uint32_t op_count;
} LunaRunResult;

/// Ends the run: transfers not awaited and results not written become hazards.
/// The simulator stays active; a second call has no effect.
const LunaRunResult *luna_simulator_end_run(LunaSimulator *simulator);

/// A call of a model's entry function.
typedef void (*LunaModelCall)(void *argument);

/// Begins a run, calls `model` and ends the run. Aborts a run above the cycle
/// limit at the next iteration of a loop (by longjmp: `model` must not hold
/// resources that its return would free), with one hazard instead of those
/// found at the end. Each iteration counts as at least 100 cycles.
const LunaRunResult *luna_simulator_run(LunaSimulator *simulator,
                                        LunaModelCall model, void *argument);

//===- Inspecting a run ---------------------------------------------------===//

typedef enum LunaTimelineRow {
  LUNA_ROW_COMPUTE = 0,
  LUNA_ROW_HOST = 1,
  LUNA_ROW_DMA = 2,
  LUNA_ROW_STALL = 3,
} LunaTimelineRow;

/// One bar of the time line, [begin_cycles, end_cycles).
typedef struct LunaTimelineEvent {
  int32_t row; ///< LunaTimelineRow
  int32_t op;  ///< operator that computes, starts the transfer or waits
  uint64_t begin_cycles, end_cycles;
  /// DMA and stall: the transfer's token, the operator that started it, its
  /// bytes, LunaDmaDirection, buffer and content; else 0 and LUNA_NO_ID.
  int32_t token, transfer_op, bytes, direction, buffer, content;
} LunaTimelineEvent;

/// Returns the events of the run in the order they were started, `count` of
/// them; events beyond the limit are missing.
const LunaTimelineEvent *luna_simulator_events(const LunaSimulator *simulator,
                                               uint64_t *count);

/// Takes the time line of a run of the bound program elsewhere (copied) in
/// its own place.
void luna_simulator_set_events(LunaSimulator *simulator,
                               const LunaTimelineEvent *events, uint64_t count);

/// Writes the time line as Chrome trace JSON (about:tracing, Perfetto) to
/// `text`: a row each for compute, host, DMA and stalls; times in µs by the
/// machine's clock, to the nanosecond, and the cycles.
void luna_simulator_write_trace(const LunaSimulator *simulator, LunaText *text);

/// Returns the name of operator `op` in the bound program, or "op<N>" without
/// one. Valid until the next begin_run.
const char *luna_simulator_op_name(const LunaSimulator *simulator, int32_t op);

/// Returns the name of the operator that the host core is computing, or NULL.
const char *luna_simulator_host_op_name(const LunaSimulator *simulator);

/// One function of the runtime API, for a JIT's symbol table.
typedef struct LunaRuntimeSymbol {
  const char *name;
  void (*function)(void);
} LunaRuntimeSymbol;

/// Returns all `count` functions of luna/runtime.h, which this library defines.
const LunaRuntimeSymbol *luna_simulator_symbols(uint64_t *count);

#ifdef __cplusplus
}
#endif

#endif // LUNA_SIMULATOR_H
