#include "sim_hazard.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim_path.h"

static const char *const kind_names[LUNA_HAZARD_KIND_COUNT] = {
    [LUNA_HAZARD_UNINITIALISED] = "read of undefined bytes",
    [LUNA_HAZARD_FOREIGN_VALUE] = "read of another buffer's value",
    [LUNA_HAZARD_WRONG_CONTENT] = "read of another content",
    [LUNA_HAZARD_READ_IN_FLIGHT] = "read in flight",
    [LUNA_HAZARD_WRITE_IN_FLIGHT] = "write in flight",
    [LUNA_HAZARD_OUT_OF_RANGE] = "access outside memory",
    [LUNA_HAZARD_OUT_OF_BUFFER] = "access outside the buffer",
    [LUNA_HAZARD_READ_ONLY] = "write to read-only memory",
    [LUNA_HAZARD_NOT_ON_CHIP] = "operand not on chip",
    [LUNA_HAZARD_MISALIGNED] = "misaligned",
    [LUNA_HAZARD_OVERLAP] = "output over input",
    [LUNA_HAZARD_TOO_MANY_TRANSFERS] = "too many transfers",
    [LUNA_HAZARD_BAD_TRANSFER] = "bad transfer",
    [LUNA_HAZARD_BAD_TOKEN] = "bad token",
    [LUNA_HAZARD_LOST_TOKEN] = "transfer not awaited",
    [LUNA_HAZARD_BAD_LAUNCH] = "bad launch",
    [LUNA_HAZARD_BAD_DESCRIPTOR] = "bad descriptor",
    [LUNA_HAZARD_BAD_CALL] = "bad call",
    [LUNA_HAZARD_ENDLESS] = "endless loop",
};

const char *luna_hazard_kind_name(LunaHazardKind kind) {
  return kind_names[kind];
}

const char *luna_sim_buffer_text(LunaSimulator *sim, int32_t id) {
  if (id == LUNA_NO_ID)
    return "an unnamed buffer";
  const LunaSimBuffer *buffer = luna_sim_find_buffer(sim, id);
  return buffer ? luna_arena_printf(&sim->run_arena, "buffer %d '%s'", id,
                                    buffer->name)
                : luna_arena_printf(&sim->run_arena, "buffer %d", id);
}

void luna_sim_hazard(LunaSimulator *sim, LunaHazardKind kind,
                     LunaSimPlace place, const char *format, ...) {
  if (sim->result.hazard_count++ >= LUNA_HAZARDS_KEPT)
    return;
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  LunaHazard *hazard = LUNA_VECTOR_ADD(&sim->run_arena, &sim->hazards);
  *hazard = (LunaHazard){
      .kind = kind,
      .op = luna_simulator_op_name(sim, place.op),
      .range = place.range ? place.range->name : NULL,
      .offset_bytes = place.offset_bytes,
      .buffer = place.buffer,
      .path = luna_sim_path(sim),
      .message = luna_arena_strndup(&sim->run_arena, message, strlen(message)),
  };
}
