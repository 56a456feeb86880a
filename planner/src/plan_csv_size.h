#ifndef LUNA_PLAN_CSV_SIZE_H
#define LUNA_PLAN_CSV_SIZE_H

#include "luna/plan_orient.h"
#include "luna/vector.h"

/// Sizes read from CSV, under construction.
typedef struct LunaPlanCsvSizes {
  LUNA_VECTOR(LunaPlanSymbol) symbols;
  LUNA_VECTOR(LunaSize) sizes;
} LunaPlanCsvSizes;

/// Reads a sum of products, `4*h*w - 2*h + 64`: of integers and at most
/// LUNA_SIZE_DEGREE names (letters, digits, `_` and `.`, a digit not first).
/// New names become symbols. Returns false if the text is none, or a number is
/// too large.
bool luna_plan_csv_read_size(const char *text, uint32_t length,
                             LunaPlanCsvSizes *sizes, LunaArena *arena);

#endif // LUNA_PLAN_CSV_SIZE_H
