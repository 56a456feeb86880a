#include "kept_plans.h"

#include <string.h>

#include "luna-c/ir.h"
#include "luna-c/plan_hints.h"
#include "luna/content.h"
#include "luna/record_reader.h"
#include "shared_cache.h"

enum {
  KEY_FORMAT = 2,
  KEPT_COUNT = 2,
  // A function that has been planned in more ways than modes, versions and
  // strategies explain, by planners or transfers of other versions: what is
  // kept of it begins anew.
  PLANS_MAX = 64,
};

static LunaCacheKey key_of(const LunaText *record, LunaPlanKept kept) {
  static const char *const kinds[] = {
      [LUNA_PLAN_EXACT] = "plan",
      [LUNA_PLAN_BEST] = "bestplan",
  };
  return (LunaCacheKey){.kind = kinds[kept],
                        .record = record->data,
                        .record_bytes = record->length};
}

static bool takes_best(const LunacSession *session) {
  return strcmp(session->options->plan_cache, "best") == 0;
}

//===- The keys -----------------------------------------------------------===//

static void append_text(MlirStringRef text, void *data) {
  luna_text_append(data, text.data, text.length);
}

static const char *content_of(MlirOperation func, LunaArena *arena) {
  LunaText text = {0};
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsUseLocalScope(flags);
  mlirOpPrintingFlagsPrintGenericOpForm(flags);
  mlirOpPrintingFlagsAssumeVerified(flags);
  mlirOperationPrintWithFlags(func, flags, append_text, &text);
  mlirOpPrintingFlagsDestroy(flags);
  const char *content =
      luna_content_record(arena, "function", text.data, text.length);
  luna_text_deinit(&text);
  return content;
}

// Only what decides whether plans are found together: each has a key of its
// own, by which it is taken.
static void add_keys(const LunacSession *session, MlirOperation func,
                     LunaText keys[KEPT_COUNT]) {
  const LunacOptions *options = session->options;
  const char *content = content_of(func, session->arena);
  for (int kept = 0; kept < KEPT_COUNT; ++kept) {
    luna_record_number(&keys[kept], KEY_FORMAT);
    luna_record_string(&keys[kept], content);
    luna_record_string(&keys[kept], options->merge);
    luna_record_string(&keys[kept], options->dma);
  }
  LunaText *exact = &keys[LUNA_PLAN_EXACT];
  luna_record_bytes(exact, &session->machine, sizeof session->machine);
#define ADD_STRING luna_record_string
#define ADD_CHOICE luna_record_string
#define ADD_BOOL luna_record_number
#define ADD_BYTES(record, value) luna_record_number(record, (uint64_t)(value))
#define ADD_COUNT ADD_BYTES
#define LUNA_PLAN_OPTION(ID, member, KIND, initial, name, value, choices,      \
                         text, help)                                           \
  ADD_##KIND(exact, options->member);
#include "luna/plan_options.def"
}

//===- Looking up ---------------------------------------------------------===//

// Adds the plans of an entry. Returns false if it has too many or is no list of
// plans: then it is none.
static bool read_plans(LunaRecordReader *reader, LunaPlanKept kept,
                       LunaPlanHints *hints) {
  uint64_t count = luna_record_read_number(reader);
  if (count > PLANS_MAX)
    return false;
  for (uint64_t i = 0; i < count; ++i) {
    size_t key_bytes = 0, plan_bytes = 0;
    const void *key = luna_record_read_bytes(reader, &key_bytes);
    const void *plan = luna_record_read_bytes(reader, &plan_bytes);
    if (!key || !plan || key_bytes != sizeof(LunaDigest))
      return false;
    uint8_t *copy = LUNA_ARENA_ARRAY(hints->arena, uint8_t, plan_bytes);
    memcpy(copy, plan, plan_bytes);
    LunaPlanHint *hint = LUNA_VECTOR_ADD(hints->arena, &hints->items);
    *hint = (LunaPlanHint){.kept = kept, .plan = {copy, plan_bytes}};
    memcpy(&hint->key, key, sizeof hint->key);
  }
  return true;
}

static void look_up(LunaCache *cache, const LunaText *record, LunaPlanKept kept,
                    LunaPlanHints *hints) {
  LunaCacheKey key = key_of(record, kept);
  LunaCacheValue value;
  uint64_t count = hints->items.count;
  if (!(kept == LUNA_PLAN_EXACT ? luna_cache_get_or_claim
                                : luna_cache_get)(cache, &key, &value))
    return;
  LunaRecordReader reader = {.bytes = value.bytes, .length = value.length};
  if (!read_plans(&reader, kept, hints))
    hints->items.count = count;
  if (kept == LUNA_PLAN_EXACT)
    hints->is_trusted = value.is_trusted;
  luna_cache_value_deinit(&value);
}

