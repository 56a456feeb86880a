#ifndef LUNA_C_PLAN_HINTS_H
#define LUNA_C_PLAN_HINTS_H

#include "luna/error.h"
#include "luna/plan_source.h"
#include "luna/record.h"
#include "luna/vector.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Plans that a function carries, as `luna.plan_hints`:
///
///     {exact = {"<digest>" = array<i8: …>}, best = {…}, trusted}
///
/// `exact` has plans by the digest of their key (32 hexadecimal digits), `best`
/// those to start from. luna-plan-memory takes what it finds there, checks it,
/// and adds what it had to plan itself. Without `best` no plan is started from
/// another; without the attribute nothing is found or added. With `trusted`
/// what search has proven of the plans counts.
#define LUNA_PLAN_HINTS "luna.plan_hints"

typedef struct LunaPlanHint {
  LunaPlanKept kept;
  LunaDigest key;
  LunaPlanBytes plan;
} LunaPlanHint;

typedef struct LunaPlanHints {
  LUNA_VECTOR(LunaPlanHint) items;
  bool takes_best; ///< has `best`, maybe empty
  bool is_trusted;
  bool is_changed; ///< since they were read
  LunaArena *arena;
} LunaPlanHints;

/// Reads the plans of a function, which keep their bytes in the arena: none,
/// and false without an error, if it carries no attribute. Fails with
/// LUNA_ERROR_INPUT for an attribute of another form.
bool luna_plan_hints_read(MlirOperation func, LunaArena *arena,
                          LunaPlanHints *hints, LunaError *error);

/// Sets the attribute.
void luna_plan_hints_write(MlirOperation func, const LunaPlanHints *hints);

/// Returns the plan under a key, or NULL.
LunaPlanHint *luna_plan_hints_find(const LunaPlanHints *hints,
                                   LunaPlanKept kept, LunaDigest key);

/// Returns the plans as a source, valid as long as they are.
LunaPlanSource luna_plan_hints_source(LunaPlanHints *hints);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_PLAN_HINTS_H
