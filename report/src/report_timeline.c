#include <inttypes.h>
#include <string.h>

#include "report_internal.h"

// The time line of one path: rows of bars, cycles to the right in per cent.

enum { ROW_PIXELS = 26, ROW_GAP = 4, AXIS_PIXELS = 20, ROWS = 4 };

// Bars narrower than total / MERGE_PARTS are merged with their neighbour in the
// same row.
enum { MERGE_PARTS = 4000 };

static const char *const row_names[ROWS] = {"LUNA unit", "host core", "DMA",
                                            "stalls"};

// Some events of one row, drawn as one bar.
typedef struct Bar {
  uint64_t begin, end;
  uint64_t first_event, count;
} Bar;

typedef struct Timeline {
  const LunaReportPath *path;
  LunaText *out;
  uint64_t total; ///< cycles that the width shows
  uint64_t clock_hz;
} Timeline;

const LunaReportEvent *luna_report_transfer_of(const LunaReportPath *path,
                                               const LunaReportEvent *event) {
  for (uint64_t i = 0; event->token != 0 && i < path->event_count; i++)
    if (path->events[i].row == LUNA_REPORT_DMA &&
        path->events[i].token == event->token)
      return &path->events[i];
  return NULL;
}

void luna_report_stall_reason(LunaText *out, const LunaReportPath *path,
                              const LunaReportEvent *stall) {
  const LunaReportEvent *dma = luna_report_transfer_of(path, stall);
  if (dma == NULL)
    return;
  uint64_t length = dma->end_cycles - dma->begin_cycles;
  uint64_t hidden = stall->begin_cycles > dma->begin_cycles
                        ? stall->begin_cycles - dma->begin_cycles
                        : 0;
  if (dma->is_store)
    luna_text_printf(out, "the result leaves the chip");
  else if (hidden * 20 < length)
    luna_text_printf(out, "nothing overlaps it: it starts when it is "
                          "needed");
  else
    luna_text_printf(out, "the transfer outlasts the work before it");
  luna_text_printf(out, "; ");
  luna_report_number(out, hidden < length ? hidden : length);
  luna_text_printf(out, " of ");
  luna_report_number(out, length);
  luna_text_printf(out, " cycles were hidden");
}

static void position(const Timeline *line, const char *name, uint64_t cycles) {
  luna_text_printf(line->out, " %s=\"", name);
  luna_report_share(line->out, cycles, line->total, 4);
  luna_text_printf(line->out, "%%\"");
}

static void cycles_text(const Timeline *line, uint64_t begin, uint64_t end) {
  luna_report_number(line->out, end - begin);
  luna_text_printf(line->out, " cycles, from ");
  luna_report_number(line->out, begin);
  luna_text_printf(line->out, " to ");
  luna_report_number(line->out, end);
}

static void transfer_title(const Timeline *line, const LunaReportEvent *event) {
  luna_report_number(line->out, (uint64_t)event->bytes);
  luna_text_printf(line->out, " bytes %s ", event->is_store ? "from" : "to");
  luna_report_text(line->out, event->buffer);
  luna_text_printf(line->out, ", started by ");
  luna_report_text(line->out,
                   event->transfer_op != NULL ? event->transfer_op : event->op);
  luna_text_printf(line->out, "\n");
}

static void stall_title(const Timeline *line, const LunaReportEvent *event) {
  luna_text_printf(line->out, "waits for ");
  transfer_title(line, event);
  luna_report_stall_reason(line->out, line->path, event);
  luna_text_printf(line->out, "\n");
}

static void draw_bar(const Timeline *line, LunaReportRow row, const Bar *bar) {
  const LunaReportEvent *event = &line->path->events[bar->first_event];
  luna_text_printf(line->out, "<svg class=\"bar r%d\" y=%d height=%d", (int)row,
                   (int)row * (ROW_PIXELS + ROW_GAP), ROW_PIXELS);
  position(line, "x", bar->begin);
  position(line, "width", bar->end - bar->begin);
  luna_text_printf(line->out, "><title>");
  if (bar->count > 1)
    luna_text_printf(line->out,
                     "%" PRIu64 " short ones, the first: ", bar->count);
  luna_report_text(line->out, event->op);
  luna_text_printf(line->out, "\n");
  if (row == LUNA_REPORT_DMA)
    transfer_title(line, event);
  else if (row == LUNA_REPORT_STALL)
    stall_title(line, event);
  cycles_text(line, bar->begin, bar->end);
  luna_text_printf(line->out, "</title><rect width=\"100%%\" height=%d />",
                   ROW_PIXELS);
  luna_report_label(line->out, event->op, bar->end - bar->begin, line->total,
                    17);
  luna_text_printf(line->out, "</svg>\n");
}

