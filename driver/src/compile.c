#include "compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnostics.h"
#include "emit.h"
#include "kept_model.h"
#include "luna-c/ir.h"
#include "luna-c/plan_attr.h"
#include "luna/import.h"
#include "luna/plan_cache.h"
#include "luna/plugin.h"
#include "mlir-c/Diagnostics.h"
#include "progress.h"
#include "shared_cache.h"
#include "stats.h"

void luna_model_destroy(LunacModel *model) {
  if (!mlirModuleIsNull(model->module))
    mlirModuleDestroy(model->module);
  model->module = (MlirModule){NULL};
}

static bool is_kind(const LunacOptions *options, const char *kind) {
  return options->emit && strcmp(options->emit, kind) == 0;
}

// What --target is without the option: the machine's core for what runs there.
static const char *target_name(const LunacSession *session) {
  const LunacOptions *options = session->options;
  bool is_of_core = is_kind(options, "exe") || is_kind(options, "archive");
  if (options->target)
    return options->target;
  return is_of_core ? session->machine.core : "host";
}

//===- Planning -----------------------------------------------------------===//

// A firmware has no use for what checks need.
static bool has_checks(const LunacOptions *options) {
  if (!options->checks || strcmp(options->checks, "auto") == 0)
    return !is_kind(options, "archive");
  return strcmp(options->checks, "off") != 0;
}

// The cores have 32 bits.
static bool is_for_core(const LunacSession *session) {
  const LunacOptions *options = session->options;
  const char *target = options->on;
  if (options->command == LUNAC_COMPILE)
    target = target_name(session);
  return luna_object_target(target)->triple != NULL;
}

// Those of luna/plan_options.def, as name={value}.
static const char *planning_options(LunaArena *arena,
                                    const LunacOptions *options) {
  LunaText text = {0};
#define ADD_STRING(name, value)                                                \
  luna_text_printf(&text, " " name "={%s}", value);
#define ADD_CHOICE ADD_STRING
#define ADD_BOOL(name, value)                                                  \
  luna_text_printf(&text, " " name "=%s", value ? "true" : "false");
#define ADD_BYTES(name, value)                                                 \
  luna_text_printf(&text, " " name "=%lld", (long long)value);
#define ADD_COUNT ADD_BYTES
#define LUNA_PLAN_OPTION(ID, member, KIND, initial, name, value, choices,      \
                         text, help)                                           \
  ADD_##KIND(name, options->member)
#define LUNA_TRANSFER_OPTION LUNA_PLAN_OPTION
#include "luna/plan_options.def"
  const char *result = luna_arena_strndup(arena, text.data, text.length);
  luna_text_deinit(&text);
  return result;
}

// The ports of --port: their machine, and the memory that their library wants
// for each launch.
static const struct Port {
  const char *name, *machine;
  int block_bytes;
} ports[] = {
#define LUNA_PORT(name, machine, block_bytes) {#name, #machine, block_bytes},
#include "luna/ports.def"
};

static const struct Port *find_port(const char *name) {
  for (size_t i = 0; name && i < sizeof ports / sizeof ports[0]; ++i)
    if (strcmp(name, ports[i].name) == 0)
      return &ports[i];
  return NULL;
}

static int block_bytes(const char *port) {
  return port ? find_port(port)->block_bytes : 0;
}

static const char *pipeline_options(LunacSession *session,
                                    const LunacModel *model) {
  const LunacOptions *options = session->options;
  return luna_arena_printf(
      session->arena,
      "machine={%s} record-mode=%s model=%s runtime-checks=%s unchecked=%s "
      "ids=%s kernel-sizes=%s index-bits=%d block-bytes=%d%s",
      options->machine, options->stats || options->report ? "true" : "false",
      model->name, options->command == LUNAC_RUN ? "true" : "false",
      options->skip_verify ? "true" : "false",
      has_checks(options) ? "true" : "false", options->kernel_sizes,
      is_for_core(session) ? 32 : 64, block_bytes(options->port),
      planning_options(session->arena, options));
}

MlirOperation luna_planned_function(MlirModule module) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  while (!mlirOperationIsNull(op) && !luna_has_plan(op))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

