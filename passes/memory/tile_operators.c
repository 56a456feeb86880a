// luna-tile-operators: tiles unit operators into launches within the machine's
// limits.
//
// In: unit operators in memref form, in the order in which they run, before
// there is staging. Out: luna.conv2d and luna.matmul carry `tiling` (the fields
// of LunaTiling in order; the last, slots, is left out where it is 1) and, if
// 32-bit tiles are accumulated, or requantised by vector calls of the unit or
// by the host core, a scratch operand (an allocation with luna.kind =
// "scratch"); luna.add, luna.sub and luna.mul have a scratch where the unit
// computes them by calls or shifts their inputs for fewer cycles than the core
// takes (luna/finish.h). A scratch is at most what the live tensors, the
// weights of the operator and those of the next one leave of the memory, and no
// larger than saves 1 % of the cycles. Refuses: operators without a legal
// tiling (luna/tiling.h), unstructured control flow. Options:
// machine=NAME|FILE.xml; capacity-bytes, the memory that they share: less means
// more launches; least-bytes, the scratch that an operator may have in any
// case, since with less its launches become too many; place=auto|core|unit,
// where sums are finished that launches do not finish: auto is where it takes
// fewer cycles, unit wherever it can; layout=calls, for launches that are one
// call of the vendor's library each, on whole planes, wherever there is such a
// tiling; report remarks, for each operator that the core finishes or computes,
// its cycles and why. Example: lit_tests/passes/luna-tile-operators/doc.mlir

#include "tile_operators.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "channel_scales.h"
#include "globals.h"
#include "luna-c/dialect.h"
#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/finish.h"
#include "luna/model_live.h"
#include "luna/passes.h"
#include "luna/vector_chain.h"
#include "machine_option.h"
#include "mlir-c/BuiltinAttributes.h"
#include "op_desc.h"
#include "program_model.h"
#include "structure.h"

enum {
  OPT_MACHINE,
  OPT_CAPACITY_BYTES,
  OPT_LEAST_BYTES,
  OPT_PLACE,
  OPT_LAYOUT,
  OPT_REPORT,
  OPT_COUNT
};

typedef struct Tiler {
  const LunaMachine *machine;
  LunaTileOptions how;
  LunaGlobals globals; // none of a copy
  bool reports;
} Tiler;

//===----------------------------------------------------------------------===//
// Scratch
//===----------------------------------------------------------------------===//

static MlirValue build_scratch(MlirOperation before, int64_t byte_count) {
  MlirType type = luna_byte_memref(mlirOperationGetContext(before), byte_count,
                                   LUNA_MEMORY_SHARED);
  return luna_build_alloc(before, type, "scratch");
}

static bool has_scratch(MlirOperation op) {
  return luna_unit_of(op) &&
         luna_unit_operand_index(op, LUNA_ROLE_SCRATCH) >= 0;
}

static bool has_none(MlirOperation op, void *data) {
  (void)data;
  return !has_scratch(op);
}

bool luna_has_scratch(MlirOperation func) {
  return !luna_walk(func, has_none, NULL);
}

static MlirAttribute tiling_attr(MlirContext context,
                                 const LunaTiling *tiling) {
  const int32_t fields[] = {tiling->out_h,      tiling->out_w,
                            tiling->out_c,      tiling->in_c,
                            tiling->kernel_h,   tiling->kernel_w,
                            tiling->finish,     tiling->scratch_bytes,
                            tiling->row_strips, tiling->slots};
  return mlirDenseI32ArrayGet(context, tiling->slots > 1 ? 10 : 9, fields);
}

// A tiling that was taken away with its scratch says who finished the sums, and
// nothing else.
static MlirAttribute former_tiling(MlirOperation op) {
  MlirAttribute tiling = luna_attr(op, "tiling");
  const LunaTiling former = {.finish = mlirDenseI32ArrayGetElement(tiling, 6)};
  return tiling_attr(mlirOperationGetContext(op), &former);
}

static bool remove_scratch(MlirOperation op, void *data) {
  (void)data;
  if (!has_scratch(op))
    return true;
  MlirOperation alloc = luna_defining_op(mlirOperationGetOperand(
      op, luna_unit_operand_index(op, LUNA_ROLE_SCRATCH)));
  if (luna_op_is_tiled(op))
    luna_set_attr(op, "tiling", former_tiling(op));
  luna_unit_set_operand(op, LUNA_ROLE_SCRATCH, (MlirValue){NULL});
  mlirOperationDestroy(alloc);
  return true;
}

