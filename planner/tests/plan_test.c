// The planner on programs small enough to check by hand.

#include "check.h"
#include "luna/plan_check.h"

static LunaBufferId add(LunaProblem *problem, const char *name,
                        int64_t size_bytes) {
  return luna_problem_add_buffer(
      problem, &(LunaBuffer){.name = name, .size_bytes = size_bytes});
}

static LunaSolution solve(LunaProblem *problem, const char *strategy,
                          LunaMerge merge, LunaArena *arena) {
  LunaSolution solution;
  LunaError error = {0};
  LunaPlanOptions options = {.strategy = strategy, .merge = merge};
  if (!luna_plan_solve(problem, &options, &solution, &error) ||
      !luna_plan_check(problem, solution.offset_bytes, solution.total.bytes,
                       arena, &error)) {
    fprintf(stderr, "%s\n", error.message);
    exit(1);
  }
  return solution;
}

static void check_lifetime(LunaProblem *problem, LunaBufferId buffer,
                           const char *expected) {
  const LunaLifetime *lifetimes = NULL;
  CHECK(luna_problem_lifetimes(problem, &lifetimes, NULL));
  char text[256] = "";
  for (uint32_t i = 0; i < lifetimes[buffer].range_count; ++i) {
    LunaSteps range = lifetimes[buffer].ranges[i];
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u-%u",
             i ? " " : "", range.first, range.end);
  }
  CHECK_STR(text, expected);
}

// A step that defines one buffer and uses another (or none: UINT32_MAX).
static LunaStepId step(LunaProblem *problem, LunaBufferId defined,
                       LunaBufferId used) {
  LunaStepId id = luna_problem_step(problem, NULL);
  if (defined != UINT32_MAX)
    luna_problem_define(problem, id, defined);
  if (used != UINT32_MAX)
    luna_problem_use(problem, id, used);
  return id;
}

static void branch(LunaProblem *problem, const char *name) {
  luna_problem_begin(problem, LUNA_NODE_BRANCH, name);
}

static void a_buffer_lives_from_definition_to_last_use(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId a = add(problem, "a", 10), b = add(problem, "b", 20);
  LunaBufferId never = add(problem, "never", 5);
  step(problem, a, UINT32_MAX);
  step(problem, b, a);
  step(problem, UINT32_MAX, b);
  check_lifetime(problem, a, "0-2");
  check_lifetime(problem, b, "1-3");
  check_lifetime(problem, never, "");
  LunaSolution solution = solve(problem, NULL, LUNA_MERGE_PATH, &arena);
  CHECK_EQ(solution.total.bytes, 30);
  CHECK(solution.is_optimal);
  CHECK_EQ(solution.witness.step, 1);
  CHECK_STR(solution.witness.path, "straight");
  CHECK_EQ(solution.witness.buffer_count, 2);
  luna_arena_destroy(&arena);
}

static void a_second_definition_kills_the_first_contents(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId a = add(problem, "a", 10);
  step(problem, a, UINT32_MAX);
  step(problem, UINT32_MAX, a);
  step(problem, UINT32_MAX, UINT32_MAX);
  step(problem, a, UINT32_MAX);
  step(problem, UINT32_MAX, a);
  check_lifetime(problem, a, "0-2 3-5");
  luna_arena_destroy(&arena);
}

// if { x = …; use x } else { y = …; use y }: 100 and 60 share one place.
static LunaProblem *two_branches(LunaArena *arena, LunaBufferId *x,
                                 LunaBufferId *y, LunaBufferId *outer) {
  LunaProblem *problem = luna_problem_create(arena);
  *outer = add(problem, "outer", 8);
  *x = add(problem, "x", 100);
  *y = add(problem, "y", 60);
  step(problem, *outer, UINT32_MAX);
  luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
  branch(problem, NULL);
  step(problem, *x, *outer);
  step(problem, UINT32_MAX, *x);
  luna_problem_end(problem);
  branch(problem, NULL);
  step(problem, *y, UINT32_MAX);
  step(problem, UINT32_MAX, *y);
  luna_problem_end(problem);
  luna_problem_end(problem);
  return problem;
}

