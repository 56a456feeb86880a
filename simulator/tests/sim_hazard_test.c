#include "luna/launches.h"
#include "sim_fixture.h"

// Every kind of hazard is provoked by one change to a program that has none.

static LunaTensorDesc row_desc(int32_t type, int32_t count) {
  return (LunaTensorDesc){.type = type,
                          .dims = {1, 1, 1, count},
                          .strides = {count, count, count, 1}};
}

// A copy of `count` bytes on chip, operator 5.
static void copy_bytes(const uint8_t *source, int32_t source_buffer,
                       uint8_t *target, int32_t target_buffer, int32_t count) {
  LunaCopyDesc copy = {.source = row_desc(LUNA_TYPE_I8, count),
                       .target = row_desc(LUNA_TYPE_I8, count)};
  luna_rt_copy(&copy,
               IDS(5, source_buffer, LUNA_NO_ID, target_buffer, LUNA_NO_ID),
               source, target);
}

// The same by an operator that computes: max pooling of one element each.
static void pool_bytes(const uint8_t *source, int32_t source_buffer,
                       uint8_t *target, int32_t target_buffer, int32_t count) {
  LunaPoolDesc pool = {.kernel = {1, 1},
                       .stride = {1, 1},
                       .input = row_desc(LUNA_TYPE_I8, count),
                       .output = row_desc(LUNA_TYPE_I8, count)};
  luna_rt_pool(&pool,
               IDS(5, source_buffer, LUNA_NO_ID, target_buffer, LUNA_NO_ID),
               source, target);
}

static void write_bytes(uint8_t *data, int32_t count, int32_t buffer) {
  host_op(1, 1, LUNA_ACCESS_WRITE, data, count, buffer, LUNA_NO_ID);
}

static void a_copy_of_what_was_written_is_clean(void) {
  Fixture fixture;
  fixture_open(&fixture);
  write_bytes(fixture.arena, 32, 0);
  copy_bytes(fixture.arena, 0, fixture.arena + 32, 1, 32);
  check_clean(&fixture);
  fixture_close(&fixture);
}

static void reading_what_nobody_wrote(void) {
  Fixture fixture;
  fixture_open(&fixture);
  write_bytes(fixture.arena, 31, 0);
  pool_bytes(fixture.arena, 0, fixture.arena + 32, 1, 32);
  check_hazard(&fixture, LUNA_HAZARD_UNINITIALISED,
               "op5: input reads byte 31 of 'arena', which was never written");
}

static void reading_another_buffers_value(void) {
  Fixture fixture;
  fixture_open(&fixture);
  CHECK(luna_simulator_add_buffer(fixture.sim, 2, fixture.arena, 64, "late",
                                  NULL));
  write_bytes(fixture.arena, 32, 0);
  write_bytes(fixture.arena + 16, 8, 2);
  pool_bytes(fixture.arena, 0, fixture.arena + 32, 1, 32);
  check_hazard(&fixture, LUNA_HAZARD_FOREIGN_VALUE,
               "op5: input reads byte 16 of 'arena' as buffer 0, but it holds "
               "buffer 2 'late'");
}

static void an_unnamed_operand_reads_anything(void) {
  Fixture fixture;
  fixture_open(&fixture);
  write_bytes(fixture.arena, 32, 0);
  pool_bytes(fixture.arena, LUNA_NO_ID, fixture.arena + 32, 1, 32);
  check_clean(&fixture);
  fixture_close(&fixture);
}

static void reading_another_content_of_a_staging_buffer(void) {
  Fixture fixture;
  fixture_open(&fixture);
  Transfer weights = load(0, 16, 4, 8);
  luna_rt_dma_wait(1, start(&weights, fixture.arena, fixture.weights));
  host_op(1, 1, LUNA_ACCESS_READ, fixture.arena, 16, 4, 8);
  host_op(2, 1, LUNA_ACCESS_READ, fixture.arena, 16, 4, 9);
  check_hazard(&fixture, LUNA_HAZARD_WRONG_CONTENT,
               "op2: operand reads byte 0 of 'arena' as content 9 of buffer 4, "
               "but it holds content 8");
}

static void reading_the_same_content_of_another_buffer(void) {
  Fixture fixture;
  fixture_open(&fixture);
  Transfer weights = load(0, 16, 4, 8);
  luna_rt_dma_wait(1, start(&weights, fixture.arena, fixture.weights));
  host_op(1, 1, LUNA_ACCESS_READ, fixture.arena, 16, 5, 8);
  check_clean(&fixture);
  fixture_close(&fixture);
}

static void reading_another_buffer_without_a_content(void) {
  Fixture fixture;
  fixture_open(&fixture);
  Transfer weights = load(0, 16, 4, 8);
  luna_rt_dma_wait(1, start(&weights, fixture.arena, fixture.weights));
  host_op(2, 1, LUNA_ACCESS_READ, fixture.arena, 16, 5, LUNA_NO_ID);
  check_hazard(&fixture, LUNA_HAZARD_FOREIGN_VALUE,
               "op2: operand reads byte 0 of 'arena' as buffer 5, but it holds "
               "buffer 4");
}

