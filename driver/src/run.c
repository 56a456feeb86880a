#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "diagnostics.h"
#include "emit.h"
#include "inputs.h"
#include "kept_model.h"
#include "luna/core_program.h"
#include "luna/guard.h"
#include "luna/paths.h"
#include "luna/reference.h"
#include "outputs.h"
#include "progress.h"
#include "run_print.h"
#include "stats.h"
#include "versions.h"

// The state of a `lunac run`.
typedef struct Run {
  LunacSession *session;
  LunaArena *arena;
  LunacModel model;
  LunacKeptModel cached;
  bool is_cached; // the model came from the cache
  LunaNativeCode code;
  MlirModule
      untouched; // the model as read, for the reference; null without --check
  LunaCompiled compiled;
  LunaSimulator *simulator;
  LunaCoreProgram core; // with --on=CORE; its target is NULL on this computer
  LunaReference reference;
  LunaValues *inputs, *expected;
  uint32_t version;                 // of the inputs
  const LunaProgramTensor *outputs; // as it has them
  int64_t cases;
  LunaPath *paths;
  uint32_t path_count;
  // What is under execution, for a crash.
  const LunaPath *path;
  int64_t number;
  bool is_in_reference;
  // The outputs of the first path, by case and output; written at the end.
  uint8_t **kept;
  double tolerance;
  LunaReportRuns runs;
  uint64_t expected_outputs; // of --expect, over all cases
  LunaReportBuilder report;
} Run;

static int fail(Run *run, const LunaError *error) {
  luna_diagnose(run->session, error->message);
  return luna_error_exit_code(error->code);
}

//===- Compiling ----------------------------------------------------------===//

static int compile(Run *run) {
  LunacSession *session = run->session;
  luna_kept_model_open(session, false, &run->cached);
  run->is_cached = luna_kept_model_find(
      session, &run->cached, session->options->check, &run->model, &run->code);
  if (run->is_cached)
    return run->cached.found.exit_code;
  int code = luna_model_read(session, session->options->model, &run->model);
  if (code == 0 && session->options->check)
    run->untouched = mlirModuleFromOperation(
        mlirOperationClone(mlirModuleGetOperation(run->model.module)));
  if (code == 0)
    code = luna_model_plan(session, &run->model);
  if (code == 0) {
    luna_kept_model_note(session, &run->model, &run->cached);
    code = luna_model_lower(session, &run->model);
  }
  if (code == 0)
    luna_kept_model_note_code(session, &run->model, &run->cached);
  else
    luna_kept_model_put_refusal(session, &run->cached, code);
  return code;
}

// Prints `error` unless MLIR has printed a diagnostic.
static int fail_unless_diagnosed(Run *run, const LunaError *error) {
  return run->session->has_diagnosed ? luna_error_exit_code(error->code)
                                     : fail(run, error);
}

// What came from the cache has its code.
static bool generate(Run *run, LunaError *error) {
  if (run->is_cached)
    return true;
  if (!luna_compiled_code(run->model.module, run->cached.cache, run->arena,
                          &run->code, error))
    return false;
  luna_kept_model_put(run->session, &run->cached, &run->code);
  return true;
}

static int load(Run *run) {
  LunaError error = {0};
  luna_progress(run->session, "compiling for this computer");
  run->session->has_diagnosed = false;
  run->compiled.alignment_bytes = run->session->machine.alignment_bytes;
  return generate(run, &error) &&
                 luna_compiled_load(&run->code, run->model.symbol_name,
                                    run->arena, &run->compiled, &error)
             ? 0
             : fail_unless_diagnosed(run, &error);
}

static bool wants_time_line(const LunacOptions *options) {
  return options->trace || options->report;
}

static int set_up_simulator(Run *run) {
  const LunacOptions *options = run->session->options;
  LunaError error = {0};
  LunaSimulatorOptions simulator = {
      .no_events = !wants_time_line(options),
      .cycle_limit = (uint64_t)options->max_cycles,
      .only_calls = strcmp(options->layout, "calls") == 0,
  };
  run->simulator = luna_simulator_create(&run->session->machine, &simulator);
  return luna_simulator_bind(run->simulator, &run->compiled.program,
                             &run->compiled.memory, &error)
             ? 0
             : fail(run, &error);
}

