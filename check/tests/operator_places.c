#include "operator_places.h"

#include "check.h"
#include "kernels.h"
#include "luna/border.h"
#include "luna/chain_cost.h"
#include "luna/core.h"
#include "luna/eltwise_launches.h"
#include "luna/finish.h"
#include "luna/slots.h"
#include "sim_unit.h"

#include "../../device_runtime/src/core_chain.h"

//===- What is counted ----------------------------------------------------===//

Places places_create(Forms *forms) {
  static const char *const names[MACHINE_COUNT] = {"venus", "arcs", "venusa"};
  Places places = {.forms = forms};
  LunaError error = {0};
  for (int i = 0; i < MACHINE_COUNT; ++i)
    CHECK(luna_machine_load(names[i], NULL, &places.machines[i], &error));
  places.sim = luna_simulator_create(&places.machines[0], NULL);
  luna_simulator_activate(places.sim);
  return places;
}

void places_destroy(Places *places) { luna_simulator_destroy(places->sim); }

void places_print(const Places *places) {
  static const char *const columns[COLUMN_COUNT] = {
      "fused",  "core",   "shifts",   "chain",  "by plane",
      "strips", "planes", "in place", "folded", "calls",
      "adds",   "slots",  "venus",    "arcs",   "venusa"};
  printf("%-26s", "equal, computed");
  for (int i = 0; i < COLUMN_COUNT; ++i)
    printf(" %8s", columns[i]);
  printf("\n");
  for (int row = 0; row < RESULT_COUNT + RESULT_SUMS; ++row) {
    bool is_sum = row >= RESULT_COUNT;
    printf("%-7s %-18s", is_sum ? "sum" : "product",
           result_forms[is_sum ? row - RESULT_COUNT : row].name);
    for (int i = 0; i < COLUMN_COUNT; ++i)
      printf(" %8d", places->counts[row][i]);
    printf("\n");
  }
}

static int column_sum(const Places *places, int first, int count, int column) {
  int sum = 0;
  for (int row = first; row < first + count; ++row)
    sum += places->counts[row][column];
  return sum;
}

bool places_has_all(const Places *places) {
  bool has_all = true;
  for (int i = 0; i < COLUMN_COUNT; ++i) {
    if (i != COLUMN_SHIFTS && i != COLUMN_IN_PLACE)
      has_all &= column_sum(places, 0, RESULT_COUNT, i) > 0;
    if (i != COLUMN_FUSED && i != COLUMN_BY_PLANE && i != COLUMN_STRIPS &&
        i != COLUMN_FOLDED && i != COLUMN_CALLS && i != COLUMN_ADDS &&
        i != COLUMN_SLOTS)
      has_all &= column_sum(places, RESULT_COUNT, RESULT_SUMS, i) > 0;
  }
  return has_all;
}

// One operator under way.
typedef struct Run {
  Places *places;
  const RandomOperator *op;
  const uint8_t *expected;
  LunaArena *arena;
  LayoutForm layout;
} Run;

static void count(const Run *run, PlaceColumn column) {
  int row = run->op->result;
  if (row == NO_RESULT)
    return;
  if (run->op->desc.unit_class == LUNA_UNIT_ELTWISE)
    row += RESULT_COUNT;
  ++run->places->counts[row][column];
  if (run->layout != LAYOUT_ROWS && column < COLUMN_PLANES)
    ++run->places->counts[row][COLUMN_PLANES];
  run->places->counts[row][COLUMN_FOLDED] += run->op->is_folded;
}

//===- Comparing ----------------------------------------------------------===//

void operator_fail(const RandomOperator *op, const char *why) {
  LunaText text = {0};
  operator_print(&text, op, ON_TENSORS, 0);
  fprintf(stderr, "%s%s\n", text.data, why);
  luna_text_deinit(&text);
  exit(1);
}

void expect_equal(const RandomOperator *op, const uint8_t *output,
                  const uint8_t *expected, const char *who) {
  int rows = 0;
  luna_unit_class_operands(op->desc.unit_class, &rows);
  size_t bytes = operand_bytes(op, rows - 1);
  for (size_t i = 0; i < bytes; ++i)
    if (output[i] != expected[i]) {
      fprintf(stderr, "byte %zu: %s gives %d, the reference %d\n", i, who,
              output[i], expected[i]);
      operator_fail(op, "differs");
    }
}

static void expect(const Run *run, const Laid *laid, PlaceColumn column,
                   const char *who) {
  expect_equal(run->op, operator_output(laid, run->arena), run->expected, who);
  count(run, column);
}

//===- Products -----------------------------------------------------------===//

LunaProductOperands product_operands(const Laid *laid) {
  return (LunaProductOperands){
      .input = laid->data[INPUT],
      .weight = laid->data[WEIGHT],
      .bias = laid->data[BIAS],
      .table = laid->data[TABLE],
      .scratch = laid->data[SCRATCH],
      .output = laid->data[OUTPUT],
  };
}

