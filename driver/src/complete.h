#ifndef LUNA_COMPLETE_H
#define LUNA_COMPLETE_H

#include "luna/arena.h"
#include "luna/text.h"

/// Adds what the last of `words` (what stands behind `lunac`, up to the cursor)
/// may become, one candidate a line, then a tab and a short help where there is
/// one. The value of an option `--name=` comes without the option. The line
/// `:folders` stands for folders, `:files` for files of the pattern behind the
/// tab. Nothing is added where no completion is known.
void luna_complete(char *const *words, int count, LunaArena *arena,
                   LunaText *text);

#endif // LUNA_COMPLETE_H
