// luna-mutate [--seed=N] [--per-kind=N] [--kind=K,K…] [--machine=M]
// [--exhaustive=offsets|pairs] [--write=DIR] [--accepted=DIR] [--verbose]
// PLAN.mlir…: puts faults into planned functions, one at a time, and counts
// those that luna-verify-plan refuses. What MLIR's own verifier refuses is not
// counted. --exhaustive makes every fault of the kinds that put each buffer at
// each offset, or two buffers that one region, branch or loop yields at one.
// With --write each mutant is written to DIR/NAME.KIND.INDEX.mlir and listed in
// DIR/mutants.txt, with the path it stands on and with `wrong` where it is that
// whatever a run shows; with --accepted only those that were not refused;
// --verbose prints why each was. Exits with 0 when all were refused, 3 when
// not. luna-mutate --before-record MODEL.mlir… lists the faults that
// LunaFaults.so can put into what the passes before the record leave.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "luna-c/dialect.h"
#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "luna/text.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"
#include "mutations.h"
#include "mutations_before.h"
#include "tool.h"

enum { FOUND_ALL = 0, BAD_INPUT = 2, MISSED = 3 };

// What --exhaustive makes.
#define OFFSET_KINDS "offset-swept"
#define PAIR_KINDS "pair-at-one-offset,pair-is-one-buffer"

typedef struct Options {
  uint64_t seed;
  uint32_t per_kind;
  const char *kind, *machine, *folder;
  bool only_accepted, is_verbose;
} Options;

typedef struct Tally {
  uint32_t made, found;
} Tally;

typedef struct Mutator {
  Options options;
  LunaArena arena;
  MlirContext context;
  MlirPassManager verify, verify_bare; // with the record, without
  LunaText diagnosed, index;
  Tally *tallies; // by kind
} Mutator;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static const char *value_of(const char *argument, const char *name) {
  size_t length = strlen(name);
  return strncmp(argument, name, length) == 0 ? argument + length : NULL;
}

static bool read_option(Options *options, const char *argument) {
  const char *value;
  if ((value = value_of(argument, "--seed=")) != NULL)
    options->seed = strtoull(value, NULL, 10);
  else if ((value = value_of(argument, "--per-kind=")) != NULL)
    options->per_kind = (uint32_t)strtoul(value, NULL, 10);
  else if ((value = value_of(argument, "--kind=")) != NULL)
    options->kind = value;
  else if ((value = value_of(argument, "--machine=")) != NULL)
    options->machine = value;
  else if ((value = value_of(argument, "--write=")) != NULL)
    options->folder = value;
  else if ((value = value_of(argument, "--accepted=")) != NULL)
    options->folder = value, options->only_accepted = true;
  else if (strcmp(argument, "--exhaustive=offsets") == 0)
    options->kind = OFFSET_KINDS, options->per_kind = UINT32_MAX;
  else if (strcmp(argument, "--exhaustive=pairs") == 0)
    options->kind = PAIR_KINDS, options->per_kind = UINT32_MAX;
  else if (strcmp(argument, "--verbose") == 0)
    options->is_verbose = true;
  else
    return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Set-up
//===----------------------------------------------------------------------===//

static void append(MlirStringRef text, void *data) {
  luna_text_append(data, text.data, text.length);
}

// Keeps the first message; later ones are its notes or follow from it.
static MlirLogicalResult keep_first(MlirDiagnostic diagnostic, void *data) {
  LunaText *text = data;
  if (text->length == 0)
    mlirDiagnosticPrint(diagnostic, append, text);
  return mlirLogicalResultSuccess();
}

// Returns false if the verifier cannot be set up so.
static bool add_verifier(Mutator *mutator, MlirPassManager *manager,
                         const char *record) {
  *manager = mlirPassManagerCreate(mutator->context);
  const char *pipeline = luna_arena_printf(
      &mutator->arena, "func.func(luna-verify-plan{machine=%s%s})",
      mutator->options.machine, record);
  LunaText message = {0};
  bool is_ok = mlirLogicalResultIsSuccess(
      mlirOpPassManagerAddPipeline(mlirPassManagerGetAsOpPassManager(*manager),
                                   luna_str(pipeline), append, &message));
  if (!is_ok)
    fprintf(stderr, "luna-mutate: %s\n", message.data);
  luna_text_deinit(&message);
  return is_ok;
}

static bool set_up(Mutator *mutator) {
  mutator->context = luna_tool_context();
  mlirContextAttachDiagnosticHandler(mutator->context, keep_first,
                                     &mutator->diagnosed, NULL);
  luna_register_pass(&luna_pass_verify_plan);
  bool has_verifier =
      add_verifier(mutator, &mutator->verify, " record=required");
  return add_verifier(mutator, &mutator->verify_bare, "") && has_verifier;
}

static void tear_down(Mutator *mutator) {
  mlirPassManagerDestroy(mutator->verify);
  mlirPassManagerDestroy(mutator->verify_bare);
  mlirContextDestroy(mutator->context);
  luna_text_deinit(&mutator->diagnosed);
  luna_text_deinit(&mutator->index);
  luna_arena_destroy(&mutator->arena);
}

//===----------------------------------------------------------------------===//
// One mutant
//===----------------------------------------------------------------------===//

static bool is_accepted(Mutator *mutator, MlirOperation module, bool is_bare) {
  luna_text_deinit(&mutator->diagnosed);
  return mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(
      is_bare ? mutator->verify_bare : mutator->verify, module));
}

