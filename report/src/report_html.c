#include <inttypes.h>

#include "report_internal.h"

//===- Checking the data --------------------------------------------------===//

static bool check_steps(const LunaReportData *data, const LunaSteps *steps,
                        uint32_t count) {
  uint32_t least = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (steps[i].first < least || steps[i].end < steps[i].first ||
        steps[i].end > data->plan.step_count)
      return false;
    least = steps[i].end;
  }
  return true;
}

static bool check_buffer(const LunaReportData *data, uint32_t index,
                         LunaError *error) {
  const LunaReportBuffer *buffer = &data->buffers[index];
  const char *name = buffer->name == NULL ? "?" : buffer->name;
  if (buffer->offset_bytes < 0 || buffer->size_bytes < 0 ||
      buffer->offset_bytes > INT64_MAX / 65536 - buffer->size_bytes)
    return luna_error_set(error, LUNA_ERROR_INPUT, index,
                          "buffer '%s' has offset %" PRId64
                          " and size %" PRId64,
                          name, buffer->offset_bytes, buffer->size_bytes);
  if (!check_steps(data, buffer->live, buffer->live_count))
    return luna_error_set(error, LUNA_ERROR_INPUT, index,
                          "buffer '%s' is live in ranges that are not "
                          "ascending or lie beyond the %" PRIu32 " steps",
                          name, data->plan.step_count);
  return true;
}

static bool check_path(const LunaReportData *data, uint32_t index,
                       LunaError *error) {
  const LunaReportPath *path = &data->paths[index];
  const char *name = path->name == NULL ? "?" : path->name;
  if (!check_steps(data, path->steps, path->step_range_count))
    return luna_error_set(error, LUNA_ERROR_INPUT, index,
                          "path '%s' has ranges that are not ascending or lie "
                          "beyond the %" PRIu32 " steps",
                          name, data->plan.step_count);
  for (uint64_t i = 0; i < path->event_count; i++) {
    const LunaReportEvent *event = &path->events[i];
    if (event->end_cycles < event->begin_cycles || event->bytes < 0)
      return luna_error_set(error, LUNA_ERROR_INPUT, index,
                            "event %" PRIu64 " of path '%s' ends before it "
                            "begins or moves %" PRId64 " bytes",
                            i, name, event->bytes);
  }
  return true;
}

static bool check_data(const LunaReportData *data, LunaError *error) {
  for (uint32_t b = 0; b < data->buffer_count; b++)
    if (!check_buffer(data, b, error))
      return false;
  for (uint32_t p = 0; p < data->path_count; p++)
    if (!check_path(data, p, error))
      return false;
  return true;
}

//===- Summary ------------------------------------------------------------===//

static void begin_card(LunaText *out, const char *title) {
  luna_text_printf(out, "<div class=card><h2>%s</h2>", title);
}

static void memory_card(const LunaReportContext *context) {
  const LunaReportData *data = context->data;
  LunaText *out = context->out;
  begin_card(out, "Shared memory");
  luna_text_printf(out, "<p class=big>");
  luna_report_number(out, (uint64_t)data->plan.total.bytes);
  luna_text_printf(out, " <small>of ");
  luna_report_number(out, (uint64_t)data->plan.capacity_bytes);
  luna_text_printf(out, " bytes</small></p><div class=gauge><i style=\"width:");
  luna_report_share(out, (uint64_t)data->plan.total.bytes,
                    (uint64_t)data->plan.capacity_bytes, 1);
  luna_text_printf(out, "%%\"></i></div><p>");
  uint64_t bound = (uint64_t)data->plan.total.lower_bound_bytes;
  uint64_t total = (uint64_t)data->plan.total.bytes;
  if (data->plan.is_optimal) {
    luna_text_printf(out, "<b class=good>proven optimal</b>: no plan of this "
                          "program is smaller");
  } else if (bound > 0 && bound <= total) {
    luna_text_printf(out, "lower bound ");
    luna_report_number(out, bound);
    luna_text_printf(out, ": at most ");
    luna_report_share(out, total - bound, bound, 1);
    luna_text_printf(out, " %% above the best possible");
  }
  if (data->plan.proof == LUNA_PROOF_PLACEMENT)
    luna_text_printf(out, "; no placement of these buffers is smaller");
  luna_text_printf(out, "</p></div>\n");
}

static void part_row(LunaText *out, const char *name,
                     const LunaPlanSize *size) {
  const int64_t bounds[] = {size->lower_bound_bytes,
                            size->placement_bound_bytes};
  luna_text_printf(out, "<tr><td>%s</td><td class=n>", name);
  luna_report_number(out, (uint64_t)size->bytes);
  for (int i = 0; i < 2; ++i) {
    luna_text_printf(out, "</td><td class=n>");
    if (bounds[i] > 0)
      luna_report_number(out, (uint64_t)bounds[i]);
    else
      luna_text_printf(out, "–");
  }
  luna_text_printf(out, "</td></tr>");
}

