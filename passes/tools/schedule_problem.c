// luna-schedule-problem [--machine=M] FILE.mlir…: reads functions as they stand
// before luna-schedule, and prints the planning problem of each after its
// decisions, as CSV. Exits with 3 unless the problem of the model that the
// decisions leave, on which they were priced, is that of the IR to which they
// are applied, before staging and with it; with 2 where there is none.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../plan/apply_schedule.h"
#include "luna/model_problem.h"
#include "tool.h"

//===----------------------------------------------------------------------===//
// CSV
//===----------------------------------------------------------------------===//

// Gaps end before their second number, as lifetimes do before `upper`.
static void print_row(LunaText *text, LunaBufferId id, const LunaBuffer *buffer,
                      const LunaLifetime *lifetime) {
  uint32_t count = lifetime->range_count;
  const LunaSteps *ranges = lifetime->ranges;
  luna_text_printf(text, "%u,%u,%u,%" PRId64 ",", (unsigned)id,
                   count ? (unsigned)ranges[0].first : 0,
                   count ? (unsigned)ranges[count - 1].end : 0,
                   buffer->size_bytes);
  for (uint32_t i = 1; i < count; ++i)
    luna_text_printf(text, "%s%u-%u", i == 1 ? "" : " ",
                     (unsigned)ranges[i - 1].end, (unsigned)ranges[i].first);
  luna_text_printf(text, "\n");
}

static bool print_problem(const LunaModel *model, const LunaMachine *machine,
                          bool has_staging, LunaText *text) {
  LunaArena arena = {0};
  LunaModelProblem view;
  LunaError error = {0};
  const LunaLifetime *lifetimes = NULL;
  const LunaModelProblemOptions options = {
      .align_bytes = (int64_t)machine->alignment_bytes,
      .has_staging = has_staging};
  bool is_ok = luna_model_problem(model, &options, &arena, &view, &error) &&
               luna_problem_lifetimes(view.problem, &lifetimes, &error);
  luna_text_printf(text, "id,lower,upper,size,gaps\n");
  for (LunaBufferId id = 0;
       is_ok && id < luna_problem_buffer_count(view.problem); ++id)
    print_row(text, id, luna_problem_buffer(view.problem, id), &lifetimes[id]);
  if (!is_ok)
    fprintf(stderr, "luna-schedule-problem: %s\n", error.message);
  luna_arena_destroy(&arena);
  return is_ok;
}

static bool print_both(const LunaModel *model, const LunaMachine *machine,
                       LunaText texts[2]) {
  return print_problem(model, machine, false, &texts[0]) &&
         print_problem(model, machine, true, &texts[1]);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static bool find_and_apply(MlirOperation func, const LunaMachine *machine,
                           LunaText texts[2]) {
  LunaArena arena = {0};
  LunaProgramModel program;
  LunaSchedule schedule;
  LunaModel decided;
  bool is_ok =
      luna_program_model_build(func, machine, &arena, &program) &&
      luna_find_schedule(func, machine, 0, &program, &arena, &schedule);
  if (is_ok) {
    luna_schedule_model(&program.model, &schedule, &arena, &decided);
    is_ok = print_both(&decided, machine, texts);
    luna_apply_schedule(&program, &schedule);
  }
  luna_arena_destroy(&arena);
  return is_ok;
}

static bool read_back(MlirOperation func, const LunaMachine *machine,
                      LunaText texts[2]) {
  LunaArena arena = {0};
  LunaProgramModel program;
  bool is_ok = luna_program_model_build(func, machine, &arena, &program) &&
               print_both(&program.model, machine, texts);
  luna_arena_destroy(&arena);
  return is_ok;
}

static LunaToolCode compare(const LunaText decided[2],
                            const LunaText applied[2]) {
  for (int i = 0; i < 2; ++i) {
    fputs(decided[i].data, stdout);
    if (strcmp(decided[i].data, applied[i].data) == 0)
      continue;
    printf("but the IR has\n%s", applied[i].data);
    return LUNA_TOOL_OTHER;
  }
  return LUNA_TOOL_EQUAL;
}

static LunaToolCode check_function(MlirOperation func,
                                   const LunaMachine *machine) {
  LunaText decided[2] = {{0}}, applied[2] = {{0}};
  LunaToolCode code = find_and_apply(func, machine, decided) &&
                              read_back(func, machine, applied)
                          ? compare(decided, applied)
                          : LUNA_TOOL_BAD_INPUT;
  for (int i = 0; i < 2; ++i) {
    luna_text_deinit(&decided[i]);
    luna_text_deinit(&applied[i]);
  }
  return code;
}

int main(int argc, char **argv) {
  return luna_tool_run(argc, argv, "luna-schedule-problem", check_function);
}