static void transferring_the_wrong_weights(void) {
  Fixture fixture;
  fixture_open(&fixture);
  CHECK(luna_simulator_add_value(fixture.sim, fixture.weights, 16, LUNA_NO_ID,
                                 8, NULL));
  CHECK(luna_simulator_add_value(fixture.sim, fixture.weights + 16, 16,
                                 LUNA_NO_ID, 9, NULL));
  luna_simulator_begin_run(fixture.sim);
  Transfer weights = load(0, 16, 4, 8);
  luna_rt_dma_wait(1, start(&weights, fixture.arena, fixture.weights + 16));
  check_hazard(&fixture, LUNA_HAZARD_WRONG_CONTENT,
               "op0: source of a transfer reads byte 16 of 'weights' as "
               "content 8 of an unnamed buffer, but it holds content 9");
}

static void a_copy_carries_undefined_bytes_along(void) {
  Fixture fixture;
  fixture_open(&fixture);
  // The second of four words belongs to another buffer, the last to none.
  LunaCopyDesc copy = {.source = row_desc(LUNA_TYPE_I32, 4),
                       .target = row_desc(LUNA_TYPE_I32, 4)};
  copy.target.strides[3] = 2;
  write_bytes(fixture.arena, 12, 0);
  write_bytes(fixture.arena + 4, 4, 9);
  luna_rt_copy(&copy, IDS(5, 0, LUNA_NO_ID, 1, LUNA_NO_ID), fixture.arena,
               fixture.arena + 64);
  pool_bytes(fixture.arena + 64, 1, fixture.arena + 128, 2, 4);
  pool_bytes(fixture.arena + 80, 1, fixture.arena + 128, 2, 4);
  pool_bytes(fixture.arena + 72, 1, fixture.arena + 128, 2, 4);
  check_hazard(&fixture, LUNA_HAZARD_UNINITIALISED,
               "op5: input reads byte 72 of 'arena', which was never written");
}

static void reading_before_the_wait(void) {
  Fixture fixture;
  fixture_open(&fixture);
  Transfer weights = load(0, 16, 4, 8);
  int32_t token = start(&weights, fixture.arena, fixture.weights);
  // Long after the transfer itself has ended: it is the wait that counts.
  host_op(3, 5000, LUNA_ACCESS_WRITE, fixture.arena + 64, 4, 1, LUNA_NO_ID);
  copy_bytes(fixture.arena + 12, 4, fixture.arena + 32, 1, 4);
  CHECK(memcmp(fixture.arena + 32, fixture.weights + 12, 4) != 0);
  luna_rt_dma_wait(1, token);
  check_hazard(&fixture, LUNA_HAZARD_READ_IN_FLIGHT,
               "op5: source is read from byte 12 of 'arena' before the wait "
               "for transfer 1 of 'op0'");
}

static void writing_to_the_target_in_flight(void) {
  Fixture fixture;
  fixture_open(&fixture);
  Transfer weights = load(0, 16, 4, 8);
  int32_t token = start(&weights, fixture.arena, fixture.weights);
  write_bytes(fixture.arena + 15, 2, 1);
  luna_rt_dma_wait(1, token);
  check_hazard(&fixture, LUNA_HAZARD_WRITE_IN_FLIGHT,
               "op1: result is written to byte 15 of 'arena' before the wait "
               "for transfer 1 of 'op0'");
}

static void writing_to_the_source_in_flight(void) {
  Fixture fixture;
  fixture_open(&fixture);
  write_bytes(fixture.arena, 16, 0);
  Transfer store = load(0, 16, LUNA_NO_ID, LUNA_NO_ID);
  store.desc.direction = LUNA_DMA_STORE;
  int32_t token = start(&store, fixture.psram, fixture.arena);
  copy_bytes(fixture.arena, 0, fixture.arena + 32, 1, 8); // Reading may be.
  write_bytes(fixture.arena + 8, 1, 1);
  luna_rt_dma_wait(1, token);
  check_hazard(&fixture, LUNA_HAZARD_WRITE_IN_FLIGHT,
               "op1: result is written to byte 8 of 'arena' before the wait "
               "for transfer 1 of 'op0'");
}

static void rows_beside_a_transfer_are_not_in_flight(void) {
  Fixture fixture;
  fixture_open(&fixture);
  write_bytes(fixture.arena, 64, 0);
  Transfer weights = load(0, 8, 4, 8);
  int32_t token = start(&weights, fixture.arena + 8, fixture.weights);
  // Bytes 0-7, 16-23, 32-39 …: around the transfer, never in it.
  LunaCopyDesc copy = {.source = row_desc(LUNA_TYPE_I8, 8),
                       .target = row_desc(LUNA_TYPE_I8, 32)};
  copy.source.dims[2] = copy.target.dims[2] = 4;
  copy.source.strides[2] = 16;
  copy.target.strides[2] = 8;
  copy.target.dims[3] = 8;
  luna_rt_copy(&copy, IDS(5, 0, LUNA_NO_ID, 1, LUNA_NO_ID), fixture.arena,
               fixture.arena + 64);
  luna_rt_dma_wait(1, token);
  check_clean(&fixture);
  fixture_close(&fixture);
}

static void touching_what_is_no_memory(void) {
  Fixture fixture;
  fixture_open(&fixture);
  write_bytes(fixture.arena, 32, 0);
  uint8_t elsewhere[32] = {1};
  copy_bytes(fixture.arena, 0, elsewhere, 1, 32);
  CHECK_EQ(elsewhere[0], 1);
  check_hazard(&fixture, LUNA_HAZARD_OUT_OF_RANGE,
               "op5: target of 32 bytes is outside every memory of the "
               "program");
}

static void running_over_the_end_of_the_arena(void) {
  Fixture fixture;
  fixture_open(&fixture);
  write_bytes(fixture.arena, 32, 0);
  copy_bytes(fixture.arena, 0, fixture.arena + FIXTURE_BYTES - 31, 1, 32);
  check_hazard(&fixture, LUNA_HAZARD_OUT_OF_RANGE,
               "op5: target of 32 bytes is outside every memory of the "
               "program");
}

