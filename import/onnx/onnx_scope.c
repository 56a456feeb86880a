// Scopes: names of a graph and what they stand for.

#include "onnx.h"

#include <string.h>

typedef struct Entry {
  const char *name;
  OnnxValue *value;
  int uses;
  // The last node that uses it, NULL for one of a subgraph.
  const Onnx__NodeProto *user;
} Entry;

// An open-addressing table that is never more than half full.
struct OnnxScope {
  OnnxScope *outer;
  Entry *entries;
  uint64_t capacity, count;
};

static uint64_t hash(const char *text) {
  uint64_t value = UINT64_C(0xcbf29ce484222325);
  for (; *text; ++text)
    value = (value ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return value ^ (value >> 32);
}

static Entry *find_entry(const OnnxScope *scope, const char *name) {
  for (uint64_t i = hash(name);; ++i) {
    Entry *entry = &scope->entries[i & (scope->capacity - 1)];
    if (!entry->name || strcmp(entry->name, name) == 0)
      return entry;
  }
}

static void grow(OnnxImport *c, OnnxScope *scope) {
  OnnxScope bigger = {.capacity = scope->capacity ? 2 * scope->capacity : 64};
  bigger.entries = LUNA_ARENA_ARRAY(c->arena, Entry, bigger.capacity);
  for (uint64_t i = 0; i < scope->capacity; ++i)
    if (scope->entries[i].name)
      *find_entry(&bigger, scope->entries[i].name) = scope->entries[i];
  scope->entries = bigger.entries;
  scope->capacity = bigger.capacity;
}

static Entry *add_entry(OnnxImport *c, const char *name) {
  OnnxScope *scope = c->scope;
  if (2 * (scope->count + 1) > scope->capacity)
    grow(c, scope);
  Entry *entry = find_entry(scope, name);
  if (!entry->name)
    ++scope->count;
  entry->name = name;
  return entry;
}

// The innermost entry that has a value: graphs also count uses of names that
// only an outer graph defines.
static Entry *find_visible(const OnnxImport *c, const char *name) {
  for (const OnnxScope *scope = c->scope; scope; scope = scope->outer) {
    Entry *entry = scope->capacity > 0 ? find_entry(scope, name) : NULL;
    if (entry && entry->name && entry->value)
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

const Onnx__NodeProto *onnx_sole_user(OnnxImport *c, const char *name) {
  const OnnxScope *scope = c->scope;
  const Entry *entry = scope->capacity > 0 ? find_entry(scope, name) : NULL;
  return entry && entry->uses == 1 ? entry->user : NULL;
}

// Counts the uses in a graph and its subgraphs, by name alone.
static void count_uses(OnnxImport *c, const Onnx__GraphProto *graph,
                       bool is_outer) {
  for (size_t i = 0; i < graph->n_output; ++i)
    if (graph->output[i]->name)
      ++add_entry(c, graph->output[i]->name)->uses;
  for (size_t i = 0; i < graph->n_node; ++i) {
    const Onnx__NodeProto *node = graph->node[i];
    for (size_t k = 0; k < node->n_input; ++k) {
      Entry *entry = add_entry(c, node->input[k]);
      ++entry->uses;
      entry->user = is_outer ? node : NULL;
    }
    for (size_t k = 0; k < node->n_attribute; ++k)
      if (node->attribute[k]->g)
        count_uses(c, node->attribute[k]->g, false);
  }
}

void onnx_open_scope(OnnxImport *c, const Onnx__GraphProto *graph) {
  OnnxScope *scope = LUNA_ARENA_ARRAY(c->arena, OnnxScope, 1);
  scope->outer = c->scope;
  c->scope = scope;
  count_uses(c, graph, true);
}

void onnx_close_scope(OnnxImport *c) { c->scope = c->scope->outer; }
