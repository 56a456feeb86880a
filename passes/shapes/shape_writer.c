#include "shape_writer.h"

#include "luna-c/build_scalar.h"
#include "luna-c/build_tosa.h"
#include "luna-c/ir.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "shape_open.h"

// Each value has the type that it had, the type that is known of it, and the
// type that it gets: the known one where its operator leaves it free, else the
// old one, and in control flow what all that meet there have in common.
typedef struct Types {
  MlirType old, known, given;
} Types;

typedef struct Writer {
  LunaShapeReader *reader;
  MlirOperation func;
  bool is_called;
  Types *types;
} Writer;

typedef struct Use {
  MlirOperation owner;
  intptr_t operand;
} Use;

static uint32_t id_of(const Writer *writer, MlirValue value) {
  return luna_shape_id(writer->reader, value);
}

// The bodies of linalg and tensor operators are not read.
static bool is_read(const Writer *writer, MlirValue value) {
  return id_of(writer, value) != LUNA_MAP_ABSENT;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

// Constants that no type can have, negative ones, stay open.
static MlirType known_type(Writer *writer, uint32_t v, MlirType old) {
  LunaShapeGraph *graph = &writer->reader->graph;
  uint32_t rank = luna_shape_rank(graph, v);
  int64_t dims[LUNA_RANK_MAX];
  if (!mlirTypeIsATensor(old) || rank == LUNA_SHAPE_UNRANKED ||
      rank > LUNA_RANK_MAX)
    return old;
  for (uint32_t d = 0; d < rank; ++d)
    if (!luna_expr_is_const(&graph->facts.exprs, luna_shape_dim(graph, v, d),
                            &dims[d]) ||
        dims[d] < 0)
      dims[d] = mlirShapedTypeGetDynamicSize();
  return mlirRankedTensorTypeGet(rank, dims, mlirShapedTypeGetElementType(old),
                                 mlirTypeIsARankedTensor(old)
                                     ? mlirRankedTensorTypeGetEncoding(old)
                                     : mlirAttributeGetNull());
}

// The extents that two types have in common; `a` if one has no rank.
static MlirType common_type(MlirType a, MlirType b) {
  int64_t dims[LUNA_RANK_MAX];
  if (mlirTypeEqual(a, b) || !mlirShapedTypeHasRank(a))
    return a;
  if (!mlirShapedTypeHasRank(b) ||
      mlirShapedTypeGetRank(a) != mlirShapedTypeGetRank(b))
    return mlirUnrankedTensorTypeGet(mlirShapedTypeGetElementType(a));
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(a); ++d)
    dims[d] = mlirShapedTypeGetDimSize(a, d) == mlirShapedTypeGetDimSize(b, d)
                  ? mlirShapedTypeGetDimSize(a, d)
                  : mlirShapedTypeGetDynamicSize();
  return mlirRankedTensorTypeGet(mlirShapedTypeGetRank(a), dims,
                                 mlirShapedTypeGetElementType(a),
                                 mlirRankedTensorTypeGetEncoding(a));
}

// Operators whose verifiers take any type that is compatible; the others of
// the tensor dialect tie types to attributes, and of unknown ones nothing is
// known.
static bool is_free(MlirOperation op) {
  if (luna_op_in_dialect(op, LUNA_DIALECT_TOSA))
    return !LUNA_OP_IS_ANY(op, LUNA_OP_TOSA_CUSTOM, LUNA_OP_TOSA_VARIABLE_READ,
                           LUNA_OP_TOSA_VARIABLE_WRITE);
  if (luna_op_in_dialect(op, LUNA_DIALECT_LINALG))
    return luna_shape_rule_of(op) != &luna_shape_opaque &&
           !mlirAttributeIsNull(mlirLinalgGetIndexingMapsAttribute(op));
  return luna_op_is(op, LUNA_OP_TENSOR_CAST);
}

static bool takes_any(MlirOperation op) {
  return is_free(op) ||
         LUNA_OP_IS_ANY(op, LUNA_OP_TENSOR_DIM, LUNA_OP_TENSOR_EXTRACT,
                        LUNA_OP_TENSOR_EXTRACT_SLICE);
}

//===----------------------------------------------------------------------===//
// Control flow: values that have one type
//===----------------------------------------------------------------------===//

static void give_common(Writer *writer, MlirValue a, MlirValue b) {
  if (!is_read(writer, a))
    return;
  Types *x = &writer->types[id_of(writer, a)];
  Types *y = &writer->types[id_of(writer, b)];
  if (mlirTypeIsATensor(x->known))
    x->given = y->given = common_type(x->given, y->given);
}

