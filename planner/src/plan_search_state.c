#include "plan_search_state.h"

#include <string.h>

#include "luna/checked.h"
#include "plan_sort.h"

#define NONE UINT32_MAX

static bool lies_below(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanPiece *pieces = context;
  return pieces[a].fixed < pieces[b].fixed;
}

// Lists for each row the ranges of those of `fixed` (by offset) in whose
// `rows_of` it is.
static LunaPlanRanges list_fixed(const LunaPlanSections *sections,
                                 const uint32_t *fixed, uint32_t fixed_count,
                                 const uint32_t *row_starts,
                                 const uint32_t *rows_of, uint32_t row_count,
                                 LunaArena *arena) {
  LunaPlanRanges list = {LUNA_ARENA_ARRAY(arena, uint32_t, row_count + 2),
                         NULL};
  // While a row is filled, starts[row + 1] is its end.
  uint32_t *ends = list.starts + 1;
  for (uint32_t i = 0; i < fixed_count; ++i)
    for (uint32_t k = row_starts[fixed[i]]; k < row_starts[fixed[i] + 1]; ++k)
      ++ends[rows_of[k] + 1];
  for (uint32_t row = 1; row <= row_count; ++row)
    ends[row] += ends[row - 1];
  list.ranges = LUNA_ARENA_ARRAY(arena, LunaPlanRange, ends[row_count]);
  for (uint32_t i = 0; i < fixed_count; ++i) {
    const LunaPlanPiece *piece = &sections->pieces[fixed[i]];
    for (uint32_t k = row_starts[fixed[i]]; k < row_starts[fixed[i] + 1]; ++k)
      list.ranges[ends[rows_of[k]]++] =
          (LunaPlanRange){piece->fixed, piece->fixed + piece->size};
  }
  return list;
}

// Fixed items are no part of the search, but lie in the way of others.
static void list_all_fixed(LunaPlanSearch *search, LunaArena *arena) {
  const LunaPlanSections *sections = &search->sections;
  LunaArena scratch = {0};
  uint32_t count = 0;
  uint32_t *fixed = LUNA_ARENA_ARRAY(&scratch, uint32_t, sections->item_count);
  for (uint32_t i = 0; i < sections->item_count; ++i)
    if (sections->pieces[i].fixed >= 0)
      fixed[count++] = i;
  search->has_fixed = count > 0;
  luna_plan_sort(fixed, count, lies_below, sections->pieces, &scratch);
  search->fixed_beside =
      list_fixed(sections, fixed, count, sections->neighbour_starts,
                 sections->neighbours_of, sections->item_count, arena);
  search->fixed_in =
      list_fixed(sections, fixed, count, sections->section_starts,
                 sections->sections_of, sections->section_count, arena);
  luna_arena_destroy(&scratch);
}

LunaPlanSearch *luna_plan_search_create(const LunaPlanItems *items,
                                        const uint32_t *members,
                                        uint32_t member_count,
                                        int64_t unit_bytes, LunaArena *arena) {
  LunaPlanSearch *search = LUNA_ARENA_ARRAY(arena, LunaPlanSearch, 1);
  luna_plan_sections_make(&search->sections, items, members, member_count,
                          unit_bytes, arena);
  uint32_t count = member_count, sections = search->sections.section_count;
  search->arena = arena;
  search->is_placed = LUNA_ARENA_ARRAY(arena, bool, count);
  search->offsets = LUNA_ARENA_ARRAY(arena, int64_t, count);
  search->low = LUNA_ARENA_ARRAY(arena, int64_t, count);
  search->totals = LUNA_ARENA_ARRAY(arena, int64_t, count);
  search->ranks = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  search->next = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  search->previous = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  search->killer = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  search->left = LUNA_ARENA_ARRAY(arena, int64_t, sections);
  search->limit = LUNA_ARENA_ARRAY(arena, int64_t, sections);
  search->unplaced_count = LUNA_ARENA_ARRAY(arena, uint32_t, sections);
  search->witness = LUNA_ARENA_ARRAY(arena, uint32_t, sections);
  search->crossing = LUNA_ARENA_ARRAY(arena, uint32_t, sections);
  search->witnessed =
      LUNA_ARENA_ARRAY(arena, uint64_t, search->sections.word_starts[count]);
  list_all_fixed(search, arena);
  search->memo_count = 1;
  while (search->memo_count < PLAN_MEMOS_PER_ITEM * (uint64_t)count &&
         search->memo_count < PLAN_MAX_MEMOS)
    search->memo_count *= 2;
  search->memos = LUNA_ARENA_ARRAY(arena, LunaPlanMemo, search->memo_count);
  return search;
}

