#include "luna-c/plan_attr.h"

#include <string.h>

#include "attr_record.h"
#include "luna-c/ir.h"
#include "mlir-c/BuiltinAttributes.h"

//===----------------------------------------------------------------------===//
// The tables
//===----------------------------------------------------------------------===//

static const char *merge_name(uint32_t merge) {
  return merge < LUNA_MERGE_COUNT ? luna_merge_name((LunaMerge)merge) : NULL;
}

static const char *proof_name(uint32_t proof) {
  return proof < LUNA_PROOF_COUNT ? luna_proof_name((LunaProof)proof) : NULL;
}

static const char *kind_name(uint32_t kind) {
  static const char *const names[] = {
      [LUNA_BUFFER_TENSOR] = "tensor",
      [LUNA_BUFFER_STAGING] = "staging",
      [LUNA_BUFFER_SCRATCH] = "scratch",
  };
  return kind < sizeof names / sizeof names[0] ? names[kind] : NULL;
}

static const LunaAttrField row_fields[] = {
    LUNA_FIELD(STRING, "strategy", LunaPlanRow, strategy),
    LUNA_FIELD_NAMED("merge", LunaPlanRow, merge, merge_name),
    LUNA_FIELD(INTEGER, "tensor_bytes", LunaPlanRow, tensor_bytes),
    LUNA_FIELD(INTEGER, "total_bytes", LunaPlanRow, total_bytes),
};
static const LunaAttrLayout row_layout =
    LUNA_ATTR_LAYOUT(LunaPlanRow, row_fields);

static const LunaAttrField path_fields[] = {
    LUNA_FIELD(STRING, "path", LunaPathPeak, path),
    LUNA_FIELD(INTEGER, "peak_bytes", LunaPathPeak, peak_bytes),
    LUNA_FIELD(INTEGER, "live_bytes", LunaPathPeak, live_bytes),
    LUNA_FIELD(INTEGER, "heaviest_step", LunaPathPeak, heaviest_step),
    LUNA_FIELD_ARRAY(STEPS, "steps", LunaPathPeak, ranges, range_count, NULL),
};
static const LunaAttrLayout path_layout =
    LUNA_ATTR_LAYOUT(LunaPathPeak, path_fields);

static const LunaAttrField buffer_fields[] = {
    LUNA_FIELD(INTEGER, "id", LunaRecordBuffer, id),
    LUNA_FIELD(STRING, "name", LunaRecordBuffer, name),
    LUNA_FIELD_NAMED("kind", LunaRecordBuffer, kind, kind_name),
    LUNA_FIELD(INTEGER, "bytes", LunaRecordBuffer, size_bytes),
    LUNA_FIELD(INTEGER, "offset", LunaRecordBuffer, offset_bytes),
    LUNA_FIELD_ARRAY(STEPS, "live", LunaRecordBuffer, live.ranges,
                     live.range_count, NULL),
};
static const LunaAttrLayout buffer_layout =
    LUNA_ATTR_LAYOUT(LunaRecordBuffer, buffer_fields);

static const char *choice_name(uint32_t choice) {
  return choice < LUNA_JOIN_CHOICE_COUNT
             ? luna_join_choice_name((LunaJoinChoice)choice)
             : NULL;
}

static const LunaAttrField join_fields[] = {
    LUNA_FIELD(STRING, "name", LunaRecordJoin, name),
    LUNA_FIELD_NAMED("choice", LunaRecordJoin, choice, choice_name),
    LUNA_FIELD(INTEGER, "cycles", LunaRecordJoin, cycles),
    LUNA_FIELD(INTEGER, "bytes", LunaRecordJoin, bytes),
};
static const LunaAttrLayout join_layout =
    LUNA_ATTR_LAYOUT(LunaRecordJoin, join_fields);

static const LunaAttrField case_fields[] = {
    LUNA_FIELD(STRING, "name", LunaRecordCase, name),
    LUNA_FIELD(INTEGER, "total_bytes", LunaRecordCase, total_bytes),
    LUNA_FIELD(INTEGER, "tensor_bytes", LunaRecordCase, tensor_bytes),
};
static const LunaAttrLayout case_layout =
    LUNA_ATTR_LAYOUT(LunaRecordCase, case_fields);

