#include "stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "diagnostics.h"
#include "emit.h"
#include "progress.h"

// Then the plan depends on what the cache holds.
static bool takes_best_plan(const LunacSession *session) {
  return *session->cache_folder &&
         strcmp(session->options->plan_cache, "best") == 0;
}

void luna_stats_begin(LunacSession *session, const LunacModel *model,
                      LunaReportBuilder *report) {
  luna_report_begin(report, session->arena, &model->plan, &model->cost);
  luna_report_add_synchronous(report, &model->synchronous_cost);
  report->data.joins_tried = model->joins_tried;
  report->data.code = model->code;
  report->data.image = model->image;
  report->data.target = model->target ? model->target->name : NULL;
  report->data.model = model->name;
  report->data.machine = session->machine.name;
  report->data.is_derived = session->machine.is_vector;
  report->data.dma = model->dma;
  report->data.io = session->options->io;
  report->data.takes_best_plan = takes_best_plan(session);
  report->data.version = LUNA_VERSION;
  report->data.clock_hz = session->machine.clock_hz;
}

int luna_stats_write(LunacSession *session, const LunaReportBuilder *report,
                     const LunaReportRuns *runs) {
  if (!session->options->stats)
    return 0;
  LunaText text = {0};
  luna_report_json(&report->data, runs, &text);
  int code = luna_write_output(session, session->options->stats, text.data,
                               text.length);
  luna_text_deinit(&text);
  return code;
}

int luna_page_write(LunacSession *session, const LunaReportBuilder *report) {
  const char *folder = session->options->report;
  LunaText html = {0};
  LunaError error = {0};
  if (!folder)
    return 0;
  int code = 0;
  if (!luna_report_html(&report->data, &html, &error)) {
    luna_diagnose(session, error.message);
    code = luna_error_exit_code(error.code);
  }
  if (code == 0)
    code = luna_make_folder(session, folder);
  if (code == 0)
    code = luna_write_output(
        session, luna_arena_printf(session->arena, "%s/report.html", folder),
        html.data, html.length);
  luna_text_deinit(&html);
  return code;
}

// The slowest path, and what no run exceeds where that is more.
static void print_slowest(const LunaCostRecord *record) {
  const LunaPathCost *slowest = luna_cost_slowest(record);
  LunaText text = {0};
  if (!slowest)
    return;
  luna_cost_print_cycles(&text, slowest);
  if (slowest->loop_count == 0)
    luna_text_printf(&text, ", bound %" PRIu64, slowest->bound);
  if (record->at_most_cycles > slowest->cycles)
    luna_text_printf(&text, "; no run takes more than %" PRIu64,
                     record->at_most_cycles);
  printf("  slowest   %s: %s\n", slowest->path, text.data);
  luna_text_deinit(&text);
}

// Each size of a model that has several.
static void print_cases(const LunacModel *model) {
  for (uint32_t i = 0; i < model->plan.case_count; ++i) {
    const LunaRecordCase *item = &model->plan.cases[i];
    const LunaPathCost *slowest =
        luna_cost_slowest_of_case(&model->cost, item->name);
    LunaText text = {0};
    if (slowest) {
      luna_text_printf(&text, ", ");
      luna_cost_print_cycles(&text, slowest);
    }
    printf("  case      %s: %" PRId64 " bytes (tensors %" PRId64 ")%s\n",
           item->name, item->total_bytes, item->tensor_bytes,
           text.data ? text.data : "");
    luna_text_deinit(&text);
  }
}

int luna_print_summary(LunacSession *session, const LunacModel *model) {
  const LunaPlanRecord *plan = &model->plan;
  luna_progress_end(session);
  printf("%s on %s\n", model->name, session->machine.name);
  if (session->machine.is_vector)
    printf("  core      derived of its vector instructions, not of the code "
           "as it is\n");
  printf("  on chip   %" PRId64 " of %" PRIu64 " bytes, bound %" PRId64
         " (tensors %" PRId64 ", staging %" PRId64 ")\n",
         plan->total.bytes, session->machine.shared.bytes,
         plan->total.lower_bound_bytes, plan->tensor.bytes,
         plan->staging_bytes);
  printf("  plan      %s, %s, ", plan->strategy, luna_merge_name(plan->merge));
  if (plan->is_optimal)
    printf("optimal\n");
  else
    printf("placement bound %" PRId64 "\n", plan->total.placement_bound_bytes);
  if (takes_best_plan(session))
    printf("            the best of the cache: depends on what it holds\n");
  print_slowest(&model->cost);
  print_cases(model);
  return 0;
}
