#include "option_table.h"

#include <string.h>

#include "cache_command.h"

#define FIELD(name) offsetof(LunacOptions, name)

// How an option of luna/plan_options.def is read, by its KIND.
#define SPEC_STRING(field, choices, initial)                                   \
  OPTION_STRING, field, choices, initial, 0
#define SPEC_CHOICE(field, choices, initial)                                   \
  OPTION_CHOICE, field, choices, initial, 0
#define SPEC_BOOL(field, choices, initial) OPTION_FLAG, field, NULL, NULL, 0
#define SPEC_BYTES(field, choices, initial) OPTION_NUMBER, field, NULL, NULL, 1
#define SPEC_COUNT(field, choices, initial) OPTION_NUMBER, field, NULL, NULL, 1

// The names of ports, each behind a bar.
static const char ports[] =
#define LUNA_PORT(name, machine, block_bytes) "|" #name
#include "luna/ports.def"
    ;

static const OptionSpec specs[] = {
    {"jobs", "N", "how many at a time (default: one for each core)", BATCH,
     OPTION_NUMBER, FIELD(jobs), NULL, NULL, 1},
    {"machine", "NAME[,NAME…]",
     "compile each model for each of these machines (default\n"
     "venus)",
     BATCH, OPTION_LIST, FIELD(machines), NULL, NULL, 0},
    {"with", "OPTIONS",
     "compile each model with these options, words between\n"
     "blanks; given several times: with each of them",
     BATCH, OPTION_LIST, FIELD(variants), NULL, NULL, 0},
    {"run", NULL, "run the models, too, on random inputs", BATCH, OPTION_FLAG,
     FIELD(runs), NULL, NULL, 0},
    {"stats", "FILE.json", "write all results (docs/stats.md)", BATCH,
     OPTION_STRING, FIELD(stats), NULL, NULL, 0},
    {"machine", "NAME|FILE.xml", "the machine: see 'lunac machines'",
     BOTH | VERIFY, OPTION_STRING, FIELD(machine), NULL, "venus", 0},
    {"core", "SET",
     "what the work of the machine's core costs: scalar (the code\n"
     "as it is, counted) or vector (what its runtime would take by\n"
     "the chip's vector instructions, derived: a prediction only)",
     BOTH, OPTION_CHOICE, FIELD(core), "scalar|vector", "scalar", 0},
#define LUNA_PLAN_OPTION(ID, member, KIND, initial, name, value, choices,      \
                         text, help)                                           \
  {name, value, help, BOTH, SPEC_##KIND(FIELD(member), choices, initial)},
#define LUNA_TRANSFER_OPTION LUNA_PLAN_OPTION
#include "luna/plan_options.def"
    {"plan-cache", "WHICH",
     "the plan that is taken from the cache: exact (the one that\n"
     "these options gave before), best (the smallest that any\n"
     "options gave, improved where it can be)",
     BOTH, OPTION_CHOICE, FIELD(plan_cache), "exact|best", "exact", 0},
    {"dim", "NAME=SIZE[,SIZE…]",
     "the size of a dimension that the model leaves open, by its\n"
     "name or as input.axis; the name * stands for all others.\n"
     "Several sizes, or FIRST:LAST:STEP, give one program for all,\n"
     "several dimensions for every combination",
     ALL, OPTION_LIST, FIELD(dimensions), NULL, NULL, 0},
    {"max-versions", "N", "how many combinations are allowed (default 16)", ALL,
     OPTION_NUMBER, FIELD(max_versions), NULL, "16", 1},
    {"bound", "NAME=N",
     "how many rows tensor NAME has at most, where only the running\n"
     "program knows how many: the output NAME.size says it",
     ALL, OPTION_LIST, FIELD(bounds), NULL, NULL, 0},
    {"constant", "INPUT=NUMBER",
     "an input that is always this number: no input of the\n"
     "compiled program",
     ALL, OPTION_LIST, FIELD(constants), NULL, NULL, 0},
    {"program", "MODEL",
     "the model that the plan is to compute, in place of the\n"
     "record in it",
     VERIFY, OPTION_STRING, FIELD(program), NULL, NULL, 0},
    {"emit", "KIND",
     "what to write: luna (the IR with its verified plan), llvm\n"
     "(LLVM IR), asm (assembly), obj (an object file), exe (a\n"
     "program, with the simulator), archive (in the folder of -o:\n"
     "a library of the model, its header and memory map)",
     COMPILE, OPTION_CHOICE, FIELD(emit), "luna|llvm|asm|obj|exe|archive", NULL,
     0},
    {"target", "NAME",
     "what the code is for: host (this computer), or a chip's\n"
     "core, riscv32 or xtensa; default: the machine's core for exe\n"
     "and archive, else host",
     COMPILE, OPTION_CHOICE, FIELD(target), "host|riscv32|xtensa", NULL, 0},
    {"port", &ports[1],
     "with --emit=archive: adds the core's half of the runtime and\n"
     "the port of the unit over this library of the vendor's, which\n"
     "a firmware links below. Every launch is a call then\n"
     "(--layout=calls)",
     COMPILE, OPTION_CHOICE, FIELD(port), &ports[1], NULL, 0},
    {"on", "NAME",
     "run the program on this computer (host, default), or on a\n"
     "chip's core under QEMU: riscv32 or xtensa",
     RUN, OPTION_CHOICE, FIELD(on), "host|riscv32|xtensa", "host", 0},
    {"base-address", "MEMORY=ADDRESS",
     "where a memory, shared or psram, begins for the linker, if\n"
     "not where the machine file says",
     COMPILE, OPTION_LIST, FIELD(base_addresses), NULL, NULL, 0},
    {"checks", "MODE",
     "what a program tells the runtime of its operators: on (which\n"
     "one, its buffers and their contents), off (nothing that only\n"
     "checks, traces and statistics need), or auto (off in an\n"
     "archive, which a firmware runs, else on)",
     COMPILE, OPTION_CHOICE, FIELD(checks), "on|off|auto", "auto", 0},
    {"kernel-sizes", "MODE",
     "sizes in the functions of the host core: constant,\n"
     "argument, so that operators of several sizes share one, or\n"
     "auto: argument in a model of several versions",
     BOTH, OPTION_CHOICE, FIELD(kernel_sizes), "auto|constant|argument", "auto",
     0},
    {"input", "[N|NAME=]FILE",
     "values of an input: a .npy file, or a .bin file of raw\n"
     "little-endian elements (an i1 takes a byte), several cases\n"
     "one after the other. Without N or NAME: the next input in\n"
     "turn. Where an input is named by a number, that is its NAME.\n"
     "A further file of an input holds further cases",
     RUN, OPTION_LIST, FIELD(inputs), NULL, NULL, 0},
    {"random-input", "SEED", "random inputs instead", RUN, OPTION_NUMBER,
     FIELD(random_seed), NULL, NULL, 0},
    {"cases", "K", "how many random cases (default 1)", RUN, OPTION_NUMBER,
     FIELD(cases), NULL, "1", 1},
    {"output", "DIR",
     "write each output as DIR/NAME.npy (DIR/NAME.K.npy for\n"
     "case K of several)",
     RUN, OPTION_STRING, FIELD(output), NULL, NULL, 0},
    {"expect", "[N|NAME=]FILE",
     "compare an output with a .npy or .bin file: one for all\n"
     "cases, which follow each other in it, or one for each case,\n"
     "in their order",
     RUN, OPTION_LIST, FIELD(expected), NULL, NULL, 0},
    {"tolerance", "T",
     "how far floats may be from --expect, relative to the larger\n"
     "of 1 and the value expected (default 0: equal bits)",
     RUN, OPTION_STRING, FIELD(tolerance), NULL, NULL, 0},
    {"check", NULL,
     "run the model through upstream MLIR on the CPU as well and\n"
     "compare bit for bit, on every path of the control flow",
     RUN, OPTION_FLAG, FIELD(check), NULL, NULL, 0},
    {"force-branch", "NAME=WAY,…",
     "decide branches from outside, e.g. if0=then,if1=else;\n"
     "a switch takes a case value or default",
     RUN, OPTION_STRING, FIELD(force_branch), NULL, NULL, 0},
    {"repeat", "N", "run every case N times (default 1)", RUN, OPTION_NUMBER,
     FIELD(repeat), NULL, "1", 1},
    {"max-cycles", "N",
     "break off a run after N cycles, at the next iteration of\n"
     "a loop (default 10000000000)",
     RUN, OPTION_NUMBER, FIELD(max_cycles), NULL, "10000000000", 1},
    {"trace", "FILE.json",
     "write the time line of the last run for\n"
     "about:tracing or Perfetto",
     RUN, OPTION_STRING, FIELD(trace), NULL, NULL, 0},
    {"stats", "FILE.json", "write sizes, bounds and cycles (docs/stats.md)",
     BOTH, OPTION_STRING, FIELD(stats), NULL, NULL, 0},
    {"report", "DIR", "write DIR/report.html: memory map and time line", BOTH,
     OPTION_STRING, FIELD(report), NULL, NULL, 0},
    {"cache", "DIR|off",
     "the folder that keeps plans (docs/cache.md); default:\n"
     "$LUNA_CACHE, else $XDG_CACHE_HOME/luna or ~/.cache/luna",
     BOTH | CACHE | BATCH, OPTION_STRING, FIELD(cache), NULL, NULL, 0},
    {"cache-remote", "URL",
     "a server that shares the cache with others: redis://HOST:PORT\n"
     "or http://HOST:PORT/PATH; default $LUNA_CACHE_REMOTE",
     BOTH | CACHE | BATCH, OPTION_STRING, FIELD(cache_remote), NULL, NULL, 0},
    {"cache-mode", "MODE",
     "what is done there: read-only (default) or read-write;\n"
     "$LUNA_CACHE_MODE",
     BOTH | CACHE | BATCH, OPTION_CHOICE, FIELD(cache_mode),
     "read-only|read-write", NULL, 0},
    {"cache-key", "FILE",
     "the secret key that signs what is stored, so that others\n"
     "trust it; $LUNA_CACHE_KEY. 'lunac cache make-key' makes one",
     BOTH | CACHE | BATCH, OPTION_STRING, FIELD(cache_key), NULL, NULL, 0},
    {"cache-trust", "FILE",
     "public keys, one a line: code that others compiled is\n"
     "executed only if one of them has signed it;\n"
     "$LUNA_CACHE_TRUST",
     BOTH | CACHE | BATCH, OPTION_STRING, FIELD(cache_trust), NULL, NULL, 0},
    {"max-bytes", "N", "trim: the size that stays (default 1 GiB)", CACHE,
     OPTION_NUMBER, FIELD(max_bytes), NULL, NULL, 1},
    {"max-entries", "N", "trim: the entries that stay (default 100000)", CACHE,
     OPTION_NUMBER, FIELD(max_entries), NULL, NULL, 1},
    {"plugin", "FILE",
     "the plugin (default: $LUNA_PLUGIN, or\n"
     "../lib/LunaMLIR.so beside lunac)",
     ALL | BATCH, OPTION_STRING, FIELD(plugin), NULL, NULL, 0},
    {"skip-verify", NULL,
     "leave out luna-record-program and luna-verify-plan\n"
     "(for tests of the simulator)",
     BOTH, OPTION_FLAG, FIELD(skip_verify), NULL, NULL, 0},
    {"verbose", NULL, "say what is being done", ALL | BATCH, OPTION_FLAG,
     FIELD(is_verbose), NULL, NULL, 0},
};

