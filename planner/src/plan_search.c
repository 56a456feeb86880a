#include "plan_search.h"

#include <string.h>

#include "luna/checked.h"
#include "plan_sections.h"

#define NONE UINT32_MAX

// What can be taken back: a lowest offset that rose, a section that got
// another witness, an item that was placed.
typedef enum ChangeKind { CHANGE_LOW, CHANGE_WITNESS, CHANGE_PLACED } Kind;

typedef struct Change {
  Kind kind;
  uint32_t index;
  int64_t old;
} Change;

// A sub-problem: the unplaced items in the sections [first, end), which meet
// no unplaced item outside.
typedef struct Part {
  uint32_t first_section, end_section;
  // Members by rank: on the stack from here on.
  uint64_t member_base;
  uint32_t member_count;
  // First of the unplaced members, linked by `next` and `previous`.
  uint32_t head;
} Part;

// A failed sub-problem: two hashes of its items and their lowest offsets.
typedef struct Memo {
  uint64_t key, check;
} Memo;

enum { MEMO_COUNT = 1 << 15 };

struct PlanSearch {
  PlanSections sections;
  LunaArena *arena;
  int64_t capacity;
  const PlanOrder *order;
  uint64_t steps, step_limit;
  // Per item.
  bool *is_placed;
  int64_t *offsets, *low;
  // Per item, of the part that it is in: heaviest section, and rank.
  int64_t *totals;
  uint32_t *ranks;
  uint32_t *next, *previous, *killer;
  // Per section: highest offset at which its unplaced items still fit, their
  // number, and one of them that can lie there.
  int64_t *limit;
  uint32_t *unplaced_count, *witness;
  // Unplaced items that live on both sides of the end of each section.
  uint32_t *crossing;
  // Sections of which each item is the witness, a bit each.
  uint64_t *witnessed;
  Change *changes;
  uint64_t change_count, change_room;
  // Stack of candidates and of members of parts.
  uint32_t *stack;
  uint64_t stack_count, stack_room;
  Memo *memos;
};

