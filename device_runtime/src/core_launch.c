#include "luna/core.h"

// Operators that are a launch, which the core starts and awaits, or a loop of
// the core. luna_core_table, and all that have LUNA_UNIT_LAUNCH in
// luna/units.def.
#define LUNA_UNIT_LAUNCH(CLASS, name, Type, CALL, parameters, arguments)       \
  void luna_core_##name(const Luna##Type##Desc *desc,                          \
                        LUNA_UNIT_LIST parameters) {                           \
    if (desc->on_core) {                                                       \
      luna_core_##name##_loop(desc, LUNA_UNIT_LIST arguments);                 \
      return;                                                                  \
    }                                                                          \
    luna_unit_start_##name(desc, LUNA_UNIT_LIST arguments);                    \
    luna_unit_await();                                                         \
  }
#include "luna/units.def"

void luna_core_copy(const LunaCopyDesc *desc, const void *source,
                    void *target) {
  luna_unit_start_copy(desc, source, target);
  luna_unit_await();
}

void luna_core_fill(const LunaFillDesc *desc, void *target) {
  luna_unit_start_fill(desc, target);
  luna_unit_await();
}
