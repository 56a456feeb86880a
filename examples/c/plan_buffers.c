// Plans the memory of a program with a branch. Needs the planner alone:
//   cc plan_buffers.c $(pkg-config --cflags --libs luna-plan)

#include <stdio.h>

#include "luna/plan.h"

int main(void) {
  static const struct {
    const char *name;
    int64_t size_bytes;
  } rows[] = {{"image", 4096}, {"fine", 2048}, {"coarse", 1024}};
  enum { IMAGE, FINE, COARSE };
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  for (int i = 0; i < 3; ++i)
    luna_problem_add_buffer(problem, &(LunaBuffer){
                                         .name = rows[i].name,
                                         .size_bytes = rows[i].size_bytes,
                                     });
  luna_problem_define(problem, luna_problem_step(problem, "load"), IMAGE);
  luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
  for (LunaBufferId result = FINE; result <= COARSE; ++result) {
    luna_problem_begin(problem, LUNA_NODE_BRANCH, NULL);
    LunaStepId detect = luna_problem_step(problem, "detect");
    luna_problem_use(problem, detect, IMAGE);
    luna_problem_define(problem, detect, result);
    luna_problem_use(problem, luna_problem_step(problem, "store"), result);
    luna_problem_end(problem);
  }
  luna_problem_end(problem);

  LunaSolution plan;
  LunaError error;
  if (!luna_plan_solve(problem, NULL, &plan, &error)) {
    fprintf(stderr, "%s\n", error.message);
    return luna_error_exit_code(error.code);
  }
  for (LunaBufferId id = 0; id < plan.buffer_count; ++id)
    printf("%-8s at %lld\n", rows[id].name, (long long)plan.offset_bytes[id]);
  printf("%lld bytes; %lld are live at once on path %s\n",
         (long long)plan.total.bytes, (long long)plan.witness.bytes,
         plan.witness.path);
  luna_arena_destroy(&arena);
  return 0;
}