static void branches_share_memory_by_path(void) {
  LunaArena arena = {0};
  LunaBufferId x, y, outer;
  LunaProblem *problem = two_branches(&arena, &x, &y, &outer);
  check_lifetime(problem, outer, "0-2");
  check_lifetime(problem, x, "1-3");
  check_lifetime(problem, y, "3-5");
  LunaSolution solution = solve(problem, "best", LUNA_MERGE_PATH, &arena);
  CHECK_EQ(solution.total.bytes, 108);
  CHECK_STR(solution.witness.path, "if0=then");
  luna_arena_destroy(&arena);
}

static void treatments_differ_as_documented(void) {
  LunaArena arena = {0};
  LunaBufferId x, y, outer;
  LunaProblem *problem = two_branches(&arena, &x, &y, &outer);
  const char *s = "sequential";
  CHECK_EQ(solve(problem, s, LUNA_MERGE_NONE, &arena).total.bytes, 168);
  CHECK_EQ(solve(problem, s, LUNA_MERGE_BLOCK, &arena).total.bytes, 108);
  CHECK_EQ(solve(problem, s, LUNA_MERGE_LINEAR, &arena).total.bytes, 108);
  CHECK_EQ(solve(problem, s, LUNA_MERGE_PATH, &arena).total.bytes, 108);
  CHECK_EQ(solve(problem, "naive", LUNA_MERGE_NONE, &arena).total.bytes, 168);
  luna_arena_destroy(&arena);
}

static void the_result_of_an_if_has_one_place_and_gaps(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId result = add(problem, "result", 4);
  LunaBufferId t = add(problem, "t", 50), e = add(problem, "e", 50);
  luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, "mode");
  branch(problem, "small");
  step(problem, t, UINT32_MAX);
  step(problem, result, t);
  luna_problem_end(problem);
  branch(problem, "large");
  step(problem, e, UINT32_MAX);
  step(problem, UINT32_MAX, e);
  step(problem, result, UINT32_MAX);
  luna_problem_end(problem);
  luna_problem_end(problem);
  step(problem, UINT32_MAX, result);
  check_lifetime(problem, result, "1-2 4-6");
  LunaSolution solution = solve(problem, "best", LUNA_MERGE_PATH, &arena);
  CHECK_EQ(solution.total.bytes, 54);
  CHECK_STR(solution.witness.path, "mode=small");
  luna_arena_destroy(&arena);
}

static void a_loop_is_live_as_it_runs(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId carried = add(problem, "carried", 1);
  LunaBufferId fresh = add(problem, "fresh", 2);
  LunaBufferId made = add(problem, "made", 3);
  step(problem, carried, UINT32_MAX);                // 0
  luna_problem_begin(problem, LUNA_NODE_LOOP, NULL); // 1
  step(problem, fresh, carried);                     // 2
  step(problem, UINT32_MAX, fresh);                  // 3
  step(problem, carried, UINT32_MAX);                // 4
  step(problem, made, UINT32_MAX);                   // 5
  luna_problem_end(problem);
  step(problem, UINT32_MAX, made); // 6
  check_lifetime(problem, carried, "0-3 4-6");
  check_lifetime(problem, fresh, "2-4");
  // It passes the header on its way out.
  check_lifetime(problem, made, "1-2 5-7");
  solve(problem, "best", LUNA_MERGE_PATH, &arena);
  luna_arena_destroy(&arena);
}

