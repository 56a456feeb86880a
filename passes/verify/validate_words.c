// The names of buffers and paths.

#include "luna-c/ops.h"
#include "validate_conditions.h"
#include "validate_report.h"
#include "verify_plan_report.h"

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

// The name of an allocation: that of its place, else that of its location.
static MlirStringRef name_of(MlirOperation op, const LunaPlacement *place) {
  return place->name.length > 0 ? place->name : luna_given_name(op);
}

const char *luna_validate_buffer(LunaSide *side, const LunaBuffer *buffer) {
  LunaPlacement place;
  if (buffer->symbol.data)
    return luna_arena_printf(side->arena, "@%.*s", (int)buffer->symbol.length,
                             buffer->symbol.data);
  if (buffer->argument >= 0)
    return luna_arena_printf(side->arena, "argument %lld",
                             (long long)buffer->argument);
  if (!luna_read_place(buffer->op, &place))
    return "an allocation";
  MlirStringRef name = name_of(buffer->op, &place);
  const char *quote = name.length > 0 ? "'" : "";
  return luna_arena_printf(side->arena, "buffer %lld%s%s%.*s%s",
                           (long long)place.id, name.length > 0 ? " " : "",
                           quote, (int)name.length, name.data, quote);
}

const LunaPlace *luna_validate_place(LunaSide *side, const LunaPointer *pointer,
                                     LunaTerm where) {
  for (uint64_t i = 0; i < pointer->count; ++i)
    if (luna_condition_and(side->terms, where, pointer->items[i].condition) !=
        LUNA_TERM_FALSE)
      return pointer->items[i].place;
  return pointer->items[0].place;
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

const char *luna_validate_path(LunaSide *side, LunaTerm where) {
  LunaText text = {0};
  for (uint64_t i = 0; i < side->arms.count; ++i) {
    const LunaArm *arm = &side->arms.items[i];
    LunaTerm elsewhere = luna_condition_and(
        side->terms, where, luna_condition_not(side->terms, arm->path));
    if (elsewhere != LUNA_TERM_FALSE || where == LUNA_TERM_FALSE)
      continue;
    luna_text_printf(&text, text.length == 0 ? " on path " : "/");
    luna_verify_print_decision(&text, arm->branch, arm->region);
  }
  const char *path = luna_arena_strndup(side->arena, text.data, text.length);
  luna_text_deinit(&text);
  return path;
}
