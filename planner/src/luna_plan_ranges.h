#ifndef LUNA_PLAN_RANGES_H
#define LUNA_PLAN_RANGES_H

#include "luna/plan_csv.h"
#include "luna/size_sets.h"

/// What luna-plan does with --dim.
typedef struct LunaPlanRanges {
  const LunaSizeSets *sets;
  int64_t capacity_bytes; ///< 0: no limit
  uint64_t step_budget;
  bool is_json, is_c;
} LunaPlanRanges;

/// Orients a problem read by luna_plan_csv_read_open for the bounds of the
/// sets, evaluates and checks the plan of each binding, and writes to `output`
/// the rows with their offsets for one binding, a table of bindings for
/// several, JSON, or the plan as C; to `summary` one line. Sets the bounds of
/// `sizes`.
bool luna_plan_ranges_run(const LunaPlanRanges *ranges, const LunaPlanCsv *csv,
                          LunaPlanSizes *sizes, LunaArena *arena,
                          LunaText *output, LunaText *summary,
                          LunaError *error);

#endif // LUNA_PLAN_RANGES_H
