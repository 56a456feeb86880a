// luna-choose-transfers: inserts as many overlapped transfers as fit, and plans
// the memory.
//
// In: a func.func after luna-form-regions. Out: the function as luna-insert-dma
// and luna-plan-memory leave it. With mode=auto, without a limit of live bytes
// where that fits. Else the fastest of what fits with less and less live bytes,
// with and without weights that stay for a loop and transfers that start in
// another region, and with operators tiled again (luna-tile-operators) with
// less scratch, as if there were less and less of the memory. With the other
// modes, operators are tiled again until there is a plan. Warns of transfers
// that memory delays; with record-mode=true the attribute `luna.dma` is the
// mode. Refuses: what has no plan with the least scratch that there is and no
// transfer before its operator, with the error of that. Options: machine; mode;
// record-mode; place, where operators are tiled again; of luna-plan-memory's,
// those that luna/plan_options.def hands on. Example:
// lit_tests/passes/luna-choose-transfers/doc.mlir

#include <stdio.h>
#include <string.h>

#include "insert_dma.h"
#include "luna-c/dialect.h"
#include "luna-c/ir.h"
#include "luna-c/pass.h"
#include "luna-c/plan_hints.h"
#include "luna/passes.h"
#include "luna/timing.h"
#include "machine_option.h"
#include "plan_memory.h"
#include "program_model.h"
#include "step_cycles.h"
#include "structure.h"
#include "tile_operators.h"

enum {
  OPT_MACHINE,
  OPT_MODE,
  OPT_RECORD_MODE,
  OPT_PLACE,
  OPT_LAYOUT,
  OPT_PLAN, // those of luna/plan_options.def
  OPT_COUNT = OPT_PLAN + LUNA_PLAN_OPTIONS,
};

static const LunaOptionDesc descs[OPT_COUNT] = {
    [OPT_MACHINE] = LUNA_MACHINE_OPTION,
    [OPT_MODE] = {.name = "mode",
                  .help = "auto, ping-pong or sync",
                  .kind = LUNA_OPTION_STRING,
                  .string_default = "auto"},
    [OPT_RECORD_MODE] = {.name = "record-mode",
                         .help = "record the mode taken as luna.dma",
                         .kind = LUNA_OPTION_BOOL},
    [OPT_PLACE] = {.name = "place",
                   .help = "as of luna-tile-operators, where operators are "
                           "tiled again",
                   .kind = LUNA_OPTION_STRING,
                   .string_default = "auto"},
    [OPT_LAYOUT] = LUNA_CALLS_OPTION,
#define LUNA_PLAN_OPTION LUNA_HANDED_PLAN_OPTION
#include "luna/plan_options.def"
};

// How operators are tiled again: as in so many sixteenths of the memory, with
// at least so much scratch. The first is as they are. What a plan lacks is
// mostly little, and calls of a plane each cost the more the smaller its pieces
// are: fusion_detect_if on arcs takes 8.9 million cycles with 14, 12.1 with 12.
typedef struct Tiles {
  int64_t sixteenths, least_bytes;
} Tiles;

static const Tiles tiles[] = {
    {16, LUNA_SCRATCH_BYTES},
    {15, LUNA_SCRATCH_BYTES},
    {14, LUNA_SCRATCH_BYTES},
    {13, LUNA_SCRATCH_BYTES},
    {12, LUNA_SCRATCH_BYTES},
    {8, LUNA_SCRATCH_BYTES},
    {4, LUNA_SCRATCH_BYTES},
    {0, LUNA_SCRATCH_BYTES},
    {0, 1024},
    {0, 256},
    {0, 64},
    {0, 0},
};
enum { LAST = sizeof tiles / sizeof *tiles - 1 };

typedef struct Attempt {
  MlirOperation func;
  const LunaMachine *machine;
  LunaOptionValue planning[LUNA_PLAN_MEMORY_OPTIONS];
  LunaTransferOptions transfers;
  LunaTileOptions tiling;
  bool has_scratch;
  int tiled;            // index of `tiles`
  uint64_t cycles;      // UINT64_MAX if it does not fit
  uint64_t busy_cycles; // without stalls
  int64_t bytes;
} Attempt;

