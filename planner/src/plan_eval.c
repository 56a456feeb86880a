// Offsets by longest path. Compiles without a C library.

#include "luna/plan_eval.h"

#include "luna/checked.h"

static const int64_t limit_bytes = INT64_C(1) << 62;

uint32_t luna_plan_eval_work(const LunaRangePlan *plan) {
  return plan->product_count + plan->sizes.count + plan->buffer_count;
}

static bool fail(LunaRangeResult *result, LunaRangeFault fault, uint32_t item) {
  *result = (LunaRangeResult){.fault = fault, .item = item};
  return false;
}

static bool check_values(const LunaRangePlan *plan, const int64_t *values,
                         LunaRangeResult *result) {
  for (uint32_t i = 0; i < plan->symbol_count; ++i)
    if (values[i] < plan->symbols[i].low || values[i] > plan->symbols[i].high)
      return fail(result, LUNA_RANGE_SYMBOL, i);
  return true;
}

// Where the weighted sum of all products is below the limit, no sum of sizes
// and padding overflows, whatever the signs of its terms.
static bool eval_products(const LunaRangePlan *plan, const int64_t *values,
                          int64_t *products, LunaRangeResult *result) {
  int64_t total = plan->padding_bytes;
  for (uint32_t i = 0; i < plan->product_count; ++i) {
    const LunaPlanProduct *product = &plan->products[i];
    int64_t share = 0;
    products[i] = 1;
    if ((i > 0 && !luna_checked_mul(products[product->factor],
                                    values[product->symbol], &products[i])) ||
        !luna_checked_mul(product->weight, products[i], &share) ||
        !luna_checked_add(total, share, &total) || total >= limit_bytes)
      return fail(result, LUNA_RANGE_OVERFLOW, i);
  }
  return true;
}

static int64_t eval_sum(const LunaPlanSums *sums, uint32_t index,
                        const int64_t *products) {
  int64_t sum = 0;
  for (uint32_t i = sums->starts[index]; i < sums->starts[index + 1]; ++i)
    sum += sums->terms[i].coefficient * products[sums->terms[i].product];
  return sum;
}

static uint32_t buffer_of_size(const LunaRangePlan *plan, uint32_t size) {
  uint32_t buffer = 0;
  while (plan->buffer_sizes[buffer] != size)
    ++buffer;
  return buffer;
}

static bool eval_sizes(const LunaRangePlan *plan, const int64_t *products,
                       int64_t *sizes, LunaRangeResult *result) {
  for (uint32_t i = 0; i < plan->sizes.count; ++i) {
    sizes[i] = eval_sum(&plan->sizes, i, products);
    if (sizes[i] < 0)
      return fail(result, LUNA_RANGE_NEGATIVE, buffer_of_size(plan, i));
  }
  return true;
}

static uint32_t choose_order(const LunaRangePlan *plan,
                             const int64_t *products) {
  uint32_t best = 0;
  int64_t best_bytes = INT64_MAX;
  for (uint32_t k = 0; k < plan->order_count && plan->order_count > 1; ++k) {
    const LunaPlanSums *chains = &plan->orders[k].chains;
    int64_t bytes = 0;
    for (uint32_t i = 0; i < chains->count; ++i) {
      int64_t chain = eval_sum(chains, i, products);
      bytes = chain > bytes ? chain : bytes;
    }
    if (bytes >= best_bytes)
      continue;
    best = k;
    best_bytes = bytes;
  }
  return best;
}

// Places each buffer on top of those below it; returns the highest end.
static int64_t place(const LunaRangePlan *plan, const LunaPlanOrder *order,
                     const int64_t *sizes, int64_t *ends,
                     int64_t *offset_bytes) {
  int64_t peak = 0;
  for (uint32_t i = 0; i < plan->place_count; ++i) {
    uint32_t buffer = order->buffers[i];
    int64_t offset = 0, size = sizes[plan->buffer_sizes[buffer]];
    for (uint32_t k = order->starts[i]; k < order->starts[i + 1]; ++k) {
      int64_t end = ends[order->below[k]];
      offset = end > offset ? end : offset;
    }
    // A buffer of 0 bytes only passes on what lies below it.
    int64_t align = size > 0 ? plan->align_bytes[buffer] : 1;
    offset = (offset + align - 1) & -align;
    ends[buffer] = offset + size;
    offset_bytes[buffer] = size > 0 ? offset : 0;
    peak = ends[buffer] > peak ? ends[buffer] : peak;
  }
  return peak;
}

bool luna_plan_eval(const LunaRangePlan *plan, const int64_t *values,
                    int64_t *work, int64_t *offset_bytes,
                    LunaRangeResult *result) {
  int64_t *products = work, *sizes = products + plan->product_count;
  int64_t *ends = sizes + plan->sizes.count;
  if (!check_values(plan, values, result) ||
      !eval_products(plan, values, products, result) ||
      !eval_sizes(plan, products, sizes, result))
    return false;
  *result = (LunaRangeResult){.order = choose_order(plan, products)};
  result->peak_bytes =
      place(plan, &plan->orders[result->order], sizes, ends, offset_bytes);
  if (plan->place_count < plan->buffer_count)
    for (uint32_t i = 0; i < plan->buffer_count; ++i)
      offset_bytes[i] = offset_bytes[plan->places[i]];
  return true;
}
