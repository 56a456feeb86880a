#ifndef LUNA_MACHINE_XML_H
#define LUNA_MACHINE_XML_H

#include <stdbool.h>
#include <stddef.h>

#include <libxml/tree.h>

#include "luna/error.h"

/// Parses the XML text of a machine file and validates it against
/// `machines_dir`/machine.xsd. The document is the caller's to free with
/// xmlFreeDoc; NULL on failure, with `error` set as luna_machine_parse says.
/// Reaches no network and expands no entity.
xmlDoc *luna_machine_xml_read(const char *text, size_t length,
                              const char *label, const char *machines_dir,
                              LunaError *error);

#endif // LUNA_MACHINE_XML_H
