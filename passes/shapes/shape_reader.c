#include "shape_reader.h"

#include <stdio.h>

#include "luna-c/ir.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "shape_ints.h"

typedef LUNA_VECTOR(MlirValue) Values;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

typedef struct Name {
  char text[32];
  size_t length;
} Name;

static void append_name(MlirStringRef part, void *data) {
  Name *name = data;
  for (size_t i = 0; i < part.length && name->length + 1 < sizeof name->text;
       ++i)
    name->text[name->length++] = part.data[i];
}

bool luna_is_tosa_shape(MlirType type, uint32_t *rank) {
  Name name = {.length = 0};
  if (mlirTypeIsAShaped(type) || mlirTypeIsAIndex(type) ||
      mlirTypeIsAInteger(type) || mlirTypeIsAFloat(type))
    return false;
  mlirTypePrint(type, append_name, &name);
  return sscanf(name.text, "!tosa.shape<%u>", rank) == 1;
}

static bool may_hold_sizes(MlirType type) {
  return mlirTypeIsAIndex(type) ||
         (mlirTypeIsAInteger(type) && (mlirIntegerTypeGetWidth(type) == 32 ||
                                       mlirIntegerTypeGetWidth(type) == 64));
}

static void declare_tensor(LunaShapeDecl *decl, MlirType type, int64_t *dims) {
  int64_t count = 1;
  decl->is_tensor = true;
  decl->rank = LUNA_SHAPE_UNRANKED;
  if (!mlirShapedTypeHasRank(type))
    return;
  decl->rank = (uint32_t)mlirShapedTypeGetRank(type);
  decl->dims = dims;
  for (uint32_t d = 0; d < decl->rank; ++d) {
    bool is_open = mlirShapedTypeIsDynamicDim(type, d);
    dims[d] = is_open ? LUNA_SHAPE_OPEN : mlirShapedTypeGetDimSize(type, d);
    count = is_open || count > LUNA_SHAPE_ELEMENTS_MAX  ? INT64_MAX / 2
            : count * dims[d] > LUNA_SHAPE_ELEMENTS_MAX ? INT64_MAX / 2
                                                        : count * dims[d];
  }
  if (count <= LUNA_SHAPE_ELEMENTS_MAX &&
      may_hold_sizes(mlirShapedTypeGetElementType(type)))
    decl->element_count = (uint32_t)count;
}

static uint32_t add_value(LunaShapeReader *reader, MlirValue value,
                          uint32_t scope, const char *name) {
  int64_t dims[LUNA_RANK_MAX];
  MlirType type = mlirValueGetType(value);
  LunaShapeDecl decl = {.scope = scope, .name = name};
  if (mlirTypeIsATensor(type))
    declare_tensor(&decl, type, dims);
  else if (!luna_is_tosa_shape(type, &decl.element_count))
    decl.element_count = may_hold_sizes(type);
  luna_map_add(&reader->ids, reader->arena, luna_map_pointer(value.ptr));
  *LUNA_VECTOR_ADD(reader->arena, &reader->values) = value;
  return luna_shape_value_add(&reader->graph, &decl);
}

uint32_t luna_shape_id(const LunaShapeReader *reader, MlirValue value) {
  return luna_map_find(&reader->ids, luna_map_pointer(value.ptr));
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

const LunaShapeRule *luna_shape_rule_of(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return luna_shape_rule(name.data, name.length);
}

static const uint32_t *ids_of(LunaShapeReader *reader, const Values *values) {
  uint32_t *ids = LUNA_ARENA_ARRAY(reader->arena, uint32_t, values->count);
  for (uint64_t i = 0; i < values->count; ++i)
    ids[i] = luna_shape_id(reader, values->items[i]);
  return ids;
}

// Adds an operator of the graph; `op` is null for one of control flow.
static void add_op(LunaShapeReader *reader, MlirOperation op, LunaShapeOp added,
                   const Values *operands, const Values *results) {
  added.operands = ids_of(reader, operands);
  added.operand_count = (uint32_t)operands->count;
  added.results = ids_of(reader, results);
  added.result_count = (uint32_t)results->count;
  luna_shape_op_add(&reader->graph, &added);
  *LUNA_VECTOR_ADD(reader->arena, &reader->ops) = op;
}

static void push(LunaShapeReader *reader, Values *values, MlirValue value) {
  *LUNA_VECTOR_ADD(reader->arena, values) = value;
}

// One result of control flow.
static void add_flow(LunaShapeReader *reader, const LunaShapeRule *rule,
                     uint32_t scope, MlirValue result, const Values *operands) {
  Values results = {0};
  push(reader, &results, result);
  add_op(reader, (MlirOperation){NULL},
         (LunaShapeOp){.rule = rule, .scope = scope}, operands, &results);
}

static void add_flow_of(LunaShapeReader *reader, const LunaShapeRule *rule,
                        uint32_t scope, MlirValue result, MlirValue a,
                        MlirValue b) {
  Values operands = {0};
  push(reader, &operands, a);
  if (b.ptr)
    push(reader, &operands, b);
  add_flow(reader, rule, scope, result, &operands);
}

static void add_results(LunaShapeReader *reader, MlirOperation op,
                        uint32_t scope) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    add_value(reader, mlirOperationGetResult(op, i), scope, NULL);
}

