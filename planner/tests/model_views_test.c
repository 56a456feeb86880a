// The problem, the bound, the cost and the order of models that are given as
// text.

#include "check.h"
#include "luna/model_bound.h"
#include "luna/model_cost.h"
#include "luna/model_live.h"
#include "luna/model_order.h"
#include "luna/model_problem.h"

static LunaModel read_model(const char *text, LunaArena *arena) {
  LunaModel model;
  LunaError error = {0};
  if (!luna_model_parse(text, strlen(text), "m", arena, &model, &error))
    fprintf(stderr, "%s\n", error.message);
  CHECK_EQ(error.code, LUNA_ERROR_NONE);
  return model;
}

static LunaModelProblem view(const LunaModel *model,
                             LunaModelProblemOptions options,
                             LunaArena *arena) {
  LunaModelProblem problem;
  LunaError error = {0};
  options.align_bytes = 16;
  CHECK(luna_model_problem(model, &options, arena, &problem, &error));
  return problem;
}

static int64_t planned(const LunaModelProblem *problem) {
  LunaSolution solution;
  LunaError error = {0};
  CHECK(luna_plan_solve(problem->problem, NULL, &solution, &error));
  return solution.total.bytes;
}

static LunaProgramBound bound_of(const LunaModel *model, LunaArena *arena) {
  LunaProgramBound bound;
  LunaError error = {0};
  CHECK(luna_problem_bound(luna_model_bound_problem(model, 16, arena), &bound,
                           &error));
  return bound;
}

#define BUFFER(step, source, rest)                                             \
  "value kind=buffer is_on_chip bytes=64 step=" step " sources=" source        \
  "+1 " rest "\n"
#define WHOLE(value)                                                           \
  "slice value=" value                                                         \
  " bytes=64 is_contiguous is_exact element_bytes=1 dims=0+1\n"

// Two buffers, of which the second is made from the first and a constant, over
// it if it may be.
static const char chain[] =
    "step kind=body end=6\n"
    "step kind=allocate end=2 op=\"memref.alloc\" accesses=0+1\n"
    "step kind=allocate end=3 op=\"memref.alloc\" accesses=1+1\n"
    "step kind=operator end=4 op=\"linalg.fill\" number=2 accesses=2+1\n"
    "step kind=unit end=5 op=\"luna.add\" name=\"add\" accesses=3+3\n"
    "step kind=operator end=6 op=\"memref.load\" number=4 accesses=6+1\n"
    "access kind=modify slice=0\n"
    "access kind=modify slice=1\n"
    "access kind=overwrite slice=0\n"
    "access kind=read slice=0 may_be_replaced\n"
    "access kind=read slice=2\n"
    "access kind=overwrite slice=1 is_destination\n"
    "access kind=read slice=1\n" BUFFER("1", "0", "first_use=3")
        BUFFER("2", "1",
               "first_use=4") "value kind=constant bytes=32 step=0\n"
                              "source value=0\nsource value=1\n" WHOLE("0")
                                  WHOLE("1") "slice value=2 bytes=32\n"
                                             "dim extent=64 stride_bytes=1\n";

static void test_chain(void) {
  LunaArena arena = {0};
  LunaModel model = read_model(chain, &arena);
  LunaModelProblem apart = view(&model, (LunaModelProblemOptions){0}, &arena);
  CHECK_EQ(planned(&apart), 128);
  CHECK_EQ(apart.steps.count, 3);
  CHECK_EQ(apart.steps.items[1].step, 4);
  CHECK_STR(luna_problem_step_name(apart.problem, 0), "linalg.fill#2");
  CHECK_STR(luna_problem_step_name(apart.problem, 1), "add");
  CHECK_STR(luna_problem_buffer(apart.problem, 0)->name, "tensor0");
  CHECK_STR(luna_problem_buffer(apart.problem, 1)->name, "add");
  LunaModelProblem staged =
      view(&model, (LunaModelProblemOptions){.has_staging = true}, &arena);
  CHECK_EQ(planned(&staged), 160);
  LunaModelProblem in_place =
      view(&model, (LunaModelProblemOptions){.works_in_place = true}, &arena);
  CHECK_EQ(in_place.moves.count, 1);
  CHECK_EQ(in_place.moves.items[0].step, 4);
  CHECK_EQ(in_place.moves.items[0].from, 0);
  CHECK_EQ(in_place.moves.items[0].to, 1);
  LunaProgramBound bound = bound_of(&model, &arena);
  CHECK_EQ(bound.tensor_bytes, 64);
  CHECK_EQ(bound.total_bytes, 96);
  luna_arena_destroy(&arena);
}

