#include "verify.h"

#include <stdio.h>

#include "compile.h"
#include "diagnostics.h"
#include "luna-c/ir.h"
#include "progress.h"

// Returns the next luna.program of a module from `op` on, or a null op.
static MlirOperation next_record(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !luna_op_is(op, LUNA_OP_LUNA_PROGRAM))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

static MlirOperation first_record(MlirModule module) {
  return next_record(mlirBlockGetFirstOperation(mlirModuleGetBody(module)));
}

static void drop_records(MlirModule module) {
  for (MlirOperation op = first_record(module); !mlirOperationIsNull(op);) {
    MlirOperation next = next_record(mlirOperationGetNextInBlock(op));
    mlirOperationDestroy(op);
    op = next;
  }
}

// The function of a record gets the name of the plan, which need not be that of
// the model.
static void name_function(MlirOperation record, MlirOperation plan) {
  for (MlirOperation op = mlirBlockGetFirstOperation(luna_body(record, 0));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (luna_op_is(op, LUNA_OP_FUNC_FUNC))
      luna_set_attr(op, "sym_name", luna_attr(plan, "sym_name"));
}

// Puts the record of `program` into `plan`, in place of its own.
static int move_record(LunacSession *session, LunacModel *program,
                       LunacModel *plan) {
  MlirOperation record = first_record(program->module);
  MlirOperation func = luna_planned_function(plan->module);
  if (mlirOperationIsNull(record) ||
      !mlirOperationIsNull(next_record(mlirOperationGetNextInBlock(record)))) {
    luna_diagnose(session, "--program: a plan is compared with a model of one "
                           "function");
    return 2;
  }
  drop_records(plan->module);
  name_function(record, func);
  mlirOperationRemoveFromParent(record);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(plan->module), record);
  return 0;
}

static int take_program(LunacSession *session, LunacModel *plan) {
  LunacModel program;
  int code = luna_model_read(session, session->options->program, &program);
  if (code == 0)
    code = luna_model_record(session, &program);
  if (code == 0)
    code = move_record(session, &program, plan);
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
  bool has_record = !mlirOperationIsNull(first_record(plan->module));
  printf("%s: memory safety holds on every path\n", session->options->model);
  if (program)
    printf("it computes what %s does\n", program);
  else if (has_record)
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
    own.dimensions = (LunacStrings){0};
    own.constants = (LunacStrings){0};
    own.bounds = (LunacStrings){0};
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