static void read_plain(LunaShapeReader *reader, MlirOperation op,
                       uint32_t scope) {
  Values operands = {0}, results = {0};
  LunaShapeOp added = {.rule = luna_shape_rule_of(op), .scope = scope};
  add_results(reader, op, scope);
  if (mlirOperationGetNumResults(op) == 0)
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    push(reader, &operands, mlirOperationGetOperand(op, i));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    push(reader, &results, mlirOperationGetResult(op, i));
  if (!luna_read_shape_ints(reader->arena, op, &added))
    added.rule = &luna_shape_opaque;
  add_op(reader, op, added, &operands, &results);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static void read_block(LunaShapeReader *reader, MlirBlock block,
                       uint32_t scope);

// Adds the arguments of a region's block and opens its scope.
static uint32_t enter(LunaShapeReader *reader, MlirOperation op, intptr_t i,
                      uint32_t parent) {
  MlirBlock block = luna_body(op, i);
  uint32_t scope = luna_scope_add(&reader->graph.facts, parent);
  for (intptr_t k = 0; k < mlirBlockGetNumArguments(block); ++k)
    add_value(reader, mlirBlockGetArgument(block, k), scope, NULL);
  return scope;
}

static MlirValue yielded(MlirOperation op, intptr_t region, intptr_t i) {
  return mlirOperationGetOperand(mlirBlockGetTerminator(luna_body(op, region)),
                                 i);
}

// scf.if, scf.index_switch, tosa.cond_if: a result is what one region yields.
// The arguments of regions, where there are any, are the operands behind the
// first.
static void read_branch(LunaShapeReader *reader, MlirOperation op,
                        uint32_t scope) {
  intptr_t regions = mlirOperationGetNumRegions(op);
  for (intptr_t r = 0; r < regions; ++r) {
    MlirBlock block = luna_body(op, r);
    if (mlirBlockIsNull(block))
      continue;
    uint32_t inner = enter(reader, op, r, scope);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
      add_flow_of(reader, &luna_shape_forward_only, inner,
                  mlirBlockGetArgument(block, i),
                  mlirOperationGetOperand(op, 1 + i), (MlirValue){NULL});
    read_block(reader, block, inner);
  }
  add_results(reader, op, scope);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    Values ways = {0};
    for (intptr_t r = 0; r < regions; ++r)
      push(reader, &ways, yielded(op, r, i));
    add_flow(reader, &luna_shape_merge, scope, mlirOperationGetResult(op, i),
             &ways);
  }
}

// Operands: first, end, step, what is carried.
static void read_for(LunaShapeReader *reader, MlirOperation op,
                     uint32_t scope) {
  uint32_t inner = enter(reader, op, 0, scope);
  MlirBlock body = luna_body(op, 0);
  intptr_t count = mlirOperationGetNumResults(op);
  add_flow_of(reader, &luna_shape_induction, inner,
              mlirBlockGetArgument(body, 0), mlirOperationGetOperand(op, 0),
              mlirOperationGetOperand(op, 1));
  read_block(reader, body, inner);
  add_results(reader, op, scope);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue init = mlirOperationGetOperand(op, 3 + i);
    MlirValue next = yielded(op, 0, i);
    add_flow_of(reader, &luna_shape_merge, inner,
                mlirBlockGetArgument(body, 1 + i), init, next);
    add_flow_of(reader, &luna_shape_merge, scope, mlirOperationGetResult(op, i),
                init, next);
  }
}