static void a_missing_operand_is_no_memory(void) {
  Fixture fixture;
  fixture_open(&fixture);
  copy_bytes(NULL, 0, fixture.arena, 1, 32);
  check_hazard(&fixture, LUNA_HAZARD_OUT_OF_RANGE,
               "op5: source of 32 bytes is outside every memory of the "
               "program");
}

static void leaving_the_operands_own_buffer(void) {
  Fixture fixture;
  fixture_open(&fixture);
  CHECK(
      luna_simulator_add_buffer(fixture.sim, 0, fixture.arena, 32, "a", NULL));
  CHECK(luna_simulator_add_buffer(fixture.sim, 1, fixture.arena + 32, 16, "b",
                                  NULL));
  write_bytes(fixture.arena, 32, 0);
  copy_bytes(fixture.arena, 0, fixture.arena + 32, 1, 32);
  check_hazard(&fixture, LUNA_HAZARD_OUT_OF_BUFFER,
               "op5: target covers bytes 0 to 32 of buffer 1 'b', which has "
               "16");
}

static void writing_to_weights(void) {
  Fixture fixture;
  fixture_open(&fixture);
  write_bytes(fixture.arena, 16, 0);
  Transfer store = load(0, 16, LUNA_NO_ID, LUNA_NO_ID);
  store.desc.direction = LUNA_DMA_STORE;
  luna_rt_dma_wait(0, start(&store, fixture.weights, fixture.arena));
  CHECK_EQ(fixture.weights[1], 3);
  check_hazard(&fixture, LUNA_HAZARD_READ_ONLY,
               "op0: target of a transfer writes to byte 0 of 'weights', which "
               "is read-only");
}

static void unit_operands_lie_on_chip(void) {
  Fixture fixture;
  fixture_open(&fixture);
  copy_bytes(fixture.psram, LUNA_NO_ID, fixture.arena, 1, 32);
  check_hazard(&fixture, LUNA_HAZARD_NOT_ON_CHIP,
               "op5: source is in 'psram', operands must be in shared "
               "memory");
}

static void operands_are_aligned_to_their_elements(void) {
  Fixture fixture;
  fixture_open(&fixture);
  LunaFillDesc fill = {.target = row_desc(LUNA_TYPE_I32, 4)};
  luna_rt_fill(&fill, IDS(6, 0, LUNA_NO_ID), fixture.arena + 2);
  check_hazard(&fixture, LUNA_HAZARD_MISALIGNED,
               "op6: target starts at byte 2 of 'arena', must be a multiple of "
               "4");
}

static void transfers_take_whole_granules(void) {
  Fixture fixture;
  fixture_open(&fixture);
  Transfer weights = load(0, 6, 4, 8);
  luna_rt_dma_wait(1, start(&weights, fixture.arena, fixture.weights));
  const LunaRunResult *result = luna_simulator_end_run(fixture.sim);
  CHECK_EQ(result->hazard_count, 2); // At either end.
  CHECK_EQ(result->hazards[0].kind, LUNA_HAZARD_MISALIGNED);
  CHECK_STR(result->hazards[1].message,
            "target of a transfer of 6 bytes at byte 0 of 'arena', both "
            "must be multiples of 4");
  fixture_close(&fixture);
}

static void padding_of_a_granule_holds_no_value(void) {
  Fixture fixture;
  fixture_open(&fixture);
  write_bytes(fixture.arena, 6, 0);
  Transfer store = load(0, 8, 3, LUNA_NO_ID);
  store.desc.direction = LUNA_DMA_STORE;
  luna_rt_dma_wait(0, start(&store, fixture.psram, fixture.arena));
  host_op(1, 1, LUNA_ACCESS_READ, fixture.psram, 6, 3, LUNA_NO_ID);
  host_op(2, 1, LUNA_ACCESS_READ, fixture.psram, 7, 3, LUNA_NO_ID);
  check_hazard(&fixture, LUNA_HAZARD_UNINITIALISED,
               "op2: operand reads byte 6 of 'psram', which was never written");
}

static void an_output_over_its_input(void) {
  Fixture fixture;
  fixture_open(&fixture);
  write_bytes(fixture.arena, 64, 0);
  copy_bytes(fixture.arena, 0, fixture.arena + 16, 0, 32);
  check_hazard(&fixture, LUNA_HAZARD_OVERLAP, "op5: target overlaps source");
}

// A unit that only shifts leaves scales to the core, if the program says so.
static void what_the_unit_cannot_is_the_cores(void) {
  LunaMachine machine = fixture_machine();
  machine.requant_multiplier = false;
  Fixture fixture;
  LunaEltwiseDesc add = {.lhs = row_desc(LUNA_TYPE_I8, 16),
                         .rhs = row_desc(LUNA_TYPE_I8, 16),
                         .output = row_desc(LUNA_TYPE_I8, 16),
                         .lhs_multiplier = 1 << 30,
                         .lhs_shift = 30};
  const int32_t *ids = IDS(2, 0, LUNA_NO_ID, 0, LUNA_NO_ID, LUNA_NO_ID,
                           LUNA_NO_ID, LUNA_NO_ID, LUNA_NO_ID);
  fixture_open_on(&fixture, &machine);
  write_bytes(fixture.arena, 32, 0);
  add.on_core = 1;
  luna_rt_eltwise(&add, ids, fixture.arena, fixture.arena + 16, NULL,
                  fixture.arena + 32);
  check_clean(&fixture);
  fixture_close(&fixture);
  fixture_open_on(&fixture, &machine);
  write_bytes(fixture.arena, 32, 0);
  add.on_core = 0;
  luna_rt_eltwise(&add, ids, fixture.arena, fixture.arena + 16, NULL,
                  fixture.arena + 32);
  check_hazard(&fixture, LUNA_HAZARD_BAD_DESCRIPTOR,
               "op2: the unit cannot compute so, and the core is not told to");
}

