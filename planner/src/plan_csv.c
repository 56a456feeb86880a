#include "luna/plan_csv.h"

#include <stdio.h>
#include <string.h>

#include "luna/vector.h"
#include "plan_csv_lines.h"
#include "plan_csv_size.h"
#include "plan_sort.h"

typedef enum Column {
  COLUMN_ID,
  COLUMN_LOWER,
  COLUMN_UPPER,
  COLUMN_END,
  COLUMN_SIZE,
  COLUMN_ALIGNMENT,
  COLUMN_HINT,
  COLUMN_GAPS,
  COLUMN_OFFSET,
  COLUMN_COUNT,
} Column;

static const struct {
  const char *name;
  Column column;
} column_names[] = {
    {"id", COLUMN_ID},         {"buffer", COLUMN_ID},
    {"buffer_id", COLUMN_ID},  {"lower", COLUMN_LOWER},
    {"start", COLUMN_LOWER},   {"begin", COLUMN_LOWER},
    {"upper", COLUMN_UPPER},   {"end", COLUMN_END},
    {"size", COLUMN_SIZE},     {"alignment", COLUMN_ALIGNMENT},
    {"hint", COLUMN_HINT},     {"gaps", COLUMN_GAPS},
    {"offset", COLUMN_OFFSET},
};

static const int64_t time_limit = INT64_MAX / 8;

// A range of times in which a buffer is live.
typedef struct Times {
  uint32_t buffer;
  int64_t first, end;
} Times;

typedef struct Reader {
  const char *file_name;
  LunaArena *arena;
  LunaPlanCsv *csv;
  LunaError *error;
  // The index of the column of each meaning, or -1.
  int columns[COLUMN_COUNT];
  uint32_t column_count;
  LUNA_VECTOR(LunaCsvLine) rows;
  LUNA_VECTOR(Times) times;
  // NULL where sizes are numbers.
  LunaPlanCsvSizes *sizes;
} Reader;

static bool fail(const Reader *reader, uint32_t line, uint32_t column,
                 const char *message) {
  uint64_t item =
      reader->rows.count ? reader->rows.count - 1 : LUNA_ERROR_NO_ITEM;
  return luna_error_set(reader->error, LUNA_ERROR_INPUT, item, "%s:%u:%u: %s",
                        reader->file_name, line, column, message);
}

static bool fail_at(const Reader *reader, LunaCsvLine line, LunaCsvField field,
                    const char *found, const char *allowed) {
  const char *message = luna_arena_printf(
      reader->arena, "%s '%.*s', allowed is %s", found,
      field.length > 40 ? 40 : (int)field.length, field.text, allowed);
  return fail(reader, line.number, field.column, message);
}

static bool is_text(LunaCsvField field, const char *text) {
  return strlen(text) == field.length &&
         memcmp(field.text, text, field.length) == 0;
}

static int find_column(LunaCsvField field) {
  size_t count = sizeof column_names / sizeof *column_names;
  for (size_t i = 0; i < count; ++i)
    if (is_text(field, column_names[i].name))
      return column_names[i].column;
  return -1;
}

static bool check_columns(const Reader *reader, LunaCsvLine line) {
  static const struct {
    Column column;
    const char *message;
  } needed[] = {
      {COLUMN_ID, "column 'id' is missing (also 'buffer', 'buffer_id')"},
      {COLUMN_LOWER, "column 'lower' is missing (also 'start', 'begin')"},
      {COLUMN_SIZE, "column 'size' is missing"},
  };
  for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i)
    if (reader->columns[needed[i].column] < 0)
      return fail(reader, line.number, 1, needed[i].message);
  bool has_upper = reader->columns[COLUMN_UPPER] >= 0;
  bool has_end = reader->columns[COLUMN_END] >= 0;
  if (has_upper != has_end)
    return true;
  return fail(reader, line.number, 1,
              has_upper ? "columns 'upper' and 'end' exclude each other"
                        : "column 'upper' (or 'end') is missing");
}

static bool read_header(Reader *reader, LunaCsvLine line) {
  LunaCsvField fields[LUNA_CSV_MAX_COLUMNS];
  for (int i = 0; i < COLUMN_COUNT; ++i)
    reader->columns[i] = -1;
  reader->column_count = luna_csv_split(line, fields);
  if (reader->column_count > LUNA_CSV_MAX_COLUMNS)
    return fail(reader, line.number, 1, "found more than 32 columns");
  for (uint32_t i = 0; i < reader->column_count; ++i) {
    int column = find_column(fields[i]);
    if (column < 0)
      return fail_at(reader, line, fields[i], "found column",
                     "id, lower, upper, end, size, alignment, hint, gaps, "
                     "offset");
    if (reader->columns[column] >= 0)
      return fail_at(reader, line, fields[i], "found a second column",
                     "one of each meaning");
    reader->columns[column] = (int)i;
  }
  reader->csv->header = line;
  return check_columns(reader, line);
}

