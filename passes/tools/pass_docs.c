// luna-pass-docs SOURCE_ROOT: prints docs/passes.md, the reference of the
// passes: names, options and defaults from the descriptors, the text from the
// comment at the top of each pass, the example from its doc.mlir.

#include <stdio.h>
#include <string.h>

#include "luna-c/pass.h"
#include "luna/passes.h"
#include "luna/text.h"

static const char *source_root;

static void source_name(const char *argument, LunaText *name) {
  luna_text_printf(name, "%s", argument);
  for (size_t i = 0; i < name->length; ++i)
    if (name->data[i] == '-')
      name->data[i] = '_';
}

static bool read_source(LunaText *text, const char *folder, const char *name,
                        const char *suffix) {
  LunaText path = {0};
  luna_text_printf(&path, "%s/%s/%s%s", source_root, folder, name, suffix);
  bool done = luna_text_read_file(text, path.data, (size_t)1 << 20, NULL);
  luna_text_deinit(&path);
  return done;
}

// The source of a pass lies in one of the folders of passes/.
static bool read_named(LunaText *text, const char *name) {
  static const char *const folders[] = {
      "shapes", "legalize", "upstream_fixes", "memory",        "transfers",
      "plan",   "verify",   "lower",          "unit_semantics"};
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; ++i) {
    LunaText folder = {0};
    luna_text_printf(&folder, "passes/%s", folders[i]);
    bool done = read_source(text, folder.data, name, ".c");
    luna_text_deinit(&folder);
    if (done)
      return true;
  }
  return false;
}

// "luna-plan-memory" lives in plan_memory.c, "luna-to-llvm" in luna_to_llvm.c.
static bool read_pass(LunaText *text, const char *argument) {
  LunaText name = {0};
  source_name(argument, &name);
  bool done = (strncmp(name.data, "luna_", 5) == 0 &&
               read_named(text, name.data + 5)) ||
              read_named(text, name.data);
  luna_text_deinit(&name);
  return done;
}

// Where the text stands that is being wrapped.
typedef struct Page {
  int column, indent;
} Page;

// Ends the line; `extra` of 1 leaves an empty one behind it.
static void end_line(Page *page, int extra) {
  if (page->column > 0)
    printf(extra ? "\n\n" : "\n");
  page->column = 0;
  if (extra)
    page->indent = 0;
}

static void print_word(Page *page, const char *word, int length) {
  enum { COLUMNS = 80 };
  if (page->column > 0 && page->column + 1 + length > COLUMNS)
    end_line(page, 0);
  page->column += page->column > 0
                      ? printf(" %.*s", length, word)
                      : printf("%*s%.*s", page->indent, "", length, word);
}

static bool starts_item(const char *word) {
  static const char *const items[] = {"In: ", "Out: ", "Refuses:", "Options:"};
  for (size_t i = 0; i < sizeof items / sizeof *items; ++i)
    if (strncmp(word, items[i], strlen(items[i])) == 0)
      return true;
  return false;
}

// One line of a comment. Items start a paragraph wherever they stand, since
// clang-format wraps them into one; those of lists start a line. False at
// "Example:": where that stands is told by the example itself.
static bool print_line(Page *page, const char *line, const char *end) {
  if (line == end)
    end_line(page, 1);
  if (strncmp(line, "  - ", 4) == 0) {
    end_line(page, 0);
    page->indent = 0;
    print_word(page, " -", 2);
    page->indent = 3;
    line += 4;
  } else if (page->indent > 0 && line < end && *line != ' ') {
    end_line(page, 1);
  }
  for (const char *at = line; at < end;) {
    int length = (int)strcspn(at, " \n");
    if (strncmp(at, "Example:", 8) == 0)
      return false;
    if (starts_item(at))
      end_line(page, 1);
    if (length > 0)
      print_word(page, at, length);
    at += length + 1;
  }
  return true;
}

// The comment at the top of the file, without its slashes and the name it
// starts with, behind what fills `column` columns of the line.
static void print_comment(const char *argument, int column) {
  LunaText text = {0};
  if (read_pass(&text, argument)) {
    Page page = {.column = column};
    size_t name_length = strlen(argument);
    bool is_first = true, goes_on = true;
    for (const char *line = text.data;
         goes_on && strncmp(line, "//", 2) == 0;) {
      const char *end = strchr(line, '\n');
      const char *from = line + (line[2] == ' ' ? 3 : 2);
      if (is_first && strncmp(from, argument, name_length) == 0)
        from += name_length + 2;
      is_first = false;
      goes_on = print_line(&page, from, end);
      line = end + 1;
    }
    end_line(&page, 0);
  }
  luna_text_deinit(&text);
}