static const LunaAttrField witness_fields[] = {
    LUNA_FIELD(INTEGER, "bytes", LunaRecordWitness, bytes),
    LUNA_FIELD(STRING, "path", LunaRecordWitness, path),
    LUNA_FIELD(INTEGER, "step", LunaRecordWitness, step),
    LUNA_FIELD_ARRAY(STRINGS, "live", LunaRecordWitness, live, live_count,
                     NULL),
};
static const LunaAttrLayout witness_layout =
    LUNA_ATTR_LAYOUT(LunaRecordWitness, witness_fields);

static const LunaAttrField bound_fields[] = {
    LUNA_FIELD(INTEGER, "total_bytes", LunaBoundRecord, total_bytes),
    LUNA_FIELD(INTEGER, "tensor_bytes", LunaBoundRecord, tensor_bytes),
    LUNA_FIELD(INTEGER, "activation_bytes", LunaBoundRecord, activation_bytes),
    LUNA_FIELD(STRING, "path", LunaBoundRecord, path),
    LUNA_FIELD(STRING, "step", LunaBoundRecord, step),
};
static const LunaAttrLayout bound_layout =
    LUNA_ATTR_LAYOUT(LunaBoundRecord, bound_fields);

static const LunaAttrField effort_fields[] = {
    LUNA_FIELD(INTEGER, "drafts", LunaJoinEffort, drafts),
    LUNA_FIELD(INTEGER, "plans", LunaJoinEffort, plans),
};
static const LunaAttrLayout effort_layout =
    LUNA_ATTR_LAYOUT(LunaJoinEffort, effort_fields);

static const LunaAttrField rule_fields[] = {
    LUNA_FIELD(STRING, "rule", LunaRecordRule, rule),
    LUNA_FIELD(INTEGER, "launches", LunaRecordRule, launches),
};
static const LunaAttrLayout rule_layout =
    LUNA_ATTR_LAYOUT(LunaRecordRule, rule_fields);

static const LunaAttrField code_fields[] = {
    LUNA_FIELD(INTEGER, "kernels", LunaCodeRecord, kernels),
    LUNA_FIELD(INTEGER, "unique_kernels", LunaCodeRecord, unique_kernels),
    LUNA_FIELD(INTEGER, "kernel_collisions", LunaCodeRecord, kernel_collisions),
    LUNA_FIELD(INTEGER, "descriptors", LunaCodeRecord, descriptors),
    LUNA_FIELD(INTEGER, "unique_descriptors", LunaCodeRecord,
               unique_descriptors),
    LUNA_FIELD(INTEGER, "descriptor_collisions", LunaCodeRecord,
               descriptor_collisions),
    LUNA_FIELD(INTEGER, "descriptor_bytes", LunaCodeRecord, descriptor_bytes),
    LUNA_FIELD(INTEGER, "id_bytes", LunaCodeRecord, id_bytes),
    LUNA_FIELD(INTEGER, "port_bytes", LunaCodeRecord, port_bytes),
    LUNA_FIELD(INTEGER, "launches", LunaCodeRecord, launches),
    LUNA_FIELD(INTEGER, "calls", LunaCodeRecord, calls),
    LUNA_FIELD_ARRAY(RECORDS, "rules", LunaCodeRecord, rules, rule_count,
                     &rule_layout),
};
static const LunaAttrLayout code_layout =
    LUNA_ATTR_LAYOUT(LunaCodeRecord, code_fields);

// The contents of the attribute: two arrays of as many strings as there are
// steps.
typedef struct StoredPlan {
  LunaPlanRecord plan;
  uint32_t step_path_count;
} StoredPlan;

