#ifndef LUNA_REPORT_H
#define LUNA_REPORT_H

// The report: one HTML file that shows a plan and the runs of its program. A
// caller fills a LunaReportData, a struct of plain values, and receives a
// self-contained page: no network, no fonts, no scripts except a few embedded
// lines. For each path through the program, it shows the memory map (offset ×
// step), the time line of unit, core and DMA engine with the reason of every
// stall, the buffers live at the peak, every transfer and every operator. The
// output depends on the data only. Arrays may be empty: missing data is omitted
// from the page. Strings are UTF-8 (other bytes are shown as U+FFFD), are
// escaped here, and may be NULL if unknown. All data is borrowed for the call.

#include <stdbool.h>
#include <stdint.h>

#include "luna/error.h"
#include "luna/image.h"
#include "luna/plan_record.h"
#include "luna/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A buffer in shared memory and its lifetime. Aliases are one entry.
typedef struct LunaReportBuffer {
  const char *name;
  LunaBufferKind kind; ///< determines its pattern
  int64_t offset_bytes, size_bytes;
  /// Ascending ranges of steps.
  const LunaSteps *live;
  uint32_t live_count;
} LunaReportBuffer;

/// Rows of the time line, with the values of LunaTimelineRow.
typedef enum LunaReportRow {
  LUNA_REPORT_COMPUTE = 0,
  LUNA_REPORT_HOST = 1,
  LUNA_REPORT_DMA = 2,
  LUNA_REPORT_STALL = 3,
} LunaReportRow;

/// One bar of the time line, [begin_cycles, end_cycles).
typedef struct LunaReportEvent {
  LunaReportRow row;
  /// The operator that computes, starts the transfer or waits.
  const char *op;
  uint64_t begin_cycles, end_cycles;
  /// DMA and stall: the transfer's token (0: none), the operator that started
  /// it, its bytes, its direction, and the buffer that it fills or reads.
  int32_t token;
  const char *transfer_op;
  int64_t bytes;
  bool is_store;
  const char *buffer;
} LunaReportEvent;

/// The statistics of one operator on one path, over all its executions.
typedef struct LunaReportOp {
  const char *name;
  uint64_t calls, launches;
  uint64_t compute_cycles, host_cycles, stall_cycles;
} LunaReportOp;

/// The cycles of one path; 0 means unknown.
typedef struct LunaReportCycles {
  uint64_t total, compute, host, stall, dma;
  /// The least, however transfers overlap: max(compute + host, dma).
  uint64_t bound;
  /// With synchronous transfers, for comparison.
  uint64_t synchronous;
} LunaReportCycles;

/// One path through the program.
typedef struct LunaReportPath {
  /// The decisions, "if0=then/if1=else", or "straight".
  const char *name;
  /// The steps of the path, ascending.
  const LunaSteps *steps;
  uint32_t step_range_count;
  LunaReportCycles predicted;
  const LunaPathCost *cost; ///< what `predicted` is from, or NULL
  /// From the simulator; total 0 if it did not run.
  LunaReportCycles simulated;
  const LunaReportEvent *events;
  uint64_t event_count;
  const LunaReportOp *ops;
  uint32_t op_count;
  uint64_t hazard_count;
  /// The messages of the first hazards.
  const char *const *hazards;
  uint32_t hazard_message_count;
  /// True if the result was compared with the reference; true if it was equal.
  bool is_checked, is_equal;
} LunaReportPath;

/// The contents of a report.
typedef struct LunaReportData {
  const char *model, *machine;
  bool is_derived;      ///< the core's cycles are not those of its code
  const char *dma, *io; ///< options of the transfers, and of inputs
  bool takes_best_plan; ///< from a cache: the plan depends on what it holds
  const char *version;  ///< of the compiler
  uint64_t clock_hz;    ///< 0: times are in cycles only
  LunaPlanRecord plan;
  LunaCostRecord cost;
  LunaJoinEffort joins_tried;
  const LunaCodeRecord *code; ///< NULL if it was not lowered
  const char *target;         ///< of the code, with `image`
  const LunaImage *image;     ///< of the code; NULL if none was generated
  const LunaReportBuffer *buffers;
  uint32_t buffer_count;
  const LunaReportPath *paths;
  uint32_t path_count;
} LunaReportData;

/// The summary of all runs of a program.
typedef struct LunaReportRuns {
  LunaReportCycles slowest; ///< of the slowest run
  uint64_t hazard_count;
  bool is_checked; ///< true if results were compared with the reference
  uint64_t checked_paths, checked_runs;
  uint64_t forced_paths; ///< of the paths of the plan
  uint64_t mismatches;   ///< outputs that differ
} LunaReportRuns;

/// Appends the statistics (docs/stats.md) to `text`; `runs` is NULL if nothing
/// ran.
void luna_report_json(const LunaReportData *data, const LunaReportRuns *runs,
                      LunaText *text);

/// Appends the page to `html`.
///
/// Fails with LUNA_ERROR_INPUT, appending nothing, if a range lies outside the
/// steps, ranges are not ascending, a size or offset is negative, or an event
/// ends before it begins (error->item: the buffer or path).
bool luna_report_html(const LunaReportData *data, LunaText *html,
                      LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_REPORT_H
