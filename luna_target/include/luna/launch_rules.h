#ifndef LUNA_LAUNCH_RULES_H
#define LUNA_LAUNCH_RULES_H

// Whether a launch is one call of the vendor's library.
//
// The library takes whole planes, one behind the other, and knows no zero
// points; it cuts rows itself or is told into how many pieces. What a launch of
// ours asks beyond that no chip computes in one call.

#include "luna/launch_record.h"
#include "luna/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What keeps a launch from being a call (luna/launch_rules.def).
typedef enum LunaLaunchRule {
#define LUNA_LAUNCH_RULE(NAME, name, text) LUNA_RULE_##NAME,
#include "luna/launch_rules.def"
  LUNA_RULE_COUNT
} LunaLaunchRule;

/// A set of rules: bit 1 << rule for each.
typedef uint32_t LunaLaunchRules;

/// Returns the name of a rule ("zero_point").
const char *luna_launch_rule_name(LunaLaunchRule rule);

/// Returns what the machine has no call for ("a zero point: …").
const char *luna_launch_rule_text(LunaLaunchRule rule);

/// Returns the rules that a launch of `record` breaks; if it is one call, none.
/// A launch that computes nothing (LUNA_LAUNCH_EMPTY) breaks none. O(1).
LunaLaunchRules luna_launch_rules(const LunaMachine *machine,
                                  const LunaProductRecord *record,
                                  const LunaLaunchRecord *launch);

/// Returns true if a launch is one call; else says which rule it breaks first
/// (LUNA_ERROR_INPUT).
bool luna_launch_check_call(const LunaMachine *machine,
                            const LunaProductRecord *record,
                            const LunaLaunchRecord *launch, LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_LAUNCH_RULES_H