static void parts_card(const LunaReportContext *context) {
  const LunaReportData *data = context->data;
  LunaText *out = context->out;
  begin_card(out, "Its parts, in bytes");
  luna_text_printf(out, "<table><tr><th></th><th class=n>plan</th>"
                        "<th class=n>bound</th>"
                        "<th class=n>of placements</th></tr>");
  part_row(out, "tensors", &data->plan.tensor);
  part_row(out, "weights in transit",
           &(LunaPlanSize){.bytes = data->plan.staging_bytes});
  if (data->plan.scratch_bytes > 0)
    part_row(out, "scratch (in tensors)",
             &(LunaPlanSize){.bytes = data->plan.scratch_bytes});
  part_row(out, "<b>together</b>", &data->plan.total);
  luna_text_printf(out, "</table><p class=note>Planned together, so the whole "
                        "may be less than the sum.");
  if (data->plan.state_bytes > 0) {
    luna_text_printf(out, " State kept across calls: ");
    luna_report_number(out, (uint64_t)data->plan.state_bytes);
    luna_text_printf(out, ".");
  }
  luna_text_printf(out, "</p></div>\n");
}

static void image_row(LunaText *out, const char *name, int64_t bytes) {
  luna_text_printf(out, "<tr><td>%s</td><td class=n>", name);
  luna_report_number(out, (uint64_t)bytes);
  luna_text_printf(out, "</td></tr>");
}

static void image_card(const LunaReportContext *context) {
  const LunaImage *image = context->data->image;
  LunaText *out = context->out;
  if (!image)
    return;
  begin_card(out, "The program, in bytes");
  luna_text_printf(out, "<table><tr><th>");
  luna_report_text(out, context->data->target);
  luna_text_printf(out, "</th><th></th></tr>");
  image_row(out, "code", image->text_bytes);
  image_row(out, "constants", image->rodata_bytes);
  image_row(out, "descriptors", image->descriptor_bytes);
  image_row(out, "weights", image->weight_bytes);
  image_row(out, "arena, on chip", image->arena_bytes);
  image_row(out, "PSRAM, weights included", luna_image_psram_bytes(image));
  luna_text_printf(out, "</table></div>\n");
}

static const LunaReportPath *slowest(const LunaReportData *data) {
  const LunaReportPath *found = NULL;
  for (uint32_t p = 0; p < data->path_count; p++)
    if (found == NULL || luna_report_cycles(&data->paths[p])->total >
                             luna_report_cycles(found)->total)
      found = &data->paths[p];
  return found;
}

static void time_part(LunaText *out, LunaReportRow row, const char *name,
                      uint64_t part, uint64_t total) {
  luna_text_printf(out, "<span class=part><span class=\"key r%d\"></span>%s ",
                   (int)row, name);
  luna_report_share(out, part, total, 1);
  luna_text_printf(out, " %%</span> ");
}

static void time_bar(LunaText *out, const LunaReportCycles *cycles) {
  const uint64_t parts[] = {cycles->compute, cycles->host, cycles->stall};
  static const LunaReportRow rows[] = {LUNA_REPORT_COMPUTE, LUNA_REPORT_HOST,
                                       LUNA_REPORT_STALL};
  static const char *const names[] = {"unit", "host", "stalled"};
  luna_text_printf(out, "<div class=gauge>");
  for (int i = 0; i < 3; i++) {
    luna_text_printf(out, "<i class=r%d style=\"width:", (int)rows[i]);
    luna_report_share(out, parts[i], cycles->total, 2);
    luna_text_printf(out, "%%\"></i>");
  }
  luna_text_printf(out, "</div><p>");
  for (int i = 0; i < 3; i++)
    time_part(out, rows[i], names[i], parts[i], cycles->total);
  luna_text_printf(out, "</p>");
}

