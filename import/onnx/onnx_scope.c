// Scopes: names of a graph and what they stand for; blocks that are not kept.

#include "onnx.h"

#include "luna/map.h"
#include "luna/vector.h"

struct LunaOnnxScope {
  LunaOnnxScope *outer;
  LunaMap names;
  LUNA_VECTOR(LunaOnnxValue *) values; // by index in `names`
};

LunaOnnxValue *luna_onnx_find_value(const LunaOnnxImport *c, const char *name) {
  for (const LunaOnnxScope *scope = c->scope; scope; scope = scope->outer) {
    uint32_t index = luna_map_find(&scope->names, luna_map_text(name));
    if (index != LUNA_MAP_ABSENT)
      return scope->values.items[index];
  }
  return NULL;
}

LunaOnnxValue *luna_onnx_lookup(LunaOnnxImport *c, const char *name) {
  LunaOnnxValue *value = luna_onnx_find_value(c, name);
  if (!value)
    luna_onnx_fail(c, "'%s' has no value: no node here computes it", name);
  return value;
}

bool luna_onnx_define(LunaOnnxImport *c, const char *name,
                      LunaOnnxValue *value) {
  LunaOnnxScope *scope = c->scope;
  uint32_t index = luna_map_add(&scope->names, c->arena, luna_map_text(name));
  if (index < scope->values.count)
    return luna_onnx_fail(c, "'%s' is defined twice", name);
  *LUNA_VECTOR_ADD(c->arena, &scope->values) = value;
  return true;
}

void luna_onnx_open_scope(LunaOnnxImport *c) {
  LunaOnnxScope *scope = LUNA_ARENA_ARRAY(c->arena, LunaOnnxScope, 1);
  scope->outer = c->scope;
  c->scope = scope;
}

void luna_onnx_close_scope(LunaOnnxImport *c) { c->scope = c->scope->outer; }

void luna_onnx_destroy_abandoned(LunaOnnxImport *c) {
  for (uint64_t i = 0; i < c->abandoned.count; ++i)
    mlirBlockDestroy(c->abandoned.items[i]);
  c->abandoned.count = 0;
}

void luna_onnx_destroy_block(LunaOnnxImport *c, MlirBlock block) {
  luna_onnx_destroy_abandoned(c);
  mlirBlockDestroy(block);
}