static void compute_product(const Run *run, Laid *laid) {
  const LunaUnitClassInfo *info = luna_unit_class(laid->desc.unit_class);
  LunaError error = {0};
  int32_t word_count = 0;
  const LunaProductRecord *record =
      info->launches(&laid->desc.as, run->arena, &word_count, &error);
  if (!record)
    operator_fail(run->op, error.message);
  const LunaProductOperands operands = product_operands(laid);
  luna_sim_unit_run(NULL, record, &operands);
  scratch_check(laid->data[SCRATCH],
                product_tiling(&laid->desc)->scratch_bytes);
}

static void compare_product(const Run *run, LunaFinish finish,
                            PlaceColumn column) {
  Laid laid = operator_lay_out(run->op, run->layout, run->arena);
  product_tile(&laid, finish, run->arena);
  compute_product(run, &laid);
  expect(run, &laid, column, "its place");
}

static int64_t draw_scratch(const Run *run, int64_t least, int64_t step,
                            int64_t whole) {
  switch ((ScratchForm)form_draw(run->places->forms, FORM_SCRATCH)) {
  case SCRATCH_LEAST:
    return least;
  case SCRATCH_SECOND:
    return least + step;
  case SCRATCH_HALF:
    return whole / 2 > least ? whole / 2 : least;
  case SCRATCH_WHOLE:
    break;
  }
  return whole;
}

static PlaceColumn column_of(const LunaTiling *tiling, int machine) {
  if (luna_finish_has_calls(tiling->finish))
    return (PlaceColumn)(COLUMN_VENUS + machine);
  return tiling->finish == LUNA_FINISH_CORE ? COLUMN_CORE : COLUMN_FUSED;
}

// The most that a scratch is asked for.
static int64_t whole_scratch(Laid *laid) {
  return 12 * element_count(operand_desc_of(&laid->desc, OUTPUT)) + 4 * 64;
}

// Tiles a product for a machine. Returns false if it cannot be, or not by
// calls.
static bool tile_for(const LunaMachine *target, LunaPlace place, int64_t limit,
                     Laid *laid) {
  LunaTiling *tiling = product_tiling(&laid->desc), found = {0};
  LunaError error = {0};
  bool wants_calls = tiling->row_strips > 0;
  bool is_found =
      luna_finish_tile(target, &laid->desc, place,
                       luna_finish_has_calls(product_chain(laid, target)),
                       limit, &found, &error);
  *tiling = found;
  return is_found && (!wants_calls || found.row_strips > 0);
}

// As a machine tiles it, with a scratch up to a limit that was drawn.
static void compare_tiled(const Run *run, int machine, LunaPlace place) {
  const LunaMachine *target = &run->places->machines[machine];
  Laid laid = operator_lay_out(run->op, run->layout, run->arena);
  const LunaTiling *tiling = product_tiling(&laid.desc);
  if (!tile_for(target, place, draw_scratch(run, 64, 64, whole_scratch(&laid)),
                &laid))
    return;
  product_tile(&laid, (LunaFinish)tiling->finish, run->arena);
  compute_product(run, &laid);
  expect(run, &laid, column_of(tiling, machine), target->name);
}

// As calls of the library of `target`, where there are such, on planes, with
// weights packed where these are.
static void compare_calls(const Run *run, const LunaMachine *target) {
  Run on_planes = *run;
  on_planes.layout = LAYOUT_PLANES;
  Laid laid = operator_lay_out(run->op, LAYOUT_PLANES, run->arena);
  int64_t limit = whole_scratch(&laid);
  LunaTiling *tiling = product_tiling(&laid.desc);
  if (laid.desc.unit_class != LUNA_UNIT_CONV2D)
    return;
  tiling->row_strips = 1;
  if (!tile_for(target, LUNA_PLACE_AUTO, limit, &laid))
    return;
  if (product_pack(&laid, target, run->arena) &&
      !tile_for(target, LUNA_PLACE_AUTO, limit, &laid))
    operator_fail(run->op, "has no calls with its weights packed");
  product_tile(&laid, (LunaFinish)tiling->finish, run->arena);
  compute_product(&on_planes, &laid);
  expect(&on_planes, &laid,
         product_has_own_sums(&laid) ? COLUMN_ADDS : COLUMN_CALLS,
         target->name);
}

// A machine whose launches have few weights: most calls are added to others.
static LunaMachine small_machine(const LunaMachine *machine) {
  LunaMachine small = *machine;
  small.conv.kernel_max = 2;
  small.conv.in_channel_align = small.conv.out_channel_align = 1;
  small.conv.weight_buffer_bytes = 4;
  return small;
}

