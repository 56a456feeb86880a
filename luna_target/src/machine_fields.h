#ifndef LUNA_MACHINE_FIELDS_H
#define LUNA_MACHINE_FIELDS_H

#include <libxml/tree.h>

#include "luna/machine.h"

/// Copies the values of a valid machine document into `machine`, then checks
/// what a schema cannot express. Fails with LUNA_ERROR_SETUP, error->item the
/// line.
bool luna_machine_fields_read(const xmlDoc *document, const char *label,
                              LunaMachine *machine, LunaError *error);

#endif // LUNA_MACHINE_FIELDS_H