// With --on=CORE: links the program, in a file of its own.
static int set_up_core(Run *run) {
  const LunacOptions *options = run->session->options;
  const LunaObjectTarget *target = luna_emit_target(run->session, options->on);
  LunaError error = {0};
  if (!target->triple)
    return 0;
  run->core = (LunaCoreProgram){
      .target = target,
      .path = luna_core_path(run->arena, &error),
      .machine = &run->session->machine,
      .compiled = &run->compiled,
      .cycle_limit = (uint64_t)options->max_cycles,
      .simulator = wants_time_line(options) ? run->simulator : NULL,
      .arena = run->arena,
  };
  luna_progress(run->session, "compiling for %s", target->name);
  run->model.target = target;
  run->model.program_path = run->core.path;
  return run->core.path ? luna_emit_program(run->session, &run->model)
                        : fail(run, &error);
}

static int set_up_values(Run *run) {
  const LunacOptions *options = run->session->options;
  LunaError error = {0};
  if (!luna_tolerance_read(options, &run->tolerance, &error))
    return fail(run, &error);
  const LunaProgramInfo *program = &run->compiled.program;
  run->inputs = LUNA_ARENA_ARRAY(run->arena, LunaValues, program->input_count);
  run->expected =
      LUNA_ARENA_ARRAY(run->arena, LunaValues, program->output_count);
  if (!luna_version_inputs_read(options, program, run->arena, run->inputs,
                                &run->cases, &run->version, &error))
    return fail(run, &error);
  run->outputs = luna_version_outputs(program, run->version, run->arena);
  if (!luna_expected_read(options, run->outputs, program->output_count,
                          run->arena, run->expected, run->cases, &error))
    return fail(run, &error);
  run->kept = LUNA_ARENA_ARRAY(run->arena, uint8_t *,
                               run->cases * program->output_count);
  return 0;
}

//===- Paths --------------------------------------------------------------===//
// The first path is that of the user or the model; with --check, every path of
// the plan follows.
static int choose_paths(Run *run) {
  const LunacOptions *options = run->session->options;
  const LunaPlanRecord *plan = &run->model.plan;
  LunaError error = {0};
  run->paths = LUNA_ARENA_ARRAY(run->arena, LunaPath, plan->path_count + 1);
  const char *given = options->force_branch ? options->force_branch : "";
  if (!luna_path_read(&run->compiled.program, given, run->arena, &run->paths[0],
                      &error))
    return fail(run, &error);
  run->path_count = 1;
  if (!options->force_branch)
    run->paths[0].name = "as decided";
  if (run->compiled.program.branch_count == 0)
    run->paths[0].name = "straight";
  bool wants_all = options->check && !options->force_branch &&
                   run->compiled.program.branch_count > 0;
  for (uint32_t i = 0; wants_all && i < plan->path_count; ++i)
    if (!luna_path_read(&run->compiled.program, plan->paths[i].path, run->arena,
                        &run->paths[run->path_count++], &error))
      return fail(run, &error);
  return 0;
}

static bool make_reference(Run *run, LunaError *error) {
  // It runs once per path and case: optimisation costs more than it gains.
  enum { OPTIMISATION_LEVEL = 0 };
  if (run->is_cached)
    return luna_reference_restore(run->cached.reference.body,
                                  run->cached.reference.body_bytes,
                                  &run->reference, error);
  if (!luna_reference_create(run->untouched, OPTIMISATION_LEVEL,
                             &run->reference, error))
    return false;
  luna_kept_model_put_reference(run->session, &run->cached, &run->reference);
  return true;
}

static int set_up_reference(Run *run) {
  LunaError error = {0};
  const LunaProgramInfo *program = &run->compiled.program;
  if (!run->session->options->check)
    return 0;
  luna_progress(run->session, "compiling the reference");
  run->session->has_diagnosed = false;
  if (!make_reference(run, &error))
    return fail_unless_diagnosed(run, &error);
  if (run->path_count > 1 &&
      !luna_reference_has_branches_of(&run->reference, program)) {
    luna_progress_end(run->session);
    fprintf(stderr, "lunac: warning: upstream MLIR sees other branches in the "
                    "model than the compiled program has; only the path that "
                    "the inputs take is compared\n");
    run->path_count = 1;
  }
  return 0;
}

//===- One run ------------------------------------------------------------===//

static void set_inputs(Run *run, int64_t number) {
  const LunaProgramInfo *program = &run->compiled.program;
  for (uint32_t i = 0; i < program->input_count; ++i) {
    size_t bytes = (size_t)program->inputs[i].bytes;
    const uint8_t *values = run->inputs[i].bytes + number * (int64_t)bytes;
    memcpy(run->compiled.memory.inputs[i], values, bytes);
    if (run->session->options->check)
      memcpy(luna_reference_input(&run->reference, i)->data, values, bytes);
  }
}

