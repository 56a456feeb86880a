#ifndef LUNA_REPORT_INTERNAL_H
#define LUNA_REPORT_INTERNAL_H

// Shared by the files of the report: escaping, numbers, and the layout of one
// path.

#include "luna/arena.h"
#include "luna/report.h"

/// The colours of branches; number 0 is outside every branch.
enum { REPORT_COLOUR_COUNT = 8 };

/// The program as the page needs it.
typedef struct LunaReportContext {
  const LunaReportData *data;
  LunaText *out;
  LunaArena *arena;
  const char **branches; ///< distinct step paths, in order of appearance
  uint32_t branch_count;
  uint32_t *branch_of_step;
  uint32_t *branch_of_buffer; ///< innermost branch that contains its lifetime
} LunaReportContext;

/// A run of steps on one path, in the numbering of that path.
typedef struct LunaReportRun {
  uint32_t buffer, first, end;
} LunaReportRun;

/// The layout of one path.
typedef struct LunaReportLayout {
  const LunaReportPath *path;
  uint32_t index; ///< of the path
  uint32_t step_count;
  uint32_t *step;            ///< program step of each step on the path
  int64_t *live_bytes;       ///< sum of the buffers live at each step
  uint32_t heaviest;         ///< first step with the largest sum
  int64_t peak_bytes;        ///< highest end of a buffer live on the path
  const LunaReportRun *runs; ///< lifetimes, by buffer, then step
  uint32_t run_count;
} LunaReportLayout;

/// Fills the branch tables of `context` (data, out and arena are set).
void luna_report_find_branches(LunaReportContext *context);

/// Lays out path `index`.
LunaReportLayout luna_report_lay_out(const LunaReportContext *context,
                                     uint32_t index);

/// Appends text with HTML's special characters escaped; nothing for NULL.
void luna_report_text(LunaText *out, const char *text);
/// Appends the first `limit` characters, with … for the rest.
void luna_report_short_text(LunaText *out, const char *text, size_t limit);

/// Appends a number with a comma between groups of three digits.
void luna_report_number(LunaText *out, uint64_t number);

/// Appends part / whole as a percentage with `decimals` (0 to 4) decimals,
/// without the sign; 0 if whole is 0.
void luna_report_share(LunaText *out, uint64_t part, uint64_t whole,
                       int decimals);

/// Appends bytes as KiB with one decimal, or as bytes below 1 KiB.
void luna_report_bytes(LunaText *out, uint64_t bytes);

/// Appends the class name of the colour of a branch: "c0" … "c7", "c0" outside.
void luna_report_colour(LunaText *out, uint32_t branch);

/// Appends `label` at x = 4 and the given y if a bar of part / whole of a
/// chart's width has room for it: always, or (classes t2, t3) when the chart is
/// widened.
void luna_report_label(LunaText *out, const char *label, uint64_t part,
                       uint64_t whole, int y);

/// Returns the name of a kind for legends and tables.
const char *luna_report_kind_name(LunaBufferKind kind);

/// Returns the cycles to show: simulated if there are any, else predicted.
const LunaReportCycles *luna_report_cycles(const LunaReportPath *path);

/// Returns true if the path did not run and data decides the turns of a loop.
bool luna_report_has_open_turns(const LunaReportPath *path);

/// The style and script of the page.
extern const char *const luna_report_style[];
extern const char *const luna_report_script;

/// The parts of the page.
void luna_report_summary(const LunaReportContext *context);
void luna_report_plan_table(const LunaReportContext *context);
/// How values that control flow merges are passed on; nothing without any.
void luna_report_join_table(const LunaReportContext *context);
void luna_report_case_table(const LunaReportContext *context);
void luna_report_path_table(const LunaReportContext *context,
                            const LunaReportLayout *layouts);
void luna_report_memory_map(const LunaReportContext *context,
                            const LunaReportLayout *layout);
void luna_report_peak_table(const LunaReportContext *context,
                            const LunaReportLayout *layout);
void luna_report_timeline(const LunaReportContext *context,
                          const LunaReportLayout *layout);
void luna_report_transfer_table(const LunaReportContext *context,
                                const LunaReportLayout *layout);
void luna_report_op_table(const LunaReportContext *context,
                          const LunaReportLayout *layout);

/// Appends the reason of a stall as plain text.
void luna_report_stall_reason(LunaText *out, const LunaReportPath *path,
                              const LunaReportEvent *stall);

/// Returns the transfer that `event` (a stall) waits for, or NULL.
const LunaReportEvent *luna_report_transfer_of(const LunaReportPath *path,
                                               const LunaReportEvent *event);

#endif // LUNA_REPORT_INTERNAL_H
