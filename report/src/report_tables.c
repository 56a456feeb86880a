#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report_internal.h"

static void cell_number(LunaText *out, uint64_t number) {
  luna_text_printf(out, "<td class=n>");
  luna_report_number(out, number);
  luna_text_printf(out, "</td>");
}

static void cell_text(LunaText *out, const char *text) {
  luna_text_printf(out, "<td>");
  luna_report_text(out, text);
  luna_text_printf(out, "</td>");
}

// The name of a buffer or operator, which may be long.
static void cell_name(LunaText *out, const char *name) {
  luna_text_printf(out, "<td class=name>");
  luna_report_text(out, name);
  luna_text_printf(out, "</td>");
}

// Appends a cell with a bar for part of whole behind the number.
static void cell_bar(LunaText *out, uint64_t part, uint64_t whole) {
  luna_text_printf(out, "<td class=\"n share\" style=\"--s:");
  luna_report_share(out, part, whole, 2);
  luna_text_printf(out, "%%\">");
  luna_report_number(out, part);
  luna_text_printf(out, "</td>");
}

//===- Strategies and treatments of branches ------------------------------===//

// Returns the distinct names of one column of the rows, in order of appearance.
static uint32_t distinct(const LunaReportContext *context, bool merges,
                         const char ***names) {
  const LunaReportData *data = context->data;
  *names = LUNA_ARENA_ARRAY(context->arena, const char *, data->plan.row_count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < data->plan.row_count; i++) {
    const LunaPlanRow *row = &data->plan.rows[i];
    const char *name = merges ? luna_merge_name(row->merge) : row->strategy;
    uint32_t at = 0;
    while (at < count && strcmp((*names)[at], name) != 0)
      at++;
    if (at == count)
      (*names)[count++] = name;
  }
  return count;
}

static const LunaPlanRow *find_row(const LunaReportData *data,
                                   const char *strategy, const char *merge) {
  for (uint32_t i = 0; i < data->plan.row_count; i++) {
    const LunaPlanRow *row = &data->plan.rows[i];
    if (strcmp(row->strategy, strategy) == 0 &&
        strcmp(luna_merge_name(row->merge), merge) == 0)
      return row;
  }
  return NULL;
}

static void plan_cell(const LunaReportContext *context,
                      const LunaPlanRow *row) {
  const LunaReportData *data = context->data;
  if (row == NULL) {
    luna_text_printf(context->out, "<td class=n>–</td>");
    return;
  }
  bool is_least = true;
  for (uint32_t i = 0; i < data->plan.row_count; i++)
    if (data->plan.rows[i].total_bytes < row->total_bytes)
      is_least = false;
  luna_text_printf(context->out, "<td class=\"n%s\" title=\"tensors alone: ",
                   is_least ? " best" : "");
  luna_report_number(context->out, (uint64_t)row->tensor_bytes);
  luna_text_printf(context->out, "\">");
  luna_report_number(context->out, (uint64_t)row->total_bytes);
  luna_text_printf(context->out, "</td>");
}

// The bound is valid for the plan's treatment of branches.
static void bound_row(const LunaReportContext *context, const char **merges,
                      uint32_t merge_count) {
  const LunaReportData *data = context->data;
  luna_text_printf(context->out, "<tr class=bound><td>placement bound</td>");
  for (uint32_t m = 0; m < merge_count; m++) {
    luna_text_printf(context->out, "<td class=n>");
    if (strcmp(merges[m], luna_merge_name(data->plan.merge)) == 0)
      luna_report_number(context->out,
                         (uint64_t)data->plan.total.placement_bound_bytes);
    luna_text_printf(context->out, "</td>");
  }
  luna_text_printf(context->out, "</tr>\n");
}

void luna_report_plan_table(const LunaReportContext *context) {
  const LunaReportData *data = context->data;
  if (data->plan.row_count == 0)
    return;
  const char **strategies, **merges;
  uint32_t strategy_count = distinct(context, false, &strategies);
  uint32_t merge_count = distinct(context, true, &merges);
  LunaText *out = context->out;
  luna_text_printf(out, "<section><h2>Strategies</h2><p class=note>Bytes of "
                        "shared memory that each strategy needs under each "
                        "treatment of branches; the least in bold.</p>"
                        "<table><tr><th>strategy</th>");
  for (uint32_t m = 0; m < merge_count; m++) {
    luna_text_printf(out, "<th class=n>");
    luna_report_text(out, merges[m]);
    luna_text_printf(out, "</th>");
  }
  luna_text_printf(out, "</tr>\n");
  for (uint32_t s = 0; s < strategy_count; s++) {
    luna_text_printf(out, "<tr>");
    cell_text(out, strategies[s]);
    for (uint32_t m = 0; m < merge_count; m++)
      plan_cell(context, find_row(data, strategies[s], merges[m]));
    luna_text_printf(out, "</tr>\n");
  }
  if (data->plan.total.placement_bound_bytes > 0)
    bound_row(context, merges, merge_count);
  luna_text_printf(out, "</table></section>\n");
}

