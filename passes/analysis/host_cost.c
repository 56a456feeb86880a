#include "host_cost.h"

#include <string.h>

#include "host_block.h"
#include "host_loops.h"
#include "host_work.h"
#include "in_place.h"
#include "luna-c/ir.h"
#include "luna-c/linalg_operands.h"
#include "luna-c/ops.h"
#include "luna/map.h"
#include "luna/runtime.h"
#include "luna/vector.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structure.h"

//===- Operands -----------------------------------------------------------===//

static bool is_linalg(MlirOperation op) {
  return luna_op_in_dialect(op, LUNA_DIALECT_LINALG) &&
         mlirOperationGetNumRegions(op) > 0;
}

int32_t luna_host_access(MlirOperation op, intptr_t index) {
  if (!luna_is_memref(mlirValueGetType(mlirOperationGetOperand(op, index))))
    return 0;
  if (is_linalg(op)) {
    return (luna_linalg_body_uses(op, index, true) ? LUNA_ACCESS_READ : 0) |
           (index >= luna_linalg_input_count(op) ? LUNA_ACCESS_WRITE : 0);
  }
  if (luna_op_is(op, LUNA_OP_MEMREF_LOAD))
    return LUNA_ACCESS_READ;
  if (LUNA_OP_IS_ANY(op, LUNA_OP_MEMREF_COPY, LUNA_OP_MEMREF_STORE))
    return index == 1 ? LUNA_ACCESS_WRITE : LUNA_ACCESS_READ;
  return LUNA_ACCESS_READ_WRITE;
}

//===- Bodies -------------------------------------------------------------===//

// Where LLVM leaves an operation: in the innermost loop in which it changes, as
// often in a turn as a block has outputs if it changes from one to the next.
typedef struct Place {
  int depth, copies;
  // What only counters of loops decide is a constant where all of `counters`
  // are unrolled.
  bool is_counted;
  uint64_t counters; // loop n as bit n - 1
} Place;

// What the body does somewhere, in each turn there.
typedef struct Step {
  LunaHostCost cost;
  int64_t hundredths; // of it
  Place place;
  // If not 0, only where some of these loops are unrolled and some are left.
  uint64_t moving;
} Step;

// What one operator does beside turning its loops.
typedef struct Body {
  const LunaMachine *machine;
  MlirOperation op;
  bool reduces;
  LunaHostBlock block;
  LunaHostLoops loops;
  LunaHostUnrolling unrolling;
  LunaArena arena;
  LunaMap operations;
  LUNA_VECTOR(Place) places; // by index of operations
  LUNA_VECTOR(Step) steps;
  int64_t hundredths; // of cycles
  int accesses;       // in the innermost loop
} Body;

// Adds hundredths of a cost in each turn of loop `depth`.
static void add_hundredths(Body *body, LunaHostCost cost, int64_t hundredths,
                           int depth) {
  int64_t count =
      luna_host_times(hundredths, luna_host_loops_turns(&body->loops, depth));
  int64_t work = luna_host_times(count, (int64_t)body->machine->host[cost]);
  body->hundredths =
      luna_host_plus(body->hundredths, work == INT64_MAX ? work : work / 100);
}

static void add_work(Body *body, LunaHostCost cost, int64_t times, int depth) {
  add_hundredths(body, cost, luna_host_times(100, times), depth);
}

// Notes what an operation of the body does, `instructions` of LLVM's IR.
static void add_placed(Body *body, LunaHostWork work, Place place,
                       int64_t instructions) {
  *LUNA_VECTOR_ADD(&body->arena, &body->steps) =
      (Step){work.cost, 100 * (int64_t)work.times * place.copies, place, 0};
  luna_host_unrolling_add(&body->unrolling, &body->arena,
                          (LunaHostCode){instructions * place.copies,
                                         place.depth, place.is_counted,
                                         place.counters});
}

// Returns the innermost loop of a set.
static int innermost(uint64_t loops) {
  int number = 0;
  for (; loops > 0; loops >>= 1)
    ++number;
  return number;
}

// Where operand `index` moves.
static Place moving_place(const Body *body, intptr_t index) {
  bool moves = body->block.width > 1 &&
               luna_host_moves(body->op, index, body->block.dim);
  return (Place){
      .depth = innermost(luna_host_loops_moving(&body->loops, body->op, index)),
      .copies = moves ? body->block.width : 1};
}

// Where operand `index` is read. Inputs are read in each turn, for what is
// written might have changed them, unless a reduction keeps both apart; an
// output is what was written last.
static Place read_place(const Body *body, intptr_t index) {
  Place place = moving_place(body, index);
  if (index < luna_linalg_input_count(body->op) && !body->reduces)
    place.depth = body->loops.count;
  return place;
}

