// Operators of one launch, which the core starts and awaits.

#include "kernels.h"

void luna_bench_count_calls(void) {
  const LunaCopyDesc copy = {0};
  const LunaFillDesc fill = {0};
  const LunaTableDesc table = {0};
  const LunaPoolDesc pool = {0};
  int8_t *a = luna_bench_data.bytes[0], *b = luna_bench_data.bytes[1],
         *c = luna_bench_data.bytes[2];
  LUNA_BENCH_PRINT_CALL("copy", luna_core_copy(&copy, a, b), LUNA_HOST_COPY);
  LUNA_BENCH_PRINT_CALL("fill", luna_core_fill(&fill, a), LUNA_HOST_COPY);
  LUNA_BENCH_PRINT_CALL("table", luna_core_table(&table, a, b, c),
                        LUNA_HOST_COPY);
  LUNA_BENCH_PRINT_CALL("pool", luna_core_pool(&pool, a, b), LUNA_HOST_POOL);
}
