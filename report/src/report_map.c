#include <inttypes.h>

#include "report_internal.h"

// The memory map of one path: offsets upwards in pixels, steps to the right in
// per cent, so that the drawing can be widened without distorting its text.

enum {
  MAP_PIXELS = 380,
  MAP_TOP = 18,
  MAP_FOOT = 6,
  LIVE_PIXELS = 54,
  TICKS_MAX = 8,
  PEAK_NAME_CHARACTERS = 60,
};

typedef struct Map {
  const LunaReportContext *context;
  const LunaReportLayout *layout;
  LunaText *out;
  int64_t range_bytes; ///< what the height shows
} Map;

static void x_position(const Map *map, const char *name, uint32_t step) {
  luna_text_printf(map->out, " %s=\"", name);
  luna_report_share(map->out, step, map->layout->step_count, 3);
  luna_text_printf(map->out, "%%\"");
}

// Returns the height of `bytes` in hundredths of a pixel.
static int64_t height_of(const Map *map, int64_t bytes) {
  return bytes * (MAP_PIXELS * 100) / map->range_bytes;
}

// Returns the y of an offset, from the top of the drawing, in hundredths of a
// pixel.
static int64_t y_of(const Map *map, int64_t offset) {
  return (MAP_TOP + MAP_PIXELS) * 100 - height_of(map, offset);
}

static void hundredths(const Map *map, const char *name, int64_t value) {
  luna_text_printf(map->out, " %s=\"%" PRId64 ".%02" PRId64 "\"", name,
                   value / 100, value % 100);
}

// Shows the capacity if the plan still takes most of the height.
static int64_t range_of(const LunaReportData *data, int64_t peak_bytes) {
  int64_t capacity = data->plan.capacity_bytes;
  if (capacity >= peak_bytes && capacity <= peak_bytes + peak_bytes / 2)
    return capacity + capacity / 50 + 1;
  return peak_bytes + peak_bytes / 16 + 1;
}

static int64_t tick_of(int64_t range) {
  int64_t tick = 64;
  while (range / tick > TICKS_MAX)
    tick *= 2;
  return tick;
}

static void draw_axis(const Map *map) {
  luna_text_printf(map->out,
                   "<svg class=axis width=86 height=%d role=presentation>",
                   MAP_TOP + MAP_PIXELS + MAP_FOOT);
  int64_t tick = tick_of(map->range_bytes);
  for (int64_t at = 0; at < map->range_bytes; at += tick) {
    luna_text_printf(map->out, "<text x=80 text-anchor=end dy=4");
    hundredths(map, "y", y_of(map, at));
    luna_text_printf(map->out, ">");
    luna_report_bytes(map->out, (uint64_t)at);
    luna_text_printf(map->out, "</text>");
  }
  luna_text_printf(map->out, "</svg>\n");
}

static void draw_grid(const Map *map) {
  int64_t tick = tick_of(map->range_bytes);
  for (int64_t at = 0; at < map->range_bytes; at += tick) {
    luna_text_printf(map->out, "<line class=grid x1=0 x2=\"100%%\"");
    hundredths(map, "y1", y_of(map, at));
    hundredths(map, "y2", y_of(map, at));
    luna_text_printf(map->out, "/>");
  }
}

static const char *step_name(const Map *map, uint32_t local) {
  const char *name =
      map->context->data->plan.step_names[map->layout->step[local]];
  return name == NULL ? "?" : name;
}

static const char *branch_name(const LunaReportContext *context,
                               uint32_t branch) {
  return branch == 0 ? "outside every branch" : context->branches[branch];
}

