#ifndef LUNA_REPORT_FILL_H
#define LUNA_REPORT_FILL_H

// Fills the data of a report (luna/report.h) from what the compiler and the
// simulator leave.
//
//   LunaReportBuilder builder;
//   luna_report_begin(&builder, &arena, plan, cost, &error);
//   luna_report_add_run(&builder, simulator, &program, result, NULL);  // each
//   builder.data.model = "fusion_detect";         // and what else is known
//   luna_report_html(&builder.data, &html, &error);

#include "luna/arena.h"
#include "luna/program.h"
#include "luna/report.h"
#include "luna/simulator.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A report in the making. `data` may be changed at any time.
typedef struct LunaReportBuilder {
  LunaArena *arena;
  LunaReportData data;
  LunaReportPath *paths; ///< those of `data`
  uint32_t path_capacity;
} LunaReportBuilder;

/// Starts from the function attributes `luna.plan` and `luna.cost` (which may
/// be null): sizes, strategies, steps, buffers and paths. Strings and arrays
/// come from `arena` or belong to the attributes' context. Fails with
/// LUNA_ERROR_INPUT when `plan` is not such a dictionary.
bool luna_report_begin(LunaReportBuilder *builder, LunaArena *arena,
                       MlirAttribute plan, MlirAttribute cost,
                       LunaError *error);

/// Adds one run: its cycles, events, operators and hazards go to the path that
/// it took, in place of an earlier run of it. `program` names buffers.
/// `is_equal` says whether the result was that of the reference; NULL if it
/// was not compared. Everything is copied.
void luna_report_add_run(LunaReportBuilder *builder, LunaSimulator *simulator,
                         const LunaProgramInfo *program,
                         const LunaRunResult *result, const bool *is_equal);

/// Notes the cycles of every path with synchronous transfers, to compare:
/// `cost` is the `luna.cost` of such a plan of the model, or null.
void luna_report_add_synchronous(LunaReportBuilder *builder,
                                 MlirAttribute cost);

#ifdef __cplusplus
}
#endif

#endif // LUNA_REPORT_FILL_H
