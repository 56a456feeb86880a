#ifndef LUNA_BUILD_ID_H
#define LUNA_BUILD_ID_H

#include "luna/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Appends the build ids of all that is loaded in this process, the program and
/// every library, in the order of loading, to a record (luna/record.h): of what
/// may compute differently, no two have the same. Returns false if one has no
/// build id.
bool luna_build_ids(LunaText *record);

#ifdef __cplusplus
}
#endif

#endif // LUNA_BUILD_ID_H
