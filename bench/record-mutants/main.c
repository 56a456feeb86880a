// luna-mutate-records [--seed=N] [--per-kind=N] [--cases=N] [--machine=M]
// [--verbose] PLAN.mlir…: compiles plans and puts faults, one at a time, into
// the records of products and the chains of sums that their programs have. Each
// program runs twice with each: on the simulator, which refuses a record that
// is not that of the descriptor, and as on a chip, where nothing checks, to see
// whether the outputs tell. Chains of sums are not in the program but derived
// on the chip, so that only outputs can; one that they do not show is equal if
// it gives the right result for every pair of operands of 8 bits, else missed.
// Prints a row for each kind: made, refused, seen in the outputs, equal and
// missed. Exits with 0 if none is missed, 3 if some are, 2 where something
// cannot be run.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "luna-c/run_passes.h"
#include "luna/compiled.h"
#include "luna/context.h"
#include "runtime.h"

#include "../../device_runtime/src/core_chain.h"

enum { ALL_FOUND = 0, BAD_INPUT = 2, MISSED = 3 };
enum { PATHS = 2, SLACK_BYTES = 1 << 25, ALIGN_BYTES = 64 };
// Kinds of records, then those of the chains of sums.
enum { KIND_COUNT = RECORD_FAULT_COUNT + LUNA_CHAIN_FAULT_COUNT };

typedef struct Tally {
  uint32_t made, refused, seen, equal, missed;
} Tally;

typedef struct Options {
  uint64_t seed;
  uint32_t per_kind;
  int cases;
  const char *machine;
  bool is_verbose;
} Options;

typedef struct Program {
  const Options *options;
  Tally *tallies;
  const char *path;
  LunaArena arena;
  LunaMachine machine;
  LunaNativeCode code;
  LunaCompiled compiled;
  LunaSimulator *simulator;
  uint8_t *slack; // around the arena of the program
  Runtime runtime;
  uint64_t output_bytes;
  uint8_t *right; // outputs of each case without a fault
} Program;

