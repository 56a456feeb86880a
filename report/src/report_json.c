#include <string.h>

#include "luna/json.h"
#include "luna/report.h"

static void write_rows(LunaJson *json, const LunaPlanRecord *plan) {
  luna_json_begin_array(json, "per_strategy");
  for (uint32_t i = 0; i < plan->row_count; ++i) {
    const LunaPlanRow *row = &plan->rows[i];
    luna_json_begin_object(json, NULL);
    luna_json_string(json, "strategy", row->strategy);
    luna_json_string(json, "merge", luna_merge_name(row->merge));
    luna_json_integer(json, "tensor_bytes", row->tensor_bytes);
    luna_json_integer(json, "total_bytes", row->total_bytes);
    luna_json_end_object(json);
  }
  luna_json_end_array(json);
}

static void write_joins(LunaJson *json, const LunaPlanRecord *plan) {
  luna_json_begin_array(json, "joins");
  for (uint32_t i = 0; i < plan->join_count; ++i) {
    const LunaRecordJoin *join = &plan->joins[i];
    luna_json_begin_object(json, NULL);
    luna_json_string(json, "name", join->name);
    luna_json_string(json, "choice", luna_join_choice_name(join->choice));
    luna_json_integer(json, "cycles", (int64_t)join->cycles);
    luna_json_integer(json, "bytes", join->bytes);
    luna_json_end_object(json);
  }
  luna_json_end_array(json);
}

// Writes the cycles under `key`; where data decides the turns of loops, what
// they are at least and what a turn adds.
static void write_cycles(LunaJson *json, const char *key,
                         const LunaPathCost *cost) {
  if (cost->loop_count == 0) {
    luna_json_integer(json, key, (int64_t)cost->cycles);
    return;
  }
  luna_json_string(json, key, NULL);
  luna_json_integer(json, "at_least_cycles", (int64_t)cost->cycles);
  luna_json_begin_object(json, "cycles_per_turn");
  for (uint32_t i = 0; i < cost->loop_count; ++i)
    luna_json_integer(json, cost->loops[i].loop,
                      (int64_t)cost->loops[i].cycles);
  luna_json_end_object(json);
}

// Of a model without versions there are none, not an empty list.
static void write_cases(LunaJson *json, const LunaReportData *data) {
  const LunaPlanRecord *plan = &data->plan;
  if (plan->case_count == 0)
    return;
  luna_json_begin_array(json, "cases");
  for (uint32_t i = 0; i < plan->case_count; ++i) {
    const LunaRecordCase *item = &plan->cases[i];
    const LunaPathCost *slowest =
        luna_cost_slowest_of_case(&data->cost, item->name);
    luna_json_begin_object(json, NULL);
    luna_json_string(json, "name", item->name);
    luna_json_integer(json, "total_bytes", item->total_bytes);
    luna_json_integer(json, "tensor_bytes", item->tensor_bytes);
    if (slowest)
      write_cycles(json, "cycles", slowest);
    luna_json_end_object(json);
  }
  luna_json_end_array(json);
}

