#include "plan_move_places.h"

#include "plan_copy_price.h"
#include "plan_sort.h"

bool luna_plan_are_apart(const LunaPlanApart *apart, uint32_t a, uint32_t b) {
  return apart->bits[(uint64_t)a * apart->words + b / 64] >> b % 64 & 1;
}

void luna_plan_keep_apart(LunaPlanApart *apart, uint32_t a, uint32_t b) {
  apart->bits[(uint64_t)a * apart->words + b / 64] |= (uint64_t)1 << b % 64;
  apart->bits[(uint64_t)b * apart->words + a / 64] |= (uint64_t)1 << a % 64;
}

LunaPlanApart luna_plan_apart_make(uint32_t place_count, LunaArena *arena) {
  uint32_t words = (place_count + 63) / 64;
  return (LunaPlanApart){
      LUNA_ARENA_ARRAY(arena, uint64_t, (uint64_t)place_count *words), words};
}

// Numbers the places of buffers that move.
static void find_places(LunaPlanMovePlaces *self,
                        const LunaPlanSharing *sharing) {
  const LunaProblem *problem = self->problem;
  uint32_t count = (uint32_t)problem->buffers.count;
  self->place_of = LUNA_ARENA_ARRAY(self->arena, uint32_t, count);
  self->buffers = LUNA_ARENA_ARRAY(self->arena, uint32_t, count);
  for (uint32_t id = 0; id < count; ++id) {
    if (sharing->members[id] == PLAN_NONE)
      continue;
    uint32_t place = luna_plan_place_of(problem, id);
    if (place == id) {
      self->place_of[id] = self->count;
      self->buffers[self->count++] = id;
    } else {
      self->place_of[id] = self->place_of[place];
    }
  }
  self->apart = luna_plan_apart_make(self->count, self->arena);
}

// Returns what the aliases at each place take: their kind, and the largest size
// and alignment.
static LunaBuffer *shapes_of_places(LunaPlanMovePlaces *self,
                                    const LunaPlanSharing *sharing) {
  LunaBuffer *shapes = LUNA_ARENA_ARRAY(self->arena, LunaBuffer, self->count);
  for (uint32_t i = 0; i < sharing->count; ++i) {
    const LunaBuffer *buffer =
        &self->problem->buffers.items[sharing->buffers[i]];
    uint32_t place = self->place_of[sharing->buffers[i]];
    LunaBuffer *shape = &shapes[place];
    shape->kind = self->problem->buffers.items[self->buffers[place]].kind;
    if (shape->size_bytes < buffer->size_bytes)
      shape->size_bytes = buffer->size_bytes;
    if (shape->align_bytes < buffer->align_bytes)
      shape->align_bytes = buffer->align_bytes;
    if (buffer->is_fixed) {
      shape->is_fixed = true;
      shape->fixed_offset_bytes = buffer->fixed_offset_bytes;
    }
  }
  return shapes;
}

static bool have_one_shape(const LunaBuffer *a, const LunaBuffer *b) {
  return a->size_bytes == b->size_bytes && a->align_bytes == b->align_bytes &&
         a->kind == b->kind && a->is_fixed == b->is_fixed &&
         a->fixed_offset_bytes == b->fixed_offset_bytes;
}

// Keeps apart what contents or shapes keep apart, within groups: nothing else
// is ever joined.
static void find_conflicts(LunaPlanMovePlaces *self,
                           const LunaPlanSharing *sharing) {
  const LunaBuffer *shapes = shapes_of_places(self, sharing);
  for (uint32_t a = 0; a < sharing->count; ++a)
    for (uint32_t b = sharing->group_first[a]; b < a; ++b) {
      uint32_t place_a = self->place_of[sharing->buffers[a]];
      uint32_t place_b = self->place_of[sharing->buffers[b]];
      if (place_a != place_b &&
          (luna_plan_sharing_differ(sharing, a, b) ||
           !have_one_shape(&shapes[place_a], &shapes[place_b])))
        luna_plan_keep_apart(&self->apart, place_a, place_b);
    }
}

static bool connects_before(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanMovePair *pairs = context;
  return pairs[a].a != pairs[b].a ? pairs[a].a < pairs[b].a
                                  : pairs[a].b < pairs[b].b;
}

static bool is_dearer(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanMovePair *pairs = context;
  return pairs[a].cycles != pairs[b].cycles
             ? pairs[a].cycles > pairs[b].cycles
             : pairs[a].first_move < pairs[b].first_move;
}

// Sorts pairs in place.
static void sort_pairs(LunaPlanMovePlaces *self, LunaPlanBefore before) {
  uint32_t *order = LUNA_ARENA_ARRAY(self->arena, uint32_t, self->pair_count);
  LunaPlanMovePair *sorted =
      LUNA_ARENA_ARRAY(self->arena, LunaPlanMovePair, self->pair_count);
  for (uint32_t i = 0; i < self->pair_count; ++i)
    order[i] = i;
  luna_plan_sort(order, self->pair_count, before, self->pairs, self->arena);
  for (uint32_t i = 0; i < self->pair_count; ++i)
    sorted[i] = self->pairs[order[i]];
  self->pairs = sorted;
}

static LunaPlanMovePair pair_of(const LunaPlanMovePlaces *self,
                                LunaMoveId move) {
  uint32_t from = self->place_of[self->problem->moves.items[move].from];
  uint32_t to = self->place_of[self->problem->moves.items[move].to];
  return (LunaPlanMovePair){.a = from < to ? from : to,
                            .b = from < to ? to : from,
                            .cycles =
                                luna_plan_copy_cycles(self->options, move),
                            .first_move = move};
}

static void find_pairs(LunaPlanMovePlaces *self) {
  uint32_t moves = (uint32_t)self->problem->moves.count;
  self->pairs = LUNA_ARENA_ARRAY(self->arena, LunaPlanMovePair, moves);
  for (LunaMoveId move = 0; move < moves; ++move) {
    self->pairs[self->pair_count] = pair_of(self, move);
    self->pair_count +=
        self->pairs[self->pair_count].a != self->pairs[self->pair_count].b;
  }
  sort_pairs(self, connects_before);
  uint32_t merged = 0;
  for (uint32_t i = 0; i < self->pair_count; ++i) {
    LunaPlanMovePair *last = merged > 0 ? &self->pairs[merged - 1] : NULL;
    if (last && last->a == self->pairs[i].a && last->b == self->pairs[i].b)
      last->cycles = luna_plan_add_cycles(last->cycles, self->pairs[i].cycles);
    else
      self->pairs[merged++] = self->pairs[i];
  }
  self->pair_count = merged;
  sort_pairs(self, is_dearer);
}

LunaPlanMovePlaces luna_plan_move_places_make(
    const LunaProblem *problem, const LunaLifetime *lifetimes,
    const LunaCoalesceOptions *options, LunaArena *arena) {
  LunaPlanSharing sharing = luna_plan_sharing_make(problem, lifetimes, arena);
  LunaPlanMovePlaces self = {
      .problem = problem, .options = options, .arena = arena};
  find_places(&self, &sharing);
  find_conflicts(&self, &sharing);
  find_pairs(&self);
  return self;
}
