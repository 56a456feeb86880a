#include "machine_option.h"

#include <stdlib.h>

static const void *load_machine(const char *name, LunaError *error) {
  LunaMachine *machine = malloc(sizeof *machine);
  if (!machine) {
    luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                   "out of memory for machine '%s'", name);
    return NULL;
  }
  if (luna_machine_load(name, NULL, machine, error))
    return machine;
  free(machine);
  return NULL;
}

static void unload_machine(const void *machine) { free((void *)machine); }

const LunaResourceDesc luna_machine_resource = {
    .load = load_machine,
    .unload = unload_machine,
};

const LunaMachine *luna_machine_of_option(const LunaOptionValue *value) {
  return value->resource;
}
