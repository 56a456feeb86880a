// Scopes: names of a graph and what they stand for.

#include "onnx.h"

#include "luna/map.h"

typedef struct Entry {
  LunaOnnxValue *value;
  int uses;
} Entry;

struct LunaOnnxScope {
  LunaOnnxScope *outer;
  LunaMap names;
  LUNA_VECTOR(Entry) entries; // by index in `names`
};

static Entry *find_entry(const LunaOnnxScope *scope, const char *name) {
  uint32_t index = luna_map_find(&scope->names, luna_map_text(name));
  return index == LUNA_MAP_ABSENT ? NULL : &scope->entries.items[index];
}

static Entry *add_entry(LunaOnnxImport *c, const char *name) {
  LunaOnnxScope *scope = c->scope;
  uint32_t index = luna_map_add(&scope->names, c->arena, luna_map_text(name));
  return index == scope->entries.count
             ? LUNA_VECTOR_ADD(c->arena, &scope->entries)
             : &scope->entries.items[index];
}

// The innermost entry that has a value: graphs also count uses of names that
// only an outer graph defines.
static Entry *find_visible(const LunaOnnxImport *c, const char *name) {
  for (const LunaOnnxScope *scope = c->scope; scope; scope = scope->outer) {
    Entry *entry = find_entry(scope, name);
    if (entry && entry->value)
      return entry;
  }
  return NULL;
}

LunaOnnxValue *luna_onnx_lookup(LunaOnnxImport *c, const char *name) {
  Entry *entry = find_visible(c, name);
  if (!entry) {
    luna_onnx_fail(c, "'%s' is used before any node computes it", name);
    return NULL;
  }
  return entry->value;
}

bool luna_onnx_define(LunaOnnxImport *c, const char *name,
                      LunaOnnxValue *value) {
  Entry *entry = add_entry(c, name);
  if (entry->value)
    return luna_onnx_fail(c, "'%s' is defined twice", name);
  entry->value = value;
  return true;
}

int luna_onnx_use_count(LunaOnnxImport *c, const char *name) {
  Entry *entry = find_visible(c, name);
  return entry ? entry->uses : 0;
}

LunaOnnxValue *luna_onnx_find_value(LunaOnnxImport *c, const char *name) {
  Entry *entry = find_visible(c, name);
  return entry ? entry->value : NULL;
}

// Counts the uses in a graph and its subgraphs, by name alone.
static void count_uses(LunaOnnxImport *c, const Onnx__GraphProto *graph) {
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

void luna_onnx_open_scope(LunaOnnxImport *c, const Onnx__GraphProto *graph) {
  LunaOnnxScope *scope = LUNA_ARENA_ARRAY(c->arena, LunaOnnxScope, 1);
  scope->outer = c->scope;
  c->scope = scope;
  count_uses(c, graph);
}

void luna_onnx_close_scope(LunaOnnxImport *c) { c->scope = c->scope->outer; }
