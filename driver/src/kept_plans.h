#ifndef LUNA_KEPT_PLANS_H
#define LUNA_KEPT_PLANS_H

// Plans in the cache, by the functions that are planned: luna-plan-memory gets
// them as the attribute luna.plan_hints and adds what it plans anew.

#include "luna/cache.h"
#include "luna/text.h"
#include "luna/vector.h"
#include "session.h"

/// The plans of one function. Those that are exact are kept by function,
/// machine and options; the best by function and treatment of branches.
typedef struct LunacKeptFunction {
  LunaText keys[2];    ///< by LunaPlanKept
  MlirAttribute given; ///< what was kept
} LunacKeptFunction;

typedef struct LunacKeptPlans {
  LunaCache *cache; ///< NULL: nothing is looked up or kept
  LUNA_VECTOR(LunacKeptFunction) functions; ///< of the module, in its order
} LunacKeptPlans;

/// Opens the cache of the session and gives each function of the module what is
/// kept for it, before luna-compile-buffers-to-plan.
void luna_kept_plans_open(LunacSession *session, MlirModule module,
                          LunacKeptPlans *plans);

/// Takes the plans off the functions, keeps what is new, also of a function
/// that could not be planned, and closes the cache.
void luna_kept_plans_close(LunacSession *session, MlirModule module,
                           LunacKeptPlans *plans);

#endif // LUNA_KEPT_PLANS_H
