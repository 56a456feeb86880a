// Scopes: names of a graph and what they stand for.

#include "onnx.h"

#include "luna/map.h"

typedef struct Entry {
  OnnxValue *value;
  int uses;
} Entry;

struct OnnxScope {
  OnnxScope *outer;
  LunaMap names;
  LUNA_VECTOR(Entry) entries; // by index in `names`
};

static Entry *find_entry(const OnnxScope *scope, const char *name) {
  uint32_t index = luna_map_find(&scope->names, luna_map_text(name));
  return index == LUNA_MAP_ABSENT ? NULL : &scope->entries.items[index];
}

static Entry *add_entry(OnnxImport *c, const char *name) {
  OnnxScope *scope = c->scope;
  uint32_t index = luna_map_add(&scope->names, c->arena, luna_map_text(name));
  return index == scope->entries.count
             ? LUNA_VECTOR_ADD(c->arena, &scope->entries)
             : &scope->entries.items[index];
}

// The innermost entry that has a value: graphs also count uses of names that
// only an outer graph defines.
static Entry *find_visible(const OnnxImport *c, const char *name) {
  for (const OnnxScope *scope = c->scope; scope; scope = scope->outer) {
    Entry *entry = find_entry(scope, name);
    if (entry && entry->value)
      return entry;
  }
  return NULL;
}

OnnxValue *onnx_lookup(OnnxImport *c, const char *name) {
  Entry *entry = find_visible(c, name);
  if (!entry) {
    onnx_fail(c, "'%s' is used before any node computes it", name);
    return NULL;
  }
  return entry->value;
}

bool onnx_define(OnnxImport *c, const char *name, OnnxValue *value) {
  Entry *entry = add_entry(c, name);
  if (entry->value)
    return onnx_fail(c, "'%s' is defined twice", name);
  entry->value = value;
  return true;
}

int onnx_use_count(OnnxImport *c, const char *name) {
  Entry *entry = find_visible(c, name);
  return entry ? entry->uses : 0;
}

OnnxValue *onnx_find_value(OnnxImport *c, const char *name) {
  Entry *entry = find_visible(c, name);
  return entry ? entry->value : NULL;
}

// Counts the uses in a graph and its subgraphs, by name alone.
static void count_uses(OnnxImport *c, const Onnx__GraphProto *graph) {
  for (size_t i = 0; i < graph->n_output; ++i)
    if (graph->output[i]->name)
      ++add_entry(c, graph->output[i]->name)->uses;
  for (size_t i = 0; i < graph->n_node; ++i) {
    const Onnx__NodeProto *node = graph->node[i];
    for (size_t k = 0; k < node->n_input; ++k)
      ++add_entry(c, node->input[k])->uses;
    for (size_t k = 0; k < node->n_attribute; ++k)
      if (node->attribute[k]->g)
        count_uses(c, node->attribute[k]->g);
  }
}

void onnx_open_scope(OnnxImport *c, const Onnx__GraphProto *graph) {
  OnnxScope *scope = LUNA_ARENA_ARRAY(c->arena, OnnxScope, 1);
  scope->outer = c->scope;
  c->scope = scope;
  count_uses(c, graph);
}

void onnx_close_scope(OnnxImport *c) { c->scope = c->scope->outer; }