// { def h; loop { t1 = f(h); t2 = f(t1); t3 = f(t2); h = f(t3) }; use h }
static void a_chain_in_a_loop_needs_two_buffers(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId h = add(problem, "h", 100), last = h;
  step(problem, h, UINT32_MAX);                      // 0
  luna_problem_begin(problem, LUNA_NODE_LOOP, NULL); // 1
  for (int i = 0; i < 3; ++i) {
    LunaBufferId next = add(problem, NULL, 100);
    step(problem, next, last); // 2, 3, 4
    last = next;
  }
  step(problem, h, last); // 5
  luna_problem_end(problem);
  step(problem, UINT32_MAX, h); // 6
  check_lifetime(problem, h, "0-3 5-7");
  LunaSolution solution = solve(problem, NULL, LUNA_MERGE_PATH, &arena);
  CHECK_EQ(solution.total.bytes, 200);
  CHECK_EQ(solution.proof, LUNA_PROOF_BOUND);
  luna_arena_destroy(&arena);
}

// A row per turn, read behind the loop: nothing ends the rows of other turns.
static void what_turns_gather_is_kept(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId rows = add(problem, "rows", 8), row = add(problem, "row", 2);
  luna_problem_begin(problem, LUNA_NODE_LOOP, NULL);               // 0
  step(problem, row, UINT32_MAX);                                  // 1
  luna_problem_use(problem, step(problem, UINT32_MAX, row), rows); // 2
  luna_problem_end(problem);
  step(problem, UINT32_MAX, rows); // 3
  check_lifetime(problem, rows, "0-4");
  check_lifetime(problem, row, "1-3");
  luna_arena_destroy(&arena);
}

static void what_the_next_turn_reads_passes_the_back_edge_only(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId next = add(problem, "next", 8);
  step(problem, next, UINT32_MAX);                   // 0
  luna_problem_begin(problem, LUNA_NODE_LOOP, NULL); // 1
  step(problem, UINT32_MAX, next);                   // 2
  step(problem, UINT32_MAX, UINT32_MAX);             // 3
  luna_problem_loop_exit(problem);
  step(problem, UINT32_MAX, UINT32_MAX); // 4
  step(problem, next, UINT32_MAX);       // 5
  luna_problem_end(problem);
  step(problem, UINT32_MAX, UINT32_MAX); // 6
  check_lifetime(problem, next, "0-3 5-6");
  luna_arena_destroy(&arena);
}

static void a_discard_ends_contents_without_a_place(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId part = add(problem, "part", 8);
  luna_problem_begin(problem, LUNA_NODE_LOOP, NULL); // 0
  luna_problem_discard(problem, step(problem, UINT32_MAX, UINT32_MAX), part);
  step(problem, UINT32_MAX, UINT32_MAX); // 2
  step(problem, UINT32_MAX, part);       // 3: writes one half
  step(problem, UINT32_MAX, part);       // 4: writes the other
  step(problem, UINT32_MAX, UINT32_MAX); // 5
  luna_problem_end(problem);
  check_lifetime(problem, part, "3-5");
  luna_arena_destroy(&arena);
}

// Two carried values change places at the back edge: each move takes the
// contents from before the step.
static void moves_of_one_step_happen_at_once(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId a = add(problem, "a", 8), b = add(problem, "b", 8);
  step(problem, a, UINT32_MAX);                      // 0
  step(problem, b, UINT32_MAX);                      // 1
  luna_problem_begin(problem, LUNA_NODE_LOOP, NULL); // 2
  step(problem, UINT32_MAX, a);                      // 3
  LunaStepId swap = step(problem, UINT32_MAX, UINT32_MAX);
  CHECK_EQ(luna_problem_move(problem, swap, a, b), 0);
  CHECK_EQ(luna_problem_move(problem, swap, b, a), 1);
  luna_problem_end(problem);
  check_lifetime(problem, a, "0-5");
  check_lifetime(problem, b, "1-5");
  CHECK_EQ(solve(problem, NULL, LUNA_MERGE_PATH, &arena).total.bytes, 16);
  luna_arena_destroy(&arena);
}

