// The slowest path against all runs of random programs, one by one.

#include "luna/timing.h"

#include <string.h>

#include "check.h"

//===- Building -----------------------------------------------------------===//

typedef struct Program {
  LunaArena arena;
  LunaModel model;
  LunaModelId open; // the innermost step that has not ended
  uint32_t branches, loops;
} Program;

static LunaModelStep *begin(Program *program, LunaModelStepKind kind) {
  LunaModelId id = (LunaModelId)program->model.steps.count;
  LunaModelStep *step = LUNA_VECTOR_ADD(&program->arena, &program->model.steps);
  *step = (LunaModelStep){
      .kind = kind, .parent = program->open, .condition_loop = LUNA_MODEL_NONE};
  program->open = id;
  return step;
}

static LunaModelId end(Program *program) {
  LunaModelId id = program->open;
  LunaModelStep *step = &program->model.steps.items[id];
  step->end = (LunaModelId)program->model.steps.count;
  program->open = step->parent;
  return id;
}

enum { TOKENS = 3 };

// Each token has a value, a slice and an access of its number.
static Program begin_program(void) {
  Program program = {.open = LUNA_MODEL_NONE};
  for (uint32_t i = 0; i < TOKENS; ++i) {
    *LUNA_VECTOR_ADD(&program.arena, &program.model.slices) =
        (LunaModelSlice){.value = i, .bytes = 1};
    LUNA_VECTOR_ADD(&program.arena, &program.model.accesses)->slice = i;
    *LUNA_VECTOR_ADD(&program.arena, &program.model.values) = (LunaModelValue){
        .kind = LUNA_MODEL_TOKEN, .first_source = i, .source_count = 1};
    *LUNA_VECTOR_ADD(&program.arena, &program.model.sources) = i;
  }
  begin(&program, LUNA_MODEL_BODY);
  return program;
}

static void begin_body(Program *program, const char *name) {
  begin(program, LUNA_MODEL_BODY)->name = name;
}

static void add_work(Program *program, int64_t core_cycles) {
  begin(program, LUNA_MODEL_OPERATOR)->core_cycles = core_cycles;
  end(program);
}

static void start(Program *program, int64_t dma_cycles, LunaModelId token) {
  LunaModelStep *step = begin(program, LUNA_MODEL_TRANSFER);
  step->dma_cycles = dma_cycles;
  step->access_count = 1;
  step->token = token;
  end(program);
}

static void await(Program *program, LunaModelId token) {
  LunaModelStep *step = begin(program, LUNA_MODEL_AWAIT);
  step->first_access = token;
  step->access_count = 1;
  end(program);
}

static void add_transfer(Program *program, int64_t dma_cycles) {
  start(program, dma_cycles, 0);
}

static void add_await(Program *program) { await(program, 0); }

static void begin_loop(Program *program, int64_t trips) {
  begin(program, LUNA_MODEL_LOOP)->trips = trips;
  begin_body(program, NULL);
}

static void end_loop(Program *program) {
  end(program);
  end(program);
}

// Begins branches by `condition`, which `loop` computes.
static void begin_branches(Program *program, uint32_t condition,
                           LunaModelId loop) {
  LunaModelStep *step = begin(program, LUNA_MODEL_BRANCHES);
  step->name = luna_arena_printf(&program->arena, "if%u", program->branches++);
  step->condition = condition;
  step->condition_loop = loop;
}

//===- Every run ----------------------------------------------------------===//

enum { TAPE_MAX = 16 };

// A run decides by a tape: one entry for each condition that it computes.
typedef struct Oracle {
  const LunaModelStep *steps;
  uint64_t now, engine_free;
  int32_t outcome[64]; // by condition
  LunaModelId loop_of[64];
  int32_t tape[TAPE_MAX];
  int used;
  bool is_per_path; // a branch goes the same way in each iteration
  struct {
    LunaModelId token;
    uint64_t end;
  } flights[256]; // in order of start
  int flight_count;
} Oracle;

static int32_t decide(Oracle *oracle, const LunaModelStep *branch) {
  int32_t *outcome = &oracle->outcome[branch->condition];
  oracle->loop_of[branch->condition] = branch->condition_loop;
  if (*outcome < 0) {
    CHECK(oracle->used < TAPE_MAX);
    *outcome = oracle->tape[oracle->used++];
  }
  return branch->is_negated ? 1 - *outcome : *outcome;
}

