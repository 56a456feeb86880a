#ifndef LUNA_REPORT_FILL_H
#define LUNA_REPORT_FILL_H

// Fills the data of a report (luna/report.h) from what the compiler and the
// simulator leave.
//
//   LunaReportBuilder builder;
//   luna_report_begin(&builder, &arena, &plan, &cost);
//   luna_report_add_run(&builder, simulator, &program, result, NULL);  // each
//   builder.data.model = "fusion_detect";         // and what else is known
//   luna_report_html(&builder.data, &html, &error);

#include "luna/arena.h"
#include "luna/program.h"
#include "luna/report.h"
#include "luna/simulator.h"
#include "luna/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A report under construction. `data` may be changed at any time.
typedef struct LunaReportBuilder {
  LunaArena *arena;
  LunaReportData data;
  LUNA_VECTOR(LunaReportPath) paths; ///< those of `data`
} LunaReportBuilder;

/// Starts from a plan and its costs: buffers and paths. Their strings and
/// arrays are borrowed; arrays of the report's own come from `arena`.
void luna_report_begin(LunaReportBuilder *builder, LunaArena *arena,
                       const LunaPlanRecord *plan, const LunaCostRecord *cost);

/// Adds one run: its cycles, events, operators and hazards go to the path that
/// it took, in place of an earlier run of it. `program` names buffers.
/// `is_equal` says whether the result was that of the reference; NULL if it
/// was not compared. Everything is copied.
void luna_report_add_run(LunaReportBuilder *builder, LunaSimulator *simulator,
                         const LunaProgramInfo *program,
                         const LunaRunResult *result, const bool *is_equal);

/// Notes the cycles of every path with synchronous transfers, to compare:
/// `cost` is that of such a plan of the model.
void luna_report_add_synchronous(LunaReportBuilder *builder,
                                 const LunaCostRecord *cost);

#ifdef __cplusplus
}
#endif

#endif // LUNA_REPORT_FILL_H