static MlirLogicalResult tile_again(const Attempt *attempt) {
  const Tiles *how = &tiles[attempt->tiled];
  if (attempt->tiled == 0)
    return mlirLogicalResultSuccess();
  luna_remove_scratch(attempt->func);
  LunaTileOptions tiling = attempt->tiling;
  tiling.capacity_bytes =
      (int64_t)attempt->machine->shared.bytes / 16 * how->sixteenths;
  tiling.least_bytes = how->least_bytes;
  return luna_tile_operators(attempt->func, attempt->machine, &tiling);
}

static MlirLogicalResult insert_and_plan(void *data) {
  Attempt *attempt = data;
  if (mlirLogicalResultIsFailure(tile_again(attempt)))
    return mlirLogicalResultFailure();
  MlirLogicalResult inserted =
      luna_insert_dma(attempt->func, attempt->machine, &attempt->transfers);
  return mlirLogicalResultIsFailure(inserted)
             ? inserted
             : luna_plan_memory(attempt->func, attempt->machine,
                                attempt->planning);
}

// Sets the cycles of the slowest path; more than it can have if they are not
// known.
static void measure_cycles(Attempt *attempt) {
  LunaArena arena = {0};
  LunaProgramModel program;
  LunaModelId loop = LUNA_MODEL_NONE;
  attempt->cycles = UINT64_MAX - 1;
  if (luna_program_model_build(attempt->func, NULL, &arena, &program) &&
      luna_add_step_cycles(&program, attempt->machine) &&
      luna_timing_fits(&program.model, &loop)) {
    LunaSlowestPath slowest = luna_timing_slowest(&program.model, &arena);
    LunaPathTimes times = luna_timing_path(&program.model, slowest.ways, NULL);
    attempt->cycles = slowest.cycles;
    attempt->busy_cycles = times.compute + times.host;
  }
  luna_arena_destroy(&arena);
}

static MlirLogicalResult measure(void *data) {
  Attempt *attempt = data;
  if (mlirLogicalResultIsSuccess(insert_and_plan(attempt))) {
    measure_cycles(attempt);
    attempt->bytes = luna_attr_int(attempt->func, "luna.arena_bytes", 0);
  }
  return mlirLogicalResultFailure();
}

// Returns true if an attempt would succeed, and sets its cycles.
static bool fits(Attempt *attempt) {
  attempt->cycles = UINT64_MAX;
  luna_attempt(attempt->func, LUNA_PLAN_HINTS, measure, attempt);
  return attempt->cycles < UINT64_MAX;
}

//===----------------------------------------------------------------------===//
// Less memory
//===----------------------------------------------------------------------===//

static bool fits_within(Attempt *attempt, int64_t budget_bytes, Attempt *best) {
  attempt->transfers.budget_bytes = budget_bytes;
  if (!fits(attempt))
    return false;
  if (attempt->cycles < best->cycles)
    *best = *attempt;
  return true;
}

// Finds what fits with about the most live bytes.
static void find_budget(Attempt *attempt, Attempt *best) {
  static const int64_t sixtyfourths[] = {63, 60, 56, 48, 32, 16, 0};
  enum { COUNT = sizeof sixtyfourths / sizeof *sixtyfourths };
  int64_t part = (int64_t)attempt->machine->shared.bytes / 64;
  for (int i = 0; i < COUNT; ++i) {
    if (!fits_within(attempt, sixtyfourths[i] * part, best))
      continue;
    if (i > 0)
      fits_within(attempt, (sixtyfourths[i] + sixtyfourths[i - 1]) * part / 2,
                  best);
    return;
  }
}

static bool is_no_loop(MlirOperation op, void *data) {
  (void)data;
  return !luna_is_loop(op);
}

static bool is_no_control_flow(MlirOperation op, void *data) {
  (void)data;
  return !luna_is_control_flow(op);
}

// Finds the fastest of what fits as the operators are tiled.
static void find_best(Attempt *attempt, Attempt *best) {
  bool has_loops = !luna_walk(attempt->func, is_no_loop, NULL);
  bool has_flow = !luna_walk(attempt->func, is_no_control_flow, NULL);
  for (int streams = 0; streams <= has_loops; ++streams)
    for (int stays = 0; stays <= has_flow; ++stays) {
      attempt->transfers.streams = streams;
      attempt->transfers.stays = stays;
      find_budget(attempt, best);
    }
}

static bool is_last(const Attempt *attempt) {
  return !attempt->has_scratch || attempt->tiled == LAST;
}

