// Activations by table.

#include "luna-c/build_scalar.h"
#include "unit_semantics.h"

enum { INPUT, TABLE };

MlirValue luna_semantics_table(LunaUnitSemantics *m,
                               const LunaTableDesc *desc) {
  (void)desc;
  const LunaBuilder *b = &m->b;
  MlirValue x = luna_generic_input(&m->loops, m->operands[INPUT]);
  x = luna_scalar_to(b, "arith.index_cast", x, b->index);
  MlirValue entry = luna_scalar_add(b, x, luna_scalar_index(b, 128));
  return luna_scalar_extract(b, m->operands[TABLE], &entry);
}
