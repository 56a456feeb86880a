// One import.

#include <string.h>

#include "import_dialects.h"
#include "onnx_graph.h"

static bool check_opset(LunaOnnxImport *c) {
  for (size_t i = 0; i < c->model->n_opset_import; ++i) {
    const Onnx__OperatorSetIdProto *set = c->model->opset_import[i];
    if (!set->domain || !set->domain[0] || strcmp(set->domain, "ai.onnx") == 0)
      c->opset = set->version;
  }
  if (c->opset == 0)
    c->opset = 11;
  if (c->opset < 1)
    return luna_onnx_fail(c, "model has opset %lld, opsets count from 1",
                          (long long)c->opset);
  return true;
}

static bool import_model(LunaOnnxImport *c, MlirModule *module) {
  if (!c->model->graph)
    return luna_onnx_fail(c, "file holds no graph: it is no ONNX model");
  return luna_import_load_dialects(c->b->context, c->error) && check_opset(c) &&
         luna_onnx_sort(c) && luna_onnx_read_main(c, module);
}

bool luna_onnx_import(MlirContext context, const void *bytes, size_t size,
                      const LunaImportOptions *options,
                      const LunaOnnxDomain *domains, size_t domain_count,
                      MlirModule *out, LunaError *error) {
  static const LunaImportOptions no_options;
  LunaArena arena = {0};
  LunaError scratch;
  LunaBuilder builder = luna_builder(context);
  LunaOnnxImport c = {
      .b = &builder,
      .arena = &arena,
      .error = error ? error : &scratch,
      .options = options ? options : &no_options,
      .domains = domains,
      .domain_count = domain_count,
      .lengths = {.arena = &arena},
      .made_limit = (INT64_C(1) << 26) + 16 * (int64_t)size,
  };
  *c.error = (LunaError){.code = LUNA_ERROR_NONE, .item = LUNA_ERROR_NO_ITEM};
  Onnx__ModelProto *model = luna_onnx_decode(&c, bytes, size);
  c.model = model;
  c.fold =
      luna_fold_create(context, &(LunaFoldLimits){.max_steps = c.made_limit,
                                                  .max_bytes = c.made_limit});
  bool ok = model && import_model(&c, out);
  luna_fold_destroy(c.fold);
  luna_onnx_model_free(model);
  luna_arena_destroy(&arena);
  return ok;
}
