#include "complete.h"

#include <stdbool.h>
#include <string.h>

#include "luna/machine.h"
#include "luna/plan.h"
#include "option_table.h"

typedef struct Completion {
  const char *word; // prefix of candidates
  LunaArena *arena;
  LunaText *text;
} Completion;

static bool starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

// Adds a candidate if it matches, with the first line of its help.
static void add(const Completion *completion, const char *candidate,
                const char *help) {
  if (!starts_with(candidate, completion->word))
    return;
  luna_text_printf(completion->text, "%s", candidate);
  if (help)
    luna_text_printf(completion->text, "\t%.*s", (int)strcspn(help, "\n"),
                     help);
  luna_text_append(completion->text, "\n", 1);
}

static void add_files(const Completion *completion, const char *suffix) {
  luna_text_printf(completion->text, ":files\t*%s\n", suffix);
}

static void add_folders(const Completion *completion) {
  luna_text_printf(completion->text, ":folders\n");
}

//===- Values of options --------------------------------------------------===//

static void add_machines(const Completion *completion) {
  const char **names = NULL;
  uint64_t count = 0;
  if (luna_machine_list(NULL, completion->arena, &names, &count, NULL))
    for (uint64_t i = 0; i < count; ++i)
      add(completion, names[i], NULL);
}

static void add_strategies(const Completion *completion) {
  for (uint32_t i = 0; i < luna_strategy_count(); ++i)
    add(completion, luna_strategy_name(i), luna_strategy_summary(i));
}

static void add_choices(const Completion *completion, const char *choices) {
  for (const char *at = choices; *at;) {
    size_t length = strcspn(at, "|");
    add(completion, luna_arena_strndup(completion->arena, at, length), NULL);
    at += length + (at[length] == '|');
  }
}

static void add_models(const Completion *completion) {
  add_files(completion, ".mlir");
  add_files(completion, ".onnx");
  add_files(completion, ".tflite");
  add_folders(completion);
}

// The value's name in help determines the files: "NAME|FILE.xml".
static void add_value(const Completion *completion, const OptionSpec *option) {
  const char *file = strstr(option->value, "FILE");
  if (option->kind == OPTION_CHOICE)
    add_choices(completion, option->choices);
  if (strcmp(option->name, "machine") == 0)
    add_machines(completion);
  if (strcmp(option->name, "strategy") == 0)
    add_strategies(completion);
  if (strcmp(option->value, "MODEL") == 0)
    add_models(completion);
  if (file)
    add_files(completion, file + strlen("FILE"));
  if (file || strncmp(option->value, "DIR", 3) == 0)
    add_folders(completion);
}

// Returns the option of a command that `word`, up to `length`, names with two
// dashes.
static const OptionSpec *find_option(const char *word, size_t length,
                                     int mask) {
  int count = 0;
  const OptionSpec *options = luna_option_specs(&count);
  for (int i = 0; i < count; ++i)
    if ((options[i].commands & mask) && options[i].value &&
        strlen(options[i].name) + 2 == length && starts_with(word, "--") &&
        memcmp(options[i].name, word + 2, length - 2) == 0)
      return &options[i];
  return NULL;
}

//===- Words --------------------------------------------------------------===//

static void add_commands(const Completion *completion) {
  int count = 0;
  const CommandSpec *commands = luna_command_specs(&count);
  for (int i = 0; i < count; ++i)
    add(completion, commands[i].name, commands[i].summary);
}

static void add_options(const Completion *completion, int mask) {
  int count = 0;
  const OptionSpec *options = luna_option_specs(&count);
  for (int i = 0; i < count; ++i)
    if (options[i].commands & mask)
      add(completion,
          luna_arena_printf(completion->arena, "--%s%s", options[i].name,
                            options[i].value ? "=" : ""),
          options[i].help);
  add(completion, "--help", "explain the command");
}

// Completes the words after a command that takes options.
static void complete_word(Completion *completion, const CommandSpec *command,
                          const char *before) {
  int mask = command->mask;
  const char *word = completion->word;
  size_t length = strcspn(word, "=");
  const OptionSpec *option = find_option(word, length, mask);
  if (option && word[length] == '=') {
    completion->word = word + length + 1;
    add_value(completion, option);
  } else if ((option = find_option(before, strlen(before), mask))) {
    add_value(completion, option);
  } else if (strcmp(before, "-o") == 0) {
    add_files(completion, "");
    add_folders(completion);
  } else if (*word == '-') {
    add_options(completion, mask);
  } else if (command->actions) {
    add_choices(completion, command->actions);
  } else {
    add_models(completion);
  }
}

void luna_complete(char *const *words, int count, LunaArena *arena,
                   LunaText *text) {
  Completion completion = {
      .word = count > 0 ? words[count - 1] : "",
      .arena = arena,
      .text = text,
  };
  LunacCommand command = LUNAC_HELP;
  bool is_known = count > 1 && luna_command_find(words[0], &command);
  if (count < 2 || (count == 2 && strcmp(words[0], "help") == 0))
    add_commands(&completion);
  else if (is_known && luna_command_spec(command)->mask)
    complete_word(&completion, luna_command_spec(command), words[count - 2]);
}
