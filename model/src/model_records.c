#include "model_records.h"

#include <assert.h>

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

static const LunaTextField step_fields[] = {
    LUNA_TEXT_WORD(LunaModelStep, kind, step_kinds),
    LUNA_TEXT_FIELD(LunaModelStep, end, NUMBER),
    LUNA_TEXT_FIELD(LunaModelStep, op, TEXT),
    LUNA_TEXT_FIELD(LunaModelStep, name, TEXT),
    LUNA_TEXT_FIELD(LunaModelStep, number, NUMBER),
    LUNA_TEXT_RANGE(LunaModelStep, "accesses", first_access,
                    LUNA_RECORD_ACCESS),
    LUNA_TEXT_RANGE(LunaModelStep, "edges", first_edge, LUNA_RECORD_EDGE),
    LUNA_TEXT_RANGE(LunaModelStep, "needs", first_need, LUNA_RECORD_NEED),
    LUNA_TEXT_FIELD(LunaModelStep, is_opaque, FLAG),
    LUNA_TEXT_ID(LunaModelStep, token, LUNA_RECORD_SLICE, false),
    LUNA_TEXT_FIELD(LunaModelStep, scratch_bytes, BYTES),
    LUNA_TEXT_FIELD(LunaModelStep, core_cycles, BYTES),
    LUNA_TEXT_FIELD(LunaModelStep, unit_cycles, BYTES),
    LUNA_TEXT_FIELD(LunaModelStep, dma_cycles, BYTES),
    LUNA_TEXT_FIELD(LunaModelStep, condition, NUMBER),
    LUNA_TEXT_FIELD(LunaModelStep, is_negated, FLAG),
    LUNA_TEXT_ID(LunaModelStep, condition_loop, LUNA_RECORD_STEP, false),
    LUNA_TEXT_RANGE(LunaModelStep, "carried", first_carried, LUNA_RECORD_VALUE),
    LUNA_TEXT_FIELD(LunaModelStep, trips, BYTES),
    {0},
};

static const LunaTextField access_fields[] = {
    LUNA_TEXT_WORD(LunaModelAccess, kind, access_kinds),
    LUNA_TEXT_ID(LunaModelAccess, slice, LUNA_RECORD_SLICE, true),
    LUNA_TEXT_FIELD(LunaModelAccess, may_be_replaced, FLAG),
    LUNA_TEXT_FIELD(LunaModelAccess, is_destination, FLAG),
    {0},
};

static const LunaTextField edge_fields[] = {
    LUNA_TEXT_ID(LunaModelEdge, from, LUNA_RECORD_SLICE, true),
    LUNA_TEXT_ID(LunaModelEdge, to, LUNA_RECORD_SLICE, true),
    {0},
};

static const LunaTextField need_fields[] = {
    LUNA_TEXT_INDEX("step", LUNA_RECORD_STEP),
    {0},
};

static const LunaTextField value_fields[] = {
    LUNA_TEXT_WORD(LunaModelValue, kind, value_kinds),
    LUNA_TEXT_WORD(LunaModelValue, role, roles),
    LUNA_TEXT_FIELD(LunaModelValue, is_on_chip, FLAG),
    LUNA_TEXT_FIELD(LunaModelValue, bytes, BYTES),
    LUNA_TEXT_FIELD(LunaModelValue, element, NUMBER),
    LUNA_TEXT_ID(LunaModelValue, step, LUNA_RECORD_STEP, true),
    LUNA_TEXT_ID(LunaModelValue, first_use, LUNA_RECORD_STEP, false),
    LUNA_TEXT_RANGE(LunaModelValue, "sources", first_source,
                    LUNA_RECORD_SOURCE),
    LUNA_TEXT_FIELD(LunaModelValue, has_other, FLAG),
    {0},
};

static const LunaTextField source_fields[] = {
    LUNA_TEXT_INDEX("value", LUNA_RECORD_VALUE),
    {0},
};

static const LunaTextField slice_fields[] = {
    LUNA_TEXT_ID(LunaModelSlice, value, LUNA_RECORD_VALUE, true),
    LUNA_TEXT_FIELD(LunaModelSlice, bytes, BYTES),
    LUNA_TEXT_FIELD(LunaModelSlice, is_contiguous, FLAG),
    LUNA_TEXT_FIELD(LunaModelSlice, is_on_chip, FLAG),
    LUNA_TEXT_FIELD(LunaModelSlice, type, NUMBER),
    LUNA_TEXT_FIELD(LunaModelSlice, dense_type, NUMBER),
    LUNA_TEXT_FIELD(LunaModelSlice, is_exact, FLAG),
    LUNA_TEXT_FIELD(LunaModelSlice, offset_bytes, BYTES),
    LUNA_TEXT_FIELD(LunaModelSlice, element_bytes, BYTES),
    LUNA_TEXT_RANGE(LunaModelSlice, "dims", first_dim, LUNA_RECORD_DIM),
    {0},
};

static const LunaTextField dim_fields[] = {
    LUNA_TEXT_FIELD(LunaModelDim, extent, BYTES),
    LUNA_TEXT_FIELD(LunaModelDim, stride_bytes, BYTES),
    {0},
};

static const LunaTextRecord records[LUNA_RECORD_COUNT] = {
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

const LunaTextFormat luna_model_format = {
    .records = records,
    .record_count = LUNA_RECORD_COUNT,
    .activity = "a model was read",
    .expected = "expected step, access, edge, need, value, source, slice "
                "or dim",
    .check = luna_model_check,
};

void luna_model_print(const LunaModel *model, LunaText *text) {
  luna_records_print(&luna_model_format, model, text);
}

bool luna_model_parse(const char *bytes, size_t length, const char *file_name,
                      LunaArena *arena, LunaModel *model, LunaError *error) {
  *model = (LunaModel){0};
  return luna_records_parse(&luna_model_format, bytes, length, file_name, arena,
                            model, error);
}