static void begin_iteration(Oracle *oracle, LunaModelId loop) {
  for (int c = 0; c < 64; ++c)
    if (oracle->outcome[c] >= 0 && oracle->loop_of[c] == loop &&
        !oracle->is_per_path)
      oracle->outcome[c] = -1;
}

static void run_within(Oracle *oracle, LunaModelId outer);

static void run_loop(Oracle *oracle, LunaModelId id) {
  const LunaModelStep *steps = oracle->steps;
  int64_t trips = luna_model_trips(&steps[id], 1);
  for (int64_t i = 0; i < trips; ++i) {
    begin_iteration(oracle, id);
    run_within(oracle, id);
  }
  begin_iteration(oracle, id);
  if (steps[id + 1].end < steps[id].end)
    run_within(oracle, id + 1);
}

static void run_await(Oracle *oracle, LunaModelId token) {
  int i = 0;
  while (i < oracle->flight_count && oracle->flights[i].token != token)
    ++i;
  if (i == oracle->flight_count)
    return;
  if (oracle->now < oracle->flights[i].end)
    oracle->now = oracle->flights[i].end;
  for (--oracle->flight_count; i < oracle->flight_count; ++i)
    oracle->flights[i] = oracle->flights[i + 1];
}

static void run_step(Oracle *oracle, const LunaModelStep *step) {
  oracle->now += (uint64_t)step->core_cycles;
  if (oracle->engine_free < oracle->now)
    oracle->engine_free = oracle->now;
  oracle->engine_free += (uint64_t)step->dma_cycles;
  if (step->kind == LUNA_MODEL_AWAIT)
    run_await(oracle, step->first_access);
  if (step->kind == LUNA_MODEL_TRANSFER) {
    CHECK(oracle->flight_count < 256);
    oracle->flights[oracle->flight_count].token = step->token;
    oracle->flights[oracle->flight_count++].end = oracle->engine_free;
  }
}

static void run_within(Oracle *oracle, LunaModelId outer) {
  const LunaModelStep *steps = oracle->steps;
  for (LunaModelId id = outer + 1; id < steps[outer].end; id = steps[id].end)
    if (steps[id].kind == LUNA_MODEL_BRANCHES)
      run_within(oracle,
                 decide(oracle, &steps[id]) == 0 ? id + 1 : steps[id + 1].end);
    else if (steps[id].kind == LUNA_MODEL_LOOP)
      run_loop(oracle, id);
    else if (steps[id].kind == LUNA_MODEL_BODY)
      run_within(oracle, id);
    else
      run_step(oracle, &steps[id]);
}

// Goes to the next tape. Returns false after the last.
static bool next_tape(Oracle *oracle) {
  for (int i = oracle->used; i-- > 0;) {
    if (++oracle->tape[i] < 2)
      return true;
    oracle->tape[i] = 0;
  }
  return false;
}

static uint64_t slowest_run(const LunaModel *model, bool is_per_path) {
  Oracle oracle = {.steps = model->steps.items, .is_per_path = is_per_path};
  uint64_t slowest = 0;
  do {
    oracle.now = oracle.engine_free =
        (uint64_t)model->steps.items[0].core_cycles;
    oracle.used = oracle.flight_count = 0;
    memset(oracle.outcome, 0xff, sizeof oracle.outcome);
    run_within(&oracle, 0);
    slowest = oracle.now > slowest ? oracle.now : slowest;
  } while (next_tape(&oracle));
  return slowest;
}

//===- Random programs ----------------------------------------------------===//

typedef struct Random {
  uint64_t state;
  Program *program;
  LunaModelId loop_of[64]; // by condition
  uint32_t conditions;
  int branches; // left to add
  LunaModelId loops[4];
  int depth;     // of loops
  int decisions; // that a run takes at most, so far
  int repeat;    // of what is added
} Random;

static uint64_t draw(Random *random, uint64_t below) {
  random->state = random->state * 6364136223846793005u + 1442695040888963407u;
  return (random->state >> 33) % below;
}

