// The unit below the kernels, which is none.

#include "kernels.h"
#include "luna/unit_port.h"

int luna_bench_marks_await;

void luna_unit_start(const LunaProductRecord *record,
                     const LunaLaunchRecord *launch,
                     const LunaProductOperands *operands) {
  (void)record;
  (void)launch;
  (void)operands;
  for (int i = 0; i < 3 * luna_bench_marks_await; ++i)
    luna_bench_mark();
}

void luna_unit_await(void) {
  if (luna_bench_marks_await)
    luna_bench_mark();
}

int32_t luna_unit_start_transfer(const LunaDmaDesc *desc, void *target,
                                 const void *source) {
  (void)desc, (void)target, (void)source;
  return 1;
}

void luna_unit_await_transfer(int32_t token) { (void)token; }

static void ignore(const void *desc, ...) { (void)desc; }

// The kernels leave nothing else to it.
#define LUNA_UNIT_START(CLASS, name, Type, parameters, arguments)              \
  void luna_unit_start_##name(const Luna##Type##Desc *desc,                    \
                              LUNA_UNIT_LIST parameters) {                     \
    ignore(desc, LUNA_UNIT_LIST arguments);                                    \
  }
#include "luna/units.def"

void luna_unit_start_vector(const LunaVectorCall *call,
                            const LunaVectorOperands *operands) {
  (void)call, (void)operands;
}

void luna_unit_start_copy(const LunaCopyDesc *desc, const void *source,
                          void *target) {
  (void)desc, (void)source, (void)target;
}

void luna_unit_start_fill(const LunaFillDesc *desc, void *target) {
  (void)desc, (void)target;
}
