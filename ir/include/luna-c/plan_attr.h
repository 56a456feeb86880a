#ifndef LUNA_C_PLAN_ATTR_H
#define LUNA_C_PLAN_ATTR_H

//===-- luna-c/plan_attr.h - plans in the IR ------------------------------===//
//
// The function attributes `luna.bound`, `luna.joins_tried`, `luna.plan` and
// `luna.cost` and the module attribute `luna.code` (docs/stats.md) are written
// and read here and nowhere else.
//
//===----------------------------------------------------------------------===//

#include "luna/arena.h"
#include "luna/error.h"
#include "luna/plan_record.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns true if `func` carries a plan.
bool luna_has_plan(MlirOperation func);

/// Writes a plan to `func`; scratch comes from `arena`.
void luna_plan_write(MlirOperation func, const LunaPlanRecord *plan,
                     LunaArena *arena);

/// Reads the plan of `func`; strings and arrays come from `arena`. Fails with
/// LUNA_ERROR_INPUT, naming the key at fault, when there is no plan, or an
/// entry is missing or of another type.
bool luna_plan_read(MlirOperation func, LunaArena *arena, LunaPlanRecord *plan,
                    LunaError *error);

/// Writes the bound of its program to `func`; scratch comes from `arena`.
void luna_bound_write(MlirOperation func, const LunaBoundRecord *bound,
                      LunaArena *arena);

/// Reads the bound of `func`. As luna_plan_read.
bool luna_bound_read(MlirOperation func, LunaArena *arena,
                     LunaBoundRecord *bound, LunaError *error);

/// Writes what deciding about joins took to `func`; scratch comes from `arena`.
void luna_join_effort_write(MlirOperation func, const LunaJoinEffort *effort,
                            LunaArena *arena);

/// Reads what deciding about the joins of `func` took: nothing where it does
/// not say. Otherwise as luna_plan_read.
bool luna_join_effort_read(MlirOperation func, LunaArena *arena,
                           LunaJoinEffort *effort, LunaError *error);

/// Writes what operators share to the lowered `module`; scratch comes from
/// `arena`.
void luna_code_write(MlirOperation module, const LunaCodeRecord *code,
                     LunaArena *arena);

/// Reads what operators of the lowered `module` share. As luna_plan_read.
bool luna_code_read(MlirOperation module, LunaArena *arena,
                    LunaCodeRecord *code, LunaError *error);

/// Writes the costs of its paths to `func`; scratch comes from `arena`.
void luna_cost_write(MlirOperation func, const LunaCostRecord *cost,
                     LunaArena *arena);

/// Reads the costs of `func`, none where it has none. Otherwise as
/// luna_plan_read.
bool luna_cost_read(MlirOperation func, LunaArena *arena, LunaCostRecord *cost,
                    LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_PLAN_ATTR_H