static const LunaAttrField plan_fields[] = {
    LUNA_FIELD(STRING, "machine", StoredPlan, plan.machine),
    LUNA_FIELD(INTEGER, "capacity_bytes", StoredPlan, plan.capacity_bytes),
    LUNA_FIELD(STRING, "strategy", StoredPlan, plan.strategy),
    LUNA_FIELD_NAMED("merge", StoredPlan, plan.merge, merge_name),
    LUNA_FIELD(INTEGER, "total_bytes", StoredPlan, plan.total.bytes),
    LUNA_FIELD(INTEGER, "lower_bound_bytes", StoredPlan,
               plan.total.lower_bound_bytes),
    LUNA_FIELD(INTEGER, "placement_bound_bytes", StoredPlan,
               plan.total.placement_bound_bytes),
    LUNA_FIELD(INTEGER, "tensor_bytes", StoredPlan, plan.tensor.bytes),
    LUNA_FIELD(INTEGER, "tensor_lower_bound_bytes", StoredPlan,
               plan.tensor.lower_bound_bytes),
    LUNA_FIELD(INTEGER, "tensor_placement_bound_bytes", StoredPlan,
               plan.tensor.placement_bound_bytes),
    LUNA_FIELD(INTEGER, "activation_bytes", StoredPlan, plan.activation.bytes),
    LUNA_FIELD(INTEGER, "activation_lower_bound_bytes", StoredPlan,
               plan.activation.lower_bound_bytes),
    LUNA_FIELD(INTEGER, "activation_placement_bound_bytes", StoredPlan,
               plan.activation.placement_bound_bytes),
    LUNA_FIELD(INTEGER, "scratch_bytes", StoredPlan, plan.scratch_bytes),
    LUNA_FIELD(INTEGER, "staging_bytes", StoredPlan, plan.staging_bytes),
    LUNA_FIELD(INTEGER, "state_bytes", StoredPlan, plan.state_bytes),
    LUNA_FIELD(FLAG, "optimal", StoredPlan, plan.is_optimal),
    LUNA_FIELD_NAMED("proof", StoredPlan, plan.proof, proof_name),
    LUNA_FIELD(INTEGER, "search_steps", StoredPlan, plan.search_steps),
    {
        .kind = LUNA_FIELD_RECORD,
        .key = "witness",
        .at = offsetof(StoredPlan, plan.witness),
        .layout = &witness_layout,
    },
    LUNA_FIELD_ARRAY(RECORDS, "per_strategy", StoredPlan, plan.rows,
                     plan.row_count, &row_layout),
    LUNA_FIELD_ARRAY(RECORDS, "paths", StoredPlan, plan.paths, plan.path_count,
                     &path_layout),
    LUNA_FIELD(INTEGER, "path_count", StoredPlan, plan.possible_path_count),
    LUNA_FIELD(FLAG, "path_count_is_bound", StoredPlan, plan.is_possible_bound),
    LUNA_FIELD(INTEGER, "impossible_paths", StoredPlan,
               plan.impossible_path_count),
    LUNA_FIELD_ARRAY(RECORDS, "buffers", StoredPlan, plan.buffers,
                     plan.buffer_count, &buffer_layout),
    LUNA_FIELD_ARRAY(RECORDS, "joins", StoredPlan, plan.joins, plan.join_count,
                     &join_layout),
    {
        .kind = LUNA_FIELD_RECORDS,
        .key = "cases",
        .at = offsetof(StoredPlan, plan.cases),
        .count_at = offsetof(StoredPlan, plan.case_count),
        .layout = &case_layout,
        .is_optional = true,
    },
    LUNA_FIELD_ARRAY(STRINGS, "steps", StoredPlan, plan.step_names,
                     plan.step_count, NULL),
    LUNA_FIELD_ARRAY(STRINGS, "step_paths", StoredPlan, plan.step_paths,
                     step_path_count, NULL),
};
static const LunaAttrLayout plan_layout =
    LUNA_ATTR_LAYOUT(StoredPlan, plan_fields);

static const LunaAttrField loop_fields[] = {
    LUNA_FIELD(STRING, "loop", LunaLoopCost, loop),
    LUNA_FIELD(INTEGER, "cycles", LunaLoopCost, cycles),
};
static const LunaAttrLayout loop_layout =
    LUNA_ATTR_LAYOUT(LunaLoopCost, loop_fields);

static const LunaAttrField path_cost_fields[] = {
    LUNA_FIELD(STRING, "path", LunaPathCost, path),
    LUNA_FIELD(INTEGER, "cycles", LunaPathCost, cycles),
    LUNA_FIELD(INTEGER, "compute", LunaPathCost, compute),
    LUNA_FIELD(INTEGER, "host", LunaPathCost, host),
    LUNA_FIELD(INTEGER, "stall", LunaPathCost, stall),
    LUNA_FIELD(INTEGER, "dma", LunaPathCost, dma),
    LUNA_FIELD(INTEGER, "bound", LunaPathCost, bound),
    LUNA_FIELD(INTEGER, "transfers", LunaPathCost, transfers),
    LUNA_FIELD(INTEGER, "dma_bytes", LunaPathCost, dma_bytes),
    LUNA_FIELD_ARRAY(RECORDS, "loops", LunaPathCost, loops, loop_count,
                     &loop_layout),
};
static const LunaAttrLayout path_cost_layout =
    LUNA_ATTR_LAYOUT(LunaPathCost, path_cost_fields);

