#ifndef LUNA_BRANCH_H
#define LUNA_BRANCH_H

// The branches of a program by name, "if0", and the ways that they take:
// "then", "else"; a case value, "2" or "case2", or "default".

#include <stddef.h>

#include "luna/program.h"
#include "luna/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Finds the branch whose name is `name[0..length)`. Fails with
/// LUNA_ERROR_INPUT; the message lists the branches that there are.
bool luna_branch_find(const LunaProgramInfo *program, const char *name,
                      size_t length, uint32_t *index, LunaError *error);

/// Reads `way[0..length)` as a decision of `branch`. A way that several
/// versions are, "2x6+6x2", has the name of each, too. Fails with
/// LUNA_ERROR_INPUT; the message lists the ways that there are.
bool luna_branch_read_way(const LunaProgramBranch *branch, const char *way,
                          size_t length, int32_t *decision, LunaError *error);

/// Appends the way that a decision takes; of an unknown branch (NULL) the
/// decision, 0 and 1 as those of an if.
void luna_branch_print_way(LunaText *text, const LunaProgramBranch *branch,
                           int32_t decision);

/// Returns the decision that stands for all those that go the same way. Without
/// a branch (NULL) each stands for itself.
int32_t luna_branch_canonical(const LunaProgramBranch *branch,
                              int32_t decision);

/// Returns true if this is the branch between the versions of a program.
bool luna_branch_is_of_versions(const LunaProgramInfo *program,
                                uint32_t branch);

/// Returns the first version whose case a decision of that branch takes, or
/// version_count.
uint32_t luna_branch_version(const LunaProgramInfo *program, uint32_t branch,
                             int32_t decision);

#ifdef __cplusplus
}
#endif

#endif // LUNA_BRANCH_H
