#ifndef LUNA_PLAN_CSV_H
#define LUNA_PLAN_CSV_H

#include <stddef.h>

#include "luna/plan_orient.h"
#include "luna/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A line of a file, without its line ending.
typedef struct LunaCsvLine {
  const char *text;
  uint32_t length;
  uint32_t number;
} LunaCsvLine;

/// A planning problem read from CSV: buffers in the order of the rows, and one
/// step for each interval between two times at which something changes.
typedef struct LunaPlanCsv {
  LunaProblem *problem;
  /// The header and the rows, for writing; they point into the input bytes.
  LunaCsvLine header;
  const LunaCsvLine *rows;
  uint32_t row_count;
  /// The index of the `offset` column, or the number of columns if there is
  /// none.
  uint32_t offset_column;
  uint32_t column_count;
  /// The times at which the steps begin.
  const int64_t *step_times;
} LunaPlanCsv;

/// Reads a problem in the format of MiniMalloc.
///
/// The first line names the columns, in any order: `id` (or `buffer`,
/// `buffer_id`), `lower` (or `start`, `begin`), `upper` (exclusive) or `end`
/// (inclusive), `size`, and optionally `alignment`, `hint` (ignored), `gaps`
/// (`7-9 11-13`: not live then; the second number is exclusive or inclusive
/// like `upper` or `end`) and `offset` (the fixed offset, if not empty). Lines
/// may end in CR LF; empty lines are skipped.
///
/// `bytes` must outlive `csv`; all else is in `arena`. Fails with
/// LUNA_ERROR_INPUT and `file:line:column: message` (error->item: the row),
/// where `file` is `file_name`. O(n log n).
bool luna_plan_csv_read(const char *bytes, size_t length, const char *file_name,
                        LunaArena *arena, LunaPlanCsv *csv, LunaError *error);

/// Reads a problem whose sizes may be open: sums of products of integers and at
/// most four names, `4*h*w - 2*h + 64`. The names become the symbols of
/// `sizes`, in the order in which they occur, with bounds of 0, for the caller
/// to replace. The buffers of the problem have no size until
/// luna_plan_bind_sizes. Otherwise as luna_plan_csv_read.
bool luna_plan_csv_read_open(const char *bytes, size_t length,
                             const char *file_name, LunaArena *arena,
                             LunaPlanCsv *csv, LunaPlanSizes *sizes,
                             LunaError *error);

/// Appends the rows as read, with the offsets of `solution` in the `offset`
/// column, which is added as the last if there is none. Fails with
/// LUNA_ERROR_MEMORY, and then the text ends anywhere.
bool luna_plan_csv_write(const LunaPlanCsv *csv, const LunaSolution *solution,
                         LunaText *text, LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PLAN_CSV_H