// Where operand `index` is written: the sums of a reduction stay in registers.
static Place write_place(const Body *body, intptr_t index) {
  Place place = moving_place(body, index);
  if (!body->reduces)
    place.depth = body->loops.count;
  return place;
}

static Place argument_place(const Body *body, intptr_t index) {
  const Place outside = {.copies = 1};
  Place place = moving_place(body, index);
  if (!luna_is_memref(
          mlirValueGetType(mlirOperationGetOperand(body->op, index))))
    return outside;
  // An output is another number in each turn.
  if (index >= luna_linalg_input_count(body->op) && body->reduces)
    place.depth = body->loops.count;
  return index < luna_linalg_input_count(body->op) ? read_place(body, index)
                                                   : place;
}

static Place value_place(const Body *body, MlirValue value) {
  if (mlirValueIsABlockArgument(value)) {
    MlirBlock block = mlirBlockArgumentGetOwner(value);
    if (!mlirOperationEqual(mlirBlockGetParentOperation(block), body->op))
      return (Place){.depth = body->loops.count, .copies = 1};
    return argument_place(body, mlirBlockArgumentGetArgNumber(value));
  }
  uint32_t found = luna_map_find(
      &body->operations, luna_map_pointer(mlirOpResultGetOwner(value).ptr));
  if (found != LUNA_MAP_ABSENT)
    return body->places.items[found];
  return (Place){.copies = 1,
                 .is_counted =
                     !mlirAttributeIsNull(luna_constant_value(value))};
}

// Where both are there.
static Place joined(Place a, Place b) {
  return (Place){.depth = a.depth > b.depth ? a.depth : b.depth,
                 .copies = a.copies > b.copies ? a.copies : b.copies,
                 .is_counted = a.is_counted && b.is_counted,
                 .counters = a.counters | b.counters};
}

static Place op_place(const Body *body, MlirOperation op) {
  Place place = {.copies = 1, .is_counted = true};
  if (luna_op_is(op, LUNA_OP_LINALG_INDEX)) {
    int64_t dim = luna_attr_int(op, "dim", 0);
    if (dim < LUNA_HOST_LOOPS_MAX)
      place.depth = body->loops.of_dim[dim];
    place.counters = place.depth > 0 ? UINT64_C(1) << (place.depth - 1) : 0;
    return place;
  }
  if (luna_host_is_one_number(op))
    return place;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    place = joined(place, value_place(body, mlirOperationGetOperand(op, i)));
  return place;
}

static bool is_xtensa(const Body *body) {
  return strcmp(body->machine->core, "xtensa") == 0;
}

// An access counts as two instructions, its address and itself; LLVM takes the
// address of a byte for free where it does not know better, and one that loops
// move which are all unrolled.
static void add_address(Body *body, MlirType type, Place place,
                        uint64_t moving) {
  bool is_byte =
      luna_element_type_bytes(mlirShapedTypeGetElementType(type)) == 1;
  if (!is_byte || !is_xtensa(body))
    luna_host_unrolling_add(
        &body->unrolling, &body->arena,
        (LunaHostCode){place.copies, place.depth, moving != 0, moving});
}

// Where an unrolled loop lies in one that is left, LLVM counts places from the
// middle; Xtensa has no negative offsets, so half of the addresses are sums.
static void add_offset(Body *body, Place place, uint64_t moving) {
  if (is_xtensa(body))
    *LUNA_VECTOR_ADD(&body->arena, &body->steps) =
        (Step){.cost = LUNA_HOST_INTEGER,
               .hundredths = 50 * place.copies,
               .place = place,
               .moving = moving};
}

// The cores access 32 bits at once.
static void add_access(Body *body, MlirType type, Place place,
                       uint64_t moving) {
  bool is_wide =
      luna_element_type_bytes(mlirShapedTypeGetElementType(type)) > 4;
  add_placed(body, (LunaHostWork){LUNA_HOST_ACCESS, is_wide ? 2 : 1}, place, 1);
  add_address(body, type, place, moving);
  if (moving != 0)
    add_offset(body, place, moving);
  body->accesses += place.depth == body->loops.count;
}

// Each index of a load or store that is not constant: a product, and a sum
// where those before it are known, too.
static void add_indices(Body *body, MlirOperation op) {
  const LunaHostWork integer = {LUNA_HOST_INTEGER, 1};
  Place sum = {.copies = 1, .is_counted = true};
  for (intptr_t i = luna_op_is(op, LUNA_OP_MEMREF_STORE) ? 2 : 1;
       i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue index = mlirOperationGetOperand(op, i);
    if (!mlirAttributeIsNull(luna_constant_value(index)))
      continue;
    Place place = value_place(body, index);
    add_placed(body, integer, place, 1);
    sum = joined(sum, place);
    place.depth = sum.depth;
    add_placed(body, integer, place, 1);
  }
}

