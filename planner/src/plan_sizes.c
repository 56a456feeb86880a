#include "plan_sizes.h"

#include "luna/checked.h"
#include "plan_problem.h"

static const int64_t limit_bytes = INT64_C(1) << 62;

//===- One size -----------------------------------------------------------===//

static bool fail_size(const LunaProblem *problem, LunaBufferId buffer,
                      const char *what, LunaError *error) {
  return luna_error_set(error, LUNA_ERROR_INPUT, buffer,
                        "the size of '%.100s' is %s",
                        problem->buffers.items[buffer].name, what);
}

static int64_t magnitude(int64_t value) {
  return value >= 0 ? value : value > -INT64_MAX ? -value : INT64_MAX;
}

// Computes the magnitude of a term. Returns false if that is 2^62 or more.
static bool eval_term(const LunaSizeTerm *term, const int64_t *values,
                      int64_t *bytes) {
  *bytes = magnitude(term->coefficient);
  for (uint32_t k = 0; k < term->degree; ++k)
    if (!luna_checked_mul(*bytes, values[term->symbols[k]], bytes))
      return false;
  return *bytes < limit_bytes;
}

bool luna_plan_size_at(const LunaProblem *problem, const LunaPlanSizes *sizes,
                       LunaBufferId buffer, const int64_t *values,
                       int64_t *bytes, LunaError *error) {
  const LunaSize *size = &sizes->sizes[buffer];
  // What is added and what is taken away.
  int64_t sums[2] = {0, 0};
  for (uint32_t i = 0; i < size->term_count; ++i) {
    int64_t *sum = &sums[size->terms[i].coefficient < 0], term = 0;
    if (!eval_term(&size->terms[i], values, &term) ||
        !luna_checked_add(*sum, term, sum) || sums[0] >= limit_bytes - sums[1])
      return fail_size(problem, buffer, "2^62 bytes or more", error);
  }
  *bytes = sums[0] - sums[1];
  return *bytes >= 0 || fail_size(problem, buffer, "negative", error);
}

static bool bind_sizes(LunaProblem *problem, const LunaPlanSizes *sizes,
                       const int64_t *values, LunaError *error) {
  for (uint32_t i = 0; i < problem->buffers.count; ++i)
    if (!luna_plan_size_at(problem, sizes, i, values,
                           &problem->buffers.items[i].size_bytes, error))
      return false;
  return true;
}

bool luna_plan_bind_sizes(LunaProblem *problem, const LunaPlanSizes *sizes,
                          const int64_t *values, LunaError *error) {
  for (uint32_t i = 0; i < sizes->symbol_count; ++i)
    if (values[i] < sizes->symbols[i].low || values[i] > sizes->symbols[i].high)
      return luna_error_set(error, LUNA_ERROR_INPUT, i,
                            "'%.100s' is %lld, allowed is %lld to %lld",
                            sizes->symbols[i].name, (long long)values[i],
                            (long long)sizes->symbols[i].low,
                            (long long)sizes->symbols[i].high);
  return bind_sizes(problem, sizes, values, error);
}

//===- Sums ---------------------------------------------------------------===//

uint32_t luna_plan_sums_add(LunaPlanSumList *list, const int64_t *coefficients,
                            uint32_t product_count, LunaArena *arena) {
  int64_t *key = LUNA_ARENA_ARRAY(arena, int64_t, 2 * (uint64_t)product_count);
  uint32_t length = 0;
  for (uint32_t i = 0; i < product_count; ++i)
    if (coefficients[i] != 0) {
      key[length++] = coefficients[i];
      key[length++] = i;
    }
  uint32_t index = luna_map_add(&list->known, arena,
                                luna_map_bytes(key, length * sizeof *key));
  if (index < list->starts.count)
    return index;
  *LUNA_VECTOR_ADD(arena, &list->starts) = (uint32_t)list->terms.count;
  for (uint32_t i = 0; i < length; i += 2)
    *LUNA_VECTOR_ADD(arena, &list->terms) =
        (LunaPlanTerm){key[i], (uint32_t)key[i + 1]};
  return index;
}

LunaPlanSums luna_plan_sums_finish(LunaPlanSumList *list, LunaArena *arena) {
  uint32_t count = (uint32_t)list->starts.count;
  *LUNA_VECTOR_ADD(arena, &list->starts) = (uint32_t)list->terms.count;
  return (LunaPlanSums){list->terms.items, list->starts.items, count};
}

//===- All sizes ----------------------------------------------------------===//

typedef struct Collection {
  const LunaProblem *problem;
  const LunaPlanSizes *sizes;
  LUNA_VECTOR(LunaPlanProduct) products;
  // The sizes to be read; of a term, the product.
  LUNA_VECTOR(uint32_t) term_products;
  LunaPlanSumList sums;
  LunaArena *arena;
  LunaError *error;
} Collection;

static bool check_symbols(const LunaPlanSizes *sizes, LunaError *error) {
  for (uint32_t i = 0; i < sizes->symbol_count; ++i) {
    const LunaPlanSymbol *symbol = &sizes->symbols[i];
    if (symbol->low < 0 || symbol->low > symbol->high)
      return luna_error_set(error, LUNA_ERROR_INPUT, i,
                            "'%.100s' is from %lld to %lld, allowed are bounds "
                            "that rise and are not negative",
                            symbol->name, (long long)symbol->low,
                            (long long)symbol->high);
  }
  return true;
}