static void give_arguments(Writer *writer, MlirOperation op, intptr_t region,
                           intptr_t first, MlirOperation other,
                           intptr_t other_region) {
  MlirBlock block = luna_body(op, region);
  for (intptr_t i = first;
       !mlirBlockIsNull(block) && i < mlirBlockGetNumArguments(block); ++i)
    give_common(writer, mlirBlockGetArgument(block, i),
                other_region < 0
                    ? mlirOperationGetResult(other, i - first)
                    : mlirBlockGetArgument(luna_body(other, other_region), i));
}

// The value whose type an operand of control flow has, or a null one.
static MlirValue met_by(MlirOperation op, intptr_t i) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(op));
  if (luna_op_is(op, LUNA_OP_SCF_CONDITION))
    return i > 0 ? mlirOperationGetResult(parent, i - 1) : (MlirValue){NULL};
  if (luna_op_is(op, LUNA_OP_SCF_WHILE))
    return mlirBlockGetArgument(luna_body(op, 0), i);
  if (luna_op_is(op, LUNA_OP_SCF_FOR))
    return i >= 3 ? mlirOperationGetResult(op, i - 3) : (MlirValue){NULL};
  if (luna_op_is(op, LUNA_OP_TOSA_WHILE_LOOP))
    return mlirOperationGetResult(op, i);
  if (luna_op_is(op, LUNA_OP_TOSA_COND_IF))
    return i > 0 ? mlirBlockGetArgument(luna_body(op, 0), i - 1)
                 : (MlirValue){NULL};
  if (LUNA_OP_IS_ANY(op, LUNA_OP_SCF_IF, LUNA_OP_SCF_INDEX_SWITCH))
    return (MlirValue){NULL};
  if (luna_op_is(parent, LUNA_OP_SCF_WHILE))
    return mlirBlockGetArgument(luna_body(parent, 0), i);
  // The condition of tosa.while_loop yields a truth value.
  if (luna_op_is(parent, LUNA_OP_TOSA_WHILE_LOOP) &&
      mlirRegionEqual(region, mlirOperationGetRegion(parent, 0)))
    return (MlirValue){NULL};
  return mlirOperationGetResult(parent, i);
}

static bool is_flow_operand(MlirOperation op) {
  return luna_shape_is_flow(op) ||
         (mlirOperationIsNull(mlirOperationGetNextInBlock(op)) &&
          luna_shape_is_flow(mlirOperationGetParentOperation(op)));
}

// `type` with what contradicts `other` left open.
static MlirType compatible_type(MlirType type, MlirType other) {
  int64_t dims[LUNA_RANK_MAX];
  if (!mlirShapedTypeHasRank(type) || !mlirShapedTypeHasRank(other))
    return type;
  if (mlirShapedTypeGetRank(type) != mlirShapedTypeGetRank(other))
    return mlirUnrankedTensorTypeGet(mlirShapedTypeGetElementType(type));
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    bool is_open =
        !mlirShapedTypeIsDynamicDim(other, d) &&
        mlirShapedTypeGetDimSize(other, d) != mlirShapedTypeGetDimSize(type, d);
    dims[d] = is_open ? mlirShapedTypeGetDynamicSize()
                      : mlirShapedTypeGetDimSize(type, d);
  }
  return mlirRankedTensorTypeGet(mlirShapedTypeGetRank(type), dims,
                                 mlirShapedTypeGetElementType(type),
                                 mlirRankedTensorTypeGetEncoding(type));
}

// What follows may demand a shape that one way does not have: that way is
// never taken, but must still be of a type that casts.
static bool give_compatible(MlirOperation op, void *data) {
  Writer *writer = data;
  for (intptr_t i = 0;
       is_flow_operand(op) && i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue met = met_by(op, i);
    if (!met.ptr || !mlirTypeIsATensor(mlirValueGetType(met)) ||
        !is_read(writer, met))
      continue;
    Types *types = &writer->types[id_of(writer, met)];
    MlirType known =
        writer->types[id_of(writer, mlirOperationGetOperand(op, i))].known;
    types->given = compatible_type(types->given, known);
  }
  return true;
}