static void remove_records(MlirOperation module) {
  MlirBlock body = luna_body(module, 0);
  for (MlirOperation op = mlirBlockGetFirstOperation(body), next;
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (luna_op_is(op, LUNA_OP_LUNA_PROGRAM))
      mlirOperationDestroy(op);
  }
}

// The planned function of a module.
static MlirOperation planned_function(MlirOperation module) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (luna_attr_int(op, "luna.arena_bytes", -1) >= 0)
      return op;
  return (MlirOperation){NULL};
}

static const char *base_name(LunaArena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  const char *start = slash ? slash + 1 : path;
  return luna_arena_strndup(arena, start, strcspn(start, "."));
}

static bool write_mutant(Mutator *mutator, MlirOperation module,
                         const char *file, const char *path, bool is_wrong) {
  LunaText text = {0};
  LunaError error = {0};
  mlirOperationPrint(module, append, &text);
  bool is_ok =
      luna_text_write_file(luna_arena_printf(&mutator->arena, "%s/%s",
                                             mutator->options.folder, file),
                           text.data, text.length, &error);
  luna_text_deinit(&text);
  if (!is_ok)
    fprintf(stderr, "luna-mutate: %s\n", error.message);
  luna_text_printf(&mutator->index, "%s %s%s\n", file, *path ? path : "-",
                   is_wrong ? " wrong" : "");
  return is_ok;
}

static void count(Mutator *mutator, const char *file, uint32_t kind,
                  bool is_found) {
  ++mutator->tallies[kind].made;
  mutator->tallies[kind].found += is_found;
  if (!is_found)
    printf("accepted: %s\n", file);
  else if (mutator->options.is_verbose)
    printf("refused: %s: %s\n", file,
           mutator->diagnosed.length ? mutator->diagnosed.data : "");
}

