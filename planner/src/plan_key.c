// What a plan depends on, as bytes.

#include "plan_bytes.h"
#include "plan_version.h"

enum { KEY_FORMAT = 3 };

void luna_plan_write_version(LunaText *record) {
  luna_record_string(record, LUNA_PLAN_VERSION);
}

//===- The program --------------------------------------------------------===//

// Children and siblings follow from the parents.
static void write_nodes(LunaText *record, const LunaProblem *problem) {
  luna_record_number(record, problem->nodes.count);
  for (uint64_t i = 0; i < problem->nodes.count; ++i) {
    const LunaPlanNode *node = &problem->nodes.items[i];
    luna_record_number(record, (uint64_t)node->kind);
    luna_record_number(record, node->parent);
    luna_record_number(record, node->exit_step);
    luna_record_number(record, node->condition);
    luna_record_number(record, node->is_negated);
  }
  luna_record_number(record, problem->step_nodes.count);
  for (uint64_t i = 0; i < problem->step_nodes.count; ++i) {
    luna_record_number(record, problem->step_nodes.items[i]);
    luna_record_number(record, (uint64_t)problem->durations.items[i]);
  }
}

static void write_buffers(LunaText *record, const LunaProblem *problem) {
  luna_record_number(record, problem->buffers.count);
  for (uint32_t i = 0; i < problem->buffers.count; ++i) {
    const LunaBuffer *buffer = &problem->buffers.items[i];
    luna_record_number(record, (uint64_t)buffer->size_bytes);
    luna_record_number(record, (uint64_t)buffer->align_bytes);
    luna_record_number(record, buffer->is_fixed);
    luna_record_number(
        record, buffer->is_fixed ? (uint64_t)buffer->fixed_offset_bytes : 0);
    luna_record_number(record, (uint64_t)buffer->kind);
    luna_record_number(record, luna_plan_place_of(problem, i));
  }
}

static void write_accesses(LunaText *record, const LunaProblem *problem) {
  luna_record_number(record, problem->touches.count);
  for (uint64_t i = 0; i < problem->touches.count; ++i) {
    LunaPlanTouch touch = problem->touches.items[i];
    luna_record_number(record, touch.buffer);
    luna_record_number(record, touch.step);
    luna_record_number(record, touch.access);
  }
  luna_record_number(record, problem->moves.count);
  for (uint64_t i = 0; i < problem->moves.count; ++i) {
    LunaPlanMove move = problem->moves.items[i];
    luna_record_number(record, move.step);
    luna_record_number(record, move.from);
    luna_record_number(record, move.to);
  }
  luna_record_number(record, problem->pinned.count);
  for (uint64_t i = 0; i < problem->pinned.count; ++i) {
    LunaPlanPinned pinned = problem->pinned.items[i];
    luna_record_number(record, pinned.buffer);
    luna_record_number(record, pinned.steps.first);
    luna_record_number(record, pinned.steps.end);
  }
}

void luna_plan_write_problem(LunaText *record, const LunaProblem *problem) {
  write_nodes(record, problem);
  write_buffers(record, problem);
  write_accesses(record, problem);
}

//===- The key ------------------------------------------------------------===//

static void write_options(LunaText *record, const LunaPlanOptions *options,
                          uint64_t buffer_count) {
  luna_record_string(record, options->strategy ? options->strategy : "best");
  luna_record_number(record, (uint64_t)options->merge);
  luna_record_number(record, options->any_that_fits);
  luna_record_string(record, options->without ? options->without : "");
#define LUNA_KEY_STRING(member)
#define LUNA_KEY_CHOICE(member)
#define LUNA_KEY_BOOL(member) luna_record_number(record, options->member);
#define LUNA_KEY_BYTES(member)                                                 \
  luna_record_number(record,                                                   \
                     options->member > 0 ? (uint64_t)options->member : 0);
#define LUNA_KEY_COUNT(member) luna_record_number(record, options->member);
#define LUNA_PLAN_OPTION(ID, member, KIND, initial, name, value, choices,      \
                         text, help)                                           \
  LUNA_KEY_##KIND(member)
#define LUNA_PLAN_PASS_OPTION(ID, member, KIND, initial, name, text, command,  \
                              value, help)                                     \
  LUNA_KEY_##KIND(member)
#include "luna/plan_options.def"
  luna_record_number(record, options->hint_offset_bytes != NULL);
  for (uint64_t i = 0; options->hint_offset_bytes && i < buffer_count; ++i)
    luna_record_number(record, (uint64_t)options->hint_offset_bytes[i]);
}

typedef struct Call {
  const LunaProblem *problem;
  const LunaPlanOptions *options;
  LunaPlanBytes *key;
} Call;

static bool call(void *context, LunaError *error) {
  const Call *self = context;
  LunaPlanOptions options;
  LunaText record = {.arena = self->problem->arena};
  if (!luna_plan_problem_validate(self->problem, error) ||
      !luna_plan_read_options(self->options, &options, error))
    return false;
  luna_record_number(&record, KEY_FORMAT);
  luna_plan_write_version(&record);
  write_options(&record, &options, self->problem->buffers.count);
  luna_plan_write_problem(&record, self->problem);
  *self->key = luna_plan_bytes_of(&record);
  return true;
}

bool luna_plan_key(const LunaProblem *problem, const LunaPlanOptions *options,
                   LunaPlanBytes *key, LunaError *error) {
  Call self = {problem, options, key};
  return luna_arena_guard(problem->arena, NULL, "the key of a plan was made",
                          call, &self, error);
}
