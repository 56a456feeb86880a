// The addresses of memref values: a constant offset from an argument of the
// entry function if that holds on every path, else a pointer at run time.

#include "lowering.h"
#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structure.h"

static LunaPlace find_place(LunaLowering *run, MlirValue value);

//===----------------------------------------------------------------------===//
// The table of places
//===----------------------------------------------------------------------===//

static LunaPlaceEntry *entry_of(LunaLowering *run, MlirValue value) {
  uint32_t index =
      luna_map_add(&run->values, &run->arena, luna_map_pointer(value.ptr));
  return index == run->places.count ? LUNA_VECTOR_ADD(&run->arena, &run->places)
                                    : &run->places.items[index];
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

static LunaPlace unknown_place(void) {
  return (LunaPlace){.buffer = LUNA_NO_ID};
}

static LunaPlace join(LunaPlace a, LunaPlace b) {
  if (a.is_open)
    return b;
  if (b.is_open)
    return a;
  int32_t buffer = a.buffer == b.buffer ? a.buffer : LUNA_NO_ID;
  if (a.is_static && b.is_static && luna_same_value(a.root, b.root) &&
      a.offset_bytes == b.offset_bytes) {
    a.buffer = buffer;
    return a;
  }
  return (LunaPlace){.buffer = buffer};
}

static LunaPlace shifted(LunaPlace place, bool is_known, int64_t bytes) {
  if (is_known && bytes == 0)
    return place;
  if (!is_known || !place.is_static)
    return (LunaPlace){.buffer = place.buffer};
  place.offset_bytes += bytes;
  return place;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

bool luna_is_view(MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1 ||
      !luna_is_memref(mlirValueGetType(mlirOperationGetResult(op, 0))))
    return false;
  return LUNA_OP_IS_ANY(
      op, LUNA_OP_LUNA_BUFFER, LUNA_OP_MEMREF_VIEW, LUNA_OP_MEMREF_SUBVIEW,
      LUNA_OP_MEMREF_CAST, LUNA_OP_MEMREF_EXPAND_SHAPE,
      LUNA_OP_MEMREF_COLLAPSE_SHAPE, LUNA_OP_MEMREF_REINTERPRET_CAST,
      LUNA_OP_MEMREF_GET_GLOBAL, LUNA_OP_MEMREF_MEMORY_SPACE_CAST,
      LUNA_OP_ARITH_SELECT);
}

static int64_t element_bytes(MlirValue memref) {
  return luna_element_type_bytes(
      mlirShapedTypeGetElementType(mlirValueGetType(memref)));
}

// An offset of a subview: a constant or an operand.
typedef struct Offset {
  int64_t constant;
  MlirValue operand; // null if constant
  int64_t stride_bytes;
} Offset;

// The offsets of a memref.subview or reinterpret_cast; false if the source has
// dynamic strides.
static bool read_offsets(MlirOperation op, Offset offsets[LUNA_RANK_MAX],
                         intptr_t *count) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirAttribute constants = luna_attr(op, "static_offsets");
  int64_t strides[LUNA_RANK_MAX] = {0}, origin = 0;
  *count = mlirDenseArrayGetNumElements(constants);
  bool is_subview = luna_op_is(op, LUNA_OP_MEMREF_SUBVIEW);
  MlirType type = mlirValueGetType(source);
  if (mlirLogicalResultIsFailure(
          mlirMemRefTypeGetStridesAndOffset(type, strides, &origin)))
    return false;
  intptr_t operand = 1;
  for (intptr_t i = 0; i < *count; ++i) {
    offsets[i] = (Offset){
        .constant = mlirDenseI64ArrayGetElement(constants, i),
        // The offset of a reinterpret_cast is relative to the whole buffer.
        .stride_bytes = (is_subview ? strides[i] : 1) * element_bytes(source),
    };
    if (mlirShapedTypeIsDynamicStrideOrOffset(offsets[i].constant))
      offsets[i].operand = mlirOperationGetOperand(op, operand++);
    if (is_subview && mlirShapedTypeIsDynamicStrideOrOffset(strides[i]))
      return false;
  }
  if (is_subview)
    return true;
  offsets[0].constant -= origin;
  return !mlirShapedTypeIsDynamicStrideOrOffset(origin) &&
         mlirValueIsNull(offsets[0].operand);
}

