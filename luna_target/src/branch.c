#include "luna/branch.h"

#include <stdlib.h>
#include <string.h>

static bool is_text(const char *text, size_t length, const char *whole) {
  return strlen(whole) == length && memcmp(text, whole, length) == 0;
}

bool luna_branch_find(const LunaProgramInfo *program, const char *name,
                      size_t length, uint32_t *index, LunaError *error) {
  LunaText known = {0};
  for (*index = 0; *index < program->branch_count; ++*index) {
    const char *other = program->branches[*index].name;
    if (is_text(name, length, other))
      break;
    luna_text_printf(&known, "%s%s", *index > 0 ? ", " : "", other);
  }
  bool is_found = *index < program->branch_count;
  if (!is_found)
    luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                   "unknown branch '%.*s', the model has %s", (int)length, name,
                   known.length > 0 ? known.data : "none");
  luna_text_deinit(&known);
  return is_found;
}

// The number of the way that a decision of a switch goes: of its case, or
// case_count for the default.
static uint32_t way_of(const LunaProgramBranch *branch, int64_t value) {
  uint32_t way = 0;
  while (way < branch->case_count && branch->cases[way] != value)
    ++way;
  return way;
}

static bool has_case(const LunaProgramBranch *branch, int64_t value) {
  return way_of(branch, value) < branch->case_count;
}

// Decisions outside the cases are all the default: one of them stands for all.
static int32_t default_decision(const LunaProgramBranch *branch) {
  int32_t value = 0;
  while (has_case(branch, value))
    ++value;
  return value;
}

// "2x6" is a name of "2x6+6x2", and so is all of it.
static bool is_name_of(const char *name, size_t length, const char *way) {
  if (is_text(name, length, way))
    return true;
  for (size_t part = 0; *way; way += part + (way[part] != 0)) {
    part = strcspn(way, "+");
    if (part == length && memcmp(name, way, length) == 0)
      return true;
  }
  return false;
}

static bool find_way(const LunaProgramBranch *branch, const char *way,
                     size_t length, int32_t *decision) {
  if (branch->kind == LUNA_BRANCH_IF) {
    *decision = is_text(way, length, "then");
    return *decision || is_text(way, length, "else");
  }
  *decision = default_decision(branch);
  if (is_text(way, length, "default"))
    return true;
  for (uint32_t i = 0; branch->ways && i <= branch->case_count; ++i)
    if (is_name_of(way, length, branch->ways[i])) {
      if (i < branch->case_count)
        *decision = branch->cases[i];
      return true;
    }
  if (length > 4 && memcmp(way, "case", 4) == 0) {
    way += 4;
    length -= 4;
  }
  char *end = NULL;
  long long found = strtoll(way, &end, 10);
  *decision = (int32_t)found;
  return end == way + length && length > 0 && has_case(branch, found);
}

bool luna_branch_read_way(const LunaProgramBranch *branch, const char *way,
                          size_t length, int32_t *decision, LunaError *error) {
  if (find_way(branch, way, length, decision))
    return true;
  LunaText known = {0};
  luna_text_printf(&known, branch->kind == LUNA_BRANCH_IF ? "then and else"
                                                          : "default");
  for (uint32_t i = 0; i < branch->case_count; ++i)
    luna_text_printf(&known, ", %d", (int)branch->cases[i]);
  for (uint32_t i = 0; branch->ways && i <= branch->case_count; ++i)
    luna_text_printf(&known, ", %s", branch->ways[i]);
  luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                 "branch '%s' has no way '%.*s', allowed are %s", branch->name,
                 (int)length, way, known.data);
  luna_text_deinit(&known);
  return false;
}

void luna_branch_print_way(LunaText *text, const LunaProgramBranch *branch,
                           int32_t decision) {
  bool is_switch = branch && branch->kind == LUNA_BRANCH_SWITCH;
  if (!is_switch && (decision == 0 || decision == 1))
    luna_text_printf(text, "%s", decision ? "then" : "else");
  else if (is_switch && branch->ways)
    luna_text_printf(text, "%s", branch->ways[way_of(branch, decision)]);
  else if (is_switch && !has_case(branch, decision))
    luna_text_printf(text, "default");
  else
    luna_text_printf(text, "%d", decision);
}

int32_t luna_branch_canonical(const LunaProgramBranch *branch,
                              int32_t decision) {
  if (!branch)
    return decision;
  if (branch->kind == LUNA_BRANCH_IF)
    return decision != 0;
  return has_case(branch, decision) ? decision : default_decision(branch);
}

bool luna_branch_is_of_versions(const LunaProgramInfo *program,
                                uint32_t branch) {
  return program->version_count > 0 && branch < program->branch_count &&
         strcmp(program->branches[branch].name, "shape") == 0;
}

uint32_t luna_branch_version(const LunaProgramInfo *program, uint32_t branch,
                             int32_t decision) {
  int32_t index = luna_branch_canonical(&program->branches[branch], decision);
  uint32_t version = 0;
  while (version < program->version_count &&
         program->versions[version].case_index != index)
    ++version;
  return version;
}
