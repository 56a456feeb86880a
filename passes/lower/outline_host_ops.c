// Outlines the operators of the host core: each becomes a call of a function,
// announced to the runtime with its cost and the boxes that it reads and
// writes. Operators that compute the same on the same types share a function.
// The function takes the address of each memref (element [0, …]) and rebuilds
// the memref from it, so that upstream passes can lower the operator
// independently of the program. One for several sizes reads them from the
// descriptors of the boxes, whose addresses it takes, too.

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "host_cost.h"
#include "in_place.h"
#include "luna-c/ops.h"
#include "luna/checked.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"
#include "mlir-c/Dialect/Linalg.h"
#include "op_desc.h"
#include "outline.h"

//===----------------------------------------------------------------------===//
// Announcing
//===----------------------------------------------------------------------===//

// Describes a memref of static strides by as few dimensions as reach the same
// elements. Returns false if these are too many.
static bool collapse(MlirType type, const int64_t *strides,
                     LunaHostOperandDesc *desc) {
  intptr_t rank = mlirShapedTypeGetRank(type), last = -1;
  for (intptr_t i = 0; i < rank; ++i) {
    int64_t extent = mlirShapedTypeGetDimSize(type, i);
    if (extent == 1)
      continue;
    bool joins = last >= 0 && desc->strides[last] == extent * strides[i];
    if (!joins && ++last == LUNA_BOX_RANK)
      return false;
    desc->dims[last] = (int32_t)(joins ? desc->dims[last] * extent : extent);
    desc->strides[last] = (int32_t)strides[i];
  }
  desc->rank = (int32_t)(last + 1);
  return true;
}

// Computes the box of a memref. Returns false, after an error, if it has none.
static bool describe_box(MlirOperation op, MlirType type,
                         LunaHostOperandDesc *desc) {
  int64_t strides[LUNA_RANK_MAX];
  intptr_t rank = mlirShapedTypeGetRank(type);
  desc->element_bytes =
      (int32_t)luna_element_type_bytes(mlirShapedTypeGetElementType(type));
  int64_t bytes = luna_shaped_bytes(type);
  bool fits = bytes >= 0 && bytes <= INT32_MAX &&
              luna_static_strides(type, strides) &&
              (rank <= LUNA_BOX_RANK || collapse(type, strides, desc));
  if (!fits) {
    luna_emit_error(op, "operator of the host core needs memrefs of static "
                        "shape and strides, of up to 6 dimensions or "
                        "contiguous");
    return false;
  }
  if (rank > LUNA_BOX_RANK)
    return true;
  desc->rank = (int32_t)rank;
  for (intptr_t i = 0; i < rank; ++i) {
    desc->dims[i] = (int32_t)mlirShapedTypeGetDimSize(type, i);
    desc->strides[i] = (int32_t)strides[i];
  }
  return true;
}

static void announce_begin(LunaLowering *run, MlirOperation before,
                           int64_t cycles) {
  if (!run->has_ids)
    return;
  LunaHostDesc desc = {
      .cycles_low = (int32_t)(uint32_t)((uint64_t)cycles & UINT32_MAX),
      .cycles_high = (int32_t)(uint32_t)((uint64_t)cycles >> 32),
  };
  MlirValue arguments[] = {
      luna_build_desc(run, before, (const int32_t *)&desc, sizeof desc / 4),
      luna_begin_ids(run, before, luna_note_operator(run, before)),
  };
  luna_build_call(run, before, LUNA_CALL_HOST_BEGIN, arguments);
}

static void announce_end(LunaLowering *run, MlirOperation before) {
  if (run->has_ids)
    luna_build_call(run, before, LUNA_CALL_HOST_END, NULL);
}

static void announce_operand(LunaLowering *run, MlirOperation before,
                             MlirValue memref, MlirValue address,
                             MlirValue box) {
  luna_add_ids(run, luna_place_of(run, memref).buffer, LUNA_NO_ID);
  MlirValue arguments[] = {box, address};
  luna_build_call(run, before, LUNA_CALL_HOST_OPERAND, arguments);
}

static MlirValue build_box(LunaLowering *run, MlirOperation before,
                           const LunaHostOperandDesc *desc) {
  return luna_build_desc(run, before, (const int32_t *)desc, sizeof *desc / 4);
}

