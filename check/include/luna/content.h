#ifndef LUNA_CONTENT_H
#define LUNA_CONTENT_H

#include <stddef.h>

#include "luna/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns "kind: <BLAKE3 in hexadecimal digits>" of some bytes, in `arena`:
/// what stands for large contents in a key, also where others write keys.
const char *luna_content_record(LunaArena *arena, const char *kind,
                                const void *bytes, size_t length);

#ifdef __cplusplus
}
#endif

#endif // LUNA_CONTENT_H