// A step of the compilation, and the exit code if it fails. The IR of the plan
// is verified; what comes before is verified with it, and LLVM's verifier sees
// what comes after.
typedef struct Stage {
  const char *progress, *pipeline, *otherwise;
  int exit_code;
  bool is_verified;
} Stage;

static int run_stage(LunacSession *session, LunacModel *model,
                     const Stage *stage) {
  luna_progress(session, "%s", stage->progress);
  const char *pipeline =
      luna_arena_printf(session->arena, "%s{%s}", stage->pipeline,
                        pipeline_options(session, model));
  bool is_done = (stage->is_verified ? luna_session_run : luna_session_check)(
      session, model->module, pipeline, stage->otherwise);
  return is_done ? 0 : stage->exit_code;
}

// The output of `lunac compile --emit=luna` is used unchanged.
static bool is_planned(const LunacModel *model) {
  return !mlirOperationIsNull(luna_planned_function(model->module));
}

static const Stage to_plan = {
    .progress = "planning memory",
    .pipeline = "luna-compile-buffers-to-plan",
    .otherwise = "the model cannot be planned",
    .exit_code = 1,
    .is_verified = true,
};

// With the plans that the cache has, which gets the new ones.
static int plan_memory(LunacSession *session, LunacModel *model) {
  const LunacOptions *options = session->options;
  const char *folder = session->cache_folder;
  LunaCache *cache = luna_shared_cache_open(*folder ? folder : NULL);
  LunaPlanSource source =
      luna_plan_cache_source(cache, strcmp(options->plan_cache, "best") == 0);
  luna_plugin_set_plan_source(options->plugin, session->arena, session->context,
                              &source);
  int code = run_stage(session, model, &to_plan);
  luna_plugin_set_plan_source(options->plugin, session->arena, session->context,
                              NULL);
  luna_cache_close(cache);
  return code;
}

int luna_model_read_plan(LunacSession *session, LunacModel *model) {
  MlirOperation func = luna_planned_function(model->module);
  MlirStringRef dma = luna_attr_string(func, "luna.dma");
  LunaError error = {0};
  if (dma.length > 0)
    model->dma = luna_arena_strndup(session->arena, dma.data, dma.length);
  if (luna_plan_read(func, session->arena, &model->plan, &error) &&
      luna_cost_read(func, session->arena, &model->cost, &error) &&
      luna_join_effort_read(func, session->arena, &model->joins_tried, &error))
    return 0;
  mlirEmitError(mlirOperationGetLocation(func), error.message);
  return luna_error_exit_code(error.code);
}

// Computes the cost of the model with synchronous transfers. `buffers` is the
// model before its plan.
static LunaCostRecord synchronous_cost(LunacSession *session,
                                       MlirModule buffers) {
  const LunacOptions *options = session->options;
  LunacOptions synchronous = *options;
  LunacModel model = {.name = "", .module = buffers};
  LunaCostRecord cost = {0};
  LunaError error = {0};
  synchronous.dma = "sync";
  session->options = &synchronous;
  session->is_quiet = true;
  if (plan_memory(session, &model) == 0)
    luna_cost_read(luna_planned_function(buffers), session->arena, &cost,
                   &error);
  session->is_quiet = false;
  session->options = options;
  return cost;
}

static int plan_buffers(LunacSession *session, LunacModel *model) {
  MlirModule buffers = {NULL};
  if (session->options->report)
    buffers = mlirModuleFromOperation(
        mlirOperationClone(mlirModuleGetOperation(model->module)));
  int code = plan_memory(session, model);
  if (code == 0)
    code = luna_model_read_plan(session, model);
  if (mlirModuleIsNull(buffers))
    return code;
  if (code == 0 && strcmp(model->dma, "sync") != 0)
    model->synchronous_cost = synchronous_cost(session, buffers);
  mlirModuleDestroy(buffers);
  return code;
}

