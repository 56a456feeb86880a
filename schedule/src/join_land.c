#include "joins.h"

LunaValue *draft_land_result(LunaValue *result) {
  LunaOp *branch = result->op;
  LunaValue *place = draft_allocate(branch, result);
  for (uint32_t i = 0; i < branch->block_count; ++i) {
    LunaUse *edge = draft_edge(result, i);
    draft_copy(edge->op, edge->value, place);
    draft_set_operand(edge->op, edge->number, place);
  }
  draft_replace(result, place);
  return place;
}

//===----------------------------------------------------------------------===//
// All results that land without a copy
//===----------------------------------------------------------------------===//

// A copy to where a result lands.
typedef struct Landed {
  LunaModelId result;
  LunaOp *copy;
} Landed;

typedef struct Landing {
  LunaArena arena;
  bool *is_pointer; // by value: whether it does not land
  LUNA_VECTOR(Landed) copies;
} Landing;

// Returns true if all that a result may be is on chip.
static bool may_land(const Landing *landing, const LunaValue *result) {
  bool may = result->first_use && !landing->is_pointer[result->id];
  for (uint32_t edge = 0; may && edge < draft_edge_count(result); ++edge) {
    const LunaValue *source = draft_source(result, edge);
    may = source->slice.is_on_chip && draft_same_type(source, result);
  }
  return may;
}

static void land(Landing *landing, LunaValue *result) {
  const LunaValue *place = draft_land_result(result);
  for (const LunaUse *use = place->first_use; use; use = use->next)
    if (draft_is_copy(use->op) && use->number == 1)
      *LUNA_VECTOR_ADD(&landing->arena, &landing->copies) =
          (Landed){result->id, use->op};
}

static bool land_results(LunaOp *op, void *data) {
  uint32_t count = draft_is_branch(op) ? op->result_count : 0;
  for (uint32_t i = 0; i < count; ++i)
    if (may_land(data, op->results[i]))
      land(data, op->results[i]);
  return true;
}

// Returns true if some results are still copied: pointers from now on.
static bool find_pointers(const Landing *landing) {
  bool has_some = false;
  for (uint64_t i = 0; i < landing->copies.count; ++i) {
    const Landed *landed = &landing->copies.items[i];
    if (landed->copy->block)
      has_some = landing->is_pointer[landed->result] = true;
  }
  return has_some;
}

// What lands is found by what coalesces first, and confirmed by the search.
bool draft_coalesce(LunaDraft **draft, LunaError *error) {
  Landing landing = {.copies = {0}};
  LunaDraft *next = NULL;
  bool is_ok = true, is_found = false, is_last = false;
  landing.is_pointer =
      LUNA_ARENA_ARRAY(&landing.arena, bool, (*draft)->values.count);
  while (is_ok && !(is_found && is_last)) {
    draft_destroy(next);
    next = draft_clone(*draft);
    landing.copies.count = 0;
    draft_walk(next, land_results, &landing);
    is_last = is_found || landing.copies.count == 0;
    is_ok = draft_unify_copies(next, is_last, error);
    is_found = is_ok && !find_pointers(&landing);
  }
  luna_arena_destroy(&landing.arena);
  draft_destroy(*draft);
  *draft = next;
  draft_forward_buffers(next);
  return is_ok;
}
