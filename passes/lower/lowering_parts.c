// Splits long blocks into functions of their own: `<symbol>_part0`, … Register
// allocation takes more than linear time in the length of a function, so that
// one of 100,000 calls would take minutes.
//
// A part takes what it uses from outside as arguments, and returns what is used
// after it: tokens of transfers in flight, decisions. Constants are repeated.

#include "lowering.h"
#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

// Operations of a block that stays whole, and of a part.
enum { PART_OPS_MAX = 1024 };

// A use, after a part, of what the part defines.
typedef struct Use {
  MlirOperation op;
  intptr_t operand;
  uint32_t result; // of the part
} Use;

typedef struct Part {
  LunaLowering *run;
  MlirBlock block;    // that it is cut out of
  MlirOperation *ops; // of the part
  uint64_t count;
  LunaMap inside;                  // ops, by address
  LunaMap outside;                 // values that it takes, by address
  LUNA_VECTOR(MlirValue) values;   // the same
  LUNA_VECTOR(MlirValue) replaced; // by what, inside
  LUNA_VECTOR(MlirValue) results;
  LUNA_VECTOR(Use) uses;
  LunaArena arena;
} Part;

//===----------------------------------------------------------------------===//
// What passes in and out
//===----------------------------------------------------------------------===//

static bool is_repeated(MlirOperation op) {
  return LUNA_OP_IS_ANY(op, LUNA_OP_ARITH_CONSTANT, LUNA_OP_LLVM_MLIR_ADDRESSOF,
                        LUNA_OP_LLVM_MLIR_CONSTANT, LUNA_OP_LLVM_MLIR_ZERO);
}

static bool is_op_inside(const Part *part, MlirOperation op) {
  while (!mlirOperationIsNull(op)) {
    if (mlirBlockEqual(mlirOperationGetBlock(op), part->block))
      return luna_map_find(&part->inside, luna_map_pointer(op.ptr)) !=
             LUNA_MAP_ABSENT;
    op = mlirOperationGetParentOperation(op);
  }
  return false;
}

static bool is_value_inside(const Part *part, MlirValue value) {
  if (mlirValueIsAOpResult(value))
    return is_op_inside(part, mlirOpResultGetOwner(value));
  MlirBlock owner = mlirBlockArgumentGetOwner(value);
  return !mlirBlockEqual(owner, part->block) &&
         is_op_inside(part, mlirBlockGetParentOperation(owner));
}

static bool take_operands(MlirOperation op, void *data) {
  Part *part = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (is_value_inside(part, value))
      continue;
    uint32_t index =
        luna_map_add(&part->outside, &part->arena, luna_map_pointer(value.ptr));
    if (index == part->values.count)
      *LUNA_VECTOR_ADD(&part->arena, &part->values) = value;
  }
  return true;
}

// Notes the uses of a value after the part, which then returns it.
static void give_value(Part *part, MlirValue value) {
  uint32_t result = (uint32_t)part->results.count;
  bool is_used = false;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (is_op_inside(part, op))
      continue;
    is_used = true;
    *LUNA_VECTOR_ADD(&part->arena, &part->uses) = (Use){
        .op = op,
        .operand = mlirOpOperandGetOperandNumber(use),
        .result = result,
    };
  }
  if (is_used)
    *LUNA_VECTOR_ADD(&part->arena, &part->results) = value;
}

static void find_values(Part *part) {
  for (uint64_t i = 0; i < part->count; ++i)
    luna_map_add(&part->inside, &part->arena,
                 luna_map_pointer(part->ops[i].ptr));
  for (uint64_t i = 0; i < part->count; ++i) {
    take_operands(part->ops[i], part);
    luna_walk(part->ops[i], take_operands, part);
    for (intptr_t r = 0; !is_repeated(part->ops[i]) &&
                         r < mlirOperationGetNumResults(part->ops[i]);
         ++r)
      give_value(part, mlirOperationGetResult(part->ops[i], r));
  }
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static bool replace_operands(MlirOperation op, void *data) {
  const Part *part = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    uint32_t index = luna_map_find(&part->outside, luna_map_pointer(value.ptr));
    if (index != LUNA_MAP_ABSENT)
      mlirOperationSetOperand(op, i, part->replaced.items[index]);
  }
  return true;
}

