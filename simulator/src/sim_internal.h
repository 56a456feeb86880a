#ifndef LUNA_SIM_INTERNAL_H
#define LUNA_SIM_INTERNAL_H

// What the parts of the simulator share: its state, and one section for each
// part in the order in which they build on each other.

#include <setjmp.h>

#include "luna/arena.h"
#include "luna/cost.h"
#include "luna/simulator.h"

/// An array in an arena that doubles when it is full.
typedef struct LunaSimList {
  void *items;
  uint64_t count, capacity;
} LunaSimList;

/// Gives room for one more item of `item_bytes` at the end, zeroed.
void *luna_sim_append(LunaArena *arena, LunaSimList *list, uint64_t item_bytes);

/// Who wrote a byte: an index into LunaSimulator.writers.
typedef uint32_t LunaSimTag;
enum { LUNA_SIM_TAG_UNDEFINED = 0 };

typedef struct LunaSimWriter {
  int32_t buffer, content;
} LunaSimWriter;

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
} LunaSimValue;

/// A transfer that was started and not yet waited for.
typedef struct LunaSimTransfer {
  LunaDmaDesc desc;
  int32_t token;
  uint8_t *target;
  const uint8_t *source;
  /// Both ends are registered memory: the bytes move at the wait.
  bool can_move;
  /// What a transfer carries along because of the engine's granule stays
  /// undefined: see luna_sim_undefined_tail.
  uint64_t undefined_tail;
  uint64_t end_cycles;
} LunaSimTransfer;

/// One decision or loop that the run came by.
enum { LUNA_SIM_PATH_RUNS = 8 };
typedef struct LunaSimStep {
  bool is_loop;
  int32_t id;
  uint64_t iterations; ///< of a loop
  /// Of a branch: decisions in turn, equal neighbours together.
  int32_t decisions[LUNA_SIM_PATH_RUNS];
  uint64_t repeats[LUNA_SIM_PATH_RUNS];
  uint32_t run_count;
  bool is_cut; ///< there were more
} LunaSimStep;

typedef struct LunaSimForced {
  bool is_forced;
  int32_t decision;
} LunaSimForced;

/// The operands of the host operator that is announced at the moment.
typedef struct LunaSimHostOperand {
  LunaHostOperandDesc desc;
  const void *data;
} LunaSimHostOperand;

struct LunaSimulator {
  LunaArena own_arena; ///< of this struct
  LunaMachine machine;
  LunaSimulatorOptions options;

  // What the program is: until bound again.
  LunaArena setup_arena;
  const LunaProgramInfo *program;
  LunaSimList ranges, buffers, values, results, writers;
  LunaSimTag *writer_table; // open addressing, 0 is free
  uint64_t writer_table_size;
  LunaSimForced *forced; // by branch

  // What the run did: until the next.
  LunaArena run_arena;
  bool is_ended;
  jmp_buf *stop; // where a run over the limit goes on; NULL outside of one
  uint64_t iterations;
  uint64_t now_cycles, engine_free_cycles;
  LunaRunResult result;
  LunaSimList transfers, events, hazards, ops, steps, host_operands;
  int32_t last_token;
  bool is_in_host_op;
  LunaHostDesc host_op;
};

//===- sim_hazard.c -------------------------------------------------------===//

/// Where something went wrong.
typedef struct LunaSimPlace {
  int32_t op;
  const LunaSimRange *range; ///< or NULL
  uint64_t offset_bytes;
  int32_t buffer;
} LunaSimPlace;

#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void luna_sim_hazard(LunaSimulator *sim, LunaHazardKind kind,
                     LunaSimPlace place, const char *format, ...);

/// Gives the name of a buffer for messages: "buffer 3 'conv1'".
const char *luna_sim_buffer_text(LunaSimulator *sim, int32_t id);

//===- sim_box.c ----------------------------------------------------------===//

enum { LUNA_SIM_RANK = 6 };

/// The bytes of a strided box, as runs of neighbouring bytes.
typedef struct LunaSimBox {
  const uint8_t *low;   ///< first byte of the lowest run
  int64_t extent_bytes; ///< from there to the end of the highest; 0 if empty
  int64_t run_bytes;
  int32_t rank;                                        ///< of the runs
  int64_t dims[LUNA_SIM_RANK], strides[LUNA_SIM_RANK]; ///< bytes, outer first
} LunaSimBox;

