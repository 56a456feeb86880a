#ifndef VALIDATE_RECORD_H
#define VALIDATE_RECORD_H

// The record of an operator: all that its results depend on, as words. Offsets,
// tilings and scratch are not part of it.

#include "validate_side.h"

typedef struct LunaRecord {
  LunaSide *side;
  LUNA_VECTOR(uint64_t) words;
  uint64_t loops;
} LunaRecord;

void luna_record_word(LunaRecord *record, uint64_t word);
/// Adds an object of the context, by its address.
void luna_record_pointer(LunaRecord *record, const void *pointer);
/// Adds a term and the loops on which it depends.
void luna_record_term(LunaRecord *record, LunaTerm term);
/// Adds the name of an operator and its attributes, except offsets and tilings.
void luna_record_head(LunaRecord *record, LunaTermKind kind, MlirOperation op);
/// Adds a region: its operators, with values renumbered. Scalars from outside
/// are added as terms, memrefs from outside as their contents.
void luna_record_region(LunaRecord *record, MlirRegion region);
/// Adds which bytes of its memref a view shows, at computed places, too.
void luna_record_view(LunaRecord *record, MlirOperation view);
/// Returns the term of the record.
LunaTerm luna_record_finish(const LunaRecord *record);

#endif // VALIDATE_RECORD_H