static void a_move_ends_its_target_and_keeps_its_source(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId a = add(problem, "a", 8), b = add(problem, "b", 8);
  step(problem, a, UINT32_MAX);          // 0
  step(problem, b, UINT32_MAX);          // 1
  step(problem, UINT32_MAX, b);          // 2
  step(problem, UINT32_MAX, UINT32_MAX); // 3
  luna_problem_move(problem, step(problem, UINT32_MAX, UINT32_MAX), a, b);
  step(problem, UINT32_MAX, b); // 5
  check_lifetime(problem, a, "0-5");
  check_lifetime(problem, b, "1-3 4-6");
  luna_arena_destroy(&arena);
}

static void a_loop_may_be_left_in_the_middle(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId condition = add(problem, "condition", 1);
  LunaBufferId body = add(problem, "body", 2);
  luna_problem_begin(problem, LUNA_NODE_LOOP, NULL); // 0
  step(problem, condition, UINT32_MAX);              // 1
  luna_problem_loop_exit(problem);
  step(problem, body, UINT32_MAX); // 2
  step(problem, UINT32_MAX, body); // 3
  luna_problem_end(problem);
  step(problem, UINT32_MAX, UINT32_MAX); // 4
  step(problem, UINT32_MAX, condition);  // 5
  check_lifetime(problem, condition, "1-2 4-6");
  check_lifetime(problem, body, "2-4");
  solve(problem, "best", LUNA_MERGE_PATH, &arena);
  luna_arena_destroy(&arena);
}

static void live_ranges_can_be_said_outright(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId a = add(problem, "a", 1), b = add(problem, "b", 2);
  step(problem, a, UINT32_MAX);
  luna_problem_begin(problem, LUNA_NODE_SEQUENCE, NULL);
  step(problem, UINT32_MAX, UINT32_MAX);
  step(problem, UINT32_MAX, UINT32_MAX);
  luna_problem_end(problem);
  luna_problem_live(problem, b, 1, 3);
  step(problem, UINT32_MAX, UINT32_MAX);
  luna_problem_live(problem, a, 3, 4);
  check_lifetime(problem, a, "0-1 3-4");
  check_lifetime(problem, b, "1-3");
  luna_arena_destroy(&arena);
}

static void kinds_are_told_apart(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBuffer staging = {.size_bytes = 30, .kind = LUNA_BUFFER_STAGING};
  LunaBuffer scratch = {.size_bytes = 7, .kind = LUNA_BUFFER_SCRATCH};
  LunaBufferId a = add(problem, "a", 10), b = add(problem, "b", 20);
  LunaBufferId w = luna_problem_add_buffer(problem, &staging);
  LunaBufferId s = luna_problem_add_buffer(problem, &scratch);
  step(problem, w, UINT32_MAX);
  step(problem, a, w);
  step(problem, b, a);
  step(problem, s, b);
  LunaSolution solution = solve(problem, "best", LUNA_MERGE_PATH, &arena);
  CHECK_EQ(solution.total.bytes, 40);
  CHECK_EQ(solution.tensor.bytes, 30);
  CHECK_EQ(solution.scratch.bytes, 7);
  CHECK_EQ(solution.staging.bytes, 30);
  CHECK_EQ(solution.tensor.lower_bound_bytes, 30);
  luna_arena_destroy(&arena);
}

// a is read where b and c are made, and both where d is: two paths, a-b-d and
// c, of which three buffers are live at once.
static void a_path_cover_bounds_the_plan(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId a = add(problem, "a", 10), b = add(problem, "b", 20);
  LunaBufferId c = add(problem, "c", 20), d = add(problem, "d", 10);
  step(problem, a, UINT32_MAX);
  luna_problem_define(problem, step(problem, b, a), c);
  luna_problem_read(problem, step(problem, d, b), c);
  step(problem, UINT32_MAX, d);
  LunaSolution solution =
      solve(problem, "leapmind-path-cover", LUNA_MERGE_PATH, &arena);
  CHECK_EQ(solution.cover.group_count, 3);
  CHECK_EQ(solution.cover.path_count, 2);
  CHECK_EQ(solution.cover.bytes, 80);
  CHECK(solution.total.bytes <= 80);
  luna_arena_destroy(&arena);
}

