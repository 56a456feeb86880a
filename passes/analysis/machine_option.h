#ifndef LUNA_MACHINE_OPTION_H
#define LUNA_MACHINE_OPTION_H

#include "luna-c/pass.h"
#include "luna/machine.h"

/// Machine files, as a resource that an option of a pass names.
extern const LunaResourceDesc luna_machine_resource;

/// The option `machine` of a pass: an initializer of its LunaOptionDesc.
#define LUNA_MACHINE_OPTION                                                    \
  {                                                                            \
      .name = "machine",                                                       \
      .help = "name of a machine or path of its XML file, also NAME:vector",   \
      .kind = LUNA_OPTION_RESOURCE,                                            \
      .string_default = "venus",                                               \
      .resource = &luna_machine_resource,                                      \
  }

/// Returns the machine that the option names, valid during the run.
const LunaMachine *luna_machine_of_option(const LunaOptionValue *value);

#endif // LUNA_MACHINE_OPTION_H