static bool read_number(const Reader *reader, LunaCsvLine line,
                        LunaCsvField field, int64_t low, int64_t high,
                        const char *found, const char *allowed,
                        int64_t *number) {
  if (luna_csv_number(field.text, field.length, number) && *number >= low &&
      *number <= high)
    return true;
  return fail_at(reader, line, field, found, allowed);
}

static void add_times(Reader *reader, Times times) {
  if (times.first < times.end)
    *LUNA_VECTOR_ADD(reader->arena, &reader->times) = times;
}

// Consumes `7-9` at the start of `field`.
static bool read_gap(const Reader *reader, LunaCsvLine line,
                     LunaCsvField *field, Times *gap) {
  uint32_t end = 0, dash = 0;
  while (end < field->length && field->text[end] != ' ')
    ++end;
  // A leading dash is a sign.
  for (dash = 1; dash < end && field->text[dash] != '-';)
    ++dash;
  LunaCsvField whole = {field->text, end, field->column};
  bool ok =
      dash < end && luna_csv_number(field->text, dash, &gap->first) &&
      luna_csv_number(field->text + dash + 1, end - dash - 1, &gap->end) &&
      gap->first <= time_limit && gap->end <= time_limit &&
      gap->first >= -time_limit && gap->end >= -time_limit;
  if (!ok)
    return fail_at(reader, line, whole, "found gap",
                   "two times as 7-9 (windows '@' are not supported)");
  while (end < field->length && field->text[end] == ' ')
    ++end;
  field->text += end;
  field->length -= end;
  field->column += end;
  return true;
}

// Splits the lifetime [times.first, times.end) at the gaps in `field`.
static bool read_gaps(Reader *reader, LunaCsvLine line, LunaCsvField field,
                      int64_t end_is_inside, Times times) {
  while (field.length > 0) {
    Times gap = {0};
    LunaCsvField whole = field;
    if (!read_gap(reader, line, &field, &gap))
      return false;
    gap.end += end_is_inside;
    whole.length -= field.length;
    if (gap.first >= gap.end || gap.first < times.first || gap.end > times.end)
      return fail_at(reader, line, whole, "found gap",
                     "a rising list within the lifetime");
    add_times(reader, (Times){times.buffer, times.first, gap.first});
    times.first = gap.end;
  }
  add_times(reader, times);
  return true;
}

static bool read_life(Reader *reader, LunaCsvLine line,
                      const LunaCsvField *fields, uint32_t buffer) {
  const int *columns = reader->columns;
  int64_t end_is_inside = columns[COLUMN_END] >= 0 ? 1 : 0;
  LunaCsvField lower = fields[columns[COLUMN_LOWER]];
  LunaCsvField upper =
      fields[columns[end_is_inside ? COLUMN_END : COLUMN_UPPER]];
  Times times = {.buffer = buffer};
  const char *allowed = "an integer up to 1152921504606846975";
  if (!read_number(reader, line, lower, -time_limit, time_limit, "found start",
                   allowed, &times.first) ||
      !read_number(reader, line, upper, -time_limit, time_limit, "found end",
                   allowed, &times.end))
    return false;
  times.end += end_is_inside;
  if (times.first >= times.end)
    return fail_at(reader, line, upper, "found end",
                   "one after the start of the lifetime");
  LunaCsvField gaps = {0};
  if (columns[COLUMN_GAPS] >= 0)
    gaps = fields[columns[COLUMN_GAPS]];
  return read_gaps(reader, line, gaps, end_is_inside, times);
}

static bool has_name(LunaCsvField field) {
  for (uint32_t i = 0; i < field.length; ++i)
    if ((field.text[i] | 32) >= 'a' && (field.text[i] | 32) <= 'z')
      return true;
  return false;
}

static bool read_size(Reader *reader, LunaCsvLine line, LunaCsvField field,
                      int64_t *size_bytes) {
  if (!reader->sizes)
    return read_number(reader, line, field, 0, INT64_MAX / 2, "found size",
                       has_name(field)
                           ? "an integer where no sizes are open (--dim)"
                           : "an integer from 0 to 4611686018427387903",
                       size_bytes);
  return luna_plan_csv_read_size(field.text, field.length, reader->sizes,
                                 reader->arena) ||
         fail_at(reader, line, field, "found size",
                 "a sum of products of integers and at most four names, as "
                 "4*h*w + 64");
}

