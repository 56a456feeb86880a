// luna-choose-transfers: inserts as many overlapped transfers as fit, and plans
// the memory.
//
// In: a func.func after luna-form-regions. Out: the function as luna-insert-dma
// and luna-plan-memory leave it. With mode=auto, as with prefetch where that
// fits. Else each blob has a staging buffer of its own. If that does not fit
// either, the faster of two: operators tiled again (luna-tile-operators) with
// less scratch, as if there were less and less of the memory, or some weights
// loaded late, right before their operator. Which are late is searched with
// plans: those whose load would have most memory beside it, or costs least by
// byte, until there is a plan, then back from the most expensive one. With
// other modes, all transfers are of the first mode from `mode` on with which
// the plan fits: prefetch, ping-pong, sync; of a model with versions
// (luna.cases), each version has its own. In each mode, operators are tiled
// again while the plan does not fit, from 15 sixteenths of the memory to
// nothing, with sync down to the least scratch that there is. With
// layout=calls, sync is taken, too, if it leaves operators as they are and the
// slowest path takes fewer cycles than with less scratch. Warns of loads that
// are late and of a mode that is not `mode`; with record-mode=true the
// attribute `luna.dma` is the mode taken. Refuses: what has no plan with all
// weights late, with the error of that. Options: machine; mode; record-mode;
// place, where operators are tiled again; of luna-plan-memory's, those that
// luna/plan_options.def hands on. Example:
// lit_tests/passes/luna-choose-transfers/doc.mlir

#include <stdio.h>
#include <string.h>

#include "insert_dma.h"
#include "late_weights.h"
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
    [OPT_MODE] =
        {.name = "mode",
         .help = "the first mode to try: auto, prefetch, ping-pong or sync",
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
enum { LAST_OF_MODES = 7, LAST = sizeof tiles / sizeof *tiles - 1 };

// The first attempts have `mode` itself, the next that or less by version, the
// others the modes behind it; in each, `tiled` goes on from the first.
typedef struct Attempt {
  MlirOperation func;
  const LunaMachine *machine;
  LunaOptionValue planning[LUNA_PLAN_MEMORY_OPTIONS];
  LunaTransferMode first;
  LunaTransferOptions transfers;
  LunaTileOptions tiling;
  LunaLateWeights weights; // of mode=auto
  bool has_scratch;
  int tiled;       // index of `tiles`
  uint64_t cycles; // UINT64_MAX if it does not fit
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
  const Attempt *attempt = data;
  if (mlirLogicalResultIsFailure(tile_again(attempt)))
    return mlirLogicalResultFailure();
  if (attempt->transfers.mode == LUNA_TRANSFERS_AUTO)
    luna_mark_late(attempt->func, &attempt->weights);
  MlirLogicalResult inserted =
      luna_insert_dma(attempt->func, attempt->machine, &attempt->transfers);
  return mlirLogicalResultIsFailure(inserted)
             ? inserted
             : luna_plan_memory(attempt->func, attempt->machine,
                                attempt->planning);
}

static bool has_less_scratch(const Attempt *attempt) {
  int last =
      attempt->transfers.mode < LUNA_TRANSFERS_SYNC ? LAST_OF_MODES : LAST;
  return attempt->has_scratch && attempt->tiled < last;
}

static void go_on(Attempt *attempt) {
  if (has_less_scratch(attempt)) {
    ++attempt->tiled;
    return;
  }
  attempt->tiled = 0;
  attempt->transfers.by_case =
      attempt->transfers.mode == attempt->first &&
      !attempt->transfers.by_case &&
      !mlirOperationIsNull(luna_version_switch(attempt->func));
  if (!attempt->transfers.by_case)
    ++attempt->transfers.mode;
}

// Leaves the function as the first attempt that succeeds does, or fails with
// the error of sync.
static bool choose(Attempt *attempt) {
  while (attempt->transfers.mode < LUNA_TRANSFERS_SYNC ||
         has_less_scratch(attempt)) {
    if (luna_attempt(attempt->func, LUNA_PLAN_HINTS, insert_and_plan, attempt))
      return true;
    go_on(attempt);
  }
  return mlirLogicalResultIsSuccess(insert_and_plan(attempt));
}

//===----------------------------------------------------------------------===//
// Less scratch, or less transfers
//===----------------------------------------------------------------------===//
// What calls of a whole plane each want of scratch is much: without it the core
// finishes their sums, and that may take longer than transfers which nothing
// hides.

// Returns the cycles of the slowest path; more than it can have if they are not
// known.
static uint64_t slowest_cycles(MlirOperation func, const LunaMachine *machine) {
  LunaArena arena = {0};
  LunaProgramModel program;
  LunaModelId loop = LUNA_MODEL_NONE;
  uint64_t cycles = UINT64_MAX - 1;
  if (luna_program_model_build(func, NULL, &arena, &program) &&
      luna_add_step_cycles(&program, machine) &&
      luna_timing_fits(&program.model, &loop))
    cycles = luna_timing_slowest(&program.model, &arena).cycles;
  luna_arena_destroy(&arena);
  return cycles;
}

// Makes `func` what its copy has become.
static void take_over(MlirOperation func, MlirOperation copy) {
  intptr_t count = mlirOperationGetNumDiscardableAttributes(copy);
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute attribute =
        mlirOperationGetDiscardableAttribute(copy, i);
    mlirOperationSetDiscardableAttributeByName(
        func, mlirIdentifierStr(attribute.name), attribute.attribute);
  }
  mlirRegionTakeBody(mlirOperationGetRegion(func, 0),
                     mlirOperationGetRegion(copy, 0));
}

