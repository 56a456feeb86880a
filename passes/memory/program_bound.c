#include "program_bound.h"

#include "luna-c/ops.h"
#include "luna/model_bound.h"
#include "program_model.h"

bool luna_program_bound(MlirOperation func, const LunaMachine *machine,
                        LunaArena *arena, LunaBoundRecord *bound) {
  LunaProgramModel program;
  LunaProgramBound found;
  LunaError error = {0};
  if (!luna_program_model_build(func, machine, arena, &program))
    return false;
  LunaProblem *problem = luna_model_bound_problem(
      &program.model, (int64_t)machine->alignment_bytes, arena);
  if (!luna_problem_bound(problem, &found, &error)) {
    luna_emit_error(func, "%s", error.message);
    return false;
  }
  *bound = (LunaBoundRecord){
      .total_bytes = found.total_bytes,
      .tensor_bytes = found.tensor_bytes,
      .activation_bytes = found.activation_bytes,
      .path = found.witness.path,
      .step = found.total_bytes > 0
                  ? luna_problem_step_name(problem, found.witness.step)
                  : "none",
  };
  return true;
}