static bool read_buffer(Reader *reader, LunaCsvLine line,
                        const LunaCsvField *fields, LunaBuffer *buffer) {
  const int *columns = reader->columns;
  if (!read_size(reader, line, fields[columns[COLUMN_SIZE]],
                 &buffer->size_bytes))
    return false;
  const char *powers = "a power of two up to 4611686018427387904";
  buffer->align_bytes = 1;
  if (columns[COLUMN_ALIGNMENT] >= 0) {
    LunaCsvField field = fields[columns[COLUMN_ALIGNMENT]];
    if (!read_number(reader, line, field, 1, INT64_MAX, "found alignment",
                     powers, &buffer->align_bytes))
      return false;
    if ((buffer->align_bytes & (buffer->align_bytes - 1)) != 0)
      return fail_at(reader, line, field, "found alignment", powers);
  }
  if (columns[COLUMN_OFFSET] < 0 || fields[columns[COLUMN_OFFSET]].length == 0)
    return true;
  LunaCsvField field = fields[columns[COLUMN_OFFSET]];
  buffer->is_fixed = true;
  const char *allowed = "a non-negative multiple of the alignment, or empty";
  if (!read_number(reader, line, field, 0, INT64_MAX / 2, "found offset",
                   allowed, &buffer->fixed_offset_bytes))
    return false;
  if (buffer->fixed_offset_bytes % buffer->align_bytes != 0)
    return fail_at(reader, line, field, "found offset", allowed);
  return true;
}

static bool read_row(Reader *reader, LunaCsvLine line) {
  LunaCsvField fields[LUNA_CSV_MAX_COLUMNS];
  uint32_t count = luna_csv_split(line, fields);
  *LUNA_VECTOR_ADD(reader->arena, &reader->rows) = line;
  if (count != reader->column_count) {
    const char *message =
        luna_arena_printf(reader->arena, "found %u fields, the header has %u",
                          count, reader->column_count);
    return fail(reader, line.number, 1, message);
  }
  LunaCsvField id = fields[reader->columns[COLUMN_ID]];
  if (id.length == 0)
    return fail(reader, line.number, id.column, "the id is empty");
  LunaBuffer buffer = {
      .name = luna_arena_strndup(reader->arena, id.text, id.length)};
  if (!read_buffer(reader, line, fields, &buffer))
    return false;
  uint32_t index = luna_problem_add_buffer(reader->csv->problem, &buffer);
  return read_life(reader, line, fields, index);
}

static bool name_before(const void *context, uint32_t a, uint32_t b) {
  const LunaProblem *problem = context;
  return strcmp(luna_problem_buffer(problem, a)->name,
                luna_problem_buffer(problem, b)->name) < 0;
}

static bool check_ids(Reader *reader) {
  LunaArena scratch = {0};
  const LunaProblem *problem = reader->csv->problem;
  uint32_t *order = LUNA_ARENA_ARRAY(&scratch, uint32_t, reader->rows.count);
  for (uint32_t i = 0; i < reader->rows.count; ++i)
    order[i] = i;
  luna_plan_sort(order, reader->rows.count, name_before, problem, &scratch);
  // The first duplicate in the file.
  uint32_t again = UINT32_MAX;
  for (uint32_t i = 1; i < reader->rows.count; ++i)
    if (order[i] < again && !name_before(problem, order[i - 1], order[i]))
      again = order[i];
  luna_arena_destroy(&scratch);
  if (again == UINT32_MAX)
    return true;
  LunaCsvField fields[LUNA_CSV_MAX_COLUMNS];
  luna_csv_split(reader->rows.items[again], fields);
  reader->rows.count = again + 1;
  return fail_at(reader, reader->rows.items[again],
                 fields[reader->columns[COLUMN_ID]], "found a second buffer",
                 "one row per id");
}

static bool time_before(const void *context, uint32_t a, uint32_t b) {
  const int64_t *times = context;
  return times[a] < times[b];
}

