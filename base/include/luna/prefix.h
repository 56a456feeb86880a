#ifndef LUNA_PREFIX_H
#define LUNA_PREFIX_H

#include "luna/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the absolute path of `relative` below the folder that this code is
/// installed in.
///
/// That folder is found anew by each call, so that an installation may be
/// moved: the file which holds this code, a program or the plugin, stands in
/// `<prefix>/bin` or `<prefix>/lib` (links to it are followed). The string
/// comes from `arena`; nothing need exist there. Without /proc it is `relative`
/// itself.
const char *luna_prefix_path(LunaArena *arena, const char *relative);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PREFIX_H