// Has weights loaded in sync where that leaves operators as they are tiled, and
// takes fewer cycles. `copy` is the function before the first attempt.
static void compare_with_sync(Attempt *attempt, MlirOperation copy) {
  Attempt sync = *attempt;
  sync.func = copy;
  sync.transfers.mode = LUNA_TRANSFERS_SYNC;
  sync.tiled = 0;
  sync.transfers.by_case = false;
  if (attempt->tiled == 0 || attempt->transfers.mode == LUNA_TRANSFERS_SYNC ||
      !luna_attempt(copy, NULL, insert_and_plan, &sync) ||
      slowest_cycles(copy, sync.machine) >=
          slowest_cycles(attempt->func, sync.machine))
    return;
  take_over(attempt->func, copy);
  attempt->transfers.mode = LUNA_TRANSFERS_SYNC;
}

//===----------------------------------------------------------------------===//
// Transfers one by one
//===----------------------------------------------------------------------===//

static MlirLogicalResult measure(void *data) {
  Attempt *attempt = data;
  if (mlirLogicalResultIsSuccess(insert_and_plan(attempt))) {
    attempt->cycles = slowest_cycles(attempt->func, attempt->machine);
    attempt->bytes = luna_attr_int(attempt->func, "luna.arena_bytes", 0);
  }
  return mlirLogicalResultFailure();
}

// Returns true if an attempt would succeed, and sets its cycles.
static bool fits(void *data) {
  Attempt *attempt = data;
  attempt->cycles = UINT64_MAX;
  luna_attempt(attempt->func, LUNA_PLAN_HINTS, measure, attempt);
  return attempt->cycles < UINT64_MAX;
}

static void set_late(Attempt *attempt, bool is_late) {
  for (uint64_t i = 0; i < attempt->weights.count; ++i)
    attempt->weights.items[i].is_late = is_late;
}

// Returns true if there is an attempt that fits, tiled as the first that is.
static bool fits_tiled(Attempt *attempt, int last) {
  attempt->tiled = 0;
  while (!fits(attempt)) {
    if (!attempt->has_scratch || attempt->tiled == last)
      return false;
    ++attempt->tiled;
  }
  return true;
}

typedef struct Best {
  Attempt attempt;
  bool *is_late;
} Best;

static void keep_faster(Best *best, const Attempt *attempt) {
  if (attempt->cycles >= best->attempt.cycles)
    return;
  best->attempt = *attempt;
  for (uint64_t i = 0; i < attempt->weights.count; ++i)
    best->is_late[i] = attempt->weights.items[i].is_late;
}

static bool is_no_loop(MlirOperation op, void *data) {
  (void)data;
  return !luna_is_loop(op);
}

// Finds the faster of less scratch with all weights early, and of late weights
// with as much as these allow.
static void find_best(Attempt *attempt, Best *best) {
  bool has_loops = !luna_walk(attempt->func, is_no_loop, NULL);
  for (int streams = 0; streams <= has_loops; ++streams) {
    attempt->transfers.streams = streams;
    set_late(attempt, false);
    if (fits_tiled(attempt, LAST_OF_MODES)) {
      keep_faster(best, attempt);
      if (attempt->tiled == 0)
        return;
    }
    set_late(attempt, true);
    if (!fits_tiled(attempt, LAST))
      continue;
    luna_choose_late(&attempt->weights, fits, attempt);
    fits(attempt);
    keep_faster(best, attempt);
  }
}