// Computes the offset of a view from its source if it is constant.
static bool constant_distance(MlirOperation op, int64_t *bytes) {
  *bytes =
      luna_op_is(op, LUNA_OP_LUNA_BUFFER) ? luna_attr_int(op, "offset", 0) : 0;
  if (luna_op_is(op, LUNA_OP_MEMREF_VIEW))
    return luna_constant_number(mlirOperationGetOperand(op, 1), bytes);
  if (!LUNA_OP_IS_ANY(op, LUNA_OP_MEMREF_SUBVIEW,
                      LUNA_OP_MEMREF_REINTERPRET_CAST))
    return true;
  Offset offsets[LUNA_RANK_MAX];
  intptr_t count = 0;
  if (!read_offsets(op, offsets, &count))
    return false;
  for (intptr_t i = 0; i < count; ++i) {
    int64_t index = offsets[i].constant;
    if (!mlirValueIsNull(offsets[i].operand) &&
        !luna_constant_number(offsets[i].operand, &index))
      return false;
    *bytes += index * offsets[i].stride_bytes;
  }
  return true;
}

static LunaPlace place_of_view(LunaLowering *run, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_MEMREF_GET_GLOBAL)) {
    int32_t index = luna_find_global(run, luna_attr_symbol(op, "name"));
    if (index < 0)
      return unknown_place();
    return (LunaPlace){
        .is_static = true,
        .root = run->psram_base,
        .offset_bytes = run->globals.items[index].offset_bytes,
        .buffer = run->weight_buffer,
    };
  }
  if (luna_op_is(op, LUNA_OP_ARITH_SELECT))
    return join(find_place(run, mlirOperationGetOperand(op, 1)),
                find_place(run, mlirOperationGetOperand(op, 2)));
  int64_t bytes = 0;
  bool is_known = constant_distance(op, &bytes);
  LunaPlace place =
      shifted(find_place(run, mlirOperationGetOperand(op, 0)), is_known, bytes);
  if (luna_op_is(op, LUNA_OP_LUNA_BUFFER))
    place.buffer = (int32_t)luna_attr_int(op, "id", 0);
  return place;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static MlirOperation terminator_of(MlirOperation op, intptr_t region) {
  return mlirBlockGetTerminator(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region)));
}

static LunaPlace place_of_yields(LunaLowering *run, MlirOperation op,
                                 intptr_t index) {
  LunaPlace place = {.is_open = true, .buffer = LUNA_NO_ID};
  if (luna_op_is(op, LUNA_OP_SCF_WHILE))
    return find_place(run,
                      mlirOperationGetOperand(terminator_of(op, 0), 1 + index));
  if (luna_is_loop(op))
    place = find_place(run, mlirOperationGetOperand(op, 3 + index));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    place = join(place, find_place(run, mlirOperationGetOperand(
                                            terminator_of(op, r), index)));
  return place;
}

