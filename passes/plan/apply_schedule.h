#ifndef LUNA_APPLY_SCHEDULE_H
#define LUNA_APPLY_SCHEDULE_H

#include "luna/schedule.h"
#include "program_model.h"

/// Rewrites the function that `program` is the model of as `schedule`, made for
/// that model, says. The program is not to be used behind that.
void luna_apply_schedule(const LunaProgramModel *program,
                         const LunaSchedule *schedule);

#endif // LUNA_APPLY_SCHEDULE_H