// A sum whose left operand is shifted, in place, with a scratch at `scratch`.
static void add_shifted(Fixture *fixture, int32_t scratch) {
  LunaMachine machine = fixture_machine();
  machine.requant_multiplier = false;
  LunaEltwiseDesc add = {.lhs = row_desc(LUNA_TYPE_I8, 16),
                         .rhs = row_desc(LUNA_TYPE_I8, 16),
                         .scratch = row_desc(LUNA_TYPE_I8, 16),
                         .output = row_desc(LUNA_TYPE_I8, 16),
                         .lhs_multiplier = 1 << 30,
                         .lhs_shift = 31,
                         .requant = {.mode = LUNA_REQUANT_SHIFT,
                                     .clamp_min = -128,
                                     .clamp_max = 127}};
  fixture_open_on(fixture, &machine);
  memset(fixture->arena, 4, 32);
  write_bytes(fixture->arena, 32, 0);
  luna_rt_eltwise(&add,
                  IDS(2, 0, LUNA_NO_ID, 0, LUNA_NO_ID, LUNA_NO_ID, LUNA_NO_ID,
                      0, LUNA_NO_ID),
                  fixture->arena, fixture->arena + 16, fixture->arena + scratch,
                  fixture->arena);
}

static void a_scratch_is_no_operand(void) {
  Fixture fixture;
  add_shifted(&fixture, 32);
  CHECK_EQ(((int8_t *)fixture.arena)[15], 2 + 4);
  check_clean(&fixture);
  fixture_close(&fixture);
  add_shifted(&fixture, 16);
  check_hazard(&fixture, LUNA_HAZARD_OVERLAP,
               "op2: scratch overlaps right operand");
}

static void the_core_computes_averages_alone(void) {
  LunaMachine machine = fixture_machine();
  machine.requant_multiplier = false;
  LunaPoolDesc pool = {.kernel = {1, 1},
                       .stride = {1, 1},
                       .input = row_desc(LUNA_TYPE_I8, 16),
                       .output = row_desc(LUNA_TYPE_I8, 16)};
  static const char *const messages[] = {
      [LUNA_POOL_MAX] = "op3: the core computes no maximum",
      [LUNA_POOL_AVERAGE] =
          "op3: the unit cannot compute so, and the core is not told to"};
  for (int32_t kind = LUNA_POOL_MAX; kind <= LUNA_POOL_AVERAGE; ++kind) {
    Fixture fixture;
    fixture_open_on(&fixture, &machine);
    write_bytes(fixture.arena, 16, 0);
    pool.kind = kind;
    pool.tiling.finish = kind == LUNA_POOL_MAX;
    luna_rt_pool(&pool, IDS(3, 0, LUNA_NO_ID, LUNA_NO_ID, LUNA_NO_ID),
                 fixture.arena, fixture.arena + 32);
    check_hazard(&fixture, LUNA_HAZARD_BAD_DESCRIPTOR, messages[kind]);
  }
}

static void an_elementwise_operator_may_work_in_place(void) {
  Fixture fixture;
  fixture_open(&fixture);
  write_bytes(fixture.arena, 32, 0);
  LunaEltwiseDesc add = {.lhs = row_desc(LUNA_TYPE_I8, 16),
                         .rhs = row_desc(LUNA_TYPE_I8, 16),
                         .output = row_desc(LUNA_TYPE_I8, 16)};
  luna_rt_eltwise(&add,
                  IDS(2, 0, LUNA_NO_ID, 0, LUNA_NO_ID, LUNA_NO_ID, LUNA_NO_ID,
                      0, LUNA_NO_ID),
                  fixture.arena, fixture.arena + 16, NULL, fixture.arena);
  check_clean(&fixture);
  fixture_close(&fixture);
}

static void a_unit_that_does_not_work_in_place(void) {
  LunaMachine machine = fixture_machine();
  machine.vector_in_place = false;
  const int32_t *ids = IDS(2, 0, LUNA_NO_ID, 0, LUNA_NO_ID, LUNA_NO_ID,
                           LUNA_NO_ID, 0, LUNA_NO_ID);
  LunaEltwiseDesc add = {.lhs = row_desc(LUNA_TYPE_I8, 16),
                         .rhs = row_desc(LUNA_TYPE_I8, 16),
                         .output = row_desc(LUNA_TYPE_I8, 16)};
  Fixture fixture;
  fixture_open_on(&fixture, &machine);
  write_bytes(fixture.arena, 32, 0);
  add.on_core = 1;
  luna_rt_eltwise(&add, ids, fixture.arena, fixture.arena + 16, NULL,
                  fixture.arena);
  check_clean(&fixture);
  fixture_close(&fixture);
  fixture_open_on(&fixture, &machine);
  write_bytes(fixture.arena, 32, 0);
  add.on_core = 0;
  luna_rt_eltwise(&add, ids, fixture.arena, fixture.arena + 16, NULL,
                  fixture.arena);
  check_hazard(&fixture, LUNA_HAZARD_OVERLAP,
               "op2: output overlaps left operand");
}

