#include "draft.h"

void luna_schedule_model(const LunaModel *model, const LunaSchedule *schedule,
                         LunaArena *arena, LunaModel *decided) {
  LunaDraftModel out;
  LunaDraft *draft = draft_create(model, NULL);
  for (uint64_t i = 0; i < schedule->decisions.count; ++i)
    draft_decide(draft, schedule->decisions.items[i]);
  draft_model(draft, arena, &out);
  *decided = out.model;
  draft_destroy(draft);
}