static void draw_row(const Timeline *line, LunaReportRow row) {
  Bar bar = {0};
  for (uint64_t i = 0; i < line->path->event_count; i++) {
    const LunaReportEvent *event = &line->path->events[i];
    if (event->row != row || event->end_cycles == event->begin_cycles)
      continue;
    uint64_t limit = line->total / MERGE_PARTS;
    bool is_narrow = bar.end - bar.begin < limit &&
                     event->end_cycles - event->begin_cycles < limit;
    if (bar.count > 0 && is_narrow && event->begin_cycles >= bar.end &&
        event->begin_cycles - bar.end < limit) {
      bar.end = event->end_cycles;
      bar.count++;
      continue;
    }
    if (bar.count > 0)
      draw_bar(line, row, &bar);
    bar = (Bar){.begin = event->begin_cycles,
                .end = event->end_cycles,
                .first_event = i,
                .count = 1};
  }
  if (bar.count > 0)
    draw_bar(line, row, &bar);
}

// 1, 2 or 5 times a power of ten, so that about ten ticks fit.
static uint64_t tick_of(uint64_t total) {
  uint64_t tick = 1;
  while (total / tick > 10) {
    uint64_t lead = tick;
    while (lead >= 10)
      lead /= 10;
    tick = lead == 2 ? tick / 2 * 5 : tick * 2;
  }
  return tick;
}

static void draw_axis(const Timeline *line) {
  uint64_t tick = tick_of(line->total);
  int height = ROWS * (ROW_PIXELS + ROW_GAP);
  for (uint64_t at = 0; at <= line->total; at += tick) {
    luna_text_printf(line->out, "<line class=grid y1=0 y2=%d", height);
    position(line, "x1", at);
    position(line, "x2", at);
    luna_text_printf(line->out, "/>");
    if (line->total - at < line->total / 9)
      break; // no room for the text
    luna_text_printf(line->out, "<text class=tick y=%d dx=3", height + 14);
    position(line, "x", at);
    luna_text_printf(line->out, ">");
    luna_report_number(line->out, at);
    if (line->clock_hz > 0 && at > 0) {
      luna_text_printf(line->out, " (");
      luna_report_number(line->out, at * 1000 / (line->clock_hz / 1000));
      luna_text_printf(line->out, " µs)");
    }
    luna_text_printf(line->out, "</text>");
  }
  luna_text_printf(line->out, "\n");
}

// Draws a faint red band through all rows while the core waits.
static void draw_bands(const Timeline *line) {
  for (uint64_t i = 0; i < line->path->event_count; i++) {
    const LunaReportEvent *event = &line->path->events[i];
    if (event->row != LUNA_REPORT_STALL ||
        (event->end_cycles - event->begin_cycles) * 2000 < line->total)
      continue;
    luna_text_printf(line->out, "<rect class=band y=0 height=%d",
                     ROWS * (ROW_PIXELS + ROW_GAP));
    position(line, "x", event->begin_cycles);
    position(line, "width", event->end_cycles - event->begin_cycles);
    luna_text_printf(line->out, "/>");
  }
}

static void draw_names(LunaText *out) {
  luna_text_printf(out, "<svg class=axis width=86 height=%d>",
                   ROWS * (ROW_PIXELS + ROW_GAP) + AXIS_PIXELS);
  for (int row = 0; row < ROWS; row++)
    luna_text_printf(out, "<text x=80 text-anchor=end y=%d>%s</text>",
                     row * (ROW_PIXELS + ROW_GAP) + 17, row_names[row]);
  luna_text_printf(out, "</svg>\n");
}

void luna_report_timeline(const LunaReportContext *context,
                          const LunaReportLayout *layout) {
  Timeline line = {.path = layout->path,
                   .out = context->out,
                   .clock_hz = context->data->clock_hz};
  for (uint64_t i = 0; i < line.path->event_count; i++)
    if (line.path->events[i].end_cycles > line.total)
      line.total = line.path->events[i].end_cycles;
  if (line.total == 0)
    return;
  luna_text_printf(line.out, "<h3>Time line</h3>\n<div class=chart>");
  draw_names(line.out);
  luna_text_printf(line.out,
                   "<div class=scroll><div class=wide><svg width=\"100%%\" "
                   "height=%d role=img aria-label=\"time line\">",
                   ROWS * (ROW_PIXELS + ROW_GAP) + AXIS_PIXELS);
  draw_bands(&line);
  draw_axis(&line);
  for (int row = 0; row < ROWS; row++)
    draw_row(&line, (LunaReportRow)row);
  luna_text_printf(line.out, "</svg></div></div></div>\n");
}
