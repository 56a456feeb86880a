// Faults in the attributes of operators: numbers, lists, flags, names.

#include <stdlib.h>
#include <string.h>

#include "luna/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mutation_search.h"

enum { LIST_MAX = 16, NUMBERS_MAX = 8 };

typedef LunaMutationSearch Search;

static bool has_attributes(MlirOperation op) {
  return luna_op_is_unit(op) || luna_op_is(op, LUNA_OP_LINALG_GENERIC);
}

// What is not data of the operator: the checker has rows of its own for these.
static bool is_other_kind(MlirNamedAttribute entry) {
  MlirStringRef name = mlirIdentifierStr(entry.name);
  static const char *const names[] = {"operandSegmentSizes", "tiling", "params",
                                      "luna.place"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    if (mlirStringRefEqual(name, luna_str(names[i])))
      return true;
  return false;
}

// Sets an attribute by the name of an entry.
static void set(Search *search, MlirOperation op, MlirNamedAttribute entry,
                MlirAttribute value) {
  MlirStringRef name = mlirIdentifierStr(entry.name);
  luna_set_attr(op, luna_arena_strndup(search->arena, name.data, name.length),
                value);
}

static void alter_number(Search *search, MlirOperation op) {
  for (intptr_t i = 0;
       has_attributes(op) && i < mlirOperationGetNumAttributes(op); ++i) {
    MlirNamedAttribute entry = mlirOperationGetAttribute(op, i);
    if (!mlirAttributeIsAInteger(entry.attribute) || is_other_kind(entry))
      continue;
    for (int change = -1; change <= 1; change += 2)
      if (luna_mutation_take(search, op)) {
        set(search, op, entry,
            mlirIntegerAttrGet(mlirAttributeGetType(entry.attribute),
                               mlirIntegerAttrGetValueInt(entry.attribute) +
                                   change));
        return;
      }
  }
}

static void alter_list(Search *search, MlirOperation op) {
  for (intptr_t i = 0;
       has_attributes(op) && i < mlirOperationGetNumAttributes(op); ++i) {
    MlirNamedAttribute entry = mlirOperationGetAttribute(op, i);
    int64_t values[LIST_MAX];
    if (!mlirAttributeIsADenseI64Array(entry.attribute) || is_other_kind(entry))
      continue;
    intptr_t count = mlirDenseArrayGetNumElements(entry.attribute);
    for (intptr_t k = 0; k < 2 * count && count <= LIST_MAX; ++k)
      if (luna_mutation_take(search, op)) {
        for (intptr_t n = 0; n < count; ++n)
          values[n] = mlirDenseI64ArrayGetElement(entry.attribute, n);
        values[k / 2] += k % 2 ? 1 : -1;
        set(search, op, entry,
            mlirDenseI64ArrayGet(mlirOperationGetContext(op), count, values));
        return;
      }
  }
}

static void toggle_flag(Search *search, MlirOperation op) {
  for (intptr_t i = 0;
       has_attributes(op) && i < mlirOperationGetNumAttributes(op); ++i) {
    MlirNamedAttribute entry = mlirOperationGetAttribute(op, i);
    if ((mlirAttributeIsAUnit(entry.attribute) ||
         mlirAttributeIsABool(entry.attribute)) &&
        luna_mutation_take(search, op)) {
      mlirOperationRemoveAttributeByName(op, mlirIdentifierStr(entry.name));
      return;
    }
  }
}

//===----------------------------------------------------------------------===//
// Attributes of the dialect, as text
//===----------------------------------------------------------------------===//

static void append(MlirStringRef text, void *data) {
  luna_text_append(data, text.data, text.length);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The start of number `index` of a text after its first '<'; -1 if none.
static intptr_t find_number(const char *text, intptr_t index) {
  const char *at = strchr(text, '<');
  for (intptr_t seen = 0; at != NULL && *at; ++at)
    if (is_digit(*at) && !is_digit(at[-1]) && strchr(" <,-[", at[-1]) &&
        seen++ == index)
      return at - text;
  return -1;
}

// The attribute with its number at `at` of the text one larger, or null.
static MlirAttribute with_number(MlirContext context, LunaArena *arena,
                                 const char *text, intptr_t at) {
  char *end = NULL;
  long long number = strtoll(text + at, &end, 10);
  return mlirAttributeParseGet(
      context, luna_str(luna_arena_printf(arena, "%.*s%lld%s", (int)at, text,
                                          number + 1, end)));
}

static bool offer_numbers(Search *search, MlirOperation op,
                          MlirNamedAttribute entry, const char *text) {
  for (intptr_t k = 0; k < NUMBERS_MAX; ++k) {
    intptr_t at = find_number(text, k);
    if (at < 0 || !luna_mutation_take(search, op))
      continue;
    MlirAttribute value =
        with_number(mlirOperationGetContext(op), search->arena, text, at);
    if (!mlirAttributeIsNull(value))
      set(search, op, entry, value);
    return true;
  }
  return false;
}

static void alter_requant(Search *search, MlirOperation op) {
  bool is_done = false;
  for (intptr_t i = 0;
       !is_done && luna_op_is_unit(op) && i < mlirOperationGetNumAttributes(op);
       ++i) {
    MlirNamedAttribute entry = mlirOperationGetAttribute(op, i);
    LunaText text = {0};
    mlirAttributePrint(entry.attribute, append, &text);
    if (text.length > 0 && strncmp(text.data, "#luna.", 6) == 0 &&
        !is_other_kind(entry))
      is_done = offer_numbers(
          search, op, entry,
          luna_arena_strndup(search->arena, text.data, text.length));
    luna_text_deinit(&text);
  }
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

// The same operands and attributes under another name.
static void rename_operator(Search *search, MlirOperation op) {
  static const char *const pairs[][2] = {
      {"luna.max_pool2d", "luna.avg_pool2d"},
      {"luna.avg_pool2d", "luna.max_pool2d"},
      {"luna.add", "luna.sub"},
      {"luna.sub", "luna.add"},
      {"luna.mul", "luna.add"},
      {"luna.maximum", "luna.minimum"},
      {"luna.minimum", "luna.maximum"},
      {"luna.conv2d", "luna.depthwise_conv2d"},
  };
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
    if (!mlirStringRefEqual(name, luna_str(pairs[i][0])) ||
        !luna_mutation_take(search, op))
      continue;
    intptr_t count = mlirOperationGetNumOperands(op);
    intptr_t entry_count = mlirOperationGetNumAttributes(op);
    MlirValue *operands = LUNA_ARENA_ARRAY(search->arena, MlirValue, count);
    MlirNamedAttribute *entries =
        LUNA_ARENA_ARRAY(search->arena, MlirNamedAttribute, entry_count);
    for (intptr_t k = 0; k < count; ++k)
      operands[k] = mlirOperationGetOperand(op, k);
    for (intptr_t k = 0; k < entry_count; ++k)
      entries[k] = mlirOperationGetAttribute(op, k);
    luna_build_before(op, &(LunaOpSpec){.name = pairs[i][1],
                                        .operands = operands,
                                        .operand_count = count,
                                        .attributes = entries,
                                        .attribute_count = entry_count});
    mlirOperationDestroy(op);
    return;
  }
}

// Two of the maps of a linalg.generic.
static void exchange_maps(Search *search, MlirOperation op) {
  if (!luna_op_is(op, LUNA_OP_LINALG_GENERIC))
    return;
  MlirAttribute maps = luna_attr(op, "indexing_maps"), all[LIST_MAX];
  intptr_t count = mlirArrayAttrGetNumElements(maps);
  for (intptr_t i = 0; i + 1 < count && count <= LIST_MAX; ++i) {
    if (mlirAttributeEqual(mlirArrayAttrGetElement(maps, i),
                           mlirArrayAttrGetElement(maps, i + 1)) ||
        !luna_mutation_take(search, op))
      continue;
    for (intptr_t k = 0; k < count; ++k)
      all[k] = mlirArrayAttrGetElement(maps, k == i       ? i + 1
                                             : k == i + 1 ? i
                                                          : k);
    luna_set_attr(op, "indexing_maps",
                  mlirArrayAttrGet(mlirOperationGetContext(op), count, all));
    return;
  }
}

static const LunaMutation rows[] = {
    {.name = "number-altered", .visit = alter_number},
    {.name = "list-altered", .visit = alter_list},
    {.name = "flag-removed", .visit = toggle_flag},
    {.name = "requant-altered", .visit = alter_requant},
    {.name = "operator-renamed", .visit = rename_operator},
    {.name = "maps-exchanged", .visit = exchange_maps},
};

const LunaMutationTable luna_mutations_of_attributes = {
    rows, sizeof rows / sizeof rows[0]};
