#ifndef VALIDATE_CLASSES_H
#define VALIDATE_CLASSES_H

// Congruence classes of the bytes that a loop changes, over both programs:
// partition refinement on the values at the loop header (after Alpern, Wegman
// and Zadeck, 1988).

#include "validate_memory.h"

/// What the back edge carries to the bytes whose value at the header is bytes
/// [begin, end) of a term.
typedef struct LunaClassEntry {
  LunaTerm head;
  int64_t begin, end;
  LunaByte back; ///< of byte `begin`
} LunaClassEntry;

enum { LUNA_CHOICES_MAX = 4 }; ///< each may double the values of a byte

/// Conditions from outside a loop that choose what its back edge carries, the
/// newest first.
typedef struct LunaChoices {
  LunaTerm items[LUNA_CHOICES_MAX];
  int count;
} LunaChoices;

typedef struct LunaClasses {
  LunaArena *arena;
  LunaTerms *terms;
  LunaLoopId loop;
  LunaTerm path;       ///< under which the back edge is taken
  LunaChoices choices; ///< by which all bytes are split
  LunaChoices found;   ///< others, by luna_classes_add
  LUNA_VECTOR(LunaClassEntry) entries;
  LunaMap split; ///< classes of which a byte gets two values
  bool has_changed;
  bool is_split; ///< by a condition from outside
} LunaClasses;

/// Records what the back edge carries to `head`.
void luna_classes_add(LunaClasses *classes, LunaByte head, LunaByte back,
                      int64_t byte_count);
/// Adds the conditions of `from`, as many as there is room for. Returns false
/// if there is none to add.
bool luna_choices_add(LunaChoices *choices, const LunaChoices *from);
/// Prepares for luna_classes_refine, after the last entry was added.
void luna_classes_sort(LunaClasses *classes);
/// Returns the header value for the next round: `head` itself if the back edge
/// carries one value to all bytes of its class, else a value of a new class,
/// with `has_changed` set. Other values than classes are those at the entry,
/// which only bytes that the loop does not change keep.
LunaByte luna_classes_refine(LunaClasses *classes, LunaByte head,
                             LunaByte back);
/// Returns the header value of a byte that is `entry` at the entry and had the
/// header value `before` when the loop was run last.
LunaByte luna_classes_resume(LunaClasses *classes, LunaByte entry,
                             LunaByte before);

#endif // VALIDATE_CLASSES_H
