// A plan as bytes: the offsets of all parts, what search has proven and what
// was tried. Their number and order follow from the problem.

#include "luna/plan_saved.h"

#include "plan_bytes.h"

// No offset is larger, nor the sum of all sizes: an end does not overflow.
#define OFFSET_MAX (INT64_C(1) << 62)

//===- Writing ------------------------------------------------------------===//

static void write_part(LunaText *record, const LunaPlanPart *part) {
  luna_record_number(record, part->is_planned);
  if (!part->is_planned)
    return;
  luna_record_number(record, (uint64_t)(part->strategy - luna_plan_strategies));
  luna_record_number(record, (uint64_t)part->merge);
  luna_record_number(record, (uint64_t)part->proven_bytes);
  for (uint32_t i = 0; i < part->program.items.count; ++i)
    luna_record_number(record, (uint64_t)part->best_offsets[i]);
}

static void write_row(LunaText *record, const LunaPlanRow *row) {
  luna_record_number(record, (uint64_t)(luna_plan_strategy_find(row->strategy) -
                                        luna_plan_strategies));
  luna_record_number(record, (uint64_t)row->merge);
  luna_record_number(record, (uint64_t)row->tensor_bytes);
  luna_record_number(record, (uint64_t)row->total_bytes);
}

LunaPlanBytes luna_plan_run_save(const LunaPlanRun *run) {
  LunaText record = {.arena = run->problem->arena};
  for (int i = 0; i < PLAN_PART_COUNT; ++i)
    write_part(&record, &run->parts[i]);
  luna_record_number(&record, run->row_count);
  for (uint32_t i = 0; i < run->row_count; ++i)
    write_row(&record, &run->rows[i]);
  luna_record_number(&record, run->search_steps);
  luna_record_number(&record, run->cover.group_count);
  luna_record_number(&record, run->cover.path_count);
  luna_record_number(&record, (uint64_t)run->cover.bytes);
  return luna_plan_bytes_of(&record);
}

//===- Reading ------------------------------------------------------------===//

static uint32_t read_count(LunaRecordReader *reader) {
  uint64_t count = luna_record_read_number(reader);
  reader->is_damaged |= count > UINT32_MAX;
  return (uint32_t)count;
}

static const LunaPlanStrategy *read_strategy(LunaRecordReader *reader) {
  uint64_t index = luna_record_read_number(reader);
  reader->is_damaged |= index >= luna_plan_strategy_count;
  return &luna_plan_strategies[reader->is_damaged ? 0 : index];
}

static LunaMerge read_merge(LunaRecordReader *reader) {
  uint64_t merge = luna_record_read_number(reader);
  reader->is_damaged |= merge >= LUNA_MERGE_COUNT;
  return reader->is_damaged ? LUNA_MERGE_PATH : (LunaMerge)merge;
}

static void read_part(LunaRecordReader *reader, bool is_trusted,
                      LunaPlanPart *part) {
  uint64_t is_planned = luna_record_read_number(reader);
  part->is_planned = is_planned == 1;
  reader->is_damaged |= is_planned > 1;
  if (!part->is_planned)
    return;
  part->strategy = read_strategy(reader);
  part->merge = read_merge(reader);
  int64_t proven = (int64_t)luna_record_read_number(reader);
  for (uint32_t i = 0; i < part->program.items.count; ++i) {
    uint64_t offset = luna_record_read_number(reader);
    reader->is_damaged |= offset > (uint64_t)OFFSET_MAX;
    part->best_offsets[i] = reader->is_damaged ? 0 : (int64_t)offset;
  }
  part->best_bytes =
      luna_plan_items_peak(&part->program.items, part->best_offsets);
  if (is_trusted && proven > part->proven_bytes)
    part->proven_bytes = proven;
  reader->is_damaged |= part->proven_bytes > part->best_bytes;
}

static void read_rows(LunaRecordReader *reader, LunaPlanRun *run) {
  uint64_t count = luna_record_read_number(reader);
  reader->is_damaged |=
      count > (uint64_t)luna_plan_strategy_count * LUNA_MERGE_COUNT;
  for (uint64_t i = 0; !reader->is_damaged && i < count; ++i) {
    LunaPlanRow *row = &run->rows[run->row_count++];
    row->strategy = read_strategy(reader)->name;
    row->merge = read_merge(reader);
    row->tensor_bytes = (int64_t)luna_record_read_number(reader);
    row->total_bytes = (int64_t)luna_record_read_number(reader);
  }
}

static bool read_run(LunaRecordReader *reader, bool is_trusted,
                     LunaPlanRun *run) {
  for (int i = 0; i < PLAN_PART_COUNT; ++i)
    read_part(reader, is_trusted, &run->parts[i]);
  read_rows(reader, run);
  run->search_steps = luna_record_read_number(reader);
  run->cover.group_count = read_count(reader);
  run->cover.path_count = read_count(reader);
  run->cover.bytes = (int64_t)luna_record_read_number(reader);
  return !reader->is_damaged && reader->length == 0 &&
         run->parts[PLAN_TOTAL].is_planned;
}

//===- Restoring ----------------------------------------------------------===//

typedef struct Call {
  LunaProblem *problem;
  const LunaPlanOptions *options;
  LunaPlanBytes saved;
  bool is_trusted;
  LunaRestoredPlan *restored;
} Call;

static bool take_up(const Call *self, LunaPlanRun *run, LunaError *error) {
  LunaRecordReader reader = {self->saved.items, self->saved.count, false};
  LunaRestoredPlan *restored = self->restored;
  if (!luna_plan_run_begin(run, self->problem, self->options, error) ||
      !read_run(&reader, self->is_trusted, run))
    return false;
  restored->fits =
      luna_plan_run_fill(run, &restored->solution, &restored->error);
  for (int i = 0; i < PLAN_PART_COUNT; ++i) {
    restored->parts[i].kinds = run->parts[i].kinds;
    if (run->parts[i].is_planned && run->parts[i].program.items.count > 0)
      restored->parts[i].offset_bytes =
          luna_plan_part_offsets(run, &run->parts[i]);
  }
  return true;
}

static bool call(void *context, LunaError *error) {
  const Call *self = context;
  LunaPlanRun run;
  bool ok = take_up(self, &run, error);
  luna_plan_run_end(&run);
  return ok;
}

bool luna_plan_restore(LunaProblem *problem, const LunaPlanOptions *options,
                       LunaPlanBytes saved, bool is_trusted,
                       LunaRestoredPlan *restored) {
  Call self = {problem, options, saved, is_trusted, restored};
  LunaError ignored = {0};
  *restored = (LunaRestoredPlan){0};
  return luna_arena_guard(problem->arena, NULL, "a plan was taken up", call,
                          &self, &ignored);
}