static void aliases_share_one_place(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId a = add(problem, "a", 10), b = add(problem, "b", 16);
  LunaBufferId c = add(problem, "c", 5);
  luna_problem_alias(problem, b, a);
  step(problem, a, UINT32_MAX);
  step(problem, b, a);
  step(problem, c, b);
  LunaSolution solution = solve(problem, "best", LUNA_MERGE_PATH, &arena);
  CHECK_EQ(solution.offset_bytes[a], solution.offset_bytes[b]);
  CHECK_EQ(solution.total.bytes, 21);
  luna_arena_destroy(&arena);
}

static void fixed_offsets_and_alignment_are_kept(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId fixed =
      luna_problem_add_buffer(problem, &(LunaBuffer){.size_bytes = 10,
                                                     .is_fixed = true,
                                                     .fixed_offset_bytes = 4});
  LunaBufferId aligned = luna_problem_add_buffer(
      problem, &(LunaBuffer){.size_bytes = 3, .align_bytes = 8});
  step(problem, fixed, UINT32_MAX);
  step(problem, aligned, fixed);
  LunaSolution solution = solve(problem, "best", LUNA_MERGE_PATH, &arena);
  CHECK_EQ(solution.offset_bytes[fixed], 4);
  CHECK_EQ(solution.offset_bytes[aligned], 0);
  CHECK_EQ(solution.total.bytes, 14);
  luna_arena_destroy(&arena);
}

static void alignment_shared_at_a_point_raises_the_bound(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBuffer buffer = {.size_bytes = 10, .align_bytes = 16};
  step(problem, UINT32_MAX, UINT32_MAX);
  for (int i = 0; i < 3; ++i)
    luna_problem_live(problem, luna_problem_add_buffer(problem, &buffer), 0, 1);
  LunaSolution solution = solve(problem, "best", LUNA_MERGE_PATH, &arena);
  CHECK_EQ(solution.total.lower_bound_bytes, 42);
  CHECK_EQ(solution.total.bytes, 42);
  luna_arena_destroy(&arena);
}

static void paths_are_listed_with_their_peaks(void) {
  LunaArena arena = {0};
  LunaBufferId x, y, outer;
  LunaProblem *problem = two_branches(&arena, &x, &y, &outer);
  LunaSolution solution = solve(problem, "best", LUNA_MERGE_PATH, &arena);
  LunaPathList list;
  CHECK(luna_plan_paths(problem, solution.offset_bytes, &list, NULL));
  const LunaPathPeak *paths = list.paths;
  CHECK_EQ(list.count, 2);
  CHECK_EQ(list.possible_count, 2);
  CHECK_EQ(list.impossible_count, 0);
  CHECK_STR(paths[0].path, "if0=then");
  CHECK_EQ(paths[0].peak_bytes, 108);
  CHECK_EQ(paths[0].live_bytes, 108);
  CHECK_EQ(paths[0].heaviest_step, 1);
  CHECK_STR(paths[1].path, "if0=else");
  CHECK_EQ(paths[1].live_bytes, 60);
  CHECK_EQ(paths[1].range_count, 2);
  luna_arena_destroy(&arena);
}

static void many_paths_are_covered_branch_by_branch(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  add(problem, "a", 1);
  for (int i = 0; i < 7; ++i) {
    luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
    for (int k = 0; k < 3; ++k) {
      branch(problem, NULL);
      step(problem, UINT32_MAX, UINT32_MAX);
      luna_problem_end(problem);
    }
    luna_problem_end(problem);
  }
  LunaPathList list;
  int64_t offset = 0;
  CHECK(luna_plan_paths(problem, &offset, &list, NULL));
  CHECK_EQ(list.count, 3);
  CHECK_EQ(list.possible_count, 2187);
  CHECK(!list.is_possible_bound);
  CHECK_STR(list.paths[2].path,
            "if0=case2/if1=case2/if2=case2/if3=case2/if4=case2/"
            "if5=case2/if6=case2");
  luna_arena_destroy(&arena);
}

