#include "memory_problem.h"

#include "luna-c/ops.h"

bool luna_memory_problem_of(LunaMemoryProblem *memory,
                            const LunaModelProblemOptions *options,
                            LunaArena *arena) {
  LunaError error = {0};
  if (luna_model_problem(&memory->program.model, options, arena, &memory->view,
                         &error))
    return true;
  luna_emit_error(luna_roots_alloc(memory->program.roots, (uint32_t)error.item),
                  "%s", error.message);
  return false;
}

bool luna_memory_problem_create(MlirOperation func,
                                const LunaModelProblemOptions *options,
                                LunaArena *arena, LunaMemoryProblem *memory) {
  return luna_program_model_build(func, NULL, arena, &memory->program) &&
         luna_memory_problem_of(memory, options, arena);
}

LunaModelId luna_memory_body(const LunaProgramModel *program, MlirOperation op,
                             intptr_t region) {
  LunaModelId step = 0, count = (LunaModelId)program->ops.count;
  while (step < count && !mlirOperationEqual(program->ops.items[step], op))
    ++step;
  if (step == count)
    return LUNA_MODEL_NONE;
  return luna_model_body(&program->model, step, (uint32_t)region);
}