// Has launches be what they are in a plan that was read, unless --layout asks.
static void keep_layout(LunacSession *session) {
  if (session->options->has_layout)
    return;
  LunacOptions *options = LUNA_ARENA_ARRAY(session->arena, LunacOptions, 1);
  *options = *session->options;
  options->layout = "auto";
  session->options = options;
}

static int make_plan(LunacSession *session, LunacModel *model) {
  static const Stage to_buffers = {
      .progress = "forming buffers and regions",
      .pipeline = "luna-compile-to-buffers",
      .otherwise = "the model cannot be compiled",
      .exit_code = 2,
  };
  if (is_planned(model)) {
    luna_progress(session, "the model is planned already");
    keep_layout(session);
    return luna_model_read_plan(session, model);
  }
  int code = run_stage(session, model, &to_buffers);
  return code == 0 ? plan_buffers(session, model) : code;
}

// A plan that was read may come without a record of its program; one made here
// may not.
static int verify_plan(LunacSession *session, LunacModel *model,
                       bool was_read) {
  luna_progress(session, "verifying the plan");
  const char *verify = luna_arena_printf(
      session->arena, "func.func(luna-verify-plan{machine={%s} record=%s})",
      session->options->machine, was_read ? "wanted" : "required");
  return luna_session_check(session, model->module, verify,
                            "the plan does not hold")
             ? 0
             : 3;
}

int luna_model_plan(LunacSession *session, LunacModel *model) {
  bool was_read = is_planned(model);
  int code = make_plan(session, model);
  if (code != 0 || session->options->skip_verify)
    return code;
  return verify_plan(session, model, was_read);
}

int luna_model_record(LunacSession *session, LunacModel *model) {
  luna_progress(session, "recording the program");
  const char *pipeline = luna_arena_printf(
      session->arena, "luna-compile-to-record{machine={%s} layout={%s}}",
      session->options->machine, session->options->layout);
  return luna_session_run(session, model->module, pipeline,
                          "the model cannot be compiled")
             ? 0
             : 2;
}

int luna_model_read_code(LunacSession *session, LunacModel *model) {
  MlirOperation module = mlirModuleGetOperation(model->module);
  LunaCodeRecord *code = LUNA_ARENA_ARRAY(session->arena, LunaCodeRecord, 1);
  LunaError error = {0};
  model->code = code;
  if (luna_code_read(module, session->arena, code, &error))
    return 0;
  luna_diagnose(session, error.message);
  return luna_error_exit_code(error.code);
}

int luna_model_lower(LunacSession *session, LunacModel *model) {
  static const Stage stage = {
      .progress = "lowering",
      .pipeline = "luna-compile-to-llvm",
      .otherwise = "the plan cannot be lowered",
      .exit_code = 2,
  };
  int code = run_stage(session, model, &stage);
  return code == 0 ? luna_model_read_code(session, model) : code;
}

//===- The command --------------------------------------------------------===//

// Returns an exit code after a diagnostic if the options of a file of machine
// code do not fit.
static int check_code_options(LunacSession *session) {
  const LunacOptions *options = session->options;
  bool is_archive = is_kind(options, "archive");
  if (options->output ||
      !(is_archive || is_kind(options, "exe") || is_kind(options, "obj")))
    return 0;
  luna_diagnose(session,
                luna_arena_printf(session->arena, "--emit=%s needs -o %s",
                                  options->emit, is_archive ? "DIR" : "FILE"));
  return 2;
}

// Returns an exit code after a diagnostic if --port is for another machine.
static int check_port(LunacSession *session) {
  const struct Port *port = find_port(session->options->port);
  if (port && strcmp(session->machine.name, port->machine) != 0) {
    luna_diagnose(session,
                  luna_arena_printf(
                      session->arena, "--port=%s is for machine '%s', not '%s'",
                      port->name, port->machine, session->machine.name));
    return 2;
  }
  return 0;
}

// Lowers the model if what is written is code.
static int lower_for_emit(LunacSession *session, LunacModel *model) {
  const LunacOptions *options = session->options;
  int code = check_code_options(session);
  if (code == 0)
    code = check_port(session);
  if (code != 0 || !options->emit || is_kind(options, "luna"))
    return code;
  if (session->machine.is_vector) {
    luna_diagnose(session,
                  luna_arena_printf(session->arena,
                                    "--core=vector is a prediction, without "
                                    "code for --emit=%s",
                                    options->emit));
    return 2;
  }
  return luna_model_lower(session, model);
}

