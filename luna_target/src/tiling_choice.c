#include "tiling_choice.h"

#include "luna/chain_cost.h"
#include "luna/checked.h"
#include "luna/tiling.h"

int64_t luna_tiling_scratch_bytes(const LunaLaunchContext *context,
                                  int64_t elements, int64_t channels) {
  int64_t align = (int64_t)context->machine->alignment_bytes;
  align = align > 0 ? align : 1;
  int64_t tile_bytes = luna_align_up(4 * elements, align);
  int64_t bytes = context->finish == LUNA_FINISH_FUSED ? 0 : tile_bytes;
  if (luna_finish_has_calls(context->finish))
    bytes = luna_align_up(
        luna_chain_scratch_bytes(context->chain, elements, channels), align);
  if (context->has_sums && bytes < 2 * tile_bytes)
    bytes = 2 * tile_bytes;
  bool take_turns =
      context->slots > 1 && !luna_finish_has_calls(context->finish);
  return take_turns ? context->slots * bytes : bytes;
}

LunaTilingChoice luna_tiling_choice(void) {
  return (LunaTilingChoice){.least_scratch_bytes = INT64_MAX};
}

void luna_tiling_choice_destroy(LunaTilingChoice *choice) {
  luna_arena_destroy(&choice->arena);
}

static uint64_t cycles_of(const LunaTilingAnswer *answer) {
  return luna_cost_cycles(answer->cost);
}

static bool is_no_worse(const LunaTilingAnswer *a, const LunaTilingAnswer *b) {
  return cycles_of(a) <= cycles_of(b) && a->scratch_bytes <= b->scratch_bytes;
}

// Adds a tiling unless an earlier one is no worse, in place of those that it is
// no worse than.
static void keep(LunaTilingChoice *choice, const LunaTilingAnswer *answer) {
  LunaTilingAnswer *found = choice->found.items;
  uint64_t count = 0;
  for (uint64_t i = 0; i < choice->found.count; ++i)
    if (is_no_worse(&found[i], answer))
      return;
  for (uint64_t i = 0; i < choice->found.count; ++i)
    if (!is_no_worse(answer, &found[i]))
      found[count++] = found[i];
  choice->found.count = count;
  *LUNA_VECTOR_ADD(&choice->arena, &choice->found) = *answer;
  uint64_t cycles = cycles_of(answer);
  if (choice->is_found && cycles >= choice->best_cycles)
    return;
  choice->is_found = true;
  choice->best_cycles = choice->most_cycles = cycles;
  if (answer->scratch_bytes > 0)
    choice->most_cycles += cycles / LUNA_TILING_WORTH;
}

void luna_tiling_note_scratch(LunaTilingChoice *choice, int64_t scratch_bytes) {
  if (scratch_bytes < choice->least_scratch_bytes)
    choice->least_scratch_bytes = scratch_bytes;
}

// Returns the output channels of what is finished at once.
static int32_t finished_channels(const LunaLaunchContext *context,
                                 const LunaChannels *channels) {
  int64_t count = channels->out_tile;
  if (context->slots > 1 && luna_finish_has_calls(context->finish))
    count *= context->slots;
  return count < channels->out_extent ? (int32_t)count : channels->out_extent;
}

// Considers a tiling with so many slots of scratch.
static void consider(LunaTilingChoice *choice, const LunaTilingProblem *problem,
                     const LunaLaunchContext *context, const LunaTilingCut *cut,
                     LunaCost cost) {
  const LunaChannels *channels = cut->channels;
  int32_t finished = finished_channels(context, channels);
  int64_t scratch = luna_tiling_scratch_bytes(
      context, cut->places * finished,
      channels->kind == LUNA_LAUNCH_MATMUL ? cut->columns : finished);
  if (scratch > problem->scratch_limit_bytes) {
    luna_tiling_note_scratch(choice, scratch);
    return;
  }
  LunaTilingAnswer answer = {
      .tile_y = cut->y->tile_extent,
      .tile_x = cut->x->tile_extent,
      .block_y = cut->y->block_extent,
      .block_x = cut->x->block_extent,
      .out_c = channels->out_tile,
      .in_c = channels->in_block,
      .row_strips = cut->y->strips,
      .slots = context->slots,
      .finish = context->finish,
      .scratch_bytes = scratch,
      .cost = cost,
  };
  if (!choice->is_found || cycles_of(&answer) <= choice->most_cycles)
    keep(choice, &answer);
}

// Writes the numbers of slots with which the core may work beside the unit, and
// returns how many there are. Calls finish slots of one launch each, on planes.
static int slots_of(const LunaTilingProblem *problem,
                    const LunaLaunchContext *context, const LunaTilingCut *cut,
                    int32_t slots[2]) {
  int32_t channel_tiles = luna_channels_out_tiles(cut->channels);
  uint64_t places = cut->y_classes->of_tile.count *
                    cut->x_classes->of_tile.count * problem->batches *
                    (uint64_t)cut->channels->group_count;
  slots[0] = 2;
  slots[1] = channel_tiles;
  uint64_t tiles = places * (uint64_t)channel_tiles;
  if (context->finish == LUNA_FINISH_CORE)
    return tiles > 1 && tiles <= LUNA_SLOTS_TILES_MAX;
  if (cut->y->border.class_count == 0 || cut->y->strips == 0 ||
      context->has_sums || places > 1 || channel_tiles == 1)
    return 0;
  return channel_tiles > 2 ? 2 : 1;
}

static LunaCost cost_of(const LunaTilingProblem *problem,
                        const LunaLaunchContext *context,
                        const LunaTilingCut *cut) {
  return luna_classes_cost(context, cut->y_classes, cut->x_classes,
                           cut->channels, problem->batches);
}

void luna_tiling_consider(LunaTilingChoice *choice,
                          const LunaTilingProblem *problem,
                          const LunaLaunchContext *context,
                          const LunaTilingCut *cut) {
  LunaLaunchContext own = *context;
  int32_t slots[2];
  own.has_sums = cut->y_classes->needs_sums || cut->x_classes->needs_sums ||
                 luna_channels_in_blocks(cut->channels) > 1;
  own.slots = 1;
  if (!luna_chain_fits(context->machine, context->chain, cut->places, NULL))
    return;
  LunaCost cost = cost_of(problem, &own, cut);
  consider(choice, problem, &own, cut, cost);
  // Where slots take turns, neither the unit nor the core takes less.
  if (own.finish == LUNA_FINISH_CORE &&
      (cost.unit_cycles > choice->most_cycles ||
       cost.host_cycles > choice->most_cycles))
    return;
  for (int i = slots_of(problem, &own, cut, slots); i > 0; --i) {
    own.slots = slots[i - 1];
    consider(choice, problem, &own, cut, cost_of(problem, &own, cut));
  }
}

LunaTilingAnswer luna_tiling_taken(const LunaTilingChoice *choice) {
  const LunaTilingAnswer *found = choice->found.items;
  LunaTilingAnswer best = {.scratch_bytes = choice->least_scratch_bytes};
  for (uint64_t i = 0; i < choice->found.count; ++i)
    if (cycles_of(&found[i]) <= choice->most_cycles &&
        found[i].scratch_bytes < best.scratch_bytes)
      best = found[i];
  return best;
}
