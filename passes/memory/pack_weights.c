// luna-pack-weights: packs all constants of a unit operator into one blob, so
// that one transfer loads them, and splits operators with large ones.
//
// In: unit operators in memref form that read `memref.global` constants
// (after luna-assign-memory).
// Out: with layout=calls, operands of calls of the vendor's library are copied
// to planes (luna_transpose_operands); a luna.conv2d or luna.matmul with more
// than `max-bytes` of weights is several, each with its slice of the constants
// and of the output channels (luna_split_weights); one `memref.global "private"
// constant @paramsN : memref<BYTESxi8>` per distinct blob (weight, bias, table
// in operand order, each aligned as the machine's buffers are), operands as
// memref.view of it, `params = @paramsN` on the operator. With layout=calls,
// weights whose launches can be calls of the vendor's library lie in the order
// in which it reads them: `weight_layout`, and `weight_kernel`, which their one
// dimension does not tell. Equal blobs are shared; globals no longer read are
// erased. Warns of more bytes than the machine has PSRAM. Refuses: constants
// whose bytes are not in the IR. Options: machine=NAME|FILE.xml; max-bytes, the
// most weights of one operator in place of the machine's weights_max_bytes;
// layout=calls. Example: lit_tests/passes/luna-pack-weights/doc.mlir

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "globals.h"
#include "luna-c/dialect.h"
#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/checked.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "split_weights.h"
#include "tile_operators.h"
#include "transpose_operands.h"
#include "weight_order.h"

enum { OPT_MACHINE, OPT_MAX_BYTES, OPT_LAYOUT, OPT_COUNT };
enum { MAX_PARTS = 6 };

typedef struct Blob {
  const char *bytes;
  int64_t byte_count;
  const char *symbol;
} Blob;

typedef struct Packer {
  LunaArena arena;
  MlirOperation module;
  LunaGlobals globals;
  const LunaMachine *machine;
  bool wants_calls; // of the vendor's library
  LunaMap contents; // of the blobs
  LUNA_VECTOR(Blob) blobs;
  int next_symbol;
  bool failed;
} Packer;

typedef struct Part {
  intptr_t operand;
  MlirOperation global;
  int64_t offset_bytes;
  int64_t byte_count;
  LunaWeightOrder order; // of weights
} Part;

//===----------------------------------------------------------------------===//
// Finding constants
//===----------------------------------------------------------------------===//

// Returns the global that `value` views as a whole, through reshapes, or null.
static MlirOperation constant_of(Packer *packer, MlirValue value) {
  MlirOperation get = luna_get_global_of(value);
  if (mlirOperationIsNull(get))
    return get;
  MlirOperation global =
      luna_globals_find(&packer->globals, luna_attr_symbol(get, "name"));
  bool is_constant = !mlirOperationIsNull(global) &&
                     !mlirAttributeIsNull(luna_attr(global, "constant"));
  return is_constant ? global : (MlirOperation){NULL};
}

// Writes the bytes of a global's initial value. Returns false if the IR has
// none.
static bool copy_bytes(MlirOperation global, char *target, int64_t count) {
  MlirAttribute value = luna_attr(global, "initial_value");
  if (mlirAttributeIsNull(value) || !mlirAttributeIsADenseElements(value))
    return false;
  const char *source = mlirDenseElementsAttrGetRawData(value);
  int64_t elements = mlirElementsAttrGetNumElements(value);
  if (!mlirDenseElementsAttrIsSplat(value)) {
    memcpy(target, source, (size_t)count);
    return true;
  }
  size_t element_bytes = (size_t)(elements > 0 ? count / elements : 0);
  for (int64_t i = 0; i < elements; ++i)
    memcpy(target + (size_t)i * element_bytes, source, element_bytes);
  return true;
}

//===----------------------------------------------------------------------===//
// Blobs
//===----------------------------------------------------------------------===//

static int64_t alignment_of(const Packer *packer) {
  return (int64_t)packer->machine->alignment_bytes;
}

static void insert_global(Packer *packer, const Blob *blob) {
  MlirContext context = mlirOperationGetContext(packer->module);
  MlirType byte = mlirIntegerTypeGet(context, 8);
  MlirType tensor = mlirRankedTensorTypeGet(1, &blob->byte_count, byte,
                                            mlirAttributeGetNull());
  MlirType type =
      luna_byte_memref(context, blob->byte_count, LUNA_MEMORY_PSRAM);
  MlirNamedAttribute attributes[] = {
      luna_named(context, "sym_name", luna_string_attr(context, blob->symbol)),
      luna_named(context, "sym_visibility",
                 luna_string_attr(context, "private")),
      luna_named(context, "type", mlirTypeAttrGet(type)),
      luna_named(context, "initial_value",
                 mlirDenseElementsAttrRawBufferGet(
                     tensor, (size_t)blob->byte_count, blob->bytes)),
      luna_named(context, "constant", mlirUnitAttrGet(context)),
      luna_named(context, "alignment",
                 luna_i64_attr(context, alignment_of(packer))),
  };
  MlirOperation op = luna_build(&(LunaOpSpec){
      .name = "memref.global",
      .location = mlirOperationGetLocation(packer->module),
      .attributes = attributes,
      .attribute_count = 6,
  });
  luna_globals_add(&packer->globals, blob->symbol, op);
}

