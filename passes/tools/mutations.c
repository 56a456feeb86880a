#include "mutations.h"

#include "mutation_search.h"

#define EVERY UINT32_MAX

static const LunaMutationTable *const tables[] = {
    &luna_mutations_of_safety,    &luna_mutations_of_transfers,
    &luna_mutations_of_operators, &luna_mutations_of_structure,
    &luna_mutations_of_places,    &luna_mutations_of_interface,
    &luna_mutations_of_scalars,   &luna_mutations_of_traps,
    &luna_mutations_of_loops,     &luna_mutations_of_inserts,
    &luna_mutations_of_slices,    &luna_mutations_of_attributes,
    &luna_mutations_of_layouts,   &luna_mutations_of_folds,
};

enum { TABLE_COUNT = sizeof tables / sizeof tables[0] };

uint32_t luna_mutation_kind_count(void) {
  uint32_t count = 0;
  for (int i = 0; i < TABLE_COUNT; ++i)
    count += tables[i]->count;
  return count;
}

static const LunaMutation *row_of(uint32_t kind) {
  int table = 0;
  for (; kind >= tables[table]->count; ++table)
    kind -= tables[table]->count;
  return &tables[table]->rows[kind];
}

const char *luna_mutation_name(uint32_t kind) { return row_of(kind)->name; }

bool luna_mutation_is_wrong(uint32_t kind) { return row_of(kind)->is_wrong; }
bool luna_mutation_is_bare(uint32_t kind) { return row_of(kind)->is_bare; }

static bool collect(MlirOperation op, void *data) {
  LunaMutationSearch *search = data;
  *LUNA_VECTOR_ADD(search->arena, &search->ops) = op;
  return true;
}

// The operators of the function, then what stands beside it in the module.
static void collect_all(LunaMutationSearch *search) {
  luna_walk(search->func, collect, search);
  for (MlirOperation op =
           mlirBlockGetFirstOperation(mlirOperationGetBlock(search->func));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (!mlirOperationEqual(op, search->func))
      collect(op, search);
}

// Visits every op until the wanted fault is in.
static void run(LunaMutationSearch *search, uint32_t kind) {
  collect_all(search);
  for (uint32_t i = 0; i < search->ops.count && search->path == NULL; ++i)
    row_of(kind)->visit(search, search->ops.items[i]);
}

uint32_t luna_mutation_count(MlirOperation func, uint32_t kind) {
  LunaArena arena = {0};
  LunaMutationSearch search = {.arena = &arena, .func = func, .wanted = EVERY};
  run(&search, kind);
  luna_arena_destroy(&arena);
  return search.seen;
}

const char *luna_mutation_apply(MlirOperation func, uint32_t kind,
                                uint32_t index, LunaArena *arena) {
  LunaMutationSearch search = {.arena = arena, .func = func, .wanted = index};
  run(&search, kind);
  return search.path;
}
