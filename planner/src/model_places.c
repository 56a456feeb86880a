#include "model_places.h"

static LunaModelId find_place(const LunaModelProblem *view,
                              LunaModelId buffer) {
  while (view->place_of[buffer] != buffer)
    buffer = view->place_of[buffer];
  return buffer;
}

// Returns the first buffer of what a slice may be if all of it is one place and
// allocated within `branches`, else LUNA_MODEL_NONE.
static LunaModelId one_place_in(const LunaModelProblem *view, LunaModelId slice,
                                LunaModelId branches) {
  const LunaModel *model = view->model;
  const LunaModelValue *value =
      &model->values.items[model->slices.items[slice].value];
  if (value->source_count == 0)
    return LUNA_MODEL_NONE;
  const LunaModelId *sources = &model->sources.items[value->first_source];
  for (uint32_t i = 0; i < value->source_count; ++i)
    if (find_place(view, sources[i]) != find_place(view, sources[0]) ||
        !luna_model_is_within(model, model->values.items[sources[i]].step,
                              branches) ||
        view->buffer_of[sources[i]] == LUNA_NO_BUFFER)
      return LUNA_MODEL_NONE;
  return sources[0];
}

// Returns true if branches around two buffers run only one of their
// allocations.
static bool are_exclusive(const LunaModel *model, LunaModelId a,
                          LunaModelId b) {
  const LunaModelStep *steps = model->steps.items;
  LunaModelId other = model->values.items[b].step;
  LunaModelId body = model->values.items[a].step;
  body = body == 0 ? 0 : steps[body].parent;
  while (steps[body].parent != LUNA_MODEL_NONE &&
         !luna_model_is_within(model, other, steps[body].parent))
    body = steps[steps[body].parent].parent;
  return steps[body].parent != LUNA_MODEL_NONE &&
         steps[steps[body].parent].kind == LUNA_MODEL_BRANCHES &&
         !luna_model_is_within(model, other, body);
}

// Returns true if no buffer of one place is live together with one of the
// other.
static bool can_share(const LunaModelProblem *view, LunaModelId a,
                      LunaModelId b) {
  uint32_t count = view->model->buffer_count;
  for (LunaModelId i = 0; i < count; ++i)
    for (LunaModelId j = 0; find_place(view, i) == a && j < count; ++j)
      if (find_place(view, j) == b && !are_exclusive(view->model, i, j))
        return false;
  return true;
}

// Returns the edges at the end of a body.
static const LunaModelStep *pass_of(const LunaModel *model, LunaModelId body) {
  const LunaModelStep *last = &model->steps.items[body];
  for (LunaModelId id = body + 1; id < model->steps.items[body].end;
       id = model->steps.items[id].end)
    last = &model->steps.items[id];
  return last;
}

// Returns the buffer that a body passes on as result `number`, or
// LUNA_MODEL_NONE.
static LunaModelId passed_by(const LunaModelProblem *view, LunaModelId branches,
                             LunaModelId body, uint32_t number) {
  const LunaModelStep *pass = pass_of(view->model, body);
  return pass->kind == LUNA_MODEL_PASS && number < pass->edge_count
             ? one_place_in(
                   view,
                   view->model->edges.items[pass->first_edge + number].from,
                   branches)
             : LUNA_MODEL_NONE;
}

// Returns true if all branches pass on places of one size.
static bool have_places(const LunaModelProblem *view, LunaModelId branches,
                        uint32_t number) {
  const LunaModelStep *steps = view->model->steps.items;
  const LunaModelValue *values = view->model->values.items;
  LunaModelId first = passed_by(view, branches, branches + 1, number);
  for (LunaModelId body = branches + 1; body < steps[branches].end;
       body = steps[body].end) {
    LunaModelId buffer = passed_by(view, branches, body, number);
    if (buffer == LUNA_MODEL_NONE ||
        values[buffer].bytes != values[first].bytes)
      return false;
  }
  return true;
}

static void share_result(LunaModelProblem *view, LunaModelId branches,
                         uint32_t number) {
  const LunaModelStep *steps = view->model->steps.items;
  if (!have_places(view, branches, number))
    return;
  LunaModelId first = passed_by(view, branches, branches + 1, number);
  for (LunaModelId body = steps[branches + 1].end; body < steps[branches].end;
       body = steps[body].end) {
    LunaModelId a = find_place(view, first);
    LunaModelId b = find_place(view, passed_by(view, branches, body, number));
    if (a == b || !can_share(view, a, b))
      continue;
    luna_problem_alias(view->problem, view->buffer_of[a], view->buffer_of[b]);
    view->place_of[a < b ? b : a] = a < b ? a : b;
  }
}

static void share_within(LunaModelProblem *view, LunaModelId outer) {
  const LunaModelStep *steps = view->model->steps.items;
  for (LunaModelId id = outer + 1; id < steps[outer].end; id = steps[id].end) {
    if (steps[id].end > id + 1)
      share_within(view, id);
    if (steps[id].kind != LUNA_MODEL_BRANCHES)
      continue;
    uint32_t count = pass_of(view->model, id + 1)->edge_count;
    for (uint32_t i = 0; i < count; ++i)
      share_result(view, id, i);
  }
}

void luna_share_branch_places(LunaModelProblem *view, LunaModelId body) {
  share_within(view, body);
  for (LunaModelId i = 0; i < view->model->buffer_count; ++i)
    view->place_of[i] = find_place(view, i);
}