static uint32_t add_product(Collection *all, uint32_t factor, uint32_t symbol) {
  for (uint32_t i = 1; i < all->products.count; ++i)
    if (all->products.items[i].factor == factor &&
        all->products.items[i].symbol == symbol)
      return i;
  *LUNA_VECTOR_ADD(all->arena, &all->products) =
      (LunaPlanProduct){.factor = factor, .symbol = symbol};
  return (uint32_t)all->products.count - 1;
}

// Adds the product of a term: its symbols in ascending order.
static bool add_term(Collection *all, uint32_t buffer,
                     const LunaSizeTerm *term) {
  uint32_t product = 0, counts = 0;
  if (term->degree > LUNA_SIZE_DEGREE)
    return fail_size(all->problem, buffer, "of too high a degree", all->error);
  for (uint32_t next = 0, last = 0; counts < term->degree; last = next + 1) {
    next = UINT32_MAX;
    for (uint32_t k = 0; k < term->degree; ++k)
      if (term->symbols[k] >= last && term->symbols[k] < next)
        next = term->symbols[k];
    if (next >= all->sizes->symbol_count)
      return fail_size(all->problem, buffer, "in a symbol that does not exist",
                       all->error);
    for (uint32_t k = 0; k < term->degree; ++k)
      if (term->symbols[k] == next) {
        product = add_product(all, product, next);
        ++counts;
      }
  }
  *LUNA_VECTOR_ADD(all->arena, &all->term_products) = product;
  return true;
}

static bool add_products(Collection *all) {
  *LUNA_VECTOR_ADD(all->arena, &all->products) = (LunaPlanProduct){0};
  for (uint32_t i = 0; i < all->problem->buffers.count; ++i) {
    const LunaSize *size = &all->sizes->sizes[i];
    for (uint32_t k = 0; k < size->term_count; ++k)
      if (!add_term(all, i, &size->terms[k]))
        return false;
  }
  return true;
}

// Sums the terms of a buffer by product.
static bool add_coefficients(const LunaSize *size, const uint32_t *products,
                             int64_t *coefficients) {
  for (uint32_t i = 0; i < size->term_count; ++i) {
    int64_t coefficient = size->terms[i].coefficient;
    int64_t *sum = &coefficients[products[i]];
    if (magnitude(coefficient) >= limit_bytes ||
        magnitude(*sum + coefficient) >= limit_bytes)
      return false;
    *sum += coefficient;
  }
  return true;
}

// Adds the sizes as sums; the terms of all buffers have their products, in
// order.
static bool add_sums(Collection *all, uint32_t *buffer_sizes) {
  uint32_t count = (uint32_t)all->products.count;
  const uint32_t *products = all->term_products.items;
  for (uint32_t i = 0; i < all->problem->buffers.count; ++i) {
    const LunaSize *size = &all->sizes->sizes[i];
    int64_t *coefficients = LUNA_ARENA_ARRAY(all->arena, int64_t, count);
    bool ok = add_coefficients(size, products, coefficients);
    for (uint32_t k = 0; ok && k < count; ++k)
      ok = luna_checked_add(all->products.items[k].weight,
                            magnitude(coefficients[k]),
                            &all->products.items[k].weight);
    if (!ok)
      return fail_size(all->problem, i, "2^62 bytes or more", all->error);
    buffer_sizes[i] =
        luna_plan_sums_add(&all->sums, coefficients, count, all->arena);
    products += size->term_count;
  }
  return true;
}

static bool check_aliases(const LunaProblem *problem,
                          const uint32_t *buffer_sizes, LunaError *error) {
  for (uint32_t i = 0; i < problem->buffers.count; ++i) {
    uint32_t place = luna_plan_place_of(problem, i);
    if (buffer_sizes[i] != buffer_sizes[place])
      return luna_error_set(error, LUNA_ERROR_INPUT, i,
                            "aliases '%.100s' and '%.100s' have different "
                            "sizes, a plan for ranges needs one",
                            problem->buffers.items[place].name,
                            problem->buffers.items[i].name);
  }
  return true;
}

bool luna_plan_collect_sizes(const LunaProblem *problem,
                             const LunaPlanSizes *sizes, LunaRangePlan *plan,
                             LunaArena *arena, LunaError *error) {
  Collection all = {
      .problem = problem, .sizes = sizes, .arena = arena, .error = error};
  uint32_t *buffer_sizes =
      LUNA_ARENA_ARRAY(arena, uint32_t, problem->buffers.count);
  if (!check_symbols(sizes, error) || !add_products(&all) ||
      !add_sums(&all, buffer_sizes) ||
      !check_aliases(problem, buffer_sizes, error))
    return false;
  plan->symbols = sizes->symbols;
  plan->symbol_count = sizes->symbol_count;
  plan->products = all.products.items;
  plan->product_count = (uint32_t)all.products.count;
  plan->sizes = luna_plan_sums_finish(&all.sums, arena);
  plan->buffer_sizes = buffer_sizes;
  return true;
}
