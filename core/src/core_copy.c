#include "luna/core.h"

void luna_core_copy(const LunaCopyDesc *desc, const void *source,
                    void *target) {
  luna_unit_start_copy(desc, source, target);
  luna_unit_await();
}

void luna_core_fill(const LunaFillDesc *desc, void *target) {
  luna_unit_start_fill(desc, target);
  luna_unit_await();
}
