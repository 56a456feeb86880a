// What a plan depends on, as bytes.

#include <string.h>

#include "plan_bytes.h"
#include "plan_version.h"

enum { KEY_FORMAT = 2 };

void luna_plan_write_text(LunaPlanWriter *writer, const char *text) {
  size_t length = strlen(text);
  plan_write(writer, length, 4);
  for (size_t i = 0; i < length; ++i)
    plan_write(writer, (uint8_t)text[i], 1);
}

void luna_plan_write_version(LunaPlanWriter *writer) {
  luna_plan_write_text(writer, LUNA_PLAN_VERSION);
}

//===- The program --------------------------------------------------------===//

// Children and siblings follow from the parents.
static void write_nodes(LunaPlanWriter *writer, const LunaProblem *problem) {
  plan_write(writer, problem->nodes.count, 4);
  for (uint64_t i = 0; i < problem->nodes.count; ++i) {
    const LunaPlanNode *node = &problem->nodes.items[i];
    plan_write(writer, (uint64_t)node->kind, 1);
    plan_write(writer, node->parent, 4);
    plan_write(writer, node->exit_step, 4);
    plan_write(writer, node->condition, 4);
    plan_write(writer, node->is_negated, 1);
  }
  plan_write(writer, problem->step_nodes.count, 4);
  for (uint64_t i = 0; i < problem->step_nodes.count; ++i) {
    plan_write(writer, problem->step_nodes.items[i], 4);
    plan_write(writer, (uint64_t)problem->durations.items[i], 8);
  }
}

static void write_buffers(LunaPlanWriter *writer, const LunaProblem *problem) {
  plan_write(writer, problem->buffers.count, 4);
  for (uint32_t i = 0; i < problem->buffers.count; ++i) {
    const LunaBuffer *buffer = &problem->buffers.items[i];
    plan_write(writer, (uint64_t)buffer->size_bytes, 8);
    plan_write(writer, (uint64_t)buffer->align_bytes, 8);
    plan_write(writer, buffer->is_fixed, 1);
    plan_write(writer,
               buffer->is_fixed ? (uint64_t)buffer->fixed_offset_bytes : 0, 8);
    plan_write(writer, (uint64_t)buffer->kind, 1);
    plan_write(writer, luna_plan_place_of(problem, i), 4);
  }
}

static void write_accesses(LunaPlanWriter *writer, const LunaProblem *problem) {
  plan_write(writer, problem->touches.count, 4);
  for (uint64_t i = 0; i < problem->touches.count; ++i) {
    LunaPlanTouch touch = problem->touches.items[i];
    plan_write(writer, touch.buffer, 4);
    plan_write(writer, touch.step, 4);
    plan_write(writer, touch.access, 1);
  }
  plan_write(writer, problem->moves.count, 4);
  for (uint64_t i = 0; i < problem->moves.count; ++i) {
    LunaPlanMove move = problem->moves.items[i];
    plan_write(writer, move.step, 4);
    plan_write(writer, move.from, 4);
    plan_write(writer, move.to, 4);
  }
  plan_write(writer, problem->pinned.count, 4);
  for (uint64_t i = 0; i < problem->pinned.count; ++i) {
    LunaPlanPinned pinned = problem->pinned.items[i];
    plan_write(writer, pinned.buffer, 4);
    plan_write(writer, pinned.steps.first, 4);
    plan_write(writer, pinned.steps.end, 4);
  }
}

void luna_plan_write_problem(LunaPlanWriter *writer,
                             const LunaProblem *problem) {
  write_nodes(writer, problem);
  write_buffers(writer, problem);
  write_accesses(writer, problem);
}

//===- The key ------------------------------------------------------------===//

static void write_options(LunaPlanWriter *writer,
                          const LunaPlanOptions *options,
                          uint64_t buffer_count) {
  luna_plan_write_text(writer, options->strategy ? options->strategy : "best");
  plan_write(writer, (uint64_t)options->merge, 1);
  plan_write(writer, options->any_that_fits, 1);
  luna_plan_write_text(writer, options->without ? options->without : "");
#define LUNA_KEY_STRING(member)
#define LUNA_KEY_CHOICE(member)
#define LUNA_KEY_BOOL(member) plan_write(writer, options->member, 1);
#define LUNA_KEY_BYTES(member)                                                 \
  plan_write(writer, options->member > 0 ? (uint64_t)options->member : 0, 8);
#define LUNA_KEY_COUNT(member) plan_write(writer, options->member, 8);
#define LUNA_PLAN_OPTION(ID, member, KIND, initial, name, value, choices,      \
                         text, help)                                           \
  LUNA_KEY_##KIND(member)
#define LUNA_PLAN_PASS_OPTION(ID, member, KIND, initial, name, text, command,  \
                              value, help)                                     \
  LUNA_KEY_##KIND(member)
#include "luna/plan_options.def"
  plan_write(writer, options->hint_offset_bytes != NULL, 1);
  for (uint64_t i = 0; options->hint_offset_bytes && i < buffer_count; ++i)
    plan_write(writer, (uint64_t)options->hint_offset_bytes[i], 8);
}

typedef struct Call {
  const LunaProblem *problem;
  const LunaPlanOptions *options;
  LunaPlanBytes *key;
} Call;

static bool call(void *context, LunaError *error) {
  const Call *self = context;
  LunaPlanOptions options;
  LunaPlanWriter writer = {.arena = self->problem->arena};
  if (!luna_plan_problem_validate(self->problem, error) ||
      !luna_plan_read_options(self->options, &options, error))
    return false;
  plan_write(&writer, KEY_FORMAT, 4);
  luna_plan_write_version(&writer);
  write_options(&writer, &options, self->problem->buffers.count);
  luna_plan_write_problem(&writer, self->problem);
  *self->key = (LunaPlanBytes){writer.bytes.items, writer.bytes.count};
  return true;
}

bool luna_plan_key(const LunaProblem *problem, const LunaPlanOptions *options,
                   LunaPlanBytes *key, LunaError *error) {
  Call self = {problem, options, key};
  return luna_arena_guard(problem->arena, NULL, "the key of a plan was made",
                          call, &self, error);
}
