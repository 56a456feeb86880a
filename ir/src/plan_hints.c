#include "luna-c/plan_hints.h"

#include <string.h>

#include "luna-c/ir.h"
#include "mlir-c/BuiltinAttributes.h"

enum { KEPT_COUNT = 2, DIGEST_BYTES = sizeof(LunaDigest) };

static const char *const groups[KEPT_COUNT] = {
    [LUNA_PLAN_EXACT] = "exact",
    [LUNA_PLAN_BEST] = "best",
};

//===- Digests as names ---------------------------------------------------===//

static const char *name_of(const LunaDigest *digest, LunaArena *arena) {
  static const char digits[] = "0123456789abcdef";
  char *name = LUNA_ARENA_ARRAY(arena, char, 2 * DIGEST_BYTES + 1);
  for (int i = 0; i < DIGEST_BYTES; ++i) {
    name[2 * i] = digits[digest->bytes[i] >> 4];
    name[2 * i + 1] = digits[digest->bytes[i] & 15];
  }
  name[2 * DIGEST_BYTES] = 0;
  return name;
}

static int value_of_digit(char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static bool read_name(MlirStringRef name, LunaDigest *digest) {
  if (name.length != 2 * DIGEST_BYTES)
    return false;
  for (int i = 0; i < DIGEST_BYTES; ++i) {
    int high = value_of_digit(name.data[2 * i]);
    int low = value_of_digit(name.data[2 * i + 1]);
    if (high < 0 || low < 0)
      return false;
    digest->bytes[i] = (uint8_t)(high << 4 | low);
  }
  return true;
}

//===- The attribute ------------------------------------------------------===//

static bool read_plan(MlirAttribute array, LunaArena *arena,
                      LunaPlanBytes *plan) {
  if (!mlirAttributeIsADenseI8Array(array))
    return false;
  intptr_t count = mlirDenseArrayGetNumElements(array);
  uint8_t *bytes = LUNA_ARENA_ARRAY(arena, uint8_t, (uint64_t)count);
  for (intptr_t i = 0; i < count; ++i)
    bytes[i] = (uint8_t)mlirDenseI8ArrayGetElement(array, i);
  *plan = (LunaPlanBytes){bytes, (uint64_t)count};
  return true;
}

static bool read_group(MlirAttribute group, LunaPlanKept kept,
                       LunaPlanHints *hints) {
  if (!mlirAttributeIsADictionary(group))
    return false;
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(group); ++i) {
    MlirNamedAttribute named = mlirDictionaryAttrGetElement(group, i);
    LunaPlanHint hint = {.kept = kept};
    if (!read_name(mlirIdentifierStr(named.name), &hint.key) ||
        !read_plan(named.attribute, hints->arena, &hint.plan))
      return false;
    *LUNA_VECTOR_ADD(hints->arena, &hints->items) = hint;
  }
  return true;
}

static bool read_entry(MlirNamedAttribute entry, LunaPlanHints *hints) {
  MlirStringRef name = mlirIdentifierStr(entry.name);
  if (mlirStringRefEqual(name, luna_str("trusted"))) {
    hints->is_trusted = mlirAttributeIsAUnit(entry.attribute);
    return hints->is_trusted;
  }
  for (int kept = 0; kept < KEPT_COUNT; ++kept) {
    if (!mlirStringRefEqual(name, luna_str(groups[kept])))
      continue;
    hints->takes_best |= kept == LUNA_PLAN_BEST;
    return read_group(entry.attribute, (LunaPlanKept)kept, hints);
  }
  return false;
}

static bool read_hints(MlirAttribute all, LunaPlanHints *hints) {
  if (!mlirAttributeIsADictionary(all))
    return false;
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(all); ++i)
    if (!read_entry(mlirDictionaryAttrGetElement(all, i), hints))
      return false;
  return true;
}

bool luna_plan_hints_read(MlirOperation func, LunaArena *arena,
                          LunaPlanHints *hints, LunaError *error) {
  MlirAttribute all = luna_attr(func, LUNA_PLAN_HINTS);
  *hints = (LunaPlanHints){.arena = arena};
  if (mlirAttributeIsNull(all))
    return false;
  return read_hints(all, hints) ||
         luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "attribute '" LUNA_PLAN_HINTS
                        "' needs dictionaries exact and best, of array<i8> by "
                        "32 hexadecimal digits, and the unit trusted");
}