PlanSearch *plan_search_create(const PlanItems *items, const uint32_t *members,
                               uint32_t member_count, int64_t unit_bytes,
                               LunaArena *arena) {
  PlanSearch *search = LUNA_ARENA_ARRAY(arena, PlanSearch, 1);
  plan_sections_make(&search->sections, items, members, member_count,
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
  search->limit = LUNA_ARENA_ARRAY(arena, int64_t, sections);
  search->unplaced_count = LUNA_ARENA_ARRAY(arena, uint32_t, sections);
  search->witness = LUNA_ARENA_ARRAY(arena, uint32_t, sections);
  search->crossing = LUNA_ARENA_ARRAY(arena, uint32_t, sections);
  uint64_t words = search->sections.words_per_item;
  search->witnessed = LUNA_ARENA_ARRAY(arena, uint64_t, words *count);
  search->memos = LUNA_ARENA_ARRAY(arena, Memo, MEMO_COUNT);
  return search;
}

uint32_t plan_search_sections(const PlanSearch *search, uint32_t member) {
  return search->sections.section_starts[member + 1] -
         search->sections.section_starts[member];
}

static void note(PlanSearch *search, Kind kind, uint32_t index, int64_t old) {
  if (search->change_count == search->change_room) {
    uint64_t room = search->change_room == 0 ? 1024 : 2 * search->change_room;
    search->changes =
        luna_arena_grow(search->arena, search->changes, search->change_count,
                        room, sizeof(Change));
    search->change_room = room;
  }
  search->changes[search->change_count++] = (Change){kind, index, old};
}

static void push(PlanSearch *search, uint32_t value) {
  if (search->stack_count == search->stack_room) {
    uint64_t room = search->stack_room == 0 ? 4096 : 2 * search->stack_room;
    search->stack =
        luna_arena_grow(search->arena, search->stack, search->stack_count, room,
                        sizeof(uint32_t));
    search->stack_room = room;
  }
  search->stack[search->stack_count++] = value;
}

static void set_witness(PlanSearch *search, uint32_t section, uint32_t item) {
  uint64_t words = search->sections.words_per_item;
  uint64_t mask = (uint64_t)1 << section % 64;
  uint32_t old = search->witness[section];
  if (old != NONE)
    search->witnessed[words * old + section / 64] &= ~mask;
  if (item != NONE)
    search->witnessed[words * item + section / 64] |= mask;
  search->witness[section] = item;
}

// Whether an item is to be tried before another at the same offset.
static bool ranks_before(const PlanSearch *search, uint32_t a, uint32_t b) {
  const PlanOrder *order = search->order;
  if (order->is_by_total && search->totals[a] != search->totals[b])
    return search->totals[a] > search->totals[b];
  if (order->first_keys[a] != order->first_keys[b])
    return order->first_keys[a] > order->first_keys[b];
  if (order->second_keys[a] != order->second_keys[b])
    return order->second_keys[a] > order->second_keys[b];
  return a < b;
}

// Gives the members of a part their totals and ranks and puts them in order.
static void rank_members(PlanSearch *search, const Part *part) {
  const PlanSections *sections = &search->sections;
  uint32_t *members = search->stack + part->member_base;
  for (uint32_t i = 0; i < part->member_count; ++i) {
    int64_t total = 0;
    uint32_t item = members[i];
    for (uint32_t k = sections->section_starts[item];
         k < sections->section_starts[item + 1]; ++k) {
      int64_t own = search->capacity - search->limit[sections->sections_of[k]];
      total = total < own ? own : total;
    }
    search->totals[item] = total;
  }
  // Shell sort: in place, and quick on what is nearly sorted.
  for (uint32_t gap = part->member_count / 2; gap > 0; gap /= 2)
    for (uint32_t i = gap; i < part->member_count; ++i) {
      uint32_t moving = members[i], at = i;
      for (; at >= gap && ranks_before(search, moving, members[at - gap]);
           at -= gap)
        members[at] = members[at - gap];
      members[at] = moving;
    }
  for (uint32_t i = 0; i < part->member_count; ++i)
    search->ranks[members[i]] = i;
}

static void link_members(PlanSearch *search, Part *part) {
  uint32_t last = NONE;
  part->head = NONE;
  for (uint32_t i = 0; i < part->member_count; ++i) {
    uint32_t item = search->stack[part->member_base + i];
    if (search->is_placed[item])
      continue;
    search->previous[item] = last;
    if (last == NONE)
      part->head = item;
    else
      search->next[last] = item;
    last = item;
  }
  if (last != NONE)
    search->next[last] = NONE;
}

static void unlink_member(PlanSearch *search, Part *part, uint32_t item) {
  uint32_t next = search->next[item], previous = search->previous[item];
  if (previous == NONE)
    part->head = next;
  else
    search->next[previous] = next;
  if (next != NONE)
    search->previous[next] = previous;
}

static void relink_member(PlanSearch *search, Part *part, uint32_t item) {
  uint32_t next = search->next[item], previous = search->previous[item];
  if (previous == NONE)
    part->head = item;
  else
    search->next[previous] = item;
  if (next != NONE)
    search->previous[next] = item;
}

// Counts an item out of (or back into) its sections.
static void count_placed(PlanSearch *search, uint32_t item, bool is_placed) {
  const PlanSections *sections = &search->sections;
  const PlanPiece *piece = &sections->pieces[item];
  int64_t size = is_placed ? piece->size : -piece->size;
  uint32_t one = is_placed ? UINT32_MAX : 1;
  for (uint32_t i = sections->section_starts[item];
       i < sections->section_starts[item + 1]; ++i) {
    uint32_t section = sections->sections_of[i];
    search->limit[section] += size;
    search->unplaced_count[section] += one;
  }
  for (uint32_t k = piece->first_section; k < piece->last_section; ++k)
    search->crossing[k] += one;
  search->is_placed[item] = is_placed;
}

static void undo_to(PlanSearch *search, uint64_t mark) {
  while (search->change_count > mark) {
    Change change = search->changes[--search->change_count];
    switch (change.kind) {
    case CHANGE_LOW:
      search->low[change.index] = change.old;
      break;
    case CHANGE_WITNESS:
      set_witness(search, change.index, (uint32_t)change.old);
      break;
    case CHANGE_PLACED:
      count_placed(search, change.index, false);
      break;
    }
  }
}

// Finds an unplaced item that can lie at the bottom of what is left in a
// section; false when there is none, so that what is left cannot fit.
static bool renew_witness(PlanSearch *search, uint32_t section) {
  const PlanSections *sections = &search->sections;
  int64_t limit = search->limit[section];
  for (uint32_t i = sections->member_starts[section];
       i < sections->member_starts[section + 1]; ++i) {
    uint32_t item = sections->members_of[i];
    if (search->is_placed[item] || search->low[item] > limit)
      continue;
    note(search, CHANGE_WITNESS, section, search->witness[section]);
    set_witness(search, section, item);
    return true;
  }
  return false;
}

// Renews the witness of every section that `item` stood for and no longer
// can; false when one has none, which is remembered for `placed`.
static bool renew_sections_of(PlanSearch *search, uint32_t item,
                              uint32_t placed) {
  uint64_t words = search->sections.words_per_item;
  const uint64_t *bits = &search->witnessed[words * item];
  for (uint64_t word = 0; word < words; ++word)
    for (uint64_t left = bits[word]; left != 0; left &= left - 1) {
      uint64_t low_bit = left & (~left + 1);
      uint32_t section = (uint32_t)(64 * word) + plan_bit_index(low_bit);
      if (search->unplaced_count[section] == 0 ||
          (!search->is_placed[item] &&
           search->low[item] <= search->limit[section]))
        continue;
      if (!renew_witness(search, section)) {
        search->killer[placed] = section;
        return false;
      }
    }
  return true;
}

static int64_t raised(const PlanSearch *search, uint32_t item, int64_t top) {
  int64_t align = search->sections.pieces[item].align;
  return align <= 1 ? top : luna_align_up(top, align);
}

// Whether placing `item` leaves the section that killed it last without a
// witness again: a quick test before the real thing.
static bool is_killed_again(const PlanSearch *search, uint32_t item) {
  uint32_t section = search->killer[item];
  if (section == NONE)
    return false;
  const PlanSections *sections = &search->sections;
  int64_t top = search->low[item] + sections->pieces[item].size;
  int64_t limit = search->limit[section];
  uint32_t unplaced = search->unplaced_count[section];
  if (plan_lives_in(sections, item, section)) {
    limit += sections->pieces[item].size;
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

// Places an item at its lowest offset; false when some other then cannot be
// placed. All is noted for undo_to, but for the links.
static bool place(PlanSearch *search, uint32_t item) {
  const PlanSections *sections = &search->sections;
  const PlanPiece *pieces = sections->pieces;
  search->offsets[item] = search->low[item];
  int64_t top = search->low[item] + pieces[item].size;
  note(search, CHANGE_PLACED, item, 0);
  count_placed(search, item, true);
  uint64_t first_change = search->change_count;
  for (uint32_t i = sections->neighbour_starts[item];
       i < sections->neighbour_starts[item + 1]; ++i) {
    uint32_t other = sections->neighbours_of[i];
    if (search->is_placed[other] || search->low[other] >= top)
      continue;
    int64_t low = raised(search, other, top);
    if (low + pieces[other].size > search->capacity ||
        (pieces[other].fixed >= 0 && low > pieces[other].fixed))
      return false;
    note(search, CHANGE_LOW, other, search->low[other]);
    search->low[other] = low;
  }
  if (!renew_sections_of(search, item, item))
    return false;
  uint64_t end_change = search->change_count;
  for (uint64_t i = first_change; i < end_change; ++i)
    if (search->changes[i].kind == CHANGE_LOW &&
        !renew_sections_of(search, search->changes[i].index, item))
      return false;
  return true;
}

static bool has_unplaced_neighbour(const PlanSearch *search, uint32_t item) {
  const PlanSections *sections = &search->sections;
  for (uint32_t i = sections->neighbour_starts[item];
       i < sections->neighbour_starts[item + 1]; ++i)
    if (!search->is_placed[sections->neighbours_of[i]])
      return true;
  return false;
}

// The highest offset at which an item may be placed next: everything unplaced
// comes at it or above, and has to fit.
static int64_t highest_start(const PlanSearch *search, const Part *part) {
  int64_t highest = INT64_MAX;
  for (uint32_t k = part->first_section; k < part->end_section; ++k)
    if (search->unplaced_count[k] > 0 && search->limit[k] < highest)
      highest = search->limit[k];
  return highest;
}

static bool stands_before(const PlanSearch *search, uint32_t a, uint32_t b) {
  if (search->low[a] != search->low[b])
    return search->low[a] < search->low[b];
  return search->ranks[a] < search->ranks[b];
}

// Pushes the items that may be placed next, best first; gives their number.
// Placements go upwards in (offset, rank), so that each plan is met once; an
// offset below which another item would fit whole is left to that item.
static uint32_t push_candidates(PlanSearch *search, const Part *part,
                                int64_t last_offset, uint32_t last_rank) {
  int64_t highest = highest_start(search, part), lowest_top = INT64_MAX;
  uint64_t base = search->stack_count;
  for (uint32_t item = part->head; item != NONE; item = search->next[item]) {
    int64_t low = search->low[item];
    int64_t top = low + search->sections.pieces[item].size;
    if (top < lowest_top)
      lowest_top = top;
    if (low <= highest &&
        (low > last_offset ||
         (low == last_offset && search->ranks[item] >= last_rank)))
      push(search, item);
  }
  uint64_t kept = base;
  for (uint64_t i = base; i < search->stack_count; ++i) {
    uint32_t item = search->stack[i];
    if (search->low[item] >= lowest_top)
      continue;
    uint64_t at = kept++;
    for (; at > base && stands_before(search, item, search->stack[at - 1]);
         --at)
      search->stack[at] = search->stack[at - 1];
    search->stack[at] = item;
  }
  search->stack_count = kept;
  return (uint32_t)(kept - base);
}

// The end of the piece of `part` that begins at section `start`: no unplaced
// item lives on both sides of it.
static uint32_t piece_end(const PlanSearch *search, const Part *part,
                          uint32_t start) {
  uint32_t end = start + 1;
  while (end < part->end_section && search->crossing[end - 1] > 0)
    ++end;
  return end;
}

static bool has_unplaced(const PlanSearch *search, uint32_t start,
                         uint32_t end) {
  for (uint32_t k = start; k < end; ++k)
    if (search->unplaced_count[k] > 0)
      return true;
  return false;
}

// Whether placing `item` has cut the rest of `part` in two or more.
static bool is_cut_by(const PlanSearch *search, const Part *part,
                      uint32_t item) {
  const PlanPiece *piece = &search->sections.pieces[item];
  bool has_cut = false;
  for (uint32_t k = piece->first_section; k < piece->last_section; ++k)
    has_cut |= search->crossing[k] == 0;
  if (!has_cut)
    return false;
  uint32_t count = 0;
  for (uint32_t k = part->first_section; k < part->end_section;) {
    uint32_t end = piece_end(search, part, k);
    count += has_unplaced(search, k, end);
    k = end;
  }
  return count > 1;
}

static PlanOutcome solve_part(PlanSearch *search, Part *part);

// Solves the piece [start, end) of a part on its own.
static PlanOutcome solve_piece(PlanSearch *search, const Part *whole,
                               uint32_t start, uint32_t end) {
  Part part = {.first_section = start,
               .end_section = end,
               .member_base = search->stack_count};
  for (uint32_t i = 0; i < whole->member_count; ++i) {
    uint32_t item = search->stack[whole->member_base + i];
    uint32_t first = search->sections.pieces[item].first_section;
    if (!search->is_placed[item] && first >= start && first < end)
      push(search, item);
  }
  part.member_count = (uint32_t)(search->stack_count - part.member_base);
  rank_members(search, &part);
  link_members(search, &part);
  PlanOutcome outcome = solve_part(search, &part);
  search->stack_count = part.member_base;
  if (outcome != PLAN_FOUND)
    for (uint32_t i = 0; i < whole->member_count; ++i)
      search->ranks[search->stack[whole->member_base + i]] = i;
  return outcome;
}

// Solves the pieces of a part that was cut, that with the least room first.
static PlanOutcome solve_pieces(PlanSearch *search, const Part *part) {
  uint32_t hardest = part->first_section;
  int64_t least = INT64_MAX;
  for (uint32_t k = part->first_section; k < part->end_section; ++k)
    if (search->unplaced_count[k] > 0 && search->limit[k] < least) {
      least = search->limit[k];
      hardest = k;
    }
  while (hardest > part->first_section && search->crossing[hardest - 1] > 0)
    --hardest;
  PlanOutcome outcome =
      solve_piece(search, part, hardest, piece_end(search, part, hardest));
  for (uint32_t k = part->first_section;
       outcome == PLAN_FOUND && k < part->end_section;) {
    uint32_t end = piece_end(search, part, k);
    if (has_unplaced(search, k, end))
      outcome = solve_piece(search, part, k, end);
    k = end;
  }
  return outcome;
}

// Tries to place the unplaced items of a part at or above `last_offset`, where
// those of lower rank are barred at that offset itself.
static PlanOutcome go_on(PlanSearch *search, Part *part, int64_t last_offset,
                         uint32_t last_rank) {
  if (part->head == NONE)
    return PLAN_FOUND;
  uint64_t base = search->stack_count;
  uint32_t count = push_candidates(search, part, last_offset, last_rank);
  PlanOutcome outcome = PLAN_IMPOSSIBLE;
  for (uint32_t i = 0; i < count && outcome == PLAN_IMPOSSIBLE; ++i) {
    uint32_t item = search->stack[base + i];
    if (is_killed_again(search, item))
      continue;
    if (search->steps == search->step_limit) {
      outcome = PLAN_UNDECIDED;
      break;
    }
    ++search->steps;
    uint64_t mark = search->change_count;
    if (!place(search, item)) {
      undo_to(search, mark);
      continue;
    }
    // An item without unplaced neighbours stands in nobody's way: if the rest
    // fails now, it fails wherever the item lies.
    bool is_last = !has_unplaced_neighbour(search, item);
    bool is_cut = is_cut_by(search, part, item);
    unlink_member(search, part, item);
    outcome = is_cut ? solve_pieces(search, part)
                     : go_on(search, part, search->offsets[item],
                             search->ranks[item]);
    if (outcome == PLAN_FOUND)
      break;
    undo_to(search, mark);
    if (is_cut)
      link_members(search, part);
    else
      relink_member(search, part, item);
    if (is_last)
      break;
  }
  search->stack_count = base;
  return outcome;
}

static uint64_t mixed(uint64_t value) {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
  value = (value ^ value >> 27) * 0x94d049bb133111ebu;
  return value ^ value >> 31;
}

// Two independent hashes of a sub-problem: its items, how low each can lie,
// and the capacity.
static Memo memo_of(const PlanSearch *search, const Part *part) {
  Memo memo = {.key = mixed((uint64_t)search->capacity), .check = 1};
  for (uint32_t item = part->head; item != NONE; item = search->next[item]) {
    uint64_t value = mixed(((uint64_t)item << 40) ^
                           (uint64_t)search->low[item] * 0x9e3779b97f4a7c15u);
    memo.key += value;
    memo.check += mixed(value + 0x632be59bd9b4e019u);
  }
  return memo;
}

static PlanOutcome solve_part(PlanSearch *search, Part *part) {
  Memo memo = memo_of(search, part);
  Memo *slot = &search->memos[memo.key % MEMO_COUNT];
  if (slot->key == memo.key && slot->check == memo.check)
    return PLAN_IMPOSSIBLE;
  PlanOutcome outcome = go_on(search, part, -1, 0);
  if (outcome == PLAN_IMPOSSIBLE)
    *slot = memo;
  return outcome;
}

// Puts everything back to nothing placed; false when some section or item
// cannot fit at all.
static bool start(PlanSearch *search, int64_t capacity) {
  const PlanSections *sections = &search->sections;
  search->capacity = capacity;
  search->change_count = 0;
  search->stack_count = 0;
  memset(search->witnessed, 0,
         sizeof(uint64_t) * sections->words_per_item * sections->item_count);
  memset(search->crossing, 0, sizeof(uint32_t) * sections->section_count);
  for (uint32_t k = 0; k < sections->section_count; ++k) {
    search->limit[k] = capacity - sections->section_totals[k];
    search->unplaced_count[k] =
        sections->member_starts[k + 1] - sections->member_starts[k];
    search->witness[k] = NONE;
  }
  for (uint32_t item = 0; item < sections->item_count; ++item) {
    const PlanPiece *piece = &sections->pieces[item];
    search->is_placed[item] = false;
    search->low[item] = piece->fixed >= 0 ? piece->fixed : 0;
    search->killer[item] = NONE;
    for (uint32_t k = piece->first_section; k < piece->last_section; ++k)
      ++search->crossing[k];
    if (search->low[item] + piece->size > capacity)
      return false;
  }
  for (uint32_t k = 0; k < sections->section_count; ++k)
    if (!renew_witness(search, k))
      return false;
  search->change_count = 0;
  return true;
}

PlanOutcome plan_search_run(PlanSearch *search, int64_t capacity,
                            const PlanOrder *order, uint64_t step_limit,
                            uint64_t *steps, int64_t *offsets) {
  uint32_t count = search->sections.item_count;
  if (!start(search, capacity))
    return PLAN_IMPOSSIBLE;
  search->order = order;
  search->steps = 0;
  search->step_limit = step_limit;
  Part part = {.end_section = search->sections.section_count,
               .member_count = count};
  for (uint32_t i = 0; i < count; ++i)
    push(search, i);
  rank_members(search, &part);
  link_members(search, &part);
  bool is_cut = count > 0 && piece_end(search, &part, 0) < part.end_section;
  PlanOutcome outcome =
      is_cut ? solve_pieces(search, &part) : solve_part(search, &part);
  if (outcome == PLAN_FOUND)
    memcpy(offsets, search->offsets, sizeof(int64_t) * count);
  *steps += search->steps;
  return outcome;
}