// Where the operator runs, both buffers and the constant; where the first is
// filled, the constant may be loaded.
static void test_live(void) {
  LunaArena arena = {0};
  LunaError error = {0};
  LunaModel model = read_model(chain, &arena);
  int64_t live_bytes[6] = {0};
  LunaModelProblemOptions options = {.align_bytes = 16, .has_staging = true};
  CHECK(luna_model_live_bytes(&model, &options, live_bytes, &error));
  CHECK_EQ(live_bytes[1], 0);
  CHECK_EQ(live_bytes[3], 64 + 32);
  CHECK_EQ(live_bytes[4], 64 + 64 + 32);
  CHECK_EQ(live_bytes[5], 64);
  options.has_staging = false;
  CHECK(luna_model_live_bytes(&model, &options, live_bytes, &error));
  CHECK_EQ(live_bytes[3], 64);
  CHECK_EQ(live_bytes[4], 64 + 64);
  options.has_staging = true;
  model.values.items[0].role = LUNA_MODEL_SCRATCH;
  CHECK(luna_model_live_bytes(&model, &options, live_bytes, &error));
  CHECK_EQ(live_bytes[3], 32);
  CHECK_EQ(live_bytes[4], 64 + 32);
  model.values.items[1].bytes = -1;
  CHECK(!luna_model_live_bytes(&model, &options, live_bytes, &error));
  luna_arena_destroy(&arena);
}

// What only names memory, a view say, is no step of a problem.
static void test_names(void) {
  LunaArena arena = {0};
  LunaModel model = read_model(chain, &arena);
  model.steps.items[5].kind = LUNA_MODEL_SCALAR;
  LunaModelProblem problem = view(&model, (LunaModelProblemOptions){0}, &arena);
  CHECK_EQ(problem.steps.count, 2);
  luna_arena_destroy(&arena);
}

// An if whose branches each allocate what they pass on.
static const char branches[] =
    "step kind=body end=11\n"
    "step kind=branches end=10 op=\"scf.if\" name=\"if0\"\n"
    "step kind=body end=6 name=\"then\"\n"
    "step kind=allocate end=4 op=\"memref.alloc\" accesses=0+1\n"
    "step kind=operator end=5 op=\"linalg.fill\" accesses=2+1\n"
    "step kind=pass end=6 op=\"scf.if\" edges=0+1\n"
    "step kind=body end=10 name=\"else\"\n"
    "step kind=allocate end=8 op=\"memref.alloc\" accesses=1+1\n"
    "step kind=operator end=9 op=\"linalg.fill\" accesses=3+1\n"
    "step kind=pass end=10 op=\"scf.if\" edges=1+1\n"
    "step kind=operator end=11 op=\"memref.load\" accesses=4+1\n"
    "access kind=modify slice=0\n"
    "access kind=modify slice=1\n"
    "access kind=overwrite slice=0\n"
    "access kind=overwrite slice=1\n"
    "access kind=read slice=2\n"
    "edge from=0 to=2\n"
    "edge from=1 to=2\n" BUFFER("3", "0", "first_use=4") BUFFER(
        "7", "1",
        "first_use=8") "value kind=merged is_on_chip bytes=64 step=1 "
                       "sources=0+2\n"
                       "source value=0\nsource value=1\n" WHOLE("0") WHOLE("1")
                           WHOLE("2") "dim extent=64 stride_bytes=1\n";

static void test_branches(void) {
  LunaArena arena = {0};
  LunaModel model = read_model(branches, &arena);
  LunaModelProblem whole = view(&model, (LunaModelProblemOptions){0}, &arena);
  CHECK_EQ(planned(&whole), 128);
  CHECK_EQ(bound_of(&model, &arena).total_bytes, 64);
  LunaModelProblem part =
      view(&model, (LunaModelProblemOptions){.body = 6}, &arena);
  CHECK(part.is_apart);
  CHECK_EQ(part.buffer_of[0], LUNA_NO_BUFFER);
  CHECK_EQ(part.buffer_of[1], 0);
  luna_arena_destroy(&arena);
}

