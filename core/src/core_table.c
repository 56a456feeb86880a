#include "luna/core.h"

void luna_core_table(const LunaTableDesc *desc, const void *input,
                     const void *table, void *output) {
  luna_unit_start_table(desc, input, table, output);
  luna_unit_await();
}
