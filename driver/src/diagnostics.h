#ifndef LUNA_DIAGNOSTICS_H
#define LUNA_DIAGNOSTICS_H

#include "session.h"

/// Prints every diagnostic of the session's context to standard error, as
/// `file:line:column: error: …` with its notes.
void luna_diagnostics_attach(LunacSession *session);

/// Prints whole lines as they are.
void luna_say(LunacSession *session, const char *words);

/// Prints a note that has no place in the model.
void luna_note(LunacSession *session, const char *message);

/// Prints an error that has no place in the model.
void luna_diagnose(LunacSession *session, const char *message);

#endif // LUNA_DIAGNOSTICS_H