// Arithmetic outside of the operators belongs to the load or store that needs
// it first, as what is counted between calls belongs to the next.
static bool is_scalar(MlirOperation op) {
  return luna_op_in_dialect(op, LUNA_DIALECT_ARITH) ||
         luna_op_in_dialect(op, LUNA_DIALECT_MATH);
}

// Returns true for what luna-check-accesses adds, which costs nothing here.
static bool is_check(MlirOperation op) {
  if (!is_scalar(op))
    return luna_op_is(op, LUNA_OP_CF_ASSERT);
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
  while (!mlirOpOperandIsNull(use) && is_check(mlirOpOperandGetOwner(use)))
    use = mlirOpOperandGetNextUse(use);
  return mlirOpOperandIsNull(use);
}

// Returns true if `user` is the first in its block that uses the result of
// `op`, checks left out.
static bool is_first_user(MlirOperation op, MlirOperation user) {
  MlirBlock block = mlirOperationGetBlock(user);
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation other =
        luna_ancestor_in_block(mlirOpOperandGetOwner(use), block);
    if (!mlirOperationIsNull(other) && !mlirOperationEqual(other, user) &&
        mlirOperationIsBeforeInBlock(other, user) && !is_check(other))
      return false;
  }
  return true;
}

static void add_scalars(Body *body, MlirOperation user) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(user); ++i) {
    MlirOperation op = luna_defining_op(mlirOperationGetOperand(user, i));
    if (mlirOperationIsNull(op) || !is_scalar(op) ||
        luna_op_is(op, LUNA_OP_ARITH_CONSTANT) ||
        !mlirBlockEqual(mlirOperationGetBlock(op),
                        mlirOperationGetBlock(user)) ||
        !is_first_user(op, user))
      continue;
    LunaHostWork work = luna_host_work(op);
    if (work.cost != LUNA_HOST_COST_COUNT)
      add_work(body, work.cost, work.times, 0);
    add_scalars(body, op);
  }
}

// A load or store of the body's own.
static void add_indexed(Body *body, MlirOperation op) {
  intptr_t memref = luna_op_is(op, LUNA_OP_MEMREF_STORE) ? 1 : 0;
  add_access(body, mlirValueGetType(mlirOperationGetOperand(op, memref)),
             (Place){.depth = body->loops.count, .copies = 1}, 0);
  add_indices(body, op);
}

// What chooses by a constant is not left, whatever it chooses.
static Place condition_place(const Body *body, MlirOperation op, Place place) {
  if (!luna_op_is(op, LUNA_OP_ARITH_SELECT))
    return place;
  Place condition = value_place(body, mlirOperationGetOperand(op, 0));
  place.is_counted = condition.is_counted;
  place.counters = condition.counters;
  return place;
}

static bool add_body_op(MlirOperation op, void *data) {
  Body *body = data;
  if (mlirOperationEqual(op, body->op))
    return true;
  bool is_access = luna_is_access(op);
  Place place = is_access ? (Place){.depth = body->loops.count, .copies = 1}
                          : op_place(body, op);
  luna_map_add(&body->operations, &body->arena, luna_map_pointer(op.ptr));
  *LUNA_VECTOR_ADD(&body->arena, &body->places) = place;
  if (luna_host_is_dead(op))
    return true;
  if (is_access) {
    add_indexed(body, op);
    return true;
  }
  LunaHostWork work = luna_host_work(op);
  if (work.cost != LUNA_HOST_COST_COUNT)
    add_placed(body, work, condition_place(body, op, place),
               (int64_t)work.times * luna_host_instructions(work.cost));
  return true;
}

static void add_accesses(Body *body) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(body->op); ++i) {
    int32_t access = luna_host_access(body->op, i);
    MlirType type = mlirValueGetType(mlirOperationGetOperand(body->op, i));
    uint64_t moving = luna_host_loops_moving(&body->loops, body->op, i);
    if (access & LUNA_ACCESS_READ)
      add_access(body, type, read_place(body, i), moving);
    if (access & LUNA_ACCESS_WRITE)
      add_access(body, type, write_place(body, i), moving);
  }
  // What several share of their addresses.
  if (body->accesses > 1)
    luna_host_unrolling_add(
        &body->unrolling, &body->arena,
        (LunaHostCode){1, body->loops.count, true, UINT64_MAX});
}

// Returns true if a step is left where loops 1 to `rolled` are.
static bool is_left(const Step *step, int rolled) {
  uint64_t left = luna_host_loops_within(step->moving, rolled);
  if (step->moving != 0 && (left == 0 || left == step->moving))
    return false;
  return !step->place.is_counted ||
         luna_host_loops_within(step->place.counters, rolled) > 0;
}

static void add_steps(Body *body, int rolled) {
  for (size_t i = 0; i < body->steps.count; ++i) {
    const Step *step = &body->steps.items[i];
    if (is_left(step, rolled))
      add_hundredths(body, step->cost, step->hundredths, step->place.depth);
  }
}

