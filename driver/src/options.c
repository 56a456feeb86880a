#include "options.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cache_command.h"
#include "luna/text.h"
#include "option_table.h"

//===- Tables -------------------------------------------------------------===//

#define FIELD(name) offsetof(LunacOptions, name)

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
    {"strategy", "NAME", "how buffers are placed: see 'lunac strategies'", BOTH,
     OPTION_STRING, FIELD(strategy), NULL, "best", 0},
    {"merge", "MODE",
     "how the branches of an if share memory: path (only what is\n"
     "live on one path counts), block (one block as large as the\n"
     "larger branch), linear (as if both ran in turn), none",
     BOTH, OPTION_CHOICE, FIELD(merge), "path|block|linear|none", "path", 0},
    {"dma", "MODE",
     "how weights are loaded: prefetch (overlapped with the\n"
     "computation, across joins of branches, too), ping-pong\n"
     "(overlapped within a region) or sync (right before their\n"
     "operator); if that does not fit, the next of these",
     BOTH, OPTION_CHOICE, FIELD(dma), "prefetch|ping-pong|sync", "prefetch", 0},
    {"io", "WHERE",
     "where model inputs and outputs live: psram (brought on chip\n"
     "when needed) or on-chip (there from entry on)",
     BOTH, OPTION_CHOICE, FIELD(io), "psram|on-chip", "psram", 0},
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
    {"on", "NAME",
     "run the program on this computer (host, default), or on a\n"
     "chip's core under QEMU: riscv32 or xtensa",
     RUN, OPTION_CHOICE, FIELD(on), "host|riscv32|xtensa", "host", 0},
    {"checks", "MODE",
     "what a program tells the runtime of its operators: on (which\n"
     "one, its buffers and their contents) or off (nothing that\n"
     "only checks, traces and statistics need)",
     COMPILE, OPTION_CHOICE, FIELD(checks), "on|off", "on", 0},
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
     "turn. A further file of an input holds further cases",
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
    {"compare", NULL,
     "also plan by every other strategy, for --stats and\n"
     "--report; takes many times as long",
     BOTH, OPTION_FLAG, FIELD(compare), NULL, NULL, 0},
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
    {"plan-cache", "WHICH",
     "the plan that is taken from the cache: exact (the one that\n"
     "these options gave before), best (the smallest that any\n"
     "options gave, improved where it can be)",
     BOTH, OPTION_CHOICE, FIELD(plan_cache), "exact|best", "exact", 0},
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

enum { SPEC_COUNT = sizeof specs / sizeof specs[0] };

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
  *count = SPEC_COUNT;
  return specs;
}

const CommandSpec *luna_command_specs(int *count) {
  *count = COMMAND_COUNT;
  return commands;
}

//===- Suggestions --------------------------------------------------------===//

// The edit distance from which a name is not suggested.
static size_t misspelt_limit(size_t length) { return 2 + length / 4; }

static const char *nearest_option(const char *name, size_t length, int mask) {
  const char *nearest = NULL;
  size_t least = misspelt_limit(length);
  for (int i = 0; i < SPEC_COUNT; ++i) {
    size_t found = luna_text_distance(name, length, specs[i].name);
    if ((specs[i].commands & mask) && found < least) {
      least = found;
      nearest = specs[i].name;
    }
  }
  return nearest;
}

static const char *nearest_command(const char *name) {
  const char *nearest = NULL;
  size_t least = misspelt_limit(strlen(name));
  for (int i = 0; i < COMMAND_COUNT; ++i) {
    size_t found = luna_text_distance(name, strlen(name), commands[i].name);
    if (found < least) {
      least = found;
      nearest = commands[i].name;
    }
  }
  return nearest;
}

//===- Reading ------------------------------------------------------------===//

typedef struct Reader {
  int argc, at;
  char **argv;
  int mask;
  const char *command;
  LunaArena *arena;
  LunacOptions *options;
  LunaError *error;
} Reader;

static bool fail(Reader *reader, const char *format, const char *a,
                 const char *b) {
  return luna_error_set(reader->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "%s", luna_arena_printf(reader->arena, format, a, b));
}

static const OptionSpec *find_spec(const char *name, size_t length, int mask) {
  for (int i = 0; i < SPEC_COUNT; ++i)
    if ((specs[i].commands & mask) && strlen(specs[i].name) == length &&
        memcmp(specs[i].name, name, length) == 0)
      return &specs[i];
  return NULL;
}