static bool give_flow(MlirOperation op, void *data) {
  Writer *writer = data;
  if (luna_op_is(op, LUNA_OP_SCF_FOR)) {
    give_arguments(writer, op, 0, 1, op, -1);
  } else if (luna_op_is(op, LUNA_OP_SCF_WHILE)) {
    give_arguments(writer, op, 1, 0, op, -1);
  } else if (luna_op_is(op, LUNA_OP_TOSA_COND_IF)) {
    give_arguments(writer, op, 1, 0, op, 0);
  } else if (luna_op_is(op, LUNA_OP_TOSA_WHILE_LOOP)) {
    // Three that meet: what the first two have in common, with the third.
    give_arguments(writer, op, 0, 0, op, 1);
    give_arguments(writer, op, 1, 0, op, -1);
    give_arguments(writer, op, 0, 0, op, 1);
  }
  return true;
}

// A region that never runs may have what does not fit: it stays.
static bool is_dead(const Writer *writer, MlirOperation op) {
  LunaShapeGraph *graph = &writer->reader->graph;
  return mlirOperationGetNumResults(op) > 0 &&
         is_read(writer, mlirOperationGetResult(op, 0)) &&
         luna_scope_is_dead(
             &graph->facts,
             graph->values.items[id_of(writer, mlirOperationGetResult(op, 0))]
                 .decl.scope);
}

// The type that an operand must have: that of `v`, known, given or old.
static MlirType wanted_type(const Writer *writer, Use use, uint32_t v) {
  if (is_flow_operand(use.owner)) {
    MlirValue met = met_by(use.owner, use.operand);
    return met.ptr && is_read(writer, met)
               ? writer->types[id_of(writer, met)].given
               : writer->types[v].old;
  }
  if (luna_op_is(use.owner, LUNA_OP_FUNC_RETURN))
    return writer->is_called ? writer->types[v].old : writer->types[v].known;
  return takes_any(use.owner) && !is_dead(writer, use.owner)
             ? writer->types[v].known
             : writer->types[v].old;
}

//===----------------------------------------------------------------------===//
// Deciding
//===----------------------------------------------------------------------===//

