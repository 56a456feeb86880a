#ifndef LUNA_OPTION_TABLE_H
#define LUNA_OPTION_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "options.h"

// The commands and options of lunac. These tables drive parsing, help and
// completion.

/// The commands that take options, as a bit set.
enum {
  COMPILE = 1,
  RUN = 2,
  BOTH = 3,
  IMPORT = 4,
  VERIFY = 8,
  ALL = 15, ///< that read a model
  CACHE = 16,
  BATCH = 32,
  ANY = 63,
};

typedef enum OptionKind {
  OPTION_FLAG,
  OPTION_STRING,
  OPTION_CHOICE,
  OPTION_NUMBER,
  OPTION_LIST,
} OptionKind;

typedef struct OptionSpec {
  const char *name;  ///< without dashes
  const char *value; ///< the value's name in help; NULL for a flag
  const char *help;  ///< lines, separated by newlines
  int commands;      ///< that take it
  OptionKind kind;
  size_t offset;       ///< in LunacOptions
  const char *choices; ///< "a|b|c" for OPTION_CHOICE
  const char *initial; ///< value if the option is not given
  int64_t minimum;     ///< for OPTION_NUMBER
} OptionSpec;

typedef struct CommandSpec {
  const char *name, *usage, *summary;
  int mask; ///< its bit in OptionSpec.commands; 0 if it takes no options
  const char *actions; ///< "a|b|c" for its argument; NULL for a model
} CommandSpec;

/// Returns the options, `count` of them.
const OptionSpec *luna_option_specs(int *count);
/// Returns the commands by LunacCommand, `count` of them.
const CommandSpec *luna_command_specs(int *count);
/// Returns that of one command.
const CommandSpec *luna_command_spec(LunacCommand command);
/// Finds a command by its name.
bool luna_command_find(const char *name, LunacCommand *command);

#endif // LUNA_OPTION_TABLE_H
