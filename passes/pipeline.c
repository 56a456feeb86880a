// luna-compile and its parts, as textual pipelines. luna-compile-to-buffers
// compiles a model (tosa, linalg or already bufferised, with scf or tosa
// control flow) to buffers, regions and transfers (luna-compile-to-record up to
// the record that a plan is compared with); luna-compile-to-plan to the
// verified plan with its cost, the IR that `lunac --emit=luna` prints
// (luna-compile-buffers-to-plan is the step between them, without the
// verification). luna-compile-to-llvm lowers that to the LLVM dialect.
// luna-compile does all of it. luna-compile-reference lowers the model to the
// LLVM dialect by upstream's passes, and those of ours that its steps have
// (ir/src/upstream.c): nine are in luna-compile, too, so that a fault of one is
// in both. Every line of the texts below can be run alone.

#include <string.h>

#include "luna-c/pass.h"
#include "luna-c/upstream.h"
#include "luna/passes.h"
#include "plan_option.h"

enum {
  OPT_MACHINE,
#define LUNA_TRANSFER_OPTION(ID, member, KIND, initial, name, value, choices,  \
                             text, help)                                       \
  OPT_##ID,
#include "luna/plan_options.def"
  OPT_RECORD_MODE,
  OPT_MODEL,
  OPT_RUNTIME_CHECKS,
  OPT_UNCHECKED,
  OPT_IDS,
  OPT_BLOCK_BYTES,
  OPT_KERNEL_SIZES,
  OPT_INDEX_BITS,
  OPT_PLAN, // those of luna/plan_options.def
  OPT_COUNT = OPT_PLAN + LUNA_PLAN_OPTIONS,
};

typedef void (*Append)(const char *text, void *data);

//===----------------------------------------------------------------------===//
// The texts; %machine, … stand for the options, %planning for all of planning
//===----------------------------------------------------------------------===//

// Between the upstream steps that take tensors to buffers: what tosa-to-luna
// leaves goes the upstream way. Once the patterns have seen dequantised
// constants these are folded too.
static const char fold_constants[] = ",luna-fold-constants,";
static const char quantize[] =
    ",func.func(luna-quantize-to-linalg{machine={%machine} integers=true})";
static const char to_luna[] =
    "func.func(luna-check-input,"
    "tosa-to-luna{machine={%machine} layout=%layout}),";
static const char on_linalg[] = ",func.func(luna-drop-dead-inits),";

static const char on_memrefs[] = ",func.func(luna-fix-layouts),";

static const char record[] = ",luna-record-program";

static const char on_buffers[] =
    ",luna-choose-layout{machine={%machine} layout=%layout place=%place},"
    "luna-assign-memory{io=%io},"
    "luna-pack-weights{machine={%machine} layout=%layout},"
    "func.func(luna-order{machine={%machine}},"
    "luna-tile-operators{machine={%machine} place=%place layout=%layout},"
    "luna-schedule{machine={%machine}},"
    "luna-form-regions)";

static const char plan[] =
    "func.func("
    "luna-choose-transfers{machine={%machine} mode=%dma place=%place "
    "layout=%layout record-mode=%record-mode%planning},"
    "luna-estimate-cost{machine={%machine}})";

static const char verify[] = ",func.func(luna-verify-plan{machine={%machine} "
                             "record=required})";

static const char check_between_operators[] =
    "func.func(luna-check-accesses{inside-operators=false}),";
static const char check_accesses[] = "func.func(luna-check-accesses),";
static const char block[] = "func.func(luna-block-reductions),";

static const char to_llvm[] =
    "func.func(luna-lower-plan),"
    "luna-to-llvm{machine={%machine} model=%model ids=%ids "
    "kernel-sizes=%kernel-sizes index-bits=%index-bits layout=%layout "
    "block-bytes=%block-bytes},";

// In place of upstream's last step, where the module has a layout.
static const char convert_by_layout[] =
    ",convert-to-llvm{dynamic=true},reconcile-unrealized-casts";

