#include "luna/shape_rules.h"

#include <string.h>

#include "rules.h"

#define LUNA_RULE(name, shape_class, forward, backward, value, valid, values,  \
                  ...)                                                         \
  {                                                                            \
    name, shape_class, luna_forward_##forward, luna_backward_##backward,       \
        luna_value_##value, #forward, #backward, #value, #valid,               \
        LUNA_VALID_##valid, values, {                                          \
      __VA_ARGS__                                                              \
    }                                                                          \
  }

const LunaShapeRule luna_shape_rules[] = {
#define LUNA_SHAPE_RULE(name, shape_class, ...)                                \
  LUNA_RULE(name, LUNA_##shape_class, __VA_ARGS__),
#include "luna/shape_rules.def"
};

const size_t luna_shape_rule_count =
    sizeof luna_shape_rules / sizeof *luna_shape_rules;

const LunaShapeRule luna_shape_opaque =
    LUNA_RULE("opaque", LUNA_EDO, none, none, none, NONE, 0, NULL);
const LunaShapeRule luna_shape_merge =
    LUNA_RULE("merge", LUNA_EDO, merge, none, none, NONE, 0, NULL);
const LunaShapeRule luna_shape_induction =
    LUNA_RULE("induction", LUNA_ISDO, none, induction, none, NONE, 0, NULL);
const LunaShapeRule luna_shape_forward_only =
    LUNA_RULE("forward", LUNA_ISDOS, same, none, same, NONE, 0, NULL);

const char *luna_shape_class_name(LunaShapeClass shape_class) {
  static const char *const names[] = {"ISDO", "ISDOS", "ISVDOS", "EDO"};
  return names[shape_class];
}

static bool is_named(const LunaShapeRule *rule, const char *name,
                     size_t length) {
  return strlen(rule->name) == length && memcmp(rule->name, name, length) == 0;
}

// A rule may be that of a dialect.
const LunaShapeRule *luna_shape_rule(const char *name, size_t length) {
  const char *dot = memchr(name, '.', length);
  for (size_t i = 0; i < luna_shape_rule_count; ++i)
    if (is_named(&luna_shape_rules[i], name, length) ||
        (dot && is_named(&luna_shape_rules[i], name, (size_t)(dot - name))))
      return &luna_shape_rules[i];
  return &luna_shape_opaque;
}
