// luna-model-text [--machine=M] PLAN.mlir…: prints the model (luna/model.h) of
// each function of buffers as text, with the cycles of its steps. Exits with 3
// unless the text reads as the same model, and 2 where there is none.

#include <stdio.h>
#include <string.h>

#include "step_cycles.h"
#include "tool.h"

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

static LunaToolCode print_function(MlirOperation func,
                                   const LunaMachine *machine) {
  LunaArena arena = {0};
  LunaProgramModel program;
  LunaText text = {0};
  LunaToolCode code = LUNA_TOOL_BAD_INPUT;
  if (luna_program_model_build(func, machine, &arena, &program) &&
      luna_add_step_cycles(&program, machine)) {
    luna_model_print(&program.model, &text);
    fwrite(text.data, 1, text.length, stdout);
    code = reads_as(&text, &program.model, &arena) ? LUNA_TOOL_EQUAL
                                                   : LUNA_TOOL_OTHER;
  }
  luna_text_deinit(&text);
  luna_arena_destroy(&arena);
  return code;
}

int main(int argc, char **argv) {
  return luna_tool_run(argc, argv, "luna-model-text", print_function);
}