static void draw_title(const Map *map, const LunaReportRun *run) {
  const LunaReportBuffer *buffer = &map->context->data->buffers[run->buffer];
  luna_text_printf(map->out, "<title>");
  luna_report_text(map->out, buffer->name);
  luna_text_printf(map->out, " (%s)\n", luna_report_kind_name(buffer->kind));
  luna_report_number(map->out, (uint64_t)buffer->size_bytes);
  luna_text_printf(map->out, " bytes at offset ");
  luna_report_number(map->out, (uint64_t)buffer->offset_bytes);
  luna_text_printf(map->out, "\nlive in steps %" PRIu32 " to %" PRIu32 ": ",
                   run->first, run->end - 1);
  luna_report_text(map->out, step_name(map, run->first));
  luna_text_printf(map->out, " … ");
  luna_report_text(map->out, step_name(map, run->end - 1));
  luna_text_printf(map->out, "\n");
  uint32_t branch = map->context->branch_of_buffer[run->buffer];
  luna_report_text(map->out, branch_name(map->context, branch));
  luna_text_printf(map->out, "</title>");
}

static void draw_run(const Map *map, const LunaReportRun *run) {
  const LunaReportBuffer *buffer = &map->context->data->buffers[run->buffer];
  int64_t height = height_of(map, buffer->size_bytes);
  luna_text_printf(map->out, "<svg class=\"bar ");
  luna_report_colour(map->out, map->context->branch_of_buffer[run->buffer]);
  luna_text_printf(map->out, " k%d\"", (int)buffer->kind);
  x_position(map, "x", run->first);
  x_position(map, "width", run->end - run->first);
  hundredths(map, "y", y_of(map, buffer->offset_bytes + buffer->size_bytes));
  hundredths(map, "height", height < 100 ? 100 : height);
  luna_text_printf(map->out, ">");
  draw_title(map, run);
  luna_text_printf(map->out, "<rect width=\"100%%\" height=\"100%%\"/>");
  if (buffer->kind != LUNA_BUFFER_TENSOR)
    luna_text_printf(map->out,
                     "<rect class=hatch fill=\"url(#k%d)\" width=\"100%%\" "
                     "height=\"100%%\"/>",
                     (int)buffer->kind);
  if (height >= 1200)
    luna_report_label(map->out, buffer->name, run->end - run->first,
                      map->layout->step_count, 11);
  luna_text_printf(map->out, "</svg>\n");
}

static void draw_level(const Map *map, const char *class_name, int64_t bytes,
                       const char *label) {
  if (bytes <= 0 || bytes > map->range_bytes)
    return;
  luna_text_printf(map->out, "<line class=%s x1=0 x2=\"100%%\"", class_name);
  hundredths(map, "y1", y_of(map, bytes));
  hundredths(map, "y2", y_of(map, bytes));
  luna_text_printf(map->out,
                   "/><text class=%s x=\"100%%\" dx=-4 "
                   "text-anchor=end",
                   class_name);
  hundredths(map, "y", y_of(map, bytes) - 400);
  luna_text_printf(map->out, ">%s ", label);
  luna_report_number(map->out, (uint64_t)bytes);
  luna_text_printf(map->out, "</text>\n");
}

static void draw_heaviest(const Map *map) {
  luna_text_printf(map->out, "<rect class=heaviest y=%d height=%d", MAP_TOP,
                   MAP_PIXELS);
  x_position(map, "x", map->layout->heaviest);
  x_position(map, "width", 1);
  luna_text_printf(map->out, "/><text class=heaviest y=12");
  x_position(map, "x", map->layout->heaviest);
  bool is_right = map->layout->heaviest * 2 > map->layout->step_count;
  luna_text_printf(map->out, "%s>peak at ", is_right ? " text-anchor=end" : "");
  luna_report_short_text(map->out, step_name(map, map->layout->heaviest),
                         PEAK_NAME_CHARACTERS);
  luna_text_printf(map->out, "</text>\n");
}

