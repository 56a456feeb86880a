#include "plan_search.h"

#include <string.h>

#include "plan_search_state.h"

#define NONE UINT32_MAX

// A subproblem: the unplaced items in the sections [first, end), which conflict
// with no unplaced item outside.
typedef struct Part {
  uint32_t first_section, end_section;
  // The members by rank, on the stack from here.
  uint64_t member_base;
  uint32_t member_count;
  // The first unplaced member, linked by `next` and `previous`.
  uint32_t head;
} Part;

static bool tries(const LunaPlanSearch *search, LunaPlanTrick trick) {
  return plan_tries(&search->order->without, trick);
}

// Returns true if an item is tried before another at the same offset.
static bool ranks_before(const LunaPlanSearch *search, uint32_t a, uint32_t b) {
  const LunaPlanOrder *order = search->order;
  if (order->is_by_total && search->totals[a] != search->totals[b])
    return search->totals[a] > search->totals[b];
  if (order->first_keys[a] != order->first_keys[b])
    return order->first_keys[a] > order->first_keys[b];
  if (order->second_keys[a] != order->second_keys[b])
    return order->second_keys[a] > order->second_keys[b];
  return a < b;
}

// Computes totals and ranks of the members of a part and sorts them.
static void rank_members(LunaPlanSearch *search, const Part *part) {
  const LunaPlanSections *sections = &search->sections;
  uint32_t *members = search->stack.items + part->member_base;
  for (uint32_t i = 0; i < part->member_count; ++i) {
    int64_t total = 0;
    uint32_t item = members[i];
    for (uint32_t k = sections->section_starts[item];
         k < sections->section_starts[item + 1]; ++k) {
      int64_t own = search->capacity - search->limit[sections->sections_of[k]];
      total = total < own ? own : total;
    }
    search->totals[item] = total / search->order->total_class;
  }
  // Shell sort: in place, and fast if nearly sorted.
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

static void link_members(LunaPlanSearch *search, Part *part) {
  uint32_t last = NONE;
  part->head = NONE;
  for (uint32_t i = 0; i < part->member_count; ++i) {
    uint32_t item = search->stack.items[part->member_base + i];
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

static void unlink_member(LunaPlanSearch *search, Part *part, uint32_t item) {
  uint32_t next = search->next[item], previous = search->previous[item];
  if (previous == NONE)
    part->head = next;
  else
    search->next[previous] = next;
  if (next != NONE)
    search->previous[next] = previous;
}

static void relink_member(LunaPlanSearch *search, Part *part, uint32_t item) {
  uint32_t next = search->next[item], previous = search->previous[item];
  if (previous == NONE)
    part->head = item;
  else
    search->next[previous] = item;
  if (next != NONE)
    search->previous[next] = item;
}

// Returns the highest offset at which an item may be placed next: all unplaced
// items must fit at or above it.
static int64_t highest_start(const LunaPlanSearch *search, const Part *part) {
  int64_t highest = INT64_MAX;
  for (uint32_t k = part->first_section; k < part->end_section; ++k)
    if (search->unplaced_count[k] > 0 && search->limit[k] < highest)
      highest = search->limit[k];
  return highest;
}

static bool stands_before(const LunaPlanSearch *search, uint32_t a,
                          uint32_t b) {
  int64_t low_a = search->low[a], low_b = search->low[b];
  return low_a != low_b ? low_a < low_b : search->ranks[a] < search->ranks[b];
}

// Returns true if `item` may be placed right after `last`, or first if that is
// NONE. Placements ascend in (offset, rank), so that each plan is met once;
// only a neighbour must follow in this order even if it ranks before.
static bool may_follow(const LunaPlanSearch *search, uint32_t item,
                       uint32_t last) {
  if (last == NONE || !tries(search, PLAN_TRICK_SEARCH_ONCE))
    return true;
  int64_t own = search->low[item], before = search->offsets[last];
  if (own != before)
    return own > before;
  return search->ranks[item] >= search->ranks[last] ||
         plan_are_neighbours(&search->sections, item, last);
}

// Pushes the items that may be placed after `last`, best first; returns their
// number. An offset is skipped if another item would fit completely below it.
static uint32_t push_candidates(LunaPlanSearch *search, const Part *part,
                                uint32_t last) {
  int64_t highest = highest_start(search, part), lowest_top = INT64_MAX;
  uint64_t base = search->stack.count;
  for (uint32_t item = part->head; item != NONE; item = search->next[item]) {
    int64_t low = search->low[item];
    int64_t top = low + search->sections.pieces[item].size;
    if (top < lowest_top)
      lowest_top = top;
    if (low <= highest && may_follow(search, item, last))
      luna_plan_state_push(search, item);
  }
  uint64_t kept = base;
  for (uint64_t i = base; i < search->stack.count; ++i) {
    uint32_t item = search->stack.items[i];
    if (search->low[item] >= lowest_top &&
        tries(search, PLAN_TRICK_SEARCH_DOMINATED))
      continue;
    uint64_t at = kept++;
    for (;
         at > base && stands_before(search, item, search->stack.items[at - 1]);
         --at)
      search->stack.items[at] = search->stack.items[at - 1];
    search->stack.items[at] = item;
  }
  search->stack.count = kept;
  return (uint32_t)(kept - base);
}

// Returns the end of the piece of `part` that begins at section `start`: no
// unplaced item is live on both sides of it.
static uint32_t piece_end(const LunaPlanSearch *search, const Part *part,
                          uint32_t start) {
  uint32_t end = start + 1;
  while (end < part->end_section && search->crossing[end - 1] > 0)
    ++end;
  return end;
}

static bool has_unplaced(const LunaPlanSearch *search, uint32_t start,
                         uint32_t end) {
  for (uint32_t k = start; k < end; ++k)
    if (search->unplaced_count[k] > 0)
      return true;
  return false;
}

// Returns true if placing `item` has divided the rest of `part`.
static bool is_cut_by(const LunaPlanSearch *search, const Part *part,
                      uint32_t item) {
  const LunaPlanPiece *piece = &search->sections.pieces[item];
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

static LunaPlanOutcome solve_part(LunaPlanSearch *search, Part *part);

// Solves the piece [start, end) of a part on its own.
static LunaPlanOutcome solve_piece(LunaPlanSearch *search, const Part *whole,
                                   uint32_t start, uint32_t end) {
  Part part = {.first_section = start,
               .end_section = end,
               .member_base = search->stack.count};
  for (uint32_t i = 0; i < whole->member_count; ++i) {
    uint32_t item = search->stack.items[whole->member_base + i];
    uint32_t first = search->sections.pieces[item].first_section;
    if (!search->is_placed[item] && first >= start && first < end)
      luna_plan_state_push(search, item);
  }
  part.member_count = (uint32_t)(search->stack.count - part.member_base);
  rank_members(search, &part);
  link_members(search, &part);
  LunaPlanOutcome outcome = solve_part(search, &part);
  search->stack.count = part.member_base;
  if (outcome != PLAN_FOUND)
    for (uint32_t i = 0; i < whole->member_count; ++i)
      search->ranks[search->stack.items[whole->member_base + i]] = i;
  return outcome;
}

// Solves the pieces of a divided part, the one with the least slack first.
static LunaPlanOutcome solve_pieces(LunaPlanSearch *search, const Part *part) {
  uint32_t hardest = part->first_section;
  int64_t least = INT64_MAX;
  for (uint32_t k = part->first_section; k < part->end_section; ++k)
    if (search->unplaced_count[k] > 0 && search->limit[k] < least) {
      least = search->limit[k];
      hardest = k;
    }
  while (hardest > part->first_section && search->crossing[hardest - 1] > 0)
    --hardest;
  LunaPlanOutcome outcome =
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

static bool is_given_up(const LunaPlanSearch *search) {
  uint64_t patience = search->order->patience;
  return search->steps == search->step_limit ||
         (patience > 0 && search->steps - search->largest_at_step > patience);
}

// Tries to place the unplaced items of a part after `last`, or from the
// beginning if that is NONE.
static LunaPlanOutcome go_on(LunaPlanSearch *search, Part *part,
                             uint32_t last) {
  if (part->head == NONE)
    return PLAN_FOUND;
  uint64_t base = search->stack.count;
  uint32_t count = push_candidates(search, part, last);
  LunaPlanOutcome outcome = PLAN_IMPOSSIBLE;
  for (uint32_t i = 0; i < count && outcome == PLAN_IMPOSSIBLE; ++i) {
    uint32_t item = search->stack.items[base + i];
    if (tries(search, PLAN_TRICK_SEARCH_KILLER) &&
        luna_plan_state_is_killed_again(search, item))
      continue;
    if (is_given_up(search)) {
      outcome = PLAN_UNDECIDED;
      break;
    }
    ++search->steps;
    uint64_t mark = search->changes.count;
    if (!luna_plan_state_place(search, item)) {
      luna_plan_state_undo(search, mark);
      continue;
    }
    // An item without unplaced neighbours constrains none: if the rest fails
    // now, it fails for any offset of the item.
    bool is_last = tries(search, PLAN_TRICK_SEARCH_LAST) &&
                   !luna_plan_state_has_neighbour(search, item);
    bool is_cut =
        tries(search, PLAN_TRICK_SEARCH_CUT) && is_cut_by(search, part, item);
    unlink_member(search, part, item);
    outcome = is_cut ? solve_pieces(search, part) : go_on(search, part, item);
    if (outcome == PLAN_FOUND)
      break;
    luna_plan_state_undo(search, mark);
    if (is_cut)
      link_members(search, part);
    else
      relink_member(search, part, item);
    if (is_last)
      break;
  }
  search->stack.count = base;
  return outcome;
}

static uint64_t mixed(uint64_t value) {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
  value = (value ^ value >> 27) * 0x94d049bb133111ebu;
  return value ^ value >> 31;
}

// Returns two independent hashes of a subproblem: its items, their lowest
// offsets, and the capacity.
static LunaPlanMemo memo_of(const LunaPlanSearch *search, const Part *part) {
  LunaPlanMemo memo = {.key = mixed((uint64_t)search->capacity), .check = 1};
  for (uint32_t item = part->head; item != NONE; item = search->next[item]) {
    uint64_t value = mixed(((uint64_t)item << 40) ^
                           (uint64_t)search->low[item] * 0x9e3779b97f4a7c15u);
    memo.key += value;
    memo.check += mixed(value + 0x632be59bd9b4e019u);
  }
  return memo;
}

static LunaPlanOutcome solve_part(LunaPlanSearch *search, Part *part) {
  if (!tries(search, PLAN_TRICK_SEARCH_MEMO))
    return go_on(search, part, NONE);
  LunaPlanMemo memo = memo_of(search, part);
  LunaPlanMemo *slot = &search->memos[memo.key % search->memo_count];
  if (slot->key == memo.key && slot->check == memo.check)
    return PLAN_IMPOSSIBLE;
  LunaPlanOutcome outcome = go_on(search, part, NONE);
  if (outcome == PLAN_IMPOSSIBLE)
    *slot = memo;
  return outcome;
}

LunaPlanOutcome luna_plan_search_run(LunaPlanSearch *search, int64_t capacity,
                                     const LunaPlanOrder *order,
                                     uint64_t step_limit, uint64_t *steps,
                                     int64_t *offsets) {
  uint32_t count = search->sections.item_count;
  if (!luna_plan_state_start(search, capacity))
    return PLAN_IMPOSSIBLE;
  search->order = order;
  search->steps = 0;
  search->step_limit = step_limit;
  Part part = {.end_section = search->sections.section_count};
  for (uint32_t i = 0; i < count; ++i)
    if (!search->is_placed[i])
      luna_plan_state_push(search, i);
  part.member_count = (uint32_t)search->stack.count;
  rank_members(search, &part);
  link_members(search, &part);
  bool is_cut = count > 0 && piece_end(search, &part, 0) < part.end_section;
  LunaPlanOutcome outcome =
      is_cut ? solve_pieces(search, &part) : solve_part(search, &part);
  if (outcome == PLAN_FOUND)
    memcpy(offsets, search->offsets, sizeof(int64_t) * count);
  *steps += search->steps;
  return outcome;
}
