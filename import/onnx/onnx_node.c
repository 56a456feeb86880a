// Nodes: errors that name them, their attributes, and their rows in the tables.

#include "onnx.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

const char *luna_onnx_node_name(const Onnx__NodeProto *node) {
  if (node->name && node->name[0])
    return node->name;
  return node->n_output > 0 ? node->output[0] : "";
}

bool luna_onnx_fail(LunaOnnxImport *c, const char *format, ...) {
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
                        "node '%.60s' (%.40s): %s",
                        luna_onnx_node_name(c->node),
                        c->node->op_type ? c->node->op_type : "", text);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

const Onnx__AttributeProto *luna_onnx_attr(const LunaOnnxNode *n,
                                           const char *name) {
  for (size_t i = 0; i < n->proto->n_attribute; ++i) {
    const Onnx__AttributeProto *attr = n->proto->attribute[i];
    if (attr->name && strcmp(attr->name, name) == 0)
      return attr;
  }
  return NULL;
}

int64_t luna_onnx_attr_int(const LunaOnnxNode *n, const char *name,
                           int64_t absent) {
  const Onnx__AttributeProto *attr = luna_onnx_attr(n, name);
  return attr && attr->has_i ? attr->i : absent;
}

double luna_onnx_attr_float(const LunaOnnxNode *n, const char *name,
                            double absent) {
  const Onnx__AttributeProto *attr = luna_onnx_attr(n, name);
  return attr && attr->has_f ? (double)attr->f : absent;
}

bool luna_onnx_attr_is(const LunaOnnxNode *n, const char *name,
                       const char *absent, const char *text) {
  const Onnx__AttributeProto *attr = luna_onnx_attr(n, name);
  if (!attr || !attr->has_s)
    return strcmp(absent, text) == 0;
  return attr->s.len == strlen(text) &&
         (attr->s.len == 0 || memcmp(attr->s.data, text, attr->s.len) == 0);
}

int luna_onnx_attr_ints(LunaOnnxImport *c, const LunaOnnxNode *n,
                        const char *name, int64_t *list, int max) {
  const Onnx__AttributeProto *attr = luna_onnx_attr(n, name);
  if (!attr)
    return -1;
  if (attr->n_ints > (size_t)max) {
    luna_onnx_fail(c, "attribute '%s' has %zu entries, at most %d are possible",
                   name, attr->n_ints, max);
    return -2;
  }
  for (size_t i = 0; i < attr->n_ints; ++i)
    list[i] = attr->ints[i];
  return (int)attr->n_ints;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

// The name of the row for an operator that a file calls `name`.
static const char *row_name(const LunaOnnxTable *table, const char *name) {
  for (size_t i = 0; i < table->alias_count; ++i)
    if (strcmp(table->aliases[i].name, name) == 0)
      return table->aliases[i].means;
  return name;
}

static const LunaOnnxOp *find_row(const LunaOnnxTable *table,
                                  const char *name) {
  const char *row = row_name(table, name);
  for (size_t i = 0; i < table->row_count; ++i)
    if (strcmp(table->rows[i].name, row) == 0)
      return &table->rows[i];
  return NULL;
}

const LunaOnnxOp *luna_onnx_find_op(const LunaOnnxImport *c, const char *domain,
                                    const char *name) {
  if (strcmp(domain, "ai.onnx") == 0)
    domain = "";
  const LunaOnnxOp *op = NULL;
  for (size_t i = 0; i < c->domain_count && !op; ++i)
    if (strcmp(c->domains[i].name, domain) == 0)
      op = find_row(c->domains[i].table, name);
  return op;
}