static bool is_tied(const Writer *writer, MlirValue value) {
  if (!mlirValueIsABlockArgument(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    return is_dead(writer, op) || (!is_free(op) && !luna_shape_is_flow(op));
  }
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  MlirOperation parent = mlirBlockGetParentOperation(block);
  if (mlirOperationEqual(parent, writer->func))
    return writer->is_called || !mlirBlockEqual(block, luna_body(parent, 0));
  return !luna_shape_is_flow(parent);
}

static void decide(Writer *writer) {
  LunaShapeReader *reader = writer->reader;
  writer->types = LUNA_ARENA_ARRAY(reader->arena, Types, reader->values.count);
  for (uint32_t v = 0; v < reader->values.count; ++v) {
    MlirValue value = reader->values.items[v];
    Types *types = &writer->types[v];
    types->old = mlirValueGetType(value);
    types->known = known_type(writer, v, types->old);
    types->given = is_tied(writer, value) ? types->old : types->known;
  }
  luna_walk(writer->func, give_compatible, writer);
  luna_walk(writer->func, give_flow, writer);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static MlirValue build_cast(MlirOperation before, MlirValue value,
                            MlirType type) {
  return luna_build_value(before, "tensor.cast", type, 1, &value);
}

// The op behind the definition of a value.
static MlirOperation behind(MlirValue value) {
  return mlirValueIsABlockArgument(value)
             ? mlirBlockGetFirstOperation(mlirBlockArgumentGetOwner(value))
             : mlirOperationGetNextInBlock(mlirOpResultGetOwner(value));
}

typedef struct Uses {
  LUNA_VECTOR(Use);
} Uses;

static Uses uses_of(LunaArena *arena, MlirValue value) {
  Uses uses = {0};
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    *LUNA_VECTOR_ADD(arena, &uses) =
        (Use){mlirOpOperandGetOwner(use),
              (intptr_t)mlirOpOperandGetOperandNumber(use)};
  return uses;
}

// Gives a value its type, and every use the type that it needs: by one cast
// behind the definition for those that take what is known.
static void rewrite_value(Writer *writer, uint32_t v) {
  MlirValue value = writer->reader->values.items[v], known = {NULL};
  Types types = writer->types[v];
  Uses uses = uses_of(writer->reader->arena, value);
  mlirValueSetType(value, types.given);
  for (uint64_t i = 0; i < uses.count; ++i) {
    Use use = uses.items[i];
    MlirType wanted = wanted_type(writer, use, v);
    if (mlirTypeEqual(wanted, types.given))
      continue;
    if (!mlirTypeEqual(wanted, types.known)) {
      mlirOperationSetOperand(use.owner, use.operand,
                              build_cast(use.owner, value, wanted));
      continue;
    }
    if (!known.ptr)
      known = build_cast(behind(value), value, wanted);
    mlirOperationSetOperand(use.owner, use.operand, known);
  }
}

static bool is_constant_op(MlirOperation op) {
  return LUNA_OP_IS_ANY(op, LUNA_OP_ARITH_CONSTANT, LUNA_OP_TOSA_CONST,
                        LUNA_OP_TOSA_CONST_SHAPE);
}

static bool read_constants(Writer *writer, uint32_t v, int64_t *numbers) {
  LunaShapeGraph *graph = &writer->reader->graph;
  uint32_t count = graph->values.items[v].decl.element_count;
  for (uint32_t k = 0; k < count; ++k)
    if (!luna_expr_is_const(&graph->facts.exprs,
                            luna_shape_element(graph, v, k), &numbers[k]))
      return false;
  return count > 0;
}

// Replaces what holds sizes, all constants, by a constant.
static void fold_value(Writer *writer, uint32_t v) {
  MlirValue value = writer->reader->values.items[v];
  MlirType type = mlirValueGetType(value);
  int64_t numbers[LUNA_SHAPE_ELEMENTS_MAX];
  uint32_t rank = 0;
  if (mlirTypeIsATensor(type) || !luna_is_used(value) ||
      writer->reader->graph.values.items[v].decl.element_count >
          LUNA_SHAPE_ELEMENTS_MAX ||
      (!mlirValueIsABlockArgument(value) &&
       is_constant_op(mlirOpResultGetOwner(value))) ||
      !read_constants(writer, v, numbers))
    return;
  MlirOperation next = behind(value);
  LunaBuilder b = luna_builder_before(next, next);
  MlirValue constant = luna_is_tosa_shape(type, &rank)
                           ? luna_build_const_shape(&b, rank, numbers)
                           : luna_scalar_int(&b, type, numbers[0]);
  mlirValueReplaceAllUsesOfWith(value, constant);
}

static bool drop_cast(MlirOperation op, void *data) {
  (void)data;
  if (luna_op_is(op, LUNA_OP_TENSOR_CAST)) {
    MlirValue from = mlirOperationGetOperand(op, 0);
    MlirValue to = mlirOperationGetResult(op, 0);
    if (mlirTypeEqual(mlirValueGetType(from), mlirValueGetType(to)))
      mlirValueReplaceAllUsesOfWith(to, from);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static void update_function_type(Writer *writer) {
  MlirBlock entry = luna_body(writer->func, 0);
  MlirType old = mlirTypeAttrGetValue(luna_attr(writer->func, "function_type"));
  MlirOperation end = mlirBlockGetTerminator(entry);
  intptr_t inputs = mlirFunctionTypeGetNumInputs(old);
  intptr_t results = mlirFunctionTypeGetNumResults(old);
  MlirType *types =
      LUNA_ARENA_ARRAY(writer->reader->arena, MlirType, inputs + results);
  bool has_end = luna_op_is(end, LUNA_OP_FUNC_RETURN);
  for (intptr_t i = 0; i < inputs; ++i)
    types[i] = mlirValueGetType(mlirBlockGetArgument(entry, i));
  for (intptr_t i = 0; i < results; ++i)
    types[inputs + i] = has_end
                            ? mlirValueGetType(mlirOperationGetOperand(end, i))
                            : mlirFunctionTypeGetResult(old, i);
  luna_set_attr(writer->func, "function_type",
                mlirTypeAttrGet(mlirFunctionTypeGet(
                    mlirOperationGetContext(writer->func), inputs, types,
                    results, types + inputs)));
}

// What is said of a value is what is known of it, whatever type it got.
static void describe(Writer *writer) {
  LunaShapeReader *reader = writer->reader;
  bool *is_open = LUNA_ARENA_ARRAY(reader->arena, bool, reader->values.count);
  for (uint32_t v = 0; v < reader->values.count; ++v)
    is_open[v] = luna_shape_is_open(writer->types[v].known);
  luna_shape_describe(reader, writer->func, is_open);
}

void luna_shape_write(LunaShapeReader *reader, MlirOperation func,
                      bool is_called) {
  Writer writer = {.reader = reader, .func = func, .is_called = is_called};
  decide(&writer);
  for (uint32_t v = 0; v < reader->values.count; ++v)
    if (mlirTypeIsATensor(writer.types[v].old))
      rewrite_value(&writer, v);
  for (uint32_t v = 0; v < reader->values.count; ++v)
    fold_value(&writer, v);
  luna_walk(func, drop_cast, NULL);
  describe(&writer);
  if (!is_called)
    update_function_type(&writer);
  luna_erase_unused(func);
}
