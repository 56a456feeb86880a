#ifndef LUNA_MACHINE_CALLS_H
#define LUNA_MACHINE_CALLS_H

#include <libxml/tree.h>

#include "luna/machine.h"

/// Reads the rows of the section `calls`, which the schema bounds to
/// LUNA_UNIT_CALLS_MAX, and what sums, copies and fills cost by them. Fails
/// with LUNA_ERROR_SETUP, error->item the line, if it lacks those of int8.
bool luna_machine_calls_read(const xmlNode *section, const char *label,
                             LunaMachine *machine, LunaError *error);

/// Counts the values of a document by their sources.
void luna_machine_count_sources(const xmlNode *root, LunaMachine *machine);

#endif // LUNA_MACHINE_CALLS_H