static void print_default(const LunaOptionDesc *option) {
  switch (option->kind) {
  case LUNA_OPTION_INT64:
    printf("%lld", (long long)option->int_default);
    break;
  case LUNA_OPTION_BOOL:
    printf("%s", option->int_default ? "true" : "false");
    break;
  case LUNA_OPTION_STRING:
  case LUNA_OPTION_RESOURCE:
    printf("%s", option->string_default ? option->string_default : "");
    break;
  }
}

static void print_options(const LunaOptionDesc *options, size_t count) {
  if (count == 0)
    return;
  printf("\n| option | default | meaning |\n|---|---|---|\n");
  for (size_t i = 0; i < count; ++i) {
    printf("| `%s` | ", options[i].name);
    print_default(&options[i]);
    printf(" | %s |\n", options[i].help);
  }
}

static void print_example(const char *argument) {
  LunaText folder = {0}, text = {0};
  luna_text_printf(&folder, "lit_tests/passes/%s", argument);
  if (read_source(&text, folder.data, "doc", ".mlir"))
    printf("\n```mlir\n%s```\n", text.data);
  luna_text_deinit(&folder);
  luna_text_deinit(&text);
}

static void print_pass(const LunaPassDesc *pass) {
  printf("\n## `%s`\n\n", pass->argument);
  print_comment(pass->argument, printf("A pass on `%s`:", pass->anchor));
  print_options(pass->options, pass->option_count);
  print_example(pass->argument);
}

static void print_attribute(const char *name, const char *holder,
                            const char *meaning, const char *writers,
                            const char *readers) {
  printf("| `%s` | %s | %s | %s | %s |\n", name, holder, meaning, writers,
         readers);
}

static void print_attributes(void) {
  enum { ARGUMENT, FUNCTION, ALLOCATION, MODULE, OPERATOR };
  static const char *const holders[] = {
      [ARGUMENT] = "arguments and results of functions",
      [FUNCTION] = "`func.func`",
      [ALLOCATION] = "`memref.alloc`",
      [MODULE] = "`builtin.module`",
      [OPERATOR] = "operators",
  };
  printf("\n## Attributes\n\n"
         "What one pass tells another is an operand or an attribute of an "
         "operator of the\ndialect, or one of these on operations of upstream. "
         "The verifier refuses any other\n`luna.…`, one on another operation, "
         "and one of another value.\n\n"
         "| attribute | on | meaning | written by | read by |\n"
         "|---|---|---|---|---|\n");
#define LUNA_ATTRIBUTE(NAME, HOLDER, VALUE, MEANING, WRITERS, READERS)         \
  print_attribute(NAME, holders[HOLDER], MEANING, WRITERS, READERS);
#include "luna-c/attributes.def"
}

static void append_text(const char *text, void *data) {
  luna_text_append(data, text, strlen(text));
}

// One pass a line: line breaks after each comma outside of braces.
static void print_pipeline(const LunaPipelineDesc *pipeline) {
  LunaOptionValue values[32] = {0};
  for (size_t i = 0; i < pipeline->option_count; ++i) {
    const LunaOptionDesc *option = &pipeline->options[i];
    values[i].integer = option->int_default;
    values[i].string = option->string_default ? option->string_default : "";
  }
  LunaText text = {0};
  pipeline->expand(values, append_text, &text);
  printf("\n## `%s`\n\nA pipeline: %s.\n", pipeline->argument,
         pipeline->summary);
  print_options(pipeline->options, pipeline->option_count);
  printf("\nWith its defaults it stands for\n\n```\n");
  int depth = 0;
  for (const char *at = text.data; *at; ++at) {
    depth += (*at == '{') - (*at == '}');
    printf("%c%s", *at, *at == ',' && depth == 0 ? "\n" : "");
  }
  printf("\n```\n");
  luna_text_deinit(&text);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: luna-pass-docs SOURCE_ROOT\n");
    return 2;
  }
  source_root = argv[1];
  printf(
      "<!-- page: build/bin/luna-pass-docs . -->\n\n# Passes and pipelines\n\n"
      "Names and options are those of the descriptors, examples are "
      "tests.\nFirst the pipelines, then the passes in the "
      "order in which `luna-compile` runs them;\n`luna-choose-transfers` runs "
      "`luna-insert-dma` and `luna-plan-memory`. Run any of\nthem alone:\n\n"
      "    mlir-opt-22 --load-dialect-plugin=build/lib/LunaMLIR.so \\\n"
      "        --pass-pipeline='builtin.module(func.func(luna-form-regions))'"
      " model.mlir\n\n"
      "Passes of a plugin are named inside `--pass-pipeline=` only, and "
      "`mlir-opt` exits\nwith 0 when a plugin fails to load unless the "
      "pipeline names one of its passes.\n");
#define LUNA_PASS(desc) print_pass(&desc);
#define LUNA_PIPELINE(desc) print_pipeline(&desc);
#include "luna/passes.def"
  print_attributes();
  return 0;
}