// Makes an argument, or repeats a constant. Returns true for an argument.
static bool receive(Part *part, MlirBlock body, MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  MlirValue *inside = LUNA_VECTOR_ADD(&part->arena, &part->replaced);
  if (!mlirOperationIsNull(op) && is_repeated(op)) {
    MlirOperation repeated = mlirOperationClone(op);
    mlirBlockAppendOwnedOperation(body, repeated);
    *inside = mlirOperationGetResult(repeated, 0);
    return false;
  }
  *inside = mlirBlockAddArgument(body, mlirValueGetType(value),
                                 mlirOperationGetLocation(part->ops[0]));
  return true;
}

static void build_return(Part *part, MlirBlock body) {
  mlirBlockAppendOwnedOperation(
      body, luna_build(&(LunaOpSpec){
                .name = "func.return",
                .location = mlirOperationGetLocation(part->ops[0]),
                .operands = part->results.items,
                .operand_count = (intptr_t)part->results.count,
            }));
}

static MlirOperation build_call(Part *part, const char *name,
                                const MlirValue *arguments, intptr_t count) {
  MlirContext context = part->run->context;
  MlirType *types =
      LUNA_ARENA_ARRAY(&part->arena, MlirType, part->results.count);
  for (uint64_t i = 0; i < part->results.count; ++i)
    types[i] = mlirValueGetType(part->results.items[i]);
  MlirNamedAttribute callee = luna_named(
      context, "callee", mlirFlatSymbolRefAttrGet(context, luna_str(name)));
  return luna_build_before(
      part->ops[0], &(LunaOpSpec){
                        .name = "func.call",
                        .location = mlirOperationGetLocation(part->ops[0]),
                        .operands = arguments,
                        .operand_count = count,
                        .results = types,
                        .result_count = (intptr_t)part->results.count,
                        .attributes = &callee,
                        .attribute_count = 1,
                    });
}

static void move_out(Part *part, const char *name) {
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  MlirValue *arguments =
      LUNA_ARENA_ARRAY(&part->arena, MlirValue, part->values.count);
  intptr_t count = 0;
  for (uint64_t i = 0; i < part->values.count; ++i)
    if (receive(part, body, part->values.items[i]))
      arguments[count++] = part->values.items[i];
  MlirOperation call = build_call(part, name, arguments, count);
  build_return(part, body);
  MlirOperation end = mlirBlockGetTerminator(body);
  for (uint64_t i = 0; i < part->count; ++i) {
    mlirOperationMoveBefore(part->ops[i], end);
    replace_operands(part->ops[i], part);
    luna_walk(part->ops[i], replace_operands, part);
  }
  for (uint64_t i = 0; i < part->uses.count; ++i) {
    const Use *use = &part->uses.items[i];
    mlirOperationSetOperand(use->op, use->operand,
                            mlirOperationGetResult(call, use->result));
  }
  luna_build_internal(part->run, name, mlirOperationGetLocation(call), body);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static void cut(LunaLowering *run, MlirBlock block, MlirOperation *ops,
                uint64_t count) {
  Part part = {.run = run, .block = block, .ops = ops, .count = count};
  find_values(&part);
  move_out(&part, luna_arena_printf(&run->arena, "%s_part%d", run->symbol,
                                    (int)run->part_count++));
  luna_arena_destroy(&part.arena);
}

// The end of a block is in no part.
static void repeat_operands(MlirOperation end) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i) {
    MlirOperation op = luna_defining_op(mlirOperationGetOperand(end, i));
    if (mlirOperationIsNull(op) || !is_repeated(op))
      continue;
    MlirOperation repeated = mlirOperationClone(op);
    luna_insert_before(end, repeated);
    mlirOperationSetOperand(end, i, mlirOperationGetResult(repeated, 0));
  }
}

// Cuts a long block into parts of about the same length.
static void split_block(LunaLowering *run, MlirBlock block) {
  LUNA_VECTOR(MlirOperation) ops = {0};
  MlirOperation end = mlirBlockGetTerminator(block);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op)) {
    luna_split_blocks(run, op);
    *LUNA_VECTOR_ADD(&run->arena, &ops) = op;
  }
  if (ops.count <= PART_OPS_MAX)
    return;
  repeat_operands(end);
  uint64_t parts = (ops.count + PART_OPS_MAX - 1) / PART_OPS_MAX;
  for (uint64_t i = 0; i < parts; ++i) {
    uint64_t begin = ops.count * i / parts, past = ops.count * (i + 1) / parts;
    cut(run, block, ops.items + begin, past - begin);
  }
}

void luna_split_blocks(LunaLowering *run, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    if (!mlirBlockIsNull(block))
      split_block(run, block);
  }
}
