#include "stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emit.h"
#include "luna/json.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===- Reading dictionaries -----------------------------------------------===//

static MlirAttribute field(MlirAttribute dictionary, const char *key) {
  if (mlirAttributeIsNull(dictionary) ||
      !mlirAttributeIsADictionary(dictionary))
    return mlirAttributeGetNull();
  return mlirDictionaryAttrGetElementByName(
      dictionary, mlirStringRefCreateFromCString(key));
}

int64_t luna_dict_int(MlirAttribute dictionary, const char *key,
                      int64_t absent) {
  MlirAttribute found = field(dictionary, key);
  if (mlirAttributeIsNull(found) || !mlirAttributeIsAInteger(found))
    return absent;
  return mlirIntegerAttrGetValueInt(found);
}

const char *luna_dict_string(LunaArena *arena, MlirAttribute dictionary,
                             const char *key) {
  MlirAttribute found = field(dictionary, key);
  if (mlirAttributeIsNull(found) || !mlirAttributeIsAString(found))
    return "";
  MlirStringRef text = mlirStringAttrGetValue(found);
  return luna_arena_strndup(arena, text.data, text.length);
}

MlirAttribute luna_dict_array(MlirAttribute dictionary, const char *key,
                              intptr_t *count) {
  MlirAttribute found = field(dictionary, key);
  *count = 0;
  if (mlirAttributeIsNull(found) || !mlirAttributeIsAArray(found))
    return mlirAttributeGetNull();
  *count = mlirArrayAttrGetNumElements(found);
  return found;
}

static intptr_t cost_count(const LunacModel *model) {
  return !mlirAttributeIsNull(model->cost) && mlirAttributeIsAArray(model->cost)
             ? mlirArrayAttrGetNumElements(model->cost)
             : 0;
}

MlirAttribute luna_slowest_path(const LunacModel *model) {
  MlirAttribute slowest = mlirAttributeGetNull();
  for (intptr_t i = 0; i < cost_count(model); ++i) {
    MlirAttribute path = mlirArrayAttrGetElement(model->cost, i);
    if (mlirAttributeIsNull(slowest) ||
        luna_dict_int(path, "cycles", 0) > luna_dict_int(slowest, "cycles", 0))
      slowest = path;
  }
  return slowest;
}

//===- JSON ---------------------------------------------------------------===//