static bool is_choice(const char *choices, const char *value) {
  size_t length = strlen(value);
  for (const char *at = choices; *at;) {
    size_t each = strcspn(at, "|");
    if (each == length && memcmp(at, value, length) == 0)
      return true;
    at += each + (at[each] == '|');
  }
  return false;
}

static bool read_number(Reader *reader, const OptionSpec *spec,
                        const char *value, int64_t *number) {
  char *end = NULL;
  errno = 0;
  long long read = strtoll(value, &end, 10);
  if (errno != 0 || end == value || *end || read < spec->minimum)
    return fail(reader,
                spec->minimum > 0 ? "--%s is '%s', allowed are integers from 1"
                                  : "--%s is '%s', allowed are integers from 0",
                spec->name, value);
  *number = read;
  return true;
}

static bool store(Reader *reader, const OptionSpec *spec, const char *value) {
  char *field = (char *)reader->options + spec->offset;
  switch (spec->kind) {
  case OPTION_FLAG:
    *(bool *)(void *)field = true;
    return true;
  case OPTION_CHOICE:
    if (!is_choice(spec->choices, value))
      return fail(reader,
                  luna_arena_printf(reader->arena,
                                    "--%s is '%%s', allowed are %%s",
                                    spec->name),
                  value, spec->choices);
    *(const char **)(void *)field = value;
    return true;
  case OPTION_STRING:
    if (!*value)
      return fail(reader, "--%s needs a value: %s", spec->name, spec->value);
    *(const char **)(void *)field = value;
    return true;
  case OPTION_NUMBER:
    if (spec->offset == FIELD(random_seed))
      reader->options->has_random_input = true;
    return read_number(reader, spec, value, (int64_t *)(void *)field);
  case OPTION_LIST:
    *LUNA_VECTOR_ADD(reader->arena, (LunacStrings *)(void *)field) = value;
    return true;
  }
  return false;
}

static bool unknown_option(Reader *reader, const char *text, size_t length) {
  const char *name = luna_arena_strndup(reader->arena, text, length);
  if (find_spec(text, length, ANY))
    return fail(reader, "--%s does not belong to 'lunac %s'", name,
                reader->command);
  const char *nearest = nearest_option(text, length, reader->mask);
  if (nearest)
    return fail(reader, "unknown option --%s; did you mean --%s?", name,
                nearest);
  return fail(reader, "unknown option --%s; 'lunac help %s' lists them", name,
              reader->command);
}

// An option that starts with two dashes: --name, --name=value, --name value.
static bool read_long(Reader *reader, const char *text) {
  size_t length = strcspn(text, "=");
  const OptionSpec *spec = find_spec(text, length, reader->mask);
  if (!spec)
    return unknown_option(reader, text, length);
  if (spec->kind == OPTION_FLAG)
    return text[length] ? fail(reader, "--%s takes no value%s", spec->name, "")
                        : store(reader, spec, "");
  if (text[length] == '=')
    return store(reader, spec, text + length + 1);
  if (reader->at >= reader->argc)
    return fail(reader, "--%s needs a value: %s", spec->name, spec->value);
  return store(reader, spec, reader->argv[reader->at++]);
}

static bool read_short(Reader *reader, const char *text) {
  if (strcmp(text, "-v") == 0) {
    reader->options->is_verbose = true;
    return true;
  }
  if (strncmp(text, "-o", 2) == 0 && (reader->mask & (COMPILE | IMPORT))) {
    const char *value = text + 2;
    if (!*value && reader->at < reader->argc)
      value = reader->argv[reader->at++];
    reader->options->output = value;
    return *value ? true : fail(reader, "%s needs a value: %s", "-o", "FILE");
  }
  return fail(reader, "unknown option %s; 'lunac help %s' lists them", text,
              reader->command);
}

static void set_defaults(LunacOptions *options) {
  for (int i = 0; i < SPEC_COUNT; ++i) {
    char *field = (char *)options + specs[i].offset;
    if (!specs[i].initial)
      continue;
    if (specs[i].kind == OPTION_NUMBER)
      *(int64_t *)(void *)field = strtoll(specs[i].initial, NULL, 10);
    else
      *(const char **)(void *)field = specs[i].initial;
  }
}

static bool check_argument(Reader *reader, const CommandSpec *command) {
  const char *argument = reader->options->model;
  if (command->mask == 0 || (argument && !command->actions) ||
      reader->options->models.count > 0)
    return true;
  if (!command->actions)
    return fail(reader, "'lunac %s' needs a model; usage: %s", command->name,
                command->usage);
  if (argument && is_choice(command->actions, argument))
    return true;
  return fail(reader, "usage: %s; found '%s'", command->usage,
              argument ? argument : "");
}

