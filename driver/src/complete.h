#ifndef LUNA_COMPLETE_H
#define LUNA_COMPLETE_H

#include "luna/arena.h"
#include "luna/text.h"

/// Appends the completions of the last of `words` (the words after `lunac`, up
/// to the cursor), one candidate per line, followed by a tab and a short help
/// if there is one. The value of an option `--name=` is listed without the
/// option. The line `:folders` stands for folders, `:files` for files that
/// match the pattern after the tab. Appends nothing if no completion is known.
void luna_complete(char *const *words, int count, LunaArena *arena,
                   LunaText *text);

#endif // LUNA_COMPLETE_H
