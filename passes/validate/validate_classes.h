#ifndef VALIDATE_CLASSES_H
#define VALIDATE_CLASSES_H

// The classes of bytes that a loop changes alike, in both programs: partition
// refinement over the values at the loop's head (after Alpern, Wegman and
// Zadeck, 1988).

#include "validate_memory.h"

/// What the back edge brings to bytes whose head value is byte `begin` up to
/// `end` of a term.
typedef struct LunaClassEntry {
  LunaTerm head;
  int64_t begin, end;
  LunaByte back; ///< of byte `begin`
  bool is_split; ///< a byte of the class gets two values; in its first entry
} LunaClassEntry;

typedef struct LunaClasses {
  LunaArena *arena;
  LunaTerms *terms;
  LunaLoopId loop;
  LUNA_VECTOR(LunaClassEntry) entries;
  bool has_changed;
} LunaClasses;

/// Takes note of what the back edge brings to `head`.
void luna_classes_add(LunaClasses *classes, LunaByte head, LunaByte back,
                      int64_t byte_count);
/// Prepares for luna_classes_refine, after all were added.
void luna_classes_sort(LunaClasses *classes);
/// Returns the head value for the next round. It is `head` itself where the
/// bytes of its class all get the same from the back edge; otherwise
/// `has_changed` is set.
LunaByte luna_classes_refine(LunaClasses *classes, LunaByte head,
                             LunaByte back);

#endif // VALIDATE_CLASSES_H
