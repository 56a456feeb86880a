#include "verify.h"

#include <stdio.h>

#include "compile.h"
#include "diagnostics.h"
#include "luna-c/program_record.h"
#include "progress.h"

static int take_program(LunacSession *session, LunacModel *plan) {
  LunacModel program;
  int code = luna_model_read(session, session->options->program, &program);
  if (code == 0)
    code = luna_model_record(session, &program);
  if (code == 0 &&
      !luna_move_program_record(program.module, plan->module,
                                luna_planned_function(plan->module))) {
    luna_diagnose(session, "--program: a plan is compared with a model of one "
                           "function");
    code = 2;
  }
  luna_model_destroy(&program);
  return code;
}

static int check(LunacSession *session, const LunacModel *plan) {
  luna_progress(session, "verifying the plan");
  const char *pipeline = luna_arena_printf(
      session->arena, "func.func(luna-verify-plan{machine={%s}})",
      session->options->machine);
  return luna_session_run(session, plan->module, pipeline,
                          "the plan does not hold")
             ? 0
             : 3;
}

static void print_verdict(const LunacSession *session, const LunacModel *plan) {
  const char *program = session->options->program;
  printf("%s: memory safety holds on every path\n", session->options->model);
  if (program)
    printf("it computes what %s does\n", program);
  else if (luna_has_program_record(plan->module))
    printf("it computes what the record of its program says\n");
  else
    printf("memory safety alone was checked, not which constants operators "
           "read: there is no record of the program; --program=MODEL names "
           "it\n");
}

// Sizes and constants are for the program; a plan has its own.
static int read_plan(LunacSession *session, LunacModel *plan) {
  const LunacOptions *options = session->options;
  LunacOptions own = *options;
  if (options->program) {
    own.dimensions = (LunaStrings){0};
    own.constants = (LunaStrings){0};
    own.bounds = (LunaStrings){0};
  }
  session->options = &own;
  int code = luna_model_read(session, options->model, plan);
  session->options = options;
  return code;
}

int luna_verify_file(LunacSession *session) {
  LunacModel plan;
  int code = read_plan(session, &plan);
  if (code == 0 && mlirOperationIsNull(luna_planned_function(plan.module))) {
    luna_diagnose(session, "there is no plan: no function has "
                           "luna.arena_bytes; 'lunac compile --emit=luna' "
                           "writes one");
    code = 2;
  }
  if (code == 0 && session->options->program)
    code = take_program(session, &plan);
  if (code == 0)
    code = check(session, &plan);
  luna_progress_end(session);
  if (code == 0)
    print_verdict(session, &plan);
  luna_model_destroy(&plan);
  return code;
}