//===----------------------------------------------------------------------===//
// Filling in
//===----------------------------------------------------------------------===//

static const LunaOptionDesc options[OPT_COUNT] = {
    [OPT_MACHINE] =
        {.name = "machine",
         .help = "name of a machine or path of its XML file, also NAME:vector",
         .kind = LUNA_OPTION_STRING,
         .string_default = "venus"},
#define LUNA_TRANSFER_OPTION(ID, member, KIND, initial, name, value, choices,  \
                             text, help)                                       \
  [OPT_##ID] = LUNA_PASS_OPTION_##KIND(name, text, initial),
#include "luna/plan_options.def"
    [OPT_RECORD_MODE] = {.name = "record-mode",
                         .help = "see luna-choose-transfers",
                         .kind = LUNA_OPTION_BOOL},
    [OPT_MODEL] = {.name = "model",
                   .help = "see luna-to-llvm",
                   .kind = LUNA_OPTION_STRING},
    [OPT_RUNTIME_CHECKS] = {.name = "runtime-checks",
                            .help = "run luna-check-accesses first",
                            .kind = LUNA_OPTION_BOOL},
    [OPT_UNCHECKED] = {.name = "unchecked",
                       .help = "leave out luna-record-program and "
                               "luna-verify-plan",
                       .kind = LUNA_OPTION_BOOL},
    [OPT_KERNEL_SIZES] = {.name = "kernel-sizes",
                          .help = "see luna-to-llvm",
                          .kind = LUNA_OPTION_STRING,
                          .string_default = "auto"},
    [OPT_INDEX_BITS] = {.name = "index-bits",
                        .help = "see luna-to-llvm",
                        .kind = LUNA_OPTION_INT64,
                        .int_default = 64},
    [OPT_BLOCK_BYTES] = {.name = "block-bytes",
                         .help = "see luna-to-llvm",
                         .kind = LUNA_OPTION_INT64},
    [OPT_IDS] = {.name = "ids",
                 .help = "see luna-to-llvm",
                 .kind = LUNA_OPTION_BOOL,
                 .int_default = true},
#define LUNA_PLAN_OPTION LUNA_HANDED_PLAN_OPTION
#include "luna/plan_options.def"
};

// The option whose name `text` starts with, or OPT_COUNT. No name is the
// start of another.
static int option_at(const char *text) {
  for (int i = 0; i < OPT_COUNT; ++i)
    if (strncmp(text, options[i].name, strlen(options[i].name)) == 0)
      return i;
  return OPT_COUNT;
}

static const char planning[] = "%planning";

static void expand(const char *text, const LunaOptionValue *values,
                   Append append, void *data) {
  for (const char *at = text; *at;) {
    char plain[2] = {*at, 0};
    if (strncmp(at, planning, strlen(planning)) == 0) {
      luna_plan_options_append(&options[OPT_PLAN], &values[OPT_PLAN], append,
                               data);
      at += strlen(planning);
      continue;
    }
    int option = *at == '%' ? option_at(at + 1) : OPT_COUNT;
    if (option == OPT_COUNT) {
      append(plain, data);
      ++at;
      continue;
    }
    luna_option_append(&options[option], &values[option], append, data);
    at += 1 + strlen(options[option].name);
  }
}

static void append_to_memrefs(const LunaOptionValue *values, Append append,
                              void *data) {
  append(luna_upstream_passes(LUNA_UPSTREAM_STRUCTURE), data);
  append(",", data);
  append(luna_upstream_passes(LUNA_UPSTREAM_QUANTIZE), data);
  expand(quantize, values, append, data);
  append(fold_constants, data);
  expand(to_luna, values, append, data);
  append(luna_upstream_passes(LUNA_UPSTREAM_DECOMPOSE), data);
  append(",", data);
  append(luna_upstream_passes(LUNA_UPSTREAM_LINALG), data);
  append(on_linalg, data);
  append(luna_upstream_passes(LUNA_UPSTREAM_BUFFERIZE), data);
  append(on_memrefs, data);
  append(luna_upstream_passes(LUNA_UPSTREAM_SIMPLIFY), data);
}

