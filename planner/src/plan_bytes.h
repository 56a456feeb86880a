#ifndef LUNA_PLAN_BYTES_H
#define LUNA_PLAN_BYTES_H

#include "luna/plan_saved.h"
#include "luna/record_reader.h"
#include "plan_run.h"

/// Returns the bytes of a record, borrowed.
static inline LunaPlanBytes luna_plan_bytes_of(const LunaText *record) {
  return (LunaPlanBytes){(const uint8_t *)record->data, record->length};
}

/// Appends a program, without its names.
void luna_plan_write_problem(LunaText *record, const LunaProblem *problem);

/// Appends the version of the planner: the digest of its sources.
void luna_plan_write_version(LunaText *record);

/// Returns the plan of a run that is complete.
LunaPlanBytes luna_plan_run_save(const LunaPlanRun *run);

#endif // LUNA_PLAN_BYTES_H