// Bytes 0 to 15 by a table in bytes 256 to 511, in place.
static void look_up(Fixture *fixture, int32_t on_core) {
  LunaTableDesc desc = {.input = row_desc(LUNA_TYPE_I8, 16),
                        .table = row_desc(LUNA_TYPE_I8, 256),
                        .output = row_desc(LUNA_TYPE_I8, 16),
                        .on_core = on_core};
  luna_rt_table(&desc, NULL, fixture->arena, fixture->arena + 256,
                fixture->arena);
}

static void a_unit_without_tables(void) {
  LunaMachine machine = fixture_machine();
  machine.call_count = 0;
  Fixture fixture;
  fixture_open_on(&fixture, &machine);
  write_bytes(fixture.arena, 512, 0);
  look_up(&fixture, 1);
  check_clean(&fixture);
  fixture_close(&fixture);
  fixture_open_on(&fixture, &machine);
  write_bytes(fixture.arena, 512, 0);
  look_up(&fixture, 0);
  check_hazard(
      &fixture, LUNA_HAZARD_BAD_DESCRIPTOR,
      "program: the unit has no such call, and the core is not told to "
      "compute");
}

static void more_transfers_than_the_engine_takes(void) {
  Fixture fixture;
  fixture_open(&fixture);
  Transfer weights = load(0, 16, 4, 8);
  int32_t first = start(&weights, fixture.arena, fixture.weights);
  int32_t second = start(&weights, fixture.arena + 16, fixture.weights);
  luna_rt_dma_wait(1, first);
  luna_rt_dma_wait(1, second);
  check_hazard(&fixture, LUNA_HAZARD_TOO_MANY_TRANSFERS,
               "op0: starts a transfer with 1 outstanding, machine 'toy' takes "
               "1");
}

static void a_channel_that_is_not_there(void) {
  Fixture fixture;
  fixture_open(&fixture);
  Transfer weights = load(0, 16, 4, 8);
  weights.desc.channel = 1;
  luna_rt_dma_wait(0, start(&weights, fixture.arena, fixture.weights));
  check_hazard(&fixture, LUNA_HAZARD_BAD_TRANSFER,
               "op0: transfer on channel 1, machine 'toy' has 1");
}

static void a_direction_that_the_ends_contradict(void) {
  Fixture fixture;
  fixture_open(&fixture);
  Transfer weights = load(0, 16, 4, 8);
  weights.desc.direction = LUNA_DMA_STORE;
  luna_rt_dma_wait(0, start(&weights, fixture.arena, fixture.weights));
  check_hazard(&fixture, LUNA_HAZARD_BAD_TRANSFER,
               "op0: transfer from psram to shared memory in direction 1");
}

static void ends_of_a_transfer_that_overlap(void) {
  Fixture fixture;
  fixture_open(&fixture);
  write_bytes(fixture.arena, 32, 0);
  Transfer move = load(0, 16, 4, 8);
  move.desc.direction = LUNA_DMA_ON_CHIP;
  luna_rt_dma_wait(0, start(&move, fixture.arena + 8, fixture.arena));
  check_hazard(&fixture, LUNA_HAZARD_OVERLAP,
               "op0: source and target of a transfer of 16 bytes overlap");
}

static void waiting_twice(void) {
  Fixture fixture;
  fixture_open(&fixture);
  Transfer weights = load(0, 16, 4, 8);
  int32_t token = start(&weights, fixture.arena, fixture.weights);
  luna_rt_dma_wait(1, token);
  luna_rt_dma_wait(1, 0);
  luna_rt_dma_wait(1, token);
  check_hazard(&fixture, LUNA_HAZARD_BAD_TOKEN,
               "op1: waits for transfer 1, which was already awaited");
}

static void waiting_for_nothing(void) {
  Fixture fixture;
  fixture_open(&fixture);
  luna_rt_dma_wait(1, 9);
  check_hazard(&fixture, LUNA_HAZARD_BAD_TOKEN,
               "op1: waits for transfer 9, which was never started");
}

static void never_waiting(void) {
  Fixture fixture;
  fixture_open(&fixture);
  Transfer weights = load(0, 16, 4, 8);
  start(&weights, fixture.arena, fixture.weights);
  check_hazard(&fixture, LUNA_HAZARD_LOST_TOKEN,
               "op0: starts transfer 1 of 16 bytes, which is never awaited");
}

static void a_transfer_of_nothing(void) {
  Fixture fixture;
  fixture_open(&fixture);
  Transfer weights = load(0, -4, 4, 8);
  luna_rt_dma_wait(0, start(&weights, fixture.arena, fixture.weights));
  check_hazard(&fixture, LUNA_HAZARD_BAD_DESCRIPTOR,
               "op0: transfer of -4 bytes, must be at least 1");
}

static void calls_inside_a_host_operator(void) {
  Fixture fixture;
  fixture_open(&fixture);
  LunaHostDesc host = {.cycles_low = 1};
  luna_rt_host_begin(&host, IDS(3));
  luna_rt_dma_wait(4, 0);
  luna_rt_host_end();
  check_hazard(&fixture, LUNA_HAZARD_BAD_CALL,
               "op4: runtime call inside host operator 'op3'");
}