static bool announce_operands(LunaOutline *outline) {
  LunaLowering *run = outline->run;
  for (uint64_t i = 0; i < outline->captures.count; ++i) {
    LunaCapture *captured = &outline->captures.items[i];
    MlirType type = mlirValueGetType(captured->value);
    if (!luna_is_memref(type))
      continue;
    LunaHostOperandDesc desc = {.access = captured->access};
    if (!describe_box(outline->op, type, &desc))
      return false;
    captured->address = luna_build_pointer(run, outline->op, captured->value);
    if (captured->access == 0)
      continue;
    if (run->has_ids || run->has_size_arguments)
      captured->box = build_box(run, outline->op, &desc);
    if (run->has_ids)
      announce_operand(run, outline->op, captured->value, captured->address,
                       captured->box);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

// Returns the LLVM struct of a ranked memref descriptor.
static MlirType struct_type(LunaLowering *run, intptr_t rank) {
  MlirType array = mlirLLVMArrayTypeGet(run->index, (unsigned)rank);
  MlirType fields[] = {run->ptr, run->ptr, run->index, array, array};
  return mlirLLVMStructTypeLiteralGet(run->context, rank > 0 ? 5 : 3, fields,
                                      false);
}

static MlirValue insert_field(LunaLowering *run, MlirOperation before,
                              MlirValue into, MlirValue field, int64_t first,
                              int64_t second) {
  int64_t position[] = {first, second};
  MlirNamedAttribute attribute = luna_named(
      run->context, "position",
      mlirDenseI64ArrayGet(run->context, second < 0 ? 1 : 2, position));
  MlirValue operands[] = {into, field};
  MlirType type = mlirValueGetType(into);
  return luna_build_value_with(before, "llvm.insertvalue", type, 2, operands, 1,
                               &attribute);
}

static MlirValue insert_number(LunaLowering *run, MlirOperation before,
                               MlirValue into, int64_t number, int64_t first,
                               int64_t second) {
  return insert_field(run, before, into,
                      luna_build_constant(run, before, run->index, number),
                      first, second);
}

// Loads a word of a descriptor, as an index.
static MlirValue load_word(LunaLowering *run, MlirOperation before,
                           MlirValue desc, size_t offset_bytes) {
  MlirValue at = luna_build_offset(run, before, desc, (int64_t)offset_bytes);
  MlirValue word = luna_build_value(before, "llvm.load", run->i32, 1, &at);
  return mlirTypeEqual(run->i32, run->index)
             ? word
             : luna_build_value(before, "llvm.sext", run->index, 1, &word);
}

// Sets the sizes and strides of a memref from the box at the next argument.
static MlirValue receive_sizes(LunaLowering *run, MlirBlock body,
                               MlirOperation before, MlirValue memref,
                               intptr_t rank) {
  MlirValue box =
      mlirBlockAddArgument(body, run->ptr, mlirOperationGetLocation(before));
  for (intptr_t i = 0; i < rank; ++i) {
    size_t at = (size_t)i * sizeof(int32_t);
    MlirValue size =
        load_word(run, before, box, offsetof(LunaHostOperandDesc, dims) + at);
    MlirValue stride = load_word(run, before, box,
                                 offsetof(LunaHostOperandDesc, strides) + at);
    memref = insert_field(run, before, memref, size, 3, i);
    memref = insert_field(run, before, memref, stride, 4, i);
  }
  return memref;
}

// Sets the sizes and strides that a type has.
static MlirValue insert_sizes(LunaLowering *run, MlirOperation before,
                              MlirValue memref, MlirType type) {
  int64_t strides[LUNA_RANK_MAX], origin = 0;
  luna_memref_strides(type, &origin, strides);
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i) {
    int64_t size = mlirShapedTypeGetDimSize(type, i);
    memref = insert_number(run, before, memref, size, 3, i);
    memref = insert_number(run, before, memref, strides[i], 4, i);
  }
  return memref;
}

// Rebuilds the memref at the next argument of `body`. If its type leaves sizes
// and strides open, the argument after that has them.
static MlirValue receive_memref(LunaLowering *run, MlirBlock body,
                                MlirOperation before, MlirType type) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  MlirValue address =
      mlirBlockAddArgument(body, run->ptr, mlirOperationGetLocation(before));
  MlirValue value = luna_build_value(before, "llvm.mlir.poison",
                                     struct_type(run, rank), 0, NULL);
  value = insert_field(run, before, value, address, 0, -1);
  value = insert_field(run, before, value, address, 1, -1);
  value = insert_number(run, before, value, 0, 2, -1);
  value = mlirShapedTypeHasStaticShape(type)
              ? insert_sizes(run, before, value, type)
              : receive_sizes(run, body, before, value, rank);
  return luna_build_value(before, "builtin.unrealized_conversion_cast", type, 1,
                          &value);
}

static MlirOperation make_return(LunaOutline *outline, MlirBlock body) {
  MlirOperation op = luna_build(&(LunaOpSpec){
      .name = "func.return",
      .location = mlirOperationGetLocation(outline->op),
  });
  mlirBlockAppendOwnedOperation(body, op);
  return op;
}

