#ifndef LUNA_PLAN_OPTION_H
#define LUNA_PLAN_OPTION_H

// The options of luna/plan_options.def as options of passes and pipelines. One
// that takes them and hands them on has them behind its own:
//
//     enum { OPT_MACHINE, OPT_PLAN, OPT_COUNT = OPT_PLAN + LUNA_PLAN_OPTIONS };
//     static const LunaOptionDesc options[OPT_COUNT] = {
//         [OPT_MACHINE] = LUNA_MACHINE_OPTION,
//     #define LUNA_PLAN_OPTION LUNA_HANDED_PLAN_OPTION
//     #include "luna/plan_options.def"
//     };

#include "luna-c/pass.h"

/// LUNA_PLAN_OPTION_<ID>: where the value of an option is, counted from the
/// first of planning.
typedef enum LunaPlanOptionId {
#define LUNA_PLAN_OPTION(ID, member, KIND, initial, name, value, choices,      \
                         text, help)                                           \
  LUNA_PLAN_OPTION_##ID,
#include "luna/plan_options.def"
  /// Those that luna-choose-transfers and the pipelines hand on.
  LUNA_PLAN_OPTIONS,
  LUNA_PLAN_OPTIONS_END = LUNA_PLAN_OPTIONS - 1, // the next has its number
#define LUNA_PLAN_PASS_OPTION(ID, member, KIND, initial, name, text, command,  \
                              value, help)                                     \
  LUNA_PLAN_OPTION_##ID,
#include "luna/plan_options.def"
  LUNA_PLAN_MEMORY_OPTIONS,
} LunaPlanOptionId;

/// A LunaOptionDesc by KIND.
#define LUNA_PASS_OPTION_STRING(NAME, TEXT, INITIAL)                           \
  {                                                                            \
      .name = NAME,                                                            \
      .help = TEXT,                                                            \
      .kind = LUNA_OPTION_STRING,                                              \
      .string_default = INITIAL,                                               \
  }
#define LUNA_PASS_OPTION_CHOICE LUNA_PASS_OPTION_STRING
#define LUNA_PASS_OPTION_BOOL(NAME, TEXT, INITIAL)                             \
  {                                                                            \
      .name = NAME,                                                            \
      .help = TEXT,                                                            \
      .kind = LUNA_OPTION_BOOL,                                                \
      .int_default = INITIAL,                                                  \
  }
#define LUNA_PASS_OPTION_COUNT(NAME, TEXT, INITIAL)                            \
  {                                                                            \
      .name = NAME,                                                            \
      .help = TEXT,                                                            \
      .kind = LUNA_OPTION_INT64,                                               \
      .int_default = INITIAL,                                                  \
  }

#define LUNA_PASS_OPTION_BYTES LUNA_PASS_OPTION_COUNT

/// Rows of one that hands its options on, from OPT_PLAN.
#define LUNA_HANDED_PLAN_OPTION(ID, member, KIND, initial, name, value,        \
                                choices, text, help)                           \
  [OPT_PLAN + LUNA_PLAN_OPTION_##ID] =                                         \
      LUNA_PASS_OPTION_##KIND(name, "see luna-plan-memory", initial),

/// Appends the value of an option as pipelines have it.
void luna_option_append(const LunaOptionDesc *option,
                        const LunaOptionValue *value,
                        void (*append)(const char *text, void *data),
                        void *data);

/// Appends ` name={value}` for each of `options`, LUNA_PLAN_OPTIONS of them.
void luna_plan_options_append(const LunaOptionDesc *options,
                              const LunaOptionValue *values,
                              void (*append)(const char *text, void *data),
                              void *data);

#endif // LUNA_PLAN_OPTION_H
