#ifndef LUNA_PLAN_SECTIONS_H
#define LUNA_PLAN_SECTIONS_H

#include "plan_items.h"

/// A problem divided into sections: the maximal sets of items that are live
/// together, in program order. Two items are neighbours iff they share a
/// section. All sizes are in units.

/// An item.
typedef struct LunaPlanPiece {
  int64_t size;
  /// The alignment of its offset; 1 if any offset is valid.
  int64_t align;
  /// The fixed offset, or -1.
  int64_t fixed;
  /// The first and the last of its sections, and if it has all between.
  uint32_t first_section, last_section;
  bool is_whole;
} LunaPlanPiece;

typedef struct LunaPlanSections {
  LunaPlanPiece *pieces;
  uint32_t item_count, section_count;
  /// The sections of item i: sections_of[section_starts[i] ..], ascending.
  uint32_t *section_starts, *sections_of;
  /// The items of section k: members_of[member_starts[k] ..].
  uint32_t *member_starts, *members_of;
  uint32_t *neighbour_starts, *neighbours_of;
  /// Bit sets of the sections of each item, whose words are those from its
  /// first to its last section: lives_in[word_starts[i] ..].
  uint64_t *word_starts;
  uint64_t *lives_in;
} LunaPlanSections;

/// Computes the sections of the items `members` (ascending) in `arena`; item i
/// is members[i]. Every member has a size and a lifetime; neighbours are
/// listed. Memory is proportional to conflicts.
void luna_plan_sections_make(LunaPlanSections *sections,
                             const LunaPlanItems *items,
                             const uint32_t *members, uint32_t member_count,
                             int64_t unit_bytes, LunaArena *arena);

/// Returns the index of the word with the bit of `section`, in the bit sets of
/// an item.
static inline uint64_t plan_section_word(const LunaPlanSections *sections,
                                         uint32_t item, uint32_t section) {
  return sections->word_starts[item] + section / 64 -
         sections->pieces[item].first_section / 64;
}

static inline bool plan_is_in_section(const LunaPlanSections *sections,
                                      uint32_t item, uint32_t section) {
  const LunaPlanPiece *piece = &sections->pieces[item];
  if (section < piece->first_section || section > piece->last_section)
    return false;
  return piece->is_whole ||
         (sections->lives_in[plan_section_word(sections, item, section)] >>
              section % 64 &
          1) != 0;
}

/// Returns true if two items share a section.
static inline bool plan_are_neighbours(const LunaPlanSections *sections,
                                       uint32_t a, uint32_t b) {
  const LunaPlanPiece *x = &sections->pieces[a], *y = &sections->pieces[b];
  uint32_t first =
      x->first_section > y->first_section ? x->first_section : y->first_section;
  uint32_t last =
      x->last_section < y->last_section ? x->last_section : y->last_section;
  if (first > last || (x->is_whole && y->is_whole))
    return first <= last;
  const uint64_t *in_a =
      &sections->lives_in[plan_section_word(sections, a, first)];
  const uint64_t *in_b =
      &sections->lives_in[plan_section_word(sections, b, first)];
  for (uint32_t word = first / 64; word <= last / 64; ++word)
    if ((*in_a++ & *in_b++) != 0)
      return true;
  return false;
}

/// Returns the index of the only set bit.
static inline uint32_t plan_bit_index(uint64_t bit) {
  uint32_t index = 0;
  index |= (uint32_t)((bit & 0xaaaaaaaaaaaaaaaau) != 0);
  index |= (uint32_t)((bit & 0xccccccccccccccccu) != 0) << 1;
  index |= (uint32_t)((bit & 0xf0f0f0f0f0f0f0f0u) != 0) << 2;
  index |= (uint32_t)((bit & 0xff00ff00ff00ff00u) != 0) << 3;
  index |= (uint32_t)((bit & 0xffff0000ffff0000u) != 0) << 4;
  index |= (uint32_t)((bit & 0xffffffff00000000u) != 0) << 5;
  return index;
}

#endif // LUNA_PLAN_SECTIONS_H
