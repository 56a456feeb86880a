#ifndef LUNA_REPORT_H
#define LUNA_REPORT_H

// The report: one HTML file that shows a plan and what its program did.
//
// A caller fills a LunaReportData, plain values without a life of their own,
// and gets a page that needs nothing else: no network, no fonts, no scripts but
// the few lines within. It shows, for each path through the program, the
// memory map (offset × step), the time line of unit, core and DMA engine with
// the reason of every stall, what is live at the peak, every transfer and every
// operator. Same data, same bytes.
//
// Everything that is an array may be empty: what is missing is left out of the
// page. Strings are UTF-8 (other bytes show as U+FFFD), are escaped here, and
// may be NULL where nothing is known. All data is borrowed for the call.

#include <stdbool.h>
#include <stdint.h>

#include "luna/error.h"
#include "luna/plan_record.h"
#include "luna/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A place in shared memory and when it is live. Buffers that share one place
/// by construction stand in one entry.
typedef struct LunaReportBuffer {
  const char *name;
  LunaBufferKind kind; ///< chooses its pattern
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
  /// Operator that computes, starts the transfer or waits.
  const char *op;
  uint64_t begin_cycles, end_cycles;
  /// DMA and stall: what tells transfers apart (0: none), who started it, its
  /// bytes, whether it leaves the chip, and what it fills or reads.
  int32_t token;
  const char *transfer_op;
  int64_t bytes;
  bool is_store;
  const char *buffer;
} LunaReportEvent;

/// What one operator did on one path, all its executions together.
typedef struct LunaReportOp {
  const char *name;
  uint64_t calls, launches;
  uint64_t compute_cycles, host_cycles, stall_cycles;
} LunaReportOp;

/// Cycles of one path; 0 means unknown.
typedef struct LunaReportCycles {
  uint64_t total, compute, host, stall, dma;
  /// No schedule of the same work is faster.
  uint64_t bound;
  /// With synchronous transfers, to compare.
  uint64_t synchronous;
} LunaReportCycles;

/// One path through the program.
typedef struct LunaReportPath {
  /// Its decisions, "if0=then/if1=else", or "straight".
  const char *name;
  /// The steps on it, ascending.
  const LunaSteps *steps;
  uint32_t step_range_count;
  LunaReportCycles predicted;
  /// From the simulator; total 0 if it did not run.
  LunaReportCycles simulated;
  const LunaReportEvent *events;
  uint64_t event_count;
  const LunaReportOp *ops;
  uint32_t op_count;
  uint64_t hazard_count;
  /// Messages of the first hazards.
  const char *const *hazards;
  uint32_t hazard_message_count;
  /// True if the result was compared with the reference, and was equal.
  bool is_checked, is_equal;
} LunaReportPath;

/// Everything a report shows.
typedef struct LunaReportData {
  const char *model, *machine;
  const char *dma, *io; ///< options of the transfers, and of inputs
  const char *version;  ///< of the compiler
  uint64_t clock_hz;    ///< 0: times are in cycles only
  LunaPlanRecord plan;
  LunaCostRecord cost;
  const LunaReportBuffer *buffers;
  uint32_t buffer_count;
  const LunaReportPath *paths;
  uint32_t path_count;
} LunaReportData;

/// What all runs of a program came to together.
typedef struct LunaReportRuns {
  LunaReportCycles slowest; ///< of the slowest run
  uint64_t hazard_count;
  bool is_checked; ///< whether results were compared with the reference
  uint64_t checked_paths, checked_runs;
  uint64_t mismatches; ///< outputs that differ
} LunaReportRuns;

/// Adds the statistics (docs/stats.md) to `text`; `runs` is NULL where nothing
/// ran.
void luna_report_json(const LunaReportData *data, const LunaReportRuns *runs,
                      LunaText *text);

/// Adds the page to `html`.
///
/// Fails with LUNA_ERROR_INPUT, adding nothing, when a range lies outside the
/// steps, ranges are not ascending, a size or offset is negative, or an event
/// ends before it begins (error->item: the buffer or path).
bool luna_report_html(const LunaReportData *data, LunaText *html,
                      LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_REPORT_H
