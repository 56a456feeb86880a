#include <stdlib.h>

#include "check.h"
#include "luna-c/ir.h"
#include "luna/context.h"

// Every name of luna-c/op_names.def is one that a dialect knows.

static MlirContext context;

static void every_dialect_is_loaded(void) {
#define LUNA_DIALECT_NAME(NAME, name)                                          \
  if (mlirDialectIsNull(mlirContextGetOrLoadDialect(context, luna_str(name)))) \
    CHECK_STR("not a dialect", name);
#include "luna-c/op_names.def"
}

static void every_operation_is_registered(void) {
  for (int i = 0; i < LUNA_OP_COUNT; ++i) {
    const char *name = luna_op_name((LunaOpName)i);
    if (!mlirContextIsRegisteredOperation(context, luna_str(name)))
      CHECK_STR("not an operation", name);
  }
}

static void operations_are_told_apart(void) {
  MlirOperation op =
      luna_build(&(LunaOpSpec){.name = luna_op_name(LUNA_OP_TOSA_VARIABLE_READ),
                               .location = mlirLocationUnknownGet(context)});
  const LunaOpName names[] = {LUNA_OP_TOSA_VARIABLE,
                              LUNA_OP_TOSA_VARIABLE_READ};
  CHECK(luna_op_is(op, LUNA_OP_TOSA_VARIABLE_READ));
  CHECK(!luna_op_is(op, LUNA_OP_TOSA_VARIABLE));
  CHECK(luna_op_is_any(op, names, 2) && !luna_op_is_any(op, names, 1));
  CHECK(luna_op_in_dialect(op, LUNA_DIALECT_TOSA));
  CHECK(!luna_op_in_dialect(op, LUNA_DIALECT_SCF));
  mlirOperationDestroy(op);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--list") == 0) {
    for (int i = 0; i < LUNA_OP_COUNT; ++i)
      puts(luna_op_name((LunaOpName)i));
    return 0;
  }
  LunaArena arena = {0};
  LunaError error = {0};
  if (!luna_context_create(NULL, &arena, &context, &error))
    CHECK_STR(error.message, "");
  RUN_TEST(every_dialect_is_loaded);
  RUN_TEST(every_operation_is_registered);
  RUN_TEST(operations_are_told_apart);
  mlirContextDestroy(context);
  luna_arena_destroy(&arena);
  return 0;
}