// Draws the sum of live bytes by step, with the steps' names.
static void draw_live(const Map *map) {
  const LunaReportLayout *layout = map->layout;
  luna_text_printf(map->out, "<svg class=live width=\"100%%\" height=%d>",
                   LIVE_PIXELS);
  int64_t most = layout->live_bytes[layout->heaviest];
  for (uint32_t s = 0; s < layout->step_count; s++) {
    int64_t height =
        most == 0 ? 0
                  : layout->live_bytes[s] * ((LIVE_PIXELS - 4) * 100) / most;
    luna_text_printf(map->out, "<svg class=\"bar ");
    luna_report_colour(map->out, map->context->branch_of_step[layout->step[s]]);
    luna_text_printf(map->out, "\" y=0 height=%d", LIVE_PIXELS);
    x_position(map, "x", s);
    x_position(map, "width", 1);
    luna_text_printf(map->out, "><title>step %" PRIu32 ": ", s);
    luna_report_text(map->out, step_name(map, s));
    luna_text_printf(map->out, "\n");
    luna_report_number(map->out, (uint64_t)layout->live_bytes[s]);
    luna_text_printf(map->out, " bytes live</title><rect class=reach "
                               "width=\"100%%\" height=\"100%%\"/>"
                               "<rect width=\"100%%\"");
    hundredths(map, "y", LIVE_PIXELS * 100 - height);
    hundredths(map, "height", height);
    luna_text_printf(map->out, "/></svg>\n");
  }
  luna_text_printf(map->out, "</svg>\n");
}

// Draws a strip with the branch of each range of steps.
static void draw_branches(const Map *map) {
  const LunaReportLayout *layout = map->layout;
  const uint32_t *branch_of = map->context->branch_of_step;
  luna_text_printf(map->out, "<svg class=strip width=\"100%%\" height=18>");
  for (uint32_t first = 0, end; first < layout->step_count; first = end) {
    uint32_t branch = branch_of[layout->step[first]];
    end = first + 1;
    while (end < layout->step_count && branch_of[layout->step[end]] == branch)
      end++;
    luna_text_printf(map->out, "<svg class=\"bar ");
    luna_report_colour(map->out, branch);
    luna_text_printf(map->out, "\" height=18");
    x_position(map, "x", first);
    x_position(map, "width", end - first);
    luna_text_printf(map->out, "><title>");
    luna_report_text(map->out, branch_name(map->context, branch));
    luna_text_printf(map->out, "</title><rect width=\"100%%\" height=18 />");
    luna_report_label(map->out,
                      branch == 0 ? "" : map->context->branches[branch],
                      end - first, layout->step_count, 13);
    luna_text_printf(map->out, "</svg>\n");
  }
  luna_text_printf(map->out, "</svg>\n");
}

void luna_report_memory_map(const LunaReportContext *context,
                            const LunaReportLayout *layout) {
  Map map = {.context = context, .layout = layout, .out = context->out};
  if (layout->step_count == 0 || layout->run_count == 0)
    return;
  const LunaReportData *data = context->data;
  int64_t top = layout->peak_bytes > data->plan.total.bytes
                    ? layout->peak_bytes
                    : data->plan.total.bytes;
  map.range_bytes = range_of(data, top < 1 ? 1 : top);
  luna_text_printf(map.out, "<h3>Memory map</h3>\n<div class=chart>");
  draw_axis(&map);
  luna_text_printf(map.out,
                   "<div class=scroll><div class=wide>"
                   "<svg width=\"100%%\" height=%d role=img "
                   "aria-label=\"memory map\">",
                   MAP_TOP + MAP_PIXELS + MAP_FOOT);
  draw_grid(&map);
  for (uint32_t i = 0; i < layout->run_count; i++)
    if (data->buffers[layout->runs[i].buffer].size_bytes > 0)
      draw_run(&map, &layout->runs[i]);
  draw_heaviest(&map);
  draw_level(&map, "level", layout->peak_bytes, "top of this path");
  draw_level(&map, "capacity", data->plan.capacity_bytes, "capacity");
  luna_text_printf(map.out, "</svg>\n");
  draw_branches(&map);
  draw_live(&map);
  luna_text_printf(map.out, "</div></div></div>\n");
}