// Creates the body's block, with one argument per capture that is not a
// constant, and sets Capture.inside.
static MlirBlock make_body(LunaOutline *outline) {
  LunaLowering *run = outline->run;
  MlirLocation location = mlirOperationGetLocation(outline->op);
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  MlirOperation end = make_return(outline, body);
  for (uint64_t i = 0; i < outline->captures.count; ++i) {
    LunaCapture *captured = &outline->captures.items[i];
    if (luna_is_constant(captured->value)) {
      MlirOperation clone =
          mlirOperationClone(luna_defining_op(captured->value));
      luna_insert_before(end, clone);
      captured->inside = mlirOperationGetResult(clone, 0);
      continue;
    }
    captured->inside =
        luna_is_memref(captured->type)
            ? receive_memref(run, body, end, captured->type)
            : mlirBlockAddArgument(body, captured->type, location);
  }
  return body;
}

static MlirValue inside_of(const LunaOutline *outline, MlirValue value) {
  for (uint64_t i = 0; i < outline->captures.count; ++i) {
    const LunaCapture *captured = &outline->captures.items[i];
    if (luna_same_value(captured->value, value))
      return captured->inside;
  }
  return value;
}

static bool replace_operands(MlirOperation op, void *data) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirValue inside = inside_of(data, operand);
    if (!luna_same_value(operand, inside))
      mlirOperationSetOperand(op, i, inside);
  }
  return true;
}

// A strided memref.copy as linalg.copy, which lowers to loops (upstream turns
// the former into a call of its own runtime).
static MlirOperation loop_copy(MlirOperation copy) {
  MlirContext context = mlirOperationGetContext(copy);
  int32_t segments[] = {1, 1};
  MlirNamedAttribute attribute =
      luna_named(context, "operandSegmentSizes",
                 mlirDenseI32ArrayGet(context, 2, segments));
  MlirValue operands[] = {mlirOperationGetOperand(copy, 0),
                          mlirOperationGetOperand(copy, 1)};
  MlirRegion body = mlirRegionCreate();
  MlirOperation op = luna_build_before(copy, &(LunaOpSpec){
                                                 .name = "linalg.copy",
                                                 .operands = operands,
                                                 .operand_count = 2,
                                                 .attributes = &attribute,
                                                 .attribute_count = 1,
                                                 .owned_regions = &body,
                                                 .region_count = 1,
                                             });
  mlirLinalgFillBuiltinNamedOpRegion(op);
  mlirOperationDestroy(copy);
  return op;
}

// Tells LLVM which arguments point to bytes that no other argument does: the
// outputs of a reduction, which the plan keeps apart from what is read.
static void mark_apart(const LunaOutline *outline, MlirOperation func) {
  LunaLowering *run = outline->run;
  MlirNamedAttribute noalias =
      luna_named(run->context, "llvm.noalias", mlirUnitAttrGet(run->context));
  MlirAttribute *attributes =
      LUNA_ARENA_ARRAY(&run->arena, MlirAttribute, 2 * outline->captures.count);
  intptr_t count = 0;
  for (uint64_t i = 0; i < outline->captures.count; ++i) {
    const LunaCapture *captured = &outline->captures.items[i];
    if (luna_is_constant(captured->value))
      continue;
    bool is_output = captured->access & LUNA_ACCESS_WRITE;
    attributes[count++] =
        mlirDictionaryAttrGet(run->context, is_output, &noalias);
    if (luna_is_memref(captured->type) &&
        !mlirShapedTypeHasStaticShape(captured->type))
      attributes[count++] = mlirDictionaryAttrGet(run->context, 0, NULL);
  }
  luna_set_attr(func, "arg_attrs",
                mlirArrayAttrGet(run->context, count, attributes));
}

// Moves the operator into a new function of this name, which is returned.
static MlirOperation move_out(LunaOutline *outline, const char *name) {
  LunaLowering *run = outline->run;
  MlirBlock body = make_body(outline);
  MlirOperation end = mlirBlockGetTerminator(body);
  mlirOperationMoveBefore(outline->op, end);
  replace_operands(outline->op, outline);
  luna_walk(outline->op, replace_operands, outline);
  if (luna_op_is(outline->op, LUNA_OP_MEMREF_COPY))
    outline->op = loop_copy(outline->op);
  MlirOperation func = luna_build_internal(
      run, name, mlirOperationGetLocation(outline->op), body);
  if (luna_reduces(outline->op))
    mark_apart(outline, func);
  return func;
}

//===----------------------------------------------------------------------===//
// Sharing
//===----------------------------------------------------------------------===//

static bool forget_location(MlirOperation op, void *data) {
  const LunaLowering *run = data;
  mlirOperationSetLocation(op, mlirLocationUnknownGet(run->context));
  return true;
}

