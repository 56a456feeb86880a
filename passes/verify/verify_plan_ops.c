#include "verify_plan_ops.h"

#include "luna-c/ops.h"
#include "luna/units.h"
#include "mlir-c/BuiltinAttributes.h"
#include "op_desc.h"
#include "structure.h"
#include "verify_plan_effects.h"
#include "verify_plan_report.h"

typedef LunaVerifyMachine Machine;

static const MlirOperation no_op = {NULL};

static const char *place_name(const Machine *machine, uint32_t place) {
  return luna_verify_place_name(machine->states.values, machine->states.arena,
                                place);
}

static uint32_t home_count(const Machine *machine, const LunaVerifyRef *ref) {
  return machine->states.values->tags.items[ref->tag].homes.count;
}

static LunaVerifyExtent extent_of(const Machine *machine,
                                  const LunaVerifyRef *ref, uint32_t home) {
  return luna_verify_values_extent(machine->states.values, ref, home);
}

// Returns true, and writes the bytes of the first, if two values may share a
// byte, in one turn of the loops around them or in two.
static bool may_overlap(const Machine *machine, const LunaVerifyRef *a,
                        const LunaVerifyRef *b, LunaVerifyExtent *found) {
  for (uint32_t i = 0; i < home_count(machine, a); ++i)
    for (uint32_t j = 0; j < home_count(machine, b); ++j) {
      LunaVerifyExtent p = extent_of(machine, a, i);
      LunaVerifyExtent q = extent_of(machine, b, j);
      if (luna_verify_values_overlap(machine->states.values, &p, &q)) {
        *found = p;
        return true;
      }
    }
  return false;
}

// The same, in one turn.
static bool overlap(const Machine *machine, const LunaVerifyRef *a,
                    const LunaVerifyRef *b, LunaVerifyExtent *found) {
  return !luna_verify_values_apart(machine->states.values, a->tag, b->tag) &&
         may_overlap(machine, a, b, found);
}

//===----------------------------------------------------------------------===//
// Transfers in flight
//===----------------------------------------------------------------------===//

// Returns true if a loop around `op` gives `value` anew in each turn: what was
// started with it may be in flight in the next.
static bool is_of_turn(MlirOperation op, MlirValue value) {
  MlirOperation maker =
      mlirValueIsABlockArgument(value)
          ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
          : mlirOperationGetParentOperation(mlirOpResultGetOwner(value));
  for (; !mlirOperationIsNull(maker);
       maker = mlirOperationGetParentOperation(maker))
    if (luna_is_loop(maker) && luna_is_within(op, maker))
      return true;
  return false;
}

static bool touches(const Machine *machine, const LunaVerifyRef *ref,
                    const LunaVerifyTransfer *transfer, intptr_t end,
                    LunaVerifyExtent *found) {
  MlirValue value = mlirOperationGetOperand(transfer->start, end);
  LunaVerifyRef other;
  if (!luna_verify_values_ref(machine->states.values, value, &other))
    return false;
  return is_of_turn(transfer->start, value)
             ? may_overlap(machine, ref, &other, found)
             : overlap(machine, ref, &other, found);
}