static void time_card(const LunaReportContext *context) {
  const LunaReportPath *path = slowest(context->data);
  if (path == NULL || luna_report_cycles(path)->total == 0)
    return;
  const LunaReportCycles *cycles = luna_report_cycles(path);
  LunaText *out = context->out;
  begin_card(out, path->simulated.total > 0 ? "Slowest path, simulated"
                                            : "Slowest path, predicted");
  bool has_open_turns = luna_report_has_open_turns(path);
  luna_text_printf(out, "<p class=big>%s", has_open_turns ? "at least " : "");
  luna_report_number(out, cycles->total);
  luna_text_printf(out, " <small>cycles");
  if (context->data->clock_hz > 0) {
    luna_text_printf(out, ", ");
    luna_report_number(out,
                       cycles->total * 1000 / (context->data->clock_hz / 1000));
    luna_text_printf(out, " µs");
  }
  luna_text_printf(out, "</small></p>");
  time_bar(out, cycles);
  luna_text_printf(out, "<p>");
  luna_report_text(out, path->name);
  if (has_open_turns) {
    LunaText text = {0};
    luna_cost_print_cycles(&text, path->cost);
    luna_text_printf(out, ": ");
    luna_report_text(out, text.data);
    luna_text_deinit(&text);
  }
  if (path->simulated.total == 0 &&
      context->data->cost.at_most_cycles > cycles->total) {
    luna_text_printf(out, "; no run takes more than ");
    luna_report_number(out, context->data->cost.at_most_cycles);
  }
  if (cycles->bound > 0 && !has_open_turns) {
    luna_text_printf(out, "; however transfers overlap, it takes at least ");
    luna_report_number(out, cycles->bound);
  }
  if (cycles->synchronous > 0) {
    luna_text_printf(out, "; with synchronous transfers it takes ");
    luna_report_number(out, cycles->synchronous);
  }
  luna_text_printf(out, "</p></div>\n");
}

static void checks_card(const LunaReportContext *context) {
  const LunaReportData *data = context->data;
  uint64_t hazards = 0;
  uint32_t ran = 0, checked = 0, equal = 0;
  for (uint32_t p = 0; p < data->path_count; p++) {
    hazards += data->paths[p].hazard_count;
    ran += data->paths[p].simulated.total > 0;
    checked += data->paths[p].is_checked;
    equal += data->paths[p].is_checked && data->paths[p].is_equal;
  }
  LunaText *out = context->out;
  begin_card(out, "Checks");
  if (ran == 0) {
    luna_text_printf(out, "<p class=note>Not run: predicted figures only. "
                          "<code>lunac run</code> adds the time line.</p>"
                          "</div>\n");
    return;
  }
  luna_text_printf(out,
                   "<p class=\"big %s\">%" PRIu64 " <small>hazard%s on %" PRIu32
                   " of %" PRIu32 " paths run</small></p>",
                   hazards > 0 ? "bad" : "good", hazards,
                   hazards == 1 ? "" : "s", ran, data->path_count);
  if (checked > 0)
    luna_text_printf(out,
                     "<p><b class=%s>%" PRIu32 " of %" PRIu32
                     "</b> paths equal the reference bit for bit</p>",
                     equal == checked ? "good" : "bad", equal, checked);
  luna_text_printf(out, "</div>\n");
}

void luna_report_summary(const LunaReportContext *context) {
  luna_text_printf(context->out, "<div class=cards>");
  memory_card(context);
  parts_card(context);
  image_card(context);
  time_card(context);
  checks_card(context);
  luna_text_printf(context->out, "</div>\n");
}

//===- The page -----------------------------------------------------------===//

static void option(LunaText *out, const char *name, const char *value) {
  if (value == NULL || value[0] == '\0')
    return;
  luna_text_printf(out, "<span class=option>%s <b>", name);
  luna_report_text(out, value);
  luna_text_printf(out, "</b></span> ");
}

// The path with the highest memory map is shown first.
static uint32_t first_shown(const LunaReportContext *context,
                            const LunaReportLayout *layouts) {
  uint32_t highest = 0;
  for (uint32_t p = 1; p < context->data->path_count; p++)
    if (layouts[p].peak_bytes > layouts[highest].peak_bytes)
      highest = p;
  return highest;
}

static void page_head(const LunaReportContext *context,
                      const LunaReportLayout *layouts) {
  const LunaReportData *data = context->data;
  LunaText *out = context->out;
  luna_text_printf(out, "<!DOCTYPE html>\n<html lang=en><head><meta "
                        "charset=utf-8><meta name=viewport "
                        "content=\"width=device-width\"><title>");
  luna_report_text(out, data->model);
  luna_text_printf(out, " on ");
  luna_report_text(out, data->machine);
  luna_text_printf(out, "</title>\n<style>");
  for (int i = 0; luna_report_style[i] != NULL; i++)
    luna_text_printf(out, "%s", luna_report_style[i]);
  // The chosen path is shown, its row marked.
  for (uint32_t p = 0; p < data->path_count; p++)
    luna_text_printf(out,
                     "#p%" PRIu32 ":checked~main #path%" PRIu32
                     "{display:block}#p%" PRIu32 ":checked~main #row%" PRIu32
                     "{background:var(--mark)}\n",
                     p, p, p, p);
  luna_text_printf(out, "</style></head><body>\n");
  for (uint32_t p = 0; p < data->path_count; p++)
    luna_text_printf(out, "<input type=radio name=path id=p%" PRIu32 "%s>", p,
                     p == first_shown(context, layouts) ? " checked" : "");
}