void luna_remove_scratch(MlirOperation func) {
  luna_walk(func, remove_scratch, NULL);
}

//===----------------------------------------------------------------------===//
// Tiling
//===----------------------------------------------------------------------===//

void luna_want_calls(LunaUnitDesc *desc) {
  if (desc->unit_class == LUNA_UNIT_CONV2D)
    desc->as.conv2d.tiling.row_strips = 1;
}

static bool is_tiled(MlirOperation op) {
  MlirAttribute tiling = luna_attr(op, "tiling");
  return !mlirAttributeIsNull(tiling) &&
         mlirDenseI32ArrayGetElement(tiling, 0) != 0;
}

// Returns true if the unit may finish the sums of a product: as it did before,
// or by the constants of its channels.
static bool fits_unit(const Tiler *tiler, MlirOperation op,
                      const LunaUnitDesc *desc) {
  MlirAttribute former = luna_attr(op, "tiling");
  if (!mlirAttributeIsNull(former))
    return luna_finish_has_calls(mlirDenseI32ArrayGetElement(former, 6));
  return luna_takes_channels(&tiler->globals, op, desc);
}

// Cuts a product into launches, with more scratch than `limit_bytes` only if
// there is no tiling with less. Returns false after an error.
static bool tile_product(const Tiler *tiler, MlirOperation op,
                         const LunaUnitDesc *desc, int64_t limit_bytes) {
  LunaTiling tiling = {0};
  LunaError error = {0};
  bool fits = fits_unit(tiler, op, desc);
  if (!luna_finish_tile(tiler->machine, desc, tiler->how.place, fits,
                        limit_bytes, &tiling, &error) &&
      (error.code != LUNA_ERROR_CAPACITY ||
       !luna_finish_tile(tiler->machine, desc, tiler->how.place, fits,
                         tiling.scratch_bytes, &tiling, &error))) {
    luna_emit_error(op, "%s", error.message);
    return false;
  }
  luna_set_attr(op, "tiling",
                tiling_attr(mlirOperationGetContext(op), &tiling));
  if (tiling.scratch_bytes > 0)
    luna_unit_set_operand(op, LUNA_ROLE_SCRATCH,
                          build_scratch(op, tiling.scratch_bytes));
  return true;
}

// Has the unit compute a sum that is not native where that is cheaper.
static void add_calls(const Tiler *tiler, MlirOperation op,
                      const LunaUnitDesc *desc, int64_t limit_bytes) {
  int64_t bytes = luna_finish_eltwise_bytes(tiler->machine, &desc->as.eltwise,
                                            tiler->how.place, limit_bytes);
  if (bytes > 0)
    luna_unit_set_operand(op, LUNA_ROLE_SCRATCH, build_scratch(op, bytes));
}

static bool tile_op(const Tiler *tiler, MlirOperation op, int64_t limit_bytes) {
  LunaUnitDesc desc;
  bool is_sum =
      luna_unit_of(op)->unit_class == LUNA_UNIT_ELTWISE && !has_scratch(op);
  bool is_product = luna_op_is_tiled(op) && !is_tiled(op);
  if (!is_sum && !is_product)
    return true;
  if (!luna_unit_desc_read(op, &desc))
    return false;
  if (tiler->how.wants_calls)
    luna_want_calls(&desc);
  if (is_product)
    return tile_product(tiler, op, &desc, limit_bytes);
  add_calls(tiler, op, &desc, limit_bytes);
  return true;
}

