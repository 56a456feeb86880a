#ifndef LUNA_MACHINE_VALUES_H
#define LUNA_MACHINE_VALUES_H

// Values of a machine document that its schema has accepted, by the name of
// their attribute. What is absent reads as 0, false or empty.

#include <libxml/tree.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "luna/error.h"

/// Fails with LUNA_ERROR_SETUP and "<label>:<line>: element '<name>': <what>",
/// error->item the line.
bool luna_machine_refuse(const char *label, const xmlNode *node,
                         const char *what, LunaError *error);

/// Returns the first child element of a name, or NULL.
xmlNode *luna_machine_child(const xmlNode *node, const char *name);

/// Returns a number of the schema's types "size", "count" or "address".
uint64_t luna_machine_number(const xmlNode *node, const char *name);

/// Reads up to four numbers into `values`, followed by 0.
void luna_machine_list_value(const xmlNode *node, uint32_t values[4]);

bool luna_machine_boolean(const xmlNode *node, const char *name);

/// Copies a text that the schema bounds to fewer than `bytes`.
void luna_machine_text(const xmlNode *node, const char *name, char *to,
                       size_t bytes);

/// Returns the sum of what the words of a list stand for: types ("i8") for
/// their widths, memories for LunaMemorySet.
uint32_t luna_machine_set(const xmlNode *node, const char *name);

#endif // LUNA_MACHINE_VALUES_H
