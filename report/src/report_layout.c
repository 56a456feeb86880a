#include <string.h>

#include "report_internal.h"

// "straight" and NULL are the empty path.
static const char *path_of(const char *path) {
  return path == NULL || strcmp(path, "straight") == 0 ? "" : path;
}

// Returns the length of the longest common prefix of whole decisions.
static size_t common_decisions(const char *a, const char *b) {
  size_t i = 0, whole = 0;
  while (a[i] != '\0' && a[i] == b[i]) {
    i++;
    bool a_ends = a[i] == '\0' || a[i] == '/';
    bool b_ends = b[i] == '\0' || b[i] == '/';
    if (a_ends && b_ends)
      whole = i;
  }
  return whole;
}

static uint32_t find_branch(LunaReportContext *context, const char *path,
                            size_t length) {
  for (uint32_t i = 0; i < context->branch_count; i++)
    if (strlen(context->branches[i]) == length &&
        memcmp(context->branches[i], path, length) == 0)
      return i;
  context->branches[context->branch_count] =
      luna_arena_strndup(context->arena, path, length);
  return context->branch_count++;
}

static uint32_t branch_of_buffer(LunaReportContext *context,
                                 const LunaReportBuffer *buffer) {
  const char *const *paths = context->data->plan.step_paths;
  if (buffer->live_count == 0)
    return 0;
  const char *path = path_of(paths[buffer->live[0].first]);
  size_t length = strlen(path);
  for (uint32_t r = 0; r < buffer->live_count; r++)
    for (uint32_t s = buffer->live[r].first; s < buffer->live[r].end; s++) {
      size_t common = common_decisions(path, path_of(paths[s]));
      length = common < length ? common : length;
    }
  return find_branch(context, path, length);
}

void luna_report_find_branches(LunaReportContext *context) {
  const LunaReportData *data = context->data;
  // Every step and every buffer adds at most one, plus the empty path.
  uint64_t limit = (uint64_t)data->plan.step_count + data->buffer_count + 1;
  context->branches = LUNA_ARENA_ARRAY(context->arena, const char *, limit);
  context->branch_of_step =
      LUNA_ARENA_ARRAY(context->arena, uint32_t, data->plan.step_count);
  context->branch_of_buffer =
      LUNA_ARENA_ARRAY(context->arena, uint32_t, data->buffer_count);
  context->branch_count = 0;
  find_branch(context, "", 0);
  for (uint32_t s = 0; s < data->plan.step_count; s++) {
    const char *path = path_of(data->plan.step_paths[s]);
    context->branch_of_step[s] = find_branch(context, path, strlen(path));
  }
  for (uint32_t b = 0; b < data->buffer_count; b++)
    context->branch_of_buffer[b] = branch_of_buffer(context, &data->buffers[b]);
}

static void lay_out_steps(const LunaReportContext *context,
                          LunaReportLayout *layout, uint32_t *local) {
  const LunaReportPath *path = layout->path;
  uint32_t count = 0;
  for (uint32_t r = 0; r < path->step_range_count; r++)
    count += path->steps[r].end - path->steps[r].first;
  layout->step = LUNA_ARENA_ARRAY(context->arena, uint32_t, count);
  layout->live_bytes = LUNA_ARENA_ARRAY(context->arena, int64_t, count);
  for (uint32_t s = 0; s < context->data->plan.step_count; s++)
    local[s] = UINT32_MAX;
  for (uint32_t r = 0; r < path->step_range_count; r++)
    for (uint32_t s = path->steps[r].first; s < path->steps[r].end; s++) {
      layout->step[layout->step_count] = s;
      local[s] = layout->step_count++;
    }
}

// Appends the runs of one buffer to `runs` and returns their number. Steps of
// branches not taken do not interrupt a run.
static uint32_t runs_of_buffer(const LunaReportBuffer *buffer, uint32_t id,
                               const uint32_t *local, LunaReportRun *runs) {
  uint32_t count = 0;
  for (uint32_t r = 0; r < buffer->live_count; r++)
    for (uint32_t s = buffer->live[r].first; s < buffer->live[r].end; s++) {
      if (local[s] == UINT32_MAX)
        continue;
      if (count > 0 && runs[count - 1].end == local[s])
        runs[count - 1].end++;
      else
        runs[count++] = (LunaReportRun){
            .buffer = id, .first = local[s], .end = local[s] + 1};
    }
  return count;
}

static void lay_out_runs(const LunaReportContext *context,
                         LunaReportLayout *layout, const uint32_t *local) {
  const LunaReportData *data = context->data;
  uint64_t limit = 0;
  for (uint32_t b = 0; b < data->buffer_count; b++)
    limit += data->buffers[b].live_count;
  // A path numbers only its own steps, so a range of live steps is at most one
  // run.
  LunaReportRun *runs = LUNA_ARENA_ARRAY(context->arena, LunaReportRun, limit);
  for (uint32_t b = 0; b < data->buffer_count; b++) {
    const LunaReportBuffer *buffer = &data->buffers[b];
    uint32_t count = runs_of_buffer(buffer, b, local, &runs[layout->run_count]);
    for (uint32_t i = 0; i < count; i++)
      for (uint32_t s = runs[layout->run_count + i].first;
           s < runs[layout->run_count + i].end; s++)
        layout->live_bytes[s] += buffer->size_bytes;
    int64_t end = buffer->offset_bytes + buffer->size_bytes;
    if (count > 0 && end > layout->peak_bytes)
      layout->peak_bytes = end;
    layout->run_count += count;
  }
  layout->runs = runs;
}

LunaReportLayout luna_report_lay_out(const LunaReportContext *context,
                                     uint32_t index) {
  LunaReportLayout layout = {.path = &context->data->paths[index],
                             .index = index};
  uint32_t *local = LUNA_ARENA_ARRAY(context->arena, uint32_t,
                                     context->data->plan.step_count);
  lay_out_steps(context, &layout, local);
  lay_out_runs(context, &layout, local);
  for (uint32_t s = 1; s < layout.step_count; s++)
    if (layout.live_bytes[s] > layout.live_bytes[layout.heaviest])
      layout.heaviest = s;
  return layout;
}