// Turns of the loops that are left, and the operands that each moves.
static void add_loops(Body *body, int rolled) {
  for (int number = 1; number <= rolled; ++number)
    add_work(body, number < rolled ? LUNA_HOST_LOOP : LUNA_HOST_TURN, 1,
             number);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(body->op); ++i) {
    if (luna_host_access(body->op, i) == 0)
      continue;
    uint64_t moving = luna_host_loops_moving(&body->loops, body->op, i);
    for (int number = 1; number <= rolled; ++number)
      if (moving >> (number - 1) & 1)
        add_work(body, LUNA_HOST_STEP, 1, number);
  }
}

// A call gets an address for each memref.
static void add_call(Body *body) {
  add_work(body, LUNA_HOST_PROGRAM_CALL, 1, 0);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(body->op); ++i)
    if (luna_host_access(body->op, i) != 0)
      add_work(body, LUNA_HOST_ARGUMENT, 1, 0);
}

//===- Blocks -------------------------------------------------------------===//

// Returns the bytes of a memref that lies without gaps; 0 of others.
static int64_t dense_bytes(MlirType type) {
  int64_t bytes = luna_element_type_bytes(mlirShapedTypeGetElementType(type));
  if (!mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
    return 0;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    bytes = luna_host_times(bytes, mlirShapedTypeGetDimSize(type, i));
  return bytes;
}

static bool is_zero(MlirValue value) {
  MlirAttribute attribute = luna_constant_value(value);
  if (mlirAttributeIsNull(attribute))
    return false;
  if (mlirAttributeIsAFloat(attribute))
    return mlirFloatAttrGetValueDouble(attribute) == 0.0;
  return mlirAttributeIsAInteger(attribute) &&
         mlirIntegerAttrGetValueInt(attribute) == 0;
}

// LLVM makes this many elements a call of memset.
enum { BLOCK_ELEMENTS = 9 };

// Returns the bytes that `op` fills with one byte, which LLVM makes a call of
// memset; 0 for other operators.
static int64_t block_bytes(MlirOperation op) {
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  bool is_fill = luna_op_is(op, LUNA_OP_LINALG_FILL);
  bool is_map = luna_op_is(op, LUNA_OP_LINALG_MAP) && last == 0 &&
                luna_op_is(mlirBlockGetFirstOperation(luna_body(op, 0)),
                           LUNA_OP_LINALG_YIELD);
  if (last < 0 || (!is_fill && !is_map))
    return 0;
  MlirOperation yield = mlirBlockGetTerminator(luna_body(op, 0));
  MlirValue value = mlirOperationGetOperand(is_fill ? op : yield, 0);
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, last));
  if (!luna_is_memref(type))
    return 0;
  int64_t element = luna_element_type_bytes(mlirShapedTypeGetElementType(type));
  int64_t bytes = element == 1 || is_zero(value) ? dense_bytes(type) : 0;
  return bytes >= BLOCK_ELEMENTS * element ? bytes : 0;
}

//===- All of it ----------------------------------------------------------===//

static void add_loop_nest(Body *body, intptr_t block_dim, int width,
                          int64_t turns) {
  body->block.width = width;
  body->loops = luna_host_loops(body->op, block_dim, turns);
  body->accesses = 0;
  body->operations = (LunaMap){0};
  body->places.count = body->steps.count = body->unrolling.count = 0;
  luna_walk(body->op, add_body_op, body);
  if (luna_is_access(body->op)) {
    add_indices(body, body->op);
    add_scalars(body, body->op);
  }
  add_accesses(body);
  int rolled = luna_host_loops_rolled(&body->loops, &body->unrolling);
  add_steps(body, rolled);
  add_loops(body, rolled);
}

// A reduction that is blocked has the outputs that are left in loops of their
// own.
static void add_all(Body *body) {
  int64_t bytes = block_bytes(body->op);
  add_call(body);
  if (bytes > 0) {
    add_work(body, LUNA_HOST_BLOCK, (bytes - 1) / 16 + 1, 0);
    return;
  }
  const LunaHostBlock block = body->block;
  intptr_t dim = block.width > 1 ? block.dim : -1;
  int rest = (int)(block.extent % block.width);
  add_loop_nest(body, dim, block.width, block.extent / block.width);
  if (rest > 0)
    add_loop_nest(body, dim, rest, 1);
}

uint64_t luna_host_cycles(const LunaMachine *machine, MlirOperation op) {
  Body body = {.machine = machine,
               .op = op,
               .reduces = luna_reduces(op),
               .block = luna_host_block(op)};
  add_all(&body);
  luna_arena_destroy(&body.arena);
  return body.hundredths == INT64_MAX ? INT64_MAX
                                      : ((uint64_t)body.hundredths + 50) / 100;
}
