#include "sim_branch.h"

#include <stdio.h>
#include <string.h>

static bool has_case(const LunaProgramBranch *branch, int32_t value) {
  for (uint32_t i = 0; i < branch->case_count; ++i)
    if (branch->cases[i] == value)
      return true;
  return false;
}

// All decisions outside the cases are the default; one of them is canonical.
static int32_t default_decision(const LunaProgramBranch *branch) {
  int32_t value = 0;
  while (has_case(branch, value))
    ++value;
  return value;
}

int32_t luna_sim_branch_canonical(const LunaProgramBranch *branch,
                                  int32_t decision) {
  if (!branch)
    return decision;
  if (branch->kind == LUNA_BRANCH_IF)
    return decision != 0;
  return has_case(branch, decision) ? decision : default_decision(branch);
}

void luna_sim_branch_print_decision(LunaText *text,
                                    const LunaProgramBranch *branch,
                                    int32_t decision) {
  bool is_switch = branch && branch->kind == LUNA_BRANCH_SWITCH;
  if (!is_switch && (decision == 0 || decision == 1))
    luna_text_printf(text, "%s", decision ? "then" : "else");
  else if (is_switch && !has_case(branch, decision))
    luna_text_printf(text, "default");
  else
    luna_text_printf(text, "%d", decision);
}

static bool find_alternative(const LunaProgramBranch *branch,
                             const char *alternative, int32_t *decision) {
  bool is_if = branch->kind == LUNA_BRANCH_IF;
  if (is_if &&
      (strcmp(alternative, "then") == 0 || strcmp(alternative, "else") == 0)) {
    *decision = alternative[0] == 't';
    return true;
  }
  if (!is_if && strcmp(alternative, "default") == 0) {
    *decision = default_decision(branch);
    return true;
  }
  for (uint32_t i = 0; i < branch->case_count; ++i) {
    char text[16];
    snprintf(text, sizeof text, "%d", branch->cases[i]);
    if (strcmp(text, alternative) == 0) {
      *decision = branch->cases[i];
      return true;
    }
  }
  return false;
}

static bool unknown_alternative(const LunaProgramBranch *branch,
                                const char *alternative, LunaError *error) {
  LunaText known = {0};
  for (uint32_t i = 0; i < branch->case_count; ++i)
    luna_text_printf(&known, "%d, ", branch->cases[i]);
  luna_text_printf(&known, "%s",
                   branch->kind == LUNA_BRANCH_IF ? "then, else" : "default");
  luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                 "branch '%s' has no alternative '%s', only %s", branch->name,
                 alternative, known.data);
  luna_text_deinit(&known);
  return false;
}

bool luna_sim_branch_parse_decision(const LunaProgramBranch *branch,
                                    const char *alternative, int32_t *decision,
                                    LunaError *error) {
  return find_alternative(branch, alternative, decision) ||
         unknown_alternative(branch, alternative, error);
}
