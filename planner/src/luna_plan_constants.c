// A plan for ranges as C source.

#include "luna_plan_constants.h"

// Appends the end of an array; C has no empty ones.
static void end_array(uint64_t count, LunaText *text) {
  luna_text_printf(text, "%s};\n", count == 0 ? "0" : "");
}

static void write_indices(const char *name, uint32_t number,
                          const uint32_t *items, uint64_t count,
                          LunaText *text) {
  luna_text_printf(text, "static const uint32_t %s%u[] = {", name, number);
  for (uint64_t i = 0; i < count; ++i)
    luna_text_printf(text, "%u,%s", items[i], i % 12 == 11 ? "\n    " : " ");
  end_array(count, text);
}

static void write_sums(const char *name, uint32_t number,
                       const LunaPlanSums *sums, LunaText *text) {
  uint32_t count = sums->starts[sums->count];
  luna_text_printf(text, "static const LunaPlanTerm %s_terms%u[] = {", name,
                   number);
  for (uint32_t i = 0; i < count; ++i)
    luna_text_printf(text, "{%lld, %u},%s",
                     (long long)sums->terms[i].coefficient,
                     sums->terms[i].product, i % 4 == 3 ? "\n    " : " ");
  luna_text_printf(text, "%s};\n", count == 0 ? "{0, 0}" : "");
  luna_text_printf(text, "static const uint32_t %s_starts%u[] = {", name,
                   number);
  for (uint32_t i = 0; i <= sums->count; ++i)
    luna_text_printf(text, "%u,%s", sums->starts[i],
                     i % 12 == 11 ? "\n    " : " ");
  luna_text_printf(text, "};\n");
}

static void write_symbols(const LunaRangePlan *plan, LunaText *text) {
  luna_text_printf(text, "static const LunaPlanSymbol symbols[] = {\n");
  for (uint32_t i = 0; i < plan->symbol_count; ++i)
    luna_text_printf(text, "    {\"%s\", %lld, %lld},\n", plan->symbols[i].name,
                     (long long)plan->symbols[i].low,
                     (long long)plan->symbols[i].high);
  luna_text_printf(text, "%s};\nstatic const LunaPlanProduct products[] = {\n",
                   plan->symbol_count == 0 ? "{0}" : "");
  for (uint32_t i = 0; i < plan->product_count; ++i)
    luna_text_printf(text, "    {%lld, %u, %u},\n",
                     (long long)plan->products[i].weight,
                     plan->products[i].factor, plan->products[i].symbol);
  luna_text_printf(text, "};\n");
}

static void write_buffers(const LunaRangePlan *plan, LunaText *text) {
  uint32_t count = plan->buffer_count;
  write_sums("size", 0, &plan->sizes, text);
  write_indices("buffer_sizes", 0, plan->buffer_sizes, count, text);
  write_indices("places", 0, plan->places, count, text);
  luna_text_printf(text, "static const int64_t align_bytes[] = {");
  for (uint32_t i = 0; i < count; ++i)
    luna_text_printf(text, "%lld,%s", (long long)plan->align_bytes[i],
                     i % 12 == 11 ? "\n    " : " ");
  end_array(count, text);
}

static void write_plan(const LunaRangePlan *plan, LunaText *text) {
  luna_text_printf(
      text,
      "const LunaRangePlan luna_range_plan = {\n"
      "    .symbols = symbols,\n    .products = products,\n"
      "    .symbol_count = %u,\n    .product_count = %u,\n"
      "    .sizes = {size_terms0, size_starts0, %u},\n"
      "    .buffer_sizes = buffer_sizes0,\n    .align_bytes = align_bytes,\n"
      "    .places = places0,\n    .buffer_count = %u,\n"
      "    .place_count = %u,\n    .padding_bytes = %lld,\n    .orders = {\n",
      plan->symbol_count, plan->product_count, plan->sizes.count,
      plan->buffer_count, plan->place_count, (long long)plan->padding_bytes);
  for (uint32_t k = 0; k < plan->order_count; ++k)
    luna_text_printf(text,
                     "        {buffers%u, starts%u, below%u,\n"
                     "         {chain_terms%u, chain_starts%u, %u}},\n",
                     k, k, k, k, k, plan->orders[k].chains.count);
  luna_text_printf(text, "    },\n    .order_count = %u,\n};\n",
                   plan->order_count);
}

void luna_plan_constants_write(const LunaRangePlan *plan, LunaText *text) {
  uint32_t places = plan->place_count;
  luna_text_printf(text, "// Written by luna-plan.\n\n"
                         "#include \"luna/plan_eval.h\"\n\n"
                         "extern const LunaRangePlan luna_range_plan;\n\n");
  write_symbols(plan, text);
  write_buffers(plan, text);
  for (uint32_t k = 0; k < plan->order_count; ++k) {
    const LunaPlanOrder *order = &plan->orders[k];
    write_indices("buffers", k, order->buffers, places, text);
    write_indices("starts", k, order->starts, places + (uint64_t)1, text);
    write_indices("below", k, order->below, order->starts[places], text);
    write_sums("chain", k, &order->chains, text);
  }
  write_plan(plan, text);
}