static bool read_rest(Reader *reader) {
  while (reader->at < reader->argc) {
    const char *text = reader->argv[reader->at++];
    bool is_read = true;
    if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0) {
      reader->options->help_on = reader->options->command;
      reader->options->command = LUNAC_HELP;
      return true;
    }
    if (strncmp(text, "--", 2) == 0)
      is_read = read_long(reader, text + 2);
    else if (*text == '-' && text[1])
      is_read = read_short(reader, text);
    else if (reader->mask == 0)
      is_read = fail(reader, "'lunac %s' takes no argument, found '%s'",
                     reader->command, text);
    else if (reader->mask == BATCH)
      *LUNA_VECTOR_ADD(reader->arena, &reader->options->models) = text;
    else if (reader->options->model)
      is_read = fail(reader, "one model at a time, found '%s' and '%s'",
                     reader->options->model, text);
    else
      reader->options->model = text;
    if (!is_read)
      return false;
  }
  return check_argument(reader, &commands[reader->options->command]);
}

// Two outputs into one file: the second would replace the first.
static bool check_outputs(Reader *reader) {
  const LunacOptions *options = reader->options;
  const struct {
    const char *option, *path;
  } files[] = {
      {"-o", reader->mask == RUN ? NULL : options->output},
      {"--stats", options->stats},
      {"--trace", options->trace},
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i)
    for (size_t k = 0; k < i; ++k)
      if (files[i].path && files[k].path &&
          strcmp(files[i].path, files[k].path) == 0)
        return fail(reader,
                    luna_arena_printf(reader->arena,
                                      "%s and %s both write '%%s'%%s",
                                      files[k].option, files[i].option),
                    files[i].path, "");
  return true;
}

static bool find_command(Reader *reader, const char *name,
                         LunacCommand *command) {
  for (int i = 0; i < COMMAND_COUNT; ++i)
    if (strcmp(commands[i].name, name) == 0) {
      *command = (LunacCommand)i;
      return true;
    }
  const char *nearest = nearest_command(name);
  if (nearest)
    return fail(reader, "unknown command '%s'; did you mean '%s'?", name,
                nearest);
  return fail(reader, "unknown command '%s'; 'lunac help' lists them%s", name,
              "");
}

static bool is_any(const char *text, const char *a, const char *b) {
  return strcmp(text, a) == 0 || strcmp(text, b) == 0;
}

bool luna_options_read(int argc, char **argv, LunaArena *arena,
                       LunacOptions *options, LunaError *error) {
  *options = (LunacOptions){0};
  set_defaults(options);
  Reader reader = {
      .argc = argc,
      .at = 2,
      .argv = argv,
      .arena = arena,
      .options = options,
      .error = error,
  };
  if (argc < 2 || is_any(argv[1], "--help", "-h"))
    return true;
  if (is_any(argv[1], "--version", "-V")) {
    options->command = LUNAC_VERSION;
    return true;
  }
  if (*argv[1] == '-')
    return fail(&reader,
                "expected a command, found '%s'; 'lunac help' lists "
                "them%s",
                argv[1], "");
  if (!find_command(&reader, argv[1], &options->command))
    return false;
  if (options->command == LUNAC_HELP)
    return argc < 3 || find_command(&reader, argv[2], &options->help_on);
  if (options->command == LUNAC_COMPLETE) {
    options->words = argv + 2;
    options->word_count = argc - 2;
    return true;
  }
  reader.mask = commands[options->command].mask;
  reader.command = commands[options->command].name;
  return read_rest(&reader) && check_outputs(&reader);
}

//===- Help ---------------------------------------------------------------===//

enum { HELP_COLUMN = 26 };

static void help_on_option(const OptionSpec *spec, LunaText *text) {
  size_t start = text->length;
  luna_text_printf(text, "  --%s%s%s", spec->name, spec->value ? "=" : "",
                   spec->value ? spec->value : "");
  for (const char *line = spec->help; *line;) {
    size_t length = strcspn(line, "\n");
    size_t column = text->length - start;
    if (column + 2 > HELP_COLUMN || start == 0) {
      luna_text_printf(text, "\n");
      column = 0;
    }
    luna_text_printf(text, "%*s%.*s", (int)(HELP_COLUMN - column), "",
                     (int)length, line);
    line += length + (line[length] == '\n');
    if (*line)
      luna_text_printf(text, "\n");
    start = text->length;
  }
  if (spec->initial && spec->kind != OPTION_NUMBER)
    luna_text_printf(text, "\n%*s(default %s)", HELP_COLUMN, "", spec->initial);
  luna_text_printf(text, "\n");
}

