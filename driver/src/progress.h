#ifndef LUNA_PROGRESS_H
#define LUNA_PROGRESS_H

#include "session.h"

/// Prints the current activity: a line with -v, a transient line on a terminal,
/// else nothing.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void luna_progress(LunacSession *session, const char *format, ...);

/// Removes a progress line from the terminal.
void luna_progress_end(LunacSession *session);

#endif // LUNA_PROGRESS_H