// Checks that the target of a transfer in flight is not accessed, and its
// source not written.
static bool check_in_flight(const Machine *machine,
                            const LunaVerifyState *state, MlirOperation op,
                            const LunaVerifyRef *ref, bool writes) {
  for (uint32_t i = 0; i < state->transfers.count; ++i) {
    const LunaVerifyTransfer *transfer = &state->transfers.items[i];
    LunaVerifyExtent found;
    bool into = touches(machine, ref, transfer, 1, &found);
    if (!into && !(writes && touches(machine, ref, transfer, 0, &found)))
      continue;
    LunaArena *arena = machine->states.arena;
    return luna_verify_fail(
        op,
        luna_arena_printf(
            arena,
            "%s bytes [%lld, %lld) of %s while a transfer %s them is in "
            "flight%s",
            writes ? "writes" : "reads", (long long)found.lo,
            (long long)found.hi, place_name(machine, found.place),
            into ? "into" : "out of",
            luna_verify_path(arena, op, transfer->start, NULL)),
        transfer->start, "started here");
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Reads and writes
//===----------------------------------------------------------------------===//

static bool fail_read(const Machine *machine, MlirOperation op,
                      const LunaVerifyExtent *extent,
                      const LunaVerifySegment *segment) {
  LunaArena *arena = machine->states.arena;
  bool is_lost = segment->hold == LUNA_VERIFY_CLOBBERED;
  int64_t lo = segment->lo > extent->lo ? segment->lo : extent->lo;
  int64_t hi = segment->hi < extent->hi ? segment->hi : extent->hi;
  const char *message = luna_arena_printf(
      arena, "reads bytes [%lld, %lld) of %s, which %s%s", (long long)lo,
      (long long)hi, place_name(machine, extent->place),
      is_lost ? "another buffer has overwritten" : "nothing has written",
      luna_verify_path(arena, op, segment->cause, &segment->branch));
  const LunaVerifyPlace *place =
      &machine->states.values->places.items[extent->place];
  return luna_verify_fail(op, message, is_lost ? segment->cause : place->op,
                          is_lost ? "overwritten here" : "allocated here");
}

static bool check_contents(const Machine *machine, const LunaVerifyState *state,
                           MlirOperation op, const LunaVerifyRef *ref) {
  for (uint32_t h = 0; h < home_count(machine, ref); ++h) {
    LunaVerifyExtent extent = extent_of(machine, ref, h);
    const LunaVerifySegment *segment =
        luna_verify_state_unreadable(state, &extent);
    if (segment != NULL)
      return fail_read(machine, op, &extent, segment);
  }
  return true;
}

static bool is_dense(const Machine *machine, const LunaVerifyRef *ref) {
  bool dense = true;
  for (uint32_t i = 0; i < home_count(machine, ref); ++i)
    dense &= extent_of(machine, ref, i).is_dense;
  return dense;
}

// Returns true if two values share bytes only where they are in one place.
static bool shares_places(const Machine *machine, const LunaVerifyRef *a,
                          const LunaVerifyRef *b) {
  for (uint32_t i = 0; i < home_count(machine, a); ++i)
    for (uint32_t j = 0; j < home_count(machine, b); ++j) {
      LunaVerifyExtent p = extent_of(machine, a, i);
      LunaVerifyExtent q = extent_of(machine, b, j);
      if (p.place != q.place &&
          luna_verify_values_overlap(machine->states.values, &p, &q))
        return false;
    }
  return true;
}

// Returns the indexing map of operand `i` of a linalg operator, or null if it
// has none.
static MlirAttribute map_of(MlirOperation op, intptr_t i) {
  MlirAttribute maps = luna_attr(op, "indexing_maps");
  bool has_maps = !mlirAttributeIsNull(maps) && mlirAttributeIsAArray(maps) &&
                  i < mlirArrayAttrGetNumElements(maps);
  return has_maps ? mlirArrayAttrGetElement(maps, i) : mlirAttributeGetNull();
}

// Returns true if each iteration of a linalg operator accesses the same element
// of both operands.
static bool accesses_alike(MlirOperation op, MlirValue a, MlirValue b) {
  MlirAttribute first = mlirAttributeGetNull(), other;
  bool has_a = false, has_b = false, is_alike = true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    bool is_a = luna_same_value(operand, a), is_b = luna_same_value(operand, b);
    if (!is_a && !is_b)
      continue;
    other = map_of(op, i);
    is_alike &= (!has_a && !has_b) || mlirAttributeEqual(first, other);
    first = other;
    has_a |= is_a;
    has_b |= is_b;
  }
  bool has_maps = !mlirAttributeIsNull(first);
  return has_a && has_b && is_alike &&
         (has_maps || luna_op_is(op, LUNA_OP_LINALG_MAP));
}

// Returns true if two operands have the same elements in the same shape.
static bool are_shaped_alike(MlirType a, MlirType b) {
  intptr_t rank = mlirShapedTypeGetRank(a);
  bool is_alike = rank == mlirShapedTypeGetRank(b) &&
                  mlirTypeEqual(mlirShapedTypeGetElementType(a),
                                mlirShapedTypeGetElementType(b));
  for (intptr_t i = 0; is_alike && i < rank; ++i)
    is_alike = mlirShapedTypeGetDimSize(a, i) == mlirShapedTypeGetDimSize(b, i);
  return is_alike;
}

static bool is_table(MlirOperation op, MlirValue value) {
  return luna_same_value(luna_unit_operand(op, LUNA_ROLE_TABLE), value);
}

// Returns true if the unit, or the core for it, writes an element after it has
// read those at the same place of both operands.
static bool unit_works_in_place(const LunaMachine *machine, MlirOperation op,
                                MlirValue a, MlirValue b) {
  LunaUnitDesc desc;
  return are_shaped_alike(mlirValueGetType(a), mlirValueGetType(b)) &&
         !is_table(op, a) && !is_table(op, b) &&
         luna_unit_desc_read(op, &desc) &&
         luna_unit_works_in_place(machine, &desc);
}

// Returns true if the operator may overwrite its inputs: elementwise ones of
// the core and of the unit. What the body of one loads is read in any order.
static bool may_work_in_place(const Machine *machine, MlirOperation op,
                              const LunaVerifyEffect *a,
                              const LunaVerifyEffect *b) {
  if (luna_op_is_unit(op))
    return unit_works_in_place(machine->limits->machine, op, a->value,
                               b->value);
  return !luna_op_in_dialect(op, LUNA_DIALECT_LINALG) ||
         (!a->is_captured && !b->is_captured &&
          accesses_alike(op, a->value, b->value));
}

// Checks two operands of an op, one of them written, for overlap: the write
// would change the other while the op runs. Ranges of one buffer may alternate.
static bool check_pair(const Machine *machine, MlirOperation op,
                       const LunaVerifyEffect *a, const LunaVerifyEffect *b) {
  const LunaVerifyValues *values = machine->states.values;
  LunaVerifyRef p, q;
  LunaVerifyExtent x;
  if ((!a->writes && !b->writes) ||
      !luna_verify_values_ref(values, a->value, &p) ||
      !luna_verify_values_ref(values, b->value, &q) ||
      !overlap(machine, &p, &q, &x))
    return true;
  bool may_share = may_work_in_place(machine, op, a, b) ||
                   !is_dense(machine, &p) || !is_dense(machine, &q);
  if (may_share && (p.tag == q.tag || shares_places(machine, &p, &q)))
    return true;
  return luna_verify_fail(
      op,
      luna_arena_printf(
          machine->states.arena, "uses %s and %s at once, which overlap%s",
          place_name(machine, extent_of(machine, &p, 0).place),
          place_name(machine, extent_of(machine, &q, 0).place),
          luna_verify_path(machine->states.arena, op, no_op, NULL)),
      no_op, NULL);
}

static bool check_effects(const Machine *machine, const LunaVerifyState *state,
                          MlirOperation op, const LunaVerifyEffects *effects) {
  for (uint32_t i = 0; i < effects->count; ++i) {
    const LunaVerifyEffect *effect = &effects->items[i];
    LunaVerifyRef ref;
    if (!luna_verify_values_ref(machine->states.values, effect->value, &ref))
      continue;
    if (!check_in_flight(machine, state, op, &ref, effect->writes))
      return false;
    if (effect->reads && !check_contents(machine, state, op, &ref))
      return false;
    for (uint32_t j = 0; j < i; ++j)
      if (!check_pair(machine, op, &effects->items[j], effect))
        return false;
  }
  return true;
}

static void apply_writes(const Machine *machine, LunaVerifyState *state,
                         MlirOperation op, const LunaVerifyEffects *effects,
                         int64_t content) {
  for (uint32_t i = 0; i < effects->count; ++i) {
    const LunaVerifyEffect *effect = &effects->items[i];
    LunaVerifyWrite write = {op, content, effect->is_whole};
    LunaVerifyRef ref;
    if (effect->writes &&
        luna_verify_values_ref(machine->states.values, effect->value, &ref))
      luna_verify_state_write(&machine->states, state, &ref, &write);
  }
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static const char *describe_content(const Machine *machine, int64_t content) {
  if (content == LUNA_VERIFY_MIXED)
    return "filled from different places";
  if (content == LUNA_VERIFY_COMPUTED)
    return "filled by no transfer";
  return luna_arena_printf(machine->states.arena, "last filled from %s",
                           place_name(machine, (uint32_t)content));
}

// The constants that an operator names, and if it reads them.
typedef struct Constants {
  MlirOperation op;
  MlirStringRef symbol;
  bool are_read;
} Constants;

static bool fail_constant(const Machine *machine, const Constants *constants,
                          const LunaVerifyExtent *extent, int64_t content) {
  LunaArena *arena = machine->states.arena;
  const char *named =
      constants->symbol.data
          ? luna_arena_printf(arena, "where its constants are @%.*s",
                              (int)constants->symbol.length,
                              constants->symbol.data)
          : "and names no constants";
  return luna_verify_error(
      constants->op, "reads bytes [%lld, %lld) of %s, %s, %s%s",
      (long long)extent->lo, (long long)extent->hi,
      place_name(machine, extent->place), describe_content(machine, content),
      named,
      luna_verify_path(machine->states.arena, constants->op, no_op, NULL));
}

// Checks the contents of an operand against the constants that the op names;
// an op that names none reads none.
// Any other global is data, e.g. the init of a loop.
static bool check_constant(const Machine *machine, const LunaVerifyState *state,
                           const LunaVerifyRef *ref, Constants *constants) {
  const LunaVerifyValues *values = machine->states.values;
  for (uint32_t h = 0; h < home_count(machine, ref); ++h) {
    LunaVerifyExtent extent = extent_of(machine, ref, h);
    if (luna_verify_state_slot(state, extent.slot).cover == NULL)
      continue;
    int64_t content = luna_verify_state_content(state, &extent);
    MlirStringRef symbol = {NULL, 0};
    if (content >= 0)
      symbol = values->places.items[content].symbol;
    bool is_named = symbol.data != NULL;
    if (is_named && mlirStringRefEqual(symbol, constants->symbol))
      constants->are_read = true;
    else if ((is_named && values->places.items[content].holds_constants) ||
             values->places.items[extent.place].is_staging)
      return fail_constant(machine, constants, &extent, content);
  }
  return true;
}

static bool check_constants(const Machine *machine,
                            const LunaVerifyState *state, MlirOperation op,
                            const LunaVerifyEffects *effects) {
  Constants constants = {op, luna_attr_symbol(op, "params"), false};
  if (!luna_op_is_unit(op))
    return true;
  for (uint32_t i = 0; i < effects->count; ++i) {
    LunaVerifyRef ref;
    if (effects->items[i].reads &&
        luna_verify_values_ref(machine->states.values, effects->items[i].value,
                               &ref) &&
        !check_constant(machine, state, &ref, &constants))
      return false;
  }
  if (constants.are_read || constants.symbol.data == NULL)
    return true;
  return luna_verify_error(
      op,
      "names its constants @%.*s but reads nothing transferred from there%s",
      (int)constants.symbol.length, constants.symbol.data,
      luna_verify_path(machine->states.arena, op, no_op, NULL));
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

static LunaVerifyToken new_token(MlirOperation op,
                                 LunaVerifyTokenStatus status) {
  return (LunaVerifyToken){
      .value = mlirOperationGetResult(op, 0),
      .block = mlirOperationGetBlock(op),
      .origin = op,
      .status = status,
  };
}

// Returns the content of a transfer: its source, if that is off chip.
static int64_t content_of_source(const Machine *machine, MlirOperation op) {
  const LunaVerifyValues *values = machine->states.values;
  LunaVerifyRef ref;
  if (!luna_verify_values_ref(values, mlirOperationGetOperand(op, 0), &ref))
    return LUNA_VERIFY_COMPUTED;
  const LunaVerifyTag *tag = &values->tags.items[ref.tag];
  if (tag->homes.count != 1)
    return LUNA_VERIFY_MIXED;
  uint32_t place = tag->homes.items[0].place;
  return values->places.items[place].is_planned ? LUNA_VERIFY_COMPUTED
                                                : (int64_t)place;
}

static bool run_start(const Machine *machine, LunaVerifyState *state,
                      MlirOperation op) {
  const LunaVerifyTransfer *before =
      state->transfers.count > 0 ? &state->transfers.items[0] : NULL;
  MlirOperation other = before == NULL ? no_op : before->start;
  luna_verify_state_add_token(&machine->states, state,
                              new_token(op, LUNA_VERIFY_TOKEN_HELD));
  luna_verify_state_add_transfer(
      &machine->states, state,
      (LunaVerifyTransfer){mlirOperationGetResult(op, 0), op, NULL});
  uint32_t in_flight = luna_verify_state_in_flight(state);
  if (in_flight <= machine->limits->outstanding)
    return true;
  LunaArena *arena = machine->states.arena;
  return luna_verify_fail(
      op,
      luna_arena_printf(arena,
                        "makes %u transfers in flight, machine '%s' allows "
                        "%u%s",
                        (unsigned)in_flight, machine->limits->machine->name,
                        (unsigned)machine->limits->outstanding,
                        luna_verify_path(arena, op, other, NULL)),
      other, "still in flight from here");
}

static bool run_wait(const Machine *machine, LunaVerifyState *state,
                     MlirOperation op) {
  MlirValue value = mlirOperationGetOperand(op, 0);
  const LunaVerifyToken *token =
      luna_verify_state_token(&machine->states, state, value);
  if (token == NULL || token->status == LUNA_VERIFY_TOKEN_NONE)
    return true;
  if (token->status == LUNA_VERIFY_TOKEN_SPENT)
    return luna_verify_fail(
        op,
        luna_arena_printf(
            machine->states.arena,
            "awaits a transfer that was already awaited or "
            "forwarded%s",
            luna_verify_path(machine->states.arena, op, token->spent_by, NULL)),
        token->spent_by, "awaited or forwarded here");
  luna_verify_state_spend_token(&machine->states, state, *token, op);
  luna_verify_state_end_transfers(state, value);
  return true;
}

// Tokens may only be awaited, or forwarded by terminators.
static bool check_token_operands(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (lunaTypeIsAToken(type))
      return luna_verify_error(op, "uses a token, which only luna.dma_wait and "
                                   "control flow may");
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Any op
//===----------------------------------------------------------------------===//

static bool is_terminator(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_SCF_YIELD) ||
         luna_op_is(op, LUNA_OP_LUNA_YIELD) ||
         luna_op_is(op, LUNA_OP_SCF_CONDITION);
}

// A result that may alias several operands: either side of an arith.select.
static void run_merge(const Machine *machine, LunaVerifyState *state,
                      MlirOperation op) {
  LunaArena *arena = machine->states.arena;
  intptr_t operand_count = mlirOperationGetNumOperands(op), count = 0;
  MlirValue *sources = LUNA_ARENA_ARRAY(arena, MlirValue, operand_count);
  for (intptr_t i = 0; i < operand_count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (luna_is_memref(mlirValueGetType(operand)))
      sources[count++] = operand;
  }
  MlirValue condition = {NULL};
  if (luna_op_is(op, LUNA_OP_ARITH_SELECT))
    condition = luna_verify_condition(mlirOperationGetOperand(op, 0));
  LunaVerifyMerge merge = {mlirOperationGetResult(op, 0), sources, count,
                           condition};
  luna_verify_state_merge(&machine->states, state, &merge);
}

static bool merges_memrefs(MlirOperation op) {
  intptr_t count = 0;
  if (mlirOperationGetNumResults(op) != 1 ||
      !luna_is_memref(mlirValueGetType(mlirOperationGetResult(op, 0))))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    count += luna_is_memref(mlirValueGetType(mlirOperationGetOperand(op, i)));
  return count > 1;
}

bool luna_verify_run_op(const LunaVerifyMachine *machine,
                        LunaVerifyState *state, MlirOperation op) {
  if (luna_verify_is_planned_alloc(op)) {
    LunaVerifyRef ref;
    if (luna_verify_values_ref(machine->states.values,
                               mlirOperationGetResult(op, 0), &ref))
      luna_verify_state_allocate(&machine->states, state,
                                 extent_of(machine, &ref, 0).slot);
    return true;
  }
  if (luna_op_is(op, LUNA_OP_LUNA_DMA_WAIT))
    return run_wait(machine, state, op);
  if (luna_op_is(op, LUNA_OP_LUNA_DMA_NONE)) {
    luna_verify_state_add_token(&machine->states, state,
                                new_token(op, LUNA_VERIFY_TOKEN_NONE));
    return true;
  }
  if (!is_terminator(op) && !check_token_operands(op))
    return false;
  if (merges_memrefs(op)) {
    run_merge(machine, state, op);
    return true;
  }
  LunaVerifyEffects effects = luna_verify_effects(op, machine->states.arena);
  if (effects.count == 0)
    return true;
  if (!check_effects(machine, state, op, &effects) ||
      !check_constants(machine, state, op, &effects))
    return false;
  bool is_start = luna_op_is(op, LUNA_OP_LUNA_DMA_START);
  apply_writes(machine, state, op, &effects,
               is_start ? content_of_source(machine, op)
                        : LUNA_VERIFY_COMPUTED);
  return !is_start || run_start(machine, state, op);
}