//===- What control flow merges -------------------------------------------===//

void luna_report_join_table(const LunaReportContext *context) {
  const LunaPlanRecord *plan = &context->data->plan;
  LunaText *out = context->out;
  if (plan->join_count == 0)
    return;
  luna_text_printf(
      out, "<section><h2>Joins</h2><p class=note>Tensors that branches yield "
           "and loops carry: in one place, copied to one, or as a pointer to "
           "one of several; the cycles of the copies, and the bytes of the "
           "places beyond the largest.</p><table><tr><th>value</th>"
           "<th>choice</th><th class=n>cycles</th><th class=n>bytes</th>"
           "</tr>\n");
  for (uint32_t i = 0; i < plan->join_count; i++) {
    const LunaRecordJoin *join = &plan->joins[i];
    luna_text_printf(out, "<tr>");
    cell_text(out, join->name);
    cell_text(out, luna_join_choice_name(join->choice));
    cell_number(out, join->cycles);
    cell_number(out, (uint64_t)join->bytes);
    luna_text_printf(out, "</tr>\n");
  }
  luna_text_printf(out, "</table></section>\n");
}

//===- Versions -----------------------------------------------------------===//

void luna_report_case_table(const LunaReportContext *context) {
  const LunaReportData *data = context->data;
  LunaText *out = context->out;
  if (data->plan.case_count == 0)
    return;
  luna_text_printf(
      out, "<section><h2>Versions</h2><p class=note>Each size of the model is "
           "a case of one switch, planned alone: the bytes that it uses, and "
           "its slowest path.</p><table><tr><th>case</th>"
           "<th class=n>bytes</th><th class=n>tensors</th>"
           "<th class=n>cycles</th></tr>\n");
  for (uint32_t i = 0; i < data->plan.case_count; i++) {
    const LunaRecordCase *item = &data->plan.cases[i];
    const LunaPathCost *slowest =
        luna_cost_slowest_of_case(&data->cost, item->name);
    luna_text_printf(out, "<tr>");
    cell_text(out, item->name);
    cell_number(out, (uint64_t)item->total_bytes);
    cell_number(out, (uint64_t)item->tensor_bytes);
    cell_number(out, slowest ? slowest->cycles : 0);
    luna_text_printf(out, "</tr>\n");
  }
  luna_text_printf(out, "</table></section>\n");
}

//===- Paths --------------------------------------------------------------===//

static bool knows_synchronous(const LunaReportData *data) {
  for (uint32_t p = 0; p < data->path_count; p++)
    if (luna_report_cycles(&data->paths[p])->synchronous > 0)
      return true;
  return false;
}

// The cycles of a path; where nothing ran and data decides the turns of loops,
// what these add.
static void cell_cycles(const LunaReportContext *context,
                        const LunaReportPath *path, uint64_t longest) {
  if (!luna_report_has_open_turns(path)) {
    cell_bar(context->out, luna_report_cycles(path)->total, longest);
    return;
  }
  LunaText text = {0};
  luna_cost_print_cycles(&text, path->cost);
  luna_text_printf(context->out, "<td class=n>");
  luna_report_text(context->out, text.data);
  luna_text_printf(context->out, "</td>");
  luna_text_deinit(&text);
}

// How many paths of how many are listed.
static void path_note(const LunaReportContext *context) {
  const LunaPlanRecord *plan = &context->data->plan;
  if (plan->possible_path_count <= plan->path_count)
    return;
  LunaText count = {0};
  luna_record_print_path_count(&count, plan);
  luna_text_printf(context->out,
                   " %" PRIu32 " of %s paths: the slowest of all, the highest "
                   "of all, and every branch both ways.",
                   plan->path_count, count.data);
  luna_text_deinit(&count);
}