// Adds `count` ifs, of which every second goes by the condition before it, from
// the second pair on the other way.
static LunaProblem *paired_ifs(LunaArena *arena, int count) {
  LunaProblem *problem = luna_problem_create(arena);
  for (int i = 0; i < count; ++i) {
    luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
    luna_problem_set_condition(problem, (uint32_t)i / 2, i % 4 == 3);
    for (int k = 0; k < 2; ++k) {
      branch(problem, NULL);
      step(problem, UINT32_MAX, UINT32_MAX);
      luna_problem_end(problem);
    }
    luna_problem_end(problem);
  }
  return problem;
}

static void one_condition_has_one_outcome_on_a_path(void) {
  LunaArena arena = {0};
  LunaPathList list;
  int64_t offset = 0;
  LunaProblem *problem = paired_ifs(&arena, 4);
  CHECK(luna_plan_paths(problem, &offset, &list, NULL));
  CHECK_EQ(list.count, 4);
  CHECK_EQ(list.possible_count, 4);
  CHECK_EQ(list.impossible_count, 12);
  CHECK_STR(list.paths[0].path, "if0=then/if1=then/if2=else/if3=then");
  CHECK_STR(list.paths[3].path, "if0=else/if1=else/if2=then/if3=else");
  problem = paired_ifs(&arena, 20);
  CHECK(luna_plan_paths(problem, &offset, &list, NULL));
  CHECK_EQ(list.count, 2);
  CHECK_EQ(list.possible_count, 1 << 20);
  CHECK(list.is_possible_bound);
  luna_arena_destroy(&arena);
}

// 70 ifs, the topmost buffer in a branch of the last.
static void a_path_with_the_highest_peak_is_listed(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  LunaBufferId top = UINT32_MAX;
  for (int i = 0; i < 70; ++i) {
    luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
    branch(problem, NULL);
    step(problem, UINT32_MAX, UINT32_MAX);
    luna_problem_end(problem);
    branch(problem, NULL);
    if (i == 69)
      top = add(problem, "top", 100);
    step(problem, top, UINT32_MAX);
    luna_problem_end(problem);
    luna_problem_end(problem);
  }
  LunaPathList list;
  int64_t offset = 0;
  CHECK(luna_plan_paths(problem, &offset, &list, NULL));
  CHECK_EQ(list.possible_count, LUNA_PATH_COUNT_MAX);
  CHECK_EQ(list.paths[0].peak_bytes, 100);
  luna_arena_destroy(&arena);
}

// No strategy is below the bound: none is compared beyond it.
static void strategies_are_compared_where_one_may_fit(void) {
  uint32_t rows[2];
  for (int i = 0; i < 2; ++i) {
    LunaArena arena = {0};
    LunaBufferId x, y, outer;
    LunaProblem *problem = two_branches(&arena, &x, &y, &outer);
    LunaSolution solution;
    LunaError error = {0};
    LunaPlanOptions options = {.compare = true, .capacity_bytes = 108 - i};
    CHECK_EQ(luna_plan_solve(problem, &options, &solution, &error), i == 0);
    CHECK_EQ(solution.total.lower_bound_bytes, 108);
    rows[i] = solution.row_count;
    luna_arena_destroy(&arena);
  }
  CHECK(rows[0] > 20);
  CHECK(rows[1] < rows[0]);
}

static void too_small_a_capacity_is_reported(void) {
  LunaArena arena = {0};
  LunaBufferId x, y, outer;
  LunaProblem *problem = two_branches(&arena, &x, &y, &outer);
  LunaSolution solution;
  LunaError error = {0};
  LunaPlanOptions options = {.capacity_bytes = 107};
  CHECK(!luna_plan_solve(problem, &options, &solution, &error));
  CHECK_EQ(error.code, LUNA_ERROR_CAPACITY);
  CHECK_STR(error.message,
            "needs 108 bytes, capacity is 107 (1 too many); no plan fits: at "
            "least 108 are live at step 'step1' on path if0=then: 'x' 100, "
            "'outer' 8");
  CHECK_EQ(solution.total.bytes, 108);
  luna_arena_destroy(&arena);
}

