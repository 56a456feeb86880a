#ifndef LUNA_PLAN_OPTION_H
#define LUNA_PLAN_OPTION_H

#include "luna-c/pass.h"

// The options of luna-plan-memory that other passes and pipelines hand to it:
// initializers of their LunaOptionDesc.

#define LUNA_STRATEGY_OPTION(TEXT)                                             \
  {                                                                            \
      .name = "strategy",                                                      \
      .help = TEXT,                                                            \
      .kind = LUNA_OPTION_STRING,                                              \
      .string_default = "best",                                                \
  }

#define LUNA_MERGE_OPTION(TEXT)                                                \
  {                                                                            \
      .name = "merge",                                                         \
      .help = TEXT,                                                            \
      .kind = LUNA_OPTION_STRING,                                              \
      .string_default = "path",                                                \
  }

#define LUNA_COMPARE_OPTION(TEXT)                                              \
  {                                                                            \
      .name = "compare",                                                       \
      .help = TEXT,                                                            \
      .kind = LUNA_OPTION_BOOL,                                                \
  }

#define LUNA_CACHE_OPTION(TEXT)                                                \
  {                                                                            \
      .name = "cache",                                                         \
      .help = TEXT,                                                            \
      .kind = LUNA_OPTION_STRING,                                              \
  }

#define LUNA_PLAN_CACHE_OPTION(TEXT)                                           \
  {                                                                            \
      .name = "plan-cache",                                                    \
      .help = TEXT,                                                            \
      .kind = LUNA_OPTION_STRING,                                              \
      .string_default = "exact",                                               \
  }

#define LUNA_SEE_PLAN_MEMORY "see luna-plan-memory"

#endif // LUNA_PLAN_OPTION_H