enum { ROW_COUNT = sizeof specs / sizeof specs[0] };

static const CommandSpec commands[] = {
    [LUNAC_HELP] = {"help", "lunac help [COMMAND]", "explain a command", 0,
                    NULL},
    [LUNAC_VERSION] = {"version", "lunac --version",
                       "print the versions of lunac and LLVM", 0, NULL},
    [LUNAC_COMPILE] = {"compile", "lunac compile MODEL [-o FILE] [OPTION…]",
                       "compile a model and plan its memory", COMPILE, NULL},
    [LUNAC_RUN] = {"run", "lunac run MODEL INPUTS [OPTION…]",
                   "compile a model and run it on the simulator", RUN, NULL},
    [LUNAC_IMPORT] = {"import", "lunac import MODEL [-o FILE]",
                      "write a model file of another tool as MLIR", IMPORT,
                      NULL},
    [LUNAC_VERIFY] = {"verify", "lunac verify PLAN.mlir [--program=MODEL]",
                      "check a plan, also one written by hand", VERIFY, NULL},
    [LUNAC_CACHE] = {"cache", "lunac cache " LUNA_CACHE_ACTIONS " [OPTION…]",
                     "look at, check or empty the cache", CACHE,
                     LUNA_CACHE_ACTIONS},
    [LUNAC_BATCH] = {"batch", "lunac batch LIST.txt|DIR|MODEL… [OPTION…]",
                     "compile many models for many machines", BATCH, NULL},
    [LUNAC_MACHINES] = {"machines", "lunac machines",
                        "list the machines and what they have", 0, NULL},
    [LUNAC_STRATEGIES] = {"strategies", "lunac strategies",
                          "list the strategies of the planner", 0, NULL},
    [LUNAC_COMPLETE] = {"complete", "lunac complete [WORD…]",
                        "list what the last word may become, for shells", 0,
                        NULL},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

const OptionSpec *luna_option_specs(int *count) {
  *count = ROW_COUNT;
  return specs;
}

const CommandSpec *luna_command_specs(int *count) {
  *count = COMMAND_COUNT;
  return commands;
}

const CommandSpec *luna_command_spec(LunacCommand command) {
  return &commands[command];
}

bool luna_command_find(const char *name, LunacCommand *command) {
  for (int i = 0; i < COMMAND_COUNT; ++i)
    if (strcmp(commands[i].name, name) == 0) {
      *command = (LunacCommand)i;
      return true;
    }
  return false;
}