// The first region's condition hands on to the second and to the results.
static void read_while(LunaShapeReader *reader, MlirOperation op,
                       uint32_t scope) {
  uint32_t before = enter(reader, op, 0, scope);
  MlirBlock blocks[] = {luna_body(op, 0), luna_body(op, 1)};
  read_block(reader, blocks[0], before);
  uint32_t after = enter(reader, op, 1, scope);
  read_block(reader, blocks[1], after);
  add_results(reader, op, scope);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(blocks[0]); ++i)
    add_flow_of(reader, &luna_shape_merge, before,
                mlirBlockGetArgument(blocks[0], i),
                mlirOperationGetOperand(op, i), yielded(op, 1, i));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue condition = yielded(op, 0, 1 + i);
    add_flow_of(reader, &luna_shape_forward_only, after,
                mlirBlockGetArgument(blocks[1], i), condition,
                (MlirValue){NULL});
    add_flow_of(reader, &luna_shape_merge, scope, mlirOperationGetResult(op, i),
                condition, (MlirValue){NULL});
  }
}

// tosa.while_loop: condition and body have the same arguments.
static void read_tosa_while(LunaShapeReader *reader, MlirOperation op,
                            uint32_t scope) {
  uint32_t scopes[2];
  for (int r = 0; r < 2; ++r) {
    scopes[r] = enter(reader, op, r, scope);
    read_block(reader, luna_body(op, r), scopes[r]);
  }
  add_results(reader, op, scope);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue init = mlirOperationGetOperand(op, i), next = yielded(op, 1, i);
    for (int r = 0; r < 2; ++r)
      add_flow_of(reader, &luna_shape_merge, scopes[r],
                  mlirBlockGetArgument(luna_body(op, r), i), init, next);
    add_flow_of(reader, &luna_shape_merge, scope, mlirOperationGetResult(op, i),
                init, next);
  }
}

// Regions of which nothing is known may run at any time.
static void read_unknown(LunaShapeReader *reader, MlirOperation op,
                         uint32_t scope) {
  bool is_loop_nest = luna_op_in_dialect(op, LUNA_DIALECT_LINALG) ||
                      luna_op_in_dialect(op, LUNA_DIALECT_TENSOR);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op) && !is_loop_nest; ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      uint32_t inner = luna_scope_add(&reader->graph.facts, scope);
      for (intptr_t k = 0; k < mlirBlockGetNumArguments(block); ++k)
        add_value(reader, mlirBlockGetArgument(block, k), inner, NULL);
      read_block(reader, block, inner);
    }
  read_plain(reader, op, scope);
}

static void read_op(LunaShapeReader *reader, MlirOperation op, uint32_t scope) {
  if (LUNA_OP_IS_ANY(op, LUNA_OP_SCF_IF, LUNA_OP_SCF_INDEX_SWITCH,
                     LUNA_OP_TOSA_COND_IF))
    read_branch(reader, op, scope);
  else if (luna_op_is(op, LUNA_OP_SCF_FOR))
    read_for(reader, op, scope);
  else if (luna_op_is(op, LUNA_OP_SCF_WHILE))
    read_while(reader, op, scope);
  else if (luna_op_is(op, LUNA_OP_TOSA_WHILE_LOOP))
    read_tosa_while(reader, op, scope);
  else
    read_unknown(reader, op, scope);
}

static void read_block(LunaShapeReader *reader, MlirBlock block,
                       uint32_t scope) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    read_op(reader, op, scope);
}

static const char *argument_name(LunaShapeReader *reader, MlirOperation func,
                                 intptr_t i) {
  MlirAttribute all = luna_attr(func, "arg_attrs");
  MlirAttribute name = mlirAttributeGetNull();
  if (!mlirAttributeIsNull(all))
    name = mlirDictionaryAttrGetElementByName(mlirArrayAttrGetElement(all, i),
                                              luna_str("luna.name"));
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name))
    return luna_arena_printf(reader->arena, "arg%d", (int)i);
  MlirStringRef text = mlirStringAttrGetValue(name);
  return luna_arena_strndup(reader->arena, text.data, text.length);
}

void luna_shape_read(LunaShapeReader *reader, MlirOperation func,
                     LunaArena *arena) {
  MlirRegion region = mlirOperationGetRegion(func, 0);
  *reader = (LunaShapeReader){.arena = arena};
  luna_shape_graph_init(&reader->graph, arena);
  MlirBlock entry = mlirRegionGetFirstBlock(region);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i)
    add_value(reader, mlirBlockGetArgument(entry, i), 0,
              argument_name(reader, func, i));
  for (MlirBlock block = entry; !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block)) {
    bool is_entry = mlirBlockEqual(block, entry);
    uint32_t scope = is_entry ? 0 : luna_scope_add(&reader->graph.facts, 0);
    for (intptr_t k = 0; !is_entry && k < mlirBlockGetNumArguments(block); ++k)
      add_value(reader, mlirBlockGetArgument(block, k), scope, NULL);
    read_block(reader, block, scope);
  }
}