uint32_t luna_plan_search_sections(const LunaPlanSearch *search,
                                   uint32_t member) {
  return search->sections.section_starts[member + 1] -
         search->sections.section_starts[member];
}

int64_t luna_plan_search_reach(const LunaPlanSearch *search) {
  return search->largest_placed_size;
}

uint32_t luna_plan_search_failed(const LunaPlanSearch *search,
                                 const uint32_t **members) {
  uint32_t section = search->failed_section;
  if (section == NONE)
    return 0;
  const uint32_t *starts = search->sections.member_starts;
  *members = &search->sections.members_of[starts[section]];
  return starts[section + 1] - starts[section];
}

static void note(LunaPlanSearch *search, LunaPlanChangeKind kind,
                 uint32_t index, int64_t old) {
  *LUNA_VECTOR_ADD(search->arena, &search->changes) =
      (LunaPlanChange){kind, index, old};
}

void luna_plan_state_push(LunaPlanSearch *search, uint32_t value) {
  *LUNA_VECTOR_ADD(search->arena, &search->stack) = value;
}

static void set_witness(LunaPlanSearch *search, uint32_t section,
                        uint32_t item) {
  const LunaPlanSections *sections = &search->sections;
  uint64_t mask = (uint64_t)1 << section % 64;
  uint32_t old = search->witness[section];
  if (old != NONE)
    search->witnessed[plan_section_word(sections, old, section)] &= ~mask;
  if (item != NONE)
    search->witnessed[plan_section_word(sections, item, section)] |= mask;
  search->witness[section] = item;
}

// Returns the highest offset at which `bytes` fit in a section, around what is
// fixed there.
static int64_t limit_of(const LunaPlanSearch *search, uint32_t section,
                        int64_t bytes) {
  const LunaPlanRanges *fixed = &search->fixed_in;
  int64_t top = search->capacity;
  for (uint32_t i = fixed->starts[section + 1]; i-- > fixed->starts[section];) {
    int64_t room = top - fixed->ranges[i].end;
    if (bytes <= room)
      break;
    bytes -= room;
    top = fixed->ranges[i].begin;
  }
  return top - bytes;
}

// Removes an item from the counts of its sections, or adds it back.
static void count_placed(LunaPlanSearch *search, uint32_t item,
                         bool is_placed) {
  const LunaPlanSections *sections = &search->sections;
  const LunaPlanPiece *piece = &sections->pieces[item];
  int64_t size = is_placed ? piece->size : -piece->size;
  uint32_t one = is_placed ? UINT32_MAX : 1;
  for (uint32_t i = sections->section_starts[item];
       i < sections->section_starts[item + 1]; ++i) {
    uint32_t section = sections->sections_of[i];
    search->left[section] -= size;
    search->limit[section] =
        search->has_fixed ? limit_of(search, section, search->left[section])
                          : search->limit[section] + size;
    search->unplaced_count[section] += one;
  }
  for (uint32_t k = piece->first_section; k < piece->last_section; ++k)
    search->crossing[k] += one;
  search->is_placed[item] = is_placed;
  search->placed_size += size;
}