static void page_title(const LunaReportContext *context) {
  const LunaReportData *data = context->data;
  LunaText *out = context->out;
  luna_text_printf(out, "<main><header><h1>");
  luna_report_text(out, data->model);
  luna_text_printf(out, "</h1><p>");
  option(out, "machine", data->machine);
  if (data->is_derived)
    option(out, "core",
           "derived of its vector instructions, not of the code as it is");
  option(out, "strategy", data->plan.strategy);
  option(out, "branches", luna_merge_name(data->plan.merge));
  if (data->takes_best_plan)
    option(out, "plan", "best of the cache, depends on what it holds");
  option(out, "DMA", data->dma);
  option(out, "inputs and outputs", data->io);
  option(out, "lunac", data->version);
  luna_text_printf(out, "</p></header>\n"
                        "<svg width=0 height=0 class=defs><defs>"
                        "<pattern id=k1 width=6 height=6 "
                        "patternUnits=userSpaceOnUse><path class=pen "
                        "d=\"M0 6L6 0\"/></pattern>"
                        "<pattern id=k2 width=5 height=5 "
                        "patternUnits=userSpaceOnUse><path class=pen "
                        "d=\"M1 1h1\"/></pattern></defs></svg>\n");
}

static bool has_kind(const LunaReportData *data, LunaBufferKind kind) {
  for (uint32_t b = 0; b < data->buffer_count; b++)
    if (data->buffers[b].kind == kind)
      return true;
  return false;
}

static void legend(const LunaReportContext *context) {
  LunaText *out = context->out;
  luna_text_printf(out, "<p class=legend>");
  for (uint32_t b = 0; b < context->branch_count && b < 16; b++) {
    luna_text_printf(out, "<span class=\"key ");
    luna_report_colour(out, b);
    luna_text_printf(out, "\"></span>");
    luna_report_text(out,
                     b == 0 ? "outside every branch" : context->branches[b]);
    luna_text_printf(out, " ");
  }
  for (int kind = LUNA_BUFFER_STAGING; kind <= LUNA_BUFFER_SCRATCH; kind++) {
    if (!has_kind(context->data, (LunaBufferKind)kind))
      continue;
    luna_text_printf(out,
                     "<svg class=key width=16 height=11><rect width=16 "
                     "height=11 fill=\"url(#k%d)\"/></svg>%s ",
                     kind, luna_report_kind_name((LunaBufferKind)kind));
  }
  luna_text_printf(out, "<label class=zoom>zoom <input type=range min=100 "
                        "max=3000 value=100 class=zoom></label></p>\n");
}

static void hazards(LunaText *out, const LunaReportPath *path) {
  if (path->hazard_count == 0)
    return;
  luna_text_printf(out, "<h3 class=bad>%" PRIu64 " hazard%s</h3><ol>",
                   path->hazard_count, path->hazard_count == 1 ? "" : "s");
  for (uint32_t i = 0; i < path->hazard_message_count; i++) {
    luna_text_printf(out, "<li>");
    luna_report_text(out, path->hazards[i]);
    luna_text_printf(out, "</li>\n");
  }
  luna_text_printf(out, "</ol>\n");
}

static void path_section(const LunaReportContext *context,
                         const LunaReportLayout *layout) {
  LunaText *out = context->out;
  luna_text_printf(out, "<section class=path id=path%" PRIu32 "><h2>Path ",
                   layout->index);
  luna_report_text(out, layout->path->name);
  luna_text_printf(out, "</h2>\n");
  hazards(out, layout->path);
  legend(context);
  luna_report_memory_map(context, layout);
  luna_report_timeline(context, layout);
  luna_report_peak_table(context, layout);
  luna_report_transfer_table(context, layout);
  luna_report_op_table(context, layout);
  luna_text_printf(out, "</section>\n");
}

bool luna_report_html(const LunaReportData *data, LunaText *html,
                      LunaError *error) {
  if (!check_data(data, error))
    return false;
  LunaArena arena = {0};
  LunaReportContext context = {.data = data, .out = html, .arena = &arena};
  luna_report_find_branches(&context);
  LunaReportLayout *layouts =
      LUNA_ARENA_ARRAY(&arena, LunaReportLayout, data->path_count);
  for (uint32_t p = 0; p < data->path_count; p++)
    layouts[p] = luna_report_lay_out(&context, p);
  page_head(&context, layouts);
  page_title(&context);
  luna_report_summary(&context);
  if (data->path_count > 0)
    luna_report_path_table(&context, layouts);
  for (uint32_t p = 0; p < data->path_count; p++)
    path_section(&context, &layouts[p]);
  luna_report_plan_table(&context);
  luna_report_join_table(&context);
  luna_report_case_table(&context);
  luna_text_printf(html,
                   "</main><div id=tip hidden></div>\n<script>%s"
                   "</script></body></html>\n",
                   luna_report_script);
  luna_arena_destroy(&arena);
  return true;
}
