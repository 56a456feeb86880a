#include "luna/plan_csv.h"

#include <stdio.h>
#include <string.h>

// Appends a line with `value` in the offset column.
static void write_line(const LunaPlanCsv *csv, LunaCsvLine line,
                       const char *value, LunaText *text) {
  uint32_t start = 0;
  for (uint32_t column = 0; column < csv->column_count; ++column) {
    uint32_t end = start;
    while (end < line.length && line.text[end] != ',')
      ++end;
    if (column > 0)
      luna_text_append(text, ",", 1);
    if (column == csv->offset_column)
      luna_text_append(text, value, strlen(value));
    else
      luna_text_append(text, line.text + start, end - start);
    start = end + 1;
  }
  if (csv->offset_column == csv->column_count)
    luna_text_printf(text, ",%s", value);
  luna_text_append(text, "\n", 1);
}

typedef struct Writing {
  const LunaPlanCsv *csv;
  const LunaSolution *solution;
  LunaText *text;
} Writing;

static bool write_file(void *context, LunaError *error) {
  (void)error;
  const Writing *self = context;
  write_line(self->csv, self->csv->header, "offset", self->text);
  for (uint32_t i = 0; i < self->csv->row_count; ++i) {
    char value[24];
    snprintf(value, sizeof value, "%lld",
             (long long)self->solution->offset_bytes[i]);
    write_line(self->csv, self->csv->rows[i], value, self->text);
  }
  return true;
}

bool luna_plan_csv_write(const LunaPlanCsv *csv, const LunaSolution *solution,
                         LunaText *text, LunaError *error) {
  Writing self = {csv, solution, text};
  return luna_arena_guard(NULL, NULL, "a plan was written", write_file, &self,
                          error);
}