// A condition of an outer scope, or a new one of any open scope.
static uint32_t draw_condition(Random *random) {
  if (random->conditions > 0 && draw(random, 3) == 0) {
    uint32_t known = (uint32_t)draw(random, random->conditions);
    LunaModelId loop = random->loop_of[known];
    bool is_open = loop == LUNA_MODEL_NONE;
    for (int i = 0; i < random->depth; ++i)
      is_open = is_open || random->loops[i] == loop;
    if (is_open)
      return known;
  }
  int scope = (int)draw(random, (uint64_t)random->depth + 1);
  random->loop_of[random->conditions] =
      scope == 0 ? LUNA_MODEL_NONE : random->loops[scope - 1];
  return random->conditions++;
}

static void fill(Random *random, int nesting);

static void add_branch(Random *random, int nesting) {
  uint32_t condition = draw_condition(random);
  begin_branches(random->program, condition, random->loop_of[condition]);
  random->program->model.steps.items[random->program->open].is_negated =
      draw(random, 4) == 0;
  random->decisions += random->repeat;
  --random->branches;
  for (int i = 0; i < 2; ++i) {
    begin_body(random->program, i == 0 ? "then" : "else");
    fill(random, nesting + 1);
    end(random->program);
  }
  end(random->program);
}

static void add_loop(Random *random, int nesting) {
  Program *program = random->program;
  int64_t trips = (int64_t)draw(random, 4) - 1;
  int bodies = (int)draw(random, 2) + 1, repeat = random->repeat;
  begin(program, LUNA_MODEL_LOOP)->trips = trips;
  random->repeat *= (int)(trips > 0 ? trips : 1) + bodies - 1;
  random->loops[random->depth++] = program->open;
  for (int b = 0; b < bodies; ++b) {
    begin_body(program, NULL);
    fill(random, nesting + 1);
    end(program);
  }
  --random->depth;
  random->repeat = repeat;
  end(program);
}

// The transfers of a body that are in flight, by token.
typedef uint64_t InFlight[TOKENS];

static void add_start(Random *random, InFlight in_flight) {
  LunaModelId token = (LunaModelId)draw(random, TOKENS);
  start(random->program, (int64_t)draw(random, 30), token);
  ++in_flight[token];
}

static void add_awaits(Random *random, InFlight in_flight, uint64_t most) {
  LunaModelId first = (LunaModelId)draw(random, TOKENS);
  for (LunaModelId i = 0; i < TOKENS; ++i)
    for (LunaModelId token = (first + i) % TOKENS;
         in_flight[token] > 0 && most > 0; --most, --in_flight[token])
      await(random->program, token);
}

// What a body starts it awaits.
static void fill(Random *random, int nesting) {
  InFlight in_flight = {0};
  for (uint64_t left = 1 + draw(random, 5); left > 0; --left) {
    uint64_t kind = draw(random, 8);
    bool has_room = random->decisions + random->repeat <= 12;
    if (kind < 2 && nesting < 3 && random->branches > 0 && has_room)
      add_branch(random, nesting);
    else if (kind == 2 && nesting < 3 && random->depth < 2)
      add_loop(random, nesting);
    else if (kind < 5)
      add_work(random->program, (int64_t)draw(random, 20));
    else if (kind < 7)
      add_start(random, in_flight);
    else
      add_awaits(random, in_flight, 1);
  }
  add_awaits(random, in_flight, UINT64_MAX);
}

static void the_slowest_path_is_that_of_all_runs(void) {
  int with_bound = 0, with_branches = 0;
  for (uint64_t seed = 1; seed <= 4000; ++seed) {
    Program program = begin_program();
    Random random = {
        .state = seed, .program = &program, .branches = 12, .repeat = 1};
    program.model.steps.items[0].core_cycles = (int64_t)(seed % 9);
    fill(&random, 0);
    end(&program);
    const LunaModel *model = &program.model;
    LunaSlowestPath slowest = luna_timing_slowest(model, &program.arena);
    uint64_t of_runs = slowest_run(model, false);
    uint64_t of_paths = slowest_run(model, true);
    CHECK(slowest.at_most_cycles == of_runs);
    CHECK(slowest.cycles <= of_paths);
    if (slowest.cycles != of_paths)
      CHECK(slowest.at_most_cycles > slowest.cycles);
    const char *name =
        luna_timing_path_name(model, slowest.ways, &program.arena);
    const LunaTimingWay *read =
        luna_timing_read_path(model, name, &program.arena);
    CHECK(memcmp(read, slowest.ways, model->steps.count * sizeof *read) == 0);
    CHECK(luna_timing_path(model, read, NULL).cycles == slowest.cycles);
    with_bound += slowest.at_most_cycles > slowest.cycles;
    with_branches += program.branches > 1;
    luna_arena_destroy(&program.arena);
  }
  CHECK(with_branches > 1000 && with_bound > 0 && with_bound < 400);
}

