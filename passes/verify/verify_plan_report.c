#include "verify_plan_report.h"

#include <stdarg.h>
#include <stdio.h>

#include "luna-c/ops.h"
#include "luna/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "structure.h"

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

void luna_verify_print_decision(LunaText *text, MlirOperation branch,
                                intptr_t region) {
  MlirStringRef name = luna_label_of(branch);
  char way[32];
  luna_branch_name(branch, region, way);
  if (name.length == 0)
    name = luna_str(luna_op_is(branch, LUNA_OP_SCF_IF) ? "if" : "switch");
  luna_text_printf(text, "%.*s=%s", (int)name.length, name.data, way);
}

bool luna_verify_error(MlirOperation op, const char *format, ...) {
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  lunaEmitErrorWithNotesAt(op, message, NULL, 0);
  return false;
}

bool luna_verify_fail(MlirOperation op, const char *message,
                      MlirOperation other, const char *note) {
  LunaNote notes[] = {{other, note}};
  lunaEmitErrorWithNotesAt(op, message, notes,
                           mlirOperationIsNull(other) ? 0 : 1);
  return false;
}