// A loop that makes a buffer anew in each turn, from one outside, half of which
// it changes, and which is read behind it.
static const char loop[] =
    "step kind=body end=9\n"
    "step kind=allocate end=2 op=\"memref.alloc\" accesses=0+1\n"
    "step kind=operator end=3 op=\"linalg.fill\" accesses=1+1\n"
    "step kind=loop end=8 op=\"scf.for\" name=\"loop0\" trips=3\n"
    "step kind=body end=8\n"
    "step kind=allocate end=6 op=\"memref.alloc\" accesses=2+1\n"
    "step kind=copy end=7 op=\"memref.copy\" accesses=3+2\n"
    "step kind=operator end=8 op=\"linalg.generic\" accesses=5+2\n"
    "step kind=operator end=9 op=\"memref.load\" accesses=7+1\n"
    "access kind=modify slice=0\n"
    "access kind=overwrite slice=0\n"
    "access kind=modify slice=1\n"
    "access kind=read slice=0\n"
    "access kind=overwrite slice=1\n"
    "access kind=read slice=1\n"
    "access kind=overwrite slice=2\n"
    "access kind=read slice=3\n" BUFFER("1", "0", "first_use=2") BUFFER(
        "5", "1", "first_use=6") "source value=0\nsource value=1\n" WHOLE("0")
        WHOLE("1") "slice value=0 bytes=32 is_contiguous is_exact "
                   "element_bytes=1 dims=1+1\n"
                   "slice value=0 bytes=32 is_contiguous is_exact "
                   "offset_bytes=32 "
                   "element_bytes=1 dims=1+1\n"
                   "dim extent=64 stride_bytes=1\n"
                   "dim extent=32 stride_bytes=1\n";

static void test_loop(void) {
  LunaArena arena = {0};
  LunaModel model = read_model(loop, &arena);
  LunaModelProblem whole = view(&model, (LunaModelProblemOptions){0}, &arena);
  CHECK_EQ(planned(&whole), 128);
  CHECK_EQ(whole.moves.count, 1);
  LunaModelProblem body =
      view(&model, (LunaModelProblemOptions){.body = 4}, &arena);
  CHECK(!body.is_apart);
  // The copy has the contents that are there already, and half of them are
  // overwritten where they are read for the last time.
  CHECK_EQ(bound_of(&model, &arena).total_bytes, 64);
  luna_arena_destroy(&arena);
}

// A transfer behind which the unit works, by a condition; a loop of three
// iterations, and one that data decides, of the one branch only.
static const char times[] =
    "step kind=body end=14\n"
    "step kind=transfer end=2 op=\"dma_start\" accesses=0+2 core_cycles=5 "
    "dma_cycles=100\n"
    "step kind=branches end=11 op=\"scf.if\" name=\"if0\"\n"
    "step kind=body end=5 name=\"then\"\n"
    "step kind=unit end=5 op=\"conv\" core_cycles=2 unit_cycles=300\n"
    "step kind=body end=11 name=\"else\"\n"
    "step kind=unit end=7 op=\"add\" unit_cycles=20\n"
    "step kind=loop end=11 op=\"scf.while\" name=\"loop0\" trips=-1\n"
    "step kind=body end=10\n"
    "step kind=operator end=10 op=\"test\" core_cycles=1\n"
    "step kind=body end=11\n"
    "step kind=await end=12 op=\"dma_wait\" accesses=2+1\n"
    "step kind=loop end=14 op=\"scf.for\" name=\"loop1\" trips=3\n"
    "step kind=body end=14\n"
    "access kind=read slice=0\n"
    "access kind=overwrite slice=0\n"
    "access kind=read slice=1\n"
    "value kind=other step=0\n"
    "value kind=token step=0\n"
    "slice value=0 bytes=64\n"
    "slice value=1\n";

static void test_cost(void) {
  LunaArena arena = {0};
  LunaModel model = read_model(times, &arena);
  const char *name = "if0=else";
  LunaCostRecord record = luna_model_cost(&model, &name, 1, &arena);
  CHECK_EQ(record.path_count, 2);
  CHECK_EQ(record.at_most_cycles, 0); // data decides how often loop0 runs
  const LunaPathCost *none = &record.paths[0], *then = &record.paths[1];
  CHECK_STR(none->path, "if0=else");
  CHECK_EQ(none->compute, 20);
  CHECK_EQ(none->host, 6); // the test of loop0 once
  CHECK_EQ(none->stall, 79);
  CHECK_EQ(none->cycles, 105);
  CHECK_EQ(none->dma, 100);
  CHECK_EQ(none->bound, 100);
  CHECK_EQ(none->transfers, 1);
  CHECK_EQ(none->dma_bytes, 64);
  CHECK_EQ(none->loop_count, 1);
  CHECK_STR(none->loops[0].loop, "loop0");
  CHECK_EQ(none->loops[0].cycles, 0); // the transfer takes longer
  CHECK_STR(then->path, "if0=then");
  CHECK_EQ(then->cycles, 307);
  CHECK_EQ(then->stall, 0);
  CHECK_EQ(then->loop_count, 0);
  model.steps.items[7].trips = 2;
  record = luna_model_cost(&model, &name, 0, &arena);
  CHECK_EQ(record.path_count, 1);
  CHECK_EQ(record.at_most_cycles, 307);
  luna_arena_destroy(&arena);
}

