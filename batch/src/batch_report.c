// What a batch prints and writes.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "luna/batch.h"
#include "luna/json.h"

enum { COLUMNS = 7, CELL_BYTES = 24, LEFT_COLUMNS = 3 };

//===- The table ----------------------------------------------------------===//

// A row; the cells of the numbers are copied.
typedef struct Row {
  const char *cells[COLUMNS];
  char numbers[COLUMNS - LEFT_COLUMNS][CELL_BYTES];
} Row;

static void write_known(char *cell, int64_t number) {
  if (number < 0)
    snprintf(cell, CELL_BYTES, "-");
  else
    snprintf(cell, CELL_BYTES, "%" PRId64, number);
}

static void fill_row(Row *row, const LunaBatchJob *job) {
  uint64_t found = job->hits + job->fetched;
  *row = (Row){.cells = {job->model, job->machine, job->options}};
  write_known(row->numbers[0], job->bytes);
  write_known(row->numbers[1], job->cycles);
  snprintf(row->numbers[2], CELL_BYTES, "%" PRIu64 ".%02" PRIu64,
           job->milliseconds / 1000, job->milliseconds % 1000 / 10);
  snprintf(row->numbers[3], CELL_BYTES, "%" PRIu64 " of %" PRIu64, found,
           found + job->missed);
  for (int i = LEFT_COLUMNS; i < COLUMNS; ++i)
    row->cells[i] = row->numbers[i - LEFT_COLUMNS];
}

static void measure(const Row *row, int widths[COLUMNS]) {
  for (int i = 0; i < COLUMNS; ++i)
    if ((int)strlen(row->cells[i]) > widths[i])
      widths[i] = (int)strlen(row->cells[i]);
}

// Columns that are empty are left out.
static void print_row(const Row *row, const int widths[COLUMNS],
                      LunaText *text) {
  for (int i = 0; i < COLUMNS; ++i)
    if (widths[i] > 0)
      luna_text_printf(text, "%s%*s", i > 0 ? "  " : "",
                       i < LEFT_COLUMNS ? -widths[i] : widths[i],
                       row->cells[i]);
}

typedef struct Sums {
  uint64_t failed, hits, fetched, missed, stored;
} Sums;

static Sums add_up(const LunaBatchJobs *jobs) {
  Sums sums = {0};
  for (uint64_t i = 0; i < jobs->count; ++i) {
    const LunaBatchJob *job = &jobs->items[i];
    sums.failed += job->exit_code != 0;
    sums.hits += job->hits;
    sums.fetched += job->fetched;
    sums.missed += job->missed;
    sums.stored += job->stored;
  }
  return sums;
}

void luna_batch_table(const LunaBatchJobs *jobs, uint64_t twice,
                      LunaText *text) {
  const Row head = {
      .cells = {"model", "machine", "", "bytes", "cycles", "seconds", "cache"}};
  int widths[COLUMNS] = {0};
  Row row;
  Sums sums = add_up(jobs);
  measure(&head, widths);
  for (uint64_t i = 0; i < jobs->count; ++i) {
    fill_row(&row, &jobs->items[i]);
    measure(&row, widths);
  }
  print_row(&head, widths, text);
  luna_text_printf(text, "\n");
  for (uint64_t i = 0; i < jobs->count; ++i) {
    fill_row(&row, &jobs->items[i]);
    print_row(&row, widths, text);
    if (jobs->items[i].exit_code != 0)
      luna_text_printf(text, "  %s",
                       jobs->items[i].message ? jobs->items[i].message
                                              : "failed");
    luna_text_printf(text, "\n");
  }
  luna_text_printf(text,
                   "\n%" PRIu64 " jobs, %" PRIu64 " failed; cache: %" PRIu64
                   " found, %" PRIu64 " fetched, %" PRIu64 " missed, %" PRIu64
                   " stored, %" PRIu64 " of them twice\n",
                   (uint64_t)jobs->count, sums.failed, sums.hits, sums.fetched,
                   sums.missed, sums.stored, twice);
}

//===- JSON ---------------------------------------------------------------===//

static void write_cache(LunaJson *json, uint64_t hits, uint64_t fetched,
                        uint64_t missed, uint64_t stored) {
  luna_json_integer(json, "found", (int64_t)hits);
  luna_json_integer(json, "fetched", (int64_t)fetched);
  luna_json_integer(json, "missed", (int64_t)missed);
  luna_json_integer(json, "stored", (int64_t)stored);
}

static void write_job(LunaJson *json, const LunaBatchJob *job) {
  luna_json_begin_object(json, NULL);
  luna_json_string(json, "model", job->model);
  luna_json_string(json, "machine", job->machine);
  luna_json_string(json, "options", job->options);
  luna_json_integer(json, "exit_code", job->exit_code);
  luna_json_string(json, "message", job->message);
  luna_json_thousandths(json, "seconds", job->milliseconds);
  luna_json_begin_object(json, "cache");
  write_cache(json, job->hits, job->fetched, job->missed, job->stored);
  luna_json_end_object(json);
  luna_json_value(json, "stats", job->stats);
  luna_json_end_object(json);
}

void luna_batch_json(const LunaBatchJobs *jobs, uint64_t twice,
                     LunaText *text) {
  LunaJson json = {.text = text};
  Sums sums = add_up(jobs);
  luna_json_begin_object(&json, NULL);
  luna_json_integer(&json, "jobs", (int64_t)jobs->count);
  luna_json_integer(&json, "failed", (int64_t)sums.failed);
  luna_json_begin_object(&json, "cache");
  write_cache(&json, sums.hits, sums.fetched, sums.missed, sums.stored);
  luna_json_integer(&json, "stored_twice", (int64_t)twice);
  luna_json_end_object(&json);
  luna_json_begin_array(&json, "results");
  for (uint64_t i = 0; i < jobs->count; ++i)
    write_job(&json, &jobs->items[i]);
  luna_json_end_array(&json);
  luna_json_end_object(&json);
}