static void write_plan(LunaJson *json, const LunaReportData *data) {
  const LunaPlanRecord *plan = &data->plan;
  luna_json_begin_object(json, "plan");
  luna_json_string(json, "strategy", plan->strategy);
  luna_json_string(json, "merge", luna_merge_name(plan->merge));
  luna_json_integer(json, "total_bytes", plan->total.bytes);
  luna_json_integer(json, "tensor_bytes", plan->tensor.bytes);
  luna_json_integer(json, "activation_bytes", plan->activation.bytes);
  luna_json_integer(json, "scratch_bytes", plan->scratch_bytes);
  luna_json_integer(json, "staging_bytes", plan->staging_bytes);
  luna_json_integer(json, "state_bytes", plan->state_bytes);
  luna_json_integer(json, "lower_bound_bytes", plan->total.lower_bound_bytes);
  luna_json_integer(json, "tensor_lower_bound_bytes",
                    plan->tensor.lower_bound_bytes);
  luna_json_integer(json, "activation_lower_bound_bytes",
                    plan->activation.lower_bound_bytes);
  luna_json_integer(json, "placement_bound_bytes",
                    plan->total.placement_bound_bytes);
  luna_json_integer(json, "tensor_placement_bound_bytes",
                    plan->tensor.placement_bound_bytes);
  luna_json_integer(json, "activation_placement_bound_bytes",
                    plan->activation.placement_bound_bytes);
  luna_json_integer(json, "capacity_bytes", plan->capacity_bytes);
  luna_json_integer(json, "path_count", (int64_t)plan->possible_path_count);
  luna_json_bool(json, "path_count_is_bound", plan->is_possible_bound);
  luna_json_integer(json, "impossible_paths", plan->impossible_path_count);
  luna_json_bool(json, "optimal", plan->is_optimal);
  luna_json_string(json, "proof", luna_proof_name(plan->proof));
  write_rows(json, plan);
  write_joins(json, plan);
  luna_json_begin_object(json, "joins_tried");
  luna_json_integer(json, "drafts", (int64_t)data->joins_tried.drafts);
  luna_json_integer(json, "plans", (int64_t)data->joins_tried.plans);
  luna_json_end_object(json);
  luna_json_end_object(json);
}

static void write_predicted(LunaJson *json, const LunaReportData *data) {
  const LunaPathCost *slowest = luna_cost_slowest(&data->cost);
  luna_json_begin_object(json, "dma");
  luna_json_string(json, "mode", data->dma);
  luna_json_integer(json, "transfers",
                    slowest ? (int64_t)slowest->transfers : 0);
  luna_json_integer(json, "bytes", slowest ? (int64_t)slowest->dma_bytes : 0);
  luna_json_end_object(json);
  luna_json_begin_object(json, "predicted");
  if (slowest) {
    luna_json_string(json, "path", slowest->path);
    write_cycles(json, "cycles", slowest);
    if (data->cost.at_most_cycles > 0)
      luna_json_integer(json, "at_most_cycles",
                        (int64_t)data->cost.at_most_cycles);
    luna_json_integer(json, "compute", (int64_t)slowest->compute);
    luna_json_integer(json, "dma", (int64_t)slowest->dma);
    luna_json_integer(json, "stall", (int64_t)slowest->stall);
    luna_json_integer(json, "host", (int64_t)slowest->host);
    luna_json_integer(json, "bound", (int64_t)slowest->bound);
  }
  luna_json_end_object(json);
}

static const LunaPathCost *cost_of_path(const LunaCostRecord *cost,
                                        const char *path) {
  for (uint32_t i = 0; i < cost->path_count; ++i)
    if (strcmp(cost->paths[i].path, path) == 0)
      return &cost->paths[i];
  return NULL;
}

// The cycles of the path on the simulator; 0 if it did not run.
static uint64_t simulated_cycles(const LunaReportData *data, const char *path) {
  for (uint32_t i = 0; i < data->path_count; ++i)
    if (strcmp(data->paths[i].name, path) == 0)
      return data->paths[i].simulated.total;
  return 0;
}

static void write_paths(LunaJson *json, const LunaReportData *data) {
  luna_json_begin_array(json, "paths");
  for (uint32_t i = 0; i < data->plan.path_count; ++i) {
    const LunaPathPeak *path = &data->plan.paths[i];
    const LunaPathCost *cost = cost_of_path(&data->cost, path->path);
    luna_json_begin_object(json, NULL);
    luna_json_string(json, "path", path->path);
    if (cost) {
      write_cycles(json, "predicted_cycles", cost);
      luna_json_integer(json, "bound_cycles", (int64_t)cost->bound);
    }
    uint64_t simulated = simulated_cycles(data, path->path);
    if (simulated > 0)
      luna_json_integer(json, "simulated_cycles", (int64_t)simulated);
    luna_json_integer(json, "peak_bytes", path->peak_bytes);
    luna_json_end_object(json);
  }
  luna_json_end_array(json);
}