// Two large buffers, each made and read by one operator, and what is made of
// them; the reader of the second needs a scalar and writes an argument.
static const char two_chains[] =
    "step kind=body end=8\n"
    "step kind=operator end=2 op=\"a\" accesses=0+1\n"
    "step kind=operator end=3 op=\"b\" accesses=1+1\n"
    "step kind=scalar end=4 op=\"s\"\n"
    "step kind=operator end=5 op=\"ra\" accesses=2+2\n"
    "step kind=operator end=6 op=\"rb\" accesses=4+3 needs=0+1\n"
    "step kind=operator end=7 op=\"join\" accesses=7+2\n"
    "step kind=pass end=8 op=\"end\"\n"
    "access kind=overwrite slice=0\n"
    "access kind=overwrite slice=1\n"
    "access kind=read slice=0\n"
    "access kind=overwrite slice=2\n"
    "access kind=read slice=1\n"
    "access kind=overwrite slice=3\n"
    "access kind=modify slice=4\n"
    "access kind=read slice=2\n"
    "access kind=read slice=3\n"
    "need step=3\n"
    "value kind=buffer is_on_chip bytes=100 step=0 sources=0+1\n"
    "value kind=buffer is_on_chip bytes=100 step=0 sources=1+1\n"
    "value kind=buffer is_on_chip bytes=16 step=0 sources=2+1\n"
    "value kind=buffer is_on_chip bytes=16 step=0 sources=3+1\n"
    "value kind=argument step=0 has_other\n"
    "source value=0\nsource value=1\nsource value=2\nsource value=3\n"
    "slice value=0\nslice value=1\nslice value=2\nslice value=3\n"
    "slice value=4\n";

static LunaModelOrders orders_of(const LunaModel *model, LunaArena *arena) {
  LunaModelOrders orders = {0};
  luna_model_orders(model, 1000, arena, &orders);
  return orders;
}

// Returns the place of a step in the only order.
static uint32_t place_of(const LunaModelOrders *orders, LunaModelId step) {
  uint32_t place = 0;
  while (orders->items[0].steps[place] != step)
    ++place;
  return place;
}

static void test_order(void) {
  LunaArena arena = {0};
  LunaModel model = read_model(two_chains, &arena);
  LunaModelOrders orders = orders_of(&model, &arena);
  CHECK_EQ(orders.count, 1);
  CHECK_EQ(orders.items[0].body, 0);
  CHECK_EQ(orders.items[0].count, 6);
  bool is_a_first = place_of(&orders, 1) < place_of(&orders, 2);
  CHECK(is_a_first ? place_of(&orders, 4) < place_of(&orders, 2)
                   : place_of(&orders, 5) < place_of(&orders, 1));
  CHECK(place_of(&orders, 3) < place_of(&orders, 5));
  model.steps.items[2].is_opaque = true;
  CHECK_EQ(orders_of(&model, &arena).count, 0);
  model.steps.items[2].is_opaque = false;
  // Its reader needs the maker of the other buffer, and both readers write the
  // argument.
  model.needs.items[0] = 2;
  model.steps.items[4].need_count = 1;
  CHECK_EQ(orders_of(&model, &arena).count, 1);
  model.accesses.items[3].slice = 4;
  CHECK_EQ(orders_of(&model, &arena).count, 0);
  luna_arena_destroy(&arena);
}

static void test_open_size(void) {
  LunaArena arena = {0};
  LunaModelProblem problem;
  LunaModelProblemOptions options = {.align_bytes = 16};
  LunaError error = {0};
  LunaModel model = read_model(
      "step kind=body end=2\nstep kind=allocate end=2 op=\"memref.alloc\" "
      "accesses=0+1\naccess kind=modify slice=0\n"
      "value kind=buffer is_on_chip bytes=-1 step=1 sources=0+1\n"
      "source value=0\nslice value=0 bytes=-1\n",
      &arena);
  CHECK(!luna_model_problem(&model, &options, &arena, &problem, &error));
  CHECK_EQ(error.item, 0);
  CHECK_STR(error.message,
            "allocation has a dynamic shape, static ones are planned");
  luna_arena_destroy(&arena);
}

int main(void) {
  RUN_TEST(test_chain);
  RUN_TEST(test_live);
  RUN_TEST(test_names);
  RUN_TEST(test_branches);
  RUN_TEST(test_loop);
  RUN_TEST(test_cost);
  RUN_TEST(test_order);
  RUN_TEST(test_open_size);
  return 0;
}