// Where the operator is in the model is known of its own function alone.
static void share(LunaLowering *run, uint32_t kernel, MlirOperation op) {
  LunaLoweringKernel *shared = &run->kernels.items[kernel];
  if (!shared->is_shared)
    luna_walk(shared->func, forget_location, run);
  shared->is_shared = true;
  mlirOperationDestroy(op);
}

static void call_function(LunaOutline *outline, MlirOperation before,
                          const char *name) {
  LunaLowering *run = outline->run;
  MlirValue *arguments =
      LUNA_ARENA_ARRAY(&run->arena, MlirValue, 2 * outline->captures.count);
  intptr_t count = 0;
  for (uint64_t i = 0; i < outline->captures.count; ++i) {
    const LunaCapture *captured = &outline->captures.items[i];
    if (luna_is_constant(captured->value))
      continue;
    bool is_memref = luna_is_memref(captured->type);
    arguments[count++] = is_memref ? captured->address : captured->value;
    if (is_memref && !mlirShapedTypeHasStaticShape(captured->type))
      arguments[count++] = captured->box;
  }
  MlirNamedAttribute callee =
      luna_named(run->context, "callee",
                 mlirFlatSymbolRefAttrGet(run->context, luna_str(name)));
  luna_build_before(before, &(LunaOpSpec){
                                .name = "func.call",
                                .operands = arguments,
                                .operand_count = count,
                                .attributes = &callee,
                                .attribute_count = 1,
                            });
}

bool luna_outline_host_op(LunaLowering *run, MlirOperation op) {
  if (mlirOperationGetNumResults(op) > 0) {
    luna_emit_error(op, "has memref operands and a result, which the host core "
                        "cannot compute; operators write their operands");
    return false;
  }
  // Before addresses are computed, which use what the operator does.
  int64_t cycles = (int64_t)luna_host_cycles(run->machine, op);
  LunaOutline outline = luna_outline_of(run, op);
  announce_begin(run, op, cycles);
  if (!announce_operands(&outline))
    return false;
  uint32_t kernel = luna_outline_kernel(&outline);
  const char *name =
      luna_arena_printf(&run->arena, "%s_host%" PRIu32, run->symbol, kernel);
  call_function(&outline, op, name);
  announce_end(run, op);
  if (kernel < run->kernels.count) {
    share(run, kernel, op);
    return true;
  }
  LunaLoweringKernel *added = LUNA_VECTOR_ADD(&run->arena, &run->kernels);
  added->func = move_out(&outline, name);
  return true;
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

// Returns the address of the element that a memref.load reads.
static MlirValue element_address(LunaLowering *run, MlirOperation load) {
  MlirValue memref = mlirOperationGetOperand(load, 0);
  MlirType type = mlirValueGetType(memref);
  int64_t strides[LUNA_RANK_MAX], origin = 0;
  mlirMemRefTypeGetStridesAndOffset(type, strides, &origin);
  int64_t bytes = luna_element_type_bytes(mlirShapedTypeGetElementType(type));
  MlirValue address = luna_build_pointer(run, load, memref);
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(load); ++i) {
    MlirValue index = mlirOperationGetOperand(load, i);
    MlirOperation constant = luna_defining_op(index);
    if (luna_is_constant(index)) {
      address = luna_build_offset(run, load, address,
                                  luna_attr_int(constant, "value", 0) *
                                      strides[i - 1] * bytes);
      continue;
    }
    MlirValue factors[] = {
        luna_build_value(load, "arith.index_cast", run->index, 1, &index),
        luna_build_constant(run, load, run->index, strides[i - 1] * bytes),
    };
    address = luna_build_dynamic_offset(
        run, load, address,
        luna_build_value(load, "llvm.mul", run->index, 2, factors));
  }
  return address;
}

bool luna_lower_load(LunaLowering *run, MlirOperation op) {
  MlirValue memref = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(memref);
  LunaHostOperandDesc desc = {.access = LUNA_ACCESS_READ};
  if (!describe_box(op, type, &desc))
    return false;
  desc.rank = 0;
  int64_t cycles = (int64_t)luna_host_cycles(run->machine, op);
  MlirValue address = element_address(run, op);
  announce_begin(run, op, cycles);
  if (run->has_ids)
    announce_operand(run, op, memref, address, build_box(run, op, &desc));
  MlirValue old = mlirOperationGetResult(op, 0);
  bool is_index = mlirTypeIsAIndex(mlirValueGetType(old));
  MlirType loaded_type = is_index ? run->i64 : mlirValueGetType(old);
  MlirValue loaded =
      luna_build_value(op, "llvm.load", loaded_type, 1, &address);
  if (is_index)
    loaded = luna_build_value(op, "arith.index_cast", mlirValueGetType(old), 1,
                              &loaded);
  announce_end(run, op);
  mlirValueReplaceAllUsesOfWith(old, loaded);
  mlirOperationDestroy(op);
  return true;
}
