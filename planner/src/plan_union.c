#include "plan_union.h"

uint32_t luna_plan_union_root(uint32_t *parents, uint32_t index) {
  while (parents[index] != index)
    index = parents[index] = parents[parents[index]];
  return index;
}

void luna_plan_union_join(uint32_t *parents, uint32_t a, uint32_t b) {
  a = luna_plan_union_root(parents, a);
  b = luna_plan_union_root(parents, b);
  parents[a < b ? b : a] = a < b ? a : b;
}
