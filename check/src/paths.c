#include "luna/paths.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_text(const char *text, size_t length, const char *whole) {
  return strlen(whole) == length && memcmp(text, whole, length) == 0;
}

static const char *known_branches(const LunaProgramInfo *program,
                                  LunaArena *arena) {
  const char *text = "";
  for (uint32_t i = 0; i < program->branch_count; ++i)
    text = luna_arena_printf(arena, "%s%s%s", text, i > 0 ? ", " : "",
                             program->branches[i].name);
  return *text ? text : "none";
}

static bool find_branch(const LunaProgramInfo *program, const char *name,
                        size_t length, LunaArena *arena, uint32_t *index,
                        LunaError *error) {
  for (uint32_t i = 0; i < program->branch_count; ++i)
    if (is_text(name, length, program->branches[i].name)) {
      *index = i;
      return true;
    }
  return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "unknown branch '%.*s', the model has %s", (int)length,
                        name, known_branches(program, arena));
}

static bool has_case(const LunaProgramBranch *branch, int64_t value) {
  for (uint32_t i = 0; i < branch->case_count; ++i)
    if (branch->cases[i] == value)
      return true;
  return false;
}

// The decision that a way stands for: then, else, a case value (the plan
// writes case3) or default.
static bool find_way(const LunaProgramBranch *branch, const char *way,
                     size_t length, int32_t *value) {
  if (branch->kind == LUNA_BRANCH_IF) {
    *value = is_text(way, length, "then");
    return *value || is_text(way, length, "else");
  }
  *value = 0;
  while (has_case(branch, *value))
    ++*value;
  if (is_text(way, length, "default"))
    return true;
  if (length > 4 && memcmp(way, "case", 4) == 0) {
    way += 4;
    length -= 4;
  }
  char *end = NULL;
  long long found = strtoll(way, &end, 10);
  *value = (int32_t)found;
  return end == way + length && length > 0 && has_case(branch, found);
}

static const char *known_ways(const LunaProgramBranch *branch,
                              LunaArena *arena) {
  if (branch->kind == LUNA_BRANCH_IF)
    return "then and else";
  const char *text = "default";
  for (uint32_t i = 0; i < branch->case_count; ++i)
    text = luna_arena_printf(arena, "%s, %d", text, (int)branch->cases[i]);
  return text;
}

static bool read_decision(const LunaProgramInfo *program, const char *text,
                          size_t length, LunaArena *arena, LunaPath *path,
                          LunaError *error) {
  const char *equals = memchr(text, '=', length);
  if (!equals)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "'%.*s' is no decision NAME=WAY, such as if0=then",
                          (int)length, text);
  uint32_t index = 0;
  size_t name_length = (size_t)(equals - text);
  size_t way_length = length - name_length - 1;
  if (!find_branch(program, text, name_length, arena, &index, error))
    return false;
  const LunaProgramBranch *branch = &program->branches[index];
  path->decisions[index].is_forced = true;
  if (find_way(branch, equals + 1, way_length, &path->decisions[index].value))
    return true;
  return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "branch '%s' has no way '%.*s', allowed are %s",
                        branch->name, (int)way_length, equals + 1,
                        known_ways(branch, arena));
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
    if (!read_decision(program, text, length, arena, path, error))
      return false;
    text += length + (text[length] != 0);
  }
  return true;
}

bool luna_path_force(LunaSimulator *simulator, const LunaProgramInfo *program,
                     const LunaPath *path, LunaError *error) {
  for (uint32_t i = 0; i < program->branch_count; ++i) {
    const LunaProgramBranch *branch = &program->branches[i];
    const LunaDecision *decision = &path->decisions[i];
    char number[16];
    const char *way = NULL;
    snprintf(number, sizeof number, "%" PRId32, decision->value);
    if (decision->is_forced && branch->kind == LUNA_BRANCH_IF)
      way = decision->value ? "then" : "else";
    else if (decision->is_forced)
      way = has_case(branch, decision->value) ? number : "default";
    if (!luna_simulator_force_branch(simulator, branch->name, way, error))
      return false;
  }
  return true;
}
