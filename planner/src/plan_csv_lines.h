#ifndef LUNA_PLAN_CSV_LINES_H
#define LUNA_PLAN_CSV_LINES_H

#include "luna/plan_csv.h"

enum { LUNA_CSV_MAX_COLUMNS = 32 };

/// A field of a line, without surrounding blanks. Columns count from 1.
typedef struct LunaCsvField {
  const char *text;
  uint32_t length;
  uint32_t column;
} LunaCsvField;

/// Returns true if a byte is not UTF-8 text, and where.
bool luna_csv_find_bad_text(const char *bytes, size_t length, uint32_t *line,
                            uint32_t *column);
/// Reads the next line that is not empty, from `*at` on; `*number` counts
/// lines. Returns false at the end.
bool luna_csv_next_line(const char *bytes, size_t length, size_t *at,
                        uint32_t *number, LunaCsvLine *line);
/// Splits a line at its commas. Returns the number of fields,
/// LUNA_CSV_MAX_COLUMNS + 1 if there are more.
uint32_t luna_csv_split(LunaCsvLine line, LunaCsvField *fields);
/// Parses all of `text` as an integer. Returns false if it is not one or too
/// large.
bool luna_csv_number(const char *text, uint32_t length, int64_t *number);

#endif // LUNA_PLAN_CSV_LINES_H