// Returns the blob with these bytes, or creates it.
static Blob intern_blob(Packer *packer, const char *bytes, int64_t count) {
  uint32_t index = luna_map_add(&packer->contents, &packer->arena,
                                luna_map_bytes(bytes, (uint64_t)count));
  if (index < packer->blobs.count)
    return packer->blobs.items[index];
  Blob blob = {.bytes = bytes, .byte_count = count};
  blob.symbol =
      luna_globals_free_name(&packer->globals, "params", &packer->next_symbol);
  insert_global(packer, &blob);
  *LUNA_VECTOR_ADD(&packer->arena, &packer->blobs) = blob;
  return blob;
}

//===----------------------------------------------------------------------===//
// One operator
//===----------------------------------------------------------------------===//

static MlirType view_type(MlirType type) {
  int64_t shape[LUNA_RANK_MAX];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; ++i)
    shape[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirMemRefTypeContiguousGet(
      mlirShapedTypeGetElementType(type), rank, shape,
      lunaMemoryAttrGet(mlirTypeGetContext(type), LUNA_MEMORY_PSRAM));
}

static int collect_parts(Packer *packer, MlirOperation op, Part *parts,
                         int64_t *byte_count) {
  int count = 0;
  *byte_count = 0;
  intptr_t operand_count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < operand_count && count < MAX_PARTS; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirOperation global = constant_of(packer, operand);
    if (mlirOperationIsNull(global))
      continue;
    Part *part = &parts[count++];
    *part =
        (Part){.operand = i,
               .global = global,
               .offset_bytes = luna_align_up(*byte_count, alignment_of(packer)),
               .byte_count = luna_shaped_bytes(mlirValueGetType(operand))};
    if (packer->wants_calls &&
        i == luna_unit_operand_index(op, LUNA_ROLE_WEIGHT))
      part->order = luna_weight_order(packer->machine, op);
    if (*part->order.text)
      part->byte_count = luna_weight_order_bytes(&part->order);
    *byte_count = part->offset_bytes + part->byte_count;
  }
  *byte_count = luna_align_up(*byte_count, alignment_of(packer));
  return count;
}

static void use_blob(MlirOperation op, const Blob *blob, const Part *parts,
                     int count) {
  MlirContext context = mlirOperationGetContext(op);
  MlirType type =
      luna_byte_memref(context, blob->byte_count, LUNA_MEMORY_PSRAM);
  MlirAttribute symbol =
      mlirFlatSymbolRefAttrGet(context, luna_str(blob->symbol));
  MlirNamedAttribute name = luna_named(context, "name", symbol);
  MlirValue get =
      luna_build_value_with(op, "memref.get_global", type, 0, NULL, 1, &name);
  for (int i = 0; i < count; ++i) {
    MlirValue old = mlirOperationGetOperand(op, parts[i].operand);
    MlirValue view = luna_build_view(
        op, get, luna_build_index(op, parts[i].offset_bytes),
        *parts[i].order.text
            ? luna_byte_memref(context, parts[i].byte_count, LUNA_MEMORY_PSRAM)
            : view_type(mlirValueGetType(old)));
    mlirOperationSetOperand(op, parts[i].operand, view);
    if (*parts[i].order.text)
      luna_weight_order_mark(&parts[i].order, op);
  }
  luna_set_attr(op, "params", symbol);
}

static bool write_part(Packer *packer, const Part *part, char *target) {
  if (!*part->order.text)
    return copy_bytes(part->global, target, part->byte_count);
  int64_t count =
      luna_shaped_bytes(mlirTypeAttrGetValue(luna_attr(part->global, "type")));
  char *plain = luna_arena_alloc(&packer->arena, (uint64_t)count, 1);
  if (!copy_bytes(part->global, plain, count))
    return false;
  luna_weight_order_pack(&part->order, plain, target);
  return true;
}

static bool pack_op(MlirOperation op, void *data) {
  Packer *packer = data;
  Part parts[MAX_PARTS];
  int64_t byte_count = 0;
  if (!luna_op_is_unit(op) || luna_attr_symbol(op, "params").data)
    return true;
  int count = collect_parts(packer, op, parts, &byte_count);
  if (count == 0)
    return true;
  char *bytes = luna_arena_alloc(&packer->arena, (uint64_t)byte_count, 1);
  for (int i = 0; i < count; ++i)
    if (!write_part(packer, &parts[i], bytes + parts[i].offset_bytes)) {
      luna_emit_error(op, "the bytes of constant operand %d are not in the IR",
                      (int)parts[i].operand);
      packer->failed = true;
      return false;
    }
  Blob blob = intern_blob(packer, bytes, byte_count);
  use_blob(op, &blob, parts, count);
  return true;
}

