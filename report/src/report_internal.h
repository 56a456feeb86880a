#ifndef LUNA_REPORT_INTERNAL_H
#define LUNA_REPORT_INTERNAL_H

// Shared by the files of the report: escaping, numbers, and the layout of one
// path.

#include "luna/arena.h"
#include "luna/report.h"

/// The colours of branches; number 0 is outside every branch.
enum { REPORT_COLOUR_COUNT = 8 };

/// The program as the page needs it.
typedef struct ReportContext {
  const LunaReportData *data;
  LunaText *out;
  LunaArena *arena;
  const char **branches; ///< distinct step paths, in order of appearance
  uint32_t branch_count;
  uint32_t *branch_of_step;
  uint32_t *branch_of_buffer; ///< innermost branch that contains its lifetime
} ReportContext;

/// A run of steps on one path, in the numbering of that path.
typedef struct ReportRun {
  uint32_t buffer, first, end;
} ReportRun;

/// The layout of one path.
typedef struct ReportLayout {
  const LunaReportPath *path;
  uint32_t index; ///< of the path
  uint32_t step_count;
  uint32_t *step;        ///< program step of each step on the path
  int64_t *live_bytes;   ///< sum of the buffers live at each step
  uint32_t heaviest;     ///< first step with the largest sum
  int64_t peak_bytes;    ///< highest end of a buffer live on the path
  const ReportRun *runs; ///< lifetimes, by buffer, then step
  uint32_t run_count;
} ReportLayout;

/// Fills the branch tables of `context` (data, out and arena are set).
void report_find_branches(ReportContext *context);

/// Lays out path `index`.
ReportLayout report_lay_out(const ReportContext *context, uint32_t index);

/// Appends text with HTML's special characters escaped; nothing for NULL.
void report_text(LunaText *out, const char *text);
/// Appends the first `limit` characters, with … for the rest.
void report_short_text(LunaText *out, const char *text, size_t limit);

/// Appends a number with a comma between groups of three digits.
void report_number(LunaText *out, uint64_t number);

/// Appends part / whole as a percentage with `decimals` (0 to 4) decimals,
/// without the sign; 0 if whole is 0.
void report_share(LunaText *out, uint64_t part, uint64_t whole, int decimals);

/// Appends bytes as KiB with one decimal, or as bytes below 1 KiB.
void report_bytes(LunaText *out, uint64_t bytes);

/// Appends the class name of the colour of a branch: "c0" … "c7", "c0" outside.
void report_colour(LunaText *out, uint32_t branch);

/// Appends `label` at x = 4 and the given y if a bar of part / whole of a
/// chart's width has room for it: always, or (classes t2, t3) when the chart is
/// widened.
void report_label(LunaText *out, const char *label, uint64_t part,
                  uint64_t whole, int y);

/// Returns the name of a kind for legends and tables.
const char *report_kind_name(LunaBufferKind kind);

/// Returns the cycles to show: simulated if there are any, else predicted.
const LunaReportCycles *report_cycles(const LunaReportPath *path);

/// The style and script of the page.
extern const char *const report_style[];
extern const char *const report_script;

/// The parts of the page.
void report_summary(const ReportContext *context);
void report_plan_table(const ReportContext *context);
void report_path_table(const ReportContext *context,
                       const ReportLayout *layouts);
void report_memory_map(const ReportContext *context,
                       const ReportLayout *layout);
void report_peak_table(const ReportContext *context,
                       const ReportLayout *layout);
void report_timeline(const ReportContext *context, const ReportLayout *layout);
void report_transfer_table(const ReportContext *context,
                           const ReportLayout *layout);
void report_op_table(const ReportContext *context, const ReportLayout *layout);

/// Appends the reason of a stall as plain text.
void report_stall_reason(LunaText *out, const LunaReportPath *path,
                         const LunaReportEvent *stall);

/// Returns the transfer that `event` (a stall) waits for, or NULL.
const LunaReportEvent *report_transfer_of(const LunaReportPath *path,
                                          const LunaReportEvent *event);

#endif // LUNA_REPORT_INTERNAL_H