// Returns the memory that all weights early would take.
static int64_t wanted_bytes(Attempt attempt) {
  set_late(&attempt, false);
  attempt.planning[LUNA_PLAN_OPTION_CAPACITY_BYTES].integer = INT64_MAX;
  return fits(&attempt) ? attempt.bytes : 0;
}

// Leaves the function with transfers of which as few as needed are late, or
// fails with the error of all late.
static bool choose_one_by_one(Attempt *attempt) {
  attempt->transfers.mode = LUNA_TRANSFERS_PREFETCH;
  if (luna_attempt(attempt->func, LUNA_PLAN_HINTS, insert_and_plan, attempt))
    return true;
  attempt->transfers.mode = LUNA_TRANSFERS_AUTO;
  if (!luna_find_weights(attempt->func, attempt->machine, &attempt->weights))
    return false;
  Best best = {.attempt = *attempt,
               .is_late = LUNA_ARENA_ARRAY(attempt->weights.arena, bool,
                                           attempt->weights.count)};
  best.attempt.cycles = UINT64_MAX;
  find_best(attempt, &best);
  if (best.attempt.cycles < UINT64_MAX) {
    *attempt = best.attempt;
    attempt->bytes = wanted_bytes(best.attempt);
    for (uint64_t i = 0; i < attempt->weights.count; ++i)
      attempt->weights.items[i].is_late = best.is_late[i];
  } else {
    set_late(attempt, true);
    attempt->tiled = attempt->has_scratch ? LAST : 0;
  }
  return mlirLogicalResultIsSuccess(insert_and_plan(attempt));
}

static void warn_late(const Attempt *attempt) {
  char message[256];
  uint64_t late = 0;
  for (uint64_t i = 0; i < attempt->weights.count; ++i) {
    const LunaWeights *weights = &attempt->weights.items[i];
    late += weights->is_late && weights->hidden_cycles > 0;
  }
  if (late == 0)
    return;
  snprintf(message, sizeof message,
           "%llu of %llu loads of weights are not overlapped with computation; "
           "%lld bytes of shared memory would do, machine '%s' has %lld",
           (unsigned long long)late, (unsigned long long)attempt->weights.count,
           (long long)attempt->bytes, attempt->machine->name,
           (long long)attempt->machine->shared.bytes);
  lunaEmitWarning(attempt->func, message);
}

static void warn(const Attempt *attempt) {
  char message[160];
  snprintf(message, sizeof message,
           "the staging buffers of dma=%s do not fit; weights are loaded as by "
           "dma=%s",
           luna_transfer_mode_name(attempt->first),
           luna_transfer_mode_name(attempt->transfers.mode));
  lunaEmitWarning(attempt->func, message);
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  Attempt attempt = {.func = func,
                     .machine = luna_machine_of_option(&options[OPT_MACHINE]),
                     .has_scratch = luna_has_scratch(func)};
  if (!luna_transfer_mode_read(func, options[OPT_MODE].string,
                               &attempt.first) ||
      !luna_place_read(func, options[OPT_PLACE].string, &attempt.tiling.place))
    return mlirLogicalResultFailure();
  attempt.tiling.wants_calls = strcmp(options[OPT_LAYOUT].string, "calls") == 0;
  attempt.transfers.mode = attempt.first;
  memcpy(attempt.planning, &options[OPT_PLAN],
         LUNA_PLAN_OPTIONS * sizeof *options);
  LunaArena arena = {0};
  attempt.weights.arena = &arena;
  bool is_auto = attempt.first == LUNA_TRANSFERS_AUTO;
  MlirOperation copy = {NULL};
  if (attempt.tiling.wants_calls && !is_auto)
    copy = mlirOperationClone(func);
  bool is_chosen = is_auto ? choose_one_by_one(&attempt) : choose(&attempt);
  if (is_chosen && !mlirOperationIsNull(copy))
    compare_with_sync(&attempt, copy);
  if (!mlirOperationIsNull(copy))
    mlirOperationDestroy(copy);
  if (is_chosen && is_auto) {
    attempt.transfers.mode = attempt.first;
    warn_late(&attempt);
  }
  luna_arena_destroy(&arena);
  if (!is_chosen)
    return mlirLogicalResultFailure();
  if (options[OPT_RECORD_MODE].integer)
    luna_set_string(func, "luna.dma",
                    luna_transfer_mode_name(attempt.transfers.mode));
  if (attempt.transfers.mode != attempt.first)
    warn(&attempt);
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