//===----------------------------------------------------------------------===//
// Cleaning up
//===----------------------------------------------------------------------===//

typedef struct OpList {
  LunaArena *arena;
  LUNA_VECTOR(MlirOperation);
} OpList;

static bool collect_reads(MlirOperation op, void *data) {
  OpList *list = data;
  if (!LUNA_OP_IS_ANY(op, LUNA_OP_MEMREF_GET_GLOBAL,
                      LUNA_OP_MEMREF_EXPAND_SHAPE,
                      LUNA_OP_MEMREF_COLLAPSE_SHAPE, LUNA_OP_MEMREF_CAST))
    return true;
  *LUNA_VECTOR_ADD(list->arena, list) = op;
  return true;
}

static void erase_dead_reads(Packer *packer) {
  OpList list = {.arena = &packer->arena};
  luna_walk(packer->module, collect_reads, &list);
  for (uint64_t i = list.count; i-- > 0;)
    if (mlirOpOperandIsNull(
            mlirValueGetFirstUse(mlirOperationGetResult(list.items[i], 0))))
      mlirOperationDestroy(list.items[i]);
}

// The names of the globals that are read.
typedef struct Reads {
  LunaArena *arena;
  LunaMap names;
} Reads;

static bool collect_names(MlirOperation op, void *data) {
  Reads *reads = data;
  if (!luna_op_is(op, LUNA_OP_MEMREF_GET_GLOBAL))
    return true;
  MlirStringRef name = luna_attr_symbol(op, "name");
  luna_map_add(&reads->names, reads->arena,
               luna_map_bytes(name.data, name.length));
  return true;
}

// Returns the bytes of those that stay.
static int64_t erase_dead_globals(Packer *packer) {
  Reads reads = {.arena = &packer->arena};
  luna_walk(packer->module, collect_names, &reads);
  const LunaGlobals *globals = &packer->globals;
  int64_t bytes = 0;
  for (uint64_t i = 0; i < globals->ops.count; ++i) {
    MlirOperation global = globals->ops.items[i];
    if (luna_map_find(&reads.names, globals->names.keys.items[i]) ==
        LUNA_MAP_ABSENT)
      mlirOperationDestroy(global);
    else
      bytes += luna_align_up(
          luna_shaped_bytes(mlirTypeAttrGetValue(luna_attr(global, "type"))),
          alignment_of(packer));
  }
  return bytes;
}

// The simulator has as much PSRAM as a program needs; a chip does not.
static void compare_with_memory(MlirOperation module, int64_t bytes,
                                const LunaMachine *machine) {
  if ((uint64_t)bytes <= machine->psram.bytes)
    return;
  char message[160];
  snprintf(message, sizeof message,
           "the weights take %" PRId64
           " bytes of PSRAM, machine '%.60s' has %" PRIu64,
           bytes, machine->name, machine->psram.bytes);
  lunaEmitWarning(module, message);
}

static MlirLogicalResult run(MlirOperation module,
                             const LunaOptionValue *options) {
  const LunaMachine *machine = luna_machine_of_option(&options[OPT_MACHINE]);
  int64_t max_bytes = options[OPT_MAX_BYTES].integer;
  if (max_bytes < 0)
    return luna_emit_error(module, "max-bytes is %lld, needs at least 0",
                           (long long)max_bytes);
  if (max_bytes == 0)
    max_bytes = (int64_t)machine->dma_weights_max_bytes;
  Packer packer = {
      .module = module,
      .machine = machine,
      .wants_calls = strcmp(options[OPT_LAYOUT].string, "calls") == 0,
  };
  packer.globals = luna_globals_of(module, &packer.arena);
  if (packer.wants_calls)
    luna_transpose_operands(module, machine);
  luna_split_weights(module, machine, max_bytes, &packer.globals,
                     &packer.arena);
  luna_walk(module, pack_op, &packer);
  if (!packer.failed) {
    erase_dead_reads(&packer);
    compare_with_memory(module, erase_dead_globals(&packer), machine);
  }
  luna_arena_destroy(&packer.arena);
  return packer.failed ? mlirLogicalResultFailure()
                       : mlirLogicalResultSuccess();
}

static const char *const dialects[] = {"arith", "luna", "memref", NULL};

static const LunaOptionDesc options[OPT_COUNT] = {
    [OPT_MACHINE] = LUNA_MACHINE_OPTION,
    [OPT_MAX_BYTES] = {.name = "max-bytes",
                       .help = "most bytes that the weights of one operator "
                               "may take, if not the machine's",
                       .kind = LUNA_OPTION_INT64},
    [OPT_LAYOUT] = LUNA_CALLS_OPTION,
};
const LunaPassDesc luna_pass_pack_weights = {
    .argument = "luna-pack-weights",
    .summary = "Put all constants of an operator in one blob",
    .anchor = "builtin.module",
    .options = options,
    .option_count = OPT_COUNT,
    .dependent_dialects = dialects,
    .run = run,
};
