#ifndef LUNA_PAGE_H
#define LUNA_PAGE_H

#include "compile.h"
#include "luna/report_fill.h"

/// Starts the page of --report from a planned model. Gives an exit code.
int luna_page_begin(LunacSession *session, const LunacModel *model,
                    LunaReportBuilder *builder);
/// Writes DIR/report.html. Gives an exit code.
int luna_page_write(LunacSession *session, LunaReportBuilder *builder);

#endif // LUNA_PAGE_H