static void overview(LunaText *text) {
  luna_text_printf(
      text,
      "lunac compiles neural networks with control flow for the LUNA unit,\n"
      "plans their on-chip memory, and runs them on a simulator of the chip.\n"
      "\n"
      "usage: lunac COMMAND [ARGUMENT…]\n\n");
  for (int i = 0; i < COMMAND_COUNT; ++i)
    if (i != LUNAC_VERSION)
      luna_text_printf(text, "  %-12s%s\n", commands[i].name,
                       commands[i].summary);
  luna_text_printf(
      text,
      "\nFor example:\n\n"
      "  lunac compile model.mlir --stats=stats.json\n"
      "  lunac run model.mlir --random-input=1 --check\n"
      "\n'lunac help COMMAND' lists the options. A model is an .mlir file: one "
      "function\nof tosa (or linalg), with tosa or scf control flow; or an "
      ".onnx or\n"
      ".tflite file.\n"
      "\nExit codes: 0 ok, 1 does not fit, 2 bad input, 3 a checker failed,\n"
      "4 set-up (plugin, version, machine file).\n");
}

static void examples(LunacCommand command, LunaText *text) {
  if (command == LUNAC_COMPILE)
    luna_text_printf(
        text, "\nFor example, what block merging costs, and LLVM IR:\n\n"
              "  lunac compile model.mlir --merge=block --stats=block.json\n"
              "  lunac compile model.mlir --emit=llvm -o model.ll\n");
  if (command == LUNAC_RUN)
    luna_text_printf(
        text, "\nFor example, given inputs, then a check of every path:\n\n"
              "  lunac run model.mlir --input=image.npy --input=1=flag.bin "
              "--output=out\n"
              "  lunac run model.mlir --random-input=7 --cases=3 --check\n");
  if (command == LUNAC_CACHE)
    luna_text_printf(
        text,
        "\nFor example, a server that CI fills, and others trust "
        "(docs/cache.md):\n\n"
        "  lunac cache make-key --cache-key=ci.key\n"
        "  lunac run model.onnx --random-input=1 --cache-mode=read-write \\\n"
        "    --cache-remote=redis://cache.example --cache-key=ci.key\n"
        "  lunac cache flush --cache-mode=read-write \\\n"
        "    --cache-remote=redis://cache.example --cache-key=ci.key\n"
        "  lunac run model.onnx --random-input=1 \\\n"
        "    --cache-remote=redis://cache.example --cache-trust=ci.key.pub\n");
  if (command == LUNAC_BATCH)
    luna_text_printf(
        text,
        "\nA LIST.txt has a model a line, and options for it behind; # begins "
        "a "
        "comment.\nOf a DIR, all models below it. What fails is listed and "
        "does "
        "not stop the rest;\nthe exit code is the largest of all. For "
        "example:\n\n"
        "  lunac batch models --machine=venus,arcs --run --stats=all.json\n"
        "  lunac batch list.txt --with=--dma=sync --with='--dma=prefetch "
        "--merge=block'\n");
  if (command == LUNAC_VERIFY)
    luna_text_printf(
        text, "\nFor example, a plan changed by hand:\n\n"
              "  lunac compile model.mlir --emit=luna -o plan.mlir\n"
              "  lunac verify plan.mlir --program=model.mlir\n"
              "\nMemory safety is checked on every path; and, against the "
              "model or the record\n(luna.program) in the plan, that it "
              "computes the program. Exit codes: 0 it\nholds, 2 bad input, "
              "3 it does not.\n");
}

void luna_options_help(LunacCommand command, LunaText *text) {
  if (command == LUNAC_HELP) {
    overview(text);
    return;
  }
  luna_text_printf(text, "usage: %s\n\n%s\n", commands[command].usage,
                   commands[command].summary);
  if (commands[command].mask == 0)
    return;
  luna_text_printf(text, "\n");
  if (command == LUNAC_COMPILE)
    luna_text_printf(text,
                     "  -o FILE%*swhere to write the result ('-' is standard "
                     "output, the\n%*sdefault with --emit); with neither, a "
                     "summary is printed\n",
                     HELP_COLUMN - 9, "", HELP_COLUMN, "");
  if (command == LUNAC_IMPORT)
    luna_text_printf(text,
                     "  -o FILE%*swhere to write the module (default: standard "
                     "output)\n",
                     HELP_COLUMN - 9, "");
  for (int i = 0; i < SPEC_COUNT; ++i)
    if (specs[i].commands & commands[command].mask)
      help_on_option(&specs[i], text);
  examples(command, text);
}
