#include "options.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "luna/text.h"
#include "option_table.h"

//===- Suggestions --------------------------------------------------------===//

// The edit distance from which a name is not suggested.
static size_t misspelt_limit(size_t length) { return 2 + length / 4; }

static const char *nearest_option(const char *name, size_t length, int mask) {
  int count;
  const OptionSpec *specs = luna_option_specs(&count);
  const char *nearest = NULL;
  size_t least = misspelt_limit(length);
  for (int i = 0; i < count; ++i) {
    size_t found = luna_text_distance(name, length, specs[i].name);
    if ((specs[i].commands & mask) && found < least) {
      least = found;
      nearest = specs[i].name;
    }
  }
  return nearest;
}

static const char *nearest_command(const char *name) {
  int count;
  const CommandSpec *commands = luna_command_specs(&count);
  const char *nearest = NULL;
  size_t least = misspelt_limit(strlen(name));
  for (int i = 0; i < count; ++i) {
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
  int count;
  const OptionSpec *specs = luna_option_specs(&count);
  for (int i = 0; i < count; ++i)
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
    if (spec->offset == offsetof(LunacOptions, random_seed))
      reader->options->has_random_input = true;
    return read_number(reader, spec, value, (int64_t *)(void *)field);
  case OPTION_LIST:
    *LUNA_VECTOR_ADD(reader->arena, (LunaStrings *)(void *)field) = value;
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
  int count;
  const OptionSpec *specs = luna_option_specs(&count);
  for (int i = 0; i < count; ++i) {
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
  return check_argument(reader, luna_command_spec(reader->options->command));
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
  if (luna_command_find(name, command))
    return true;
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

// A set of host costs is part of the machine's name (luna/machine.h).
static void name_core(Reader *reader) {
  LunacOptions *options = reader->options;
  if (strcmp(options->core, "scalar") != 0)
    options->machine = luna_arena_printf(reader->arena, "%s:%s",
                                         options->machine, options->core);
}

// A port runs calls of the vendor's library alone.
static bool choose_calls(Reader *reader) {
  LunacOptions *options = reader->options;
  if (!options->port)
    return true;
  if (!options->emit || strcmp(options->emit, "archive") != 0)
    return fail(reader, "--port=%s is for --emit=archive%s", options->port, "");
  if (strcmp(options->layout, "calls") != 0)
    return fail(reader, "--port=%s needs --layout=calls, not %s", options->port,
                options->layout);
  options->layout = "calls";
  options->has_layout = true;
  return true;
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
  reader.mask = luna_command_spec(options->command)->mask;
  reader.command = luna_command_spec(options->command)->name;
  const char *layout = options->layout;
  if (!read_rest(&reader) || !check_outputs(&reader))
    return false;
  options->has_layout = options->layout != layout;
  if (!choose_calls(&reader))
    return false;
  name_core(&reader);
  return true;
}
