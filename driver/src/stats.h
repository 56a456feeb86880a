#ifndef LUNA_STATS_H
#define LUNA_STATS_H

// The statistics of a planned model: the files of --stats and --report, and a
// summary.

#include "compile.h"
#include "luna/report_fill.h"

/// Starts the statistics and the report of a planned model.
void luna_stats_begin(LunacSession *session, const LunacModel *model,
                      LunaReportBuilder *report);
/// Writes the file of --stats (docs/stats.md), if requested; `runs` is NULL for
/// `lunac compile`. Returns an exit code.
int luna_stats_write(LunacSession *session, const LunaReportBuilder *report,
                     const LunaReportRuns *runs);
/// Writes DIR/report.html of --report, if requested. Returns an exit code.
int luna_page_write(LunacSession *session, const LunaReportBuilder *report);

/// Prints a human-readable summary of `lunac compile`. Returns an exit code.
int luna_print_summary(LunacSession *session, const LunacModel *model);

#endif // LUNA_STATS_H