static void path_row(const LunaReportContext *context,
                     const LunaReportLayout *layout, uint64_t longest) {
  LunaText *out = context->out;
  const LunaReportPath *path = layout->path;
  const LunaReportCycles *cycles = luna_report_cycles(path);
  luna_text_printf(out, "<tr id=row%" PRIu32 "><td><label for=p%" PRIu32 ">",
                   layout->index, layout->index);
  luna_report_text(out, path->name);
  luna_text_printf(out, "</label></td>");
  cell_bar(out, (uint64_t)layout->peak_bytes,
           (uint64_t)context->data->plan.total.bytes);
  cell_cycles(context, path, longest);
  cell_number(out, cycles->compute);
  cell_number(out, cycles->host);
  cell_number(out, cycles->stall);
  cell_number(out, cycles->dma);
  cell_number(out, cycles->bound);
  if (knows_synchronous(context->data))
    cell_number(out, cycles->synchronous);
  luna_text_printf(out, "<td>%s</td><td class=\"n%s\">%" PRIu64 "</td></tr>\n",
                   !path->is_checked ? "–"
                   : path->is_equal  ? "equal"
                                     : "<b class=bad>different</b>",
                   path->hazard_count > 0 ? " bad" : "", path->hazard_count);
}

void luna_report_path_table(const LunaReportContext *context,
                            const LunaReportLayout *layouts) {
  uint64_t longest = 0;
  for (uint32_t p = 0; p < context->data->path_count; p++) {
    uint64_t total = luna_report_cycles(&context->data->paths[p])->total;
    longest = total > longest ? total : longest;
  }
  luna_text_printf(
      context->out,
      "<section><h2>Paths</h2><p class=note>Choose a path to see its memory "
      "map and time line.");
  path_note(context);
  luna_text_printf(
      context->out,
      "</p><div class=across><table class=paths><tr>"
      "<th>path</th><th class=n>top byte</th><th class=n>cycles</th>"
      "<th class=n>unit</th><th class=n>host</th><th class=n>stalled</th>"
      "<th class=n>DMA engine</th><th class=n>bound</th>%s"
      "<th>result</th><th class=n>hazards</th></tr>\n",
      knows_synchronous(context->data) ? "<th class=n>synchronous</th>" : "");
  for (uint32_t p = 0; p < context->data->path_count; p++)
    path_row(context, &layouts[p], longest);
  luna_text_printf(context->out, "</table></div></section>\n");
}

//===- What is live at the peak -------------------------------------------===//

typedef struct LiveBuffer {
  const LunaReportBuffer *buffer;
  const LunaReportRun *run;
} LiveBuffer;

static int by_size(const void *a, const void *b) {
  const LiveBuffer *left = a, *right = b;
  if (left->buffer->size_bytes != right->buffer->size_bytes)
    return left->buffer->size_bytes < right->buffer->size_bytes ? 1 : -1;
  return left->run->buffer < right->run->buffer ? -1 : 1;
}

static uint32_t live_at_peak(const LunaReportContext *context,
                             const LunaReportLayout *layout, LiveBuffer *live) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < layout->run_count; i++) {
    const LunaReportRun *run = &layout->runs[i];
    if (run->first <= layout->heaviest && layout->heaviest < run->end)
      live[count++] = (LiveBuffer){
          .buffer = &context->data->buffers[run->buffer], .run = run};
  }
  if (count > 0)
    qsort(live, count, sizeof live[0], by_size);
  return count;
}

void luna_report_peak_table(const LunaReportContext *context,
                            const LunaReportLayout *layout) {
  if (layout->step_count == 0)
    return;
  LiveBuffer *live =
      LUNA_ARENA_ARRAY(context->arena, LiveBuffer, layout->run_count);
  uint32_t count = live_at_peak(context, layout, live);
  LunaText *out = context->out;
  uint64_t sum = (uint64_t)layout->live_bytes[layout->heaviest];
  luna_text_printf(out, "<h3>Live at the peak</h3><p class=note>");
  luna_report_number(out, sum);
  luna_text_printf(out, " bytes are live at step ‘");
  luna_report_text(
      out, context->data->plan.step_names[layout->step[layout->heaviest]]);
  luna_text_printf(out, "’; the path needs ");
  luna_report_number(out, (uint64_t)layout->peak_bytes);
  luna_text_printf(out, ".</p><table><tr><th>buffer</th><th>holds</th>"
                        "<th class=n>bytes</th><th class=n>offset</th>"
                        "<th class=n>live in steps</th></tr>\n");
  for (uint32_t i = 0; i < count; i++) {
    luna_text_printf(out, "<tr>");
    cell_name(out, live[i].buffer->name);
    cell_text(out, luna_report_kind_name(live[i].buffer->kind));
    cell_bar(out, (uint64_t)live[i].buffer->size_bytes, sum);
    cell_number(out, (uint64_t)live[i].buffer->offset_bytes);
    luna_text_printf(out, "<td class=n>%" PRIu32 "–%" PRIu32 "</td></tr>\n",
                     live[i].run->first, live[i].run->end - 1);
  }
  luna_text_printf(out, "</table>\n");
}