static const LunaAttrField cost_fields[] = {
    LUNA_FIELD(INTEGER, "at_most", LunaCostRecord, at_most_cycles),
    LUNA_FIELD_ARRAY(RECORDS, "paths", LunaCostRecord, paths, path_count,
                     &path_cost_layout),
};
static const LunaAttrLayout cost_layout =
    LUNA_ATTR_LAYOUT(LunaCostRecord, cost_fields);

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static void set(MlirOperation op, const char *name,
                const LunaAttrLayout *layout, const void *record,
                LunaArena *arena) {
  luna_set_attr(
      op, name,
      luna_attr_of_record(mlirOperationGetContext(op), layout, record, arena));
}

static bool get(MlirOperation op, const char *name,
                const LunaAttrLayout *layout, LunaArena *arena, void *record,
                LunaError *error) {
  return luna_attr_to_record(luna_attr(op, name), name, layout, arena, record,
                             error);
}

// Zeroes the record where there is none.
static bool get_if_any(MlirOperation op, const char *name,
                       const LunaAttrLayout *layout, LunaArena *arena,
                       void *record, LunaError *error) {
  memset(record, 0, layout->size);
  *error = (LunaError){0};
  return mlirAttributeIsNull(luna_attr(op, name)) ||
         get(op, name, layout, arena, record, error);
}

bool luna_has_plan(MlirOperation func) {
  return !mlirAttributeIsNull(luna_attr(func, "luna.plan"));
}

void luna_plan_write(MlirOperation func, const LunaPlanRecord *plan,
                     LunaArena *arena) {
  const StoredPlan stored = {*plan, plan->step_count};
  set(func, "luna.plan", &plan_layout, &stored, arena);
}

bool luna_plan_read(MlirOperation func, LunaArena *arena, LunaPlanRecord *plan,
                    LunaError *error) {
  StoredPlan stored = {0};
  if (!get(func, "luna.plan", &plan_layout, arena, &stored, error))
    return false;
  if (stored.step_path_count != stored.plan.step_count)
    return luna_attr_record_fail(error, "step_paths");
  *plan = stored.plan;
  return true;
}

void luna_bound_write(MlirOperation func, const LunaBoundRecord *bound,
                      LunaArena *arena) {
  set(func, "luna.bound", &bound_layout, bound, arena);
}

bool luna_bound_read(MlirOperation func, LunaArena *arena,
                     LunaBoundRecord *bound, LunaError *error) {
  return get(func, "luna.bound", &bound_layout, arena, bound, error);
}

void luna_join_effort_write(MlirOperation func, const LunaJoinEffort *effort,
                            LunaArena *arena) {
  set(func, "luna.joins_tried", &effort_layout, effort, arena);
}

bool luna_join_effort_read(MlirOperation func, LunaArena *arena,
                           LunaJoinEffort *effort, LunaError *error) {
  return get_if_any(func, "luna.joins_tried", &effort_layout, arena, effort,
                    error);
}

void luna_code_write(MlirOperation module, const LunaCodeRecord *code,
                     LunaArena *arena) {
  set(module, "luna.code", &code_layout, code, arena);
}

bool luna_code_read(MlirOperation module, LunaArena *arena,
                    LunaCodeRecord *code, LunaError *error) {
  return get(module, "luna.code", &code_layout, arena, code, error);
}

void luna_cost_write(MlirOperation func, const LunaCostRecord *cost,
                     LunaArena *arena) {
  set(func, "luna.cost", &cost_layout, cost, arena);
}

bool luna_cost_read(MlirOperation func, LunaArena *arena, LunaCostRecord *cost,
                    LunaError *error) {
  return get_if_any(func, "luna.cost", &cost_layout, arena, cost, error);
}