static void that_no_plan_fits_may_need_exhaustion(void) {
  // Three buffers that meet two by two, though never all three.
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  for (int i = 0; i < 3; ++i) {
    add(problem, NULL, 10);
    step(problem, UINT32_MAX, UINT32_MAX);
  }
  for (uint32_t i = 0; i < 3; ++i) {
    luna_problem_live(problem, i, i, i + 1);
    luna_problem_live(problem, i, (i + 1) % 3, (i + 1) % 3 + 1);
  }
  LunaSolution solution;
  LunaError error = {0};
  LunaPlanOptions options = {.strategy = "optimal", .capacity_bytes = 29};
  CHECK(!luna_plan_solve(problem, &options, &solution, &error));
  CHECK_STR(error.message,
            "needs 30 bytes, capacity is 29 (1 too many); no plan fits (by "
            "exhaustion): at least 20 are live at step 'step0' on path "
            "straight: 'buffer0' 10, 'buffer2' 10");
  CHECK_EQ(solution.proof, LUNA_PROOF_EXHAUSTED);
  luna_arena_destroy(&arena);
}

static void search_goes_on_below_the_capacity_unless_any_will_do(void) {
  // Largest first leaves a gap that search closes: 24 against 20.
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  static const uint32_t ranges[][3] = {
      {8, 0, 2}, {8, 2, 4}, {12, 1, 3}, {4, 0, 1}, {4, 3, 4}};
  for (uint32_t i = 0; i < 4; ++i)
    step(problem, UINT32_MAX, UINT32_MAX);
  for (uint32_t i = 0; i < 5; ++i)
    luna_problem_live(problem, add(problem, NULL, ranges[i][0]), ranges[i][1],
                      ranges[i][2]);
  LunaSolution solution;
  LunaPlanOptions options = {.strategy = "optimal", .capacity_bytes = 100};
  CHECK(luna_plan_solve(problem, &options, &solution, NULL));
  CHECK_EQ(solution.total.bytes, 20);
  CHECK(solution.is_optimal);
  options.any_that_fits = true;
  CHECK(luna_plan_solve(problem, &options, &solution, NULL));
  CHECK(solution.total.bytes <= 100);
  luna_arena_destroy(&arena);
}

static void expect_mistake(LunaProblem *problem, const char *message) {
  LunaSolution solution;
  LunaError error = {0};
  CHECK(!luna_plan_solve(problem, NULL, &solution, &error));
  CHECK_EQ(error.code, LUNA_ERROR_INPUT);
  CHECK_STR(error.message, message);
}

static void programs_built_wrongly_are_refused(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  luna_problem_begin(problem, LUNA_NODE_LOOP, NULL);
  expect_mistake(problem, "node 'loop0' is never closed");
  problem = luna_problem_create(&arena);
  branch(problem, NULL);
  expect_mistake(problem, "a branch is outside alternatives");
  problem = luna_problem_create(&arena);
  add(problem, "a", -1);
  expect_mistake(problem, "buffer 'a' has -1 bytes, at least 0 are allowed");
  problem = luna_problem_create(&arena);
  luna_problem_add_buffer(
      problem, &(LunaBuffer){.name = "a", .size_bytes = 1, .align_bytes = 6});
  expect_mistake(problem,
                 "buffer 'a' has alignment 6, allowed is a power of two");
  problem = luna_problem_create(&arena);
  luna_problem_add_buffer(
      problem, &(LunaBuffer){.name = "a", .kind = LUNA_BUFFER_STATE});
  expect_mistake(problem, "buffer 'a' is of kind 5, allowed are 0 (tensor), 1 "
                          "(staging) and 2 (scratch)");
  problem = luna_problem_create(&arena);
  add(problem, "a", INT64_MAX / 2);
  expect_mistake(problem, "buffers up to 'a' need more than the "
                          "4611686018427387903 bytes that can be planned");
  luna_arena_destroy(&arena);
}