static bool is_flag(MlirAttribute value) {
  MlirType type = mlirAttributeGetType(value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
}

// Copies a field of a dictionary: an integer, a flag or a string.
static void copy_field(LunacSession *session, LunaJson *json,
                       MlirAttribute dictionary, const char *from,
                       const char *key) {
  MlirAttribute value = field(dictionary, from);
  if (mlirAttributeIsNull(value))
    return;
  if (mlirAttributeIsAString(value))
    luna_json_string(json, key,
                     luna_dict_string(session->arena, dictionary, from));
  else if (mlirAttributeIsAInteger(value) && is_flag(value))
    luna_json_bool(json, key, mlirIntegerAttrGetValueInt(value) != 0);
  else if (mlirAttributeIsAInteger(value))
    luna_json_integer(json, key, mlirIntegerAttrGetValueInt(value));
}

static void copy_fields(LunacSession *session, LunaJson *json,
                        MlirAttribute dictionary, const char *const *names,
                        size_t count) {
  for (size_t i = 0; i < count; ++i)
    copy_field(session, json, dictionary, names[i], names[i]);
}

static void write_plan(LunacSession *session, LunaJson *json,
                       MlirAttribute plan) {
  static const char *const names[] = {
      "strategy",
      "merge",
      "total_bytes",
      "tensor_bytes",
      "activation_bytes",
      "scratch_bytes",
      "staging_bytes",
      "state_bytes",
      "lower_bound_bytes",
      "tensor_lower_bound_bytes",
      "activation_lower_bound_bytes",
      "capacity_bytes",
      "optimal",
      "proof",
  };
  static const char *const row_names[] = {"strategy", "merge", "tensor_bytes",
                                          "total_bytes"};
  luna_json_begin_object(json, "plan");
  copy_fields(session, json, plan, names, sizeof names / sizeof names[0]);
  intptr_t count = 0;
  MlirAttribute rows = luna_dict_array(plan, "per_strategy", &count);
  luna_json_begin_array(json, "per_strategy");
  for (intptr_t i = 0; i < count; ++i) {
    luna_json_begin_object(json, NULL);
    copy_fields(session, json, mlirArrayAttrGetElement(rows, i), row_names, 4);
    luna_json_end_object(json);
  }
  luna_json_end_array(json);
  luna_json_end_object(json);
}

// The cost of a path by its name, or a null attribute.
static MlirAttribute cost_of_path(LunacSession *session,
                                  const LunacModel *model, const char *path) {
  for (intptr_t i = 0; i < cost_count(model); ++i) {
    MlirAttribute cost = mlirArrayAttrGetElement(model->cost, i);
    if (strcmp(luna_dict_string(session->arena, cost, "path"), path) == 0)
      return cost;
  }
  return mlirAttributeGetNull();
}

static void write_paths(LunacSession *session, LunaJson *json,
                        const LunacModel *model) {
  intptr_t count = 0;
  MlirAttribute paths = luna_dict_array(model->plan, "paths", &count);
  luna_json_begin_array(json, "paths");
  for (intptr_t i = 0; i < count; ++i) {
    MlirAttribute path = mlirArrayAttrGetElement(paths, i);
    const char *name = luna_dict_string(session->arena, path, "path");
    MlirAttribute cost = cost_of_path(session, model, name);
    luna_json_begin_object(json, NULL);
    luna_json_string(json, "path", name);
    copy_field(session, json, cost, "cycles", "predicted_cycles");
    copy_field(session, json, cost, "bound", "bound_cycles");
    copy_field(session, json, path, "peak_bytes", "peak_bytes");
    luna_json_end_object(json);
  }
  luna_json_end_array(json);
}

static void write_predicted(LunacSession *session, LunaJson *json,
                            const LunacModel *model) {
  static const char *const names[] = {"path",  "cycles", "compute", "dma",
                                      "stall", "host",   "bound"};
  MlirAttribute slowest = luna_slowest_path(model);
  luna_json_begin_object(json, "dma");
  luna_json_string(json, "mode", model->dma);
  luna_json_integer(json, "transfers", luna_dict_int(slowest, "transfers", 0));
  luna_json_integer(json, "bytes", luna_dict_int(slowest, "dma_bytes", 0));
  luna_json_end_object(json);
  luna_json_begin_object(json, "predicted");
  copy_fields(session, json, slowest, names, sizeof names / sizeof names[0]);
  luna_json_end_object(json);
}

static void write_run(LunaJson *json, const LunacRunSummary *run) {
  luna_json_begin_object(json, "simulated");
  luna_json_integer(json, "cycles", (int64_t)run->cycles);
  luna_json_integer(json, "compute", (int64_t)run->compute_cycles);
  luna_json_integer(json, "dma", (int64_t)run->dma_cycles);
  luna_json_integer(json, "stall", (int64_t)run->stall_cycles);
  luna_json_integer(json, "host", (int64_t)run->host_cycles);
  luna_json_integer(json, "bound", (int64_t)run->bound_cycles);
  luna_json_end_object(json);
  luna_json_integer(json, "hazards", (int64_t)run->hazard_count);
  if (!run->is_checked) {
    luna_json_string(json, "check", NULL);
    return;
  }
  luna_json_begin_object(json, "check");
  luna_json_bool(json, "equal", run->mismatches == 0);
  luna_json_integer(json, "paths", (int64_t)run->checked_paths);
  luna_json_integer(json, "runs", (int64_t)run->checked_runs);
  luna_json_integer(json, "mismatches", (int64_t)run->mismatches);
  luna_json_end_object(json);
}

int luna_stats_write(LunacSession *session, const LunacStats *stats) {
  LunaText text = {0};
  LunaJson json = {.text = &text};
  luna_json_begin_object(&json, NULL);
  luna_json_string(&json, "model", stats->model->name);
  luna_json_string(&json, "machine", session->machine.name);
  luna_json_string(&json, "io", session->options->io);
  write_plan(session, &json, stats->model->plan);
  write_predicted(session, &json, stats->model);
  write_paths(session, &json, stats->model);
  if (stats->run.is_run)
    write_run(&json, &stats->run);
  luna_json_end_object(&json);
  luna_text_printf(&text, "\n");
  int code = luna_write_output(session, session->options->stats, text.data,
                               text.length);
  luna_text_deinit(&text);
  return code;
}

//===- For a person -------------------------------------------------------===//

int luna_print_summary(LunacSession *session, const LunacModel *model) {
  MlirAttribute plan = model->plan;
  MlirAttribute slowest = luna_slowest_path(model);
  luna_progress_end(session);
  printf("%s on %s\n", model->name, session->machine.name);
  printf("  on chip   %" PRId64 " of %" PRIu64 " bytes, bound %" PRId64
         " (tensors %" PRId64 ", staging %" PRId64 ")\n",
         luna_dict_int(plan, "total_bytes", 0), session->machine.shared.bytes,
         luna_dict_int(plan, "lower_bound_bytes", 0),
         luna_dict_int(plan, "tensor_bytes", 0),
         luna_dict_int(plan, "staging_bytes", 0));
  printf("  plan      %s, %s%s\n",
         luna_dict_string(session->arena, plan, "strategy"),
         luna_dict_string(session->arena, plan, "merge"),
         luna_dict_int(plan, "optimal", 0) ? ", optimal" : "");
  printf("  slowest   %s: %" PRId64 " cycles, bound %" PRId64 "\n",
         luna_dict_string(session->arena, slowest, "path"),
         luna_dict_int(slowest, "cycles", 0),
         luna_dict_int(slowest, "bound", 0));
  return 0;
}