// With less and less scratch, until that is of no use.
static void find_best_tiled(Attempt *attempt, Attempt *best) {
  Attempt least = {.cycles = 0};
  for (;; ++attempt->tiled) {
    attempt->transfers.streams = attempt->transfers.stays = false;
    bool has_all = attempt->tiled > 0 && fits_within(attempt, INT64_MAX, best);
    attempt->transfers.streams = attempt->transfers.stays = true;
    bool is_other =
        !has_all && fits_within(attempt, 0, best) &&
        (attempt->cycles != least.cycles || attempt->bytes != least.bytes);
    if (is_other) {
      least = *attempt;
      find_best(attempt, best);
    }
    if (has_all || is_last(attempt) ||
        (is_other && best->tiled < attempt->tiled))
      return;
  }
}

// Returns the memory that transfers without a limit would take.
static int64_t wanted_bytes(Attempt attempt) {
  attempt.transfers.budget_bytes = INT64_MAX;
  attempt.transfers.streams = attempt.transfers.stays = false;
  attempt.planning[LUNA_PLAN_OPTION_CAPACITY_BYTES].integer = INT64_MAX;
  return fits(&attempt) ? attempt.bytes : 0;
}

static void warn_late(const Attempt *attempt) {
  char message[256];
  snprintf(
      message, sizeof message,
      "%llu of %llu transfers wait for memory; %lld bytes of shared memory "
      "would do, machine '%s' has %lld",
      (unsigned long long)attempt->transfers.late,
      (unsigned long long)attempt->transfers.loads,
      (long long)wanted_bytes(*attempt), attempt->machine->name,
      (long long)attempt->machine->shared.bytes);
  lunaEmitWarning(attempt->func, message);
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

// Leaves the function with the transfers that it is fastest with, or fails with
// the error of the fewest.
static bool choose(Attempt *attempt) {
  attempt->transfers.budget_bytes = INT64_MAX;
  if (luna_attempt(attempt->func, LUNA_PLAN_HINTS, insert_and_plan, attempt))
    return true;
  Attempt best = {.cycles = UINT64_MAX};
  find_best_tiled(attempt, &best);
  if (best.cycles < UINT64_MAX) {
    *attempt = best;
    if (attempt->transfers.late > 0)
      warn_late(attempt);
  } else {
    attempt->transfers.budget_bytes = 0;
    attempt->transfers.streams = attempt->transfers.stays = true;
  }
  return mlirLogicalResultIsSuccess(insert_and_plan(attempt));
}

// Leaves the function with the transfers of the mode, or fails with the error
// of the least scratch.
static bool take(Attempt *attempt) {
  for (; !is_last(attempt); ++attempt->tiled)
    if (luna_attempt(attempt->func, LUNA_PLAN_HINTS, insert_and_plan, attempt))
      return true;
  return mlirLogicalResultIsSuccess(insert_and_plan(attempt));
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  Attempt attempt = {.func = func,
                     .machine = luna_machine_of_option(&options[OPT_MACHINE]),
                     .has_scratch = luna_has_scratch(func)};
  if (!luna_transfer_mode_read(func, options[OPT_MODE].string,
                               &attempt.transfers.mode) ||
      !luna_place_read(func, options[OPT_PLACE].string, &attempt.tiling.place))
    return mlirLogicalResultFailure();
  attempt.tiling.wants_calls = strcmp(options[OPT_LAYOUT].string, "calls") == 0;
  memcpy(attempt.planning, &options[OPT_PLAN],
         LUNA_PLAN_OPTIONS * sizeof *options);
  bool is_auto = attempt.transfers.mode == LUNA_TRANSFERS_AUTO;
  if (!(is_auto ? choose(&attempt) : take(&attempt)))
    return mlirLogicalResultFailure();
  if (options[OPT_RECORD_MODE].integer)
    luna_set_string(func, "luna.dma",
                    luna_transfer_mode_name(attempt.transfers.mode));
  return mlirLogicalResultSuccess();
}

static const char *const dialects[] = {"arith", "luna", "memref", NULL};

const LunaPassDesc luna_pass_choose_transfers = {
    .argument = "luna-choose-transfers",
    .summary = "Insert as many overlapped transfers as fit",
    .anchor = "func.func",
    .options = descs,
    .option_count = OPT_COUNT,
    .dependent_dialects = dialects,
    .run = run,
};
