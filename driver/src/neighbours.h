#ifndef LUNA_NEIGHBOURS_H
#define LUNA_NEIGHBOURS_H

#include "luna/import.h"

/// Returns "height=120: 96 and 128 are possible" for the first dimension of
/// `options` of which another size alone makes the model possible: the nearest
/// below and above. "" if no dimension has one within `tries` sizes to either
/// side. `is_possible` tells of options that differ in one size.
const char *luna_neighbours(const LunaImportOptions *options, int tries,
                            bool (*is_possible)(void *data,
                                                const LunaImportOptions *),
                            void *data, LunaArena *arena);

/// Returns how many sizes to try for the file at `path`: fewer for large ones,
/// which take their time to read.
int luna_neighbours_tries(const char *path);

#endif // LUNA_NEIGHBOURS_H