static void a_host_operator_that_never_ends_or_began(void) {
  Fixture fixture;
  fixture_open(&fixture);
  luna_rt_host_end();
  check_hazard(&fixture, LUNA_HAZARD_BAD_CALL,
               "program: host operator ends that never began");
  fixture_open(&fixture);
  LunaHostOperandDesc operand = {.access = LUNA_ACCESS_READ};
  luna_rt_host_operand(&operand, fixture.arena);
  check_hazard(&fixture, LUNA_HAZARD_BAD_CALL,
               "program: operand announced outside a host operator");
  fixture_open(&fixture);
  LunaHostDesc host = {.cycles_low = 1};
  luna_rt_host_begin(&host, IDS(3));
  check_hazard(&fixture, LUNA_HAZARD_BAD_CALL, "op3: host operator never ends");
}

static void a_host_operand_without_sense(void) {
  Fixture fixture;
  fixture_open(&fixture);
  LunaHostDesc host = {.cycles_low = 1};
  LunaHostOperandDesc operand = {.access = LUNA_ACCESS_READ, .rank = 7};
  luna_rt_host_begin(&host, IDS(3, LUNA_NO_ID, LUNA_NO_ID));
  luna_rt_host_operand(&operand, fixture.arena);
  luna_rt_host_end();
  check_hazard(&fixture, LUNA_HAZARD_BAD_DESCRIPTOR,
               "op3: host operand of rank 7, element bytes 0 and access 1");
}

static void a_host_operator_beyond_the_clock(void) {
  Fixture fixture;
  fixture_open(&fixture);
  LunaHostDesc host = {.cycles_low = 5, .cycles_high = 1 << 16};
  luna_rt_host_begin(&host, IDS(3));
  luna_rt_host_end();
  check_hazard(&fixture, LUNA_HAZARD_BAD_DESCRIPTOR,
               "op3: host operator of 281474976710661 cycles");
}

//===- Launches and descriptors -------------------------------------------===//

enum { IN = 0, WEIGHT = 256, OUT = 512, SCRATCH = 1024 };

// A 4x4x2 image, 3x3 kernel, 4 channels out, 32-bit sums.
static LunaConv2dDesc small_conv(void) {
  return (LunaConv2dDesc){
      .input = {LUNA_TYPE_I8, {1, 4, 4, 2}, {32, 8, 2, 1}},
      .weight = {LUNA_TYPE_I8, {4, 3, 3, 2}, {18, 6, 2, 1}},
      .output = {LUNA_TYPE_I32, {1, 4, 4, 4}, {64, 16, 4, 1}},
      .stride = {1, 1},
      .dilation = {1, 1},
      .pad = {1, 1, 1, 1},
  };
}

static const int32_t conv_ids[] = {
    7,          0,          LUNA_NO_ID, 1,          LUNA_NO_ID,
    LUNA_NO_ID, LUNA_NO_ID, LUNA_NO_ID, LUNA_NO_ID, 3,
    LUNA_NO_ID, 2,          LUNA_NO_ID};

static void run_conv(Fixture *fixture, const LunaConv2dDesc *desc) {
  write_bytes(fixture->arena + IN, 32, 0);
  write_bytes(fixture->arena + WEIGHT, 72, 1);
  memset(fixture->arena, 1, 512);
  LunaArena arena = {0};
  int32_t words = 0;
  luna_rt_conv2d(desc, luna_launches_conv2d(desc, &arena, &words, NULL),
                 conv_ids, fixture->arena + IN, fixture->arena + WEIGHT, NULL,
                 NULL,
                 desc->tiling.scratch_bytes ? fixture->arena + SCRATCH : NULL,
                 fixture->arena + OUT);
  luna_arena_destroy(&arena);
}

// Runs the convolution with the launches of `other`, or with none.
static void run_conv_by(Fixture *fixture, const LunaConv2dDesc *desc,
                        const LunaConv2dDesc *other) {
  LunaArena arena = {0};
  int32_t words = 0;
  const LunaProductRecord *launches =
      other ? luna_launches_conv2d(other, &arena, &words, NULL) : NULL;
  write_bytes(fixture->arena + IN, 32, 0);
  write_bytes(fixture->arena + WEIGHT, 72, 1);
  luna_rt_conv2d(desc, launches, conv_ids, fixture->arena + IN,
                 fixture->arena + WEIGHT, NULL, NULL, fixture->arena + SCRATCH,
                 fixture->arena + OUT);
  luna_arena_destroy(&arena);
}

static void launches_are_those_of_the_descriptor(void) {
  LunaConv2dDesc desc = small_conv(), other = desc;
  other.tiling.out_h = 2; // two tiles, not one
  const LunaConv2dDesc *const others[] = {NULL, &other};
  for (int i = 0; i < 2; ++i) {
    Fixture fixture;
    fixture_open(&fixture);
    run_conv_by(&fixture, &desc, others[i]);
    check_hazard(&fixture, LUNA_HAZARD_BAD_DESCRIPTOR,
                 "op7: launches are not those of the descriptor");
  }
}

static void a_convolution_on_chip_is_clean(void) {
  Fixture fixture;
  fixture_open(&fixture);
  LunaConv2dDesc desc = small_conv();
  run_conv(&fixture, &desc);
  // Depth first: two blocks of one input channel, summed in the scratch.
  desc.tiling.in_c = 1;
  desc.tiling.scratch_bytes = 256;
  run_conv(&fixture, &desc);
  int32_t corner;
  memcpy(&corner, fixture.arena + OUT, 4);
  CHECK_EQ(corner, 8);
  check_clean(&fixture);
  fixture_close(&fixture);
}