static bool has_chain(const Run *run, Laid *laid, LunaFinish finish) {
  for (int i = 0; i < MACHINE_COUNT; ++i)
    if (product_has_chain(laid, &run->places->machines[i], finish))
      return true;
  return false;
}

// With tiles of some channels in slots, which calls finish at once.
static void compare_joined(const Run *run, LunaFinish finish) {
  Run on_planes = *run;
  on_planes.layout = LAYOUT_PLANES;
  Laid laid = operator_lay_out(run->op, LAYOUT_PLANES, run->arena);
  LunaTiling *tiling = product_tiling(&laid.desc);
  if (laid.desc.unit_class != LUNA_UNIT_CONV2D ||
      !has_chain(run, &laid, finish))
    return;
  *tiling = product_whole_tiling(&laid.desc);
  tiling->slots = 2 + tiling->out_c % 3;
  tiling->out_c = 1 + tiling->out_c / 5;
  product_tile(&laid, finish, run->arena);
  if (!luna_slots_are_joined(tiling))
    return;
  compute_product(&on_planes, &laid);
  expect(&on_planes, &laid, COLUMN_SLOTS, "slots");
}

static void compare_finishes(const Run *run) {
  RandomOperator op = *run->op;
  if (!luna_has_borders(operand_desc_of(&op.desc, BIAS)))
    compare_product(run, LUNA_FINISH_FUSED, COLUMN_FUSED);
  if (op.has_long_sums)
    return;
  compare_product(run, LUNA_FINISH_CORE, COLUMN_CORE);
  Laid laid = operator_lay_out(run->op, run->layout, run->arena);
  for (LunaFinish finish = LUNA_FINISH_UNIT; finish <= LUNA_FINISH_STRIPS;
       ++finish) {
    if (has_chain(run, &laid, finish))
      compare_product(run, finish,
                      (PlaceColumn)(COLUMN_CHAIN + finish - LUNA_FINISH_UNIT));
    compare_joined(run, finish);
  }
  for (int i = 0; i < MACHINE_COUNT; ++i) {
    const LunaMachine small = small_machine(&run->places->machines[i]);
    compare_tiled(run, i, LUNA_PLACE_CORE);
    compare_tiled(run, i, LUNA_PLACE_UNIT);
    compare_calls(run, &run->places->machines[i]);
    compare_calls(run, &small);
  }
}

// As it is, and with the zero point of the input in the bias.
static void compare_products(const Run *run) {
  RandomOperator folded;
  Run other = *run;
  compare_finishes(run);
  if (run->op->has_long_sums || !product_fold(run->op, run->arena, &folded))
    return;
  other.op = &folded;
  compare_finishes(&other);
}

//===- Elementwise operators ----------------------------------------------===//

enum { SUM_SCRATCH = 2, SUM_OUTPUT = 3 };

static LunaEltwiseDesc *sum_of(Laid *laid) { return &laid->desc.as.eltwise; }

static void set_scratch(Laid *laid, int64_t bytes, LunaArena *arena) {
  *operand_desc_of(&laid->desc, SUM_SCRATCH) =
      tensor_desc(LUNA_TYPE_I8, 1, 1, 1, (int32_t)bytes);
  laid->data[SUM_SCRATCH] = scratch_create(arena, bytes);
}

static void run_chain(const Laid *laid) {
  const LunaEltwiseDesc *desc = &laid->desc.as.eltwise;
  LunaEltwiseChain chain;
  CHECK(luna_eltwise_has_chain(desc, &chain));
  const LunaCorePlaces places = {
      .at = {[LUNA_VECTOR_SUMS] = laid->data[SUM_SCRATCH],
             [LUNA_VECTOR_LHS] = laid->data[0],
             [LUNA_VECTOR_RHS] = laid->data[1],
             [LUNA_VECTOR_OUTPUT] = laid->data[SUM_OUTPUT]}};
  luna_core_eltwise_chain(desc, &chain, places);
}

static void compute_sum(Laid *laid, PlaceColumn column) {
  const LunaEltwiseDesc *desc = sum_of(laid);
  if (column == COLUMN_CHAIN)
    run_chain(laid);
  else
    luna_core_eltwise(desc, laid->data[0], laid->data[1],
                      laid->data[SUM_SCRATCH], laid->data[SUM_OUTPUT]);
}

// Beside its operands, then in place of each that is like the output. The
// scratch is the core's if it has no bytes.
static void compare_sum(const Run *run, int64_t scratch_bytes,
                        PlaceColumn column, const char *who) {
  for (int side = -1; side < 2; ++side) {
    Laid laid = operator_lay_out(run->op, run->layout, run->arena);
    LunaTensorDesc *output = operand_desc_of(&laid.desc, SUM_OUTPUT);
    sum_of(&laid)->on_core = column == COLUMN_CORE;
    if (scratch_bytes > 0)
      set_scratch(&laid, scratch_bytes, run->arena);
    if (side >= 0 &&
        memcmp(operand_desc_of(&laid.desc, side), output, sizeof *output) != 0)
      continue;
    if (side >= 0)
      laid.data[SUM_OUTPUT] = laid.data[side];
    compute_sum(&laid, column);
    if (scratch_bytes > 0)
      scratch_check(laid.data[SUM_SCRATCH], scratch_bytes);
    expect(run, &laid, side < 0 ? column : COLUMN_IN_PLACE, who);
  }
}

