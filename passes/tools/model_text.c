// luna-model-text [--machine=M] PLAN.mlir…: prints the model (luna/model.h) of
// each function of buffers as text, with the cycles of its steps. Exits with 3
// unless the text reads as the same model, and 2 where there is none.

#include <stdio.h>
#include <string.h>

#include "luna-c/dialect.h"
#include "luna-c/ops.h"
#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/Linalg.h"
#include "mlir-c/Dialect/MemRef.h"
#include "mlir-c/Dialect/SCF.h"
#include "step_cycles.h"
#include "structure.h"

enum { EQUAL = 0, BAD_INPUT = 2, OTHER = 3 };

static bool is_text(const LunaText *a, const LunaText *b) {
  return a->length == b->length &&
         (a->length == 0 || memcmp(a->data, b->data, a->length) == 0);
}

// Returns true if the text reads as `model`, what is derived included.
static bool reads_as(const LunaText *text, const LunaModel *model,
                     LunaArena *arena) {
  LunaModel again;
  LunaError error = {0};
  LunaText second = {0};
  if (!luna_model_parse(text->data, text->length, "model", arena, &again,
                        &error)) {
    fprintf(stderr, "luna-model-text: %s\n", error.message);
    return false;
  }
  luna_model_print(&again, &second);
  bool is_equal = is_text(text, &second) &&
                  again.buffer_count == model->buffer_count &&
                  again.steps.count == model->steps.count;
  for (uint64_t i = 0; is_equal && i < model->steps.count; ++i)
    is_equal = again.steps.items[i].parent == model->steps.items[i].parent;
  luna_text_deinit(&second);
  return is_equal;
}

static int print_function(MlirOperation func, const LunaMachine *machine) {
  LunaArena arena = {0};
  LunaProgramModel program;
  LunaText text = {0};
  int code = BAD_INPUT;
  if (luna_program_model_build(func, machine, &arena, &program) &&
      luna_add_step_cycles(&program, machine)) {
    luna_model_print(&program.model, &text);
    fwrite(text.data, 1, text.length, stdout);
    code = reads_as(&text, &program.model, &arena) ? EQUAL : OTHER;
  }
  luna_text_deinit(&text);
  luna_arena_destroy(&arena);
  return code;
}

static int print_file(MlirContext context, const char *path,
                      const LunaMachine *machine) {
  MlirModule module = mlirModuleCreateParseFromFile(context, luna_str(path));
  int code = BAD_INPUT;
  if (mlirModuleIsNull(module))
    return code;
  MlirBlock body = luna_body(mlirModuleGetOperation(module), 0);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (luna_op_is(op, LUNA_OP_FUNC_FUNC) &&
        !mlirBlockIsNull(luna_entry_block(op))) {
      code = print_function(op, machine);
      if (code != EQUAL)
        break;
    }
  mlirModuleDestroy(module);
  return code;
}

static MlirContext create_context(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  const MlirDialectHandle handles[] = {
      mlirGetDialectHandle__arith__(),  mlirGetDialectHandle__func__(),
      mlirGetDialectHandle__linalg__(), mlirGetDialectHandle__memref__(),
      mlirGetDialectHandle__scf__(),    mlirGetDialectHandle__luna__(),
  };
  for (size_t i = 0; i < sizeof handles / sizeof handles[0]; ++i)
    mlirDialectHandleInsertDialect(handles[i], registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  return context;
}

int main(int argc, char **argv) {
  static const char option[] = "--machine=";
  bool has_option = argc > 1 && strncmp(argv[1], option, strlen(option)) == 0;
  LunaMachine machine;
  LunaError error = {0};
  if (!luna_machine_load(has_option ? argv[1] + strlen(option) : "venus", NULL,
                         &machine, &error)) {
    fprintf(stderr, "luna-model-text: %s\n", error.message);
    return BAD_INPUT;
  }
  MlirContext context = create_context();
  int code = argc > 1 + has_option ? EQUAL : BAD_INPUT;
  for (int i = 1 + has_option; code == EQUAL && i < argc; ++i)
    code = print_file(context, argv[i], &machine);
  mlirContextDestroy(context);
  return code;
}
