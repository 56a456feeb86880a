// luna-choose-layout: gives activations the layout that costs fewer cycles.
//
// In: bufferised functions, before memories are assigned. Out: buffers of four
// dimensions, with their views and the values that control flow merges from
// them, that are cheaper as planes have the strides of [channel][y][x]; their
// indices stay [batch][y][x][channel]. Buffers that operators price together
// (elementwise operators, pools, copies) are decided as one: with all of them
// planar, and as they are. A convolution reads either layout alike; its sums
// are finished plane by plane with one multiplier. Rows of channels stay where
// a memref is reshaped, packed as weights, copied from or to an argument or
// constant, or used by what the pass does not know, so that arguments keep
// their bytes. With layout=calls, products take the zero points of their inputs
// into their biases first (luna_fold_zero_points); what convolutions and max
// poolings use is planes then, where it is copied from or to an argument, too:
// a buffer of rows stands between the two. Refuses: another layout; with calls,
// operators on memrefs of dynamic shape or strides. Options:
// machine=NAME|FILE.xml; layout=auto|nhwc|planar|calls: planar is all that may
// be (what else calls asks, luna-pack-weights and luna-tile-operators do);
// scratch-bytes, the most that prices give an operator: what is free where it
// runs is not known yet; place=auto|core|unit, where sums are finished
// (luna-tile-operators). Example: lit_tests/passes/luna-choose-layout/doc.mlir

#include <string.h>

#include "channel_scales.h"
#include "fold_zero_points.h"
#include "layout_groups.h"
#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/cost.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "mlir-c/BuiltinAttributes.h"
#include "op_cost.h"
#include "op_desc.h"
#include "structure.h"
#include "tile_operators.h"

enum { OPT_MACHINE, OPT_LAYOUT, OPT_SCRATCH_BYTES, OPT_PLACE, OPT_COUNT };

// An operator whose price depends on the layout of a group.
typedef struct Priced {
  MlirOperation op;
  uint32_t group;
  uint32_t next; // of its component, or LUNA_NO_GROUP
} Priced;

// By the number of a value that stands for a group.
typedef struct Component {
  uint32_t parent; // by union-find
  uint32_t next_group;
  uint32_t first_priced; // of one that is its own parent
} Component;

typedef struct Chooser {
  LunaArena arena;
  const LunaMachine *machine;
  LunaPlace place;
  int64_t scratch_limit_bytes;
  LunaGlobals globals;
  LunaLayoutGroups groups;
  LUNA_VECTOR(Priced) priced;
  Component *components;
} Chooser;

//===- Components ---------------------------------------------------------===//

static uint32_t component_of(const Chooser *chooser, uint32_t group) {
  Component *components = chooser->components;
  while (components[group].parent != group) {
    components[group].parent = components[components[group].parent].parent;
    group = components[group].parent;
  }
  return group;
}

// A convolution costs the same whatever the strides of its input.
static bool is_priced_by(MlirOperation op, intptr_t operand) {
  const LunaUnitOp *unit = luna_unit_of(op);
  return !unit || unit->unit_class != LUNA_UNIT_CONV2D ||
         operand + 1 == mlirOperationGetNumOperands(op);
}

static bool add_priced(MlirOperation op, void *data) {
  Chooser *chooser = data;
  Priced priced = {.op = op, .group = LUNA_NO_GROUP};
  if (!luna_op_is_unit(op) && !luna_op_is(op, LUNA_OP_MEMREF_COPY) &&
      !luna_op_in_dialect(op, LUNA_DIALECT_LINALG))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (!is_priced_by(op, i))
      continue;
    uint32_t group =
        luna_layout_group(&chooser->groups, mlirOperationGetOperand(op, i));
    if (group == LUNA_NO_GROUP)
      continue;
    if (priced.group == LUNA_NO_GROUP)
      priced.group = group;
    chooser->components[component_of(chooser, group)].parent =
        component_of(chooser, priced.group);
  }
  if (priced.group != LUNA_NO_GROUP)
    *LUNA_VECTOR_ADD(&chooser->arena, &chooser->priced) = priced;
  return true;
}

