// The front door of the ONNX reader: errors, attributes, one import.

#include "onnx.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "onnx_graph.h"

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

// What the node is called: its name, or else that of its first output.
static const char *node_name(const Onnx__NodeProto *node) {
  if (node->name && node->name[0])
    return node->name;
  return node->n_output > 0 ? node->output[0] : "";
}

bool onnx_fail(OnnxImport *c, const char *format, ...) {
  if (c->error->code != LUNA_ERROR_NONE)
    return false;
  char text[400];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  for (char *at = text; *at; ++at)
    if ((unsigned char)*at < ' ')
      *at = ' ';
  if (!c->node)
    return luna_error_set(c->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM, "%s",
                          text);
  return luna_error_set(c->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "node '%.60s' (%.40s): %s", node_name(c->node),
                        c->node->op_type ? c->node->op_type : "", text);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

const Onnx__AttributeProto *onnx_attr(const OnnxNode *n, const char *name) {
  for (size_t i = 0; i < n->proto->n_attribute; ++i) {
    const Onnx__AttributeProto *attr = n->proto->attribute[i];
    if (attr->name && strcmp(attr->name, name) == 0)
      return attr;
  }
  return NULL;
}

int64_t onnx_attr_int(const OnnxNode *n, const char *name, int64_t absent) {
  const Onnx__AttributeProto *attr = onnx_attr(n, name);
  return attr && attr->has_i ? attr->i : absent;
}

double onnx_attr_float(const OnnxNode *n, const char *name, double absent) {
  const Onnx__AttributeProto *attr = onnx_attr(n, name);
  return attr && attr->has_f ? (double)attr->f : absent;
}

bool onnx_attr_is(const OnnxNode *n, const char *name, const char *absent,
                  const char *text) {
  const Onnx__AttributeProto *attr = onnx_attr(n, name);
  if (!attr || !attr->has_s)
    return strcmp(absent, text) == 0;
  return attr->s.len == strlen(text) &&
         (attr->s.len == 0 || memcmp(attr->s.data, text, attr->s.len) == 0);
}

int onnx_attr_ints(OnnxImport *c, const OnnxNode *n, const char *name,
                   int64_t *list, int max) {
  const Onnx__AttributeProto *attr = onnx_attr(n, name);
  if (!attr)
    return -1;
  if (attr->n_ints > (size_t)max) {
    onnx_fail(c, "attribute '%s' has %zu entries, at most %d are possible",
              name, attr->n_ints, max);
    return -2;
  }
  for (size_t i = 0; i < attr->n_ints; ++i)
    list[i] = attr->ints[i];
  return (int)attr->n_ints;
}

//===----------------------------------------------------------------------===//
// One import
//===----------------------------------------------------------------------===//

static bool load_dialects(OnnxImport *c) {
  static const char *const names[] = {"arith", "func", "linalg", "luna",
                                      "math",  "scf",  "tensor", "tosa"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    MlirDialect dialect = mlirContextGetOrLoadDialect(
        c->context, mlirStringRefCreateFromCString(names[i]));
    if (mlirDialectIsNull(dialect))
      return luna_error_set(c->error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                            "dialect '%s' is not registered", names[i]);
  }
  return true;
}

static bool check_opset(OnnxImport *c) {
  for (size_t i = 0; i < c->model->n_opset_import; ++i) {
    const Onnx__OperatorSetIdProto *set = c->model->opset_import[i];
    if (!set->domain || !set->domain[0] || strcmp(set->domain, "ai.onnx") == 0)
      c->opset = set->version;
  }
  if (c->opset == 0)
    c->opset = 11;
  if (c->opset < 6 || c->opset > 20)
    return onnx_fail(c, "model has opset %lld, opsets 6 to 20 can be read",
                     (long long)c->opset);
  return true;
}

static bool import_model(OnnxImport *c, MlirModule *module) {
  if (!c->model->graph)
    return onnx_fail(c, "file holds no graph: it is no ONNX model");
  if (c->model->n_functions > 0)
    return onnx_fail(c,
                     "model defines %zu functions of its own, which are "
                     "not supported",
                     c->model->n_functions);
  return load_dialects(c) && check_opset(c) && onnx_read_main(c, module);
}

bool luna_import_onnx(MlirContext context, const void *bytes, size_t size,
                      const LunaImportOptions *options, MlirModule *out,
                      LunaError *error) {
  static const LunaImportOptions no_options;
  LunaArena arena = {0};
  LunaError scratch;
  OnnxImport c = {
      .context = context,
      .arena = &arena,
      .error = error ? error : &scratch,
      .options = options ? options : &no_options,
      .made_limit = (INT64_C(1) << 26) + 16 * (int64_t)size,
  };
  *c.error = (LunaError){.code = LUNA_ERROR_NONE, .item = LUNA_ERROR_NO_ITEM};
  Onnx__ModelProto *model = onnx_decode(&c, bytes, size);
  c.model = model;
  bool ok = model && import_model(&c, out);
  onnx_model_free(model);
  luna_arena_destroy(&arena);
  return ok;
}
