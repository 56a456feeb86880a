#include "plan_sections.h"

#include <string.h>

// Calls visit(item, section) for every item of every section. A set of live
// ranges is a section if one of them ends before the next begins; otherwise the
// set at that next point contains it.
static uint32_t sweep(const LunaPlanSweep *all, LunaArena *arena,
                      void (*visit)(LunaPlanSections *sections, uint32_t item,
                                    uint32_t section),
                      LunaPlanSections *sections) {
  uint32_t *active = LUNA_ARENA_ARRAY(arena, uint32_t, all->count);
  uint32_t active_count = 0, section = 0;
  for (uint32_t i = 0; i < all->count;) {
    uint32_t point = all->ranges[all->by_first[i]].steps.first, kept = 0;
    for (uint32_t k = 0; k < active_count; ++k)
      if (all->ranges[active[k]].steps.end > point)
        active[kept++] = active[k];
    while (i < all->count && all->ranges[all->by_first[i]].steps.first == point)
      active[kept++] = all->by_first[i++];
    active_count = kept;
    uint32_t next =
        i < all->count ? all->ranges[all->by_first[i]].steps.first : UINT32_MAX;
    bool is_section = false;
    for (uint32_t k = 0; k < active_count; ++k)
      is_section |= all->ranges[active[k]].steps.end <= next;
    for (uint32_t k = 0; is_section && k < active_count; ++k)
      visit(sections, all->ranges[active[k]].item, section);
    section += is_section;
  }
  return section;
}

static void count_pair(LunaPlanSections *sections, uint32_t item,
                       uint32_t section) {
  ++sections->section_starts[item];
  ++sections->member_starts[section];
}

static void store_pair(LunaPlanSections *sections, uint32_t item,
                       uint32_t section) {
  sections->sections_of[sections->section_starts[item]++] = section;
  sections->members_of[sections->member_starts[section]++] = item;
}

// Converts counts into starts; returns the total.
static uint32_t starts_of(uint32_t *counts, uint32_t count) {
  uint32_t total = 0;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t own = counts[i];
    counts[i] = total;
    total += own;
  }
  counts[count] = total;
  return total;
}

// Restores the starts after filling, which advanced each to the end of its row.
static void rewind_starts(uint32_t *starts, uint32_t count) {
  for (uint32_t i = count; i > 0; --i)
    starts[i] = starts[i - 1];
  starts[0] = 0;
}

static void make_pieces(LunaPlanSections *sections, const LunaPlanItems *items,
                        const uint32_t *members, int64_t unit_bytes) {
  for (uint32_t i = 0; i < sections->item_count; ++i) {
    const LunaPlanItem *item = &items->items[members[i]];
    uint32_t start = sections->section_starts[i];
    uint32_t end = sections->section_starts[i + 1];
    sections->pieces[i] = (LunaPlanPiece){
        .size = item->size_bytes / unit_bytes,
        .align =
            item->align_bytes > unit_bytes ? item->align_bytes / unit_bytes : 1,
        .fixed = item->fixed_offset_bytes >= 0
                     ? item->fixed_offset_bytes / unit_bytes
                     : -1,
        .first_section = sections->sections_of[start],
        .last_section = sections->sections_of[end - 1],
        .is_whole =
            sections->sections_of[end - 1] - sections->sections_of[start] ==
            end - start - 1,
    };
  }
}

static void make_bit_sets(LunaPlanSections *sections, LunaArena *arena) {
  uint64_t total = 0;
  sections->word_starts =
      LUNA_ARENA_ARRAY(arena, uint64_t, sections->item_count + 1);
  for (uint32_t i = 0; i < sections->item_count; ++i) {
    const LunaPlanPiece *piece = &sections->pieces[i];
    sections->word_starts[i] = total;
    total += piece->last_section / 64 - piece->first_section / 64 + 1;
  }
  sections->word_starts[sections->item_count] = total;
  sections->lives_in = LUNA_ARENA_ARRAY(arena, uint64_t, total);
  for (uint32_t i = 0; i < sections->item_count; ++i)
    for (uint32_t k = sections->section_starts[i];
         k < sections->section_starts[i + 1]; ++k) {
      uint32_t section = sections->sections_of[k];
      sections->lives_in[plan_section_word(sections, i, section)] |=
          (uint64_t)1 << section % 64;
    }
}

// Takes the neighbours among the members from the lists of all items.
static void make_neighbours(LunaPlanSections *sections,
                            const LunaPlanItems *items, const uint32_t *members,
                            LunaArena *scratch, LunaArena *arena) {
  uint32_t count = sections->item_count, total = 0;
  uint32_t *member_of = LUNA_ARENA_ARRAY(scratch, uint32_t, items->count);
  memset(member_of, 0xff, sizeof(uint32_t) * items->count);
  uint64_t room = 0;
  for (uint32_t i = 0; i < count; ++i) {
    member_of[members[i]] = i;
    room += items->neighbour_starts[members[i] + 1] -
            items->neighbour_starts[members[i]];
  }
  sections->neighbour_starts = LUNA_ARENA_ARRAY(arena, uint32_t, count + 1);
  sections->neighbours_of = LUNA_ARENA_ARRAY(arena, uint32_t, room);
  for (uint32_t i = 0; i < count; ++i) {
    sections->neighbour_starts[i] = total;
    for (uint64_t k = items->neighbour_starts[members[i]];
         k < items->neighbour_starts[members[i] + 1]; ++k) {
      uint32_t other = member_of[items->neighbours[k]];
      if (other != UINT32_MAX)
        sections->neighbours_of[total++] = other;
    }
  }
  sections->neighbour_starts[count] = total;
}

void luna_plan_sections_make(LunaPlanSections *sections,
                             const LunaPlanItems *items,
                             const uint32_t *members, uint32_t member_count,
                             int64_t unit_bytes, LunaArena *arena) {
  LunaArena scratch = {0};
  LunaPlanSweep all = luna_plan_sweep(items, members, member_count, &scratch);
  *sections = (LunaPlanSections){.item_count = member_count};
  sections->pieces = LUNA_ARENA_ARRAY(arena, LunaPlanPiece, member_count);
  sections->section_starts =
      LUNA_ARENA_ARRAY(arena, uint32_t, member_count + 1);
  sections->member_starts = LUNA_ARENA_ARRAY(arena, uint32_t, all.count + 1);
  sections->section_count = sweep(&all, &scratch, count_pair, sections);
  uint32_t pairs = starts_of(sections->section_starts, member_count);
  starts_of(sections->member_starts, sections->section_count);
  sections->sections_of = LUNA_ARENA_ARRAY(arena, uint32_t, pairs);
  sections->members_of = LUNA_ARENA_ARRAY(arena, uint32_t, pairs);
  sweep(&all, &scratch, store_pair, sections);
  rewind_starts(sections->section_starts, member_count);
  rewind_starts(sections->member_starts, sections->section_count);
  make_pieces(sections, items, members, unit_bytes);
  make_bit_sets(sections, arena);
  make_neighbours(sections, items, members, &scratch, arena);
  luna_arena_destroy(&scratch);
}