//===- By hand ------------------------------------------------------------===//

static LunaSlowestPath slowest_of(Program *program) {
  end(program);
  return luna_timing_slowest(&program->model, &program->arena);
}

static LunaModelId add_if(Program *program, uint32_t condition,
                          LunaModelId loop, int64_t then_cycles,
                          int64_t else_cycles) {
  begin_branches(program, condition, loop);
  begin_body(program, "then");
  add_work(program, then_cycles);
  end(program);
  begin_body(program, "else");
  add_work(program, else_cycles);
  end(program);
  return end(program);
}

static void neither_all_then_nor_all_else(void) {
  Program program = begin_program();
  LunaModelId ids[60];
  for (uint32_t i = 0; i < 60; ++i)
    ids[i] =
        add_if(&program, i, LUNA_MODEL_NONE, i % 2 ? 100 : 1, i % 2 ? 1 : 100);
  LunaSlowestPath slowest = slowest_of(&program);
  CHECK(slowest.cycles == 6000 && slowest.at_most_cycles == 6000);
  CHECK(slowest.ways[ids[0]] == 1 && slowest.ways[ids[1]] == 0);
  luna_arena_destroy(&program.arena);
}

static void one_condition_decides_once(void) {
  Program program = begin_program();
  add_if(&program, 0, LUNA_MODEL_NONE, 100, 1);
  add_if(&program, 0, LUNA_MODEL_NONE, 1, 60);
  LunaSlowestPath slowest = slowest_of(&program);
  CHECK(slowest.cycles == 101 && slowest.at_most_cycles == 101);
  CHECK_STR(luna_timing_path_name(&program.model, slowest.ways, &program.arena),
            "if0=then/if1=then");
  luna_arena_destroy(&program.arena);
}

static void decisions_may_change_from_iteration_to_iteration(void) {
  Program program = begin_program();
  begin_loop(&program, 2);
  begin_branches(&program, 0, 1);
  begin_body(&program, "then");
  add_transfer(&program, 50);
  end(&program);
  begin_body(&program, "else");
  add_await(&program);
  add_work(&program, 10);
  end(&program);
  end(&program);
  end_loop(&program);
  LunaSlowestPath slowest = slowest_of(&program);
  CHECK(slowest.at_most_cycles == 60);
  CHECK(slowest.cycles < 60);
  luna_arena_destroy(&program.arena);
}

// Two transfers queue up; the second one is awaited at its end, the first one
// then has ended.
static void transfers_end_in_order_of_start(void) {
  Program program = begin_program();
  start(&program, 50, 0);
  start(&program, 30, 1);
  await(&program, 1);
  add_work(&program, 5);
  await(&program, 0);
  start(&program, 20, 0);
  start(&program, 1000, 2);
  await(&program, 0);
  CHECK(slowest_of(&program).cycles == 105);
  luna_arena_destroy(&program.arena);
}

// Either arm starts a transfer, which a token that they merge waits for; what
// was started before goes on.
static void a_merged_token_is_that_of_either_arm(void) {
  Program program = begin_program();
  *LUNA_VECTOR_ADD(&program.arena, &program.model.slices) =
      (LunaModelSlice){.value = TOKENS};
  LUNA_VECTOR_ADD(&program.arena, &program.model.accesses)->slice = TOKENS;
  *LUNA_VECTOR_ADD(&program.arena, &program.model.values) = (LunaModelValue){
      .kind = LUNA_MODEL_TOKEN, .first_source = 1, .source_count = 2};
  start(&program, 10, 0);
  begin_branches(&program, 0, LUNA_MODEL_NONE);
  begin_body(&program, "then");
  start(&program, 100, 1);
  end(&program);
  begin_body(&program, "else");
  start(&program, 200, 2);
  end(&program);
  end(&program);
  start(&program, 1000, 0);
  await(&program, TOKENS);
  LunaSlowestPath slowest = slowest_of(&program);
  CHECK(slowest.cycles == 210 && slowest.at_most_cycles == 210);
  luna_arena_destroy(&program.arena);
}