static void open_function(LunacSession *session, MlirOperation func,
                          LunacKeptPlans *plans) {
  LunacKeptFunction *function =
      LUNA_VECTOR_ADD(session->arena, &plans->functions);
  LunaPlanHints hints = {.arena = session->arena,
                         .takes_best = takes_best(session),
                         .is_trusted = true};
  *function = (LunacKeptFunction){0};
  add_keys(session, func, function->keys);
  for (int kept = 0; kept <= (int)hints.takes_best; ++kept)
    look_up(plans->cache, &function->keys[kept], (LunaPlanKept)kept, &hints);
  luna_plan_hints_write(func, &hints);
  function->given = luna_attr(func, LUNA_PLAN_HINTS);
}

static MlirOperation next_function(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !luna_op_is(op, LUNA_OP_FUNC_FUNC))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

static MlirOperation first_function(MlirModule module) {
  return next_function(mlirBlockGetFirstOperation(mlirModuleGetBody(module)));
}

void luna_kept_plans_open(LunacSession *session, MlirModule module,
                          LunacKeptPlans *plans) {
  const char *folder = session->cache_folder;
  *plans = (LunacKeptPlans){
      .cache = luna_shared_cache_open(*folder ? folder : NULL)};
  for (MlirOperation func = first_function(module);
       plans->cache && !mlirOperationIsNull(func);
       func = next_function(mlirOperationGetNextInBlock(func)))
    open_function(session, func, plans);
}

//===- Keeping ------------------------------------------------------------===//

static void write_plans(const LunaPlanHints *hints, LunaPlanKept kept,
                        LunaText *value) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < hints->items.count; ++i)
    count += hints->items.items[i].kept == kept;
  luna_record_number(value, count);
  for (uint64_t i = 0; i < hints->items.count; ++i) {
    const LunaPlanHint *hint = &hints->items.items[i];
    if (hint->kept != kept)
      continue;
    luna_record_bytes(value, &hint->key, sizeof hint->key);
    luna_record_bytes(value, hint->plan.items, hint->plan.count);
  }
}

static void keep(LunaCache *cache, const LunaText *record, LunaPlanKept kept,
                 const LunaPlanHints *hints) {
  LunaCacheKey key = key_of(record, kept);
  LunaText value = {0};
  write_plans(hints, kept, &value);
  luna_cache_put(cache, &key, value.data, value.length);
  luna_text_deinit(&value);
}

// What others may have written would be trusted if it were written here: of
// such an entry only what is new goes on.
static void drop_untrusted(LunacSession *session, MlirAttribute given,
                           LunaPlanHints *hints) {
  LunaPlanHints old = {.arena = session->arena};
  uint64_t count = 0;
  if (hints->is_trusted || !luna_plan_hints_parse(given, &old))
    return;
  for (uint64_t i = 0; i < hints->items.count; ++i) {
    const LunaPlanHint *hint = &hints->items.items[i];
    if (hint->kept == LUNA_PLAN_BEST ||
        !luna_plan_hints_find(&old, hint->kept, hint->key))
      hints->items.items[count++] = *hint;
  }
  hints->items.count = count;
}

static void keep_new(LunacSession *session, MlirOperation func,
                     LunaCache *cache, const LunacKeptFunction *function) {
  LunaPlanHints hints;
  LunaError error = {0};
  if (mlirAttributeEqual(luna_attr(func, LUNA_PLAN_HINTS), function->given) ||
      !luna_plan_hints_read(func, session->arena, &hints, &error))
    return;
  drop_untrusted(session, function->given, &hints);
  for (int kept = 0; kept <= (int)hints.takes_best; ++kept)
    keep(cache, &function->keys[kept], (LunaPlanKept)kept, &hints);
}

static void close_function(LunacSession *session, MlirOperation func,
                           LunacKeptPlans *plans, LunacKeptFunction *function) {
  keep_new(session, func, plans->cache, function);
  for (int kept = 0; kept < KEPT_COUNT; ++kept)
    luna_text_deinit(&function->keys[kept]);
  mlirOperationRemoveDiscardableAttributeByName(func,
                                                luna_str(LUNA_PLAN_HINTS));
}

void luna_kept_plans_close(LunacSession *session, MlirModule module,
                           LunacKeptPlans *plans) {
  uint64_t index = 0;
  for (MlirOperation func = first_function(module);
       index < plans->functions.count && !mlirOperationIsNull(func);
       func = next_function(mlirOperationGetNextInBlock(func)))
    close_function(session, func, plans, &plans->functions.items[index++]);
  luna_cache_close(plans->cache);
}