static uint32_t step_of(const int64_t *times, uint32_t count, int64_t time) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (times[middle] < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Adds a step for every interval between two times that occur, and the
// lifetimes of the buffers.
static void make_steps(Reader *reader) {
  uint32_t count = 2 * reader->times.count, distinct = 0;
  int64_t *all = LUNA_ARENA_ARRAY(reader->arena, int64_t, count);
  uint32_t *order = LUNA_ARENA_ARRAY(reader->arena, uint32_t, count);
  for (uint32_t i = 0; i < count; ++i) {
    const Times *times = &reader->times.items[i / 2];
    all[i] = i % 2 == 0 ? times->first : times->end;
    order[i] = i;
  }
  luna_plan_sort(order, count, time_before, all, reader->arena);
  int64_t *steps = LUNA_ARENA_ARRAY(reader->arena, int64_t, count);
  for (uint32_t i = 0; i < count; ++i)
    if (i == 0 || all[order[i]] != all[order[i - 1]])
      steps[distinct++] = all[order[i]];
  LunaProblem *problem = reader->csv->problem;
  for (uint32_t i = 0; i + 1 < distinct; ++i) {
    char *name = luna_arena_printf(reader->arena, "t%lld", (long long)steps[i]);
    uint32_t step = luna_problem_step(problem, name);
    luna_problem_set_duration(problem, step, steps[i + 1] - steps[i]);
  }
  for (uint32_t i = 0; i < reader->times.count; ++i) {
    const Times *times = &reader->times.items[i];
    luna_problem_live(problem, times->buffer,
                      step_of(steps, distinct, times->first),
                      step_of(steps, distinct, times->end));
  }
  reader->csv->step_times = steps;
}

static bool read_file(const char *bytes, size_t length, const char *file_name,
                      LunaArena *arena, LunaPlanCsv *csv,
                      LunaPlanCsvSizes *sizes, LunaError *error) {
  Reader reader = {.file_name = file_name,
                   .arena = arena,
                   .csv = csv,
                   .error = error,
                   .sizes = sizes};
  *csv = (LunaPlanCsv){.problem = luna_problem_create(arena)};
  if (!csv->problem)
    luna_out_of_memory();
  size_t at = 0;
  uint32_t number = 0;
  LunaCsvLine line;
  if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
    bytes += 3;
    length -= 3;
  }
  if (length > UINT32_MAX / 2)
    return fail(&reader, 1, 1, "the file is larger than 2 GiB");
  uint32_t column;
  if (luna_csv_find_bad_text(bytes, length, &number, &column))
    return fail(&reader, number, column, "found a byte that is not UTF-8 text");
  if (!luna_csv_next_line(bytes, length, &at, &number, &line))
    return fail(&reader, 1, 1, "the file is empty, needed is a header");
  if (!read_header(&reader, line))
    return false;
  while (luna_csv_next_line(bytes, length, &at, &number, &line))
    if (!read_row(&reader, line))
      return false;
  if (!check_ids(&reader))
    return false;
  make_steps(&reader);
  csv->rows = reader.rows.items;
  csv->row_count = reader.rows.count;
  csv->column_count = reader.column_count;
  csv->offset_column = reader.columns[COLUMN_OFFSET] >= 0
                           ? (uint32_t)reader.columns[COLUMN_OFFSET]
                           : reader.column_count;
  return true;
}

typedef struct Call {
  const char *bytes;
  size_t length;
  const char *file_name;
  LunaArena *arena;
  LunaPlanCsv *csv;
  LunaPlanCsvSizes *sizes;
} Call;

static bool call(void *context, LunaError *error) {
  const Call *self = context;
  return read_file(self->bytes, self->length, self->file_name, self->arena,
                   self->csv, self->sizes, error);
}

static bool read_guarded(Call *self, LunaError *error) {
  char doing[256];
  snprintf(doing, sizeof doing, "%s was read", self->file_name);
  return luna_arena_guard(self->arena, NULL, doing, call, self, error);
}

bool luna_plan_csv_read(const char *bytes, size_t length, const char *file_name,
                        LunaArena *arena, LunaPlanCsv *csv, LunaError *error) {
  Call self = {bytes, length, file_name, arena, csv, NULL};
  return read_guarded(&self, error);
}

bool luna_plan_csv_read_open(const char *bytes, size_t length,
                             const char *file_name, LunaArena *arena,
                             LunaPlanCsv *csv, LunaPlanSizes *sizes,
                             LunaError *error) {
  LunaPlanCsvSizes all = {0};
  Call self = {bytes, length, file_name, arena, csv, &all};
  if (!read_guarded(&self, error))
    return false;
  *sizes = (LunaPlanSizes){.symbols = all.symbols.items,
                           .symbol_count = (uint32_t)all.symbols.count,
                           .sizes = all.sizes.items};
  return true;
}