/// Makes the box of `rank` dimensions whose element [0,…] is at `data`; false
/// if a dimension is negative or the extent does not fit 63 bits.
bool luna_sim_box(LunaSimBox *box, const void *data, int32_t rank,
                  const int32_t *dims, const int32_t *strides,
                  int64_t element_bytes);

/// Steps through the runs of a box.
typedef struct LunaSimRuns {
  const LunaSimBox *box;
  int64_t index[LUNA_SIM_RANK];
  int64_t offset;
  bool is_done;
} LunaSimRuns;

LunaSimRuns luna_sim_runs(const LunaSimBox *box);
/// Gives the next run's distance from box->low; false after the last.
bool luna_sim_next_run(LunaSimRuns *runs, int64_t *offset);

/// Says whether two boxes share a byte.
bool luna_sim_boxes_meet(const LunaSimBox *a, const LunaSimBox *b);

//===- sim_memory.c -------------------------------------------------------===//

/// Gives the range that holds all of [data, data + bytes), or NULL.
LunaSimRange *luna_sim_find_range(const LunaSimulator *sim, const void *data,
                                  int64_t bytes);

const LunaSimBuffer *luna_sim_find_buffer(const LunaSimulator *sim, int32_t id);

/// Gives the tag of what `buffer` and `content` write.
LunaSimTag luna_sim_tag(LunaSimulator *sim, int32_t buffer, int32_t content);

/// Gives every range its first state.
void luna_sim_reset_memory(LunaSimulator *sim);

/// One access to memory, for the checks.
typedef struct LunaSimAccess {
  int32_t op;
  const char *role; ///< "input"
  LunaSimBox box;
  LunaSimRange *range; ///< NULL: no registered memory, not to be touched
  int32_t buffer, content;
  int64_t granule_bytes; ///< bytes up to this multiple are padding
} LunaSimAccess;

/// Finds the range of the access; hazards for one outside every range or
/// outside its buffer. Notes the high-water mark.
void luna_sim_locate(LunaSimulator *sim, LunaSimAccess *access);
/// Hazards for bytes that hold another value than the access names, or none,
/// or are in flight. At most one for each access.
void luna_sim_check_read(LunaSimulator *sim, const LunaSimAccess *access);
/// Hazards for bytes that are in flight, whatever they hold.
void luna_sim_check_arrived(LunaSimulator *sim, const LunaSimAccess *access);
/// Says whether all bytes hold the value that the access names.
bool luna_sim_is_defined(const LunaSimulator *sim, const LunaSimAccess *access);
/// Hazards for bytes that are in flight or read-only.
void luna_sim_check_write(LunaSimulator *sim, const LunaSimAccess *access);
/// Gives, for a read of one run, which bytes of the last granule hold no value
/// of the access: bit i is the i-th byte from the end, counted from 1.
uint64_t luna_sim_undefined_tail(const LunaSimulator *sim,
                                 const LunaSimAccess *access);
/// Notes that the access wrote its bytes.
void luna_sim_mark_written(LunaSimulator *sim, const LunaSimAccess *access);
/// Notes that bytes of a range hold no value any more.
void luna_sim_mark_undefined(LunaSimRange *range, const uint8_t *low,
                             uint64_t bytes);
/// The same, and overwrites them with a pattern.
void luna_sim_poison(LunaSimRange *range, const uint8_t *low, uint64_t bytes);

//===- sim_time.c ---------------------------------------------------------===//

/// Gives the statistics of an operator; operators out of range share the last.
LunaOpStatistics *luna_sim_op(const LunaSimulator *sim, int32_t op);

/// Lets time pass for an operator: first on the core, then on the unit.
void luna_sim_charge(LunaSimulator *sim, int32_t op, LunaCost cost);

void luna_sim_add_event(LunaSimulator *sim, const LunaTimelineEvent *event);

//===- sim_path.c ---------------------------------------------------------===//

/// Gives the decisions so far as text; from the run's arena.
const char *luna_sim_path(LunaSimulator *sim);

//===- sim_dma.c ----------------------------------------------------------===//

/// Hazards for every transfer that nobody waited for.
void luna_sim_end_transfers(LunaSimulator *sim);

//===- simulator.c --------------------------------------------------------===//

/// Gives the active simulator of this thread; there must be one.
LunaSimulator *luna_sim_any_active(void);
/// The same, for a call that has no place inside a host operator: a hazard of
/// `op` there.
LunaSimulator *luna_sim_active(int32_t op);

#endif // LUNA_SIM_INTERNAL_H
