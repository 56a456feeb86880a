#include "verify_plan_report.h"

#include <stdarg.h>
#include <stdio.h>

#include "luna-c/ops.h"
#include "luna/text.h"
#include "mlir-c/BuiltinAttributes.h"

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

enum { DECISIONS_MAX = 32 };

typedef struct Decision {
  MlirOperation op;
  intptr_t region;
} Decision;

typedef struct Path {
  Decision decisions[DECISIONS_MAX];
  uint32_t count;
} Path;

static bool is_branch(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_SCF_IF) ||
         luna_op_is(op, LUNA_OP_SCF_INDEX_SWITCH);
}

static void add_decision(Path *path, MlirOperation op, intptr_t region) {
  for (uint32_t i = 0; i < path->count; ++i)
    if (mlirOperationEqual(path->decisions[i].op, op))
      return;
  if (path->count < DECISIONS_MAX)
    path->decisions[path->count++] = (Decision){op, region};
}

static intptr_t region_index(MlirOperation parent, MlirOperation child) {
  MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(child));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(parent); ++r)
    if (mlirRegionEqual(mlirOperationGetRegion(parent, r), region))
      return r;
  return 0;
}

// Adds the decisions around `op`, outermost first.
static void add_parents(Path *path, MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  if (mlirOperationIsNull(parent) || luna_op_is(parent, LUNA_OP_FUNC_FUNC))
    return;
  add_parents(path, parent);
  if (is_branch(parent))
    add_decision(path, parent, region_index(parent, op));
}

void luna_verify_print_decision(LunaText *text, MlirOperation branch,
                                intptr_t region) {
  MlirStringRef name = luna_label_of(branch);
  MlirStringRef way = luna_way_of(branch, region);
  bool is_if = luna_op_is(branch, LUNA_OP_SCF_IF);
  if (name.length == 0)
    name = luna_str(is_if ? "if" : "switch");
  luna_text_printf(text, "%.*s=", (int)name.length, name.data);
  if (way.length > 0)
    luna_text_printf(text, "%.*s", (int)way.length, way.data);
  else if (is_if)
    luna_text_printf(text, "%s", region == 0 ? "then" : "else");
  else if (region == 0)
    luna_text_printf(text, "default");
  else
    luna_text_printf(text, "case%lld",
                     (long long)mlirDenseI64ArrayGetElement(
                         luna_attr(branch, "cases"), region - 1));
}

const char *luna_verify_path(LunaArena *arena, MlirOperation op,
                             MlirOperation cause) {
  Path path = {.count = 0};
  if (!mlirOperationIsNull(cause))
    add_parents(&path, cause);
  add_parents(&path, op);
  if (path.count == 0)
    return "";
  LunaText text = {0};
  for (uint32_t i = 0; i < path.count; ++i) {
    luna_text_printf(&text, i == 0 ? " on path " : "/");
    luna_verify_print_decision(&text, path.decisions[i].op,
                               path.decisions[i].region);
  }
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
