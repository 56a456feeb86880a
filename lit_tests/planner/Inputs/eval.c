// Prints the offsets of a plan for ranges, for the values given.

#include <stdio.h>
#include <stdlib.h>

#include "luna/plan_eval.h"

extern const LunaRangePlan luna_range_plan;

int main(int argc, char **argv) {
  static int64_t work[1000], offset_bytes[1000];
  int64_t values[2];
  LunaRangeResult result;
  if (argc != 3 || luna_plan_eval_work(&luna_range_plan) > 1000)
    return 2;
  for (int i = 0; i < 2; ++i)
    values[i] = atoi(argv[i + 1]);
  if (!luna_plan_eval(&luna_range_plan, values, work, offset_bytes, &result))
    return 1;
  for (uint32_t i = 0; i < luna_range_plan.buffer_count; ++i)
    printf("%lld\n", (long long)offset_bytes[i]);
  return 0;
}
