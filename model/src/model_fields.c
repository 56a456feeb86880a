#include "model_fields.h"

#include <assert.h>
#include <string.h>

static const char *const value_kinds[] = {"buffer",   "merged",   "token",
                                          "no_token", "constant", "argument",
                                          "other",    NULL};
static const char *const roles[] = {"tensor",  "input",   "output",
                                    "staging", "scratch", NULL};
static const char *const access_kinds[] = {"read", "overwrite", "update",
                                           "modify", NULL};
static const char *const step_kinds[] = {
    "operator", "unit",   "copy",     "transfer", "await", "allocate", "pass",
    "scalar",   "region", "branches", "select",   "loop",  "body",     NULL};

#define COUNT(words) (sizeof words / sizeof *words - 1)
static_assert(COUNT(value_kinds) == LUNA_MODEL_OTHER + 1 &&
                  COUNT(roles) == LUNA_MODEL_SCRATCH + 1 &&
                  COUNT(access_kinds) == LUNA_MODEL_MODIFY + 1 &&
                  COUNT(step_kinds) == LUNA_MODEL_BODY + 1,
              "each enumerator has its word");

#define WORD(type, field, list)                                                \
  {.name = #field,                                                             \
   .kind = LUNA_FIELD_WORD,                                                    \
   .offset = offsetof(type, field),                                            \
   .words = list}
#define FIELD(type, field, of)                                                 \
  {.name = #field, .kind = LUNA_FIELD_##of, .offset = offsetof(type, field)}
#define ID(type, field, record, needed)                                        \
  {.name = #field,                                                             \
   .kind = LUNA_FIELD_ID,                                                      \
   .offset = offsetof(type, field),                                            \
   .target = LUNA_RECORD_##record,                                             \
   .is_needed = needed}
#define RANGE(type, label, field, record)                                      \
  {.name = label,                                                              \
   .kind = LUNA_FIELD_RANGE,                                                   \
   .offset = offsetof(type, field),                                            \
   .target = LUNA_RECORD_##record}

static const LunaModelField step_fields[] = {
    WORD(LunaModelStep, kind, step_kinds),
    FIELD(LunaModelStep, end, NUMBER),
    FIELD(LunaModelStep, op, TEXT),
    FIELD(LunaModelStep, name, TEXT),
    FIELD(LunaModelStep, number, NUMBER),
    RANGE(LunaModelStep, "accesses", first_access, ACCESS),
    RANGE(LunaModelStep, "edges", first_edge, EDGE),
    RANGE(LunaModelStep, "needs", first_need, NEED),
    FIELD(LunaModelStep, is_opaque, FLAG),
    ID(LunaModelStep, token, SLICE, false),
    FIELD(LunaModelStep, scratch_bytes, BYTES),
    FIELD(LunaModelStep, core_cycles, BYTES),
    FIELD(LunaModelStep, unit_cycles, BYTES),
    FIELD(LunaModelStep, dma_cycles, BYTES),
    FIELD(LunaModelStep, condition, NUMBER),
    FIELD(LunaModelStep, is_negated, FLAG),
    ID(LunaModelStep, condition_loop, STEP, false),
    RANGE(LunaModelStep, "carried", first_carried, VALUE),
    FIELD(LunaModelStep, trips, BYTES),
    {0},
};

static const LunaModelField access_fields[] = {
    WORD(LunaModelAccess, kind, access_kinds),
    ID(LunaModelAccess, slice, SLICE, true),
    FIELD(LunaModelAccess, may_be_replaced, FLAG),
    FIELD(LunaModelAccess, is_destination, FLAG),
    {0},
};

static const LunaModelField edge_fields[] = {
    ID(LunaModelEdge, from, SLICE, true),
    ID(LunaModelEdge, to, SLICE, true),
    {0},
};

static const LunaModelField need_fields[] = {
    {.name = "step",
     .kind = LUNA_FIELD_ID,
     .target = LUNA_RECORD_STEP,
     .is_needed = true},
    {0},
};

static const LunaModelField value_fields[] = {
    WORD(LunaModelValue, kind, value_kinds),
    WORD(LunaModelValue, role, roles),
    FIELD(LunaModelValue, is_on_chip, FLAG),
    FIELD(LunaModelValue, bytes, BYTES),
    FIELD(LunaModelValue, element, NUMBER),
    ID(LunaModelValue, step, STEP, true),
    ID(LunaModelValue, first_use, STEP, false),
    RANGE(LunaModelValue, "sources", first_source, SOURCE),
    FIELD(LunaModelValue, has_other, FLAG),
    {0},
};

static const LunaModelField source_fields[] = {
    {.name = "value",
     .kind = LUNA_FIELD_ID,
     .target = LUNA_RECORD_VALUE,
     .is_needed = true},
    {0},
};

static const LunaModelField slice_fields[] = {
    ID(LunaModelSlice, value, VALUE, true),
    FIELD(LunaModelSlice, bytes, BYTES),
    FIELD(LunaModelSlice, is_contiguous, FLAG),
    FIELD(LunaModelSlice, is_on_chip, FLAG),
    FIELD(LunaModelSlice, type, NUMBER),
    FIELD(LunaModelSlice, dense_type, NUMBER),
    FIELD(LunaModelSlice, is_exact, FLAG),
    FIELD(LunaModelSlice, offset_bytes, BYTES),
    FIELD(LunaModelSlice, element_bytes, BYTES),
    RANGE(LunaModelSlice, "dims", first_dim, DIM),
    {0},
};

static const LunaModelField dim_fields[] = {
    FIELD(LunaModelDim, extent, BYTES),
    FIELD(LunaModelDim, stride_bytes, BYTES),
    {0},
};

const LunaModelRecord luna_model_records[LUNA_RECORD_COUNT] = {
    {"step", offsetof(LunaModel, steps), sizeof(LunaModelStep), step_fields},
    {"access", offsetof(LunaModel, accesses), sizeof(LunaModelAccess),
     access_fields},
    {"edge", offsetof(LunaModel, edges), sizeof(LunaModelEdge), edge_fields},
    {"need", offsetof(LunaModel, needs), sizeof(LunaModelId), need_fields},
    {"value", offsetof(LunaModel, values), sizeof(LunaModelValue),
     value_fields},
    {"source", offsetof(LunaModel, sources), sizeof(LunaModelId),
     source_fields},
    {"slice", offsetof(LunaModel, slices), sizeof(LunaModelSlice),
     slice_fields},
    {"dim", offsetof(LunaModel, dims), sizeof(LunaModelDim), dim_fields},
};

LunaModelVector luna_model_vector(const LunaModel *model,
                                  LunaModelRecordKind kind) {
  LunaModelVector vector;
  memcpy(&vector, (const char *)model + luna_model_records[kind].vector_offset,
         sizeof vector);
  return vector;
}

void luna_model_set_vector(LunaModel *model, LunaModelRecordKind kind,
                           LunaModelVector vector) {
  memcpy((char *)model + luna_model_records[kind].vector_offset, &vector,
         sizeof vector);
}
