// Prints the table of operators in docs/operators.md.

#include <stdio.h>

#include "luna/units.h"

static void print_operands(const LunaUnitOp *op) {
  int count = 0;
  const LunaUnitOperand *rows =
      luna_unit_class_operands(op->unit_class, &count);
  for (int i = 0; i < count; ++i) {
    bool is_optional = rows[i].flag == LUNA_OPERAND_OPTIONAL;
    printf(is_optional ? "%s[%s]" : "%s%s", i == 0 ? "" : ", ", rows[i].name);
  }
}

static void print_attributes(const LunaUnitOp *op) {
  int count = 0;
  const char *separator = "";
  const LunaUnitAttribute *rows =
      luna_unit_class_attributes(op->unit_class, &count);
  for (int i = 0; i < count; ++i) {
    if (!rows[i].name)
      continue;
    printf("%s%s", separator, rows[i].name);
    if (rows[i].absent != LUNA_NO_DEFAULT)
      printf(" = %d", (int)rows[i].absent);
    separator = ", ";
  }
}

static bool has_scratch(LunaUnitClass unit_class) {
  int count = 0;
  const LunaUnitOperand *rows = luna_unit_class_operands(unit_class, &count);
  for (int i = 0; i < count; ++i)
    if (rows[i].role == LUNA_ROLE_SCRATCH)
      return true;
  return false;
}

int main(void) {
  int count = 0;
  const LunaUnitOp *ops = luna_unit_ops(&count);
  printf("| operator | operands | attributes | runtime call | launches |\n"
         "|---|---|---|---|---|\n");
  for (int i = 0; i < count; ++i) {
    const LunaUnitClassInfo *info = luna_unit_class(ops[i].unit_class);
    printf("| `%s` | ", ops[i].name);
    print_operands(&ops[i]);
    printf(" | ");
    print_attributes(&ops[i]);
    printf(" | `%s` | %s |\n", info->runtime_call,
           info->tiling                     ? "many"
           : has_scratch(ops[i].unit_class) ? "one, or many"
                                            : "one");
  }
  return 0;
}