void luna_plan_state_undo(LunaPlanSearch *search, uint64_t mark) {
  while (search->changes.count > mark) {
    LunaPlanChange change = search->changes.items[--search->changes.count];
    switch (change.kind) {
    case PLAN_CHANGE_LOW:
      search->low[change.index] = change.old;
      break;
    case PLAN_CHANGE_WITNESS:
      set_witness(search, change.index, (uint32_t)change.old);
      break;
    case PLAN_CHANGE_PLACED:
      count_placed(search, change.index, false);
      break;
    }
  }
}

// Finds an unplaced item that can be placed at the bottom of the rest of a
// section. Returns false if there is none: the rest cannot fit.
static bool renew_witness(LunaPlanSearch *search, uint32_t section) {
  const LunaPlanSections *sections = &search->sections;
  int64_t limit = search->limit[section];
  for (uint32_t i = sections->member_starts[section];
       i < sections->member_starts[section + 1]; ++i) {
    uint32_t item = sections->members_of[i];
    if (search->is_placed[item] || search->low[item] > limit)
      continue;
    note(search, PLAN_CHANGE_WITNESS, section, search->witness[section]);
    set_witness(search, section, item);
    return true;
  }
  return false;
}

// Renews the witness of every section for which `item` is no longer valid.
// Returns false if one has none, which is recorded for `placed`.
static bool renew_sections_of(LunaPlanSearch *search, uint32_t item,
                              uint32_t placed) {
  const LunaPlanPiece *piece = &search->sections.pieces[item];
  const uint64_t *bits = &search->witnessed[search->sections.word_starts[item]];
  for (uint32_t word = piece->first_section / 64;
       word <= piece->last_section / 64; ++word)
    for (uint64_t left = *bits++; left != 0; left &= left - 1) {
      uint64_t low_bit = left & (~left + 1);
      uint32_t section = 64 * word + plan_bit_index(low_bit);
      if (search->unplaced_count[section] == 0 ||
          (!search->is_placed[item] &&
           search->low[item] <= search->limit[section]))
        continue;
      if (!renew_witness(search, section)) {
        search->killer[placed] = section;
        search->failed_section = section;
        return false;
      }
    }
  return true;
}

// Returns the lowest offset from `top` on at which an item fits between fixed
// ones.
static int64_t raised(const LunaPlanSearch *search, uint32_t item,
                      int64_t top) {
  const LunaPlanPiece *piece = &search->sections.pieces[item];
  const LunaPlanRanges *fixed = &search->fixed_beside;
  int64_t low = piece->align <= 1 ? top : luna_align_up(top, piece->align);
  if (!search->has_fixed)
    return low;
  for (uint32_t i = fixed->starts[item];
       i < fixed->starts[item + 1] &&
       fixed->ranges[i].begin < low + piece->size;
       ++i)
    if (fixed->ranges[i].end > low)
      low = piece->align <= 1
                ? fixed->ranges[i].end
                : luna_align_up(fixed->ranges[i].end, piece->align);
  return low;
}

bool luna_plan_state_is_killed_again(const LunaPlanSearch *search,
                                     uint32_t item) {
  uint32_t section = search->killer[item];
  if (section == NONE)
    return false;
  const LunaPlanSections *sections = &search->sections;
  int64_t top = search->low[item] + sections->pieces[item].size;
  int64_t limit = search->limit[section];
  uint32_t unplaced = search->unplaced_count[section];
  if (plan_is_in_section(sections, item, section)) {
    limit = limit_of(search, section,
                     search->left[section] - sections->pieces[item].size);
    --unplaced;
  }
  if (unplaced == 0)
    return false;
  for (uint32_t i = sections->member_starts[section];
       i < sections->member_starts[section + 1]; ++i) {
    uint32_t other = sections->members_of[i];
    if (other == item || search->is_placed[other])
      continue;
    int64_t low = search->low[other];
    if (low < top && plan_are_neighbours(sections, item, other))
      low = raised(search, other, top);
    if (low <= limit)
      return false;
  }
  return true;
}