// A program without checks passes the launches alone.
static void a_convolution_without_a_descriptor_is_computed(void) {
  LunaConv2dDesc desc = small_conv();
  uint64_t cycles[2];
  for (int i = 0; i < 2; ++i) {
    Fixture fixture;
    LunaArena arena = {0};
    int32_t words = 0, corner;
    fixture_open(&fixture);
    write_bytes(fixture.arena + IN, 32, 0);
    write_bytes(fixture.arena + WEIGHT, 72, 1);
    memset(fixture.arena, 1, 512);
    luna_rt_conv2d(
        i ? NULL : &desc, luna_launches_conv2d(&desc, &arena, &words, NULL),
        i ? NULL : conv_ids, fixture.arena + IN, fixture.arena + WEIGHT, NULL,
        NULL, NULL, fixture.arena + OUT);
    memcpy(&corner, fixture.arena + OUT, 4);
    CHECK_EQ(corner, 8);
    cycles[i] = luna_simulator_end_run(fixture.sim)->cycles;
    luna_arena_destroy(&arena);
    fixture_close(&fixture);
  }
  CHECK_EQ(cycles[0], cycles[1]);
}

static void a_kernel_beyond_the_units_limit(void) {
  Fixture fixture;
  LunaMachine machine = fixture_machine();
  machine.conv.kernel_max = 2;
  fixture_open_on(&fixture, &machine);
  LunaConv2dDesc desc = small_conv();
  run_conv(&fixture, &desc);
  const LunaRunResult *result = luna_simulator_end_run(fixture.sim);
  CHECK_EQ(result->hazard_count, 1);
  CHECK_EQ(result->hazards[0].kind, LUNA_HAZARD_BAD_LAUNCH);
  fixture_close(&fixture);
}

static void a_tile_beyond_the_scratch(void) {
  Fixture fixture;
  fixture_open(&fixture);
  LunaConv2dDesc desc = small_conv();
  desc.tiling.in_c = 1;
  desc.tiling.scratch_bytes = 252;
  run_conv(&fixture, &desc);
  check_hazard(&fixture, LUNA_HAZARD_BAD_LAUNCH,
               "op7: a tile needs 256 bytes of scratch, the operator has 252");
}

static void a_requantisation_that_the_unit_lacks(void) {
  Fixture fixture;
  LunaMachine machine = fixture_machine();
  machine.requant_multiplier = false;
  fixture_open_on(&fixture, &machine);
  LunaConv2dDesc desc = small_conv();
  desc.requant = (LunaRequantDesc){.mode = LUNA_REQUANT_MULTIPLIER,
                                   .multiplier = 1 << 30,
                                   .shift = 31,
                                   .clamp_min = -128,
                                   .clamp_max = 127};
  run_conv(&fixture, &desc);
  check_hazard(&fixture, LUNA_HAZARD_BAD_LAUNCH,
               "op7: the unit cannot requantise so, and the tiling does not "
               "leave it to the core");
}

// Where only calls of the vendor's library are allowed.
static void open_for_calls(Fixture *fixture) {
  LunaMachine machine = fixture_machine();
  fixture_open_with(fixture, &machine,
                    &(LunaSimulatorOptions){.only_calls = true});
}

static void launches_that_are_no_calls(void) {
  Fixture fixture;
  LunaConv2dDesc desc = small_conv();
  desc.input_zero_point = 3;
  open_for_calls(&fixture);
  run_conv(&fixture, &desc);
  check_hazard(&fixture, LUNA_HAZARD_BAD_LAUNCH,
               "op7: machine 'toy' has no call for a zero point: padding is 0 "
               "for the unit");
}

static void poolings_and_sums_that_are_no_calls(void) {
  Fixture fixture;
  LunaEltwiseDesc add = {.lhs = row_desc(LUNA_TYPE_I8, 16),
                         .rhs = row_desc(LUNA_TYPE_I8, 16),
                         .output = row_desc(LUNA_TYPE_I8, 16)};
  const int32_t *ids = IDS(2, 0, LUNA_NO_ID, 0, LUNA_NO_ID, LUNA_NO_ID,
                           LUNA_NO_ID, LUNA_NO_ID, LUNA_NO_ID);
  open_for_calls(&fixture);
  write_bytes(fixture.arena, 32, 0);
  pool_bytes(fixture.arena, 0, fixture.arena + 64, 1, 16);
  luna_rt_eltwise(&add, ids, fixture.arena, fixture.arena + 16, NULL,
                  fixture.arena + 32);
  check_clean(&fixture);
  fixture_close(&fixture);
  add.rhs.strides[3] = 0;
  open_for_calls(&fixture);
  write_bytes(fixture.arena, 32, 0);
  luna_rt_eltwise(&add, ids, fixture.arena, fixture.arena + 16, NULL,
                  fixture.arena + 32);
  check_hazard(&fixture, LUNA_HAZARD_BAD_DESCRIPTOR,
               "op2: there is no call for operands that do not lie alike");
  LunaPoolDesc pool = {.kernel = {1, 1},
                       .stride = {1, 1},
                       .input = {.type = LUNA_TYPE_I8,
                                 .dims = {1, 2, 2, 4},
                                 .strides = {16, 8, 4, 1}}};
  pool.output = pool.input;
  open_for_calls(&fixture);
  write_bytes(fixture.arena, 32, 0);
  luna_rt_pool(&pool, IDS(5, 0, LUNA_NO_ID, 1, LUNA_NO_ID), fixture.arena,
               fixture.arena + 64);
  check_hazard(&fixture, LUNA_HAZARD_BAD_DESCRIPTOR,
               "op5: there is no call for a pooling but of int8 planes");
}

