// luna-choose-transfers: inserts transfers in the first mode whose staging
// buffers fit, and plans the memory.
//
// In: a func.func after luna-form-regions. Out: the function as luna-insert-dma
// and luna-plan-memory leave it, in the first mode with which the plan fits:
// prefetch, ping-pong or sync, from `mode` on; of a model with versions
// (luna.cases), each version has its own. Warns if that is not `mode`
// itself; with record-mode=true the attribute `luna.dma` is the mode taken.
// Refuses: a plan that fits in none of them, with the error of sync. Options:
// machine; mode, the first to try; record-mode; of luna-plan-memory's, those
// that luna/plan_options.def hands on. Example:
// lit_tests/passes/luna-choose-transfers/doc.mlir

#include <stdio.h>
#include <string.h>

#include "luna-c/dialect.h"
#include "luna-c/ir.h"
#include "luna-c/pass.h"
#include "luna-c/plan_hints.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "plan_option.h"

enum {
  OPT_MACHINE,
  OPT_MODE,
  OPT_RECORD_MODE,
  OPT_PLAN, // those of luna/plan_options.def
  OPT_COUNT = OPT_PLAN + LUNA_PLAN_OPTIONS,
};

static const LunaOptionDesc descs[OPT_COUNT] = {
    [OPT_MACHINE] = LUNA_MACHINE_OPTION,
    [OPT_MODE] = {.name = "mode",
                  .help = "the first mode to try: prefetch, ping-pong or sync",
                  .kind = LUNA_OPTION_STRING,
                  .string_default = "prefetch"},
    [OPT_RECORD_MODE] = {.name = "record-mode",
                         .help = "record the mode taken as luna.dma",
                         .kind = LUNA_OPTION_BOOL},
#define LUNA_PLAN_OPTION LUNA_HANDED_PLAN_OPTION
#include "luna/plan_options.def"
};

// Each mode needs less staging than the one before.
static const char *const modes[] = {"prefetch", "ping-pong", "sync"};
enum { MODE_COUNT = sizeof modes / sizeof modes[0] };

static uint32_t first_mode(const LunaOptionValue *options) {
  uint32_t at = 0;
  while (at < MODE_COUNT && strcmp(modes[at], options[OPT_MODE].string) != 0)
    ++at;
  return at;
}

// The first attempt has `mode`, the second that or less by version, the others
// the modes behind it.
enum { BY_CASE = 1 };

// An unknown mode is tried alone: luna-insert-dma refuses it.
static const char *mode_of_attempt(const LunaOptionValue *options,
                                   uint32_t index) {
  uint32_t mode = first_mode(options) + (index < BY_CASE ? index : index - 1);
  return mode < MODE_COUNT ? modes[mode] : options[OPT_MODE].string;
}

static bool expand(const LunaOptionValue *options, uint32_t index,
                   void (*append)(const char *text, void *data), void *data) {
  const char *const pieces[] = {
      "luna-insert-dma{machine={",
      options[OPT_MACHINE].string,
      "} mode=",
      mode_of_attempt(options, index),
      index == BY_CASE ? " by-case=true" : "",
      "},luna-plan-memory{machine={",
      options[OPT_MACHINE].string,
      "}",
  };
  for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; ++i)
    append(pieces[i], data);
  luna_plan_options_append(&descs[OPT_PLAN], &options[OPT_PLAN], append, data);
  append("}", data);
  return first_mode(options) + index + (index == 0) < MODE_COUNT;
}

static void settle(MlirOperation func, const LunaOptionValue *options,
                   uint32_t index) {
  const char *mode = mode_of_attempt(options, index);
  if (options[OPT_RECORD_MODE].integer)
    luna_set_string(func, "luna.dma", mode);
  if (index <= BY_CASE)
    return;
  char message[160];
  snprintf(message, sizeof message,
           "the staging buffers of dma=%s do not fit; weights are loaded as by "
           "dma=%s",
           options[OPT_MODE].string, mode);
  lunaEmitWarning(func, message);
}

static const char *const dialects[] = {"arith", "luna", "memref", NULL};
static const LunaAlternatives alternatives = {
    .expand = expand, .settle = settle, .keeps = LUNA_PLAN_HINTS};

const LunaPassDesc luna_pass_choose_transfers = {
    .argument = "luna-choose-transfers",
    .summary = "Insert transfers in the best mode whose plan fits",
    .anchor = "func.func",
    .options = descs,
    .option_count = OPT_COUNT,
    .dependent_dialects = dialects,
    .alternatives = &alternatives,
};
