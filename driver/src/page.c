#include "page.h"

#include "diagnostics.h"
#include "emit.h"

static int fail(LunacSession *session, const LunaError *error) {
  luna_diagnose(session, error->message);
  return luna_error_exit_code(error->code);
}

int luna_page_begin(LunacSession *session, const LunacModel *model,
                    LunaReportBuilder *builder) {
  LunaError error = {0};
  if (!luna_report_begin(builder, session->arena, model->plan, model->cost,
                         &error))
    return fail(session, &error);
  luna_report_add_synchronous(builder, model->synchronous_cost);
  builder->data.model = model->name;
  builder->data.machine = session->machine.name;
  builder->data.dma = model->dma;
  builder->data.io = session->options->io;
  builder->data.version = LUNA_VERSION;
  builder->data.clock_hz = session->machine.clock_hz;
  return 0;
}

int luna_page_write(LunacSession *session, LunaReportBuilder *builder) {
  const char *folder = session->options->report;
  LunaText html = {0};
  LunaError error = {0};
  if (!luna_report_html(&builder->data, &html, &error)) {
    luna_text_deinit(&html);
    return fail(session, &error);
  }
  int code = luna_make_folder(session, folder);
  if (code == 0)
    code = luna_write_output(
        session, luna_arena_printf(session->arena, "%s/report.html", folder),
        html.data, html.length);
  luna_text_deinit(&html);
  return code;
}
