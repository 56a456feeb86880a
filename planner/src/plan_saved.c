// A plan as bytes: the offsets of all parts, what search has proven and what
// was tried. Their number and order follow from the problem.

#include "luna/plan_saved.h"

#include "plan_bytes.h"

// No offset is larger, nor the sum of all sizes: an end does not overflow.
#define OFFSET_MAX (INT64_C(1) << 62)

//===- Writing ------------------------------------------------------------===//

static void write_part(LunaPlanWriter *writer, const LunaPlanPart *part) {
  plan_write(writer, part->is_planned, 1);
  if (!part->is_planned)
    return;
  plan_write(writer, (uint64_t)(part->strategy - luna_plan_strategies), 1);
  plan_write(writer, (uint64_t)part->merge, 1);
  plan_write(writer, (uint64_t)part->proven_bytes, 8);
  for (uint32_t i = 0; i < part->program.items.count; ++i)
    plan_write(writer, (uint64_t)part->best_offsets[i], 8);
}

static void write_row(LunaPlanWriter *writer, const LunaPlanRow *row) {
  plan_write(
      writer,
      (uint64_t)(luna_plan_strategy_find(row->strategy) - luna_plan_strategies),
      1);
  plan_write(writer, (uint64_t)row->merge, 1);
  plan_write(writer, (uint64_t)row->tensor_bytes, 8);
  plan_write(writer, (uint64_t)row->total_bytes, 8);
}

LunaPlanBytes luna_plan_run_save(const LunaPlanRun *run) {
  LunaPlanWriter writer = {.arena = run->problem->arena};
  for (int i = 0; i < PLAN_PART_COUNT; ++i)
    write_part(&writer, &run->parts[i]);
  plan_write(&writer, run->row_count, 4);
  for (uint32_t i = 0; i < run->row_count; ++i)
    write_row(&writer, &run->rows[i]);
  plan_write(&writer, run->search_steps, 8);
  plan_write(&writer, run->cover.group_count, 4);
  plan_write(&writer, run->cover.path_count, 4);
  plan_write(&writer, (uint64_t)run->cover.bytes, 8);
  return (LunaPlanBytes){writer.bytes.items, writer.bytes.count};
}

//===- Reading ------------------------------------------------------------===//

static const LunaPlanStrategy *read_strategy(LunaPlanReader *reader) {
  uint64_t index = plan_read(reader, 1);
  reader->is_damaged |= index >= luna_plan_strategy_count;
  return &luna_plan_strategies[reader->is_damaged ? 0 : index];
}

static LunaMerge read_merge(LunaPlanReader *reader) {
  uint64_t merge = plan_read(reader, 1);
  reader->is_damaged |= merge >= LUNA_MERGE_COUNT;
  return reader->is_damaged ? LUNA_MERGE_PATH : (LunaMerge)merge;
}

static void read_part(LunaPlanReader *reader, bool is_trusted,
                      LunaPlanPart *part) {
  uint64_t is_planned = plan_read(reader, 1);
  part->is_planned = is_planned == 1;
  reader->is_damaged |= is_planned > 1;
  if (!part->is_planned)
    return;
  part->strategy = read_strategy(reader);
  part->merge = read_merge(reader);
  int64_t proven = (int64_t)plan_read(reader, 8);
  for (uint32_t i = 0; i < part->program.items.count; ++i) {
    uint64_t offset = plan_read(reader, 8);
    reader->is_damaged |= offset > (uint64_t)OFFSET_MAX;
    part->best_offsets[i] = reader->is_damaged ? 0 : (int64_t)offset;
  }
  part->best_bytes =
      luna_plan_items_peak(&part->program.items, part->best_offsets);
  if (is_trusted && proven > part->proven_bytes)
    part->proven_bytes = proven;
  reader->is_damaged |= part->proven_bytes > part->best_bytes;
}

static void read_rows(LunaPlanReader *reader, LunaPlanRun *run) {
  uint64_t count = plan_read(reader, 4);
  reader->is_damaged |=
      count > (uint64_t)luna_plan_strategy_count * LUNA_MERGE_COUNT;
  for (uint64_t i = 0; !reader->is_damaged && i < count; ++i) {
    LunaPlanRow *row = &run->rows[run->row_count++];
    row->strategy = read_strategy(reader)->name;
    row->merge = read_merge(reader);
    row->tensor_bytes = (int64_t)plan_read(reader, 8);
    row->total_bytes = (int64_t)plan_read(reader, 8);
  }
}

static bool read_run(LunaPlanReader *reader, bool is_trusted,
                     LunaPlanRun *run) {
  for (int i = 0; i < PLAN_PART_COUNT; ++i)
    read_part(reader, is_trusted, &run->parts[i]);
  read_rows(reader, run);
  run->search_steps = plan_read(reader, 8);
  run->cover.group_count = (uint32_t)plan_read(reader, 4);
  run->cover.path_count = (uint32_t)plan_read(reader, 4);
  run->cover.bytes = (int64_t)plan_read(reader, 8);
  return !reader->is_damaged && reader->at == reader->bytes.count &&
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
  LunaPlanReader reader = {.bytes = self->saved};
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
