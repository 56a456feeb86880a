#include "luna/paths.h"

#include <string.h>

#include "luna/branch.h"

static bool read_decision(const LunaProgramInfo *program, const char *text,
                          size_t length, LunaPath *path, LunaError *error) {
  const char *equals = memchr(text, '=', length);
  if (!equals)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "'%.*s' is not a decision NAME=WAY, such as if0=then",
                          (int)length, text);
  uint32_t index = 0;
  size_t name_length = (size_t)(equals - text);
  if (!luna_branch_find(program, text, name_length, &index, error))
    return false;
  LunaDecision decision = {.is_forced = true};
  if (!luna_branch_read_way(&program->branches[index], equals + 1,
                            length - name_length - 1, &decision.value, error))
    return false;
  LunaDecision *known = &path->decisions[index];
  if (known->is_forced && known->value != decision.value)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "branch '%s' is forced two ways",
                          program->branches[index].name);
  *known = decision;
  return true;
}

bool luna_path_read(const LunaProgramInfo *program, const char *text,
                    LunaArena *arena, LunaPath *path, LunaError *error) {
  *path = (LunaPath){
      .name = text,
      .decisions = LUNA_ARENA_ARRAY(arena, LunaDecision, program->branch_count),
  };
  if (strcmp(text, "straight") == 0)
    return true;
  while (*text) {
    size_t length = strcspn(text, ",/");
    if (!read_decision(program, text, length, path, error))
      return false;
    text += length + (text[length] != 0);
  }
  return true;
}

static bool force(LunaSimulator *simulator, const LunaProgramBranch *branch,
                  const LunaDecision *decision, LunaError *error) {
  LunaText way = {0};
  if (decision->is_forced)
    luna_branch_print_way(&way, branch, decision->value);
  bool is_forced =
      luna_simulator_force_branch(simulator, branch->name, way.data, error);
  luna_text_deinit(&way);
  return is_forced;
}

bool luna_path_force(LunaSimulator *simulator, const LunaProgramInfo *program,
                     const LunaPath *path, LunaError *error) {
  for (uint32_t i = 0; i < program->branch_count; ++i)
    if (!force(simulator, &program->branches[i], &path->decisions[i], error))
      return false;
  return true;
}