// Returns true if value `i` stands for a group that is not fixed.
static bool is_group(Chooser *chooser, uint32_t i) {
  MlirValue value = chooser->groups.values.items[i].value;
  return luna_layout_group(&chooser->groups, value) == i;
}

static void find_components(Chooser *chooser, MlirOperation func) {
  luna_layout_groups(&chooser->groups, func, &chooser->arena);
  luna_layout_fix_copies(&chooser->groups, func);
  chooser->priced.count = 0;
  uint32_t count = (uint32_t)chooser->groups.values.count;
  chooser->components = LUNA_ARENA_ARRAY(&chooser->arena, Component, count);
  for (uint32_t i = 0; i < count; ++i)
    chooser->components[i] = (Component){i, LUNA_NO_GROUP, LUNA_NO_GROUP};
  luna_walk(func, add_priced, chooser);
  for (uint32_t i = 0; i < count; ++i) {
    Component *component = &chooser->components[component_of(chooser, i)];
    if (!is_group(chooser, i) || component_of(chooser, i) == i)
      continue;
    chooser->components[i].next_group = component->next_group;
    component->next_group = i;
  }
  for (uint32_t i = 0; i < chooser->priced.count; ++i) {
    Priced *priced = &chooser->priced.items[i];
    Component *component =
        &chooser->components[component_of(chooser, priced->group)];
    priced->next = component->first_priced;
    component->first_priced = i;
  }
}

static void set_layout(Chooser *chooser, uint32_t component, bool is_planar) {
  for (uint32_t i = component; i != LUNA_NO_GROUP;
       i = chooser->components[i].next_group)
    luna_layout_set(&chooser->groups, i, is_planar);
}

//===- Prices -------------------------------------------------------------===//

// The fill of a constant integer.
static bool read_fill(MlirOperation op, LunaFillDesc *desc) {
  MlirAttribute value = luna_constant_value(mlirOperationGetOperand(op, 0));
  return luna_op_is(op, LUNA_OP_LINALG_FILL) && !mlirAttributeIsNull(value) &&
         mlirAttributeIsAInteger(value) && luna_fill_desc_read(op, desc);
}

// Operators are not tiled yet. One that cannot be is refused later.
static uint64_t unit_price(const Chooser *chooser, MlirOperation op) {
  LunaUnitDesc desc;
  LunaError error = {0};
  if (!luna_unit_desc_read(op, &desc))
    return 0;
  const LunaUnitClassInfo *info = luna_unit_class(desc.unit_class);
  if (desc.unit_class == LUNA_UNIT_CONV2D &&
      !luna_finish_tile(chooser->machine, &desc, chooser->place,
                        luna_takes_channels(&chooser->globals, op, &desc),
                        chooser->scratch_limit_bytes, &desc.as.conv2d.tiling,
                        &error))
    return 0;
  if (desc.unit_class == LUNA_UNIT_ELTWISE)
    return luna_finish_eltwise_cycles(chooser->machine, &desc.as.eltwise,
                                      chooser->place,
                                      chooser->scratch_limit_bytes);
  return luna_cost_cycles(info->cost(chooser->machine, &desc.as));
}

// Memories are not assigned yet: buffers will be on chip.
static uint64_t price_of(const Chooser *chooser, MlirOperation op) {
  LunaCopyDesc copy = {0};
  LunaFillDesc fill = {0};
  LunaCost cost = {0};
  if (luna_op_is_unit(op))
    return unit_price(chooser, op);
  if (luna_op_is(op, LUNA_OP_MEMREF_COPY) && luna_copy_desc_read(op, &copy))
    return luna_cost_cycles(luna_cost_copy(chooser->machine, &copy));
  if (read_fill(op, &fill))
    return luna_cost_cycles(luna_cost_fill(chooser->machine, &fill));
  luna_op_cost(chooser->machine, op, &cost);
  return luna_cost_cycles(cost);
}