static MlirAttribute write_plan(MlirContext context, const LunaPlanHint *hint) {
  return mlirDenseI8ArrayGet(context, (intptr_t)hint->plan.count,
                             (const int8_t *)hint->plan.items);
}

static MlirAttribute write_group(MlirContext context,
                                 const LunaPlanHints *hints,
                                 LunaPlanKept kept) {
  MlirNamedAttribute *members =
      LUNA_ARENA_ARRAY(hints->arena, MlirNamedAttribute, hints->items.count);
  intptr_t count = 0;
  for (uint64_t i = 0; i < hints->items.count; ++i) {
    const LunaPlanHint *hint = &hints->items.items[i];
    if (hint->kept == kept)
      members[count++] = luna_named(context, name_of(&hint->key, hints->arena),
                                    write_plan(context, hint));
  }
  return mlirDictionaryAttrGet(context, count, members);
}

void luna_plan_hints_write(MlirOperation func, const LunaPlanHints *hints) {
  MlirContext context = mlirOperationGetContext(func);
  MlirNamedAttribute members[KEPT_COUNT + 1];
  intptr_t count = 0;
  for (int kept = 0; kept < KEPT_COUNT; ++kept)
    if (kept == LUNA_PLAN_EXACT || hints->takes_best)
      members[count++] =
          luna_named(context, groups[kept],
                     write_group(context, hints, (LunaPlanKept)kept));
  if (hints->is_trusted)
    members[count++] = luna_named(context, "trusted", mlirUnitAttrGet(context));
  luna_set_attr(func, LUNA_PLAN_HINTS,
                mlirDictionaryAttrGet(context, count, members));
}

//===- The source ---------------------------------------------------------===//

LunaPlanHint *luna_plan_hints_find(const LunaPlanHints *hints,
                                   LunaPlanKept kept, LunaDigest key) {
  for (uint64_t i = 0; i < hints->items.count; ++i) {
    LunaPlanHint *hint = &hints->items.items[i];
    if (hint->kept == kept && memcmp(&hint->key, &key, sizeof key) == 0)
      return hint;
  }
  return NULL;
}

static bool find(void *data, LunaPlanKept kept, LunaPlanBytes key,
                 LunaArena *arena, LunaPlanBytes *plan, bool *is_trusted) {
  const LunaPlanHints *hints = data;
  const LunaPlanHint *hint =
      luna_plan_hints_find(hints, kept, luna_digest(key.items, key.count));
  (void)arena;
  if (!hint)
    return false;
  *plan = hint->plan;
  *is_trusted = hints->is_trusted;
  return true;
}

static void reject(void *data, LunaPlanKept kept, LunaPlanBytes key) {
  LunaPlanHints *hints = data;
  LunaPlanHint *hint =
      luna_plan_hints_find(hints, kept, luna_digest(key.items, key.count));
  *hint = hints->items.items[--hints->items.count];
  hints->is_changed = true;
}

static void keep(void *data, LunaPlanKept kept, LunaPlanBytes key,
                 LunaPlanBytes plan) {
  LunaPlanHints *hints = data;
  LunaDigest digest = luna_digest(key.items, key.count);
  LunaPlanHint *hint = luna_plan_hints_find(hints, kept, digest);
  uint8_t *copy = LUNA_ARENA_ARRAY(hints->arena, uint8_t, plan.count);
  if (plan.count > 0)
    memcpy(copy, plan.items, plan.count);
  if (!hint)
    hint = LUNA_VECTOR_ADD(hints->arena, &hints->items);
  *hint = (LunaPlanHint){kept, digest, {copy, plan.count}};
  hints->is_changed = true;
}

LunaPlanSource luna_plan_hints_source(LunaPlanHints *hints) {
  return (LunaPlanSource){.data = hints,
                          .find = find,
                          .reject = reject,
                          .keep = keep,
                          .takes_best = hints->takes_best};
}
