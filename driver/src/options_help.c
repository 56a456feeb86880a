#include "options.h"

#include <string.h>

#include "option_table.h"

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
  int count;
  const CommandSpec *commands = luna_command_specs(&count);
  for (int i = 0; i < count; ++i)
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
        "\nA LIST.txt has a model a line, and its options; # begins a "
        "comment.\nOf a DIR, all models below it. What fails is listed and "
        "does not stop the rest;\nthe exit code is the largest of all. For "
        "example:\n\n"
        "  lunac batch models --machine=venus,arcs --run --stats=all.json\n"
        "  lunac batch list.txt --with=--dma=sync --with='--dma=ping-pong "
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
  const CommandSpec *spec = luna_command_spec(command);
  luna_text_printf(text, "usage: %s\n\n%s\n", spec->usage, spec->summary);
  if (spec->mask == 0)
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
  int count;
  const OptionSpec *options = luna_option_specs(&count);
  for (int i = 0; i < count; ++i)
    if (options[i].commands & spec->mask)
      help_on_option(&options[i], text);
  examples(command, text);
}
