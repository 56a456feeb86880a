#ifndef LUNA_APPLY_SCHEDULE_H
#define LUNA_APPLY_SCHEDULE_H

#include "luna/schedule.h"
#include "program_model.h"

/// Finds the schedule of `func`, whose model is `program`, as luna-schedule
/// does; `capacity_bytes` 0 is the machine's. The schedule is in `arena`. Emits
/// an error and returns false where there is none.
bool luna_find_schedule(MlirOperation func, const LunaMachine *machine,
                        int64_t capacity_bytes, LunaProgramModel *program,
                        LunaArena *arena, LunaSchedule *schedule);

/// Rewrites the function that `program` is the model of as `schedule`, made for
/// that model, says. The program is not to be used behind that.
void luna_apply_schedule(const LunaProgramModel *program,
                         const LunaSchedule *schedule);

#endif // LUNA_APPLY_SCHEDULE_H