static LunaPlace place_of_argument(LunaLowering *run, MlirValue value) {
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  intptr_t number = mlirBlockArgumentGetArgNumber(value);
  MlirOperation op = mlirBlockGetParentOperation(block);
  if (!luna_is_loop(op))
    return unknown_place();
  if (!luna_op_is(op, LUNA_OP_SCF_WHILE))
    return place_of_yields(run, op, number - 1);
  bool is_before = mlirBlockEqual(
      block, mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
  if (!is_before)
    return place_of_yields(run, op, number);
  return join(
      find_place(run, mlirOperationGetOperand(op, number)),
      find_place(run, mlirOperationGetOperand(terminator_of(op, 1), number)));
}

static LunaPlace place_of_entry(LunaLowering *run, MlirValue value) {
  intptr_t number = mlirBlockArgumentGetArgNumber(value);
  if (luna_same_value(value, run->arena_base))
    return (LunaPlace){.is_static = true, .root = value, .buffer = LUNA_NO_ID};
  LunaPlace place = {
      .is_static = true,
      .root = value,
      .buffer = luna_argument_buffer(run, number),
  };
  if (run->arguments[number].role == LUNA_ARGUMENT_STATE) {
    place.root = run->state_base;
    place.offset_bytes =
        run->states.items[run->arguments[number].index].offset_bytes;
  }
  return place;
}

static LunaPlace compute_place(LunaLowering *run, MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  if (mlirOperationIsNull(op))
    return mlirBlockEqual(mlirBlockArgumentGetOwner(value), run->entry)
               ? place_of_entry(run, value)
               : place_of_argument(run, value);
  if (luna_is_view(op))
    return place_of_view(run, op);
  if (luna_is_control_flow(op))
    return place_of_yields(run, op, mlirOpResultGetResultNumber(value));
  return unknown_place();
}

// A loop-carried value depends on itself: it is open during the search and adds
// nothing to the join. Only the result for the outermost value is kept, since
// inner ones may depend on open values.
static LunaPlace find_place(LunaLowering *run, MlirValue value) {
  LunaPlaceEntry *entry = entry_of(run, value);
  if (entry->state == LUNA_PLACE_DONE)
    return entry->place;
  if (entry->state == LUNA_PLACE_OPEN) {
    ++run->open_hits;
    return (LunaPlace){.is_open = true, .buffer = LUNA_NO_ID};
  }
  entry->state = LUNA_PLACE_OPEN;
  uint64_t hits = run->open_hits;
  ++run->open_depth;
  LunaPlace place = compute_place(run, value);
  --run->open_depth;
  entry = entry_of(run, value); // the table may have grown
  bool is_final = run->open_depth == 0 || hits == run->open_hits;
  entry->state = is_final ? LUNA_PLACE_DONE : LUNA_PLACE_NEW;
  entry->place = place;
  return place;
}

LunaPlace luna_place_of(LunaLowering *run, MlirValue value) {
  return find_place(run, value);
}

int32_t luna_weight_global_of(LunaLowering *run, MlirValue value) {
  LunaPlace place = find_place(run, value);
  if (!place.is_static || !luna_same_value(place.root, run->psram_base))
    return -1;
  for (uint64_t i = 0; i < run->globals.count; ++i) {
    const LunaLoweringGlobal *global = &run->globals.items[i];
    if (place.offset_bytes >= global->offset_bytes &&
        place.offset_bytes < global->offset_bytes + global->bytes)
      return (int32_t)i;
  }
  return -1;
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

// index * stride in bytes.
static MlirValue build_bytes(LunaLowering *run, MlirOperation before,
                             MlirValue index, int64_t stride_bytes) {
  MlirValue wide =
      luna_build_value(before, "arith.index_cast", run->index, 1, &index);
  if (stride_bytes == 1)
    return wide;
  MlirValue factors[] = {
      wide, luna_build_constant(run, before, run->index, stride_bytes)};
  return luna_build_value(before, "llvm.mul", run->index, 2, factors);
}

static MlirValue build_view_pointer(LunaLowering *run, MlirOperation before,
                                    MlirOperation view) {
  if (luna_op_is(view, LUNA_OP_ARITH_SELECT)) {
    MlirValue operands[] = {
        mlirOperationGetOperand(view, 0),
        luna_build_pointer(run, before, mlirOperationGetOperand(view, 1)),
        luna_build_pointer(run, before, mlirOperationGetOperand(view, 2)),
    };
    return luna_build_value(before, "llvm.select", run->ptr, 3, operands);
  }
  MlirValue pointer =
      luna_build_pointer(run, before, mlirOperationGetOperand(view, 0));
  int64_t bytes = 0;
  if (constant_distance(view, &bytes))
    return luna_build_offset(run, before, pointer, bytes);
  if (luna_op_is(view, LUNA_OP_MEMREF_VIEW))
    return luna_build_dynamic_offset(
        run, before, pointer,
        build_bytes(run, before, mlirOperationGetOperand(view, 1), 1));
  Offset offsets[LUNA_RANK_MAX];
  intptr_t count = 0;
  if (!read_offsets(view, offsets, &count)) {
    luna_emit_error(view, "view of a memref with dynamic strides, static ones "
                          "can be addressed");
    run->has_failed = true;
    return pointer;
  }
  for (intptr_t i = 0; i < count; ++i)
    pointer =
        mlirValueIsNull(offsets[i].operand)
            ? luna_build_offset(run, before, pointer,
                                offsets[i].constant * offsets[i].stride_bytes)
            : luna_build_dynamic_offset(run, before, pointer,
                                        build_bytes(run, before,
                                                    offsets[i].operand,
                                                    offsets[i].stride_bytes));
  return pointer;
}

MlirValue luna_build_pointer(LunaLowering *run, MlirOperation before,
                             MlirValue value) {
  LunaPlace place = find_place(run, value);
  if (place.is_static)
    return luna_build_offset(run, before, place.root, place.offset_bytes);
  MlirOperation op = luna_defining_op(value);
  if (!mlirOperationIsNull(op) && luna_is_view(op))
    return build_view_pointer(run, before, op);
  return value;
}
