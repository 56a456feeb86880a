// The images: the contents of all memref.globals in one constant array, equal
// ones once; the initial state in another; and the functions that copy them to
// their memories.

#include <string.h>

#include "lowering.h"
#include "luna-c/builder.h"
#include "luna-c/ops.h"
#include "luna/checked.h"
#include "luna/launch_record.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

// Copies one little-endian element of `from` bytes to one of `to`, with its
// sign: attributes hold 48 bits in 6 bytes, memory in 8.
static void write_element(const uint8_t *raw, int64_t from, uint8_t *target,
                          int64_t to) {
  memcpy(target, raw, (size_t)from);
  memset(target + from, raw[from - 1] & 0x80 ? 0xFF : 0, (size_t)(to - from));
}

static void write_value(MlirAttribute value, MlirType type, int64_t bytes,
                        uint8_t *target) {
  MlirType element = mlirShapedTypeGetElementType(type);
  int64_t each = luna_element_type_bytes(element);
  if (mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 1) {
    for (int64_t i = 0; i < bytes; ++i)
      target[i] = mlirDenseElementsAttrGetBoolValue(value, (intptr_t)i);
    return;
  }
  const uint8_t *raw = mlirDenseElementsAttrGetRawData(value);
  int64_t stored = mlirTypeIsAInteger(element)
                       ? luna_ceil_div(mlirIntegerTypeGetWidth(element), 8)
                       : each;
  bool is_splat = mlirDenseElementsAttrIsSplat(value);
  for (int64_t i = 0; i < bytes / each; ++i)
    write_element(raw + (is_splat ? 0 : i * stored), stored, target + i * each,
                  each);
}

//===----------------------------------------------------------------------===//
// The contents
//===----------------------------------------------------------------------===//

static bool check_global(MlirOperation op) {
  MlirAttribute value = luna_attr(op, "initial_value");
  if (mlirAttributeIsNull(value) ||
      mlirAttributeIsNull(luna_attr(op, "constant"))) {
    luna_emit_error(op, "global is not a constant; only constants are lowered");
    return false;
  }
  if (!mlirAttributeIsADenseElements(value)) {
    luna_emit_error(op, "value is not dense; write it as dense<…>");
    return false;
  }
  return true;
}

// Adds the contents of a global to the image; false if that gets too long.
static bool add_content(LunaLowering *run, const LunaLoweringGlobal *content) {
  int64_t end = 0;
  *LUNA_VECTOR_ADD(&run->arena, &run->globals) = *content;
  if (!luna_checked_add(run->weight_bytes, content->bytes, &end) ||
      !luna_checked_align(end, (int64_t)run->machine->alignment_bytes, &end))
    return false;
  run->weight_bytes = end;
  return true;
}

// Globals of equal bytes, whatever their shapes, are one content.
static bool collect_global(LunaLowering *run, MlirOperation op) {
  MlirType type = mlirTypeAttrGetValue(luna_attr(op, "type"));
  MlirStringRef name = luna_attr_string(op, "sym_name");
  LunaLoweringGlobal content = {
      .name = luna_arena_strndup(&run->arena, name.data, name.length),
      .offset_bytes = run->weight_bytes,
      .bytes = luna_shaped_bytes(type),
  };
  if (!check_global(op))
    return false;
  bool is_sized = content.bytes >= 0;
  if (is_sized) {
    content.data = luna_arena_alloc(&run->arena, (uint64_t)content.bytes, 1);
    write_value(luna_attr(op, "initial_value"), type, content.bytes,
                content.data);
    uint32_t index =
        luna_map_add(&run->contents, &run->arena,
                     luna_map_bytes(content.data, (uint64_t)content.bytes));
    luna_map_add(&run->global_names, &run->arena, luna_map_text(content.name));
    *LUNA_VECTOR_ADD(&run->arena, &run->content_of_name) = index;
    is_sized = index < run->globals.count || add_content(run, &content);
  }
  if (!is_sized)
    luna_emit_error(op, "global has no static size");
  return is_sized;
}