static int emit(LunacSession *session, LunacModel *model) {
  const LunacOptions *options = session->options;
  if (!options->emit && !options->output)
    return luna_print_summary(session, model);
  if (!model->code)
    return luna_emit_ir(session, model);
  luna_progress(session, "writing");
  model->target = luna_emit_target(session, target_name(session));
  model->program_path = options->output;
  if (is_kind(options, "llvm"))
    return luna_emit_llvm(session, model);
  if (is_kind(options, "asm"))
    return luna_emit_assembly(session, model);
  if (is_kind(options, "obj"))
    return luna_emit_object(session, model);
  if (is_kind(options, "archive"))
    return luna_emit_archive(session, model);
  return luna_emit_program(session, model);
}

static int write_figures(LunacSession *session, const LunacModel *model) {
  LunaReportBuilder report;
  luna_stats_begin(session, model, &report);
  int code = luna_stats_write(session, &report, NULL);
  return code == 0 ? luna_page_write(session, &report) : code;
}

// What is kept of a model: its figures and summary, or a file that is written.
// Not what other programs have a part in, since their versions are not known.
typedef enum Kept { KEPT_NOTHING, KEPT_FIGURES, KEPT_OUTPUT } Kept;

static Kept what_is_kept(const LunacOptions *options) {
  const char *target = options->target ? options->target : "host";
  if (!options->emit && !options->output)
    return KEPT_FIGURES;
  bool is_kept = options->output && strcmp(options->output, "-") != 0 &&
                 !options->port && !is_kind(options, "exe") &&
                 strcmp(target, "host") == 0;
  return is_kept ? KEPT_OUTPUT : KEPT_NOTHING;
}

static int compile(LunacSession *session, LunacKeptModel *kept,
                   LunacModel *model) {
  int code = luna_model_read(session, session->options->model, model);
  if (code == 0)
    code = luna_model_plan(session, model);
  if (code == 0) {
    luna_kept_model_note(session, model, kept);
    code = lower_for_emit(session, model);
  }
  if (code == 0)
    luna_kept_model_note_code(session, model, kept);
  return code;
}

// Does with a result of the cache what was asked for.
static int use_kept(LunacSession *session, const LunacKeptModel *kept,
                    Kept what, LunacModel *model) {
  const LunaStored *found = &kept->found;
  if (found->exit_code != 0)
    return found->exit_code;
  return what == KEPT_OUTPUT
             ? luna_write_output(session, session->options->output, found->body,
                                 found->body_bytes)
             : emit(session, model);
}

static int compile_or_find(LunacSession *session, LunacKeptModel *kept,
                           LunacModel *model) {
  const Kept what = what_is_kept(session->options);
  if (what != KEPT_NOTHING)
    luna_kept_model_open(session, what == KEPT_OUTPUT, kept);
  if (luna_kept_model_find(session, kept, false, model, NULL))
    return use_kept(session, kept, what, model);
  int code = compile(session, kept, model);
  if (code != 0)
    luna_kept_model_put_refusal(session, kept, code);
  if (code == 0 && what == KEPT_FIGURES)
    luna_kept_model_put(session, kept, NULL);
  if (code == 0)
    code = emit(session, model);
  if (code == 0 && what == KEPT_OUTPUT)
    luna_kept_model_put_output(session, kept);
  return code;
}

int luna_compile(LunacSession *session) {
  LunacModel model = {0};
  LunacKeptModel kept = {0};
  int code = compile_or_find(session, &kept, &model);
  luna_kept_model_close(&kept);
  if (code == 0)
    code = write_figures(session, &model);
  luna_model_destroy(&model);
  return code;
}

int luna_import_model(LunacSession *session) {
  LunacModel model;
  int code = luna_model_read(session, session->options->model, &model);
  if (code == 0)
    code = luna_emit_model(session, &model);
  luna_model_destroy(&model);
  return code;
}