static void write_runs(LunaJson *json, const LunaReportRuns *runs) {
  const LunaReportCycles *slowest = &runs->slowest;
  luna_json_begin_object(json, "simulated");
  luna_json_integer(json, "cycles", (int64_t)slowest->total);
  luna_json_integer(json, "compute", (int64_t)slowest->compute);
  luna_json_integer(json, "dma", (int64_t)slowest->dma);
  luna_json_integer(json, "stall", (int64_t)slowest->stall);
  luna_json_integer(json, "host", (int64_t)slowest->host);
  luna_json_integer(json, "bound", (int64_t)slowest->bound);
  luna_json_end_object(json);
  luna_json_integer(json, "hazards", (int64_t)runs->hazard_count);
  if (!runs->is_checked) {
    luna_json_string(json, "check", NULL);
    return;
  }
  luna_json_begin_object(json, "check");
  luna_json_bool(json, "equal", runs->mismatches == 0);
  luna_json_integer(json, "paths", (int64_t)runs->checked_paths);
  luna_json_integer(json, "forced_paths", (int64_t)runs->forced_paths);
  luna_json_integer(json, "runs", (int64_t)runs->checked_runs);
  luna_json_integer(json, "mismatches", (int64_t)runs->mismatches);
  luna_json_end_object(json);
}

static void write_shared(LunaJson *json, const char *key, int64_t total,
                         int64_t unique, int64_t collisions) {
  luna_json_begin_object(json, key);
  luna_json_integer(json, "total", total);
  luna_json_integer(json, "unique", unique);
  luna_json_integer(json, "collisions", collisions);
}

static void write_code(LunaJson *json, const LunaCodeRecord *code) {
  write_shared(json, "kernels", code->kernels, code->unique_kernels,
               code->kernel_collisions);
  luna_json_end_object(json);
  write_shared(json, "descriptors", code->descriptors, code->unique_descriptors,
               code->descriptor_collisions);
  luna_json_integer(json, "bytes", code->descriptor_bytes);
  luna_json_integer(json, "id_bytes", code->id_bytes);
  luna_json_end_object(json);
  luna_json_begin_object(json, "launches");
  luna_json_integer(json, "total", code->launches);
  luna_json_integer(json, "calls", code->calls);
  if (code->port_bytes > 0)
    luna_json_integer(json, "port_bytes", code->port_bytes);
  luna_json_begin_object(json, "broken");
  for (uint32_t i = 0; i < code->rule_count; ++i)
    luna_json_integer(json, code->rules[i].rule, code->rules[i].launches);
  luna_json_end_object(json);
  luna_json_end_object(json);
}

static void write_image(LunaJson *json, const char *target,
                        const LunaImage *image) {
  luna_json_begin_object(json, "image");
  luna_json_string(json, "target", target);
  luna_json_integer(json, "text_bytes", image->text_bytes);
  luna_json_integer(json, "rodata_bytes", image->rodata_bytes);
  luna_json_integer(json, "descriptor_bytes", image->descriptor_bytes);
  luna_json_integer(json, "weight_bytes", image->weight_bytes);
  luna_json_integer(json, "loaded_bytes", luna_image_loaded_bytes(image));
  luna_json_integer(json, "arena_bytes", image->arena_bytes);
  luna_json_integer(json, "scratch_bytes", image->scratch_bytes);
  luna_json_integer(json, "state_bytes", image->state_bytes);
  luna_json_integer(json, "io_bytes", image->io_bytes);
  luna_json_integer(json, "psram_bytes", luna_image_psram_bytes(image));
  luna_json_end_object(json);
}

void luna_report_json(const LunaReportData *data, const LunaReportRuns *runs,
                      LunaText *text) {
  LunaJson json = {.text = text};
  luna_json_begin_object(&json, NULL);
  luna_json_string(&json, "model", data->model);
  luna_json_string(&json, "machine", data->machine);
  luna_json_string(&json, "io", data->io);
  if (data->takes_best_plan)
    luna_json_string(&json, "plan_cache", "best");
  write_plan(&json, data);
  write_cases(&json, data);
  write_predicted(&json, data);
  write_paths(&json, data);
  if (data->code)
    write_code(&json, data->code);
  if (data->image)
    write_image(&json, data->target, data->image);
  if (runs)
    write_runs(&json, runs);
  luna_json_end_object(&json);
  luna_text_printf(text, "\n");
}