static void keep_outputs(Run *run, int64_t number) {
  const LunaProgramInfo *program = &run->compiled.program;
  for (uint32_t i = 0; i < program->output_count; ++i) {
    uint64_t bytes = (uint64_t)run->outputs[i].bytes;
    uint8_t *copy = luna_arena_alloc(run->arena, bytes, 1);
    memcpy(copy, run->compiled.memory.outputs[i], bytes);
    run->kept[number * program->output_count + i] = copy;
  }
}

// Compares the outputs with `expected`, if there are any.
static uint64_t compare(Run *run, const LunaPath *path, int64_t number,
                        const LunaProgramTensor *outputs,
                        const uint8_t *const *expected, double tolerance,
                        const char *whose) {
  uint64_t mismatches = 0;
  for (uint32_t i = 0; i < run->compiled.program.output_count; ++i) {
    const LunaProgramTensor *tensor = &outputs[i];
    LunaDifference difference;
    if (!expected[i] ||
        luna_difference_find(tensor, run->compiled.memory.outputs[i],
                             expected[i], tolerance, &difference))
      continue;
    ++mismatches;
    luna_print_difference(run->session, path->name, number, whose, tensor,
                          run->compiled.memory.outputs[i], expected[i],
                          &difference);
  }
  return mismatches;
}

static bool compare_with_reference(Run *run, const LunaPath *path,
                                   int64_t number, uint64_t *mismatches) {
  if (!run->session->options->check)
    return true;
  uint32_t count = run->compiled.program.output_count;
  const uint8_t **expected =
      LUNA_ARENA_ARRAY(run->arena, const uint8_t *, count);
  const LunaProgramInfo *program = &run->compiled.program;
  uint32_t version = luna_version_of_path(program, path, run->version);
  for (uint32_t i = 0; i < count; ++i)
    expected[i] = luna_reference_output(&run->reference, i)->data;
  run->is_in_reference = true;
  bool is_done = luna_reference_run(&run->reference, path->decisions,
                                    run->compiled.program.branch_count);
  run->is_in_reference = false;
  if (is_done)
    *mismatches += compare(run, path, number,
                           luna_version_outputs(program, version, run->arena),
                           expected, 0, "reference") +
                   luna_print_wrong_quantize(run->session, path->name, number,
                                             &run->reference);
  else
    luna_diagnose(run->session, "the reference cannot be run");
  return is_done;
}

static void compare_with_files(Run *run, const LunaPath *path, int64_t number,
                               uint64_t *mismatches) {
  const uint8_t **expected = LUNA_ARENA_ARRAY(
      run->arena, const uint8_t *, run->compiled.program.output_count);
  for (uint32_t i = 0; i < run->compiled.program.output_count; ++i)
    if (run->expected[i].bytes) {
      expected[i] = run->expected[i].bytes + number * run->outputs[i].bytes;
      ++run->expected_outputs;
    }
  *mismatches += compare(run, path, number, run->outputs, expected,
                         run->tolerance, "expected");
}

static void note_result(LunaReportRuns *runs, const LunaRunResult *result) {
  runs->hazard_count += result->hazard_count;
  if (result->cycles < runs->slowest.total)
    return;
  runs->slowest = (LunaReportCycles){
      .total = result->cycles,
      .compute = result->compute_cycles,
      .dma = result->dma_cycles,
      .stall = result->stall_cycles,
      .host = result->host_cycles,
      .bound = result->bound_cycles,
  };
}

// Runs the program once, then the reference. Returns an exit code: 3 if one of
// them cannot complete.
static int run_once(Run *run, const LunaPath *path, int64_t number,
                    const LunaRunResult **result, uint64_t *mismatches) {
  LunaError error = {0};
  run->path = path;
  run->number = number;
  set_inputs(run, number);
  *result = run->core.target
                ? luna_core_run(&run->core, path->decisions, &error)
                : luna_simulator_run(run->simulator, luna_compiled_call,
                                     &run->compiled);
  if (!*result)
    return fail(run, &error);
  note_result(&run->runs, *result);
  luna_print_hazards(run->session, path->name, number, *result);
  ++run->runs.checked_runs;
  return !(*result)->is_broken_off &&
                 compare_with_reference(run, path, number, mismatches)
             ? 0
             : 3;
}

