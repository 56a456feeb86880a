#ifndef LUNA_SIM_BRANCH_H
#define LUNA_SIM_BRANCH_H

// The alternatives of a branch: as decisions and as names.

#include "luna/error.h"
#include "luna/program.h"
#include "luna/text.h"

/// Returns the canonical decision of those that take the same alternative.
/// Without a branch (NULL) each is canonical.
int32_t luna_sim_branch_canonical(const LunaProgramBranch *branch,
                                  int32_t decision);

/// Appends the name of the alternative that `decision` takes: "then" or "else",
/// a case value or "default". `branch` may be NULL.
void luna_sim_branch_print_decision(LunaText *text,
                                    const LunaProgramBranch *branch,
                                    int32_t decision);

/// Parses the name of an alternative. Fails with LUNA_ERROR_INPUT for an
/// unknown one; the message lists the known ones.
bool luna_sim_branch_parse_decision(const LunaProgramBranch *branch,
                                    const char *alternative, int32_t *decision,
                                    LunaError *error);

#endif // LUNA_SIM_BRANCH_H