// Returns the cycles of one execution of each operator of a component; those of
// a loop, or of a branch, count as often as others.
static uint64_t component_price(const Chooser *chooser, uint32_t component) {
  uint64_t price = 0;
  for (uint32_t i = chooser->components[component].first_priced;
       i != LUNA_NO_GROUP; i = chooser->priced.items[i].next)
    price += price_of(chooser, chooser->priced.items[i].op);
  return price;
}

//===- The pass -----------------------------------------------------------===//

static bool is_cheaper(Chooser *chooser, uint32_t component) {
  uint64_t rows = component_price(chooser, component);
  set_layout(chooser, component, true);
  return component_price(chooser, component) < rows;
}

// Returns true if calls of the vendor's library use a buffer of a component.
static bool has_calls(const Chooser *chooser, uint32_t component) {
  bool has_calls = false;
  for (uint32_t i = component; !has_calls && i != LUNA_NO_GROUP;
       i = chooser->components[i].next_group)
    has_calls = chooser->groups.values.items[i].has_calls;
  return has_calls;
}

static void choose(Chooser *chooser, bool all) {
  for (uint32_t i = 0; i < chooser->groups.values.count; ++i) {
    if (is_group(chooser, i) && component_of(chooser, i) == i)
      set_layout(chooser, i,
                 all || has_calls(chooser, i) || is_cheaper(chooser, i));
  }
}

static void choose_in_module(Chooser *chooser, MlirOperation module, bool all,
                             bool calls) {
  for (MlirOperation op = mlirBlockGetFirstOperation(luna_body(module, 0));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!luna_op_is(op, LUNA_OP_FUNC_FUNC) || mlirBlockIsNull(luna_body(op, 0)))
      continue;
    if (calls)
      luna_layout_split_copies(op);
    find_components(chooser, op);
    if (calls)
      luna_layout_mark_calls(&chooser->groups, op);
    choose(chooser, all);
  }
}

static MlirLogicalResult run(MlirOperation module,
                             const LunaOptionValue *options) {
  const char *layout = options[OPT_LAYOUT].string;
  bool all = strcmp(layout, "planar") == 0;
  bool calls = strcmp(layout, "calls") == 0;
  if (!all && !calls && strcmp(layout, "auto") != 0 &&
      strcmp(layout, "nhwc") != 0)
    return luna_emit_error(
        module, "layout is '%s', allowed are auto, nhwc, planar and calls",
        layout);
  if (strcmp(layout, "nhwc") == 0)
    return mlirLogicalResultSuccess();
  Chooser chooser = {
      .machine = luna_machine_of_option(&options[OPT_MACHINE]),
      .scratch_limit_bytes = options[OPT_SCRATCH_BYTES].integer,
  };
  if (!luna_place_read(module, options[OPT_PLACE].string, &chooser.place))
    return mlirLogicalResultFailure();
  chooser.globals = luna_globals_of(module, &chooser.arena);
  bool is_ok =
      !calls || luna_fold_zero_points(module, &chooser.globals, &chooser.arena);
  if (is_ok)
    choose_in_module(&chooser, module, all, calls);
  luna_arena_destroy(&chooser.arena);
  return is_ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

static const LunaOptionDesc options[OPT_COUNT] = {
    LUNA_MACHINE_OPTION,
    {.name = "layout",
     .help = "auto (the cheaper for each buffer), nhwc, planar or calls",
     .kind = LUNA_OPTION_STRING,
     .string_default = "auto"},
    {.name = "scratch-bytes",
     .help = "most bytes of scratch that prices give an operator",
     .kind = LUNA_OPTION_INT64,
     .int_default = LUNA_PRICED_SCRATCH_BYTES},
    LUNA_PLACE_OPTION,
};
static const char *const dialects[] = {"luna", "memref", NULL};

const LunaPassDesc luna_pass_choose_layout = {
    .argument = "luna-choose-layout",
    .summary = "Give activations planar strides where that is cheaper",
    .anchor = "builtin.module",
    .options = options,
    .option_count = OPT_COUNT,
    .dependent_dialects = dialects,
    .run = run,
};