//===- Transfers and operators --------------------------------------------===//

static const LunaReportEvent *stall_of(const LunaReportPath *path,
                                       const LunaReportEvent *transfer) {
  for (uint64_t i = 0; i < path->event_count; i++)
    if (path->events[i].row == LUNA_REPORT_STALL &&
        path->events[i].token == transfer->token && transfer->token != 0 &&
        path->events[i].end_cycles > path->events[i].begin_cycles)
      return &path->events[i];
  return NULL;
}

static void transfer_row(LunaText *out, const LunaReportPath *path,
                         const LunaReportEvent *event) {
  const LunaReportEvent *stall = stall_of(path, event);
  luna_text_printf(out, "<tr>");
  cell_number(out, (uint64_t)event->token);
  cell_name(out, event->transfer_op != NULL ? event->transfer_op : event->op);
  luna_text_printf(out, "<td class=name>%s ", event->is_store ? "from" : "to");
  luna_report_text(out, event->buffer);
  luna_text_printf(out, "</td>");
  cell_number(out, (uint64_t)event->bytes);
  cell_number(out, event->begin_cycles);
  cell_number(out, event->end_cycles - event->begin_cycles);
  luna_text_printf(out, "<td class=\"n%s\">", stall != NULL ? " bad" : "");
  luna_report_number(
      out, stall == NULL ? 0 : stall->end_cycles - stall->begin_cycles);
  luna_text_printf(out, "</td><td>");
  if (stall != NULL)
    luna_report_stall_reason(out, path, stall);
  luna_text_printf(out, "</td></tr>\n");
}

void luna_report_transfer_table(const LunaReportContext *context,
                                const LunaReportLayout *layout) {
  const LunaReportPath *path = layout->path;
  uint64_t count = 0, bytes = 0;
  for (uint64_t i = 0; i < path->event_count; i++)
    if (path->events[i].row == LUNA_REPORT_DMA) {
      count++;
      bytes += (uint64_t)path->events[i].bytes;
    }
  if (count == 0)
    return;
  LunaText *out = context->out;
  luna_text_printf(out, "<details><summary>Transfers: ");
  luna_report_number(out, count);
  luna_text_printf(out, ", ");
  luna_report_number(out, bytes);
  luna_text_printf(out, " bytes</summary><div class=across><table><tr>"
                        "<th class=n>no.</th><th>started by</th>"
                        "<th>moves</th><th class=n>bytes</th>"
                        "<th class=n>from cycle</th><th class=n>cycles</th>"
                        "<th class=n>stalled</th><th>why</th></tr>\n");
  for (uint64_t i = 0; i < path->event_count; i++)
    if (path->events[i].row == LUNA_REPORT_DMA)
      transfer_row(out, path, &path->events[i]);
  luna_text_printf(out, "</table></div></details>\n");
}

void luna_report_op_table(const LunaReportContext *context,
                          const LunaReportLayout *layout) {
  const LunaReportPath *path = layout->path;
  if (path->op_count == 0)
    return;
  uint64_t longest = 1;
  for (uint32_t i = 0; i < path->op_count; i++) {
    const LunaReportOp *op = &path->ops[i];
    uint64_t sum = op->compute_cycles + op->host_cycles + op->stall_cycles;
    longest = sum > longest ? sum : longest;
  }
  LunaText *out = context->out;
  luna_text_printf(out, "<details><summary>Operators</summary>"
                        "<div class=across><table><tr><th>operator</th>"
                        "<th class=n>cycles</th><th class=n>unit</th>"
                        "<th class=n>host</th><th class=n>stalled</th>"
                        "<th class=n>calls</th><th class=n>launches</th>"
                        "</tr>\n");
  for (uint32_t i = 0; i < path->op_count; i++) {
    const LunaReportOp *op = &path->ops[i];
    uint64_t sum = op->compute_cycles + op->host_cycles + op->stall_cycles;
    if (sum == 0)
      continue;
    luna_text_printf(out, "<tr>");
    cell_name(out, op->name);
    cell_bar(out, sum, longest);
    cell_number(out, op->compute_cycles);
    cell_number(out, op->host_cycles);
    cell_number(out, op->stall_cycles);
    cell_number(out, op->calls);
    cell_number(out, op->launches);
    luna_text_printf(out, "</tr>\n");
  }
  luna_text_printf(out, "</table></div></details>\n");
}