bool luna_plan_state_place(LunaPlanSearch *search, uint32_t item) {
  const LunaPlanSections *sections = &search->sections;
  const LunaPlanPiece *pieces = sections->pieces;
  search->offsets[item] = search->low[item];
  int64_t top = search->low[item] + pieces[item].size;
  note(search, PLAN_CHANGE_PLACED, item, 0);
  count_placed(search, item, true);
  uint64_t first_change = search->changes.count;
  for (uint32_t i = sections->neighbour_starts[item];
       i < sections->neighbour_starts[item + 1]; ++i) {
    uint32_t other = sections->neighbours_of[i];
    if (search->is_placed[other] || search->low[other] >= top)
      continue;
    int64_t low = raised(search, other, top);
    if (low + pieces[other].size > search->capacity)
      return false;
    note(search, PLAN_CHANGE_LOW, other, search->low[other]);
    search->low[other] = low;
  }
  if (!renew_sections_of(search, item, item))
    return false;
  uint64_t end_change = search->changes.count;
  for (uint64_t i = first_change; i < end_change; ++i)
    if (search->changes.items[i].kind == PLAN_CHANGE_LOW &&
        !renew_sections_of(search, search->changes.items[i].index, item))
      return false;
  if (search->largest_placed_size < search->placed_size) {
    search->largest_placed_size = search->placed_size;
    search->largest_at_step = search->steps;
  }
  return true;
}

bool luna_plan_state_has_neighbour(const LunaPlanSearch *search,
                                   uint32_t item) {
  const LunaPlanSections *sections = &search->sections;
  for (uint32_t i = sections->neighbour_starts[item];
       i < sections->neighbour_starts[item + 1]; ++i)
    if (!search->is_placed[sections->neighbours_of[i]])
      return true;
  return false;
}

// Adds an item to the counts of its sections.
static void count_unplaced(LunaPlanSearch *search, uint32_t item) {
  const LunaPlanSections *sections = &search->sections;
  const LunaPlanPiece *piece = &sections->pieces[item];
  for (uint32_t i = sections->section_starts[item];
       i < sections->section_starts[item + 1]; ++i) {
    search->left[sections->sections_of[i]] += piece->size;
    ++search->unplaced_count[sections->sections_of[i]];
  }
  for (uint32_t k = piece->first_section; k < piece->last_section; ++k)
    ++search->crossing[k];
}

bool luna_plan_state_start(LunaPlanSearch *search, int64_t capacity) {
  const LunaPlanSections *sections = &search->sections;
  search->capacity = capacity;
  search->placed_size = 0;
  search->largest_placed_size = 0;
  search->largest_at_step = 0;
  search->failed_section = NONE;
  search->changes.count = 0;
  search->stack.count = 0;
  memset(search->witnessed, 0,
         sizeof(uint64_t) * sections->word_starts[sections->item_count]);
  memset(search->crossing, 0, sizeof(uint32_t) * sections->section_count);
  for (uint32_t k = 0; k < sections->section_count; ++k) {
    search->left[k] = 0;
    search->unplaced_count[k] = 0;
    search->witness[k] = NONE;
  }
  for (uint32_t item = 0; item < sections->item_count; ++item) {
    const LunaPlanPiece *piece = &sections->pieces[item];
    bool is_fixed = piece->fixed >= 0;
    search->is_placed[item] = is_fixed;
    search->low[item] = is_fixed ? piece->fixed : raised(search, item, 0);
    search->offsets[item] = search->low[item];
    search->killer[item] = NONE;
    if (search->low[item] + piece->size > capacity)
      return false;
    if (!is_fixed)
      count_unplaced(search, item);
  }
  for (uint32_t k = 0; k < sections->section_count; ++k)
    search->limit[k] = limit_of(search, k, search->left[k]);
  for (uint32_t k = 0; k < sections->section_count; ++k)
    if (search->unplaced_count[k] > 0 && !renew_witness(search, k))
      return false;
  search->changes.count = 0;
  return true;
}
