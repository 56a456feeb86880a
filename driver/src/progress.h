#ifndef LUNA_PROGRESS_H
#define LUNA_PROGRESS_H

#include "session.h"

/// Prints what is being done: a line with -v, one that is overwritten on a
/// terminal, else nothing.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void luna_progress(LunacSession *session, const char *format, ...);

/// Removes a progress line from the terminal.
void luna_progress_end(LunacSession *session);

#endif // LUNA_PROGRESS_H