// The next number of a fixed sequence (xorshift64*).
static uint64_t draw(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * UINT64_C(0x2545F4914F6CDD1D);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static bool compile(Program *program, MlirContext context, LunaError *error) {
  LunaText text = {0};
  luna_text_printf(&text,
                   "luna-compile-to-llvm{machine=%s model=model layout=auto}",
                   program->options->machine);
  MlirModule module = mlirModuleCreateParseFromFile(
      context, mlirStringRefCreateFromCString(program->path));
  bool is_ok =
      !mlirModuleIsNull(module) &&
      luna_run_passes(module, text.data, "it cannot be lowered", error) &&
      luna_compiled_code(module, NULL, &program->arena, &program->code, error);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  luna_text_deinit(&text);
  return is_ok;
}

// A fault may read and write beside its operands, where others lie; beside the
// arena lies nothing.
static void surround_arena(Program *program) {
  LunaCompiled *compiled = &program->compiled;
  size_t bytes = (size_t)compiled->program.arena_bytes + 2 * SLACK_BYTES;
  program->slack = calloc(bytes + ALIGN_BYTES, 1);
  uintptr_t start = (uintptr_t)program->slack + SLACK_BYTES;
  compiled->memory.arena = program->slack + SLACK_BYTES +
                           (ALIGN_BYTES - start % ALIGN_BYTES) % ALIGN_BYTES;
  compiled->arguments = luna_program_arguments(
      &compiled->program, &compiled->memory, &program->arena);
}

static bool load(Program *program, LunaError *error) {
  LunaCompiled *compiled = &program->compiled;
  compiled->alignment_bytes = program->machine.alignment_bytes;
  compiled->runtime = runtime_symbols(&compiled->runtime_count);
  if (!luna_compiled_load(&program->code, "model", &program->arena, compiled,
                          error))
    return false;
  if (compiled->program.version_count > 0)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "it is compiled for several sizes");
  surround_arena(program);
  program->runtime =
      (Runtime){.program = &compiled->program, .arena = &program->arena};
  for (uint32_t i = 0; i < compiled->program.output_count; ++i)
    program->output_bytes += (uint64_t)compiled->program.outputs[i].bytes;
  program->right = luna_arena_alloc(
      &program->arena,
      program->output_bytes * (uint64_t)program->options->cases, 8);
  const LunaSimulatorOptions options = {.no_events = true,
                                        .cycle_limit = 500000000};
  program->simulator = luna_simulator_create(&program->machine, &options);
  return luna_simulator_bind(program->simulator, &compiled->program,
                             &compiled->memory, error);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

// Integers that may be trip counts are small.
static void fill_input(const LunaProgramTensor *tensor, void *data,
                       uint64_t *state) {
  uint8_t *to = data;
  int32_t bytes = luna_element_bytes(tensor->type);
  for (int64_t i = 0; i < tensor->bytes; i += bytes, to += bytes) {
    uint64_t number = draw(state) >> 32;
    float real = (float)(int32_t)(number % 4001) / 1000.0f - 2.0f;
    if (tensor->type == LUNA_TYPE_F32)
      memcpy(to, &real, sizeof real);
    else if (tensor->type == LUNA_TYPE_I1)
      *to = number & 1;
    else if (bytes >= 4 && tensor->bytes == bytes)
      memcpy(to, &(int64_t){3}, (size_t)bytes);
    else
      memcpy(to, &number, (size_t)bytes);
  }
}

static void set_inputs(Program *program, int number) {
  const LunaProgramInfo *info = &program->compiled.program;
  uint64_t state =
      (program->options->seed * 1000003 + (uint64_t)number) * 2 + 1;
  for (uint32_t i = 0; i < info->input_count; ++i)
    fill_input(&info->inputs[i], program->compiled.memory.inputs[i], &state);
}

// Runs a case; writes its outputs. Returns how many hazards there were.
static uint64_t run(Program *program, int number, uint8_t *outputs) {
  const LunaProgramInfo *info = &program->compiled.program;
  runtime_set(&program->runtime);
  luna_compiled_reset(&program->compiled);
  set_inputs(program, number);
  const LunaRunResult *result = luna_simulator_run(
      program->simulator, luna_compiled_call, &program->compiled);
  for (uint32_t i = 0; i < info->output_count; ++i) {
    size_t bytes = (size_t)info->outputs[i].bytes;
    memcpy(outputs, program->compiled.memory.outputs[i], bytes);
    outputs += bytes;
  }
  return result->hazard_count;
}

static uint8_t *right_outputs(const Program *program, int number) {
  return program->right + program->output_bytes * (uint64_t)number;
}

// Notes what the program calls on its path, and what it gives. Returns false if
// the simulator refuses it without a fault.
static bool run_without_fault(Program *program, int path) {
  LunaArena arena = {0};
  bool is_right = true;
  uint8_t *outputs = luna_arena_alloc(&arena, program->output_bytes, 8);
  Runtime *runtime = &program->runtime;
  runtime->path = path;
  runtime->targets.count = 0;
  runtime->target = (Target){.record = NULL};
  for (int i = 0; i < program->options->cases; ++i) {
    runtime->is_checked = false;
    runtime->notes = true;
    run(program, i, right_outputs(program, i));
    runtime->is_checked = true;
    runtime->notes = false;
    is_right &=
        run(program, i, outputs) == 0 &&
        memcmp(outputs, right_outputs(program, i), program->output_bytes) == 0;
  }
  luna_arena_destroy(&arena);
  return is_right;
}

// A sum's chain is not in the program, so that nothing can refuse it.
static bool is_refused(Program *program, uint8_t *outputs) {
  program->runtime.is_checked = true;
  return program->runtime.target.record && run(program, 0, outputs) > 0;
}

static bool is_seen(Program *program, uint8_t *outputs) {
  program->runtime.is_checked = false;
  for (int i = 0; i < program->options->cases; ++i) {
    run(program, i, outputs);
    if (memcmp(outputs, right_outputs(program, i), program->output_bytes) != 0)
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// All operands
//===----------------------------------------------------------------------===//

enum { PAIRS = 1 << 16, SUM_BYTES_MAX = 4 };

// Computes the results of all pairs of operands of 8 bits.
static void compute_pairs(const LunaEltwiseDesc *desc,
                          const LunaEltwiseChain *chain, uint8_t *output,
                          LunaArena *arena) {
  LunaEltwiseChain all = *chain;
  uint8_t *lhs = luna_arena_alloc(arena, PAIRS, 8);
  uint8_t *rhs = luna_arena_alloc(arena, PAIRS, 8);
  for (int i = 0; i < PAIRS; ++i) {
    lhs[i] = (uint8_t)(i >> 8);
    rhs[i] = (uint8_t)i;
  }
  all.elements = all.piece = PAIRS;
  all.padded = LUNA_VECTOR_NOWHERE;
  all.row = 1;
  const LunaCorePlaces places = {
      .at = {[LUNA_VECTOR_SUMS] = luna_arena_alloc(arena, 8 * PAIRS, 8),
             [LUNA_VECTOR_LHS] = lhs,
             [LUNA_VECTOR_RHS] = rhs,
             [LUNA_VECTOR_OUTPUT] = output}};
  luna_core_eltwise_chain(desc, &all, places);
}

// Returns for how many pairs the fault gives another result; all where operands
// have more bits.
static int count_wrong_pairs(const Program *program) {
  const LunaEltwiseDesc *desc = program->runtime.target.sum;
  LunaArena arena = {0};
  LunaEltwiseChain right;
  uint8_t *outputs[2];
  int32_t bytes = luna_element_bytes(desc->output.type);
  int wrong = 0;
  if (desc->lhs.type != LUNA_TYPE_I8 || desc->rhs.type != LUNA_TYPE_I8)
    return PAIRS;
  luna_eltwise_has_chain(desc, &right);
  for (int i = 0; i < 2; ++i)
    outputs[i] = luna_arena_alloc(&arena, SUM_BYTES_MAX * PAIRS, 8);
  compute_pairs(desc, &right, outputs[0], &arena);
  compute_pairs(desc, &program->runtime.faulty_sum, outputs[1], &arena);
  for (int i = 0; i < PAIRS; ++i)
    wrong += memcmp(outputs[0] + i * bytes, outputs[1] + i * bytes,
                    (size_t)bytes) != 0;
  luna_arena_destroy(&arena);
  return wrong;
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

typedef struct Fault {
  int kind;
  uint64_t target;
  int32_t index;
} Fault;

static const char *kind_name(int kind, LunaArena *arena) {
  return kind < RECORD_FAULT_COUNT
             ? record_fault_name((RecordFault)kind)
             : luna_arena_printf(
                   arena, "sum-%s",
                   luna_chain_fault_name(
                       (LunaChainFault)(kind - RECORD_FAULT_COUNT)));
}

// Makes the fault, in `arena`. Returns false if there is none.
static bool put(Program *program, const Fault *fault, LunaArena *arena) {
  Runtime *runtime = &program->runtime;
  runtime->target = runtime->targets.items[fault->target];
  const LunaProductRecord *record = runtime->target.record;
  if (!record != (fault->kind >= RECORD_FAULT_COUNT))
    return false;
  if (record) {
    size_t bytes = record_bytes(record);
    runtime->faulty_record = luna_arena_alloc(arena, bytes, 8);
    memcpy(runtime->faulty_record, record, bytes);
    return record_fault_put((RecordFault)fault->kind, fault->index,
                            runtime->faulty_record);
  }
  LunaVectorChain *chain = &runtime->faulty_sum.chain;
  return luna_eltwise_has_chain(runtime->target.sum, &runtime->faulty_sum) &&
         luna_chain_fault_put(
             (LunaChainFault)(fault->kind - RECORD_FAULT_COUNT), fault->index,
             chain->calls, &chain->count);
}

static void describe(const Program *program, const Fault *fault,
                     const char *judgement, LunaArena *arena) {
  printf("%s: %s: %s %d of operator %d on path %d\n", judgement, program->path,
         kind_name(fault->kind, arena), (int)fault->index, (int)fault->target,
         program->runtime.path);
}

static void try_fault(Program *program, const Fault *fault) {
  LunaArena arena = {0};
  Tally *tally = &program->tallies[fault->kind];
  uint8_t *outputs = luna_arena_alloc(&arena, program->output_bytes, 8);
  if (put(program, fault, &arena)) {
    bool refused = is_refused(program, outputs);
    bool seen = is_seen(program, outputs);
    int wrong = refused || seen ? 0 : count_wrong_pairs(program);
    ++tally->made;
    tally->refused += refused;
    tally->seen += seen;
    tally->equal += !refused && !seen && wrong == 0;
    tally->missed += wrong > 0;
    if (wrong > 0)
      describe(program, fault,
               luna_arena_printf(
                   &arena, "missed, wrong for %d of 65536 operands", wrong),
               &arena);
    else if (program->options->is_verbose)
      describe(program, fault,
               refused ? seen ? "refused, seen" : "refused, not seen"
               : seen  ? "seen"
                       : "equal",
               &arena);
  }
  luna_arena_destroy(&arena);
}

// Returns the indices below which a kind has its faults in a target.
static int32_t limit_of(const Target *target, int kind) {
  if (target->record)
    return kind < RECORD_FAULT_COUNT
               ? record_fault_limit((RecordFault)kind, target->record)
               : 0;
  return kind < RECORD_FAULT_COUNT ? 0 : 2 * LUNA_CHAIN_CALLS_MAX;
}

// Tries some faults of a kind, drawn from all targets.
static void try_kind(Program *program, int kind) {
  LunaArena arena = {0};
  LUNA_VECTOR(Fault) faults = {0};
  uint64_t state = program->options->seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
  for (uint64_t t = 0; t < program->runtime.targets.count; ++t) {
    int32_t limit = limit_of(&program->runtime.targets.items[t], kind);
    for (int32_t i = 0; i < limit; ++i) {
      LunaArena scratch = {0};
      const Fault fault = {kind, t, i};
      if (put(program, &fault, &scratch))
        *LUNA_VECTOR_ADD(&arena, &faults) = fault;
      luna_arena_destroy(&scratch);
    }
  }
  for (uint32_t i = 0; i < program->options->per_kind && i < faults.count;
       ++i) {
    uint64_t other = i + draw(&state) % (faults.count - i);
    const Fault chosen = faults.items[other];
    faults.items[other] = faults.items[i];
    try_fault(program, &chosen);
  }
  luna_arena_destroy(&arena);
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

static bool try_program(Program *program) {
  int paths = program->compiled.program.branch_count > 0 ? PATHS : 1;
  for (int path = 0; path < paths; ++path) {
    if (!run_without_fault(program, path)) {
      fprintf(stderr, "luna-mutate-records: %s: has hazards without a fault\n",
              program->path);
      return false;
    }
    for (int kind = 0; kind < KIND_COUNT; ++kind)
      try_kind(program, kind);
  }
  return true;
}

static bool try_file(MlirContext context, const Options *options,
                     const char *path, Tally *tallies) {
  Program program = {.options = options, .tallies = tallies, .path = path};
  LunaError error = {0};
  bool is_ok =
      luna_machine_load(options->machine, NULL, &program.machine, &error) &&
      compile(&program, context, &error) && load(&program, &error);
  if (!is_ok)
    fprintf(stderr, "luna-mutate-records: %s: %s\n", path, error.message);
  is_ok = is_ok && try_program(&program);
  luna_simulator_destroy(program.simulator);
  luna_compiled_unload(&program.compiled);
  free(program.slack);
  luna_arena_destroy(&program.arena);
  return is_ok;
}

static int report(const Tally *tallies) {
  LunaArena arena = {0};
  Tally all = {0};
  for (int kind = 0; kind < KIND_COUNT; ++kind) {
    const Tally *tally = &tallies[kind];
    printf("%-22s %u made, %u refused, %u seen, %u equal, %u missed\n",
           kind_name(kind, &arena), tally->made, tally->refused, tally->seen,
           tally->equal, tally->missed);
    all.missed += tally->missed;
  }
  luna_arena_destroy(&arena);
  return all.missed == 0 ? ALL_FOUND : MISSED;
}

static bool read_option(Options *options, const char *text) {
  if (strncmp(text, "--seed=", 7) == 0)
    options->seed = strtoull(text + 7, NULL, 10);
  else if (strncmp(text, "--per-kind=", 11) == 0)
    options->per_kind = (uint32_t)strtoul(text + 11, NULL, 10);
  else if (strncmp(text, "--cases=", 8) == 0)
    options->cases = atoi(text + 8);
  else if (strncmp(text, "--machine=", 10) == 0)
    options->machine = text + 10;
  else if (strcmp(text, "--verbose") == 0)
    options->is_verbose = true;
  else
    return false;
  return true;
}

int main(int argc, char **argv) {
  Options options = {
      .seed = 1, .per_kind = UINT32_MAX, .cases = 2, .machine = "venus"};
  Tally tallies[KIND_COUNT] = {{0}};
  LunaArena arena = {0};
  LunaError error = {0};
  MlirContext context;
  int first = 1;
  while (first < argc && read_option(&options, argv[first]))
    ++first;
  if (first == argc || options.cases < 1) {
    fprintf(stderr, "usage: luna-mutate-records [--seed=N] [--per-kind=N] "
                    "[--cases=N] [--machine=M] [--verbose] PLAN.mlir...\n");
    return BAD_INPUT;
  }
  if (!luna_context_create(NULL, &arena, &context, &error)) {
    fprintf(stderr, "luna-mutate-records: %s\n", error.message);
    return BAD_INPUT;
  }
  bool is_ok = true;
  for (int i = first; is_ok && i < argc; ++i)
    is_ok = try_file(context, &options, argv[i], tallies);
  int code = is_ok ? report(tallies) : BAD_INPUT;
  mlirContextDestroy(context);
  luna_arena_destroy(&arena);
  return code;
}