// The first path is the requested run: its outputs are kept.
static int run_case(Run *run, uint32_t index, int64_t number) {
  const LunaPath *path = &run->paths[index];
  const LunaRunResult *result = NULL;
  uint64_t mismatches = 0;
  int code = 0;
  for (int64_t i = 0; code == 0 && i < run->session->options->repeat; ++i)
    code = run_once(run, path, number, &result, &mismatches);
  if (code != 0)
    return code;
  if (index == 0)
    compare_with_files(run, path, number, &mismatches);
  run->runs.mismatches += mismatches;
  luna_print_run(run->session, path->name, number, result, mismatches == 0);
  bool is_equal = mismatches == 0;
  if (run->session->options->report || run->session->options->stats)
    luna_report_add_run(&run->report, run->simulator, &run->compiled.program,
                        result,
                        run->session->options->check ? &is_equal : NULL);
  if (index == 0 && run->session->options->output)
    keep_outputs(run, number);
  return 0;
}

// Every path starts with the initial state; its cases are consecutive calls.
static void reset_state(Run *run) {
  luna_compiled_reset(&run->compiled);
  if (run->session->options->check)
    luna_reference_reset(&run->reference);
}

static int run_paths(Run *run) {
  LunaError error = {0};
  luna_stats_begin(run->session, &run->model, &run->report);
  luna_progress_end(run->session);
  luna_print_head(run->session, &run->model);
  for (uint32_t i = 0; i < run->path_count; ++i) {
    if (!luna_path_force(run->simulator, &run->compiled.program, &run->paths[i],
                         &error))
      return fail(run, &error);
    reset_state(run);
    for (int64_t number = 0; number < run->cases; ++number) {
      luna_progress(run->session, "running path %u of %u, case %" PRId64, i + 1,
                    run->path_count, number);
      int code = run_case(run, i, number);
      if (code != 0)
        return code;
    }
  }
  return 0;
}

//===- The command --------------------------------------------------------===//

static int finish(Run *run) {
  const LunacOptions *options = run->session->options;
  run->runs.is_checked = options->check;
  run->runs.checked_paths = run->path_count;
  run->runs.forced_paths = run->path_count - 1;
  luna_print_end(run->session, &run->model.plan, &run->runs,
                 run->expected_outputs);
  if (options->check)
    luna_print_reference(run->session, &run->reference);
  int code = luna_outputs_write(run->session, run->outputs,
                                run->compiled.program.output_count, run->kept,
                                run->cases);
  if (code == 0)
    code = luna_trace_write(run->session, run->simulator);
  if (code == 0)
    code = luna_stats_write(run->session, &run->report, &run->runs);
  if (code == 0)
    code = luna_page_write(run->session, &run->report);
  bool is_clean = run->runs.hazard_count == 0 && run->runs.mismatches == 0;
  return code != 0 || is_clean ? code : 3;
}

static void tear_down(Run *run) {
  if (run->core.path)
    luna_core_remove(run->core.path);
  luna_simulator_destroy(run->simulator);
  luna_reference_destroy(&run->reference);
  luna_compiled_unload(&run->compiled);
  if (!mlirModuleIsNull(run->untouched))
    mlirModuleDestroy(run->untouched);
  luna_model_destroy(&run->model);
  luna_kept_model_close(&run->cached);
}

//===- The process of its own ---------------------------------------------===//

static void print_operator(void *data, LunaText *text) {
  const Run *run = data;
  const char *op = run->is_in_reference || !run->simulator
                       ? NULL
                       : luna_simulator_host_op_name(run->simulator);
  if (op)
    luna_text_printf(text, "operator '%s': ", op);
}

static void print_run(void *data, LunaText *text) {
  Run *run = data;
  luna_progress_end(run->session);
  if (run->is_in_reference)
    luna_text_printf(text, " in the reference");
  if (run->path)
    luna_text_printf(text, " (path %s, case %" PRId64 ")", run->path->name,
                     run->number);
}

// From here on generated code is in this process.
static int run_inside(Run *run) {
  static int (*const steps[])(Run *) = {
      load,         set_up_simulator, set_up_core, set_up_values,
      choose_paths, set_up_reference, run_paths,   finish};
  int code = 0;
  for (size_t i = 0; code == 0 && i < sizeof steps / sizeof steps[0]; ++i)
    code = steps[i](run);
  return code;
}

static int run_guarded(Run *run) {
  const LunaGuard guard = {print_operator, print_run, run};
  LunaError error = {0};
  int code = 0;
  if (luna_guard_enter(&guard, &code, &error) == LUNA_GUARD_INSIDE)
    return run_inside(run);
  run->session->has_transient_line = false; // the other process ended it
  if (error.code != LUNA_ERROR_NONE)
    luna_diagnose(run->session, error.message);
  return code;
}

int luna_run(LunacSession *session) {
  Run run = {.session = session, .arena = session->arena};
  int code = compile(&run);
  if (code == 0)
    code = run_guarded(&run);
  tear_down(&run);
  return code;
}
