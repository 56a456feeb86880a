#include "plan_option.h"

#include <stdio.h>

void luna_option_append(const LunaOptionDesc *option,
                        const LunaOptionValue *value,
                        void (*append)(const char *text, void *data),
                        void *data) {
  char number[24];
  switch (option->kind) {
  case LUNA_OPTION_STRING:
  case LUNA_OPTION_RESOURCE:
    append(value->string, data);
    return;
  case LUNA_OPTION_BOOL:
    append(value->integer ? "true" : "false", data);
    return;
  case LUNA_OPTION_INT64:
    snprintf(number, sizeof number, "%lld", (long long)value->integer);
    append(number, data);
    return;
  }
}

void luna_plan_options_append(const LunaOptionDesc *options,
                              const LunaOptionValue *values,
                              void (*append)(const char *text, void *data),
                              void *data) {
  for (int i = 0; i < LUNA_PLAN_OPTIONS; ++i) {
    append(" ", data);
    append(options[i].name, data);
    append("={", data);
    luna_option_append(&options[i], &values[i], append, data);
    append("}", data);
  }
}