static void the_token_of_no_transfer_is_not_awaited(void) {
  Program program = begin_program();
  add_transfer(&program, 50);
  add_await(&program);
  end(&program);
  program.model.values.items[0].kind = LUNA_MODEL_NO_TOKEN;
  LunaSlowestPath slowest = luna_timing_slowest(&program.model, &program.arena);
  LunaPathTimes times = luna_timing_path(&program.model, slowest.ways, NULL);
  CHECK(slowest.at_most_cycles == 0);
  CHECK(times.cycles == 0 && times.dma == 50);
  CHECK(times.transfers == 1 && times.bytes == 1);
  luna_arena_destroy(&program.arena);
}

// 40 conditions, each asked twice, in an order that keeps all outcomes apart:
// beyond the limit the figure is an upper bound.
static void beyond_the_limit_is_an_upper_bound(void) {
  Program program = begin_program();
  for (uint32_t i = 0; i < 40; ++i)
    add_if(&program, i, LUNA_MODEL_NONE, 10, 9);
  for (uint32_t i = 0; i < 40; ++i)
    add_if(&program, i, LUNA_MODEL_NONE, 9, 11);
  LunaSlowestPath slowest = slowest_of(&program);
  CHECK(slowest.at_most_cycles >= 40 * 20 && slowest.cycles <= 40 * 20);
  CHECK(slowest.at_most_cycles > slowest.cycles);
  luna_arena_destroy(&program.arena);
}

static void many_iterations_are_not_walked(void) {
  Program program = begin_program();
  begin_loop(&program, INT64_C(1000000000000));
  add_if(&program, 0, 1, 3, 2);
  add_transfer(&program, 1);
  add_await(&program);
  end_loop(&program);
  LunaSlowestPath slowest = slowest_of(&program);
  CHECK(slowest.cycles == UINT64_C(4000000000000));
  CHECK(slowest.at_most_cycles == slowest.cycles);
  luna_arena_destroy(&program.arena);
}

// Returns true if `count` loops, each in the other, fit.
static bool fits(int count, int64_t trips, bool has_test, int64_t cycles,
                 LunaModelId *loop) {
  Program program = begin_program();
  for (int i = 0; i < count; ++i) {
    begin_loop(&program, trips);
    if (has_test) {
      end(&program);
      begin_body(&program, NULL);
    }
  }
  add_work(&program, cycles);
  while (program.open != LUNA_MODEL_NONE)
    end(&program);
  bool is_ok = luna_timing_fits(&program.model, loop);
  luna_arena_destroy(&program.arena);
  return is_ok;
}

static void more_cycles_than_a_number_holds(void) {
  LunaModelId loop = 0;
  CHECK(fits(56, 2, false, 1, &loop) && loop == LUNA_MODEL_NONE);
  CHECK(!fits(57, 2, false, 1, &loop) && loop == 1);
  CHECK(!fits(58, 2, false, 1, &loop) && loop == 3);
  CHECK(!fits(1, INT64_MAX, true, 2, &loop) && loop == 1);
  CHECK(fits(100, LUNA_MODEL_TRIPS_UNKNOWN, true, 1000, &loop));
  CHECK(!fits(0, 0, false, LUNA_TIMING_CYCLES_MAX + 1, &loop));
  CHECK(loop == LUNA_MODEL_NONE);
}

int main(void) {
  RUN_TEST(the_slowest_path_is_that_of_all_runs);
  RUN_TEST(neither_all_then_nor_all_else);
  RUN_TEST(one_condition_decides_once);
  RUN_TEST(decisions_may_change_from_iteration_to_iteration);
  RUN_TEST(transfers_end_in_order_of_start);
  RUN_TEST(a_merged_token_is_that_of_either_arm);
  RUN_TEST(the_token_of_no_transfer_is_not_awaited);
  RUN_TEST(beyond_the_limit_is_an_upper_bound);
  RUN_TEST(many_iterations_are_not_walked);
  RUN_TEST(more_cycles_than_a_number_holds);
  return 0;
}