static bool has_calls(const Run *run, const LunaVectorChain *chain) {
  bool has = false;
  for (int i = 0; i < MACHINE_COUNT; ++i)
    has |= luna_machine_has_chain(&run->places->machines[i], chain);
  return has;
}

static void compare_sums(const Run *run) {
  Laid laid = operator_lay_out(run->op, run->layout, run->arena);
  LunaEltwiseDesc *desc = sum_of(&laid);
  LunaEltwiseChain chain;
  int64_t elements = element_count(&desc->output);
  compare_sum(run, 0, COLUMN_CORE, "the core");
  if (luna_eltwise_shifts(desc)) {
    int64_t step = luna_eltwise_scratch_step(desc);
    int64_t loss = luna_eltwise_scratch_loss(desc);
    compare_sum(run,
                draw_scratch(run, step + loss, step, step * elements + loss),
                COLUMN_SHIFTS, "launches");
  }
  if (luna_eltwise_chain(desc, &chain) && has_calls(run, &chain.chain)) {
    int64_t step = luna_eltwise_chain_step(desc, &chain) * chain.row;
    compare_sum(run, draw_scratch(run, step, step, step / chain.row * elements),
                COLUMN_CHAIN, "a chain");
  }
  for (int i = 0; i < MACHINE_COUNT; ++i) {
    int64_t limit = draw_scratch(run, 64, 64, 16 * elements);
    int64_t bytes = luna_finish_eltwise_bytes(&run->places->machines[i], desc,
                                              LUNA_PLACE_UNIT, limit);
    if (bytes > 0)
      compare_sum(run, bytes, (PlaceColumn)(COLUMN_VENUS + i),
                  run->places->machines[i].name);
  }
}

//===- The others ---------------------------------------------------------===//

static void compare_pools(const Run *run) {
  for (int finish = LUNA_FINISH_FUSED; finish <= LUNA_FINISH_CORE; ++finish) {
    Laid laid = operator_lay_out(run->op, run->layout, run->arena);
    LunaPoolDesc *desc = &laid.desc.as.pool;
    if (finish == LUNA_FINISH_CORE && desc->kind != LUNA_POOL_AVERAGE)
      continue;
    // One launch, of which only the time depends on its tiles.
    const LunaKernelOperands operands = {.input = laid.data[0],
                                         .output = laid.data[1]};
    desc->tiling.finish = finish;
    if (finish == LUNA_FINISH_CORE)
      luna_core_pool(desc, laid.data[0], laid.data[1]);
    else
      luna_kernel_pool(desc, &operands);
    expect(run, &laid, COLUMN_CORE, finish ? "the core" : "the unit");
  }
}

// By the unit's call, and by the core's loop, also in place.
static void compare_tables(const Run *run) {
  for (int place = 0; place < 3; ++place) {
    Laid laid = operator_lay_out(run->op, run->layout, run->arena);
    LunaTableDesc *desc = &laid.desc.as.table;
    desc->on_core = place > 0;
    if (place == 2 &&
        memcmp(&desc->input, &desc->output, sizeof desc->input) != 0)
      continue;
    if (place == 2)
      laid.data[2] = laid.data[0];
    luna_core_table(desc, laid.data[0], laid.data[1], laid.data[2]);
    expect(run, &laid, place ? COLUMN_CORE : COLUMN_FUSED,
           place ? "the core" : "the unit");
  }
}

static void compare_laid_out(const Run *run) {
  switch (run->op->desc.unit_class) {
  case LUNA_UNIT_CONV2D:
  case LUNA_UNIT_MATMUL:
    compare_products(run);
    return;
  case LUNA_UNIT_ELTWISE:
    compare_sums(run);
    return;
  case LUNA_UNIT_POOL:
    compare_pools(run);
    return;
  case LUNA_UNIT_TABLE:
    compare_tables(run);
    return;
  case LUNA_UNIT_CLASS_COUNT:
    return;
  }
}

void places_compare(Places *places, const RandomOperator *op,
                    const uint8_t *expected, LunaArena *arena) {
  Run run = {places, op, expected, arena, LAYOUT_ROWS};
  compare_laid_out(&run);
  run.layout =
      (LayoutForm)(LAYOUT_PLANES + form_draw(places->forms, FORM_LAYOUT));
  compare_laid_out(&run);
}
