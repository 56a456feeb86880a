// What is not known of shapes: as attributes of operators and of the function.

#include "shape_open.h"

#include <string.h>

#include "luna-c/ir.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structure.h"

typedef struct Describer {
  LunaShapeReader *reader;
  MlirOperation func;
  const bool *is_open; // by value
  bool has_open;       // one is described, or an argument is open
} Describer;

bool luna_shape_is_flow(MlirOperation op) {
  return luna_is_control_flow(op) ||
         LUNA_OP_IS_ANY(op, LUNA_OP_TOSA_COND_IF, LUNA_OP_TOSA_WHILE_LOOP);
}

static void print_shape(LunaShapeGraph *graph, uint32_t v, LunaText *text) {
  uint32_t rank = luna_shape_rank(graph, v);
  luna_text_printf(text, rank == LUNA_SHAPE_UNRANKED ? "*" : "");
  for (uint32_t d = 0; rank != LUNA_SHAPE_UNRANKED && d < rank; ++d) {
    luna_text_printf(text, d > 0 ? ", " : "");
    luna_expr_print(&graph->facts.exprs, luna_shape_dim(graph, v, d), text);
  }
}

bool luna_shape_is_open(MlirType type) {
  return mlirTypeIsATensor(type) &&
         (!mlirShapedTypeHasRank(type) || !mlirShapedTypeHasStaticShape(type));
}

// Returns true if a result stays open.
static bool describe(Describer *d, MlirOperation op, LunaShapeClass found) {
  LunaShapeReader *reader = d->reader;
  MlirContext context = mlirOperationGetContext(op);
  intptr_t count = mlirOperationGetNumResults(op), open = 0;
  MlirAttribute *shapes = LUNA_ARENA_ARRAY(reader->arena, MlirAttribute, count);
  for (intptr_t i = 0; i < count; ++i) {
    LunaText text = {0};
    uint32_t id = luna_shape_id(reader, mlirOperationGetResult(op, i));
    open += d->is_open[id];
    print_shape(&reader->graph, id, &text);
    shapes[i] = luna_string_attr(context, text.data ? text.data : "");
    luna_text_deinit(&text);
  }
  mlirOperationRemoveDiscardableAttributeByName(op, luna_str("luna.shape"));
  mlirOperationRemoveDiscardableAttributeByName(op, luna_str("luna.class"));
  if (open == 0)
    return false;
  luna_set_attr(op, "luna.shape", mlirArrayAttrGet(context, count, shapes));
  luna_set_string(op, "luna.class", luna_shape_class_name(found));
  return true;
}

typedef struct Texts {
  LUNA_VECTOR(MlirAttribute);
} Texts;

static void add_text(Describer *d, Texts *texts, LunaText *text) {
  MlirContext context = mlirOperationGetContext(d->func);
  *LUNA_VECTOR_ADD(d->reader->arena, texts) =
      luna_string_attr(context, text->data);
  luna_text_deinit(text);
}

// What is known of a symbol beyond that it is an extent.
static void add_symbol(Describer *d, Texts *texts, LunaSymbol symbol) {
  LunaText text = {0};
  bool has_max = symbol.range.max != INT64_MAX;
  if (!symbol.name || symbol.value != LUNA_EXPR_NONE ||
      (symbol.range.min <= 1 && !has_max && symbol.modulus == 1) ||
      symbol.range.min == symbol.range.max)
    return;
  luna_text_printf(&text, "%s", symbol.name);
  if (symbol.range.min > 1 || has_max)
    luna_text_printf(&text, " >= %lld", (long long)symbol.range.min);
  if (has_max)
    luna_text_printf(&text, ", <= %lld", (long long)symbol.range.max);
  if (symbol.modulus > 1)
    luna_text_printf(&text, "%s mod %lld == %lld",
                     text.length > strlen(symbol.name) ? "," : "",
                     (long long)symbol.modulus, (long long)symbol.residue);
  add_text(d, texts, &text);
}

// Bounds of the open sizes, and what must hold of those of the function.
static void describe_function(Describer *d) {
  LunaFacts *facts = &d->reader->graph.facts;
  MlirContext context = mlirOperationGetContext(d->func);
  Texts texts = {0};
  for (uint32_t i = 0; i < facts->exprs.symbols.count; ++i)
    add_symbol(d, &texts, facts->exprs.symbols.items[i]);
  for (uint32_t i = 0; i < facts->constraints.count; ++i) {
    LunaText text = {0};
    if (!luna_constraint_is_open(facts, &facts->constraints.items[i]))
      continue;
    luna_constraint_print(facts, &facts->constraints.items[i], &text);
    add_text(d, &texts, &text);
  }
  mlirOperationRemoveDiscardableAttributeByName(d->func,
                                                luna_str("luna.sizes"));
  if (d->has_open && texts.count > 0)
    luna_set_attr(
        d->func, "luna.sizes",
        mlirArrayAttrGet(context, (intptr_t)texts.count, texts.items));
}

static bool describe_flow(MlirOperation op, void *data) {
  Describer *d = data;
  if (luna_shape_is_flow(op) && mlirOperationGetNumResults(op) > 0 &&
      luna_shape_id(d->reader, mlirOperationGetResult(op, 0)) !=
          LUNA_MAP_ABSENT)
    d->has_open |= describe(d, op, LUNA_EDO);
  return true;
}

void luna_shape_describe(LunaShapeReader *reader, MlirOperation func,
                         const bool *is_open) {
  Describer describer = {.reader = reader, .func = func, .is_open = is_open};
  Describer *d = &describer;
  luna_shape_name_symbols(&reader->graph);
  for (uint32_t i = 0; i < reader->ops.count; ++i)
    if (reader->ops.items[i].ptr)
      d->has_open |= describe(d, reader->ops.items[i],
                              luna_shape_class_of(&reader->graph, i));
  luna_walk(d->func, describe_flow, d);
  MlirBlock entry = luna_body(d->func, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i)
    d->has_open |=
        luna_shape_is_open(mlirValueGetType(mlirBlockGetArgument(entry, i)));
  describe_function(d);
}
