// luna-tile-operators: tiles unit operators into launches within the machine's
// limits.
//
// In: unit operators in memref form. Out: luna.conv2d and luna.matmul carry
// `tiling` (the eight fields of LunaTiling in order) and, if 32-bit tiles are
// requantised by the host core or accumulated, a scratch operand (an allocation
// with luna.kind = "scratch"); luna.add, luna.sub and luna.mul whose inputs are
// scaled by powers of two have a scratch where the unit shifts them for fewer
// cycles than the core takes. Refuses: operators without a legal tiling
// (luna/tiling.h). Options: machine=NAME|FILE.xml; scratch-bytes, the maximum
// scratch of one operator: less scratch means more launches. Example:
// lit_tests/passes/luna-tile-operators/doc.mlir

#include "luna-c/pass.h"
#include "luna/passes.h"
#include "luna/tiling.h"
#include "machine_option.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_desc.h"
#include "structure.h"

enum { OPT_MACHINE, OPT_SCRATCH_BYTES };

typedef struct Tiler {
  const LunaMachine *machine;
  int64_t scratch_limit_bytes;
  bool failed;
} Tiler;

static MlirAttribute tiling_attr(MlirContext context,
                                 const LunaTiling *tiling) {
  const int32_t fields[8] = {tiling->out_h,        tiling->out_w,
                             tiling->out_c,        tiling->in_c,
                             tiling->kernel_h,     tiling->kernel_w,
                             tiling->host_requant, tiling->scratch_bytes};
  return mlirDenseI32ArrayGet(context, 8, fields);
}

static MlirValue build_scratch(MlirOperation before, int64_t byte_count) {
  MlirType type = luna_byte_memref(mlirOperationGetContext(before), byte_count,
                                   LUNA_MEMORY_SHARED);
  return luna_build_alloc(before, type, "scratch");
}

// Replaces the operator by one with the scratch operand.
static void add_scratch(MlirOperation op, MlirValue scratch) {
  MlirContext context = mlirOperationGetContext(op);
  MlirValue operands[LUNA_UNIT_OPERANDS_MAX];
  int32_t segments[LUNA_UNIT_OPERANDS_MAX];
  intptr_t operand_count = 0;
  int row_count = luna_unit_operands(op, operands);
  const LunaUnitOperand *rows =
      luna_unit_class_operands(luna_unit_of(op)->unit_class, &row_count);
  for (int i = 0; i < row_count; ++i) {
    MlirValue operand =
        rows[i].role == LUNA_ROLE_SCRATCH ? scratch : operands[i];
    segments[i] = !mlirValueIsNull(operand);
    if (segments[i])
      operands[operand_count++] = operand;
  }
  bool has_segments =
      !mlirAttributeIsNull(luna_attr(op, "operandSegmentSizes"));
  MlirNamedAttribute attributes[32];
  intptr_t attribute_count = 0;
  intptr_t old_count = mlirOperationGetNumAttributes(op);
  for (intptr_t i = 0; i < old_count && attribute_count < 31; ++i) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    if (!mlirStringRefEqual(mlirIdentifierStr(attribute.name),
                            luna_str("operandSegmentSizes")))
      attributes[attribute_count++] = attribute;
  }
  if (has_segments)
    attributes[attribute_count++] =
        luna_named(context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(context, row_count, segments));
  luna_build_before(op, &(LunaOpSpec){.name = luna_unit_of(op)->name,
                                      .location = mlirOperationGetLocation(op),
                                      .operands = operands,
                                      .operand_count = operand_count,
                                      .attributes = attributes,
                                      .attribute_count = attribute_count});
  mlirOperationDestroy(op);
}

// Cuts a product into launches. Returns false after an error.
static bool tile_product(const Tiler *tiler, MlirOperation op,
                         const LunaUnitDesc *desc) {
  LunaTiling tiling = {0};
  LunaError error = {0};
  if (!luna_unit_class(desc->unit_class)
           ->tiling(tiler->machine, &desc->as, tiler->scratch_limit_bytes,
                    &tiling, &error)) {
    luna_emit_error(op, "%s", error.message);
    return false;
  }
  luna_set_attr(op, "tiling",
                tiling_attr(mlirOperationGetContext(op), &tiling));
  if (tiling.scratch_bytes > 0)
    add_scratch(op, build_scratch(op, tiling.scratch_bytes));
  return true;
}

// Has the unit shift the inputs of a sum where that is cheaper.
static void add_shifts(const Tiler *tiler, MlirOperation op,
                       const LunaUnitDesc *desc) {
  int64_t bytes = luna_eltwise_scratch_bytes(tiler->machine, &desc->as.eltwise,
                                             tiler->scratch_limit_bytes);
  if (bytes > 0)
    add_scratch(op, build_scratch(op, bytes));
}

static bool tile_op(MlirOperation op, void *data) {
  Tiler *tiler = data;
  LunaUnitDesc desc;
  const LunaUnitOp *unit = luna_unit_of(op);
  bool is_sum = unit && unit->unit_class == LUNA_UNIT_ELTWISE &&
                luna_unit_operand_index(op, LUNA_ROLE_SCRATCH) < 0;
  bool is_product =
      luna_op_is_tiled(op) && mlirAttributeIsNull(luna_attr(op, "tiling"));
  if (!is_sum && !is_product)
    return true;
  tiler->failed = !luna_unit_desc_read(op, &desc) ||
                  (is_product && !tile_product(tiler, op, &desc));
  if (is_sum && !tiler->failed)
    add_shifts(tiler, op, &desc);
  return !tiler->failed;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  Tiler tiler = {
      .machine = luna_machine_of_option(&options[OPT_MACHINE]),
      .scratch_limit_bytes = options[OPT_SCRATCH_BYTES].integer,
  };
  luna_walk(func, tile_op, &tiler);
  return tiler.failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}

static const LunaOptionDesc options[] = {
    LUNA_MACHINE_OPTION,
    {.name = "scratch-bytes",
     .help = "most bytes of scratch that one operator may take",
     .kind = LUNA_OPTION_INT64,
     .int_default = 16384},
};
static const char *const dialects[] = {"luna", "memref", NULL};

const LunaPassDesc luna_pass_tile_operators = {
    .argument = "luna-tile-operators",
    .summary = "Cut unit operators into launches that the machine allows",
    .anchor = "func.func",
    .options = options,
    .option_count = 2,
    .dependent_dialects = dialects,
    .run = run,
};
