#include "luna/schedule.h"
#include "luna/text_record.h"

static const char *const kinds[] = {
    [LUNA_DECIDE_ALLOCATE] = "allocate",
    [LUNA_DECIDE_COPY] = "copy",
    [LUNA_DECIDE_VIEW] = "view",
    [LUNA_DECIDE_ERASE] = "erase",
    [LUNA_DECIDE_MOVE] = "move",
    [LUNA_DECIDE_TENSOR] = "tensor",
    [LUNA_DECIDE_REPLACE] = "replace",
    [LUNA_DECIDE_OPERAND] = "operand",
    [LUNA_DECIDE_CARRY] = "carry",
    [LUNA_DECIDE_PASS] = "pass",
    NULL,
};

static const LunaTextField fields[] = {
    LUNA_TEXT_WORD(LunaDecision, kind, kinds),
    LUNA_TEXT_FIELD(LunaDecision, step, ID),
    LUNA_TEXT_FIELD(LunaDecision, value, ID),
    LUNA_TEXT_FIELD(LunaDecision, by, ID),
    LUNA_TEXT_FIELD(LunaDecision, before, ID),
    LUNA_TEXT_FIELD(LunaDecision, body, ID),
    LUNA_TEXT_FIELD(LunaDecision, number, ID),
    LUNA_TEXT_FIELD(LunaDecision, type, ID),
    {0},
};

static const LunaTextRecord record = {
    "decide", offsetof(LunaSchedule, decisions), sizeof(LunaDecision), fields};

static const LunaTextFormat format = {
    .records = &record,
    .record_count = 1,
    .activity = "a schedule was read",
    .expected = "expected decide",
};

void luna_schedule_print(const LunaSchedule *schedule, LunaText *text) {
  luna_records_print(&format, schedule, text);
}

bool luna_schedule_parse(const char *bytes, size_t length,
                         const char *file_name, LunaArena *arena,
                         LunaSchedule *schedule, LunaError *error) {
  *schedule = (LunaSchedule){0};
  return luna_records_parse(&format, bytes, length, file_name, arena, schedule,
                            error);
}