static void expand_to_record(const LunaOptionValue *values, Append append,
                             void *data) {
  append_to_memrefs(values, append, data);
  append(record, data);
}

static void expand_to_buffers(const LunaOptionValue *values, Append append,
                              void *data) {
  append_to_memrefs(values, append, data);
  append(values[OPT_UNCHECKED].integer ? "" : record, data);
  expand(on_buffers, values, append, data);
}

static void expand_to_plan(const LunaOptionValue *values, Append append,
                           void *data) {
  expand_to_buffers(values, append, data);
  append(",", data);
  expand(plan, values, append, data);
  if (!values[OPT_UNCHECKED].integer)
    expand(verify, values, append, data);
}

static void expand_plan(const LunaOptionValue *values, Append append,
                        void *data) {
  expand(plan, values, append, data);
}

static void expand_to_llvm(const LunaOptionValue *values, Append append,
                           void *data) {
  bool has_checks = values[OPT_RUNTIME_CHECKS].integer;
  append(has_checks ? check_between_operators : "", data);
  expand(to_llvm, values, append, data);
  append(has_checks ? check_accesses : "", data);
  append(block, data);
  // The operators of the host core as linalg, each in a function of its own,
  // and control flow.
  append(luna_upstream_passes(LUNA_UPSTREAM_LOOPS), data);
  append(values[OPT_INDEX_BITS].integer == 32 ? convert_by_layout : ",", data);
  append(values[OPT_INDEX_BITS].integer == 32
             ? ""
             : luna_upstream_passes(LUNA_UPSTREAM_LLVM),
         data);
}

static void expand_all(const LunaOptionValue *values, Append append,
                       void *data) {
  expand_to_plan(values, append, data);
  append(",", data);
  expand_to_llvm(values, append, data);
}

const LunaPipelineDesc luna_pipeline_compile_to_record = {
    .argument = "luna-compile-to-record",
    .summary = "compile a model to buffers, and record it as the program",
    .options = options,
    .option_count = OPT_COUNT,
    .expand = expand_to_record,
};

const LunaPipelineDesc luna_pipeline_compile_to_buffers = {
    .argument = "luna-compile-to-buffers",
    .summary = "compile a model to buffers, regions and transfers",
    .options = options,
    .option_count = OPT_COUNT,
    .expand = expand_to_buffers,
};

const LunaPipelineDesc luna_pipeline_compile_buffers_to_plan = {
    .argument = "luna-compile-buffers-to-plan",
    .summary = "plan what luna-compile-to-buffers left",
    .options = options,
    .option_count = OPT_COUNT,
    .expand = expand_plan,
};

const LunaPipelineDesc luna_pipeline_compile_to_plan = {
    .argument = "luna-compile-to-plan",
    .summary = "compile a model to its plan",
    .options = options,
    .option_count = OPT_COUNT,
    .expand = expand_to_plan,
};

const LunaPipelineDesc luna_pipeline_compile_to_llvm = {
    .argument = "luna-compile-to-llvm",
    .summary = "lower a planned model to the LLVM dialect",
    .options = options,
    .option_count = OPT_COUNT,
    .expand = expand_to_llvm,
};

const LunaPipelineDesc luna_pipeline_compile = {
    .argument = "luna-compile",
    .summary = "compile a model to the LLVM dialect",
    .options = options,
    .option_count = OPT_COUNT,
    .expand = expand_all,
};

static void expand_reference(const LunaOptionValue *values, Append append,
                             void *data) {
  (void)values;
  for (int step = 0; step <= LUNA_UPSTREAM_LLVM; ++step) {
    append(step > 0 ? "," : "", data);
    append(luna_upstream_passes((LunaUpstreamStep)step), data);
  }
}

const LunaPipelineDesc luna_pipeline_compile_reference = {
    .argument = "luna-compile-reference",
    .summary = "compile a model to the LLVM dialect by upstream's steps",
    .expand = expand_reference,
};