static void refused_conv(const LunaConv2dDesc *desc, const char *message) {
  Fixture fixture;
  fixture_open(&fixture);
  run_conv(&fixture, desc);
  check_hazard(&fixture, LUNA_HAZARD_BAD_DESCRIPTOR, message);
}

static void descriptors_that_contradict_themselves(void) {
  LunaConv2dDesc desc = small_conv();
  desc.kind = 3;
  refused_conv(&desc, "op7: unknown kind of convolution");
  desc = small_conv();
  desc.stride[0] = 0;
  refused_conv(&desc, "op7: stride, dilation or padding out of range");
  desc = small_conv();
  desc.output.dims[3] = 3;
  refused_conv(&desc, "op7: channels of a convolution do not match");
  desc = small_conv();
  desc.input_zero_point = 128;
  refused_conv(&desc, "op7: zero point does not fit its type");
  desc = small_conv();
  desc.requant.mode = 4;
  refused_conv(&desc, "op7: unknown requantisation mode");
  desc.requant.mode = LUNA_REQUANT_SHIFT;
  desc.requant.shift = 63;
  refused_conv(&desc, "op7: shift is not between -31 and 62");
  desc.requant.mode = LUNA_REQUANT_MULTIPLIER;
  desc.requant.per_channel = 1;
  refused_conv(&desc, "op7: requantises per channel without a table");
  desc.requant.mode = LUNA_REQUANT_FLOAT;
  refused_conv(&desc, "op7: requantises to int32 in floating point");
  desc = small_conv();
  desc.output.type = LUNA_TYPE_F32;
  refused_conv(&desc, "op7: result is not int8, int16, int32 or int64");
}

static void an_operand_of_unknown_type(void) {
  Fixture fixture;
  fixture_open(&fixture);
  LunaFillDesc fill = {.target = row_desc(99, 4)};
  luna_rt_fill(&fill, IDS(6, 0, LUNA_NO_ID), fixture.arena);
  check_hazard(&fixture, LUNA_HAZARD_BAD_DESCRIPTOR,
               "op6: operand of an unknown type or shape");
}

static void every_kind_has_a_name(void) {
  for (int kind = 0; kind < LUNA_HAZARD_KIND_COUNT; ++kind)
    CHECK(luna_hazard_kind_name((LunaHazardKind)kind) != NULL);
}

int main(void) {
  RUN_TEST(a_copy_of_what_was_written_is_clean);
  RUN_TEST(reading_what_nobody_wrote);
  RUN_TEST(reading_another_buffers_value);
  RUN_TEST(an_unnamed_operand_reads_anything);
  RUN_TEST(reading_another_content_of_a_staging_buffer);
  RUN_TEST(reading_the_same_content_of_another_buffer);
  RUN_TEST(reading_another_buffer_without_a_content);
  RUN_TEST(transferring_the_wrong_weights);
  RUN_TEST(a_copy_carries_undefined_bytes_along);
  RUN_TEST(reading_before_the_wait);
  RUN_TEST(writing_to_the_target_in_flight);
  RUN_TEST(writing_to_the_source_in_flight);
  RUN_TEST(rows_beside_a_transfer_are_not_in_flight);
  RUN_TEST(touching_what_is_no_memory);
  RUN_TEST(running_over_the_end_of_the_arena);
  RUN_TEST(a_missing_operand_is_no_memory);
  RUN_TEST(leaving_the_operands_own_buffer);
  RUN_TEST(writing_to_weights);
  RUN_TEST(unit_operands_lie_on_chip);
  RUN_TEST(operands_are_aligned_to_their_elements);
  RUN_TEST(transfers_take_whole_granules);
  RUN_TEST(padding_of_a_granule_holds_no_value);
  RUN_TEST(an_output_over_its_input);
  RUN_TEST(what_the_unit_cannot_is_the_cores);
  RUN_TEST(a_scratch_is_no_operand);
  RUN_TEST(the_core_computes_averages_alone);
  RUN_TEST(an_elementwise_operator_may_work_in_place);
  RUN_TEST(a_unit_that_does_not_work_in_place);
  RUN_TEST(a_unit_without_tables);
  RUN_TEST(more_transfers_than_the_engine_takes);
  RUN_TEST(a_channel_that_is_not_there);
  RUN_TEST(a_direction_that_the_ends_contradict);
  RUN_TEST(ends_of_a_transfer_that_overlap);
  RUN_TEST(waiting_twice);
  RUN_TEST(waiting_for_nothing);
  RUN_TEST(never_waiting);
  RUN_TEST(a_transfer_of_nothing);
  RUN_TEST(calls_inside_a_host_operator);
  RUN_TEST(a_host_operator_that_never_ends_or_began);
  RUN_TEST(a_host_operand_without_sense);
  RUN_TEST(a_host_operator_beyond_the_clock);
  RUN_TEST(launches_are_those_of_the_descriptor);
  RUN_TEST(a_convolution_on_chip_is_clean);
  RUN_TEST(a_convolution_without_a_descriptor_is_computed);
  RUN_TEST(a_kernel_beyond_the_units_limit);
  RUN_TEST(a_tile_beyond_the_scratch);
  RUN_TEST(a_requantisation_that_the_unit_lacks);
  RUN_TEST(launches_that_are_no_calls);
  RUN_TEST(poolings_and_sums_that_are_no_calls);
  RUN_TEST(descriptors_that_contradict_themselves);
  RUN_TEST(an_operand_of_unknown_type);
  RUN_TEST(every_kind_has_a_name);
  return 0;
}
