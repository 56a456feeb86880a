#ifndef LUNA_RUN_PRINT_H
#define LUNA_RUN_PRINT_H

#include "luna/difference.h"
#include "luna/program.h"
#include "luna/reference.h"
#include "luna/simulator.h"
#include "stats.h"

/// The output of `lunac run` on standard output.

/// Prints the plan and the head of the table of runs.
void luna_print_head(LunacSession *session, const LunacModel *model);
/// Prints a row of the table.
void luna_print_run(LunacSession *session, const char *path, int64_t number,
                    const LunaRunResult *result, bool is_equal);
/// Prints the hazards of a run to standard error.
void luna_print_hazards(LunacSession *session, const char *path, int64_t number,
                        const LunaRunResult *result);
/// Prints the difference of an output from its expected value to standard
/// error.
void luna_print_difference(LunacSession *session, const char *path,
                           int64_t number, const char *whose,
                           const LunaProgramTensor *tensor,
                           const uint8_t *found, const uint8_t *expected,
                           const LunaDifference *difference);
/// Prints each luna.quantize and result that the literal reference found wrong
/// in the last run to standard error; returns their number.
uint64_t luna_print_wrong_quantize(LunacSession *session, const char *path,
                                   int64_t number,
                                   const LunaReference *reference);
/// Prints what the reference has in common with the program, and what judges
/// that.
void luna_print_reference(const LunacSession *session,
                          const LunaReference *reference);
/// Prints the result of all runs, and how many paths of `plan` they took.
void luna_print_end(LunacSession *session, const LunaPlanRecord *plan,
                    const LunaReportRuns *runs, uint64_t expected_outputs);

#endif // LUNA_RUN_PRINT_H
