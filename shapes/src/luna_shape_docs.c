// luna-shape-docs: prints the table of operators, a row for each set of
// operators that are alike, as docs/shapes.md shows it.

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "luna/shape_rules.h"

static bool is_alike(const LunaShapeRule *a, const LunaShapeRule *b) {
  return a->shape_class == b->shape_class &&
         strcmp(a->forward_name, b->forward_name) == 0 &&
         strcmp(a->backward_name, b->backward_name) == 0 &&
         strcmp(a->value_name, b->value_name) == 0 && a->valid == b->valid;
}

static const char *or_dash(const char *name) {
  return strcmp(name, "none") == 0 ? "–" : name;
}

static void print_valid(const char *name) {
  for (; *name; ++name)
    putchar(tolower((unsigned char)*name));
}

static void print_row(size_t first) {
  const LunaShapeRule *rule = &luna_shape_rules[first];
  printf("| %s | %s | %s | %s | ", luna_shape_class_name(rule->shape_class),
         or_dash(rule->forward_name), or_dash(rule->backward_name),
         or_dash(rule->value_name));
  print_valid(rule->valid == LUNA_VALID_NONE ? or_dash("none")
                                             : rule->valid_name);
  printf(" |");
  for (size_t i = first; i < luna_shape_rule_count; ++i)
    if (is_alike(rule, &luna_shape_rules[i]))
      printf("%s `%s`", i == first ? "" : ",", luna_shape_rules[i].name);
  printf(" |\n");
}

static bool is_first(size_t i) {
  for (size_t k = 0; k < i; ++k)
    if (is_alike(&luna_shape_rules[k], &luna_shape_rules[i]))
      return false;
  return true;
}

int main(void) {
  printf("| class | forward | backward | values | valid | operators |\n"
         "|---|---|---|---|---|---|\n");
  for (int shape_class = LUNA_ISDO; shape_class <= LUNA_EDO; ++shape_class)
    for (size_t i = 0; i < luna_shape_rule_count; ++i)
      if ((int)luna_shape_rules[i].shape_class == shape_class && is_first(i))
        print_row(i);
  return 0;
}
