#ifndef LUNA_REPORT_FILL_H
#define LUNA_REPORT_FILL_H

// Fills the data of a report (luna/report.h) from the results of the compiler
// and the simulator.
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

/// A report under construction. `data` may be modified at any time.
typedef struct LunaReportBuilder {
  LunaArena *arena;
  LunaReportData data;
  LUNA_VECTOR(LunaReportPath) paths; ///< those of `data`
} LunaReportBuilder;

/// Starts a report from a plan and its costs: buffers and paths. Borrows their
/// strings and arrays; other arrays come from `arena`.
void luna_report_begin(LunaReportBuilder *builder, LunaArena *arena,
                       const LunaPlanRecord *plan, const LunaCostRecord *cost);

/// Adds a run: its cycles, events, operators and hazards replace those of an
/// earlier run of its path. `program` names buffers. `is_equal` is true if the
/// result equals the reference, NULL if it was not compared. Copies all data.
void luna_report_add_run(LunaReportBuilder *builder, LunaSimulator *simulator,
                         const LunaProgramInfo *program,
                         const LunaRunResult *result, const bool *is_equal);

/// Adds the cycles of every path with synchronous transfers, for comparison:
/// `cost` is that of such a plan of the model.
void luna_report_add_synchronous(LunaReportBuilder *builder,
                                 const LunaCostRecord *cost);

#ifdef __cplusplus
}
#endif

#endif // LUNA_REPORT_FILL_H