static bool tile(MlirOperation func, const Tiler *tiler, LunaArena *arena) {
  const LunaMachine *machine = tiler->machine;
  LunaProgramModel program;
  LunaError error = {0};
  if (!luna_program_model_build(func, machine, arena, &program))
    return false;
  uint64_t count = program.model.steps.count;
  int64_t *live_bytes = LUNA_ARENA_ARRAY(arena, int64_t, count);
  LunaModelProblemOptions options = {
      .align_bytes = (int64_t)machine->alignment_bytes, .has_staging = true};
  if (!luna_model_live_bytes(&program.model, &options, live_bytes, &error)) {
    luna_emit_error(func, "%s", error.message);
    return false;
  }
  for (uint64_t i = 0; i < count; ++i) {
    int64_t free_bytes = tiler->how.capacity_bytes - live_bytes[i];
    if (program.model.steps.items[i].kind == LUNA_MODEL_UNIT &&
        !tile_op(tiler, program.ops.items[i],
                 free_bytes > tiler->how.least_bytes ? free_bytes
                                                     : tiler->how.least_bytes))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

static bool report(MlirOperation op, void *data) {
  const Tiler *tiler = data;
  LunaUnitDesc desc;
  LunaFinishReason reason;
  if (!luna_op_is_unit(op))
    return true;
  if (!luna_unit_desc_read(op, &desc))
    return false;
  bool is_product = luna_op_is_tiled(op);
  bool fits = is_product && luna_takes_channels(&tiler->globals, op, &desc);
  if (!luna_finish_explain(tiler->machine, &desc, tiler->how.place, fits,
                           &reason))
    return true;
  char text[192];
  snprintf(text, sizeof text, "the core %s, %" PRIu64 " cycles: %s",
           is_product ? "finishes its sums" : "computes it", reason.core_cycles,
           reason.text);
  lunaEmitRemark(op, text);
  return true;
}

static MlirLogicalResult tile_operators(MlirOperation func, Tiler *tiler) {
  LunaArena arena = {0};
  MlirOperation module = mlirOperationGetParentOperation(func);
  if (!mlirOperationIsNull(module)) // a copy is in none
    tiler->globals = luna_globals_of(module, &arena);
  bool is_ok = tile(func, tiler, &arena) &&
               (!tiler->reports || luna_walk(func, report, tiler));
  luna_arena_destroy(&arena);
  return is_ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

MlirLogicalResult luna_tile_operators(MlirOperation func,
                                      const LunaMachine *machine,
                                      const LunaTileOptions *options) {
  Tiler tiler = {.machine = machine, .how = *options};
  return tile_operators(func, &tiler);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

bool luna_place_read(MlirOperation func, const char *text, LunaPlace *place) {
  static const char *const names[] = {"auto", "core", "unit"};
  for (int i = 0; i < 3; ++i)
    if (strcmp(text, names[i]) == 0) {
      *place = (LunaPlace)i;
      return true;
    }
  luna_emit_error(func, "place is '%s', allowed are auto, core and unit", text);
  return false;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  const LunaMachine *machine = luna_machine_of_option(&options[OPT_MACHINE]);
  int64_t capacity_bytes = options[OPT_CAPACITY_BYTES].integer;
  Tiler tiler = {
      .machine = machine,
      .how = {.wants_calls = strcmp(options[OPT_LAYOUT].string, "calls") == 0,
              .capacity_bytes = capacity_bytes > 0
                                    ? capacity_bytes
                                    : (int64_t)machine->shared.bytes,
              .least_bytes = options[OPT_LEAST_BYTES].integer},
      .reports = options[OPT_REPORT].integer != 0,
  };
  if (!luna_place_read(func, options[OPT_PLACE].string, &tiler.how.place))
    return mlirLogicalResultFailure();
  return tile_operators(func, &tiler);
}

static const LunaOptionDesc options[OPT_COUNT] = {
    [OPT_MACHINE] = LUNA_MACHINE_OPTION,
    [OPT_CAPACITY_BYTES] = {.name = "capacity-bytes",
                            .help =
                                "size of the shared memory; 0 is that of the "
                                "machine's",
                            .kind = LUNA_OPTION_INT64},
    [OPT_LEAST_BYTES] = {.name = "least-bytes",
                         .help = "scratch that an operator may have in any "
                                 "case",
                         .kind = LUNA_OPTION_INT64,
                         .int_default = LUNA_SCRATCH_BYTES},
    [OPT_PLACE] = LUNA_PLACE_OPTION,
    [OPT_LAYOUT] = LUNA_CALLS_OPTION,
    [OPT_REPORT] = {.name = "report",
                    .help = "remark what the core finishes or computes, and "
                            "why",
                    .kind = LUNA_OPTION_BOOL},
};
static const char *const dialects[] = {"luna", "memref", NULL};

const LunaPassDesc luna_pass_tile_operators = {
    .argument = "luna-tile-operators",
    .summary = "Cut unit operators into launches that the machine allows",
    .anchor = "func.func",
    .options = options,
    .option_count = OPT_COUNT,
    .dependent_dialects = dialects,
    .run = run,
};
