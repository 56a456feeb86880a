#ifndef LUNA_RUN_H
#define LUNA_RUN_H

#include "session.h"

/// `lunac run`. Gives an exit code.
int luna_run(LunacSession *session);

#endif // LUNA_RUN_H
