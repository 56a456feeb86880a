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

static intptr_t region_index(MlirOperation parent, MlirOperation child) {
  MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(child));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(parent); ++r)
    if (mlirRegionEqual(mlirOperationGetRegion(parent, r), region))
      return r;
  return 0;
}

// Appends the decisions around `op`, outermost first, without those around
// `other`.
static void print_decisions(LunaText *text, MlirOperation op,
                            MlirOperation other) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  if (mlirOperationIsNull(parent) || luna_op_is(parent, LUNA_OP_FUNC_FUNC))
    return;
  print_decisions(text, parent, other);
  if (!luna_is_branch(parent) ||
      (!mlirOperationIsNull(other) && luna_is_within(other, parent)))
    return;
  luna_text_printf(text, text->length == 0 ? " on path " : "/");
  luna_verify_print_decision(text, parent, region_index(parent, op));
}

void luna_verify_print_decision(LunaText *text, MlirOperation branch,
                                intptr_t region) {
  MlirStringRef name = luna_label_of(branch);
  char way[32];
  luna_branch_name(branch, region, way);
  if (name.length == 0)
    name = luna_str(luna_op_is(branch, LUNA_OP_SCF_IF) ? "if" : "switch");
  luna_text_printf(text, "%.*s=%s", (int)name.length, name.data, way);
}

const char *luna_verify_path(LunaArena *arena, MlirOperation op,
                             MlirOperation cause) {
  LunaText text = {0};
  if (!mlirOperationIsNull(cause))
    print_decisions(&text, cause, (MlirOperation){NULL});
  print_decisions(&text, op, cause);
  const char *result = luna_arena_strndup(arena, text.data, text.length);
  luna_text_deinit(&text);
  return result;
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