// What MLIR's own verifier refuses is no mutant.
static bool try_mutant(Mutator *mutator, MlirModule module, const char *source,
                       uint32_t kind, uint32_t index) {
  MlirOperation mutant = mlirOperationClone(mlirModuleGetOperation(module));
  const char *file = luna_arena_printf(
      &mutator->arena, "%s.%s.%u.mlir", base_name(&mutator->arena, source),
      luna_mutation_name(kind), (unsigned)index);
  const char *path = luna_mutation_apply(planned_function(mutant), kind, index,
                                         &mutator->arena);
  bool is_bare = luna_mutation_is_bare(kind), is_ok = true;
  if (is_bare)
    remove_records(mutant);
  if (mlirOperationVerify(mutant)) {
    bool is_found = !is_accepted(mutator, mutant, is_bare);
    count(mutator, file, kind, is_found);
    if (mutator->options.folder &&
        (!is_found || !mutator->options.only_accepted))
      is_ok = write_mutant(mutator, mutant, file, path,
                           luna_mutation_is_wrong(kind));
  }
  mlirOperationDestroy(mutant);
  return is_ok;
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

// The next number of a fixed sequence (xorshift64*).
static uint64_t draw(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * UINT64_C(0x2545F4914F6CDD1D);
}

// Draws `chosen` of 0 … count-1 to the front of `order`.
static void shuffle(uint32_t *order, uint32_t count, uint32_t chosen,
                    uint64_t seed) {
  uint64_t state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
  for (uint32_t i = 0; i < count; ++i)
    order[i] = i;
  for (uint32_t i = 0; i < chosen; ++i) {
    uint32_t other = i + (uint32_t)(draw(&state) % (count - i));
    uint32_t index = order[i];
    order[i] = order[other];
    order[other] = index;
  }
}

static bool try_kind(Mutator *mutator, MlirModule module, const char *source,
                     uint32_t kind) {
  MlirOperation func = planned_function(mlirModuleGetOperation(module));
  uint32_t count = luna_mutation_count(func, kind);
  uint32_t chosen =
      mutator->options.per_kind < count ? mutator->options.per_kind : count;
  uint32_t *order = LUNA_ARENA_ARRAY(&mutator->arena, uint32_t, count);
  shuffle(order, count, chosen, mutator->options.seed);
  for (uint32_t i = 0; i < chosen; ++i)
    if (!try_mutant(mutator, module, source, kind, order[i]))
      return false;
  return true;
}

// True if `name` stands in a list with commas.
static bool is_listed(const char *list, const char *name) {
  for (const char *at = list; *at; at += *at == ',') {
    size_t length = strcspn(at, ",");
    if (strlen(name) == length && strncmp(at, name, length) == 0)
      return true;
    at += length;
  }
  return false;
}

static bool try_module(Mutator *mutator, MlirModule module,
                       const char *source) {
  MlirOperation root = mlirModuleGetOperation(module);
  if (mlirOperationIsNull(planned_function(root)) ||
      !is_accepted(mutator, root, false)) {
    fprintf(stderr, "luna-mutate: %s is not a valid plan%s%s\n", source,
            mutator->diagnosed.length ? ": " : "",
            mutator->diagnosed.length ? mutator->diagnosed.data : "");
    return false;
  }
  for (uint32_t kind = 0; kind < luna_mutation_kind_count(); ++kind) {
    const char *name = luna_mutation_name(kind);
    bool is_wanted =
        mutator->options.kind == NULL || is_listed(mutator->options.kind, name);
    if (is_wanted && !try_kind(mutator, module, source, kind))
      return false;
  }
  return true;
}

static bool try_file(Mutator *mutator, const char *path) {
  MlirModule module = mlirModuleCreateParseFromFile(
      mutator->context, mlirStringRefCreateFromCString(path));
  if (mlirModuleIsNull(module)) {
    fprintf(stderr, "luna-mutate: cannot read %s: %s\n", path,
            mutator->diagnosed.length ? mutator->diagnosed.data : "no module");
    return false;
  }
  bool is_ok = try_module(mutator, module, path);
  mlirModuleDestroy(module);
  return is_ok;
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

static int report(const Mutator *mutator) {
  Tally all = {0, 0};
  for (uint32_t kind = 0; kind < luna_mutation_kind_count(); ++kind) {
    const Tally *tally = &mutator->tallies[kind];
    printf("%-25s %5u of %5u refused\n", luna_mutation_name(kind),
           (unsigned)tally->found, (unsigned)tally->made);
    all.made += tally->made;
    all.found += tally->found;
  }
  printf("%-25s %5u of %5u refused\n", "all", (unsigned)all.found,
         (unsigned)all.made);
  return all.found == all.made ? FOUND_ALL : MISSED;
}

static bool write_index(const Mutator *mutator) {
  LunaError error = {0};
  const char *folder = mutator->options.folder;
  if (folder == NULL)
    return true;
  LunaText path = {0};
  luna_text_printf(&path, "%s/mutants.txt", folder);
  bool is_ok = luna_text_write_file(path.data, mutator->index.data,
                                    mutator->index.length, &error);
  luna_text_deinit(&path);
  if (!is_ok)
    fprintf(stderr, "luna-mutate: %s\n", error.message);
  return is_ok;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--before-record") == 0)
    return luna_list_faults_before_record(argc - 2, argv + 2);
  Mutator mutator = {
      .options = {.seed = 1, .per_kind = UINT32_MAX, .machine = "venus"},
  };
  int first = 1;
  while (first < argc && read_option(&mutator.options, argv[first]))
    ++first;
  if (first == argc) {
    fprintf(stderr, "usage: luna-mutate [--seed=N] [--per-kind=N] [--kind=K] "
                    "[--machine=M] [--exhaustive=offsets|pairs] "
                    "[--write=DIR] [--accepted=DIR] [--verbose] "
                    "PLAN.mlir...\n");
    return BAD_INPUT;
  }
  mutator.tallies =
      LUNA_ARENA_ARRAY(&mutator.arena, Tally, luna_mutation_kind_count());
  bool is_ok = set_up(&mutator);
  for (int i = first; is_ok && i < argc; ++i)
    is_ok = try_file(&mutator, argv[i]);
  is_ok = is_ok && write_index(&mutator);
  int code = is_ok ? report(&mutator) : BAD_INPUT;
  tear_down(&mutator);
  return code;
}
