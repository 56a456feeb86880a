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
#include "luna/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The steps [first, end), as LunaSteps of luna/plan.h.
typedef struct LunaReportSteps {
  uint32_t first, end;
} LunaReportSteps;

/// One step of the program tree, branches after one another.
typedef struct LunaReportStep {
  const char *name;
  /// The decisions that lead to it, "if0=then/if1=else"; NULL, "" or
  /// "straight" outside every branch.
  const char *path;
} LunaReportStep;

/// What a buffer holds; chooses its pattern.
typedef enum LunaReportKind {
  LUNA_REPORT_TENSOR = 0, ///< activations
  LUNA_REPORT_STAGING,    ///< weights in transit or resident
  LUNA_REPORT_SCRATCH,    ///< 32-bit tiles of an operator
  LUNA_REPORT_IO,         ///< a model input or output on chip
} LunaReportKind;

/// A place in shared memory and when it is live. Buffers that share one place
/// by construction stand in one entry.
typedef struct LunaReportBuffer {
  const char *name;
  LunaReportKind kind;
  int64_t offset_bytes, size_bytes;
  /// Ascending ranges of steps.
  const LunaReportSteps *live;
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
  const LunaReportSteps *steps;
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
  /// Whether the result was compared with the reference, and was equal.
  bool is_checked, is_equal;
} LunaReportPath;

/// A size and the bound below it (0: unknown).
typedef struct LunaReportSize {
  int64_t bytes, lower_bound_bytes;
} LunaReportSize;

/// What one strategy needs under one treatment of branches.
typedef struct LunaReportPlanRow {
  const char *strategy, *merge;
  int64_t tensor_bytes, total_bytes;
} LunaReportPlanRow;

/// Everything a report shows.
typedef struct LunaReportData {
  const char *model, *machine;
  const char *strategy, *merge, *dma, *io; ///< options as the plan has them
  const char *version;                     ///< of the compiler
  int64_t capacity_bytes;                  ///< of the shared memory
  uint64_t clock_hz;                       ///< 0: times are in cycles only
  LunaReportSize total, tensor, staging, scratch;
  int64_t state_bytes, weight_bytes;
  bool is_optimal;
  const LunaReportPlanRow *rows;
  uint32_t row_count;
  const LunaReportStep *steps;
  uint32_t step_count;
  const LunaReportBuffer *buffers;
  uint32_t buffer_count;
  const LunaReportPath *paths;
  uint32_t path_count;
} LunaReportData;

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