static MlirOperation next_global(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !luna_op_is(op, LUNA_OP_MEMREF_GLOBAL))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

bool luna_collect_weights(LunaLowering *run) {
  for (MlirOperation op =
           next_global(mlirBlockGetFirstOperation(run->module_block));
       !mlirOperationIsNull(op);
       op = next_global(mlirOperationGetNextInBlock(op)))
    if (!collect_global(run, op))
      return false;
  return true;
}

int32_t luna_find_global(LunaLowering *run, MlirStringRef name) {
  uint32_t index =
      luna_map_find(&run->global_names, luna_map_bytes(name.data, name.length));
  return index == LUNA_MAP_ABSENT ? -1
                                  : (int32_t)run->content_of_name.items[index];
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

// Creates `<model><suffix>` with `count` pointer arguments; returns its return
// op.
static MlirOperation make_function(LunaLowering *run, const char *suffix,
                                   intptr_t count) {
  MlirLocation location = mlirOperationGetLocation(run->func);
  MlirType types[] = {run->ptr, run->ptr};
  MlirLocation locations[] = {location, location};
  MlirBlock body = mlirBlockCreate(count, types, locations);
  MlirOperation end =
      luna_build(&(LunaOpSpec){.name = "func.return", .location = location});
  mlirBlockAppendOwnedOperation(body, end);
  MlirRegion region = luna_region_of(body);
  MlirNamedAttribute attributes[] = {
      luna_named(run->context, "function_type",
                 mlirTypeAttrGet(luna_function_type_of(body))),
      luna_named(run->context, "sym_name",
                 luna_string_attr(run->context,
                                  luna_arena_printf(&run->arena, "%s%s",
                                                    run->symbol, suffix))),
  };
  luna_insert_after(run->func, luna_build(&(LunaOpSpec){
                                   .name = "func.func",
                                   .location = location,
                                   .attributes = attributes,
                                   .attribute_count = 2,
                                   .owned_regions = &region,
                                   .region_count = 1,
                               }));
  return end;
}

// What a function copies to one of its arguments.
typedef struct Image {
  const char *name;
  int64_t bytes;
  bool may_be_in_place; // the argument may be the image
} Image;

// Returns `bytes`, or 0 where the image is where it is to be: linked there.
static MlirValue bytes_to_copy(LunaLowering *run, MlirOperation before,
                               MlirValue target, MlirValue image,
                               int64_t bytes) {
  enum { NOT_EQUAL = 1 }; // of llvm.icmp
  MlirType bit = mlirIntegerTypeGet(run->context, 1);
  MlirValue ends[] = {target, image};
  MlirNamedAttribute predicate = luna_named(
      run->context, "predicate", luna_i64_attr(run->context, NOT_EQUAL));
  MlirValue compare =
      luna_build_value_with(before, "llvm.icmp", bit, 2, ends, 1, &predicate);
  MlirValue choices[] = {compare,
                         luna_build_constant(run, before, run->i64, bytes),
                         luna_build_constant(run, before, run->i64, 0)};
  return luna_build_value(before, "llvm.select", run->i64, 3, choices);
}

// Copies the image to argument `target` of the function.
static void copy_image(LunaLowering *run, MlirOperation before,
                       const Image *image, intptr_t target) {
  MlirValue to = mlirBlockGetArgument(mlirOperationGetBlock(before), target);
  MlirValue from = luna_build_address(run, before, image->name);
  MlirValue operands[] = {
      to, from,
      image->may_be_in_place
          ? bytes_to_copy(run, before, to, from, image->bytes)
          : luna_build_constant(run, before, run->i64, image->bytes)};
  MlirNamedAttribute is_volatile = luna_named(
      run->context, "isVolatile", mlirBoolAttrGet(run->context, false));
  luna_build_before(before, &(LunaOpSpec){
                                .name = "llvm.intr.memcpy",
                                .operands = operands,
                                .operand_count = 3,
                                .attributes = &is_volatile,
                                .attribute_count = 1,
                            });
}

// The state's first values; NULL where there is no state.
static const char *emit_state(LunaLowering *run) {
  if (run->state_bytes == 0)
    return NULL;
  uint8_t *image = luna_arena_alloc(&run->arena, (uint64_t)run->state_bytes, 1);
  for (uint64_t i = 0; i < run->states.count; ++i) {
    const LunaLoweringState *state = &run->states.items[i];
    if (!mlirAttributeIsNull(state->initial))
      write_value(state->initial, state->type, state->bytes,
                  image + state->offset_bytes);
  }
  const char *name = luna_arena_printf(&run->arena, "%s_state", run->symbol);
  luna_build_array(run, name, run->i8, image, run->state_bytes,
                   run->state_bytes, false);
  return name;
}

//===----------------------------------------------------------------------===//
// What a port prepares
//===----------------------------------------------------------------------===//

static int64_t prepared_bytes(const LunaLowering *run,
                              const LunaLoweringProduct *product) {
  return luna_align_up(LUNA_PORT_PRODUCT_BYTES +
                           product->launch_count * run->block_bytes,
                       (int64_t)run->machine->alignment_bytes);
}

int64_t luna_prepared_bytes(const LunaLowering *run) {
  int64_t bytes = 0;
  for (uint64_t i = 0; i < run->products.count; ++i)
    bytes += prepared_bytes(run, &run->products.items[i]);
  return bytes;
}

// Has the port prepare each product in a part of one array.
static void prepare_products(LunaLowering *run, MlirOperation before) {
  const char *name = luna_arena_printf(&run->arena, "%s_prepared", run->symbol);
  int64_t bytes = luna_prepared_bytes(run), offset_bytes = 0;
  if (bytes == 0)
    return;
  luna_build_array(run, name, run->i8, NULL, bytes, bytes, true);
  for (uint64_t i = 0; i < run->products.count; ++i) {
    const LunaLoweringProduct *product = &run->products.items[i];
    MlirValue memory = luna_build_address(run, before, name);
    const MlirValue arguments[] = {
        luna_build_address(run, before, product->name),
        luna_build_offset(run, before, memory, offset_bytes)};
    luna_build_call(run, before, LUNA_CALL_PREPARE, arguments);
    offset_bytes += prepared_bytes(run, product);
  }
}

bool luna_emit_weights(LunaLowering *run) {
  // An empty image must still be a symbol for the linker.
  int64_t bytes = run->weight_bytes > 0
                      ? run->weight_bytes
                      : (int64_t)run->machine->alignment_bytes;
  uint8_t *image = luna_arena_alloc(&run->arena, (uint64_t)bytes, 1);
  for (uint64_t i = 0; i < run->globals.count; ++i) {
    const LunaLoweringGlobal *global = &run->globals.items[i];
    if (global->bytes > 0)
      memcpy(image + global->offset_bytes, global->data, (size_t)global->bytes);
  }
  for (MlirOperation op =
           next_global(mlirBlockGetFirstOperation(run->module_block));
       !mlirOperationIsNull(op);) {
    MlirOperation next = next_global(mlirOperationGetNextInBlock(op));
    mlirOperationDestroy(op);
    op = next;
  }
  const char *name = luna_arena_printf(&run->arena, "%s_weights", run->symbol);
  luna_build_array(run, name, run->i8, image, bytes, bytes, false);
  const char *state = emit_state(run);
  MlirOperation reset = make_function(run, "_reset", 1);
  MlirOperation init = make_function(run, "_init", 2);
  const Image weights = {name, run->weight_bytes, true};
  const Image first = {state, run->state_bytes, false};
  if (run->weight_bytes > 0)
    copy_image(run, init, &weights, 0);
  if (state) {
    copy_image(run, reset, &first, 0);
    copy_image(run, init, &first, 1);
  }
  prepare_products(run, init);
  return true;
}