static void fixed_buffers_that_collide_are_refused(void) {
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  step(problem, UINT32_MAX, UINT32_MAX);
  for (int i = 0; i < 2; ++i)
    luna_problem_live(problem,
                      luna_problem_add_buffer(
                          problem, &(LunaBuffer){.size_bytes = 8,
                                                 .is_fixed = true,
                                                 .fixed_offset_bytes = 4 * i}),
                      0, 1);
  expect_mistake(problem, "buffer 'buffer1' is fixed at 4, which overlaps "
                          "buffer 'buffer0', fixed at 0 and live at the same "
                          "time");
  luna_arena_destroy(&arena);
}

static void the_checker_finds_wrong_plans(void) {
  LunaArena arena = {0};
  LunaBufferId x, y, outer;
  LunaProblem *problem = two_branches(&arena, &x, &y, &outer);
  LunaError error = {0};
  int64_t offsets[3] = {0};
  CHECK(!luna_plan_check(problem, offsets, 0, &arena, &error));
  CHECK_EQ(error.code, LUNA_ERROR_CHECK);
  CHECK_STR(error.message,
            "buffer 'x' at [0, 100) overlaps buffer 'outer' at [0, 8), both "
            "live at step 'step1' on path if0=then");
  offsets[x] = 8;
  CHECK(luna_plan_check(problem, offsets, 0, &arena, &error));
  CHECK(luna_plan_check(problem, offsets, 108, &arena, &error));
  CHECK(!luna_plan_check(problem, offsets, 107, &arena, &error));
  CHECK_STR(error.message, "buffer 'x' of 100 bytes is at 8, outside the "
                           "memory of 107 bytes");
  luna_arena_destroy(&arena);
}

int main(void) {
  RUN_TEST(a_buffer_lives_from_definition_to_last_use);
  RUN_TEST(a_second_definition_kills_the_first_contents);
  RUN_TEST(branches_share_memory_by_path);
  RUN_TEST(treatments_differ_as_documented);
  RUN_TEST(the_result_of_an_if_has_one_place_and_gaps);
  RUN_TEST(a_loop_is_live_as_it_runs);
  RUN_TEST(a_chain_in_a_loop_needs_two_buffers);
  RUN_TEST(what_turns_gather_is_kept);
  RUN_TEST(what_the_next_turn_reads_passes_the_back_edge_only);
  RUN_TEST(a_discard_ends_contents_without_a_place);
  RUN_TEST(moves_of_one_step_happen_at_once);
  RUN_TEST(a_move_ends_its_target_and_keeps_its_source);
  RUN_TEST(a_loop_may_be_left_in_the_middle);
  RUN_TEST(live_ranges_can_be_said_outright);
  RUN_TEST(kinds_are_told_apart);
  RUN_TEST(a_path_cover_bounds_the_plan);
  RUN_TEST(aliases_share_one_place);
  RUN_TEST(fixed_offsets_and_alignment_are_kept);
  RUN_TEST(alignment_shared_at_a_point_raises_the_bound);
  RUN_TEST(paths_are_listed_with_their_peaks);
  RUN_TEST(many_paths_are_covered_branch_by_branch);
  RUN_TEST(one_condition_has_one_outcome_on_a_path);
  RUN_TEST(a_path_with_the_highest_peak_is_listed);
  RUN_TEST(strategies_are_compared_where_one_may_fit);
  RUN_TEST(too_small_a_capacity_is_reported);
  RUN_TEST(that_no_plan_fits_may_need_exhaustion);
  RUN_TEST(search_goes_on_below_the_capacity_unless_any_will_do);
  RUN_TEST(programs_built_wrongly_are_refused);
  RUN_TEST(fixed_buffers_that_collide_are_refused);
  RUN_TEST(the_checker_finds_wrong_plans);
  return 0;
}
